//! The native half of the Python package: what other crates know, put into Python's words.
//!
//! Nothing is computed here. Every file is a border: Python's arguments are read (bad ones
//! are a `ValueError` with the sentence that the command line would print), the GIL is
//! released while the work is done, and what comes out is numpy arrays and plain values.
//! Python's own half, `python/package`, puts names to it and holds what needs no speed.
//!
//! | file | what |
//! |---|---|
//! | `game`, `position`, `attempt` | games of the catalog, their positions, and referees' answers |
//! | `own_game`, `own_planes` | a game that is written in Python, as searches and networks want it |
//! | `searched` | positions of either kind |
//! | `player`, `decision` | searches, one by one and side by side (`player/side_by_side`), and their results |
//! | `network` | networks that are written in Python |
//! | `experiment`, `campaign` | experiments, run here or by workers elsewhere |
//! | `store`, `versus`, `tournament` | stored results, single matches, and tournaments |
//! | `allocator`, `bandit` | policies on arms: one's own, and those of the laboratory |
//! | `portfolio`, `lazy`, `book` | matrix games, and the opening books made of them |
//! | `arguments`, `progress`, `side`, `stop`, `errors`, `interrupt`, `columns`, `rounds` | what all of them need |

mod allocator;
mod arguments;
mod attempt;
mod bandit;
mod book;
mod campaign;
mod columns;
mod decision;
mod errors;
mod experiment;
mod game;
mod interrupt;
mod lazy;
mod network;
mod own_game;
mod own_planes;
mod player;
mod portfolio;
mod position;
mod progress;
mod rounds;
mod searched;
mod side;
mod steering;
mod stop;
mod store;
mod tournament;
mod versus;

/// The native half of the Python package.
#[pyo3::pymodule]
mod _tesuji {
    use pyo3::prelude::*;
    use tesuji_catalog::BudgetSpec;

    #[pymodule_export]
    use crate::allocator::Allocator;
    #[pymodule_export]
    use crate::attempt::Attempt;
    #[pymodule_export]
    use crate::bandit::{bandit, policies};
    #[pymodule_export]
    use crate::book::{Book, seed_matrix};
    #[pymodule_export]
    use crate::campaign::Campaign;
    #[pymodule_export]
    use crate::decision::Decision;
    #[pymodule_export]
    use crate::experiment::Experiment;
    #[pymodule_export]
    use crate::game::{Game, games};
    #[pymodule_export]
    use crate::lazy::{LazyPortfolio, learn_lazily};
    #[pymodule_export]
    use crate::network::Form;
    #[pymodule_export]
    use crate::player::Player;
    #[pymodule_export]
    use crate::player::functions::{players, search};
    #[pymodule_export]
    use crate::portfolio::{Equilibrium, Portfolio, evaluate, learn, solve};
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::searched::perft;
    #[pymodule_export]
    use crate::store::Store;
    #[pymodule_export]
    use crate::tournament::tournament;
    #[pymodule_export]
    use crate::versus::play_match;

    /// The package's version.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// The default budget of a move, for the parts that are written in Python.
    #[pymodule_init]
    fn add_default_budget(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("DEFAULT_BUDGET", BudgetSpec::DEFAULT.to_string())
    }

    /// What the package was built from, as stores keep it with every game.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __build__: &str = tesuji::BUILD.fingerprint;
}
