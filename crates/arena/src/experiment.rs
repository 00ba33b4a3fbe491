//! An experiment of either kind.

use std::path::Path;

use crate::bandits::BanditExperiment;
use crate::definition::{Definition, ExperimentError};
use crate::matches::MatchExperiment;

/// An experiment.
#[derive(Clone, Debug)]
// There are few of them, and they are seldom moved.
#[allow(clippy::large_enum_variant)]
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
        match is_of_matches(&definition)? {
            true => MatchExperiment::parse(definition).map(Experiment::Matches),
            false => BanditExperiment::parse(definition, folder).map(Experiment::Bandits),
        }
    }

    /// Reads an experiment that a store has, to see its results: it need not be possible to play it
    /// any more.
    pub(crate) fn parse_stored(definition: Definition) -> Result<Experiment, ExperimentError> {
        match is_of_matches(&definition)? {
            true => MatchExperiment::parse_stored(definition).map(Experiment::Matches),
            false => Experiment::parse(definition, Path::new("")),
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

/// Whether a definition has grids of matches, not panels of bandits.
fn is_of_matches(definition: &Definition) -> Result<bool, ExperimentError> {
    let table: toml::Table = definition.parse()?;
    let has_matches = table.contains_key("grid") || table.contains_key("tournament");
    match (table.contains_key("panel"), has_matches) {
        (true, false) => Ok(false),
        (false, true) => Ok(true),
        _ => {
            Err(definition
                .wrong("it has either [[panel]], of bandits, or [[grid]] or [tournament], of matches"))
        }
    }
}
