//! Phantom Go: Go without seeing the enemy's stones (Cazenave 2006; Cazenave,
//! Liu, Teytaud, Teytaud 2016).
//!
//! A side knows its own stones, the number of enemy stones, and the points where it
//! ran into some. A refused attempt means an enemy stone there, unless what the side
//! knows explains the refusal otherwise: a point just left by its own captured
//! stones (ko), suicide, no hidden stone left, or an enemy stone there that
//! would have no liberty. So a *mark* is a presumed enemy stone, and sometimes it is
//! wrong: an enemy's eye that cannot be entered looks like a stone.
//!
//! If captures are announced, all stones next to captured own stones are enemy
//! stones, and marked; and a side knows where its own stones are, so it makes no mark
//! that would take their last liberty. If captures are not announced, a side does not
//! learn that its stones are gone; it removes own chains that marks have surrounded.
//!
//! Own stones and marks together are always a board on which every chain has a
//! liberty. Marks that turn out to be impossible are dropped: those that
//! were surrounded and not captured, and those around own stones that live.

mod encoding;
mod guess;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use tesuji_core::{
    Announced, Call, CallOf, Code, Encoded, NetworkForm, ParseMoveError, Phantom, Side, Symmetry, View,
    drawing,
};

use crate::go::{Go, GoMove, GoRules};
use crate::goban::PointSet;
use crate::goban::board::{Board, Effect};
use crate::goban::stones::{alive, all_alive};
pub use guess::GoGuess;

/// What the referee announces about a move of Phantom Go.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GoNews<S> {
    /// The captured stones.
    captured: S,
    /// Whether the move is a pass.
    passed: bool,
}

impl<S: PointSet> Default for GoNews<S> {
    fn default() -> GoNews<S> {
        GoNews { captured: S::none(), passed: false }
    }
}

/// What one side of Phantom Go knows: its view of the game.
///
/// ```
/// use tesuji_core::{Announced, Answer, Game, Referee, Side, View};
/// use tesuji_games::{Go, GoRules, goban::UpTo7};
/// let start = Go::<UpTo7>::new(GoRules { size: 5, ..GoRules::default() })?;
/// let mut referee = Referee::new(start, Announced::Captures);
/// let c3 = referee.view(Side::Black).parse_move("c3")?;
/// assert!(matches!(referee.attempt(c3), Answer::Stands(_)));
/// // White does not see the stone and runs into it.
/// assert_eq!(referee.view(Side::White).n_enemies(), 1);
/// assert_eq!(referee.attempt(c3), Answer::Refused);
/// assert_eq!(referee.world().to_move(), Side::White);
/// assert_eq!(
///     referee.view(Side::White).drawing(),
///     [
///         "   a b c d e",
///         " 5 · · · · · 5",
///         " 4 · · · · · 4",
///         " 3 · · ◆ · · 3",
///         " 2 · · · · · 2",
///         " 1 · · · · · 1",
///         "   a b c d e",
///         "",
///     ]
///     .join("\n")
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct GoView<S> {
    rules: GoRules,
    announced: Announced,
    side: Side,
    /// Own stones and marks; the side to move is always this one.
    board: Board<S>,
    /// Points refused in this turn that were not marked.
    refused: S,
    /// Points known to be empty: own stones just captured there.
    vacated: S,
    /// The number of enemy stones on the board, as far as the side can know.
    n_enemies: u32,
    ply: u32,
    /// The number of consecutive passes just before, as far as the side can know.
    passes: u8,
}

impl<S: PointSet> Phantom for Go<S> {
    type View = GoView<S>;
    type News = GoNews<S>;

    fn view(&self, side: Side, announced: Announced) -> GoView<S> {
        let rules = *self.rules();
        GoView {
            rules,
            announced,
            side,
            board: Board::new(rules.size).with_stones([S::none(); 2], side),
            refused: S::none(),
            vacated: S::none(),
            n_enemies: 0,
            ply: 0,
            passes: 0,
        }
    }

    fn news(&self, mv: GoMove) -> GoNews<S> {
        match mv {
            GoMove::Pass => GoNews { captured: S::none(), passed: true },
            GoMove::Stone(vertex) => GoNews { captured: self.taken(vertex), passed: false },
        }
    }

