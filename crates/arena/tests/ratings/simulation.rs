//! Tournaments with known ratings.

#![allow(unreachable_pub, dead_code, reason = "a test and examples use parts of this")]

use tesuji_arena::ratings::{Meeting, Question, RatingSettings, Ratings};
use tesuji_core::{Rng, Seed};

/// How results come about.
#[derive(Clone, Debug)]
pub struct World {
    /// The true ratings in Elo.
    pub elo: Vec<f64>,
    /// The true advantage of moving first in Elo.
    pub advantage: f64,
    /// The share of draws between equal players.
    pub draws: f64,
    /// The probability that an opening decides the same way in both games of a pair.
    pub decided: f64,
}

impl World {
    /// The expected score of the side that moves first.
    fn expected(&self, first: usize, second: usize) -> f64 {
        let elo = self.elo[first] - self.elo[second] + self.advantage;
        1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
    }

    /// The half points of the side that moves first. `luck` is uniform on [0, 1). The smaller of
    /// both chances loses half of the games that are drawn.
    fn result(&self, first: usize, second: usize, luck: f64) -> usize {
        let expected = self.expected(first, second);
        let drawn = 2.0 * self.draws * expected.min(1.0 - expected);
        match luck {
            _ if luck < expected - drawn / 2.0 => 2,
            _ if luck < expected + drawn / 2.0 => 1,
            _ => 0,
        }
    }

    /// Plays pairs of games and adds them to the meeting.
    pub fn play(&self, rng: &mut Rng, meeting: &mut Meeting, pairs: u64) {
        for _ in 0..pairs {
            let luck = rng.unit();
            // With the same luck the same side wins both games.
            let again = if rng.chance(self.decided) { luck } else { rng.unit() };
            let first = self.result(meeting.player, meeting.opponent, luck);
            let second = 2 - self.result(meeting.opponent, meeting.player, again);
            meeting.pairs[first][second] += 1;
        }
    }
}

/// Every player meets every other one.
pub fn round_robin(n_players: usize) -> Vec<Meeting> {
    (0..n_players).flat_map(|a| (a + 1..n_players).map(move |b| Meeting::new(a, b, 0))).collect()
}

/// The first player meets every other one.
pub fn gauntlet(n_players: usize) -> Vec<Meeting> {
    (1..n_players).map(|b| Meeting::new(0, b, 0)).collect()
}

/// A tournament that ends with an answer.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// What it is to find out.
    pub question: Question,
    /// How results come about.
    pub world: World,
    /// Whether games are planned. Otherwise every player meets every other one in each round.
    pub is_planned: bool,
    /// The number of rounds after which the tournament ends without an answer.
    pub most_rounds: u64,
    /// The list is precise enough if every 95 % interval is at most this many Elo to each side.
    pub within: f64,
}

/// How a tournament ended.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// The player that was found to be ahead, or the first one of a list that is precise enough.
    pub answer: Option<usize>,
    /// Whether the answer is not the truth.
    pub is_wrong: bool,
    /// The number of games played.
    pub games: u64,
}

impl Tournament {
    /// Plays until there is an answer with at most 5 % doubt.
    pub fn play(&self, seed: Seed) -> End {
        let n_players = self.world.elo.len();
        let mut rng = seed.rng();
        let mut meetings = round_robin(n_players);
        let settings = RatingSettings { bootstrap: 0, ..RatingSettings::default() };
        let mut ratings = Ratings::of(n_players, 1, &meetings, &settings);
        let mut games = 0;
        for _ in 0..self.most_rounds {
            let mut plan = ratings.plan();
            for turn in 0..meetings.len() {
                let chosen =
                    if self.is_planned { plan.best(self.question, &meetings, 2) } else { Some(turn) };
                let Some(chosen) = chosen else { continue };
                let Meeting { player, opponent, game, .. } = meetings[chosen];
                plan.add(player, opponent, game, 2);
                self.world.play(&mut rng, &mut meetings[chosen], 1);
                games += 2;
            }
            ratings = Ratings::of(n_players, 1, &meetings, &settings);
            let answer = match self.question {
                Question::List => ratings.is_within(self.within).then_some(0),
                _ => ratings.answer(self.question, 0.05).map(|answer| answer.player),
            };
            if let Some(player) = answer {
                return End { answer, is_wrong: player != self.truth(), games };
            }
        }
        End { answer: None, is_wrong: false, games }
    }

    /// The right answer. All worlds here have the stronger players first.
    fn truth(&self) -> usize {
        match self.question {
            Question::Ahead(a, _) => a,
            _ => 0,
        }
    }
}
