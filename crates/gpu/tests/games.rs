//! The kernels of games, compiled for the host, play as the games in Rust do: the same moves
//! in the same order, codes, hashes, outcomes, and playouts to the last bit.

#![allow(unsafe_code)] // The kernels are C++.
use std::path::{Path, PathBuf};
use std::process::Command;

use libloading::Library;
use tesuji_core::{Code, Encoded, Seed, Side};
use tesuji_search::Sight;

/// The games that have kernels.
const GAMES: &[&str] = &[
    "go:9",
    "go:7",
    "go:8",
    "go:10(superko=situational)",
    "go:5(superko=off,komi=0,draws=half)",
    "domineering:8",
    "nodomineering:8",
    "domineering:7x8",
    "breakthrough:8",
    "nobreakthrough:8",
    "breakthrough:5x7",
    "breakthrough:5x7(codes=squares)",
    "breakthrough:8(codes=to)",
    "knightthrough:8",
    "knightthrough:8(codes=squares)",
    "knightthrough:6x7(codes=to)",
    "noknightthrough:8",
    "knightthrough:7x8",
    "hex:11",
    "nohex:11",
    "hex:5",
    "hex:6(swap=on)",
    "hex:12",
    "hex:13(swap=on)",
    "hex:19",
    "atarigo:7",
    "atarigo:8",
    "atarigo:9",
    "atarigo:10",
    "noatarigo:7",
    "noatarigo:9",
    "nogo:6",
    "nogo:7",
    "nogo:8",
    "nogo:9",
    "nogo:10",
    "misere(nogo:9)",
    "ataxx:8",
    "ataxx:8(cap=2000)",
    "ataxx:8(cap=50,draws=half)",
    "ataxx:5",
    "ataxx:5(codes=to)",
    "noataxx:8",
];

/// The phantom games that have kernels.
const HIDDEN_GAMES: &[&str] = &[
    "phantom-go:3",
    "phantom-go:5(superko=off,komi=0,draws=half)",
    "phantom-go:7(announce=refusals)",
    "phantom-go:8",
    "phantom-go:9",
    "phantom-go:10",
];

type Walk = unsafe extern "C" fn(*const u32, *const u32, u32, *mut u32, *mut u64, *mut u8) -> i32;

fn kernels() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels")
}

/// The kernel of a game as a library.
fn library(name: &str, encoded: &Encoded) -> Library {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("walk-{}.so", name.replace([':', '(', ')', '='], "-")));
    let mut compiler = Command::new(std::env::var("CXX").unwrap_or("c++".to_owned()));
    compiler.args([
        "-std=c++17",
        "-O1",
        "-shared",
        "-fPIC",
        "-ffp-contract=off",
        "-Wall",
        "-Wno-unknown-pragmas",
    ]);
    compiler.arg(format!("-DGAME_HEADER={}.cuh", encoded.kernel));
    compiler.args(encoded.constants.iter().map(|(name, value)| format!("-D{name}={value}")));
    let output =
        compiler.arg("-o").arg(&file).arg(kernels().join("walk.cpp")).output().expect("c++ can be started");
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    // SAFETY: the library is our own and has no code that runs when it is loaded.
    unsafe { Library::new(file) }.expect("the library was just made")
}

/// A code or a playout's codes, so that both sides can be compared.
fn compare(name: &str, games: u64) {
    let spec: tesuji_catalog::GameSpec = name.parse().expect("a game");
    let start = spec.start().expect("a spec that exists can be started");
    let first = start.sight();
    let encoded = first.encoded().expect("the game has a kernel");
    let library = library(name, &encoded);
    // SAFETY: the function has this type.
    let walk = unsafe { library.get::<Walk>(b"tesuji_walk") }.expect("it is there");
    let is_misere = encoded.constants.contains(&("MISERE", 1));
    let mut positions = 0;
    for game in 0..games {
        let seed = Seed::new(21).child(name).child(game);
        let mut rng = seed.rng();
        // Games are encoded at every fourth position: what was before is in the words then.
        let mut here: Box<dyn Sight> = first.boxed_clone();
        let mut root = encoded.words.clone();
        let mut played = Vec::new();
        for ply in 0_u64.. {
            let at = format!("{name}, game {game}, ply {ply}");
            let moves = if here.outcome().is_some() { Vec::new() } else { here.search_moves() };
            let mut told = vec![u32::MAX; moves.len().max(4090) + 6];
            let mut codes = vec![0_u8; here.n_codes()];
            let sampled = seed.child("playout").child(ply);
            let mut state = sampled.rng_state();
            // SAFETY: all arrays are as long as the kernel may write.
            let value = unsafe {
                walk(
                    root.as_ptr(),
                    played.as_ptr(),
                    played.len() as u32,
                    told.as_mut_ptr(),
                    state.as_mut_ptr(),
                    codes.as_mut_ptr(),
                )
            };
            let outcome =
                here.outcome().map_or(u32::MAX, |outcome| (2.0 * outcome.reward(Side::Black)) as u32);
            assert_eq!(told[0], outcome, "outcome: {at}");
            assert_eq!(told[1], here.to_move() as u32, "side: {at}");
            let expected: Vec<u32> = moves.iter().map(|&mv| u32::from(here.code(mv))).collect();
            assert_eq!(told[6..6 + told[2] as usize], expected, "codes of moves: {at}");
            if !is_misere {
                assert_eq!(u64::from(told[3]) << 32 | u64::from(told[4]), here.hash(), "hash: {at}");
            }
            assert_eq!(told[5] as usize, here.n_codes(), "number of codes: {at}");
            let mut rng_after = sampled.rng();
            let (reward, expected_codes) = tesuji_search::sampled(&*here, &mut rng_after);
            assert_eq!(value, (2.0 * reward) as i32, "playout: {at}");
            assert_eq!(state, [(); 4].map(|()| rng_after.bits()), "generator: {at}");
            let found: Vec<Code> =
                (0..).zip(&codes).filter(|(_, mark)| **mark == 1).map(|(code, _)| code).collect();
            assert_eq!(found, expected_codes, "codes of the playout: {at}");
            positions += 1;
            if moves.is_empty() {
                break;
            }
            let chosen = rng.below(moves.len() as u32);
            here = here.after(moves[chosen as usize]);
            if ply % 4 == 3 {
                root = here.encoded().expect("the game has a kernel").words;
                played.clear();
            } else {
                played.push(chosen);
            }
        }
    }
    assert!(positions >= 20 * games, "{name}: {positions} positions of {games} games");
}

