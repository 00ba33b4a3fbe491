//! Tournaments with known ratings.

use tesuji_arena::ratings::Meeting;
use tesuji_core::Rng;

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
