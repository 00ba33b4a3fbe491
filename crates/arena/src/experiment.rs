//! An experiment of either kind.

use std::path::Path;

use crate::bandits::BanditExperiment;
use crate::definition::{Definition, ExperimentError};
use crate::matches::MatchExperiment;
use crate::tuning::Tuning;

/// An experiment.
#[derive(Clone, Debug)]
// There are few of them, and they are seldom moved.
#[allow(clippy::large_enum_variant)]
pub enum Experiment {
    /// Regrets of policies on bandits, in panels.
    Bandits(BanditExperiment),
    /// Matches between contestants, in grids, or a tournament.
    Matches(MatchExperiment),
    /// Parameters of a player, tuned.
    Tuning(Box<Tuning>),
}

impl Experiment {
    /// Reads an experiment from its file. Files that it names, with published numbers and with
    /// arms, are in the same folder.
    pub fn read(path: &Path) -> Result<Experiment, ExperimentError> {
        Experiment::parse(Definition::read(path)?, path.parent().unwrap_or(Path::new("")))
    }

    /// Reads an experiment from the text of its file. Files of arms that it names are in `folder`.
    pub fn parse(definition: Definition, folder: &Path) -> Result<Experiment, ExperimentError> {
        match kind(&definition)? {
            Kind::Matches => MatchExperiment::parse(definition).map(Experiment::Matches),
            Kind::Bandits => BanditExperiment::parse(definition, folder).map(Experiment::Bandits),
            Kind::Tuning => Ok(Experiment::Tuning(Box::new(Tuning::parse(definition)?))),
        }
    }

    /// Reads an experiment that a store has, to see its results: it need not be possible to play it
    /// any more.
    pub(crate) fn parse_stored(definition: Definition) -> Result<Experiment, ExperimentError> {
        match kind(&definition)? {
            Kind::Matches => MatchExperiment::parse_stored(definition).map(Experiment::Matches),
            Kind::Bandits | Kind::Tuning => Experiment::parse(definition, Path::new("")),
        }
    }

    /// The name of the experiment.
    pub fn name(&self) -> &str {
        match self {
            Experiment::Bandits(experiment) => experiment.name(),
            Experiment::Matches(experiment) => experiment.name(),
            Experiment::Tuning(tuning) => tuning.name(),
        }
    }
}

/// The kinds of definitions.
enum Kind {
    Bandits,
    Matches,
    Tuning,
}

fn kind(definition: &Definition) -> Result<Kind, ExperimentError> {
    let table: toml::Table = definition.parse()?;
    let has = |key| table.contains_key(key);
    match (has("panel"), has("grid") || has("tournament"), has("tune")) {
        (true, false, false) => Ok(Kind::Bandits),
        (false, true, false) => Ok(Kind::Matches),
        (false, false, true) => Ok(Kind::Tuning),
        _ => Err(definition.wrong(
            "it has either [[panel]], of bandits, or [[grid]] or [tournament], of matches, or [tune]",
        )),
    }
}
