//! An experiment of either kind.

use std::path::Path;

use crate::bandits::BanditExperiment;
use crate::definition::{Definition, ExperimentError};
use crate::matches::MatchExperiment;

/// Something to be measured.
#[derive(Clone, Debug)]
pub enum Experiment {
    /// Regrets of policies: it has panels.
    Bandits(BanditExperiment),
    /// Who wins: it has grids.
    Matches(MatchExperiment),
}

impl Experiment {
    /// Reads an experiment from its file. Files that it names, of published numbers and of
    /// arms, lie beside it.
    pub fn read(path: &Path) -> Result<Experiment, ExperimentError> {
        Experiment::parse(Definition::read(path)?, path.parent().unwrap_or(Path::new("")))
    }

    /// Reads an experiment; files of arms that it names lie in `folder`.
    pub fn parse(definition: Definition, folder: &Path) -> Result<Experiment, ExperimentError> {
        match (definition.has("panel")?, definition.has("grid")?) {
            (true, false) => BanditExperiment::parse(definition, folder).map(Experiment::Bandits),
            (false, true) => MatchExperiment::parse(definition).map(Experiment::Matches),
            _ => Err(definition.wrong("it has either [[panel]], of bandits, or [[grid]], of matches")),
        }
    }

    /// The experiment's name.
    pub fn name(&self) -> &str {
        match self {
            Experiment::Bandits(experiment) => experiment.name(),
            Experiment::Matches(experiment) => experiment.name(),
        }
    }
}
