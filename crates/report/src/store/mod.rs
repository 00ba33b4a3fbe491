//! Everything in a store, for people and for programs: text, a page, Markdown, CSV, JSON and
//! figures. All of them are made from one [`StoreReport`], which is read at one moment, so that
//! they agree with each other even while games are being played.
//!
//! A store keeps an experiment's file as it was last run, and every game ever played of it.
//! Cells that the file does not have any more, and cells of its quick version, are shown too.

mod analysis;
mod command;
mod csv;
mod games;
mod markdown;
mod page;
mod ratings_csv;
mod terms;
#[cfg(test)]
mod tests;
mod text;

pub use analysis::{AnalysedGameJson, AnalysisOptions, AnalysisSummary, for_each_analysed_game};
pub use games::{GameRecord, UnstoredGame, for_each_game, margin};
pub(crate) use page::{Frame, Section};
pub use ratings_csv::ratings_csv;
pub use text::Detail;

use std::collections::BTreeMap;

use serde::Serialize;
use tesuji_arena::statistics::Verdict;
use tesuji_arena::tuning::Tuning;
use tesuji_arena::{
    BanditExperiment, BanditResults, CellFilter, Experiment, MatchExperiment, MeasureError, RunError, Store,
    StoreError, StoredCell,
};

use crate::matches::{self, CellResults, GridResults, MatchResults};
use crate::numbers::grouped;
use crate::tuning::TuningResults;
use crate::{VerdictCount, tournament};

/// A part of a store. The default is all of it.
#[derive(Clone, Debug, Default)]
pub struct StoreFilter {
    /// The only experiment, by name. `None` means every experiment.
    pub experiment: Option<String>,
    /// The only cells of matches.
    pub only: CellFilter,
}

impl StoreFilter {
    /// Returns whether some experiments or cells may be left out.
    pub fn is_active(&self) -> bool {
        self.experiment.is_some() || !self.only.is_everything()
    }

    pub(crate) fn takes_experiment(&self, name: &str) -> bool {
        self.experiment.as_ref().is_none_or(|wanted| wanted == name)
    }
}

/// The results of all experiments in a store.
#[derive(Clone, Debug, Serialize)]
pub struct StoreReport {
    /// The store's file, as the user named it.
    pub store: String,
    /// The verdicts on all published numbers and their rule, in sentences. `None` if no number was
    /// judged.
    pub summary: Option<String>,
    /// The experiments, by name.
    pub experiments: Vec<ExperimentReport>,
}

/// The results of one experiment in a store.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ExperimentReport {
    /// Win rates of matches.
    Matches(MatchReport),
    /// Regrets of policies.
    Bandits(BanditReport),
    /// Parameters of a player, tuned.
    Tuning(Box<TuningResults>),
    /// The experiment's file cannot be read by this version of the program.
    Unreadable {
        /// The experiment's name.
        name: String,
        /// The error, as a sentence.
        reason: String,
    },
}

/// The results of an experiment by matches in a store.
#[derive(Clone, Debug, Serialize)]
pub struct MatchReport {
    /// The results of the whole experiment.
    pub whole: MatchResults,
    /// The results of the quick version. `None` if it was not played, or has no cells of its own.
    pub quick: Option<MatchResults>,
    /// Cells with games that the experiment's file does not have.
    pub others: Vec<CellResults>,
    /// Void games, in the order in which they ended.
    pub voids: Vec<VoidReport>,
    /// The programs that played, with version and commit.
    pub builds: Vec<String>,
}

/// A void game: an engine crashed, timed out or broke the protocol.
#[derive(Clone, Debug, Serialize)]
pub struct VoidReport {
    /// The id of the game.
    pub id: String,
    /// The contestant that caused it.
    pub contestant: String,
    /// The reason, in a word or two.
    pub reason: String,
    /// The reason, as a sentence.
    pub message: String,
}

