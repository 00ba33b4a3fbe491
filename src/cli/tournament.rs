//! `tesuji tournament`: several players, one rating list.

use std::path::{Path, PathBuf};

use anyhow::Result;
use tesuji::catalog::GameSpec;
use tesuji_arena::{Experiment, MatchExperiment, RunSettings, ScheduleWords, Shard, TournamentBuilder};
use tesuji_report::Screen;
use tesuji_report::matches::{self, MatchResults};
use tesuji_report::store::ratings_csv;
use tesuji_report::tournament::figure as rating_plot;

use super::BadInput;
use super::budget::BudgetOrFileArgs;
use super::contestants;
use super::experiment::{PlayArgs, play, played_now, unless_interrupted};
use super::files;
use super::rules::RulesArgs;

/// Play a tournament: many players, one rating list with errors
///
/// Every pair of players plays each opening from both sides. Ratings are in Elo, with the advantage of
/// moving first taken into account. Games are independent, each a function of the seed, the pair and its
/// number: with --store they are kept, the same command continues a tournament, and a tournament with
/// another player plays only the games that are new.
#[derive(clap::Args)]
#[command(after_help = "\
Schedules:
  round-robin  every player meets every other one
  gauntlet     the first player meets every other one
  swiss        in each round, players with equal points meet
  widest       the next games narrow the answer to --ask most

