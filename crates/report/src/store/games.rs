//! Single games for other programs, as JSON and as SGF.

use serde::Serialize;
use tesuji_arena::record::{Circumstances, Game, REFUSED, Reason};
use tesuji_arena::{GameAnalysis, MoveAnalysis, Store, StoreError, StoredCell};
use tesuji_catalog::GameSpec;
use tesuji_core::{Outcome, Side};

use super::StoreFilter;
use crate::matches::{is_external, known};
use crate::numbers::date;
use crate::sgf::{Ending, NotSgf, Note, Sgf};

/// One game with everything that is known of it.
#[derive(Clone, Debug, Serialize)]
pub struct GameRecord {
    /// The id of the cell and the index of the game: `3f2a9c01-17`.
    pub id: String,
    /// The experiment's name.
    pub experiment: String,
    /// The id of the cell.
    pub cell: String,
    /// The index of the game in its cell, from 0.
    pub index: u64,
    /// The game, as its spec.
    pub game: String,
    /// The player whose points are counted.
    pub player: String,
    /// The player's opponent.
    pub opponent: String,
    /// The player's side.
    pub side: Side,
    /// The side that won. `None` for a draw.
    pub winner: Option<Side>,
    /// The player's points: 0, ½ or 1. `None` for a game that is not over.
    pub points: Option<f64>,
    /// Why the game ended, in a word.
    pub reason: &'static str,
    /// The number of moves, with the opening.
    pub plies: u32,
    /// The number of moves of the opening.
    pub opening: u32,
    /// The moves.
    pub moves: Vec<String>,
    /// The number of samples, of the player and of the opponent. `None` for an external engine.
    pub samples: [Option<u64>; 2],
    /// The duration of the game in seconds.
    pub seconds: f64,
    /// The time that the player and the opponent used, in seconds.
    pub used: [f64; 2],
    /// The names and versions of external engines, of the player and of the opponent. Empty for
    /// our players.
    pub engines: [String; 2],
    /// The final scores by external engines. Empty if they reported none.
    pub scores: [String; 2],
    /// The program that played the game.
    pub build: String,
    /// When the game began, in seconds since 1970.
    pub began: u64,
    #[serde(skip)]
    ending: Ending,
}

/// A game that no store has, such as one of a person at a terminal.
#[derive(Clone, Debug)]
pub struct UnstoredGame {
    /// The game.
    pub spec: GameSpec,
    /// The names of the players, Black first.
    pub players: [String; 2],
    /// The moves and refused attempts from the start position.
    pub moves: Vec<String>,
    /// How the game ended: [`Ending::Unknown`] if it is not over.
    pub ending: Ending,
    /// The program that wrote the game.
    pub build: String,
    /// When the game began, in seconds since 1970.
    pub began: u64,
    /// The duration of the game in seconds.
    pub seconds: f64,
}

impl From<UnstoredGame> for GameRecord {
    fn from(game: UnstoredGame) -> GameRecord {
        let UnstoredGame { spec, players: [black, white], moves, ending, build, began, seconds } = game;
        let outcome = match ending {
            Ending::Win(side, _) | Ending::Resignation(side) | Ending::Time(side) | Ending::Forfeit(side) => {
                Some(Outcome::Win(side))
            }
            Ending::Draw => Some(Outcome::Draw),
            Ending::Void | Ending::Unknown => None,
        };
        GameRecord {
            id: format!("play-{began}"),
            experiment: "play".to_owned(),
            cell: String::new(),
            index: 0,
            game: spec.to_string(),
            player: black,
            opponent: white,
            side: Side::Black,
            winner: outcome.and_then(|outcome| outcome.winner()),
            points: outcome.map(|outcome| outcome.reward(Side::Black)),
            reason: match ending {
                Ending::Win(..) | Ending::Draw => Reason::Rules.word(),
                Ending::Resignation(_) => Reason::Resigned.word(),
                Ending::Time(_) => Reason::Time.word(),
                Ending::Forfeit(_) => Reason::IllegalMove.word(),
                Ending::Void | Ending::Unknown => "not over",
            },
            plies: moves.iter().filter(|word| !word.starts_with(REFUSED)).count() as u32,
            opening: 0,
            moves,
            samples: [None; 2],
            seconds,
            used: [0.0; 2],
            engines: Default::default(),
            scores: Default::default(),
            build,
            began,
            ending,
        }
    }
}

