//! Match experiments from typed values, and the checks that all match experiments pass.
//!
//! Programs fill in a [`MatchExperimentBuilder`]; experiment files go through `grid.rs`. Both
//! end in the same three steps: [`MatchExperiment::begin`], `add_cell`, `finish`. The text of
//! an experiment that a program made is written once, for the store, and read only by whoever
//! opens that store later.

use tesuji_catalog::GameSpec;
use tesuji_core::{Seed, in_shell};
use thiserror::Error;

use super::rules::RulesError;
use super::{Cell, Grid, GridEntry, MatchExperiment, Openings, Pairing, Rules, Seeds};
use crate::definition::{Definition, quoted};
use tesuji_session::{CannotPlay, Contestant, MissingBook};

/// The largest number of games of a cell. Larger numbers are taken for typing errors.
pub(crate) const MOST_GAMES: u64 = 1_000_000_000;

/// A match experiment to be built from typed values: one game, one opponent, and one or more
/// players that each play against that opponent.
#[derive(Clone, Debug)]
pub struct MatchExperimentBuilder {
    /// The experiment's name, which is part of the address of its games.
    pub name: String,
    /// The title above its tables.
    pub title: String,
    /// The shell command that plays this experiment, if there is one.
    pub command: Option<String>,
    /// The number from which all random numbers are derived.
    pub seed: u64,
    /// The number of games of each cell.
    pub games: u64,
    /// How games begin and end.
    pub rules: Rules,
    /// The game.
    pub game: GameSpec,
    /// The players whose wins are counted.
    pub players: Players,
    /// The opponent of every player.
    pub opponent: Contestant,
}

/// The players of a [`MatchExperimentBuilder`].
#[derive(Clone, Debug)]
pub enum Players {
    /// One player: the experiment has one cell.
    One(Contestant),
    /// Several players: each is a cell, and a column of a table.
    Table {
        /// The title of the table.
        title: String,
        /// The players, in the order of the columns.
        columns: Vec<PlayerColumn>,
    },
}

/// A player and the name of its column.
#[derive(Clone, Debug)]
pub struct PlayerColumn {
    /// The name of the column.
    pub label: String,
    /// The player.
    pub player: Contestant,
}

/// The greatest seed of an experiment: the greatest whole number of TOML, in which stores keep experiments.
pub(crate) const MOST_SEED: u64 = i64::MAX as u64;

/// What an experiment is made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// To play it: everything that the contestants need exists.
    Play,
    /// To read its stored games: networks may be gone.
    Read,
}

