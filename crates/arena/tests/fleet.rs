//! Games that a device plays, many at once, are the games that threads play, to the byte: whatever
//! the order of its searches, and wherever runs end.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tesuji_arena::record::Game;
use tesuji_arena::{Definition, MatchExperiment, Progress, RunError, RunEvent, RunSettings, Store, Summary};
use tesuji_core::{Rng, Seed};
use tesuji_search::{
    DeviceError, DeviceSearch, DeviceStatus, Limits, PlayerConfig, Report, SearchConfig, SearchDevice,
    SearchId, Sight, TreeConfig,
};

/// Makes searches with the real players, some at a time and in any order.
struct TestDevice<'a> {
    searches: BTreeMap<SearchId, DeviceSearch>,
    rng: Rng,
    capacity: usize,
    waits: usize,
    samples: u64,
    most_searches: usize,
    /// Sets the flag at this wait.
    interrupts: Option<(usize, &'a AtomicBool)>,
    /// Fails once in about this number of calls.
    fails_in: Option<usize>,
    /// Fails at all calls from this wait on.
    is_lost_at: Option<usize>,
}

impl<'a> TestDevice<'a> {
    fn new(seed: u64, capacity: usize) -> TestDevice<'a> {
        TestDevice {
            searches: BTreeMap::new(),
            rng: Seed::new(seed).rng(),
            capacity,
            waits: 0,
            samples: 0,
            most_searches: 0,
            interrupts: None,
            fails_in: None,
            is_lost_at: None,
        }
    }

    /// Fails now and then: the searches are lost.
    fn perhaps_fail(&mut self) -> Result<(), DeviceError> {
        let is_lost = self.is_lost_at.is_some_and(|wait| self.waits >= wait);
        let fails = self.fails_in.is_some_and(|calls| self.rng.below(calls as u32) == 0);
        if is_lost || fails {
            self.searches.clear();
            return Err(DeviceError::Failed("the device is out of memory".to_owned()));
        }
        Ok(())
    }
}

impl SearchDevice for TestDevice<'_> {
    fn accepts(&self, _: &dyn Sight, config: &SearchConfig, _: u64) -> Result<(), DeviceError> {
        match config.tree {
            TreeConfig::Grave { .. } => Err(DeviceError::Unsupported("it knows no GRAVE".to_owned())),
            _ => Ok(()),
        }
    }

    fn capacity(&self) -> usize {
        self.capacity
    }

    fn begin(&mut self, id: SearchId, search: DeviceSearch) -> Result<(), DeviceError> {
        self.perhaps_fail()?;
        assert!(self.searches.insert(id, search).is_none());
        self.most_searches = self.most_searches.max(self.searches.len());
        Ok(())
    }

    fn wait(&mut self, _: Option<Instant>) -> Result<Vec<(SearchId, Report)>, DeviceError> {
        self.waits += 1;
        if let Some((wait, flag)) = self.interrupts
            && self.waits >= wait
        {
            flag.store(true, Ordering::Relaxed);
        }
        self.perhaps_fail()?;
        let mut ids: Vec<SearchId> = self.searches.keys().copied().collect();
        self.rng.shuffle(&mut ids);
        ids.truncate(self.rng.below(1 + ids.len() as u32) as usize);
        let reports = ids.into_iter().map(|id| {
            let search = self.searches.remove(&id).unwrap();
            let mut player = PlayerConfig::Search(Box::new((*search.config).clone())).player();
            player.set_carried(search.carried);
            let report = player.search(&*search.sight, &Limits::samples(search.samples), search.seed, None);
            self.samples += report.spent;
            (id, report)
        });
        Ok(reports.collect())
    }

    fn forget_all(&mut self) {
        self.searches.clear();
    }

    fn status(&self) -> DeviceStatus {
        DeviceStatus {
            name: "test".to_owned(),
            searches: self.searches.len(),
            samples: self.samples,
            ..DeviceStatus::default()
        }
    }
}

fn parsed(text: &str) -> MatchExperiment {
    let definition = Definition::built_in("fleet", text, &[]).unwrap();
    MatchExperiment::parse(definition).unwrap_or_else(|error| panic!("{error}"))
}

/// Several games and players: halving and trees, players that save samples, that do not search
/// and that see the board turned; budgets by move number; phantom games whose attempts are refused; random openings.
fn experiment() -> MatchExperiment {
    parsed(
        r#"
title = ""
seed = 3
games = 6
rules = { random_plies = 1, resign_below = 0.15, claim_above = 0.9 }
[[grid]]
game = "hex:4"
player = "sh+uct@30"
opponent = "{opponent}"
each = [{ name = "opponent", values = ["rave@60x2,20x1,30", "random"] }]
[[grid]]
game = "breakthrough:4x5"
player = "vct(stop=0.05)+uct@40"
opponent = "greedy"
[[grid]]
game = "phantom-go:4"
player = "flat(sh)@20"
opponent = "turned(2,flat(uniform)@16)"
[[grid]]
game = "go:3"
player = "random"
opponent = "greedy"
"#,
    )
}

