//! What searches said of the moves of games, for training networks.
//!
//! The table is made when something is first stored in it, so stores without it are as they were,
//! and programs that do not know it read the others.

use rusqlite::{Connection, OptionalExtension, params};

use tesuji_core::Seed;

use super::volumes::{GAME_KEY, none_in, schemas};
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

/// Whether a schema of the connection has the table, or the view that joins the volumes' tables.
fn has_table(connection: &Connection, schema: &str) -> Result<bool, rusqlite::Error> {
    let sql = format!("SELECT 1 FROM {schema}.sqlite_master WHERE name = 'policies'");
    connection.prepare_cached(&sql)?.query_row([], |_| Ok(())).optional().map(|found| found.is_some())
}

/// Makes the table in the file that is written, if it is not there yet.
fn make_table(connection: &Connection) -> Result<(), rusqlite::Error> {
    if has_table(connection, "main")? {
        return Ok(());
    }
    connection.execute_batch(TABLE)?;
    join(connection)
}

/// Joins the tables of all volumes in a temporary view; only some volumes may have one. A game that
/// is in two volumes counts in the later one, so what searches said of it does too.
pub(super) fn join(connection: &Connection) -> Result<(), rusqlite::Error> {
    let schemas = schemas(connection)?;
    if schemas.len() == 1 {
        return Ok(());
    }
    let mut tables = Vec::new();
    for (place, schema) in schemas.iter().enumerate() {
        if has_table(connection, schema)? {
            let later = schemas.get(place + 1).map(|next| none_in(next, "games", "own", &GAME_KEY));
            let condition = later.unwrap_or_else(|| "true".to_owned());
            tables.push(format!("SELECT * FROM {schema}.policies own WHERE {condition}"));
        }
    }
    connection.execute_batch("DROP VIEW IF EXISTS temp.policies")?;
    match tables.is_empty() {
        true => Ok(()),
        false => {
            connection.execute_batch(&format!("CREATE TEMP VIEW policies AS {}", tables.join(" UNION ALL ")))
        }
    }
}

/// Stores what searches said of the moves of a game, in the transaction that stores the game: a kill
/// between two would lose it for ever, since a stored game is not played again.
pub(super) fn put(
    connection: &Connection,
    address: &Address,
    policies: &[u8],
) -> Result<(), rusqlite::Error> {
    let Address { experiment, cell, index } = address;
    make_table(connection)?;
    connection
        .prepare_cached("INSERT OR IGNORE INTO main.policies VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![experiment.to_string(), cell, index, policies])?;
    Ok(())
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
    /// The number of finished games of a cell for which nothing is stored of what searches said.
    pub fn n_without_policies(&self, experiment: Seed, cell: &str) -> Result<u64, StoreError> {
        let count = || {
            let own = if self.has_policies()? {
                "SELECT game_index FROM policies WHERE experiment = ?1 AND cell = ?2"
            } else {
                "SELECT 0 WHERE false"
            };
            let sql = format!(
                "SELECT count(*) FROM games WHERE experiment = ?1 AND cell = ?2 AND game_index NOT IN ({own})"
            );
            self.connection.query_row(&sql, params![experiment.to_string(), cell], |row| row.get(0))
        };
        count().map_err(|error| StoreError::of(&self.path, &error))
    }

    /// Whether some volume has the table.
    fn has_policies(&self) -> Result<bool, rusqlite::Error> {
        Ok(has_table(&self.connection, "main")? || has_table(&self.connection, "temp")?)
    }

    /// What searches said of the moves of a game; `None` if that was not recorded.
    pub fn policies(&self, address: &Address) -> Result<Option<Vec<u8>>, StoreError> {
        let Address { experiment, cell, index } = address;
        let read = || {
            if !self.has_policies()? {
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
