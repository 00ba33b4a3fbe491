//! A komi with which Black wins about half, found by matches of the player against itself.

use std::io::{self, Write};

use anyhow::{Result, bail};
use tesuji::catalog::{GameSpec, PlayerSpec};
use tesuji::core::spec::Value;
use tesuji_arena::{RunSettings, Shard};
use tesuji_portfolio::{KomiError, KomiMatches, KomiSearch};

use super::super::super::BadInput;
use super::super::super::experiment::{play, unless_interrupted};
use super::{Args, Venue};

impl Args {
    /// The game with the komi that was asked for, or one that is fair.
    pub(super) fn fair(
        &self,
        game: GameSpec,
        player: &PlayerSpec,
        venue: Venue<'_>,
    ) -> Result<(GameSpec, Option<KomiSearch>)> {
        let Venue { end, store, device } = venue;
        let has_komi = KomiMatches::has_komi(&game);
        if let Some(komi) = self.komi {
            if !has_komi {
                return Err(BadInput(format!("{game} has no komi")).into());
            }
            return Ok((game.with_option("komi", Value::Number(komi))?, None));
        }
        if !has_komi || self.game.to_lowercase().contains("komi") {
            return Ok((game, None));
        }
        if game.is_misere() {
            return Err(BadInput(format!("no fair komi can be found for {game}: give --komi")).into());
        }
        let matches = KomiMatches { game: &game, player, seed: self.seed, games: self.komi_games };
        let found = matches.search(store, |experiment, store| {
            // Each komi is a match of its own.
            let _ = writeln!(io::stderr(), "{}: {}", experiment.title, experiment.cells[0].game);
            let settings = RunSettings { shard: Shard::WHOLE, ..self.settings(end) };
            let summary = play(experiment, &settings, store, device)?;
            unless_interrupted(&summary, Some(&self.store))
        });
        match found {
            Ok((game, search)) => Ok((game, Some(search))),
            Err(KomiError::Play(error)) => Err(error),
            Err(KomiError::Unfinished) => {
                bail!(
                    "the time was up before a fair komi was found: run the command again to go on, or give --komi"
                )
            }
            Err(error) => bail!("{error}"),
        }
    }
}
