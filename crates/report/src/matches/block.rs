//! One match in lines: the score, Elo, pairs of games and the sequential test, as match programs
//! know them, and what those programs leave out.

use std::fmt::Write as _;
use std::time::Duration;

use tesuji_arena::statistics::{Interval, Sprt, Strength, wilson};
use tesuji_core::Side;

use super::verdicts::cell_disagreements;
use super::{CellResults, percent, percent_range, percent_with_interval};
use crate::numbers::{decimal, duration, grouped};
use crate::{Screen, Table};

/// Returns the results of a match in the form of match programs, with the state of its
/// sequential test if it has one.
pub fn block(cell: &CellResults, sprt: Option<&Sprt>, screen: &Screen) -> String {
    let CellResults { player, opponent, game, rules, .. } = cell;
    let mut text = format!("Results of {player} against {opponent} ({game}, {rules}):\n");
    let Some(strength) = &cell.strength else {
        let Some(rate) = cell.rate else { return text + "No games yet.\n" };
        let (games, interval) = (grouped(cell.count.games()), percent_range(cell.interval));
        text += &format!(
            "Won by Black: {} % ({interval}) of {games} games.\nThere is no Elo, because games share seeds.\n",
            percent(rate)
        );
        return screen.wrapped(&text);
    };
    text += &lines(cell, strength);
    if let Some(sprt) = sprt {
        text += &test(cell, sprt);
    }
    let _ = write!(text, "\n{}", colours(cell).text(screen));
    screen.wrapped(&(text + &details(cell)))
}

/// The score, the difference in Elo, and the pairs of games.
fn lines(cell: &CellResults, strength: &Strength) -> String {
    let Strength { elo, elo_interval, nelo, nelo_interval, los, .. } = *strength;
    let count = cell.count;
    let rate = cell.rate.unwrap_or(f64::NAN);
    let games = count.games();
    let from_pairs = if 2 * cell.tally.n_pairs() == games { " from pairs" } else { "" };
    // A normal approximation, which says nothing of a few games.
    const FEWEST_GAMES: u64 = 20;
    let los =
        if games < FEWEST_GAMES { String::new() } else { format!("; LOS: {} %", decimal(100.0 * los, 1)) };
    let mut text = format!(
        "Won: {} % ({}), {} in {} {}: {} won, {} drawn, {} lost\n\
         Elo{from_pairs}: {}; nElo: {}{los}\n",
        percent(rate),
        percent_range(cell.interval),
        points(count.points()),
        grouped(games),
        if games == 1 { "game" } else { "games" },
        grouped(count.wins),
        grouped(count.draws),
        grouped(count.losses),
        elo_words(elo, elo_interval),
        elo_words(nelo, nelo_interval),
    );
    if cell.tally.n_pairs() > 0 {
        let pairs = cell.tally.pairs.map(grouped).join(", ");
        let [none, half, even, more, both] = cell.tally.pairs;
        let (won, lost) = (more + both, none + half);
        let even = decimal(100.0 * even as f64 / (won + even + lost) as f64, 1);
        let won = match lost {
            0 if won == 0 => String::new(),
            0 => ", none lost".to_owned(),
            _ => format!(", {} won for each one lost", decimal(won as f64 / lost as f64, 2)),
        };
        let _ = writeln!(text, "Pairs by points (0, ½, 1, 1½, 2): {pairs}; {even} % even{won}");
    }
    text
}

fn points(points: f64) -> String {
    let number = decimal(points, usize::from(points.fract() > 0.0));
    if points == 1.0 { "1 point".to_owned() } else { format!("{number} points") }
}

fn test(cell: &CellResults, sprt: &Sprt) -> String {
    let (lower, upper) = sprt.bounds();
    let two = |value: f64| decimal(value, 2);
    let elo = |elo: f64| elo.to_string().replace('-', "−");
    format!(
        "LLR: {}, until {} or {}; Elo {} against {}\n",
        two(sprt.llr(&cell.tally)),
        two(lower),
        two(upper),
        elo(sprt.elo0),
        elo(sprt.elo1)
    )
}

/// Returns an Elo difference with its 95 % interval. It is infinite if one player won everything.
pub(crate) fn elo_words(elo: f64, interval: Interval) -> String {
    let end = |value: f64| match value {
        f64::INFINITY => "∞".to_owned(),
        f64::NEG_INFINITY => "−∞".to_owned(),
        value => decimal(value, 1),
    };
    match interval.low.is_nan() {
        true if elo.is_finite() => format!("{} (interval unknown)", end(elo)),
        true => end(elo),
        false => format!("{} ({} to {})", end(elo), end(interval.low), end(interval.high)),
    }
}

/// The player's games with Black and with White.
pub(crate) fn colours(cell: &CellResults) -> Table {
    let columns = ["the player has", "#games", "#won", "#drawn", "#lost", "#points, %"];
    let mut table = Table::new("By colour", columns);
    for (side, count) in [Side::Black, Side::White].into_iter().zip(cell.tally.by_side) {
        let interval = wilson(count.points(), count.games());
        table.row([
            side.to_string(),
            grouped(count.games()),
            grouped(count.wins),
            grouped(count.draws),
            grouped(count.losses),
            count.rate().map_or_else(|| "–".to_owned(), |rate| percent_with_interval(rate, interval)),
        ]);
    }
    table
}

/// What match programs leave out, in lines.
pub(crate) fn details(cell: &CellResults) -> String {
    let games = cell.count.games();
    let mut text = match cell.distinct {
        1 if games == 1 => "1 game".to_owned(),
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
        let whole = |samples: Option<f64>| samples.map_or("unknown".to_owned(), |it| decimal(it, 0));
        let _ = writeln!(text, "Samples a move: {} (player), {} (opponent).", whole(player), whole(opponent));
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
