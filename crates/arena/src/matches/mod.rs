//! Experiments by matches: a grid of cells, each two contestants on one game.
//!
//! A cell's key is everything that its games depend on, in words; the experiment's
//! address is a hash of its name, seed and rules. So a game is a function of
//! (address, cell, index), and a file that grows by a row, or asks for more games,
//! keeps the games that were played.

mod file;
mod grid;
mod only;
mod part;
mod rules;
mod versus;

pub use only::{Only, Pattern, PatternError};
pub use part::{NoCells, Part};
pub use rules::{Openings, Pairing, Rules};
pub use versus::{OpeningList, Versus, VersusError, in_shell};

use tesuji_catalog::{BudgetSpec, GameSpec};
use tesuji_core::Seed;

use crate::definition::Definition;
use crate::published::PublishedRate;
use crate::record::{Address, cell_id};
use tesuji_session::Contestant;

/// Matches to be played.
#[derive(Clone, Debug)]
pub struct MatchExperiment {
    /// The file it was read from.
    pub definition: Definition,
    /// What is shown.
    pub title: String,
    /// Authors, work, year and table.
    pub paper: String,
    /// What a reader must know.
    pub text: String,
    /// The command that plays it, where it was asked for on the command line and not in a file.
    pub command: Option<String>,
    /// Its address: everything that all its games depend on.
    pub address: Seed,
    /// Games of each cell.
    pub games: u64,
    /// How games begin and end.
    pub rules: Rules,
    /// The cells, each once.
    pub cells: Vec<Cell>,
    /// The tables in which they stand.
    pub grids: Vec<Grid>,
    /// The experiment for those in a hurry.
    pub quick: Option<Quick>,
}

/// What is left of an experiment for those in a hurry.
#[derive(Clone, Debug)]
pub struct Quick {
    /// Games of each cell.
    pub games: u64,
    /// A budget instead of the players' own.
    pub budget: Option<BudgetSpec>,
    /// The cells.
    pub only: Only,
}

/// Two contestants on one game.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Everything that its games depend on beside the experiment's address.
    pub key: String,
    /// The first digits of its address: a name for people to type.
    pub id: String,
    /// What is played.
    pub game: GameSpec,
    /// Whose wins are counted.
    pub player: Contestant,
    /// The other one.
    pub opponent: Contestant,
    /// Whether a clock runs, so that the same game may end otherwise.
    pub is_timed: bool,
}

impl Cell {
    /// A cell of an experiment without a clock.
    pub(crate) fn new(address: Seed, game: GameSpec, player: Contestant, opponent: Contestant) -> Cell {
        let key = format!("{game}: {player} against {opponent}");
        let id = cell_id(address, &key);
        Cell { key, id, game, player, opponent, is_timed: false }
    }

    /// The name of one of its games.
    pub fn game_id(&self, index: u64) -> String {
        format!("{}-{index}", self.id)
    }

    /// Whether the same games come out again from the same seeds.
    pub fn is_reproducible(&self) -> bool {
        !self.is_timed && self.player.is_reproducible() && self.opponent.is_reproducible()
    }
}

/// A table of cells.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Above it.
    pub title: String,
    /// What the columns are.
    pub label: String,
    /// Row by row.
    pub entries: Vec<Entry>,
}

/// A cell in a table.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The row's name.
    pub row: String,
    /// The column's name.
    pub column: String,
    /// The panel of the figure.
    pub panel: String,
    /// Its place in [`MatchExperiment::cells`].
    pub cell: usize,
    /// What was published.
    pub published: Option<PublishedRate>,
}

impl MatchExperiment {
    /// The experiment's name.
    pub fn name(&self) -> &str {
        &self.definition.name
    }

    /// The address of a cell: where its random numbers begin.
    pub fn cell_address(&self, cell: &Cell) -> Seed {
        self.address.child(cell.key.as_str())
    }

    /// Where a game of a cell stands.
    pub fn game_address(&self, cell: &Cell, index: u64) -> Address {
        Address { experiment: self.address, cell: cell.key.clone(), index }
    }

    /// The same for those in a hurry: fewer cells, fewer games, perhaps fewer samples.
    /// Where samples differ, published rates are shown and not judged.
    #[must_use]
    pub fn quickened(mut self) -> MatchExperiment {
        let Some(quick) = self.quick.take() else { return self };
        self.games = quick.games;
        self.retain(&quick.only);
        if let Some(budget) = quick.budget {
            for cell in &mut self.cells {
                let (player, opponent) = (cell.player.clone(), cell.opponent.clone());
                let (player, opponent) =
                    (player.with_other_budget(budget), opponent.with_other_budget(budget));
                *cell = Cell {
                    is_timed: cell.is_timed,
                    ..Cell::new(self.address, cell.game.clone(), player, opponent)
                };
            }
            let entries = self.grids.iter_mut().flat_map(|grid| &mut grid.entries);
            entries.filter_map(|entry| entry.published.as_mut()).for_each(|rate| rate.is_comparable = false);
            self.merge_equal_cells();
        }
        self
    }

    /// Keeps the cells that were asked for.
    pub fn retain(&mut self, only: &Only) {
        let kept: Vec<bool> = self.cells.iter().map(|cell| only.takes(cell)).collect();
        let place = |cell: usize| kept[..cell].iter().filter(|kept| **kept).count();
        for grid in &mut self.grids {
            grid.entries.retain(|entry| kept[entry.cell]);
            grid.entries.iter_mut().for_each(|entry| entry.cell = place(entry.cell));
        }
        self.grids.retain(|grid| !grid.entries.is_empty());
        let mut keep = kept.iter();
        self.cells.retain(|_| *keep.next().expect("as many as cells"));
    }

    /// Cells that ask for the same games are one.
    fn merge_equal_cells(&mut self) {
        let mut merged: Vec<Cell> = Vec::new();
        let mut places = Vec::new();
        for cell in self.cells.drain(..) {
            let place = merged.iter().position(|other| other.key == cell.key);
            places.push(place.unwrap_or(merged.len()));
            if place.is_none() {
                merged.push(cell);
            }
        }
        self.cells = merged;
        let entries = self.grids.iter_mut().flat_map(|grid| &mut grid.entries);
        entries.for_each(|entry| entry.cell = places[entry.cell]);
    }
}
