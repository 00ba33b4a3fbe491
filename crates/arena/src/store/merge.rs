//! Merging stores, such as those of shards that ran on different machines.

use std::path::{Path, PathBuf};

use rusqlite::{OptionalExtension, Transaction, TransactionBehavior, params};

use super::volumes::volumes;
use super::{Store, StoreError, paused, readable};
use crate::definition::Definition;
use crate::matches::MatchExperiment;

/// The result of a merge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct MergeSummary {
    /// The number of games that are new here.
    pub games: u64,
    /// The number of games that both stores had.
    pub known: u64,
    /// The number of paused games that are new here, or have more moves than here.
    pub paused: u64,
    /// The number of measurements on bandits that are new here.
    pub regrets: u64,
}

impl std::iter::Sum for MergeSummary {
    fn sum<I: Iterator<Item = MergeSummary>>(summaries: I) -> MergeSummary {
        summaries.fold(MergeSummary::default(), |sum, one| MergeSummary {
            games: sum.games + one.games,
            known: sum.known + one.known,
            paused: sum.paused + one.paused,
            regrets: sum.regrets + one.regrets,
        })
    }
}

/// The columns that make a game, all of which must agree.
const SAME: &str = "a.side = b.side AND a.winner IS b.winner AND a.points = b.points AND a.reason = b.reason
    AND a.plies = b.plies AND a.opening = b.opening AND a.player_samples = b.player_samples
    AND a.opponent_samples = b.opponent_samples AND a.moves = b.moves";

impl Store {
    /// Merges several stores, each with all its volumes, into one, which is created if it does not
    /// exist. All are opened before anything is written. Returns a summary for each store.
    pub fn merge_all(into: &Path, others: &[PathBuf]) -> Result<Vec<MergeSummary>, StoreError> {
        let others: Vec<Vec<PathBuf>> = others.iter().map(|path| volumes(path)).collect();
        for path in others.iter().flatten() {
            Store::open_file_to_read(path)?;
            if matches!((path.canonicalize(), into.canonicalize()), (Ok(a), Ok(b)) if a == b) {
                return Err(StoreError::Itself { path: path.clone() });
            }
        }
        let mut store = Store::open(into)?;
        others.iter().map(|files| files.iter().map(|path| store.merge(path)).sum()).collect()
    }

    /// Copies everything from another file that this store lacks, or nothing if there is an error.
    /// Games that both stores have must be equal to the byte, unless a clock or an engine took
    /// part in them; then those of this store stay. A finished game replaces a paused one, and of
    /// two paused ones the one with more moves is kept.
    pub fn merge(&mut self, other: &Path) -> Result<MergeSummary, StoreError> {
        if let [_, next, ..] = &self.volumes()[..] {
            return Err(StoreError::HasVolumes { path: self.path.clone(), next: next.clone() });
        }
        // Whether it is a store at all, and of which version.
        let version = Store::open_file_to_read(other)?.check_version()?;
        let name = readable(other)?;
        let of_other = |error: rusqlite::Error| StoreError::of(other, &error);
        self.connection.execute("ATTACH ?1 AS other", params![name]).map_err(of_other)?;
        let merged = self.merge_attached(version);
        let detached = self.connection.execute("DETACH other", []);
        let merged = merged?;
        detached.map_err(of_other)?;
        Ok(merged)
    }

    fn merge_attached(&mut self, version: i32) -> Result<MergeSummary, StoreError> {
        let path = self.path.clone();
        let (merged, different) = self.tried(|connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let different: Option<String> = transaction
                .query_row(
                    &format!(
                        "SELECT cells.id || '-' || a.game_index FROM main.games a
                         JOIN other.games b USING (experiment, cell, game_index)
                         JOIN main.cells USING (experiment, cell)
                         WHERE cells.reproducible AND NOT ({SAME}) ORDER BY 1 LIMIT 1"
                    ),
                    [],
                    |row| row.get(0),
                )
                .optional()?;
            if different.is_some() {
                return Ok((MergeSummary::default(), different));
            }
            let merged = copy(&transaction, version)?;
            transaction.commit()?;
            Ok((merged, None))
        })?;
        match different {
            Some(id) => Err(StoreError::Different { path, id }),
            None => Ok(merged),
        }
    }
}

/// Copies what is new from a store of this version.
fn copy(transaction: &Transaction<'_>, version: i32) -> Result<MergeSummary, rusqlite::Error> {
    let insert = |table: &str| {
        let sql = format!("INSERT OR IGNORE INTO main.{table} SELECT * FROM other.{table}");
        transaction.execute(&sql, []).map(|rows| rows as u64)
    };
    insert("experiments")?;
    larger_definitions(transaction)?;
    insert("cells")?;
    // A void is told once, though a store be merged twice; an engine may fail twice in a second.
    transaction.execute(
        "INSERT INTO main.voids SELECT * FROM other.voids b WHERE NOT EXISTS (
         SELECT 1 FROM main.voids a WHERE a.experiment = b.experiment AND a.cell = b.cell
         AND a.game_index = b.game_index AND a.at = b.at)",
        [],
    )?;
    let all: u64 = transaction.query_row("SELECT count(*) FROM other.games", [], |row| row.get(0))?;
    let games = insert("games")?;
    if version == 1 {
        transaction.execute("INSERT OR IGNORE INTO main.plays SELECT *, '', '' FROM other.plays", [])?;
    } else {
        insert("plays")?;
    }
    super::policies::merge(transaction)?;
    let paused = if version < 3 { 0 } else { paused::merge(transaction)? };
    paused::forget_finished(transaction)?;
    let regrets = insert("regrets")?;
    Ok(MergeSummary { games, known: all - games, paused, regrets })
}

/// If the two stores have different definitions of one experiment, keeps the one that asks for
/// more games, because files grow.
fn larger_definitions(transaction: &Transaction<'_>) -> Result<(), rusqlite::Error> {
    let mut statement = transaction.prepare(
        "SELECT a.experiment, a.name, a.definition, a.beside, b.definition, b.beside FROM main.experiments a
         JOIN other.experiments b USING (experiment) WHERE a.definition <> b.definition OR a.beside <> b.beside",
    )?;
    let text = |row: &rusqlite::Row<'_>, column| row.get::<_, String>(column);
    let read = |row: &rusqlite::Row<'_>| {
        Ok([text(row, 0)?, text(row, 1)?, text(row, 2)?, text(row, 3)?, text(row, 4)?, text(row, 5)?])
    };
    let different: Vec<[String; 6]> = statement.query_map([], read)?.collect::<Result<_, _>>()?;
    for [experiment, name, definition, beside, other, other_beside] in &different {
        if size(name, other, other_beside) > size(name, definition, beside) {
            transaction.execute(
                "UPDATE main.experiments SET definition = ?2, beside = ?3 WHERE experiment = ?1",
                [experiment, other, other_beside],
            )?;
        }
    }
    Ok(())
}

/// The number of games that an experiment asks for; 0 if it is not understood or on bandits.
fn size(name: &str, definition: &str, beside: &str) -> u64 {
    let beside = serde_json::from_str(beside).unwrap_or_default();
    let definition = Definition { name: name.to_owned(), text: definition.to_owned(), beside };
    MatchExperiment::parse_stored(definition)
        .map_or(0, |experiment| experiment.cells.len() as u64 * experiment.games)
}
