use std::collections::BTreeMap;

use tesuji_core::{Answer, Game, Guess, Referee, Seed};
use tesuji_testkit::playthrough;
use tesuji_testkit::statistics::uniformity_p_value;
use tesuji_testkit::views::{Tally, ViewSuite};

use super::*;
use crate::goban::reference::{SlowGo, Stones};
use crate::goban::{UpTo7, UpTo10, UpTo13, UpTo19};

fn go<S: PointSet>(size: usize) -> Go<S> {
    Go::new(GoRules { size, ..GoRules::default() }).unwrap()
}

/// Where captures are announced and the view is right, nearly all worlds have room for
/// all hidden stones. (Where they are not, a side does not know how many there are.)
fn is_mostly_full([announced, silent]: [Tally; 2]) {
    let short = announced.short_worlds as f64 / announced.worlds as f64;
    assert!(short < 0.01, "{announced:?}");
    assert!([announced, silent].iter().all(|tally| tally.refused > 0 && tally.worlds > 0));
}

#[test]
fn views_of_small_boards_keep_the_contract() {
    let suite = ViewSuite { games: 40, longest: 100, ..ViewSuite::default() };
    suite.run(&go::<UpTo7>(2));
    for size in [3, 5] {
        is_mostly_full(suite.run(&go::<UpTo7>(size)));
    }
    let suite = ViewSuite { games: 8, ..suite };
    is_mostly_full(suite.run(&go::<UpTo7>(7)));
    let off = GoRules { size: 4, superko: crate::Superko::Off, ..GoRules::default() };
    suite.run(&Go::<UpTo7>::new(off).unwrap());
}

#[test]
fn views_of_large_boards_keep_the_contract() {
    let suite = ViewSuite { games: 4, longest: 150, worlds: 1, ..ViewSuite::default() };
    is_mostly_full(suite.run(&go::<UpTo10>(9)));
    let suite = ViewSuite { games: 1, longest: 120, ..suite };
    suite.run(&go::<UpTo13>(13));
    suite.run(&go::<UpTo19>(19));
}

#[test]
fn golden_playthrough() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/phantom_go");
    for (announced, name) in [(Announced::Captures, "captures"), (Announced::Refusals, "refusals")] {
        let text = playthrough::phantom_playthrough(&go::<UpTo7>(4), announced, 60);
        playthrough::check_text(&text, format!("{folder}/playthrough_{name}.txt"));
    }
}

/// A game on 5x5 in which the attempts in brackets are refused and the others stand.
fn after(announced: Announced, attempts: &str) -> Referee<Go<UpTo7>> {
    let mut referee = Referee::new(go(5), announced);
    for text in attempts.split_whitespace() {
        let name = text.trim_matches(['(', ')']);
        let mv = referee.view(Side::Black).parse_move(name).unwrap();
        let answer = referee.attempt(mv);
        assert_eq!(answer == Answer::Refused, text.starts_with('('), "{text}\n{}", referee.world().drawing());
    }
    referee
}

/// The rows of a drawing without their names, from the top.
fn rows(view: &GoView<UpTo7>) -> Vec<String> {
    let drawing = view.drawing();
    let lines = drawing.lines().skip(1).take(5);
    lines.map(|line| line.split_whitespace().skip(1).take(5).collect()).collect()
}

fn names(view: &GoView<UpTo7>) -> Vec<String> {
    let mut names = Vec::new();
    view.for_each_candidate(|mv| names.push(view.move_text(mv)));
    names
}

#[test]
fn running_into_a_stone_marks_it() {
    let referee = after(Announced::Captures, "c3 (c3)");
    let white = referee.view(Side::White);
    assert_eq!(rows(white), ["·····", "·····", "··◆··", "·····", "·····"]);
    assert_eq!((white.n_enemies(), white.n_hidden()), (1, 0));
    assert!(!names(white).contains(&"c3".to_owned()));
    // The only stone there is: another refusal would be no stone.
    assert!(white.explains(UpTo7::index(0, 0)));
    assert_eq!(rows(referee.view(Side::Black)), ["·····", "·····", "··●··", "·····", "·····"]);
}

