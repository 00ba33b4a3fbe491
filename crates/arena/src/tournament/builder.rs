//! A tournament from typed values: what `tesuji tournament` and Python build, and the steps by which
//! files are read.

use tesuji_catalog::{BudgetSpec, ConfidenceLevel, GameSpec};
use tesuji_core::in_shell;
use tesuji_session::Contestant;
use thiserror::Error;

use super::{Sure, Tournament, TournamentFormat, TournamentPair, TournamentPlayer};
use crate::definition::{Definition, quoted};
use crate::matches::{
    BuildError, Grid, GridEntry, MOST_GAMES, MatchExperiment, Openings, Pairing, Purpose, Rules,
};
use crate::ratings::{Anchor, Question};

/// The most players of a tournament.
const MOST_PLAYERS: usize = 200;

/// A tournament from typed values.
///
/// ```
/// use tesuji_arena::{TournamentBuilder, TournamentFormat};
/// let players = ["uct@50", "rave@50", "random"].map(|player| player.parse().unwrap());
/// let builder = TournamentBuilder::new(vec!["hex:5".parse()?], players.to_vec());
/// let experiment = builder.build()?;
/// assert_eq!(experiment.cells.len(), 3);
/// assert_eq!(experiment.cells[0].key, "hex:5: uct@50 against rave@50");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TournamentBuilder {
    /// The experiment's name, which is part of the address of its games. `None` names it after its
    /// games, so that equal pairs of two tournaments on one game play the same games.
    pub name: Option<String>,
    /// The games.
    pub games: Vec<GameSpec>,
    /// The players.
    pub players: Vec<TournamentPlayer>,
    /// Who meets whom.
    pub format: TournamentFormat,
    /// The number of games of a pair on each game, or in each round if the format has rounds. It is
    /// even, since players meet with both sides.
    pub each: u64,
    /// The number from which all random numbers are derived.
    pub seed: u64,
    /// How games begin and end.
    pub rules: Rules,
    /// The player whose rating is fixed.
    pub anchor: Option<Anchor>,
    /// The file from which listed openings were read. If there are such openings and no file, no
    /// command plays the tournament.
    pub openings_file: Option<String>,
}

/// A tournament cannot be built.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum TournamentError {
    /// There are too few or too many players.
    #[error("a tournament has from 2 to {MOST_PLAYERS} players, not {0}")]
    Players(usize),
    /// There is no game.
    #[error("a tournament needs a game")]
    NoGame,
    /// A player is named twice.
    #[error("the player {0} is named twice")]
    Twice(String),
    /// A name cannot be shown, or not be asked about.
    #[error("{0:?} cannot be the name of a player: names are one line, not empty, and have no >")]
    Label(String),
    /// A game is named twice.
    #[error("the game {0} is named twice")]
    GameTwice(String),
    /// The number of games is odd.
    #[error("the games of a pair are an even number, since each opening is played from both sides, not {0}")]
    Odd(u64),
    /// A name stands for no player.
    #[error("there is no player '{name}' in the tournament: the players are {players}")]
    NoPlayer {
        /// The name.
        name: String,
        /// All players.
        players: String,
    },
    /// A question compares a player with itself.
    #[error("the question compares {0} with itself")]
    OnePlayer(String),
    /// Every seed against every seed is no form of a tournament.
    #[error("a tournament has no pairing of seeds")]
    Seeds,
    /// There is no format of this name.
    #[error("'{0}' is not a schedule: the schedules are round-robin, gauntlet, swiss and widest")]
    Format(String),
    /// An option is for another format.
    #[error("{option} is for the schedule {format}")]
    OnlyFor {
        /// The option.
        option: &'static str,
        /// The format that it is for.
        format: &'static str,
    },
    /// The number of rounds is out of range.
    #[error("a Swiss tournament has from 1 to 1000 rounds, not {0}")]
    Rounds(u32),
    /// A text is no question.
    #[error("'{0}' is not a question: write list, first, or A > B with the names of two players")]
    Question(String),
    /// A number says when to stop and is out of range.
    #[error("{0}")]
    Until(String),
    /// A rating is fixed, but not whose.
    #[error("the anchor's rating needs an anchor: name the player whose rating it is")]
    NoAnchor,
    /// The rating of the anchor is out of range.
    #[error("the anchor's rating is a number from -100000 to 100000, not {0}")]
    AnchorElo(f64),
    /// The experiment cannot be built.
    #[error(transparent)]
    Experiment(#[from] BuildError),
}

