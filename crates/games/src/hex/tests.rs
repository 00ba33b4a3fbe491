use std::collections::BTreeMap;

use tesuji_core::perft_file::{Entry, entries};
use tesuji_core::{
    Code, Game, IllegalMove, Outcome, Playout, Rng, Seed, Side, Silent, Symmetry, isa, perft,
    playout_by_move_lists,
};
use tesuji_testkit::conformance::Suite;
use tesuji_testkit::networks::written;
use tesuji_testkit::statistics::{goodness_p_value, uniformity_p_value};
use tesuji_testkit::{perft_file, playthrough, reference};

use super::playout::FillAndLook;
use super::reference::SlowHex;
use super::*;
use crate::{misere, without_wins};

/// A right program meets a smaller tail about once in a million tests; seeds
/// are fixed.
const P_LIMIT: f64 = 1e-6;

const SUITE: Suite =
    Suite { games: 6, longest: 400, playouts: 60, playout_cap: None, fills_the_board: true, draws: 20_000 };

fn small(size: usize, swap: Swap) -> SmallHex {
    SmallHex::new(HexRules { size, swap }).unwrap()
}

fn large(size: usize, swap: Swap) -> LargeHex {
    LargeHex::new(HexRules { size, swap }).unwrap()
}

fn after<G: Game>(start: &G, moves: &str) -> G {
    let mut game = start.clone();
    for text in moves.split_whitespace() {
        game.play(game.parse_move(text).unwrap_or_else(|error| panic!("{error}"))).unwrap();
    }
    game
}

fn position(size: usize, swap: Swap, text: &str) -> SmallHex {
    small(size, swap).parse_position(text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn perft_counts() {
    let read = |name: &str| {
        let (size, swap) = match name.strip_suffix("(swap=on)") {
            Some(size) => (size, Swap::On),
            None => (name, Swap::Off),
        };
        (size.trim().parse().unwrap(), swap)
    };
    let file = include_str!("hex.perft");
    perft_file::check(file, 2_000_000, |name| {
        let (size, swap) = read(name);
        (large(size, swap), SlowHex::new(size, swap == Swap::On))
    });
    for Entry { size: name, counts } in entries(file) {
        let (size, swap) = read(&name);
        if size <= SmallHex::LARGEST {
            for (&count, depth) in counts.iter().zip(1..) {
                assert_eq!(perft(&small(size, swap), depth), count, "{name}, depth {depth}");
            }
        }
    }
}

#[test]
fn agrees_with_the_reference() {
    for (size, games) in [(2, 20), (3, 30), (4, 30), (5, 20), (8, 6), (11, 3), (12, 3)] {
        for swap in [Swap::Off, Swap::On] {
            let slow = SlowHex::new(size, swap == Swap::On);
            reference::agrees_along_random_games(&small(size, swap), &slow, games, 400);
            reference::agrees_along_random_games(&large(size, swap), &slow, games, 400);
        }
    }
    for size in [13, 16, 19] {
        reference::agrees_along_random_games(&large(size, Swap::Off), &SlowHex::new(size, false), 1, 400);
    }
}

#[test]
fn conforms() {
    SUITE.run(&small(3, Swap::Off));
    SUITE.run(&small(11, Swap::Off));
    SUITE.run(&large(13, Swap::Off));
    Suite { games: 1, playouts: 20, draws: 15_000, ..SUITE }.run(&large(19, Swap::Off));
}

#[test]
fn conforms_with_the_swap_and_misere() {
    SUITE.run(&small(2, Swap::On));
    SUITE.run(&small(5, Swap::On));
    SUITE.run(&after(&small(5, Swap::On), "b4"));
    SUITE.run(&misere(small(5, Swap::On)));
    SUITE.run(&misere(small(11, Swap::Off)));
    let suite = Suite { fills_the_board: false, ..SUITE };
    suite.run(&without_wins(small(3, Swap::Off)));
    suite.run(&without_wins(small(5, Swap::On)));
    suite.run(&without_wins(after(&small(6, Swap::Off), "c3 d3 c4 d4 c2 d2")));
    Suite { games: 2, playouts: 20, ..suite }.run(&without_wins(small(11, Swap::Off)));
}

#[test]
fn golden_playthrough() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/hex/playthrough.txt");
    playthrough::check(&small(5, Swap::On), 100, file);
}

#[test]
fn black_joins_top_and_bottom_white_left_and_right() {
    let start = small(3, Swap::Off);
    assert_eq!(start.to_move(), Side::Black);
    let game = after(&start, "a1 b1 a2 b2");
    assert_eq!(game.outcome(), None);
    assert_eq!(after(&game, "a3").outcome(), Some(Outcome::Win(Side::Black)));
    let game = after(&start, "a1 a2 c1 b2 a3 c2");
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::White)));
    assert!(game.moves().is_empty());
    assert_eq!(game.clone().play(HexMove::Stone { x: 1, y: 0 }), Err(IllegalMove));
    // Black from left to right, White from top to bottom: nobody wins by that.
    assert_eq!(after(&start, "a1 a2 b1 b2 c1").outcome(), None);
    assert_eq!(after(&start, "b1 a1 b2 a2 c2 a3").outcome(), None);
}

