//! How long a reproduction takes, before it begins: games, simulations and time of each experiment,
//! from games with few samples of every kind of player on this machine.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use tesuji::catalog::{BudgetSpec, GameSpec, PartKind, PlayerPart, PlayerSpec};
use tesuji::core::{Seed, in_shell};
use tesuji::search::{Limits, Recording, SearchDevice};
use tesuji_arena::{
    BanditExperiment, Cell, Contestant, Match, MatchExperiment, MeasureSettings, RunEvent, RunSettings, Store,
};
use tesuji_report::numbers::{grouped, long_duration};
use tesuji_report::{Screen, Table};

use super::super::bar::Bar;
use super::super::device::PlayDevice;
use super::super::interrupt;
use super::Planned;

/// What is left to do of an experiment.
struct Estimate {
    name: String,
    /// Games or runs, and which of the two.
    missing: u64,
    unit: &'static str,
    /// The simulations of searches, or the samples of policies.
    simulations: f64,
    seconds: f64,
    device: Where,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    Cpu,
    Gpu,
}

/// What is left to do of all experiments.
pub(super) struct Plan {
    all: Vec<Estimate>,
    threads: usize,
}

impl Plan {
    /// Measures a few samples of everything. It takes some ten seconds on a CPU.
    pub(super) fn of(
        planned: &Planned,
        store: &Store,
        threads: usize,
        device: &mut PlayDevice,
    ) -> Result<Plan> {
        let cells: usize = planned.matches.iter().map(|experiment| experiment.cells.len()).sum();
        let bar = Bar::new((planned.bandits.len() + cells) as u64)?;
        let mut all = Vec::new();
        for experiment in &planned.bandits {
            bar.say(experiment.name());
            all.push(of_bandits(experiment, store, threads)?);
            bar.add(1);
        }
        let mut speeds = Speeds::default();
        for experiment in &planned.matches {
            let device = device.accepting(experiment);
            all.push(of_matches(experiment, store, threads, device, &mut speeds, &bar)?);
        }
        bar.finish();
        Ok(Plan { all, threads })
    }

    /// Returns the plan for a terminal. `store` is the file in which results are kept.
    pub(super) fn text(&self, store: &str, screen: &Screen) -> String {
        let columns = ["experiment", "#missing", "", "#simulations", "#time", "on"];
        let mut table = Table::new("What is missing, and about how long it takes on this machine", columns);
        for it in &self.all {
            let device = match it.device {
                _ if it.missing == 0 => String::new(),
                Where::Gpu => "GPU".to_owned(),
                Where::Cpu => format!("CPU, {} threads", self.threads),
            };
            let (simulations, time) = (amount(it.simulations), time(it.seconds));
            table.row([it.name.clone(), grouped(it.missing), it.unit.to_owned(), simulations, time, device]);
        }
        let sum = |of: fn(&Estimate) -> f64| self.all.iter().map(of).sum::<f64>();
        let (simulations, seconds) = (sum(|it| it.simulations), sum(|it| it.seconds));
        let empty = String::new;
        table.row(["all".to_owned(), empty(), empty(), amount(simulations), time(seconds), empty()]);
        let store = in_shell(store);
        let words = format!(
            "Times come from short games on this machine and may be off by half. \
             Results are kept in {store} as they come: stop at any time, and the same command continues.\n\
             Stop by itself: tesuji reproduce --time 2h\n\
             A part alone: tesuji run shuss-table1 --only 'go:9 t=512' --store {store}\n"
        );
        format!("{}{}", table.text(screen), screen.wrapped(&words))
    }
}

fn time(seconds: f64) -> String {
    Duration::try_from_secs_f64(seconds).map_or_else(|_| "unknown".to_owned(), long_duration)
}

/// A large number in a word: 41 million, 1.3 trillion.
fn amount(number: f64) -> String {
    let units = [(1e12, "trillion"), (1e9, "billion"), (1e6, "million")];
    match units.into_iter().find(|(unit, _)| number >= *unit) {
        Some((unit, word)) if number < 10.0 * unit => format!("{:.1} {word}", number / unit),
        Some((unit, word)) => format!("{} {word}", grouped((number / unit).round() as u64)),
        None => grouped(number.round() as u64),
    }
}

