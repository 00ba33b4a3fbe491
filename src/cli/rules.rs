//! The options that say how games begin and end: of `match`, `tournament` and `tune`.

use std::path::{Path, PathBuf};

use anyhow::Result;
use tesuji::core::TimeControl;
use tesuji_arena::{Openings, Rules, opening_lines};

use super::{BadInput, files};

/// How games begin and end, in addition to the rules of the game.
#[derive(clap::Args)]
pub(super) struct RulesArgs {
    /// Play each opening of this file from both sides: one opening a line, moves with blanks between
    #[arg(long, value_name = "FILE", conflicts_with = "random_plies")]
    openings: Option<PathBuf>,
    /// Begin with N random moves, the same for both games of a pair
    #[arg(long, value_name = "N", value_parser = super::values::whole::<u32>(1..=1000))]
    random_plies: Option<u32>,
    /// A game of N moves is a draw
    #[arg(long, visible_alias = "maxmoves", value_name = "N", value_parser = super::values::whole::<u32>(1..=1_000_000_000))]
    most_moves: Option<u32>,
    /// Our players resign if they expect less than this share in three moves in a row: 0 to 0.5
    #[arg(long, value_name = "SHARE", value_parser = super::values::number(0.0..=0.5))]
    resign_below: Option<f64>,
    /// Our player wins at once if it expects more than this share in three moves in a row, and its
    /// opponent agrees: 0.5 to 1
    #[arg(long, value_name = "SHARE", value_parser = super::values::number(0.5..=1.0))]
    claim_above: Option<f64>,
    /// The clock of each side: 10m, or 5m and then 25 moves in each 30 s (5m+30s/25), or 5m and then 3
    /// periods of 30 s (5m+3x30s); a side that runs out of time loses
    #[arg(long, value_name = "CLOCK")]
    clock: Option<TimeControl>,
}

impl RulesArgs {
    /// Returns whether one of the options was given.
    pub(super) fn is_given(&self) -> bool {
        let RulesArgs { openings, random_plies, most_moves, resign_below, claim_above, clock } = self;
        openings.is_some()
            || random_plies.is_some()
            || most_moves.is_some()
            || resign_below.is_some()
            || claim_above.is_some()
            || clock.is_some()
    }

    /// Returns the rules, and the file of the openings if they are listed.
    pub(super) fn rules(&self) -> Result<(Rules, Option<String>)> {
        let openings_file = self.openings.as_ref().map(|path| path.display().to_string());
        let openings = match (&openings_file, self.random_plies) {
            (Some(path), _) => {
                let lines = opening_lines(&files::read("the openings", Path::new(path))?);
                if lines.is_empty() {
                    return Err(BadInput(format!("{path} has no opening: write one on each line")).into());
                }
                Openings::Listed(lines)
            }
            (None, Some(plies)) => Openings::Random(plies),
            (None, None) => Openings::None,
        };
        let rules = Rules {
            openings,
            most_moves: self.most_moves,
            resign_below: self.resign_below,
            claim_above: self.claim_above,
            clock: self.clock,
            ..Rules::default()
        };
        Ok((rules, openings_file))
    }
}
