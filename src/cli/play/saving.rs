//! The game as a file: SGF for other programs, or a line of JSON.

use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use tesuji::BUILD;
use tesuji::catalog::GameSpec;
use tesuji::core::in_shell;
use tesuji_report::sgf::Ending;
use tesuji_report::store::{GameRecord, UnstoredGame};

use crate::cli::{BadInput, Versioned, files};

/// Where a game begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Start {
    /// At the start position of its rules.
    Usual,
    /// At a position that was given.
    Elsewhere,
}

/// A file for a game, by the ending of its name.
#[derive(Clone)]
pub(in crate::cli) struct SaveFile {
    path: PathBuf,
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Sgf,
    Jsonl,
}

impl SaveFile {
    /// The file of this name for games of this kind.
    pub(super) fn new(path: PathBuf, game: &GameSpec) -> Result<SaveFile> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        let format = match extension.as_deref() {
            Some("sgf") if has_sgf(game) => Format::Sgf,
            Some("sgf") => {
                let sentence = format!("SGF does not support {game}: save it as FILE.jsonl");
                return Err(BadInput(sentence).into());
            }
            Some("jsonl") => Format::Jsonl,
            _ => {
                let path = path.display();
                return Err(BadInput(format!(
                    "a game is saved in a file that ends in .sgf or .jsonl, not in '{path}'"
                ))
                .into());
            }
        };
        Ok(SaveFile { path, format })
    }

    /// Checks before the game that it can be saved after it.
    pub(super) fn check(&self, start: Start) -> Result<()> {
        check_start(start)?;
        files::check_writable(&self.path)
    }
}

/// Whether SGF has a number for the game.
pub(super) fn has_sgf(game: &GameSpec) -> bool {
    let names = ["go", "hex", "phantom-go", "dark-hex"];
    names.contains(&game.info().name) && !game.is_misere()
}

/// The files have the moves from the start position of the game.
fn check_start(start: Start) -> Result<()> {
    match start {
        Start::Usual => Ok(()),
        Start::Elsewhere => {
            Err(BadInput("a game that begins at a --position cannot be saved".to_owned()).into())
        }
    }
}

/// A game as it stands at the table.
pub(super) struct PlayedGame {
    pub(super) spec: GameSpec,
    /// The names of the players, Black first.
    pub(super) players: [String; 2],
    /// The moves and refused attempts; an illegal move that lost the game is the last.
    pub(super) moves: Vec<String>,
    pub(super) ending: Ending,
}

/// Saves a game when it is asked for, and when it ends.
pub(super) struct Saving {
    /// Where the game goes when it ends.
    at_end: Option<SaveFile>,
    start: Start,
    began: u64,
    clock: Instant,
}

impl Saving {
    pub(super) fn new(at_end: Option<SaveFile>, start: Start) -> Saving {
        let began = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        Saving { at_end, start, began, clock: Instant::now() }
    }

    /// Saves the game where the command line says, if it does. Returns the sentence about it.
    pub(super) fn save_at_end(&self, game: PlayedGame) -> Result<Option<String>> {
        self.at_end.as_ref().map(|file| self.write(file, game)).transpose()
    }

    /// Saves the game to a file. Returns the sentence about it.
    pub(super) fn save(&self, path: &Path, game: PlayedGame) -> Result<String> {
        check_start(self.start)?;
        self.write(&SaveFile::new(path.to_owned(), &game.spec)?, game)
    }

    fn write(&self, file: &SaveFile, game: PlayedGame) -> Result<String> {
        let PlayedGame { spec, players, moves, ending } = game;
        let record = GameRecord::from(UnstoredGame {
            spec,
            players,
            moves,
            ending,
            build: BUILD.fingerprint.to_owned(),
            began: self.began,
            seconds: self.clock.elapsed().as_secs_f64(),
        });
        let text = match file.format {
            Format::Sgf => record.sgf()?,
            Format::Jsonl => {
                let json = serde_json::to_string(&Versioned::new(&record));
                json.context("the game cannot be written as JSON")? + "\n"
            }
        };
        files::write(&file.path, text)?;
        Ok(format!("The game is saved in {}.\n", in_shell(&file.path.display().to_string())))
    }
}
