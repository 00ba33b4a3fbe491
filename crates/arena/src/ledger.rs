//! What has been measured so far, on disk: one line a cell, written as soon as
//! it is known. A run that is killed loses the cell it was at and no more.
//!
//! The first line names the build. Numbers of another build are not mixed with
//! ours: the file is begun anew.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_bandit::testbed::Row;
use thiserror::Error;

/// Cells by their keys, in a file or only in memory.
#[derive(Debug, Default)]
pub struct Ledger {
    cells: BTreeMap<String, Vec<Row>>,
    path: Option<PathBuf>,
}

/// The file cannot be used.
#[derive(Debug, Error)]
#[error("cannot keep results in {}: {reason}", path.display())]
pub struct LedgerError {
    /// The file.
    pub path: PathBuf,
    /// What the system says.
    #[source]
    pub reason: io::Error,
}

#[derive(Serialize, Deserialize)]
struct Head {
    build: String,
}

#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    rows: Vec<Row>,
}

impl Ledger {
    /// A ledger in memory.
    pub fn new() -> Ledger {
        Ledger::default()
    }

    /// Opens or begins the file. `build` tells builds apart whose numbers may differ.
    pub fn open(path: &Path, build: &str) -> Result<Ledger, LedgerError> {
        let wrong = |reason| LedgerError { path: path.to_owned(), reason };
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(wrong(error)),
        };
        let mut lines = text.split_inclusive('\n');
        let ours = lines
            .next()
            .and_then(|line| serde_json::from_str::<Head>(line).ok())
            .is_some_and(|head| head.build == build);
        let mut cells = BTreeMap::new();
        if ours {
            // A line that a killed run left torn is not a cell.
            let whole = lines.filter(|line| line.ends_with('\n'));
            for line in whole.filter_map(|line| serde_json::from_str::<Line>(line).ok()) {
                cells.insert(line.key, line.rows);
            }
        }
        let ledger = Ledger { cells, path: Some(path.to_owned()) };
        ledger.write_anew(path, build).map_err(wrong)?;
        Ok(ledger)
    }

    /// Writes the whole file, beside it first.
    fn write_anew(&self, path: &Path, build: &str) -> io::Result<()> {
        let mut text = line(&Head { build: build.to_owned() })?;
        for (key, rows) in &self.cells {
            text.push_str(&line(&Line { key: key.clone(), rows: rows.clone() })?);
        }
        let beside = path.with_extension("new");
        std::fs::write(&beside, text)?;
        std::fs::rename(&beside, path)
    }

    /// A cell that has been measured.
    pub fn get(&self, key: &str) -> Option<&[Row]> {
        self.cells.get(key).map(Vec::as_slice)
    }

    /// The keys of all cells.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        self.cells.keys()
    }

    /// Keeps a cell.
    pub fn put(&mut self, key: String, rows: Vec<Row>) -> Result<(), LedgerError> {
        if let Some(path) = &self.path {
            // Opened anew each time: another process may have written the file anew since.
            let mut file = OpenOptions::new()
                .append(true)
                .open(path)
                .map_err(|reason| LedgerError { path: path.clone(), reason })?;
            let written = line(&Line { key: key.clone(), rows: rows.clone() })
                .and_then(|line| file.write_all(line.as_bytes()));
            written.map_err(|reason| LedgerError { path: path.clone(), reason })?;
        }
        self.cells.insert(key, rows);
        Ok(())
    }
}

fn line(value: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(value)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(regret: f64) -> Vec<Row> {
        let json = format!(
            r#"[{{"arms":"1:5","policy":"sh(lambda=0.7)","budget":8,"runs":2,"regret":{regret},"se":0.1,"p_wrong":0.5,
            "p_wrong_se":0.1,"cumulative":1.5,"cumulative_se":0.25,"spent":8.0,"difference":-0.5}}]"#
        );
        serde_json::from_str(&json).unwrap()
    }

    #[test]
    fn a_torn_line_is_forgotten_and_the_rest_kept() {
        let folder = std::env::temp_dir().join(format!("tesuji-ledger-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("cells.jsonl");
        let _ = std::fs::remove_file(&path);
        let mut ledger = Ledger::open(&path, "one").unwrap();
        ledger.put("a".to_owned(), rows(0.25)).unwrap();
        ledger.put("b".to_owned(), rows(0.5)).unwrap();
        drop(ledger);
        // Killed while writing: the last line stops in the middle.
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 9]).unwrap();
        let mut ledger = Ledger::open(&path, "one").unwrap();
        assert_eq!(ledger.get("a"), Some(rows(0.25).as_slice()));
        assert_eq!(ledger.get("b"), None);
        ledger.put("b".to_owned(), rows(0.75)).unwrap();
        let ledger = Ledger::open(&path, "one").unwrap();
        assert_eq!(ledger.get("b"), Some(rows(0.75).as_slice()));
        // Another build's numbers are not ours.
        assert_eq!(Ledger::open(&path, "two").unwrap().get("a"), None);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_folder_that_is_not_there_is_told() {
        let error = Ledger::open(Path::new("/nowhere/at/all.jsonl"), "one").unwrap_err().to_string();
        assert!(error.starts_with("cannot keep results in /nowhere/at/all.jsonl: "), "{error}");
    }
}
