//! Golden playthroughs: every answer along one fixed random game, as text.
//!
//! The file must be equal to the letter. `UPDATE_GOLDEN=1 cargo test` writes it again
//! after an intended change, and the diff shows what changed.

use std::fmt::Write as _;
use std::path::Path;

use tesuji_core::{Announced, Answer, Game, Phantom, Referee, Seed, Side, View};

/// Every answer of a game along one random game of at most `longest` plies, as text.
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

/// Every attempt of one random phantom game, the referee's answer, and what each side
/// knows then, as text. There are at most `longest` attempts.
pub fn phantom_playthrough<G: Phantom>(start: &G, announced: Announced, longest: u32) -> String {
    let mut text = String::new();
    let mut rng = Seed::new(0).child("phantom playthrough").rng();
    let mut referee = Referee::new(start.clone(), announced);
    for _ in 0..longest {
        let world = referee.world().clone();
        let side = world.to_move();
        let mut candidates = Vec::new();
        referee.view(side).for_each_candidate(|mv| candidates.push(mv));
        let names: Vec<String> = candidates.iter().map(|&mv| referee.view(side).move_text(mv)).collect();
        let _ = writeln!(text, "{side} may try: {}", names.join(" "));
        let Some(mv) = rng.choose(&candidates).copied().or_else(|| referee.view(side).last_resort()) else {
            break;
        };
        let answer = match referee.attempt(mv) {
            Answer::Refused => "is refused".to_owned(),
            Answer::Stands(news) => {
                let words = world.news_text(&news).map(|words| format!(", {side} {words}"));
                format!("stands{}", words.unwrap_or_default())
            }
        };
        let _ = writeln!(text, "> {side} tries {}: it {answer}\n", world.move_text(mv));
        for side in Side::BOTH {
            let view = referee.view(side);
            let _ = writeln!(text, "{side} knows of {} enemies after {} plies", view.n_enemies(), view.ply());
            text.push_str(&view.drawing());
        }
        if let Some(outcome) = referee.outcome() {
            let _ = writeln!(text, "outcome: {outcome}\n{}", referee.world().drawing());
            break;
        }
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

/// Compares the playthrough of a game with its file, or writes the file if the
/// environment variable `UPDATE_GOLDEN` is set.
pub fn check<G: Game>(start: &G, longest: u32, file: impl AsRef<Path>) {
    check_text(&playthrough(start, longest), file);
}

/// Compares a text with its file, or writes the file if the environment variable
/// `UPDATE_GOLDEN` is set.
pub fn check_text(now: &str, file: impl AsRef<Path>) {
    let file = file.as_ref();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(file, now).expect("the golden file can be written");
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
