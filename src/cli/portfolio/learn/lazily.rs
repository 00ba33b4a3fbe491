//! Near-equilibria from few games: an algorithm asks, and the arena plays.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::Result;
use tesuji::core::Seed;
use tesuji_arena::{Learnt, RunSettings, Summary};
use tesuji_portfolio::lazy::{LazyAlgorithm, LazyGoal, PlayError, Played};
use tesuji_portfolio::seeds::{LazySeeds, SeedGames};
use tesuji_portfolio::{KomiSearch, Method};
use tesuji_report::Screen;

use super::super::super::experiment::{build, play, unless_interrupted};
use super::super::super::interrupt::{self, Interrupted};
use super::{Args, Venue};

impl Args {
    /// Plays what an algorithm asks for, and makes a book of that.
    pub(super) fn learn_lazily(
        &self,
        lazy: LazyAlgorithm,
        games: &SeedGames,
        search: &Option<KomiSearch>,
        venue: Venue<'_>,
        screen: &Screen,
    ) -> Result<()> {
        let Venue { end, store, device } = venue;
        let seeds = self.seeds as usize;
        let seed = Seed::new(self.seed).child("lazy");
        let mut last = Summary::default();
        let source = LazySeeds::new(seeds, |wanted: BTreeSet<u64>| -> Result<_> {
            let settings = RunSettings { wanted: Some(wanted.clone()), ..self.settings(end) };
            last = play(&games.experiment, &settings, store, device)?;
            unless_interrupted(&last, Some(&self.store))?;
            Ok(games.stored(store, &wanted)?)
        });
        let mut played = Played::new(source);
        let (interrupt, goal) =
            (interrupt::flag()?, LazyGoal { exploitability: self.exploitability, games: self.games, seed });
        let is_over =
            |_: &Played<_>| interrupt.load(Ordering::Relaxed) || end.is_some_and(|end| Instant::now() >= end);
        let portfolio = lazy.learn(&mut played, &goal, is_over).map_err(|error| match error {
            PlayError::Source(error) => error,
            PlayError::Count { .. } | PlayError::Reward { .. } => {
                unreachable!("missing games end it, and points are from 0 to 1")
            }
        })?;
        if interrupt.load(Ordering::Relaxed) {
            return Err(Interrupted::stored(&self.store).into());
        }
        let word = match played.games() == self.seeds * self.seeds {
            // Nothing was left to be guessed.
            true => Method::Nash.to_string(),
            false => lazy.to_string(),
        };
        let learnt = Learnt {
            seeds: self.seeds,
            games: played.games() * games.n_symmetries() as u64,
            gap: Some(played.gap_bound(&portfolio)),
            build: build(),
            ..Learnt::default()
        };
        drop(played);
        let book = games.book(&portfolio, &word, learnt);
        self.finish(games, search, None, book, &last, screen)
    }
}
