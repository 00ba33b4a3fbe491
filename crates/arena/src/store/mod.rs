//! The store: what was played and measured, in one SQLite file.
//!
//! A row a game, written as soon as the game is over and never changed. A process
//! that is killed loses the games that it was playing, and no more; a second process
//! on the same file finds its games there or has them refused as known. Readers never
//! wait for writers (write-ahead log). On network file systems that log does not
//! work: there, let every machine write a store of its own and [`Store::merge`] them.

mod error;
mod merge;
mod read;
mod schema;
mod scores;
#[cfg(test)]
mod tests;

pub use error::StoreError;
pub use merge::Merged;
pub use read::{Played, StoredCell, StoredExperiment, StoredRegrets};

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use tesuji_bandit::testbed::Row;
use tesuji_core::Seed;

use crate::definition::Definition;
use crate::matches::Cell;
use crate::record::{Address, Circumstances, Game, Void, word};

/// A store, in a file or only in memory.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

/// What became of a game that was to be stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insertion {
    /// It is in the store now.
    New,
    /// It was there before.
    Known,
}

/// How long a writer waits for another.
const PATIENCE: Duration = Duration::from_secs(60);

impl Store {
    /// A store in memory.
    pub fn in_memory() -> Result<Store, StoreError> {
        let path = PathBuf::from("memory");
        let connection = Connection::open_in_memory().map_err(|error| StoreError::of(&path, &error))?;
        Store { connection, path }.prepared()
    }

    /// Opens the file to write, and makes it where it is not there.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        if path.as_os_str().is_empty() {
            return Err(StoreError::NoPath);
        }
        let opened = Connection::open(path).map_err(|error| match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
                StoreError::NoFolder { path: path.to_owned() }
            }
            _ => StoreError::of(path, &error),
        })?;
        Store { connection: opened, path: path.to_owned() }.prepared()
    }

    /// Opens the file to read, also while others write it.
    pub fn open_to_read(path: &Path) -> Result<Store, StoreError> {
        if !path.exists() {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        let connection = open_to_read(&readable(path)?).map_err(|error| StoreError::of(path, &error))?;
        let store = Store { connection, path: path.to_owned() };
        if store.check_version()? != schema::VERSION {
            store.connection.execute_batch(schema::READ_1).map_err(|error| store.wrong(&error))?;
        }
        Ok(store)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn prepared(mut self) -> Result<Store, StoreError> {
        let is_new = self.tried(|connection| {
            connection.busy_timeout(PATIENCE)?;
            connection.pragma_update(None, "journal_mode", "wal")?;
            connection.pragma_update(None, "synchronous", "normal")?;
            connection.pragma_update(None, "foreign_keys", true)?;
            // Another process may make the tables at the same time: who is first does.
            let transaction =
                connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            let is_new = transaction
                .query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get::<_, bool>(0))?;
            if is_new {
                transaction.execute_batch(schema::TABLES)?;
                transaction.execute_batch(schema::VIEW)?;
                transaction.pragma_update(None, "application_id", schema::APPLICATION)?;
                transaction.pragma_update(None, "user_version", schema::VERSION)?;
            }
            transaction.commit()?;
            Ok(is_new)
        })?;
        if !is_new && self.check_version()? != schema::VERSION {
            self.tried(upgrade)?;
        }
        Ok(self)
    }

    /// The version of the tables, which is one that can be read.
    fn check_version(&self) -> Result<i32, StoreError> {
        let number = |name: &str| {
            let found = self.connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
            found.map_err(|error| self.wrong(&error))
        };
        let refused = |reason: String| Err(StoreError::NotAStore { path: self.path.clone(), reason });
        let tables =
            self.connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, u64>(0));
        if tables.map_err(|error| self.wrong(&error))? == 0 {
            return refused("it is empty".to_owned());
        }
        if number("application_id")? != schema::APPLICATION {
            return refused("it is a database of another program".to_owned());
        }
        match number("user_version")? {
            known @ schema::OLDEST..=schema::VERSION => Ok(known),
            other => {
                refused(format!("its schema is version {other}, and this program knows {}", schema::VERSION))
            }
        }
    }

    fn wrong(&self, error: &rusqlite::Error) -> StoreError {
        StoreError::of(&self.path, error)
    }

    /// Does something with the connection, and says what went wrong in our words.
    fn tried<T>(
        &mut self,
        with: impl FnOnce(&mut Connection) -> Result<T, rusqlite::Error>,
    ) -> Result<T, StoreError> {
        let done = with(&mut self.connection);
        done.map_err(|error| StoreError::of(&self.path, &error))
    }

    /// Notes an experiment; what it said before under this address is replaced.
    pub fn put_experiment(
        &mut self,
        experiment: Seed,
        kind: Kind,
        definition: &Definition,
    ) -> Result<(), StoreError> {
        let beside = serde_json::to_string(&definition.beside).expect("texts are JSON");
        self.tried(|connection| {
            connection.execute(
                "INSERT INTO experiments VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (experiment) DO UPDATE SET definition = excluded.definition, beside = excluded.beside",
                params![experiment.to_string(), definition.name, kind.word(), definition.text, beside],
            )
        })?;
        Ok(())
    }

    /// Notes cells of an experiment that is noted.
    pub fn put_cells(&mut self, experiment: Seed, cells: &[Cell]) -> Result<(), StoreError> {
        let experiment = experiment.to_string();
        self.tried(|connection| {
            let transaction = connection.transaction()?;
            for cell in cells {
                let Cell { key, id, game, player, opponent, .. } = cell;
                let (game, player, opponent) = (game.to_string(), player.to_string(), opponent.to_string());
                let reproducible = cell.is_reproducible();
                transaction.execute(
                    "INSERT OR IGNORE INTO cells VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                    params![experiment, key, id, game, player, opponent, reproducible],
                )?;
            }
            transaction.commit()
        })
    }

    /// Stores a game of a cell that is noted. One that is there already stays as it is;
    /// where `must_agree`, it is an error if it is another.
    pub fn put_game(
        &mut self,
        game: &Game,
        about: &Circumstances,
        must_agree: bool,
    ) -> Result<Insertion, StoreError> {
        let Address { experiment, cell, index } = &game.address;
        let experiment = experiment.to_string();
        let insertion = self.tried(|connection| {
            let transaction =
                connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            let new = transaction
                .prepare_cached(
                    "INSERT OR IGNORE INTO games VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
                )?
                .execute(params![
                    experiment,
                    cell,
                    index,
                    word(game.side),
                    game.outcome.winner().map(word),
                    game.points(),
                    game.reason.word(),
                    game.plies,
                    game.opening,
                    game.samples[0],
                    game.samples[1],
                    game.moves,
                ])?;
            if new == 0 {
                return Ok(Insertion::Known);
            }
            transaction
                .prepare_cached(
                    "INSERT INTO plays VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
                )?
                .execute(params![
                    experiment,
                    cell,
                    index,
                    about.build,
                    about.began,
                    about.seconds,
                    about.used[0],
                    about.used[1],
                    about.engines[0],
                    about.engines[1],
                    about.scores[0],
                    about.scores[1],
                ])?;
            transaction.commit()?;
            Ok(Insertion::New)
        })?;
        if insertion == Insertion::Known && must_agree {
            let known = self.game(&game.address)?;
            if known.as_ref() != Some(game) {
                return Err(StoreError::Different { path: self.path.clone(), id: game.address.id() });
            }
        }
        Ok(insertion)
    }

    /// Notes a game that came to nothing.
    pub fn put_void(&mut self, void: &Void) -> Result<(), StoreError> {
        let Void { address, at, contestant, kind, message, moves, stderr } = void;
        let experiment = address.experiment.to_string();
        self.tried(|connection| {
            connection.execute(
                "INSERT INTO voids VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                params![
                    experiment,
                    address.cell,
                    address.index,
                    at,
                    contestant,
                    kind,
                    message,
                    moves,
                    stderr
                ],
            )
        })?;
        Ok(())
    }

    /// What was measured of a cell on bandits by this build.
    pub fn regrets(
        &self,
        experiment: Seed,
        cell: &str,
        runs: u64,
        build: &str,
    ) -> Result<Option<Vec<Row>>, StoreError> {
        let found: Option<String> = self
            .connection
            .query_row(
                "SELECT measured FROM regrets WHERE experiment = ?1 AND cell = ?2 AND runs = ?3 AND build = ?4",
                params![experiment.to_string(), cell, runs, build],
                |row| row.get(0),
            )
            .optional()
            .map_err(|error| self.wrong(&error))?;
        found.map(|text| self.rows(&text)).transpose()
    }

    fn rows(&self, text: &str) -> Result<Vec<Row>, StoreError> {
        serde_json::from_str(text)
            .map_err(|error| StoreError::Damaged { path: self.path.clone(), reason: error.to_string() })
    }

    /// Keeps what was measured of a cell on bandits.
    pub fn put_regrets(
        &mut self,
        experiment: Seed,
        cell: &str,
        runs: u64,
        build: &str,
        rows: &[Row],
    ) -> Result<(), StoreError> {
        let measured = serde_json::to_string(rows).expect("rows are JSON");
        self.tried(|connection| {
            connection.execute(
                "INSERT OR IGNORE INTO regrets VALUES (?1, ?2, ?3, ?4, ?5)",
                params![experiment.to_string(), cell, runs, build, measured],
            )
        })?;
        Ok(())
    }
}

