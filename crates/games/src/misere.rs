//! Misère play of any game: the side that would win loses, or may not win at all.
//!
//! What a win is worth is a value of [`MaybeMisere`], not a type, so that code that is
//! generic over games is compiled once for all of them.

use std::ops::ControlFlow;

use tesuji_core::{
    Code, Encoded, Game, NetworkForm, Outcome, ParseMoveError, ParsePositionError, Playout, Record, Rng,
    Side, Symmetry, playout_by_move_lists, zobrist,
};

/// The misère form of a game: the winner of every finished game is exchanged, also
/// if a side has no move. Everything else is that of the game, and so is the cost of
/// playouts.
///
/// The result is exchanged as the game counts it: if an even score is Black's win in
/// the game ([`Draws::Black`](tesuji_core::Draws)), it is White's win in its misère
/// form.
pub fn misere<G>(game: G) -> MaybeMisere<G> {
    MaybeMisere { game, wins: Wins::Lose }
}

/// The form of a game in which a move that wins at once is illegal, and a side without a
/// legal move loses: to a game what NoGo is to Atarigo.
pub fn without_wins<G>(game: G) -> MaybeMisere<G> {
    MaybeMisere { game, wins: Wins::Illegal }
}

/// What becomes of a side that makes a winning move of the normal game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wins {
    /// It wins: this is the normal game.
    Win,
    /// It loses: see [`misere`].
    Lose,
    /// There is no such move: see [`without_wins`].
    Illegal,
}

/// A game, or one of its misère forms.
#[derive(Copy, PartialEq, Eq, Hash, Debug)]
pub struct MaybeMisere<G> {
    /// The position of the normal game.
    pub game: G,
    /// Which of them.
    pub wins: Wins,
}

impl<G> MaybeMisere<G> {
    #[inline]
    fn seen(&self, outcome: Outcome) -> Outcome {
        if self.wins == Wins::Lose { outcome.flipped() } else { outcome }
    }

    #[inline]
    fn key(&self) -> u64 {
        match self.wins {
            Wins::Win => 0,
            Wins::Lose => MISERE,
            Wins::Illegal => WITHOUT_WINS,
        }
    }
}

impl<G: Game> MaybeMisere<G> {
    /// Whether the legal moves have to be looked at one by one.
    #[inline]
    fn is_choosy(&self) -> bool {
        self.wins == Wins::Illegal
    }

    /// Whether this legal move wins the normal game at once.
    fn wins_at_once(&self, mv: G::Move) -> bool {
        let mut after = self.game.clone();
        after.play_unchecked(mv);
        after.outcome() == Some(Outcome::Win(self.game.to_move()))
    }

    /// Visits only the moves that do not win at once.
    fn unless_it_wins<B>(
        &self,
        mut visit: impl FnMut(G::Move) -> ControlFlow<B>,
    ) -> impl FnMut(G::Move) -> ControlFlow<B> {
        move |mv| if self.wins_at_once(mv) { ControlFlow::Continue(()) } else { visit(mv) }
    }

    /// Whether the side to move has no move but winning ones.
    fn must_win(&self) -> bool {
        self.game.try_for_each_search_move(self.unless_it_wins(ControlFlow::Break)).is_continue()
    }
}

/// Not derived, because a derived `clone_from` would not call that of the inner game.
impl<G: Clone> Clone for MaybeMisere<G> {
    #[inline]
    fn clone(&self) -> Self {
        MaybeMisere { game: self.game.clone(), wins: self.wins }
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.game.clone_from(&source.game);
        self.wins = source.wins;
    }
}

/// The keys that keep positions of a game and of its misère forms apart in a shared
/// table.
const MISERE: u64 = zobrist::extra(1 << 20);
const WITHOUT_WINS: u64 = zobrist::extra(1 << 21);

impl<G: Game> Game for MaybeMisere<G> {
    type Move = G::Move;

    #[inline]
    fn to_move(&self) -> Side {
        self.game.to_move()
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        match self.game.outcome() {
            None if self.is_choosy() => self.must_win().then(|| Outcome::Win(!self.to_move())),
            outcome => outcome.map(|outcome| self.seen(outcome)),
        }
    }

