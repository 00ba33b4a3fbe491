//! Rating lists: how strong several players are, from games between any of them.
//!
//! The expected score of the side that moves first is E = 1 / (1 + 10^(−(r₁ − r₂ + a) / 400)), with
//! the ratings r of both players and the advantage a of moving first, one for each game (board).
//! Ratings and advantages maximise the sum of p ln E + (1 − p) ln(1 − E) over all games, with p the
//! points of that side; a draw is half a point. Without draws this is the likelihood of R. Bradley
//! and M. Terry ("Rank analysis of incomplete block designs", 1952), as Ordo maximises it. With
//! draws it is a quasi-likelihood (R. Wedderburn, "Quasi-likelihood functions, generalized linear
//! models, and the Gauss–Newton method", 1974): only the mean of the results must be right. How much
//! they spread is measured, so that draws and paired openings make the errors smaller.
//!
//! - [`Meeting`]: the games of two players on one board;
//! - [`Ratings`]: the list, with a [`Rating`] for each player and an [`Advantage`] for each board;
//! - [`Question`]: which games to play next, and whether an answer is sure.
//!
//! **Prior.** Each player has some virtual drawn games ([`RatingSettings::prior`]) against its
//! opponents, half of them with each side. They keep the ratings of players with all points or none
//! finite, and an advantage that no game determines.
//!
//! **Groups.** Players that are connected by no games cannot be compared. Each group has its own
//! zero.
//!
//! ```
//! use tesuji_arena::ratings::{Meeting, RatingSettings, Ratings};
//! // Player 0 won eleven and lost three of 18 pairs against player 1; four were even. Player 1 won
//! // five pairs against player 2 and lost none.
//! let mut meetings = [Meeting::new(0, 1, 0), Meeting::new(1, 2, 0)];
//! meetings[0].pairs = [[3, 0, 2], [0, 0, 0], [2, 0, 11]];
//! meetings[1].pairs[2] = [3, 0, 5];
//! let ratings = Ratings::of(3, 1, &meetings, &RatingSettings::default());
//! assert_eq!(ratings.order(), [0, 1, 2]);
//! assert!(ratings.superiority(0, 1) > Some(0.95));
//! ```

mod bootstrap;
mod cells;
mod dispersion;
mod fit;
mod groups;
mod matrix;
mod question;
mod rating;
#[cfg(test)]
mod tests;

use serde::Serialize;
use tesuji_core::Seed;

use crate::statistics::distribution::{Z_95, normal_below};
use crate::statistics::{Count, Interval};
use bootstrap::Resampler;
use cells::{Cell, virtual_games};
use dispersion::{Dispersion, Dispersions};
use fit::{ELO, Fit};
use matrix::Matrix;

pub use question::{Answer, Plan, Question};
pub use rating::{Advantage, Anchor, Difference, Extreme, Rating};

/// A millionth of an Elo and less.
const TOLERANCE: f64 = 1e-9;

/// The games of two players on one board.
///
/// Two players may have several meetings on one board, also with exchanged roles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Meeting {
    /// The index of the player whose points are counted.
    pub player: usize,
    /// The index of the other player.
    pub opponent: usize,
    /// The index of the game (board). Each has its own advantage of moving first.
    pub game: usize,
    /// Pairs of games with the same opening and exchanged sides, by the player's half points (0, 1
    /// or 2) in the game in which it moved first, then by those in the other one.
    pub pairs: [[u64; 3]; 3],
    /// Games in no complete pair: those in which the player moved first, and the others.
    pub singles: [Count; 2],
}

/// How ratings are computed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RatingSettings {
    /// The number of virtual drawn games of each player, 1 by default. With 0 it is a
    /// thousandth of a game: ratings are the most likely ones to a tenth of an Elo, and those
    /// of players with all points or none are huge, but finite.
    pub prior: f64,
    /// The player whose rating is given. Its group is relative to it.
    pub anchor: Option<Anchor>,
    /// The number of resamples for bootstrap intervals, 1000 by default; 0 for none.
    pub bootstrap: u32,
    /// The seed of the resamples.
    pub seed: Seed,
}

/// A rating list.
///
/// As JSON it has `players`, `advantages` and `groups`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ratings {
    /// The rating of each player; `None` for a player without games.
    pub players: Vec<Option<Rating>>,
    /// The advantage of moving first on each board; `None` for a board without games.
    pub advantages: Vec<Option<Advantage>>,
    /// Players that are connected by games. A player without games is a group of its own.
    pub groups: Vec<Vec<usize>>,
    /// Covariances of the ratings of each group in squared Elo, relative to the mean or the anchor.
    #[serde(skip)]
    covariance: Matrix,
    #[serde(skip)]
    anchor: Option<usize>,
    #[serde(skip)]
    dispersion: f64,
}

