//! `tesuji search`: one search of one position, shown as it is.

use std::time::Instant;

use anyhow::Result;
use tesuji::catalog::{BudgetSpec, GameSpec, PlayerSpec};
use tesuji::core::Seed;
use tesuji::core::drawing::LAST_MOVE_LEGEND;
use tesuji::search::{Board, Event, Limits, Report, Steering};
use tesuji_report::numbers::{duration, rate};
use tesuji_report::search as tables;
use tesuji_report::{Ink, Screen};
use tesuji_session::LiveGame;

use super::bar::Bar;
use super::budget::BudgetArgs;
use super::contestants;
use super::interrupt;
use super::until::UntilArgs;

/// Search a position: show the chosen move and what is known of the others
#[derive(clap::Args)]
#[command(after_help = "\
Equal seeds give equal results on any number of threads, unless the budget is a
time. Roots that halve (sh, shuss, gumbel, shot) also show which moves each round
has cut.

Examples:
  tesuji search go:9 --player 'hybrid-shuss(t=256)' --budget 10000
  tesuji search hex:7 --player rave --budget 2s --moves 'd4 c3'
  tesuji search domineering:5 --player 'uct+solver' --budget 100000
  tesuji search hex:7 --only 'd4 c3 e5' --focus e5 --focus-budget 20000
  tesuji search hex:5 --player sh+uct --budget 100000 --until 95% --within 0.02
  tesuji search noataxx --player 'sh+rave' --budget 5000 --threads 2 --json")]
pub(super) struct Args {
    /// The game, such as go:9 or hex:11 (`tesuji games` lists them)
    game: String,
    /// The player that searches, such as uct or 'shuss(t=512)+rave' (`tesuji players` lists them)
    /// [default: rave, or flat(sh) if the enemy is hidden]
    #[arg(long, value_name = "SPEC")]
    player: Option<String>,
    #[command(flatten)]
    budget: BudgetArgs,
    #[command(flatten)]
    until: UntilArgs,
    /// The seed: a whole number, or the 32 digits of a seed
    #[arg(long, value_name = "SEED", default_value = "1")]
    seed: String,
    /// Threads, for roots that halve and for several trees [default: one for each core]
    #[arg(long, short = 'j', value_name = "N", value_parser = super::values::whole::<u64>(1..=1024))]
    threads: Option<u64>,
    /// Search only these moves, such as 'c3 d4'
    #[arg(long, value_name = "MOVES")]
    only: Option<String>,
    /// Search all moves but these
    #[arg(long, value_name = "MOVES")]
    avoid: Option<String>,
    /// Give each of these moves more samples after the search
    #[arg(long, value_name = "MOVES")]
    focus: Option<String>,
    /// Samples or time for each move of --focus [default: as much as the search]
    #[arg(long, value_name = "BUDGET", requires = "focus")]
    focus_budget: Option<String>,
    /// Show at most N moves; --json has all of them
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = super::values::whole::<u64>(1..=10_000))]
    top: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    from: super::Beginning,
}

