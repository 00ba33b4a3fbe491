//! Which komi gives Black about half of the games.
//!
//! The more points White gets, the fewer games Black wins. So the search goes from a
//! first guess towards one half, a point at a time, until it has passed it, and takes
//! the komi whose rate was nearest. A komi is a whole number and a half, so that there
//! are no draws.

use tesuji_arena::statistics::Count;
use tesuji_arena::{
    BuildError, Contestant, MatchExperiment, MatchExperimentBuilder, Players, Rules, Store, StoreError,
};
use tesuji_catalog::{GameSpec, PlayerSpec};
use tesuji_core::Side;
use tesuji_core::spec::Value;
use thiserror::Error;

/// A search for a fair komi.
#[derive(Clone, Debug)]
pub struct KomiSearch {
    first: f64,
    most: f64,
    measured: Vec<(f64, Count)>,
}

impl KomiSearch {
    /// A search on a square board of this size. The first guess is what programs of
    /// some hundred playouts a move were found to need.
    pub fn new(size: usize) -> KomiSearch {
        let first = match size {
            ..=3 => 2.5,
            4 | 5 => 3.5,
            6 | 7 => 4.5,
            _ => 5.5,
        };
        KomiSearch { first, most: (size * size) as f64, measured: Vec::new() }
    }

    /// The komi to be measured next; nothing when it is found.
    pub fn next(&self) -> Option<f64> {
        let Some((last, count)) = self.measured.last() else { return Some(self.first) };
        let step = if count.rate()? > 0.5 { 1.0 } else { -1.0 };
        let next = last + step;
        let is_known = self.measured.iter().any(|(komi, _)| *komi == next);
        (!is_known && next.abs() <= self.most).then_some(next)
    }

    /// Black's games with this komi are known.
    pub fn know(&mut self, komi: f64, black: Count) {
        self.measured.push((komi, black));
    }

    /// What was measured, in the order in which it was.
    pub fn measured(&self) -> &[(f64, Count)] {
        &self.measured
    }

    /// The komi whose rate was nearest to one half; the first guess where nothing was
    /// measured.
    pub fn best(&self) -> f64 {
        let distance = |count: &Count| (count.rate().unwrap_or(0.0) - 0.5).abs();
        let nearest = self.measured.iter().min_by(|a, b| distance(&a.1).total_cmp(&distance(&b.1)));
        nearest.map_or(self.first, |(komi, _)| *komi)
    }
}

/// A fair komi cannot be found.
#[derive(Debug, Error)]
pub enum KomiError<E> {
    /// The game has none.
    #[error("{0} has no komi")]
    NoKomi(String),
    /// Where the loser wins, more points for White need not be better for White.
    #[error("no fair komi is known for {0}: give one")]
    Misere(String),
    /// Not all games could be played.
    #[error("the time was up before a fair komi was found: run the command again to go on, or give one")]
    Unfinished,
    /// The player cannot play these matches.
    #[error(transparent)]
    Experiment(#[from] BuildError),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Whoever plays the games failed.
    #[error("{0}")]
    Play(E),
}

/// Matches of a player against itself, from which a fair komi is found.
#[derive(Clone, Debug)]
pub struct KomiMatches<'a> {
    /// The game, with any komi.
    pub game: &'a GameSpec,
    /// Who plays.
    pub player: &'a PlayerSpec,
    /// Where the random numbers begin.
    pub seed: u64,
    /// Games for each komi that is measured.
    pub games: u64,
}

impl KomiMatches<'_> {
    /// Whether a game has a komi.
    pub fn has_komi(game: &GameSpec) -> bool {
        game.info().options.iter().any(|option| option.name == "komi")
    }

    /// Measures one komi after the other, and gives the game with the one that was fairest.
    /// `play` plays the games of an experiment that the store lacks.
    pub fn search<E>(
        &self,
        store: &mut Store,
        mut play: impl FnMut(&MatchExperiment, &mut Store) -> Result<(), E>,
    ) -> Result<(GameSpec, KomiSearch), KomiError<E>> {
        let game = self.game;
        if game.is_misere() {
            return Err(KomiError::Misere(game.to_string()));
        }
        let with = |komi: f64| {
            let changed = game.with_option("komi", Value::Number(komi));
            changed.map_err(|_| KomiError::NoKomi(game.to_string()))
        };
        let mut search = KomiSearch::new(game.board().0);
        while let Some(komi) = search.next() {
            let experiment = self.experiment(with(komi)?)?;
            play(&experiment, store).map_err(KomiError::Play)?;
            let mut black = Count::default();
            for stored in store.games(experiment.address, &experiment.cells[0].key)? {
                if stored.address.index < self.games {
                    black.add(stored.outcome.reward(Side::Black));
                }
            }
            if black.games() < self.games {
                return Err(KomiError::Unfinished);
            }
            search.know(komi, black);
        }
        Ok((with(search.best())?, search))
    }

    /// The player against itself with some komi.
    fn experiment(&self, with: GameSpec) -> Result<MatchExperiment, BuildError> {
        let KomiMatches { game, player, seed, games } = *self;
        let contestant = Contestant::Player(player.clone());
        let builder = MatchExperimentBuilder {
            name: format!("komi {game}: {player}"),
            title: format!("Which komi is fair for {player} on {game}"),
            command: None,
            seed,
            games,
            rules: Rules::default(),
            game: with,
            players: Players::One(contestant.clone()),
            opponent: contestant,
        };
        builder.build()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The komi that are asked for where Black wins so many of a hundred games.
    fn asked(wins: impl Fn(f64) -> u32) -> (Vec<f64>, f64) {
        let mut search = KomiSearch::new(5);
        while let Some(komi) = search.next() {
            let mut count = Count::default();
            (0..100).for_each(|game| count.add(f64::from(u8::from(game < wins(komi)))));
            search.know(komi, count);
        }
        (search.measured().iter().map(|(komi, _)| *komi).collect(), search.best())
    }

    #[test]
    fn it_goes_on_until_half_is_passed() {
        assert_eq!(asked(|komi| if komi < 5.0 { 60 } else { 48 }), (vec![3.5, 4.5, 5.5], 5.5));
        assert_eq!(asked(|komi| if komi < 2.0 { 51 } else { 30 }), (vec![3.5, 2.5, 1.5], 1.5));
    }

    #[test]
    fn a_game_that_one_side_always_wins_has_an_end() {
        let (komi, _) = asked(|_| 100);
        assert_eq!(komi.last(), Some(&24.5));
    }
}
