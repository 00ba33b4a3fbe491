//! Reading a store: everything that tables, figures and pages show.

use std::collections::BTreeSet;

use rusqlite::{OptionalExtension, Row as SqlRow, params};
use tesuji_bandit::testbed::Row;
use tesuji_catalog::GameSpec;
use tesuji_core::{Outcome, Seed, Side};

use super::{ExperimentKind, Store, StoreError};
use crate::Experiment;
use crate::definition::{Definition, ExperimentError};
use crate::matches::{Cell, CellName, MatchExperiment, Pairing};
use crate::record::{Address, Circumstances, Game, Reason, Void, side_of, word};
use crate::scores::Disagreement;
use crate::seeds::standard_error;
use crate::statistics::Tally;

/// An experiment in a store.
#[derive(Clone, Debug)]
pub struct StoredExperiment {
    /// The address of the experiment.
    pub experiment: Seed,
    /// The kind of the experiment.
    pub kind: ExperimentKind,
    /// The text of the experiment, and the files that it names.
    pub definition: Definition,
}

impl StoredExperiment {
    /// Reads the experiment from its text. Networks of its players may be gone, so whoever wants to
    /// play asks [`Contestant::check`](tesuji_session::Contestant::check) first.
    pub fn read(&self) -> Result<Experiment, ExperimentError> {
        Experiment::parse_stored(self.definition.clone())
    }
}

/// A cell in a store.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredCell {
    /// Everything that its games depend on except for the experiment's address, in words.
    pub key: String,
    /// The first digits of the cell's address, for people to type.
    pub id: String,
    /// The game.
    pub game: String,
    /// The contestant whose wins are counted.
    pub player: String,
    /// The other contestant.
    pub opponent: String,
    /// The number of games that are stored.
    pub games: u64,
}

impl StoredCell {
    /// The names by which the cell is chosen.
    pub fn name(&self) -> CellName<'_> {
        CellName { id: &self.id, key: &self.key }
    }
}

/// The player's points in a stored game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GamePoints {
    /// The index of the game in its cell.
    pub index: u64,
    /// The player's side.
    pub side: Side,
    /// The player's points: 0, ½ or 1.
    pub points: f64,
}

/// A game that was looked up by its id.
#[derive(Clone, Debug)]
pub struct FoundGame {
    /// The experiment of the game.
    pub experiment: StoredExperiment,
    /// The address of the game.
    pub address: Address,
}

/// A measurement on bandits in a store.
#[derive(Clone, Debug)]
pub struct StoredRegrets {
    /// Everything that the numbers depend on except for the runs and the build, in words.
    pub cell: String,
    /// The program that measured it: version and commit.
    pub build: String,
    /// The measurement, a row for each budget.
    pub rows: Vec<Row>,
}

/// The games of a cell, added up.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CellTotals {
    /// Wins, draws and losses.
    pub tally: Tally,
    /// The standard error of the rate, if games share their seeds and are not independent.
    pub shared_error: Option<f64>,
    /// The number of games that differ in their moves.
    pub distinct: u64,
    /// The number of moves.
    pub plies: u64,
    /// The number of moves that the player and its opponent chose, without the openings.
    pub chosen: [u64; 2],
    /// The number of samples of the player and of its opponent.
    pub samples: [u64; 2],
    /// The duration of the games, in seconds.
    pub seconds: f64,
    /// The seconds that the player and its opponent used.
    pub used: [f64; 2],
    /// The number of games that ended for each reason, most frequent first. Only reasons that
    /// occurred.
    pub reasons: Vec<(Reason, u64)>,
    /// The builds that played the games.
    pub builds: Vec<String>,
    /// The names and versions of the player's and of the opponent's engines.
    pub engines: [Vec<String>; 2],
    /// The number of void games.
    pub voids: u64,
    /// The number of games that were begun and are not over. Short games end first, so while
    /// there are any, the finished games are not a fair sample of all games.
    pub in_flight: u64,
    /// Engines that count games differently from the rules.
    pub disagreements: Vec<Disagreement>,
}

