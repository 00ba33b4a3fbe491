//! Golden playthroughs: every answer along one fixed random game, as text.
//!
//! The file is compared to the letter; `UPDATE_GOLDEN=1 cargo test` writes it
//! anew after an intended change, and the diff shows what changed.

use std::fmt::Write as _;
use std::path::Path;

use tesuji_core::{Game, Seed};

/// Everything a game says of itself along one random game of pure rules, of at
/// most `longest` plies.
pub fn playthrough<G: Game>(start: &G, longest: u32) -> String {
    let mut text = String::new();
    let mut rng = Seed::new(0).child("playthrough").rng();
    let mut position = start.clone();
    for ply in 0..=longest {
        describe(&position, ply, &mut text);
        let Some(&mv) = rng.choose(&position.moves()) else { break };
        let _ = writeln!(text, "> {} (code {})\n", position.move_text(mv), position.code(mv));
        position.play_unchecked(mv);
    }
    text
}

fn describe<G: Game>(position: &G, ply: u32, text: &mut String) {
    let names =
        |moves: Vec<G::Move>| moves.iter().map(|&mv| position.move_text(mv)).collect::<Vec<_>>().join(" ");
    let _ = writeln!(text, "ply {ply}");
    text.push_str(&position.drawing());
    let _ = writeln!(text, "position: {}", position.position_text().unwrap_or_default());
    let _ = writeln!(text, "to move: {}", position.to_move());
    let _ = writeln!(text, "hash: {:016x}", position.hash());
    let outcome = position.outcome().map_or_else(|| "none yet".to_owned(), |outcome| outcome.to_string());
    let _ = writeln!(text, "outcome: {outcome}");
    let _ = writeln!(text, "moves: {}", names(position.moves()));
    if position.search_moves() != position.moves() {
        let _ = writeln!(text, "search moves: {}", names(position.search_moves()));
    }
}

/// Compares a playthrough with its file, or writes the file where the variable
/// `UPDATE_GOLDEN` is set.
pub fn check<G: Game>(start: &G, longest: u32, file: impl AsRef<Path>) {
    let file = file.as_ref();
    let now = playthrough(start, longest);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(file, &now).expect("the golden file can be written");
        return;
    }
    let golden = std::fs::read_to_string(file)
        .unwrap_or_else(|error| panic!("{}: {error}; UPDATE_GOLDEN=1 makes it", file.display()));
    if let Some((line, (was, is))) =
        golden.lines().zip(now.lines()).enumerate().find(|(_, (was, is))| was != is)
    {
        panic!("{}:{}: was «{was}», is «{is}»", file.display(), line + 1);
    }
    assert_eq!(golden.lines().count(), now.lines().count(), "{}: another length", file.display());
}
