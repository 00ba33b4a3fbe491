//! Which games answer a question soonest, and whether its answer is sure.
//!
//! **Planning.** A [`Plan`] holds the covariance of all ratings. Games of two players whose
//! difference is e have the information games · E (1 − E) / φ about it, with φ the dispersion, and
//! change the covariance C into C − C e eᵀ C / (1 / information + eᵀ C e) (J. Sherman and
//! W. Morrison, 1950). So the value of games is known before they are played, and a round of games
//! can be planned one pair at a time. For the question who is first, the gain is the reduction of the
//! expected loss in Elo, the linear loss of S. Chick and K. Inoue ("New two-stage and sequential
//! procedures for selecting the best simulated system", 2001).
//!
//! **Answers.** Whether one player is ahead of another one is tested after every round, so an
//! ordinary 95 % would be wrong far too often in the end. With d the difference and V the inverse of
//! its variance, the test statistic is the likelihood ratio of "d has a normal distribution around
//! 0, cut to the positive side" to "d = 0":
//! 2 √(ρ / (V + ρ)) exp(x² / 2) Φ(x), x = d V / √(V + ρ), with 1 / ρ the variance of that
//! distribution. It is a martingale if d = 0 and falls on average if d < 0, so it ever exceeds 1 / α
//! with probability at most α (H. Robbins, "Statistical methods related to the law of the iterated
//! logarithm", 1970, with Ville's inequality). The leader of k players is tested against each rival
//! with α / (k − 1), as in best-arm identification (A. Garivier and E. Kaufmann, "Optimal best arm
//! identification with fixed confidence", 2016). Like all errors here, that is exact for normal
//! ratings with known variance; `docs/ratings.md` has the measured frequencies.

use serde::Serialize;

use super::fit::{ELO, expected};
use super::matrix::Matrix;
use super::{Meeting, Ratings};
use crate::statistics::distribution::normal_below;

/// The standard deviation in Elo of the zero of a group, relative to that of another one: games
/// between groups are worth more than any other games.
const BETWEEN_GROUPS: f64 = 1000.0;

/// The typical difference of two players in Elo, for the test. It is most powerful at differences
/// of this size, and loses little at others.
const TYPICAL: f64 = 100.0;

/// What a tournament is to find out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// All ratings, as precisely as possible.
    List,
    /// Which player is the strongest one.
    First,
    /// Which of these two players is the stronger one.
    Ahead(usize, usize),
}

/// A sure answer.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Answer {
    /// The player that is ahead: of all others, or of the other one.
    pub player: usize,
    /// The probability of a wrong answer at any time is at most this.
    pub doubt: f64,
}

/// What is known about the ratings, and what planned games will add.
#[derive(Clone, Debug)]
pub struct Plan {
    elo: Vec<f64>,
    /// The group of each player.
    group: Vec<usize>,
    /// Advantages in Elo.
    advantages: Vec<f64>,
    /// Dispersions of the boards.
    dispersions: Vec<f64>,
    covariance: Matrix,
    anchor: Option<usize>,
}

impl Ratings {
    /// The start of a plan: what the games so far have determined.
    pub fn plan(&self) -> Plan {
        let mut covariance = self.covariance.clone();
        let mut group = vec![0; self.players.len()];
        for (index, members) in self.groups.iter().enumerate() {
            for &player in members {
                group[player] = index;
            }
            let shift: Vec<(usize, f64)> = members.iter().map(|&player| (player, 1.0)).collect();
            covariance.add_product(BETWEEN_GROUPS * BETWEEN_GROUPS, &shift, &shift);
        }
        Plan {
            elo: (0..self.players.len()).map(|player| self.elo(player)).collect(),
            group,
            advantages: self.advantages.iter().map(|advantage| advantage.map_or(0.0, |it| it.elo)).collect(),
            dispersions: self
                .advantages
                .iter()
                .map(|advantage| advantage.map_or(self.dispersion, |it| it.dispersion))
                .collect(),
            covariance,
            anchor: self.anchor,
        }
    }

    /// How much more games (in pairs) of two players would narrow the answer, as [`Plan::gain`]
    /// says. To compare several games, make one [`plan`](Ratings::plan).
    pub fn gain(&self, question: Question, player: usize, opponent: usize, game: usize, games: u64) -> f64 {
        self.plan().gain(question, player, opponent, game, games)
    }

    /// The answer, if it is sure: the probability that a wrong answer is ever returned while games
    /// are added is at most `alpha`. `None` for [`Question::List`], which
    /// [`is_within`](Ratings::is_within) answers.
    pub fn answer(&self, question: Question, alpha: f64) -> Option<Answer> {
        self.likely_answer(question).filter(|answer| answer.doubt <= alpha)
    }

    /// The answer that is most likely right, with its doubt, which is 1 at most. `None` for
    /// [`Question::List`], and if no games connect the players in question.
    pub fn likely_answer(&self, question: Question) -> Option<Answer> {
        match question {
            Question::List => None,
            Question::First => {
                let leader = *self.order().first()?;
                let rivals = (0..self.players.len()).filter(|&rival| rival != leader);
                let doubts = rivals.map(|rival| self.doubt(leader, rival)).collect::<Option<Vec<f64>>>()?;
                let worst = doubts.iter().copied().fold(0.0, f64::max);
                Some(Answer { player: leader, doubt: (worst * doubts.len() as f64).min(1.0) })
            }
            Question::Ahead(a, b) => {
                let (player, opponent) = if self.elo(b) > self.elo(a) { (b, a) } else { (a, b) };
                Some(Answer { player, doubt: self.doubt(player, opponent)? })
            }
        }
    }

