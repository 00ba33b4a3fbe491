//! A match between two contestants on one game: what `tesuji match` and Python's `match` play.
//!
//! The same match is the same experiment with the same games, whoever asks for it.

use tesuji_catalog::{BudgetSpec, GameSpec};
use tesuji_core::in_shell;
use tesuji_session::Contestant;

use super::builder::{BuildError, MatchExperimentBuilder, Players};
use super::{MatchExperiment, Openings, Rules};

/// A match between two contestants on one game.
///
/// ```
/// use tesuji_arena::Match;
/// let it = Match::new("hex:5".parse()?, "rave".parse()?, "random".parse()?).budget("500".parse()?);
/// let experiment = it.experiment()?;
/// assert_eq!(experiment.cells[0].key, "hex:5: rave@500 against random");
/// assert_eq!(experiment.command.unwrap(), "tesuji match hex:5 rave@500 random --seed 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Match {
    /// The game.
    pub game: GameSpec,
    /// The contestant whose wins are counted.
    pub player: Contestant,
    /// The other contestant.
    pub opponent: Contestant,
    /// The number of games.
    pub games: u64,
    /// The number from which all random numbers are derived.
    pub seed: u64,
    /// How games begin and end.
    pub rules: Rules,
    /// The file from which listed openings were read. If there are such openings and no file,
    /// no command plays the match.
    pub openings_file: Option<String>,
}

impl Match {
    /// A match of a hundred games with seed 1 and default rules.
    pub fn new(game: GameSpec, player: Contestant, opponent: Contestant) -> Match {
        Match { game, player, opponent, games: 100, seed: 1, rules: Rules::default(), openings_file: None }
    }

    /// Gives a budget to the contestants that have none of their own.
    #[must_use]
    pub fn budget(mut self, budget: BudgetSpec) -> Match {
        self.player = self.player.with_default_budget(budget);
        self.opponent = self.opponent.with_default_budget(budget);
        self
    }

    /// The experiment of one cell.
    pub fn experiment(&self) -> Result<MatchExperiment, BuildError> {
        let Match { game, player, opponent, games, seed, rules, .. } = self;
        for contestant in [player, opponent] {
            if let Contestant::Portfolio(portfolio) = contestant {
                portfolio.book()?;
            }
        }
        let builder = MatchExperimentBuilder {
            name: format!("match {game}: {player} against {opponent}"),
            title: format!("{player} against {opponent}"),
            command: self.command(),
            seed: *seed,
            games: *games,
            rules: rules.clone(),
            game: game.clone(),
            players: Players::One(player.clone()),
            opponent: opponent.clone(),
        };
        builder.build()
    }

    /// The shell command that plays the match, except for its number of games. `None` if its
    /// openings are in no file.
    fn command(&self) -> Option<String> {
        let Match { game, player, opponent, seed, rules, .. } = self;
        let words = [game.to_string(), player.to_string(), opponent.to_string()];
        let mut command =
            format!("tesuji match {} --seed {seed}", words.map(|word| in_shell(&word)).join(" "));
        if matches!(rules.openings, Openings::Listed(_)) && self.openings_file.is_none() {
            return None;
        }
        command += &rules.options(self.openings_file.as_deref());
        Some(command)
    }
}

/// The openings of a file: one on each line, without empty lines and lines that begin with #.
pub fn opening_lines(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_without_a_file_have_no_command() {
        let plain =
            Match::new("hex:3".parse().unwrap(), "random".parse().unwrap(), "random".parse().unwrap());
        let openings = opening_lines("# two\n\nb2\n a1 b1 \n");
        assert_eq!(openings, ["b2", "a1 b1"]);
        let rules = Rules { openings: Openings::Listed(openings), ..Rules::default() };
        let told = Match { rules, ..plain.clone() };
        let read = Match { openings_file: Some("two.txt".to_owned()), ..told.clone() }.experiment().unwrap();
        assert!(read.command.unwrap().ends_with("--openings two.txt"));
        let told = told.experiment().unwrap();
        // The same games all the same.
        assert_eq!((told.command, told.address), (None, read.address));
        let rules = Rules { resign_below: Some(f64::NAN), ..Rules::default() };
        let wrong = Match { rules, ..plain };
        assert_eq!(
            wrong.experiment().unwrap_err().to_string(),
            "resign_below is a share from 0 to 0.5, not NaN"
        );
    }
}
