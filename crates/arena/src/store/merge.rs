//! Several stores made one, such as those of shards that ran on different machines.

use std::path::Path;

use rusqlite::{OptionalExtension, TransactionBehavior, params};

use super::{Store, StoreError, uri};

/// What came of a merge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct Merged {
    /// Games that are new here.
    pub games: u64,
    /// Games that both had.
    pub known: u64,
    /// Cells on bandits that are new here.
    pub regrets: u64,
}

/// The columns that make a game, all of which must agree.
const SAME: &str = "a.side = b.side AND a.winner IS b.winner AND a.points = b.points AND a.reason = b.reason
    AND a.plies = b.plies AND a.opening = b.opening AND a.player_samples = b.player_samples
    AND a.opponent_samples = b.opponent_samples AND a.moves = b.moves";

impl Store {
    /// Takes over what another store has and this one has not: all of it or, where
    /// something goes wrong, nothing. Games that both have must be the same to the byte,
    /// unless a clock or an engine had a part in them; then those here stay.
    pub fn merge(&mut self, other: &Path) -> Result<Merged, StoreError> {
        // Whether it is a store at all, and of this version.
        drop(Store::open_to_read(other)?);
        let name = format!("{}?mode=ro", uri(other));
        let of_other = |error: rusqlite::Error| StoreError::of(other, &error);
        self.connection.execute("ATTACH ?1 AS other", params![name]).map_err(of_other)?;
        let merged = self.merge_attached();
        let detached = self.connection.execute("DETACH other", []);
        let merged = merged?;
        detached.map_err(of_other)?;
        Ok(merged)
    }

    fn merge_attached(&mut self) -> Result<Merged, StoreError> {
        let path = self.path.clone();
        let different = self.tried(|connection| {
            let sql = format!(
                "SELECT cells.id || '-' || a.game_index FROM main.games a
                 JOIN other.games b USING (experiment, cell, game_index)
                 JOIN main.cells USING (experiment, cell)
                 WHERE cells.reproducible AND NOT ({SAME}) ORDER BY 1 LIMIT 1"
            );
            connection.query_row(&sql, [], |row| row.get::<_, String>(0)).optional()
        })?;
        if let Some(id) = different {
            return Err(StoreError::Different { path, id });
        }
        self.tried(|connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            transaction
                .execute("INSERT OR IGNORE INTO main.experiments SELECT * FROM other.experiments", [])?;
            transaction.execute("INSERT OR IGNORE INTO main.cells SELECT * FROM other.cells", [])?;
            // A void is told once, though a store be merged twice.
            transaction.execute(
                "INSERT INTO main.voids SELECT * FROM other.voids EXCEPT SELECT * FROM main.voids",
                [],
            )?;
            let all: u64 = transaction.query_row("SELECT count(*) FROM other.games", [], |row| row.get(0))?;
            let games =
                transaction.execute("INSERT OR IGNORE INTO main.games SELECT * FROM other.games", [])? as u64;
            transaction.execute("INSERT OR IGNORE INTO main.plays SELECT * FROM other.plays", [])?;
            let regrets = transaction
                .execute("INSERT OR IGNORE INTO main.regrets SELECT * FROM other.regrets", [])?
                as u64;
            transaction.commit()?;
            Ok(Merged { games, known: all - games, regrets })
        })
    }
}
