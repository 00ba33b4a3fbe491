//! How one of our players looks at a game: the seed that it plays by, and the symmetry through
//! which it sees the board. Both are fixed when the game begins, so a search can be made anywhere.

use tesuji_catalog::{GameSpec, PlayerSpec};
use tesuji_core::{Seed, Side, Symmetry};
use tesuji_search::{Board, PlayerConfig, Report, Sight};

use crate::book::{Book, stream};
use crate::contestant::{CannotPlay, Contestant};
use crate::seat::SeatStart;

/// How one of our players looks at a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outlook {
    /// The seed that the player plays by, if that is not the game's.
    pub own_seed: Option<Seed>,
    /// The symmetry through which the player sees the board.
    pub symmetry: Symmetry,
}

/// The game's seed and the board as it is.
impl Default for Outlook {
    fn default() -> Outlook {
        Outlook { own_seed: None, symmetry: Symmetry::IDENTITY }
    }
}

impl Outlook {
    /// Draws a seed and a symmetry from a book.
    pub(crate) fn drawn(book: &Book, game: &GameSpec, start: SeatStart) -> Outlook {
        let symmetries = game.start().map_or(Vec::new(), |start| start.symmetries());
        let word = if start.side == Side::Black { "black" } else { "white" };
        let mut rng = start.game_seed.child("book").child(word).rng();
        let (seed, symmetry) = book.draw(start.side, &symmetries, &mut rng);
        Outlook { own_seed: Some(seed), symmetry }
    }

    /// The random stream for a move at this ply: the player's own, or else `seed`.
    pub fn seed(&self, side: Side, ply: u64, seed: Seed) -> Seed {
        self.own_seed.map_or(seed, |own| stream(own, side, ply))
    }

    /// What the player sees of a board.
    pub fn sight(&self, board: &dyn Board) -> Box<dyn Sight> {
        match self.symmetry {
            Symmetry::IDENTITY => board.sight().boxed_clone(),
            symmetry => board.sight().transformed(symmetry),
        }
    }

    /// The report on the player's [`sight`](Outlook::sight) of a board, with moves of the board.
    pub fn report_on(&self, board: &dyn Board, report: Report) -> Report {
        match self.symmetry {
            Symmetry::IDENTITY => report,
            symmetry => {
                let turned = board.sight().transformed(symmetry);
                report.map(|mv| turned.transformed_move(mv, symmetry.inverse()))
            }
        }
    }
}

impl Contestant {
    /// The player that chooses the contestant's moves. An engine has none.
    pub fn player(&self) -> Result<PlayerSpec, CannotPlay> {
        match self {
            Contestant::Player(spec) | Contestant::Turned(_, spec) => Ok(spec.clone()),
            Contestant::Portfolio(portfolio) => Ok(portfolio.book()?.player()),
            Contestant::Engine(_) => Err(CannotPlay::NotStarted { contestant: self.to_string() }),
        }
    }

    /// Whether the contestant keeps what it learnt below its move for its next search. Of an engine
    /// nothing is known.
    pub fn reuses_trees(&self) -> bool {
        let reuses = |spec: &PlayerSpec| match spec.config() {
            PlayerConfig::Search(search) => search.options.reuse,
            PlayerConfig::Random | PlayerConfig::Greedy => false,
        };
        self.player().is_ok_and(|spec| reuses(&spec))
    }

    /// How the contestant looks at a game that begins. An engine has no outlook.
    pub fn outlook(&self, game: &GameSpec, start: SeatStart) -> Result<Outlook, CannotPlay> {
        match self {
            Contestant::Portfolio(portfolio) => Ok(Outlook::drawn(portfolio.book()?, game, start)),
            Contestant::Engine(_) => Err(CannotPlay::NotStarted { contestant: self.to_string() }),
            _ => Ok(Outlook { own_seed: start.own_seed, symmetry: self.symmetry(game)? }),
        }
    }
}
