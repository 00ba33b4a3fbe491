//! One match as match programs print it: fastchess' lines, to the letter, so that who
//! knows them finds everything, and below them what those programs leave out.

use std::fmt::Write as _;
use std::time::Duration;

use tesuji_arena::statistics::{Sprt, Strength, wilson};
use tesuji_core::Side;

use super::verdicts::cell_disagreements;
use super::{CellResults, percent};
use crate::numbers::{decimal, duration, grouped};
use crate::{Screen, Table};

/// Returns the results of a match in the form of match programs, with the state of its
/// sequential test if it has one.
pub fn block(cell: &CellResults, sprt: Option<&Sprt>, screen: &Screen) -> String {
    let CellResults { player, opponent, game, rules, .. } = cell;
    let mut text = format!("Results of {player} against {opponent} ({game}, {rules}):\n");
    let Some(strength) = &cell.strength else {
        let said = if cell.has_games() { "Games share seeds: no Elo.\n" } else { "No games yet.\n" };
        return text + said;
    };
    text += &lines(cell, strength);
    if let Some(sprt) = sprt {
        text += &test(cell, sprt);
    }
    let _ = write!(text, "\n{}", colours(cell).text(screen));
    text + &details(cell)
}

/// The lines that fastchess prints.
fn lines(cell: &CellResults, strength: &Strength) -> String {
    let Strength { elo, elo_error, nelo, nelo_error, los, draw_ratio, pairs_ratio } = *strength;
    let count = cell.count;
    let mut text = format!(
        "Elo: {} +/- {}, nElo: {} +/- {}\n\
         LOS: {} %, DrawRatio: {} %, PairsRatio: {}\n\
         Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({} %)\n",
        number(elo),
        number(elo_error),
        number(nelo),
        number(nelo_error),
        number(100.0 * los),
        number(100.0 * draw_ratio),
        pairs_ratio.map_or_else(|| "–".to_owned(), number),
        count.games(),
        count.wins,
        count.losses,
        count.draws,
        count.points(),
        number(100.0 * cell.rate.unwrap_or(f64::NAN)),
    );
    if cell.tally.n_pairs() > 0 {
        let _ = writeln!(text, "Ptnml(0-2): {:?}", cell.tally.pairs);
    }
    text
}

fn test(cell: &CellResults, sprt: &Sprt) -> String {
    let (lower, upper) = sprt.bounds();
    let bounds = format!("[{}, {}]", number(sprt.elo0), number(sprt.elo1));
    let llr = number(sprt.llr(&cell.tally));
    let mut text = format!("LLR: {llr} ({}, {}) {bounds}\n", number(lower), number(upper));
    if let Some(hypothesis) = sprt.decide(&cell.tally) {
        let _ = writeln!(text, "SPRT ({bounds}) completed - {hypothesis} was accepted");
    }
    text
}

/// A number as those programs write it: two decimals, and a plain minus.
fn number(value: f64) -> String {
    match value {
        f64::INFINITY => "inf".to_owned(),
        f64::NEG_INFINITY => "-inf".to_owned(),
        value if value.is_nan() => "–".to_owned(),
        // A small negative number is 0.00 without a sign.
        value => format!("{:.2}", (100.0 * value).round() / 100.0 + 0.0),
    }
}

/// The player's games with Black and with White.
pub(crate) fn colours(cell: &CellResults) -> Table {
    let columns = ["the player has", "#games", "#won", "#drawn", "#lost", "#points, %", "95 % interval"];
    let mut table = Table::new("By colour", columns);
    for (side, count) in [Side::Black, Side::White].into_iter().zip(cell.tally.by_side) {
        let interval = wilson(count.points(), count.games());
        table.row([
            side.to_string(),
            grouped(count.games()),
            grouped(count.wins),
            grouped(count.draws),
            grouped(count.losses),
            count.rate().map_or_else(|| "–".to_owned(), percent),
            match count.games() {
                0 => "–".to_owned(),
                _ => format!("{} to {}", percent(interval.low), percent(interval.high)),
            },
        ]);
    }
    table
}

/// What match programs leave out, in lines.
pub(crate) fn details(cell: &CellResults) -> String {
    let games = cell.count.games();
    let mut text = match cell.distinct {
        distinct if distinct == games => "All games differ in their moves".to_owned(),
        distinct => format!("{} of {} games differ in their moves", grouped(distinct), grouped(games)),
    };
    if let Some(plies) = cell.mean_plies {
        let _ = write!(text, "; {} plies a game", decimal(plies, 1));
    }
    let reasons: Vec<String> =
        cell.reasons.iter().map(|(reason, games)| format!("{reason} {}", grouped(*games))).collect();
    let _ = writeln!(text, ".\nEnded by: {}.", reasons.join(", "));
    if let (Some(seconds), Some([player, opponent])) = (cell.mean_seconds, cell.mean_used) {
        let _ = writeln!(
            text,
            "Time a game: {} by the clock, {} used by the player, {} by the opponent.",
            time(seconds),
            time(player),
            time(opponent)
        );
    }
    if let Some([player, opponent]) = cell.mean_samples_a_move {
        let whole = |samples: f64| decimal(samples, 0);
        let _ = writeln!(
            text,
            "Samples a move: {} of the player, {} of the opponent.",
            whole(player),
            whole(opponent)
        );
    }
    if cell.voids > 0 {
        let _ = writeln!(text, "Void games, played again: {}.", grouped(cell.voids));
    }
    for line in cell_disagreements(cell) {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// A time in the unit that fits it.
pub(crate) fn time(seconds: f64) -> String {
    duration(Duration::try_from_secs_f64(seconds).unwrap_or_default())
}
