//! Ataxx: stones that clone themselves or jump, and turn their neighbours.
//!
//! A side's stones are one word, eight bits a row for every size. Usually several
//! stones can clone themselves to the same cell, with the same result: that is one
//! move, named by its destination. A jump is named by both its ends.
//!
//! Jumps can go on for ever, so a game ends after a number of plies, and a position
//! contains its ply number. The hash leaves it out: the cap is there
//! to end endless games, and positions that differ in nothing else are worth
//! the same to a search, except within its horizon of the cap.

mod network;
mod playout;
#[cfg(test)]
mod reference;
mod tables;
#[cfg(test)]
mod tests;
mod text;

use std::ops::ControlFlow;

use tesuji_core::{
    Code, Draws, Encoded, Game, MoveId, NetworkForm, Outcome, PackedMove, ParseMoveError, ParsePositionError,
    Playout, Record, Rng, Side, Symmetry, isa, zobrist,
};

use crate::bits::{STRIDE, bit, cell, indices, rectangle};
use crate::{Codes, SizeError};
use tables::{adjacent, code_of_clone, code_of_jump, code_of_pass, neighbours, ring};

/// The options of a game of Ataxx.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AtaxxRules {
    /// The length of the board's sides, 3 to 8.
    pub size: usize,
    /// What an even count of stones means.
    pub draws: Draws,
    /// The number of plies, passes included, after which the game ends and the stones
    /// are counted.
    pub ply_cap: u32,
    /// Which moves are one to AMAF statistics. [`Codes::To`] makes a jump and a clone to one cell
    /// one move. No move captures, so [`Codes::Squares`] tells as much apart as [`Codes::Full`].
    pub codes: Codes,
}

/// The 8 by 8 board; an even count is a loss for White; at most 500 plies.
impl Default for AtaxxRules {
    fn default() -> AtaxxRules {
        AtaxxRules { size: STRIDE, draws: Draws::Black, ply_cap: 500, codes: Codes::Full }
    }
}

/// A move. Cells are numbered x + 8y on every board, (0, 0) being a1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtaxxMove {
    /// A new stone next to a stone of the same side.
    Clone {
        /// The empty cell that gets the stone.
        to: u8,
    },
    /// A stone goes two columns, two rows, or both, away.
    Jump {
        /// The cell that the stone leaves.
        from: u8,
        /// The empty cell that it goes to.
        to: u8,
    },
    /// No stone moves. Legal only if there is no other move.
    Pass,
}

/// The number of a pass, which no other move has.
const PASS: MoveId = MoveId(u32::MAX);

impl PackedMove for AtaxxMove {
    #[inline]
    fn pack(self) -> MoveId {
        match self {
            AtaxxMove::Clone { to } => MoveId::of_bytes(to, to),
            AtaxxMove::Jump { from, to } => MoveId::of_bytes(from, to),
            AtaxxMove::Pass => PASS,
        }
    }

    #[inline]
    fn unpack(id: MoveId) -> AtaxxMove {
        match id.bytes() {
            _ if id == PASS => AtaxxMove::Pass,
            (from, to) if from == to => AtaxxMove::Clone { to },
            (from, to) => AtaxxMove::Jump { from, to },
        }
    }
}

/// A position of Ataxx.
///
/// White moves first, with stones on a1 and in the opposite corner; Black has the
/// other two corners. Every enemy stone next to a stone's new cell changes colour. The game ends when the board is full, a side has no stones, or the
/// cap on plies is reached; then the side with more stones wins.
///
/// ```
/// use tesuji_core::Game;
/// use tesuji_games::{Ataxx, AtaxxRules};
///
/// let mut game = Ataxx::new(AtaxxRules { size: 5, ..AtaxxRules::default() })?;
/// for text in ["b2", "a5-b3", "a1-a3"] {
///     game.play(game.parse_move(text)?)?;
/// }
/// assert_eq!(game.drawing(), "   \
///    a b c d e
///  5 · · · · ○ 5
///  4 · · · · · 4
///  3 ○ ○ · · · 3
///  2 · ○ · · · 2
///  1 · · · · ● 1
///    a b c d e
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ataxx {
    rules: AtaxxRules,
    /// Black's and White's stones: cell (x, y) is bit x + 8y, and row 1, the
    /// bottom one, is y = 0.
    stones: [u64; 2],
    /// Since the beginning, passes included. White moves at even ones.
    plies: u32,
    hash: u64,
}