Players are specs (`tesuji players` lists their parts) or external engines, gtp(\"COMMAND\").
A file has a table [tournament]: see docs/experiments.md. `tesuji run` plays it as well.

Examples:
  tesuji tournament hex:7 uct rave sh+uct --budget 500 --games 200
  tesuji tournament hex:7,breakthrough uct rave grave --store t.db
  tesuji tournament go:9 rave@2000 uct@2000 'gtp(\"gnugo --mode gtp\")' --games 20
  tesuji tournament hex:7 uct rave --schedule widest --ask first --until 95%
  tesuji tournament hex:7 uct rave grave --plot ratings.svg --csv ratings.csv
  tesuji tournament players.toml --store t.db --time 30m")]
pub(super) struct Args {
    /// The game, or several games with commas between, such as hex:7,breakthrough; or a file
    #[arg(value_name = "GAME|FILE")]
    game: String,
    /// The players
    #[arg(value_name = "PLAYER")]
    players: Vec<String>,
    /// Who meets whom: round-robin, gauntlet, swiss or widest
    #[arg(long, value_name = "SCHEDULE")]
    schedule: Option<String>,
    /// Games of each pair on each game (of each round, with swiss): an even number [default: 100]
    #[arg(long, value_name = "N", value_parser = super::values::whole::<u64>(1..=1_000_000_000))]
    games: Option<u64>,
    /// With swiss: the number of rounds
    #[arg(long, value_name = "N", value_parser = super::values::whole::<u32>(1..=1000))]
    rounds: Option<u32>,
    /// With widest: the games of all pairs together [default: those of a round robin]
    #[arg(long, value_name = "N", value_parser = super::values::whole::<u64>(2..=1_000_000_000))]
    total: Option<u64>,
    /// With widest: the question, list, first or 'A > B' [default: list]
    #[arg(long, value_name = "QUESTION")]
    ask: Option<String>,
    /// With widest: stop once the answer is right with this chance, such as 95%
    #[arg(long, value_name = "LEVEL")]
    until: Option<String>,
    /// With widest: stop once every rating is known within this number of Elo
    #[arg(long, value_name = "ELO", value_parser = super::values::number(0.0..=1e6))]
    within: Option<f64>,
    /// The player whose rating is fixed [default: the mean of all ratings is 0]
    #[arg(long, value_name = "PLAYER")]
    anchor: Option<String>,
    /// The rating of the anchor [default: 0]
    #[arg(long, value_name = "ELO", requires = "anchor", value_parser = super::values::number(-1e5..=1e5))]
    anchor_elo: Option<f64>,
    /// The name of the tournament: tournaments of different names share no games
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    budget: BudgetOrFileArgs,
    /// The seed of all games: a whole number [default: 1]
    #[arg(long, value_name = "SEED", value_parser = super::values::whole::<u64>(0..=i64::MAX as u64))]
    seed: Option<u64>,
    #[command(flatten)]
    rules: RulesArgs,
    /// Only one of n parts of the games, such as 1/3; `tesuji merge` joins the parts
    #[arg(long, value_name = "i/n")]
    shard: Option<Shard>,
    #[command(flatten)]
    play: PlayArgs,
    /// Draw the ratings with their intervals into this SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Write the ratings into this CSV file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    let experiment = args.experiment()?;
    files::check_plot(args.plot.as_deref())?;
    if let Some(csv) = &args.csv {
        files::check_writable(csv)?;
    }
    let mut device = args.play.device()?;
    let mut store = args.play.open_store()?;
    let settings = RunSettings { shard: args.shard.unwrap_or(Shard::WHOLE), ..args.play.settings() };
    let summary = play(&experiment, &settings, &mut store, &mut device)?;
    let results = matches::results(&experiment, &store)?;
    let written = args.write(&results)?;
    if args.json {
        super::print_json(&results)?;
        return unless_interrupted(&summary, args.play.store.as_deref());
    }
    let tables = matches::text(&results, screen);
    let played = screen.wrapped(&(played_now(&summary, args.play.store.as_deref()) + "\n"));
    let kept = args.play.kept(&store);
    super::print(&format!("{tables}{played}{kept}{written}"))?;
    unless_interrupted(&summary, args.play.store.as_deref())
}

impl Args {
    /// The tournament as an experiment.
    fn experiment(&self) -> Result<MatchExperiment> {
        let path = PathBuf::from(&self.game);
        if self.players.is_empty() && (path.extension().is_some_and(|it| it == "toml") || path.exists()) {
            return self.of_file(&path);
        }
        let games = split(&self.game).map(str::parse).collect::<Result<Vec<GameSpec>, _>>()?;
        let players = self.players.iter().map(|text| contestants::contestant(text)).collect::<Result<_>>()?;
        let (rules, openings_file) = self.rules.rules()?;
        let plain = TournamentBuilder::new(games, players).budget(self.budget.budget()?);
        let builder = TournamentBuilder {
            name: self.name.clone(),
            each: self.games.unwrap_or(plain.each),
            seed: self.seed.unwrap_or(plain.seed),
            rules,
            openings_file,
            ..plain
        };
        let words = ScheduleWords {
            schedule: self.schedule.as_deref(),
            rounds: self.rounds,
            total: self.total,
            ask: self.ask.as_deref(),
            until: self.until.as_deref(),
            within: self.within,
        };
        let builder = builder.with_schedule(&words)?.with_anchor(self.anchor.as_deref(), self.anchor_elo)?;
        Ok(builder.build()?)
    }

    /// Writes the files that the options ask for, and returns a line for each.
    fn write(&self, results: &MatchResults) -> Result<String> {
        let mut written = String::new();
        if let Some(file) = &self.plot {
            let figure = results.tournament.as_ref().and_then(|it| rating_plot(it, &results.title));
            match figure {
                Some(figure) => {
                    files::write(file, figure.svg())?;
                    written += &format!("Plot: {}\n", file.display());
                }
                None => written += "There is no plot yet: fewer than two players have games.\n",
            }
        }
        if let (Some(file), Some(ratings)) = (&self.csv, ratings_csv(results)) {
            files::write(file, ratings)?;
            written += &format!("Ratings: {}\n", file.display());
        }
        Ok(written)
    }

    /// A tournament that a file defines. The file says everything except how it is run.
    fn of_file(&self, path: &Path) -> Result<MatchExperiment> {
        let given = [
            ("schedule", self.schedule.is_some()),
            ("games", self.games.is_some()),
            ("rounds", self.rounds.is_some()),
            ("total", self.total.is_some()),
            ("ask", self.ask.is_some()),
            ("until", self.until.is_some()),
            ("within", self.within.is_some()),
            ("anchor", self.anchor.is_some()),
            ("name", self.name.is_some()),
            ("budget", self.budget.is_given()),
            ("seed", self.seed.is_some()),
            ("openings and other rules", self.rules.is_given()),
        ];
        if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given) {
            return Err(
                BadInput(format!("{} says the {option} itself: change the file", path.display())).into()
            );
        }
        match Experiment::read(path)? {
            Experiment::Matches(experiment) if experiment.tournament.is_some() => Ok(experiment),
            _ => Err(BadInput(format!("{} has no [tournament]: tesuji run plays it", path.display())).into()),
        }
    }
}

/// The games of a list with commas. Commas inside parentheses belong to a game.
fn split(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    list.split(move |letter| {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    })
    .map(str::trim)
}