#[test]
fn a_cell_has_the_six_neighbours_of_the_drawing() {
    // Both diagonals from c3: the one to d2 and b4 connects, the other does not.
    let start = small(5, Swap::Off);
    let joined = after(&start, "e1 a1 d2 a2 c3 a3 b4 c5 a5");
    assert_eq!(joined.outcome(), Some(Outcome::Win(Side::Black)));
    let apart = after(&start, "a1 e1 b2 e2 c3 e3 d4 c5 e5");
    assert_eq!(apart.outcome(), None);
    // In the drawing the cells next to each other in a line are two columns
    // apart and those of neighbouring lines one: that is what must be adjacent.
    let lines: Vec<Vec<char>> = joined.drawing().lines().map(|line| line.chars().collect()).collect();
    let column = |x: usize, y: usize| 5 + y + 2 * x;
    for y in 0..5 {
        for x in 0..5 {
            let mark = crate::grid::mark(joined.stone(x, y));
            assert_eq!(lines[2 + y][column(x, y)], mark);
        }
    }
    for (x, y) in [(3, 1), (2, 3), (1, 3), (3, 2), (1, 2), (2, 1)] {
        let apart = (column(x, y) as i32 - column(2, 2) as i32).abs();
        assert_eq!(apart, if y == 2 { 2 } else { 1 }, "({x}, {y})");
    }
}

#[test]
fn drawing() {
    let game = after(&small(4, Swap::Off), "b2 c3 d1");
    let expected = [
        "   a b c d",
        "    • • • • •",
        " 1 ◦ · · · ● ◦ 1",
        "  2 ◦ · ● · · ◦ 2",
        "   3 ◦ · · ○ · ◦ 3",
        "    4 ◦ · · · · ◦ 4",
        "       • • • • •",
        "          a b c d",
        "",
    ];
    assert_eq!(game.drawing(), expected.join("\n"));
}

#[test]
fn a_winding_chain_is_followed() {
    // One Black chain that goes up and down across the whole board, as a spiral
    // of walls with single gaps; no shorter way is open.
    let walls = |size: usize| {
        let mut rows = vec![vec!['b'; size]; size];
        for x in (1..size).step_by(2) {
            for (y, row) in rows.iter_mut().enumerate() {
                let gap = if x % 4 == 1 { size - 2 } else { 1 };
                if y != gap {
                    row[x] = 'w';
                }
            }
        }
        // The top edge is open in the first column, the bottom edge in the last.
        for x in (0..size).step_by(2) {
            if x > 0 {
                rows[0][x] = 'w';
            }
            if x + 1 < size {
                rows[size - 1][x] = 'w';
            }
        }
        rows
    };
    for size in [5, 7, 9, 11, 13, 15, 19] {
        for broken in [false, true] {
            let mut rows = walls(size);
            if broken {
                rows[size / 2][size / 2 / 2 * 2] = 'w';
            }
            let mut slow = SlowHex::new(size, false);
            let mut fast = large(size, Swap::Off);
            for (y, row) in rows.iter().enumerate() {
                for (x, &cell) in row.iter().enumerate() {
                    let side = Side::from_letter(cell).unwrap();
                    fast.put(side, x, y);
                    slow = slow.with(x, y, side);
                }
            }
            let winner = slow.winner().unwrap();
            assert_eq!(winner == Side::White, broken, "size {size}\n{}", fast.drawing());
            for side in Side::BOTH {
                assert_eq!(fast.is_connected(side), side == winner, "size {size}\n{}", fast.drawing());
            }
        }
    }
}

