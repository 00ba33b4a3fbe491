//! Reading a store: everything that tables, figures and pages are made of.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::{OptionalExtension, Row as SqlRow, params};
use tesuji_bandit::testbed::Row;
use tesuji_core::{Outcome, Seed, Side};

use super::{Kind, Store, StoreError};
use crate::Experiment;
use crate::definition::{Definition, ExperimentError};
use crate::matches::{Cell, MatchExperiment, Pairing};
use crate::record::{Address, Circumstances, Game, Reason, Void, side_of};
use crate::scores::Disagreement;
use crate::seeds::standard_error;
use crate::statistics::Tally;

/// An experiment as a store has it.
#[derive(Clone, Debug)]
pub struct StoredExperiment {
    /// Its address.
    pub experiment: Seed,
    /// What it measures.
    pub kind: Kind,
    /// Its file, and those that it names.
    pub definition: Definition,
}

impl StoredExperiment {
    /// The experiment itself.
    pub fn read(&self) -> Result<Experiment, ExperimentError> {
        Experiment::parse(self.definition.clone(), Path::new(""))
    }
}

/// A cell as a store has it.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredCell {
    /// Everything that its games depend on beside the experiment's address.
    pub key: String,
    /// A name for people to type.
    pub id: String,
    /// What is played.
    pub game: String,
    /// Whose wins are counted.
    pub player: String,
    /// The other one.
    pub opponent: String,
    /// How many games are stored.
    pub games: u64,
}

/// A measurement on bandits as a store has it.
#[derive(Clone, Debug)]
pub struct StoredRegrets {
    /// Everything that the numbers depend on, but for the runs and the build.
    pub cell: String,
    /// The program that measured it.
    pub build: String,
    /// What was found: a row a budget.
    pub rows: Vec<Row>,
}

/// What was played of a cell.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Played {
    /// Who won how many.
    pub tally: Tally,
    /// The standard error of the rate, where games share their seeds and are not independent.
    pub shared_error: Option<f64>,
    /// How many games there are that differ in their moves.
    pub distinct: u64,
    /// The moves of all games together.
    pub plies: u64,
    /// Those of them that the player and its opponent chose: not the openings.
    pub chosen: [u64; 2],
    /// The samples that the player and its opponent took, all together.
    pub samples: [u64; 2],
    /// What the games took by the clock, all together.
    pub seconds: f64,
    /// What the player and its opponent used, all together.
    pub used: [f64; 2],
    /// How many games ended for which reason, by [`Reason::word`]; only those that occurred.
    pub reasons: Vec<(Reason, u64)>,
    /// The builds that played them.
    pub builds: Vec<String>,
    /// The engines' names and versions.
    pub engines: [Vec<String>; 2],
    /// Games that came to nothing.
    pub voids: u64,
    /// Engines that count games otherwise than the rules do.
    pub disagreements: Vec<Disagreement>,
}

impl Store {
    /// Reads several things as they were at one moment, also while others write.
    pub fn at_one_moment<T>(&self, read: impl FnOnce(&Store) -> T) -> Result<T, StoreError> {
        let moment = self.connection.unchecked_transaction().map_err(|error| self.wrong(&error))?;
        let found = read(self);
        moment.finish().map_err(|error| self.wrong(&error))?;
        Ok(found)
    }

    /// All experiments, by name.
    pub fn experiments(&self) -> Result<Vec<StoredExperiment>, StoreError> {
        self.all(
            "SELECT experiment, kind, name, definition, beside FROM experiments ORDER BY name, experiment",
            params![],
            |row| {
                let kind: String = row.get(1)?;
                let beside: String = row.get(4)?;
                Ok(StoredExperiment {
                    experiment: seed(row, 0)?,
                    kind: if kind == Kind::Bandits.word() { Kind::Bandits } else { Kind::Matches },
                    definition: Definition {
                        name: row.get(2)?,
                        text: row.get(3)?,
                        beside: serde_json::from_str(&beside).unwrap_or_default(),
                    },
                })
            },
        )
    }

