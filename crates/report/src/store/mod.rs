//! Everything that a store has, for people and for programs: text, a page, Markdown, CSV,
//! JSON and figures. All of them are made of one [`StoreReport`], read at one moment, so that
//! they agree with each other also while games are being played.
//!
//! A store keeps an experiment's file as it was last run, and every game ever played of it.
//! Cells that the file has no longer, or had only for those in a hurry, are shown too.

mod command;
mod csv;
mod games;
mod markdown;
mod page;
mod terms;
#[cfg(test)]
mod tests;
mod text;

pub use games::{GameRecord, for_each_game, margin};
pub use page::Front;
pub use tesuji_arena::in_shell;
pub use text::Detail;

use serde::Serialize;
use tesuji_arena::statistics::Verdict;
use tesuji_arena::{
    BanditExperiment, BanditResults, CellFilter, Experiment, MatchExperiment, MeasureError, Store,
    StoreError, StoredCell,
};

use crate::figure::Figure;
use crate::matches::{self, CellResults, GridResults, MatchResults};
use crate::numbers::grouped;

/// Which part of a store. The default is all of it.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The experiment of this name alone.
    pub experiment: Option<String>,
    /// Of matches these cells alone.
    pub only: CellFilter,
}

/// What a store has.
#[derive(Clone, Debug, Serialize)]
pub struct StoreReport {
    /// The store's file as it was named.
    pub store: String,
    /// Its experiments, by name.
    pub experiments: Vec<ExperimentReport>,
}

/// What a store has of an experiment.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ExperimentReport {
    /// Who won.
    Matches(MatchReport),
    /// Regrets of policies.
    Bandits(BanditReport),
    /// Its file is not understood, by this version at least.
    Unreadable {
        /// The experiment's name.
        name: String,
        /// What is wrong, in a sentence.
        reason: String,
    },
}

/// What a store has of an experiment by matches.
#[derive(Clone, Debug, Serialize)]
pub struct MatchReport {
    /// As its file has it.
    pub whole: MatchResults,
    /// As its file has it for those in a hurry, where that was played and is something else.
    pub quick: Option<MatchResults>,
    /// Cells with games that its file does not have.
    pub others: Vec<CellResults>,
    /// Games that came to nothing, in the order in which they did.
    pub voids: Vec<VoidReport>,
    /// The programs that played, version and commit.
    pub builds: Vec<String>,
}

/// A game that came to nothing.
#[derive(Clone, Debug, Serialize)]
pub struct VoidReport {
    /// Which game it would have been.
    pub id: String,
    /// Whose fault it was.
    pub contestant: String,
    /// What it was, in a word or two.
    pub reason: String,
    /// The same in a sentence.
    pub message: String,
}

/// What a store has of an experiment on bandits.
#[derive(Clone, Debug, Serialize)]
pub struct BanditReport {
    /// The experiment's name.
    pub name: String,
    /// What is shown.
    pub title: String,
    /// Authors, work, year and figure.
    pub paper: String,
    /// What was found; nothing while a cell is missing.
    pub results: Option<BanditResults>,
    /// The command that measures it again.
    pub command: String,
    /// The same for each cell alone, in the order of `results`.
    pub cell_commands: Vec<String>,
}

impl StoreReport {
    /// Reads what is there. `file` is the store as people name it: it stands in commands.
    pub fn read(store: &Store, file: &str, choice: &Choice) -> Result<StoreReport, StoreError> {
        let experiments = store.at_one_moment(|store| {
            let mut all = Vec::new();
            for stored in store.experiments()? {
                let name = &stored.definition.name;
                if choice.experiment.as_ref().is_some_and(|chosen| chosen != name) {
                    continue;
                }
                let report = match stored.read() {
                    Ok(Experiment::Matches(experiment)) => {
                        match_report(experiment, store, &choice.only)?.map(ExperimentReport::Matches)
                    }
                    // Words choose cells of matches, and an experiment on bandits has none.
                    Ok(Experiment::Bandits(_)) if !choice.only.0.is_empty() => None,
                    Ok(Experiment::Bandits(experiment)) => Some(bandit_report(&experiment, store, file)?),
                    Err(error) => {
                        Some(ExperimentReport::Unreadable { name: name.clone(), reason: error.to_string() })
                    }
                };
                all.extend(report);
            }
            Ok::<_, StoreError>(all)
        })??;
        Ok(StoreReport { store: file.to_owned(), experiments })
    }

    /// The figures, each with a name for its file.
    pub fn figures(&self) -> Vec<(String, String)> {
        let mut all = Vec::new();
        for (anchor, experiment) in self.anchors().into_iter().zip(&self.experiments) {
            match experiment {
                ExperimentReport::Matches(report) => {
                    for (version, results) in report.versions() {
                        for (number, grid) in (1..).zip(&results.grids) {
                            let suffix =
                                if results.grids.len() > 1 { format!("-{number}") } else { String::new() };
                            let name = format!("{anchor}{}{suffix}", version.suffix());
                            all.extend(matches::figure(results, grid).map(|figure| (name, figure.svg())));
                        }
                    }
                }
                ExperimentReport::Bandits(report) => {
                    all.extend(report.figure().map(|figure| (anchor, figure.svg())));
                }
                ExperimentReport::Unreadable { .. } => {}
            }
        }
        all
    }

