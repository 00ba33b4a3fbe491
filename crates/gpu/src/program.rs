//! Programs for a device: the sources of a search of one game, and where they lie once compiled.

use std::path::{Path, PathBuf};

use tesuji_core::{Encoded, Seed};
use tesuji_search::{
    AmafMoves, DeviceError, HostHalf, LeafConfig, LookAhead, Root, ScoreSource, SearchConfig, TreeConfig,
};

use crate::SOURCES;

/// The kernels of `search.cuh`.
const ENTRY_POINTS: [&str; 5] = ["simulate", "clear", "begin", "collect", "describe"];

/// With more samples than this, counts need 32 bits: rewards are counted in halves.
const MOST_NARROW_SAMPLES: u64 = 32_000;

/// More moves than any position of a game has.
pub(crate) const MOST_MOVES: u64 = 1024;

/// A file of the sources: its name and its text.
pub type SourceFile = (&'static str, &'static str);

/// A program for a device, as sources.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Program {
    /// The name of the game's header without its ending: `GAME_HEADER`. It may be empty.
    pub header: String,
    /// Constants such as the board's size: names and values.
    pub constants: Vec<(String, i64)>,
    /// The names of the kernels.
    pub entry_points: Vec<String>,
    /// The most registers of a thread; the compiler chooses by default.
    pub register_limit: Option<u32>,
    /// The name of the file that is compiled; it includes others.
    pub main: &'static str,
    /// All files that may be included. They come last, since programs are often compared.
    pub sources: &'static [SourceFile],
}

impl Program {
    /// The program that makes searches of a game: those of this player with at most `samples`
    /// samples a move.
    ///
    /// # Errors
    /// If there are no kernels for such a search.
    pub fn of(encoded: &Encoded, config: &SearchConfig, samples: u64) -> Result<Program, DeviceError> {
        HostHalf::check(config, samples)?;
        // The numbers of `slots.cuh`.
        let tree = match config.tree {
            TreeConfig::Uct { .. } => 1,
            TreeConfig::Rave { .. } => 2,
            _ => 0,
        };
        let has_prior = config.leaf != LeafConfig::Playout;
        let is_whole = matches!(config.tree, TreeConfig::Rave { amaf: AmafMoves::Whole, .. });
        // RAVE has the statistics of the root anyway.
        let has_root_amaf =
            tree != 2 && config.root != Root::Tree && config.score_source() == ScoreSource::Amaf;
        let looks_ahead = LookAhead::serves(config);
        let most_samples = if looks_ahead { LookAhead::most_samples(samples, MOST_MOVES) } else { samples };
        let choices = [
            ("TREE", tree),
            ("TRANSPOSITIONS", i64::from(config.options.transpositions)),
            ("WHOLE", i64::from(is_whole)),
            ("WIDE", i64::from(most_samples > MOST_NARROW_SAMPLES)),
            ("ROOT_AMAF", i64::from(has_root_amaf)),
        ];
        let prior = has_prior.then_some(("PRIOR", 1));
        let ahead = looks_ahead.then_some(("AHEAD", LookAhead::MOST_SAMPLES as i64));
        Ok(Program {
            main: "search.cu",
            sources: SOURCES,
            header: encoded.kernel.to_owned(),
            constants: encoded
                .constants
                .iter()
                .copied()
                .chain(choices)
                .chain(prior)
                .chain(ahead)
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            entry_points: ENTRY_POINTS.map(str::to_owned).to_vec(),
            register_limit: None,
        })
    }

    /// The text of the file with this name.
    pub fn source(&self, name: &str) -> Option<&'static str> {
        self.sources.iter().find(|(file, _)| *file == name).map(|&(_, text)| text)
    }

    /// The files that this program includes, each once, the main file first.
    pub fn files(&self) -> Vec<SourceFile> {
        let mut names = vec![self.main.to_owned()];
        if !self.header.is_empty() {
            names.push(format!("{}.cuh", self.header));
        }
        let mut files: Vec<SourceFile> = Vec::new();
        while let Some(name) = names.pop() {
            let Some(&file) = self.sources.iter().find(|(file, _)| *file == name) else { continue };
            if files.contains(&file) {
                continue;
            }
            files.push(file);
            let lines = file.1.lines().filter_map(|line| line.trim().strip_prefix("#include \""));
            names.extend(lines.filter_map(|rest| rest.split('"').next()).map(str::to_owned));
        }
        // In the order of the table, so that the digest does not depend on who includes whom first.
        let place = |file: &SourceFile| self.sources.iter().position(|other| other == file);
        files.sort_by_key(|file| (file.0 != self.main, place(file)));
        files
    }

    /// Definitions of macros for a compiler's command line, as in `-DSIZE=9`.
    pub fn definitions(&self) -> Vec<String> {
        let header = (!self.header.is_empty()).then(|| format!("-DGAME_HEADER={}.cuh", self.header));
        header
            .into_iter()
            .chain(self.constants.iter().map(|(name, value)| format!("-D{name}={value}")))
            .collect()
    }

    /// A name for the compiled program: a digest of its sources, its constants, and `options`,
    /// which are whatever else the result depends on.
    pub fn digest(&self, options: &[String]) -> String {
        let mut digest = Seed::new(0).child("program");
        for (name, text) in self.files() {
            digest = digest.child(name).child(text);
        }
        let words = self.definitions();
        for word in words.iter().chain(&self.entry_points).chain(options) {
            digest = digest.child(word.as_str());
        }
        digest.to_string()
    }
}

/// The folder in which compiled programs are kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelCache {
    folder: PathBuf,
}

/// The variable that names the folder of compiled kernels.
pub const CACHE_VARIABLE: &str = "TESUJI_KERNELS";

impl Default for KernelCache {
    /// The folder that the variable `TESUJI_KERNELS` names, or `tesuji/kernels` in the user's cache
    /// folder.
    fn default() -> KernelCache {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let user = || variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
        let own = || user().unwrap_or_else(std::env::temp_dir).join("tesuji").join("kernels");
        KernelCache { folder: variable(CACHE_VARIABLE).unwrap_or_else(own) }
    }
}

impl KernelCache {
    /// The cache in this folder, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> KernelCache {
        KernelCache { folder: folder.into() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The bytes of a file of the cache; `None` if it is not there.
    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        std::fs::read(self.folder.join(name)).ok()
    }

    /// Adds a file, whole or not at all.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> std::io::Result<PathBuf> {
        std::fs::create_dir_all(&self.folder)?;
        let (file, unfinished) = (self.folder.join(name), self.folder.join(unique(name)));
        let written = std::fs::write(&unfinished, bytes).and_then(|()| std::fs::rename(&unfinished, &file));
        if written.is_err() {
            let _ = std::fs::remove_file(&unfinished);
        }
        written.map(|()| file)
    }
}

/// A name that no other writer uses, of this process or another one.
pub(crate) fn unique(name: &str) -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!("{name}.{}-{}.tmp", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}
