use tesuji_core::{Seed, Silent};
use tesuji_games::go::playout::{go, masks};
use tesuji_games::goban::{points::*, *};
fn run<S: PointSet>(size: usize, n: u32) {
    let mut rng = Seed::new(1).rng();
    let (points, edge) = masks::<S>(size);
    let (mut plies, mut wins) = (0u64, 0u64);
    for _ in 0..n {
        let (d, p) = go(points, edge, size, &mut rng, &mut Silent);
        plies += p as u64;
        wins += (2 * d > 15) as u64;
    }
    println!("{} {}", plies as f64 / n as f64, wins as f64 / n as f64);
}
fn main() {
    let a: Vec<usize> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let n = a[1] as u32;
    match a[0] {
        0..=7 => run::<UpTo7>(a[0], n),
        8..=10 => run::<UpTo10>(a[0], n),
        11..=13 => run::<UpTo13>(a[0], n),
        _ => run::<UpTo19>(a[0], n),
    }
}
