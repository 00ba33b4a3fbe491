//! Measures how many games questions about several players need, and how often answers are wrong.
//!
//! ```text
//! cargo run --release -p tesuji-arena --example rating_questions -- 1000
//! ```
//!
//! The argument is the number of simulated tournaments for each row. A round has as many pairs of
//! games as there are pairs of players. A round robin plays one pair of each; a plan plays what
//! gains most. The tournament ends as soon as the question is answered with 5 % doubt, or after the
//! given number of rounds.

#[path = "../tests/ratings/simulation.rs"]
mod simulation;

use std::error::Error;

use simulation::{Tournament, World};
use tesuji_arena::ratings::Question;
use tesuji_core::Seed;

#[allow(clippy::print_stdout, reason = "the table is what this program is for")]
fn main() -> Result<(), Box<dyn Error>> {
    let tournaments: u64 = std::env::args().nth(1).unwrap_or("1000".to_owned()).parse()?;
    println!(
        "{:<18} {:<11} {:>6} {:>7} | {:<11} {:>8} {:>6} {:>10}",
        "question", "players", "draws", "decided", "games", "answered", "wrong", "mean games"
    );
    let steps = |n: i32, gap: i32| (0..n).map(|i| f64::from(-gap * i)).collect::<Vec<f64>>();
    let close = |n: usize, gap: f64| (0..n).map(|i| if i == 0 { gap } else { 0.0 }).collect::<Vec<f64>>();
    let cases: [(&str, Question, Vec<f64>, u64); 8] = [
        ("8, steps of 40", Question::First, steps(8, 40), 400),
        ("8, steps of 15", Question::First, steps(8, 15), 400),
        ("8, one by 50", Question::First, close(8, 50.0), 400),
        ("8, one by 15", Question::First, close(8, 15.0), 400),
        ("3, one by 10", Question::First, close(3, 10.0), 2000),
        ("8, ±20 Elo", Question::List, steps(8, 40), 400),
        ("8, steps of 40", Question::Ahead(2, 3), steps(8, 40), 400),
        ("2, one by 2", Question::Ahead(0, 1), close(2, 2.0), 4000),
    ];
    for (name, question, elo, most_rounds) in cases {
        for (draws, decided) in [(0.0, 0.0), (0.5, 0.5)] {
            for is_planned in [false, true] {
                let world = World { elo: elo.clone(), advantage: 30.0, draws, decided };
                let tournament = Tournament { question, world, is_planned, most_rounds, within: 20.0 };
                let seed = Seed::new(1).child("questions").child(name);
                let results: Vec<_> = (0..tournaments).map(|i| tournament.play(seed.child(i))).collect();
                let answered = results.iter().filter(|result| result.answer.is_some()).count();
                let wrong = results.iter().filter(|result| result.is_wrong).count();
                let games =
                    results.iter().map(|result| result.games).sum::<u64>() as f64 / tournaments as f64;
                println!(
                    "{:<18} {name:<11} {draws:>6} {decided:>7} | {:<11} {answered:>8} {wrong:>6} {games:>10.0}",
                    format!("{question:?}"),
                    if is_planned { "planned" } else { "round robin" },
                );
            }
        }
    }
    Ok(())
}