    fn news_text(&self, news: &GoNews<S>) -> Option<String> {
        if news.passed {
            return Some("passes".to_owned());
        }
        let mut names = Vec::new();
        news.captured.for_each(|index| names.push(self.board().name(Board::<S>::vertex(index))));
        names.sort();
        let last = names.pop()?;
        Some(match names.is_empty() {
            true => format!("captures {last}"),
            false => format!("captures {} and {last}", names.join(", ")),
        })
    }
}

impl<S: PointSet> GoView<S> {
    /// Own stones.
    fn mine(&self) -> S {
        self.board.stones(self.side)
    }

    /// Where enemy stones are presumed.
    fn marks(&self) -> S {
        self.board.stones(!self.side)
    }

    fn set(&mut self, mine: S, marks: S) {
        let mut stones = [mine; 2];
        stones[(!self.side).index()] = marks;
        self.board = self.board.with_stones(stones, self.side);
    }

    /// Enemy stones that are somewhere unknown. (Wrong marks can be too many.)
    fn n_hidden(&self) -> u32 {
        self.n_enemies.saturating_sub(self.marks().count())
    }

    /// Whether the refusal of this point needs no enemy stone there.
    fn explains(&self, index: usize) -> bool {
        let point = S::single(index);
        let marks = self.marks().or(point);
        let empty = self.board.empty().without(point);
        self.vacated.contains(index)
            || self.n_hidden() == 0
            || self.board.effect(index) == Effect::Suicide
            || !all_alive(marks, marks, empty)
            || self.announced == Announced::Captures && !all_alive(self.mine(), self.mine(), empty)
    }

    /// Drops marks that cannot be right: those without a liberty, and those that leave
    /// own stones without one, unless they are `certain`.
    fn drop_impossible_marks(&mut self, certain: S) {
        let marks = alive(self.marks(), self.board.empty());
        let mine = self.mine();
        let strangled = mine.without(alive(mine, self.board.points.without(mine).without(marks)));
        self.set(mine, marks.without(strangled.spread().without(certain)));
    }

    fn hear_refusal(&mut self, index: usize) {
        if !self.board.empty().contains(index) {
            return;
        }
        if self.explains(index) {
            self.refused = self.refused.or(S::single(index));
            return;
        }
        let marks = self.marks().or(S::single(index));
        let mine = match self.announced {
            Announced::Captures => self.mine(),
            // Whoever has no liberty left was taken unannounced.
            Announced::Refusals => alive(self.mine(), self.board.points.without(self.mine()).without(marks)),
        };
        self.set(mine, marks);
    }

    fn hear_own_stone(&mut self, index: usize, news: Option<&GoNews<S>>) {
        let captured = match news {
            Some(news) => news.captured,
            // As far as what is known says so.
            None => match self.board.effect(index) {
                Effect::Captures(dead) => dead,
                _ => S::none(),
            },
        };
        self.n_enemies = self.n_enemies.saturating_sub(captured.count());
        let stone = S::single(index);
        self.set(self.mine().or(stone), self.marks().without(captured).without(stone));
        self.drop_impossible_marks(S::none());
        if self.board.empty().is_none() {
            // A board full of own stones: most were taken unannounced.
            self.set(stone, S::none());
        }
    }

    fn hear_enemy(&mut self, news: Option<&GoNews<S>>) {
        let (captured, passed) = news.map_or((S::none(), false), |news| (news.captured, news.passed));
        self.passes = if passed { self.passes + 1 } else { 0 };
        self.n_enemies += u32::from(!passed);
        self.vacated = captured;
        let mine = self.mine().without(captured);
        // What was captured had no liberty left.
        let around = captured.spread().and(self.board.points).without(captured).without(mine);
        self.set(mine, self.marks().or(around));
        self.drop_impossible_marks(around);
    }
}

impl<S: PointSet> View for GoView<S> {
    type World = Go<S>;
    type Guess = GoGuess<S>;

    fn side(&self) -> Side {
        self.side
    }

