//! A page that needs no other file: no script, no style sheet and no picture from elsewhere,
//! so that it can be mailed, kept and opened in ten years.
//!
//! Markup is written with [`maud`], which escapes every text. Only the style sheet and figures,
//! which escape their own texts, are inserted as they are.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use tesuji_arena::statistics::Verdict;

use crate::figure::Figure;

/// The style sheet of every page.
const STYLE: &str = include_str!("page.css");

/// Returns a whole page with its title as a heading above the body.
pub(crate) fn page(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main { h1 { (title) } (body) }
            }
        }
    };
    page.into_string() + "\n"
}

/// Returns a paragraph without a class, or nothing if there are no words.
pub(crate) fn plain(words: &str) -> Markup {
    html! { @if !words.is_empty() { p { (words) } } }
}

/// Returns a paragraph of a class of the style sheet, or nothing if there are no words.
pub(crate) fn paragraph(class: &str, words: &str) -> Markup {
    html! { @if !words.is_empty() { p class=(class) { (words) } } }
}

/// Returns a section under a heading, to which links can lead by its anchor.
pub(crate) fn section(anchor: &str, title: &str, body: &Markup) -> Markup {
    html! { section id=(anchor) { h2 { (title) } (body) } }
}

/// Returns a figure without its title, which the page prints itself.
pub(crate) fn untitled(figure: Figure) -> Markup {
    drawn(&Figure { title: String::new(), ..figure })
}

/// Returns a figure with its title.
pub(crate) fn drawn(figure: &Figure) -> Markup {
    html! { figure { (PreEscaped(figure.svg())) } }
}

/// Returns the class of the style sheet that colours a verdict.
pub(crate) fn verdict_class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Agrees => "agrees",
        Verdict::Off => "off",
        Verdict::Differs => "differs",
        Verdict::Open => "open",
        Verdict::OtherBudget | Verdict::OtherK => "other",
    }
}

/// Returns the class of a number in a table that is coloured by its verdict.
pub(crate) fn number_class(verdict: Option<Verdict>) -> String {
    verdict.map_or_else(|| "number".to_owned(), |verdict| format!("number {}", verdict_class(verdict)))
}

/// Returns the line below a table: what its numbers are, and the signs and colours of the verdicts
/// that occur in it.
pub(crate) fn key(words: &str, occurs: impl Fn(Verdict) -> bool) -> Markup {
    html! {
        p class="key" {
            (words)
            @for verdict in Verdict::ALL.into_iter().filter(|verdict| occurs(*verdict)) {
                " " span class=(verdict_class(verdict)) { (verdict.sign()) " " (verdict) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        let hostile = "</title><script>alert(\"1\")</script> & 'x'";
        let page =
            page(hostile, &html! { (paragraph(hostile, hostile)) (section(hostile, hostile, &plain(""))) });
        assert!(!page.contains("<script") && !page.contains("(\""), "{page}");
        assert_eq!(page.matches("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; 'x'").count(), 6);
    }
}
