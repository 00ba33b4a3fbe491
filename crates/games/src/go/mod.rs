//! Go with area scoring.
//!
//! Suicide is illegal. Simple ko holds always; by default positional superko
//! too: no play may bring back any earlier board of the game (a pass may).
//! Two passes end the game; then the area counts: stones, and empty points that
//! reach stones of one side only, with komi for White. Black moves first.
//!
//! Searches and playouts never fill an own eye, and pass only when nothing else
//! is left. Playouts know simple ko only.

mod encoding;
mod history;
mod large;
#[cfg(test)]
mod large_tests;
mod network;
mod playout;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::ControlFlow;

use tesuji_core::{
    Code, Draws, Encoded, Game, MoveId, NetworkForm, Outcome, PackedMove, ParseMoveError, ParsePositionError,
    Playout, Record, Rng, Side, Symmetry, isa, parse_legal_move, zobrist,
};

use crate::goban::board::{Board, Effect};
use crate::goban::stones::area_difference;
use crate::goban::{PointSet, Vertex};
use crate::size::SizeError;
use history::History;
use large::LargePlayout;
use playout::GoPlayout;

/// The repetitions that are illegal in addition to simple ko.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Superko {
    /// No play may bring back an earlier board.
    #[default]
    Positional = 1,
    /// No play may bring back an earlier board with the same side to move.
    Situational = 2,
    /// Simple ko only: games may repeat for ever.
    Off = 0,
}

impl fmt::Display for Superko {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Superko::Positional => "positional",
            Superko::Situational => "situational",
            Superko::Off => "off",
        })
    }
}

/// The options of a game of Go.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GoRules {
    /// The board's size, from 2 to 19.
    pub size: usize,
    /// Komi, the points that White gets, in halves of a point: 15 is a komi of 7.5.
    pub komi_in_halves: i16,
    /// The repetitions that are illegal in addition to simple ko.
    pub superko: Superko,
    /// What an even score means. Only a whole komi allows one.
    pub draws: Draws,
}

impl Default for GoRules {
    fn default() -> GoRules {
        GoRules { size: 9, komi_in_halves: 15, superko: Superko::Positional, draws: Draws::Black }
    }
}

impl GoRules {
    /// The outcome if Black's area minus White's is `area_difference`.
    #[inline]
    fn decide(&self, area_difference: i32) -> Outcome {
        self.draws.decide(2 * area_difference - i32::from(self.komi_in_halves))
    }

    /// The result of a playout with this difference of areas and this number of plies.
    #[inline]
    fn played_out(&self, (area_difference, plies): (i32, u32)) -> Playout {
        Playout { outcome: self.decide(area_difference), plies }
    }
}

/// A playout from a board, which needs no past.
#[inline]
pub(crate) fn playout<S: PointSet>(
    rules: &GoRules,
    board: &Board<S>,
    ko: S,
    passes: u8,
    rng: &mut Rng,
    record: &mut impl Record,
) -> Playout {
    rules.played_out(isa::dispatch(GoKernel { board, ko, passes, rng, record }))
}

/// A move of Go.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GoMove {
    /// A stone on this point.
    Stone(Vertex),
    /// A pass.
    Pass,
}

/// The number of a pass, which no point has.
const PASS: MoveId = MoveId(u32::MAX);

impl PackedMove for GoMove {
    #[inline]
    fn pack(self) -> MoveId {
        match self {
            GoMove::Stone(vertex) => vertex.pack(),
            GoMove::Pass => PASS,
        }
    }

    #[inline]
    fn unpack(id: MoveId) -> GoMove {
        if id == PASS { GoMove::Pass } else { GoMove::Stone(Vertex::unpack(id)) }
    }
}

/// A position of Go with the earlier boards of its game. `S` is the kind of point
/// sets that its size needs.
///
/// ```
/// use tesuji_core::{Game, Outcome, Side};
/// use tesuji_games::{Go, GoRules, goban::UpTo10};
/// let mut game = Go::<UpTo10>::new(GoRules::default())?;
/// for name in ["e5", "pass", "pass"] {
///     game.play(game.parse_move(name)?)?;
/// }
/// // Black owns all 81 points, and White has only a komi of 7.5.
/// assert_eq!(game.outcome(), Some(Outcome::Win(Side::Black)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, PartialEq)]
pub struct Go<S> {
    rules: GoRules,
    board: Board<S>,
    /// Where simple ko forbids the side to move to play: one point, or none.
    ko: S,
    /// Consecutive passes just before: 2 once the game is over.
    passes: u8,
    history: History<S>,
}