fn rows(experiment: &MatchExperiment, store: &Store) -> Vec<Vec<Game>> {
    let games = |cell: &tesuji_arena::Cell| store.games(experiment.address, &cell.key).unwrap();
    experiment.cells.iter().map(games).collect()
}

fn by_threads(experiment: &MatchExperiment) -> Vec<Vec<Game>> {
    let mut store = Store::in_memory().unwrap();
    experiment.run(&RunSettings::on_threads(2), &mut store).unwrap();
    rows(experiment, &store)
}

fn run_on(
    experiment: &MatchExperiment,
    device: &mut TestDevice<'_>,
    store: &mut Store,
    interrupt: &AtomicBool,
) -> Result<Summary, RunError> {
    experiment.run_on_device(device, &RunSettings::default(), store, interrupt, &mut |_| {})
}

#[test]
fn a_device_plays_the_games_of_threads() {
    let experiment = experiment();
    let expected = by_threads(&experiment);
    let refused = expected[3].iter().filter(|game| game.moves.contains('?')).count();
    assert!(refused > 0, "no attempt was refused");
    for capacity in [1, 7, 1000] {
        let (mut store, mut device) = (Store::in_memory().unwrap(), TestDevice::new(1, capacity));
        let (mut statuses, mut games) = (0, 0);
        let mut progress = |progress: &Progress<'_>| match &progress.event {
            RunEvent::Fleet(status) => {
                statuses += 1;
                assert!(status.games <= capacity && status.device.name == "test");
            }
            RunEvent::Game(..) => games += 1,
            _ => {}
        };
        let settings = RunSettings::default();
        let summary = experiment
            .run_on_device(&mut device, &settings, &mut store, &AtomicBool::new(false), &mut progress)
            .unwrap();
        assert_eq!((summary.played, summary.missing, summary.paused, games), (30, 0, 0, 30));
        assert!(statuses > 0 && !summary.is_interrupted);
        // The cell of players that do not search never waits for the device.
        assert_eq!(device.most_searches, capacity.min(24));
        assert_eq!(rows(&experiment, &store), expected, "capacity {capacity}");
    }
}

#[test]
fn runs_that_end_anywhere_give_the_same_games() {
    let experiment = experiment();
    let expected = by_threads(&experiment);
    for (seed, step, fails_in) in [(1, 1, None), (2, 3, None), (3, 8, None), (4, 5, Some(60))] {
        let mut store = Store::in_memory().unwrap();
        let (mut runs, mut n_paused) = (0, 0);
        loop {
            let interrupt = AtomicBool::new(false);
            let mut device = TestDevice::new(100 * seed + runs, 9);
            device.interrupts = Some((step, &interrupt));
            device.fails_in = fails_in;
            runs += 1;
            assert!(runs < 1000, "the runs come to no end");
            match run_on(&experiment, &mut device, &mut store, &interrupt) {
                Ok(summary) => {
                    let stored = store.paused(experiment.address).unwrap().len() as u64;
                    assert!(summary.paused <= 9 && summary.paused <= stored && stored <= 9);
                    assert_eq!(summary.is_interrupted, summary.missing > 0 || device.waits >= step);
                    n_paused += summary.paused;
                    if summary.missing == 0 {
                        break;
                    }
                }
                Err(error) => assert_eq!(error.to_string(), "the device is out of memory"),
            }
        }
        assert!(n_paused > 9 && runs > 5, "{runs} runs paused {n_paused} games");
        assert_eq!(rows(&experiment, &store), expected, "every {step} waits, {runs} runs");
        assert_eq!(store.paused(experiment.address).unwrap(), []);
    }
}

#[test]
fn a_deadline_pauses_games_and_threads_continue_them() {
    let experiment = experiment();
    let expected = by_threads(&experiment);
    let mut store = Store::in_memory().unwrap();
    for milliseconds in [0, 2, 5] {
        let deadline = Some(Instant::now() + Duration::from_millis(milliseconds));
        let settings = RunSettings { deadline, ..RunSettings::default() };
        let mut device = TestDevice::new(milliseconds, 12);
        let summary = experiment
            .run_on_device(&mut device, &settings, &mut store, &AtomicBool::new(false), &mut |_| {})
            .unwrap();
        assert!(summary.missing > 0 && summary.paused <= 12 && !summary.is_interrupted);
    }
    let paused = store.paused(experiment.address).unwrap();
    assert!(!paused.is_empty());
    let mut order = Vec::new();
    let mut progress = |progress: &Progress<'_>| {
        if let RunEvent::Game(_, game, _) = progress.event {
            order.push(game.address.clone());
        }
    };
    let never = AtomicBool::new(false);
    experiment.run_watched(&RunSettings::default(), &mut store, &never, &mut progress).unwrap();
    assert_eq!(rows(&experiment, &store), expected);
    // The games that were begun came first.
    order.truncate(paused.len());
    assert!(paused.iter().all(|game| order.contains(&game.address)));
}

