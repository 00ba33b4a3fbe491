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

/// The network values the root first: that is a sample of no move.
#[test]
fn samples_of_moves_and_of_the_root_are_told_apart() {
    let text = explanation("puct+net@64");
    assert!(text.contains(" samples; 63 in all, and 1 of the root, in "), "{text}");
    let text = explanation("puct+net@1");
    assert!(text.contains(" has no samples; 0 in all, and 1 of the root, in "), "{text}");
    let text = explanation("puct+net@2");
    assert!(text.contains(" of its 1 sample; 1 in all, and 1 of the root, in "), "{text}");
    let text = explanation("uct@64");
    assert!(text.contains(" samples; 64 in all, 64 of them new, in "), "{text}");
}