impl<S: PointSet> Clone for Go<S> {
    fn clone(&self) -> Self {
        Go { history: self.history.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        self.history.clone_from(&source.history);
        (self.rules, self.board, self.ko, self.passes) =
            (source.rules, source.board, source.ko, source.passes);
    }
}

impl<S: PointSet> Go<S> {
    /// The empty board, Black to move. `S` must be large enough for the board's size.
    pub fn new(rules: GoRules) -> Result<Self, SizeError> {
        SizeError::check_goban::<S>("Go", rules.size)?;
        let board = Board::new(rules.size);
        Ok(Go { rules, board, ko: S::none(), passes: 0, history: History::new(&board) })
    }

    /// The rules of this game.
    pub fn rules(&self) -> &GoRules {
        &self.rules
    }

    /// Black's area minus White's, without komi.
    pub fn area_difference(&self) -> i32 {
        area_difference(self.board.stones(Side::Black), self.board.stones(Side::White), self.board.empty())
    }

    /// The stones that a stone on this empty point captures; `None` if the rules
    /// forbid the stone.
    #[inline]
    fn captures(&self, index: usize) -> Option<S> {
        if self.ko.contains(index) {
            return None;
        }
        let dead = match self.board.effect(index) {
            Effect::Suicide => return None,
            Effect::Lives => S::none(),
            Effect::Captures(dead) => dead,
        };
        (!self.repeats(index, dead)).then_some(dead)
    }

    /// Whether superko forbids a stone on this point that takes the `dead`.
    #[inline]
    fn repeats(&self, index: usize, dead: S) -> bool {
        if self.rules.superko == Superko::Off {
            return false;
        }
        let n_empty = self.board.empty().count() - 1 + dead.count();
        if !self.history.has_number(n_empty) {
            return false;
        }
        let mut board = self.board;
        board.put(index, dead);
        let to_move = (self.rules.superko == Superko::Situational).then_some(board.to_move);
        self.history.contains(&board, to_move)
    }

    /// The points on which the rules allow a stone, while the game goes on.
    #[inline]
    fn playable(&self) -> S {
        let effects = self.board.effects();
        let allowed = effects.breathing.or(effects.captures).without(self.ko);
        if self.rules.superko == Superko::Off || allowed.is_none() {
            return allowed;
        }
        // What takes nothing gives a board with one more stone than now.
        let has_number = self.history.has_number(self.board.empty().count() - 1);
        if !has_number && effects.captures.is_none() {
            return allowed;
        }
        let mut repeating = S::none();
        self.history.suspects(&self.board).and(allowed).for_each(|index| {
            if self.captures(index).is_none() {
                repeating = repeating.or(S::single(index));
            }
        });
        allowed.without(repeating)
    }

    /// What is in the hash besides the board.
    fn extra_hash(&self) -> u64 {
        let ko = if self.ko.is_none() { 0 } else { zobrist::extra(self.board.dense(self.ko.first()) as u32) };
        let passes = if self.passes == 0 { 0 } else { zobrist::extra(1000 + u32::from(self.passes)) };
        ko ^ passes
    }

    /// A position without a past.
    pub(crate) fn set_up(rules: GoRules, board: Board<S>, passes: u8) -> Self {
        Go { rules, board, ko: S::none(), passes, history: History::new(&board) }
    }

    /// The stones and the side to move.
    pub(crate) fn board(&self) -> &Board<S> {
        &self.board
    }

    /// The stones that a legal stone on this point takes.
    pub(crate) fn taken(&self, vertex: Vertex) -> S {
        match self.board.effect(S::index(vertex.x as usize, vertex.y as usize)) {
            Effect::Captures(dead) => dead,
            _ => S::none(),
        }
    }

