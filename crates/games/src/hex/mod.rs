//! Hex: Black connects top to bottom, White left to right. Draws are impossible.
//!
//! Cells are (x, y), x to the right and y downwards, a1 at the top left; each row
//! is drawn half a cell further right than the one above it. So the neighbours
//! of (x, y) are (x±1, y), (x, y±1), (x+1, y-1) and (x-1, y+1).
//!
//! A board is a handful of words, see [`connection`]: its type has the number of
//! words and of rows in each. Two types serve all sizes: [`SmallHex`] up to 12, with
//! room to spare on the usual 11, and [`LargeHex`] up to 19.
//!
//! The winner is found when a stone is played, and stored. Nothing is searched until
//! a side has enough stones for a chain.

mod connection;
mod dark;
mod network;
mod playout;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;
mod text;
mod unconnected;

use std::ops::ControlFlow;

use tesuji_core::{
    Code, Encoded, Game, MoveId, NetworkForm, Outcome, PackedMove, ParsePositionError, Playout, Record, Rng,
    Side, Symmetry, isa, zobrist,
};

use crate::SizeError;
use crate::bits::halves;
use connection::joins_top_and_bottom;
pub use dark::{HexGuess, HexView};
use playout::FillAndLook;
use unconnected::Unconnected;

/// The options of a game of Hex.
///
/// ```
/// use tesuji_games::{HexRules, Swap};
/// let rules = HexRules { swap: Swap::On, ..HexRules::default() };
/// assert_eq!(rules.size, 11);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HexRules {
    /// The number of rows, and of cells in each: 2 to 12 for [`SmallHex`], to 19
    /// for [`LargeHex`].
    pub size: usize,
    /// Whether White may take over Black's first stone.
    pub swap: Swap,
}

impl Default for HexRules {
    fn default() -> HexRules {
        HexRules { size: 11, swap: Swap::Off }
    }
}

/// Whether White may answer Black's first stone by taking it over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Swap {
    /// White may not take over the stone.
    #[default]
    Off,
    /// White may take over the stone as White's first move: Black's stone at (x, y)
    /// becomes a White stone at (y, x), its mirror image, which is worth as much to
    /// White as the stone was to Black. Then it is Black's turn.
    On,
}

/// A move of Hex.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HexMove {
    /// A stone on an empty cell.
    Stone {
        /// The column, 0 for a.
        x: u8,
        /// The row, 0 for the top one, which is named 1.
        y: u8,
    },
    /// White takes over Black's first stone: see [`Swap::On`].
    Swap,
}

/// The number of the swap, which no cell has.
const SWAP: MoveId = MoveId(u32::MAX);

impl PackedMove for HexMove {
    #[inline]
    fn pack(self) -> MoveId {
        match self {
            HexMove::Stone { x, y } => MoveId::of_bytes(x, y),
            HexMove::Swap => SWAP,
        }
    }

    #[inline]
    fn unpack(id: MoveId) -> HexMove {
        let (x, y) = id.bytes();
        if id == SWAP { HexMove::Swap } else { HexMove::Stone { x, y } }
    }
}

/// Hex on boards of size 2 to 12.
pub type SmallHex = Hex<3, 4>;

/// Hex on boards of size 2 to 19.
pub type LargeHex = Hex<7, 3>;

/// A position of Hex. Its board is in `WORDS` words of `ROWS` rows each. Use it as
/// [`SmallHex`] or [`LargeHex`].
///
/// ```
/// use tesuji_core::{Game, Outcome, Side};
/// use tesuji_games::{HexRules, SmallHex};
/// let mut game = SmallHex::new(HexRules { size: 3, ..HexRules::default() })?;
/// for text in ["b2", "a2", "c1", "c2", "b3"] {
///     game.play(game.parse_move(text)?)?;
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Win(Side::Black)));
/// assert_eq!(game.position_text().as_deref(), Some("2b/wbw/1b1 w"));
/// assert_eq!(
///     game.drawing(),
///     [
///         "   a b c",
///         "    • • • •",
///         " 1 ◦ · · ● ◦ 1",
///         "  2 ◦ ○ ● ○ ◦ 2",
///         "   3 ◦ · ● · ◦ 3",
///         "      • • • •",
///         "         a b c",
///         "",
///     ]
///     .join("\n")
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hex<const WORDS: usize, const ROWS: usize> {
    empty: [u64; WORDS],
    /// Of Black and of White.
    stones: [[u64; WORDS]; 2],
    /// Of stones and turn.
    hash: u64,
    size: u8,
    swap: Swap,
    to_move: Side,
    winner: Option<Side>,
}

