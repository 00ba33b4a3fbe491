//! A tournament on a page and as Markdown.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::tables::{self, ALL_COLUMNS, CrossForm};
use super::text::schedule;
use super::{RatingList, Score, TournamentResults, figure};
use crate::html::{paragraph, untitled};
use crate::numbers::{decimal, grouped};

/// Returns a tournament for a page: the rating plot, the rating list, the crosstable, and the list of
/// each game, which readers open.
pub(crate) fn html(results: &TournamentResults, title: &str) -> Markup {
    let overall = &results.overall;
    let question = results.question.as_ref().map(|question| question.text.as_str());
    html! {
        (paragraph("key", &schedule(results)))
        @if results.played > 0 {
            @for sentence in question.into_iter() { (paragraph("verdict", sentence)) }
            @if let Some(figure) = figure(results, title) { (untitled(figure)) }
            (tables::list(overall, String::new(), ALL_COLUMNS).html())
            (paragraph("key", &tables::list_key(results, ALL_COLUMNS)))
            @for note in overall.notes.iter().chain(&results.notes) { (paragraph("verdict", note)) }
            h3 { "Crosstable" }
            (crosstable(overall))
            details {
                summary { "How sure the order is: the probability, in per cent, that a row's player is stronger than a column's" }
                (tables::superiority(overall).html())
            }
            @if !results.by_game.is_empty() {
                h3 { "Elo by game, with the 95 % interval" }
                (tables::by_game(results, String::new()).html())
                @for list in &results.by_game {
                    @let game = list.game.as_deref().unwrap_or_default();
                    @for note in &list.notes { (paragraph("key", &format!("{game}: {note}"))) }
                    details {
                        summary { (game) ": rating list and crosstable" }
                        (tables::list(list, String::new(), ALL_COLUMNS).html())
                        (crosstable(list))
                    }
                }
            }
            h3 { "Advantage of moving first" }
            (tables::advantages(overall, String::new()).html())
            p class="key" { "In Elo; error: half of the 95 % interval." }
        }
    }
}

/// The crosstable of a page: per cent, with points and games below, coloured by who is ahead.
fn crosstable(list: &RatingList) -> Markup {
    let players = &list.players;
    html! {
        div class="table" {
            table class="pivot cross" {
                thead {
                    tr {
                        th class="number" { "#" }
                        th { "player" }
                        @for player in players { th class="number" title=(player.label) { (player.rank) } }
                    }
                }
                tbody {
                    @for (row, player) in players.iter().enumerate() {
                        tr {
                            th class="number" { (player.rank) }
                            th { (player.label) }
                            @for column in 0..players.len() {
                                @if row == column { td class="self" {} } @else { (cell(list, row, column)) }
                            }
                        }
                    }
                }
            }
        }
        p class="key" { "Points of each player against each other one, in per cent; below, points of games." }
    }
}

fn cell(list: &RatingList, row: usize, column: usize) -> Markup {
    let Some(score) = list.crosstable[row][column] else { return html! { td {} } };
    let [player, opponent] = [row, column].map(|place| &list.players[place].label);
    let Score { games, points } = score;
    let sure = list.superiority[row][column]
        .map_or_else(String::new, |it| format!("; stronger with {} %", tables::probability(it)));
    let points = tables::points(points);
    let note = format!("{player} against {opponent}: {points} of {} points{sure}", grouped(games));
    let rate = tables::rate(score);
    let class = match rate {
        0.65.. => "number agrees",
        ..=0.35 => "number differs",
        _ => "number",
    };
    html! {
        td class=(class) title=(note) {
            b { (decimal(100.0 * rate, 0)) }
            small { (points) "/" (grouped(games)) }
        }
    }
}

/// Returns a tournament as Markdown.
pub(crate) fn markdown(results: &TournamentResults) -> String {
    let overall = &results.overall;
    let mut text = format!("{}\n\n", schedule(results));
    if results.played == 0 {
        return text;
    }
    if let Some(question) = &results.question {
        let _ = writeln!(text, "{}\n", question.text);
    }
    let list = tables::list(overall, String::new(), ALL_COLUMNS).markdown();
    let _ = writeln!(text, "{list}\n{}", tables::list_key(results, ALL_COLUMNS));
    for note in overall.notes.iter().chain(&results.notes) {
        let _ = writeln!(text, "{note}\n");
    }
    let cross = |list: &RatingList| tables::crosstable(list, String::new(), CrossForm::Points).markdown();
    let _ = writeln!(
        text,
        "Points of each player against each other one, of how many games:\n\n{}",
        cross(overall)
    );
    if !results.by_game.is_empty() {
        let table = tables::by_game(results, String::new()).markdown();
        let _ = writeln!(text, "Elo by game, with the 95 % interval:\n\n{table}");
    }
    for list in &results.by_game {
        let game = list.game.as_deref().unwrap_or_default();
        for note in &list.notes {
            let _ = writeln!(text, "{game}: {note}\n");
        }
        let _ = writeln!(text, "Crosstable of {game}:\n\n{}", cross(list));
    }
    let table = tables::advantages(overall, String::new()).markdown();
    let _ = writeln!(text, "Advantage of moving first, in Elo:\n\n{table}");
    text
}
