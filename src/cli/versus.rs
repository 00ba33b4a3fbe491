//! `tesuji match`: two contestants, many games.

use anyhow::Result;
use serde::Serialize;
use tesuji::catalog::GameSpec;
use tesuji::core::in_shell;
use tesuji_arena::statistics::{Hypothesis, Sprt};
use tesuji_arena::{Match, MatchExperiment, RunSettings, SprtDecision, Summary};
use tesuji_report::Screen;
use tesuji_report::matches::{self, CellResults};
use tesuji_report::numbers::grouped;
use tesuji_report::training::hidden_game;

use super::BadInput;
use super::budget::BudgetArgs;
use super::contestants;
use super::experiment::{PlayArgs, files_of, play, played_now, unless_interrupted};
use super::rules::RulesArgs;

/// Play a match: who is better, by how much, and how sure is that?
///
/// Colours alternate: in even games the first player has the side that moves first. Games
/// are independent, each a function of the seed and its number, so they are the same on
/// any number of threads. With --store they are kept, and the same match goes on there.
#[derive(clap::Args)]
#[command(after_help = "\
Players are specs (`tesuji players` lists their parts) or external engines, gtp(\"COMMAND\").

Examples:
  tesuji match hex:7 'hybrid-shuss(t=512)' rave --games 100 --budget 1000
  tesuji match breakthrough rave uct --sprt elo0=0 elo1=50 --random-plies 4
  tesuji match go:9 sh+rave rave --device cuda --time 9m --store m.db
  tesuji match go:9 rave@5000 'gtp(\"gnugo --mode gtp\")' --games 20 --store m.db")]
pub(super) struct Args {
    /// The game, such as breakthrough or go:9 (`tesuji games` lists them)
    game: String,
    /// The player whose wins are counted
    #[arg(value_name = "PLAYER")]
    player: String,
    /// The player's opponent
    #[arg(value_name = "OPPONENT")]
    opponent: String,
    /// The number of games; with --sprt, the most
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = super::values::whole::<u64>(1..=1_000_000_000))]
    games: u64,
    #[command(flatten)]
    budget: BudgetArgs,
    /// The seed of all games: a whole number
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = super::values::whole::<u64>(0..=i64::MAX as u64))]
    seed: u64,
    #[command(flatten)]
    rules: RulesArgs,
    /// Stop as soon as a sequential test decides: elo0=0 elo1=10 alpha=0.05 beta=0.05
    #[arg(long, value_name = "NAME=NUMBER", num_args = 1..=4)]
    sprt: Vec<String>,
    #[command(flatten)]
    play: PlayArgs,
    /// Keep what searches said of the moves too, to train networks with: see `tesuji export --training`
    #[arg(long)]
    record_policies: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What a match came to.
#[derive(Serialize)]
struct Found<'a> {
    #[serde(flatten)]
    cell: &'a CellResults,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<Test>,
}

