//! `tesuji replay`: stored games played again, bit for bit.

use std::io::{self, IsTerminal};
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde::Serialize;
use tesuji::catalog::GameSpec;
use tesuji::core::drawing::LAST_MOVE_LEGEND;
use tesuji::core::{Outcome, Seed};
use tesuji_arena::record::{Game, REFUSED};
use tesuji_arena::{Cell, Experiment, ExperimentKind, FoundGame, MatchExperiment, Store, StoredCell};
use tesuji_report::Screen;
use tesuji_report::numbers::grouped;
use tesuji_session::LiveGame;

use super::BadInput;
use super::bar::Bar;
use super::interrupt;

/// Play stored games again, and see whether they come out the same
///
/// Games between our players with budgets in samples are functions of their address: the same
/// moves come out on any machine. A game that depends on a clock or on an external engine is
/// not played again; its stored moves are shown. The exit code is 1 if any game comes out
/// differently, or cannot be played again because a network is gone.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji replay 3f2a9c01-17
  tesuji replay 3f2a9c01-17 --store results.db --boards
  tesuji replay --all --store results.db --threads 4
  tesuji replay --lot 20 --store results.db")]
pub(super) struct Args {
    /// The game, such as 3f2a9c01-17 (`tesuji show` and `tesuji export` print them)
    #[arg(value_name = "ID", conflicts_with_all = ["all", "lot"])]
    id: Option<String>,
    /// Replay every game in the store, and list the games that come out differently
    #[arg(long, conflicts_with_all = ["boards", "stored"])]
    all: bool,
    /// Replay N games chosen by lot, each equally likely, and list the games that come out differently
    #[arg(long, value_name = "N", conflicts_with_all = ["all", "boards", "stored"], value_parser = super::values::whole::<u64>(1..=1_000_000_000))]
    lot: Option<u64>,
    /// The seed of the lot: a whole number [default: 1]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// Threads for --all and --lot [default: one for each core]
    #[arg(long, short = 'j', value_name = "N", value_parser = super::values::whole::<u64>(1..=1024))]
    threads: Option<u64>,
    /// The store
    #[arg(long, value_name = "FILE", default_value = super::STORE)]
    store: PathBuf,
    /// Draw the board after every move
    #[arg(long)]
    boards: bool,
    /// Only show it; do not play it again
    #[arg(long)]
    stored: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Lines of a log come no faster than this.
const EVERY: Duration = Duration::from_secs(10);

/// A game shown.
#[derive(Serialize)]
struct Shown {
    id: String,
    experiment: String,
    game: String,
    black: String,
    white: String,
    moves: Vec<String>,
    outcome: Outcome,
    reason: String,
    /// Whether it was played again and came out the same; nothing where it was not played again.
    same: Option<bool>,
}

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    let is_several = args.all || args.lot.is_some();
    if args.threads.is_some() && !is_several {
        return Err(BadInput("--threads needs --all or --lot; see tesuji replay --help".to_owned()).into());
    }
    if args.seed.is_some() && args.lot.is_none() {
        return Err(BadInput("--seed needs --lot; see tesuji replay --help".to_owned()).into());
    }
    if args.id.is_none() && !is_several {
        let sentence = "name a game, such as 3f2a9c01-17, or replay all games of the store with --all or some with --lot N";
        return Err(BadInput(format!("{sentence}; `tesuji show --cells` lists ids")).into());
    }
    let store = Store::open_to_read(&args.store)?;
    match &args.id {
        Some(id) => replay_one(&args, &store, id, screen),
        None => replay_several(&args, &store, screen),
    }
}

