use super::*;
use tesuji_core::Seed;
#[test]
fn timing() {
    for size in [100, 400, 1000] {
      for (name, p) in [("real", 2.0), ("binary .5", 0.5), ("binary .1", 0.1), (".9", 0.9)] {
        let mut rng = Seed::new(size as u64).rng();
        let matrix = Matrix::from_function(size, size, |_, _| if p > 1.0 { rng.unit() } else { f64::from(u8::from(rng.chance(p))) }).unwrap();
        let start = std::time::Instant::now();
        let (e, pivots) = solve_counting(&matrix);
        let support = e.black.iter().filter(|&&x| x > 0.0).count();
        eprintln!("{size} {name}: {:?} pivots {pivots} value {} gap {} support {support}", start.elapsed(), e.value, e.gap);
      }
    }
}
