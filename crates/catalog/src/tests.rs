use proptest::prelude::*;

use tesuji_core::spec::Value;
use tesuji_core::{Seed, Side, drawing};
use tesuji_search::{Attempt, Limits, Player, quiet_opening};

use crate::{BoardSizes, GameInfo, GameSpec, MoveNames, Shape, SpecError, games};

fn spec(text: &str) -> GameSpec {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn sentence(text: &str) -> String {
    match text.parse::<GameSpec>() {
        Ok(spec) => panic!("'{text}' is {spec}"),
        Err(error) => error.to_string(),
    }
}

/// All boards within a game's ranges.
fn boards(info: &GameInfo) -> Vec<(usize, usize)> {
    match &info.board {
        BoardSizes::Square { sizes, .. } => sizes.clone().map(|size| (size, size)).collect(),
        BoardSizes::Rectangle { widths, heights, .. } => {
            widths.clone().flat_map(|width| heights.clone().map(move |height| (width, height))).collect()
        }
    }
}

#[test]
fn canonical_texts_are_read_as_printed() {
    for (text, canonical) in [
        ("hex", "hex:11"),
        ("HEX:7", "hex:7"),
        (" hex : 7 ( swap = ON ) ", "hex:7(swap=on)"),
        ("hex:7(swap=off)", "hex:7"),
        ("hex:7()", "hex:7"),
        ("hex:7x7", "hex:7"),
        ("domineering:6x8", "domineering:6x8"),
        ("domineering:8x8", "domineering:8"),
        ("misere(domineering:6X8)", "nodomineering:6x8"),
        ("Misère( hex )", "nohex:11"),
        ("NoBreakthrough", "nobreakthrough:8"),
        ("noknightthrough:5x6", "noknightthrough:5x6"),
        ("misere(hex:3(swap=on))", "nohex:3(swap=on)"),
        ("go:9(komi=6.50,superko=off)", "go:9(komi=6.5,superko=off)"),
        ("go(superko=off,komi=-0.5)", "go:9(komi=-0.5,superko=off)"),
        ("go:19(draws=black,komi=7.5)", "go:19"),
        ("ataxx:8(draws=half)", "ataxx:8(draws=half)"),
        ("misere(ataxx:5(cap=20))", "noataxx:5(cap=20)"),
        ("nogo:7", "nogo:7"),
        ("misere(nogo:7)", "misere(nogo:7)"),
        ("misere(go)", "misere(go:9)"),
        ("noatarigo", "noatarigo:9"),
    ] {
        assert_eq!(spec(text).to_string(), canonical);
        assert_eq!(spec(canonical), spec(text));
    }
}

#[test]
fn every_board_of_the_table_can_be_started_and_is_read_back() {
    for info in games() {
        for (width, height) in boards(info) {
            let game = format!("{}:{width}x{height}", info.name);
            // Phantom games have no misère twin.
            let twin = (!info.is_hidden).then(|| format!("misere({game})"));
            for text in [Some(game), twin].into_iter().flatten() {
                let spec = spec(&text);
                assert_eq!(spec.board(), (width, height));
                assert_eq!(spec.to_string().parse(), Ok(spec.clone()));
                let game = spec.start().unwrap();
                assert!(game.outcome().is_some() || game.n_moves() > 0);
            }
        }
    }
}

#[test]
fn boards_outside_the_table_are_refused() {
    for info in games() {
        let (least, most) = match &info.board {
            BoardSizes::Square { sizes, .. } => (*sizes.start(), *sizes.end()),
            BoardSizes::Rectangle { widths, heights, .. } => {
                (*widths.start().min(heights.start()), *widths.end().max(heights.end()))
            }
        };
        for size in [0, least - 1, most + 1, 1_000_000_000] {
            let error = sentence(&format!("{}:{size}", info.name));
            assert_eq!(error, format!("{} is not played on size '{size}': {}", info.name, info.board));
        }
    }
}

#[test]
fn every_value_of_every_option_can_be_started_and_is_read_back() {
    for info in games() {
        for option in info.options {
            let mut values: Vec<String> = option.values.words.iter().map(|word| (*word).to_owned()).collect();
            if let Some(interval) = option.values.number {
                let numbers = [interval.least, -0.5, 0.0, 6.5, interval.most].into_iter();
                values.extend(numbers.filter(|&n| interval.contains(n)).map(|n| n.to_string()));
            }
            for value in values {
                let spec = spec(&format!("{}({}={value})", info.name, option.name));
                assert_eq!(spec.to_string().parse(), Ok(spec.clone()));
                assert_eq!(spec.to_string().contains('('), Some(value.as_str()) != option.default, "{spec}");
                assert!(spec.start().unwrap().n_moves() > 0);
            }
        }
    }
}

/// A game in which nobody may win has the name of the misère twin, whichever was written.
#[test]
fn winning_moves_can_be_illegal() {
    let game = spec("hex:5(wins=illegal)");
    assert_eq!(game.to_string(), "nohex:5(wins=illegal)");
    assert_eq!(game, spec("misere(hex:5(wins=illegal))"));
    assert_eq!(game.twin().to_string(), "hex:5");
    assert!(game.rules().ends_with("a side without a legal move loses."));
    assert!(game.goals().contains("illegal"));
    let by_option = spec("hex:5").with_option("wins", Value::Word("illegal")).unwrap();
    assert_eq!(by_option, game);
}

#[test]
fn names_are_unique_and_in_order() {
    let names: Vec<&str> = games().iter().map(|info| info.name).collect();
    assert!(names.is_sorted());
    let mut all: Vec<&str> =
        games().iter().flat_map(|info| [Some(info.name), info.misere]).flatten().collect();
    all.sort_unstable();
    assert!(all.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn twins_are_told_apart() {
    let game = spec("hex:3");
    let twin = game.twin();
    assert!(twin.is_misere() && !game.is_misere());
    assert_ne!(game, twin);
    assert_eq!(twin.twin(), game);
    let (mut a, mut b) = (game.start().unwrap(), twin.start().unwrap());
    for mv in ["a1", "a2", "b1", "b2", "c1", "c2", "a3", "b3", "c3"] {
        if a.outcome().is_none() {
            a.play(mv).unwrap();
            b.play(mv).unwrap();
        }
    }
    assert_eq!(a.outcome().unwrap(), b.outcome().unwrap().flipped());
}

#[test]
fn legends_have_the_symbols_of_drawings() {
    for info in games() {
        let mut board = info.name.parse::<GameSpec>().unwrap().start().unwrap();
        let mut rng = Seed::new(1).rng();
        for _ in 0..6 {
            board.play_at_random(&mut rng);
        }
        for (side, pieces) in Side::BOTH.into_iter().zip(info.pieces) {
            let symbols: Vec<char> = pieces.chars().filter(|symbol| !symbol.is_ascii()).collect();
            assert!(!symbols.is_empty(), "{}", info.name);
            for symbol in symbols {
                assert!(board.drawing().contains(symbol), "{}: {symbol}\n{}", info.name, board.drawing());
                assert_eq!(drawing::owner(symbol), Some(side), "{}: {symbol}", info.name);
            }
        }
    }
}

#[test]
fn an_error_names_the_wrong_word_and_what_is_allowed() {
    let unknown = sentence("chess:8");
    assert!(unknown.starts_with("'chess' is not a game: there are "), "{unknown}");
    assert!(games().iter().all(|info| unknown.contains(info.name)), "{unknown}");
    for (text, expected) in [
        ("hex:20", "hex is not played on size '20': the board is square and its size 2 to 19"),
        ("hex:7x8", "hex is not played on size '7x8': the board is square and its size 2 to 19"),
        ("hex:", "hex is not played on size '': the board is square and its size 2 to 19"),
        ("hex:+7", "hex is not played on size '+7': the board is square and its size 2 to 19"),
        (
            "breakthrough:9",
            "breakthrough is not played on size '9': the width is 2 to 8 and the height 4 to 8",
        ),
        ("hex:7(komi=3)", "hex has no option 'komi': its options are swap, wins"),
        ("domineering(swap=on)", "domineering has no option 'swap': its only option is wins"),
        ("nogo(swap=on)", "nogo has no option 'swap': it has none"),
        ("hex(swap=maybe)", "'maybe' is not a value of hex's option swap: it is on or off"),
        ("hex(swap=)", "'' is not a value of hex's option swap: it is on or off"),
        ("hex(swap)", "'hex(swap)' is not a game: options are written name=value, with commas between them"),
        ("go(kom=1)", "go has no option 'kom': did you mean komi?"),
        ("go(size=9)", "go has no option 'size': its options are komi, superko, draws"),
        ("nohexx", "'nohexx' is not a game: did you mean nohex?"),
        (
            "go(komi=0.25)",
            "'0.25' is not a value of go's option komi: it is a number from -361 to 361 in steps of 0.5",
        ),
        ("hex(swap=on,swap=on)", "hex's option swap is given twice"),
        ("hex(swap=on", "'hex(swap=on' is not a game: the bracket is not closed at the end"),
        ("misere(hex:7", "'misere(hex:7' is not a game: misere( has no closing bracket at the end"),
        (
            "misere(nohex)",
            "'misere(nohex)' is not a game: this is a misère game already, so leave out misere( )",
        ),
    ] {
        assert_eq!(sentence(text), expected);
    }
    assert!(matches!("".parse::<GameSpec>(), Err(SpecError::UnknownGame { .. })));
    assert!(sentence(&"x".repeat(100_000)).len() < 600);
}

/// Texts that are nearly specs, so that the parser is reached past its first word.
fn nearly() -> impl Strategy<Value = String> {
    let words = [
        "hex",
        "nohex",
        "domineering",
        "misere",
        "misère",
        ":",
        "(",
        ")",
        ",",
        "=",
        "x",
        "swap",
        "on",
        "7",
        "11",
        "8",
        " ",
        "-",
        "é",
        "\0",
    ];
    prop::collection::vec(prop::sample::select(words.to_vec()), 0..12).prop_map(|words| words.concat())
}

proptest! {
    #[test]
    fn garbage_is_refused_in_one_line_and_what_is_read_is_printed(text in prop_oneof![nearly(), ".*"]) {
        match text.parse::<GameSpec>() {
            Ok(spec) => prop_assert_eq!(spec.to_string().parse(), Ok(spec)),
            Err(error) => {
                let sentence = error.to_string();
                prop_assert!(!sentence.contains('\n') && sentence.chars().count() < 400, "{}", sentence);
            }
        }
    }
}

/// The smallest board of each game on which there is something to search, and of its twin.
fn small_games() -> Vec<GameSpec> {
    let boards = [
        "atarigo:3",
        "ataxx:3",
        "breakthrough:3x4",
        "domineering:3",
        "go:3",
        "hex:3",
        "knightthrough:3x5",
        "nogo:3",
    ];
    let seen = games().iter().filter(|info| !info.is_hidden).count();
    assert_eq!(boards.len(), seen, "a game is missing here");
    boards.iter().flat_map(|board| [spec(board), spec(&format!("misere({board})"))]).collect()
}

#[test]
fn players_of_all_kinds_play_whole_games_of_every_game() {
    for game in small_games() {
        for text in ["random", "greedy", "uct+solver+reuse", "hybrid-shuss(t=16)", "flat(sh)", "shot"] {
            let player: crate::PlayerSpec = text.parse().unwrap();
            let mut player = game.player(player.config()).unwrap();
            let mut position = game.start().unwrap();
            // Ataxx alone can go on for long, and its cap is tested elsewhere.
            for ply in 0..40_u64 {
                let seed = Seed::new(1).child(ply);
                let report = player.search(&*position.sight(), &Limits::samples(20), seed, None);
                let Some(mv) = report.mv() else { break };
                assert!(position.moves().contains(&mv), "{game} {text}: {mv:?} is not legal");
                assert!(report.arms.iter().all(|arm| position.moves().contains(&arm.mv)));
                position.attempt(mv);
            }
            let report = player.search(&*position.sight(), &Limits::samples(20), Seed::new(1), None);
            assert_eq!(report.chosen.is_none(), position.outcome().is_some(), "{game} {text}");
        }
    }
}

#[test]
fn flat_players_play_whole_games_of_every_phantom_game() {
    for game in ["dark-hex:3", "phantom-go:3", "phantom-go:3(announce=refusals)"].map(spec) {
        for text in ["random", "flat(uniform)", "flat(sh)", "flat(shuss(t=8))"] {
            let player: crate::PlayerSpec = text.parse().unwrap();
            let mut player = game.player(player.config()).unwrap();
            let mut position = game.start().unwrap();
            let mut refused = 0;
            let mut asked = 0;
            while position.outcome().is_none() {
                assert!(asked < 400, "{game} {text} does not end");
                let report =
                    player.search(&*position.sight(), &Limits::samples(20), Seed::new(1).child(asked), None);
                asked += 1;
                assert!(report.arms.iter().all(|arm| position.moves().contains(&arm.mv)));
                for arm in report.ranking() {
                    match position.attempt(report.arms[arm].mv) {
                        Attempt::Stands { .. } => break,
                        Attempt::Refused => refused += 1,
                    }
                }
            }
            assert!(refused > 0, "{game} {text}: nobody ran into anything");
            assert!(position.attempt_text("a1").is_err(), "a finished game has no moves");
        }
        for text in ["greedy", "uct", "sh+uct", "flat(sh)+prior(sh,8)"] {
            let player: crate::PlayerSpec = text.parse().unwrap();
            assert!(matches!(game.player(player.config()), Err(SpecError::Player { .. })), "{text}");
        }
        assert!(sentence(&format!("misere({game})")).contains("no misère twin"));
    }
}

#[test]
fn an_opening_is_what_a_seed_plays_while_nothing_happens() {
    let game = spec("phantom-go:5");
    let player: crate::PlayerSpec = "flat(sh)".parse().unwrap();
    let mut player = game.player(player.config()).unwrap();
    let start = game.start().unwrap();
    let seed = |ply: u64| Seed::new(3).child(ply);
    let search_at = |ply: u64| (Limits::samples(50), seed(ply));
    for side in tesuji_core::Side::BOTH {
        let opening = quiet_opening(&mut *player, &*start, side, 3, &search_at);
        assert_eq!(opening.len(), 3);
        assert_eq!(quiet_opening(&mut *player, &*start, side, 1, &search_at)[..], opening[..1]);
    }
    // Black's first move is that of the search.
    let report = player.search(&*start.sight(), &Limits::samples(50), seed(0), None);
    let opening = quiet_opening(&mut *player, &*start, Side::Black, 1, &search_at);
    assert_eq!(report.mv().as_ref(), opening.first());
}

#[test]
fn an_option_can_be_changed() {
    let game = spec("phantom-go:5(superko=off)");
    let changed = game.with_option("komi", Value::Number(3.5)).unwrap();
    assert_eq!(changed.to_string(), "phantom-go:5(komi=3.5,superko=off)");
    assert_eq!(changed.with_option("komi", Value::Number(7.5)).unwrap(), game);
    assert!(game.with_option("swap", Value::Word("on")).is_err());
}

#[test]
fn a_player_that_forgets_is_as_new() {
    let game = spec("hex:4");
    let player: crate::PlayerSpec = "uct+reuse".parse().unwrap();
    let mut player = game.player(player.config()).unwrap();
    let position = game.start().unwrap();
    let mut search = |seed| {
        player.forget();
        player.search(&*position.sight(), &Limits::samples(200), Seed::new(seed), None)
    };
    let first = search(1);
    assert_ne!(search(2), first);
    assert_eq!(search(1), first);
}

#[test]
fn a_player_may_go_from_one_game_to_another() {
    for text in ["random", "greedy", "uct", "rave+reuse", "sh+uct+reuse", "shot", "uct+prior(sh,8)"] {
        let player: crate::PlayerSpec = text.parse().unwrap();
        let search = |player: &mut dyn Player, game: &str| {
            let board = spec(game).start().unwrap();
            board.in_words(player.search(&*board.sight(), &Limits::samples(100), Seed::new(1), None))
        };
        let fresh = search(&mut *player.config().player(), "domineering:4");
        let mut traveller = player.config().player();
        search(&mut *traveller, "hex:4");
        assert_eq!(search(&mut *traveller, "domineering:4"), fresh, "{text}");
    }
}

#[test]
fn games_that_are_counted_have_a_margin() {
    let margin = |spec: &str| {
        let mut game = spec.parse::<GameSpec>().unwrap().start().unwrap();
        game.play("pass").unwrap();
        assert_eq!(game.margin(), None);
        game.play("pass").unwrap();
        game.margin()
    };
    assert_eq!(margin("go:5(komi=6.5)"), Some(-6.5));
    assert_eq!(margin("misere(go:5)"), None);
}

/// The pieces, asked for cell by cell, are those of the position's text; and moves name what
/// the table says they do.
#[test]
fn boards_are_as_the_table_says() {
    for info in games().iter().filter(|info| !info.is_hidden) {
        let spec = GameSpec::of(info);
        let (width, height) = spec.board();
        let mut rng = Seed::new(1).child(info.name).rng();
        let mut game = spec.start().unwrap();
        for _ in 0..12 {
            let rows = |y: usize| -> String {
                let mark = |x| game.piece_at(x, y).map_or('.', |side| side.letter());
                (0..width).map(mark).collect()
            };
            let mut drawn: Vec<String> = (0..height).map(rows).collect();
            if info.shape != Shape::Hexagons {
                drawn.reverse();
            }
            let text = game.position_text().unwrap();
            let unpacked = |row: &str| -> String {
                let mut cells = String::new();
                let mut number = 0;
                for letter in row.chars().chain(['/']) {
                    match letter.to_digit(10) {
                        Some(digit) => number = 10 * number + digit as usize,
                        None => {
                            cells.extend(std::iter::repeat_n('.', std::mem::take(&mut number)));
                            cells.push(letter);
                        }
                    }
                }
                cells.trim_end_matches('/').to_owned()
            };
            let rows = text.split(' ').next().unwrap();
            assert_eq!(drawn, rows.split('/').map(unpacked).collect::<Vec<_>>(), "{spec}: {text}");
            let moves = game.legal_texts();
            if info.names == MoveNames::Cell {
                // Where a piece may be put there is none, and the name is the cell's.
                let names =
                    |(x, y): (usize, usize)| game.piece_at(x, y).is_none().then(|| info.shape.cell(x, y));
                let empty: std::collections::BTreeSet<String> =
                    (0..width * height).filter_map(|cell| names((cell % width, cell / width))).collect();
                assert!(moves.iter().all(|mv| mv == "pass" || empty.contains(mv)), "{spec}");
            }
            let is_cell = |name: &str| name.len() <= 3 && name[1..].parse::<usize>().is_ok();
            for mv in moves.iter().filter(|mv| *mv != "pass") {
                let cells: Vec<&str> = mv.split(['-', 'x']).collect();
                let named = match info.names {
                    MoveNames::Cell => 1..=1,
                    MoveNames::Domino => 2..=2,
                    MoveNames::FromTo => 1..=2,
                };
                assert!(
                    named.contains(&cells.len()) && cells.iter().all(|cell| is_cell(cell)),
                    "{spec}: {mv}"
                );
            }
            if info.names == MoveNames::Domino {
                let firsts: std::collections::BTreeSet<&str> =
                    moves.iter().filter_map(|mv| mv.split('-').next()).collect();
                assert_eq!(firsts.len(), moves.len(), "{spec}: the first cell tells the domino");
            }
            assert!(game.arm_texts().iter().all(|mv| moves.contains(mv)), "{spec}");
            game.play_at_random(&mut rng);
        }
    }
}

#[test]
fn games_can_be_played_out() {
    for spec in ["go:5", "hex:5", "domineering:4", "phantom-go:4", "nobreakthrough:5"] {
        let mut rng = Seed::new(2).rng();
        let start = spec.parse::<GameSpec>().unwrap().start().unwrap();
        let end = start.played_out(&mut rng, 10_000);
        assert!(end.outcome().is_some(), "{spec}");
        assert!(start.played_out(&mut rng, 1).outcome().is_none(), "{spec}");
        assert_eq!(start.outcome(), None);
    }
}

/// What a side of a phantom game knows and imagines agrees with its own pieces.
#[test]
fn sides_know_their_own_pieces_and_imagine_the_others() {
    for spec in ["phantom-go:5", "dark-hex:4"] {
        let mut rng = Seed::new(3).rng();
        let mut game = spec.parse::<GameSpec>().unwrap().start().unwrap();
        let (width, height) = spec.parse::<GameSpec>().unwrap().board();
        let cells = || (0..width * height).map(|cell| (cell % width, cell / width));
        while game.outcome().is_none() && cells().any(|(x, y)| game.piece_at(x, y).is_none()) {
            for side in Side::BOTH {
                let world = game.imagined(side, &mut rng).unwrap();
                for (x, y) in cells() {
                    let (there, known) = (game.piece_at(x, y), game.known_at(side, x, y));
                    assert_eq!(there == Some(side), known == Some(side), "{spec} {x} {y}");
                    assert_eq!(known == Some(side), world.piece_at(x, y) == Some(side), "{spec} {x} {y}");
                }
            }
            if game.play_at_random(&mut rng).is_none_or(|mv| mv == "pass") {
                break;
            }
        }
    }
    let open = "hex:3".parse::<GameSpec>().unwrap().start().unwrap();
    assert!(open.imagined(Side::Black, &mut Seed::new(1).rng()).is_none());
    assert_eq!(open.known_at(Side::White, 1, 1), None);
}

#[test]
fn a_watched_count_is_the_same_count_and_can_be_broken_off() {
    use std::ops::ControlFlow;
    for info in games() {
        let start = info.name.parse::<GameSpec>().unwrap().start().unwrap();
        let mut seen = Vec::new();
        let count = start.perft_watched(3, &mut |progress| {
            seen.push(progress);
            ControlFlow::Continue(())
        });
        assert_eq!(count, Some(start.perft(3)), "{}", info.name);
        let (first, last) = (seen[0], *seen.last().unwrap());
        assert_eq!((first.done, first.total, last.done + 1), (0, last.total, last.total), "{}", info.name);
        assert!(seen.is_sorted_by_key(|progress| progress.done));
        assert_eq!(start.perft_watched(3, &mut |_| ControlFlow::Break(())), None);
        assert_eq!(start.perft_watched(1, &mut |_| ControlFlow::Break(())), Some(start.perft(1)));
    }
}
