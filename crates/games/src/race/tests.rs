//! What both races are asked, and what the tests of each use.

use tesuji_core::isa::{dispatch, dispatch_portable};
use tesuji_core::{Code, Game, Outcome, Seed, Side, Silent};
use tesuji_testkit::conformance::Suite;
use tesuji_testkit::networks::written;
use tesuji_testkit::perft_file;
use tesuji_testkit::reference::agrees_along_random_games;

use super::lines::Kinds;
use super::reference::SlowRace;
use super::{Piece, Race};
use crate::{Breakthrough, Knightthrough, misere};

/// Reads `8` as 8 by 8 and `3x4` as it stands.
fn size(text: &str) -> (usize, usize) {
    let number = |text: &str| text.parse().expect("a size");
    let (width, height) = text.split_once('x').unwrap_or((text, text));
    (number(width), number(height))
}

pub(crate) fn perft_agrees<P: Piece>(file: &str, reference: fn(usize, usize) -> SlowRace) {
    perft_file::check(file, 100_000, |text| {
        let (width, height) = size(text);
        (Race::<P>::new(width, height).expect("an allowed size"), reference(width, height))
    });
}

pub(crate) fn agrees_with_reference<P: Piece>(reference: fn(usize, usize) -> SlowRace) {
    for (width, height) in [(8, 8), (2, 5), (3, 5), (3, 8), (5, 6), (7, 7), (8, 5)] {
        let game = Race::<P>::new(width, height).expect("an allowed size");
        agrees_along_random_games(&game, &reference(width, height), 20, 400);
    }
}

pub(crate) fn conforms<P: Piece>() {
    let suite = Suite { games: 10, draws: 10_000, ..Suite::default() };
    suite.run(&Race::<P>::default());
    let quick = Suite { games: 5, playouts: 30, draws: 3_000, ..Suite::default() };
    for (width, height) in [(2, 5), (3, 5), (4, 7), (7, 6)] {
        let game = Race::<P>::new(width, height).expect("an allowed size");
        quick.run(&game);
        quick.run(&misere(game));
    }
    quick.run(&misere(Race::<P>::default()));
}

/// The texts of all legal moves, sorted, with blanks between.
pub(crate) fn moves<P: Piece>(game: &Race<P>) -> String {
    let mut texts: Vec<String> = game.moves().iter().map(|&mv| game.move_text(mv)).collect();
    texts.sort();
    texts.join(" ")
}

/// The position with this text, on the board that it fits.
pub(crate) fn at<P: Piece>(text: &str) -> Race<P> {
    let rows: Vec<&str> = text.split([' ', '/']).collect();
    let cells = |letter: char| letter.to_digit(10).unwrap_or(1) as usize;
    let width = rows[0].chars().map(cells).sum();
    Race::<P>::new(width, rows.len() - 1).expect("an allowed size").parse_position(text).expect("a position")
}

/// Plays the moves in turn.
pub(crate) fn after<P: Piece>(mut game: Race<P>, moves: &str) -> Race<P> {
    for text in moves.split_whitespace() {
        game.play(game.parse_move(text).unwrap_or_else(|error| panic!("{error}"))).expect("legal");
    }
    game
}

/// Fast and portable instructions play the same game to the letter.
pub(crate) fn plays_the_same_everywhere<P: Piece>() {
    for (width, height) in [(8, 8), (2, 5), (3, 5), (5, 7)] {
        let start = Race::<P>::new(width, height).expect("an allowed size");
        let second = {
            let mut next = start;
            next.play_unchecked(start.moves()[0]);
            next
        };
        for game in [start, second] {
            for index in 0..200 {
                let mut rng = Seed::new(1).child(index).rng();
                let mut portable_rng = rng.clone();
                let (mut codes, mut portable_codes): (Vec<Code>, Vec<Code>) = Default::default();
                let playout = dispatch(game.kernel(&mut rng, &mut codes));
                let portable = dispatch_portable(game.kernel(&mut portable_rng, &mut portable_codes));
                assert_eq!(playout, portable);
                assert_eq!(codes, portable_codes);
                assert_eq!(rng, portable_rng);
                let mut silent_rng = Seed::new(1).child(index).rng();
                assert_eq!(game.playout(&mut silent_rng, &mut Silent), playout);
                assert_eq!(silent_rng, rng);
            }
        }
    }
}