impl GameRecord {
    pub(super) fn new(experiment: &str, cell: &StoredCell, game: Game, about: Circumstances) -> GameRecord {
        GameRecord {
            id: format!("{}-{}", cell.id, game.address.index),
            experiment: experiment.to_owned(),
            cell: cell.id.clone(),
            index: game.address.index,
            game: cell.game.clone(),
            player: cell.player.clone(),
            opponent: cell.opponent.clone(),
            side: game.side,
            winner: game.outcome.winner(),
            points: Some(game.points()),
            reason: game.reason.word(),
            plies: game.plies,
            opening: game.opening,
            moves: game.moves.split_whitespace().map(str::to_owned).collect(),
            samples: known(game.samples, [&cell.player, &cell.opponent].map(|it| is_external(it))),
            seconds: about.seconds,
            used: about.used,
            engines: about.engines,
            scores: about.scores,
            build: about.build,
            began: about.began,
            ending: match (game.reason, game.outcome) {
                (Reason::Resigned, Outcome::Win(side)) => Ending::Resignation(side),
                (Reason::IllegalMove, Outcome::Win(side)) => Ending::Forfeit(side),
                (Reason::Time, Outcome::Win(side)) => Ending::Time(side),
                (_, outcome) => outcome.into(),
            },
        }
    }

    /// Returns the game as SGF. An illegal move that lost the game becomes a comment. Fails if
    /// SGF has no number for the game.
    pub fn sgf(&self) -> Result<String, NotSgf> {
        self.analysed_sgf(&GameAnalysis::default())
    }

    /// Returns the game as SGF with what searches said of its moves ([`Note`]). Fails if SGF has no
    /// number for the game.
    pub fn analysed_sgf(&self, analysis: &GameAnalysis) -> Result<String, NotSgf> {
        let spec: GameSpec = self.game.parse().map_err(|_| NotSgf::Game(self.game.clone()))?;
        let (black, white) = match self.side {
            Side::Black => (&self.player, &self.opponent),
            Side::White => (&self.opponent, &self.player),
        };
        let (round, date) = (self.index.to_string(), date(self.began));
        let (moves, illegal) = match (self.ending, self.moves.split_last()) {
            (Ending::Forfeit(_), Some((last, legal))) => {
                (legal, Some(format!("Lost by an illegal move: {last}")))
            }
            _ => (&self.moves[..], None),
        };
        let ending = match self.ending {
            Ending::Win(side, None) => Ending::Win(side, margin(&spec, moves).map(f64::abs)),
            other => other,
        };
        let note = |analysis: &MoveAnalysis| {
            Note::of(&spec, if analysis.side == Side::Black { black } else { white }, analysis)
        };
        let notes: Vec<Note> = analysis.moves.iter().map(note).collect();
        let sgf = Sgf {
            notes: &notes,
            date: (self.began > 0).then_some(date.as_str()),
            event: Some(&self.experiment),
            round: Some(&round),
            name: Some(&self.id),
            comment: illegal.as_deref(),
            ..Sgf::new(&spec, black, white, moves, ending)
        };
        sgf.text()
    }
}

/// Returns by how many points Black won a game with these moves and attempts. `None` if the game
/// counts no points.
pub fn margin(spec: &GameSpec, moves: &[String]) -> Option<f64> {
    let mut position = spec.start().ok()?;
    for mv in moves.iter().filter(|word| !word.starts_with(REFUSED)) {
        position.play(mv).ok()?;
    }
    position.margin()
}

/// Calls `with` for every game of a part of a store, by experiment, cell and index. The games of
/// one cell are in memory at a time. Stops at the first error.
pub fn for_each_game<E: From<StoreError>>(
    store: &Store,
    filter: &StoreFilter,
    mut with: impl FnMut(&GameRecord) -> Result<(), E>,
) -> Result<(), E> {
    for stored in store.experiments()? {
        let name = &stored.definition.name;
        if !filter.takes_experiment(name) {
            continue;
        }
        for cell in store.cells(stored.experiment)?.iter().filter(|cell| filter.only.takes(cell.name())) {
            for game in store.games(stored.experiment, &cell.key)? {
                let about = store.circumstances(&game.address)?.unwrap_or_default();
                with(&GameRecord::new(name, cell, game, about))?;
            }
        }
    }
    Ok(())
}