/// Black takes one stone; White may not take back at once, and does not take that for
/// a stone. What lay next to the captured stone must be Black's.
#[test]
fn ko_is_no_stone_and_captured_stones_were_surrounded() {
    let referee = after(Announced::Captures, "a2 c1 b1 c3 b3 d2 e5 b2 c2 (b2)");
    let white = referee.view(Side::White);
    assert_eq!(rows(white), ["·····", "·····", "·◆○··", "◆?◆○·", "·◆○··"]);
    assert_eq!((white.n_enemies(), white.n_hidden()), (5, 1));
    assert_eq!(rows(referee.view(Side::Black)), ["····●", "·····", "·●···", "●·●··", "·●···"]);
    assert_eq!(referee.view(Side::Black).n_enemies(), 3);
    // Where nothing is announced, White knows nothing of its stone's end: it is
    // refused a point where it believes it has a stone.
    let referee = after(Announced::Refusals, "a2 c1 b1 c3 b3 d2 e5 b2 c2 (b2)");
    assert_eq!(rows(referee.view(Side::White)), ["·····", "·····", "··○··", "·○·○·", "··○··"]);
}

#[test]
fn suicide_is_no_stone() {
    let referee = after(Announced::Captures, "a2 d4 b1 d5 e5 (a2) (b1) (a1)");
    let white = referee.view(Side::White);
    assert_eq!(rows(white), ["···○·", "···○·", "·····", "◆····", "?◆···"]);
    assert_eq!(white.n_hidden(), 1);
    assert!(!names(white).contains(&"a1".to_owned()));
}

/// Black's stone in the corner still lives, so what keeps Black from its last
/// liberty is no stone there but stones around it.
#[test]
fn the_last_liberty_of_a_living_chain_is_no_stone() {
    let referee = after(Announced::Captures, "a1 a2 (a2) e5 b2 e4 c1 (b1)");
    let black = referee.view(Side::Black);
    assert_eq!(rows(black), ["····●", "····●", "·····", "◇····", "●?···"]);
    // Where captures are not announced, it may well be gone.
    let referee = after(Announced::Refusals, "a1 a2 (a2) e5 b2 e4 c1 (b1)");
    assert_eq!(rows(referee.view(Side::Black)), ["····●", "····●", "·····", "◇····", "·◇···"]);
}

/// What is surrounded and not captured was no stone.
#[test]
fn surrounded_marks_that_are_not_captured_are_dropped() {
    let mut view = go::<UpTo7>(5).view(Side::Black, Announced::Captures);
    let stone = |name: &str| view.parse_move(name).unwrap();
    let [a1, a2, b1, e5] = ["a1", "a2", "b1", "e5"].map(stone);
    let quiet = Some(GoNews { captured: UpTo7::none(), passed: false });
    view.hear(&Call::Stands(a2, quiet));
    view.hear(&Call::EnemyMoved(quiet));
    view.hear(&Call::Stands(e5, quiet));
    view.hear(&Call::EnemyMoved(quiet));
    view.hear(&Call::Refused(a1));
    assert_eq!(rows(&view)[3..], ["●····", "◇····"]);
    view.hear(&Call::Stands(b1, quiet));
    assert_eq!(rows(&view)[3..], ["●····", "·●···"]);
    assert_eq!((view.n_enemies(), view.n_hidden()), (2, 2));
}

