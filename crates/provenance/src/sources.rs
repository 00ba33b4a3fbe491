//! Which files determine a program's answers.

use std::io;
use std::path::{Path, PathBuf};

use crate::Digest;

/// Files and folders of the root that count, as far as they exist.
const OF_ROOT: [&str; 7] =
    ["Cargo.lock", "Cargo.toml", "build.rs", "experiments", "python/Cargo.toml", "python/src", "src"];

/// Files and folders of each crate that count: the sources, and what the page is made of.
const OF_CRATE: [&str; 4] = ["Cargo.toml", "api", "dist", "src"];

/// The files that determine the answers of a program built from a checkout: manifests, the lock
/// file, all files in source folders and the data that the program contains. Tests, documentation
/// and tools do not count. In a package from a registry these are the package's own files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sources {
    root: PathBuf,
    /// Files and folders to watch.
    watched: Vec<PathBuf>,
    /// In the order of their names.
    files: Vec<SourceFile>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct SourceFile {
    /// Relative to the root, with `/` between the parts on every system.
    name: String,
    path: PathBuf,
}

impl Sources {
    /// The sources in a checkout, whose root folder this is.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn of(root: &Path) -> io::Result<Sources> {
        let mut sources = Sources { root: root.to_owned(), watched: Vec::new(), files: Vec::new() };
        let mut places: Vec<PathBuf> = OF_ROOT.iter().map(|name| root.join(name)).collect();
        if let Ok(crates) = root.join("crates").read_dir() {
            for entry in crates {
                let folder = entry?.path();
                places.extend(OF_CRATE.iter().map(|name| folder.join(name)));
            }
        }
        for place in places.into_iter().filter(|place| place.exists()) {
            sources.add(&place)?;
            sources.watched.push(place);
        }
        sources.files.sort();
        sources.watched.sort();
        Ok(sources)
    }

    fn add(&mut self, path: &Path) -> io::Result<()> {
        if path.is_dir() {
            for entry in path.read_dir()? {
                let entry = entry?;
                // Editors keep their own files there, with a dot before or a tilde behind the name.
                let name = entry.file_name().to_string_lossy().into_owned();
                if !name.starts_with('.') && !name.ends_with('~') {
                    self.add(&entry.path())?;
                }
            }
            return Ok(());
        }
        let parts = path.strip_prefix(&self.root).unwrap_or(path).iter();
        let name = parts.map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
        self.files.push(SourceFile { name, path: path.to_owned() });
        Ok(())
    }

    /// Files and folders after a change of which the digest may be another.
    pub fn watched(&self) -> &[PathBuf] {
        &self.watched
    }

    /// The digest of all names and contents. For each file: the name, a zero, the length in eight
    /// bytes with the lowest first, and the content.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn digest(&self) -> io::Result<Digest> {
        let mut digest = Digest::default();
        for SourceFile { name, path } in &self.files {
            let content = std::fs::read(path)?;
            digest.update(name.as_bytes());
            digest.update(&[0]);
            digest.update(&(content.len() as u64).to_le_bytes());
            digest.update(&content);
        }
        Ok(digest)
    }
}
