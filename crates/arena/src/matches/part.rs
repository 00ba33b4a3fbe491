//! A part of an experiment: what somebody asks for who does not want all of it.

use thiserror::Error;

use super::{MatchExperiment, Only};

/// Which part of an experiment by matches.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// As little as the experiment says for those in a hurry.
    pub quick: bool,
    /// Games of each cell, instead of what the experiment says.
    pub games: Option<u64>,
    /// Only these cells.
    pub only: Only,
}

/// No cell is left.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("none of the {n_cells} cells of {experiment} has {patterns}: `tesuji check` lists them")]
pub struct NoCells {
    n_cells: usize,
    experiment: String,
    patterns: String,
}

impl Part {
    /// The part of this experiment.
    pub fn of(&self, mut experiment: MatchExperiment) -> Result<MatchExperiment, NoCells> {
        if self.quick {
            experiment = experiment.quickened();
        }
        if let Some(games) = self.games {
            experiment.games = games;
        }
        let n_cells = experiment.cells.len();
        experiment.retain(&self.only);
        if experiment.cells.is_empty() {
            let patterns: Vec<String> = self.only.0.iter().map(|pattern| format!("'{pattern}'")).collect();
            let (experiment, patterns) = (experiment.name().to_owned(), patterns.join(" or "));
            return Err(NoCells { n_cells, experiment, patterns });
        }
        Ok(experiment)
    }
}
