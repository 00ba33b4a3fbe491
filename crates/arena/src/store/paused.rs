//! Games that were begun and are not over. A store keeps a game as a finished one or as a paused
//! one, never as both.

use rusqlite::{Connection, TransactionBehavior, params};
use tesuji_core::Seed;

use super::{Store, StoreError};
use crate::paused::PausedGame;
use crate::record::Address;

/// The number of games that are stored in one transaction: few enough for a file with little
/// room, many enough to be quick.
const BATCH: usize = 256;

impl Store {
    /// Stores paused games, after their cells. A game that is paused here already is replaced if
    /// the new one has as many moves or more: attempts that a referee refused are none. A game that is
    /// finished stays finished.
    ///
    /// A kill during the call loses some of the games and damages none.
    pub fn keep_paused(&mut self, games: &[PausedGame]) -> Result<(), StoreError> {
        for batch in games.chunks(BATCH) {
            self.written(|connection| keep(connection, batch))?;
        }
        Ok(())
    }

    /// The paused games of an experiment, in the order of their cells and indices.
    pub fn paused(&self, experiment: Seed) -> Result<Vec<PausedGame>, StoreError> {
        let states = self.all(
            "SELECT state FROM paused WHERE experiment = ?1 ORDER BY cell, game_index",
            params![experiment.to_string()],
            |row| row.get::<_, String>(0),
        )?;
        let read = |state: &String| {
            PausedGame::from_json(state)
                .map_err(|error| StoreError::Damaged { path: self.path.clone(), reason: error.to_string() })
        };
        states.iter().map(read).collect()
    }

    /// The number of paused games of a cell with an index below `first`.
    pub(super) fn n_paused(&self, experiment: Seed, cell: &str, first: u64) -> Result<u64, StoreError> {
        let counts = self.all(
            "SELECT count(*) FROM paused WHERE experiment = ?1 AND cell = ?2 AND game_index < ?3",
            params![experiment.to_string(), cell, first],
            |row| row.get(0),
        )?;
        Ok(counts.first().copied().unwrap_or(0))
    }
}

fn keep(connection: &mut Connection, games: &[PausedGame]) -> Result<(), rusqlite::Error> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for game in games {
        let Address { experiment, cell, index } = &game.address;
        transaction
            .prepare_cached(
                "INSERT INTO main.paused SELECT ?1, ?2, ?3, ?4, ?5 WHERE NOT EXISTS (
                 SELECT 1 FROM games WHERE experiment = ?1 AND cell = ?2 AND game_index = ?3)
                 ON CONFLICT DO UPDATE SET plies = excluded.plies, state = excluded.state
                 WHERE excluded.plies >= plies",
            )?
            .execute(params![experiment.to_string(), cell, index, game.plies, game.to_json()])?;
    }
    transaction.commit()
}

/// Removes the paused game with this address, because it is finished.
pub(super) fn forget(connection: &Connection, address: &Address) -> Result<(), rusqlite::Error> {
    let Address { experiment, cell, index } = address;
    connection
        .prepare_cached("DELETE FROM main.paused WHERE experiment = ?1 AND cell = ?2 AND game_index = ?3")?
        .execute(params![experiment.to_string(), cell, index])?;
    Ok(())
}

/// Removes the paused games that are finished.
pub(super) fn forget_finished(connection: &Connection) -> Result<(), rusqlite::Error> {
    connection.execute(
        "DELETE FROM main.paused WHERE EXISTS (SELECT 1 FROM main.games WHERE
         games.experiment = paused.experiment AND games.cell = paused.cell
         AND games.game_index = paused.game_index)",
        [],
    )?;
    Ok(())
}

/// Copies paused games from the attached store `other`, after its finished games. Returns the
/// number of games that are new, or have more moves than here.
pub(super) fn merge(connection: &Connection) -> Result<u64, rusqlite::Error> {
    let merged = connection.execute(
        "INSERT INTO main.paused SELECT * FROM other.paused b WHERE NOT EXISTS (
         SELECT 1 FROM main.games a WHERE a.experiment = b.experiment AND a.cell = b.cell
         AND a.game_index = b.game_index)
         ON CONFLICT DO UPDATE SET plies = excluded.plies, state = excluded.state
         WHERE excluded.plies > plies",
        [],
    )?;
    Ok(merged as u64)
}
