//! A tuning as an experiment: a game, a player with holes, its opponents, and how many games there are.
//!
//! Each candidate has a cell for each opponent, with the tuning's own address, in which games of equal
//! index share their random numbers. So candidates play the same openings, and what differs between
//! them is what they do. The games that confirm the result have another address, so their random
//! numbers are fresh.

use std::collections::BTreeMap;

use serde::Deserialize;
use tesuji_bandit::PolicySpec;
use tesuji_catalog::{BudgetSpec, ConfidenceLevel, GameSpec, PlayerError};
use tesuji_core::{Seed, in_shell};
use tesuji_session::Contestant;
use thiserror::Error;

use super::{Range, RangeError, Sureness, Template, TemplateError, TuneError, Tuner, TunerSettings};
use crate::definition::{Definition, ExperimentError, quoted};
use crate::matches::{BuildError, MatchExperiment, Openings, Pairing, Purpose, Rules, RulesFile, Seeds};
use crate::values::{OneOrMore, ValueFile};

/// A tuning.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The text of the experiment, as a store keeps it.
    pub definition: Definition,
    /// The title.
    pub title: String,
    /// The shell command that plays it, if it has no file and such a command exists.
    pub command: Option<String>,
    /// The game.
    pub game: GameSpec,
    /// The player, with holes.
    pub template: Template,
    /// The budget of the player and its opponents if they have none of their own.
    pub budget: Option<BudgetSpec>,
    /// The opponents, who play in turn.
    pub against: Vec<Contestant>,
    /// The number from which all random numbers are derived.
    pub seed: u64,
    /// How games begin and end.
    pub rules: Rules,
    /// How the games are spent.
    pub settings: TunerSettings,
    /// The number of fresh games of each finalist against all opponents together, and of the first
    /// against the default. 0 confirms nothing.
    pub confirm: u64,
    /// The number of candidates that play fresh games.
    pub finalists: usize,
}

/// The most finalists.
const MOST_FINALISTS: usize = 100;

/// A tuning cannot be built.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum TuningError {
    /// The player's text has no holes, or wrong ones.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// A range of a hole is wrong.
    #[error("the range of {name}: {error}")]
    Range {
        /// The parameter.
        name: String,
        /// What is wrong.
        error: RangeError,
    },
    /// The settings of the tuner are wrong.
    #[error(transparent)]
    Tuner(#[from] TuneError),
    /// There is no opponent.
    #[error("tuning needs an opponent: name one with against")]
    NoOpponent,
    /// Numbers of games are odd.
    #[error("{0} games are no pairs: games are played in pairs, each opening from both sides")]
    Odd(u64),
    /// There are too many finalists, or none.
    #[error("there are from 1 to {MOST_FINALISTS} finalists, not {0}")]
    Finalists(usize),
    /// Every seed against every seed is no form of a tuning.
    #[error("tuning has no pairing of seeds")]
    Seeds,
    /// A number says when to stop and is wrong.
    #[error("{0}")]
    Until(String),
    /// A candidate cannot play.
    #[error("{0}")]
    Candidate(String),
    /// The games cannot be played.
    #[error(transparent)]
    Experiment(#[from] BuildError),
}

/// The file of a tuning.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: String,
    command: Option<String>,
    seed: u64,
    /// The games of all candidates together.
    games: u64,
    #[serde(default)]
    rules: RulesFile,
    tune: TuneFile,
}

/// The `[tune]` table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TuneFile {
    game: String,
    player: String,
    against: OneOrMore,
    budget: Option<ValueFile>,
    policy: Option<String>,
    generations: Option<u64>,
    candidates: Option<usize>,
    until: Option<String>,
    within: Option<f64>,
    confirm: Option<u64>,
    finalists: Option<usize>,
    #[serde(default)]
    ranges: BTreeMap<String, String>,
}

impl Tuning {
    /// The default number of finalists.
    pub const FINALISTS: usize = 3;

