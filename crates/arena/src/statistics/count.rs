//! Games counted: by how they ended, by side, and in pairs.

use std::ops::AddAssign;

use serde::Serialize;
use tesuji_core::Side;

/// How many games the player won, drew and lost.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize)]
pub struct Count {
    /// Games that the player won.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that the opponent won.
    pub losses: u64,
}

impl Count {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The player's points: 1 for each win and ½ for each draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// The rate with one win and one loss added, for plans: a few games with the same result say
    /// little.
    pub fn cautious_rate(&self) -> f64 {
        (self.points() + 1.0) / (self.games() + 2) as f64
    }

    /// The player's points per game, from 0 to 1. `None` without games.
    pub fn rate(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// Adds a game that gave the player 0, ½ or 1 points.
    pub fn add(&mut self, points: f64) {
        debug_assert!([0.0, 0.5, 1.0].contains(&points), "a game gives 0, ½ or 1 points, not {points}");
        match points {
            0.75.. => self.wins += 1,
            0.25.. => self.draws += 1,
            _ => self.losses += 1,
        }
    }
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// The results of a match.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize)]
pub struct Tally {
    /// All games, by the [`Side::index`] of the player's side.
    pub by_side: [Count; 2],
    /// The pairs of games with the same opening and exchanged sides, by the player's points in
    /// both games: 0, ½, 1, 1½ and 2.
    pub pairs: [u64; 5],
}

impl Tally {
    /// The games of both sides together.
    pub fn total(&self) -> Count {
        let mut total = self.by_side[0];
        total += self.by_side[1];
        total
    }

    /// Adds a game in which the player had this side. If it completes a pair, call
    /// [`add_pair`](Tally::add_pair) too.
    pub fn add(&mut self, side: Side, points: f64) {
        self.by_side[side.index()].add(points);
    }

    /// Adds a pair of games, both of which were added already. `points` are the player's points in
    /// both together: 0, ½, 1, 1½ or 2.
    pub fn add_pair(&mut self, points: f64) {
        let halves = 2.0 * points;
        debug_assert!(
            halves.fract() == 0.0 && (0.0..=4.0).contains(&halves),
            "a pair gives 0 to 2 points by halves, not {points}"
        );
        self.pairs[(halves as usize).min(4)] += 1;
    }

    /// The number of pairs.
    pub fn n_pairs(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Whether there are games and each of them is in a pair.
    pub fn is_paired(&self) -> bool {
        let games = self.total().games();
        games > 0 && 2 * self.n_pairs() == games
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.by_side.iter_mut().zip(other.by_side).for_each(|(ours, theirs)| *ours += theirs);
        self.pairs.iter_mut().zip(other.pairs).for_each(|(ours, theirs)| *ours += theirs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_half_a_win() {
        let mut count = Count::default();
        assert_eq!(count.rate(), None);
        [1.0, 0.5, 0.0, 0.5].into_iter().for_each(|points| count.add(points));
        assert_eq!(count, Count { wins: 1, draws: 2, losses: 1 });
        assert_eq!((count.games(), count.points(), count.rate()), (4, 2.0, Some(0.5)));
        count += Count { wins: 1, draws: 0, losses: 3 };
        assert_eq!((count.games(), count.points()), (8, 3.0));
    }

    #[test]
    fn a_tally_knows_whether_every_game_is_in_a_pair() {
        let mut tally = Tally::default();
        assert!(!tally.is_paired());
        tally.add(Side::Black, 1.0);
        assert!(!tally.is_paired());
        tally.add(Side::White, 0.5);
        tally.add_pair(1.5);
        assert!(tally.is_paired());
        assert_eq!(tally.pairs, [0, 0, 0, 1, 0]);
        assert_eq!(tally.by_side[Side::White.index()].draws, 1);
        let mut twice = tally;
        twice += tally;
        assert_eq!((twice.total().points(), twice.n_pairs()), (3.0, 2));
        tally.add(Side::Black, 0.0);
        assert!(!tally.is_paired());
    }
}
