//! The `[tournament]` table of an experiment file.

use serde::Deserialize;
use tesuji_catalog::{BudgetSpec, ConfidenceLevel, GameSpec};
use tesuji_session::Contestant;

use super::{Sure, TournamentBuilder, TournamentError, TournamentFormat, TournamentPlayer};
use crate::matches::{MatchExperiment, Purpose};
use crate::ratings::{Anchor, Question};
use crate::values::{OneOrMore, ValueFile};

/// The `[tournament]` table of an experiment file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TournamentFile {
    /// A game, or a list of games.
    game: OneOrMore,
    /// Specs, or labels with specs.
    players: Vec<ValueFile>,
    /// For players without a budget of their own.
    budget: Option<ValueFile>,
    schedule: Option<String>,
    /// For a Swiss tournament.
    rounds: Option<u32>,
    /// For the schedule widest: the games of all pairs together.
    total: Option<u64>,
    /// For the schedule widest: the question.
    ask: Option<String>,
    until: Option<String>,
    within: Option<f64>,
    anchor: Option<String>,
    anchor_elo: Option<f64>,
}

/// Who meets whom in a tournament, in the words of files and of the command line.
#[derive(Clone, Copy, Default, Debug)]
pub struct ScheduleWords<'a> {
    /// The [name](TournamentFormat::NAMES) of the format. Default: round-robin.
    pub schedule: Option<&'a str>,
    /// The rounds of a Swiss tournament. Default: enough to tell the best player from the others.
    pub rounds: Option<u32>,
    /// The games of all pairs together, for the schedule widest. Default: as many as in a round
    /// robin.
    pub total: Option<u64>,
    /// The question of the schedule widest: `list`, `first` or `A > B`. Default: list.
    pub ask: Option<&'a str>,
    /// The confidence with which the schedule widest stops, such as `95%`. Default: never.
    pub until: Option<&'a str>,
    /// The half-width of all ratings in Elo with which the schedule widest stops. Default: never.
    pub within: Option<f64>,
}

impl TournamentFile {
    /// Adds the tournament to an experiment without cells.
    pub(crate) fn finish(
        &self,
        experiment: MatchExperiment,
        purpose: Purpose,
    ) -> Result<MatchExperiment, String> {
        let games: Vec<GameSpec> = self
            .game
            .all()
            .iter()
            .map(|game| game.parse())
            .collect::<Result<_, _>>()
            .map_err(|error| format!("{error}"))?;
        let budget: Option<BudgetSpec> = match &self.budget {
            Some(budget) => Some(budget.value().parse().map_err(|error| format!("{error}"))?),
            None => None,
        };
        let player = |value: &ValueFile| {
            let contestant: Contestant = value.value().parse().map_err(|error| format!("{error}"))?;
            let contestant = match budget {
                Some(budget) => contestant.with_default_budget(budget),
                None => contestant,
            };
            let label = match value {
                ValueFile::Labelled { label, .. } => label.clone(),
                _ => contestant.to_string(),
            };
            Ok(TournamentPlayer { label, contestant })
        };
        let builder = TournamentBuilder {
            players: self.players.iter().map(player).collect::<Result<_, String>>()?,
            each: experiment.games,
            rules: experiment.rules.clone(),
            ..TournamentBuilder::new(games, Vec::new())
        };
        let words = ScheduleWords {
            schedule: self.schedule.as_deref(),
            rounds: self.rounds,
            total: self.total,
            ask: self.ask.as_deref(),
            until: self.until.as_deref(),
            within: self.within,
        };
        let made = || -> Result<MatchExperiment, TournamentError> {
            let builder =
                builder.with_schedule(&words)?.with_anchor(self.anchor.as_deref(), self.anchor_elo)?;
            builder.finish(experiment, purpose)
        };
        made().map_err(|error| error.to_string())
    }
}

impl TournamentBuilder {
    /// Sets who meets whom, from words. The players and the number of games of a pair must be known.
    pub fn with_schedule(mut self, words: &ScheduleWords<'_>) -> Result<TournamentBuilder, TournamentError> {
        let ScheduleWords { schedule, rounds, total, ask, until, within } = *words;
        let schedule = schedule.unwrap_or("round-robin");
        let only_for = |option, format, is_given: bool| match schedule != format && is_given {
            true => Err(TournamentError::OnlyFor { option, format }),
            false => Ok(()),
        };
        let n = self.players.len() as u64;
        let format = match schedule {
            "round-robin" => TournamentFormat::RoundRobin,
            "gauntlet" => TournamentFormat::Gauntlet,
            "swiss" => {
                // Enough to tell the best of n players from the others, and one more.
                let usual = n.max(2).next_power_of_two().ilog2() + 1;
                TournamentFormat::Swiss { rounds: rounds.unwrap_or(usual) }
            }
            "widest" => {
                let question = ask.map_or(Ok(Question::List), |ask| self.question(ask))?;
                let pairs = (n * n.saturating_sub(1) / 2).max(1) * self.games.len() as u64;
                let confidence = |text: &str| match text.parse::<ConfidenceLevel>() {
                    Ok(level) => Ok(Sure::Confidence(level.level())),
                    Err(error) => Err(TournamentError::Until(error.to_string())),
                };
                let until = match (until, within) {
                    (None, None) => None,
                    (Some(text), None) => Some(confidence(text)?),
                    (None, Some(elo)) => Some(Sure::Within(elo)),
                    (Some(_), Some(_)) => {
                        let sentence = "until and within are for different questions: give one of them";
                        return Err(TournamentError::Until(sentence.to_owned()));
                    }
                };
                let total = total.unwrap_or_else(|| self.each.saturating_mul(pairs));
                TournamentFormat::Widest { question, total, until }
            }
            other => return Err(TournamentError::Format(other.to_owned())),
        };
        only_for("rounds", "swiss", rounds.is_some())?;
        only_for("total", "widest", total.is_some())?;
        only_for("ask", "widest", ask.is_some())?;
        only_for("until", "widest", until.is_some())?;
        only_for("within", "widest", within.is_some())?;
        self.format = format;
        Ok(self)
    }

    /// Fixes the rating of the player with this name.
    pub fn with_anchor(
        mut self,
        name: Option<&str>,
        elo: Option<f64>,
    ) -> Result<TournamentBuilder, TournamentError> {
        self.anchor = match (name, elo) {
            (Some(name), elo) => Some(Anchor { player: self.player(name)?, elo: elo.unwrap_or(0.0) }),
            (None, Some(_)) => {
                return Err(TournamentError::NoAnchor);
            }
            (None, None) => None,
        };
        Ok(self)
    }
}