    /// A name for each experiment that no other has: two files of one name, whose rules
    /// differ, are two experiments.
    fn anchors(&self) -> Vec<String> {
        let names: Vec<String> =
            self.experiments.iter().map(|experiment| file_name(experiment.name())).collect();
        let anchor = |(place, name): (usize, &String)| match names[..place]
            .iter()
            .filter(|other| *other == name)
            .count()
        {
            0 => name.clone(),
            before => format!("{name}-{}", before + 1),
        };
        names.iter().enumerate().map(anchor).collect()
    }
}

/// Letters that every file system and every page takes.
fn file_name(name: &str) -> String {
    let safe = |letter: char| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '-' };
    let name: String = name.chars().map(safe).collect();
    if name.trim_matches('.').is_empty() { "experiment".to_owned() } else { name }
}

impl StoreReport {
    /// How the published numbers fared, all together, in a sentence.
    pub fn compared(&self) -> String {
        compared(self.verdicts())
    }

    /// How many published numbers were judged, and how many of them differ.
    pub fn verdicts(&self) -> (usize, usize) {
        let (mut judged, mut differ) = (0, 0);
        for experiment in &self.experiments {
            match experiment {
                ExperimentReport::Matches(report) => {
                    let cells = report.whole.cells().chain(report.quick.iter().flat_map(MatchResults::cells));
                    let verdicts = cells.filter_map(|cell| Some(cell.comparison.as_ref()?.verdict));
                    for verdict in verdicts.filter(|verdict| *verdict != Verdict::TooFew) {
                        judged += 1;
                        differ += usize::from(verdict == Verdict::Differs);
                    }
                }
                ExperimentReport::Bandits(BanditReport { results: Some(results), .. }) => {
                    let (more, among) = crate::experiment::verdicts(results);
                    (judged, differ) = (judged + among, differ + more);
                }
                ExperimentReport::Bandits(_) | ExperimentReport::Unreadable { .. } => {}
            }
        }
        (judged, differ)
    }
}

/// How published numbers fared of which so many were judged and so many differ, in a sentence.
pub fn compared((judged, differ): (usize, usize)) -> String {
    let word = if differ == 1 { "differs" } else { "differ" };
    format!("Of {judged} published numbers that can be compared with what was measured, {differ} {word}.")
}

impl ExperimentReport {
    /// The experiment's name.
    pub fn name(&self) -> &str {
        match self {
            ExperimentReport::Matches(report) => &report.whole.name,
            ExperimentReport::Bandits(report) => &report.name,
            ExperimentReport::Unreadable { name, .. } => name,
        }
    }

    /// What is shown.
    pub fn title(&self) -> &str {
        match self {
            ExperimentReport::Matches(report) if !report.whole.title.is_empty() => &report.whole.title,
            ExperimentReport::Bandits(report) if !report.title.is_empty() => &report.title,
            _ => self.name(),
        }
    }
}

/// Which of an experiment's two forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Version {
    Whole,
    Quick,
}

impl Version {
    fn suffix(self) -> &'static str {
        match self {
            Version::Whole => "",
            Version::Quick => "-quick",
        }
    }

    /// What is put before a title.
    fn words(self) -> &'static str {
        match self {
            Version::Whole => "",
            Version::Quick => "Quick version, another budget",
        }
    }
}

impl MatchReport {
    /// What was played, the whole first.
    fn versions(&self) -> Vec<(Version, &MatchResults)> {
        let whole = self.whole.cells().any(CellResults::has_games).then_some((Version::Whole, &self.whole));
        whole.into_iter().chain(self.quick.as_ref().map(|quick| (Version::Quick, quick))).collect()
    }

    /// The cells that its file does not have, as a table.
    fn other_grid(&self) -> GridResults {
        GridResults {
            title: "Other cells".to_owned(),
            label: String::new(),
            cells: self.others.clone(),
            chi_square: None,
        }
    }