impl Store {
    /// Reads several things as they were at one moment, even if other processes write.
    pub fn at_one_moment<T>(&self, read: impl FnOnce(&Store) -> T) -> Result<T, StoreError> {
        let moment = self.connection.unchecked_transaction().map_err(|error| self.wrong(&error))?;
        let found = read(self);
        moment.finish().map_err(|error| self.wrong(&error))?;
        Ok(found)
    }

    /// All experiments, sorted by name.
    pub fn experiments(&self) -> Result<Vec<StoredExperiment>, StoreError> {
        self.all(
            "SELECT experiment, kind, name, definition, beside FROM experiments ORDER BY name, experiment",
            params![],
            |row| {
                let kind: String = row.get(1)?;
                let beside: String = row.get(4)?;
                Ok(StoredExperiment {
                    experiment: seed(row, 0)?,
                    kind: if kind == ExperimentKind::Bandits.word() {
                        ExperimentKind::Bandits
                    } else {
                        ExperimentKind::Matches
                    },
                    definition: Definition {
                        name: row.get(2)?,
                        text: row.get(3)?,
                        beside: serde_json::from_str(&beside).unwrap_or_default(),
                    },
                })
            },
        )
    }

    /// All stored cells of an experiment, sorted by key.
    pub fn cells(&self, experiment: Seed) -> Result<Vec<StoredCell>, StoreError> {
        self.all(
            "SELECT cell, id, game, player, opponent, coalesce(n_games, 0) FROM cells
             LEFT JOIN (SELECT cell, count(*) AS n_games FROM games WHERE experiment = ?1 GROUP BY cell) USING (cell)
             WHERE experiment = ?1 ORDER BY cell",
            params![experiment.to_string()],
            |row| {
                Ok(StoredCell {
                    key: row.get(0)?,
                    id: row.get(1)?,
                    game: row.get(2)?,
                    player: row.get(3)?,
                    opponent: row.get(4)?,
                    games: row.get(5)?,
                })
            },
        )
    }

    /// The player's points in all stored games of a cell, in the order of their indices.
    pub fn points(&self, experiment: Seed, cell: &str) -> Result<Vec<GamePoints>, StoreError> {
        self.all(
            "SELECT game_index, side, points FROM games WHERE experiment = ?1 AND cell = ?2 ORDER BY game_index",
            params![experiment.to_string(), cell],
            game_points,
        )
    }

    /// The player's points in the wanted games of a cell that are stored, in the order of their
    /// indices.
    pub fn points_of(
        &self,
        experiment: Seed,
        cell: &str,
        wanted: &BTreeSet<u64>,
    ) -> Result<Vec<GamePoints>, StoreError> {
        let experiment = experiment.to_string();
        let mut found = Vec::new();
        for index in wanted {
            found.extend(self.all(
                "SELECT game_index, side, points FROM games WHERE experiment = ?1 AND cell = ?2 AND game_index = ?3",
                params![experiment, cell, index],
                game_points,
            )?);
        }
        Ok(found)
    }

    /// All games of a cell, added up.
    pub fn played(&self, experiment: Seed, cell: &str) -> Result<CellTotals, StoreError> {
        self.played_of_first(experiment, cell, i64::MAX as u64)
    }

