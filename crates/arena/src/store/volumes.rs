//! Stores whose files stay below a size. When a file is full, the store goes on in a next file,
//! a *volume*: `results.db`, `results.volume2.db`, `results.volume3.db` and so on.
//!
//! Each volume is a store by itself, with the experiments and cells of its games. Whoever opens
//! the first one reads all: the others are attached, and temporary views with the names of the
//! tables join them. So reading needs no other queries. Only the last volume is written.
//!
//! A game is in one volume. Two processes that fill a volume at the same moment may store a game
//! in two neighbours, so the views leave out what the next volume has too.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, params};

use super::{Store, StoreError, policies, readable, schema, uri};

/// The most volumes of a store. SQLite attaches no more than 125 files.
const MOST_VOLUMES: usize = 100;

/// The key of a game.
pub(super) const GAME_KEY: [&str; 3] = ["experiment", "cell", "game_index"];

/// Who opens the other volumes of a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Opener {
    Reader,
    Writer,
}

/// The files of a store, in order. The first one need not exist.
pub(super) fn volumes(path: &Path) -> Vec<PathBuf> {
    let more = (2..).map(|number| volume(path, number)).take_while(|file| file.exists());
    std::iter::once(path.to_owned()).chain(more).collect()
}

/// The file of a store's volume with this number, from 1.
pub(super) fn volume(path: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let mut name = path.file_stem().map_or_else(OsString::new, ToOwned::to_owned);
    name.push(format!(".volume{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

impl Store {
    /// Whether a file is a later volume of a store, which is read with its first one.
    pub fn is_later_volume(path: &Path) -> bool {
        let first = || {
            let (stem, number) = path.file_stem()?.to_str()?.rsplit_once(".volume")?;
            let mut name = OsString::from(stem);
            if let Some(extension) = path.extension() {
                name.push(".");
                name.push(extension);
            }
            let (first, number) = (path.with_file_name(name), number.parse().ok()?);
            (number > 1 && volume(&first, number) == path).then_some(first)
        };
        first().is_some_and(|first| first.exists())
    }

    /// The files of the store, in order. The last one is written.
    pub fn volumes(&self) -> Vec<PathBuf> {
        (1..=self.n_volumes).map(|number| volume(&self.path, number)).collect()
    }

    /// Keeps every file of the store at or below this number of bytes. When the last file is full,
    /// the store goes on in a next one. A file that is larger already grows no more.
    ///
    /// While a file is in use, SQLite's log lies next to it and is not counted. When the store is
    /// closed, the log is in the file.
    pub fn limited(mut self, bytes: u64) -> Result<Store, StoreError> {
        self.limit = Some(bytes);
        self.set_limit()?;
        Ok(self)
    }

    fn set_limit(&mut self) -> Result<(), StoreError> {
        let Some(bytes) = self.limit else { return Ok(()) };
        self.tried(|connection| {
            let page: u64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
            // SQLite allows no fewer pages than the file has, and answers with the number.
            connection.query_row(
                &format!("PRAGMA max_page_count = {}", (bytes / page).max(1)),
                [],
                |_| Ok(()),
            )
        })
    }

    /// Writes, in a next volume if the last one is full.
    pub(super) fn written<T>(
        &mut self,
        with: impl Fn(&mut Connection) -> Result<T, rusqlite::Error>,
    ) -> Result<T, StoreError> {
        let Some(limit) = self.limit else { return self.tried(with) };
        // Another process may have begun the next volume.
        if volume(&self.path, self.n_volumes + 1).exists() {
            self.begin_volume()?;
        }
        match with(&mut self.connection) {
            Err(error) if is_full(&error) => {
                self.begin_volume()?;
                let done = with(&mut self.connection);
                done.map_err(|error| match is_full(&error) {
                    true => StoreError::SmallLimit { path: self.path.clone(), limit },
                    false => self.wrong(&error),
                })
            }
            done => done.map_err(|error| self.wrong(&error)),
        }
    }

    /// Goes on in the next volume, with the experiments and cells of the last one.
    fn begin_volume(&mut self) -> Result<(), StoreError> {
        let (before, limit) = (self.n_volumes, self.limit);
        let number = volumes(&self.path).len().max(before + 1);
        if number > MOST_VOLUMES {
            return Err(StoreError::ManyVolumes { path: self.path.clone(), most: MOST_VOLUMES });
        }
        // Closed before it is attached, because who closes a file last tidies up its log.
        let nothing = Connection::open_in_memory().map_err(|error| self.wrong(&error))?;
        drop(std::mem::replace(&mut self.connection, nothing));
        let mut next = Store::open_volume(&self.path, number)?;
        next.limit = limit;
        next.set_limit()?;
        let copied = next.tried(|connection| {
            connection.execute_batch(&format!(
                "INSERT OR IGNORE INTO main.experiments SELECT * FROM volume{before}.experiments;
                 INSERT OR IGNORE INTO main.cells SELECT * FROM volume{before}.cells;"
            ))
        });
        copied.map_err(|error| match (error, limit) {
            (StoreError::Full { path }, Some(limit)) => StoreError::SmallLimit { path, limit },
            (error, _) => error,
        })?;
        *self = next;
        Ok(())
    }

    /// Attaches the other volumes of the store, so that all are read as one. The connection is to
    /// the volume with the number `own`.
    pub(super) fn join_volumes(&self, own: usize, opener: Opener) -> Result<(), StoreError> {
        if self.n_volumes == 1 {
            return Ok(());
        }
        let mut schemas = Vec::new();
        for number in 1..=self.n_volumes {
            if number == own {
                schemas.push("main".to_owned());
                continue;
            }
            let file = volume(&self.path, number);
            let wrong = |error: rusqlite::Error| StoreError::of(&file, &error);
            let name = match opener {
                Opener::Reader => readable(&file)?,
                Opener::Writer => uri(&file),
            };
            let schema = format!("volume{number}");
            self.connection.execute(&format!("ATTACH ?1 AS {schema}"), params![name]).map_err(wrong)?;
            let version = self
                .connection
                .pragma_query_value(Some(&*schema), "user_version", |row| row.get::<_, i32>(0));
            if version.map_err(wrong)? != schema::VERSION {
                let reason = format!("it is no volume of {}", self.path.display());
                return Err(StoreError::NotAStore { path: file, reason });
            }
            schemas.push(schema);
        }
        let joined =
            self.connection.execute_batch(&views(&schemas)).and_then(|()| policies::join(&self.connection));
        joined.map_err(|error| self.wrong(&error))
    }
}

/// The names of a store's volumes in a connection that joins them, in order.
pub(super) fn schemas(connection: &Connection) -> Result<Vec<String>, rusqlite::Error> {
    let mut statement =
        connection.prepare("SELECT name FROM pragma_database_list WHERE name LIKE 'volume%'")?;
    let others: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let name = |number| Some(format!("volume{number}")).filter(|name| others.contains(name));
    Ok((1..=others.len() + 1).map(|number| name(number).unwrap_or_else(|| "main".to_owned())).collect())
}

/// Whether a file cannot grow: because of the disk, or because of its limit.
fn is_full(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DiskFull)
}

/// A table of every volume, as one.
struct JoinedTable<'a> {
    name: &'a str,
    columns: &'a str,
    key: &'a [&'a str],
    /// The number of later volumes whose rows replace those with the same key.
    n_later: usize,
}

