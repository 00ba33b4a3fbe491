//! A tuning for a terminal.

use tesuji_arena::statistics::Interval;

use super::{Confirmed, Finalist, TunedCandidate, TuningResults};
use crate::numbers::{decimal, grouped, with_interval};
use crate::{Screen, Table};

/// The candidates that a table shows.
const SHOWN: usize = 10;

/// Returns the results as tables and sentences.
pub fn text(results: &TuningResults, screen: &Screen) -> String {
    let mut text = candidates(results, SHOWN).text(screen);
    text += &screen.wrapped(&format!("\n{}\n", best(results)));
    if let Some(confirmed) = &results.confirmed {
        text += "\n";
        text += &finalists(confirmed).text(screen);
        text += &screen.wrapped(&format!("\n{}\n", verdict(confirmed)));
    }
    text
}

/// Returns the results as Markdown.
pub(crate) fn markdown(results: &TuningResults) -> String {
    let mut text = format!("{}\n{}\n", candidates(results, SHOWN).markdown(), best(results));
    if let Some(confirmed) = &results.confirmed {
        let table = finalists(confirmed);
        text += &format!("\n{}:\n\n{}\n{}\n", table.title, table.markdown(), verdict(confirmed));
    }
    if let Some(command) = &results.command {
        text += &format!("\n```sh\n{command}\n```\n");
    }
    text
}

/// Returns the candidates with the greatest expected win rates, and the default configuration.
pub(super) fn candidates(results: &TuningResults, most: usize) -> Table {
    let n = results.candidates.len();
    let all = match n > most {
        true => format!("the best of {} candidates", grouped(n as u64)),
        false => "all candidates".to_owned(),
    };
    let title = format!(
        "{}: {} of {} games, {all}. Win rates in per cent",
        results.title,
        grouped(results.played),
        grouped(results.games)
    );
    let names = results.parameters.iter().map(|parameter| format!("#{}", parameter.name));
    let columns = names.chain(["#games", "#won", "#expected", "#from", "#to", ""].map(str::to_owned));
    let mut table = Table::new(title, columns.collect::<Vec<_>>());
    let is_shown = |(place, candidate): &(usize, &TunedCandidate)| *place < most || candidate.is_default;
    for (place, candidate) in results.candidates.iter().enumerate().filter(is_shown) {
        let values = match candidate.values.is_empty() {
            true => vec!["default".to_owned(); results.parameters.len()],
            false => candidate.values.clone(),
        };
        let numbers = [
            grouped(candidate.games),
            percent(candidate.rate),
            percent(candidate.expected),
            percent(candidate.interval.low),
            percent(candidate.interval.high),
            if candidate.is_default { "default" } else { "" }.to_owned(),
        ];
        let row = values.into_iter().chain(numbers);
        match place {
            0 => table.chosen_row(row),
            _ => table.row(row),
        }
    }
    table
}

/// Returns the best configuration in a sentence.
pub(super) fn best(results: &TuningResults) -> String {
    let Some(best) = results.candidates.first() else { return "No games yet.".to_owned() };
    let stopped = match &results.stopped {
        Some(reason) => format!("Stopped: {reason}."),
        None => format!("{} games are missing.", grouped(results.games - results.played)),
    };
    let chance = results.chance.map_or_else(String::new, |chance| {
        format!(
            " With a chance of {} % its win rate is at most {} points below that of the best configuration.",
            decimal(100.0 * chance, 0),
            decimal(100.0 * results.within, 1)
        )
    });
    format!(
        "{stopped} Best: {}{}{chance}",
        best.player,
        if best.is_default { " (the default)." } else { "." }
    )
}

/// Returns the finalists with their fresh games.
pub(super) fn finalists(confirmed: &Confirmed) -> Table {
    let title = format!("Fresh games, {} of each: win rates in per cent", grouped(confirmed.games));
    let columns = ["player", "#tuning", "#expected", "#fresh", "#from", "#to", "#gain", "#from", "#to", ""];
    let mut table = Table::new(title, columns);
    for Finalist { player, is_default, tuned, expected, fresh, gain } in &confirmed.finalists {
        let share = |share: Option<f64>| share.map_or_else(String::new, percent);
        let ends = |interval: Option<Interval>| [interval.map(|it| it.low), interval.map(|it| it.high)];
        let [low, high] = ends(fresh.map(|fresh| fresh.interval));
        let [least, most] = ends(gain.map(|gain| gain.interval));
        table.row([
            player.clone(),
            share(*tuned),
            share(*expected),
            share(fresh.map(|fresh| fresh.rate)),
            share(low),
            share(high),
            gain.map_or_else(String::new, |gain| points(gain.difference)),
            least.map_or_else(String::new, points),
            most.map_or_else(String::new, points),
            if *is_default { "default" } else { "" }.to_owned(),
        ]);
    }
    table
}

/// Returns what the fresh games say in sentences.
pub(super) fn verdict(confirmed: &Confirmed) -> String {
    let mut sentences = Vec::new();
    if !confirmed.is_complete {
        sentences.push("Some fresh games are missing.".to_owned());
    }
    let expected = |finalist: &&Finalist| finalist.expected.unwrap_or(0.0);
    if let Some(best) = confirmed.finalists.iter().max_by(|a, b| expected(a).total_cmp(&expected(b)))
        && best.is_default
    {
        sentences.push("The model expects the default to be the best.".to_owned());
    }
    let Some(winner) = confirmed.finalists.first().filter(|winner| !winner.is_default) else {
        return sentences.join(" ");
    };
    if let (Some(expected), Some(fresh)) = (winner.expected, winner.fresh) {
        sentences.push(format!(
            "The first finalist was expected to win {} %, and won {} % ({} to {}) of fresh games: tuning promised {} points {}.",
            percent(expected),
            percent(fresh.rate),
            percent(fresh.interval.low),
            percent(fresh.interval.high),
            decimal(100.0 * (expected - fresh.rate).abs(), 1),
            if expected >= fresh.rate { "too much" } else { "too little" },
        ));
    }
    if let Some(gain) = winner.gain {
        let verdict = match gain.interval {
            interval if interval.low > 0.0 => "is better than the default",
            interval if interval.high < 0.0 => "is worse than the default",
            _ => "is not shown to differ from the default",
        };
        sentences.push(format!(
            "Against the same opponents it {verdict}: {} points ({} to {}).",
            points(gain.difference),
            points(gain.interval.low),
            points(gain.interval.high)
        ));
    }
    if let Some(direct) = confirmed.against_default {
        let elo = confirmed
            .elo
            .zip(confirmed.elo_interval)
            .map_or_else(String::new, |(elo, interval)| format!(", {} Elo", with_interval(elo, interval, 0)));
        sentences.push(format!(
            "Against the default itself it won {} % ({} to {}) of {} games{elo}.",
            percent(direct.rate),
            percent(direct.interval.low),
            percent(direct.interval.high),
            grouped(direct.games)
        ));
    }
    sentences.join(" ")
}

fn percent(share: f64) -> String {
    decimal(100.0 * share, 1)
}

/// Returns a difference of shares in points, with its sign.
fn points(difference: f64) -> String {
    let text = decimal(100.0 * difference, 1);
    if difference > 0.0 { format!("+{text}") } else { text }
}