#[test]
fn swap_mirrors_the_stone_once() {
    let start = small(4, Swap::On);
    assert!(!start.is_legal(HexMove::Swap));
    let one = after(&start, "c1");
    assert!(one.is_legal(HexMove::Swap));
    assert_eq!(one.n_moves(), 16);
    let swapped = after(&one, "SWAP");
    assert_eq!(swapped.position_text().as_deref(), Some("4/4/w3/4 b"));
    assert_eq!(swapped.stone(0, 2), Some(Side::White));
    assert!(!swapped.is_legal(HexMove::Swap));
    assert!(!after(&swapped, "a1").is_legal(HexMove::Swap));
    assert!(!after(&one, "a1").is_legal(HexMove::Swap));
    assert!(!after(&one, "a1 b1").is_legal(HexMove::Swap));
    assert!(!after(&small(4, Swap::Off), "c1").is_legal(HexMove::Swap));
    // The stone on the long diagonal stays where it is.
    assert_eq!(after(&start, "b2 swap").position_text().as_deref(), Some("4/1w2/4/4 b"));
}

#[test]
fn a_possible_swap_is_in_the_hash_only_while_it_is_possible() {
    let (off, on) = (small(4, Swap::Off), small(4, Swap::On));
    assert_eq!(off.hash(), on.hash());
    assert_ne!(after(&off, "c1").hash(), after(&on, "c1").hash());
    assert_eq!(after(&off, "c1 a1").hash(), after(&on, "c1 a1").hash());
}

#[test]
fn codes() {
    let game = small(11, Swap::Off);
    assert_eq!(game.n_codes(), 242);
    assert_eq!(game.code(HexMove::Stone { x: 5, y: 1 }), 16);
    assert_eq!(after(&game, "a1").code(HexMove::Stone { x: 5, y: 1 }), 137);
    let game = small(11, Swap::On);
    assert_eq!(game.n_codes(), 243);
    assert_eq!(after(&game, "a1").code(HexMove::Swap), 242);
}

#[test]
fn half_a_turn() {
    let game = after(&small(4, Swap::On), "c1 b4");
    assert_eq!(game.symmetries(), [Symmetry::IDENTITY, Symmetry::HALF_TURN]);
    let turned = game.transformed(Symmetry::HALF_TURN);
    assert_eq!(turned.position_text().as_deref(), Some("2w1/4/4/1b2 b"));
    assert_eq!(
        game.transformed_move(HexMove::Stone { x: 0, y: 1 }, Symmetry::HALF_TURN),
        HexMove::Stone { x: 3, y: 2 }
    );
}

#[test]
fn sizes() {
    let error = |size| SmallHex::new(HexRules { size, swap: Swap::Off }).unwrap_err().to_string();
    assert_eq!(error(13), "Hex is not played on a board of size 13: sizes go from 2 to 12");
    assert_eq!(error(1), "Hex is not played on a board of size 1: sizes go from 2 to 12");
    let error = LargeHex::new(HexRules { size: 20, swap: Swap::Off }).unwrap_err().to_string();
    assert_eq!(error, "Hex is not played on a board of size 20: sizes go from 2 to 19");
    for size in 2..=19 {
        let rules = HexRules { size, swap: Swap::On };
        assert_eq!(LargeHex::new(rules).unwrap().rules(), rules);
        assert_eq!(LargeHex::new(rules).unwrap().n_moves(), (size * size) as u64);
    }
}