    /// All cells of an experiment that were ever begun, by their keys.
    pub fn cells(&self, experiment: Seed) -> Result<Vec<StoredCell>, StoreError> {
        self.all(
            "SELECT cell, id, game, player, opponent, (SELECT count(*) FROM games WHERE games.experiment = cells.experiment
             AND games.cell = cells.cell) FROM cells WHERE experiment = ?1 ORDER BY cell",
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

    /// Which games of a cell are stored, with the player's side and points, in order.
    pub fn points(&self, experiment: Seed, cell: &str) -> Result<Vec<(u64, Side, f64)>, StoreError> {
        self.all(
            "SELECT game_index, side, points FROM games WHERE experiment = ?1 AND cell = ?2 ORDER BY game_index",
            params![experiment.to_string(), cell],
            |row| Ok((row.get(0)?, side(row, 1)?, row.get(2)?)),
        )
    }

    /// The player's points in those of these games that are stored, by their indices.
    pub fn points_of(
        &self,
        experiment: Seed,
        cell: &str,
        wanted: &BTreeSet<u64>,
    ) -> Result<Vec<(u64, Side, f64)>, StoreError> {
        let experiment = experiment.to_string();
        let mut found = Vec::new();
        for index in wanted {
            found.extend(self.all(
                "SELECT game_index, side, points FROM games WHERE experiment = ?1 AND cell = ?2 AND game_index = ?3",
                params![experiment, cell, index],
                |row| Ok((row.get(0)?, side(row, 1)?, row.get(2)?)),
            )?);
        }
        Ok(found)
    }

    /// What was played of a cell, added up.
    pub fn played(&self, experiment: Seed, cell: &str) -> Result<Played, StoreError> {
        self.played_of_first(experiment, cell, i64::MAX as u64)
    }

    /// The same of the games with an index below `first` alone.
    pub fn played_of_first(&self, experiment: Seed, cell: &str, first: u64) -> Result<Played, StoreError> {
        let key = params![experiment.to_string(), cell, first];
        let mut points = self.points(experiment, cell)?;
        points.retain(|(index, ..)| *index < first);
        let mut played = Played { tally: tally(&points), ..Played::default() };
        let sums = self.all(
            "SELECT count(DISTINCT moves), coalesce(sum(plies), 0), coalesce(sum(plies - opening), 0),
             coalesce(sum(CASE game_index % 2 WHEN 0 THEN (plies + 1) / 2 - (opening + 1) / 2
             ELSE plies / 2 - opening / 2 END), 0),
             coalesce(sum(player_samples), 0), coalesce(sum(opponent_samples), 0) FROM games WHERE experiment = ?1 AND cell = ?2 AND game_index < ?3",
            key,
            |row| Ok((row.get(0)?, row.get(1)?, [row.get(2)?, row.get(3)?], [row.get(4)?, row.get(5)?])),
        )?;
        if let Some(&(distinct, plies, [both, players], samples)) = sums.first() {
            let both: u64 = both;
            played = Played { distinct, plies, chosen: [players, both - players], samples, ..played };
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
        played.disagreements = self.disagreements(experiment, cell, first)?;
        Ok(played)
    }

    /// The cell that a game belongs to, made again from what is stored of it.
    pub fn cell(&self, address: &Address) -> Result<Cell, StoreError> {
        let found = self.all(
            "SELECT game, player, opponent, reproducible FROM cells WHERE experiment = ?1 AND cell = ?2",
            params![address.experiment.to_string(), address.cell],
            |row| Ok(([row.get::<_, String>(0)?, row.get(1)?, row.get(2)?], row.get::<_, bool>(3)?)),
        )?;
        let made = |([game, player, opponent], is_reproducible): &([String; 3], bool)| {
            let (player, opponent) = (player.parse().ok()?, opponent.parse().ok()?);
            let mut cell = Cell::new(address.experiment, game.parse().ok()?, player, opponent);
            // Where neither of the two is the reason why games do not come out again, a clock is.
            cell.is_timed = cell.is_reproducible() && !is_reproducible;
            Some(cell)
        };
        found.first().and_then(made).ok_or_else(|| StoreError::Damaged {
            path: self.path.clone(),
            reason: format!("'{}' is no cell of this version", address.cell),
        })
    }

    /// A game.
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

    /// All games of a cell, in order.
    pub fn games(&self, experiment: Seed, cell: &str) -> Result<Vec<Game>, StoreError> {
        self.all(
            &format!("SELECT {GAME} FROM games WHERE experiment = ?1 AND cell = ?2 ORDER BY game_index"),
            params![experiment.to_string(), cell],
            game,
        )
    }

    /// How a game came about.
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

    /// The games that came to nothing, in the order in which they did.
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

    /// The game with this name, such as `3f2a9c01-17`; the beginning of the cell's id is
    /// enough where no other cell begins like that. Several where it is not.
    pub fn find(&self, id: &str) -> Result<Vec<(StoredExperiment, Address)>, StoreError> {
        let Some((cell, index)) = id.trim().rsplit_once('-') else { return Ok(Vec::new()) };
        let (Ok(index), false) = (index.parse::<u32>().map(u64::from), cell.is_empty()) else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for experiment in self.experiments()? {
            for stored in self.cells(experiment.experiment)? {
                let address = Address { experiment: experiment.experiment, cell: stored.key, index };
                if stored.id.starts_with(cell) && self.game(&address)?.is_some() {
                    found.push((experiment.clone(), address));
                }
            }
        }
        Ok(found)
    }

    /// What was measured of a cell on bandits by any build: with the most runs, and of
    /// those the last.
    pub fn best_regrets(&self, experiment: Seed, cell: &str) -> Result<Option<(u64, Vec<Row>)>, StoreError> {
        let found = self.all(
            "SELECT runs, measured FROM regrets WHERE experiment = ?1 AND cell = ?2
             ORDER BY runs DESC, rowid DESC LIMIT 1",
            params![experiment.to_string(), cell],
            |row| Ok((row.get::<_, u64>(0)?, row.get::<_, String>(1)?)),
        )?;
        found.first().map(|(runs, text)| Ok((*runs, self.rows(text)?))).transpose()
    }

    /// Everything that was measured of an experiment on bandits, in the order in which it was.
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
    /// What the store has of each of its cells.
    pub fn played(&self, store: &Store) -> Result<Vec<Played>, StoreError> {
        self.played_of_first(store, i64::MAX as u64)
    }

    /// The same of the games with an index below `first` alone.
    pub fn played_of_first(&self, store: &Store, first: u64) -> Result<Vec<Played>, StoreError> {
        let of_cell = |cell: &Cell| {
            let mut played = store.played_of_first(self.address, &cell.key, first)?;
            if self.rules.pairing == Pairing::Seeds {
                let games = self.seed_games(cell, store)?.into_iter();
                played.shared_error = standard_error(games.filter(|(pair, _)| pair.index() < first));
                // Neighbours in the numbering are no pairs.
                played.tally.pairs = [0; 5];
            }
            Ok(played)
        };
        self.cells.iter().map(of_cell).collect()
    }
}

/// Adds up games in order; those of a pair lie side by side.
pub(crate) fn tally(games: &[(u64, Side, f64)]) -> Tally {
    let mut tally = Tally::default();
    let mut before: Option<(u64, f64)> = None;
    for &(index, side, points) in games {
        tally.by_side[side.index()].add(points);
        match before {
            Some((first, its_points)) if first + 1 == index && index % 2 == 1 => {
                tally.pairs[(2.0 * (its_points + points)).round() as usize] += 1;
            }
            _ => {}
        }
        before = Some((index, points));
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

/// A text of ours in a column, or the error that it is not one.
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

fn side(row: &SqlRow<'_>, column: usize) -> Result<Side, rusqlite::Error> {
    read(row, column, side_of)
}

fn reason(row: &SqlRow<'_>, column: usize) -> Result<Reason, rusqlite::Error> {
    read(row, column, Reason::from_word)
}

fn seed(row: &SqlRow<'_>, column: usize) -> Result<Seed, rusqlite::Error> {
    read(row, column, |text| text.parse().ok())
}