/// The key of "White may swap".
const MAY_SWAP: u64 = zobrist::extra(0);

impl<const WORDS: usize, const ROWS: usize> Hex<WORDS, ROWS> {
    /// Bits from one row to the next in a word.
    const LANE: usize = 64 / ROWS;

    /// The size of the largest board of this type.
    pub const LARGEST: usize = {
        // The flood needs a free bit next to each row.
        assert!(WORDS * ROWS < Self::LANE || Self::LANE > 19);
        if WORDS * ROWS < 19 { WORDS * ROWS } else { 19 }
    };

    /// The empty board, Black to move.
    pub fn new(rules: HexRules) -> Result<Self, SizeError> {
        let HexRules { size, swap } = rules;
        SizeError::check_square("Hex", size, 2..=Self::LARGEST)?;
        let mut game = Hex {
            empty: [0; WORDS],
            stones: [[0; WORDS]; 2],
            hash: 0,
            size: size as u8,
            swap,
            to_move: Side::Black,
            winner: None,
        };
        for y in 0..size {
            let (word, shift) = Self::place(0, y);
            game.empty[word] |= ((1 << size) - 1) << shift;
        }
        Ok(game)
    }

    /// The rules of this game.
    pub fn rules(&self) -> HexRules {
        HexRules { size: self.size(), swap: self.swap }
    }

    /// The side whose stone is on a cell; `None` if the cell is empty.
    ///
    /// # Panics
    ///
    /// If the cell is not on the board.
    pub fn stone(&self, x: usize, y: usize) -> Option<Side> {
        assert!(x < self.size() && y < self.size(), "({x}, {y}) is not on the board");
        let (word, shift) = Self::place(x, y);
        Side::BOTH.into_iter().find(|side| self.stones[side.index()][word] >> shift & 1 == 1)
    }

    #[inline(always)]
    fn size(&self) -> usize {
        usize::from(self.size)
    }

    /// The word that holds a cell, and which bit of it.
    #[inline(always)]
    fn place(x: usize, y: usize) -> (usize, usize) {
        (y / ROWS, y % ROWS * Self::LANE + x)
    }

    /// The cell of a bit of a word.
    #[inline(always)]
    fn cell(word: usize, bit: usize) -> (usize, usize) {
        (bit % Self::LANE, word * ROWS + bit / Self::LANE)
    }

    #[inline(always)]
    fn n_stones(&self, side: Side) -> u32 {
        self.stones[side.index()].iter().map(|word| word.count_ones()).sum()
    }