impl Meeting {
    /// A meeting without games.
    pub fn new(player: usize, opponent: usize, game: usize) -> Meeting {
        Meeting { player, opponent, game, pairs: [[0; 3]; 3], singles: [Count::default(); 2] }
    }
}

impl Default for RatingSettings {
    fn default() -> RatingSettings {
        RatingSettings { prior: 1.0, anchor: None, bootstrap: 1000, seed: Seed::new(0) }
    }
}

impl Ratings {
    /// The ratings of `n_players` players on `n_games` boards. All indices in `meetings` are below
    /// these numbers, and nobody meets itself.
    ///
    /// It costs about (resamples + 1) · (players³ + 50 meetings) operations.
    pub fn of(n_players: usize, n_games: usize, meetings: &[Meeting], settings: &RatingSettings) -> Ratings {
        debug_assert!(
            meetings.iter().all(|meeting| meeting.player != meeting.opponent),
            "nobody meets itself"
        );
        let groups = groups::groups(n_players, meetings);
        let virtual_games = virtual_games(n_players, meetings, settings.prior);
        let with_prior = |(meeting, virtual_games): (&Meeting, &f64)| {
            meeting.cells(|count| count as f64).map(|cell| cell.with_draws(virtual_games / 2.0))
        };
        let cells: Vec<Cell> = meetings.iter().zip(&virtual_games).flat_map(with_prior).collect();
        let mut fit = Fit::zero(n_players, n_games);
        fit.climb(&cells, &groups, TOLERANCE);
        let dispersions = Dispersion::of(meetings, &fit, n_games, n_players - groups.len());
        let spread = Spread::of(&fit, &cells, meetings, &virtual_games, &groups, &dispersions);
        let resampler = Resampler {
            meetings,
            virtual_games: &virtual_games,
            groups: &groups,
            fit: &fit,
            inverse: &spread.inverse,
        };
        let resamples = resampler.ratings(n_players, settings.bootstrap, settings.seed);
        let mut list = Ratings {
            players: vec![None; n_players],
            advantages: advantages(meetings, &fit, &spread, &dispersions),
            groups,
            covariance: spread.ratings,
            anchor: None,
            dispersion: dispersions.overall.sums,
        };
        for group in 0..list.groups.len() {
            list.rate_group(group, meetings, &fit, &resamples, settings.anchor);
        }
        list.set_opponents(meetings);
        list
    }

    /// Sets the ratings of a group, if it has games.
    fn rate_group(
        &mut self,
        group: usize,
        meetings: &[Meeting],
        fit: &Fit,
        resamples: &[Vec<f64>],
        anchor: Option<Anchor>,
    ) {
        let members = std::mem::take(&mut self.groups[group]);
        if members.len() > 1 {
            let anchor = anchor.filter(|anchor| members.contains(&anchor.player));
            if let Some(anchor) = anchor {
                self.covariance = relative_to(&self.covariance, &members, anchor.player);
                self.anchor = Some(anchor.player);
            }
            let zero = anchor.map_or(0.0, |anchor| fit.rating(anchor.player));
            let given = anchor.map_or(0.0, |anchor| anchor.elo);
            for &player in &members {
                let in_elo = |rating: f64, zero: f64| given + ELO * (rating - zero);
                let elo = in_elo(fit.rating(player), zero);
                let error = Z_95 * self.covariance[(player, player)].max(0.0).sqrt();
                let record = Record::of(player, meetings);
                let zeros = |resample: usize| anchor.map_or(0.0, |anchor| resamples[anchor.player][resample]);
                let resampled = resamples[player].iter().enumerate();
                let values = resampled.map(|(resample, &rating)| in_elo(rating, zeros(resample))).collect();
                self.players[player] = Some(Rating {
                    elo,
                    error,
                    interval: Interval { low: elo - error, high: elo + error },
                    bootstrap: bootstrap::middle(values).filter(|_| record.extreme().is_none()),
                    games: record.games,
                    points: record.points,
                    score: record.points / record.games as f64,
                    opponents: 0.0,
                    group,
                    extreme: record.extreme(),
                });
            }
        }
        self.groups[group] = members;
    }

    /// Sets each player's mean rating of opponents.
    fn set_opponents(&mut self, meetings: &[Meeting]) {
        let elo: Vec<f64> = (0..self.players.len()).map(|player| self.elo(player)).collect();
        for meeting in meetings {
            let games = meeting.n_games() as f64;
            for (player, opponent) in [(meeting.player, meeting.opponent), (meeting.opponent, meeting.player)]
            {
                if let Some(rating) = &mut self.players[player] {
                    rating.opponents += elo[opponent] * games / rating.games as f64;
                }
            }
        }
    }

    /// The likelihood of superiority: the probability that `a` is stronger than `b`, given the
    /// results and no opinion beforehand. `None` if no games connect the two.
    pub fn superiority(&self, a: usize, b: usize) -> Option<f64> {
        let Difference { elo, standard_error } = self.difference(a, b)?;
        Some(if elo == 0.0 { 0.5 } else { normal_below(elo / standard_error) })
    }

