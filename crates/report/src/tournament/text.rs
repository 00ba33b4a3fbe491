//! A tournament on a terminal: the rating list, the crosstable, the ratings by game and the
//! advantages of moving first.

use super::tables::{self, CrossForm, ListColumns};
use super::{RatingList, TournamentResults};
use crate::Screen;
use crate::numbers::grouped;

/// The widths of the drawn intervals, the widest first that a screen may have room for.
const DRAWINGS: [usize; 3] = [40, 30, 21];

/// Returns the tournament for a terminal, under the title of its experiment.
pub(crate) fn text(results: &TournamentResults, title: &str, screen: &Screen) -> String {
    let overall = &results.overall;
    if results.played == 0 {
        return screen.wrapped(&format!("{title}: no games yet\n{}\n\n", results.schedule_text));
    }
    let mut text = rating_list(results, overall, title, screen);
    text += &sentences(&overall.notes, screen);
    let question = results.question.iter().map(|question| question.text.clone());
    let about: Vec<String> = std::iter::once(format!("{} {}.", schedule(results), counted(results)))
        .chain(question)
        .chain(results.notes.clone())
        .collect();
    text += &sentences(&about, screen);
    text += &format!("\n{}", crosstable(overall, screen));
    if !results.by_game.is_empty() {
        let table = tables::by_game(results, "Elo by game, with the 95 % interval".to_owned());
        text += &format!("\n{}", table.text(screen));
        for list in &results.by_game {
            let game = list.game.as_deref().unwrap_or_default();
            let notes: Vec<String> = list.notes.iter().map(|note| format!("{game}: {note}")).collect();
            text += &sentences(&notes, screen);
        }
    }
    let title = "Advantage of moving first, in Elo".to_owned();
    text += &format!("\n{}\n", tables::advantages(overall, title).text(screen));
    text
}

/// Returns the schedule in a sentence, with the round if it has rounds.
pub(super) fn schedule(results: &TournamentResults) -> String {
    match results.rounds {
        Some(round) if results.schedule == "swiss" => {
            format!("{} This is round {round}.", results.schedule_text)
        }
        _ => results.schedule_text.clone(),
    }
}

/// Returns how many games were played, in words: 24 of 120 games.
pub(crate) fn counted(results: &TournamentResults) -> String {
    let at_most = if results.may_stop { "at most " } else { "" };
    format!("{} of {at_most}{} games", grouped(results.played), grouped(results.wanted))
}

fn sentences(sentences: &[String], screen: &Screen) -> String {
    sentences.iter().map(|sentence| screen.wrapped(&format!("{sentence}\n"))).collect()
}

/// Returns the rating list with as many columns as the screen has room for.
fn rating_list(results: &TournamentResults, list: &RatingList, title: &str, screen: &Screen) -> String {
    let columns = |drawing, bootstrap, points| ListColumns { drawing, bootstrap, points, specs: false };
    let most = DRAWINGS.map(Some);
    let with_all = most.map(|drawing| columns(drawing, true, true));
    let with_some = most.map(|drawing| columns(drawing, true, false));
    let with_few = most.map(|drawing| columns(drawing, false, false));
    let without = [columns(None, true, false), columns(None, false, false)];
    let all = with_all.into_iter().chain(with_some).chain(with_few).chain(without);
    let mut last = ListColumns::default();
    for columns in all {
        last = columns;
        if tables::list(list, String::new(), columns).fits(screen) {
            break;
        }
    }
    let table = tables::list(list, title.to_owned(), last);
    table.text(screen) + &screen.wrapped(&tables::list_key(results, last))
}

/// Returns the crosstable: points and games if there is room for them, else per cent, and without
/// names if only that fits.
fn crosstable(list: &RatingList, screen: &Screen) -> String {
    let points = "Points of each player against each other one, of how many games";
    let percent = "Points of each player against each other one, in per cent";
    let points = tables::crosstable(list, points.to_owned(), CrossForm::Points);
    let in_percent = tables::crosstable(list, percent.to_owned(), CrossForm::Percent);
    if points.fits(screen) {
        return points.text(screen);
    }
    // The ranks name the players if there is no room for names.
    let by_rank = tables::crosstable(list, format!("{percent}, by rank"), CrossForm::PercentByRank);
    if !in_percent.fits_tightly(screen) && by_rank.fits_tightly(screen) {
        return by_rank.text(screen);
    }
    in_percent.text(screen)
}
