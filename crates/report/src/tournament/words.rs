//! A tournament in sentences: its schedule, the answer to its question, and what a reader must know
//! about its numbers.

use tesuji_arena::ratings::{Extreme, Question, Ratings};
use tesuji_arena::{CellTotals, MatchExperiment, Sure, Tournament, TournamentFormat};

use super::results::{QuestionResults, RatedPlayer};
use crate::numbers::{decimal, grouped};

/// The doubt that an answer may have if the tournament does not say.
const USUAL_DOUBT: f64 = 0.05;

/// Returns who meets whom, in a sentence. `games` is the number of games of a pair.
pub(super) fn schedule(tournament: &Tournament, games: u64) -> String {
    let each = grouped(games);
    let on_each = if tournament.games.len() > 1 { " on each game" } else { "" };
    match tournament.format {
        TournamentFormat::RoundRobin => {
            format!("Round robin: each pair of players plays {each} games{on_each}.")
        }
        TournamentFormat::Gauntlet => {
            let first = &tournament.players[0].label;
            format!("Gauntlet: {first} plays {each} games{on_each} against each other player.")
        }
        TournamentFormat::Swiss { rounds } => {
            let noun = if rounds == 1 { "round" } else { "rounds" };
            format!("Swiss: {rounds} {noun}; each pair of a round plays {each} games{on_each}.")
        }
        TournamentFormat::Widest { question, total, until } => {
            let at_most = if until.is_some() { " at most" } else { "" };
            let asks = match question {
                Question::List => "how strong each player is".to_owned(),
                Question::First => "which player is the strongest".to_owned(),
                Question::Ahead(a, b) => {
                    let [a, b] = [a, b].map(|index| &tournament.players[index].label);
                    format!("whether {a} or {b} is stronger")
                }
            };
            let until = match until {
                None => String::new(),
                Some(Sure::Confidence(level)) => {
                    format!(
                        ", until an answer is wrong with a probability of at most {}",
                        percent(1.0 - level)
                    )
                }
                Some(Sure::Within(elo)) => {
                    format!(", until every rating is known within {} Elo", decimal(elo, 0))
                }
            };
            format!(
                "Widest: {} games{at_most}, for the pairs that narrow the answer most; the question is {asks}{until}.",
                grouped(total)
            )
        }
    }
}

/// Returns whether a tournament may stop before all its games are played.
pub(super) fn may_stop(tournament: &Tournament) -> bool {
    matches!(tournament.format, TournamentFormat::Widest { until: Some(_), .. })
}

/// Returns the question of a tournament with its answer. `None` if it has no question.
pub(super) fn question(tournament: &Tournament, ratings: &Ratings) -> Option<QuestionResults> {
    let TournamentFormat::Widest { question, until, .. } = tournament.format else { return None };
    let label = |player: usize| tournament.players[player].label.as_str();
    let name = match question {
        Question::List => "list".to_owned(),
        Question::First => "first".to_owned(),
        Question::Ahead(a, b) => format!("{} > {}", label(a), label(b)),
    };
    let errors = || ratings.players.iter().map(|rating| rating.map(|rating| rating.error));
    let widest = match ratings.groups.len() {
        1 => errors().try_fold(0.0_f64, |widest, error| Some(widest.max(error?))),
        _ => None,
    };
    if question == Question::List {
        let within = match until {
            Some(Sure::Within(elo)) => Some(elo),
            _ => None,
        };
        let is_sure = within.zip(widest).is_some_and(|(within, widest)| widest <= within);
        let text = match (widest, within) {
            (None, _) => "Games do not connect all players yet.".to_owned(),
            (Some(widest), None) => format!("Every rating is known within {} Elo.", decimal(widest, 0)),
            (Some(widest), Some(within)) => {
                let wanted = if is_sure { "as wanted" } else { "wanted" };
                let words = format!("{wanted}: {}", decimal(within, 0));
                format!("Every rating is known within {} Elo ({words}).", decimal(widest, 0))
            }
        };
        return Some(QuestionResults { question: name, player: None, doubt: None, widest, is_sure, text });
    }
    let wanted = match until {
        Some(Sure::Confidence(level)) => 1.0 - level,
        _ => USUAL_DOUBT,
    };
    let answer = ratings.likely_answer(question);
    let is_sure = answer.is_some_and(|answer| answer.doubt <= wanted);
    let text = match answer {
        None => "No games connect the players in question yet.".to_owned(),
        Some(answer) => {
            let claim = match question {
                Question::Ahead(a, b) => {
                    let other = if answer.player == a { b } else { a };
                    format!("{} is ahead of {}", label(answer.player), label(other))
                }
                _ => format!("{} is first", label(answer.player)),
            };
            match (is_sure, answer.doubt < 1.0) {
                (true, _) => {
                    format!(
                        "{claim}: the probability that this is wrong is at most {}.",
                        percent(answer.doubt)
                    )
                }
                (false, true) => format!(
                    "Not sure yet, but likely: {claim}. The probability that this is wrong is at most {}.",
                    percent(answer.doubt)
                ),
                (false, false) => format!("Not sure at all yet; so far {claim}."),
            }
        }
    };
    Some(QuestionResults {
        question: name,
        player: answer.map(|answer| label(answer.player).to_owned()),
        doubt: answer.map(|answer| answer.doubt),
        widest,
        is_sure,
        text,
    })
}

