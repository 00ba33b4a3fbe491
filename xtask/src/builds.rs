//! The program that people run is the release build; tests run another. Both must find the
//! same moves for the same reasons, to the last digit.
//!
//! Nothing in our code may depend on how it was compiled, and once something did: recorded
//! playouts of Ataxx had wrong codes in some release builds, which no test could see.

use anyhow::{Result, bail};
use serde::Deserialize;

use crate::shell;

/// Searches that record playouts and searches that do not.
const PLAYERS: [&str; 5] =
    ["uct", "rave", "hybrid-shuss(t=256)", "grave(ref=5)", "ect(stop=1e-4)+uct+prior(sh,8)"];

/// Players of games in which the enemy is hidden.
const HIDDEN_PLAYERS: [&str; 3] = ["flat(uniform)", "flat(sh)", "flat(shuss(t=8))"];

#[derive(Deserialize)]
struct GameInfo {
    name: String,
    /// Phantom games have no misère twin.
    misere: Option<String>,
}

/// Fails where the two builds differ.
pub(crate) fn compare() -> Result<String> {
    let build = |profile: &[&str]| shell::run(shell::cargo(&[&["build", "--quiet"], profile].concat()));
    build(&[])?;
    build(&["--release"])?;
    let games: Vec<GameInfo> = serde_json::from_str(&ask("release", &["games", "--json"])?)?;
    let mut compared = 0;
    for GameInfo { name, misere } in games {
        let game = format!("{name}:5");
        let twin = misere.as_ref().map(|_| format!("misere({game})"));
        let (players, moves) = match misere {
            Some(_) => (&PLAYERS[..], ""),
            // With some stones that are hidden.
            None => (&HIDDEN_PLAYERS[..], "c3 b2 d4 b4"),
        };
        for game in [Some(game), twin].into_iter().flatten() {
            for player in players {
                let search = [
                    "search", &game, "--player", player, "--budget", "300", "--seed", "3", "--json",
                    "--moves", moves,
                ];
                let (tested, used) = (ask("debug", &search)?, ask("release", &search)?);
                if without_times(&tested) != without_times(&used) {
                    bail!("the release build searches {game} by {player} otherwise than the tested one");
                }
                compared += 1;
            }
        }
    }
    Ok(format!("{compared} searches are the same in both builds"))
}

fn ask(profile: &str, arguments: &[&str]) -> Result<String> {
    shell::output(shell::command(&shell::built(profile).to_string_lossy(), arguments))
}

/// The lines that do not tell how long it took.
fn without_times(json: &str) -> Vec<&str> {
    json.lines().filter(|line| !line.contains("\"seconds\"")).collect()
}
