//! The networks that ship with the program. `docs/networks.md` says how they were made.

use std::sync::{Arc, OnceLock};

use tesuji_core::NetworkForm;

use crate::{Evaluator, NetError, Network, Remembering};

/// Raised whenever one of the networks changes: games with another network are other games.
pub(crate) const RELEASE: u32 = 2;

/// A network in the program.
struct Shipped {
    /// The game, for people.
    game: &'static str,
    encoding: &'static str,
    size: usize,
    bytes: &'static [u8],
    /// The network, read at its first use, and its last answers.
    network: OnceLock<Result<Arc<Remembering>, NetError>>,
}

static NETWORKS: [Shipped; 4] = [
    Shipped {
        game: "hex:7",
        encoding: "hex/1",
        size: 7,
        bytes: include_bytes!("../networks/hex-7.onnx"),
        network: OnceLock::new(),
    },
    Shipped {
        game: "breakthrough:8",
        encoding: "breakthrough/1",
        size: 8,
        bytes: include_bytes!("../networks/breakthrough-8.onnx"),
        network: OnceLock::new(),
    },
    Shipped {
        game: "go:7",
        encoding: "go/1",
        size: 7,
        bytes: include_bytes!("../networks/go-7.onnx"),
        network: OnceLock::new(),
    },
    Shipped {
        game: "go:9",
        encoding: "go/1",
        size: 9,
        bytes: include_bytes!("../networks/go-9.onnx"),
        network: OnceLock::new(),
    },
];

/// The games that have a network, for people.
pub(crate) fn games() -> String {
    NETWORKS.iter().map(|shipped| shipped.game).collect::<Vec<_>>().join(", ")
}

/// Makes all networks forget their answers.
pub(crate) fn forget_answers() {
    for shipped in &NETWORKS {
        if let Some(Ok(network)) = shipped.network.get() {
            network.forget();
        }
    }
}

/// The network for positions of this form; `None` if none ships.
pub(crate) fn network(form: &NetworkForm) -> Option<Result<Arc<dyn Evaluator>, NetError>> {
    let is_it = |shipped: &&Shipped| {
        shipped.encoding == form.encoding && (shipped.size, shipped.size) == (form.width, form.height)
    };
    let shipped = NETWORKS.iter().find(is_it)?;
    let read = || {
        let network = Network::of_program(shipped.bytes, shipped.game)?;
        Ok(Arc::new(Remembering::new(Arc::new(network))))
    };
    let network = shipped.network.get_or_init(read).clone();
    Some(network.map(|network| network as Arc<dyn Evaluator>))
}
