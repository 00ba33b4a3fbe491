//! A tuning as a section of a page.

use maud::{Markup, html};
use tesuji_core::in_shell;

use super::text::{best, candidates, finalists, verdict};
use super::{TuningResults, figure};
use crate::html::{paragraph, untitled};

/// Returns the section of a page. `store` is the store's file as the user named it.
pub(crate) fn html(results: &TuningResults, store: &str) -> Markup {
    let all = candidates(results, usize::MAX);
    html! {
        p class="key" {
            "Opponents, in turn: " (results.against.join(", ")) "; policy: " (results.policy) "; rules: "
            (results.rules) "."
        }
        @if let Some(figure) = figure(results) { (untitled(figure)) }
        (paragraph("verdict", &best(results)))
        (candidates(results, 10).html())
        @if let Some(confirmed) = &results.confirmed {
            h3 { (finalists(confirmed).title) }
            (finalists(confirmed).html())
            (paragraph("verdict", &verdict(confirmed)))
        }
        @if results.candidates.len() > 10 {
            details { summary { "All candidates" } (all.html()) }
        }
        @if let Some(command) = &results.command {
            p class="key" { "This command plays the games that are missing:" }
            pre class="command" { (command) " --store " (in_shell(store)) }
        }
    }
}
