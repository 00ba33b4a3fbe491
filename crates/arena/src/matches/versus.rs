//! A match that is asked for in words, and not in a file: two contestants on one game.
//!
//! It becomes the [`Definition`] of an experiment of one cell. Who asks, the command line or
//! a program, has no part in it: the same match is the same experiment, with the same games.

use serde::Serialize;
use tesuji_catalog::{BudgetSpec, GameSpec};
use tesuji_core::TimeControl;
use thiserror::Error;

use super::MatchExperiment;
use crate::definition::{Definition, ExperimentError};
use tesuji_session::Contestant;

/// A match.
///
/// ```
/// use tesuji_arena::Versus;
/// let versus = Versus::new("hex:5".parse()?, "rave".parse()?, "random".parse()?).budget("500".parse()?);
/// let experiment = versus.experiment()?;
/// assert_eq!(experiment.cells[0].key, "hex:5: rave@500 against random");
/// assert_eq!(experiment.command.unwrap(), "tesuji match hex:5 rave@500 random --seed 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Versus {
    /// What is played.
    pub game: GameSpec,
    /// Whose wins are counted.
    pub player: Contestant,
    /// The other one.
    pub opponent: Contestant,
    /// How many games.
    pub games: u64,
    /// Where the random numbers begin.
    pub seed: u64,
    /// Random moves before the players begin.
    pub random_plies: Option<u32>,
    /// Openings that are played from both sides.
    pub openings: Option<OpeningList>,
    /// A game of so many moves is a draw.
    pub most_moves: Option<u32>,
    /// A player of ours resigns that expects less than this share in three moves running.
    pub resign_below: Option<f64>,
    /// A game is given to a player of ours that expects more than this share in three moves
    /// running, if its opponent expects less than the rest.
    pub claim_above: Option<f64>,
    /// The time of each side.
    pub clock: Option<TimeControl>,
}

/// Openings, and where they are from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OpeningList {
    /// The moves of each, with blanks between them.
    pub openings: Vec<String>,
    /// The file that they were read from. Without it no command plays the match.
    pub file: Option<String>,
}

impl OpeningList {
    /// Reads the text of a file: an opening on each line, lines with # are for people.
    pub fn parse(text: &str, file: &str) -> OpeningList {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        OpeningList { openings: lines.map(str::to_owned).collect(), file: Some(file.to_owned()) }
    }
}

/// There is no such match: a sentence that says why.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct VersusError(String);

impl Versus {
    /// A hundred games between the two, from the beginning to the end.
    pub fn new(game: GameSpec, player: Contestant, opponent: Contestant) -> Versus {
        Versus {
            game,
            player,
            opponent,
            games: 100,
            seed: 1,
            random_plies: None,
            openings: None,
            most_moves: None,
            resign_below: None,
            claim_above: None,
            clock: None,
        }
    }

    /// The same with a budget for those that have none of their own.
    #[must_use]
    pub fn budget(self, budget: BudgetSpec) -> Versus {
        let (player, opponent) = (self.player.clone(), self.opponent.clone());
        Versus {
            player: player.with_default_budget(budget),
            opponent: opponent.with_default_budget(budget),
            ..self
        }
    }

    /// The experiment of one cell.
    pub fn experiment(&self) -> Result<MatchExperiment, VersusError> {
        MatchExperiment::parse(self.definition()?).map_err(|error| match error {
            // There is no file, and no grid in it, that one could look at.
            ExperimentError::NotUnderstood { reason, .. } => {
                VersusError(reason.trim_start_matches("in grid 1: ").to_owned())
            }
            other => VersusError(other.to_string()),
        })
    }