fn replay_one(args: &Args, store: &Store, id: &str, screen: &Screen) -> Result<()> {
    let found = store.find(id)?;
    let FoundGame { experiment, address } = match &found[..] {
        [one] => one,
        [] => {
            return Err(BadInput(format!(
                "there is no game '{id}' in {}: an id is such as 3f2a9c01-17, and `tesuji export {} --jsonl -` prints all",
                args.store.display(),
                args.store.display()
            ))
            .into());
        }
        several => {
            return Err(BadInput(format!(
                "'{id}' is the beginning of {} ids: write more of it",
                several.len()
            ))
            .into());
        }
    };
    let name = experiment.definition.name.clone();
    let cell = store.cell(address)?;
    let Some(game) = store.game(address)? else { bail!("game {id} has gone from the store") };
    let again = if args.stored {
        None
    } else {
        let wrong = |reason: String| BadInput(format!("{reason}; --stored shows the moves of the game"));
        let experiment = experiment.read().map_err(|error| wrong(error.to_string()))?;
        let experiment = match experiment {
            Experiment::Matches(experiment) => experiment,
            Experiment::Tuning(tuning) => tuning.without_cells()?,
            Experiment::Bandits(_) => bail!("{name} has no games"),
        };
        obstacle(&cell).map_or(Ok(()), |reason| Err(wrong(reason)))?;
        experiment.replay(&cell, address.index)
    };
    let (black, white) = match game.side {
        tesuji::core::Side::Black => (&cell.player, &cell.opponent),
        tesuji::core::Side::White => (&cell.opponent, &cell.player),
    };
    let shown = Shown {
        id: cell.game_id(address.index),
        experiment: name,
        game: cell.game.to_string(),
        black: black.to_string(),
        white: white.to_string(),
        moves: game.moves.split_whitespace().map(str::to_owned).collect(),
        outcome: game.outcome,
        reason: game.reason.to_string(),
        same: again.as_ref().map(|again| *again == game),
    };
    if args.json {
        super::print_json(&shown)?;
    } else {
        show(&shown, &cell.game, args.boards, screen)?;
    }
    if shown.same == Some(false) {
        let builds = store.circumstances(address)?.map_or(String::new(), |about| about.build);
        bail!(
            "game {} came out differently: it was played by {builds}, and this is {}",
            shown.id,
            super::experiment::build()
        );
    }
    Ok(())
}

/// What came of replaying every game in a store.
#[derive(Default, Serialize)]
struct Replayed {
    /// Games in the store.
    games: usize,
    /// Games that came out the same, bit for bit.
    same: usize,
    /// Games that depend on a clock or on an external engine.
    not_reproducible: usize,
    /// Games that cannot be played any more, by cell.
    unplayable: Vec<UnplayableCell>,
    /// Games that came out differently, in the order of the store.
    different: Vec<DifferentGame>,
}

/// A cell whose games cannot be played any more.
#[derive(Serialize)]
struct UnplayableCell {
    game: String,
    player: String,
    opponent: String,
    /// The number of its games.
    games: usize,
    /// Why, in a sentence.
    reason: String,
}

/// A game that came out differently.
#[derive(Serialize)]
struct DifferentGame {
    id: String,
    game: String,
    player: String,
    opponent: String,
    /// The first move that differs, counted from 1; `None` if the moves are the same.
    first_difference: Option<usize>,
    /// The program that played the stored game.
    build: String,
}

impl Replayed {
    fn text(&self) -> String {
        let Replayed { games, same, not_reproducible, unplayable, different } = self;
        let unplayable: String = unplayable.iter().map(|cell| cell.line() + "\n").collect();
        let text: String = unplayable + &different.iter().map(|game| game.line() + "\n").collect::<String>();
        let n = |count: &usize| grouped(*count as u64);
        let depend = |count: usize| if count == 1 { "depends" } else { "depend" };
        if *games > 0 && not_reproducible == games {
            let all = if *games == 1 { "the only one".to_owned() } else { format!("all {}", n(games)) };
            let depend = depend(*games);
            return format!("No game can be replayed: {all} {depend} on a clock or an external engine.\n");
        }
        let playable = games - not_reproducible - self.n_unplayable();
        let mut sentences = Vec::new();
        if playable > 0 || *games == 0 {
            sentences.push(format!("{} of {} came out the same, move for move.", n(same), counted(playable)));
        }
        if *not_reproducible > 0 {
            let (others, depend) = (counted(*not_reproducible), depend(*not_reproducible));
            sentences.push(format!("{others} {depend} on a clock or an external engine."));
        }
        if self.n_unplayable() > 0 {
            sentences.push(format!("{} cannot be played any more.", counted(self.n_unplayable())));
        }
        let left = self.n_left();
        if left > 0 {
            let were = if left == 1 { "was" } else { "were" };
            sentences.push(format!("{} {were} not replayed.", counted(left)));
        }
        text + &sentences.join(" ") + "\n"
    }