#[test]
fn a_device_that_fails_now_and_then_loses_nothing() {
    let experiment = experiment();
    let expected = by_threads(&experiment);
    let (mut store, mut device) = (Store::in_memory().unwrap(), TestDevice::new(5, 6));
    device.fails_in = Some(150);
    let mut failures = 0;
    let mut progress = |progress: &Progress<'_>| {
        failures += usize::from(matches!(progress.event, RunEvent::DeviceFailure(_)));
    };
    let mut runs = 0;
    while rows(&experiment, &store) != expected {
        runs += 1;
        assert!(runs < 100);
        let settings = RunSettings::default();
        let played = experiment.run_on_device(
            &mut device,
            &settings,
            &mut store,
            &AtomicBool::new(false),
            &mut progress,
        );
        assert!(matches!(played, Ok(Summary { missing: 0, .. }) | Err(RunError::Device(_))));
    }
    assert!(failures > 0);
}

#[test]
fn a_device_that_is_lost_ends_the_run() {
    let experiment = experiment();
    let (mut store, mut device) = (Store::in_memory().unwrap(), TestDevice::new(5, 6));
    device.is_lost_at = Some(9);
    let error = run_on(&experiment, &mut device, &mut store, &AtomicBool::new(false)).unwrap_err();
    assert_eq!(error.to_string(), "the device is out of memory");
    assert_eq!(store.paused(experiment.address).unwrap().len(), 6);
    run_on(&experiment, &mut TestDevice::new(6, 6), &mut store, &AtomicBool::new(false)).unwrap();
    assert_eq!(rows(&experiment, &store), by_threads(&experiment));
}

#[test]
fn what_a_device_cannot_play_is_a_sentence_before_anything_is_played() {
    for (rules, player, expected) in [
        ("", "gtp(\"gnugo\")", "gtp(\"gnugo\") cannot play hex:3 on a device: it is an external engine"),
        (
            "",
            "uct@9x2,1s",
            "uct@9x2,1s cannot play hex:3 on a device: its budget is a time, not a number of samples",
        ),
        ("", "uct@1s", "uct@1s cannot play hex:3 on a device: its budget is a time, not a number of samples"),
        ("", "uct+reuse@10", "uct+reuse@10 cannot play hex:3 on a device: it reuses its tree"),
        ("", "grave@10", "grave@10 cannot play hex:3 on a device: it knows no GRAVE"),
        ("clock = '1m'", "uct@10", "hex:3 has a clock, and a device plays without clocks"),
    ] {
        let experiment = parsed(&format!(
            "title = ''\nseed = 1\ngames = 2\nrules = {{ {rules} }}\n[[grid]]\ngame = 'hex:3'\n\
             player = 'random'\nopponent = 'random'\n[[grid]]\ngame = 'hex:3'\nplayer = 'random'\nopponent = '{player}'\n"
        ));
        let (mut store, mut device) = (Store::in_memory().unwrap(), TestDevice::new(1, 4));
        let error = run_on(&experiment, &mut device, &mut store, &AtomicBool::new(false)).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert_eq!(experiment.check_device(&device).unwrap_err().to_string(), expected);
        assert!(rows(&experiment, &store).iter().all(Vec::is_empty));
    }
}

/// A process that is killed stores nothing more, so what is in flight must be stored before.
#[test]
fn games_in_flight_are_stored_as_soon_as_they_are_begun() {
    let experiment = experiment();
    let file = std::env::temp_dir().join(format!("tesuji-fleet-{}.db", std::process::id()));
    let mut store = Store::open(&file).unwrap();
    let reader = Store::open_to_read(&file).unwrap();
    let mut statuses = 0;
    let mut progress = |progress: &Progress<'_>| {
        if let RunEvent::Fleet(status) = &progress.event {
            statuses += 1;
            assert_eq!(reader.paused(experiment.address).unwrap().len(), status.games);
        }
    };
    let (settings, mut device) = (RunSettings::default(), TestDevice::new(7, 9));
    let never = AtomicBool::new(false);
    experiment.run_on_device(&mut device, &settings, &mut store, &never, &mut progress).unwrap();
    assert!(statuses > 0);
    assert_eq!(reader.paused(experiment.address).unwrap(), []);
    drop((store, reader));
    std::fs::remove_file(&file).unwrap();
}