/// The results of an experiment on bandits in a store.
#[derive(Clone, Debug, Serialize)]
pub struct BanditReport {
    /// The experiment's name.
    pub name: String,
    /// The title of the experiment for people.
    pub title: String,
    /// Authors, title, year and figure of the paper that is reproduced. May be empty.
    pub paper: String,
    /// The regrets. `None` until all cells are measured.
    pub results: Option<BanditResults>,
    /// The verdicts on published regrets, in a sentence. `None` if nothing was published.
    pub summary: Option<String>,
    /// The command that measures the experiment again.
    pub command: String,
    /// The command that measures each cell again, in the order of `results`.
    pub cell_commands: Vec<String>,
}

/// A figure as a file.
#[derive(Clone, PartialEq, Debug)]
pub struct FigureFile {
    /// The name of the file, without its extension.
    pub name: String,
    /// The content of the file.
    pub svg: String,
}

impl StoreReport {
    /// Reads a part of a store. `file` is the store's file as the user named it, which is used in
    /// commands.
    pub fn read(store: &Store, file: &str, filter: &StoreFilter) -> Result<StoreReport, StoreError> {
        let experiments = store.at_one_moment(|store| {
            let mut all = Vec::new();
            for stored in store.experiments()? {
                let name = &stored.definition.name;
                if !filter.takes_experiment(name) {
                    continue;
                }
                let report = match stored.read() {
                    Ok(Experiment::Matches(experiment)) => {
                        match_report(experiment, store, &filter.only)?.map(ExperimentReport::Matches)
                    }
                    // Patterns choose cells of matches, and an experiment on bandits has none.
                    Ok(Experiment::Bandits(_) | Experiment::Tuning(_)) if !filter.only.is_everything() => {
                        None
                    }
                    Ok(Experiment::Tuning(tuning)) => Some(tuning_report(&tuning, store)?),
                    Ok(Experiment::Bandits(experiment)) => Some(bandit_report(&experiment, store, file)?),
                    Err(error) => {
                        Some(ExperimentReport::Unreadable { name: name.clone(), reason: error.to_string() })
                    }
                };
                all.extend(report);
            }
            Ok::<_, StoreError>(all)
        })??;
        let report = StoreReport { store: file.to_owned(), summary: None, experiments };
        Ok(StoreReport { summary: report.verdicts().headline(), ..report })
    }

    /// Returns the figures of all experiments.
    pub fn figures(&self) -> Vec<FigureFile> {
        let mut all = Vec::new();
        for (anchor, experiment) in self.anchors().into_iter().zip(&self.experiments) {
            match experiment {
                ExperimentReport::Matches(report) => {
                    for (version, results) in report.versions() {
                        if let Some(tournament) = &results.tournament {
                            let name = format!("{anchor}{}-ratings", version.suffix());
                            let figure = tournament::figure(tournament, &results.title);
                            all.extend(figure.map(|figure| FigureFile { name, svg: figure.svg() }));
                            continue;
                        }
                        for (number, grid) in (1..).zip(&results.grids) {
                            let suffix =
                                if results.grids.len() > 1 { format!("-{number}") } else { String::new() };
                            let name = format!("{anchor}{}{suffix}", version.suffix());
                            let figure = matches::figure(results, grid);
                            all.extend(figure.map(|figure| FigureFile { name, svg: figure.svg() }));
                        }
                    }
                }
                ExperimentReport::Bandits(report) => {
                    let figure = report.results.as_ref().map(crate::experiment::figure);
                    all.extend(figure.map(|figure| FigureFile { name: anchor, svg: figure.svg() }));
                }
                ExperimentReport::Tuning(results) => {
                    let figure = crate::tuning::figure(results);
                    all.extend(figure.map(|figure| FigureFile { name: anchor, svg: figure.svg() }));
                }
                ExperimentReport::Unreadable { .. } => {}
            }
        }
        all
    }

