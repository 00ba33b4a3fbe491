//! What other programs reach: random playouts, and simulations of their UCT
//! searches, per CPU second of one core.
//!
//! They tell the order of magnitude. A fair ratio needs both programs on one machine, so none
//! is shown.

use serde::Serialize;

/// Where the figures were measured that are not published ones.
const MACHINE: &str = "one core of an AMD EPYC of the Zen 4 class";

/// The line below tables that have figures of other programs.
pub(super) const NOTE: &str = "\
Speeds of other programs are from another machine (AMD EPYC, Zen 4) or from \
their authors: they only give the order of magnitude.
";

/// Another program's speed.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Peer {
    /// The program.
    pub(super) name: &'static str,
    /// Its playouts per CPU second.
    pub(super) playouts_per_second: f64,
    /// Where that was measured: not on this machine.
    pub(super) measured_on: &'static str,
}

const PEERS: &[(&str, Peer)] = &[
    ("ataxx:8", Peer { name: "board-game 0.8", playouts_per_second: 38_400.0, measured_on: MACHINE }),
    ("breakthrough:8", Peer { name: "RG", playouts_per_second: 82_000.0, measured_on: "published" }),
    ("go:5", Peer { name: "libego 0.1.127", playouts_per_second: 573_000.0, measured_on: MACHINE }),
    ("go:7", Peer { name: "libego 0.1.127", playouts_per_second: 302_000.0, measured_on: MACHINE }),
    ("go:9", Peer { name: "libego 0.1.127", playouts_per_second: 195_000.0, measured_on: MACHINE }),
    ("go:19", Peer { name: "libego 0.1.127", playouts_per_second: 40_900.0, measured_on: MACHINE }),
    ("hex:11", Peer { name: "OpenSpiel 2.0.2", playouts_per_second: 20_300.0, measured_on: MACHINE }),
];

/// The fastest program known at this game, if any is known.
pub(super) fn of(spec: &str) -> Option<Peer> {
    PEERS.iter().find(|(game, _)| *game == spec).map(|(_, peer)| *peer)
}

/// Another program's speed at UCT with a random playout for every simulation.
#[derive(Clone, Copy, Serialize)]
pub(super) struct SearchPeer {
    /// The program.
    pub(super) name: &'static str,
    /// Its simulations per CPU second.
    pub(super) simulations_per_second: f64,
    /// Where that was measured: not on this machine.
    pub(super) measured_on: &'static str,
}

const SEARCH_PEERS: &[(&str, SearchPeer)] = &[
    (
        "ataxx:8",
        SearchPeer { name: "board-game 0.8", simulations_per_second: 36_700.0, measured_on: MACHINE },
    ),
    (
        "breakthrough:8",
        SearchPeer { name: "OpenSpiel 2.0.2", simulations_per_second: 22_600.0, measured_on: MACHINE },
    ),
    (
        "go:9",
        SearchPeer { name: "Pachi 12.90 light", simulations_per_second: 32_800.0, measured_on: MACHINE },
    ),
    ("go:9", SearchPeer { name: "OpenSpiel 2.0.2", simulations_per_second: 7_960.0, measured_on: MACHINE }),
    (
        "hex:11",
        SearchPeer { name: "OpenSpiel 2.0.2", simulations_per_second: 20_900.0, measured_on: MACHINE },
    ),
];

/// The programs whose searches of this game were measured, the fastest first.
pub(super) fn of_search(spec: &str) -> Vec<SearchPeer> {
    SEARCH_PEERS.iter().filter(|(game, _)| *game == spec).map(|(_, peer)| *peer).collect()
}
