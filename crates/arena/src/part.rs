//! A part of an experiment: what `run`, `check` and Python accept to do less, or more, than the
//! experiment's file says.

use thiserror::Error;

use crate::bandits::BanditExperiment;
use crate::matches::{CellFilter, MatchExperiment};

/// Which part of an experiment to run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExperimentPart {
    /// The size of the experiment.
    pub size: ExperimentSize,
    /// The number of games of each cell. Default: what the experiment says.
    pub games: Option<u64>,
    /// The number of runs of each cell on bandits. Default: what the experiment says.
    pub runs: Option<u64>,
    /// The cells of matches.
    pub cells: CellFilter,
}

/// The size of an experiment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ExperimentSize {
    /// Everything that the experiment says.
    #[default]
    Full,
    /// The smaller version that the experiment defines.
    Quick,
}

/// An experiment has no such part.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PartError {
    /// No cell is left.
    #[error("none of the {n_cells} cells of {experiment} has {patterns}: `tesuji check` lists them")]
    NoCells {
        /// The number of cells of the experiment.
        n_cells: usize,
        /// The name of the experiment.
        experiment: String,
        /// The patterns, in quotes.
        patterns: String,
    },
    /// An odd number of games was asked for, and the experiment is a tournament.
    #[error("{experiment} is a tournament, in which openings are played from both sides: {games} is odd")]
    Odd {
        /// The name of the experiment.
        experiment: String,
        /// The number of games.
        games: u64,
    },
    /// Runs were asked for, and the experiment has matches.
    #[error("{experiment} has matches, and runs are for bandits: use games")]
    RunsOfMatches {
        /// The name of the experiment.
        experiment: String,
    },
    /// Something was asked for that only experiments with matches have.
    #[error("{experiment} is on bandits, and {option} is for matches: use runs")]
    OnlyForMatches {
        /// The name of the experiment.
        experiment: String,
        /// What was asked for.
        option: &'static str,
    },
}

impl ExperimentPart {
    /// The part of an experiment with matches.
    pub fn of_matches(&self, mut experiment: MatchExperiment) -> Result<MatchExperiment, PartError> {
        if self.runs.is_some() {
            return Err(PartError::RunsOfMatches { experiment: experiment.name().to_owned() });
        }
        if self.size == ExperimentSize::Quick {
            experiment = experiment.quickened();
        }
        if let Some(games) = self.games {
            experiment.games = games;
        }
        if experiment.tournament.is_some() && !experiment.games.is_multiple_of(2) {
            let (experiment, games) = (experiment.name().to_owned(), experiment.games);
            return Err(PartError::Odd { experiment, games });
        }
        let n_cells = experiment.cells.len();
        experiment.retain(&self.cells);
        if experiment.cells.is_empty() {
            let patterns: Vec<String> = self.cells.0.iter().map(|pattern| format!("'{pattern}'")).collect();
            let (experiment, patterns) = (experiment.name().to_owned(), patterns.join(" or "));
            return Err(PartError::NoCells { n_cells, experiment, patterns });
        }
        Ok(experiment)
    }

    /// The number of runs of each cell of an experiment on bandits.
    pub fn runs_of(&self, experiment: &BanditExperiment) -> Result<u64, PartError> {
        for (option, is_given) in [("only", !self.cells.0.is_empty()), ("games", self.games.is_some())] {
            if is_given {
                return Err(PartError::OnlyForMatches { experiment: experiment.name().to_owned(), option });
            }
        }
        Ok(self.runs.unwrap_or(match self.size {
            ExperimentSize::Full => experiment.runs,
            ExperimentSize::Quick => experiment.quick_runs,
        }))
    }
}
