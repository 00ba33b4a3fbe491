//! Why a move was chosen, in words.

use std::sync::atomic::AtomicBool;

use tesuji_core::Side;
use tesuji_search::RootMoves;
use tesuji_session::{Purpose, Session, Settings, Study, Thinking};

fn explanation(player: &str) -> String {
    let game = "hex:7".parse().unwrap();
    let settings = Settings { player: player.parse().unwrap(), ..Settings::usual(&game, 1) };
    let mut session = Session::new(game, settings).unwrap();
    let cancel = &AtomicBool::new(false);
    let thinking =
        Thinking { purpose: Purpose::Play, every: None, moves: RootMoves::All, study: Study::Once, cancel };
    session.choose(Side::Black, &thinking, &mut |_, _| {}).unwrap();
    session.explanation().unwrap()
}

/// A network values the root first, which is a sample of no move; and a sample may be several playouts.
#[test]
fn samples_of_moves_and_the_budget_are_told_apart() {
    let text = explanation("puct+net@64");
    assert!(text.contains(" samples; 63 in all, which took 64 of the budget, in "), "{text}");
    let text = explanation("puct+net@1");
    assert!(text.contains(" has no samples; 0 in all, which took 1 of the budget, in "), "{text}");
    let text = explanation("puct+net@2");
    assert!(text.contains(" of its 1 sample; 1 in all, which took 2 of the budget, in "), "{text}");
    let text = explanation("uct+prior(sh,16,count=playouts)@1600");
    assert!(text.contains(" samples; 100 in all, which took 1600 of the budget, in "), "{text}");
    let text = explanation("uct@64");
    assert!(text.contains(" samples; 64 in all, 64 of them new, in "), "{text}");
}