    /// Whether games connect all players and every rating's 95 % interval is at most this many Elo
    /// to each side.
    pub fn is_within(&self, elo: f64) -> bool {
        self.groups.len() <= 1 && self.players.iter().flatten().all(|rating| rating.error <= elo)
    }

    /// The inverse of the test statistic for `player` being ahead of `opponent`, 1 at most.
    fn doubt(&self, player: usize, opponent: usize) -> Option<f64> {
        let difference = self.difference(player, opponent)?;
        let precision = 1.0 / (difference.standard_error * difference.standard_error);
        let prior = 1.0 / (TYPICAL * TYPICAL);
        let x = difference.elo * precision / (precision + prior).sqrt();
        let inverse =
            libm::exp(-x * x / 2.0) * ((precision + prior) / prior).sqrt() / (2.0 * normal_below(x));
        Some(inverse.min(1.0))
    }
}

impl Plan {
    /// How much `games` more games of two players, in pairs, would narrow the answer.
    ///
    /// - [`Question::List`]: the reduction of the sum of the variances of all ratings, in squared
    ///   Elo;
    /// - [`Question::First`]: the reduction of the expected Elo that is lost if the leader is not
    ///   the strongest player;
    /// - [`Question::Ahead`]: the reduction of the variance of the difference, in squared Elo.
    ///
    /// Games between players that nothing connects gain most. The cost is proportional to the
    /// number of players.
    pub fn gain(&self, question: Question, player: usize, opponent: usize, game: usize, games: u64) -> f64 {
        let change = self.change(player, opponent);
        let factor = self.factor(player, opponent, game, games);
        let of_difference = |a: usize, b: usize| factor * (change[a] - change[b]).powi(2);
        match question {
            Question::List => {
                let mean = change.iter().sum::<f64>() / change.len() as f64;
                let zero = self.anchor.map_or(mean, |anchor| change[anchor]);
                factor * change.iter().map(|entry| (entry - zero).powi(2)).sum::<f64>()
            }
            Question::First => {
                let Some(leader) = self.leader() else { return 0.0 };
                let rivals = (0..change.len()).filter(|&rival| rival != leader);
                rivals.map(|rival| self.weight(leader, rival) * of_difference(leader, rival)).sum()
            }
            Question::Ahead(a, b) => of_difference(a, b),
        }
    }

    /// The index of the meeting in which `games` more games gain most, of equal ones the first.
    /// `None` without meetings. The games that the meetings already have do not matter.
    pub fn best(&self, question: Question, meetings: &[Meeting], games: u64) -> Option<usize> {
        let gain = |meeting: &Meeting| {
            let Meeting { player, opponent, game, .. } = *meeting;
            self.gain(question, player, opponent, game, games)
        };
        let gains = meetings.iter().map(gain).enumerate();
        gains.reduce(|best, other| if other.1 > best.1 { other } else { best }).map(|(index, _)| index)
    }

    /// Counts games as played, with results as expected.
    pub fn add(&mut self, player: usize, opponent: usize, game: usize, games: u64) {
        let change: Vec<(usize, f64)> = self.change(player, opponent).into_iter().enumerate().collect();
        let factor = self.factor(player, opponent, game, games);
        self.covariance.add_product(-factor, &change, &change);
    }

    /// The product of the covariance and the direction of the difference of two players.
    fn change(&self, player: usize, opponent: usize) -> Vec<f64> {
        let (left, right) = (self.covariance.row(player), self.covariance.row(opponent));
        left.iter().zip(right).map(|(a, b)| a - b).collect()
    }

    /// The inverse of the variance of a result of these games as a measurement of the difference.
    fn factor(&self, player: usize, opponent: usize, game: usize, games: u64) -> f64 {
        let difference = self.difference(player, opponent);
        let variance = |elo: f64| {
            let score = expected(elo / ELO);
            score * (1.0 - score)
        };
        let advantage = self.advantages[game];
        let both = variance(difference + advantage) + variance(difference - advantage);
        let information = games as f64 / 2.0 * both / (self.dispersions[game] * ELO * ELO);
        information / (1.0 + information * self.covariance.variance_of_difference(player, opponent))
    }

    /// The difference of two players, 0 if no games played so far connect them.
    fn difference(&self, a: usize, b: usize) -> f64 {
        if self.group[a] == self.group[b] { self.elo[a] - self.elo[b] } else { 0.0 }
    }

    /// The player with the highest rating, of equal ones the first.
    fn leader(&self) -> Option<usize> {
        let players = 0..self.elo.len();
        players.reduce(|best, player| if self.elo[player] > self.elo[best] { player } else { best })
    }

    /// The derivative of the expected loss by the variance of the difference. With the difference
    /// d and its standard error s, the loss is s (φ(z) − z Φ(−z)), z = d / s, and its derivative
    /// φ(z) / (2 s). A rival with few games and bad luck keeps some weight, so it plays again before
    /// the plan spends all games on players that are as strong as the leader.
    fn weight(&self, leader: usize, rival: usize) -> f64 {
        let difference = self.difference(leader, rival);
        let variance = self.covariance.variance_of_difference(leader, rival).max(f64::MIN_POSITIVE);
        libm::exp(-difference * difference / (2.0 * variance))
            / (8.0 * std::f64::consts::PI * variance).sqrt()
    }
}
