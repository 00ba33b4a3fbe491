//! The golden searches, in the build that tests use; `tesuji selftest` does the same in the program.
//!
//! `UPDATE_GOLDEN=1` writes the file anew after an intended change of the searches.

use tesuji_catalog::{GameSpec, GoldenSearch, games};

/// Searches that record playouts and searches that do not.
const PLAYERS: [&str; 5] =
    ["uct", "rave", "hybrid-shuss(t=256)", "grave(ref=5)", "ect(stop=1e-4)+uct+prior(sh,8)"];

/// Players of games in which the enemy is hidden.
const HIDDEN_PLAYERS: [&str; 3] = ["flat(uniform)", "flat(sh)", "flat(shuss(t=8))"];

/// Each kind of set that Go's boards have, and both kinds of Hex. Games on smaller boards have the first two.
const SIZES: [&str; 4] = ["5", "8", "13", "19"];

const HEAD: &str = "# Game, player, and a digest of what the search finds: see golden.rs.\n";

#[test]
fn every_game_is_searched_as_it_always_was() {
    let mut now = HEAD.to_owned();
    for info in games() {
        let players = if info.is_hidden { &HIDDEN_PLAYERS[..] } else { &PLAYERS };
        for size in SIZES {
            let game = format!("{}:{size}", info.name);
            if game.parse::<GameSpec>().and_then(|spec| spec.start().map(drop)).is_err() {
                continue;
            }
            let twin = (!info.is_hidden).then(|| format!("misere({game})"));
            for game in [Some(game), twin].iter().flatten() {
                for player in players {
                    let digest = GoldenSearch { game, player, expected: "" }.digest();
                    now += &format!("{game} {player} {digest}\n");
                }
            }
        }
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/golden_searches.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(file, now).unwrap();
        return;
    }
    let stored = std::fs::read_to_string(file).unwrap();
    for (now, stored) in now.lines().zip(stored.lines()) {
        assert_eq!(
            now, stored,
            "a search has changed; UPDATE_GOLDEN=1 writes the file anew if that is intended"
        );
    }
    assert_eq!(now, stored, "some searches are missing, or too many; UPDATE_GOLDEN=1 writes the file anew");
    let listed: Vec<GoldenSearch<'_>> = GoldenSearch::all().collect();
    assert_eq!(listed.len() + 1, now.lines().count());
}
