//! The Go Text Protocol, version 2: how programs that play board games talk to
//! each other.
//!
//! A *controller* asks, an *engine* answers. [`Controller`] is the first half: it
//! starts an external program and plays with it. It knows no game, so it serves
//! Go, Hex and whatever else speaks the protocol; and it does not trust the
//! program. An engine that is missing, dies, falls silent or talks nonsense is an
//! [`EngineError`] in bounded time and memory, and never a process that is left
//! behind. [`engine`] is the second: it reads commands and answers them for whoever
//! plays, its [`Host`](engine::Host), and knows no search either. [`protocol`] is the
//! text itself, for both halves.
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
pub mod engine;
mod error;
pub mod protocol;

pub use command_line::{CommandLineError, EngineCommand};
pub use controller::{Controller, Timeouts};
pub use error::EngineError;
pub use protocol::Answer;