#[test]
fn positions_as_text() {
    let start = small(11, Swap::Off);
    assert_eq!(start.position_text().as_deref(), Some("11/11/11/11/11/11/11/11/11/11/11 b"));
    assert_eq!(after(&start, "f6").position_text().as_deref(), Some("11/11/11/11/11/5b5/11/11/11/11/11 w"));
    assert_eq!(position(3, Swap::Off, "b2/1w1/3 b"), after(&small(3, Swap::Off), "a1 b2"));
    let over = position(2, Swap::Off, "bw/b1 w");
    assert_eq!(over.outcome(), Some(Outcome::Win(Side::Black)));
    // One stone more for White: only a swap explains it.
    assert_eq!(position(3, Swap::On, "w2/3/3 b"), after(&small(3, Swap::On), "a1 swap"));
    assert_eq!(position(3, Swap::On, "w2/b2/3 w"), after(&small(3, Swap::On), "a1 swap a2"));
    assert!(position(3, Swap::On, "b2/3/3 w").is_legal(HexMove::Swap));
}

#[test]
fn impossible_positions_are_refused() {
    let error = |swap, text: &str| small(3, swap).parse_position(text).unwrap_err().to_string();
    let is = |reason: &str, text: &str| format!("'{text}' is not a position of this game: {reason}");
    for (swap, text, reason) in [
        (
            Swap::Off,
            "3/3/3 w",
            "with White to move there must be one Black stone more than White ones, not 0 Black and 0 White",
        ),
        (
            Swap::Off,
            "w2/3/3 b",
            "with Black to move there must be as many Black stones as White ones, not 0 Black and 1 White",
        ),
        (
            Swap::On,
            "3/3/3 w",
            "with White to move there must be one Black stone more than White ones, or one fewer after a swap, \
             not 0 Black and 0 White",
        ),
        (
            Swap::On,
            "b2/3/3 b",
            "with Black to move there must be as many Black stones as White ones, or one fewer after a swap, \
             not 1 Black and 0 White",
        ),
        (Swap::Off, "bw1/bw1/bw1 b", "Black is connected, so it cannot be Black's turn"),
        (Swap::Off, "www/bbb/b2 w", "White is connected, so it cannot be White's turn"),
        (
            Swap::Off,
            "bbw/bbw/1bw w",
            "with White to move there must be one Black stone more than White ones, not 5 Black and 3 White",
        ),
        (Swap::Off, "3/3 b", "it has 2 rows; this board has 3 rows"),
        (Swap::Off, "3/3/3 b 1", "after the side to move come 0 more fields, not 1"),
        (Swap::Off, "3/3/3", "after the rows comes the side to move, b or w, not nothing"),
    ] {
        assert_eq!(error(swap, text), is(reason, text));
    }
    // Two whole chains of Black's: the game was over before the second.
    let text = "bwbww/bwbw1/bwbw1/bwbw1/b1b2 w";
    let error = small(5, Swap::Off).parse_position(text).unwrap_err().to_string();
    assert_eq!(error, is("Black was connected before the last stone already", text));
}

#[test]
fn moves_as_text() {
    let game = after(&small(3, Swap::On), "b2");
    assert_eq!(game.parse_move(" C1 "), Ok(HexMove::Stone { x: 2, y: 0 }));
    assert_eq!(game.parse_move("Swap"), Ok(HexMove::Swap));
    assert_eq!(
        game.parse_move("b2").unwrap_err().to_string(),
        "'b2' is not a legal move here: 9 moves are legal: a1, b1, c1, a2, c2, …"
    );
    let over = position(2, Swap::Off, "bw/b1 w");
    assert_eq!(
        over.parse_move("b2").unwrap_err().to_string(),
        "'b2' is not a legal move here: the game is over"
    );
}

#[test]
fn a_playout_of_a_finished_game_is_its_outcome() {
    let over = position(2, Swap::Off, "bw/b1 w");
    let mut rng = Seed::new(1).rng();
    let mut codes: Vec<Code> = Vec::new();
    let expected = Playout { outcome: Outcome::Win(Side::Black), plies: 0 };
    assert_eq!(over.playout(&mut rng, &mut codes), expected);
    assert!(codes.is_empty());
    assert_eq!(rng, Seed::new(1).rng());
}