impl Ataxx {
    /// The first position of a game with these rules. Sizes go from 3 to 8: on 2 by 2
    /// the four stones would fill the board.
    pub fn new(rules: AtaxxRules) -> Result<Ataxx, SizeError> {
        SizeError::check_square("Ataxx", rules.size, 3..=STRIDE)?;
        let last = rules.size - 1;
        let black = bit((0, last)) | bit((last, 0));
        let white = bit((0, 0)) | bit((last, last));
        let mut game = Ataxx { rules, stones: [black, white], plies: 0, hash: 0 };
        game.hash = game.recomputed_hash();
        Ok(game)
    }

    /// The rules of this game.
    pub fn rules(&self) -> AtaxxRules {
        self.rules
    }

    /// The number of plies since the beginning, passes included.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    fn own(&self) -> u64 {
        self.stones[self.to_move().index()]
    }

    fn enemy(&self) -> u64 {
        self.stones[(!self.to_move()).index()]
    }

    fn empty(&self) -> u64 {
        rectangle(self.rules.size, self.rules.size) & !(self.stones[0] | self.stones[1])
    }

    /// Whether the game has ended. That neither side can move needs no test: as
    /// long as there are stones and empty cells, some stone has an empty cell
    /// next to it.
    fn is_over(&self) -> bool {
        self.empty() == 0 || self.stones.contains(&0) || self.plies >= self.rules.ply_cap
    }

    /// The empty cells to which the side to move can clone a stone.
    fn clones(&self) -> u64 {
        neighbours(self.own()) & self.empty()
    }

    /// The number of jumps of the side to move.
    fn n_jumps(&self) -> u32 {
        let empty = self.empty();
        indices(self.own()).map(|from| (ring(from) & empty).count_ones()).sum()
    }

    fn transformed_cell(&self, index: u8, symmetry: Symmetry) -> u8 {
        let image = symmetry.apply(cell(index.into()), self.rules.size, self.rules.size);
        bit(image).trailing_zeros() as u8
    }
}

impl Default for Ataxx {
    fn default() -> Ataxx {
        Ataxx::new(AtaxxRules::default()).expect("size 8 is allowed")
    }
}

/// The bit of a cell's number; none for a number too large, which a caller may
/// have put into a move.
fn bit_at(index: u8) -> u64 {
    1_u64.checked_shl(index.into()).unwrap_or(0)
}

fn hash_of_stones(side: Side, stones: u64) -> u64 {
    indices(stones).fold(0, |hash, index| hash ^ zobrist::stone(side, index))
}

impl Game for Ataxx {
    type Move = AtaxxMove;

    #[inline]
    fn to_move(&self) -> Side {
        if self.plies.is_multiple_of(2) { Side::White } else { Side::Black }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let [black, white] = self.stones.map(|stones| stones.count_ones() as i32);
        self.is_over().then(|| self.rules.draws.decide(black - white))
    }

    fn margin(&self) -> Option<f64> {
        let [black, white] = self.stones.map(|stones| f64::from(stones.count_ones()));
        self.is_over().then_some(black - white)
    }

    /// Clones, then jumps, in order of their cells; or the pass alone.
    fn try_for_each_move<B>(&self, mut visit: impl FnMut(AtaxxMove) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.is_over() {
            return ControlFlow::Continue(());
        }
        let empty = self.empty();
        let mut stuck = true;
        for to in indices(self.clones()) {
            stuck = false;
            visit(AtaxxMove::Clone { to: to as u8 })?;
        }
        for from in indices(self.own()) {
            for to in indices(ring(from) & empty) {
                stuck = false;
                visit(AtaxxMove::Jump { from: from as u8, to: to as u8 })?;
            }
        }
        if stuck { visit(AtaxxMove::Pass) } else { ControlFlow::Continue(()) }
    }

    fn play_unchecked(&mut self, mv: AtaxxMove) {
        debug_assert!(self.is_legal(mv));
        let side = self.to_move();
        let (from, to) = match mv {
            AtaxxMove::Clone { to } => (0, to),
            AtaxxMove::Jump { from, to } => (bit_at(from), to),
            AtaxxMove::Pass => {
                self.plies += 1;
                self.hash ^= zobrist::turn(Side::White);
                return;
            }
        };
        let flipped = adjacent(to.into()) & self.enemy();
        let changed = from | bit_at(to) | flipped;
        self.stones[side.index()] ^= changed;
        self.stones[(!side).index()] ^= flipped;
        self.plies += 1;
        self.hash ^=
            hash_of_stones(side, changed) ^ hash_of_stones(!side, flipped) ^ zobrist::turn(Side::White);
    }

