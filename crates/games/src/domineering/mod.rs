//! Domineering: vertical against horizontal dominoes, last to play wins.
//!
//! White moves first and places vertical dominoes, Black horizontal ones. The board
//! is one word for each side's cells, eight bits a row for every width, so that all
//! legal moves of a side are one shift and one `and` away.
//!
//! The rules look only at which cells are covered, not by whom: the hash does
//! the same, and positions that differ in nothing else share it. Who covered a
//! cell is kept for the text and the drawing.

mod network;
mod playout;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;
mod text;

use std::ops::ControlFlow;

use tesuji_core::{
    Code, Encoded, Game, MoveId, NetworkForm, Outcome, PackedMove, ParseMoveError, ParsePositionError,
    Playout, Record, Rng, Side, Symmetry, isa, zobrist,
};

use crate::SizeError;
use crate::bits::{STRIDE, bit, cell, halves, indices, rectangle};

/// A move of Domineering: a vertical domino if White is to move, a horizontal one if
/// Black is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Domino {
    /// The lower cell of a vertical domino, the left one of a horizontal one.
    first: u8,
}

impl PackedMove for Domino {
    #[inline]
    fn pack(self) -> MoveId {
        self.first.pack()
    }

    #[inline]
    fn unpack(id: MoveId) -> Domino {
        Domino { first: u8::unpack(id) }
    }
}

/// A position of Domineering.
///
/// ```
/// use tesuji_core::{Game, Outcome, Side};
/// use tesuji_games::Domineering;
///
/// let mut game = Domineering::new(3, 3)?;
/// for text in ["b1-b2", "b3-c3", "a1-a2"] {
///     game.play(game.parse_move(text)?)?;
/// }
/// assert_eq!(game.drawing(), "   \
///    a b c
///  3 · ⊂ ⊃ 3
///  2 ∩ ∩ · 2
///  1 ∪ ∪ · 1
///    a b c
/// ");
/// assert_eq!(game.outcome(), Some(Outcome::Win(Side::White)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domineering {
    width: u8,
    height: u8,
    to_move: Side,
    /// The cells covered by Black's and by White's dominoes: cell (x, y) is bit
    /// x + 8y, and row 1, the bottom one, is y = 0.
    covered: [u64; 2],
    hash: u64,
}

impl Domineering {
    /// An empty board, White to move. Width and height go from 2 to 8: on a board one
    /// cell wide or high, one of the sides could never move.
    pub fn new(width: usize, height: usize) -> Result<Domineering, SizeError> {
        SizeError::check_rectangle("Domineering", (width, height), 2..=STRIDE, 2..=STRIDE)?;
        Ok(Domineering {
            width: width as u8,
            height: height as u8,
            to_move: Side::White,
            covered: [0, 0],
            hash: zobrist::turn(Side::White),
        })
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        self.width.into()
    }

    /// The number of rows.
    pub fn height(&self) -> usize {
        self.height.into()
    }

    /// The cells that nobody has covered.
    fn empty(&self) -> u64 {
        rectangle(self.width(), self.height()) & !(self.covered[0] | self.covered[1])
    }

    /// The first cells of all dominoes the side to move may lay.
    fn places(&self) -> u64 {
        places(self.to_move, self.empty())
    }

    /// The two cells of a domino, as bits.
    fn cells(&self, domino: Domino) -> u64 {
        shape(self.to_move) << domino.first
    }
}

/// The first cells of all dominoes that `side` could lay on these empty cells.
#[inline(always)]
fn places(side: Side, empty: u64) -> u64 {
    match side {
        Side::White => empty & empty >> STRIDE,
        // The last bit of a row has no right neighbour: the next bit is the row above.
        Side::Black => empty & empty >> 1 & !((u64::MAX / 0xff) << 7),
    }
}

/// The cells of a domino of `side` whose first cell is bit 0.
#[inline(always)]
const fn shape(side: Side) -> u64 {
    match side {
        Side::White => 1 | 1 << STRIDE,
        Side::Black => 0b11,
    }
}

/// The code of a domino: the side, then its first cell.
#[inline(always)]
fn code(side: Side, first: u32) -> Code {
    (side.index() as u32 * 64 + first) as Code
}