/// A match experiment cannot be built.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum BuildError {
    /// The number of games is out of range.
    #[error("games are from 1 to {MOST_GAMES}")]
    Games,
    /// The seed is out of range.
    #[error("a seed is a whole number from 0 to {MOST_SEED}")]
    Seed,
    /// The rules contradict each other, or do not suit the game.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// A contestant cannot play the game.
    #[error(transparent)]
    Contestant(#[from] CannotPlay),
    /// The book of a portfolio is missing.
    #[error(transparent)]
    Book(#[from] MissingBook),
    /// Seeds are to be paired, and a contestant has none.
    #[error("{contestant} has no seeds to pair: name one of our players with a number of samples")]
    NoSeeds {
        /// The contestant.
        contestant: String,
    },
    /// There is nothing to play.
    #[error("it has no cells")]
    NoCells,
    /// The quick version of the experiment is empty.
    #[error("quick: no cell has the words of only")]
    NoQuickCells,
}

impl MatchExperimentBuilder {
    /// Checks everything, and builds the experiment.
    pub fn build(self) -> Result<MatchExperiment, BuildError> {
        let text = self.definition_text();
        let MatchExperimentBuilder { name, title, command, seed, games, rules, game, players, opponent } =
            self;
        let definition = Definition { name, text, ..Definition::default() };
        let empty =
            MatchExperiment { title, command, ..MatchExperiment::begin(definition, seed, games, rules)? };
        let mut experiment = empty;
        let (title, columns) = match players {
            Players::One(player) => {
                let label = player.to_string();
                (String::new(), vec![PlayerColumn { label, player }])
            }
            Players::Table { title, columns } => (title, columns),
        };
        let mut entries = Vec::new();
        for PlayerColumn { label, player } in columns {
            let cell = experiment.add_cell(game.clone(), player, opponent.clone(), Purpose::Play)?;
            let row = game.to_string();
            let panel = row.clone();
            entries.push(GridEntry::new(row, label, panel, cell));
        }
        experiment.grids.push(Grid::new(title, entries));
        experiment.finish()
    }

    /// The experiment as a file would define it: what a store keeps, byte for byte.
    fn definition_text(&self) -> String {
        let MatchExperimentBuilder { title, command, seed, games, rules, game, players, opponent, .. } = self;
        let mut text = format!("title = {}\n", quoted(title));
        if let Some(command) = command {
            text += &format!("command = {}\n", quoted(command));
        }
        text += &format!("seed = {seed}\ngames = {games}\n");
        let rules = rules.definition_words();
        // An experiment that a command plays has this line even if it is empty.
        if !rules.is_empty() || command.is_some() {
            text += &format!("rules = {{ {} }}\n", rules.join(", "));
        }
        text += "\n[[grid]]\n";
        let (game, opponent) = (quoted(&game.to_string()), quoted(&opponent.to_string()));
        match players {
            Players::One(player) => {
                let player = quoted(&player.to_string());
                text += &format!("game = {game}\nplayer = {player}\nopponent = {opponent}\n");
            }
            Players::Table { title, columns } => {
                let value = |PlayerColumn { label, player }: &PlayerColumn| {
                    format!("{{ label = {}, value = {} }}", quoted(label), quoted(&player.to_string()))
                };
                let values: Vec<String> = columns.iter().map(value).collect();
                text += &format!(
                    "title = {}\ngame = {game}\nplayer = \"{{player}}\"\nopponent = {opponent}\n\
                     column = \"{{player}}\"\neach = [{{ name = \"player\", values = [{}] }}]\n",
                    quoted(title),
                    values.join(", ")
                );
            }
        }
        text
    }
}

/// The steps by which every match experiment is made, from a file or from typed values.
impl MatchExperiment {
    /// An experiment without cells. Its address follows from its name, its seed and its rules.
    pub(crate) fn begin(
        definition: Definition,
        seed: u64,
        games: u64,
        rules: Rules,
    ) -> Result<MatchExperiment, BuildError> {
        if !(1..=MOST_GAMES).contains(&games) {
            return Err(BuildError::Games);
        }
        if seed > MOST_SEED {
            return Err(BuildError::Seed);
        }
        rules.check()?;
        let rules = rules.simplified();
        let root = Seed::new(seed).child("experiment").child(definition.name.as_str());
        Ok(MatchExperiment {
            definition,
            title: String::new(),
            paper: String::new(),
            text: String::new(),
            command: None,
            address: root.child(rules.to_string().as_str()),
            games,
            rules,
            cells: Vec::new(),
            grids: Vec::new(),
            tournament: None,
            quick: None,
        })
    }

    /// Adds a cell after checking that both contestants can play the game by the rules, or could
    /// when it was played. Returns its place in [`MatchExperiment::cells`].
    pub(crate) fn add_cell(
        &mut self,
        game: GameSpec,
        player: Contestant,
        opponent: Contestant,
        purpose: Purpose,
    ) -> Result<usize, BuildError> {
        for contestant in [&player, &opponent] {
            match purpose {
                Purpose::Play => contestant.check(&game)?,
                Purpose::Read => contestant.check_stored(&game)?,
            }
            let has_seeds = matches!(contestant, Contestant::Player(_) | Contestant::Turned(..));
            if self.rules.pairing == Pairing::Seeds && !(has_seeds && contestant.is_reproducible()) {
                return Err(BuildError::NoSeeds { contestant: contestant.to_string() });
            }
        }
        self.rules.check_openings(&game)?;
        let is_timed = self.rules.clock.is_some();
        self.cells.push(Cell { is_timed, ..Cell::new(self.address, game, player, opponent) });
        Ok(self.cells.len() - 1)
    }

    /// Merges equal cells, and checks that there is something to play.
    pub(crate) fn finish(mut self) -> Result<MatchExperiment, BuildError> {
        if self.cells.is_empty() {
            return Err(BuildError::NoCells);
        }
        self.merge_equal_cells();
        match &self.quick {
            Some(quick) if !self.cells.iter().any(|cell| quick.cells.takes(cell.name())) => {
                Err(BuildError::NoQuickCells)
            }
            _ => Ok(self),
        }
    }
}

impl Rules {
    /// The rules as the `rules` table of an experiment file writes them, one item for each.
    pub(crate) fn definition_words(&self) -> Vec<String> {
        let mut words = Vec::new();
        if self.pairing == Pairing::Seeds {
            words.push("pairing = \"seeds\"".to_owned());
        }
        if self.seeds == Seeds::Common {
            words.push("seeds = \"common\"".to_owned());
        }
        match &self.openings {
            Openings::None => {}
            Openings::Random(plies) => words.push(format!("random_plies = {plies}")),
            Openings::Listed(openings) => words.push(format!("openings = {}", quoted(openings))),
        }
        words.extend(self.most_moves.map(|moves| format!("most_moves = {moves}")));
        // As a number with a point: TOML distinguishes 0 from 0.0.
        words.extend(self.resign_below.map(|share| format!("resign_below = {share:?}")));
        words.extend(self.claim_above.map(|share| format!("claim_above = {share:?}")));
        words.extend(self.clock.map(|clock| format!("clock = {}", quoted(&clock.to_string()))));
        words
    }
}

impl Rules {
    /// The rules as options of the command line. Listed openings are those of a file.
    pub(crate) fn options(&self, openings_file: Option<&str>) -> String {
        let openings = match &self.openings {
            Openings::None => None,
            Openings::Random(plies) => Some(("random-plies", plies.to_string())),
            Openings::Listed(_) => openings_file.map(|file| ("openings", file.to_owned())),
        };
        let others = [
            ("most-moves", self.most_moves.map(|moves| moves.to_string())),
            ("resign-below", self.resign_below.map(|share| share.to_string())),
            ("claim-above", self.claim_above.map(|share| share.to_string())),
            ("clock", self.clock.map(|clock| clock.to_string())),
        ];
        let others = others.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let words = openings.into_iter().chain(others);
        words.map(|(name, value)| format!(" --{name} {}", in_shell(&value))).collect()
    }
}