/// What the test says.
#[derive(Serialize)]
struct Test {
    #[serde(flatten)]
    sprt: Sprt,
    llr: f64,
    bounds: (f64, f64),
    decision: Option<Hypothesis>,
    /// The games that decided it.
    after: Option<u64>,
}

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    let sprt = match &args.sprt[..] {
        [] => None,
        words => Some(words.join(" ").parse::<Sprt>()?),
    };
    let experiment = args.experiment()?;
    if let (true, [cell]) = (args.record_policies, &experiment.cells[..])
        && cell.game.info().is_hidden
    {
        let sentence = format!("--record-policies is not for this game: {}", hidden_game(&cell.game));
        return Err(BadInput(sentence).into());
    }
    let mut device = args.play.device()?;
    let mut store = args.play.open_store()?;
    let records_policies = args.record_policies;
    if records_policies && args.play.store.is_none() {
        return Err(
            BadInput("--record-policies needs a file that keeps them: add --store FILE".to_owned()).into()
        );
    }
    let settings = RunSettings { sprt, records_policies, ..args.play.settings() };
    let summary = play(&experiment, &settings, &mut store, &mut device)?;
    // The games that decided the test, or all.
    let results = match summary.decision {
        Some(decision) => matches::results_of_first(&experiment, &store, decision.games)?,
        None => matches::results(&experiment, &store)?,
    };
    let cell = &results.grids[0].cells[0];
    if args.json {
        let test = sprt.map(|sprt| Test {
            llr: sprt.llr(&cell.tally),
            bounds: sprt.bounds(),
            decision: summary.decision.map(|decision| decision.hypothesis),
            after: summary.decision.map(|decision| decision.games),
            sprt,
        });
        super::print_json(&Found { cell, sprt: test })?;
        return unless_interrupted(&summary, args.play.store.as_deref());
    }
    let without_policies = match (records_policies, &experiment.cells[..]) {
        (true, [cell]) => store.n_without_policies(experiment.address, &cell.key)?,
        _ => 0,
    };
    let kept = args.play.store.as_ref().map_or(String::new(), |path| {
        let (path, files) = (path.display(), files_of(&store));
        let named = in_shell(&path.to_string());
        let played = match summary.played {
            0 if summary.missing == 0 => format!("All games were in {path} already; none was played.\n"),
            _ => String::new(),
        };
        let without = match without_policies {
            0 => String::new(),
            1 => "1 game that was played before without --record-policies has no policies.\n".to_owned(),
            games => {
                let games = grouped(games);
                format!("{games} games that were played before without --record-policies have no policies.\n")
            }
        };
        let played = screen.wrapped(&(played + &without));
        format!("{played}Kept in {files}: tesuji show {named}; tesuji export {named} --jsonl -\n")
    });
    let block = matches::block(cell, sprt.as_ref(), screen);
    let in_flight =
        matches::in_flight(std::slice::from_ref(cell)).map_or_else(String::new, |line| line + "\n");
    let in_flight = screen.wrapped(&in_flight);
    // A match that is over needs no words about it.
    let stopped = match summary.missing {
        0 => String::new(),
        _ if summary.is_interrupted || summary.decision.is_some() => String::new(),
        _ => played_now(&summary, args.play.store.as_deref()) + "\n",
    };
    super::print(&format!("{block}{in_flight}{}{stopped}{kept}", decided(&summary, sprt.as_ref())))?;
    unless_interrupted(&summary, args.play.store.as_deref())
}

/// What the test decided, in a sentence.
fn decided(summary: &Summary, sprt: Option<&Sprt>) -> String {
    let Some(sprt) = sprt else { return String::new() };
    let Some(SprtDecision { hypothesis, games }) = summary.decision else {
        let most = grouped(2 * sprt.most_results());
        return format!("SPRT: undecided; more --games decide it, at most {most} in all.\n");
    };
    let elo = |elo: f64| elo.to_string().replace('-', "−");
    let (elo0, elo1) = (elo(sprt.elo0), elo(sprt.elo1));
    let difference = match hypothesis {
        Hypothesis::Null => format!("{elo0} Elo rather than {elo1}"),
        Hypothesis::Alternative => format!("{elo1} Elo rather than {elo0}"),
        Hypothesis::Between => format!("between {elo0} and {elo1} Elo"),
    };
    format!("SPRT: {hypothesis} after {games} games: the difference is {difference}.\n")
}

impl Args {
    /// The match as an experiment of one cell.
    fn experiment(&self) -> Result<MatchExperiment> {
        let game: GameSpec = self.game.parse()?;
        let budget = self.budget.budget()?;
        let player = contestants::contestant(&self.player)?;
        let opponent = contestants::contestant(&self.opponent)?;
        let (rules, openings_file) = self.rules.rules()?;
        let (games, seed) = (self.games, self.seed);
        let plain = Match::new(game, player, opponent).budget(budget);
        Ok(Match { games, seed, rules, openings_file, ..plain }.experiment()?)
    }
}