    /// How much stronger `a` is than `b`. `None` if no games connect the two.
    pub fn difference(&self, a: usize, b: usize) -> Option<Difference> {
        let (left, right) = (self.players[a]?, self.players[b]?);
        (left.group == right.group).then(|| Difference {
            elo: left.elo - right.elo,
            standard_error: self.covariance.variance_of_difference(a, b).sqrt(),
        })
    }

    /// All players, the strongest first. Groups with more games come first, players without games
    /// last; equal players are in the order of their indices.
    pub fn order(&self) -> Vec<usize> {
        let games_of = |group: &Vec<usize>| {
            group.iter().filter_map(|&player| self.players[player]).map(|rating| rating.games).sum::<u64>()
        };
        let mut groups: Vec<&Vec<usize>> = self.groups.iter().collect();
        groups.sort_by_key(|group| std::cmp::Reverse(games_of(group)));
        let sorted = |group: &Vec<usize>| {
            let mut group = group.clone();
            group.sort_by(|&a, &b| self.elo(b).total_cmp(&self.elo(a)));
            group
        };
        groups.into_iter().flat_map(sorted).collect()
    }

    /// How much the results of pairs spread, compared with independent games without draws: the
    /// squared factor of the errors. It is measured over all boards; [`Advantage::dispersion`] is
    /// that of one.
    pub fn dispersion(&self) -> f64 {
        self.dispersion
    }

    /// A player's Elo, or 0 without games.
    fn elo(&self, player: usize) -> f64 {
        self.players[player].map_or(0.0, |rating| rating.elo)
    }
}

/// The results of one player.
struct Record {
    games: u64,
    points: f64,
}

impl Record {
    fn of(player: usize, meetings: &[Meeting]) -> Record {
        let mut record = Record { games: 0, points: 0.0 };
        for meeting in meetings {
            let games = meeting.n_games();
            if meeting.player == player {
                record.games += games;
                record.points += meeting.points();
            } else if meeting.opponent == player {
                record.games += games;
                record.points += games as f64 - meeting.points();
            }
        }
        record
    }

    fn extreme(&self) -> Option<Extreme> {
        match self.points {
            0.0 => Some(Extreme::AllLost),
            points if points == self.games as f64 => Some(Extreme::AllWon),
            _ => None,
        }
    }
}

/// The uncertainty of a fit.
struct Spread {
    /// The covariances of ratings in squared Elo.
    ratings: Matrix,
    /// The variances of advantages in squared Elo.
    advantages: Vec<f64>,
    /// The inverse information of ratings and advantages, in natural units.
    inverse: Matrix,
}

impl Spread {
    fn of(
        fit: &Fit,
        cells: &[Cell],
        meetings: &[Meeting],
        virtual_games: &[f64],
        groups: &[Vec<usize>],
        dispersions: &Dispersions,
    ) -> Spread {
        let n_players = groups.iter().map(Vec::len).sum();
        let inverse = fit.information(cells, groups).into_factor().inverse();
        let scatter = dispersions.scatter(meetings, virtual_games, fit, n_players);
        let covariance = inverse.times(&scatter).times(&inverse);
        let mut ratings = Matrix::zeros(n_players);
        for group in groups {
            for (&a, &b) in group.iter().flat_map(|a| group.iter().map(move |b| (a, b))) {
                ratings[(a, b)] = ELO * ELO * covariance[(a, b)];
            }
        }
        let advantages = (n_players..covariance.size()).map(|place| ELO * ELO * covariance[(place, place)]);
        Spread { ratings, advantages: advantages.collect(), inverse }
    }
}

/// The covariances of these players relative to one of them.
fn relative_to(covariance: &Matrix, members: &[usize], anchor: usize) -> Matrix {
    let mut relative = covariance.clone();
    for (&a, &b) in members.iter().flat_map(|a| members.iter().map(move |b| (a, b))) {
        relative[(a, b)] = covariance[(a, b)] - covariance[(a, anchor)] - covariance[(anchor, b)]
            + covariance[(anchor, anchor)];
    }
    relative
}

fn advantages(
    meetings: &[Meeting],
    fit: &Fit,
    spread: &Spread,
    dispersions: &Dispersions,
) -> Vec<Option<Advantage>> {
    let of_board = |(game, dispersion): (usize, &Dispersion)| {
        let here = || meetings.iter().filter(|meeting| meeting.game == game);
        let games = here().map(Meeting::n_games).sum::<u64>();
        (games > 0).then(|| Advantage {
            elo: ELO * fit.advantage(game),
            error: Z_95 * spread.advantages[game].max(0.0).sqrt(),
            games,
            draws: here().map(Meeting::draws).sum::<u64>() as f64 / games as f64,
            dispersion: dispersion.sums,
        })
    };
    dispersions.boards.iter().enumerate().map(of_board).collect()
}
