//! The training of networks: its own tests, and the whole recipe in its smallest form.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::shell::{self, built, quietly};

/// Debian's Python. It is the one that has Debian's torch, which needs a tenth of the room of the
/// package that pip would install.
const PYTHON: &str = "/usr/bin/python3";

/// Options of the loop: two generations of Hex 5x5 on one core, in seconds.
const TOY: &[&str] = &[
    "hex:5",
    "--generations=2",
    "--games=200",
    "--first-games=600",
    "--gate-games=60",
    "--train-options=--blocks 2 --channels 16 --epochs 6 --batch 64 --symmetries half-turn",
];

/// Trains a network from nothing and lets it play: with 16 evaluations it must win against plain UCT
/// with 100 playouts.
pub(crate) fn check() -> Result<String> {
    let source = shell::root().join("python/examples/train");
    let python = |words: &[&str]| {
        let mut command = Command::new(PYTHON);
        command.args(words).current_dir(&source).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    };
    quietly(python(&["-m", "unittest"]))?;
    let folder = shell::target().join("training");
    let _ = fs::remove_dir_all(&folder);
    let mut recipe = python(&["loop.py"]);
    recipe.args(TOY).arg("--folder").arg(&folder).arg("--tesuji").arg(built("release"));
    quietly(recipe)?;
    let player = format!("gumbel+gumbel-tree+net(\"{}\")@16", folder.join("best.onnx").display());
    let mut game = Command::new(built("release"));
    game.args(["match", "hex:5", &player, "uct@100", "--games=200", "--random-plies=2", "--json", "--store"]);
    game.arg(folder.join("games.db"));
    let result: Value = serde_json::from_str(&quietly(game)?).context("the match printed no JSON")?;
    let won = result["count"]["wins"].as_u64().unwrap_or_default();
    let low = result["interval"]["low"].as_f64().unwrap_or_default();
    let said = format!("the toy network won {won} of 200 games");
    if low <= 0.5 {
        bail!("{said}, which does not show that it has learnt anything");
    }
    Ok(said)
}
