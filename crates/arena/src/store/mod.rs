//! The store: all games and measurements, in one SQLite file, or in several if files have a limit.
//!
//! A game is a row, written as soon as the game is over and never changed. A process that is
//! killed loses only the games that it was playing. Two processes may write one file: games that
//! are stored already are not stored again. Readers never wait for writers (write-ahead log). On
//! network file systems that log does not work: let every machine write its own store there, and
//! [`Store::merge`] them.

mod error;
mod merge;
mod paused;
mod policies;
mod read;
mod schema;
mod scores;
#[cfg(test)]
mod tests;
mod volumes;

pub use error::StoreError;
pub use merge::MergeSummary;
pub use read::{CellTotals, FoundGame, GamePoints, StoredCell, StoredExperiment, StoredRegrets};

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use tesuji_bandit::testbed::Row;
use tesuji_core::Seed;

use crate::definition::Definition;
use crate::matches::Cell;
use crate::record::{Address, Circumstances, Game, Void, word};
use crate::worker::PlayedGame;
use volumes::Opener;

/// A store, in a file or in memory.
#[derive(Debug)]
pub struct Store {
    /// To the last volume of a store that is written, to the first of one that is read.
    connection: Connection,
    /// The first volume.
    path: PathBuf,
    n_volumes: usize,
    /// The most bytes of a volume.
    limit: Option<u64>,
}

/// The result of storing a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insertion {
    /// The game is new, and stored now.
    New,
    /// A game with this address was stored before.
    Known,
}

/// What holds for a game that is stored already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownGame {
    /// Both must be the same: a difference is an error.
    MustAgree,
    /// They may differ, because a clock or an engine took part in them.
    MayDiffer,
}

/// The longest time that a writer waits for another writer.
const PATIENCE: Duration = Duration::from_secs(60);

impl Store {
    /// A store in memory.
    pub fn in_memory() -> Result<Store, StoreError> {
        let path = PathBuf::from("memory");
        let connection = Connection::open_in_memory().map_err(|error| StoreError::of(&path, &error))?;
        Store::of_one_file(connection, &path).prepared()
    }

    fn of_one_file(connection: Connection, path: &Path) -> Store {
        Store { connection, path: path.to_owned(), n_volumes: 1, limit: None }
    }