    fn n_unplayable(&self) -> usize {
        self.unplayable.iter().map(|cell| cell.games).sum()
    }

    /// Games that should have been replayed and were not.
    fn n_left(&self) -> usize {
        self.games - self.same - self.not_reproducible - self.n_unplayable() - self.different.len()
    }
}

/// A number of games, in words.
fn counted(games: usize) -> String {
    format!("{} {}", grouped(games as u64), if games == 1 { "game" } else { "games" })
}

impl UnplayableCell {
    fn of(cell: &StoredCell, reason: String) -> UnplayableCell {
        let StoredCell { game, player, opponent, games, .. } = cell.clone();
        UnplayableCell { game, player, opponent, games: games as usize, reason }
    }

    fn line(&self) -> String {
        let UnplayableCell { game, player, opponent, games, reason } = self;
        format!("{game}, {player} against {opponent}, {}: {reason}", counted(*games))
    }
}

/// Why the games of a cell cannot be played any more, in a sentence: a network is gone. `None` if
/// they can, and if nobody wants to because they depend on a clock or an external engine.
fn obstacle(cell: &Cell) -> Option<String> {
    let contestants = [&cell.player, &cell.opponent].into_iter().filter(|_| cell.is_reproducible());
    contestants.map(|contestant| contestant.check(&cell.game)).find_map(Result::err).map(|no| no.to_string())
}

impl DifferentGame {
    fn line(&self) -> String {
        let DifferentGame { id, game, player, opponent, first_difference, build } = self;
        let what = first_difference.map_or("its result".to_owned(), |number| format!("move {number}"));
        format!("{id}, {game}, {player} against {opponent}: {what} differs; played by {build}")
    }
}

/// The stored games of a cell, and all that they are functions of.
struct CellGames {
    /// Without cells: every replay copies it.
    experiment: Arc<MatchExperiment>,
    cell: Cell,
    games: Vec<Game>,
}

impl CellGames {
    fn different(&self, stored: &Game, again: &Game, build: String) -> DifferentGame {
        let (mut before, mut now) = (stored.moves.split(' '), again.moves.split(' '));
        let n_moves = before.clone().count().max(now.clone().count());
        DifferentGame {
            id: self.cell.game_id(stored.address.index),
            game: self.cell.game.to_string(),
            player: self.cell.player.to_string(),
            opponent: self.cell.opponent.to_string(),
            first_difference: (1..=n_moves).find(|_| before.next() != now.next()),
            build,
        }
    }
}

/// Keeps `wanted` of them in their order, each set equally likely.
fn keep_by_lot<T>(all: &mut Vec<T>, wanted: u64, seed: u64) {
    let mut rng = Seed::new(seed).child("lot").rng();
    let (mut left, mut wanted) = (all.len() as u64, wanted);
    all.retain(|_| {
        let is_drawn = rng.below(left.max(1) as u32) < wanted.min(left) as u32;
        left -= 1;
        wanted -= u64::from(is_drawn);
        is_drawn
    });
}

