//! The TOML of an experiment file on bandits.

use serde::Deserialize;

use crate::values::ValueFile;

/// A whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    pub(crate) title: String,
    pub(crate) paper: String,
    pub(crate) text: String,
    pub(crate) seed: u64,
    /// The number of runs of each cell, and that of the smaller version.
    pub(crate) runs: u64,
    pub(crate) quick: u64,
    pub(crate) panel: Vec<PanelFile>,
}

/// A panel, or one for each of its settings of arms.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PanelFile {
    /// `{arms}` stands for the setting.
    pub(crate) title: String,
    /// In a map, `{n}` stands for the number of arms.
    pub(crate) arms: Vec<String>,
    /// `arms`: the settings are groups of bars in one panel.
    pub(crate) groups: Option<String>,
    pub(crate) budget: Option<u64>,
    pub(crate) bars: Option<AxisFile>,
    pub(crate) lines: Option<AxisFile>,
    pub(crate) map: Option<MapFile>,
    pub(crate) series: Vec<SeriesFile>,
    pub(crate) published: Option<PublishedFile>,
}

/// What goes along the x axis. For lines it is the budget, less `offset`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AxisFile {
    pub(crate) label: String,
    pub(crate) values: Vec<ValueFile>,
    #[serde(default)]
    pub(crate) offset: u64,
}

/// A map: every number of arms with every number of samples for each of them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MapFile {
    pub(crate) arms: Vec<u64>,
    /// Samples for each arm; the budget is rounded to whole samples.
    pub(crate) samples: Vec<f64>,
}

/// Bars or points of one colour.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeriesFile {
    pub(crate) name: String,
    /// `{x}` stands for the value on the x axis.
    pub(crate) policy: String,
    /// In a map: the greatest number of arms that the policy is measured with.
    pub(crate) most_arms: Option<u64>,
    pub(crate) score_noise: Option<f64>,
    pub(crate) score_rate: Option<f64>,
    pub(crate) score_slope: Option<f64>,
    pub(crate) score_uneven: Option<f64>,
    /// The column of the published numbers.
    pub(crate) published: Option<String>,
}

/// A table of published numbers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PublishedFile {
    /// A path relative to the experiment file.
    pub(crate) file: String,
    /// The column with the values of the x axis.
    pub(crate) x: String,
    /// The setting that the numbers are about.
    pub(crate) arms: String,
    /// The runs behind each number.
    pub(crate) runs: u64,
}