/// The hash of the covered cells of both sides.
fn hash_of_cells(cells: u64) -> u64 {
    indices(cells).fold(0, |hash, index| hash ^ zobrist::stone(Side::Black, index))
}

/// The empty 8 by 8 board.
impl Default for Domineering {
    fn default() -> Domineering {
        Domineering::new(8, 8).expect("8 by 8 is allowed")
    }
}

impl Game for Domineering {
    type Move = Domino;

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        (self.places() == 0).then(|| Outcome::Win(!self.to_move))
    }

    #[inline]
    fn try_for_each_move<B>(&self, visit: impl FnMut(Domino) -> ControlFlow<B>) -> ControlFlow<B> {
        indices(self.places()).map(|first| Domino { first: first as u8 }).try_for_each(visit)
    }

    #[inline]
    fn play_unchecked(&mut self, domino: Domino) {
        debug_assert!(self.is_legal(domino));
        let cells = self.cells(domino);
        self.covered[self.to_move.index()] |= cells;
        self.hash ^= hash_of_cells(cells) ^ zobrist::turn(Side::White);
        self.to_move = !self.to_move;
    }

    #[inline]
    fn is_legal(&self, domino: Domino) -> bool {
        self.places() >> domino.first & 1 == 1
    }

    #[inline]
    fn n_moves(&self) -> u64 {
        self.places().count_ones().into()
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hash
    }

    fn recomputed_hash(&self) -> u64 {
        hash_of_cells(self.covered[0] | self.covered[1]) ^ zobrist::turn(self.to_move)
    }

    #[inline]
    fn n_codes(&self) -> usize {
        2 * 64
    }

    #[inline]
    fn code(&self, domino: Domino) -> Code {
        code(self.to_move, domino.first.into())
    }

    fn playout(&self, rng: &mut Rng, record: &mut impl Record) -> Playout {
        isa::dispatch(playout::Uniform { game: self, rng, record })
    }

    /// Those of the rectangle: a square board has no more, for a quarter turn
    /// would make vertical dominoes horizontal.
    fn symmetries(&self) -> &'static [Symmetry] {
        &[Symmetry::IDENTITY, Symmetry::FLIP_X, Symmetry::FLIP_Y, Symmetry::HALF_TURN]
    }

    fn transformed(&self, symmetry: Symmetry) -> Domineering {
        let covered = self.covered.map(|cells| self.transformed_cells(cells, symmetry));
        let mut image = Domineering { covered, ..self.clone() };
        image.hash = image.recomputed_hash();
        image
    }

    fn transformed_move(&self, domino: Domino, symmetry: Symmetry) -> Domino {
        let image = self.transformed_cells(self.cells(domino), symmetry);
        Domino { first: image.trailing_zeros() as u8 }
    }

    fn move_text(&self, domino: Domino) -> String {
        self.domino_text(domino)
    }

    fn parse_move(&self, text: &str) -> Result<Domino, ParseMoveError> {
        self.parse_domino(text)
    }

    fn position_text(&self) -> Option<String> {
        Some(self.line())
    }

    fn parse_position(&self, text: &str) -> Result<Domineering, ParsePositionError> {
        self.parse_line(text)
    }

    fn piece_at(&self, x: usize, y: usize) -> Option<Side> {
        self.owner(bit((x, y)))
    }

    // Searches on a CPU never call it.
    #[cold]
    fn encoded(&self) -> Option<Encoded> {
        let ([empty_low, empty_high], [hash_low, hash_high]) = (halves(self.empty()), halves(self.hash));
        Some(Encoded {
            kernel: "domineering",
            constants: vec![("WIDTH", self.width.into()), ("HEIGHT", self.height.into())],
            words: vec![empty_low, empty_high, hash_low, hash_high, self.to_move as u32],
        })
    }

    fn network_form(&self) -> Option<NetworkForm> {
        Some(self.form())
    }

    fn write_planes(&self, planes: &mut [f32]) {
        self.write(planes);
    }

    #[inline]
    fn logit(&self, domino: Domino) -> usize {
        self.logit_of(domino)
    }

    fn drawing(&self) -> String {
        self.board_drawing()
    }
}

impl Domineering {
    fn transformed_cells(&self, cells: u64, symmetry: Symmetry) -> u64 {
        indices(cells)
            .fold(0, |image, index| image | bit(symmetry.apply(cell(index), self.width(), self.height())))
    }
}