    /// The games of a cell with an index below `first`, added up.
    pub fn played_of_first(
        &self,
        experiment: Seed,
        cell: &str,
        first: u64,
    ) -> Result<CellTotals, StoreError> {
        let key = params![experiment.to_string(), cell, first];
        let mut points = self.points(experiment, cell)?;
        points.retain(|game| game.index < first);
        let mut played = CellTotals { tally: tally(&points), ..CellTotals::default() };
        // In a game that this version does not understand, Black is taken to move first.
        let game = self.game_of_cell(experiment, cell)?;
        let first_side = game.and_then(|game| Some(game.start().ok()?.to_move())).unwrap_or(Side::Black);
        let sums = self.all(
            "SELECT count(DISTINCT moves), coalesce(sum(plies), 0), coalesce(sum(plies - opening), 0),
             coalesce(sum(CASE side WHEN ?4 THEN (plies + 1) / 2 - (opening + 1) / 2
             ELSE plies / 2 - opening / 2 END), 0),
             coalesce(sum(player_samples), 0), coalesce(sum(opponent_samples), 0) FROM games WHERE experiment = ?1 AND cell = ?2 AND game_index < ?3",
            params![experiment.to_string(), cell, first, word(first_side)],
            |row| Ok((row.get(0)?, row.get(1)?, [row.get(2)?, row.get(3)?], [row.get(4)?, row.get(5)?])),
        )?;
        if let Some(&(distinct, plies, [both, players], samples)) = sums.first() {
            let both: u64 = both;
            played = CellTotals { distinct, plies, chosen: [players, both - players], samples, ..played };
        }
        let times = self.all(
            "SELECT total(seconds), total(player_seconds), total(opponent_seconds) FROM plays
             WHERE experiment = ?1 AND cell = ?2 AND game_index < ?3",
            key,
            |row| Ok((row.get(0)?, [row.get(1)?, row.get(2)?])),
        )?;
        if let Some(&(seconds, used)) = times.first() {
            (played.seconds, played.used) = (seconds, used);
        }
        played.reasons = self.all(
            "SELECT reason, count(*) FROM games WHERE experiment = ?1 AND cell = ?2 AND game_index < ?3 GROUP BY reason ORDER BY 2 DESC, 1",
            key,
            |row| Ok((reason(row, 0)?, row.get(1)?)),
        )?;
        let words = |column: &str| {
            self.all(
                &format!(
                    "SELECT DISTINCT {column} FROM plays WHERE experiment = ?1 AND cell = ?2 AND game_index < ?3 AND {column} <> '' ORDER BY 1"
                ),
                key,
                |row| row.get::<_, String>(0),
            )
        };
        played.builds = words("build")?;
        played.engines = [words("player_engine")?, words("opponent_engine")?];
        let voids = self.all(
            "SELECT count(*) FROM voids WHERE experiment = ?1 AND cell = ?2 AND game_index < ?3",
            key,
            |row| row.get::<_, u64>(0),
        )?;
        played.voids = voids.first().copied().unwrap_or(0);
        played.in_flight = self.n_paused(experiment, cell, first)?;
        played.disagreements = self.disagreements(experiment, cell, first)?;
        Ok(played)
    }

    /// The game that is played in a cell. `None` if the cell is not stored, or this version does
    /// not understand the game.
    pub(super) fn game_of_cell(&self, experiment: Seed, cell: &str) -> Result<Option<GameSpec>, StoreError> {
        let games = self.all(
            "SELECT game FROM cells WHERE experiment = ?1 AND cell = ?2",
            params![experiment.to_string(), cell],
            |row| row.get::<_, String>(0),
        )?;
        Ok(games.first().and_then(|game| game.parse().ok()))
    }

    /// The cell of a game, read from the store.
    pub fn cell(&self, address: &Address) -> Result<Cell, StoreError> {
        let found = self.all(
            "SELECT game, player, opponent, reproducible FROM cells WHERE experiment = ?1 AND cell = ?2",
            params![address.experiment.to_string(), address.cell],
            |row| Ok(([row.get::<_, String>(0)?, row.get(1)?, row.get(2)?], row.get::<_, bool>(3)?)),
        )?;
        let made = |([game, player, opponent], is_reproducible): &([String; 3], bool)| {
            let (player, opponent) = (player.parse().ok()?, opponent.parse().ok()?);
            let mut cell = Cell::new(address.experiment, game.parse().ok()?, player, opponent);
            // If neither contestant is the reason why games are not reproducible, a clock is.
            cell.is_timed = cell.is_reproducible() && !is_reproducible;
            Some(cell)
        };
        found.first().and_then(made).ok_or_else(|| StoreError::Damaged {
            path: self.path.clone(),
            reason: format!("'{}' is no cell of this version", address.cell),
        })
    }