impl TournamentBuilder {
    /// A round robin with 100 games of each pair, seed 1 and default rules.
    pub fn new(games: Vec<GameSpec>, players: Vec<Contestant>) -> TournamentBuilder {
        let player = |contestant: Contestant| TournamentPlayer { label: contestant.to_string(), contestant };
        TournamentBuilder {
            name: None,
            games,
            players: players.into_iter().map(player).collect(),
            format: TournamentFormat::RoundRobin,
            each: 100,
            seed: 1,
            rules: Rules::default(),
            anchor: None,
            openings_file: None,
        }
    }

    /// Gives a budget to the players that have none of their own.
    #[must_use]
    pub fn budget(mut self, budget: BudgetSpec) -> TournamentBuilder {
        for player in &mut self.players {
            let is_named = player.label != player.contestant.to_string();
            player.contestant = player.contestant.clone().with_default_budget(budget);
            if !is_named {
                player.label = player.contestant.to_string();
            }
        }
        self
    }

    /// The index of the player with this label or spec.
    pub fn player(&self, name: &str) -> Result<usize, TournamentError> {
        let name = name.trim();
        let spec = name.parse::<Contestant>().ok();
        let is_named = |player: &TournamentPlayer| {
            // As it was typed, before it got its budget.
            let budget = player.contestant.player().ok().and_then(|player| player.budget());
            let is_typed = |spec: &Contestant| {
                let with_budget = budget.map(|budget| spec.clone().with_default_budget(budget));
                *spec == player.contestant || with_budget.as_ref() == Some(&player.contestant)
            };
            player.label == name || spec.as_ref().is_some_and(is_typed)
        };
        self.players.iter().position(is_named).ok_or_else(|| TournamentError::NoPlayer {
            name: name.to_owned(),
            players: self.players.iter().map(|player| player.label.as_str()).collect::<Vec<_>>().join(", "),
        })
    }

    /// Reads a question: `list`, `first`, or `A > B`.
    pub fn question(&self, text: &str) -> Result<Question, TournamentError> {
        match text.trim() {
            "list" => Ok(Question::List),
            "first" => Ok(Question::First),
            other => {
                let (a, b) =
                    other.split_once('>').ok_or_else(|| TournamentError::Question(other.to_owned()))?;
                let (a, b) = (self.player(a)?, self.player(b)?);
                match a == b {
                    true => Err(TournamentError::OnePlayer(self.players[a].label.clone())),
                    false => Ok(Question::Ahead(a, b)),
                }
            }
        }
    }

    /// Checks everything, and builds the experiment.
    pub fn build(self) -> Result<MatchExperiment, TournamentError> {
        let games: Vec<String> = self.games.iter().map(ToString::to_string).collect();
        let name = self.name.clone().unwrap_or_else(|| format!("tournament {}", games.join(", ")));
        let definition = Definition { name, text: self.definition_text(), ..Definition::default() };
        let begun = MatchExperiment {
            title: self.title(),
            command: self.command(),
            ..MatchExperiment::begin(definition, self.seed, self.each, self.rules.clone())?
        };
        self.finish(begun, Purpose::Play)
    }

