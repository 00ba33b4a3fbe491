//! Scores as engines write them, compared with our own count.
//!
//! Our count decides the game: the board as it stands, by the rules of the game's spec. An engine
//! that counts differently plays by other rules, or treats stones still on the board as dead;
//! whoever set up the match should know.

use serde::Serialize;
use tesuji_catalog::GameSpec;
use tesuji_core::Side;

use crate::record::REFUSED;

/// An engine that counts games differently from the rules.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Disagreement {
    /// The name and version that the engine reports.
    pub engine: String,
    /// The number of games that the engine counted.
    pub counted: u64,
    /// The number of games whose score differs from that of the rules.
    pub games: u64,
    /// The index of the first such game.
    pub first: u64,
    /// The engine's score of that game, as it wrote it.
    pub score: String,
    /// The score of that game by the rules.
    pub count: String,
}

/// A game that engines gave a score: its index and moves, and of the player and its
/// opponent the engine and its score.
pub(crate) struct Scored {
    pub(crate) index: u64,
    pub(crate) moves: String,
    pub(crate) engines: [String; 2],
    pub(crate) scores: [String; 2],
}

/// The engines that count games differently from the rules. Games are in the order of their
/// indices.
pub(crate) fn disagreements(game: &GameSpec, all: &[Scored]) -> Vec<Disagreement> {
    let mut found: Vec<Disagreement> = Vec::new();
    for scored in all {
        let Some(margin) = margin(game, &scored.moves) else { continue };
        for (engine, score) in scored.engines.iter().zip(&scored.scores) {
            let Some(agrees) = agrees(score, margin) else { continue };
            let place = found.iter().position(|other| other.engine == *engine).unwrap_or_else(|| {
                let (score, count) = (String::new(), String::new());
                found.push(Disagreement {
                    engine: engine.clone(),
                    counted: 0,
                    games: 0,
                    first: 0,
                    score,
                    count,
                });
                found.len() - 1
            });
            let it = &mut found[place];
            it.counted += 1;
            if !agrees {
                it.games += 1;
                if it.games == 1 {
                    (it.first, it.score, it.count) = (scored.index, score.clone(), score_text(margin));
                }
            }
        }
    }
    found.retain(|it| it.games > 0);
    found
}

/// The points by which Black has won a game, if the game has a count.
fn margin(game: &GameSpec, moves: &str) -> Option<f64> {
    let mut position = game.start().ok()?;
    for mv in moves.split_whitespace().filter(|word| !word.starts_with(REFUSED)) {
        position.play(mv).ok()?;
    }
    position.margin()
}

/// A score as the Go Text Protocol writes it, from the points by which Black has won.
///
/// ```
/// use tesuji_arena::score_text;
/// assert_eq!([3.5, -2.0, 0.0].map(score_text), ["B+3.5", "W+2", "0"]);
/// ```
pub fn score_text(margin: f64) -> String {
    match margin {
        0.0 => "0".to_owned(),
        margin if margin > 0.0 => format!("B+{margin}"),
        margin => format!("W+{}", -margin),
    }
}

/// Whether an engine's score is equal to this margin; `None` if it is not a score. A score without
/// points agrees if the winner is the same.
fn agrees(score: &str, margin: f64) -> Option<bool> {
    let word = score.split_whitespace().next()?.to_lowercase();
    if ["0", "0.0", "draw", "jigo"].contains(&word.as_str()) {
        return Some(margin == 0.0);
    }
    let (winner, points) = word.split_once('+')?;
    let winner = match winner {
        "b" | "black" => Side::Black,
        "w" | "white" => Side::White,
        _ => return None,
    };
    let ours = if winner == Side::Black { margin } else { -margin };
    Some(match points.parse::<f64>() {
        // All scores are multiples of a half, or of what somebody chose as komi.
        Ok(points) => (points - ours).abs() < 1e-3,
        Err(_) => ours > 0.0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_as_engines_write_them() {
        for (score, margin, expected) in [
            ("B+3.5", 3.5, Some(true)),
            ("b+3.50", 3.5, Some(true)),
            ("W+3.5", 3.5, Some(false)),
            ("W+3.5", -3.5, Some(true)),
            ("B+2.5", 3.5, Some(false)),
            ("0", 0.0, Some(true)),
            ("Draw", 0.0, Some(true)),
            ("0", 1.0, Some(false)),
            ("B+0", 0.0, Some(true)),
            ("W+", -1.0, Some(true)),
            ("B+R", -1.0, Some(false)),
            ("W+3.5 (by area)", -3.5, Some(true)),
            ("", 1.0, None),
            ("cannot score", 1.0, None),
            ("x+1", 1.0, None),
        ] {
            assert_eq!(agrees(score, margin), expected, "{score} {margin}");
        }
    }

    #[test]
    fn engines_that_count_otherwise_are_told_with_their_first_game() {
        let game: GameSpec = "go:5(komi=0.5)".parse().unwrap();
        let scored = |index, scores: [&str; 2]| Scored {
            index,
            moves: "c3 pass pass".to_owned(),
            engines: ["A 1".to_owned(), String::new()],
            scores: scores.map(str::to_owned),
        };
        let all = [scored(0, ["B+24.5", ""]), scored(1, ["W+0.5", ""]), scored(4, ["W+1.5", ""])];
        let expected = Disagreement {
            engine: "A 1".to_owned(),
            counted: 3,
            games: 2,
            first: 1,
            score: "W+0.5".to_owned(),
            count: "B+24.5".to_owned(),
        };
        assert_eq!(disagreements(&game, &all), [expected]);
        assert_eq!(disagreements(&game, &all[..1]), []);
    }
}
