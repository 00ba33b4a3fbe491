//! Recorded games as NumPy arrays, to train networks with.
//!
//! Every move that a search chose becomes a position with what the search said of its moves and how
//! the game ended. Positions are seen through a symmetry of their board, drawn for each.

mod half;
mod npy;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use tesuji_arena::{MoveShare, Store, StoreError, read_policies, record};
use tesuji_catalog::GameSpec;
use tesuji_core::{NetworkForm, Outcome, Seed, Side};
use tesuji_search::Attempt;
use thiserror::Error;

use crate::store::StoreFilter;
use half::half;
use npy::NpyFile;

/// What is exported, and how.
#[derive(Clone, Debug)]
pub struct TrainingOptions {
    /// The part of the store.
    pub filter: StoreFilter,
    /// The seed of the symmetries; `None` shows positions as they were.
    pub symmetries: Option<u64>,
    /// The number of threads. It changes nothing in the files.
    pub threads: usize,
}

/// What was written, as `form.json` says it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TrainingSummary {
    /// The game.
    pub game: String,
    /// The name and version of its encoding.
    pub encoding: String,
    /// The number of planes.
    pub planes: usize,
    /// The number of rows.
    pub height: usize,
    /// The number of cells of a row.
    pub width: usize,
    /// The number of logits.
    pub n_logits: usize,
    /// The number of positions.
    pub positions: u64,
    /// The number of games.
    pub games: u64,
    /// The number of chosen games whose policies were not recorded; not in `form.json`.
    #[serde(skip)]
    pub without_policies: u64,
    /// The number of chosen games whose policies do not fit their moves, as programs before this one
    /// wrote them if a game was paused; not in `form.json`.
    #[serde(skip)]
    pub misfits: u64,
}

/// Games cannot be exported.
#[derive(Debug, Error)]
pub enum TrainingError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file cannot be written.
    #[error("{path} cannot be written: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: io::Error,
    },
    /// No stored game is chosen.
    #[error("no game of the store is chosen")]
    NoGames,
    /// The games are not such as networks can learn from.
    #[error("{0}")]
    Games(String),
}

/// A game with what searches said of its moves.
struct RecordedGame {
    game: record::Game,
    policies: Vec<u8>,
    /// Its number in the export.
    number: u64,
}

/// The games that are exported.
struct RecordedGames {
    game: GameSpec,
    games: Vec<RecordedGame>,
    without_policies: u64,
}

/// The bytes of some positions, one row after the other, for each file.
#[derive(Default)]
struct Rows {
    positions: u64,
    planes: Vec<u8>,
    policies: Vec<u8>,
    legal: Vec<u8>,
    move_values: Vec<u8>,
    root_values: Vec<u8>,
    values: Vec<u8>,
    games: Vec<u8>,
    plies: Vec<u8>,
}

/// The games that are worked on at once, by all threads.
const BLOCK: usize = 512;

