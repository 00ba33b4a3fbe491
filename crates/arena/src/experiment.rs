//! An experiment of either kind.

use std::path::Path;

use crate::bandits::BanditExperiment;
use crate::definition::{Definition, ExperimentError};
use crate::matches::MatchExperiment;

/// An experiment.
#[derive(Clone, Debug)]
pub enum Experiment {
    /// Regrets of policies on bandits, in panels.
    Bandits(BanditExperiment),
    /// Matches between contestants, in grids.
    Matches(MatchExperiment),
}

impl Experiment {
    /// Reads an experiment from its file. Files that it names, with published numbers and with
    /// arms, are in the same folder.
    pub fn read(path: &Path) -> Result<Experiment, ExperimentError> {
        Experiment::parse(Definition::read(path)?, path.parent().unwrap_or(Path::new("")))
    }

    /// Reads an experiment from the text of its file. Files of arms that it names are in `folder`.
    pub fn parse(definition: Definition, folder: &Path) -> Result<Experiment, ExperimentError> {
        let table: toml::Table = definition.parse()?;
        match (table.contains_key("panel"), table.contains_key("grid")) {
            (true, false) => BanditExperiment::parse(definition, folder).map(Experiment::Bandits),
            (false, true) => MatchExperiment::parse(definition).map(Experiment::Matches),
            _ => Err(definition.wrong("it has either [[panel]], of bandits, or [[grid]], of matches")),
        }
    }

    /// The name of the experiment.
    pub fn name(&self) -> &str {
        match self {
            Experiment::Bandits(experiment) => experiment.name(),
            Experiment::Matches(experiment) => experiment.name(),
        }
    }
}
