//! Near-equilibria from few games: an algorithm asks, and the arena plays.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::Result;
use clap::ValueEnum;
use tesuji::core::Seed;
use tesuji_arena::{Learnt, RunSettings, Store, Summary};
use tesuji_portfolio::lazy::{
    self, Anytime, DoubleOracle, DoubleOracleConfig, Exp3, Exp3Config, GrigoriadisKhachiyan,
    GrigoriadisKhachiyanConfig, PlayError, Played,
};
use tesuji_portfolio::seeds::{LazySeeds, SeedGames};
use tesuji_portfolio::{KomiSearch, Method, Portfolio};

use super::super::super::experiment::{build, play, unless_interrupted};
use super::super::super::interrupt::{self, Interrupted};
use super::{Args, Lazy};

/// Games that Exp3 draws at a time: enough for many cores, and the same on any number.
const EXP3_BATCH: usize = 64;

impl Args {
    /// Plays what an algorithm asks for, and makes a book of that.
    pub(super) fn learn_lazily(
        &self,
        lazy: Lazy,
        games: &SeedGames,
        search: &Option<KomiSearch>,
        end: Option<Instant>,
        store: &mut Store,
    ) -> Result<()> {
        let seeds = self.seeds as usize;
        let seed = Seed::new(self.seed).child("lazy");
        let mut last = Summary::default();
        let source = LazySeeds::new(seeds, |wanted: BTreeSet<u64>| -> Result<_> {
            let settings = RunSettings { wanted: Some(wanted.clone()), ..self.settings(end) };
            last = play(&games.experiment, &settings, store)?;
            unless_interrupted(&last, Some(&self.store))?;
            Ok(games.stored(store, &wanted)?)
        });
        let mut played = Played::new(source);
        let portfolio = match lazy {
            Lazy::DoubleOracle => {
                let usual = DoubleOracleConfig::default();
                // With many seeds a few games a step would keep nobody busy.
                let config = DoubleOracleConfig { batch: usual.batch.max(seeds / 50), seed, ..usual };
                self.settle(DoubleOracle::new(seeds, seeds, config), &mut played, end)
            }
            Lazy::Grigoriadis => {
                let precision = self.exploitability.max(1e-3);
                let config = GrigoriadisKhachiyanConfig { precision, seed };
                self.settle(GrigoriadisKhachiyan::new(seeds, seeds, config), &mut played, end)
            }
            Lazy::Exp3 => {
                let config = Exp3Config { batch: EXP3_BATCH, seed };
                self.settle(Exp3::new(seeds, seeds, config), &mut played, end)
            }
        }?;
        if interrupt::flag()?.load(Ordering::Relaxed) {
            return Err(Interrupted::stored(&self.store).into());
        }
        let word = match played.games() == self.seeds * self.seeds {
            // Nothing was left to be guessed.
            true => Method::Nash.to_string(),
            false => lazy.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned()),
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
        self.finish(games, search, None, book, &last)
    }

    /// Lets an algorithm play until it is good enough or has used what it may.
    fn settle<E>(
        &self,
        algorithm: impl Anytime,
        played: &mut Played<LazySeeds<'_, E>>,
        end: Option<Instant>,
    ) -> Result<Portfolio>
    where
        anyhow::Error: From<E>,
    {
        let interrupt = interrupt::flag()?;
        let is_enough = |played: &Played<LazySeeds<'_, E>>, portfolio: &Portfolio| {
            interrupt.load(Ordering::Relaxed)
                || self.games.is_some_and(|games| played.games() >= games)
                || end.is_some_and(|end| Instant::now() >= end)
                || played.gap_bound(portfolio) / 2.0 <= self.exploitability
        };
        lazy::learn(algorithm, played, is_enough).map_err(|error| match error {
            PlayError::Source(error) => error.into(),
            PlayError::Count { .. } | PlayError::Reward { .. } => {
                unreachable!("missing games end it, and points are from 0 to 1")
            }
        })
    }
}