/// Returns a probability in per cent, rounded up to two digits: 0.05 is 5 %.
fn percent(probability: f64) -> String {
    let share = 100.0 * probability;
    if share < 0.01 {
        return "0.01 %".to_owned();
    }
    let decimals = match share {
        10.0.. => 0,
        1.0..10.0 => 1,
        0.1..1.0 => 2,
        _ => 3,
    };
    let scale = 10_f64.powi(decimals);
    let rounded = (share * scale - 1e-9).ceil() / scale;
    let text = format!("{rounded:.*}", decimals as usize);
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text} %")
}

/// Returns what a reader must know about the ratings of these players, which are in the order of
/// their list.
pub(super) fn notes(players: &[RatedPlayer]) -> Vec<String> {
    let mut notes = Vec::new();
    let rated = || players.iter().filter(|player| player.elo.is_some());
    let n_groups = distinct_groups(rated().map(|player| player.group)).len();
    if n_groups > 1 {
        let members = |group: usize| names(rated().filter(|player| player.group == group));
        let groups: Vec<String> =
            distinct_groups(rated().map(|player| player.group)).into_iter().map(members).collect();
        notes.push(format!(
            "No games connect these groups of players, so ratings of different groups cannot be compared: {}.",
            groups.join("; ")
        ));
    }
    for (extreme, word) in [(Extreme::AllWon, "won"), (Extreme::AllLost, "lost")] {
        let players: Vec<&RatedPlayer> = rated().filter(|player| player.extreme == Some(extreme)).collect();
        match &players[..] {
            [] => {}
            [one] => notes.push(format!("{} {word} every game: its rating rests on the prior.", one.label)),
            several => notes.push(format!(
                "{} {word} every game: their ratings rest on the prior.",
                names(several.iter().copied())
            )),
        }
    }
    let without: Vec<&RatedPlayer> = players.iter().filter(|player| player.elo.is_none()).collect();
    if !without.is_empty() && without.len() < players.len() {
        notes.push(format!("Without games: {}.", names(without.into_iter())));
    }
    notes
}

fn distinct_groups(groups: impl Iterator<Item = usize>) -> Vec<usize> {
    crate::distinct(groups)
}

/// The most players that a sentence names.
const MOST_NAMES: usize = 6;

/// Returns the names of players, or the first of them and how many more there are.
fn names<'a>(players: impl Iterator<Item = &'a RatedPlayer>) -> String {
    let names: Vec<&str> = players.map(|player| player.label.as_str()).collect();
    match names.len().checked_sub(MOST_NAMES) {
        None | Some(0 | 1) => names.join(", "),
        Some(more) => format!("{} and {more} more", names[..MOST_NAMES].join(", ")),
    }
}

/// A pair with fewer games is too small to judge how many of them are equal.
const FEWEST_GAMES: u64 = 8;

/// Returns a sentence on the pairs of players whose games are mostly equal. `None` if there are none.
pub(super) fn duplicates(experiment: &MatchExperiment, played: &[CellTotals]) -> Option<String> {
    let games = |totals: &CellTotals| totals.tally.total().games();
    let begun = played.iter().filter(|totals| games(totals) >= FEWEST_GAMES);
    let is_equal = |totals: &&CellTotals| 2 * totals.distinct <= games(totals);
    let equal = begun.clone().filter(is_equal).count();
    let (worst, cell) = played
        .iter()
        .zip(&experiment.cells)
        .filter(|(totals, _)| games(totals) >= FEWEST_GAMES && is_equal(totals))
        .min_by(|(a, _), (b, _)| {
            let share = |totals: &CellTotals| totals.distinct as f64 / games(totals) as f64;
            share(a).total_cmp(&share(b))
        })?;
    let (of, pairs) = (begun.count(), if equal == 1 { "pair has" } else { "pairs have" });
    Some(format!(
        "Many games are equal, so the errors are too small: {equal} of {of} {pairs} at least two games for each \
         different one; of {} against {} on {}, {} of {} differ. Random openings make games differ (random_plies).",
        cell.player,
        cell.opponent,
        cell.game,
        grouped(worst.distinct),
        grouped(games(worst)),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_rounded_up() {
        let words = [0.05, 0.0491, 0.37, 0.00371, 0.00001, 0.5, 0.0123].map(percent);
        assert_eq!(words, ["5 %", "5 %", "37 %", "0.38 %", "0.01 %", "50 %", "1.3 %"]);
    }
}
