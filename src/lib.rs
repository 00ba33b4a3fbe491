//! **tesuji** finds the best move when samples are scarce: simple-regret Monte Carlo search.
//!
//! Sequential Halving, SHUSS, value of information, UCT, RAVE and their kin, at the root of a
//! game-tree search, in its leaves, in bandits and in phantom games, behind one trait for
//! spending samples ([`core::Allocator`]) and one for choosing moves ([`search::Player`]). Equal
//! seeds give equal bits on any number of threads.
//!
//! # One search
//!
//! ```
//! let report = tesuji::search("go:5", "hybrid-shuss(t=256)", 2_000)?;
//! let arm = &report.arms[report.chosen.unwrap()];
//! println!("{}: {} of {} samples, mean reward {:?}", arm.mv, arm.visits, report.spent, arm.mean);
//! assert_eq!(report.spent, 2_000);
//! # Ok::<(), tesuji::Error>(())
//! ```
//!
//! Games are `name:size(option=value)`, players `root+tree+leaf`: [`catalog`] reads both, and its
//! errors are sentences that say what is allowed.
//!
//! The same in steps, to choose the position, the seed and the threads. A player searches what the
//! side to move sees:
//!
//! ```
//! use tesuji::core::Seed;
//! use tesuji::prelude::*;
//!
//! let game: GameSpec = "domineering:4".parse()?;
//! let player: PlayerSpec = "uct+solver".parse()?;
//! let mut board = game.start()?;
//! board.play("b2-b3")?;
//! let mut player = game.player(player.config())?;
//! let report = player.search(&*board.sight(), &Limits::samples(100_000).on(2), Seed::new(7), None);
//! println!("{}", board.move_text(report.mv().unwrap()));
//! # assert!(report.spent < 100_000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Positions and playouts
//!
//! A position knows its rules; a playout is one random game from it:
//!
//! ```
//! use tesuji::core::{Game, Outcome, Seed, Side, Silent};
//! use tesuji::games::Breakthrough;
//!
//! let mut game = Breakthrough::new(8, 8)?;
//! game.play(game.parse_move("b2-b3")?)?;
//! assert_eq!(game.to_move(), Side::Black);
//!
//! let mut rng = Seed::new(1).child("an example").rng();
//! let wins = (0..1000)
//!     .filter(|_| game.playout(&mut rng, &mut Silent).outcome == Outcome::Win(Side::White))
//!     .count();
//! assert!((400..600).contains(&wins));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A game chosen by its text has no type of its own:
//!
//! ```
//! use tesuji::catalog::GameSpec;
//!
//! let spec: GameSpec = "misere(go:9(komi=6.5))".parse()?;
//! let mut game = spec.start()?;
//! game.play("e5")?;
//! assert_eq!(game.n_moves(), 81); // 80 points and the pass
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A game of your own
//!
//! Implement [`core::Game`] (eight methods are required, the rest have defaults) and
//! [`core::PackedMove`] for its moves; then every player plays it:
//!
//! ```
//! use tesuji::games::Domineering;
//! use tesuji::prelude::*;
//!
//! let game = Domineering::new(5, 5)?;
//! let report = tesuji::search_game(&game, "sh+uct+solver", 1_000)?;
//! assert!(game.is_legal(report.mv().unwrap()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A bandit without any game
//!
//! ```
//! use tesuji::core::{Arms, Rewards, Seed, allocate};
//!
//! let mut policy = "sh".parse::<tesuji::bandit::PolicySpec>()?.allocator();
//! let (mut arms, mut choices) = (Arms::new(4), Seed::new(1).rng());
//! let mut coins = Seed::new(2).rng();
//! let decision = allocate(&mut *policy, 400, &mut arms, &mut choices, |batch, arms| {
//!     for pull in batch.pulls {
//!         // Arm 2 wins most often.
//!         let chance = [0.3, 0.4, 0.8, 0.5][pull.arm];
//!         let wins = (0..pull.samples).filter(|_| coins.unit() < chance).count() as u64;
//!         arms.record(pull.arm, Rewards::wins(pull.samples, wins));
//!     }
//! });
//! assert_eq!((decision.arm, decision.spent), (2, 400));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where things are
//!
//! | module | what |
//! |---|---|
//! | [`core`] | the vocabulary: games, sides, seeds, arms, allocators |
//! | [`bandit`] | policies that spend samples, and the laboratory that measures their regret |
//! | [`games`] | Atarigo, Ataxx, Breakthrough, Domineering, Go, Hex, Knightthrough, NoGo; Phantom Go and Dark Hex |
//! | [`search`](mod@search) | players, boards, reports |
//! | [`catalog`] | games and players as text |
//! | [`papers`] | the experiments of four papers, and the numbers that they printed |
//!
//! The program `tesuji` (feature `cli`, on by default) has the rest: matches, experiments and a
//! store for them, reports, a GTP engine, a page. Turn the feature off to use the library alone:
//! `tesuji = { version = "0.1", default-features = false }`.

pub mod papers;
pub mod prelude;

pub use tesuji_bandit as bandit;
pub use tesuji_catalog as catalog;
pub use tesuji_core as core;
pub use tesuji_games as games;
pub use tesuji_provenance::Build;
pub use tesuji_search as search;

use tesuji_catalog::{GameSpec, PlayerError, PlayerSpec, SpecError};
use tesuji_core::{Game, Seed};
use tesuji_search::{Limits, Report};
use thiserror::Error;

/// What this library and the program were built from: the commit and a digest of the sources.
pub const BUILD: Build = tesuji_provenance::build!();

/// Why a game cannot be searched: a sentence that says what was wrong and what is allowed.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum Error {
    /// There is no such game, or the player cannot play it.
    #[error(transparent)]
    Game(#[from] SpecError),
    /// There is no such player.
    #[error(transparent)]
    Player(#[from] PlayerError),
}

/// Searches the start position of a game with a number of samples, from seed 1 and on one thread.
/// Moves in the report are texts.
///
/// ```
/// let report = tesuji::search("hex:5", "sh+uct", 1_000)?;
/// assert!(report.mv().is_some());
/// let error = tesuji::search("chess", "uct", 1_000).unwrap_err().to_string();
/// assert!(error.starts_with("'chess' is not a game"));
/// # Ok::<(), tesuji::Error>(())
/// ```
pub fn search(game: &str, player: &str, samples: u64) -> Result<Report<String>, Error> {
    let game: GameSpec = game.parse()?;
    let player: PlayerSpec = player.parse()?;
    let board = game.start()?;
    let mut player = game.player(player.config())?;
    let report =
        player.search(&*board.sight(), &Limits::samples(samples).with_confidence(), Seed::new(1), None);
    Ok(board.in_words(report))
}

/// Searches a position of your own game with a number of samples, from seed 1 and on one thread.
pub fn search_game<G: Game>(position: &G, player: &str, samples: u64) -> Result<Report<G::Move>, Error> {
    let player: PlayerSpec = player.parse()?;
    let mut player = player.config().player();
    Ok(player.search(position, &Limits::samples(samples).with_confidence(), Seed::new(1), None).typed())
}

/// The README's examples are run with the other doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