/// Whose turn it is, and how many have passed, is the same in all worlds.
#[test]
fn worlds_have_the_right_side_to_move() {
    let mut rng = Seed::new(1).rng();
    let referee = after(Announced::Captures, "c3 pass");
    for (side, mv, text) in [
        (Side::Black, None, "5/5/2b2/5/5 b - 1"),
        (Side::White, None, " b - 1"),
        (Side::Black, Some(GoMove::Pass), "5/5/2b2/5/5 w - 2"),
    ] {
        let world = referee.view(side).assume(mv).world(&mut rng);
        let written = world.position_text().unwrap();
        assert!(written.ends_with(text), "{written}");
    }
    let referee = after(Announced::Captures, "c3 d3 pass");
    for side in Side::BOTH {
        let world = referee.view(side).assume(None).world(&mut rng);
        assert!(world.position_text().unwrap().ends_with(" w - 1"));
    }
}

/// What Black knows with these stones on a board, where so many hidden ones are.
fn black_view(size: usize, own: &[&str], n_enemies: usize) -> GoView<UpTo7> {
    let mut view = go::<UpTo7>(size).view(Side::Black, Announced::Captures);
    let news = |passed| Some(GoNews { captured: UpTo7::none(), passed });
    for turn in 0..own.len().max(n_enemies) {
        let mv = own.get(turn).map_or(GoMove::Pass, |name| view.parse_move(name).unwrap());
        view.hear(&Call::Stands(mv, news(mv == GoMove::Pass)));
        view.hear(&Call::EnemyMoved(news(turn >= n_enemies)));
    }
    view
}

/// All worlds of a view by brute force and by the slow rules: their texts.
fn all_worlds(size: usize, own: &[&str], n_enemies: usize) -> Vec<String> {
    let board = Board::<UpTo7>::new(size);
    let own: Vec<_> = own.iter().map(|name| board.named(name).unwrap()).collect();
    let mut worlds = Vec::new();
    for set in 0_u32..1 << (size * size) {
        if set.count_ones() as usize != n_enemies {
            continue;
        }
        let mut stones: Stones = vec![vec![None; size]; size];
        for point in (0..size * size).filter(|point| set >> point & 1 == 1) {
            stones[point / size][point % size] = Some(Side::White);
        }
        if own.iter().any(|vertex| stones[vertex.y as usize][vertex.x as usize].is_some()) {
            continue;
        }
        own.iter().for_each(|vertex| stones[vertex.y as usize][vertex.x as usize] = Some(Side::Black));
        if SlowGo::all_breathe(&stones) {
            worlds.push(board.grid().rows_text(|x, y| stones[y][x]));
        }
    }
    worlds
}

#[test]
fn hidden_stones_are_uniform_over_all_places_where_they_may_be() {
    // Some draws fail, but never twenty of them.
    for (own, n_enemies, n_worlds) in
        [(&["a2", "b1"][..], 2, 15), (&["b2"], 4, 69), (&["b2", "a1"], 3, 30), (&["a2", "c3", "c1"], 3, 12)]
    {
        let mut counts: BTreeMap<String, u64> =
            all_worlds(3, own, n_enemies).into_iter().map(|world| (world, 0)).collect();
        assert_eq!(counts.len(), n_worlds, "{own:?}");
        let guess = black_view(3, own, n_enemies).assume(None);
        let mut rng = Seed::new(2).child(n_enemies as u64).rng();
        for _ in 0..1000 * counts.len() {
            let text = guess.world(&mut rng).position_text().unwrap();
            let rows = text.split(' ').next().unwrap();
            *counts.get_mut(rows).unwrap_or_else(|| panic!("{rows} is no world")) += 1;
        }
        let p = uniformity_p_value(&counts.into_values().collect::<Vec<_>>());
        assert!(p > 1e-6, "p = {p:e} for {own:?} and {n_enemies}");
    }
}

/// Where there is no room for all, some are left out, and the rest is a board.
#[test]
fn stones_without_room_are_left_out() {
    let view = black_view(3, &["a2", "b1", "b2", "c2"], 4);
    let mut rng = Seed::new(3).rng();
    for _ in 0..200 {
        let world = view.assume(None).world(&mut rng);
        view.agrees(&world).unwrap();
        assert!(world.board().stones(Side::White).count() <= 3);
        assert!(!Side::BOTH.into_iter().any(|side| world.board().has_dead(side)));
    }
}