/// What an experiment measures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Who wins.
    Matches,
    /// Regrets of policies.
    Bandits,
}

impl Kind {
    const fn word(self) -> &'static str {
        match self {
            Kind::Matches => "matches",
            Kind::Bandits => "bandits",
        }
    }
}

/// Makes the tables those of this version, unless another process just did.
fn upgrade(connection: &mut Connection) -> Result<(), rusqlite::Error> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let version: i32 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version != schema::VERSION {
        transaction.execute_batch(schema::FROM_1)?;
        transaction.execute_batch(schema::VIEW)?;
        transaction.pragma_update(None, "user_version", schema::VERSION)?;
    }
    transaction.commit()
}

fn open_to_read(name: &str) -> Result<Connection, rusqlite::Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(name, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(connection)
}

/// The name by which a file can be read. In a folder that cannot be written there is no
/// place for the log's index, and nobody who writes: the file can be taken as it is.
fn readable(path: &Path) -> Result<String, StoreError> {
    let name = uri(path);
    match open_to_read(&format!("{name}?mode=ro")) {
        Ok(_) => Ok(format!("{name}?mode=ro")),
        Err(error) => match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::CannotOpen | rusqlite::ErrorCode::ReadOnly) => {
                Ok(format!("{name}?immutable=1"))
            }
            _ => Err(StoreError::of(path, &error)),
        },
    }
}

/// A path as SQLite's URIs write it.
fn uri(path: &Path) -> String {
    let escaped = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    format!("file:{escaped}")
}
