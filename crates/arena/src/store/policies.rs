//! What searches said of the moves of games, for training networks.
//!
//! The table is made when something is first stored in it, so stores without it are as they were,
//! and programs that do not know it read the others.

use rusqlite::{Connection, OptionalExtension, params};

use super::{Store, StoreError};
use crate::record::Address;

/// The table: for each game the bytes that [`read_policies`](crate::read_policies) reads.
const TABLE: &str = "
CREATE TABLE IF NOT EXISTS main.policies (
    experiment TEXT NOT NULL,
    cell TEXT NOT NULL,
    game_index INTEGER NOT NULL,
    policies BLOB NOT NULL,
    PRIMARY KEY (experiment, cell, game_index)
) STRICT, WITHOUT ROWID;
";

/// Whether a schema of the connection has the table.
fn has_table(connection: &Connection, schema: &str) -> Result<bool, rusqlite::Error> {
    let sql = format!("SELECT 1 FROM {schema}.sqlite_master WHERE type = 'table' AND name = 'policies'");
    connection.query_row(&sql, [], |_| Ok(())).optional().map(|found| found.is_some())
}

/// Copies what is new from the attached store.
pub(super) fn merge(connection: &Connection) -> Result<(), rusqlite::Error> {
    if has_table(connection, "other")? {
        connection.execute_batch(TABLE)?;
        connection.execute("INSERT OR IGNORE INTO main.policies SELECT * FROM other.policies", [])?;
    }
    Ok(())
}

impl Store {
    /// Stores what searches said of the moves of a game, after the game.
    pub fn put_policies(&mut self, address: &Address, policies: &[u8]) -> Result<(), StoreError> {
        let Address { experiment, cell, index } = address;
        self.written(|connection| {
            connection.execute_batch(TABLE)?;
            connection
                .prepare_cached("INSERT OR IGNORE INTO main.policies VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![experiment.to_string(), cell, index, policies])
        })?;
        Ok(())
    }

    /// What searches said of the moves of a game; `None` if that was not recorded.
    pub fn policies(&self, address: &Address) -> Result<Option<Vec<u8>>, StoreError> {
        let Address { experiment, cell, index } = address;
        let read = || {
            if !has_table(&self.connection, "main")? {
                return Ok(None);
            }
            self.connection
                .prepare_cached(
                    "SELECT policies FROM policies WHERE experiment = ?1 AND cell = ?2 AND game_index = ?3",
                )?
                .query_row(params![experiment.to_string(), cell, index], |row| row.get(0))
                .optional()
        };
        read().map_err(|error| StoreError::of(&self.path, &error))
    }
}
