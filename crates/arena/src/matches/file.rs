//! The TOML of an experiment file with matches.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::tournament::TournamentFile;
use crate::values::ValueFile;

/// A whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) title: String,
    #[serde(default)]
    pub(super) paper: String,
    #[serde(default)]
    pub(super) text: String,
    /// The command that plays an experiment without a file.
    pub(super) command: Option<String>,
    pub(super) seed: u64,
    /// Games of each cell.
    pub(super) games: u64,
    pub(super) quick: Option<QuickFile>,
    #[serde(default)]
    pub(super) rules: RulesFile,
    #[serde(default)]
    pub(super) grid: Vec<GridFile>,
    /// Instead of grids: players, and who meets whom.
    pub(super) tournament: Option<TournamentFile>,
}

/// The smaller version of the experiment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct QuickFile {
    pub(super) games: u64,
    /// A budget instead of the players' own.
    pub(super) budget: Option<ValueFile>,
    /// Patterns of cells, as `--only` accepts them. Default: all cells.
    #[serde(default)]
    pub(super) only: Vec<String>,
}

/// How games begin and end, in addition to the rules of the game.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct RulesFile {
    /// Who meets whom: sides, or seeds.
    #[serde(default)]
    pub(super) pairing: PairingFile,
    /// Which games share their random numbers.
    #[serde(default)]
    pub(super) seeds: SeedsFile,
    /// Random moves before the players begin.
    pub(super) random_plies: Option<u32>,
    /// Moves before the players begin, one text for each opening.
    pub(super) openings: Option<Vec<String>>,
    pub(super) most_moves: Option<u32>,
    pub(super) resign_below: Option<f64>,
    pub(super) claim_above: Option<f64>,
    /// The time of each side, such as 10m or 5m+3x30s.
    pub(super) clock: Option<String>,
}

/// Who meets whom.
#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
pub(super) enum PairingFile {
    #[default]
    Sides,
    Seeds,
}

/// Which games share their random numbers.
#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
pub(super) enum SeedsFile {
    #[default]
    Own,
    Common,
}

/// A table of cells: everything that `each` gives, combined. Texts are
/// templates in which `{name}` stands for a value.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GridFile {
    pub(super) title: Option<String>,
    pub(super) game: String,
    pub(super) player: String,
    pub(super) opponent: String,
    /// For players without a budget of their own.
    pub(super) budget: Option<ValueFile>,
    #[serde(default)]
    pub(super) each: Vec<EachFile>,
    /// The row and the column of a cell in the table, and its panel in the figure.
    pub(super) row: Option<String>,
    pub(super) column: Option<String>,
    pub(super) panel: Option<String>,
    /// What the columns are, under the x axis.
    pub(super) label: Option<String>,
    pub(super) published: Option<PublishedFile>,
}

/// Something that goes through several values.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EachFile {
    pub(super) name: String,
    pub(super) values: Vec<ValueFile>,
}

/// A table of published rates.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PublishedFile {
    /// A path relative to the experiment file.
    pub(super) file: String,
    /// The row: what stands in which column.
    pub(super) row: BTreeMap<String, String>,
    /// The column of the rate.
    pub(super) column: String,
    /// The column of the games won as White, if the paper has one.
    pub(super) white: Option<String>,
    /// The published number of a player that wins every game.
    pub(super) full: f64,
    /// Games behind each rate.
    pub(super) games: u64,
    /// Whose rate it is.
    #[serde(default)]
    pub(super) of: Whose,
}

/// Whose rate is printed.
#[derive(Deserialize, Default, PartialEq, Eq, Clone, Copy)]
#[serde(rename_all = "lowercase")]
pub(super) enum Whose {
    #[default]
    Player,
    Opponent,
}
