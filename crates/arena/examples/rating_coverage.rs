//! Measures how often the 95 % intervals of rating lists hold the truth, in simulated tournaments.
//!
//! ```text
//! cargo run --release -p tesuji-arena --example rating_coverage -- 2000
//! ```
//!
//! The argument is the number of tournaments for each row. The columns are the percentages of
//! ratings and of differences from the next player whose 95 % interval holds the truth: from the
//! likelihood for ratings, differences and the advantage, from the bootstrap for ratings.

#[path = "../tests/ratings/simulation.rs"]
mod simulation;

use std::error::Error;

use simulation::{World, gauntlet, round_robin};
use tesuji_arena::ratings::{Meeting, RatingSettings, Ratings};
use tesuji_core::Seed;

/// Counts hits.
#[derive(Default)]
struct Share {
    hits: u64,
    all: u64,
}

impl Share {
    fn add(&mut self, hit: bool) {
        self.hits += u64::from(hit);
        self.all += 1;
    }

    fn percent(&self) -> f64 {
        100.0 * self.hits as f64 / self.all as f64
    }
}

#[allow(clippy::print_stdout, reason = "the table is what this program is for")]
fn main() -> Result<(), Box<dyn Error>> {
    let tournaments: u64 = std::env::args().nth(1).unwrap_or("2000".to_owned()).parse()?;
    println!(
        "{:<12} {:>7} {:>5} {:>6} {:>6} {:>7} | {:>7} {:>10} {:>9} {:>9}",
        "tournament",
        "players",
        "pairs",
        "moving",
        "draws",
        "decided",
        "ratings",
        "difference",
        "advantage",
        "bootstrap"
    );
    for (name, meetings, n_players) in
        [("round robin", round_robin(8), 8), ("gauntlet", gauntlet(7), 7), ("few players", round_robin(3), 3)]
    {
        for (advantage, draws, decided) in
            [(0.0, 0.0, 0.0), (80.0, 0.3, 0.0), (80.0, 0.6, 0.0), (80.0, 0.0, 0.5), (150.0, 0.3, 0.7)]
        {
            for pairs in [3, 10, 50] {
                let elo: Vec<f64> = (0..n_players).map(|i| 60.0 * i as f64).collect();
                let world = World { elo, advantage, draws, decided };
                let shares = measure(&world, &meetings, pairs, tournaments);
                println!(
                    "{name:<12} {n_players:>7} {pairs:>5} {advantage:>6} {draws:>6} {decided:>7} | {:>7.1} {:>10.1} {:>9.1} {:>9.1}",
                    shares[0].percent(),
                    shares[1].percent(),
                    shares[2].percent(),
                    shares[3].percent()
                );
            }
        }
    }
    Ok(())
}

/// Ratings, differences and the advantage by the likelihood, and ratings by the bootstrap.
fn measure(world: &World, meetings: &[Meeting], pairs: u64, tournaments: u64) -> [Share; 4] {
    let mut shares: [Share; 4] = Default::default();
    let n_players = world.elo.len();
    let mean = world.elo.iter().sum::<f64>() / n_players as f64;
    let seed = Seed::new(1).child("coverage").child(pairs);
    for tournament in 0..tournaments {
        let mut rng = seed.child(tournament).rng();
        let mut meetings = meetings.to_vec();
        meetings.iter_mut().for_each(|meeting| world.play(&mut rng, meeting, pairs));
        let settings =
            RatingSettings { bootstrap: 400, seed: seed.child(tournament), ..RatingSettings::default() };
        let ratings = Ratings::of(n_players, 1, &meetings, &settings);
        for (player, rating) in ratings.players.iter().enumerate() {
            let Some(rating) = rating else { continue };
            let truth = world.elo[player] - mean;
            shares[0].add(rating.interval.contains(truth));
            if let Some(interval) = rating.bootstrap {
                shares[3].add(interval.contains(truth));
            }
            let next = (player + 1) % n_players;
            if let Some(difference) = ratings.difference(player, next) {
                let truth = world.elo[player] - world.elo[next];
                shares[1].add((difference.elo - truth).abs() <= 1.96 * difference.standard_error);
            }
        }
        if let Some(advantage) = ratings.advantages[0] {
            shares[2].add((advantage.elo - world.advantage).abs() <= advantage.error);
        }
    }
    shares
}