fn replay_several(args: &Args, store: &Store, screen: &Screen) -> Result<()> {
    let mut cells = Vec::new();
    let mut unplayable = Vec::new();
    let (mut n_games, mut not_reproducible) = (0, 0);
    for stored in store.experiments()?.iter().filter(|stored| stored.kind == ExperimentKind::Matches) {
        let experiment = match stored.read() {
            Ok(Experiment::Matches(mut experiment)) => {
                experiment.cells.clear();
                Ok(Arc::new(experiment))
            }
            Ok(Experiment::Tuning(tuning)) => {
                tuning.without_cells().map(Arc::new).map_err(|it| it.to_string())
            }
            Ok(Experiment::Bandits(_)) => continue,
            Err(error) => Err(error.to_string()),
        };
        for stored_cell in store.cells(stored.experiment)?.iter().filter(|cell| cell.games > 0) {
            let games = store.games(stored.experiment, &stored_cell.key)?;
            let Some(first) = games.first() else { continue };
            n_games += games.len();
            let cell = store.cell(&first.address).map_err(|error| error.to_string());
            let playable = match (&experiment, cell) {
                (Ok(experiment), Ok(cell)) => match obstacle(&cell) {
                    None => Ok((experiment, cell)),
                    Some(reason) => Err(reason),
                },
                (Err(reason), _) => Err(reason.clone()),
                (_, Err(reason)) => Err(reason),
            };
            let (experiment, cell) = match playable {
                Ok(playable) => playable,
                Err(reason) => {
                    unplayable.push(UnplayableCell::of(stored_cell, reason));
                    continue;
                }
            };
            if cell.is_reproducible() {
                cells.push(CellGames { experiment: Arc::clone(experiment), cell, games });
            } else {
                not_reproducible += games.len();
            }
        }
    }
    let mut tasks: Vec<(&CellGames, &Game)> =
        cells.iter().flat_map(|cell| cell.games.iter().map(move |game| (cell, game))).collect();
    if let Some(wanted) = args.lot {
        keep_by_lot(&mut tasks, wanted, args.seed.unwrap_or(1));
        let n_unplayable: usize = unplayable.iter().map(|cell| cell.games).sum();
        (n_games, not_reproducible) = (tasks.len() + n_unplayable, 0);
    }
    let interrupt = interrupt::flag()?;
    let results = replay_each(&tasks, super::threads(args.threads), interrupt)?;
    let mut replayed = Replayed { games: n_games, not_reproducible, unplayable, ..Replayed::default() };
    for (&(cell, stored), again) in tasks.iter().zip(&results) {
        match again {
            None => {}
            Some(again) if again == stored => replayed.same += 1,
            Some(again) => {
                let about = store.circumstances(&stored.address)?;
                let build = about.map_or(String::new(), |about| about.build);
                replayed.different.push(cell.different(stored, again, build));
            }
        }
    }
    if args.json {
        super::print_json(&replayed)?;
    } else {
        super::print(&screen.wrapped(&replayed.text()))?;
    }
    interrupt::ended()?;
    let build = super::experiment::build();
    match (replayed.different.len(), replayed.n_left() + replayed.n_unplayable()) {
        (0, 0) => Ok(()),
        (0, left) => bail!("{left} of {n_games} games could not be replayed by {build}"),
        (different, _) => bail!("{different} of {n_games} games came out differently; this is {build}"),
    }
}

/// What the threads of [`replay_each`] share.
struct Progress {
    /// By task; `None` until it is done.
    results: Vec<Option<Game>>,
    done: usize,
    /// When a line of a log was last written.
    told: Instant,
}

