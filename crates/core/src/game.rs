//! What a game is, to everything that searches, plays or measures it.

use std::ops::ControlFlow;

use thiserror::Error;

use crate::{
    Code, Encoded, NetworkForm, Outcome, PackedMove, Playout, Record, Rng, Side, Symmetry, shortened,
};

/// A position of a two-player game of perfect information, with its rules and
/// options inside.
///
/// Eight methods are required; the rest have defaults that are right but slow.
/// `docs/adding-a-game.md` walks through an implementation, and the testkit's
/// conformance suite checks one.
///
/// Contract of all methods: equal positions (same rules, same history as far as
/// the rules look at it) give equal answers, whatever path led to them.
pub trait Game: Clone + Send + Sync + 'static {
    /// A move, small and cheap to copy.
    type Move: PackedMove;

    /// The side whose turn it is. In a finished game: whose turn it would be.
    fn to_move(&self) -> Side;

    /// How the game ended, or `None` while it goes on.
    ///
    /// A game is over exactly when this is `Some`; then there is no legal move.
    fn outcome(&self) -> Option<Outcome>;

    /// Calls `visit` with every legal move, each once, in a fixed order, until it
    /// breaks. Pure rules. Allocates nothing. A finished game has no moves.
    fn try_for_each_move<B>(&self, visit: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B>;

    /// Plays a legal move. What happens after an illegal one is unspecified
    /// (though never undefined); [`play`](Game::play) is the checked form.
    fn play_unchecked(&mut self, mv: Self::Move);

    /// A hash of the position: of the board, the side to move, and whatever else
    /// the rules look at, kept up to date move by move.
    fn hash(&self) -> u64;

    /// The number of AMAF codes; every [`code`](Game::code) is below it.
    fn n_codes(&self) -> usize;

    /// The AMAF code of a legal move here: moves that "do the same thing" in
    /// different positions share a code, and the two sides share none.
    fn code(&self, mv: Self::Move) -> Code;

    /// Whether the side to move does not see the enemy's pieces: true for what a player is
    /// shown of a phantom game, and for nothing else.
    #[doc(hidden)]
    fn hides_pieces(&self) -> bool {
        false
    }

    /// The move's text, such as `e5`, `a2-a3` or `pass`.
    fn move_text(&self, mv: Self::Move) -> String;

    // What follows has defaults.

    /// By how many points Black has won a game that is over and was decided by counting:
    /// less than nothing where White has. `None` in other games.
    fn margin(&self) -> Option<f64> {
        None
    }

    /// Calls `visit` with the moves worth searching: the legal moves, less those
    /// that the game's convention never plays (in Go, filling one's own eye and
    /// passing while another move is left). In a game that is not over there is
    /// at least one. Playouts are uniform over these.
    fn try_for_each_search_move<B>(&self, visit: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.try_for_each_move(visit)
    }

    /// Whether the move is legal here.
    fn is_legal(&self, mv: Self::Move) -> bool {
        self.try_for_each_move(
            |legal| if legal == mv { ControlFlow::Break(()) } else { ControlFlow::Continue(()) },
        )
        .is_break()
    }

    /// Plays the move if it is legal; otherwise changes nothing.
    fn play(&mut self, mv: Self::Move) -> Result<(), IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove);
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// All legal moves, in order. For people and tests: it allocates.
    fn moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.for_each_move(|mv| moves.push(mv));
        moves
    }

    /// All moves worth searching, in order. For people and tests: it allocates.
    fn search_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.for_each_search_move(|mv| moves.push(mv));
        moves
    }

    /// [`try_for_each_move`](Game::try_for_each_move) without an early stop.
    #[inline]
    fn for_each_move(&self, mut visit: impl FnMut(Self::Move)) {
        let ControlFlow::Continue(()) = self.try_for_each_move::<std::convert::Infallible>(|mv| {
            visit(mv);
            ControlFlow::Continue(())
        });
    }

    /// [`try_for_each_search_move`](Game::try_for_each_search_move) without an early stop.
    #[inline]
    fn for_each_search_move(&self, mut visit: impl FnMut(Self::Move)) {
        let ControlFlow::Continue(()) = self.try_for_each_search_move::<std::convert::Infallible>(|mv| {
            visit(mv);
            ControlFlow::Continue(())
        });
    }

    /// The number of legal moves.
    fn n_moves(&self) -> u64 {
        let mut count = 0;
        self.for_each_move(|_| count += 1);
        count
    }

    /// Plays uniformly random search moves to the end (or to the game's cap on
    /// playouts) and says how it ended. The position itself stays as it is.
    ///
    /// Every move's code goes to `record`, in an order in which the moves may be
    /// played if the record asks for order ([`Record::ORDERED`]). Recording changes neither the outcome nor the length, nor how far
    /// the generator goes.
    ///
    /// This default is exact and allocates nothing, and it is slow: it walks the
    /// move list twice a ply. Games override it.
    fn playout(&self, rng: &mut Rng, record: &mut impl Record) -> Playout {
        playout_by_move_lists(self, rng, record)
    }

    /// A fast [`playout`](Game::playout) of the form of the game in which moves that win at once
    /// are illegal and a side without a legal move loses; `None` if there is none.
    #[doc(hidden)]
    fn playout_without_wins(&self, _rng: &mut Rng, _record: &mut impl Record) -> Option<Playout> {
        None
    }

    /// The hash computed from nothing, for tests of [`hash`](Game::hash).
    fn recomputed_hash(&self) -> u64 {
        self.hash()
    }

    /// The symmetries of the board that keep the rules, the identity first.
    fn symmetries(&self) -> &'static [Symmetry] {
        &[Symmetry::IDENTITY]
    }

    /// The position seen through one of [`symmetries`](Game::symmetries).
    fn transformed(&self, symmetry: Symmetry) -> Self {
        debug_assert_eq!(symmetry, Symmetry::IDENTITY);
        self.clone()
    }

    /// The move that corresponds to `mv` in the position so transformed.
    fn transformed_move(&self, mv: Self::Move, symmetry: Symmetry) -> Self::Move {
        debug_assert_eq!(symmetry, Symmetry::IDENTITY);
        mv
    }

    /// Reads a move's text: any legal move, or an error that says what is wrong.
    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseMoveError> {
        parse_legal_move(self, text)
    }

    /// The position as one line of text, or `None` for a game without such a form.
    fn position_text(&self) -> Option<String> {
        None
    }

    /// Reads a position of the same rules, size and options as this one.
    fn parse_position(&self, text: &str) -> Result<Self, ParsePositionError> {
        Err(ParsePositionError::new(text, "this game has no text form of positions"))
    }

    /// The same position with this side to move, as if the game had not ended by passes; the
    /// boards that led here stay. `None` where the rules know no such thing: where nobody
    /// may pass.
    fn with_to_move(&self, _side: Side) -> Option<Self> {
        None
    }

    /// Whose piece stands on the cell of column `x` and row `y`, both from 0: row 0 is the
    /// one that moves call 1. `None` where it is empty, or where the game has no board.
    fn piece_at(&self, _x: usize, _y: usize) -> Option<Side> {
        None
    }

    /// The position for the kernels of a device; `None` if there are none for this game.
    fn encoded(&self) -> Option<Encoded> {
        None
    }

    /// The form in which networks see positions of these rules and this size; `None` if networks
    /// cannot see the game. All positions of a game have the same form.
    fn network_form(&self) -> Option<NetworkForm> {
        None
    }

    /// Writes the position as the side to move sees it, plane by plane and row by row: every one
    /// of the [`size`](NetworkForm::size) values of its form.
    fn write_planes(&self, _planes: &mut [f32]) {}

    /// The number of a legal move among the logits of a network, in the frame in which
    /// [`write_planes`](Game::write_planes) shows the position. Different moves of a position have
    /// different numbers.
    fn logit(&self, _mv: Self::Move) -> usize {
        0
    }

    /// Writes the position as [`write_planes`](Game::write_planes) does. If pieces are hidden, the
    /// position is one that agrees with what is known, drawn anew. Returns the outcome if the game
    /// is over there.
    #[doc(hidden)]
    fn write_guessed_planes(&self, planes: &mut [f32], _rng: &mut Rng) -> Option<Outcome> {
        self.write_planes(planes);
        self.outcome()
    }

    /// The position drawn for a terminal, lines ending in `\n`.
    fn drawing(&self) -> String {
        self.position_text().map_or_else(String::new, |text| text + "\n")
    }
}