    /// `None` for the misère form: its result is the opposite of what was counted.
    fn margin(&self) -> Option<f64> {
        self.game.margin().filter(|_| self.wins == Wins::Win)
    }

    #[inline]
    fn try_for_each_move<B>(&self, visit: impl FnMut(G::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.is_choosy() {
            return self.game.try_for_each_move(self.unless_it_wins(visit));
        }
        self.game.try_for_each_move(visit)
    }

    #[inline]
    fn try_for_each_search_move<B>(&self, visit: impl FnMut(G::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.is_choosy() {
            return self.game.try_for_each_search_move(self.unless_it_wins(visit));
        }
        self.game.try_for_each_search_move(visit)
    }

    #[inline]
    fn play_unchecked(&mut self, mv: G::Move) {
        self.game.play_unchecked(mv);
    }

    #[inline]
    fn is_legal(&self, mv: G::Move) -> bool {
        self.game.is_legal(mv) && !(self.is_choosy() && self.wins_at_once(mv))
    }

    fn n_moves(&self) -> u64 {
        if self.is_choosy() {
            let mut count = 0;
            self.for_each_move(|_| count += 1);
            return count;
        }
        self.game.n_moves()
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.game.hash() ^ self.key()
    }

    fn recomputed_hash(&self) -> u64 {
        self.game.recomputed_hash() ^ self.key()
    }

    #[inline]
    fn n_codes(&self) -> usize {
        self.game.n_codes()
    }

    #[inline]
    fn code(&self, mv: G::Move) -> Code {
        self.game.code(mv)
    }

    #[inline]
    fn playout(&self, rng: &mut Rng, record: &mut impl Record) -> Playout {
        if self.is_choosy() {
            let fast = self.game.playout_without_wins(rng, record);
            return fast.unwrap_or_else(|| playout_by_move_lists(self, rng, record));
        }
        let playout = self.game.playout(rng, record);
        Playout { outcome: self.seen(playout.outcome), ..playout }
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        self.game.symmetries()
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        MaybeMisere { game: self.game.transformed(symmetry), wins: self.wins }
    }

    fn transformed_move(&self, mv: G::Move, symmetry: Symmetry) -> G::Move {
        self.game.transformed_move(mv, symmetry)
    }

    fn move_text(&self, mv: G::Move) -> String {
        self.game.move_text(mv)
    }

    fn parse_move(&self, text: &str) -> Result<G::Move, ParseMoveError> {
        let mv = self.game.parse_move(text)?;
        match self.is_choosy() && self.wins_at_once(mv) {
            true => Err(ParseMoveError::new(text, "it would win, which is illegal in this form of the game")),
            false => Ok(mv),
        }
    }

    fn position_text(&self) -> Option<String> {
        self.game.position_text()
    }

    fn parse_position(&self, text: &str) -> Result<Self, ParsePositionError> {
        self.game.parse_position(text).map(|game| MaybeMisere { game, wins: self.wins })
    }

    fn with_to_move(&self, side: Side) -> Option<Self> {
        let wins = self.wins;
        self.game.with_to_move(side).map(|game| MaybeMisere { game, wins })
    }

    fn piece_at(&self, x: usize, y: usize) -> Option<Side> {
        self.game.piece_at(x, y)
    }

    fn encoded(&self) -> Option<Encoded> {
        // Kernels do not look at moves one by one.
        let mut encoded = self.game.encoded().filter(|_| !self.is_choosy())?;
        encoded.constants.push(("MISERE", i64::from(self.wins == Wins::Lose)));
        Some(encoded)
    }

    fn network_form(&self) -> Option<NetworkForm> {
        let mut form = self.game.network_form()?;
        // Networks of a game and of its twins do not serve each other.
        match self.wins {
            Wins::Win => {}
            Wins::Lose => form.encoding.insert_str(0, "misere "),
            Wins::Illegal => form.encoding.insert_str(0, "no-wins "),
        }
        Some(form)
    }

    fn write_planes(&self, planes: &mut [f32]) {
        self.game.write_planes(planes);
    }

    #[inline]
    fn logit(&self, mv: G::Move) -> usize {
        self.game.logit(mv)
    }

    fn drawing(&self) -> String {
        self.game.drawing()
    }
}
