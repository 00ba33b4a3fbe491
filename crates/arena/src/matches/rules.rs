//! How the games of an experiment begin and end, in addition to the rules of the game.

use std::fmt;

use tesuji_catalog::GameSpec;
use tesuji_core::{ParseMoveError, Seed, TimeControl};
use tesuji_search::Board;
use thiserror::Error;

/// How the games of an experiment begin and end.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rules {
    /// Which sides and seeds the contestants have.
    pub pairing: Pairing,
    /// Which games share their random numbers.
    pub seeds: Seeds,
    /// The moves that are played before the contestants begin.
    pub openings: Openings,
    /// A game with this number of moves, including its opening, is a draw.
    pub most_moves: Option<u32>,
    /// One of our players resigns if it expects less than this share in [`PATIENCE`](tesuji_session::PATIENCE) consecutive
    /// moves.
    pub resign_below: Option<f64>,
    /// One of our players wins if it expects more than this share in [`PATIENCE`](tesuji_session::PATIENCE) consecutive
    /// moves, and its opponent expects less than the rest.
    pub claim_above: Option<f64>,
    /// The time of each side. A side whose time is up loses.
    pub clock: Option<TimeControl>,
}

/// Which sides and seeds the contestants have in the games of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pairing {
    /// Games come in pairs with the players' sides exchanged, each with its own random
    /// numbers.
    #[default]
    Sides,
    /// The player is always Black. Every seed of the player meets every seed of the opponent:
    /// see [`SeedPair`](crate::SeedPair).
    Seeds,
}

/// Which games of an experiment share their random numbers: those of the openings and those of the
/// players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Seeds {
    /// Every cell has its own, so cells are independent.
    #[default]
    Own,
    /// Games of equal index share them in all cells of one game. Differences between cells are then
    /// known better than the rates themselves.
    Common,
}

/// The moves that are played before the contestants begin. Games come in pairs (0 and 1, 2 and 3,
/// and so on), which have the same opening, with the sides exchanged.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Openings {
    /// Games begin at the start position.
    #[default]
    None,
    /// This number of random moves, different ones for each pair.
    Random(u32),
    /// These openings in turn. Each is a list of moves, separated by blanks or commas.
    Listed(Vec<String>),
}

/// Everything that games depend on, so it goes into the experiment's address.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.openings {
            Openings::None => f.write_str("no openings")?,
            Openings::Random(plies) => write!(f, "{plies} random plies")?,
            // Moves with blanks between them, however they were written.
            Openings::Listed(openings) => {
                let canonical = |opening: &String| words(opening).collect::<Vec<_>>().join(" ");
                let openings: Vec<String> = openings.iter().map(canonical).collect();
                write!(f, "openings {}", openings.join(" / "))?;
            }
        }
        if self.pairing == Pairing::Seeds {
            f.write_str("; every seed against every seed")?;
        }
        if self.seeds == Seeds::Common {
            f.write_str("; common seeds")?;
        }
        if let Some(moves) = self.most_moves {
            write!(f, "; most moves {moves}")?;
        }
        if let Some(rate) = self.resign_below {
            write!(f, "; resign below {rate}")?;
        }
        if let Some(rate) = self.claim_above {
            write!(f, "; claim above {rate}")?;
        }
        if let Some(clock) = self.clock {
            write!(f, "; clock {clock}")?;
        }
        Ok(())
    }
}

/// Rules contradict each other, or do not suit a game.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum RulesError {
    /// A share is out of range.
    #[error("{name} is a share from {low} to {high}, not {share}")]
    Share {
        /// The rule.
        name: &'static str,
        /// The smallest share that is allowed.
        low: f64,
        /// The largest share that is allowed.
        high: f64,
        /// The share as given.
        share: f64,
    },
    /// Games would have no moves.
    #[error("most_moves is at least 1")]
    NoMoves,
    /// Seeds are paired, and there is an opening.
    #[error("games of seeds begin at the start position")]
    SeedsWithOpening,
    /// Seeds are paired, and there is a clock.
    #[error("games of seeds have no clock: they must come out again as they did")]
    SeedsWithClock,
    /// There are random and listed openings.
    #[error("it has either random_plies or openings")]
    TwoKindsOfOpenings,
    /// The list of openings is empty.
    #[error("the list of openings is empty")]
    EmptyList,
    /// An opening is not legal.
    #[error("in the opening '{opening}': {error}")]
    IllegalOpening {
        /// The opening.
        opening: String,
        /// What is wrong with it.
        error: ParseMoveError,
    },
    /// An opening ends the game.
    #[error("the opening '{opening}' leaves nothing to play on {game}")]
    FinishedGame {
        /// The opening.
        opening: String,
        /// The game.
        game: String,
    },
}

impl Rules {
    /// Checks that the rules do not contradict each other.
    pub(crate) fn check(&self) -> Result<(), RulesError> {
        let share = |name, share: Option<f64>, low: f64, high: f64| match share {
            Some(share) if !(low..=high).contains(&share) => {
                Err(RulesError::Share { name, low, high, share })
            }
            _ => Ok(()),
        };
        share("resign_below", self.resign_below, 0.0, 0.5)?;
        share("claim_above", self.claim_above, 0.5, 1.0)?;
        if self.most_moves == Some(0) {
            return Err(RulesError::NoMoves);
        }
        let Rules { openings, clock, .. } = self.clone().simplified();
        if self.pairing == Pairing::Seeds && openings != Openings::None {
            return Err(RulesError::SeedsWithOpening);
        }
        if self.pairing == Pairing::Seeds && clock.is_some() {
            return Err(RulesError::SeedsWithClock);
        }
        if matches!(&openings, Openings::Listed(list) if list.is_empty()) {
            return Err(RulesError::EmptyList);
        }
        Ok(())
    }

