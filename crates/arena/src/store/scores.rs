//! The scores that engines gave games, read from a store.

use rusqlite::params;
use tesuji_core::Seed;

use super::{Store, StoreError};
use crate::scores::{Disagreement, Scored, disagreements};

impl Store {
    /// The engines that count games of a cell with an index below `first` differently from the
    /// rules. The moves of these games are played again to count them.
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
        // A game that this version does not understand has no count to compare with.
        let game = self.game_of_cell(experiment, cell)?;
        Ok(game.map_or_else(Vec::new, |game| disagreements(&game, &scored)))
    }
}