/// Replays games on several threads. `None` in place of a game that did not come to its end.
fn replay_each(
    tasks: &[(&CellGames, &Game)],
    threads: usize,
    interrupt: &AtomicBool,
) -> Result<Vec<Option<Game>>> {
    let bar = Bar::for_games()?;
    bar.total(tasks.len() as u64);
    let is_terminal = io::stderr().is_terminal();
    let next = AtomicUsize::new(0);
    let progress = Progress { results: vec![None; tasks.len()], done: 0, told: Instant::now() };
    let progress = Mutex::new(progress);
    let held = "no thread panics while it holds the lock";
    std::thread::scope(|scope| {
        let work = || {
            while !interrupt.load(Ordering::Relaxed) {
                let task = next.fetch_add(1, Ordering::Relaxed);
                let Some((cell, stored)) = tasks.get(task) else { break };
                let again = cell.experiment.replay(&cell.cell, stored.address.index);
                if again.as_ref() != Some(*stored) {
                    let id = cell.cell.game_id(stored.address.index);
                    bar.above(&format!("game {id} did not come out the same"));
                }
                bar.add(1);
                let mut progress = progress.lock().expect(held);
                progress.results[task] = again;
                progress.done += 1;
                if !is_terminal && progress.told.elapsed() >= EVERY {
                    progress.told = Instant::now();
                    bar.above(&format!("{} of {} games", progress.done, tasks.len()));
                }
            }
        };
        let workers: Vec<_> = (0..threads.min(tasks.len())).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            worker.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
    bar.finish();
    Ok(progress.into_inner().expect(held).results)
}

fn show(shown: &Shown, game: &GameSpec, boards: bool, screen: &Screen) -> Result<()> {
    let Shown { id, experiment, black, white, outcome, reason, .. } = shown;
    let players = format!("{id}, {game}: Black is {black}, White is {white} ({experiment})\n");
    super::print(&screen.wrapped(&players))?;
    if boards {
        draw(shown, game, screen)?;
    } else {
        super::print(&screen.wrapped(&format!("{}\n", shown.moves.join(" "))))?;
    }
    let same = match shown.same {
        Some(true) => " Played again: the same, move for move.",
        Some(false) => " Played again: DIFFERENT.",
        None => " Not played again: shown as it is stored.",
    };
    let refused = shown.moves.iter().filter(|mv| mv.starts_with(REFUSED)).count();
    let attempts = if refused > 0 { format!(", {refused} attempts refused") } else { String::new() };
    let played = shown.moves.len() - refused;
    super::print(&screen.wrapped(&format!("{played} moves{attempts}, {outcome} ({reason}).{same}\n")))
}

/// Draws the board after every move, with the number of the move above it.
fn draw(shown: &Shown, game: &GameSpec, screen: &Screen) -> Result<()> {
    let mut live = LiveGame::new(game.clone())?;
    let begin = format!(
        "{}{LAST_MOVE_LEGEND}\n\n{}\n",
        screen.wrapped(&(game.goals() + "\n")),
        screen.board(&live.drawing())
    );
    super::print(&begin)?;
    for mv in &shown.moves {
        let side = live.board().to_move();
        let number = live.ply() + 1;
        if let Some(attempt) = mv.strip_prefix(REFUSED) {
            // The referee refuses it again.
            let _ = live.play(side, attempt);
            super::print(&format!("{number}. {side} tries {attempt}, which the referee refuses.\n\n"))?;
            continue;
        }
        if live.play(side, mv).is_err() {
            return super::print(&format!("{number}. {side} plays {mv}, which is illegal.\n\n"));
        }
        super::print(&format!("{number}. {side} plays {mv}\n\n{}\n", screen.board(&live.drawing())))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lot_has_as_many_games_as_are_wanted() {
        let drawn = |n: u64, wanted: u64, seed: u64| {
            let mut all: Vec<u64> = (0..n).collect();
            keep_by_lot(&mut all, wanted, seed);
            all
        };
        assert_eq!(drawn(5, 9, 1), [0, 1, 2, 3, 4]);
        assert_eq!(drawn(100, 20, 1).len(), 20);
        assert_ne!(drawn(100, 20, 1), drawn(100, 20, 2));
        let mut counts = [0; 10];
        (0..1000).flat_map(|seed| drawn(10, 3, seed)).for_each(|game| counts[game as usize] += 1);
        assert!(counts.iter().all(|count| (240..360).contains(count)), "{counts:?}");
    }

    #[test]
    fn games_that_cannot_be_replayed_are_no_failures() {
        let text = |games, same, not_reproducible| {
            Replayed { games, same, not_reproducible, ..Replayed::default() }.text()
        };
        assert_eq!(text(4, 4, 0), "4 of 4 games came out the same, move for move.\n");
        assert_eq!(
            text(4, 0, 4),
            "No game can be replayed: all 4 depend on a clock or an external engine.\n"
        );
        assert_eq!(
            text(4, 3, 1),
            "3 of 3 games came out the same, move for move. 1 game depends on a clock or an external engine.\n"
        );
        assert_eq!(
            text(5, 2, 2),
            "2 of 3 games came out the same, move for move. 2 games depend on a clock or an external engine. 1 game was not replayed.\n"
        );
    }
}
