//! The table and the figures for a page, with what a reader must know to read them.

use std::fmt::Write as _;

use tesuji_portfolio::Estimate;

use super::seeds::{Cell, name, opponent_seeds};
use super::{PublishedSeeds, SeedTable, SeedVerdict};
use crate::figure::Figure;
use crate::html::{self, escaped, paragraph};
use crate::matches::percent;

/// What the experiment is about.
const IDEA: &str = "A player that draws random numbers plays a different game each time. Its numbers follow from a \
    seed: with the seed fixed, it always answers the same moves in the same way, so that each seed is a player of its \
    own, with an opening of its own, and some seeds are better than others. Every one of a number of Black seeds plays \
    every one of as many White seeds, once. From the results a portfolio is learnt: how often each seed shall be drawn. \
    A good one makes a better player without a moment's more thought.";

/// What the columns say.
const COLUMNS: &str = "K is the number of seeds of each colour that a portfolio is learnt from. Then an opponent comes \
    who knows the portfolio and plays the best answer to it, among K' seeds that were not learnt from. With K' = 1 that \
    is the player as it was before, and more than 50 % is what learning has won; with K' = 16 it is an opponent who \
    could prepare. The training rate is against the seeds learnt from: by as much as it is above the rate at K' = 1, the \
    portfolio has learnt what is true of those seeds only. All rates are means of both colours.";

/// What the rows say.
const ROWS: &str = "The baseline is one fixed seed, drawn at random, from which nothing was learnt: one against one is \
    even, and an opponent with many seeds soon finds one that beats it. The uniform mixture is not in the paper: it draws \
    a new seed for each game, as an unprepared player does. BestSeed always plays the seed that won most. Nash draws \
    seeds as an equilibrium does, which leaves an opponent least to gain. Sparse leaves out of that the seeds whose \
    probability is less than α times the greatest.";

/// What the numbers are worth.
const ERRORS: &str = "The standard error behind ± is that of drawing, again and again, the seeds to learn from and those \
    of the opponent, out of one matrix of games. It does not include that the matrix itself was played only once: with \
    other seeds altogether the rates could differ by more than that.";

/// What a reader must know of these tables, as HTML.
pub fn explanation() -> String {
    [IDEA, COLUMNS, ROWS, ERRORS].map(|words| paragraph("", words)).concat()
}

impl SeedTable {
    /// What a page has of it: table, figures, and the equilibrium of the whole matrix. It is
    /// for a section that has its title and the [`explanation`] already.
    pub fn html(&self, published: &PublishedSeeds) -> String {
        let mut text = paragraph("paper", &format!("{}; seeds of {}.", self.game, self.player));
        text += &self.pivot(published);
        text += &paragraph("verdict", &self.comparison(published).join(" "));
        text += &paragraph("", &self.equilibrium().join(" "));
        for figure in [self.figure_by_method(), self.figure_by_sparsity()].into_iter().flatten() {
            let _ = writeln!(text, "<h3>{}</h3>", escaped(&figure.title));
            // The page has its title now.
            let figure = Figure { title: String::new(), ..figure };
            let _ = writeln!(text, "<figure>{}</figure>", figure.svg());
        }
        text
    }

    /// The table as a page shows it: the published rate below the measured one, and the
    /// verdict as the cell's colour.
    fn pivot(&self, published: &PublishedSeeds) -> String {
        let lines = self.lines(published);
        let mut text = "<div class=\"table\"><table class=\"pivot\">\n<thead><tr><th>method</th>\
                        <th class=\"number\">training</th>"
            .to_owned();
        for seeds in opponent_seeds(&self.rates) {
            let _ = write!(text, "<th class=\"number\">K' = {seeds}</th>");
        }
        text += "</tr></thead>\n<tbody>\n";
        for line in &lines {
            let name = name(line.method);
            let _ = write!(text, "<tr><th>{}</th>", escaped(&name));
            let _ = write!(text, "<td class=\"number\">{}</td>", number(line.training_rate));
            for cell in &line.cells {
                text += &cell.as_ref().map_or_else(|| "<td></td>".to_owned(), |cell| data(&name, cell));
            }
            text += "</tr>\n";
        }
        text += "</tbody>\n</table></div>\n";
        let cells = || lines.iter().flat_map(|line| line.cells.iter().flatten());
        let mut key = format!("Won, % ± standard error{}.", self.learnt_from());
        if cells().any(|cell| cell.published.is_some()) {
            key += " Below each the published rate.";
        }
        let _ = write!(text, "<p class=\"key\">{}", escaped(&key));
        for word in ["agrees", "near", "DIFFERS", OTHER] {
            if cells().any(|cell| verdict(cell) == word) {
                let _ = write!(text, " <span class=\"{}\">{word}</span>", html::verdict_class(word));
            }
        }
        text + "</p>\n"
    }
}

/// In place of a verdict where the published rate is of another K.
const OTHER: &str = "other K";

/// The verdict on a cell in a word; nothing where nothing was published.
fn verdict(cell: &Cell) -> &'static str {
    match (cell.verdict, cell.published) {
        (Some(verdict), _) => SeedVerdict::word(verdict),
        (None, Some(_)) => OTHER,
        (None, None) => "",
    }
}

fn number(rate: Estimate) -> String {
    format!("<b>{}</b><i>± {}</i>", percent(rate.mean), percent(rate.standard_error))
}

/// A cell of the page.
fn data(name: &str, cell: &Cell) -> String {
    let verdict = verdict(cell);
    let class = html::verdict_class(verdict);
    let Some(theirs) = cell.published else {
        return format!("<td class=\"number {class}\">{}</td>", number(cell.measured));
    };
    let error = theirs.standard_error.map_or_else(String::new, |error| format!(" ± {}", percent(error)));
    let note = format!("{name}: published {}{error} %; {verdict}", percent(theirs.mean));
    format!(
        "<td class=\"number {class}\" title=\"{}\">{}<small>{}</small></td>",
        escaped(&note),
        number(cell.measured),
        percent(theirs.mean)
    )
}
