//! A game from its start to its end, board by board.

use serde::Serialize;
use tesuji_catalog::GameSpec;
use tesuji_core::{Seed, Side};
use tesuji_search::{Attempt, Board, Tried};
use tesuji_session::REFUSED;

use crate::error::Refusal;
use crate::games::{BoardJson, OutcomeJson, ViewsJson, board, cells, cells_of_move};

/// Worlds that are drawn to see what a side believes.
const WORLDS: usize = 64;

/// A game to be replayed.
#[derive(Serialize)]
pub(crate) struct ReplayJson {
    game: String,
    board: BoardJson,
    hidden: bool,
    black: String,
    white: String,
    outcome: Option<OutcomeJson>,
    frames: Vec<Frame>,
}

impl ReplayJson {
    pub(crate) fn new(
        game: &GameSpec,
        [black, white]: [String; 2],
        outcome: Option<OutcomeJson>,
        frames: Vec<Frame>,
    ) -> ReplayJson {
        let hidden = game.info().is_hidden;
        ReplayJson { game: game.to_string(), board: board(game), hidden, black, white, outcome, frames }
    }
}

/// The board after a move or an attempt.
#[derive(Serialize)]
pub(crate) struct Frame {
    r#move: Option<String>,
    side: Option<Side>,
    refused: bool,
    text: String,
    last: Vec<String>,
    to_move: Side,
    cells: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    views: Option<ViewsJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    belief: Option<Belief>,
}

/// How likely each side takes an enemy's piece to be on a cell, in hundredths.
#[derive(Serialize)]
struct Belief {
    black: Vec<u8>,
    white: Vec<u8>,
}

/// What led to a frame.
struct Step {
    side: Side,
    word: String,
    is_refused: bool,
    text: String,
}

/// All boards of a game whose moves and attempts these are. A move that is not legal is told,
/// and ends it.
pub(crate) fn replay(game: &GameSpec, words: &[String]) -> Result<Vec<Frame>, Refusal> {
    let mut position = game.start()?;
    let mut frames = vec![frame(game, &*position, None, 0)];
    for (number, word) in (1..).zip(words) {
        let side = position.to_move();
        let text = word.strip_prefix(REFUSED).unwrap_or(word).to_owned();
        let step = match position.attempt_text(&text) {
            Ok(Tried { text: mv, attempt: Attempt::Stands { news } }) => {
                let news = news.map_or_else(String::new, |news| format!(" and {news}"));
                let said =
                    if mv == "pass" { format!("{side} passes") } else { format!("{side} plays {mv}{news}") };
                Step { side, word: mv, is_refused: false, text: said }
            }
            Ok(Tried { text: mv, attempt: Attempt::Refused }) => {
                let said = format!("{side} tries {mv}, which the referee refuses");
                Step { side, word: mv, is_refused: true, text: said }
            }
            Err(_) => {
                let said = format!("{side} plays {text}, which is not legal");
                frames.push(frame(
                    game,
                    &*position,
                    Some(Step { side, word: text, is_refused: true, text: said }),
                    number,
                ));
                break;
            }
        };
        frames.push(frame(game, &*position, Some(step), number));
    }
    Ok(frames)
}

fn frame(game: &GameSpec, position: &dyn Board, step: Option<Step>, number: u64) -> Frame {
    let hidden = game.info().is_hidden;
    let text = match &step {
        None => "The start".to_owned(),
        Some(step) => format!("{number}: {}", step.text),
    };
    let believed = |side: Side| believes(game, position, side, Seed::new(number).child("belief"));
    Frame {
        last: step.as_ref().map_or_else(Vec::new, |step| cells_of_move(&step.word)),
        side: step.as_ref().map(|step| step.side),
        refused: step.as_ref().is_some_and(|step| step.is_refused),
        r#move: step.map(|step| step.word),
        text,
        to_move: position.to_move(),
        cells: cells(game, position, None),
        views: hidden.then(|| ViewsJson::of(game, position)),
        belief: hidden.then(|| Belief { black: believed(Side::Black), white: believed(Side::White) }),
    }
}

/// The share of the worlds that a side's searches would draw in which an enemy's piece stands
/// on a cell.
fn believes(game: &GameSpec, position: &dyn Board, side: Side, seed: Seed) -> Vec<u8> {
    let (width, height) = game.board();
    let mut counts = vec![0_usize; width * height];
    let mut rng = seed.child(side.index() as u64).rng();
    for _ in 0..WORLDS {
        let Some(world) = position.imagined(side, &mut rng) else { break };
        for (cell, count) in counts.iter_mut().enumerate() {
            *count += usize::from(world.piece_at(cell % width, cell / width) == Some(!side));
        }
    }
    counts.into_iter().map(|count| ((100 * count + WORLDS / 2) / WORLDS) as u8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn frames_show_what_each_side_knows_and_believes() {
        let game: GameSpec = "phantom-go:3".parse().unwrap();
        let frames = replay(&game, &words("b2 ?b2 a1 c3")).unwrap();
        assert_eq!(frames.len(), 5);
        assert_eq!(frames[2].text, "2: White tries b2, which the referee refuses");
        assert!(frames[2].refused);
        let views = frames[4].views.as_ref().unwrap();
        assert_eq!(serde_json::to_value(views).unwrap()["black"], "....X...X");
        assert_eq!(serde_json::to_value(views).unwrap()["white"], "O...X....");
        let belief = frames[4].belief.as_ref().unwrap();
        // White has one stone somewhere Black has none; White knows of b2, and of another one.
        assert_eq!(belief.black[4], 0);
        assert_eq!(belief.white[4], 100);
        let sum: u32 = belief.black.iter().map(|&share| u32::from(share)).sum();
        assert!((95..=105).contains(&sum), "{sum}");
    }

    #[test]
    fn an_illegal_move_ends_it() {
        let game: GameSpec = "hex:3".parse().unwrap();
        let frames = replay(&game, &words("b2 b2 a1")).unwrap();
        assert_eq!(frames.len(), 3);
        assert_eq!(frames[2].text, "2: White plays b2, which is not legal");
        assert!(frames[2].views.is_none());
    }
}