    fn is_legal(&self, mv: AtaxxMove) -> bool {
        if self.is_over() {
            return false;
        }
        match mv {
            AtaxxMove::Clone { to } => self.clones() & bit_at(to) != 0,
            AtaxxMove::Jump { from, to } => {
                self.own() & bit_at(from) != 0 && ring(from.into()) & self.empty() & bit_at(to) != 0
            }
            AtaxxMove::Pass => self.clones() == 0 && self.n_jumps() == 0,
        }
    }

    fn n_moves(&self) -> u64 {
        if self.is_over() {
            return 0;
        }
        // At least the pass.
        u64::from(self.clones().count_ones() + self.n_jumps()).max(1)
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hash
    }

    fn recomputed_hash(&self) -> u64 {
        Side::BOTH.iter().fold(zobrist::turn(self.to_move()), |hash, &side| {
            hash ^ hash_of_stones(side, self.stones[side.index()])
        })
    }

    #[inline]
    fn n_codes(&self) -> usize {
        tables::N_CODES
    }

    #[inline]
    fn code(&self, mv: AtaxxMove) -> Code {
        match mv {
            AtaxxMove::Clone { to } => code_of_clone(self.to_move(), to.into()),
            AtaxxMove::Jump { to, .. } if self.rules.codes == Codes::To => {
                code_of_clone(self.to_move(), to.into())
            }
            AtaxxMove::Jump { from, to } => code_of_jump(self.to_move(), from.into(), to.into()),
            AtaxxMove::Pass => code_of_pass(self.to_move()),
        }
    }

    fn playout(&self, rng: &mut Rng, record: &mut impl Record) -> Playout {
        isa::dispatch(playout::Uniform { game: self, rng, record })
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        &Symmetry::ALL
    }

    fn transformed(&self, symmetry: Symmetry) -> Ataxx {
        let image = |stones| {
            indices(stones).fold(0, |image, index| {
                image | bit(symmetry.apply(cell(index), self.rules.size, self.rules.size))
            })
        };
        let mut game = Ataxx { stones: self.stones.map(image), ..self.clone() };
        game.hash = game.recomputed_hash();
        game
    }

    fn transformed_move(&self, mv: AtaxxMove, symmetry: Symmetry) -> AtaxxMove {
        let image = |index| self.transformed_cell(index, symmetry);
        match mv {
            AtaxxMove::Clone { to } => AtaxxMove::Clone { to: image(to) },
            AtaxxMove::Jump { from, to } => AtaxxMove::Jump { from: image(from), to: image(to) },
            AtaxxMove::Pass => AtaxxMove::Pass,
        }
    }

    fn move_text(&self, mv: AtaxxMove) -> String {
        self.text_of_move(mv)
    }

    fn position_text(&self) -> Option<String> {
        Some(self.line())
    }

    fn parse_position(&self, text: &str) -> Result<Ataxx, ParsePositionError> {
        self.parse_line(text)
    }

    fn parse_move(&self, text: &str) -> Result<AtaxxMove, ParseMoveError> {
        self.parse_text_of_move(text)
    }

    fn piece_at(&self, x: usize, y: usize) -> Option<Side> {
        self.owner(bit((x, y)))
    }

    /// The stones of the side to move and of the other, the side, the plies left, and the hash.
    fn encoded(&self) -> Option<Encoded> {
        let halves = |word: u64| [word as u32, (word >> 32) as u32];
        let left = self.rules.ply_cap.saturating_sub(self.plies);
        let [stones, enemies, hash] = [self.own(), self.enemy(), self.hash].map(halves);
        let words = [stones, enemies, [self.to_move() as u32, left], hash].concat();
        let half_draws = i64::from(self.rules.draws == Draws::Half);
        let codes = self.rules.codes as i64;
        let constants = vec![("SIZE", self.rules.size as i64), ("HALF_DRAWS", half_draws), ("CODES", codes)];
        Some(Encoded { kernel: "ataxx", constants, words })
    }

    fn network_form(&self) -> Option<NetworkForm> {
        Some(self.form())
    }

    fn write_planes(&self, planes: &mut [f32]) {
        self.write(planes);
    }

    #[inline]
    fn logit(&self, mv: AtaxxMove) -> usize {
        self.logit_of(mv)
    }

    fn drawing(&self) -> String {
        self.board_drawing()
    }
}
