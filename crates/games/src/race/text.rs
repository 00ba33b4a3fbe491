//! Races as text.

use tesuji_core::{Game, ParsePositionError, Side, drawing};

use super::{Piece, Race, RaceMove};
use crate::grid::{Columns, Grid, RowOne};

fn grid<P: Piece>(race: &Race<P>) -> Grid {
    Grid { width: race.width(), height: race.height(), columns: Columns::AllLetters, row_one: RowOne::Bottom }
}

pub(super) fn piece_on<P: Piece>(race: &Race<P>, x: usize, y: usize) -> Option<Side> {
    Side::BOTH.into_iter().find(|side| race.pieces[side.index()] >> (x + 8 * y) & 1 == 1)
}

pub(super) fn move_text<P: Piece>(race: &Race<P>, mv: RaceMove) -> String {
    let (from, to) = race.squares(mv);
    let name = |square: u64| {
        let square = square.trailing_zeros() as usize;
        grid(race).name((square % 8, square / 8))
    };
    let captures = race.pieces[(!race.to_move()).index()] & to != 0;
    format!("{}{}{}", name(from), if captures { 'x' } else { '-' }, name(to))
}

pub(super) fn position_text<P: Piece>(race: &Race<P>) -> String {
    let rows = grid(race).rows_text(|x, y| piece_on(race, x, y));
    format!("{rows} {}", race.to_move.letter())
}

pub(super) fn board_drawing<P: Piece>(race: &Race<P>) -> String {
    grid(race).drawing(0, |x, y| piece_on(race, x, y).map_or(drawing::EMPTY, P::symbol))
}

pub(super) fn parse_position<P: Piece>(race: &Race<P>, text: &str) -> Result<Race<P>, ParsePositionError> {
    let mut pieces = [0; 2];
    let (to_move, _) =
        grid(race).parse(text, 0, |x, y, side: Side| pieces[side.index()] |= 1 << (x + 8 * y))?;
    let read = race.with(to_move, pieces);
    match why_impossible(&read) {
        Some(reason) => Err(ParsePositionError::new(text, reason)),
        None => Ok(read),
    }
}

/// Why no game can lead to a position, if a simple check shows it.
fn why_impossible<P: Piece>(race: &Race<P>) -> Option<String> {
    let most = 2 * race.width;
    let n_pieces = |side: Side| race.pieces[side.index()].count_ones();
    let n_arrived = |side: Side| (race.pieces[side.index()] & race.far_row(side)).count_ones();
    for side in Side::BOTH {
        let n = n_pieces(side);
        if n > u32::from(most) {
            return Some(format!("{side} has {n} pieces and started with {most}"));
        }
    }
    let arrived = Side::BOTH.map(n_arrived);
    if !arrived.contains(&0) {
        return Some("both sides stand on their far rows, but the first to arrive wins".to_owned());
    }
    if arrived.iter().any(|&n| n > 1) {
        return Some("two pieces of a side stand on its far row, but the first to arrive wins".to_owned());
    }
    let (own, enemy) = (race.to_move, !race.to_move);
    if n_arrived(own) > 0 {
        return Some(format!("{own} stands on its far row, so it moved last and {enemy} is to move"));
    }
    if n_pieces(enemy) == 0 {
        return Some(format!("{enemy} has no piece, so it did not move last and {own} is not to move"));
    }
    None
}
