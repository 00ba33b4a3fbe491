//! Dark Hex: Hex without seeing the enemy's stones, as OpenSpiel has it (Lanctot et
//! al. 2019).
//!
//! Nothing is ever captured and every move adds a stone, so a side knows exactly
//! how many stones the enemy has, its own are where it put them, and a refused
//! attempt on a cell means an enemy stone there for certain. Marks are never wrong,
//! and there is nothing to announce: both forms of [`Announced`] are the same game.
//!
//! There is no pass. A side never runs out of candidates, for a board without
//! unknown cells is full and somebody has won.
//!
//! The swap rule is not offered: who takes over a stone that is not seen? Views are
//! those of a game without it, whatever the rules of the world say.

mod guess;
#[cfg(test)]
mod tests;

use tesuji_core::{
    Announced, Call, CallOf, Code, Game, NetworkForm, ParseMoveError, Phantom, Side, Symmetry, View,
};

use super::{Hex, HexMove, HexRules, Swap};
pub use guess::HexGuess;

/// What one side of Dark Hex knows: its view of the game.
///
/// ```
/// use tesuji_core::{Announced, Answer, Referee, Side, View};
/// use tesuji_games::{HexRules, SmallHex};
/// let start = SmallHex::new(HexRules { size: 3, ..HexRules::default() })?;
/// let mut referee = Referee::new(start, Announced::Captures);
/// let b2 = referee.view(Side::Black).parse_move("b2")?;
/// assert!(matches!(referee.attempt(b2), Answer::Stands(_)));
/// // White does not see the stone and runs into it.
/// assert_eq!(referee.attempt(b2), Answer::Refused);
/// assert_eq!(
///     referee.view(Side::White).drawing(),
///     [
///         "   a b c",
///         "    • • • •",
///         " 1 ◦ · · · ◦ 1",
///         "  2 ◦ · ● · ◦ 2",
///         "   3 ◦ · · · ◦ 3",
///         "      • • • •",
///         "         a b c",
///         "",
///     ]
///     .join("\n")
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct HexView<const WORDS: usize, const ROWS: usize> {
    side: Side,
    /// Own stones and the enemy's that are known, and whose turn it is.
    known: Hex<WORDS, ROWS>,
    /// Enemy stones on the board.
    n_enemies: u32,
    ply: u32,
}

impl<const WORDS: usize, const ROWS: usize> Phantom for Hex<WORDS, ROWS> {
    type View = HexView<WORDS, ROWS>;
    type News = ();

    fn view(&self, side: Side, _: Announced) -> HexView<WORDS, ROWS> {
        let rules = HexRules { swap: Swap::Off, ..self.rules() };
        let known = Hex::new(rules).expect("there is a board of this size");
        HexView { side, known, n_enemies: 0, ply: 0 }
    }

    fn news(&self, _: HexMove) {}

    fn news_text(&self, (): &()) -> Option<String> {
        None
    }
}

impl<const WORDS: usize, const ROWS: usize> HexView<WORDS, ROWS> {
    /// Enemy stones that are somewhere unknown.
    fn n_hidden(&self) -> u32 {
        self.n_enemies.saturating_sub(self.known.n_stones(!self.side))
    }

    /// Puts a stone of a side on a cell that is not known to have one.
    fn put(&mut self, mv: HexMove, side: Side) {
        if let HexMove::Stone { x, y } = mv
            && self.known.is_legal(mv)
        {
            self.known.put(side, usize::from(x), usize::from(y));
        }
    }

    fn end_turn(&mut self) {
        self.known.pass_the_turn();
        self.ply += 1;
    }
}

impl<const WORDS: usize, const ROWS: usize> View for HexView<WORDS, ROWS> {
    type World = Hex<WORDS, ROWS>;
    type Guess = HexGuess<WORDS, ROWS>;

    fn side(&self) -> Side {
        self.side
    }

    fn to_move(&self) -> Side {
        self.known.to_move
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn hear(&mut self, call: &CallOf<Hex<WORDS, ROWS>>) {
        match *call {
            Call::Refused(mv) => self.put(mv, !self.side),
            Call::Stands(mv, _) => {
                self.put(mv, self.side);
                self.end_turn();
            }
            Call::EnemyMoved(_) => {
                self.n_enemies += 1;
                self.end_turn();
            }
        }
    }

    /// All cells that are not known to have a stone.
    fn for_each_candidate(&self, visit: impl FnMut(HexMove)) {
        self.known.for_each_move(visit);
    }

    fn last_resort(&self) -> Option<HexMove> {
        None
    }

    fn assume(&self, mv: Option<HexMove>) -> HexGuess<WORDS, ROWS> {
        HexGuess::new(self, mv)
    }

    fn agrees(&self, world: &Hex<WORDS, ROWS>) -> Result<(), String> {
        let (own, enemy) = (self.side.index(), (!self.side).index());
        if world.stones[own] != self.known.stones[own] {
            return Err("this side's own stones are elsewhere".to_owned());
        }
        let mut marks = self.known.stones[enemy].iter().zip(&world.stones[enemy]);
        if marks.any(|(known, there)| known & !there != 0) {
            return Err("an enemy stone is missing that is known".to_owned());
        }
        let n_enemies = world.n_stones(!self.side);
        if n_enemies > self.n_enemies {
            return Err(format!("{n_enemies} enemy stones where there are {}", self.n_enemies));
        }
        Ok(())
    }

    fn n_enemies(&self) -> u32 {
        self.n_enemies
    }

    fn code(&self, mv: HexMove) -> Code {
        let [.., swap] = self.known.first_codes();
        match mv {
            HexMove::Stone { x, y } => {
                let size = Code::from(self.known.size);
                self.known.first_codes()[self.side.index()] + Code::from(y) * size + Code::from(x)
            }
            HexMove::Swap => swap,
        }
    }

    fn n_codes(&self) -> usize {
        self.known.n_codes()
    }

    fn move_text(&self, mv: HexMove) -> String {
        self.known.move_text(mv)
    }

    fn parse_move(&self, text: &str) -> Result<HexMove, ParseMoveError> {
        let grid = self.known.grid();
        match grid.cell(text.trim()) {
            Some((x, y)) => Ok(HexMove::Stone { x: x as u8, y: y as u8 }),
            None => {
                let last = grid.name((grid.width - 1, grid.height - 1));
                Err(ParseMoveError::new(text, format!("a move is a cell, from a1 to {last}")))
            }
        }
    }

    fn piece_at(&self, x: usize, y: usize) -> Option<Side> {
        self.known.stone(x, y)
    }

    /// Own stones, and the enemy stones that are known: these stay where they are.
    fn drawing(&self) -> String {
        self.known.drawn()
    }

    fn network_form(&self) -> Option<NetworkForm> {
        self.known.network_form()
    }

    fn logit(&self, mv: HexMove) -> usize {
        self.known.logit_of(self.side, mv)
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        self.known.symmetries()
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        HexView { known: self.known.transformed(symmetry), ..self.clone() }
    }

    fn transformed_move(&self, mv: HexMove, symmetry: Symmetry) -> HexMove {
        self.known.transformed_move(mv, symmetry)
    }
}
