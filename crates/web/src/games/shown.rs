//! A game as those who sit at it may see it.

use serde::Serialize;
use tesuji_catalog::{GameSpec, MoveNames, Shape};
use tesuji_core::{Outcome, Side};
use tesuji_search::Board;
use tesuji_session::{Ply, Session};

use super::seats::Seats;

/// What a board looks like.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ShapeJson {
    Goban,
    Hexagons,
    Squares,
}

/// What a move names.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum NamesJson {
    Cell,
    Domino,
    FromTo,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct BoardJson {
    width: usize,
    height: usize,
    shape: ShapeJson,
    names: NamesJson,
}

pub(crate) fn shape(shape: Shape) -> ShapeJson {
    match shape {
        Shape::Goban => ShapeJson::Goban,
        Shape::Hexagons => ShapeJson::Hexagons,
        Shape::Squares => ShapeJson::Squares,
    }
}

/// The board of a game.
pub(crate) fn board(game: &GameSpec) -> BoardJson {
    let (width, height) = game.board();
    let names = match game.info().names {
        MoveNames::Cell => NamesJson::Cell,
        MoveNames::Domino => NamesJson::Domino,
        MoveNames::FromTo => NamesJson::FromTo,
    };
    BoardJson { width, height, shape: shape(game.info().shape), names }
}

/// Whose piece stands where, as a side takes it, or as it is: a letter a cell.
pub(crate) fn cells(game: &GameSpec, position: &dyn Board, viewer: Option<Side>) -> String {
    let (width, height) = game.board();
    let letter = |cell: usize| {
        let (x, y) = (cell % width, cell / width);
        let piece = match viewer {
            Some(side) => position.known_at(side, x, y),
            None => position.piece_at(x, y),
        };
        match piece {
            Some(Side::Black) => 'X',
            Some(Side::White) => 'O',
            None => '.',
        }
    };
    (0..width * height).map(letter).collect()
}

/// The cells that a move's text names; none of `pass` and its like.
pub(crate) fn cells_of_move(text: &str) -> Vec<String> {
    let is_cell = |word: &&str| {
        let letters = word.bytes().take_while(u8::is_ascii_lowercase).count();
        letters == 1 && word.len() > 1 && word.bytes().skip(1).all(|byte| byte.is_ascii_digit())
    };
    // A capture has an x between its cells.
    text.split(['-', 'x']).filter(is_cell).map(str::to_owned).collect()
}

/// How a game ended.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct OutcomeJson {
    winner: Option<Side>,
    text: String,
    margin: Option<f64>,
    reason: &'static str,
}

impl OutcomeJson {
    /// By the rules.
    pub(crate) fn by_rules(outcome: Outcome, margin: Option<f64>) -> OutcomeJson {
        let text = match (outcome, margin) {
            (Outcome::Draw, _) => "A draw".to_owned(),
            (Outcome::Win(_), Some(margin)) if margin != 0.0 => {
                let points = margin.abs();
                let word = if points == 1.0 { "point" } else { "points" };
                format!("{outcome} by {points} {word}")
            }
            (Outcome::Win(_), _) => outcome.to_string(),
        };
        OutcomeJson { winner: outcome.winner(), text, margin, reason: "rules" }
    }

    /// Because a side gave up.
    pub(crate) fn resigned(side: Side) -> OutcomeJson {
        let text = format!("{} wins: {side} resigns", !side);
        OutcomeJson { winner: Some(!side), text, margin: None, reason: "resigned" }
    }
}

#[derive(Clone, Debug, Serialize)]
struct SeatJson {
    player: Option<String>,
}

/// What each side knows.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ViewsJson {
    black: String,
    white: String,
}

impl ViewsJson {
    pub(crate) fn of(game: &GameSpec, position: &dyn Board) -> ViewsJson {
        let view = |side| cells(game, position, Some(side));
        ViewsJson { black: view(Side::Black), white: view(Side::White) }
    }
}

/// A game as those who sit at it may see it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct GameJson {
    id: String,
    game: String,
    rules: String,
    board: BoardJson,
    hidden: bool,
    black: SeatJson,
    white: SeatJson,
    to_move: Side,
    ply: usize,
    moves: Vec<String>,
    words: Vec<String>,
    last: Vec<String>,
    seen_by: Option<Side>,
    cells: String,
    views: Option<ViewsJson>,
    legal: Vec<String>,
    tried: Vec<String>,
    calls: Vec<String>,
    outcome: Option<OutcomeJson>,
    pub(super) searching: bool,
    can_undo: bool,
}

