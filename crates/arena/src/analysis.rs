//! What searches said of the moves of a stored game: searched again, or as it was recorded.
//!
//! A search of one of our players is a function of the game's address and of the moves before it,
//! unless its budget is a time. So it can be made again, also if the opponent was an external
//! engine: the engine's moves are in the record. Records of policies are what is left for players
//! with a clock.

use std::sync::atomic::{AtomicBool, Ordering};

use tesuji_core::Side;
use tesuji_search::{Attempt, NetworkFailure, catch_network_failure};
use tesuji_session::{CannotPlay, Contestant, PlayerSeat, SearchedMove, SeatChoice};
use thiserror::Error;

use crate::in_progress::Turn;
use crate::matches::{Cell, MatchExperiment};
use crate::policies::read_policies;
use crate::record::{Game, REFUSED};
use crate::referee::ScheduledGame;

/// What the search said that chose a move of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveAnalysis {
    /// The number of moves before it, the opening included.
    pub ply: usize,
    /// The side that moved.
    pub side: Side,
    /// The move that was played. In a phantom game it may be another one than the search chose,
    /// because the referee refused that.
    pub mv: String,
    /// The numbers.
    pub numbers: MoveNumbers,
}

/// The numbers of a search, by their source.
#[derive(Clone, PartialEq, Debug)]
pub enum MoveNumbers {
    /// The search was made again.
    Searched(SearchedMove),
    /// They were recorded when the game was played: the moves in the order of the game's list.
    Recorded(Vec<RecordedMove>),
}

/// What was recorded of a move.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordedMove {
    /// The move.
    pub mv: String,
    /// Its probability under the policy of the search, to 65,535ths.
    pub share: f32,
    /// The mean reward of the mover, to 254ths. `None` without samples.
    pub mean: Option<f32>,
}

impl MoveAnalysis {
    /// The reward that the side that moved expected of the move that was played. `None` if the
    /// move got no samples.
    pub fn mean(&self) -> Option<f64> {
        match &self.numbers {
            MoveNumbers::Searched(searched) => {
                searched.report.arms.iter().find(|arm| arm.mv == self.mv)?.mean
            }
            MoveNumbers::Recorded(moves) => moves.iter().find(|one| one.mv == self.mv)?.mean.map(f64::from),
        }
    }

    /// The reward that Black could expect.
    pub fn mean_of_black(&self) -> Option<f64> {
        let mean = self.mean()?;
        Some(if self.side == Side::Black { mean } else { 1.0 - mean })
    }

    /// The samples of the search. `None` if that was not recorded.
    pub fn visits(&self) -> Option<u64> {
        match &self.numbers {
            MoveNumbers::Searched(searched) => Some(searched.report.visits()),
            MoveNumbers::Recorded(_) => None,
        }
    }
}

/// The analysis of a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameAnalysis {
    /// The moves that a search with samples chose, in their order.
    pub moves: Vec<MoveAnalysis>,
    /// The number of moves of external engines, and of players with a clock whose policies were not
    /// recorded.
    pub n_unknown: u64,
}

/// Where the numbers of an analysis come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AnalysisSource {
    /// Searches are made again. Recorded policies stand in for searches with a clock.
    #[default]
    Again,
    /// Recorded policies alone. A game without them has no analysis.
    Recorded,
}

