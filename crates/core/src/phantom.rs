//! Phantom games: the same rules, but nobody sees the other side's pieces.
//!
//! A [`Referee`] has the real position, the *world*. A side that is to move
//! tries a move; the referee says that it stands, or that it is refused, and
//! then the side tries another. What a side knows is its [`View`], which is
//! made of what the referee told it and of nothing else. Players are handed a
//! view and never the world, so that none can look at it by mistake.
//!
//! A game takes part by implementing [`Phantom`]: what its views are, and what
//! of a move the referee may announce.

use std::fmt::Debug;

use crate::{
    Code, Encoded, Game, NetworkForm, Outcome, ParseMoveError, Playout, Record, Rng, Side, Symmetry,
};

/// What the referee tells both sides, beside the answers to their own attempts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Announced {
    /// What is captured and where, and passes: the rules of the 2007 Olympiad.
    #[default]
    Captures,
    /// Nothing: a side only learns which of its own attempts are refused.
    Refusals,
}

/// What the referee says to one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Call<M, N> {
    /// To the side that tried: this move is not legal, try another.
    Refused(M),
    /// To the side that tried: this move stands. With what it did, where that is
    /// announced.
    Stands(M, Option<N>),
    /// To the other side: the enemy has moved. With what the move did, where
    /// that is announced.
    EnemyMoved(Option<N>),
}

/// A game that can be played as a phantom game.
pub trait Phantom: Game {
    /// What one side knows.
    type View: View<World = Self>;

    /// What a move does that the referee may announce to both sides; by default nothing
    /// of note.
    type News: Clone + Default + PartialEq + Debug + Send + Sync + 'static;

    /// What a side knows before the first move; `self` is the start position.
    fn view(&self, side: Side, announced: Announced) -> Self::View;

    /// What a legal move is going to do, as the referee announces it.
    fn news(&self, mv: Self::Move) -> Self::News;

    /// The same in words, such as "captures c3 and c4"; nothing where there is
    /// nothing to say.
    fn news_text(&self, news: &Self::News) -> Option<String>;
}

/// The call that a game's referee makes.
pub type CallOf<G> = Call<<G as Game>::Move, <G as Phantom>::News>;

/// What one side of a phantom game knows: a function of the referee's calls.
pub trait View: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// What is hidden behind it.
    type World: Phantom<View = Self>;

    /// Worlds that agree with the view, after a move perhaps.
    type Guess: Guess<World = Self::World>;

    /// Whose view this is.
    fn side(&self) -> Side;

    /// The side whose turn it is.
    fn to_move(&self) -> Side;

    /// The moves of both sides so far.
    fn ply(&self) -> u32;

    /// Takes in what the referee says.
    fn hear(&mut self, call: &CallOf<Self::World>);

    /// The moves worth a try, each once, in a fixed order: as far as this side
    /// knows they may be legal, and they are not what the game's convention never
    /// plays. Moves that were refused in this turn are not among them.
    fn for_each_candidate(&self, visit: impl FnMut(<Self::World as Game>::Move));

    /// What to play when no candidate is left: a pass, where the game has one.
    fn last_resort(&self) -> Option<<Self::World as Game>::Move>;

    /// What is the same in all worlds that agree with this view, after a move of
    /// this side where one is given. The move is played on what is known, before
    /// the hidden pieces are put anywhere.
    fn assume(&self, mv: Option<<Self::World as Game>::Move>) -> Self::Guess;

    /// Whether this could be the world: an error that says why not.
    fn agrees(&self, world: &Self::World) -> Result<(), String>;

    /// How many enemy pieces there are, as far as this side can tell.
    fn n_enemies(&self) -> u32;

    /// The AMAF code of a candidate.
    fn code(&self, mv: <Self::World as Game>::Move) -> Code;

    /// The number of AMAF codes.
    fn n_codes(&self) -> usize;

    /// The move's text.
    fn move_text(&self, mv: <Self::World as Game>::Move) -> String;

    /// Reads the text of a move that could be tried, legal or not.
    fn parse_move(&self, text: &str) -> Result<<Self::World as Game>::Move, ParseMoveError>;

    /// Whose piece this side takes to stand on a cell, its own and those of the enemy that it
    /// presumes; cells as in [`Game::piece_at`].
    fn piece_at(&self, x: usize, y: usize) -> Option<Side>;

    /// The view drawn for a terminal, lines ending in `\n`.
    fn drawing(&self) -> String;

    /// Returns the view for the kernels of a device; `None` if there are none for it.
    fn encoded(&self) -> Option<Encoded> {
        None
    }

    /// The form in which networks see the worlds behind this view; `None` if networks cannot see
    /// the game.
    fn network_form(&self) -> Option<NetworkForm> {
        None
    }

    /// The number of a candidate among the logits of a network, as in a world where this side is to
    /// move: see [`Game::logit`].
    fn logit(&self, _mv: <Self::World as Game>::Move) -> usize {
        0
    }

    /// The symmetries of the board that keep the rules, the identity first.
    fn symmetries(&self) -> &'static [Symmetry] {
        &[Symmetry::IDENTITY]
    }

    /// The view seen through one of them.
    #[must_use]
    fn transformed(&self, symmetry: Symmetry) -> Self {
        debug_assert_eq!(symmetry, Symmetry::IDENTITY);
        self.clone()
    }

    /// The move that corresponds to `mv` in the view so transformed.
    fn transformed_move(
        &self,
        mv: <Self::World as Game>::Move,
        symmetry: Symmetry,
    ) -> <Self::World as Game>::Move {
        debug_assert_eq!(symmetry, Symmetry::IDENTITY);
        mv
    }
}