    #[cfg(test)]
    fn playout_portable(&self, rng: &mut Rng, record: &mut impl Record) -> Playout {
        let Go { board, ko, passes, .. } = self;
        let kernel = GoKernel { board, ko: *ko, passes: *passes, rng, record };
        self.rules.played_out(isa::dispatch_portable(kernel))
    }
}

/// The playout that is fastest for the board's size: floods of bits on the small
/// ones, chains kept stone by stone on the large. The choice is made when the
/// type is compiled.
struct GoKernel<'a, S, R> {
    board: &'a Board<S>,
    ko: S,
    passes: u8,
    rng: &'a mut Rng,
    record: &'a mut R,
}

impl<S: PointSet, R: Record> isa::Kernel for GoKernel<'_, S, R> {
    type Output = (i32, u32);

    #[inline(always)]
    fn run<I: isa::Isa>(self) -> (i32, u32) {
        let GoKernel { board, ko, passes, rng, record } = self;
        if S::LARGEST > 13 {
            LargePlayout::<S, R, 20, 421> { board, ko, passes, rng, record }.run::<I>()
        } else if S::LARGEST > 10 {
            LargePlayout::<S, R, 14, 211> { board, ko, passes, rng, record }.run::<I>()
        } else {
            GoPlayout { board: *board, ko, passes, rng, record }.run::<I>()
        }
    }
}

impl<S: PointSet> Game for Go<S> {
    type Move = GoMove;

