//! A komi with which Black wins about half, found by matches of the player against itself.

use std::time::Instant;

use anyhow::{Result, bail};
use tesuji::catalog::{GameSpec, PlayerSpec};
use tesuji::core::Side;
use tesuji_arena::statistics::Count;
use tesuji_arena::{Definition, MatchExperiment, Shard, Store};
use tesuji_portfolio::KomiSearch;

use super::super::super::BadInput;
use super::super::super::experiment::{Playing, unless_interrupted};
use super::Args;

impl Args {
    /// The game with the komi that was asked for, or one that is fair.
    pub(super) fn fair(
        &self,
        game: GameSpec,
        player: &PlayerSpec,
        end: Option<Instant>,
        store: &mut Store,
    ) -> Result<(GameSpec, Option<KomiSearch>)> {
        let has_komi = game.info().options.iter().any(|option| option.name == "komi");
        if let Some(komi) = self.komi {
            if !has_komi {
                return Err(BadInput(format!("{game} has no komi")).into());
            }
            return Ok((game.with_option("komi", &komi.to_string())?, None));
        }
        if !has_komi || self.game.to_lowercase().contains("komi") {
            return Ok((game, None));
        }
        if game.is_misere() {
            return Err(BadInput(format!("which komi is fair for {game} is not known: give --komi")).into());
        }
        let mut search = KomiSearch::new(game.board().0);
        while let Some(komi) = search.next() {
            let with = game.with_option("komi", &komi.to_string())?;
            let experiment = komi_experiment(&game, &with, player, self.seed, self.komi_games)?;
            let summary = Playing { shard: Shard::WHOLE, ..self.playing(end) }.play(&experiment, store)?;
            unless_interrupted(&summary)?;
            if summary.missing > 0 {
                bail!("the time was up before a fair komi was found: run it again to go on, or give --komi");
            }
            let mut black = Count::default();
            for stored in store.games(experiment.address, &experiment.cells[0].key)? {
                if stored.address.index < self.komi_games {
                    black.add(stored.outcome.reward(Side::Black));
                }
            }
            search.know(komi, black);
        }
        Ok((game.with_option("komi", &search.best().to_string())?, Some(search)))
    }
}

/// The player against itself with some komi.
fn komi_experiment(
    game: &GameSpec,
    with: &GameSpec,
    player: &PlayerSpec,
    seed: u64,
    games: u64,
) -> Result<MatchExperiment> {
    let name = format!("komi {game}: {player}");
    let text = format!(
        "title = \"Which komi is fair for {player} on {game}\"\nseed = {seed}\ngames = {games}\n\n[[grid]]\n\
         game = \"{with}\"\nplayer = \"{player}\"\nopponent = \"{player}\"\n"
    );
    Ok(MatchExperiment::parse(Definition::built_in(&name, &text, &[])?)?)
}