/// What worlds that agree with a view have in common. Each world is drawn anew.
pub trait Guess: Clone + Debug + Send + Sync + 'static {
    /// What is guessed.
    type World: Game;

    /// A world in which the hidden pieces stand somewhere they may stand.
    fn world(&self, rng: &mut Rng) -> Self::World;

    /// A random game from such a world, drawn anew. Allocates nothing where the
    /// game's own playouts do not.
    fn playout(&self, rng: &mut Rng, record: &mut impl Record) -> Playout {
        self.world(rng).playout(rng, record)
    }
}

/// The answer to an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer<N> {
    /// The move is not legal: the same side tries another.
    Refused,
    /// The move stands, and did this. It is the other side's turn, or the game is over.
    Stands(N),
}

/// A phantom game as the referee has it: the world, and what each side knows of it.
#[derive(Clone, Debug)]
pub struct Referee<G: Phantom> {
    world: G,
    views: [G::View; 2],
    announced: Announced,
}

impl<G: Phantom> Referee<G> {
    /// Begins a game at its start position.
    pub fn new(start: G, announced: Announced) -> Referee<G> {
        let views = Side::BOTH.map(|side| start.view(side, announced));
        Referee { world: start, views, announced }
    }

    /// The real position: for referees and spectators, never for players.
    pub fn world(&self) -> &G {
        &self.world
    }

    /// What a side knows.
    pub fn view(&self, side: Side) -> &G::View {
        &self.views[side.index()]
    }

    /// What is announced.
    pub fn announced(&self) -> Announced {
        self.announced
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.world.outcome()
    }

    /// The side to move tries a move. Both sides hear what they are to hear.
    pub fn attempt(&mut self, mv: G::Move) -> Answer<G::News> {
        let side = self.world.to_move();
        if !self.world.is_legal(mv) {
            self.views[side.index()].hear(&Call::Refused(mv));
            return Answer::Refused;
        }
        let news = self.world.news(mv);
        self.world.play_unchecked(mv);
        let heard = (self.announced == Announced::Captures).then(|| news.clone());
        self.views[side.index()].hear(&Call::Stands(mv, heard.clone()));
        self.views[(!side).index()].hear(&Call::EnemyMoved(heard));
        Answer::Stands(news)
    }
}
