//! `tesuji tune`: the best values of a player's parameters, found by the program's own bandits.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use tesuji::catalog::GameSpec;
use tesuji_arena::tuning::{Range, Template, TunerSettings, Tuning, TuningError, TuningProgress, sureness};
use tesuji_arena::{Experiment, RunSettings, Store, Summary};
use tesuji_report::tuning::{self, TuningResults};
use tesuji_report::{Screen, figure};

use super::budget::BudgetOrFileArgs;
use super::contestants;
use super::device::PlayDevice;
use super::experiment::{PlayArgs, played_now, unless_interrupted};
use super::progress::MatchProgress;
use super::rules::RulesArgs;
use super::{BadInput, files, interrupt};

/// Tune a player: find the values of its parameters that win most
///
/// A configuration is an arm, a pair of games is a sample, and a policy spends the games. Candidates first
/// fill the ranges evenly; later ones come from a model of the win rate over the parameters. Then the best
/// ones and the default play fresh games, so that the result is honest. With --store, the same command
/// continues a tuning that was stopped.
#[derive(clap::Args)]
#[command(after_help = "\
A parameter to tune has a question mark for its value, and a range after it:
  c=?               the usual range of this parameter
  c=?0.05..2        numbers
  t=?1..10000:log   numbers, with equal ratios at equal distances
  ref=?10..500:int  whole numbers; also :log:int
  amaf=?after|whole words

Examples:
  tesuji tune hex:7 'uct(c=?)@1000' --against rave@1000 --games 2000
  tesuji tune hex:11 'hybrid-shuss(t=?,lambda=?)@2000' --against rave@2000 \\
      --games 8000 --device cuda --store tune.db
  tesuji tune breakthrough 'uct(c=?0.05..2:log)@500' --against uct@500 \\
      --against rave@500 --until 95% --plot curves.svg
  tesuji tune tuning.toml --store tune.db --time 30m")]
pub(super) struct Args {
    /// The game (`tesuji games` lists them), or a file with a table [tune]
    #[arg(value_name = "GAME|FILE")]
    game: String,
    /// The player, with ? for each value that is tuned
    #[arg(value_name = "PLAYER")]
    player: Option<String>,
    /// An opponent; several opponents play in turn
    #[arg(long, value_name = "PLAYER")]
    against: Vec<String>,
    /// The range of a parameter, such as t=1..10000:log, instead of one in PLAYER
    #[arg(long, value_name = "NAME=RANGE")]
    range: Vec<String>,
    /// The games of all candidates together: an even number [default: 4000]
    #[arg(long, value_name = "N", value_parser = super::values::whole::<u64>(2..=1_000_000_000))]
    games: Option<u64>,
    /// Fresh games of each finalist and of the default; 0 plays none [default: 1000]
    #[arg(long, value_name = "N", value_parser = super::values::whole::<u64>(0..=1_000_000_000))]
    confirm: Option<u64>,
    /// The candidates that play fresh games [default: 3]
    #[arg(long, value_name = "N", value_parser = super::values::whole::<u64>(1..=100))]
    finalists: Option<u64>,
    /// The policy that spends the games of a generation of candidates (`tesuji policies` lists them)
    #[arg(long, value_name = "POLICY")]
    policy: Option<String>,
    /// The number of generations [default: by the number of games]
    #[arg(long, value_name = "N", value_parser = super::values::whole::<u64>(1..=1000))]
    generations: Option<u64>,
    /// The candidates of a generation [default: by the number of games]
    #[arg(long, value_name = "N", value_parser = super::values::whole::<u64>(1..=400))]
    candidates: Option<u64>,
    /// Stop once the best candidate is good enough with this chance, such as 95%
    #[arg(long, value_name = "LEVEL")]
    until: Option<String>,
    /// Good enough is at most this share of wins below the best [default: 0.01]
    #[arg(long, value_name = "SHARE", requires = "until", value_parser = super::values::number(0.0..=1.0))]
    within: Option<f64>,
    #[command(flatten)]
    budget: BudgetOrFileArgs,
    /// The seed of everything random: a whole number [default: 1]
    #[arg(long, value_name = "SEED", value_parser = super::values::whole::<u64>(0..=i64::MAX as u64))]
    seed: Option<u64>,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    play: PlayArgs,
    /// Write the response curves to this SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    let tuning = args.tuning()?;
    files::check_plot(args.plot.as_deref())?;
    let mut device = args.play.device()?;
    let mut store = args.play.open_store()?;
    let settings = args.play.settings();
    let summary = play(&tuning, &settings, &mut store, &mut device)?;
    let results = TuningResults::read(&tuning, &store)?;
    if let (Some(path), Some(figure)) = (&args.plot, tuning::figure(&results)) {
        write_plot(path, &figure)?;
    }
    if args.json {
        super::print_json(&results)?;
        return unless_interrupted(&summary, args.play.store.as_deref());
    }
    let kept = args.play.kept(&store);
    let played = screen.wrapped(&(played_now(&summary, args.play.store.as_deref()) + "\n"));
    super::print(&format!("{}\n{played}{kept}", tuning::text(&results, screen)))?;
    unless_interrupted(&summary, args.play.store.as_deref())
}

