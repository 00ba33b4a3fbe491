//! Measures how many positions a network values in a second on one core.
//!
//! `cargo run --release -p tesuji-net --features onnx-any --example speed -- net.onnx`

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;
use std::time::{Duration, Instant};
use tesuji_net::{Evaluations, Evaluator, NetError, Network};

/// How long a measurement takes, and how many of them the median is of.
const TIME: Duration = Duration::from_millis(300);
const ROUNDS: usize = 5;

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("speed needs the path of an ONNX file");
        return ExitCode::from(2);
    };
    match measure(&path) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn measure(path: &str) -> Result<(), NetError> {
    let network = Network::read(path.as_ref())?;
    println!("{path}: {} parameters, {}", network.n_parameters(), network.form().encoding);
    let mut networks = vec![network];
    for instructions in Network::all_instructions().into_iter().rev().skip(1) {
        networks.push(Network::read(path.as_ref())?.with_instructions(instructions));
    }
    #[cfg(feature = "onnx-any")]
    {
        let bytes = std::fs::read(path).map_err(|error| NetError(error.to_string()))?;
        networks.push(Network::from_bytes_for_rten(&bytes, path)?);
    }
    for network in networks {
        let name = format!("{} ({})", network.backend(), network.instructions());
        let mut line = format!("{name:20}");
        for batch in [1, 8, 32] {
            line += &format!("  {batch:2}: {:9.0}/s", speed(&network, batch)?);
        }
        println!("{line}");
    }
    Ok(())
}

/// The median of the positions valued in a second.
fn speed(network: &Network, batch: usize) -> Result<f64, NetError> {
    let size = network.form().size();
    // About a third of the planes' cells are ones, as in positions.
    let planes: Vec<f32> = (0..batch * size).map(|i| f32::from(u8::from(i * i % 7 < 2))).collect();
    let mut evaluations = Evaluations::default();
    network.evaluate(&planes, &mut evaluations)?;
    let mut speeds = Vec::new();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let mut n = 0;
        while start.elapsed() < TIME {
            for _ in 0..4 {
                network.evaluate(&planes, &mut evaluations)?;
                n += batch;
            }
        }
        speeds.push(n as f64 / start.elapsed().as_secs_f64());
    }
    speeds.sort_by(f64::total_cmp);
    Ok(speeds[ROUNDS / 2])
}
