//! What a session remembers: what a referee said, and the trees of two players.

use std::sync::atomic::AtomicBool;

use tesuji_core::Side;
use tesuji_search::RootMoves;
use tesuji_session::{Purpose, Session, SessionError, Settings, Study, Thinking};

fn session(game: &str, player: &str) -> Session {
    let game = game.parse().unwrap();
    let settings = Settings { player: player.parse().unwrap(), ..Settings::usual(&game, 1) };
    Session::new(game, settings).unwrap()
}

fn choose(session: &mut Session) {
    let cancel = AtomicBool::new(false);
    let thinking = Thinking {
        purpose: Purpose::Play,
        every: None,
        moves: RootMoves::All,
        study: Study::Once,
        cancel: &cancel,
    };
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
    // Given up, they are gone; those of the other are not.
    session.forget_trees();
    session.set(settings[1].clone()).unwrap();
    choose(&mut session);
    assert!(visits(&session) > 100, "{}", visits(&session));
    session.set(settings[0].clone()).unwrap();
    choose(&mut session);
    assert_eq!(visits(&session), 400);
}

/// Going back and forth comes to the same positions, on every game.
#[test]
fn the_way_back_is_the_way_there() {
    for game in
        ["go:5", "hex:5", "phantom-go:4", "dark-hex:4", "breakthrough:4x6", "domineering:6", "ataxx:4"]
    {
        let mut session = session(game, "random");
        let mut rng = tesuji_core::Seed::new(5).rng();
        let mut seen = Vec::new();
        while session.outcome().is_none() && session.ply() < 60 {
            seen.push((
                session.position().drawing(),
                session.position().legal_texts(),
                session.refused().to_vec(),
            ));
            let moves = session.position().legal_texts();
            let mv = rng.choose(&moves).unwrap().clone();
            match session.play(session.position().to_move(), &mv) {
                Ok(()) => {}
                Err(SessionError::Refused(_)) => {
                    // What is known now is what one comes back to.
                    seen.pop();
                }
                Err(other) => panic!("{game}: {other}"),
            }
        }
        for back in [1, 3, 17, 100] {
            let back = back.min(session.ply() as u32);
            session.undo(back).unwrap();
            let now =
                (session.position().drawing(), session.position().legal_texts(), session.refused().to_vec());
            assert_eq!(now, seen[session.ply()], "{game} at {}", session.ply());
        }
        assert_eq!(session.ply(), 0, "{game}");
    }
}