/// Writes the recorded games of a store into a folder, which must exist. `progress` is called with
/// the games done and all games.
pub fn export_training(
    store: &Store,
    options: &TrainingOptions,
    folder: &Path,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<TrainingSummary, TrainingError> {
    let RecordedGames { game, games: recorded, without_policies } = recorded_games(store, &options.filter)?;
    let wrong = |error: tesuji_catalog::SpecError| TrainingError::Games(error.to_string());
    let start = game.start().map_err(wrong)?;
    if game.info().is_hidden {
        return Err(TrainingError::Games(hidden_game(&game)));
    }
    let Some(form) = start.sight().network_form() else {
        let sentence = format!("{game} has no form that networks see, so it cannot be exported for training");
        return Err(TrainingError::Games(sentence));
    };
    let mut files = Files::create(folder, &form)?;
    let all = recorded.len() as u64;
    let (mut positions, mut misfits) = (0, 0);
    for block in recorded.chunks(BLOCK) {
        let share = block.len().div_ceil(options.threads.max(1));
        let all_rows: Vec<Result<Option<Rows>, TrainingError>> = std::thread::scope(|scope| {
            let (game, form) = (&game, &form);
            let part = move |games: &[RecordedGame]| -> Vec<_> {
                games.iter().map(|recorded| rows(game, form, recorded, options.symmetries)).collect()
            };
            let parts: Vec<_> = block.chunks(share).map(|games| scope.spawn(move || part(games))).collect();
            let done = |part: std::thread::ScopedJoinHandle<'_, _>| {
                part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            parts.into_iter().flat_map(done).collect()
        });
        for rows in all_rows {
            match rows? {
                Some(rows) => {
                    positions += rows.positions;
                    files.write(&rows)?;
                }
                None => misfits += 1,
            }
        }
        progress(block.last().map_or(0, |game| game.number + 1), all);
    }
    if positions == 0 {
        files.remove(folder);
        let why = match misfits {
            0 => "none of their moves was chosen by a search that values moves",
            _ => "the policies of all of them do not fit their moves",
        };
        let sentence = format!("the recorded games have no position to train with: {why}");
        return Err(TrainingError::Games(sentence));
    }
    files.finish(positions)?;
    let NetworkForm { encoding, planes, height, width, n_logits } = form;
    let game = game.to_string();
    let summary = TrainingSummary {
        game,
        encoding,
        planes,
        height,
        width,
        n_logits,
        positions,
        games: all - misfits,
        without_policies,
        misfits,
    };
    let path = folder.join("form.json");
    let text = serde_json::to_string_pretty(&summary).expect("texts and numbers are JSON") + "\n";
    std::fs::write(&path, text).map_err(|error| TrainingError::File { path, error })?;
    Ok(summary)
}

/// The sentence that a game is not exported for training because it hides pieces.
pub fn hidden_game(game: &GameSpec) -> String {
    format!("{game} hides pieces: phantom games are not exported for training")
}

/// The games with policies, all of one kind of game.
fn recorded_games(store: &Store, filter: &StoreFilter) -> Result<RecordedGames, TrainingError> {
    let (mut kind, mut games): (Option<GameSpec>, Vec<RecordedGame>) = (None, Vec::new());
    let mut without_policies = 0;
    for stored in store.experiments()? {
        if !filter.takes_experiment(&stored.definition.name) {
            continue;
        }
        for cell in store.cells(stored.experiment)?.iter().filter(|cell| filter.only.takes(cell.name())) {
            for game in store.games(stored.experiment, &cell.key)? {
                let Some(policies) = store.policies(&game.address)? else {
                    without_policies += 1;
                    continue;
                };
                let spec: GameSpec =
                    cell.game.parse().map_err(|error| TrainingError::Games(format!("{error}")))?;
                match &kind {
                    Some(kind) if *kind != spec => {
                        let sentence = format!(
                            "the store has recorded games of {kind} and of {spec}: choose one kind with --only"
                        );
                        return Err(TrainingError::Games(sentence));
                    }
                    _ => kind = Some(spec),
                }
                let number = games.len() as u64;
                games.push(RecordedGame { game, policies, number });
            }
        }
    }
    match kind {
        Some(game) => Ok(RecordedGames { game, games, without_policies }),
        None if without_policies == 0 => Err(TrainingError::NoGames),
        None => {
            let which = if filter.is_active() { "chosen game" } else { "game of the store" };
            let sentence =
                format!("no {which} has recorded policies: play with `tesuji match … --record-policies`");
            Err(TrainingError::Games(sentence))
        }
    }
}

/// The positions of a game. `None` if its policies do not fit its moves.
fn rows(
    spec: &GameSpec,
    form: &NetworkForm,
    recorded: &RecordedGame,
    symmetries: Option<u64>,
) -> Result<Option<Rows>, TrainingError> {
    let RecordedGame { game, policies, number } = recorded;
    let wrong = |reason: &str| TrainingError::Games(format!("the game {}: {reason}", game.address.id()));
    let plies = read_policies(policies).ok_or_else(|| wrong("its policies cannot be read"))?;
    let mut board = spec.start().map_err(|error| wrong(&error.to_string()))?;
    let of_board = board.symmetries();
    let mut rng = Seed::new(symmetries.unwrap_or(0)).child("symmetry").child(*number).rng();
    let (mut rows, mut planes) = (Rows::default(), vec![0.0; form.size()]);
    for (ply, word) in game.moves.split_whitespace().enumerate() {
        let shares = ply.checked_sub(game.opening as usize).and_then(|after| plies.get(after));
        if let Some(shares) = shares.filter(|shares| !shares.is_empty()) {
            let sight = board.sight();
            let moves = sight.search_moves();
            if moves.len() != shares.len() {
                return Ok(None);
            }
            let symmetry = of_board[match symmetries {
                Some(_) => rng.below(of_board.len() as u32) as usize,
                None => 0,
            }];
            let seen = sight.transformed(symmetry);
            seen.write_planes(&mut planes);
            let numbers: Vec<usize> =
                moves.iter().map(|&mv| seen.logit(sight.transformed_move(mv, symmetry))).collect();
            rows.push(form, &planes, &numbers, shares, *number, ply, game.outcome, board.to_move());
        }
        // A move that is not legal ended the game.
        let Ok(mv) = board.parse_move(word) else { break };
        let Attempt::Stands { .. } = board.attempt(mv) else { break };
    }
    Ok(Some(rows))
}

impl Rows {
    /// Adds a position; `numbers` are the numbers of its moves among the logits.
    #[expect(clippy::too_many_arguments, reason = "a row has this many columns")]
    fn push(
        &mut self,
        form: &NetworkForm,
        planes: &[f32],
        numbers: &[usize],
        shares: &[MoveShare],
        game: u64,
        ply: usize,
        outcome: Outcome,
        side: Side,
    ) {
        let n = form.n_logits;
        let (mut policy, mut legal) = (vec![0.0; n], vec![0; n]);
        let mut values = vec![f32::NAN; n];
        let total: f32 = shares.iter().map(|one| one.share).sum();
        let (mut root, mut weights) = (0.0, 0.0);
        for (&number, one) in numbers.iter().zip(shares) {
            legal[number] = 1;
            policy[number] = one.share / total.max(f32::MIN_POSITIVE);
            if let Some(mean) = one.mean {
                values[number] = mean;
                root += one.share * mean;
                weights += one.share;
            }
        }
        let result = outcome.reward(side) as f32;
        self.positions += 1;
        self.planes.extend(planes.iter().flat_map(|&value| half(value)));
        self.policies.extend(policy.into_iter().flat_map(half));
        self.legal.extend(legal);
        self.move_values.extend(values.into_iter().flat_map(half));
        let root = if weights > 0.0 { root / weights } else { result };
        self.root_values.extend(root.to_le_bytes());
        self.values.extend(result.to_le_bytes());
        self.games.extend((game as i32).to_le_bytes());
        self.plies.extend((ply as i16).to_le_bytes());
    }
}

/// The files of an export.
struct Files([NpyFile; 8]);

impl Files {
    fn create(folder: &Path, form: &NetworkForm) -> Result<Files, TrainingError> {
        let failed = |error| TrainingError::File { path: folder.to_owned(), error };
        std::fs::create_dir_all(folder).map_err(failed)?;
        let moves = &[form.n_logits][..];
        let file = |name, kind, shape| NpyFile::create(folder, name, kind, shape);
        Ok(Files([
            file("planes.npy", "<f2", &[form.planes, form.height, form.width])?,
            file("policies.npy", "<f2", moves)?,
            file("legal.npy", "|b1", moves)?,
            file("move_values.npy", "<f2", moves)?,
            file("root_values.npy", "<f4", &[])?,
            file("values.npy", "<f4", &[])?,
            file("games.npy", "<i4", &[])?,
            file("plies.npy", "<i2", &[])?,
        ]))
    }

    fn write(&mut self, rows: &Rows) -> Result<(), TrainingError> {
        let Rows { planes, policies, legal, move_values, root_values, values, games, plies, .. } = rows;
        let columns = [planes, policies, legal, move_values, root_values, values, games, plies];
        self.0.iter_mut().zip(columns).try_for_each(|(file, bytes)| file.write(bytes))
    }

    /// Removes the files again, and the folder if there is nothing else in it.
    fn remove(self, folder: &Path) {
        for file in self.0 {
            let _ = std::fs::remove_file(&file.path);
        }
        let _ = std::fs::remove_dir(folder);
    }

    fn finish(self, positions: u64) -> Result<(), TrainingError> {
        self.0.into_iter().try_for_each(|file| file.finish(positions))
    }
}
