//! Errors of a store.

use std::path::PathBuf;

use rusqlite::ErrorCode;
use tesuji_core::file_problem;
use thiserror::Error;

/// A store cannot be used. The games that were stored before are safe, because SQLite makes every
/// change completely or not at all.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file does not exist.
    #[error("there is no store {}: `tesuji run`, `match --store` and `reproduce` make stores", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The folder of the file does not exist.
    #[error("cannot make the store {}: its folder does not exist", path.display())]
    NoFolder {
        /// The file.
        path: PathBuf,
    },
    /// The file is not a store.
    #[error("{} is not a store of tesuji: {reason}", path.display())]
    NotAStore {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The disk is full.
    #[error("the disk is full: {} cannot grow, and has what was stored before", path.display())]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// The file or its folder cannot be written.
    #[error("{} may only be read: choose a file and a folder that can be written", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// Another program has locked it for too long.
    #[error("another program has locked {}: try again when it is done", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The file is damaged, or contains something that this version does not write.
    #[error("{} is damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A different game with the same address is stored already.
    #[error(
        "game {id} is in {} already and came out differently there: the two are of different builds, \
         so keep their stores apart",
        path.display()
    )]
    Different {
        /// The file.
        path: PathBuf,
        /// The game.
        id: String,
    },
    /// The store cannot be merged into itself.
    #[error("{} cannot be merged into itself", path.display())]
    Itself {
        /// The file.
        path: PathBuf,
    },
    /// A store with several volumes is not merged into, because none of them would have everything.
    #[error(
        "{} goes on in {}: merge them into a new store",
        path.display(),
        next.display()
    )]
    HasVolumes {
        /// The first volume.
        path: PathBuf,
        /// The second volume.
        next: PathBuf,
    },
    /// The limit of a store's files leaves no room for a game.
    #[error("a limit of {limit} bytes is too small for {}: a new file has no room for its experiments and a game", path.display())]
    SmallLimit {
        /// The first volume.
        path: PathBuf,
        /// The limit, in bytes.
        limit: u64,
    },
    /// A store has the most volumes that it can have.
    #[error("{} has {most} files and cannot get another: merge them into a new store", path.display())]
    ManyVolumes {
        /// The first volume.
        path: PathBuf,
        /// The number of volumes.
        most: usize,
    },
    /// The path is empty, and SQLite would use a temporary file.
    #[error("a store is a file, and its path is empty")]
    NoPath,
    /// Another error of SQLite.
    #[error("cannot use the store {}: {reason}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        reason: String,
    },
}

impl StoreError {
    /// Explains an error of SQLite.
    pub(super) fn of(path: &std::path::Path, error: &rusqlite::Error) -> StoreError {
        let path = path.to_owned();
        match error.sqlite_error_code() {
            _ if path.is_dir() => StoreError::NotAStore { path, reason: "it is a folder".to_owned() },
            Some(ErrorCode::DiskFull) => StoreError::Full { path },
            Some(ErrorCode::ReadOnly) => StoreError::ReadOnly { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy { path },
            Some(ErrorCode::DatabaseCorrupt) => StoreError::Damaged { path, reason: error.to_string() },
            Some(ErrorCode::NotADatabase) => {
                StoreError::NotAStore { path, reason: "it is not an SQLite database".to_owned() }
            }
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                // SQLite does not say why; the system does.
                let opened = std::fs::OpenOptions::new().read(true).append(true).open(&path);
                let reason = opened.err().map_or_else(|| error.to_string(), |error| file_problem(&error));
                StoreError::Other { path, reason }
            }
            _ => StoreError::Other { path, reason: error.to_string() },
        }
    }

    /// Whether the user has to name another file.
    pub fn is_bad_input(&self) -> bool {
        matches!(
            self,
            StoreError::Missing { .. }
                | StoreError::NoFolder { .. }
                | StoreError::NotAStore { .. }
                | StoreError::NoPath
                | StoreError::Itself { .. }
                | StoreError::HasVolumes { .. }
                | StoreError::SmallLimit { .. }
                | StoreError::ManyVolumes { .. }
        )
    }
}