    #[inline(always)]
    fn n_empty(&self) -> u32 {
        self.empty.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether the side to move may swap: White, with one stone on the board.
    #[inline(always)]
    fn may_swap(&self) -> bool {
        self.swap == Swap::On
            && self.to_move == Side::White
            && self.n_stones(Side::White) == 0
            && self.n_stones(Side::Black) == 1
    }

    /// Whether this side's stones join its two edges.
    fn is_connected(&self, side: Side) -> bool {
        match side {
            Side::Black => joins_top_and_bottom::<WORDS, ROWS>(&self.stones[0], self.size()),
            Side::White => {
                let [black, _] = self.stones;
                let others = std::array::from_fn(|word| black[word] | self.empty[word]);
                !joins_top_and_bottom::<WORDS, ROWS>(&others, self.size())
            }
        }
    }

    fn put(&mut self, side: Side, x: usize, y: usize) {
        let (word, shift) = Self::place(x, y);
        self.empty[word] &= !(1 << shift);
        self.stones[side.index()][word] |= 1 << shift;
        self.hash ^= zobrist::stone(side, y * self.size() + x);
    }

    fn pass_the_turn(&mut self) {
        self.to_move = !self.to_move;
        self.hash ^= zobrist::turn(Side::White);
    }

    /// Takes over the only stone, which is Black's.
    fn take_over(&mut self) {
        let stone = (0..WORDS).find(|&word| self.stones[0][word] != 0);
        debug_assert!(stone.is_some(), "there is a stone to take over");
        let Some(word) = stone else { return };
        let bit = self.stones[0][word];
        let (x, y) = Self::cell(word, bit.trailing_zeros() as usize);
        self.stones[0][word] = 0;
        self.empty[word] |= bit;
        self.hash ^= zobrist::stone(Side::Black, y * self.size() + x);
        self.put(Side::White, y, x);
    }

    /// The position for the kernels of devices: hash, side to move, whether there is a winner
    /// and which, Black's stones, White's stones. A kernel's words have two rows of 16 bits
    /// for a small board and one row for a large one.
    fn for_devices(&self) -> Encoded {
        let winner = self.winner.map_or([0, 0], |winner| [1, winner as u32]);
        let mut words = [halves(self.hash), winner].concat();
        words.insert(2, self.to_move as u32);
        let rows_a_word = if ROWS == 4 { 2 } else { 1 };
        for stones in &self.stones {
            let row =
                |y: usize| (stones[y / ROWS] >> (y % ROWS * Self::LANE)) as u32 & ((1 << self.size) - 1);
            let rows: Vec<u32> = (0..self.size()).map(row).collect();
            let joined = |rows: &[u32]| rows.iter().rev().fold(0, |word, row| word << 16 | row);
            words.extend(rows.chunks(rows_a_word).map(joined));
        }
        Encoded {
            kernel: "hex",
            constants: vec![
                ("SIZE", self.size.into()),
                ("ROWS", ROWS as i64),
                ("SWAP", i64::from(self.swap == Swap::On)),
            ],
            words,
        }
    }

    /// The code of a stone of Black at (0, 0), of White at (0, 0), and of a swap.
    #[inline(always)]
    fn first_codes(&self) -> [Code; 3] {
        let points = Code::from(self.size) * Code::from(self.size);
        [0, points, 2 * points]
    }
}

impl<const WORDS: usize, const ROWS: usize> Game for Hex<WORDS, ROWS> {
    type Move = HexMove;

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.winner.map(Outcome::Win)
    }

    #[inline]
    fn try_for_each_move<B>(&self, mut visit: impl FnMut(HexMove) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.winner.is_some() {
            return ControlFlow::Continue(());
        }
        for (word, &empty) in self.empty.iter().enumerate() {
            let mut rest = empty;
            while rest != 0 {
                let (x, y) = Self::cell(word, rest.trailing_zeros() as usize);
                visit(HexMove::Stone { x: x as u8, y: y as u8 })?;
                rest &= rest - 1;
            }
        }
        if self.may_swap() {
            visit(HexMove::Swap)?;
        }
        ControlFlow::Continue(())
    }

    fn play_unchecked(&mut self, mv: HexMove) {
        match mv {
            HexMove::Stone { x, y } => {
                let side = self.to_move;
                self.put(side, usize::from(x), usize::from(y));
                if self.n_stones(side) >= u32::from(self.size) && self.is_connected(side) {
                    self.winner = Some(side);
                }
            }
            HexMove::Swap => self.take_over(),
        }
        self.pass_the_turn();
    }

    #[inline]
    fn is_legal(&self, mv: HexMove) -> bool {
        match mv {
            HexMove::Stone { x, y } => {
                let on_board = x < self.size && y < self.size;
                on_board && self.winner.is_none() && {
                    let (word, shift) = Self::place(usize::from(x), usize::from(y));
                    self.empty[word] >> shift & 1 == 1
                }
            }
            HexMove::Swap => self.may_swap(),
        }
    }

