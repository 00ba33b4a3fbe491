//! `tesuji replay`: a stored game played again, bit for bit.

use std::path::PathBuf;

use anyhow::{Result, bail};
use serde::Serialize;
use tesuji_arena::record::REFUSED;
use tesuji_arena::{Experiment, FoundGame, Store};

use super::BadInput;

/// Play a stored game again, and see whether it comes out the same
///
/// Games between players of ours with budgets in samples are functions of their address:
/// the same moves come out on any machine. Where a clock or an engine had a part, the
/// stored moves are shown instead.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji replay 3f2a9c01-17
  tesuji replay 3f2a9c01-17 --store results.db --boards")]
pub(super) struct Args {
    /// The game, such as 3f2a9c01-17 (`tesuji show` and `tesuji export` print them)
    #[arg(value_name = "ID")]
    id: String,
    /// The store it is in
    #[arg(long, value_name = "FILE", default_value = super::STORE)]
    store: PathBuf,
    /// Draw the board after every move
    #[arg(long)]
    boards: bool,
    /// Only show it; do not play it again
    #[arg(long)]
    stored: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A game shown.
#[derive(Serialize)]
struct Shown {
    id: String,
    experiment: String,
    game: String,
    black: String,
    white: String,
    moves: Vec<String>,
    outcome: String,
    reason: String,
    /// Whether it was played again and came out the same; nothing where it was not played again.
    same: Option<bool>,
}

pub(super) fn run(args: Args) -> Result<()> {
    let store = Store::open_to_read(&args.store)?;
    let found = store.find(&args.id)?;
    let FoundGame { experiment, address } = match &found[..] {
        [one] => one,
        [] => {
            return Err(BadInput(format!(
                "there is no game '{}' in {}: an id is such as 3f2a9c01-17, and `tesuji export {} --jsonl -` prints all",
                args.id,
                args.store.display(),
                args.store.display()
            ))
            .into());
        }
        several => {
            return Err(BadInput(format!(
                "'{}' is the beginning of {} ids: write more of it",
                args.id,
                several.len()
            ))
            .into());
        }
    };
    let name = experiment.definition.name.clone();
    let Experiment::Matches(experiment) = experiment.read()? else { bail!("{name} has no games") };
    let cell = store.cell(address)?;
    let Some(game) = store.game(address)? else { bail!("game {} has gone from the store", args.id) };
    let again = if args.stored { None } else { experiment.replay(&cell, address.index) };
    let (black, white) = match game.side {
        tesuji::core::Side::Black => (&cell.player, &cell.opponent),
        tesuji::core::Side::White => (&cell.opponent, &cell.player),
    };
    let shown = Shown {
        id: cell.game_id(address.index),
        experiment: name,
        game: cell.game.to_string(),
        black: black.to_string(),
        white: white.to_string(),
        moves: game.moves.split_whitespace().map(str::to_owned).collect(),
        outcome: game.outcome.to_string(),
        reason: game.reason.to_string(),
        same: again.as_ref().map(|again| *again == game),
    };
    if args.json {
        super::print_json(&shown)?;
    } else {
        show(&shown, &cell.game, args.boards)?;
    }
    if shown.same == Some(false) {
        let builds = store.circumstances(address)?.map_or(String::new(), |about| about.build);
        bail!(
            "game {} came out differently: it was played by {builds}, and this is {}",
            shown.id,
            super::experiment::build()
        );
    }
    Ok(())
}

fn show(shown: &Shown, game: &tesuji::catalog::GameSpec, boards: bool) -> Result<()> {
    let Shown { id, experiment, black, white, outcome, reason, .. } = shown;
    super::print(&format!("{id}, {game}: Black is {black}, White is {white} ({experiment})\n"))?;
    if boards {
        let mut position = game.start()?;
        super::print(&position.drawing())?;
        for mv in &shown.moves {
            let side = position.to_move();
            if let Some(attempt) = mv.strip_prefix(REFUSED) {
                position.attempt_text(attempt)?;
                super::print(&format!("{side} tries {attempt}, which the referee refuses\n"))?;
                continue;
            }
            if position.play(mv).is_err() {
                super::print(&format!("{side} plays {mv}, which is not legal\n"))?;
                break;
            }
            super::print(&format!("{side} plays {mv}\n{}", position.drawing()))?;
        }
    } else {
        super::print(&format!("{}\n", shown.moves.join(" ")))?;
    }
    let same = match shown.same {
        Some(true) => " Played again: the same, move for move.",
        Some(false) => " Played again: DIFFERENT.",
        None => " Not played again: shown as it is stored.",
    };
    let refused = shown.moves.iter().filter(|mv| mv.starts_with(REFUSED)).count();
    let attempts = if refused > 0 { format!(", {refused} attempts refused") } else { String::new() };
    let played = shown.moves.len() - refused;
    super::print(&format!("{played} moves{attempts}, {outcome} ({reason}).{same}\n"))
}
