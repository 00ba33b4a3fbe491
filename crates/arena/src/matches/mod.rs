//! Experiments with matches: a grid of cells, each of which is two contestants on one game.
//!
//! The key of a cell says in words what its games depend on; the address of the experiment is a
//! hash of its name, seed and rules. So a game is a function of (address, cell, index), and a
//! file that gets another row, or asks for more games, keeps the games that were played.

mod builder;
mod file;
mod filter;
mod grid;
mod labels;
mod rules;
mod single;

pub use builder::{BuildError, MatchExperimentBuilder, PlayerColumn, Players};
pub(crate) use builder::{MOST_GAMES, Purpose};
pub(crate) use file::RulesFile;
pub use filter::{CellFilter, CellName, CellPattern, PatternError};
pub use rules::{Openings, Pairing, Rules, RulesError, Seeds};
pub use single::{Match, opening_lines};

use tesuji_catalog::{BudgetSpec, GameSpec};
use tesuji_core::Seed;

use crate::definition::Definition;
use crate::published::PublishedRate;
use crate::record::{Address, cell_id};
use crate::tournament::Tournament;
use tesuji_session::Contestant;

/// An experiment with matches.
#[derive(Clone, Debug)]
pub struct MatchExperiment {
    /// The text of the experiment, as a store keeps it.
    pub definition: Definition,
    /// The title.
    pub title: String,
    /// The paper that it repeats: authors, title, year and table.
    pub paper: String,
    /// An introduction for readers, as a template for [`MatchExperiment::text`].
    pub(crate) text: String,
    /// The shell command that plays it, if it has no file and such a command exists.
    pub command: Option<String>,
    /// The address of the experiment: a hash of everything that all its games depend on.
    pub address: Seed,
    /// The number of games of each cell.
    pub games: u64,
    /// How games begin and end.
    pub rules: Rules,
    /// The cells. No two of them are equal.
    pub cells: Vec<Cell>,
    /// The tables of cells.
    pub grids: Vec<Grid>,
    /// The players and who meets whom, if the experiment is a tournament.
    pub tournament: Option<Tournament>,
    /// The smaller version of the experiment, if it defines one.
    pub quick: Option<Box<QuickVersion>>,
}

/// The smaller version of an experiment.
#[derive(Clone, Debug)]
pub struct QuickVersion {
    /// The number of games of each cell.
    pub games: u64,
    /// The budget of all players. Default: each player's own.
    pub budget: Option<BudgetSpec>,
    /// The cells.
    pub cells: CellFilter,
}

/// Two contestants on one game.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Everything that its games depend on except for the experiment's address, in words.
    pub key: String,
    /// The first digits of the cell's address, for people to type.
    pub id: String,
    /// The game.
    pub game: GameSpec,
    /// The contestant whose wins are counted.
    pub player: Contestant,
    /// The other contestant.
    pub opponent: Contestant,
    /// Whether games have a clock, so that they may end differently when they are played again.
    pub is_timed: bool,
}

impl Cell {
    /// A cell of an experiment without a clock.
    pub(crate) fn new(address: Seed, game: GameSpec, player: Contestant, opponent: Contestant) -> Cell {
        let key = format!("{game}: {player} against {opponent}");
        let id = cell_id(address, &key);
        Cell { key, id, game, player, opponent, is_timed: false }
    }

    /// The names by which the cell is chosen.
    pub fn name(&self) -> CellName<'_> {
        CellName { id: &self.id, key: &self.key }
    }

    /// The id of the game with this index, for people to type.
    pub fn game_id(&self, index: u64) -> String {
        format!("{}-{index}", self.id)
    }

    /// Whether games that are played again from the same seeds are the same.
    pub fn is_reproducible(&self) -> bool {
        !self.is_timed && self.player.is_reproducible() && self.opponent.is_reproducible()
    }

    /// Whether games can be paused and continued: they are functions of their addresses, and no
    /// player keeps a tree for its next move.
    pub fn can_pause(&self) -> bool {
        self.is_reproducible() && !self.player.reuses_trees() && !self.opponent.reuses_trees()
    }
}

