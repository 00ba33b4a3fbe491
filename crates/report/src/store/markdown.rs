//! A store as Markdown, for a repository or an issue.

use std::fmt::Write as _;

use super::text::void_table;
use super::{ExperimentReport, MatchReport, StoreReport, command};
use crate::matches::{self, Pivot};
use crate::numbers::grouped;
use crate::{experiment, tournament};

impl StoreReport {
    /// Returns every experiment as Markdown: its tables, measured next to published, and commands.
    pub fn markdown(&self) -> String {
        let mut text = "# Results\n".to_owned();
        if let Some(headline) = self.verdicts().headline() {
            let _ = writeln!(text, "\n{headline}");
        }
        for report in &self.experiments {
            let _ = writeln!(text, "\n## {}\n", report.title());
            match report {
                ExperimentReport::Matches(report) => text += &self.match_markdown(report),
                ExperimentReport::Bandits(report) => {
                    paragraph(&mut text, &report.paper);
                    match &report.results {
                        Some(results) => {
                            paragraph(&mut text, &results.text);
                            let (runs, table) = (grouped(results.runs), experiment::table(results));
                            let _ = write!(text, "{runs} runs a cell.\n\n{}\n", table.markdown());
                            paragraph(&mut text, experiment::verdict_text(results).trim());
                        }
                        None => text += "Some cells are not measured yet.\n\n",
                    }
                    let _ = writeln!(text, "```sh\n{}\n```", report.command);
                }
                ExperimentReport::Tuning(results) => text += &crate::tuning::markdown(results),
                ExperimentReport::Unreadable { reason, .. } => paragraph(&mut text, reason),
            }
        }
        text
    }

    fn match_markdown(&self, report: &MatchReport) -> String {
        let mut text = String::new();
        paragraph(&mut text, &report.whole.paper);
        let _ = writeln!(text, "{}; rules: {}.\n", capital(&report.progress()), report.whole.rules);
        for (version, results) in report.versions() {
            paragraph(&mut text, &results.text);
            if let Some(tournament) = &results.tournament {
                let words = version.words(results);
                if !words.is_empty() {
                    let _ = writeln!(text, "### {words}\n");
                }
                text += &tournament::markdown(tournament);
                let pairs = matches::full("", &results.all_cells(), |_| String::new());
                let _ = writeln!(text, "Every pair:\n\n{}", pairs.markdown());
            }
            for grid in results.grids.iter().filter(|_| results.tournament.is_none()) {
                let titles = [version.words(results), grid.title.clone()];
                let titles: Vec<String> = titles.into_iter().filter(|title| !title.is_empty()).collect();
                if !titles.is_empty() {
                    let _ = writeln!(text, "### {}\n", titles.join(": "));
                }
                if let Some(pivot) = Pivot::of(grid) {
                    let _ = writeln!(text, "{}", pivot.markdown());
                }
                if let Some(rows) = matches::by_row(grid) {
                    let _ = writeln!(text, "{}:\n\n{}", rows.title, rows.markdown());
                }
                if let Some(line) = matches::verdicts(grid) {
                    paragraph(&mut text, &line);
                }
                if let Some(line) = matches::disagreements(grid) {
                    paragraph(&mut text, &line);
                }
                let command =
                    |cell: &matches::CellResults| command::cell(results, cell, version, &self.store);
                let _ = writeln!(text, "{}", matches::full("", grid, command).markdown());
            }
            if let Some(command) = command::matches(results, version, &self.store) {
                let _ = writeln!(text, "```sh\n{command}\n```\n");
            }
        }
        if !report.others.is_empty() {
            let table = matches::full("", &report.other_grid(), |_| String::new());
            let _ = writeln!(text, "### Other cells\n\n{}", table.markdown());
        }
        if !report.voids.is_empty() {
            let _ = writeln!(text, "### Void games\n\n{}", void_table(report).markdown());
        }
        text
    }
}

fn paragraph(text: &mut String, words: &str) {
    if !words.is_empty() {
        let _ = writeln!(text, "{words}\n");
    }
}

/// Returns the words with a capital letter in front.
pub(super) fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
