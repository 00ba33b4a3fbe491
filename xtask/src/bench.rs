//! Instructions per playout, per simulation of a search and per run of a bandit
//! policy, and the gate on them.
//!
//! Counts repeat where times do not: callgrind gives the same number on every
//! machine for the same compiler. A game is run at two lengths from one seed;
//! the difference is what the playouts of the longer run added, and the cost of
//! starting the program is gone from it. A policy has the name `bandit POLICY`, and
//! is run on 20 arms with 2,048 samples. A search of the start position has the name
//! `search PLAYER GAME`, and takes 2,000 samples.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::baseline::Baselines;
use crate::shell;

/// The two numbers of playouts, or of runs.
const SHORT: u64 = 50;
const LONG: u64 = 550;

/// The samples of a search, and the two numbers of searches, which follow one that
/// gets memory ready. Few, because a simulation under callgrind takes a millisecond.
const SAMPLES: u64 = 2_000;
const SHORT_SEARCHES: u64 = 1;
const LONG_SEARCHES: u64 = 2;

/// The runs of a count that seems too large: a busy machine adds up to 12,000 instructions to the start
/// of the program, 24 for each playout.
const CAREFUL_RUNS: u32 = 5;

/// The change that the gate lets pass, in per cent: on a quiet machine counts repeat to the digit with the same
/// compiler. Ataxx pays for a build in several units, which is worth it elsewhere.
fn slack(name: &str) -> u64 {
    if name.contains("ataxx") { 6 } else { 2 }
}

/// Policies worth measuring: a batch policy, and those that choose before every sample.
const POLICIES: [&str; 3] = ["sh", "ucb(c=0.3)", "vct"];

/// Searches worth measuring: the two trees that most others are made of, where
/// playouts are dear and where they are cheap, and a root that halves.
const SEARCHES: [(&str, &[&str]); 3] = [
    ("uct", &["go:9", "hex:11", "domineering:8", "breakthrough:8", "ataxx:8"]),
    ("rave", &["go:9", "hex:11", "domineering:8", "breakthrough:8", "ataxx:8"]),
    ("shuss(t=256)+rave", &["go:9"]),
];

/// What is measured: a game, a search or a policy, by its name; and its
/// instructions per playout, simulation or run.
type Count = (String, u64);

/// Prints the counts of these games, or of all.
pub(crate) fn show(games: &[&str]) -> Result<()> {
    let binary = build()?;
    let games = match games {
        [] => measured(&binary)?,
        games => games.iter().map(|game| (*game).to_owned()).collect(),
    };
    shell::say(&table(&count_all(&binary, &games)?, &Baselines::read()?));
    Ok(())
}

/// Prints the counts of all games and makes them the baselines.
pub(crate) fn write() -> Result<()> {
    let binary = build()?;
    let counts = count_all(&binary, &measured(&binary)?)?;
    let mut baselines = Baselines::read()?;
    shell::say(&table(&counts, &baselines));
    baselines.instructions = counts.into_iter().collect();
    baselines.write()?;
    shell::say("docs/performance.json is written");
    Ok(())
}

/// Fails where a game needs more instructions than its baseline and the slack.
pub(crate) fn gate() -> Result<String> {
    let binary = build()?;
    let (mut counts, baselines) = (count_all(&binary, &measured(&binary)?)?, Baselines::read()?);
    for (name, now) in &mut counts {
        if baselines.instructions.get(name).is_some_and(|before| has_grown(name, *now, *before)) {
            *now = count(&binary, name, CAREFUL_RUNS)?;
        }
    }
    judge(&counts, &baselines)
}

/// Whether a count is above its baseline by more than the gate lets pass.
fn has_grown(name: &str, now: u64, before: u64) -> bool {
    now * 100 > before * (100 + slack(name))
}

fn judge(counts: &[Count], baselines: &Baselines) -> Result<String> {
    let (mut grown, mut shrunk) = (Vec::new(), Vec::new());
    for (game, now) in counts {
        let Some(&before) = baselines.instructions.get(game) else {
            grown.push(format!("{game} has no baseline: cargo xtask bench --write gives it one"));
            continue;
        };
        let change = percent(*now, before);
        let sentence = format!("{game}: {now} instructions each, {change:+.1} % from {before}");
        if has_grown(game, *now, before) {
            grown.push(sentence);
        } else if *now * 100 < before * (100 - slack(game)) {
            shrunk.push(sentence);
        }
    }
    for game in baselines.instructions.keys().filter(|game| !counts.iter().any(|(name, _)| name == *game)) {
        grown.push(format!("{game} has a baseline and is not measured any more"));
    }
    if !shrunk.is_empty() {
        shrunk.push("faster: cargo xtask bench --write keeps it so".to_owned());
        shell::say(&shrunk.join("\n"));
    }
    if !grown.is_empty() {
        bail!("{}", grown.join("\n"));
    }
    let ataxx = slack("ataxx");
    Ok(format!(
        "{} games, searches and policies within 2 % of their baselines (Ataxx {ataxx} %)",
        counts.len()
    ))
}

fn percent(now: u64, before: u64) -> f64 {
    (now as f64 / before as f64 - 1.0) * 100.0
}

/// Builds the release program, as people build it: its kernels select their instructions at run time.
fn build() -> Result<PathBuf> {
    shell::run(shell::cargo(&["build", "--quiet", "--release"]))?;
    Ok(shell::built("release"))
}

