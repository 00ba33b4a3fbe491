//! A store as one page that needs no other file.

use maud::{Markup, html};
use tesuji_arena::BanditResults;
use tesuji_arena::statistics::Verdict;

use super::markdown::capital;
use super::text::void_table;
use super::{BanditReport, ExperimentReport, MatchReport, StoreReport, Version, command, terms};
use crate::Screen;
use crate::figure::Figure;
use crate::html::{page, paragraph, plain, section, untitled};
use crate::matches::{self, CellResults, GridResults, MatchResults, Pivot};
use crate::numbers::{grouped, readable, with_error};
use crate::verdicts::decides_regret;
use crate::{Table, TableCell, VerdictCount, experiment, tournament};

/// What a page has around the experiments.
pub(crate) struct Frame<'a> {
    /// The page's title.
    pub(crate) title: &'a str,
    /// A line that says where and when the page was made.
    pub(crate) origin: &'a str,
    /// The verdicts on all published numbers of the page.
    pub(crate) verdicts: VerdictCount,
    /// What follows the experiments.
    pub(crate) sections: Vec<Section<'a>>,
}

/// A section after the experiments.
pub(crate) struct Section<'a> {
    pub(crate) anchor: &'a str,
    pub(crate) title: &'a str,
    pub(crate) body: Markup,
}

impl StoreReport {
    /// Returns everything as one HTML page. `origin` is a line that says where and when the
    /// page was made.
    pub fn html(&self, origin: &str) -> String {
        let title = format!("Results in {}", self.store);
        self.framed_html(&Frame { title: &title, origin, verdicts: self.verdicts(), sections: Vec::new() })
    }

    /// Returns everything as one HTML page, inside a frame.
    pub(crate) fn framed_html(&self, frame: &Frame<'_>) -> String {
        let anchors = self.anchors();
        let body = html! {
            (paragraph("origin", frame.origin))
            (headline(frame.verdicts))
            nav {
                ol {
                    @for (anchor, report) in anchors.iter().zip(&self.experiments) {
                        li {
                            a href={ "#" (anchor) } { (report.title()) }
                            " "
                            span { (summary(report)) }
                        }
                    }
                    @for section in &frame.sections {
                        li { a href={ "#" (section.anchor) } { (section.title) } }
                    }
                    li { a href="#terms" { "Terms explained" } }
                }
            }
            @for (anchor, report) in anchors.iter().zip(&self.experiments) {
                (section(anchor, report.title(), &self.experiment_html(report)))
            }
            @for Section { anchor, title, body } in &frame.sections {
                (section(anchor, title, body))
            }
            (terms::html())
        };
        page(frame.title, &body)
    }

    fn experiment_html(&self, report: &ExperimentReport) -> Markup {
        match report {
            ExperimentReport::Matches(report) => self.match_html(report),
            ExperimentReport::Bandits(report) => bandit_html(report),
            ExperimentReport::Tuning(results) => crate::tuning::html(results, &self.store),
            ExperimentReport::Unreadable { reason, .. } => plain(reason),
        }
    }

    fn match_html(&self, report: &MatchReport) -> Markup {
        let MatchReport { whole, others, voids, builds, .. } = report;
        html! {
            (paragraph("paper", &whole.paper))
            p class="key" { (capital(&report.progress())) "; rules: " (whole.rules) "." }
            @for (version, results) in report.versions() {
                (plain(&results.text))
                @if let Some(tournament) = &results.tournament {
                    @let title = version.words(results);
                    @if !title.is_empty() { h3 { (title) } }
                    (tournament::html(tournament, &results.title))
                    (details("Every pair in full", &matches::full("", &results.all_cells(), |_| String::new())))
                } @else {
                    @for grid in &results.grids {
                        (self.grid_html(results, grid, version))
                    }
                }
                @if let Some(command) = command::matches(results, version, &self.store) {
                    p class="key" { "This command plays the games that are missing; tesuji check says how long that takes:" }
                    (shell(&command))
                }
            }
            @if !others.is_empty() {
                h3 { "Other cells" }
                p class="key" { "Cells that were played earlier and are no longer in the experiment's file." }
                // The file has them no longer, so no command would play them.
                (matches::full("", &report.other_grid(), |_| String::new()).html())
            }
            @if !voids.is_empty() {
                (details(&format!("Void games ({})", voids.len()), &void_table(report)))
            }
            @if !builds.is_empty() {
                p class="origin" { "Played by " (builds.join("; ")) "." }
            }
        }
    }