    /// Returns a unique name for each experiment. Two files of one name whose rules differ are two
    /// experiments.
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

/// Returns the name in letters that every file system and every page accepts.
fn file_name(name: &str) -> String {
    let safe = |letter: char| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '-' };
    let name: String = name.chars().map(safe).collect();
    if name.trim_matches('.').is_empty() { "experiment".to_owned() } else { name }
}

impl StoreReport {
    /// Returns the verdicts and their rule for a terminal, below the tables. The counts are left out
    /// if a single table has them already. `None` if no number was judged.
    pub fn headline(&self) -> Option<String> {
        let grids = |report: &MatchReport| report.versions().iter().map(|(_, it)| it.grids.len()).sum();
        let tables = |experiment: &ExperimentReport| match experiment {
            ExperimentReport::Matches(report) => grids(report),
            ExperimentReport::Bandits(_) | ExperimentReport::Tuning(_) => 1,
            ExperimentReport::Unreadable { .. } => 0,
        };
        let is_single = self.experiments.iter().map(tables).sum::<usize>() == 1;
        let headline = self.verdicts().headline()?;
        Some(if is_single { Verdict::RULE.to_owned() } else { headline })
    }

    /// Returns how many published numbers have each verdict.
    pub fn verdicts(&self) -> VerdictCount {
        let count = |experiment: &ExperimentReport| match experiment {
            ExperimentReport::Matches(MatchReport { whole, quick, .. }) => {
                let cells = whole.cells().chain(quick.iter().flat_map(MatchResults::cells));
                cells.filter_map(CellResults::verdict).collect()
            }
            ExperimentReport::Bandits(BanditReport { results: Some(results), .. }) => {
                crate::experiment::verdicts(results)
            }
            ExperimentReport::Bandits(_)
            | ExperimentReport::Tuning(_)
            | ExperimentReport::Unreadable { .. } => VerdictCount::default(),
        };
        self.experiments.iter().map(count).sum()
    }
}

impl ExperimentReport {
    /// Returns the experiment's name.
    pub fn name(&self) -> &str {
        match self {
            ExperimentReport::Matches(report) => &report.whole.name,
            ExperimentReport::Bandits(report) => &report.name,
            ExperimentReport::Tuning(results) => &results.name,
            ExperimentReport::Unreadable { name, .. } => name,
        }
    }

    /// Returns the experiment's title, or its name if it has none.
    pub(crate) fn title(&self) -> &str {
        match self {
            ExperimentReport::Matches(report) if !report.whole.title.is_empty() => &report.whole.title,
            ExperimentReport::Bandits(report) if !report.title.is_empty() => &report.title,
            ExperimentReport::Tuning(results) if !results.title.is_empty() => &results.title,
            _ => self.name(),
        }
    }
}

/// One of the two versions of an experiment.
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

    /// Returns what is put before the titles of the version's tables.
    fn words(self, results: &MatchResults) -> String {
        let budget = results.grids.first().and_then(|grid| grid.budget.as_ref());
        match (self, budget) {
            (Version::Whole, _) => String::new(),
            (Version::Quick, Some(budget)) => format!("Quick version, budget {budget}"),
            (Version::Quick, None) => "Quick version".to_owned(),
        }
    }
}

impl MatchReport {
    /// Returns the versions that were played, the whole one first.
    fn versions(&self) -> Vec<(Version, &MatchResults)> {
        let whole = self.whole.cells().any(CellResults::is_begun).then_some((Version::Whole, &self.whole));
        whole.into_iter().chain(self.quick.as_ref().map(|quick| (Version::Quick, quick))).collect()
    }

    /// Returns the cells that its file does not have, as a table.
    fn other_grid(&self) -> GridResults {
        GridResults { title: "Other cells".to_owned(), cells: self.others.clone(), ..GridResults::default() }
    }

