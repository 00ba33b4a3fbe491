//! A game in progress, and who sits at it.
//!
//! A [`LiveGame`] is a board with its past: what was played, what a referee refused, the way
//! back. A [`Seat`] is a player or an external engine at a board; a [`Contestant`] is who takes
//! it, read from text, perhaps with a [`Book`]. The arena's referee, the terminal, the page and the
//! GTP engine all use these.
//!
//! A [`Session`] is what a program talks to that wants to play one game: a live game, a player with
//! its clock and its manners ([`Manners`]: when to pass and when to resign), and what it
//! thought. [`analysis`] looks at many positions at once, and plays none.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use tesuji_core::Side;
//! use tesuji_search::RootMoves;
//! use tesuji_session::{Choice, Purpose, Session, Settings, Study, Thinking};
//!
//! let game = "hex:5".parse()?;
//! let settings = Settings { player: "sh+uct@500".parse()?, ..Settings::usual(&game, 1) };
//! let mut session = Session::new(game, settings)?;
//! session.play(Side::Black, "a1")?;
//! let thinking = Thinking { purpose: Purpose::Play, every: None, moves: RootMoves::All, study: Study::Once, cancel: &AtomicBool::new(false) };
//! let choice = session.choose(Side::White, &thinking, &mut |_, _| {})?;
//! assert!(matches!(choice, Choice::Move(_)));
//! assert!(session.explanation()?.contains("Round 1: 24 moves"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod allotment;
pub mod analysis;
mod book;
mod cells;
mod contestant;
mod error;
mod explanation;
mod handicap;
mod live_game;
mod manners;
mod outlook;
mod past;
mod purpose;
mod record;
mod seat;
mod session;
mod status;
mod think;
mod usual;

pub use book::{Book, BookError, BookSeed, Learnt, stream};
pub use cells::Cells;
pub use contestant::{CannotPlay, Contestant, ContestantError, ContestantForm, MissingBook, Portfolio};
pub use error::{SessionError, moves_played};
pub use live_game::{LiveGame, REFUSED};
pub use manners::{PATIENCE, Streak};
pub use outlook::Outlook;
pub use past::Ply;
pub use purpose::Purpose;
pub use seat::{
    EngineSeat, MoveShare, PlayerSeat, SearchedMove, Seat, SeatChoice, SeatFault, SeatStart, Trial, timeouts,
};
pub use session::{Manners, Session, Settings};
pub use status::Status;
pub use think::{Choice, Onlooker, Reason, Study, Thinking, Thought};
pub use usual::{usual_budget, usual_player};
