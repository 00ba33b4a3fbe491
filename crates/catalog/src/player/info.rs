//! What there is to know of a part of players.

use std::fmt;

use tesuji_core::spec::{Arguments, Parameter};
use tesuji_search::{Options, PlayerConfig, TreeConfig};

/// A line of the table of players.
pub struct PartInfo {
    /// The name in specs: lower case, no blanks.
    pub name: &'static str,
    /// How it is written without its options, if that is more than its name: `prior(POLICY,K)`.
    pub written: &'static str,
    /// What it does, in a sentence without its full stop.
    pub meaning: &'static str,
    /// Where it comes from: authors and year.
    pub source: &'static str,
    /// Its options, in the order in which specs print them.
    pub parameters: &'static [Parameter],
    /// A player with it.
    pub example: &'static str,
    pub(super) build: Build,
}

impl PartInfo {
    /// Which place it has in a player.
    pub fn kind(&self) -> PartKind {
        match self.build {
            Build::Player(_) => PartKind::Player,
            Build::Tree(_) | Build::Flat => PartKind::Tree,
            Build::Playout | Build::Prior | Build::Net => PartKind::Leaf,
            Build::Option(_) => PartKind::Option,
            Build::Alias(_) => PartKind::Alias,
        }
    }
}

/// What a part of a player is there for, in the order in which specs have them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PartKind {
    /// Nothing: it is a player by itself.
    Player,
    /// It stands for other parts, under the name of a paper.
    Alias,
    /// It spends the samples on the moves at the root: any policy.
    Root,
    /// It chooses the moves between the root and the leaf.
    Tree,
    /// It values new positions.
    Leaf,
    /// It is one of what most papers leave out.
    Option,
}

impl PartKind {
    /// The word for several.
    pub(super) fn plural(self) -> &'static str {
        match self {
            PartKind::Player => "players",
            PartKind::Alias => "aliases",
            PartKind::Root => "roots",
            PartKind::Tree => "trees",
            PartKind::Leaf => "leaves",
            PartKind::Option => "options",
        }
    }
}

/// The word for one.
impl fmt::Display for PartKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            PartKind::Player => "player",
            PartKind::Alias => "alias",
            PartKind::Root => "root",
            PartKind::Tree => "tree",
            PartKind::Leaf => "leaf",
            PartKind::Option => "option",
        })
    }
}

/// How a part becomes one of a configuration.
pub(super) enum Build {
    /// It is one.
    Player(PlayerConfig),
    /// By its options.
    Tree(fn(&Arguments) -> TreeConfig),
    /// By the policy in its brackets, which becomes the root.
    Flat,
    /// As one playout.
    Playout,
    /// By the policy in its brackets, and its options.
    Prior,
    /// By the network in its brackets, and its options.
    Net,
    /// By its options, changing what there is.
    Option(fn(&Arguments, &mut Options)),
    /// By reading this text, which its options give.
    Alias(fn(&Arguments) -> String),
}