    /// Adds the tournament to an experiment without cells.
    pub(crate) fn finish(
        self,
        mut experiment: MatchExperiment,
        purpose: Purpose,
    ) -> Result<MatchExperiment, TournamentError> {
        self.check()?;
        let TournamentBuilder { games, players, format, anchor, .. } = self;
        let mut pairs = Vec::new();
        for (number, game) in games.iter().enumerate() {
            let mut entries = Vec::new();
            let firsts = if matches!(format, TournamentFormat::Gauntlet) { 1 } else { players.len() };
            for (player, opponent) in
                (0..firsts).flat_map(|first| (first + 1..players.len()).map(move |second| (first, second)))
            {
                let contestant = |index: usize| players[index].contestant.clone();
                let cell =
                    experiment.add_cell(game.clone(), contestant(player), contestant(opponent), purpose)?;
                pairs.push(TournamentPair { cell, player, opponent, game: number });
                entries.push(GridEntry::new(
                    players[player].label.clone(),
                    players[opponent].label.clone(),
                    game.to_string(),
                    cell,
                ));
            }
            let title = if games.len() > 1 { game.to_string() } else { String::new() };
            experiment.grids.push(Grid::new(title, entries));
        }
        experiment.tournament = Some(Tournament { games, players, format, anchor, pairs });
        Ok(experiment.finish()?)
    }

    fn check(&self) -> Result<(), TournamentError> {
        if !(2..=MOST_PLAYERS).contains(&self.players.len()) {
            return Err(TournamentError::Players(self.players.len()));
        }
        if self.games.is_empty() {
            return Err(TournamentError::NoGame);
        }
        if !(1..=MOST_GAMES).contains(&self.each) {
            return Err(BuildError::Games.into());
        }
        if !self.each.is_multiple_of(2) {
            return Err(TournamentError::Odd(self.each));
        }
        if self.rules.pairing == Pairing::Seeds {
            return Err(TournamentError::Seeds);
        }
        for (place, player) in self.players.iter().enumerate() {
            let is_same = |other: &TournamentPlayer| {
                other.contestant == player.contestant || other.label == player.label
            };
            if self.players[..place].iter().any(is_same) {
                return Err(TournamentError::Twice(player.label.clone()));
            }
            let is_spec = player.label == player.contestant.to_string();
            if !is_spec && (player.label.trim().is_empty() || player.label.contains(['\n', '\r', '>'])) {
                return Err(TournamentError::Label(player.label.clone()));
            }
        }
        for (place, game) in self.games.iter().enumerate() {
            if self.games[..place].contains(game) {
                return Err(TournamentError::GameTwice(game.to_string()));
            }
        }
        if let Some(Anchor { elo, .. }) = self.anchor
            && !(-1e5..=1e5).contains(&elo)
        {
            return Err(TournamentError::AnchorElo(elo));
        }
        match self.format {
            TournamentFormat::Swiss { rounds } if !(1..=1000).contains(&rounds) => {
                Err(TournamentError::Rounds(rounds))
            }
            TournamentFormat::Widest { total, .. } if !(1..=MOST_GAMES).contains(&total) => {
                Err(BuildError::Games.into())
            }
            TournamentFormat::Widest { total, .. } if !total.is_multiple_of(2) => {
                Err(TournamentError::Odd(total))
            }
            TournamentFormat::Widest {
                question: Question::List, until: Some(Sure::Confidence(_)), ..
            } => {
                let sentence = "a list is never sure as a whole: give the half-width in Elo with within";
                Err(TournamentError::Until(sentence.to_owned()))
            }
            TournamentFormat::Widest {
                question: Question::First | Question::Ahead(..),
                until: Some(Sure::Within(_)),
                ..
            } => {
                let sentence = "within is for the question list: give the confidence with until";
                Err(TournamentError::Until(sentence.to_owned()))
            }
            TournamentFormat::Widest { until: Some(Sure::Confidence(level)), .. }
                if !(level > 0.5 && level < 1.0) =>
            {
                Err(TournamentError::Until("until is a confidence above 50% and below 100%".to_owned()))
            }
            TournamentFormat::Widest { until: Some(Sure::Within(elo)), .. }
                if !(elo > 0.0 && elo.is_finite()) =>
            {
                Err(TournamentError::Until("within is a number of Elo above 0".to_owned()))
            }
            _ => Ok(()),
        }
    }