/// The move is not legal in this position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the move is not legal in this position")]
pub struct IllegalMove;

/// The text names no legal move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{text}' is not a legal move here: {reason}")]
pub struct ParseMoveError {
    text: String,
    reason: String,
    /// Whether the reason is only a list of legal moves.
    is_list: bool,
}

impl ParseMoveError {
    /// An error about `text`; `reason` goes on from "is not a legal move here:".
    pub fn new(text: &str, reason: impl Into<String>) -> ParseMoveError {
        ParseMoveError { text: shortened(text), reason: reason.into(), is_list: false }
    }

    /// Why the move is not legal, without the move itself: `there is a stone`. `None` if the error
    /// only lists some legal moves.
    pub fn reason(&self) -> Option<&str> {
        (!self.is_list).then_some(&self.reason)
    }
}

/// The text is no position of this game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{text}' is not a position of this game: {reason}")]
pub struct ParsePositionError {
    text: String,
    reason: String,
}

impl ParsePositionError {
    /// An error about `text`; `reason` goes on from "is not a position of this game:".
    pub fn new(text: &str, reason: impl Into<String>) -> ParsePositionError {
        ParsePositionError { text: shortened(text), reason: reason.into() }
    }
}

/// Finds the legal move with this text, upper or lower case; the error lists
/// some of the moves that are legal.
pub fn parse_legal_move<G: Game>(game: &G, text: &str) -> Result<G::Move, ParseMoveError> {
    let wanted = text.trim();
    let mut examples = Vec::new();
    let found = game.try_for_each_move(|mv| {
        let name = game.move_text(mv);
        if name.eq_ignore_ascii_case(wanted) {
            return ControlFlow::Break(mv);
        }
        if examples.len() < 5 {
            examples.push(name);
        }
        ControlFlow::Continue(())
    });
    match found {
        ControlFlow::Break(mv) => Ok(mv),
        ControlFlow::Continue(()) if examples.is_empty() => {
            Err(ParseMoveError::new(text, "the game is over"))
        }
        ControlFlow::Continue(()) => {
            let n = game.n_moves();
            let more = if n > examples.len() as u64 { ", …" } else { "" };
            let plural = if n == 1 { "move is" } else { "moves are" };
            let reason = format!("{n} {plural} legal: {}{more}", examples.join(", "));
            Err(ParseMoveError { is_list: true, ..ParseMoveError::new(text, reason) })
        }
    }
}