#[test]
fn kernels_play_as_the_games_do() {
    for name in GAMES {
        compare(name, 20);
    }
}

/// Compares what the sides of a phantom game know: the candidates, their codes, and playouts
/// before and after each of them, which begin with a guess.
fn compare_views(name: &str, games: u64) {
    let spec: tesuji_catalog::GameSpec = name.parse().expect("a game");
    let start = spec.start().expect("a spec that exists can be started");
    let library = library(name, &start.sight().encoded().expect("the game has a kernel"));
    // SAFETY: the function has this type.
    let walk = unsafe { library.get::<Walk>(b"tesuji_walk") }.expect("it is there");
    for game in 0..games {
        let seed = Seed::new(22).child(name).child(game);
        let (mut rng, mut board) = (seed.rng(), start.boxed_clone());
        for attempt in 0..400_u64 {
            let sight = board.sight();
            let words = sight.encoded().expect("the game has a kernel").words;
            let moves = sight.search_moves();
            // None of the moves, then each in turn.
            for arm in std::iter::once(None).chain((0..moves.len()).map(Some)) {
                let at = format!("{name}, game {game}, attempt {attempt}, arm {arm:?}");
                let played: Vec<u32> = arm.iter().map(|&arm| arm as u32).collect();
                let mut told = vec![u32::MAX; 4096];
                let mut codes = vec![0_u8; sight.n_codes()];
                let sampled = seed.child("playout").child(attempt).child(arm.map_or(0, |arm| 1 + arm as u64));
                let mut state = sampled.rng_state();
                // SAFETY: all arrays are as long as the kernel may write.
                let value = unsafe {
                    walk(
                        words.as_ptr(),
                        played.as_ptr(),
                        played.len() as u32,
                        told.as_mut_ptr(),
                        state.as_mut_ptr(),
                        codes.as_mut_ptr(),
                    )
                };
                let here = arm.map_or_else(|| sight.boxed_clone(), |arm| sight.after(moves[arm]));
                assert_eq!(told[1], here.to_move() as u32, "side: {at}");
                let expected: Vec<u32> =
                    here.search_moves().iter().map(|&mv| u32::from(here.code(mv))).collect();
                assert_eq!(told[6..6 + told[2] as usize], expected, "codes of moves: {at}");
                let mut rng_after = sampled.rng();
                let (reward, expected_codes) = tesuji_search::sampled(&*here, &mut rng_after);
                assert_eq!(value, (2.0 * reward) as i32, "playout: {at}");
                assert_eq!(state, [(); 4].map(|()| rng_after.bits()), "generator: {at}");
                // After the move the sight has no codes of its own.
                if arm.is_none() {
                    let found: Vec<Code> =
                        (0..).zip(&codes).filter(|(_, mark)| **mark == 1).map(|(code, _)| code).collect();
                    assert_eq!(found, expected_codes, "codes of the playout: {at}");
                }
            }
            let chosen = moves[rng.below(moves.len() as u32) as usize];
            drop(sight);
            board.attempt(chosen);
            if board.outcome().is_some() {
                break;
            }
        }
    }
}

#[test]
fn kernels_know_what_the_sides_of_phantom_games_know() {
    for name in HIDDEN_GAMES {
        compare_views(name, 3);
    }
}