    /// The game with this address, if it is stored.
    pub fn game(&self, address: &Address) -> Result<Option<Game>, StoreError> {
        let Address { experiment, cell, index } = address;
        self.connection
            .query_row(
                &format!("SELECT {GAME} FROM games WHERE experiment = ?1 AND cell = ?2 AND game_index = ?3"),
                params![experiment.to_string(), cell, index],
                game,
            )
            .optional()
            .map_err(|error| self.wrong(&error))
    }

    /// All games of a cell, in the order of their indices.
    pub fn games(&self, experiment: Seed, cell: &str) -> Result<Vec<Game>, StoreError> {
        self.all(
            &format!("SELECT {GAME} FROM games WHERE experiment = ?1 AND cell = ?2 ORDER BY game_index"),
            params![experiment.to_string(), cell],
            game,
        )
    }

    /// The circumstances of the game with this address, if it is stored.
    pub fn circumstances(&self, address: &Address) -> Result<Option<Circumstances>, StoreError> {
        let Address { experiment, cell, index } = address;
        self.connection
            .query_row(
                "SELECT build, began, seconds, player_seconds, opponent_seconds, player_engine, opponent_engine,
                 player_score, opponent_score FROM plays WHERE experiment = ?1 AND cell = ?2 AND game_index = ?3",
                params![experiment.to_string(), cell, index],
                |row| {
                    Ok(Circumstances {
                        build: row.get(0)?,
                        began: row.get(1)?,
                        seconds: row.get(2)?,
                        used: [row.get(3)?, row.get(4)?],
                        engines: [row.get(5)?, row.get(6)?],
                        scores: [row.get(7)?, row.get(8)?],
                    })
                },
            )
            .optional()
            .map_err(|error| self.wrong(&error))
    }

    /// The void games of an experiment, oldest first.
    pub fn voids(&self, experiment: Seed) -> Result<Vec<Void>, StoreError> {
        self.all(
            "SELECT experiment, cell, game_index, at, contestant, kind, message, moves, stderr FROM voids
             WHERE experiment = ?1 ORDER BY rowid",
            params![experiment.to_string()],
            |row| {
                Ok(Void {
                    address: Address { experiment: seed(row, 0)?, cell: row.get(1)?, index: row.get(2)? },
                    at: row.get(3)?,
                    contestant: row.get(4)?,
                    kind: row.get(5)?,
                    message: row.get(6)?,
                    moves: row.get(7)?,
                    stderr: row.get(8)?,
                })
            },
        )
    }

    /// The games with this id, such as `3f2a9c01-17`, or with an id whose cell begins like that.
    /// There are several if several cells begin like that.
    pub fn find(&self, id: &str) -> Result<Vec<FoundGame>, StoreError> {
        let Some((cell, index)) = id.trim().rsplit_once('-') else { return Ok(Vec::new()) };
        let (Ok(index), false) = (index.parse::<u32>().map(u64::from), cell.is_empty()) else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for experiment in self.experiments()? {
            for stored in self.cells(experiment.experiment)? {
                let address = Address { experiment: experiment.experiment, cell: stored.key, index };
                if stored.id.starts_with(cell) && self.game(&address)?.is_some() {
                    found.push(FoundGame { experiment: experiment.clone(), address });
                }
            }
        }
        Ok(found)
    }

    /// The measurement of a cell on bandits with the most runs, by any build, and its number of
    /// runs. If there are several, the last.
    pub fn best_regrets(&self, experiment: Seed, cell: &str) -> Result<Option<(u64, Vec<Row>)>, StoreError> {
        let found = self.all(
            "SELECT runs, measured FROM regrets WHERE experiment = ?1 AND cell = ?2
             ORDER BY runs DESC, rowid DESC LIMIT 1",
            params![experiment.to_string(), cell],
            |row| Ok((row.get::<_, u64>(0)?, row.get::<_, String>(1)?)),
        )?;
        found.first().map(|(runs, text)| Ok((*runs, self.rows(text)?))).transpose()
    }