/// The playout that every game can have: [`Game::playout`]'s default, and the
/// yardstick for those that override it.
pub fn playout_by_move_lists<G: Game>(game: &G, rng: &mut Rng, record: &mut impl Record) -> Playout {
    let mut position = game.clone();
    let mut plies = 0;
    loop {
        if let Some(outcome) = position.outcome() {
            return Playout { outcome, plies };
        }
        let mut n_moves = 0;
        position.for_each_search_move(|_| n_moves += 1);
        debug_assert!(n_moves > 0, "a game that is not over has a move");
        let mut rank = rng.below(n_moves);
        let chosen = position.try_for_each_search_move(|mv| {
            if rank == 0 {
                return ControlFlow::Break(mv);
            }
            rank -= 1;
            ControlFlow::Continue(())
        });
        if let ControlFlow::Break(mv) = chosen {
            record.push(position.code(mv));
            position.play_unchecked(mv);
            plies += 1;
        }
    }
}

/// The number of legal move sequences of exactly `depth` plies from here: pure
/// rules, one for depth 0. A game that ends earlier adds nothing.
pub fn perft<G: Game>(game: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => game.n_moves(),
        _ => {
            let mut total = 0;
            game.for_each_move(|mv| {
                let mut next = game.clone();
                next.play_unchecked(mv);
                total += perft(&next, depth - 1);
            });
            total
        }
    }
}

/// How far a [watched count](perft_watched) has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PerftProgress {
    /// The first moves whose sequences are counted.
    pub done: u64,
    /// All first moves.
    pub total: u64,
}

/// Counts as [`perft`] does, and calls `watch` for every position that is at least two plies
/// above the leaves. Returns `None` as soon as `watch` breaks off.
pub fn perft_watched<G: Game>(
    game: &G,
    depth: u32,
    watch: &mut dyn FnMut(PerftProgress) -> ControlFlow<()>,
) -> Option<u64> {
    if depth < 2 {
        return Some(perft(game, depth));
    }
    let (mut count, mut progress) = (0, PerftProgress { done: 0, total: game.n_moves() });
    let counted = game.try_for_each_move(|mv| {
        watch(progress)?;
        let mut next = game.clone();
        next.play_unchecked(mv);
        count += perft_until(&next, depth - 1, &mut || watch(progress))?;
        progress.done += 1;
        ControlFlow::Continue(())
    });
    counted.is_continue().then_some(count)
}

/// The number of legal move sequences, unless `ask` breaks off.
fn perft_until<G: Game>(
    game: &G,
    depth: u32,
    ask: &mut dyn FnMut() -> ControlFlow<()>,
) -> ControlFlow<(), u64> {
    // Asking costs nothing next to the positions two plies below.
    if depth < 3 {
        return ControlFlow::Continue(perft(game, depth));
    }
    let mut count = 0;
    game.try_for_each_move(|mv| {
        ask()?;
        let mut next = game.clone();
        next.play_unchecked(mv);
        count += perft_until(&next, depth - 1, ask)?;
        ControlFlow::Continue(())
    })?;
    ControlFlow::Continue(count)
}