    fn to_move(&self) -> Side {
        if self.ply.is_multiple_of(2) { Side::Black } else { Side::White }
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn hear(&mut self, call: &CallOf<Go<S>>) {
        match *call {
            Call::Refused(GoMove::Stone(vertex)) => {
                if let Some(index) = self.board.index(vertex) {
                    self.hear_refusal(index);
                }
            }
            Call::Refused(GoMove::Pass) => {}
            Call::Stands(mv, news) => {
                match mv {
                    GoMove::Pass => self.passes += 1,
                    GoMove::Stone(vertex) => {
                        self.passes = 0;
                        if let Some(index) = self.board.index(vertex) {
                            self.hear_own_stone(index, news.as_ref());
                        }
                    }
                }
                (self.refused, self.vacated) = (S::none(), S::none());
                self.ply += 1;
            }
            Call::EnemyMoved(news) => {
                self.hear_enemy(news.as_ref());
                self.ply += 1;
            }
        }
    }

    fn for_each_candidate(&self, mut visit: impl FnMut(GoMove)) {
        let effects = self.board.effects();
        let playable = effects.breathing.or(effects.captures);
        let worth_it = playable.without(self.board.own_eyes()).without(self.refused);
        let ControlFlow::Continue(()) =
            Board::try_for_each_vertex::<std::convert::Infallible>(worth_it, |vertex| {
                visit(GoMove::Stone(vertex));
                ControlFlow::Continue(())
            });
    }

    fn last_resort(&self) -> Option<GoMove> {
        Some(GoMove::Pass)
    }

    fn assume(&self, mv: Option<GoMove>) -> GoGuess<S> {
        GoGuess::new(self, mv)
    }

    fn agrees(&self, world: &Go<S>) -> Result<(), String> {
        let (mine, theirs) = (world.board().stones(self.side), world.board().stones(!self.side));
        if mine != self.mine() {
            return Err("this side's own stones are elsewhere".to_owned());
        }
        if !self.marks().is_subset(theirs) {
            return Err("an enemy stone is missing where one is presumed".to_owned());
        }
        if !theirs.is_disjoint(self.vacated) {
            return Err("there is a stone where one was just captured".to_owned());
        }
        if theirs.count() > self.n_enemies.max(self.marks().count()) {
            return Err(format!("{} enemy stones where there are {}", theirs.count(), self.n_enemies));
        }
        Ok(())
    }

    fn n_enemies(&self) -> u32 {
        self.n_enemies
    }

    fn code(&self, mv: GoMove) -> Code {
        match mv {
            GoMove::Stone(vertex) => self.board.vertex_code(self.side, vertex),
            GoMove::Pass => self.board.pass_code(self.side),
        }
    }

    fn n_codes(&self) -> usize {
        self.board.n_stone_codes() + 2
    }

    fn move_text(&self, mv: GoMove) -> String {
        match mv {
            GoMove::Stone(vertex) => self.board.name(vertex),
            GoMove::Pass => "pass".to_owned(),
        }
    }

    fn parse_move(&self, text: &str) -> Result<GoMove, ParseMoveError> {
        if text.trim().eq_ignore_ascii_case("pass") {
            return Ok(GoMove::Pass);
        }
        let vertex = self.board.named(text.trim());
        vertex.map(GoMove::Stone).ok_or_else(|| {
            let last =
                self.board.name(Board::<S>::vertex(S::index(self.rules.size - 1, self.rules.size - 1)));
            ParseMoveError::new(text, format!("a move is a point, from a1 to {last}, or pass"))
        })
    }

    fn piece_at(&self, x: usize, y: usize) -> Option<Side> {
        self.board.at(x, y)
    }

    /// Own stones, presumed enemy stones, and `?` on points refused in this turn.
    fn drawing(&self) -> String {
        self.board.grid().drawing(0, |x, y| {
            let index = S::index(x, y);
            match () {
                () if self.mine().contains(index) => drawing::stone(self.side),
                () if self.marks().contains(index) => drawing::presumed_stone(!self.side),
                () if self.refused.contains(index) => '?',
                () => drawing::EMPTY,
            }
        })
    }

    fn encoded(&self) -> Option<Encoded> {
        self.encode()
    }

    fn network_form(&self) -> Option<NetworkForm> {
        Some(self.rules.form())
    }

    fn logit(&self, mv: GoMove) -> usize {
        self.rules.logit_of(mv)
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        &Symmetry::ALL
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        let image = |set| self.board.transformed_set(set, symmetry);
        GoView {
            board: self.board.transformed(symmetry),
            refused: image(self.refused),
            vacated: image(self.vacated),
            ..self.clone()
        }
    }

    fn transformed_move(&self, mv: GoMove, symmetry: Symmetry) -> GoMove {
        match mv {
            GoMove::Stone(vertex) => GoMove::Stone(self.board.transformed_vertex(vertex, symmetry)),
            GoMove::Pass => GoMove::Pass,
        }
    }
}