/// The games that `tesuji bench` measures, the searches and the policies.
fn measured(binary: &Path) -> Result<Vec<String>> {
    #[derive(Deserialize)]
    struct Games {
        games: Vec<Game>,
    }
    #[derive(Deserialize)]
    struct Game {
        measured: Vec<String>,
    }
    let json = shell::output(shell::command(&binary.to_string_lossy(), &["games", "--json"]))?;
    let Games { games } = serde_json::from_str(&json).context("tesuji games --json is not as expected")?;
    let policies = POLICIES.iter().map(|policy| format!("bandit {policy}"));
    let searches = SEARCHES
        .iter()
        .flat_map(|(player, games)| games.iter().map(move |game| format!("search {player} {game}")));
    Ok(games.into_iter().flat_map(|game| game.measured).chain(searches).chain(policies).collect())
}

/// Counts all games, as many at once as there are cores.
fn count_all(binary: &Path, games: &[String]) -> Result<Vec<Count>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(game) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = count(binary, game, 1);
                    results.lock().unwrap_or_else(PoisonError::into_inner).push((game, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(game, _)| games.iter().position(|other| other == *game));
    results.into_iter().map(|(game, result)| Ok((game.clone(), result?))).collect()
}

/// Instructions of each playout, simulation or run. Of several `runs` of the program the one with the
/// fewest instructions counts.
fn count(binary: &Path, name: &str, runs: u32) -> Result<u64> {
    let (short, long) = match name.starts_with("search ") {
        true => (SHORT_SEARCHES * SAMPLES, LONG_SEARCHES * SAMPLES),
        false => (SHORT, LONG),
    };
    let instructions = |n| {
        let fewest = |fewest: u64, _| run_callgrind(binary, name, n).map(|run| run.min(fewest));
        (0..runs).try_fold(u64::MAX, fewest)
    };
    Ok((instructions(long)? - instructions(short)?) / (long - short))
}

/// The instructions of a whole run of so many playouts, simulations or runs.
fn run_callgrind(binary: &Path, name: &str, n: u64) -> Result<u64> {
    let mut valgrind = shell::command("valgrind", &["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    let (kind, rest) = name.split_once(' ').unwrap_or(("", name));
    let (n, samples) = (n.to_string(), SAMPLES.to_string());
    valgrind.arg(binary);
    match (kind, rest.rsplit_once(' ')) {
        ("bandit", _) => valgrind
            .args(["bandit", "--arms", "1:20", "--budget", "2048"])
            .args(["--policy", rest, "--runs", &n, "-j", "1"]),
        ("search", Some((player, game))) => valgrind
            .args(["bench", game, "--player", player, "--searches-only"])
            .args(["--budget", &samples, "--playouts", &n]),
        _ => valgrind.args(["bench", name, "--playouts", &n]),
    };
    // The layout of a table depends on the digits of times, and so do its instructions. Without
    // fast bins, malloc does not tidy up at a moment of its own choice (20,000 instructions).
    valgrind.arg("--json").env("GLIBC_TUNABLES", "glibc.malloc.mxfast=0");
    let output = valgrind.output().context("cannot start valgrind")?;
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("valgrind failed on {name}: {text}");
    }
    let collected = text.lines().find_map(|line| line.split_once("Collected :"));
    let number = collected.and_then(|(_, number)| number.trim().parse().ok());
    number.with_context(|| format!("valgrind did not count {name}: {text}"))
}

fn table(counts: &[Count], baselines: &Baselines) -> String {
    let mut lines = vec![format!(
        "{:<34} {:>12} {:>8} {:>8} {:>8}   {}",
        "game", "instructions", "change", "goal", "of goal", "peer"
    )];
    for (game, now) in counts {
        let before = baselines.instructions.get(game);
        let change = before.map_or("new".to_owned(), |before| format!("{:+.1} %", percent(*now, *before)));
        let goal = baselines.goal(game);
        let share =
            goal.map_or(String::new(), |goal| format!("{:.0} %", *now as f64 / goal.goal as f64 * 100.0));
        let peer = goal.and_then(|goal| goal.peer.as_ref()).map_or(String::new(), |peer| {
            let ratio = peer.instructions as f64 / *now as f64;
            format!("{} {} ({ratio:.1} times as many)", peer.name, peer.instructions)
        });
        let goal = goal.map_or(String::new(), |goal| goal.goal.to_string());
        let row = format!("{game:<34} {now:>12} {change:>8} {goal:>8} {share:>8}   {peer}");
        lines.push(row.trim_end().to_owned());
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gate_lets_two_per_cent_pass() {
        let instructions = [("go:9".to_owned(), 1000), ("hex:11".to_owned(), 1000)].into();
        let baselines = Baselines { about: String::new(), goals: Vec::new(), instructions };
        let counts = |go, hex| [("go:9".to_owned(), go), ("hex:11".to_owned(), hex)];
        assert!(judge(&counts(1020, 980), &baselines).is_ok());
        assert!(judge(&counts(1000, 500), &baselines).is_ok());
        let error = judge(&counts(1021, 1000), &baselines).unwrap_err().to_string();
        assert_eq!(error, "go:9: 1021 instructions each, +2.1 % from 1000");
        // A game without a baseline and a baseline without a game both fail.
        assert!(judge(&counts(1000, 1000)[..1], &baselines).is_err());
        assert!(judge(&[("ataxx:8".to_owned(), 1)], &baselines).is_err());
        let ataxx = Baselines { instructions: [("noataxx:8".to_owned(), 1000)].into(), ..baselines };
        assert!(judge(&[("noataxx:8".to_owned(), 1060)], &ataxx).is_ok());
        assert!(judge(&[("noataxx:8".to_owned(), 1061)], &ataxx).is_err());
    }
}
