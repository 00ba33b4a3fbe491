//! What GoGui asks: the rules of a game that it does not know, and what it may put into
//! its menu of analyses.

use tesuji_core::{Outcome, Side};

use super::arguments::Arguments;
use super::session::{Refusal, Reply, Session, in_the_words_of};
use super::standard::play_one;
use super::table::Command;
use super::{Failure, Position};

/// The beginning of the names by which GoGui is known.
pub(super) const RULES: &str = "gogui-rules_";

pub(super) const COMMANDS: &[Command] = &[
    Command::new("gogui-rules_game_id", |session, _| Reply::text(session.host.position().game)),
    Command::new("gogui-rules_board", |session, _| Reply::text(board(&session.host.position()))),
    Command::new("gogui-rules_board_size", |session, _| Reply::text(board_size(&session.host.position()))),
    Command::new("gogui-rules_legal_moves", |session, _| {
        let vertices = session.vertices();
        Reply::text(vertices.written_all(&session.host.position().moves))
    }),
    Command::new("gogui-rules_side_to_move", |session, _| {
        Reply::text(session.host.position().to_move.to_string().to_lowercase())
    }),
    Command::new("gogui-rules_final_result", |session, _| Reply::text(result(&session.host.position()))),
    Command::new("gogui-analyze_commands", |_, _| Reply::text(ANALYSES)),
    Command::new("gogui-interrupt", |_, _| Reply::empty()),
    Command::new("gogui-play_sequence", play_sequence),
];

/// Kind, label and command of each.
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

fn board(position: &Position) -> String {
    let sign = |cell: &Option<Side>| match cell {
        None => ".",
        Some(Side::Black) => "X",
        Some(Side::White) => "O",
    };
    let row = |row: &Vec<Option<Side>>| row.iter().map(sign).collect::<Vec<_>>().join(" ");
    position.rows.iter().map(row).collect::<Vec<_>>().join("\n")
}

fn board_size(position: &Position) -> String {
    let height = position.rows.len();
    let width = position.rows.first().map_or(0, Vec::len);
    if width == height { width.to_string() } else { format!("{width} {height}") }
}

/// A sentence for people; nothing while the game goes on.
fn result(position: &Position) -> String {
    match (position.outcome, position.margin) {
        (None, _) => String::new(),
        (Some(Outcome::Draw), _) => "It is a draw".to_owned(),
        // Where fewer points win, the margin says nothing about by how much.
        (Some(Outcome::Win(side)), Some(margin))
            if (margin > 0.0) == (side == Side::Black) && margin != 0.0 =>
        {
            format!("{side} wins by {}", margin.abs())
        }
        (Some(Outcome::Win(side)), _) => format!("{side} wins"),
    }
}

/// Colours and moves in turn. All are played, or none.
fn play_sequence(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    // What is not even written well is not begun.
    let mut moves = Vec::new();
    while !arguments.is_empty() {
        moves.push((arguments.side()?, arguments.word("a move")?));
    }
    for ((side, word), n_played) in moves.into_iter().zip(0..) {
        if let Err(refusal) = play_one(session, side, word) {
            take_back(session, n_played)?;
            return Err(refusal);
        }
    }
    Reply::empty()
}

fn take_back(session: &mut Session<'_>, moves: u32) -> Result<(), Failure> {
    if moves == 0 {
        return Ok(());
    }
    session.host.undo(moves).map_err(|failure| in_the_words_of(&["cannot undo"], &failure))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_sentences() {
        let over = |outcome, margin| Position {
            game: "Go".to_owned(),
            rows: vec![vec![None; 3]; 2],
            skips_i: true,
            to_move: Side::Black,
            moves: Vec::new(),
            outcome,
            margin,
            drawing: String::new(),
        };
        for (outcome, margin, wanted) in [
            (None, Some(3.5), ""),
            (Some(Outcome::Win(Side::Black)), Some(3.5), "Black wins by 3.5"),
            (Some(Outcome::Win(Side::White)), Some(-7.0), "White wins by 7"),
            (Some(Outcome::Win(Side::White)), Some(7.0), "White wins"),
            (Some(Outcome::Win(Side::White)), Some(0.0), "White wins"),
            (Some(Outcome::Win(Side::White)), None, "White wins"),
            (Some(Outcome::Draw), Some(0.0), "It is a draw"),
        ] {
            assert_eq!(result(&over(outcome, margin)), wanted);
        }
        assert_eq!(board_size(&over(None, None)), "3 2");
        assert_eq!(board(&over(None, None)), ". . .\n. . .");
    }
}