    /// What a file would say.
    fn definition(&self) -> Result<Definition, VersusError> {
        let Versus { game, player, opponent, .. } = self;
        for contestant in [player, opponent] {
            if let Contestant::Portfolio(portfolio) = contestant {
                portfolio.book().map_err(VersusError)?;
            }
        }
        let mut command = Command::new(self);
        let mut rules = Vec::new();
        if let Some(plies) = self.random_plies {
            rules.push(format!("random_plies = {plies}"));
            command.option("random-plies", &plies);
        }
        if let Some(OpeningList { openings, file }) = &self.openings {
            rules.push(format!("openings = {}", quoted(openings)));
            match file {
                Some(file) => command.option("openings", file),
                None => command.is_none = true,
            }
        }
        if let Some(moves) = self.most_moves {
            rules.push(format!("most_moves = {moves}"));
            command.option("most-moves", &moves);
        }
        for (name, share) in [("resign-below", self.resign_below), ("claim-above", self.claim_above)] {
            if let Some(share) = share {
                if !share.is_finite() {
                    return Err(VersusError(format!("--{name} is a share from 0 to 1, not {share}")));
                }
                // As a number with a point: TOML tells 0 and 0.0 apart.
                rules.push(format!("{} = {share:?}", name.replace('-', "_")));
                command.option(name, &share);
            }
        }
        if let Some(clock) = self.clock {
            rules.push(format!("clock = {}", quoted(&clock.to_string())));
            command.option("clock", &clock);
        }
        let text = format!(
            "title = {title}\n{command}seed = {seed}\ngames = {games}\nrules = {{ {rules} }}\n\n[[grid]]\n\
             game = {game}\nplayer = {player}\nopponent = {opponent}\n",
            title = quoted(&format!("{player} against {opponent}")),
            command = command.line(),
            seed = self.seed,
            games = self.games,
            rules = rules.join(", "),
            game = quoted(&game.to_string()),
            player = quoted(&player.to_string()),
            opponent = quoted(&opponent.to_string()),
        );
        let name = format!("match {game}: {player} against {opponent}");
        Definition::built_in(&name, &text, &[]).map_err(|error| VersusError(error.to_string()))
    }
}

/// The command that plays a match, in the making.
struct Command {
    text: String,
    /// Whether no command does.
    is_none: bool,
}

impl Command {
    fn new(versus: &Versus) -> Command {
        let words = [versus.game.to_string(), versus.player.to_string(), versus.opponent.to_string()];
        let words = words.map(|word| in_shell(&word)).join(" ");
        Command { text: format!("tesuji match {words} --seed {}", versus.seed), is_none: false }
    }

    fn option(&mut self, name: &str, value: &dyn std::fmt::Display) {
        self.text += &format!(" --{name} {}", in_shell(&value.to_string()));
    }

    /// The line of the file.
    fn line(&self) -> String {
        if self.is_none { String::new() } else { format!("command = {}\n", quoted(&self.text)) }
    }
}

/// A text or a list of texts as TOML writes them: as JSON does.
fn quoted(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).expect("texts are JSON")
}

/// A word as a shell takes it.
pub fn in_shell(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_./:@=+,-%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_misread_them() {
        assert_eq!(in_shell("go:9"), "go:9");
        assert_eq!(in_shell("hybrid-shuss(t=0)@100"), "'hybrid-shuss(t=0)@100'");
        assert_eq!(in_shell("gtp(\"it's\")"), r#"'gtp("it'\''s")'"#);
        assert_eq!(in_shell(""), "''");
    }

    #[test]
    fn openings_without_a_file_have_no_command() {
        let plain =
            Versus::new("hex:3".parse().unwrap(), "random".parse().unwrap(), "random".parse().unwrap());
        let list = OpeningList::parse("# two\n\nb2\n a1 b1 \n", "two.txt");
        assert_eq!(list.openings, ["b2", "a1 b1"]);
        let read = Versus { openings: Some(list.clone()), ..plain.clone() }.experiment().unwrap();
        assert!(read.command.unwrap().ends_with("--openings two.txt"));
        let told = Versus { openings: Some(OpeningList { file: None, ..list }), ..plain.clone() };
        let told = told.experiment().unwrap();
        // The same games all the same.
        assert_eq!((told.command, told.address), (None, read.address));
        let wrong = Versus { resign_below: Some(f64::NAN), ..plain };
        assert_eq!(
            wrong.experiment().unwrap_err().to_string(),
            "--resign-below is a share from 0 to 1, not NaN"
        );
    }
}