/// Every code below `n_codes` is somebody's, but for the moves that would leave
/// the board: by colour, each line has its lower (or upper) ends and its kinds.
pub(crate) fn codes_are_dense<P: Piece>() {
    for (width, height) in [(8, 8), (3, 6)] {
        let game = Race::<P>::new(width, height).expect("an allowed size");
        assert_eq!(game.n_codes(), 2 * width * height * Kinds::<P>::ALL as usize);
        let mut seen = vec![false; game.n_codes()];
        for index in 0..3_000 {
            let mut codes: Vec<Code> = Vec::new();
            game.playout(&mut Seed::new(2).child(index).rng(), &mut codes);
            codes.iter().for_each(|&code| seen[usize::from(code)] = true);
        }
        let lines = |step: &super::Step| {
            width.saturating_sub(step.right.unsigned_abs() as usize) * (height - step.up as usize)
        };
        let possible: usize =
            P::STEPS.iter().map(|step| 2 * lines(step) * (1 + usize::from(step.captures))).sum();
        let seen = seen.iter().filter(|&&seen| seen).count();
        // A few are very rare, such as a capture by a piece still in its first
        // row; none is impossible by its number alone.
        assert!(seen <= possible && seen * 10 >= possible * 8, "{seen} of {possible}");
    }
}

/// What a reader says of a text it refuses, after the text itself.
pub(crate) fn refusal<P: Piece>(game: &Race<P>, text: &str) -> String {
    let error = game.parse_position(text).expect_err(text).to_string();
    error.split_once("is not a position of this game: ").expect("the common beginning").1.to_owned()
}

#[test]
fn white_moves_first_and_from_the_bottom() {
    let game = Breakthrough::default();
    assert_eq!(game.to_move(), Side::White);
    assert_eq!(game.position_text().as_deref(), Some("bbbbbbbb/bbbbbbbb/8/8/8/8/wwwwwwww/wwwwwwww w"));
    assert_eq!(game.position_text(), Knightthrough::default().position_text());
    assert_eq!((game.width(), game.height()), (8, 8));
    assert_eq!(Breakthrough::new(8, 8), Ok(game));
}

#[test]
fn positions_that_no_game_reaches_are_refused() {
    let game = Breakthrough::new(3, 5).unwrap();
    for (text, reason) in [
        ("bbb/bbb/b2/www/www w", "Black has 7 pieces and started with 6"),
        ("bbb/bbb/www/www/w2 b", "White has 7 pieces and started with 6"),
        ("w2/3/3/3/2b w", "both sides stand on their far rows, but the first to arrive wins"),
        ("w1w/3/b2/3/3 b", "two pieces of a side stand on its far row, but the first to arrive wins"),
        ("w2/3/b2/3/3 w", "White stands on its far row, so it moved last and Black is to move"),
        ("3/3/w2/3/b2 b", "Black stands on its far row, so it moved last and White is to move"),
        ("3/3/w2/3/3 w", "Black has no piece, so it did not move last and White is not to move"),
        ("3/3/3/3/3 b", "White has no piece, so it did not move last and Black is not to move"),
        ("3/3/3/3 b", "it has 4 rows; this board has 5 rows"),
        ("bbb/bbb/3/www/www", "after the rows comes the side to move, b or w, not nothing"),
        ("bbb/bbb/3/www/www w 0", "after the side to move come 0 more fields, not 1"),
        ("bbb/bbb/4/www/www w", "row '4' does not have 3 cells"),
    ] {
        assert_eq!(refusal(&game, text), reason, "{text}");
    }
}