    /// All measurements of an experiment on bandits, oldest first.
    pub fn all_regrets(&self, experiment: Seed) -> Result<Vec<StoredRegrets>, StoreError> {
        let found = self.all(
            "SELECT cell, build, measured FROM regrets WHERE experiment = ?1 ORDER BY rowid",
            params![experiment.to_string()],
            |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?)),
        )?;
        let read = |(cell, build, text): (String, String, String)| {
            Ok(StoredRegrets { cell, build, rows: self.rows(&text)? })
        };
        found.into_iter().map(read).collect()
    }

    pub(super) fn all<T>(
        &self,
        sql: &str,
        parameters: &[&dyn rusqlite::ToSql],
        read: impl FnMut(&SqlRow<'_>) -> Result<T, rusqlite::Error>,
    ) -> Result<Vec<T>, StoreError> {
        let found = || {
            let mut statement = self.connection.prepare_cached(sql)?;
            statement.query_map(parameters, read)?.collect::<Result<Vec<T>, _>>()
        };
        found().map_err(|error| self.wrong(&error))
    }
}

impl MatchExperiment {
    /// The stored games of each cell, added up.
    pub fn played(&self, store: &Store) -> Result<Vec<CellTotals>, StoreError> {
        self.played_of_first(store, i64::MAX as u64)
    }

    /// The stored games of each cell with an index below `first`, added up.
    pub fn played_of_first(&self, store: &Store, first: u64) -> Result<Vec<CellTotals>, StoreError> {
        let of_cell = |cell: &Cell| {
            let mut played = store.played_of_first(self.address, &cell.key, first)?;
            if self.rules.pairing == Pairing::Seeds {
                let games = self.seed_games(cell, store)?.into_iter();
                played.shared_error = standard_error(games.filter(|game| game.pair.index() < first));
                // Neighbours in the numbering are no pairs.
                played.tally.pairs = [0; 5];
            }
            Ok(played)
        };
        self.cells.iter().map(of_cell).collect()
    }
}

/// Adds up games in the order of their indices, so that the games of a pair are neighbours.
pub(crate) fn tally(games: &[GamePoints]) -> Tally {
    let mut tally = Tally::default();
    for game in games {
        tally.add(game.side, game.points);
    }
    for pair in games.windows(2) {
        let [first, second] = [pair[0], pair[1]];
        if first.index + 1 == second.index && second.index % 2 == 1 {
            tally.add_pair(first.points + second.points);
        }
    }
    tally
}

const GAME: &str = "experiment, cell, game_index, side, winner, reason, plies, opening, player_samples, \
    opponent_samples, moves";

fn game(row: &SqlRow<'_>) -> Result<Game, rusqlite::Error> {
    let winner: Option<String> = row.get(4)?;
    Ok(Game {
        address: Address { experiment: seed(row, 0)?, cell: row.get(1)?, index: row.get(2)? },
        side: side(row, 3)?,
        outcome: match winner {
            Some(_) => Outcome::Win(side(row, 4)?),
            None => Outcome::Draw,
        },
        reason: reason(row, 5)?,
        plies: row.get(6)?,
        opening: row.get(7)?,
        samples: [row.get(8)?, row.get(9)?],
        moves: row.get(10)?,
    })
}

/// Reads one of the store's words in a column.
fn read<T>(
    row: &SqlRow<'_>,
    column: usize,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<T, rusqlite::Error> {
    let text: String = row.get(column)?;
    parse(&text).ok_or_else(|| {
        let reason = format!("'{text}' is not what the store writes there");
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, reason.into())
    })
}

fn game_points(row: &SqlRow<'_>) -> Result<GamePoints, rusqlite::Error> {
    Ok(GamePoints { index: row.get(0)?, side: side(row, 1)?, points: row.get(2)? })
}

fn side(row: &SqlRow<'_>, column: usize) -> Result<Side, rusqlite::Error> {
    read(row, column, side_of)
}

fn reason(row: &SqlRow<'_>, column: usize) -> Result<Reason, rusqlite::Error> {
    read(row, column, Reason::from_word)
}

fn seed(row: &SqlRow<'_>, column: usize) -> Result<Seed, rusqlite::Error> {
    read(row, column, |text| text.parse().ok())
}
