//! Golden searches: small searches of every game whose results are known to the last bit.
//!
//! A search with a budget in samples is a function of its game, player and seed, so every correct
//! program finds the same moves for the same reasons, whatever compiled it and wherever it runs.
//! `golden_searches.txt` has a digest of each result. Tests compare the libraries with it, and
//! `tesuji selftest` compares the program that people run: a program made of stale or broken parts
//! gives itself away there, before it plays games that somebody publishes.

use std::fmt::Write;

use tesuji_core::Seed;
use tesuji_search::{Limits, Report};

use crate::{GameSpec, PlayerSpec};

/// Every search, one a line: the game, the player and the digest.
const FILE: &str = include_str!("golden_searches.txt");

/// Samples of a golden search.
const SAMPLES: u64 = 200;

/// The seed of all golden searches.
const SEED: u64 = 3;

/// Moves before the search of a phantom game, so that there are hidden stones.
const HIDDEN_OPENING: [&str; 4] = ["c3", "b2", "d4", "b4"];

/// A search whose result is known.
///
/// ```
/// use tesuji_catalog::GoldenSearch;
/// let search = GoldenSearch::all().find(|search| search.game == "ataxx:5" && search.player == "rave").unwrap();
/// assert_eq!(search.digest(), search.expected);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoldenSearch<'a> {
    /// The spec of the game.
    pub game: &'a str,
    /// The spec of the player.
    pub player: &'a str,
    /// The digest of the correct result.
    pub expected: &'a str,
}

impl GoldenSearch<'static> {
    /// All golden searches.
    pub fn all() -> impl Iterator<Item = GoldenSearch<'static>> {
        FILE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
            let mut words = line.split(' ');
            Some(GoldenSearch { game: words.next()?, player: words.next()?, expected: words.next()? })
        })
    }
}

impl GoldenSearch<'_> {
    /// Searches, and returns the digest of the result: 32 hexadecimal digits.
    ///
    /// # Panics
    /// If the game or the player does not exist.
    pub fn digest(&self) -> String {
        Seed::new(0).child(facts(&self.search()).as_str()).to_string()
    }

    fn search(&self) -> Report<String> {
        let game: GameSpec = self.game.parse().expect("golden searches are of games that exist");
        let player: PlayerSpec = self.player.parse().expect("golden searches are by players that exist");
        let mut position = game.start().expect("golden searches are of boards that exist");
        if game.info().is_hidden {
            for mv in HIDDEN_OPENING {
                position.play(mv).expect("the opening is legal");
            }
        }
        let mut player = game.player(player.config()).expect("the player can play the game");
        position.in_words(player.search(&*position.sight(), &Limits::samples(SAMPLES), Seed::new(SEED), None))
    }
}

/// What a search found, as text with the bits of every number: all but times and memory.
fn facts(report: &Report<String>) -> String {
    let bits =
        |number: Option<f64>| number.map_or("-".to_owned(), |number| format!("{:x}", number.to_bits()));
    let name = |arm: usize| report.arms[arm].mv.as_str();
    let mut text = format!("{} {} {}\n", report.chosen.map_or("-", name), report.budget, report.spent);
    for arm in &report.arms {
        let amaf = arm.amaf.map_or(0, |amaf| amaf.count);
        let proof = arm.proof.map_or("-".to_owned(), |outcome| outcome.to_string());
        let numbers = [arm.mean, arm.amaf.map(|amaf| amaf.mean), arm.score, arm.q].map(bits).join(" ");
        let _ = writeln!(text, "{} {} {amaf} {numbers} {proof}", arm.mv, arm.visits);
    }
    for round in &report.rounds {
        let _ = writeln!(text, "round {} {}", round.samples_each, round.kept);
        for ranked in &round.ranking {
            let numbers = [ranked.q, ranked.mean, ranked.bonus].map(Some).map(bits).join(" ");
            let _ = writeln!(text, "{} {numbers}", name(ranked.arm));
        }
    }
    text
}
