use std::collections::BTreeMap;

use tesuji_core::{Answer, Guess, Outcome, Referee, Seed};
use tesuji_testkit::playthrough;
use tesuji_testkit::statistics::uniformity_p_value;
use tesuji_testkit::views::ViewSuite;

use super::*;
use crate::hex::reference::SlowHex;
use crate::{LargeHex, SmallHex};

const SUITE: ViewSuite = ViewSuite { games: 20, longest: 400, worlds: 3, wild: 0.3, counts_pieces: true };

fn small(size: usize) -> SmallHex {
    SmallHex::new(HexRules { size, swap: Swap::Off }).unwrap()
}

#[test]
fn views_keep_the_contract() {
    for size in [2, 3, 4, 7] {
        for tally in SUITE.run(&small(size)) {
            assert_eq!(tally.wrong_views, 0, "what is known in Dark Hex is so");
            assert!(tally.short_worlds * 50 <= tally.worlds, "{tally:?}");
        }
    }
    let suite = ViewSuite { games: 2, worlds: 1, ..SUITE };
    suite.run(&small(11));
    suite.run(&LargeHex::new(HexRules { size: 13, swap: Swap::Off }).unwrap());
}

#[test]
fn golden_playthrough() {
    let text = playthrough::phantom_playthrough(&small(3), Announced::Captures, 30);
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/hex/dark/playthrough.txt");
    playthrough::check_text(&text, file);
}

/// A refusal is certain knowledge; on an own stone it says nothing.
#[test]
fn refusals_mark_stones() {
    let mut referee = Referee::new(small(3), Announced::Refusals);
    for (text, stands) in
        [("b2", true), ("b2", false), ("a1", true), ("b2", false), ("a1", false), ("c1", true)]
    {
        let mv = referee.view(Side::Black).parse_move(text).unwrap();
        assert_eq!(referee.attempt(mv) == Answer::Stands(()), stands, "{text}");
    }
    let [black, white] = Side::BOTH.map(|side| referee.view(side).known.position_text().unwrap());
    assert_eq!((black.as_str(), white.as_str()), ("w1b/1b1/3 w", "w2/1b1/3 w"));
    let [black, white] = Side::BOTH.map(|side| referee.view(side));
    assert_eq!((black.n_enemies(), black.n_hidden()), (1, 0));
    assert_eq!((white.n_enemies(), white.n_hidden()), (2, 1));
    assert!(white.parse_move("swap").is_err() && white.parse_move("d1").is_err());
}

/// After a candidate that joins the edges every world is won.
#[test]
fn a_winning_candidate_wins_every_playout() {
    let mut referee = Referee::new(small(3), Announced::Captures);
    for text in ["b2", "a2", "b3", "c2"] {
        let mv = referee.view(Side::Black).parse_move(text).unwrap();
        assert_eq!(referee.attempt(mv), Answer::Stands(()));
    }
    let view = referee.view(Side::Black);
    let mut rng = Seed::new(1).rng();
    let guess = view.assume(Some(view.parse_move("b1").unwrap()));
    for _ in 0..50 {
        assert_eq!(guess.world(&mut rng).outcome(), Some(Outcome::Win(Side::Black)));
        let playout = guess.playout(&mut rng, &mut tesuji_core::Silent);
        assert_eq!((playout.outcome, playout.plies), (Outcome::Win(Side::Black), 0));
    }
}

/// All worlds of a side with some stones, by brute force and the slow rules.
#[test]
fn hidden_stones_are_uniform_over_all_places_where_they_may_be() {
    for (side, own, n_enemies) in [
        (Side::Black, "a1", 4),
        (Side::White, "b2 a1", 3),
        (Side::White, "b2", 2),
        (Side::Black, "b1 c2", 3),
        (Side::Black, "b2", 1),
        (Side::White, "a2 b2", 5),
        (Side::Black, "b1 b2", 5),
    ] {
        let start = small(3);
        let mut view = start.view(side, Announced::Captures);
        for name in own.split(' ') {
            view.hear(&Call::Stands(view.parse_move(name).unwrap(), None));
        }
        (0..n_enemies).for_each(|_| view.hear(&Call::EnemyMoved(None)));
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        for set in (0_u32..1 << 9).filter(|set| set.count_ones() == n_enemies) {
            let mut slow = SlowHex::new(3, false);
            let mut is_free = true;
            for cell in 0..9 {
                let (x, y) = (cell % 3, cell / 3);
                if view.known.stone(x, y).is_some() {
                    is_free &= set >> cell & 1 == 0;
                    slow = slow.with(x, y, side);
                } else if set >> cell & 1 == 1 {
                    slow = slow.with(x, y, !side);
                }
            }
            if is_free && slow.winner().is_none() {
                counts.insert(set, 0);
            }
        }
        assert!(counts.len() > 1);
        let guess = view.assume(None);
        let mut rng = Seed::new(2).child(u64::from(n_enemies)).rng();
        for _ in 0..1000 * counts.len() {
            let world = guess.world(&mut rng);
            let is_enemy = |cell: &usize| world.stone(cell % 3, cell / 3) == Some(!side);
            let set = (0..9).filter(is_enemy).fold(0, |set, cell| set | 1_u32 << cell);
            *counts.get_mut(&set).unwrap_or_else(|| panic!("no world:\n{}", world.drawing())) += 1;
        }
        let p = uniformity_p_value(&counts.into_values().collect::<Vec<_>>());
        assert!(p > 1e-6, "p = {p:e} for {own} and {n_enemies}");
    }
}
