//! Single games, for other programs: a record for JSON, and SGF where it has a number for
//! the game.

use serde::Serialize;
use tesuji_arena::record::{Circumstances, Game, REFUSED, Reason};
use tesuji_arena::{Store, StoreError, StoredCell};
use tesuji_catalog::GameSpec;
use tesuji_core::{Outcome, Side};

use super::Choice;
use crate::numbers::date;
use crate::sgf::{Ending, NotSgf, Sgf};

/// A game with all that is known of it.
#[derive(Clone, Debug, Serialize)]
pub struct GameRecord {
    /// The cell's id and the game's index: `3f2a9c01-17`.
    pub id: String,
    /// The experiment's name.
    pub experiment: String,
    /// The cell's id.
    pub cell: String,
    /// Which game of the cell.
    pub index: u64,
    /// What is played.
    pub game: String,
    /// Whose points are counted.
    pub player: String,
    /// The other one.
    pub opponent: String,
    /// The side that the player had.
    pub side: &'static str,
    /// The side that won; nothing for a draw.
    pub winner: Option<&'static str>,
    /// The player's points: 0, ½ or 1.
    pub points: f64,
    /// Why it ended.
    pub reason: &'static str,
    /// How many moves there are.
    pub plies: u32,
    /// How many of them were the opening.
    pub opening: u32,
    /// The moves.
    pub moves: Vec<String>,
    /// The samples that the player and its opponent took.
    pub samples: [u64; 2],
    /// How long it took by the clock.
    pub seconds: f64,
    /// What the player and its opponent used, in seconds.
    pub used: [f64; 2],
    /// The names and versions of engines; empty for players of ours.
    pub engines: [String; 2],
    /// The scores that engines gave a game that was counted; empty where they gave none.
    pub scores: [String; 2],
    /// The program that played it.
    pub build: String,
    /// When it began, in seconds since 1970.
    pub began: u64,
    #[serde(skip)]
    ending: Ending,
}

impl GameRecord {
    fn new(experiment: &str, cell: &StoredCell, game: Game, about: Circumstances) -> GameRecord {
        let word = |side: Side| match side {
            Side::Black => "black",
            Side::White => "white",
        };
        GameRecord {
            id: format!("{}-{}", cell.id, game.address.index),
            experiment: experiment.to_owned(),
            cell: cell.id.clone(),
            index: game.address.index,
            game: cell.game.clone(),
            player: cell.player.clone(),
            opponent: cell.opponent.clone(),
            side: word(game.side),
            winner: game.outcome.winner().map(word),
            points: game.points(),
            reason: game.reason.word(),
            plies: game.plies,
            opening: game.opening,
            moves: game.moves.split_whitespace().map(str::to_owned).collect(),
            samples: game.samples,
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

    /// The game as SGF, for those that have a number there. An illegal move that lost it is
    /// told in words.
    pub fn sgf(&self) -> Result<String, NotSgf> {
        let spec: GameSpec = self.game.parse().map_err(|_| NotSgf::Game(self.game.clone()))?;
        let names = [self.player.as_str(), self.opponent.as_str()];
        let [black, white] = if self.side == "black" { names } else { [names[1], names[0]] };
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
        let sgf = Sgf {
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

/// By how many points Black has won a game with these moves and attempts, where points are
/// counted.
pub fn margin(spec: &GameSpec, moves: &[String]) -> Option<f64> {
    let mut position = spec.start().ok()?;
    for mv in moves.iter().filter(|word| !word.starts_with(REFUSED)) {
        position.play(mv).ok()?;
    }
    position.margin()
}

/// Gives every game that was chosen, by experiment, cell and index. One cell's games are in
/// memory at a time. The first error of either side ends it.
pub fn for_each_game<E: From<StoreError>>(
    store: &Store,
    choice: &Choice,
    mut with: impl FnMut(&GameRecord) -> Result<(), E>,
) -> Result<(), E> {
    for stored in store.experiments()? {
        let name = &stored.definition.name;
        if choice.experiment.as_ref().is_some_and(|chosen| chosen != name) {
            continue;
        }
        for cell in store.cells(stored.experiment)?.iter().filter(|cell| choice.only.takes(cell.name())) {
            for game in store.games(stored.experiment, &cell.key)? {
                let about = store.circumstances(&game.address)?.unwrap_or_default();
                with(&GameRecord::new(name, cell, game, about))?;
            }
        }
    }
    Ok(())
}
