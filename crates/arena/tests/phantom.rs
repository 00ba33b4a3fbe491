//! Phantom games in the arena: attempts, seeds against seeds, books.

use tesuji_arena::record::REFUSED;
use tesuji_arena::{
    Book, BookSeed, Contestant, Definition, Learnt, MatchExperiment, RunSettings, SeedPair, Store,
};
use tesuji_core::Side;

fn experiment(
    name: &str,
    rules: &str,
    games: u64,
    game: &str,
    player: &str,
    opponent: &str,
) -> MatchExperiment {
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    let text = format!(
        "title = \"\"\nseed = 1\ngames = {games}\nrules = {{ {rules} }}\n[[grid]]\ngame = {}\nplayer = {}\nopponent = {}\n",
        quoted(game),
        quoted(player),
        quoted(opponent)
    );
    MatchExperiment::parse(Definition::built_in(name, &text, &[]).unwrap())
        .unwrap_or_else(|error| panic!("{error}"))
}

fn seeds(games: u64) -> MatchExperiment {
    experiment("seeds", "pairing = \"seeds\"", games, GAME, PLAYER, PLAYER)
}

const GAME: &str = "phantom-go:4(komi=2.5)";
const PLAYER: &str = "flat(sh)@60";

fn played(experiment: &MatchExperiment, threads: usize) -> Vec<tesuji_arena::record::Game> {
    let mut store = Store::in_memory().unwrap();
    let summary = experiment.run(&RunSettings::on_threads(threads), &mut store).unwrap();
    assert_eq!((summary.missing, summary.voids), (0, 0));
    store.games(experiment.address, &experiment.cells[0].key).unwrap()
}

#[test]
fn phantom_games_are_functions_of_their_address() {
    for game in ["phantom-go:5", "phantom-go:5(announce=refusals)", "dark-hex:4"] {
        let experiment = experiment("phantom", "", 8, game, "flat(sh)@50", "flat(uniform)@50");
        let games = played(&experiment, 1);
        assert_eq!(played(&experiment, 2), games);
        let refused = |game: &tesuji_arena::record::Game| game.moves.matches(REFUSED).count();
        assert!(games.iter().map(refused).sum::<usize>() > 0, "{game}: nobody ran into anything");
        for game in &games {
            assert_eq!(game.moves.split(' ').count(), game.plies as usize + refused(game));
            assert_eq!(experiment.replay(&experiment.cells[0], game.address.index).as_ref(), Some(game));
            // The transcript is what the referee saw.
            let mut position = experiment.cells[0].game.start().unwrap();
            for word in game.moves.split(' ') {
                match word.strip_prefix(REFUSED) {
                    Some(attempt) => assert!(position.play(attempt).is_err()),
                    None => assert_eq!(position.play(word).as_deref(), Ok(word)),
                }
            }
            assert_eq!(position.outcome(), Some(game.outcome));
        }
    }
}

#[test]
fn a_seed_plays_the_same_whoever_it_meets() {
    let experiment = seeds(25);
    let games = played(&experiment, 2);
    assert!(games.iter().all(|game| game.side == Side::Black));
    let first = |index: usize| games[index].moves.split(' ').next().unwrap().to_owned();
    for index in 0..25 {
        let SeedPair { black, .. } = SeedPair::of(index);
        let same_row = SeedPair { black, white: 0 }.index();
        assert_eq!(first(index as usize), first(same_row as usize));
    }
    // Seeds differ, and games of the same seeds do not.
    let distinct: std::collections::BTreeSet<&str> = games.iter().map(|game| game.moves.as_str()).collect();
    assert!(distinct.len() > 15, "{}", distinct.len());
    assert_eq!(played(&seeds(4), 1)[..], games[..4]);
}