    /// Opens a store for writing, and creates it if it does not exist. If it has several volumes,
    /// all are read and the last is written.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        Store::open_volume(path, volumes::volumes(path).len())
    }

    /// Opens the volume of a store with this number for writing, and those before it for reading.
    fn open_volume(path: &Path, number: usize) -> Result<Store, StoreError> {
        if path.as_os_str().is_empty() {
            return Err(StoreError::NoPath);
        }
        let file = volumes::volume(path, number);
        let opened = Connection::open(&file).map_err(|error| match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
                StoreError::NoFolder { path: file.clone() }
            }
            _ => StoreError::of(&file, &error),
        })?;
        let last = Store::of_one_file(opened, &file).prepared()?;
        let store = Store { path: path.to_owned(), n_volumes: number, ..last };
        store.join_volumes(number, Opener::Writer)?;
        Ok(store)
    }

    /// Opens a store for reading, with all its volumes. Other processes may write it at the same
    /// time.
    pub fn open_to_read(path: &Path) -> Result<Store, StoreError> {
        let first = Store::open_file_to_read(path)?;
        let store = Store { n_volumes: volumes::volumes(path).len(), ..first };
        store.join_volumes(1, Opener::Reader)?;
        Ok(store)
    }

    /// Opens one file for reading.
    fn open_file_to_read(path: &Path) -> Result<Store, StoreError> {
        if !path.exists() {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        let connection = open_to_read(&readable(path)?).map_err(|error| StoreError::of(path, &error))?;
        let store = Store::of_one_file(connection, path);
        let older: &[&str] = match store.check_version()? {
            1 => &[schema::READ_1, schema::READ_2],
            2 => &[schema::READ_2],
            _ => &[],
        };
        for views in older {
            store.connection.execute_batch(views).map_err(|error| store.wrong(&error))?;
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
            use_log(connection)?;
            connection.pragma_update(None, "synchronous", "normal")?;
            connection.pragma_update(None, "foreign_keys", true)?;
            connection.pragma_update(None, "temp_store", "memory")?;
            // Another process may make the tables at the same time: who is first does.
            let transaction =
                connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            let is_new = transaction
                .query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get::<_, bool>(0))?;
            if is_new {
                transaction.execute_batch(schema::TABLES)?;
                transaction.execute_batch(schema::PAUSED)?;
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

    /// The version of the tables. It is an error if this program cannot read it.
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

    /// Does something with the connection, and explains errors of SQLite.
    fn tried<T>(
        &mut self,
        with: impl FnOnce(&mut Connection) -> Result<T, rusqlite::Error>,
    ) -> Result<T, StoreError> {
        let done = with(&mut self.connection);
        done.map_err(|error| StoreError::of(&self.path, &error))
    }

    /// Stores the definition of an experiment, in place of an earlier one with this address.
    pub fn put_experiment(
        &mut self,
        experiment: Seed,
        kind: ExperimentKind,
        definition: &Definition,
    ) -> Result<(), StoreError> {
        let beside = serde_json::to_string(&definition.beside).expect("texts are JSON");
        self.written(|connection| {
            connection.execute(
                "INSERT INTO main.experiments VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (experiment) DO UPDATE SET definition = excluded.definition, beside = excluded.beside",
                params![experiment.to_string(), definition.name, kind.word(), definition.text, beside],
            )
        })?;
        Ok(())
    }

    /// Stores the cells of an experiment, after the experiment itself.
    pub fn put_cells(&mut self, experiment: Seed, cells: &[Cell]) -> Result<(), StoreError> {
        let experiment = experiment.to_string();
        self.written(|connection| {
            let transaction = connection.transaction()?;
            for cell in cells {
                let Cell { key, id, game, player, opponent, .. } = cell;
                let (game, player, opponent) = (game.to_string(), player.to_string(), opponent.to_string());
                let reproducible = cell.is_reproducible();
                transaction.execute(
                    "INSERT OR IGNORE INTO main.cells VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                    params![experiment, key, id, game, player, opponent, reproducible],
                )?;
            }
            transaction.commit()
        })
    }

    /// Stores a game without what searches said of its moves, as [`put_played`](Store::put_played)
    /// does.
    pub fn put_game(
        &mut self,
        game: &Game,
        about: &Circumstances,
        known: KnownGame,
    ) -> Result<Insertion, StoreError> {
        self.put(game, about, &[], known)
    }

    /// Stores a game and what searches said of its moves, after its cell, in one transaction. A game
    /// that is stored already stays as it is; `known` says whether it may differ from the new one. A
    /// finished game is not paused any more.
    pub fn put_played(&mut self, played: &PlayedGame, known: KnownGame) -> Result<Insertion, StoreError> {
        let PlayedGame { game, circumstances, policies } = played;
        self.put(game, circumstances, policies, known)
    }

    fn put(
        &mut self,
        game: &Game,
        about: &Circumstances,
        policies: &[u8],
        known: KnownGame,
    ) -> Result<Insertion, StoreError> {
        let Address { experiment, cell, index } = &game.address;
        let experiment = experiment.to_string();
        let insertion = self.written(|connection| {
            let transaction =
                connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            let new = transaction
                .prepare_cached(
                    "INSERT OR IGNORE INTO main.games
                     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12 WHERE NOT EXISTS (
                     SELECT 1 FROM games WHERE experiment = ?1 AND cell = ?2 AND game_index = ?3)",
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
                    "INSERT INTO main.plays VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
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
            if !policies.is_empty() {
                policies::put(&transaction, &game.address, policies)?;
            }
            paused::forget(&transaction, &game.address)?;
            transaction.commit()?;
            Ok(Insertion::New)
        })?;
        if insertion == Insertion::Known && known == KnownGame::MustAgree {
            let stored = self.game(&game.address)?;
            if stored.as_ref() != Some(game) {
                return Err(StoreError::Different { path: self.path.clone(), id: game.address.id() });
            }
        }
        Ok(insertion)
    }

    /// Stores a void game, after its cell.
    pub fn put_void(&mut self, void: &Void) -> Result<(), StoreError> {
        let Void { address, at, contestant, kind, message, moves, stderr } = void;
        let experiment = address.experiment.to_string();
        self.written(|connection| {
            connection.execute(
                "INSERT INTO main.voids VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
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

    /// The measurement of a cell on bandits with this number of runs by this build.
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

    /// Stores the measurement of a cell on bandits, after its experiment.
    pub fn put_regrets(
        &mut self,
        experiment: Seed,
        cell: &str,
        runs: u64,
        build: &str,
        rows: &[Row],
    ) -> Result<(), StoreError> {
        let measured = serde_json::to_string(rows).expect("rows are JSON");
        self.written(|connection| {
            connection.execute(
                "INSERT OR IGNORE INTO main.regrets VALUES (?1, ?2, ?3, ?4, ?5)",
                params![experiment.to_string(), cell, runs, build, measured],
            )
        })?;
        Ok(())
    }
}

/// The kind of an experiment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExperimentKind {
    /// Matches between contestants.
    Matches,
    /// Regrets of policies on bandits.
    Bandits,
}

impl ExperimentKind {
    /// The kind as the store writes it.
    pub const fn word(self) -> &'static str {
        match self {
            ExperimentKind::Matches => "matches",
            ExperimentKind::Bandits => "bandits",
        }
    }
}

/// Upgrades the tables to this version, unless another process just did.
fn upgrade(connection: &mut Connection) -> Result<(), rusqlite::Error> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let version: i32 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version == 1 {
        transaction.execute_batch(schema::FROM_1)?;
        transaction.execute_batch(schema::VIEW)?;
    }
    if version != schema::VERSION {
        transaction.execute_batch(schema::PAUSED)?;
        transaction.pragma_update(None, "user_version", schema::VERSION)?;
    }
    transaction.commit()
}

/// Makes a file keep a log. SQLite does not wait for another process that is doing so: it says at once
/// that the file is locked.
fn use_log(connection: &Connection) -> Result<(), rusqlite::Error> {
    let begin = Instant::now();
    loop {
        let done = connection.pragma_update(None, "journal_mode", "wal");
        let is_busy =
            |error: &rusqlite::Error| error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy);
        match done {
            Err(error) if is_busy(&error) && begin.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(2));
            }
            done => return done,
        }
    }
}

fn open_to_read(name: &str) -> Result<Connection, rusqlite::Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(name, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "temp_store", "memory")?;
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(connection)
}

/// The URI by which a file can be read. A folder that cannot be written has no place for the
/// index of the log, and nobody writes there, so the file is opened as immutable.
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