#[test]
fn a_game_with_a_winner_on_the_far_row_is_over() {
    let game: Breakthrough = at("w2/3/b1b/3/www b");
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::White)));
    assert_eq!((game.n_moves(), moves(&game)), (0, String::new()));
    let mut rng = Seed::new(1).rng();
    let before = rng.clone();
    let playout = game.playout(&mut rng, &mut Silent);
    assert_eq!((playout.outcome, playout.plies), (Outcome::Win(Side::White), 0));
    assert_eq!(rng, before);
    let error = game.parse_move("a3-a2").unwrap_err().to_string();
    assert_eq!(error, "'a3-a2' is not a legal move here: the game is over");
}

#[test]
fn a_side_without_pieces_to_play_loses() {
    let pawns: Breakthrough = at("3/3/w2/3/3 b");
    let knights: Knightthrough = at("3/3/w2/3/3 b");
    assert_eq!(pawns.outcome(), Some(Outcome::Win(Side::White)));
    assert_eq!(knights.outcome(), Some(Outcome::Win(Side::White)));
    let playout = pawns.playout(&mut Seed::new(1).rng(), &mut Silent);
    assert_eq!((playout.outcome, playout.plies), (Outcome::Win(Side::White), 0));
    let pawns: Breakthrough = at("3/3/b2/3/3 w");
    let playout = pawns.playout(&mut Seed::new(1).rng(), &mut Silent);
    assert_eq!((playout.outcome, playout.plies), (Outcome::Win(Side::Black), 0));
}

#[test]
fn a_move_of_the_other_game_is_never_legal_by_accident() {
    let knights = Knightthrough::default();
    let pawns = Breakthrough::default();
    let last = *knights.moves().last().unwrap();
    assert!(!pawns.is_legal(last));
    assert!(pawns.clone().play(last).is_err());
}

/// A position and its mirror image with the colours exchanged look the same to a network, and so
/// do their moves.
fn colours_are_alike<P: Piece>(width: usize, height: usize) {
    let mut game = Race::<P>::new(width, height).expect("an allowed size");
    let form = game.network_form().expect("networks see races");
    let mut rng = Seed::new(5).child("colours").rng();
    while let Some(&mv) = rng.choose(&game.moves()) {
        let turn = |pieces: u64| {
            let turned = crate::bits::indices(pieces).map(crate::bits::cell);
            turned.map(|(x, y)| crate::bits::bit((width - 1 - x, height - 1 - y))).sum::<u64>()
        };
        let [black, white] = game.pieces.map(turn);
        let image = game.with(!game.to_move, [white, black]);
        assert_eq!(written(&game, &form), written(&image, &form), "{}", game.drawing());
        let logits = |game: &Race<P>| {
            game.moves().iter().map(|&mv| game.logit(mv)).collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!(logits(&game), logits(&image), "{}", game.drawing());
        game.play_unchecked(mv);
    }
}

#[test]
fn networks_see_both_colours_alike() {
    for (width, height) in [(8, 8), (3, 5), (7, 6)] {
        colours_are_alike::<crate::Pawn>(width, height);
        colours_are_alike::<crate::Knight>(width, height);
    }
}

/// The planes of a small position, and the numbers of its moves: they are part of the encoding.
#[test]
fn encoding() {
    let game = at::<crate::Pawn>("bbb/b2/1w1/w1w/www w");
    let form = game.network_form().expect("networks see races");
    assert_eq!((form.encoding.as_str(), form.n_logits), ("breakthrough/1", 45));
    let planes = written(&game, &form);
    assert_eq!(planes[..9], [1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
    assert_eq!(planes[15 + 9..30], [1.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    let logit = |text: &str| game.logit(game.parse_move(text).expect("a legal move"));
    assert_eq!([logit("b3xa4"), logit("b3-b4"), logit("b3-c4")], [7, 15 + 7, 30 + 7]);
}