impl Args {
    /// Which moves the search may choose, and which get more samples after it.
    fn steering(&self, board: &dyn Board) -> Result<Steering> {
        let read = |text: &Option<String>| -> Option<Vec<String>> {
            text.as_deref().map(|text| super::words(text).map(str::to_owned).collect())
        };
        let (only, avoid, focus) = (read(&self.only), read(&self.avoid), read(&self.focus));
        let (avoid, focus) = (avoid.unwrap_or_default(), focus.unwrap_or_default());
        Ok(Steering::read(board, only.as_deref(), &avoid, &focus)?)
    }
}

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    let spec: GameSpec = args.game.parse()?;
    let named = args.player.as_deref().unwrap_or(super::play::usual_opponent(&spec));
    let player = contestants::player(named)?.with_default_budget(args.budget.budget()?);
    let player = args.until.apply(player)?;
    let seed: Seed = args.seed.parse()?;
    let live = args.from.live(&spec)?;
    let game = live.board();
    let threads = super::threads(args.threads);
    let ply = live.ply() as u64;
    let budget = player.budget().unwrap_or(BudgetSpec::DEFAULT).at_ply(ply);
    let focus_budget = args.focus_budget.as_deref().map(str::parse::<BudgetSpec>).transpose()?;
    let focus_budget = focus_budget.map_or(budget, |budget| budget.at_ply(ply));
    let steering = args.steering(game)?;
    let limits =
        Limits { cancel: Some(interrupt::flag()?), ..Limits::of(budget).on(threads).with_confidence() };
    let mut searcher = spec.player(player.config())?;
    let bar = Bar::new(0)?;
    let begin = Instant::now();
    let mut watch = |event: Event<'_>| {
        if let Event::Progress { spent, budget, .. } = event {
            bar.total(budget);
            bar.set(spent);
        }
    };
    let sight = game.sight();
    let report = steering.search(&mut *searcher, &*sight, &limits, focus_budget, seed, Some(&mut watch));
    let report = game.in_words(report);
    let seconds = begin.elapsed();
    bar.finish();
    if args.json {
        let searched = tables::Searched { game: &spec, position: game, player: &player, seed, time: seconds };
        super::print_json(&tables::SearchJson::new(searched, &report))?;
        return interrupt::ended();
    }
    super::print(&text(&live, &player, &report, args.top as usize, screen))?;
    if report.spent > 0 {
        let per_second = report.spent as f64 / seconds.as_secs_f64();
        super::print(&format!("{}, {} samples per second.\n", duration(seconds), rate(per_second)))?;
    }
    interrupt::ended()
}

fn text(
    live: &LiveGame,
    player: &PlayerSpec,
    report: &Report<String>,
    top: usize,
    screen: &Screen,
) -> String {
    let game = live.board();
    let board = match live.drawing_seen_by(game.to_move()) {
        Some(seen) => format!("What {} knows:\n{}", game.to_move(), screen.board(&seen)),
        None => screen.board(&live.drawing()),
    };
    let mut heading = format!("{}, {player}\n{}", live.spec(), live.spec().legend());
    if live.ply() > 0 {
        heading += &format!("{LAST_MOVE_LEGEND}\n");
    }
    let mut text = format!("{}\n{board}", screen.wrapped(&heading));
    let Some(chosen) = report.chosen else {
        let outcome = game.outcome().map_or_else(String::new, |outcome| format!(": {outcome}"));
        text += &format!("\nThe game is over{outcome}. There is nothing to search.\n");
        return text;
    };
    let arm = &report.arms[chosen];
    let worth = match (arm.proof, arm.mean) {
        (Some(outcome), _) => format!(": {outcome}, proved"),
        (None, Some(mean)) => format!(", mean reward {mean:.4}"),
        (None, None) => String::new(),
    };
    let chosen = format!("{} plays {}{worth}", game.to_move(), arm.mv);
    text += &format!("\n{}\n\n", screen.paint(Ink::Chosen, &chosen));
    text += &tables::arms(report, top).text(screen);
    if let Some(bracket) = tables::bracket(report, top, screen) {
        text += &format!("\n{}", bracket.text(screen));
    }
    text += &screen.wrapped(&tables::legend(report));
    let n_moves = game.search_moves().len();
    if report.arms.len() < n_moves {
        text += &format!("{} of {n_moves} moves could be chosen\n", report.arms.len());
    }
    if report.arms.len() > top {
        text += &format!("--top {} shows all moves\n", report.arms.len());
    }
    // Players that do not search have no samples to speak of.
    if report.budget > 0 || report.spent > 0 {
        let notes: String = player.notes().iter().map(|note| format!("{note}\n")).collect();
        text += &screen.wrapped(&format!("\n{}\n{notes}", tables::summary(report)));
    }
    text
}
