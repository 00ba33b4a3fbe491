//! Games added up: for each meeting, the games in which one player moved first, and the others.

use super::Meeting;
use crate::statistics::Count;

/// The fewest virtual games of each player: enough to keep every rating finite, and too few to
/// move one that the games determine by a tenth of an Elo.
const LEAST_PRIOR: f64 = 1e-3;

/// Games of two players on one board, all with the same first player. Numbers of games are weights
/// and need not be whole.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Cell {
    /// The player that moved first.
    pub(super) first: usize,
    /// The other player.
    pub(super) second: usize,
    /// The index of the board.
    pub(super) game: usize,
    /// The number of games.
    pub(super) games: f64,
    /// The points of the player that moved first.
    pub(super) points: f64,
}

impl Meeting {
    /// The number of pairs.
    pub fn n_pairs(&self) -> u64 {
        self.pairs.iter().flatten().sum()
    }

    /// The number of games, in pairs and outside.
    pub fn n_games(&self) -> u64 {
        2 * self.n_pairs() + self.singles.iter().map(Count::games).sum::<u64>()
    }

    /// The player's points in all games.
    pub fn points(&self) -> f64 {
        let of_pairs = self.kinds().map(|([first, second], count)| (first + second) * count as f64);
        of_pairs.sum::<f64>() + self.singles.iter().map(Count::points).sum::<f64>()
    }

    /// The number of drawn games.
    pub(super) fn draws(&self) -> u64 {
        let is_draw = |points: f64| u64::from(points == 0.5);
        let of_pairs =
            self.kinds().map(|([first, second], count)| (is_draw(first) + is_draw(second)) * count);
        of_pairs.sum::<u64>() + self.singles.iter().map(|count| count.draws).sum::<u64>()
    }

    /// The nine kinds of pairs: the player's points in the game in which it moved first and in the
    /// other one, and the number of such pairs.
    pub(super) fn kinds(&self) -> impl Iterator<Item = ([f64; 2], u64)> + '_ {
        (0..9).map(|kind| {
            let [first, second] = [kind / 3, kind % 3];
            ([first, second].map(|halves| 0.5 * halves as f64), self.pairs[first][second])
        })
    }

    /// The kinds of single games: whether the player moved first, its points, and the number of
    /// such games.
    pub(super) fn single_kinds(&self) -> impl Iterator<Item = (bool, f64, u64)> + '_ {
        [true, false].into_iter().zip(&self.singles).flat_map(|(moved_first, count)| {
            [(1.0, count.wins), (0.5, count.draws), (0.0, count.losses)]
                .map(|(points, number)| (moved_first, points, number))
        })
    }

    /// The two cells of this meeting: the games in which the player moved first, and the others.
    /// `weight` makes the weight of the results of one kind from their number.
    pub(super) fn cells(&self, mut weight: impl FnMut(u64) -> f64) -> [Cell; 2] {
        let Meeting { player, opponent, game, .. } = *self;
        let mut cells = [(player, opponent), (opponent, player)].map(|(first, second)| Cell {
            first,
            second,
            game,
            games: 0.0,
            points: 0.0,
        });
        let mut add = |moved_first: bool, points: f64, weight: f64| {
            let cell = &mut cells[usize::from(!moved_first)];
            cell.games += weight;
            cell.points += weight * if moved_first { points } else { 1.0 - points };
        };
        for ([first, second], count) in self.kinds().filter(|(_, count)| *count > 0) {
            let weight = weight(count);
            add(true, first, weight);
            add(false, second, weight);
        }
        for (moved_first, points, count) in self.single_kinds().filter(|(_, _, count)| *count > 0) {
            add(moved_first, points, weight(count));
        }
        cells
    }
}

impl Cell {
    /// A copy of this cell with drawn games added.
    pub(super) fn with_draws(mut self, games: f64) -> Cell {
        self.games += games;
        self.points += 0.5 * games;
        self
    }
}

/// The number of virtual drawn games of each meeting: each player has `prior` of them, spread over
/// its meetings in proportion to their games.
pub(super) fn virtual_games(n_players: usize, meetings: &[Meeting], prior: f64) -> Vec<f64> {
    let mut games = vec![0; n_players];
    for meeting in meetings {
        games[meeting.player] += meeting.n_games();
        games[meeting.opponent] += meeting.n_games();
    }
    let prior = if prior.is_finite() { prior.max(LEAST_PRIOR) } else { LEAST_PRIOR };
    let share = |meeting: &Meeting, player: usize| match meeting.n_games() {
        0 => 0.0,
        number => number as f64 / games[player] as f64,
    };
    let of = |meeting| prior * (share(meeting, meeting.player) + share(meeting, meeting.opponent));
    meetings.iter().map(of).collect()
}
