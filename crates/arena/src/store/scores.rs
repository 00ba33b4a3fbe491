//! What engines thought of the score, out of a store.

use rusqlite::params;
use tesuji_core::Seed;

use super::{Store, StoreError};
use crate::scores::{Disagreement, Scored, disagreements};

impl Store {
    /// The engines that count games of a cell with an index below `first` otherwise than the
    /// rules do. Those games are played through.
    pub(super) fn disagreements(
        &self,
        experiment: Seed,
        cell: &str,
        first: u64,
    ) -> Result<Vec<Disagreement>, StoreError> {
        let key = params![experiment.to_string(), cell, first];
        let scored = self.all(
            "SELECT game_index, moves, player_engine, opponent_engine, player_score, opponent_score
             FROM games JOIN plays USING (experiment, cell, game_index)
             WHERE experiment = ?1 AND cell = ?2 AND game_index < ?3
             AND (player_score <> '' OR opponent_score <> '') ORDER BY game_index",
            key,
            |row| {
                Ok(Scored {
                    index: row.get(0)?,
                    moves: row.get(1)?,
                    engines: [row.get(2)?, row.get(3)?],
                    scores: [row.get(4)?, row.get(5)?],
                })
            },
        )?;
        if scored.is_empty() {
            return Ok(Vec::new());
        }
        let games = self.all(
            "SELECT game FROM cells WHERE experiment = ?1 AND cell = ?2",
            params![experiment.to_string(), cell],
            |row| row.get::<_, String>(0),
        )?;
        // A game that this version does not understand has no count to compare with.
        let game = games.first().and_then(|game| game.parse().ok());
        Ok(game.map_or_else(Vec::new, |game| disagreements(&game, &scored)))
    }
}