    /// The same rules with no words that say nothing: no random moves are no openings, and a
    /// clock without a limit is no clock.
    pub(crate) fn simplified(mut self) -> Rules {
        if self.openings == Openings::Random(0) {
            self.openings = Openings::None;
        }
        self.clock = self.clock.filter(|clock| *clock != TimeControl::Unlimited);
        self
    }

    /// Checks that every listed opening is legal in this game and does not end it.
    pub(crate) fn check_openings(&self, game: &GameSpec) -> Result<(), RulesError> {
        let Openings::Listed(openings) = &self.openings else { return Ok(()) };
        for opening in openings {
            let mut position = game.start().expect("a spec that exists can be started");
            play_all(&mut *position, opening)
                .map_err(|error| RulesError::IllegalOpening { opening: opening.clone(), error })?;
            if position.outcome().is_some() {
                let (opening, game) = (opening.clone(), game.to_string());
                return Err(RulesError::FinishedGame { opening, game });
            }
        }
        Ok(())
    }
}

impl Openings {
    /// The position after the opening of a game, and the opening's moves.
    /// `cell` is the address of the cell that the game belongs to.
    pub(crate) fn begin(&self, game: &GameSpec, cell: Seed, index: u64) -> (Box<dyn Board>, Vec<String>) {
        let start = || game.start().expect("a spec that exists can be started");
        let pair = index / 2;
        match self {
            Openings::None => (start(), Vec::new()),
            Openings::Listed(openings) => {
                let mut position = start();
                let opening = &openings[(pair % openings.len() as u64) as usize];
                let moves =
                    play_all(&mut *position, opening).expect("openings were tried when the file was read");
                (position, moves)
            }
            Openings::Random(plies) => {
                let mut rng = cell.child("opening").child(pair).rng();
                // An opening that ends the game is none; where every try does, there is none.
                for _ in 0..1000 {
                    let mut position = start();
                    let moves = (0..*plies).map_while(|_| position.play_at_random(&mut rng)).collect();
                    if position.outcome().is_none() {
                        return (position, moves);
                    }
                }
                (start(), Vec::new())
            }
        }
    }
}

/// Plays moves with blanks or commas between them; gives their texts as the game writes them.
fn play_all(position: &mut dyn Board, moves: &str) -> Result<Vec<String>, ParseMoveError> {
    words(moves).map(|word| position.play(word)).collect()
}

/// The moves of an opening.
fn words(moves: &str) -> impl Iterator<Item = &str> {
    moves.split([' ', ',', '\t', '\n']).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening(openings: &Openings, index: u64) -> Vec<String> {
        let game: GameSpec = "hex:5".parse().unwrap();
        openings.begin(&game, Seed::new(1), index).1
    }

    #[test]
    fn pairs_share_their_opening() {
        let random = Openings::Random(3);
        assert_eq!(opening(&random, 0), opening(&random, 1));
        assert_ne!(opening(&random, 0), opening(&random, 2));
        assert_eq!(opening(&random, 6).len(), 3);
        let given = Openings::Listed(vec!["a1".to_owned(), "B2, c3".to_owned()]);
        assert_eq!(opening(&given, 1), ["a1"]);
        assert_eq!(opening(&given, 2), ["b2", "c3"]);
        assert_eq!(opening(&given, 4), ["a1"]);
        assert!(opening(&Openings::None, 0).is_empty());
    }

    #[test]
    fn different_openings_are_different_rules() {
        let rules = |openings: &[&str]| {
            let openings = openings.iter().map(|opening| (*opening).to_owned()).collect();
            Rules { openings: Openings::Listed(openings), ..Rules::default() }.to_string()
        };
        assert_ne!(rules(&["a1, b2"]), rules(&["a1", "b2"]));
        assert_eq!(rules(&["a1, b2"]), rules(&["a1  b2 "]));
    }

    #[test]
    fn an_opening_never_ends_the_game() {
        let game: GameSpec = "hex:2".parse().unwrap();
        for index in 0..20 {
            let (position, _) = Openings::Random(2).begin(&game, Seed::new(1), index);
            assert_eq!(position.outcome(), None);
        }
        // Four stones always end it: then there is no opening.
        assert!(Openings::Random(4).begin(&game, Seed::new(1), 0).1.is_empty());
    }

    #[test]
    fn wrong_rules_are_told() {
        let game: GameSpec = "hex:5".parse().unwrap();
        let given =
            |text: &str| Rules { openings: Openings::Listed(vec![text.to_owned()]), ..Rules::default() };
        assert!(
            given("a1 a1")
                .check_openings(&game)
                .unwrap_err()
                .to_string()
                .starts_with("in the opening 'a1 a1': 'a1' is not")
        );
        assert_eq!(given("a1 b1").check_openings(&game), Ok(()));
        let rules = Rules { resign_below: Some(0.7), ..Rules::default() };
        assert_eq!(rules.check().unwrap_err().to_string(), "resign_below is a share from 0 to 0.5, not 0.7");
    }
}
