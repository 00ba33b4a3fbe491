//! What can be wrong with a player's spec: one sentence that names the wrong
//! word and says what is allowed.

use tesuji_bandit::{PolicyError, policies};
use tesuji_core::spec::CallError;
use tesuji_core::{shortened, suggestion};
use tesuji_net::NetError;
use tesuji_search::MOST_SAMPLES;
use thiserror::Error;

use super::info::{PartInfo, PartKind};
use super::table::players;

/// The text is no spec of a player, or of a budget.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlayerError {
    /// Nothing has this name.
    #[error("'{word}' is not a player or a part of one: {parts}")]
    Unknown {
        /// The name as given.
        word: String,
        /// The parts that may have been meant, or the best known ones.
        parts: String,
    },
    /// Brackets are opened and not closed, or the other way round.
    #[error("'{text}' is not a player: brackets do not match")]
    Brackets {
        /// The spec as given.
        text: String,
    },
    /// What stands in the brackets of a part is not what belongs there.
    #[error("'{text}' is not understood: it is written {written}, as in {example}")]
    Form {
        /// The part as given.
        text: String,
        /// What it should look like.
        written: &'static str,
        /// A player with it.
        example: &'static str,
    },
    /// A player by itself has company.
    #[error("'{player}' is a complete player and takes no other parts")]
    Alone {
        /// Its name.
        player: &'static str,
    },
    /// Two parts of which a player has one.
    #[error("'{first}' and '{second}' are two {plural}: a player has only one")]
    Two {
        /// What they are.
        plural: &'static str,
        /// The name of the first.
        first: &'static str,
        /// The name of the second.
        second: &'static str,
    },
    /// An option is given more than once.
    #[error("'{option}' is given twice")]
    Twice {
        /// Its name.
        option: &'static str,
    },
    /// The parts are there, but not in their order.
    #[error(
        "'{part}' does not come after '{before}': a player is written ROOT+TREE+LEAF+OPTIONS, as in sh+uct+prior(sh,64)+reuse"
    )]
    Order {
        /// The name of the part that is in the wrong place.
        part: &'static str,
        /// The name of the one that it should come before.
        before: &'static str,
    },
    /// A policy is no player.
    #[error("{root} is only a root: write {root}+uct, or flat({root}) for no tree")]
    Treeless {
        /// The policy.
        root: String,
    },
    /// A leaf or an option is no player.
    #[error("'{part}' needs a tree before it, as in {example}")]
    Unrooted {
        /// The part's name.
        part: &'static str,
        /// A player with it.
        example: &'static str,
    },
    /// The budget is none.
    #[error(
        "'{word}' is not a budget: it is a number of samples from 1 to {MOST_SAMPLES}, or a time above 0 and up to a day such as 500ms, 1.5s or 2m"
    )]
    Budget {
        /// The budget as given.
        word: String,
    },
    /// The steps of a budget are none.
    #[error("'{word}' is not a budget: {reason}; steps are written as in 20000x10,5000")]
    BudgetSteps {
        /// The budget as given.
        word: String,
        /// What is wrong with its steps.
        reason: String,
    },
    /// The text is not a confidence at which a search may stop.
    #[error("'{word}' is not a confidence to stop at: it is above 50% and below 100%, such as 95% or 0.95")]
    Level {
        /// The confidence as given.
        word: String,
    },
    /// The options of a part are not what it allows.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The policy of a part is none.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// The network cannot be read.
    #[error(transparent)]
    Net(#[from] NetError),
    /// Each part is allowed, but not together with the others.
    #[error("'{text}' is impossible: {reason}")]
    Impossible {
        /// The player as given.
        text: String,
        /// Why it cannot be.
        reason: String,
    },
}

impl PlayerError {
    pub(super) fn unknown(word: &str) -> PlayerError {
        let parts = players().iter().map(|info| info.name);
        let names = parts.chain(policies().iter().map(|info| info.name));
        let parts = suggestion(word, names, || {
            let of_kind = |kind: PartKind| {
                let names = players().iter().filter(|info| info.kind() == kind).map(|info| info.name);
                names.collect::<Vec<_>>().join(", ")
            };
            let (trees, players) = (of_kind(PartKind::Tree), of_kind(PartKind::Player));
            format!("a player is {players}, or has a tree, one of {trees}; `tesuji players` lists all parts")
        });
        PlayerError::Unknown { word: shortened(word), parts }
    }

    pub(super) fn form(text: &str, info: &PartInfo) -> PlayerError {
        PlayerError::Form { text: shortened(text), written: info.written, example: info.example }
    }
}
