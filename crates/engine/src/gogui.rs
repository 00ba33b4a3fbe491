//! What GoGui asks: the rules of games that it does not know, and what it can show in its
//! menu of analyses.

use tesuji_catalog::GameSpec;
use tesuji_core::{Outcome, Side};
use tesuji_session::Cells;

use crate::arguments::Arguments;
use crate::exchange::{Exchange, Refusal, Reply};
use crate::standard::{play_one, take_back};
use crate::table::Command;

/// The beginning of the names of the commands that only GoGui asks.
pub(crate) const RULES: &str = "gogui-rules_";

pub(crate) const COMMANDS: &[Command] = &[
    Command::new("gogui-rules_game_id", |exchange, _| Reply::text(game_id(exchange.session.game()))),
    Command::new("gogui-rules_board", |exchange, _| {
        Reply::text(board(&Cells::of(exchange.session.game(), exchange.session.position())))
    }),
    Command::new("gogui-rules_board_size", |exchange, _| {
        let (width, height) = exchange.session.game().board();
        Reply::text(if width == height { width.to_string() } else { format!("{width} {height}") })
    }),
    Command::new("gogui-rules_legal_moves", |exchange, _| {
        Reply::text(exchange.vertices().written_all(exchange.session.position().legal_texts()))
    }),
    Command::new("gogui-rules_side_to_move", |exchange, _| {
        Reply::text(exchange.session.position().to_move().to_string().to_lowercase())
    }),
    Command::new("gogui-rules_final_result", |exchange, _| {
        let position = exchange.session.position();
        Reply::text(position.outcome().map_or(String::new(), |outcome| result(outcome, position.margin())))
    }),
    Command::new("gogui-analyze_commands", |_, _| Reply::text(ANALYSES)),
    Command::new("gogui-interrupt", |_, _| Reply::empty()),
    Command::new("gogui-play_sequence", play_sequence),
];

/// Kind, label and command of each analysis.
const ANALYSES: &str = "\
gfx/Halving Rounds/tesuji-gfx_rounds
dboard/Ownership/tesuji-ownership
hstring/Explain Last Move/gomill-explain_last_move
hstring/Describe Player/gomill-describe_engine
hstring/Rounds as JSON/tesuji-rounds
param/Parameters/tesuji-param
plist/Dead Stones/final_status_list dead
string/Final Score/final_score
string/Suggest Move/reg_genmove %c
string/CPU Time/cputime";

/// The name of a game as GoGui writes it: a capital, then small letters.
fn game_id(game: &GameSpec) -> String {
    let name = match (game.is_misere(), game.info().misere) {
        (false, _) => game.info().name.to_owned(),
        (true, Some(twin)) => twin.to_owned(),
        (true, None) => format!("misere{}", game.info().name),
    };
    let mut letters = name.chars().filter(char::is_ascii_alphabetic);
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Rows from the top, with blanks between the cells.
fn board(cells: &Cells) -> String {
    let sign = |cell: &Option<Side>| match cell {
        None => ".",
        Some(Side::Black) => "X",
        Some(Side::White) => "O",
    };
    let row = |row: &[Option<Side>]| row.iter().map(sign).collect::<Vec<_>>().join(" ");
    cells.pieces.chunks(cells.width).rev().map(row).collect::<Vec<_>>().join("\n")
}

/// The result of a game as a sentence. `margin` is by how many points Black leads.
fn result(outcome: Outcome, margin: Option<f64>) -> String {
    match (outcome, margin) {
        (Outcome::Draw, _) => "It is a draw".to_owned(),
        // If fewer points win, as in misere games, the margin is not the winner's.
        (Outcome::Win(side), Some(margin)) if margin != 0.0 && (margin > 0.0) == (side == Side::Black) => {
            format!("{side} wins by {}", margin.abs())
        }
        (Outcome::Win(side), _) => format!("{side} wins"),
    }
}

/// Plays colours and moves in turn: all of them, or none.
fn play_sequence(exchange: &mut Exchange<'_>, arguments: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    // A sequence with a syntax error is not begun.
    let mut moves = Vec::new();
    while !arguments.is_empty() {
        moves.push((arguments.side()?, arguments.word("a move")?));
    }
    for ((side, word), n_played) in moves.into_iter().zip(0..) {
        if let Err(failure) = play_one(exchange, side, word) {
            take_back(exchange, n_played)?;
            return Err(failure.into());
        }
    }
    Reply::empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_sentences() {
        let (black, white) = (Outcome::Win(Side::Black), Outcome::Win(Side::White));
        for (outcome, margin, wanted) in [
            (black, Some(3.5), "Black wins by 3.5"),
            (white, Some(-7.0), "White wins by 7"),
            (white, Some(7.0), "White wins"),
            (white, Some(0.0), "White wins"),
            (white, None, "White wins"),
            (Outcome::Draw, Some(0.0), "It is a draw"),
        ] {
            assert_eq!(result(outcome, margin), wanted);
        }
    }
}
