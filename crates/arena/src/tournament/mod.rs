//! Tournaments: several players, and who meets whom on which game.
//!
//! A tournament is a match experiment with a cell for every pair of players that may meet, on every
//! game. So games, stores, shards, devices and resumed runs are those of all match experiments. In a
//! round robin and in a gauntlet every pair plays the same number of games. In the other formats the
//! results decide who meets next: a `plan` wants games round by round, each round a function of the
//! results of earlier rounds alone, so the same games are played on any number of threads, and after a
//! kill.

mod builder;
mod file;
mod plan;
mod swiss;

pub use builder::{TournamentBuilder, TournamentError};
pub use file::ScheduleWords;
pub(crate) use file::TournamentFile;
pub(crate) use plan::Plan;
pub use plan::PlannedGames;

use tesuji_catalog::GameSpec;
use tesuji_session::Contestant;

use crate::matches::{MatchExperiment, QuickVersion};
use crate::ratings::{Anchor, Meeting, Question, RatingSettings, Ratings};
use crate::record::Address;
use crate::statistics::Count;
use crate::store::{GamePoints, Store, StoreError};

/// The players of a match experiment, and who meets whom.
#[derive(Clone, PartialEq, Debug)]
pub struct Tournament {
    /// The games.
    pub games: Vec<GameSpec>,
    /// The players, in the order in which they were named.
    pub players: Vec<TournamentPlayer>,
    /// Who meets whom.
    pub format: TournamentFormat,
    /// The player whose rating is fixed. `None` fixes the mean of all ratings at 0.
    pub anchor: Option<Anchor>,
    /// The pair of players of each cell of the experiment.
    pub pairs: Vec<TournamentPair>,
}

/// A player of a tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct TournamentPlayer {
    /// The name in tables.
    pub label: String,
    /// The player.
    pub contestant: Contestant,
}

/// The pair of players of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TournamentPair {
    /// The index of the cell in [`MatchExperiment::cells`].
    pub cell: usize,
    /// The index of the player whose wins the cell counts.
    pub player: usize,
    /// The index of the opponent.
    pub opponent: usize,
    /// The index of the game.
    pub game: usize,
}

/// Who meets whom in a tournament.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TournamentFormat {
    /// Every player meets every other one.
    RoundRobin,
    /// The first player meets every other one.
    Gauntlet,
    /// In every round, players with equal points meet, and no two players meet twice while that is
    /// possible.
    Swiss {
        /// The number of rounds.
        rounds: u32,
    },
    /// The next games go to the pairs that narrow the answer to a question most.
    Widest {
        /// The question.
        question: Question,
        /// The number of games of all pairs together.
        total: u64,
        /// When to stop before that. `None` plays all games.
        until: Option<Sure>,
    },
}

/// When the answer to a question is sure enough.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Sure {
    /// The answer is right with at least this probability.
    Confidence(f64),
    /// Every rating is known within this number of Elo, with 95 % confidence.
    Within(f64),
}

impl TournamentFormat {
    /// The names of the formats in files and on the command line.
    pub const NAMES: [&str; 4] = ["round-robin", "gauntlet", "swiss", "widest"];

    /// The name of the format in files and on the command line.
    pub const fn name(&self) -> &'static str {
        match self {
            TournamentFormat::RoundRobin => "round-robin",
            TournamentFormat::Gauntlet => "gauntlet",
            TournamentFormat::Swiss { .. } => "swiss",
            TournamentFormat::Widest { .. } => "widest",
        }
    }

    /// Whether results decide who meets next, so that all results are needed in one place.
    pub const fn is_planned(&self) -> bool {
        matches!(self, TournamentFormat::Swiss { .. } | TournamentFormat::Widest { .. })
    }
}

impl Tournament {
    /// The number of games of all pairs together, with `games` games of a pair.
    pub fn total(&self, games: u64) -> u64 {
        match self.format {
            TournamentFormat::RoundRobin | TournamentFormat::Gauntlet => games * self.pairs.len() as u64,
            TournamentFormat::Swiss { rounds } => {
                games * u64::from(rounds) * (self.players.len() / 2) as u64 * self.games.len() as u64
            }
            TournamentFormat::Widest { total, .. } => total,
        }
    }

    /// Whether no pairs were left out that may meet.
    pub fn is_whole(&self) -> bool {
        let n = self.players.len();
        let n_pairs = match self.format {
            TournamentFormat::Gauntlet => n - 1,
            _ => n * (n - 1) / 2,
        };
        self.pairs.len() >= n_pairs * self.games.len()
    }

    /// Makes it the smaller version of an experiment with `games` games of each pair.
    pub(crate) fn quicken(&mut self, games: u64, quick: &QuickVersion) {
        if let TournamentFormat::Widest { total, .. } = &mut self.format {
            let share = quick.games as f64 / games as f64;
            *total = ((*total as f64 * share) as u64).max(2).next_multiple_of(2);
        }
        let Some(budget) = quick.budget else { return };
        for TournamentPlayer { label, contestant } in &mut self.players {
            let is_named = *label != contestant.to_string();
            *contestant = contestant.clone().with_other_budget(budget);
            if !is_named {
                *label = contestant.to_string();
            }
        }
    }
}

/// The games of a pair: complete pairs of games and single ones.
fn meeting(pair: &TournamentPair, games: impl IntoIterator<Item = GamePoints>) -> Meeting {
    let TournamentPair { player, opponent, game, .. } = *pair;
    let mut met = Meeting { player, opponent, game, pairs: [[0; 3]; 3], singles: [Count::default(); 2] };
    let mut waiting: Option<GamePoints> = None;
    let single = |game: GamePoints, met: &mut Meeting| {
        met.singles[usize::from(!game.index.is_multiple_of(2))].add(game.points);
    };
    for game in games {
        match waiting.take() {
            Some(first) if game.index == first.index + 1 && first.index.is_multiple_of(2) => {
                let halves = |game: GamePoints| (2.0 * game.points) as usize;
                met.pairs[halves(first)][halves(game)] += 1;
            }
            other => {
                other.into_iter().for_each(|game| single(game, &mut met));
                waiting = Some(game);
            }
        }
    }
    waiting.into_iter().for_each(|game| single(game, &mut met));
    met
}

impl MatchExperiment {
    /// The games of every pair of players of a tournament, in the order of [`Tournament::pairs`].
    /// Empty if the experiment is no tournament.
    pub fn meetings(&self, store: &Store) -> Result<Vec<Meeting>, StoreError> {
        let Some(tournament) = &self.tournament else { return Ok(Vec::new()) };
        let points = |pair: &TournamentPair| {
            let Address { experiment, cell, .. } = self.game_address(&self.cells[pair.cell], 0);
            Ok(meeting(pair, store.points(experiment, &cell)?))
        };
        tournament.pairs.iter().map(points).collect()
    }
}

impl Tournament {
    /// The settings of the rating list: those by default, with the tournament's anchor.
    pub fn rating_settings(&self) -> RatingSettings {
        RatingSettings { anchor: self.anchor, ..RatingSettings::default() }
    }

    /// The rating list of these games of the tournament.
    pub fn ratings(&self, meetings: &[Meeting], settings: &RatingSettings) -> Ratings {
        Ratings::of(self.players.len(), self.games.len(), meetings, settings)
    }
}