    fn n_moves(&self) -> u64 {
        match self.winner {
            Some(_) => 0,
            None => u64::from(self.n_empty()) + u64::from(self.may_swap()),
        }
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hash ^ if self.may_swap() { MAY_SWAP } else { 0 }
    }

    fn recomputed_hash(&self) -> u64 {
        let mut hash = zobrist::turn(self.to_move);
        for y in 0..self.size() {
            for x in 0..self.size() {
                if let Some(side) = self.stone(x, y) {
                    hash ^= zobrist::stone(side, y * self.size() + x);
                }
            }
        }
        hash ^ if self.is_legal(HexMove::Swap) { MAY_SWAP } else { 0 }
    }

    fn n_codes(&self) -> usize {
        let [.., swap] = self.first_codes();
        usize::from(swap) + usize::from(self.swap == Swap::On)
    }

    #[inline]
    fn code(&self, mv: HexMove) -> Code {
        let first = self.first_codes();
        match mv {
            HexMove::Stone { x, y } => {
                first[self.to_move.index()] + Code::from(y) * Code::from(self.size) + Code::from(x)
            }
            HexMove::Swap => first[2],
        }
    }

    /// Fills the board at random and looks once who is connected: all cells that
    /// were empty count as plies, those after the decision too.
    #[inline]
    fn playout(&self, rng: &mut Rng, record: &mut impl Record) -> Playout {
        isa::dispatch(FillAndLook { start: self, rng, record })
    }

    fn playout_without_wins(&self, rng: &mut Rng, record: &mut impl Record) -> Option<Playout> {
        let is_plain = self.winner.is_none() && !self.may_swap();
        is_plain.then(|| isa::dispatch(Unconnected { start: self, rng, record }))
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        &[Symmetry::IDENTITY, Symmetry::HALF_TURN]
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        let mut image = Hex {
            empty: std::array::from_fn(|word| self.empty[word] | self.stones[0][word] | self.stones[1][word]),
            stones: [[0; WORDS]; 2],
            hash: zobrist::turn(self.to_move),
            ..*self
        };
        for y in 0..self.size() {
            for x in 0..self.size() {
                if let Some(side) = self.stone(x, y) {
                    let (x, y) = symmetry.apply((x, y), self.size(), self.size());
                    image.put(side, x, y);
                }
            }
        }
        image
    }

    fn transformed_move(&self, mv: HexMove, symmetry: Symmetry) -> HexMove {
        match mv {
            HexMove::Stone { x, y } => {
                let cell = (usize::from(x), usize::from(y));
                let (x, y) = symmetry.apply(cell, self.size(), self.size());
                HexMove::Stone { x: x as u8, y: y as u8 }
            }
            HexMove::Swap => HexMove::Swap,
        }
    }

    fn move_text(&self, mv: HexMove) -> String {
        match mv {
            HexMove::Stone { x, y } => self.grid().name((usize::from(x), usize::from(y))),
            HexMove::Swap => "swap".to_owned(),
        }
    }

    fn position_text(&self) -> Option<String> {
        Some(self.text())
    }

    fn parse_position(&self, text: &str) -> Result<Self, ParsePositionError> {
        self.read(text)
    }

    fn piece_at(&self, x: usize, y: usize) -> Option<Side> {
        self.stone(x, y)
    }

    fn encoded(&self) -> Option<Encoded> {
        Some(self.for_devices())
    }

    fn network_form(&self) -> Option<NetworkForm> {
        Some(self.form())
    }

    fn write_planes(&self, planes: &mut [f32]) {
        self.write(planes);
    }

    #[inline]
    fn logit(&self, mv: HexMove) -> usize {
        self.logit_of(self.to_move, mv)
    }

    fn drawing(&self) -> String {
        self.drawn()
    }
}
