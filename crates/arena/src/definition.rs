//! The text of an experiment and of the files that it names: all that is needed to read it again
//! elsewhere, so a store keeps it.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use tesuji_core::file_problem;
use thiserror::Error;

/// The text of an experiment, and of the files that it names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Definition {
    /// The name of the experiment: that of its file without the extension.
    pub name: String,
    /// The text, in TOML.
    pub text: String,
    /// The texts of the files that it names, by their paths.
    pub beside: BTreeMap<String, String>,
}

/// An experiment cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ExperimentError {
    /// The file cannot be read.
    #[error("cannot read {path}: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// The error message of the system.
        reason: String,
    },
    /// The text is not an experiment.
    #[error("cannot read the experiment {name}: {reason}")]
    NotUnderstood {
        /// The name of the experiment.
        name: String,
        /// What is wrong, in one line.
        reason: String,
    },
}

impl Definition {
    /// Reads a file, and the files of published numbers in the same folder that it names.
    pub(crate) fn read(path: &Path) -> Result<Definition, ExperimentError> {
        let read = |path: &Path| {
            std::fs::read_to_string(path).map_err(|error| ExperimentError::Unreadable {
                path: path.display().to_string(),
                reason: file_problem(&error),
            })
        };
        let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let text = read(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut definition = Definition { name, text, beside: BTreeMap::new() };
        for named in definition.named()? {
            let text = read(&folder.join(&named))?;
            definition.beside.insert(named, text);
        }
        Ok(definition)
    }

    /// An experiment whose text is part of the program. `files` are paths and texts of the files
    /// that it may name.
    pub fn built_in(name: &str, text: &str, files: &[(&str, &str)]) -> Result<Definition, ExperimentError> {
        let mut definition =
            Definition { name: name.to_owned(), text: text.to_owned(), beside: BTreeMap::new() };
        for named in definition.named()? {
            if let Some((_, text)) = files.iter().find(|(path, _)| *path == named) {
                definition.beside.insert(named, (*text).to_owned());
            }
        }
        Ok(definition)
    }

    /// The error that the text is not an experiment.
    pub(crate) fn wrong(&self, reason: impl Into<String>) -> ExperimentError {
        ExperimentError::NotUnderstood { name: self.name.clone(), reason: reason.into() }
    }

    /// Reads the text as TOML of that shape. Errors are one line.
    pub(crate) fn parse<T: serde::de::DeserializeOwned>(&self) -> Result<T, ExperimentError> {
        toml::from_str(&self.text).map_err(|error| {
            let line = error.span().map_or(0, |span| self.text[..span.start].matches('\n').count() + 1);
            self.wrong(format!("line {line}: {}", error.message().replace('\n', " ")))
        })
    }

    /// The text of a file that it names.
    pub(crate) fn load(&self, path: &str) -> Result<&str, String> {
        self.beside.get(path).map(String::as_str).ok_or_else(|| format!("there is no {path}"))
    }

    /// The paths of the files of published numbers: each panel and each grid may name one.
    fn named(&self) -> Result<Vec<String>, ExperimentError> {
        let table: toml::Table = self.parse()?;
        let blocks = ["panel", "grid"].iter().filter_map(|key| table.get(*key)?.as_array()).flatten();
        let file = |block: &toml::Value| block.get("published")?.get("file")?.as_str().map(str::to_owned);
        Ok(blocks.filter_map(file).collect())
    }
}

/// A text or a list of texts as TOML writes them, which is how JSON writes them.
pub(crate) fn quoted(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).expect("texts are JSON")
}