/// Measures a hundredth or so of the runs, into a store that is thrown away.
fn of_bandits(experiment: &BanditExperiment, store: &Store, threads: usize) -> Result<Estimate> {
    const TRIAL_RUNS: u64 = 50;
    let (name, unit, device) = (experiment.name().to_owned(), "runs", Where::Cpu);
    if experiment.results(store)?.is_some_and(|results| results.runs >= experiment.runs) {
        return Ok(Estimate { name, missing: 0, unit, simulations: 0.0, seconds: 0.0, device });
    }
    let began = Instant::now();
    let settings = MeasureSettings {
        runs: TRIAL_RUNS,
        build: "",
        threads,
        interrupt: interrupt::flag()?,
        progress: &|_| {},
    };
    let results = experiment.run(&settings, &mut Store::in_memory()?)?;
    let times = experiment.runs as f64 / TRIAL_RUNS as f64;
    let samples: f64 =
        results.panels.iter().flat_map(|panel| &panel.cells).map(|cell| cell.row.budget as f64).sum();
    Ok(Estimate {
        name,
        missing: experiment.n_runs(experiment.runs),
        unit,
        simulations: samples * experiment.runs as f64,
        seconds: began.elapsed().as_secs_f64() * times,
        device,
    })
}

fn of_matches(
    experiment: &MatchExperiment,
    store: &Store,
    threads: usize,
    device: Option<&mut (dyn SearchDevice + 'static)>,
    speeds: &mut Speeds,
    bar: &Bar,
) -> Result<Estimate> {
    let (mut missing, mut simulations, mut seconds) = (0, 0.0, 0.0);
    for cell in &experiment.cells {
        bar.say(&format!("{} {}", experiment.name(), cell.game));
        let games = missing_games(experiment, cell, store)?;
        if games > 0 && !interrupt::is_set() {
            let plies = match mean_plies(experiment, cell, store)? {
                Some(plies) => plies,
                None => speeds.plies(&cell.game)?,
            };
            let seconds_a_sample = if device.is_none() { speeds.of(cell)? } else { [0.0; 2] };
            for (contestant, cost) in [&cell.player, &cell.opponent].into_iter().zip(seconds_a_sample) {
                // Each player makes half of the moves.
                let samples = 0.5 * plies * player(contestant).map_or(0, samples_a_move) as f64;
                simulations += games as f64 * samples;
                seconds += games as f64 * samples * cost / threads as f64;
            }
        }
        missing += games;
        bar.add(1);
    }
    let (name, unit) = (experiment.name().to_owned(), "games");
    let (seconds, device) = match device {
        Some(device) if missing > 0 => (simulations / device_speed(experiment, device)?, Where::Gpu),
        Some(_) => (0.0, Where::Gpu),
        None => (seconds, Where::Cpu),
    };
    Ok(Estimate { name, missing, unit, simulations, seconds, device })
}

fn missing_games(experiment: &MatchExperiment, cell: &Cell, store: &Store) -> Result<u64> {
    let known = store.points(experiment.address, &cell.key)?;
    let done = known.iter().filter(|game| game.index < experiment.games).count() as u64;
    Ok(experiment.games - done)
}

/// The mean length of the cell's games in the store, if there are enough to trust it.
fn mean_plies(experiment: &MatchExperiment, cell: &Cell, store: &Store) -> Result<Option<f64>> {
    const FEWEST_GAMES: u64 = 10;
    let played = store.played(experiment.address, &cell.key)?;
    let games = played.tally.total().games();
    Ok((games >= FEWEST_GAMES).then(|| played.plies as f64 / games as f64))
}

/// Our player behind a contestant. The papers' experiments have no other.
fn player(contestant: &Contestant) -> Option<&PlayerSpec> {
    match contestant {
        Contestant::Player(player) | Contestant::Turned(_, player) => Some(player),
        Contestant::Portfolio(_) | Contestant::Engine(_) => None,
    }
}

/// The most samples of one of the player's moves.
fn samples_a_move(player: &PlayerSpec) -> u64 {
    player.budget().and_then(|budget| budget.most_samples()).unwrap_or(0)
}

/// What a sample of the player costs depends on: its parts, without the numbers of root and tree.
fn kind(player: &PlayerSpec) -> String {
    let part = |part: &PlayerPart| match part.kind {
        PartKind::Root | PartKind::Tree => part.text.split('(').next().unwrap_or_default().to_owned(),
        _ => part.text.clone(),
    };
    player.parts().iter().map(part).collect::<Vec<_>>().join("+")
}

/// The mean lengths of games between players of 10,000 samples a move, as in `results/`. Weak players
/// say little about them: NoAtaxx is fourteen times as long as theirs.
const PLIES: [(&str, f64); 16] = [
    ("atarigo:7", 34.0),
    ("atarigo:9", 36.8),
    ("ataxx:8(cap=2000)", 127.5),
    ("breakthrough:8", 58.2),
    ("domineering:8", 29.7),
    ("go:7", 69.9),
    ("go:9", 111.1),
    ("hex:11", 38.0),
    ("knightthrough:8", 31.9),
    ("noataxx:8(cap=2000)", 1587.9),
    ("nobreakthrough:8", 114.3),
    ("nodomineering:8", 28.7),
    ("nogo:7", 42.6),
    ("nogo:9", 70.6),
    ("nohex:11", 119.9),
    ("noknightthrough:8", 104.4),
];

/// The lengths of games and the speeds of players that were measured.
#[derive(Default)]
struct Speeds {
    plies: BTreeMap<String, f64>,
    /// The seconds of a sample on one thread, by game and kind of player.
    seconds: BTreeMap<(String, String), f64>,
}

impl Speeds {
    /// The mean length of a game.
    fn plies(&mut self, game: &GameSpec) -> Result<f64> {
        let key = game.to_string();
        if let Some((_, plies)) = PLIES.iter().find(|(known, _)| *known == key) {
            return Ok(*plies);
        }
        if let Some(plies) = self.plies.get(&key) {
            return Ok(*plies);
        }
        let tally = game.start()?.playouts(100, &mut Seed::new(1).rng(), Recording::Off);
        Ok(*self.plies.entry(key).or_insert(tally.mean_length()))
    }

    /// The seconds of a sample of both players of a cell.
    fn of(&mut self, cell: &Cell) -> Result<[f64; 2]> {
        let game = cell.game.to_string();
        let keys = [&cell.player, &cell.opponent]
            .map(|contestant| (game.clone(), player(contestant).map_or_else(String::new, kind)));
        if !keys.iter().all(|key| self.seconds.contains_key(key)) {
            let measured = played(cell)?;
            for (key, seconds) in keys.iter().zip(measured) {
                self.seconds.entry(key.clone()).or_insert(seconds);
            }
        }
        Ok(keys.map(|key| self.seconds[&key]))
    }
}

/// Plays a pair of games of a cell with so few samples that it takes about a second, and returns the
/// seconds of a sample of both players. A whole game has the positions that a player meets, while
/// random positions are often one move from the end.
fn played(cell: &Cell) -> Result<[f64; 2]> {
    const GAME: f64 = 0.4;
    const FEWEST_SAMPLES: u64 = 20;
    let board = cell.game.start()?;
    let plies = board.playouts(20, &mut Seed::new(1).rng(), Recording::Off).mean_length();
    let players = [&cell.player, &cell.opponent];
    let mut first = 0.0;
    for player in players.into_iter().filter_map(player) {
        let mut searcher = cell.game.player(player.config())?;
        let began = Instant::now();
        searcher.search(&*board.sight(), &Limits::samples(FEWEST_SAMPLES), Seed::new(1), None);
        first += 0.5 * began.elapsed().as_secs_f64() / FEWEST_SAMPLES as f64;
    }
    let most = players.into_iter().filter_map(player).map(samples_a_move).max().unwrap_or(FEWEST_SAMPLES);
    let samples = (GAME / (plies * first).max(1e-9)) as u64;
    let budget = samples.min(most).max(FEWEST_SAMPLES).to_string().parse::<BudgetSpec>()?;
    let [player, opponent] = players.map(|it| it.clone().with_other_budget(budget));
    let it = Match { games: 2, ..Match::new(cell.game.clone(), player, opponent) };
    let (experiment, mut store) = (it.experiment()?, Store::in_memory()?);
    experiment.run_watched(&RunSettings::on_threads(2), &mut store, interrupt::flag()?, &mut |_| {})?;
    let played = store.played(experiment.address, &experiment.cells[0].key)?;
    Ok([0, 1].map(|who| played.used[who] / played.samples[who].max(1) as f64))
}

/// The simulations of a device in a second, in games of all cells at once. What it plays here is not
/// kept.
fn device_speed(experiment: &MatchExperiment, device: &mut (dyn SearchDevice + 'static)) -> Result<f64> {
    /// Kernels are compiled before the first samples.
    const LONGEST: Duration = Duration::from_secs(180);
    const ENOUGH: Duration = Duration::from_secs(8);
    let is_over = AtomicBool::new(false);
    let mut first: Option<(Instant, u64)> = None;
    let mut speed = None;
    let mut tell = |told: &tesuji_arena::Progress<'_>| {
        if interrupt::is_set() {
            is_over.store(true, Ordering::Relaxed);
        }
        let RunEvent::Fleet(status) = told.event else { return };
        let samples = status.device.samples;
        match first {
            None if samples > 0 => first = Some((Instant::now(), samples)),
            None => {}
            Some((began, before)) => {
                let time = began.elapsed();
                speed = Some((samples - before) as f64 / time.as_secs_f64().max(1e-3));
                is_over.fetch_or(time >= ENOUGH, Ordering::Relaxed);
            }
        }
    };
    let settings = RunSettings { deadline: Some(Instant::now() + LONGEST), ..RunSettings::on_threads(1) };
    experiment.run_on_device(device, &settings, &mut Store::in_memory()?, &is_over, &mut tell)?;
    Ok(speed.filter(|speed| *speed > 0.0).unwrap_or(f64::NAN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_says_what_is_left_and_how_to_go_on() {
        let estimate = |name: &str, missing, unit, simulations, seconds, device| Estimate {
            name: name.to_owned(),
            missing,
            unit,
            simulations,
            seconds,
            device,
        };
        let all = vec![
            estimate("bandits", 8_000, "runs", 2e6, 75.0, Where::Cpu),
            estimate("table", 500, "games", 3.5e9, 7_200.0, Where::Gpu),
            estimate("done", 0, "games", 0.0, 0.0, Where::Cpu),
        ];
        let text = Plan { all, threads: 2 }.text("out dir/results.db", &Screen::default());
        let line = |name: &str| {
            let line = text.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
            line.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(line("bandits"), "bandits 8,000 runs 2.0 million 75 s CPU, 2 threads");
        assert_eq!(line("table"), "table 500 games 3.5 billion 2 h GPU");
        assert_eq!(line("done"), "done 0 games 0 0 s");
        assert_eq!(line("all"), "all 3.5 billion 2 h");
        assert!(text.contains("--store 'out dir/results.db'"), "{text}");
    }

    #[test]
    fn large_numbers_are_words() {
        let all = [0.0, 12_345.0, 1.26e6, 41.4e9, 12_345e12].map(amount);
        assert_eq!(all, ["0", "12,345", "1.3 million", "41 billion", "12,345 trillion"]);
    }

    #[test]
    fn players_that_differ_in_a_number_cost_the_same() {
        let kinds = ["shuss(t=0)+rave@100", "shuss(t=512)+rave@200", "uct+prior(sh,16)", "uct+prior(sh,32)"]
            .map(|player| kind(&player.parse().unwrap()));
        assert_eq!(kinds[0], kinds[1]);
        assert_ne!(kinds[2], kinds[3]);
        let it = Match::new("hex:4".parse().unwrap(), "uct@20".parse().unwrap(), "rave@20".parse().unwrap());
        let cell = it.experiment().unwrap().cells.remove(0);
        let mut speeds = Speeds::default();
        let both = speeds.of(&cell).unwrap();
        assert!(both.iter().all(|seconds| *seconds > 0.0), "{both:?}");
        assert_eq!(speeds.of(&cell).unwrap(), both);
        assert!((8.0..=16.0).contains(&speeds.plies(&cell.game).unwrap()));
    }
}
