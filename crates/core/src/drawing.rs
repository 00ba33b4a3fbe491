//! The symbols of boards drawn for a terminal.
//!
//! Filled symbols are Black's and hollow ones White's, in every game. A symbol is one
//! character wide, and one blank separates two cells, so columns stay aligned, also in
//! [ASCII](ascii) and with the [last move](with_last_move) marked.

use crate::Side;

/// An empty cell.
pub const EMPTY: char = '·';

/// What the brackets of [`with_last_move`] mean, as a sentence for a legend.
pub const LAST_MOVE_LEGEND: &str = "Brackets mark the last move.";

/// Every symbol of a side, and the ASCII letter that replaces it.
const SYMBOLS: [(char, Side, char); 15] = [
    ('●', Side::Black, 'X'),
    ('○', Side::White, 'O'),
    ('◆', Side::Black, 'x'),
    ('◇', Side::White, 'o'),
    ('•', Side::Black, 'x'),
    ('◦', Side::White, 'o'),
    ('▼', Side::Black, 'X'),
    ('△', Side::White, 'O'),
    ('♞', Side::Black, 'X'),
    ('♘', Side::White, 'O'),
    ('⊂', Side::Black, '<'),
    ('⊃', Side::Black, '>'),
    ('∩', Side::White, '^'),
    ('∪', Side::White, 'v'),
    (EMPTY, Side::Black, '.'),
];

/// Returns the symbol of a stone.
pub fn stone(side: Side) -> char {
    ['●', '○'][side.index()]
}

/// Returns the symbol of an enemy stone that a player of a phantom game believes to be on the
/// board.
pub fn presumed_stone(side: Side) -> char {
    ['◆', '◇'][side.index()]
}

/// Returns the symbol of an edge that a side has to reach.
pub fn edge(side: Side) -> char {
    ['•', '◦'][side.index()]
}

/// Returns the symbol of a pawn. It points where the pawn goes.
pub fn pawn(side: Side) -> char {
    ['▼', '△'][side.index()]
}

/// Returns the symbol of a knight.
pub fn knight(side: Side) -> char {
    ['♞', '♘'][side.index()]
}

/// Returns the side that a symbol belongs to, or `None` if it is no symbol of a side.
pub fn owner(symbol: char) -> Option<Side> {
    let found = SYMBOLS.iter().find(|(known, ..)| *known == symbol && symbol != EMPTY);
    found.map(|&(_, side, _)| side)
}

/// Returns a drawing in ASCII: X for Black, O for White, a dot for an empty cell.
///
/// ```
/// assert_eq!(tesuji_core::drawing::ascii(" 1 · ●(○) 1\n"), " 1 . X(O) 1\n");
/// ```
pub fn ascii(drawing: &str) -> String {
    let letter = |symbol: char| {
        let found = SYMBOLS.iter().find(|(known, ..)| *known == symbol);
        found.map_or(symbol, |&(_, _, letter)| letter)
    };
    drawing.chars().map(letter).collect()
}

/// Returns the drawing `after` a move of a side with brackets around what the move has put on
/// the board: its pieces on cells that were empty in the drawing `before`, else its pieces
/// on cells that held another piece.
///
/// ```
/// use tesuji_core::Side;
/// use tesuji_core::drawing::with_last_move;
/// assert_eq!(with_last_move(" 1 · ● · 1\n", " 1 · ● ○ 1\n", Side::White), " 1 · ●(○)1\n");
/// ```
pub fn with_last_move(before: &str, after: &str, side: Side) -> String {
    let before: Vec<char> = before.chars().collect();
    let mut shown: Vec<char> = after.chars().collect();
    if before.len() != shown.len() {
        return after.to_owned();
    }
    let changed: Vec<usize> =
        (0..shown.len()).filter(|&at| before[at] != shown[at] && owner(shown[at]) == Some(side)).collect();
    let onto_empty: Vec<usize> = changed.iter().copied().filter(|&at| before[at] == EMPTY).collect();
    let marked = if onto_empty.is_empty() { changed } else { onto_empty };
    for &at in &marked {
        // Two cells of one move share their brackets.
        let is_marked = |cell: Option<usize>| cell.is_some_and(|cell| marked.contains(&cell));
        if let Some(left) = at.checked_sub(1).filter(|_| !is_marked(at.checked_sub(2))) {
            shown[left] = '(';
        }
        if at + 1 < shown.len() && !is_marked(Some(at + 2)) {
            shown[at + 1] = ')';
        }
    }
    shown.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_have_owners() {
        for side in Side::BOTH {
            for symbol in [stone(side), presumed_stone(side), edge(side), pawn(side), knight(side)] {
                assert_eq!(owner(symbol), Some(side), "{symbol}");
            }
        }
        assert_eq!(owner(EMPTY), None);
        assert_eq!(owner('a'), None);
    }

    #[test]
    fn only_what_arrives_is_marked() {
        // A capture: the enemy's stones leave.
        assert_eq!(with_last_move("1 ● ○ · 1", "1 ● · ● 1", Side::Black), "1 ● ·(●)1");
        // A pawn leaves its cell and takes another.
        assert_eq!(with_last_move("1 △ ▼ · 1", "1 · △ · 1", Side::White), "1 ·(△)· 1");
        // Stones that turn are not the one that was played.
        assert_eq!(with_last_move("1 ○ · · 1", "1 ● ● · 1", Side::Black), "1 ●(●)· 1");
        // A domino is one move.
        assert_eq!(with_last_move("1 · · · 1", "1 · ⊂ ⊃ 1", Side::Black), "1 ·(⊂ ⊃)1");
        // A pass.
        assert_eq!(with_last_move("1 ● · 1", "1 ● · 1", Side::Black), "1 ● · 1");
    }
}