    fn title(&self) -> String {
        let games: Vec<String> = self.games.iter().map(ToString::to_string).collect();
        format!("{} players on {}", self.players.len(), games.join(", "))
    }

    /// The words of the format, as options: name and value.
    fn format_words(&self) -> Vec<(&'static str, String)> {
        let mut words = Vec::new();
        if self.format != TournamentFormat::RoundRobin {
            words.push(("schedule", self.format.name().to_owned()));
        }
        match self.format {
            TournamentFormat::RoundRobin | TournamentFormat::Gauntlet => {}
            TournamentFormat::Swiss { rounds } => words.push(("rounds", rounds.to_string())),
            TournamentFormat::Widest { question, total, until } => {
                words.push(("total", total.to_string()));
                match question {
                    Question::List => {}
                    Question::First => words.push(("ask", "first".to_owned())),
                    Question::Ahead(a, b) => {
                        let [a, b] = [a, b].map(|index| self.players[index].label.as_str());
                        words.push(("ask", format!("{a} > {b}")));
                    }
                }
                match until {
                    None => {}
                    Some(Sure::Confidence(level)) => words.push(("until", ConfidenceLevel::text(level))),
                    Some(Sure::Within(elo)) => words.push(("within", elo.to_string())),
                }
            }
        }
        if let Some(Anchor { player, elo }) = self.anchor {
            words.push(("anchor", self.players[player].label.clone()));
            if elo != 0.0 {
                words.push(("anchor-elo", elo.to_string()));
            }
        }
        words
    }

    /// The shell command that plays the tournament. `None` if its openings are in no file, or players
    /// have names that a command cannot give them.
    fn command(&self) -> Option<String> {
        let is_named = |player: &TournamentPlayer| player.label != player.contestant.to_string();
        if self.players.iter().any(is_named) {
            return None;
        }
        let games: Vec<String> = self.games.iter().map(ToString::to_string).collect();
        let mut command = format!("tesuji tournament {}", in_shell(&games.join(",")));
        for player in &self.players {
            command += &format!(" {}", in_shell(&player.label));
        }
        command += &format!(" --games {} --seed {}", self.each, self.seed);
        for (name, value) in self.format_words() {
            // A rating below 0 must not be taken for an option.
            command += &format!(" --{name} {}", in_shell(&value));
        }
        if let Some(name) = &self.name {
            command += &format!(" --name {}", in_shell(name));
        }
        if matches!(self.rules.openings, Openings::Listed(_)) && self.openings_file.is_none() {
            return None;
        }
        command += &self.rules.options(self.openings_file.as_deref());
        Some(command)
    }

    /// The tournament as a file would define it: what a store keeps.
    fn definition_text(&self) -> String {
        let mut text = format!("title = {}\n", quoted(&self.title()));
        if let Some(command) = self.command() {
            text += &format!("command = {}\n", quoted(&command));
        }
        text += &format!("seed = {}\ngames = {}\n", self.seed, self.each);
        let rules = self.rules.definition_words();
        if !rules.is_empty() {
            text += &format!("rules = {{ {} }}\n", rules.join(", "));
        }
        let games: Vec<String> = self.games.iter().map(|game| quoted(&game.to_string())).collect();
        text += &format!("\n[tournament]\ngame = [{}]\nplayers = [\n", games.join(", "));
        for TournamentPlayer { label, contestant } in &self.players {
            let (spec, label) = (quoted(&contestant.to_string()), quoted(label));
            match spec == label {
                true => text += &format!("    {spec},\n"),
                false => text += &format!("    {{ label = {label}, value = {spec} }},\n"),
            }
        }
        text += "]\n";
        for (name, value) in self.format_words() {
            let is_number = matches!(name, "rounds" | "total" | "within" | "anchor-elo");
            let value = if is_number { value } else { quoted(&value) };
            text += &format!("{} = {value}\n", name.replace('-', "_"));
        }
        text
    }
}
