//! A store as one page that needs nothing but itself.

use std::fmt::Write as _;

use super::markdown::capital;
use super::text::void_table;
use super::{BanditReport, ExperimentReport, MatchReport, StoreReport, Version, command, terms};
use crate::experiment::{self, Verdict};
use crate::figure::Figure;
use crate::html::{self, escaped, paragraph};
use crate::matches::{self, CellResults, GridResults, MatchResults, Pivot};
use crate::numbers::{grouped, readable, with_error};
use crate::{Table, table};

/// What stands on a page around the experiments.
#[derive(Clone, Debug, Default)]
pub struct Front<'a> {
    /// The page's title; without one, the store's name.
    pub title: &'a str,
    /// A line about where and when it was made.
    pub origin: &'a str,
    /// How all of it fared, in a sentence.
    pub summary: &'a str,
    /// Other things that were measured, after the experiments: an anchor, a title, and HTML.
    pub sections: &'a [(&'a str, &'a str, String)],
}

impl StoreReport {
    /// The page.
    pub fn html(&self, front: &Front<'_>) -> String {
        let mut body = String::new();
        for (class, line) in [("origin", front.origin), ("verdict", front.summary)] {
            if !line.is_empty() {
                body += &paragraph(class, line);
            }
        }
        let anchors = self.anchors();
        body += "<nav>\n<ol>\n";
        for (anchor, report) in anchors.iter().zip(&self.experiments) {
            let _ = writeln!(
                body,
                "<li><a href=\"#{}\">{}</a> <span>{}</span></li>",
                escaped(anchor),
                escaped(report.title()),
                escaped(&summary(report))
            );
        }
        for (anchor, title, _) in front.sections {
            let _ = writeln!(body, "<li><a href=\"#{}\">{}</a></li>", escaped(anchor), escaped(title));
        }
        body += "<li><a href=\"#terms\">Terms explained</a></li>\n</ol>\n</nav>\n";
        for (anchor, report) in anchors.iter().zip(&self.experiments) {
            let _ =
                writeln!(body, "<section id=\"{}\">\n<h2>{}</h2>", escaped(anchor), escaped(report.title()));
            body += &match report {
                ExperimentReport::Matches(report) => self.match_html(report),
                ExperimentReport::Bandits(report) => bandits(report),
                ExperimentReport::Unreadable { reason, .. } => paragraph("", reason),
            };
            body += "</section>\n";
        }
        for (anchor, title, html) in front.sections {
            let (anchor, title) = (escaped(anchor), escaped(title));
            let _ = writeln!(body, "<section id=\"{anchor}\">\n<h2>{title}</h2>\n{html}</section>");
        }
        body += terms::HTML;
        let title = match front.title {
            "" => format!("Results in {}", self.store),
            title => title.to_owned(),
        };
        html::page(&title, &body)
    }

    fn match_html(&self, report: &MatchReport) -> String {
        let whole = &report.whole;
        let mut body = paragraph("paper", &whole.paper) + &paragraph("", &whole.text);
        body += &paragraph("key", &format!("{}; rules: {}.", capital(&report.progress()), whole.rules));
        for (version, results) in report.versions() {
            for grid in &results.grids {
                body += &self.grid(results, grid, version);
            }
            if let Some(command) = command::matches(results, version, &self.store) {
                let _ = writeln!(
                    body,
                    "<p class=\"key\">All of it, or what is missing:</p>\n{}",
                    shell(&command)
                );
            }
        }
        if !report.others.is_empty() {
            // The file has them no longer, so no command would play them.
            let table = matches::full("", &report.other_grid(), |_| String::new());
            body += "<h3>Other cells</h3>\n";
            body += &paragraph("key", "Played once, and no longer in the experiment's file.");
            body += &table.element();
        }
        if !report.voids.is_empty() {
            body += &details(&format!("Void games ({})", report.voids.len()), &void_table(report).element());
        }
        if !report.builds.is_empty() {
            body += &paragraph("origin", &format!("Played by {}.", report.builds.join("; ")));
        }
        body
    }

