//! What a session remembers: what a referee said, and the trees of two players.

use std::sync::atomic::AtomicBool;

use tesuji_core::{Purpose, Side};
use tesuji_session::{Session, SessionError, Settings, Thinking};

fn session(game: &str, player: &str) -> Session {
    let game = game.parse().unwrap();
    let settings = Settings { player: player.parse().unwrap(), ..Settings::usual(&game, 1) };
    Session::new(game, settings).unwrap()
}

fn choose(session: &mut Session) {
    let cancel = AtomicBool::new(false);
    let thinking = Thinking { purpose: Purpose::Play, every: None, cancel: &cancel };
    session.choose(session.position().to_move(), &thinking, &mut |_, _| {}).unwrap();
}

#[test]
fn what_the_referee_said_stays_with_the_moves() {
    let mut session = session("phantom-go:3", "flat(sh)@50");
    session.play(Side::Black, "b2").unwrap();
    assert_eq!(session.play(Side::White, "b2"), Err(SessionError::Refused("b2".to_owned())));
    assert_eq!(session.refused(), ["b2"]);
    session.play(Side::White, "pass").unwrap();
    assert!(session.refused().is_empty());
    let plies: Vec<_> = session.plies().cloned().collect();
    assert_eq!((plies[0].mv.as_str(), &plies[0].refused[..], &plies[0].news), ("b2", &[][..], &None));
    assert_eq!((&plies[1].refused[..], plies[1].news.as_deref()), (&["b2".to_owned()][..], Some("passes")));
    // Taken back, the attempt is still known.
    session.undo(1).unwrap();
    assert_eq!(session.refused(), ["b2"]);
    session.set_komi(3.5).unwrap();
    assert_eq!(session.plies().count(), 1);
    session.clear();
    assert!(session.refused().is_empty());
}

#[test]
fn a_program_s_refused_attempts_are_kept_too() {
    // White knows nothing of Black's stones and runs into some of them before long.
    let mut session = session("phantom-go:3", "flat(sh)@50");
    for mv in ["b2", "pass", "a2", "pass", "c2"] {
        session.play(session.position().to_move(), mv).unwrap();
    }
    choose(&mut session);
    let thought = session.thought().unwrap().refused.clone();
    assert_eq!(session.plies().last().unwrap().refused, thought);
}

/// Two players with trees take turns: each finds its own again.
#[test]
fn players_that_take_turns_keep_their_trees() {
    let mut session = session("hex:4", "uct+reuse@400");
    let settings = [
        session.settings().clone(),
        Settings { player: "rave+reuse@100".parse().unwrap(), ..session.settings().clone() },
    ];
    let visits = |session: &Session| -> u64 {
        let report = session.thought().unwrap().report.as_ref().unwrap();
        report.arms.iter().map(|arm| arm.visits).sum()
    };
    for one in &settings {
        session.set(one.clone()).unwrap();
        choose(&mut session);
    }
    session.set(settings[0].clone()).unwrap();
    choose(&mut session);
    assert!(visits(&session) > 400, "{}", visits(&session));
    // Given up, they are gone.
    session.forget_trees();
    session.set(settings[1].clone()).unwrap();
    choose(&mut session);
    assert_eq!(visits(&session), 100);
}