    /// A tuning with this number of games, 1,000 games to confirm its result, and default settings.
    pub fn new(game: GameSpec, template: Template, against: Vec<Contestant>, games: u64) -> Tuning {
        Tuning {
            definition: Definition::default(),
            title: String::new(),
            command: None,
            game,
            template,
            budget: None,
            against,
            seed: 1,
            rules: Rules::default(),
            settings: TunerSettings::of(games / 2),
            confirm: 1000,
            finalists: Tuning::FINALISTS,
        }
    }

    /// Reads a tuning from the text of its file.
    pub(crate) fn parse(definition: Definition) -> Result<Tuning, ExperimentError> {
        let file: File = definition.parse()?;
        let tuning = || -> Result<Tuning, String> {
            let text = |error: &dyn std::fmt::Display| error.to_string();
            let TuneFile { game, player, against, budget, .. } = &file.tune;
            let ranges: BTreeMap<String, Range> = file
                .tune
                .ranges
                .iter()
                .map(|(name, range)| {
                    let wrong = |error| TuningError::Range { name: name.clone(), error };
                    Ok((name.clone(), range.parse().map_err(wrong)?))
                })
                .collect::<Result<_, TuningError>>()
                .map_err(|error| text(&error))?;
            let template = Template::with_ranges(player, &ranges).map_err(|error| text(&error))?;
            let against: Vec<Contestant> = against
                .all()
                .iter()
                .map(|it| it.parse())
                .collect::<Result<_, _>>()
                .map_err(|error| text(&error))?;
            let game = game.parse().map_err(|error| text(&error))?;
            let plain = Tuning::new(game, template, against, file.games);
            let budget: Option<BudgetSpec> = match budget {
                Some(budget) => Some(budget.value().parse().map_err(|error| text(&error))?),
                None => None,
            };
            let policy: PolicySpec = match &file.tune.policy {
                Some(policy) => policy.parse().map_err(|error| text(&error))?,
                None => plain.settings.policy.clone(),
            };
            let settings = TunerSettings {
                policy,
                generations: file.tune.generations,
                candidates: file.tune.candidates,
                until: sureness(file.tune.until.as_deref(), file.tune.within)
                    .map_err(|error| text(&error))?,
                ..plain.settings.clone()
            };
            if file.games % 2 == 1 {
                return Err(text(&TuningError::Odd(file.games)));
            }
            let tuning = Tuning {
                title: file.title.clone(),
                command: file.command.clone(),
                budget,
                seed: file.seed,
                rules: file.rules.rules()?,
                settings,
                confirm: file.tune.confirm.unwrap_or(plain.confirm),
                finalists: file.tune.finalists.unwrap_or(plain.finalists),
                ..plain
            };
            tuning.checked().map_err(|error| text(&error))
        };
        let tuning = tuning().map_err(|reason| definition.wrong(reason))?;
        Ok(Tuning { definition, ..tuning })
    }

    /// Checks everything, and gives a tuning that no file defines its definition.
    pub fn build(self, openings_file: Option<&str>) -> Result<Tuning, TuningError> {
        let opponents: Vec<String> = self.against.iter().map(ToString::to_string).collect();
        let title = format!("{} on {} against {}", self.template, self.game, opponents.join(", "));
        let named = Tuning { title, ..self.checked()? };
        let named = Tuning { command: named.command(openings_file), ..named };
        let name = format!("tune {}: {}", named.game, named.template);
        let definition = Definition { name, text: named.definition_text(), ..Definition::default() };
        Ok(Tuning { definition, ..named })
    }

    fn checked(mut self) -> Result<Tuning, TuningError> {
        if self.against.is_empty() {
            return Err(TuningError::NoOpponent);
        }
        if !self.confirm.is_multiple_of(2) {
            return Err(TuningError::Odd(self.confirm));
        }
        if !(1..=MOST_FINALISTS).contains(&self.finalists) {
            return Err(TuningError::Finalists(self.finalists));
        }
        if self.rules.pairing == Pairing::Seeds {
            return Err(TuningError::Seeds);
        }
        self.rules.seeds = Seeds::Common;
        // Whoever cannot play should hear of it now.
        self.example()?;
        Ok(self)
    }

    /// The name of the experiment.
    pub fn name(&self) -> &str {
        &self.definition.name
    }