    /// One table of an experiment, in all its forms.
    fn grid(&self, results: &MatchResults, grid: &GridResults, version: Version) -> String {
        let played = grid.played();
        if played.cells.is_empty() {
            return paragraph("key", &format!("{}: no games yet.", grid.title));
        }
        let titles = [version.words(), grid.title.as_str()].into_iter().filter(|title| !title.is_empty());
        let mut body = match titles.collect::<Vec<_>>().join(": ") {
            title if title.is_empty() => title,
            title => format!("<h3>{}</h3>\n", escaped(&title)),
        };
        if let Some(figure) = matches::figure(results, grid) {
            // The page has its title already.
            let figure = Figure { title: String::new(), ..figure };
            let _ = writeln!(body, "<figure>{}</figure>", figure.svg());
        }
        match (&played.cells[..], Pivot::of(grid)) {
            ([cell], _) => {
                let _ = writeln!(body, "<pre>{}</pre>", escaped(matches::block(cell, None).trim_end()));
                if cell.published.is_some() {
                    body += &matches::brief(results, &played).element();
                }
            }
            (_, Some(pivot)) => body += &pivot.html(),
            _ => body += &matches::brief(results, &played).element(),
        }
        if let Some(line) = matches::verdicts(grid) {
            body += &paragraph("verdict", &line);
        }
        // A match alone has them in its block.
        if played.cells.len() > 1
            && let Some(line) = matches::disagreements(grid)
        {
            body += &paragraph("verdict", &line);
        }
        let command = |cell: &CellResults| command::cell(results, cell, version, &self.store);
        let cells = if played.cells.len() == 1 { "The cell" } else { "Every cell" };
        body + &details(
            &format!("{cells} in full, with the command that plays it again"),
            &matches::full("", grid, command).element(),
        )
    }
}

/// What the list of contents says of an experiment.
fn summary(report: &ExperimentReport) -> String {
    match report {
        ExperimentReport::Matches(report) => report.progress(),
        ExperimentReport::Bandits(BanditReport { results: Some(results), .. }) => {
            format!("{} runs a cell", grouped(results.runs))
        }
        ExperimentReport::Bandits(_) => "not all cells are measured yet".to_owned(),
        ExperimentReport::Unreadable { .. } => "not understood".to_owned(),
    }
}

fn bandits(report: &BanditReport) -> String {
    let mut body = paragraph("paper", &report.paper);
    let Some(results) = &report.results else {
        return body + &paragraph("", "Not all cells are measured yet.") + &shell(&report.command);
    };
    if let Some(figure) = report.figure() {
        // The page has its title and its paper already.
        let caption = format!("{} {} runs a cell.", results.text, grouped(results.runs));
        let figure = Figure { title: String::new(), caption, ..figure };
        let _ = writeln!(body, "<figure>{}</figure>", figure.svg());
    }
    if let (differ, judged @ 1..) = experiment::verdicts(results) {
        let words = if differ == 1 { "differs" } else { "differ" };
        body += &paragraph("verdict", &format!("Of {judged} published numbers {differ} {words}."));
    }
    let summary = experiment::table(results);
    body += &details(&summary.title, &summary.element());
    body += &details(
        "Every cell, with the command that measures it again",
        &bandit_cells(report, results).element(),
    );
    body + "<p class=\"key\">All of it:</p>\n" + &shell(&report.command)
}

fn bandit_cells(report: &BanditReport, results: &tesuji_arena::BanditResults) -> Table {
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
        "command",
    ];
    let mut table = table::Table::new("", columns);
    let cells = results.panels.iter().flat_map(|panel| panel.cells.iter().map(move |cell| (panel, cell)));
    for ((panel, cell), command) in cells.zip(&report.cell_commands) {
        table.row([
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
            Verdict::of(cell).map_or("", Verdict::word).to_owned(),
            command.clone(),
        ]);
    }
    table
}

/// A command to copy.
fn shell(command: &str) -> String {
    format!("<pre class=\"command\">{}</pre>\n", escaped(command))
}

/// Something to be opened. The summary is text, the rest HTML.
fn details(summary: &str, inside: &str) -> String {
    format!("<details><summary>{}</summary>\n{inside}</details>\n", escaped(summary))
}