    /// Returns the number of games that were begun and are not over.
    fn n_in_flight(&self) -> u64 {
        let versions = [Some(&self.whole), self.quick.as_ref()].into_iter().flatten();
        let cells = versions.flat_map(MatchResults::cells).chain(&self.others);
        // A cell may be in several tables and counts once.
        let cells: BTreeMap<&str, u64> = cells.map(|cell| (cell.id.as_str(), cell.in_flight)).collect();
        cells.values().sum()
    }

    /// Returns how much was played, in a line.
    fn progress(&self) -> String {
        let mut parts: Vec<String> = self
            .versions()
            .into_iter()
            .map(|(version, results)| version_progress(version, results))
            .collect();
        if !self.others.is_empty() {
            let games: u64 = self.others.iter().map(|cell| cell.count.games()).sum();
            let cells = if self.others.len() == 1 { "cell" } else { "cells" };
            parts.push(format!("{} games of {} other {cells}", grouped(games), self.others.len()));
        }
        if parts.is_empty() {
            parts.push("no games yet".to_owned());
        }
        match self.n_in_flight() {
            0 => {}
            games => parts.push(format!("{} in flight", grouped(games))),
        }
        match self.voids.len() {
            0 => {}
            1 => parts.push("1 void game".to_owned()),
            voids => parts.push(format!("{voids} void games")),
        }
        parts.join("; ")
    }
}

/// Returns how much of a version was played.
fn version_progress(version: Version, results: &MatchResults) -> String {
    let words = if version == Version::Quick { "quick version: " } else { "" };
    if let Some(tournament) = &results.tournament {
        return format!("{words}{}", tournament::counted(tournament));
    }
    // A cell may be in several tables and counts once.
    let mut cells: Vec<&CellResults> = results.cells().collect();
    cells.sort_unstable_by_key(|cell| &cell.id);
    cells.dedup_by_key(|cell| &cell.id);
    let done: u64 = cells.iter().map(|cell| cell.count.games()).sum();
    // Earlier runs may have asked for more games than the file does now.
    let wanted: u64 = cells.iter().map(|cell| results.games.max(cell.count.games())).sum();
    let begun = match cells.len() {
        1 => String::new(),
        all => {
            let begun = cells.iter().filter(|cell| cell.is_begun()).count();
            format!(", {begun} of {all} cells begun")
        }
    };
    format!("{words}{} of {} games{begun}", grouped(done), grouped(wanted))
}

/// Returns `None` if no cell is chosen.
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
    let quick = quick.filter(|quick| quick.cells().any(CellResults::is_begun));
    let rules = experiment.rules.to_string();
    let other = |cell: &StoredCell| {
        let played = store.played(experiment.address, &cell.key)?;
        Ok(matches::cell_of_no_file(cell, &rules, &played))
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

/// Returns the results without the cells that `others` has: cells of players without a budget are
/// the same in both versions, and are shown once.
fn without(mut results: MatchResults, others: &MatchResults) -> MatchResults {
    for grid in &mut results.grids {
        grid.cells.retain(|cell| others.cells().all(|other| other.id != cell.id));
        *grid = grid.clone().judged();
    }
    results.grids.retain(|grid| !grid.cells.is_empty());
    results
}

/// Returns the void games of the cells that were chosen.
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

/// A tuning that cannot be told what was played is shown with the reason.
fn tuning_report(tuning: &Tuning, store: &Store) -> Result<ExperimentReport, StoreError> {
    match TuningResults::read(tuning, store) {
        Ok(results) => Ok(ExperimentReport::Tuning(Box::new(results))),
        Err(RunError::Store(error)) => Err(error),
        Err(error) => {
            let name = tuning.name().to_owned();
            Ok(ExperimentReport::Unreadable { name, reason: error.to_string() })
        }
    }
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
        summary: results
            .as_ref()
            .map(crate::experiment::verdicts)
            .filter(|count| count.judged() > 0)
            .map(|count| count.to_string()),
        results,
    }))
}