    /// The tuner before its first game.
    pub fn tuner(&self) -> Result<Tuner, TuneError> {
        let seed = Seed::new(self.seed).child("tuner");
        let settings = TunerSettings { seed, ..self.settings.clone() };
        Tuner::new(self.template.space(), self.template.start(), settings)
    }

    /// The first candidate against each opponent, to check who can play.
    pub fn example(&self) -> Result<MatchExperiment, TuningError> {
        let mut experiment = self.without_cells()?;
        let tuner = self.tuner()?;
        let first = tuner.candidates().first().map(|candidate| self.template.text_of(candidate));
        self.add_cells(&mut experiment, &first.unwrap_or_else(|| self.template.default_text()))?;
        Ok(experiment)
    }

    /// The experiment of the games of candidates, without its cells.
    pub fn without_cells(&self) -> Result<MatchExperiment, BuildError> {
        let games = (2 * self.settings.pairs).max(1);
        let begun = MatchExperiment::begin(self.definition.clone(), self.seed, games, self.rules.clone())?;
        Ok(MatchExperiment { title: self.title.clone(), command: self.command.clone(), ..begun })
    }

    /// Adds the cells of a candidate, one for each opponent. Returns the index of the first.
    pub(super) fn add_cells(
        &self,
        experiment: &mut MatchExperiment,
        candidate: &str,
    ) -> Result<usize, TuningError> {
        let first = experiment.cells.len();
        let player = self.contestant(candidate)?;
        for opponent in &self.against {
            let opponent = self.with_budget(opponent.clone());
            experiment.add_cell(self.game.clone(), player.clone(), opponent, Purpose::Play)?;
        }
        Ok(first)
    }

    /// A candidate as a contestant.
    pub(super) fn contestant(&self, candidate: &str) -> Result<Contestant, TuningError> {
        let parsed: Result<Contestant, _> = candidate.parse();
        parsed.map(|contestant| self.with_budget(contestant)).map_err(|error| {
            TuningError::Candidate(format!("the candidate {candidate} cannot play: {error}"))
        })
    }

    pub(super) fn with_budget(&self, contestant: Contestant) -> Contestant {
        match self.budget {
            Some(budget) => contestant.with_default_budget(budget),
            None => contestant,
        }
    }

    /// The options beyond the game, the player and the opponents: name and value.
    fn words(&self) -> Vec<(&'static str, String)> {
        let usual = TunerSettings::of(1);
        let TunerSettings { policy, generations, candidates, until, .. } = &self.settings;
        let mut words = Vec::new();
        words.extend((*policy != usual.policy).then(|| ("policy", policy.to_string())));
        words.extend(generations.map(|number| ("generations", number.to_string())));
        words.extend(candidates.map(|number| ("candidates", number.to_string())));
        if let Some(Sureness { level, within }) = until {
            words.push(("until", ConfidenceLevel::text(*level)));
            words.push(("within", within.to_string()));
        }
        words.push(("confirm", self.confirm.to_string()));
        words
            .extend((self.finalists != Tuning::FINALISTS).then(|| ("finalists", self.finalists.to_string())));
        words
    }

    /// The shell command that plays the tuning. `None` if its openings are in no file.
    fn command(&self, openings_file: Option<&str>) -> Option<String> {
        if matches!(self.rules.openings, Openings::Listed(_)) && openings_file.is_none() {
            return None;
        }
        let words = [self.game.to_string(), self.template.to_string()];
        let mut command = format!("tesuji tune {}", words.map(|word| in_shell(&word)).join(" "));
        for opponent in &self.against {
            command += &format!(" --against {}", in_shell(&opponent.to_string()));
        }
        if let Some(budget) = self.budget {
            command += &format!(" --budget {}", in_shell(&budget.to_string()));
        }
        command += &format!(" --games {} --seed {}", 2 * self.settings.pairs, self.seed);
        for (name, value) in self.words() {
            command += &format!(" --{name} {}", in_shell(&value));
        }
        Some(command + &self.rules.options(openings_file))
    }

