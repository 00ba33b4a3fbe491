//! What lies in the laboratory's folder.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::Serialize;
use tesuji_arena::{Experiment, Store, StoreError};
use tesuji_core::in_shell;

use crate::error::Refusal;
use crate::state::Settings;

/// Folders within folders that are looked into.
const DEPTH: usize = 4;
/// The most stores that are listed.
const MOST_STORES: usize = 200;
/// The most files and folders that are looked at.
const MOST_ENTRIES: usize = 20_000;
/// How an SQLite file begins.
const MAGIC: &[u8] = b"SQLite format 3\0";

#[derive(Serialize)]
pub(super) struct LaboratoryJson {
    folder: String,
    stores: Vec<StoreJson>,
    experiments: Vec<ExperimentJson>,
}

#[derive(Serialize)]
struct StoreJson {
    store: String,
    file: String,
    bytes: u64,
    modified: u64,
    experiments: Vec<String>,
    games: u64,
    problem: Option<String>,
}

#[derive(Serialize)]
struct ExperimentJson {
    name: String,
    title: String,
    paper: String,
    kind: &'static str,
    file: String,
    cells: usize,
    games: u64,
    published: usize,
    command: String,
    stores: Vec<String>,
}

/// A file that is a store.
pub(super) struct StoreFile {
    /// The path from the laboratory's folder.
    pub(super) name: String,
    pub(super) path: PathBuf,
}

impl StoreFile {
    fn address(&self) -> String {
        // As JSON pointers do it, so that no two names have one address.
        self.name.replace('~', "~0").replace('/', "~1")
    }
}

/// The store at an address. Only what is found in the folder is opened: an address never
/// becomes a path.
pub(super) fn find(folder: &Path, address: &str) -> Result<StoreFile, Refusal> {
    stores(folder)
        .into_iter()
        .find(|file| file.address() == address)
        .ok_or_else(|| Refusal::unknown("there is no such store: /api/laboratory lists them"))
}

/// All stores in a folder, by their names.
fn stores(folder: &Path) -> Vec<StoreFile> {
    let (mut found, mut looked_at) = (Vec::new(), 0);
    look_into(folder, "", DEPTH, &mut found, &mut looked_at);
    found.retain(|file| !Store::is_later_volume(&file.path));
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

fn look_into(folder: &Path, prefix: &str, depth: usize, found: &mut Vec<StoreFile>, looked_at: &mut usize) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        *looked_at += 1;
        let name = entry.file_name().to_string_lossy().into_owned();
        let Ok(kind) = entry.file_type() else { continue };
        if *looked_at > MOST_ENTRIES || found.len() >= MOST_STORES {
            return;
        }
        let (path, name) = (entry.path(), format!("{prefix}{name}"));
        if kind.is_dir() && depth > 0 && is_looked_into(&name) {
            look_into(&path, &format!("{name}/"), depth - 1, found, looked_at);
        } else if kind.is_file() && is_store(&path) {
            found.push(StoreFile { name, path });
        }
    }
}

/// What builds leave behind is large and has no stores, but for the page of `reproduce`.
fn is_looked_into(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or(name);
    let is_of_build = name.starts_with("target/") && !name.starts_with("target/reproduce");
    !last.starts_with('.') && last != "node_modules" && !is_of_build
}

fn is_store(path: &Path) -> bool {
    let mut begin = [0; MAGIC.len()];
    path.extension().is_some_and(|ending| ending == "db")
        && fs::File::open(path).and_then(|mut file| file.read_exact(&mut begin)).is_ok()
        && begin == MAGIC
}

/// What is there.
pub(super) fn look(settings: &Settings) -> LaboratoryJson {
    let stores: Vec<StoreJson> = stores(&settings.folder).iter().map(store).collect();
    let experiment = |(file, experiment): (String, Experiment)| {
        let has = |store: &&StoreJson| store.experiments.iter().any(|name| name == experiment.name());
        let stores = stores.iter().filter(has).map(|store| store.store.clone()).collect();
        described(file, &experiment, stores)
    };
    let experiments = experiments(settings).into_iter().map(experiment).collect();
    LaboratoryJson { folder: settings.folder.display().to_string(), stores, experiments }
}

fn store(file: &StoreFile) -> StoreJson {
    let about = fs::metadata(&file.path).ok();
    let modified = about.as_ref().and_then(|about| about.modified().ok()?.duration_since(UNIX_EPOCH).ok());
    let read = || {
        let store = Store::open_to_read(&file.path)?;
        let (mut names, mut games) = (Vec::new(), 0);
        for stored in store.experiments()? {
            games += store.cells(stored.experiment)?.iter().map(|cell| cell.games).sum::<u64>();
            names.push(stored.definition.name);
        }
        Ok::<_, StoreError>((names, games))
    };
    let (experiments, games, problem) = match read() {
        Ok((names, games)) => (names, games, None),
        Err(error) => (Vec::new(), 0, Some(error.to_string())),
    };
    StoreJson {
        store: file.address(),
        file: file.name.clone(),
        bytes: about.map_or(0, |about| about.len()),
        modified: modified.map_or(0, |time| time.as_secs()),
        experiments,
        games,
        problem,
    }
}

/// The experiments of the folder, and those that are there without one; each name once.
fn experiments(settings: &Settings) -> Vec<(String, Experiment)> {
    let folder = settings.folder.join("experiments");
    let mut found: Vec<(String, Experiment)> = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if path.extension().is_some_and(|ending| ending == "toml")
            && let Ok(experiment) = Experiment::read(&path)
        {
            found.push((format!("experiments/{name}"), experiment));
        }
    }
    for experiment in &settings.experiments {
        if found.iter().all(|(_, known)| known.name() != experiment.name()) {
            found.push((format!("experiments/{}.toml", experiment.name()), experiment.clone()));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

fn described(file: String, experiment: &Experiment, stores: Vec<String>) -> ExperimentJson {
    let command = format!("tesuji run {} --quick", in_shell(&file));
    let name = experiment.name().to_owned();
    match experiment {
        Experiment::Matches(experiment) => {
            let entries = experiment.grids.iter().flat_map(|grid| &grid.entries);
            ExperimentJson {
                name,
                title: experiment.title.clone(),
                paper: experiment.paper.clone(),
                kind: "matches",
                cells: experiment.cells.len(),
                games: experiment.games,
                published: entries.filter(|entry| entry.published.is_some()).count(),
                file,
                command,
                stores,
            }
        }
        Experiment::Tuning(tuning) => ExperimentJson {
            name,
            title: tuning.title.clone(),
            paper: String::new(),
            kind: "tuning",
            cells: 0,
            games: 2 * tuning.settings.pairs,
            published: 0,
            file,
            command: command.replace(" --quick", ""),
            stores,
        },
        Experiment::Bandits(experiment) => {
            let entries = || experiment.panels.iter().flat_map(|panel| &panel.entries);
            ExperimentJson {
                name,
                title: experiment.title.clone(),
                paper: experiment.paper.clone(),
                kind: "bandits",
                cells: entries().count(),
                games: experiment.runs,
                published: entries().filter(|entry| entry.published.is_some()).count(),
                file,
                command,
                stores,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_are_not_looked_into() {
        for yes in ["results", "results/2026", "target", "target/reproduce"] {
            assert!(is_looked_into(yes), "{yes}");
        }
        for no in ["target/debug", ".git", "a/.git", "page/node_modules"] {
            assert!(!is_looked_into(no), "{no}");
        }
    }
}
