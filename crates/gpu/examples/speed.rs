//! Speeds of a device: whole games of Hybrid-SHUSS against RAVE.
#![allow(clippy::print_stdout, missing_docs)]
use std::sync::Arc;
use std::time::Duration;

use tesuji_catalog::{GameSpec, PlayerSpec};
use tesuji_gpu::{BenchGames, DeviceChoice, bench, open_gpu};
use tesuji_search::PlayerConfig;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let choice = if args[1] == "cuda" { DeviceChoice::Cuda } else { DeviceChoice::Emulated };
    let number = |at: usize| args[at].parse::<u64>().expect("a number");
    let config = |text: &str| {
        let player: PlayerSpec = text.parse().expect("a player");
        let PlayerConfig::Search(config) = player.config() else { panic!("{text}") };
        Arc::new((**config).clone())
    };
    for game in &args[5..] {
        let spec: GameSpec = game.parse().expect("a game");
        let board = spec.start().expect("starts");
        let sight = board.sight();
        let mut device = open_gpu(choice).expect("a device");
        let players = [
            config(&std::env::var("BLACK").unwrap_or("hybrid-shuss(t=512)".into())),
            config(&std::env::var("WHITE").unwrap_or("rave".into())),
        ];
        let games = BenchGames {
            start: &*sight,
            players,
            samples: number(2),
            games: number(3),
            time: Duration::from_secs(number(4)),
        };
        let result = bench(&mut device, &games, |r| {
            println!(
                "  {:.1}s {:.2} M/s, {} moves, {} over, {:.1} GB",
                r.seconds,
                r.speed() / 1e6,
                r.moves,
                r.finished,
                r.bytes as f64 / 1e9
            );
        });
        match result {
            Err(error) => println!("{game}: {error}"),
            Ok(r) => {
                let group = device.groups();
                let kernel = group.first().map(|g| {
                    (
                        g.kernels.kernel("simulate").registers,
                        g.kernels.kernel("simulate").local_bytes,
                        g.slot_bytes,
                    )
                });
                println!(
                    "{game}: {:.2} M samples/s over {:.1} s, {} moves, {} of {} games over, {:.1} GB, {:?}, {} made here",
                    r.speed() / 1e6,
                    r.seconds,
                    r.moves,
                    r.finished,
                    number(3),
                    r.bytes as f64 / 1e9,
                    kernel,
                    device.made_here()
                );
            }
        }
    }
}