/// What a move is written as that may not be known.
const UNSEEN: &str = "-";

impl GameJson {
    pub(super) fn of(id: &str, session: &Session, seats: &Seats, resigned: Option<Side>) -> GameJson {
        let (game, position) = (session.game(), session.position());
        let to_move = position.to_move();
        let outcome = match resigned {
            Some(side) => Some(OutcomeJson::resigned(side)),
            None => position.outcome().map(|outcome| OutcomeJson::by_rules(outcome, position.margin())),
        };
        let hidden = game.info().is_hidden;
        let viewer = seats.viewer(to_move).filter(|_| hidden && outcome.is_none());
        let sees = |side: Side| viewer.is_none_or(|viewer| viewer == side);
        let (moves, words) = written(session, &sees);
        let last = session.plies().last().filter(|ply| sees(ply.side));
        let has_turn = outcome.is_none() && sees(to_move);
        let seat = |side| SeatJson { player: seats.player(side).map(ToString::to_string) };
        GameJson {
            id: id.to_owned(),
            game: game.to_string(),
            rules: game.rules(),
            board: board(game),
            hidden,
            black: seat(Side::Black),
            white: seat(Side::White),
            to_move,
            ply: session.ply(),
            moves,
            words,
            last: last.map_or_else(Vec::new, |ply| cells_of_move(&ply.mv)),
            seen_by: viewer,
            cells: cells(game, position, viewer),
            views: (hidden && viewer.is_none()).then(|| ViewsJson::of(game, position)),
            legal: if has_turn { position.legal_texts() } else { Vec::new() },
            tried: if sees(to_move) { session.refused().to_vec() } else { Vec::new() },
            calls: if hidden { calls(session, &sees) } else { Vec::new() },
            can_undo: (session.ply() > 0 || resigned.is_some()) && !(hidden && seats.has_person()),
            outcome,
            searching: false,
        }
    }
}

/// The moves, and the moves with the attempts, as far as they may be seen.
fn written(session: &Session, sees: &impl Fn(Side) -> bool) -> (Vec<String>, Vec<String>) {
    let (mut moves, mut words) = (Vec::new(), Vec::new());
    for ply in session.plies() {
        let is_announced = is_pass(ply);
        let mv = if sees(ply.side) || is_announced { ply.mv.clone() } else { UNSEEN.to_owned() };
        if sees(ply.side) {
            words.extend(ply.refused.iter().map(|text| format!("{}{text}", tesuji_session::REFUSED)));
        }
        words.push(mv.clone());
        moves.push(mv);
    }
    if sees(session.position().to_move()) {
        words.extend(session.refused().iter().map(|text| format!("{}{text}", tesuji_session::REFUSED)));
    }
    (moves, words)
}

/// Whether a move is a pass that both sides are told of.
fn is_pass(ply: &Ply) -> bool {
    ply.mv == "pass" && ply.news.is_some()
}

/// What the referee has said, as far as it may be heard.
fn calls(session: &Session, sees: &impl Fn(Side) -> bool) -> Vec<String> {
    let refusal = |side: Side, text: &String| format!("{side} tries {text}: not legal, try another.");
    let mut calls = Vec::new();
    for ply in session.plies() {
        let side = ply.side;
        if sees(side) {
            calls.extend(ply.refused.iter().map(|text| refusal(side, text)));
        }
        calls.push(match (sees(side), ply.news.as_deref()) {
            _ if is_pass(ply) => format!("{side} passes."),
            (true, Some(news)) => format!("{side} plays {} and {news}.", ply.mv),
            (true, None) => format!("{side} plays {}.", ply.mv),
            (false, Some(news)) => format!("{side} has moved and {news}."),
            (false, None) => format!("{side} has moved."),
        });
    }
    let to_move = session.position().to_move();
    if sees(to_move) {
        calls.extend(session.refused().iter().map(|text| refusal(to_move, text)));
    }
    calls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_name_their_cells() {
        assert_eq!(cells_of_move("c3"), ["c3"]);
        assert_eq!(cells_of_move("a2-b3"), ["a2", "b3"]);
        assert_eq!(cells_of_move("d2xc3"), ["d2", "c3"]);
        assert_eq!(cells_of_move("t19"), ["t19"]);
        for none in ["pass", "swap", "-", "", "resign"] {
            assert!(cells_of_move(none).is_empty(), "{none}");
        }
    }
}