fn same_with_portable_instructions<const WORDS: usize, const ROWS: usize>(start: &Hex<WORDS, ROWS>) {
    let mut rng = Seed::new(5).rng();
    for _ in 0..200 {
        let (mut a, mut b) = (rng.clone(), rng.clone());
        let (mut fast, mut portable): (Vec<Code>, Vec<Code>) = (Vec::new(), Vec::new());
        let playout = start.playout(&mut a, &mut fast);
        let kernel = FillAndLook { start, rng: &mut b, record: &mut portable };
        assert_eq!(isa::dispatch_portable(kernel), playout);
        assert_eq!(portable, fast);
        assert_eq!(a, b);
        rng.bits();
    }
}

#[test]
fn all_instruction_sets_play_the_same() {
    same_with_portable_instructions(&small(11, Swap::Off));
    same_with_portable_instructions(&after(&small(3, Swap::On), "a1"));
    same_with_portable_instructions(&large(19, Swap::Off));
}

/// Which of the cells empty at the start Black was given, as text.
fn black_cells<G: Game>(start: &G, rng: &mut Rng, n_cells: Code) -> Vec<Code> {
    let mut codes = Vec::new();
    start.playout(rng, &mut codes);
    let mut cells: Vec<Code> = codes.into_iter().filter(|&code| code < n_cells).collect();
    cells.sort_unstable();
    cells
}

#[test]
fn every_subset_of_the_cells_is_equally_likely() {
    // (position, subsets of Black's share): 9 over 5; 8 over 4; 7 over 4 for
    // White to move after a swap, so 7 over 3 for Black.
    let cases = [
        (small(3, Swap::Off), 126),
        (after(&small(3, Swap::Off), "b2"), 70),
        (after(&small(3, Swap::On), "a3 swap b2"), 35),
        (after(&small(3, Swap::Off), "b2 a1"), 35),
    ];
    for (start, n_subsets) in cases {
        let mut rng = Seed::new(6).rng();
        let mut counts = BTreeMap::new();
        for _ in 0..n_subsets * 400 {
            *counts.entry(black_cells(&start, &mut rng, 9)).or_insert(0_u64) += 1;
        }
        assert_eq!(counts.len(), n_subsets);
        let p = uniformity_p_value(&counts.into_values().collect::<Vec<_>>());
        assert!(p > P_LIMIT, "p = {p:e} at\n{}", start.drawing());
    }
}

#[test]
fn every_order_of_play_is_equally_likely() {
    // Five cells are left: 5! orders.
    let start = position(3, Swap::Off, "bw1/1w1/1b1 b");
    let mut rng = Seed::new(7).rng();
    let mut counts = BTreeMap::new();
    for _ in 0..120 * 400 {
        let mut codes = Vec::new();
        start.playout(&mut rng, &mut codes);
        *counts.entry(codes).or_insert(0_u64) += 1;
    }
    assert_eq!(counts.len(), 120);
    let p = uniformity_p_value(&counts.into_values().collect::<Vec<_>>());
    assert!(p > P_LIMIT, "p = {p:e}");
}

#[test]
fn black_wins_as_often_as_in_the_plain_loop() {
    let starts = [
        small(5, Swap::Off),
        after(&small(4, Swap::Off), "a1"),
        after(&small(4, Swap::On), "b3"),
        after(&small(5, Swap::Off), "c3 b2 a4"),
    ];
    for start in starts {
        let mut rng = Seed::new(8).rng();
        let n = 20_000;
        let black = Outcome::Win(Side::Black);
        let fast = (0..n).filter(|_| start.playout(&mut rng, &mut Silent).outcome == black).count() as u64;
        let plain = (0..n)
            .filter(|_| playout_by_move_lists(&start, &mut rng, &mut Silent).outcome == black)
            .count() as u64;
        // Two samples of equal size: with m the mean of the two counts, the sum
        // of (a - b)²/(a + b) over winners is χ²; counts doubled give just that.
        let cell = |a: u64, b: u64| (2 * a, (a + b) as f64);
        let p = goodness_p_value(&[cell(fast, plain), cell(n - fast, n - plain)]);
        assert!(p > P_LIMIT, "p = {p:e}: {fast} and {plain} of {n} at\n{}", start.drawing());
    }
}