/// A table of cells.
#[derive(Clone, Debug)]
pub struct Grid {
    /// The title of the table, as a template for [`Grid::title`].
    title: String,
    /// What the columns are.
    pub label: String,
    /// The entries, row by row.
    pub entries: Vec<GridEntry>,
}

/// A cell in a table.
#[derive(Clone, Debug)]
pub struct GridEntry {
    /// The name of the row, as a template for [`GridEntry::row`].
    row: String,
    /// The name of the column, as a template for [`GridEntry::column`].
    column: String,
    /// The panel of the figure, as a template for [`GridEntry::panel`].
    panel: String,
    /// The budget of players without one of their own, if the table has one.
    budget: Option<BudgetSpec>,
    /// The cell's index in [`MatchExperiment::cells`].
    pub cell: usize,
    /// The published rate, if there is one.
    pub published: Option<PublishedRate>,
}

impl Grid {
    /// A table without a name for its columns.
    pub(crate) fn new(title: String, entries: Vec<GridEntry>) -> Grid {
        Grid { title, label: String::new(), entries }
    }
}

impl GridEntry {
    /// A cell of which nothing was published, with the names of its row, its column and its panel.
    pub(crate) fn new(row: String, column: String, panel: String, cell: usize) -> GridEntry {
        GridEntry { row, column, panel, budget: None, cell, published: None }
    }
}

impl MatchExperiment {
    /// The experiment's name.
    pub fn name(&self) -> &str {
        &self.definition.name
    }

    /// The address of a cell, from which its random numbers are derived.
    pub fn cell_address(&self, cell: &Cell) -> Seed {
        match self.rules.seeds {
            Seeds::Own => self.address.child(cell.key.as_str()),
            Seeds::Common => self.address.child("common").child(cell.game.to_string().as_str()),
        }
    }

    /// The address of the game of a cell with this index.
    pub fn game_address(&self, cell: &Cell, index: u64) -> Address {
        Address { experiment: self.address, cell: cell.key.clone(), index }
    }

    /// The smaller version that the experiment defines: fewer cells, fewer games, perhaps fewer
    /// samples. If the samples differ, published rates are shown and not judged. An experiment
    /// without a smaller version stays as it is.
    #[must_use]
    pub fn quickened(mut self) -> MatchExperiment {
        let Some(quick) = self.quick.take() else { return self };
        if let Some(tournament) = &mut self.tournament {
            tournament.quicken(self.games, &quick);
        }
        self.games = quick.games;
        self.retain(&quick.cells);
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
            for entry in entries {
                entry.budget = Some(budget);
                entry.published.iter_mut().for_each(|rate| rate.is_comparable = false);
            }
            self.merge_equal_cells();
        }
        self
    }

    /// Keeps only the cells that the filter takes.
    pub fn retain(&mut self, filter: &CellFilter) {
        let kept: Vec<bool> = self.cells.iter().map(|cell| filter.takes(cell.name())).collect();
        let place = |cell: usize| kept[..cell].iter().filter(|kept| **kept).count();
        for grid in &mut self.grids {
            grid.entries.retain(|entry| kept[entry.cell]);
            grid.entries.iter_mut().for_each(|entry| entry.cell = place(entry.cell));
        }
        self.grids.retain(|grid| !grid.entries.is_empty());
        if let Some(tournament) = &mut self.tournament {
            tournament.pairs.retain(|pair| kept[pair.cell]);
            tournament.pairs.iter_mut().for_each(|pair| pair.cell = place(pair.cell));
        }
        let mut keep = kept.iter();
        self.cells.retain(|_| *keep.next().expect("as many as cells"));
    }

    /// Makes cells with the same key one cell.
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
        let pairs = self.tournament.iter_mut().flat_map(|tournament| &mut tournament.pairs);
        pairs.for_each(|pair| pair.cell = places[pair.cell]);
    }
}
