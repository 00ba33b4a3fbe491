//! All kernels are compiled for a GPU by NVRTC, which needs no GPU. This runs if the variable
//! `TESUJI_NVRTC` names NVRTC's folder, as in `cargo xtask gpu`; NVRTC cannot be had everywhere.

#![cfg(feature = "cuda")]

mod table1;

use std::sync::Mutex;

use tesuji_catalog::{GameSpec, PlayerSpec};
use tesuji_gpu::backend::{Architecture, NVRTC_VARIABLE, Nvrtc};
use tesuji_gpu::program::Program;
use tesuji_search::PlayerConfig;

/// A player for each kind of program.
const PLAYERS: &[&str] = &["rave", "uct", "vct+uct", "flat(sh)", "rave+prior(sh,64)", "uct+prior(sh,64)"];

/// Phantom games.
const HIDDEN_GAMES: &[&str] = &["phantom-go:5", "phantom-go:9"];

/// The kinds of program that search those.
const HIDDEN_PLAYERS: &[&str] = &["flat(sh)", "flat(shuss(t=64))"];

#[test]
fn all_kernels_compile_for_a_gpu() {
    if std::env::var_os(NVRTC_VARIABLE).is_none() {
        return;
    }
    let nvrtc = Nvrtc::find().expect("the variable names NVRTC's folder");
    let architecture: Architecture = "sm_90".parse().expect("an architecture");
    let mut programs: Vec<Program> = Vec::new();
    let open = table1::GAMES.iter().map(|game| (game, PLAYERS));
    let hidden = HIDDEN_GAMES.iter().map(|game| (game, HIDDEN_PLAYERS));
    for (game, players) in hidden.chain(open) {
        let spec: GameSpec = game.parse().expect("a game");
        let board = spec.start().expect("a spec that exists can be started");
        let Some(encoded) = board.sight().encoded() else { continue };
        for player in players {
            let player: PlayerSpec = player.parse().expect("a player");
            let PlayerConfig::Search(config) = player.config() else { panic!("{player} is no search") };
            let program = Program::of(&encoded, config, 10_000).expect("the search has kernels");
            if !programs.contains(&program) {
                programs.push(program);
            }
        }
    }
    // One program as it is run, the others without the optimisations, which take most of the time.
    let optimized = programs.pop().map(|program| nvrtc.compile(&program, architecture));
    optimized.expect("some game has kernels").expect("kernels compile");
    let left = Mutex::new(programs);
    let next = || left.lock().expect("no thread failed").pop();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(program) = next() {
                    let compiled =
                        nvrtc.compile_unoptimized(&program, architecture).expect("kernels compile");
                    let names: Vec<_> = compiled.costs.iter().map(|cost| &cost.name).collect();
                    for name in &program.entry_points {
                        assert!(names.contains(&name), "{}: {names:?}", program.header);
                    }
                }
            });
        }
    });
}