#[test]
fn a_book_of_one_seed_plays_as_that_seed() {
    let experiment = seeds(16);
    let games = played(&experiment, 2);
    let cell = &experiment.cells[0];
    let choice = |number| BookSeed { number, seed: experiment.seed(cell, number).to_string(), weight: 0.5 };
    let book = Book {
        format: Book::FORMAT.to_owned(),
        game: GAME.to_owned(),
        player: PLAYER.to_owned(),
        method: "by hand".to_owned(),
        symmetries: false,
        black: vec![choice(3)],
        white: vec![choice(1)],
        learnt: Learnt::default(),
    };
    let folder = std::env::temp_dir().join(format!("tesuji-book-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("a book.json");
    std::fs::write(&path, book.text()).unwrap();
    let text = format!("portfolio(\"{}\")", path.display());
    let match_of = |game: &str| self::experiment("books", "", 2, game, &text, &text);
    let between = played(&match_of(GAME), 1);
    let wanted = &games[SeedPair { black: 3, white: 1 }.index() as usize];
    assert!(between.iter().all(|game| game.moves == wanted.moves));

    // Its text has the book's digest, and stays readable when the file is gone.
    let contestant: Contestant = text.parse().unwrap();
    assert!(contestant.to_string().contains(&book.digest()) && contestant.is_reproducible());
    assert!(
        contestant
            .check(&"phantom-go:5".parse().unwrap())
            .unwrap_err()
            .to_string()
            .contains("was learnt for")
    );
    std::fs::write(&path, Book { black: vec![choice(2)], ..book }.text()).unwrap();
    let changed: Contestant = contestant.to_string().parse().unwrap();
    assert_eq!(changed.to_string(), contestant.to_string());
    assert!(!changed.is_reproducible());
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(contestant.to_string().parse::<Contestant>().is_ok());
    assert!(text.parse::<Contestant>().unwrap_err().to_string().contains("is not a portfolio"));
}

#[test]
fn books_that_are_none_are_refused() {
    let folder = std::env::temp_dir().join(format!("tesuji-bad-book-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("book.json");
    let refused = |text: &str| {
        std::fs::write(&path, text).unwrap();
        Book::read(&path).unwrap_err().to_string()
    };
    let good = "{\"format\":\"tesuji portfolio 1\",\"game\":\"phantom-go:5\",\"player\":\"flat(sh)@10\",\
                \"method\":\"nash\",\"symmetries\":false,\"black\":[{\"number\":0,\"seed\":\"1\",\"weight\":1}],\
                \"white\":[{\"number\":0,\"seed\":\"1\",\"weight\":1}]}";
    std::fs::write(&path, good).unwrap();
    assert!(Book::read(&path).is_ok());
    for (from, to, reason) in [
        ("portfolio 1", "portfolio 9", "its format is 'tesuji portfolio 9'"),
        ("phantom-go:5", "chess", "its game: 'chess' is not a game"),
        ("flat(sh)@10", "flat(sh)", "has no budget"),
        ("flat(sh)@10", "rave@10", "does not play phantom-go:5"),
        ("\"weight\":1}]}", "\"weight\":0}]}", "White has no seed that could be drawn"),
        ("\"seed\":\"1\"", "\"seed\":\"one\"", "'one' is not a seed"),
        ("{\"format\"", "[\"format\"", "is not a portfolio"),
    ] {
        let found = refused(&good.replace(from, to));
        assert!(found.contains(reason), "{found}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn who_cannot_play_a_phantom_game_is_told() {
    let refused = |game: &str, player: &str| {
        let contestant: Contestant = player.parse().unwrap();
        contestant.check(&game.parse().unwrap()).unwrap_err().to_string()
    };
    assert!(refused("phantom-go:5", "rave@10").contains("only random and flat(POLICY)"));
    assert!(refused("phantom-go:5", "greedy").contains("only random and flat(POLICY)"));
    assert!(refused("dark-hex:5", "gtp(\"gnugo\")").contains("cannot report moves that the referee refuses"));
    assert!(refused("hex:5", "turned(3,uct@10)").contains("the symmetries of its board are 0 to"));
    for text in ["turned(8,uct)", "turned(1)", "turned(x,uct)", "portfolio(book.json)", "portfolio(\"a\"b\")"]
    {
        assert!(text.parse::<Contestant>().is_err(), "{text}");
    }
    let turned: Contestant = " turned( 3 , flat(sh)@10 )".parse().unwrap();
    assert_eq!(turned.to_string(), "turned(3,flat(sh)@10)");
    assert_eq!(turned.unturned().to_string(), "flat(sh)@10");
}

/// Where both players are turned alike, the game is the image of the one they play unturned:
/// as long, and with the same end. In every game, for every symmetry that it has.
#[test]
fn players_that_are_turned_alike_play_the_image_of_the_game() {
    let mut turned_games = 0;
    for info in tesuji_catalog::games() {
        let name = match info.name {
            "breakthrough" | "knightthrough" => "5",
            "ataxx" => "4(cap=40)",
            _ => "4",
        };
        let game = format!("{}:{name}", info.name);
        let player = if info.is_hidden { "flat(sh)@30" } else { "sh+uct@30" };
        let spec: tesuji_catalog::GameSpec = game.parse().unwrap();
        let n_symmetries = spec.start().unwrap().symmetries().len();
        let plain = played(&experiment("turns", "pairing = \"seeds\"", 4, &game, player, player), 1);
        for turn in 1..n_symmetries {
            let turned = format!("turned({turn},{player})");
            let games = played(&experiment("turns", "pairing = \"seeds\"", 4, &game, &turned, &turned), 1);
            for (turned, plain) in games.iter().zip(&plain) {
                assert_eq!(
                    (turned.outcome, turned.plies),
                    (plain.outcome, plain.plies),
                    "{game}, turned {turn}"
                );
                turned_games += 1;
            }
        }
    }
    assert!(turned_games > 100);
}