    /// One table of an experiment, in all its forms.
    fn grid_html(&self, results: &MatchResults, grid: &GridResults, version: Version) -> Markup {
        let played = grid.played();
        if played.cells.is_empty() {
            return html! { p class="key" { (grid.title) ": no games yet." } };
        }
        let titles =
            [version.words(results), grid.title.clone()].into_iter().filter(|title| !title.is_empty());
        let title = titles.collect::<Vec<_>>().join(": ");
        let table = match (&played.cells[..], Pivot::of(grid)) {
            ([cell], _) => html! {
                pre { (matches::block(cell, None, &Screen::default()).trim_end()) }
                @if cell.published.is_some() { (matches::brief(results, &played).html()) }
            },
            (_, Some(pivot)) => pivot.html(),
            _ => matches::brief(results, &played).html(),
        };
        // The block of a match names its engines already.
        let disagreements = if played.cells.len() > 1 { matches::disagreements(grid) } else { None };
        let cells = if played.cells.len() == 1 { "The cell" } else { "Every cell" };
        let command = |cell: &CellResults| command::cell(results, cell, version, &self.store);
        html! {
            @if !title.is_empty() { h3 { (title) } }
            @if let Some(figure) = matches::figure(results, grid) { (untitled(figure)) }
            (table)
            @if let Some(rows) = matches::by_row(grid) {
                (paragraph("key", &rows.title))
                (rows.html())
            }
            @for sentences in matches::verdicts(grid).into_iter().chain(disagreements) {
                (paragraph("verdict", &sentences))
            }
            (details(
                &format!("{cells} in full, with the command that plays it again"),
                &matches::full("", grid, command),
            ))
        }
    }
}

/// Returns the verdicts on all numbers of a page and their rule, or nothing if none was judged.
fn headline(verdicts: VerdictCount) -> Markup {
    html! {
        @if verdicts.judged() > 0 {
            (paragraph("verdict", &verdicts.to_string()))
            (paragraph("key", Verdict::RULE))
        }
    }
}

/// Returns what the table of contents says about an experiment.
fn summary(report: &ExperimentReport) -> String {
    match report {
        ExperimentReport::Matches(report) => report.progress(),
        ExperimentReport::Bandits(BanditReport { results: Some(results), .. }) => {
            format!("{} runs a cell", grouped(results.runs))
        }
        ExperimentReport::Bandits(_) => "some cells are not measured yet".to_owned(),
        ExperimentReport::Tuning(results) => {
            format!("{} of {} games", grouped(results.played), grouped(results.games))
        }
        ExperimentReport::Unreadable { .. } => "not understood".to_owned(),
    }
}

fn bandit_html(report: &BanditReport) -> Markup {
    let Some(results) = &report.results else {
        return html! {
            (paragraph("paper", &report.paper))
            p { "Some cells are not measured yet." }
            (shell(&report.command))
        };
    };
    // The page has the paper's name already.
    let caption = format!("{} {} runs a cell.", results.text, grouped(results.runs));
    let verdicts = experiment::verdicts(results);
    let table = experiment::table(results);
    html! {
        (paragraph("paper", &report.paper))
        (untitled(Figure { caption, ..experiment::figure(results) }))
        @if verdicts.judged() > 0 { (paragraph("verdict", &verdicts.to_string())) }
        (details(&table.title, &table))
        (details("Every cell, with the command that measures it again", &bandit_cells(report, results)))
        p class="key" { "To measure it again:" }
        (shell(&report.command))
    }
}

fn bandit_cells(report: &BanditReport, results: &BanditResults) -> Table {
    let columns = [
        "panel",
        "series",
        "at",
        "arms",
        "policy",
        "#samples",
        "#runs",
        "#simple regret",
        "#wrong, %",
        "#published",
        "verdict",
        "#decides",
        "command",
    ];
    let mut table = Table::new("", columns);
    let cells = results.panels.iter().flat_map(|panel| panel.cells.iter().map(move |cell| (panel, cell)));
    for ((panel, cell), command) in cells.zip(&report.cell_commands) {
        let texts = [
            panel.title.clone(),
            cell.series.clone(),
            cell.group.clone(),
            cell.row.arms.to_string(),
            cell.row.policy.to_string(),
            grouped(cell.row.budget),
            grouped(cell.row.runs),
            with_error(cell.row.regret, cell.row.se),
            format!("{:.1}", cell.row.p_wrong * 100.0),
            cell.published.map_or_else(String::new, |published| readable(published.value)),
        ];
        let comparison = cell.comparison;
        let last = [
            comparison.map(|comparison| comparison.verdict).into(),
            decides_regret(cell).into(),
            TableCell::command(command.clone()),
        ];
        table.cells(texts.map(TableCell::from).into_iter().chain(last));
    }
    table
}

/// Returns a command to copy.
fn shell(command: &str) -> Markup {
    html! { pre class="command" { (command) } }
}

/// Returns a table that readers open by a click on the summary.
fn details(summary: &str, table: &Table) -> Markup {
    html! { details { summary { (summary) } (table.html()) } }
}