    /// The tuning as a file would define it.
    fn definition_text(&self) -> String {
        let mut text = format!("title = {}\n", quoted(&self.title));
        if let Some(command) = &self.command {
            text += &format!("command = {}\n", quoted(command));
        }
        text += &format!("seed = {}\ngames = {}\n", self.seed, 2 * self.settings.pairs);
        text += &format!("rules = {{ {} }}\n", self.rules.definition_words().join(", "));
        let against: Vec<String> = self.against.iter().map(|it| quoted(&it.to_string())).collect();
        text += &format!(
            "\n[tune]\ngame = {}\nplayer = {}\nagainst = [{}]\n",
            quoted(&self.game.to_string()),
            quoted(&self.template.to_string()),
            against.join(", ")
        );
        if let Some(budget) = self.budget {
            text += &format!("budget = {}\n", quoted(&budget.to_string()));
        }
        for (name, value) in self.words() {
            let value = if matches!(name, "policy" | "until") { quoted(&value) } else { value };
            text += &format!("{name} = {value}\n");
        }
        text
    }

    /// The experiment in which finalists play fresh games: against the same opponents in the first
    /// table, the first finalist against the default in the second.
    pub(super) fn confirmation(
        &self,
        finalists: &[String],
        default: Option<&str>,
    ) -> Result<MatchExperiment, TuningError> {
        let name = format!("{}, confirmed", self.definition.name);
        let mut text =
            format!("title = {}\nseed = {}\n", quoted(&format!("{}: fresh games", self.title)), self.seed);
        // The tuning plays them: its own command, or its file where those of experiments are.
        let usual = || format!("tesuji run {}", in_shell(&format!("experiments/{}.toml", self.name())));
        text += &format!("command = {}\n", quoted(&self.command.clone().unwrap_or_else(usual)));
        let each = self.confirm_each();
        text += &format!("games = {each}\nrules = {{ {} }}\n", self.rules.definition_words().join(", "));
        let spec = |contestant: &Contestant| quoted(&contestant.to_string());
        let players: Vec<Contestant> = finalists
            .iter()
            .map(String::as_str)
            .chain(default)
            .map(|text| self.contestant(text))
            .collect::<Result<_, _>>()?;
        let opponents: Vec<Contestant> = self.against.iter().map(|it| self.with_budget(it.clone())).collect();
        let list = |all: &[Contestant]| all.iter().map(spec).collect::<Vec<_>>().join(", ");
        text += &format!(
            "\n[[grid]]\ntitle = \"Finalists on fresh games\"\ngame = {}\nplayer = \"{{player}}\"\nopponent = \"{{opponent}}\"\n\
             row = \"{{player}}\"\ncolumn = \"{{opponent}}\"\n\
             each = [{{ name = \"player\", values = [{}] }}, {{ name = \"opponent\", values = [{}] }}]\n",
            quoted(&self.game.to_string()),
            list(&players),
            list(&opponents),
        );
        if default.is_some() && !finalists.is_empty() {
            let (winner, default) = (&players[0], &players[players.len() - 1]);
            text += &format!(
                "\n[[grid]]\ntitle = \"The first finalist against the default\"\ngame = {}\nplayer = {}\nopponent = {}\n",
                quoted(&self.game.to_string()),
                spec(winner),
                spec(default),
            );
        }
        MatchExperiment::parse(Definition { name, text, ..Definition::default() })
            .map_err(|error| TuningError::Candidate(error.to_string()))
    }

    /// The fresh games of a finalist against one opponent, rounded up to whole pairs.
    pub(super) fn confirm_each(&self) -> u64 {
        (self.confirm / 2).div_ceil(self.against.len() as u64) * 2
    }
}

/// Reads when a tuning stops before its budget is spent: a level such as `95%`, and by how much the
/// win rate may be below the best.
pub fn sureness(until: Option<&str>, within: Option<f64>) -> Result<Option<Sureness>, TuningError> {
    let wrong = |sentence: String| Err(TuningError::Until(sentence));
    match (until, within) {
        (None, None) => Ok(None),
        (None, Some(_)) => wrong("within needs until: give the confidence too, such as 95%".to_owned()),
        (Some(text), within) => {
            let level: ConfidenceLevel =
                text.parse().map_err(|error: PlayerError| TuningError::Until(error.to_string()))?;
            Ok(Some(Sureness { level: level.level(), within: within.unwrap_or(0.01) }))
        }
    }
}
