//! Experiments that are killed, again and again, and resumed: what is in the store at
//! the end is what an undisturbed run leaves there, to the byte.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rusqlite::Connection;
use tesuji::core::{Rng, Seed};

/// Games of some twenty milliseconds: long enough to be killed in, many enough to go on for seconds.
const EXPERIMENT: &str = r#"
title = "Killed and resumed"
seed = 7
games = 40
rules = { random_plies = 2 }

[[grid]]
game = "{game}"
player = "{player}"
opponent = "rave@600"
each = [
  { name = "game", values = ["hex:5", "nodomineering:5", "ataxx:5"] },
  { name = "player", values = ["hybrid-shuss(t=64)@900", "vct(stop=1e-3)+uct@600"] },
]
"#;

/// Games of all cells.
const GAMES: usize = 240;

/// Kills of each run.
const KILLS: u32 = 20;

struct Bench {
    folder: PathBuf,
    /// Games of all cells.
    games: usize,
}

impl Bench {
    fn new(name: &str) -> Bench {
        Bench::with_experiment(name, EXPERIMENT, GAMES)
    }

    fn with_experiment(name: &str, experiment: &str, games: usize) -> Bench {
        let folder = std::env::temp_dir().join(format!("tesuji-kill-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("killed.toml"), experiment).unwrap();
        Bench { folder, games }
    }

    fn command(&self, store: &str, options: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
        command.args(["run", "killed.toml", "--store", store]).args(options);
        command.current_dir(&self.folder).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn start(&self, store: &str, options: &[&str]) -> Child {
        self.command(store, options).spawn().unwrap()
    }

    fn finish(&self, store: &str, options: &[&str]) {
        assert!(self.start(store, options).wait().unwrap().success());
    }

    /// Starts the run of so many games and kills it at a random moment, again and again;
    /// then lets it finish.
    fn killed(&self, store: &str, options: &[&str], games: u64, rng: &mut Rng) {
        let (mut before, mut kills) = (0, 0);
        // On a fast and quiet machine the games may be over before the last kill.
        while kills < KILLS && before < games {
            kills += 1;
            let mut child = self.start(store, options);
            std::thread::sleep(Duration::from_millis(20 + u64::from(rng.below(80))));
            // SIGKILL: nothing is told, nothing can be done about it.
            child.kill().unwrap();
            child.wait().unwrap();
            let path = self.folder.join(store);
            if path.exists() {
                let now = n_games(&path);
                assert!(now >= before, "games were lost: {before}, then {now}");
                before = now;
            }
        }
        assert!(kills >= KILLS / 2, "{games} games were over after {kills} kills");
        self.finish(store, options);
    }

    /// The number of rows of a table in all files of a store.
    fn count(&self, store: &str, table: &str) -> u64 {
        let stem = store.trim_end_matches(".db");
        let files = std::fs::read_dir(&self.folder).unwrap().map(|file| file.unwrap().path());
        let is_of_it = |file: &PathBuf| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(stem) && name.ends_with(".db")
        };
        let count = |file: PathBuf| {
            let connection = Connection::open(file).unwrap();
            let sql = format!("SELECT count(*) FROM {table}");
            // The first run may have been killed before it made the tables.
            connection.query_row(&sql, [], |row| row.get::<_, u64>(0)).unwrap_or(0)
        };
        files.filter(is_of_it).map(count).sum()
    }

    /// Every row of the games, every value as SQLite quotes it.
    fn rows(&self, store: &str) -> Vec<String> {
        let connection = Connection::open(self.folder.join(store)).unwrap();
        let check: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(check, "ok");
        let mut statement = connection
            .prepare(
                "SELECT quote(experiment) || quote(cell) || quote(game_index) || quote(side) || quote(winner) ||
                 quote(points) || quote(reason) || quote(plies) || quote(opening) || quote(player_samples) ||
                 quote(opponent_samples) || quote(moves) FROM games ORDER BY experiment, cell, game_index",
            )
            .unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        let rows: Vec<String> = rows.collect::<Result<_, _>>().unwrap();
        assert_eq!(rows.len(), self.games);
        // A play for each game.
        let plays: u64 = connection.query_row("SELECT count(*) FROM plays", [], |row| row.get(0)).unwrap();
        assert_eq!(plays, self.games as u64);
        rows
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn n_games(path: &Path) -> u64 {
    let connection = Connection::open(path).unwrap();
    // The first run may have been killed before it made the tables.
    connection.query_row("SELECT count(*) FROM games", [], |row| row.get(0)).unwrap_or(0)
}

#[test]
fn killed_runs_leave_the_rows_of_an_undisturbed_one() {
    let bench = Bench::new("run");
    let mut rng = Seed::new(1).child("kill").rng();
    bench.finish("undisturbed.db", &["-j", "1"]);
    let undisturbed = bench.rows("undisturbed.db");
    bench.finish("two-workers.db", &["-j", "2"]);
    assert!(bench.rows("two-workers.db") == undisturbed, "two workers play other games than one");
    for workers in ["1", "2"] {
        let store = format!("killed-{workers}.db");
        bench.killed(&store, &["-j", workers], GAMES as u64, &mut rng);
        assert!(bench.rows(&store) == undisturbed, "kills changed the games of {workers} workers");
    }
}

#[test]
fn merged_shards_are_the_rows_of_an_undisturbed_run() {
    let bench = Bench::new("shards");
    let mut rng = Seed::new(2).child("kill").rng();
    bench.finish("undisturbed.db", &["-j", "2"]);
    bench.finish("one.db", &["--shard", "1/3"]);
    bench.finish("two.db", &["--shard", "2/3", "-j", "1"]);
    bench.killed("three.db", &["--shard", "3/3", "-j", "1"], 72, &mut rng);
    let merge = |stores: &[&str]| {
        let merge = Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .args(["merge", "merged.db"])
            .args(stores)
            .current_dir(&bench.folder)
            .output()
            .unwrap();
        assert!(merge.status.success(), "{}", String::from_utf8_lossy(&merge.stderr));
    };
    merge(&["three.db", "one.db"]);
    merge(&["one.db", "two.db"]);
    assert!(bench.rows("merged.db") == bench.rows("undisturbed.db"), "shards play other games");
}

/// Runs of a few moments pause their games, some of them are killed, and their store is in files
/// of a limited size: joined, they have the rows of an undisturbed run.
#[test]
fn runs_of_moments_in_small_files_leave_the_rows_of_an_undisturbed_one() {
    const LIMIT: u64 = 100_000;
    let bench = Bench::new("moments");
    let mut rng = Seed::new(3).child("kill").rng();
    bench.finish("undisturbed.db", &["-j", "2"]);
    let moment = ["-j", "2", "--time", "60ms", "--store-limit", "100kB"];
    let mut paused = 0;
    for run in 0..12 {
        let mut child = bench.start("limited.db", &moment);
        if run % 3 == 2 {
            std::thread::sleep(Duration::from_millis(20 + u64::from(rng.below(60))));
            child.kill().unwrap();
            child.wait().unwrap();
        } else {
            assert!(child.wait().unwrap().success());
        }
        paused += bench.count("limited.db", "paused");
    }
    assert!(paused > 0, "no game was ever paused");
    bench.finish("limited.db", &["-j", "2", "--store-limit", "100kB"]);
    let sizes: Vec<u64> = std::fs::read_dir(&bench.folder)
        .unwrap()
        .map(|file| file.unwrap())
        .filter(|file| file.file_name().to_string_lossy().starts_with("limited"))
        .map(|file| file.metadata().unwrap().len())
        .collect();
    assert!(sizes.len() > 1 && sizes.iter().all(|size| *size <= LIMIT), "{sizes:?}");
    let merge = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(["merge", "joined.db", "limited.db"])
        .current_dir(&bench.folder)
        .output()
        .unwrap();
    assert!(merge.status.success(), "{}", String::from_utf8_lossy(&merge.stderr));
    assert!(bench.rows("joined.db") == bench.rows("undisturbed.db"), "pauses changed the games");
    assert_eq!(bench.count("joined.db", "paused"), 0);
}

/// The results of earlier rounds decide who meets next, so a resumed run must plan the same rounds.
#[test]
fn killed_tournaments_leave_the_rows_of_an_undisturbed_one() {
    const GAMES: usize = 240;
    let experiment = r#"
        title = "A tournament, killed and resumed"
        seed = 7
        games = 40
        rules = { random_plies = 2 }

        [tournament]
        game = "hex:5"
        players = ["hybrid-shuss(t=64)@900", "rave@600", "uct@600", "random"]
        schedule = "widest"
        ask = "first"
        total = 240
    "#;
    let bench = Bench::with_experiment("tournament", experiment, GAMES);
    let mut rng = Seed::new(4).child("kill").rng();
    bench.finish("undisturbed.db", &["-j", "1"]);
    let undisturbed = bench.rows("undisturbed.db");
    for workers in ["1", "2"] {
        let store = format!("killed-{workers}.db");
        bench.killed(&store, &["-j", workers], GAMES as u64, &mut rng);
        assert!(bench.rows(&store) == undisturbed, "kills changed the games of {workers} workers");
    }
}

/// All games of a device are in flight at once. If a kill or the end of a run leaves games unfinished,
/// the next run continues them, on the device or on the CPU, and leaves the rows of a run on the CPU.
#[cfg(feature = "cuda")]
#[test]
fn killed_runs_on_a_device_leave_the_rows_of_an_undisturbed_one_on_the_cpu() {
    const GAMES: usize = 48;
    let experiment = r#"
        title = "Killed on a device"
        seed = 7
        games = 24
        rules = { random_plies = 2 }

        [[grid]]
        game = "{game}"
        player = "hybrid-shuss(t=64)@600"
        opponent = "rave@600"
        each = [{ name = "game", values = ["hex:5", "go:5"] }]
    "#;
    let bench = Bench::with_experiment("device", experiment, GAMES);
    bench.finish("cpu.db", &["-j", "2"]);
    let undisturbed = bench.rows("cpu.db");
    let device: &[&str] = &["--device", "emulated"];
    // Starts a run, kills it after the next finished game, and returns the number of games that were
    // in flight. All are over if this process had to wait for a processor meanwhile.
    let killed = |store: &str| {
        let before = bench.count(store, "games");
        let mut child = bench.start(store, device);
        while child.try_wait().unwrap().is_none() && bench.count(store, "games") <= before {
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(bench.count(store, "games") > before, "{store}: games were lost, or none was played");
        bench.count(store, "paused")
    };
    for (name, last_run) in [("device", device), ("mixed", &["-j", "2"])] {
        let store = (1..=5).map(|attempt| format!("{name}-{attempt}.db")).find(|store| {
            let first = killed(store);
            // A kill stores no moves, but the end of a run does.
            bench.finish(store, &[device, &["--time", "100ms"]].concat());
            first > 0 && bench.count(store, "paused") > 0 && killed(store) > 0
        });
        let store = store.expect("every kill came after the last game");
        bench.finish(&store, last_run);
        assert!(bench.rows(&store) == undisturbed, "{store}: kills changed the games");
        assert_eq!(bench.count(&store, "paused"), 0);
    }
}

/// Ctrl-C ends engines that do not listen, too, and prints what was found.
#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_leaves_nobody_behind() {
    let bench = Bench::new("interrupt");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/gtp/tests/engines/hangs-at-genmove.sh");
    let engine = format!("gtp(\"sh '{}' engine.pid\")", script.display());
    let child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(["match", "go:5", "random", &engine, "--games", "3", "-j", "1"])
        .current_dir(&bench.folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let pid_file = bench.folder.join("engine.pid");
    let engine = loop {
        match std::fs::read_to_string(&pid_file).ok().and_then(|text| text.trim().parse::<u32>().ok()) {
            Some(pid) => break pid,
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    std::thread::sleep(Duration::from_millis(300));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        printed.contains("Results of random against gtp(") && printed.contains("No games yet."),
        "{printed}"
    );
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.starts_with("interrupted: the games are not kept; to keep them and go on later: "),
        "{said}"
    );
    assert!(!Path::new(&format!("/proc/{engine}")).exists(), "the engine lives on");
}

/// Ctrl-C says what is kept, and the very command that goes on.
#[test]
#[cfg(unix)]
fn an_interrupt_says_how_to_go_on() {
    use std::os::unix::process::ExitStatusExt;

    let bench = Bench::new("go-on");
    let stopped_after = |arguments: &[&str], milliseconds: u64| {
        let child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .args(arguments)
            .current_dir(&bench.folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        if output.status.signal() == Some(2) {
            return None;
        }
        assert_eq!(output.status.code(), Some(130), "{arguments:?}");
        let last = String::from_utf8(output.stderr).unwrap().lines().last().unwrap_or_default().to_owned();
        Some((String::from_utf8(output.stdout).unwrap(), last))
    };
    // On a busy machine a process may be interrupted before it listens: then it gets more time.
    let stopped = |arguments: &[&str]| {
        let mut attempts = [500, 2000, 8000].into_iter();
        attempts.find_map(|wait| stopped_after(arguments, wait)).expect("a process that listens")
    };
    let a_match =
        ["match", "hex:5", "uct(c=0.3)@500", "uct@500", "--games", "1000000", "-j", "1", "--store", "m.db"];
    let (_, said) = stopped(&a_match);
    let command = "tesuji match hex:5 'uct(c=0.3)@500' uct@500 --games 1000000 -j 1 --store m.db";
    assert_eq!(
        said,
        format!("interrupted: everything so far is kept in m.db; to go on, run again: {command}")
    );

    let measure = ["run", "voi-figure1", "--runs", "100000000", "-j", "1", "--store", "m.db"];
    let (_, said) = stopped(&measure);
    assert!(
        said.starts_with("interrupted: everything so far is kept in m.db; to go on, run again: "),
        "{said}"
    );

    let (counts, said) = stopped(&["perft", "go:9", "--depth", "9"]);
    assert!(counts.contains(" 6,643 "), "{counts}");
    assert!(said.starts_with("interrupted: only what is printed here was done"), "{said}");

    let (found, said) = stopped(&["search", "hex:11", "--player", "uct@10m", "-j", "1"]);
    assert!(found.contains("Black plays "), "{found}");
    assert!(said.starts_with("interrupted: only what is printed here was done"), "{said}");
}

#[test]
fn two_processes_share_a_store() {
    let bench = Bench::new("two");
    bench.finish("undisturbed.db", &["-j", "2"]);
    let both =
        [0, 1].map(|_| bench.command("shared.db", &["-j", "1"]).stderr(Stdio::piped()).spawn().unwrap());
    for output in both.map(|child| child.wait_with_output().unwrap()) {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(bench.rows("shared.db") == bench.rows("undisturbed.db"), "two processes play other games");
}