fn write_plot(path: &Path, figure: &figure::Figure) -> Result<()> {
    files::write(path, figure.svg())
}

/// Plays what the store lacks of a tuning, with a bar that shows the progress.
pub(super) fn play(
    tuning: &Tuning,
    settings: &RunSettings,
    store: &mut Store,
    device: &mut PlayDevice,
) -> Result<Summary> {
    let device = device.for_experiment(&tuning.example()?)?;
    let mut progress = MatchProgress::new()?;
    let interrupt = interrupt::flag()?;
    let mut tell = |told: &TuningProgress<'_>| progress.tell_tuning(told);
    let device = device.map(|device| device as &mut dyn tesuji::search::SearchDevice);
    let summary = tuning.run(settings, store, device, interrupt, &mut tell);
    progress.finish();
    Ok(summary?)
}

impl Args {
    /// The tuning as an experiment.
    fn tuning(&self) -> Result<Tuning> {
        let Some(player) = &self.player else { return self.of_file(Path::new(&self.game)) };
        let game: GameSpec = self.game.parse()?;
        let mut ranges = BTreeMap::new();
        for text in &self.range {
            let wrong =
                || BadInput(format!("'{text}' is not a range: write NAME=RANGE, such as t=1..10000:log"));
            let (name, range) = text.split_once('=').ok_or_else(wrong)?;
            let name = name.trim().to_owned();
            let problem = |error| TuningError::Range { name: name.clone(), error };
            let range: Range = range.trim().trim_start_matches('?').parse().map_err(problem)?;
            ranges.insert(name, range);
        }
        let template = Template::with_ranges(player, &ranges)?;
        let against = self.against.iter().map(|text| contestants::contestant(text)).collect::<Result<_>>()?;
        let plain = Tuning::new(game, template, against, self.games.unwrap_or(4000));
        if self.games.is_some_and(|games| games % 2 == 1) {
            return Err(TuningError::Odd(self.games.unwrap_or_default()).into());
        }
        let policy = match &self.policy {
            Some(policy) => policy.parse()?,
            None => plain.settings.policy.clone(),
        };
        let (rules, openings_file) = self.rules.rules()?;
        let tuning = Tuning {
            budget: Some(self.budget.budget()?),
            seed: self.seed.unwrap_or(plain.seed),
            rules,
            settings: TunerSettings {
                policy,
                generations: self.generations,
                candidates: self.candidates.map(|number| number as usize),
                until: sureness(self.until.as_deref(), self.within)?,
                ..plain.settings.clone()
            },
            confirm: self.confirm.unwrap_or(plain.confirm),
            finalists: self.finalists.map_or(plain.finalists, |number| number as usize),
            ..plain
        };
        Ok(tuning.build(openings_file.as_deref())?)
    }

    /// A tuning that a file defines. The file says everything except how it is run.
    fn of_file(&self, path: &Path) -> Result<Tuning> {
        let given = [
            ("against", !self.against.is_empty()),
            ("range", !self.range.is_empty()),
            ("games", self.games.is_some()),
            ("confirm", self.confirm.is_some()),
            ("finalists", self.finalists.is_some()),
            ("policy", self.policy.is_some()),
            ("generations", self.generations.is_some()),
            ("candidates", self.candidates.is_some()),
            ("until", self.until.is_some()),
            ("budget", self.budget.is_given()),
            ("seed", self.seed.is_some()),
            ("openings and other rules", self.rules.is_given()),
        ];
        if !path.exists() && path.extension().is_none_or(|it| it != "toml") {
            let sentence = format!("tune {} needs a player with a ?, such as 'uct(c=?)'", self.game);
            return Err(BadInput(sentence).into());
        }
        if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given) {
            return Err(
                BadInput(format!("{} says the {option} itself: change the file", path.display())).into()
            );
        }
        match Experiment::read(path)? {
            Experiment::Tuning(tuning) => Ok(*tuning),
            _ => Err(BadInput(format!("{} has no [tune]: tesuji run plays it", path.display())).into()),
        }
    }
}
