//! Measuring: the regret of every method on every surface, for several budgets.

use std::sync::atomic::{AtomicUsize, Ordering};

use tesuji_core::Seed;

use super::methods::regret;
use super::{Gains, Method, Regret, Rival, surfaces};
use crate::tuning::TunerSettings;

/// Methods that differ in a setting, such as the number of candidates.
#[derive(Clone, Debug)]
pub struct Family {
    /// The name in tables.
    pub name: &'static str,
    /// The methods.
    pub methods: Vec<Method>,
    /// Which of them counts.
    pub pick: Pick,
}

/// Which method of a family counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pick {
    /// The best one on each surface with each budget, which nobody knows beforehand: a lower bound of the
    /// regret.
    ForEachSurface,
    /// The best one with each budget over all surfaces, by the geometric mean of the regrets.
    ForAllSurfaces,
}

/// The regret of a family on a surface.
#[derive(Clone, PartialEq, Debug)]
pub struct Measurement {
    /// The surface.
    pub surface: &'static str,
    /// The family.
    pub family: &'static str,
    /// The budget, in games.
    pub games: u64,
    /// The method that counts.
    pub method: String,
    /// Its regret.
    pub regret: Regret,
}

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub struct MeasureRuns<'a> {
    /// The budgets, in games.
    pub games: &'a [u64],
    /// The number of runs of each method on each surface with each budget. Every run has a surface of its
    /// own, which all methods share.
    pub runs: u64,
    /// The seed.
    pub seed: Seed,
    /// The number of threads, which changes nothing in the results.
    pub threads: usize,
}

/// Our tuner and its rivals: with a design of several sizes, or with several gains.
pub fn families() -> Vec<Family> {
    // Smaller steps were worse on almost all surfaces, and so were smaller rates.
    let spsa = |rival, rates: [f64; 5]| {
        let gains = [0.1, 0.2, 0.3].map(|last_step| rates.map(|rate| Gains { last_step, rate }));
        gains.into_iter().flatten().map(|gains| Method::Spsa(rival, gains)).collect::<Vec<Method>>()
    };
    let (duels, games) = ([0.005, 0.01, 0.02, 0.04, 0.08], [0.01, 0.02, 0.04, 0.08, 0.16]);
    let family = |name, methods, pick| Family { name, methods, pick };
    let default = Gains { last_step: 0.05, rate: 0.002 };
    vec![
        family("tuner", vec![Method::Tuner("tuner", TunerSettings::of)], Pick::ForAllSurfaces),
        family("uniform", [4, 8, 16, 32, 64, 128].map(Method::Uniform).to_vec(), Pick::ForEachSurface),
        family("halving", [8, 16, 32, 64, 128].map(Method::Halving).to_vec(), Pick::ForEachSurface),
        family("spsa, usual gains", vec![Method::Spsa(Rival::Itself, default)], Pick::ForAllSurfaces),
        family("spsa, tuned", spsa(Rival::Itself, duels), Pick::ForAllSurfaces),
        family("spsa, oracle", spsa(Rival::Itself, duels), Pick::ForEachSurface),
        family("spsa v. opponent, oracle", spsa(Rival::Opponent, games), Pick::ForEachSurface),
    ]
}

/// Measures the families on all surfaces of the testbed.
pub fn measure(families: &[Family], runs: MeasureRuns<'_>) -> Vec<Measurement> {
    let n_surfaces = surfaces(runs.seed).len();
    let mut methods: Vec<&Method> = Vec::new();
    for method in families.iter().flat_map(|family| &family.methods) {
        if !methods.iter().any(|other| other.to_string() == method.to_string()) {
            methods.push(method);
        }
    }
    let mut cells = Vec::new();
    for &games in runs.games {
        for method in &methods {
            cells.extend((0..n_surfaces).map(|surface| (games, *method, surface)));
        }
    }
    let regrets = regrets(&cells, runs);
    let names: Vec<&'static str> = surfaces(runs.seed).iter().map(|surface| surface.name).collect();
    let of = |games: u64, method: &Method, surface: usize| {
        let is_it = |cell: &(u64, &Method, usize)| {
            (cell.0, cell.2) == (games, surface) && cell.1.to_string() == method.to_string()
        };
        regrets[cells.iter().position(is_it).expect("every method is measured everywhere")]
    };
    let mut measured = Vec::new();
    for Family { name, methods, pick } in families {
        for &games in runs.games {
            let all_surfaces = |method: &Method| -> f64 {
                (0..n_surfaces).map(|surface| libm::log(of(games, method, surface).mean.max(1e-9))).sum()
            };
            for (surface, surface_name) in names.iter().enumerate() {
                let value = |method: &&Method| match pick {
                    Pick::ForEachSurface => of(games, method, surface).mean,
                    Pick::ForAllSurfaces => all_surfaces(method),
                };
                let best = methods.iter().min_by(|a, b| value(a).total_cmp(&value(b)));
                let Some(method) = best else { continue };
                let regret = of(games, method, surface);
                let (surface, family, method) = (*surface_name, *name, method.to_string());
                measured.push(Measurement { surface, family, games, method, regret });
            }
        }
    }
    measured
}

/// The regret of each cell: budget in games, method, surface.
fn regrets(cells: &[(u64, &Method, usize)], runs: MeasureRuns<'_>) -> Vec<Regret> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(&(games, method, surface)) = cells.get(index) else { return done };
            let one = |run: u64| {
                let seed = runs.seed.child(run);
                regret(
                    method,
                    &surfaces(seed.child("surface"))[surface],
                    (games / 2).max(1),
                    seed.child("method"),
                )
            };
            let all: Vec<f64> = (0..runs.runs).map(one).collect();
            done.push((index, Regret::of(&all)));
        }
    };
    let mut done = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..runs.threads.max(1)).map(|_| scope.spawn(work)).collect();
        let done = threads.into_iter().flat_map(|thread| thread.join().expect("a run does not panic"));
        done.collect::<Vec<(usize, Regret)>>()
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, regret)| regret).collect()
}

/// The number of games at which a curve of (games, regret) first reaches a regret, interpolated between
/// logarithms. `None` if it does not.
///
/// ```
/// use tesuji_arena::tuning::testbed::games_needed;
/// let curve = [(100, 0.08), (400, 0.02), (1600, 0.01)];
/// assert_eq!(games_needed(&curve, 0.04).map(f64::round), Some(200.0));
/// assert_eq!(games_needed(&curve, 0.005), None);
/// ```
pub fn games_needed(curve: &[(u64, f64)], regret: f64) -> Option<f64> {
    let at = curve.iter().position(|(_, here)| *here <= regret)?;
    let (games, here) = curve[at];
    let Some(&(before, above)) = at.checked_sub(1).and_then(|at| curve.get(at)) else {
        return Some(games as f64);
    };
    let share = libm::log(above / regret) / libm::log(above / here.max(1e-9));
    let ratio = libm::log(games as f64 / before as f64);
    Some(before as f64 * libm::exp(share * ratio))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_change_nothing() {
        let families = [
            Family {
                name: "uniform",
                methods: vec![Method::Uniform(4), Method::Uniform(8)],
                pick: Pick::ForEachSurface,
            },
            Family {
                name: "tuner",
                methods: vec![Method::Tuner("tuner", TunerSettings::of)],
                pick: Pick::ForAllSurfaces,
            },
        ];
        let measured = |threads| {
            measure(&families, MeasureRuns { games: &[16, 32], runs: 1, seed: Seed::new(1), threads })
        };
        let one = measured(1);
        assert_eq!(one.len(), 2 * 2 * 6);
        assert_eq!(one, measured(3));
    }
}
