//! How much results spread, compared with independent games without draws.
//!
//! Drawn games spread less than the model's variance E (1 − E), and the two games of a pair are
//! correlated: an opening that decides both games says nothing about the players and much about
//! the side. So there are three factors: for single games, for the sum of a pair's points, which
//! the ratings depend on, and for their difference, which the advantage depends on. Each is the sum
//! of squared residuals over the sum of the model's variances. Unlike the mean of the quotients
//! (Pearson's), it is not ruled by the few games with a score near 0 or 1.

use super::Meeting;
use super::fit::Fit;
use super::matrix::Matrix;

/// Residuals of this variance are assumed to have been seen already, with a factor of 1: those of
/// eight games between equal players. With few games the factors stay near 1, and draws alone do
/// not make the errors vanish.
const WEIGHT: f64 = 2.0;

/// The factors by which results spread more or less than the model says.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Dispersion {
    /// For the result of one game.
    pub(super) games: f64,
    /// For the sum of the player's points in a pair.
    pub(super) sums: f64,
    /// For the difference of the player's points in a pair.
    pub(super) differences: f64,
}

/// Squared residuals and variances by the model, added up.
#[derive(Clone, Copy, Default)]
struct Residuals {
    games: f64,
    game_variance: f64,
    sums: f64,
    differences: f64,
    pair_variance: f64,
}

impl Residuals {
    fn of(meeting: &Meeting, fit: &Fit) -> Residuals {
        let scores = player_scores(meeting, fit);
        let variances = scores.map(|score| score * (1.0 - score));
        let mut residuals = Residuals::default();
        for (points, count) in meeting.kinds() {
            let count = count as f64;
            let [first, second] = [points[0] - scores[0], points[1] - scores[1]];
            residuals.sums += count * (first + second).powi(2);
            residuals.differences += count * (first - second).powi(2);
            residuals.pair_variance += count * (variances[0] + variances[1]);
            residuals.games += count * (first * first + second * second);
            residuals.game_variance += count * (variances[0] + variances[1]);
        }
        for (moved_first, points, count) in meeting.single_kinds() {
            let game = usize::from(!moved_first);
            residuals.games += count as f64 * (points - scores[game]).powi(2);
            residuals.game_variance += count as f64 * variances[game];
        }
        residuals
    }

    fn add(&mut self, other: &Residuals) {
        self.games += other.games;
        self.game_variance += other.game_variance;
        self.sums += other.sums;
        self.differences += other.differences;
        self.pair_variance += other.pair_variance;
    }

    /// The factors, shrunk towards others. `free` is the share of the results that is left after
    /// as many as there are ratings were fitted.
    fn dispersion(&self, free: f64, towards: Dispersion) -> Dispersion {
        let shrunk = |squares: f64, variance: f64, towards: f64| {
            (squares + WEIGHT * towards) / (variance * free + WEIGHT)
        };
        let games = shrunk(self.games, self.game_variance, towards.games);
        if self.pair_variance == 0.0 {
            return Dispersion { games, sums: games, differences: games };
        }
        Dispersion {
            games,
            sums: shrunk(self.sums, self.pair_variance, towards.sums),
            differences: shrunk(self.differences, self.pair_variance, towards.differences),
        }
    }
}

impl Dispersion {
    /// Independent games without draws.
    pub(super) const MODEL: Dispersion = Dispersion { games: 1.0, sums: 1.0, differences: 1.0 };

    /// The factors of all games together, and of each board.
    pub(super) fn of(meetings: &[Meeting], fit: &Fit, n_games: usize, n_ratings: usize) -> Dispersions {
        let mut boards = vec![Residuals::default(); n_games];
        let mut all = Residuals::default();
        let mut n_results = 0;
        for meeting in meetings {
            let residuals = Residuals::of(meeting, fit);
            boards[meeting.game].add(&residuals);
            all.add(&residuals);
            n_results += meeting.n_games() - meeting.n_pairs();
        }
        let free = (1.0 - n_ratings as f64 / n_results.max(1) as f64).max(0.0);
        let overall = all.dispersion(free, Dispersion::MODEL);
        let n_played = boards.iter().filter(|board| board.game_variance > 0.0).count();
        let of_board = |board: &Residuals| match n_played {
            0 | 1 => overall,
            _ => board.dispersion(free, Dispersion::MODEL),
        };
        Dispersions { overall, boards: boards.iter().map(of_board).collect() }
    }
}

/// The factors of a list.
pub(super) struct Dispersions {
    /// Of all games.
    pub(super) overall: Dispersion,
    /// Of the games of each board.
    pub(super) boards: Vec<Dispersion>,
}

impl Dispersions {
    /// The covariance of the derivatives of the log-likelihood: what the inverse information on
    /// both sides makes the covariance of ratings and advantages (the "sandwich" of P. Huber, "The
    /// behavior of maximum likelihood estimates under nonstandard conditions", 1967). Virtual
    /// games count as pairs.
    pub(super) fn scatter(
        &self,
        meetings: &[Meeting],
        virtual_games: &[f64],
        fit: &Fit,
        n_players: usize,
    ) -> Matrix {
        let mut scatter = Matrix::zeros(n_players + self.boards.len());
        for (meeting, virtual_games) in meetings.iter().zip(virtual_games) {
            let dispersion = &self.boards[meeting.game];
            let [first, second] = player_scores(meeting, fit).map(|score| score * (1.0 - score));
            let ratings = [(meeting.player, 1.0), (meeting.opponent, -1.0)];
            let advantage = [(n_players + meeting.game, 1.0)];
            let pairs = meeting.n_pairs() as f64 + virtual_games / 2.0;
            scatter.add_product(pairs * dispersion.sums * (first + second), &ratings, &ratings);
            scatter.add_product(pairs * dispersion.differences * (first + second), &advantage, &advantage);
            // The geometric mean keeps the matrix positive.
            let both = (dispersion.sums * dispersion.differences).sqrt();
            scatter.add_product(pairs * both * (first - second), &ratings, &advantage);
            scatter.add_product(pairs * both * (first - second), &advantage, &ratings);
            for (count, variance, sign) in
                [(meeting.singles[0], first, 1.0), (meeting.singles[1], second, -1.0)]
            {
                let direction = [ratings[0], ratings[1], (advantage[0].0, sign)];
                let weight = count.games() as f64 * dispersion.games * variance;
                scatter.add_product(weight, &direction, &direction);
            }
        }
        scatter
    }
}

/// The player's expected scores: in games in which it moves first, and in the others.
fn player_scores(meeting: &Meeting, fit: &Fit) -> [f64; 2] {
    let Meeting { player, opponent, game, .. } = *meeting;
    [fit.expected(player, opponent, game), 1.0 - fit.expected(opponent, player, game)]
}
