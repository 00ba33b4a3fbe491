//! The Go Text Protocol, version 2: how programs that play board games talk to
//! each other.
//!
//! A *controller* asks, an *engine* answers. [`Controller`] starts an external engine
//! and plays with it. It knows no game, so it works for Go, Hex and every other game
//! that an engine plays; and it does not trust the engine. An engine that is missing,
//! crashes, hangs or answers nonsense is an [`EngineError`] in bounded time and memory,
//! and no process is left behind. [`protocol`] is the text of commands and answers, and
//! [`Lines`] reads lines of bounded length. The crate `tesuji-engine` answers the
//! protocol for our own players.
//!
//! The protocol is Gunnar Farnebäck's *Specification of the Go Text Protocol,
//! version 2, draft 2* (2002).
//!
//! ```no_run
//! use tesuji_core::Side;
//! use tesuji_gtp::{Answer, Controller, Timeouts};
//!
//! let command = "gnugo --mode gtp --level 1".parse()?;
//! let mut engine = Controller::start(&command, Timeouts::default())?;
//! engine.new_game(9, Some(7.5))?;
//! engine.play(Side::Black, "E5")?;
//! if let Answer::Move(mv) = engine.genmove(Side::White)? {
//!     assert!(mv.len() >= 2);
//! }
//! engine.quit();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod command_line;
mod controller;
mod error;
mod lines;
pub mod protocol;

pub use command_line::{CommandLineError, EngineCommand};
pub use controller::{Controller, Timeouts};
pub use error::EngineError;
pub use lines::{LONGEST_LINE, Line, Lines};
pub use protocol::Answer;
