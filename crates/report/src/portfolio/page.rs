//! The page of portfolios: tables and figures, with what a reader must know to read them.

use maud::{Markup, html};
use tesuji_portfolio::Estimate;

use super::seeds::{Cell, name, opponent_seeds};
use super::{LazyTable, PublishedSeeds, SeedTable};
use crate::html::{drawn, key, number_class, page, paragraph, plain, untitled};
use crate::matches::percent;

/// What the experiment is about.
const IDEA: &str = "A player that uses random numbers plays a different game each time. All its random numbers follow \
    from one seed. With the seed fixed, it always answers the same moves in the same way. So each seed is a player of \
    its own, with its own opening, and some seeds are better than others. Each of K Black seeds plays each of K White \
    seeds once. From the results we learn a portfolio: how often to draw each seed. A good portfolio makes a stronger \
    player at no extra cost per move.";

/// What the columns say.
const COLUMNS: &str = "K is the number of seeds of each colour that a portfolio is learnt from. The opponent knows the \
    portfolio and plays the best answer among K' seeds that were not learnt from. K' = 1 is the original player: more \
    than 50 % is what learning gained. K' = 16 is an opponent who could prepare. The training rate is against the seeds \
    learnt from; the part above the rate at K' = 1 is overfitting. All rates are means of both colours.";

/// What the rows say.
const ROWS: &str = "Baseline: one fixed seed, drawn at random. One seed against one seed is even, but an opponent with \
    many seeds soon finds one that beats it. Uniform mixture (not in the paper): a new seed for each game, as a player \
    without a portfolio does. BestSeed: the seed that won most. Nash: the mixture of an equilibrium, which leaves the \
    opponent the least to gain. Sparse: the equilibrium without the seeds whose probability is less than α times the \
    largest.";

/// What the numbers are worth.
const ERRORS: &str = "± is one standard error. It comes from drawing the seeds to learn from and the opponent's seeds \
    again and again from one matrix of games. It leaves out the chance in the matrix itself, which was played only once: \
    with other seeds the rates could differ by more.";

/// Everything that was measured of one matrix of games.
#[derive(Clone, Copy, Debug)]
pub struct MatrixResults<'a> {
    /// How portfolios fare.
    pub portfolios: &'a SeedTable,
    /// How many games an equilibrium takes, if that was measured.
    pub lazy: Option<&'a LazyTable>,
}

/// Returns the results of several matrices as one HTML page. `origin` is a line that says where
/// and when they were measured.
pub fn html_page(matrices: &[MatrixResults<'_>], published: &PublishedSeeds, origin: &str) -> String {
    let body = html! {
        (explanation())
        @for matrix in matrices {
            (matrix.portfolios.html(published))
            @if let Some(lazy) = matrix.lazy {
                (lazy.table().titled_html())
                @if let Some(figure) = lazy.figure() { (drawn(&figure)) }
            }
        }
        (plain(origin))
    };
    page("Portfolios of seeds", &body)
}

/// Returns what a reader must know to read these tables.
pub(crate) fn explanation() -> Markup {
    html! { @for words in [IDEA, COLUMNS, ROWS, ERRORS] { (plain(words)) } }
}

impl SeedTable {
    /// Returns the table, the figures and the equilibrium of the whole matrix, for a section
    /// that has its title and the [`explanation`] already.
    pub(crate) fn html(&self, published: &PublishedSeeds) -> Markup {
        html! {
            p class="paper" { (self.game) "; seeds of " (self.player) "." }
            (self.pivot(published))
            (paragraph("verdict", &self.comparison(published).join(" ")))
            (plain(&self.equilibrium().join(" ")))
            @for figure in [self.figure_by_method(), self.figure_by_sparsity()].into_iter().flatten() {
                h3 { (figure.title) }
                (untitled(figure))
            }
        }
    }

    /// Returns the table with the published rate below the measured one, and the verdict as a sign
    /// and as the cell's colour.
    fn pivot(&self, published: &PublishedSeeds) -> Markup {
        let lines = self.lines(published);
        let cells = || lines.iter().flat_map(|line| line.cells.iter().flatten());
        let mut words = format!("Won, % ± one standard error{}.", self.learnt_from());
        if cells().any(|cell| cell.published.is_some()) {
            words += " Below it the published rate.";
        }
        html! {
            div class="table" {
                table class="pivot" {
                    thead {
                        tr {
                            th { "method" }
                            th class="number" { "training" }
                            @for seeds in opponent_seeds(&self.rates) { th class="number" { "K' = " (seeds) } }
                        }
                    }
                    tbody {
                        @for line in &lines {
                            tr {
                                th { (name(line.method)) }
                                td class="number" { (rate(line.training_rate)) }
                                @for cell in &line.cells {
                                    @if let Some(cell) = cell { (data(&name(line.method), cell)) } @else { td {} }
                                }
                            }
                        }
                    }
                }
            }
            (key(&words, |verdict| cells().any(|cell| cell.verdict == Some(verdict))))
        }
    }
}

fn rate(rate: Estimate) -> Markup {
    html! { b { (percent(rate.mean)) } i { "± " (percent(rate.standard_error)) } }
}

/// Returns a cell of the page. What is known of the published rate appears under the pointer.
fn data(method: &str, cell: &Cell) -> Markup {
    let note = cell.published.map(|published| {
        let error =
            published.standard_error.map_or_else(String::new, |error| format!(" ± {}", percent(error)));
        let verdict = cell.verdict.map_or_else(String::new, |verdict| format!("; {verdict}"));
        format!("{method}: published {}{error} %{verdict}", percent(published.mean))
    });
    html! {
        td class=(number_class(cell.verdict)) title=[note] {
            (rate(cell.measured))
            @if let Some(published) = cell.published {
                small {
                    (percent(published.mean))
                    @if let Some(verdict) = cell.verdict { " " (verdict.sign()) }
                }
            }
        }
    }
}