/// A game has no analysis.
#[derive(Debug, Error)]
pub enum AnalysisError {
    /// A repeated search chose another move than the game has.
    #[error(
        "game {id} came out differently at move {number}: it has {stored}, and the search now chooses {now}"
    )]
    Different {
        /// The id of the game.
        id: String,
        /// The number of the move, from 1; refused attempts are counted.
        number: usize,
        /// The stored move.
        stored: String,
        /// What the contestant does now.
        now: String,
    },
    /// A player cannot play any more.
    #[error(transparent)]
    Unplayable(#[from] CannotPlay),
    /// The network of a player failed.
    #[error(transparent)]
    Network(#[from] NetworkFailure),
    /// Another thread asked to stop.
    #[error("the analysis was interrupted")]
    Cancelled,
}

impl MatchExperiment {
    /// Returns what searches said of the moves of a stored game of the cell. `policies` are its
    /// recorded policies, if it has some. Stops soon after another thread sets `cancel`.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use tesuji_arena::{AnalysisSource, Match};
    ///
    /// let two = Match::new("hex:4".parse()?, "uct@50".parse()?, "random".parse()?);
    /// let experiment = Match { games: 1, ..two }.experiment()?;
    /// let cell = &experiment.cells[0];
    /// let game = experiment.replay(cell, 0).expect("the game depends on no clock");
    /// let analysis =
    ///     experiment.analyse(cell, &game, None, AnalysisSource::Again, &AtomicBool::new(false))?;
    /// // The player moves first; nobody searched the moves of `random`.
    /// assert_eq!(analysis.moves[1].ply, 2);
    /// assert_eq!(analysis.moves[1].visits(), Some(50));
    /// assert!(analysis.moves[1].mean().is_some_and(|mean| mean > 0.3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn analyse(
        &self,
        cell: &Cell,
        game: &Game,
        policies: Option<&[u8]>,
        source: AnalysisSource,
        cancel: &AtomicBool,
    ) -> Result<GameAnalysis, AnalysisError> {
        let mut recorded = policies.map_or_else(Vec::new, |policies| recorded_moves(cell, game, policies));
        match source {
            AnalysisSource::Again => {
                let analysed = || self.search_again(cell, game, &mut recorded, cancel);
                catch_network_failure(analysed)?
            }
            AnalysisSource::Recorded => {
                Ok(GameAnalysis { moves: recorded.into_iter().flatten().collect(), n_unknown: 0 })
            }
        }
    }

    /// Searches again for all moves of players without a clock. The others are taken from the record
    /// of the game and of its policies.
    fn search_again(
        &self,
        cell: &Cell,
        stored: &Game,
        recorded: &mut [Option<MoveAnalysis>],
        cancel: &AtomicBool,
    ) -> Result<GameAnalysis, AnalysisError> {
        let index = stored.address.index;
        let mut game = ScheduledGame { experiment: self, cell, index, records_policies: false }.begin(None);
        let seat = |who: usize, contestant: &Contestant| -> Result<Option<PlayerSeat>, CannotPlay> {
            if !contestant.is_reproducible() {
                return Ok(None);
            }
            contestant.check(&cell.game)?;
            let mut seat = contestant.seat(&cell.game)?;
            seat.begin(&cell.game, game.start_of(who));
            Ok(Some(seat))
        };
        let mut seats = [seat(0, &cell.player)?, seat(1, &cell.opponent)?];
        let words: Vec<&str> = stored.moves.split_whitespace().collect();
        let mut analysis = GameAnalysis::default();
        while let Some(turn @ Turn { side, who }) = game.turn() {
            let (live, seed) = (game.live(), game.seed());
            let (ply, n_words) = (live.ply(), live.words().len());
            // The game ended by resignation, by a claim or on time.
            let Some(&next) = words.get(n_words) else { break };
            let Some(seat) = &mut seats[who] else {
                // A move that is not legal ended the game.
                let Ok(mv) = live.board().parse_move(next.trim_start_matches(REFUSED)) else { break };
                match recorded.get_mut(ply).and_then(Option::take) {
                    Some(recorded) => analysis.moves.push(recorded),
                    None => analysis.n_unknown += 1,
                }
                let (others, shares) = (Vec::new(), Vec::new());
                let choice = SeatChoice::Move { mv, others, samples: 0, carried: 0, expects: None, shares };
                game.hear(turn, choice);
                continue;
            };
            let (choice, searched) = seat.choose_watched(live.board(), ply as u64, seed, cancel);
            if cancel.load(Ordering::Relaxed) {
                return Err(AnalysisError::Cancelled);
            }
            game.hear(turn, choice);
            let now = game.live().words();
            let same = now[n_words..].iter().zip(&words[n_words..]).take_while(|(now, word)| now == word);
            let place = n_words + same.count();
            if place < now.len() || now.len() == n_words {
                let nothing = || "to play nothing".to_owned();
                return Err(AnalysisError::Different {
                    id: cell.game_id(index),
                    number: place + 1,
                    stored: words.get(place).map_or_else(nothing, |&word| word.to_owned()),
                    now: now.get(place).cloned().unwrap_or_else(nothing),
                });
            }
            if let (true, Some(mv)) = (game.live().ply() > ply && searched.report.visits() > 0, now.last()) {
                let numbers = MoveNumbers::Searched(searched);
                analysis.moves.push(MoveAnalysis { ply, side, mv: mv.clone(), numbers });
            }
        }
        Ok(analysis)
    }
}

/// The recorded policies of a game by its plies, as far as they fit its moves.
fn recorded_moves(cell: &Cell, game: &Game, policies: &[u8]) -> Vec<Option<MoveAnalysis>> {
    let plies = read_policies(policies).unwrap_or_default();
    let Ok(mut board) = cell.game.start() else { return Vec::new() };
    let mut moves = Vec::new();
    for (ply, word) in game.moves.split_whitespace().enumerate() {
        let shares = ply.checked_sub(game.opening as usize).and_then(|after| plies.get(after));
        let texts = board.arm_texts();
        let fits = shares.filter(|shares| !shares.is_empty() && shares.len() == texts.len());
        moves.push(fits.map(|shares| {
            let one = |(mv, share): (String, &crate::MoveShare)| RecordedMove {
                mv,
                share: share.share,
                mean: share.mean,
            };
            let numbers = MoveNumbers::Recorded(texts.into_iter().zip(shares).map(one).collect());
            MoveAnalysis { ply, side: board.to_move(), mv: word.to_owned(), numbers }
        }));
        let Ok(mv) = board.parse_move(word) else { break };
        let Attempt::Stands { .. } = board.attempt(mv) else { break };
    }
    moves
}