/// Whoever has only connecting moves left loses. On a board of odd size that is mostly the side
/// that moves first, even if both play at random: 93 % on 11x11.
#[test]
fn nobody_may_connect() {
    let game = without_wins(position(3, Swap::Off, "b1b/www/b2 b"));
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::White)), "White is connected already");
    let game = without_wins(position(3, Swap::Off, "1b1/w1w/1b1 b"));
    let texts: Vec<String> = game.moves().into_iter().map(|mv| game.move_text(mv)).collect();
    assert!(!texts.contains(&"b2".to_owned()) && texts.contains(&"c1".to_owned()), "{texts:?}");
    let error = game.parse_move("b2").unwrap_err().to_string();
    assert!(error.contains("it would win, which is illegal"), "{error}");
    let mut rng = Seed::new(5).rng();
    let start = without_wins(small(11, Swap::Off));
    let first = (0..2000)
        .filter(|_| start.playout(&mut rng, &mut Silent).outcome == Outcome::Win(Side::Black))
        .count();
    assert!((100..180).contains(&first), "Black won {first} of 2,000");
}

/// The fast playouts without connections end as the slow ones do.
#[test]
fn unconnected_playouts_are_uniform() {
    for (size, moves) in [(3, ""), (4, "b2"), (5, "c3 b4"), (7, "d4 d5 c5")] {
        let start = after(&small(size, Swap::Off), moves);
        let mut rng = Seed::new(size as u64).rng();
        let (mut fast, mut slow) = (BTreeMap::<(bool, u32), u64>::new(), BTreeMap::new());
        for _ in 0..3000 {
            let key = |Playout { outcome, plies }| (outcome == Outcome::Win(Side::Black), plies);
            let quick = start.playout_without_wins(&mut rng, &mut Silent).expect("nobody may swap");
            *fast.entry(key(quick)).or_default() += 1;
            let plain = playout_by_move_lists(&without_wins(start.clone()), &mut rng, &mut Silent);
            *slow.entry(key(plain)).or_default() += 1_u64;
        }
        let keys: std::collections::BTreeSet<_> = fast.keys().chain(slow.keys()).copied().collect();
        // Two samples of one distribution: each against the mean of both.
        let cells: Vec<(u64, f64)> = keys
            .iter()
            .flat_map(|key| {
                let (a, b) = (fast.get(key).copied().unwrap_or(0), slow.get(key).copied().unwrap_or(0));
                let expected = (a + b) as f64 / 2.0;
                [(a, expected), (b, expected)]
            })
            .filter(|(_, expected)| *expected >= 5.0)
            .collect();
        let chi: f64 =
            cells.iter().map(|(seen, expected)| (*seen as f64 - expected).powi(2) / expected).sum();
        assert!(chi < 6.0 * cells.len() as f64 + 20.0, "{size} {moves}: {chi} of {}", cells.len());
    }
}

/// A position and its mirror image with the colours exchanged look the same to a network, and so
/// do their moves.
#[test]
fn networks_see_both_colours_alike() {
    let mut game = small(7, Swap::Off);
    let form = game.network_form().unwrap();
    assert_eq!((form.encoding.as_str(), form.n_logits), ("hex/1", 49));
    let mut rng = Seed::new(6).child("colours").rng();
    while let Some(&mv) = rng.choose(&game.moves()) {
        let mut image = small(7, Swap::Off);
        for y in 0..7 {
            for x in 0..7 {
                if let Some(side) = game.stone(x, y) {
                    image.put(!side, y, x);
                }
            }
        }
        image.to_move = !game.to_move;
        let planes = written(&game, &form);
        assert_eq!(planes, written(&image, &form), "{}", game.drawing());
        if let HexMove::Stone { x, y } = mv {
            assert_eq!(game.logit(mv), image.logit(HexMove::Stone { x: y, y: x }));
        }
        game.play_unchecked(mv);
        // The stone just played is the enemy's now, at the turned cell.
        let HexMove::Stone { x, y } = mv else { continue };
        let (row, column) = if game.to_move == Side::Black { (y, x) } else { (x, y) };
        let cell = usize::from(row) * 7 + usize::from(column);
        assert_eq!(written(&game, &form)[49 + cell], 1.0);
    }
    assert_eq!(small(7, Swap::On).network_form().unwrap().n_logits, 50);
}