impl JoinedTable<'_> {
    fn view(&self, schemas: &[String]) -> String {
        let JoinedTable { name, columns, key, n_later } = self;
        let of_volume = |(place, schema): (usize, &String)| {
            let later = schemas[place + 1..].iter().take(*n_later);
            let none = later.map(|other| none_in(other, name, "own", key));
            let conditions: Vec<String> = std::iter::once("true".to_owned()).chain(none).collect();
            let columns = columns.replace("{place}", &place.to_string());
            format!("SELECT {columns} FROM {schema}.{name} own WHERE {}", conditions.join(" AND "))
        };
        let all: Vec<String> = schemas.iter().enumerate().map(of_volume).collect();
        format!("CREATE TEMP VIEW {name} AS {};\n", all.join(" UNION ALL "))
    }
}

/// The views that join the tables of all volumes. What is temporary is found first.
fn views(schemas: &[String]) -> String {
    let all = usize::MAX;
    // Rows of later volumes have larger numbers, as later rows of a table have.
    let numbered = "(({place} << 40) + rowid) AS rowid, *";
    let regret_key = ["experiment", "cell", "runs", "build"];
    let mut text: String = [
        JoinedTable { name: "experiments", columns: "*", key: &["experiment"], n_later: all },
        JoinedTable { name: "cells", columns: "*", key: &["experiment", "cell"], n_later: all },
        JoinedTable { name: "regrets", columns: numbered, key: &regret_key, n_later: all },
        JoinedTable { name: "games", columns: "*", key: &GAME_KEY, n_later: 1 },
        JoinedTable { name: "plays", columns: "*", key: &GAME_KEY, n_later: 1 },
        JoinedTable { name: "voids", columns: numbered, key: &[], n_later: 0 },
    ]
    .map(|table| table.view(schemas))
    .concat();
    let paused: Vec<String> = schemas.iter().map(|schema| format!("SELECT * FROM {schema}.paused")).collect();
    let over: Vec<String> =
        schemas.iter().map(|schema| none_in(schema, "games", "begun", &GAME_KEY)).collect();
    // SQLite takes the other columns from the row with the largest number of moves.
    text += &format!(
        "CREATE TEMP VIEW paused AS SELECT experiment, cell, game_index, max(plies) AS plies, state
         FROM ({}) begun WHERE {} GROUP BY experiment, cell, game_index;\n",
        paused.join(" UNION ALL "),
        over.join(" AND ")
    );
    text
}

/// The condition that a table of a volume has no row with the key of the row `own`.
pub(super) fn none_in(schema: &str, table: &str, own: &str, key: &[&str]) -> String {
    let same: Vec<String> = key.iter().map(|column| format!("other.{column} = {own}.{column}")).collect();
    format!("NOT EXISTS (SELECT 1 FROM {schema}.{table} other WHERE {})", same.join(" AND "))
}