    #[inline]
    fn to_move(&self) -> Side {
        self.board.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.passes == 2).then(|| self.rules.decide(self.area_difference()))
    }

    fn margin(&self) -> Option<f64> {
        let points = || f64::from(self.area_difference()) - f64::from(self.rules.komi_in_halves) / 2.0;
        (self.passes == 2).then(points)
    }

    fn try_for_each_move<B>(&self, mut visit: impl FnMut(GoMove) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.passes == 2 {
            return ControlFlow::Continue(());
        }
        Board::try_for_each_vertex(self.playable(), |vertex| visit(GoMove::Stone(vertex)))?;
        visit(GoMove::Pass)
    }

    #[inline]
    fn try_for_each_search_move<B>(&self, mut visit: impl FnMut(GoMove) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.passes == 2 {
            return ControlFlow::Continue(());
        }
        let worth_it = self.playable().without(self.board.own_eyes());
        if worth_it.is_none() {
            return visit(GoMove::Pass);
        }
        Board::try_for_each_vertex(worth_it, |vertex| visit(GoMove::Stone(vertex)))
    }

    fn n_moves(&self) -> u64 {
        if self.passes == 2 { 0 } else { u64::from(self.playable().count()) + 1 }
    }

    fn is_legal(&self, mv: GoMove) -> bool {
        match mv {
            GoMove::Pass => self.passes < 2,
            GoMove::Stone(vertex) => {
                let playable = |index| self.board.empty().contains(index) && self.captures(index).is_some();
                self.passes < 2 && self.board.index(vertex).is_some_and(playable)
            }
        }
    }

    fn play_unchecked(&mut self, mv: GoMove) {
        match mv {
            GoMove::Pass => {
                self.passes += 1;
                self.ko = S::none();
                self.board.to_move = !self.board.to_move;
                // Situational superko tells the sides to move apart, and a pass makes
                // a new situation of an old board.
                self.history.push(&self.board);
            }
            GoMove::Stone(vertex) => {
                let index = S::index(vertex.x as usize, vertex.y as usize);
                let dead = match self.board.effect(index) {
                    Effect::Captures(dead) => dead,
                    _ => S::none(),
                };
                // A ko arises where one stone is taken by one that has no other
                // liberty and no friend: taking back would bring the board back.
                let friends_or_empty = self.board.empty().or(self.board.stones(self.board.to_move));
                let lone = S::neighbours(index).is_disjoint(friends_or_empty);
                self.ko = if lone && dead.count() == 1 { dead } else { S::none() };
                self.passes = 0;
                self.board.put(index, dead);
                self.history.push(&self.board);
            }
        }
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.board.hash() ^ self.extra_hash()
    }

    fn recomputed_hash(&self) -> u64 {
        self.board.recomputed_hash() ^ self.extra_hash()
    }

    fn n_codes(&self) -> usize {
        self.board.n_stone_codes() + 2
    }

    #[inline]
    fn code(&self, mv: GoMove) -> Code {
        match mv {
            GoMove::Stone(vertex) => self.board.vertex_code(self.to_move(), vertex),
            GoMove::Pass => self.board.pass_code(self.to_move()),
        }
    }

    #[inline]
    fn playout(&self, rng: &mut Rng, record: &mut impl Record) -> Playout {
        playout(&self.rules, &self.board, self.ko, self.passes, rng, record)
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        &Symmetry::ALL
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        let board = self.board.transformed(symmetry);
        let history = self.history.map(|stones, to_move| {
            board.with_stones(stones.map(|set| board.transformed_set(set, symmetry)), to_move)
        });
        Go { board, ko: board.transformed_set(self.ko, symmetry), history, ..*self }
    }

    fn transformed_move(&self, mv: GoMove, symmetry: Symmetry) -> GoMove {
        match mv {
            GoMove::Stone(vertex) => GoMove::Stone(self.board.transformed_vertex(vertex, symmetry)),
            GoMove::Pass => GoMove::Pass,
        }
    }

    fn move_text(&self, mv: GoMove) -> String {
        match mv {
            GoMove::Stone(vertex) => self.board.name(vertex),
            GoMove::Pass => "pass".to_owned(),
        }
    }

    fn parse_move(&self, text: &str) -> Result<GoMove, ParseMoveError> {
        let Some(vertex) = self.board.named(text.trim()) else {
            return match self.board.grid().looks_like_a_cell(text.trim()) && self.passes < 2 {
                true => Err(ParseMoveError::new(text, self.board.grid().cells_in_words())),
                false => parse_legal_move(self, text),
            };
        };
        let mv = GoMove::Stone(vertex);
        if self.is_legal(mv) {
            return Ok(mv);
        }
        let index = S::index(vertex.x as usize, vertex.y as usize);
        let reason = match () {
            () if self.passes == 2 => "the game is over",
            () if !self.board.empty().contains(index) => "there is a stone",
            () if self.ko.contains(index) => "ko forbids it",
            () if self.board.effect(index) == Effect::Suicide => "it is suicide, which is illegal",
            () => "superko forbids it: that board has been there before",
        };
        Err(ParseMoveError::new(text, reason))
    }

    /// The rows, the side to move, the point that simple ko forbids (or `-`), and
    /// the number of passes just before. The boards that led here are not in it.
    fn position_text(&self) -> Option<String> {
        let ko = match self.ko.is_none() {
            true => "-".to_owned(),
            false => self.board.name(Board::<S>::vertex(self.ko.first())),
        };
        Some(format!("{} {ko} {}", self.board.text(), self.passes))
    }

    fn parse_position(&self, text: &str) -> Result<Self, ParsePositionError> {
        let error = |reason: &str| ParsePositionError::new(text, reason);
        let (board, fields) = self.board.parse(text, 2)?;
        board.check_alive(text, &Side::BOTH)?;
        let ko = match fields[0] {
            "-" => S::none(),
            name => {
                let vertex = board.named(name).ok_or_else(|| error("the ko field is a point or -"))?;
                let index = S::index(vertex.x as usize, vertex.y as usize);
                if !board.is_ko(index) {
                    return Err(error("there is no ko at the point given"));
                }
                S::single(index)
            }
        };
        let passes = match fields[1] {
            "0" => 0,
            "1" => 1,
            "2" => 2,
            _ => return Err(error("the last field is the number of passes, 0, 1 or 2")),
        };
        if passes > 0 && !ko.is_none() {
            return Err(error("after a pass there is no ko"));
        }
        Ok(Go { rules: self.rules, board, ko, passes, history: History::new(&board) })
    }

    fn with_to_move(&self, side: Side) -> Option<Self> {
        let mut position = self.clone();
        if side != self.to_move() {
            position.board.to_move = side;
            position.ko = S::none();
            // With situational superko this is a situation of its own.
            position.history.push(&position.board);
        }
        position.passes = 0;
        Some(position)
    }

    fn piece_at(&self, x: usize, y: usize) -> Option<Side> {
        self.board.at(x, y)
    }

    fn encoded(&self) -> Option<Encoded> {
        self.encode()
    }

    fn network_form(&self) -> Option<NetworkForm> {
        Some(self.form())
    }

    fn write_planes(&self, planes: &mut [f32]) {
        self.write(planes);
    }

    #[inline]
    fn logit(&self, mv: GoMove) -> usize {
        self.rules.logit_of(mv)
    }

    fn drawing(&self) -> String {
        self.board.drawing()
    }
}