    /// How much was played, in a line.
    fn progress(&self) -> String {
        let counted = |results: &MatchResults| {
            let mut ids: Vec<(&str, u64)> =
                results.cells().map(|cell| (cell.id.as_str(), cell.count.games())).collect();
            ids.sort_unstable();
            ids.dedup();
            let done: u64 = ids.iter().map(|(_, games)| games).sum();
            let played = ids.iter().filter(|(_, games)| *games > 0).count();
            // More games than the file asks for now may have been asked for once.
            let wanted = ids.iter().map(|(_, games)| results.games.max(*games)).sum();
            (done, played, ids.len(), wanted)
        };
        let mut parts = Vec::new();
        for (version, results) in self.versions() {
            let (done, played, cells, wanted): (_, _, _, u64) = counted(results);
            let words = if version == Version::Quick { "quick version: " } else { "" };
            let begun = if cells == 1 { String::new() } else { format!(", {played} of {cells} cells begun") };
            parts.push(format!("{words}{} of {} games{begun}", grouped(done), grouped(wanted)));
        }
        if !self.others.is_empty() {
            let games: u64 = self.others.iter().map(|cell| cell.count.games()).sum();
            let cells = if self.others.len() == 1 { "cell" } else { "cells" };
            parts.push(format!("{} games of {} other {cells}", grouped(games), self.others.len()));
        }
        if parts.is_empty() {
            parts.push("no games yet".to_owned());
        }
        match self.voids.len() {
            0 => {}
            1 => parts.push("1 void game".to_owned()),
            voids => parts.push(format!("{voids} void games")),
        }
        parts.join("; ")
    }
}

impl BanditReport {
    fn figure(&self) -> Option<Figure> {
        self.results.as_ref().map(crate::experiment::figure)
    }
}

/// Nothing where no cell is chosen.
fn match_report(
    mut experiment: MatchExperiment,
    store: &Store,
    only: &CellFilter,
) -> Result<Option<MatchReport>, StoreError> {
    let mut quick = experiment.clone().quickened();
    let in_file = |key: &str, of: &MatchExperiment| of.cells.iter().any(|cell| cell.key == key);
    let others: Vec<StoredCell> = store
        .cells(experiment.address)?
        .into_iter()
        .filter(|cell| cell.games > 0 && !in_file(&cell.key, &experiment) && !in_file(&cell.key, &quick))
        .filter(|cell| only.takes(cell.name()))
        .collect();
    experiment.retain(only);
    quick.retain(only);
    if experiment.cells.is_empty() && quick.cells.is_empty() && others.is_empty() {
        return Ok(None);
    }
    let whole = matches::results(&experiment, store)?;
    let quick = if quick.cells.is_empty() { None } else { Some(matches::results(&quick, store)?) };
    let quick = quick.map(|quick| without(quick, &whole));
    let quick = quick.filter(|quick| quick.cells().any(CellResults::has_games));
    let rules = experiment.rules.to_string();
    let other = |cell: &StoredCell| {
        let played = store.played(experiment.address, &cell.key)?;
        Ok(matches::other_cell(cell, &rules, &played))
    };
    let others = others.iter().map(other).collect::<Result<Vec<_>, StoreError>>()?;
    let mut report =
        MatchReport { whole, quick, others, voids: voids(&experiment, store, only)?, builds: Vec::new() };
    let versions = report.versions();
    let cells = versions.iter().flat_map(|(_, results)| results.cells()).chain(&report.others);
    let mut builds: Vec<String> = cells.flat_map(|cell| cell.builds.iter().cloned()).collect();
    builds.sort();
    builds.dedup();
    report.builds = builds;
    Ok(Some(report))
}

/// The results without the cells that others have: players without a budget are in a hurry
/// always, and theirs are shown once.
fn without(mut results: MatchResults, others: &MatchResults) -> MatchResults {
    for grid in &mut results.grids {
        grid.cells.retain(|cell| others.cells().all(|other| other.id != cell.id));
    }
    results.grids.retain(|grid| !grid.cells.is_empty());
    results
}

/// The games that came to nothing, of the cells that were chosen.
fn voids(
    experiment: &MatchExperiment,
    store: &Store,
    only: &CellFilter,
) -> Result<Vec<VoidReport>, StoreError> {
    let cells: Vec<StoredCell> = store.cells(experiment.address)?;
    let mut all = Vec::new();
    for void in store.voids(experiment.address)? {
        let cell = cells.iter().find(|cell| cell.key == void.address.cell);
        if cell.is_some_and(|cell| !only.takes(cell.name())) {
            continue;
        }
        let id = cell.map_or(void.address.cell.as_str(), |cell| cell.id.as_str());
        all.push(VoidReport {
            id: format!("{id}-{}", void.address.index),
            contestant: void.contestant,
            reason: void.kind,
            message: void.message,
        });
    }
    Ok(all)
}

fn bandit_report(
    experiment: &BanditExperiment,
    store: &Store,
    file: &str,
) -> Result<ExperimentReport, StoreError> {
    let results = match experiment.results(store) {
        Ok(results) => results,
        Err(MeasureError::Store(error)) => return Err(error),
        // A file of arms that is not there any more.
        Err(error) => {
            let name = experiment.name().to_owned();
            return Ok(ExperimentReport::Unreadable { name, reason: error.to_string() });
        }
    };
    let runs = results.as_ref().map_or(experiment.runs, |results| results.runs);
    Ok(ExperimentReport::Bandits(BanditReport {
        name: experiment.name().to_owned(),
        title: experiment.title.clone(),
        paper: experiment.paper.clone(),
        command: command::bandits(experiment.name(), runs, file),
        cell_commands: results
            .as_ref()
            .map_or_else(Vec::new, |results| command::bandit_cells(experiment, results)),
        results,
    }))
}
