//! How long a position takes to be written for networks, on average over the positions of random
//! games.
//!
//! ```text
//! cargo bench -p tesuji-games --bench planes_speed
//! ```

#![allow(clippy::print_stdout)]

use std::hint::black_box;

use cpu_time::ThreadTime;
use tesuji_core::{Game, Seed};
use tesuji_games::goban::{UpTo10, UpTo13, UpTo19};
use tesuji_games::{
    Atarigo, Ataxx, Breakthrough, Domineering, Go, GoRules, HexRules, Knightthrough, NoGo, SmallHex,
};

const GAMES: u64 = 10;
const ROUNDS: u32 = 200;

fn measure<G: Game>(name: &str, start: &G) {
    let mut positions = Vec::new();
    for game in 0..GAMES {
        let mut rng = Seed::new(1).child(game).rng();
        let mut position = start.clone();
        while let (Some(&mv), true) = (rng.choose(&position.search_moves()), positions.len() < 2000) {
            positions.push(position.clone());
            position.play_unchecked(mv);
        }
    }
    let Some(form) = start.network_form() else { return };
    let mut planes = vec![0.0; form.size()];
    let begin = ThreadTime::now();
    for _ in 0..ROUNDS {
        for position in &positions {
            position.write_planes(black_box(&mut planes));
        }
    }
    let each = begin.elapsed().as_secs_f64() / f64::from(ROUNDS) / positions.len() as f64;
    println!("{name:16} {:8.0} ns a position", 1e9 * each);
}

fn main() {
    let go = |size| GoRules { size, ..GoRules::default() };
    let hex = HexRules::default();
    measure("hex:11", &SmallHex::new(hex).expect("a size of Hex"));
    measure("breakthrough:8", &Breakthrough::default());
    measure("knightthrough:8", &Knightthrough::default());
    measure("go:9", &Go::<UpTo10>::new(go(9)).expect("a size of Go"));
    measure("go:13", &Go::<UpTo13>::new(go(13)).expect("a size of Go"));
    measure("go:19", &Go::<UpTo19>::new(go(19)).expect("a size of Go"));
    measure("atarigo:9", &Atarigo::<UpTo10>::new(9).expect("a size of Atarigo"));
    measure("nogo:9", &NoGo::<UpTo10>::new(9).expect("a size of NoGo"));
    measure("ataxx:8", &Ataxx::default());
    measure("domineering:8", &Domineering::default());
}
