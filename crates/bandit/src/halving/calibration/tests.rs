use tesuji_core::{Rng, Seed};

use super::*;

/// A roughly normal number with mean 0 and deviation 1.
fn normal(rng: &mut Rng) -> f64 {
    (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0
}

/// Arms with values around ½ of deviation 0.1, `samples` samples each, and scores of this
/// slope and noise.
fn arms(n_arms: usize, samples: f64, slope: f64, noise: f64, seed: u64) -> Vec<Evidence> {
    let mut rng = Seed::new(seed).rng();
    let mut arm = || {
        let value = 0.5 + 0.1 * normal(&mut rng);
        let mean = value + (0.25 / samples).sqrt() * normal(&mut rng);
        let score = slope * value + noise * normal(&mut rng);
        Evidence { samples, mean, score, score_samples: f64::INFINITY }
    };
    (0..n_arms).map(|_| arm()).collect()
}

fn fitted(evidence: &[Evidence]) -> (Calibration, Calibrator) {
    let mut calibrator = Calibrator::default();
    let calibration =
        calibrator.fit(evidence.len(), Noise { variance: 0.25, scale: 1.0 }, |arm| evidence[arm]);
    (calibration, calibrator)
}

fn best(calibrator: &Calibrator, n_arms: usize) -> usize {
    (0..n_arms).max_by(|&a, &b| calibrator.value(a).total_cmp(&calibrator.value(b))).unwrap()
}

#[test]
fn good_scores_are_told_from_useless_ones() {
    // 80 arms with 100 samples each: the correlation of means and scores has an error of 0.1. The
    // grid's spreads are a factor of 1.6 apart, so spread and slope are known to about a third.
    let (good, _) = fitted(&arms(80, 100.0, 1.0, 0.02, 1));
    assert!(good.correlation > 0.9, "{good:?}");
    assert!((good.slope - 1.0).abs() < 0.35, "{good:?}");
    assert!((good.spread - 0.1).abs() < 0.035, "{good:?}");
    let (useless, _) = fitted(&arms(80, 100.0, 0.0, 0.1, 1));
    assert!(useless.correlation < 0.2 && useless.weight < 5.0, "{useless:?}");
    assert!(good.weight > 50.0, "{good:?}");
}

#[test]
fn the_unit_of_a_score_does_not_matter() {
    let evidence = arms(30, 20.0, 1.0, 0.05, 2);
    let changed: Vec<Evidence> =
        evidence.iter().map(|one| Evidence { score: 1000.0 * one.score - 7.0, ..*one }).collect();
    let ((one, ranked), (other, again)) = (fitted(&evidence), fitted(&changed));
    assert!((one.slope / other.slope / 1000.0 - 1.0).abs() < 1e-9);
    assert!((one.residual / other.residual - 1.0).abs() < 1e-9);
    for arm in 0..30 {
        assert!((ranked.value(arm) - again.value(arm)).abs() < 1e-9);
        assert!((ranked.promise(arm) - again.promise(arm)).abs() < 1e-9);
    }
}

#[test]
fn equal_scores_and_no_scores_say_nothing() {
    for (score, score_samples) in [(0.3, f64::INFINITY), (0.3, 5.0), (0.0, 0.0)] {
        let evidence: Vec<Evidence> = (arms(20, 30.0, 1.0, 0.0, 3).into_iter())
            .map(|one| Evidence { score, score_samples, ..one })
            .collect();
        let (calibration, calibrator) = fitted(&evidence);
        assert_eq!((calibration.slope, calibration.weight, calibration.correlation), (0.0, 0.0, 0.0));
        let by_mean = (0..20).max_by(|&a, &b| evidence[a].mean.total_cmp(&evidence[b].mean)).unwrap();
        assert_eq!(best(&calibrator, 20), by_mean);
    }
}

#[test]
fn any_number_of_arms_gives_numbers() {
    for n_arms in [1, 2, 3, 1000] {
        for samples in [0.0_f64, 0.5, 1.0, 1e6] {
            for slope in [0.0, 1.0, 1e9] {
                let mut evidence = arms(n_arms, samples.max(1.0), slope, 0.0, 4);
                evidence.iter_mut().for_each(|one| one.samples = samples);
                let (calibration, calibrator) = fitted(&evidence);
                assert!(calibration.residual > 0.0 && calibration.weight.is_finite(), "{calibration:?}");
                for arm in 0..n_arms {
                    assert!(calibrator.value(arm).is_finite() && calibrator.promise(arm) >= 0.0);
                    assert!(calibrator.potential(arm) >= calibrator.value(arm) - 1e-3);
                }
            }
        }
    }
}

#[test]
fn a_score_of_few_samples_is_trusted_less() {
    // Equal means; the last two have equal scores, one on two samples and one on a thousand.
    let mut evidence = arms(40, 50.0, 1.0, 0.02, 5);
    evidence.iter_mut().for_each(|one| one.score_samples = 1000.0);
    let top = Evidence { samples: 50.0, mean: 0.6, score: 0.8, score_samples: 1000.0 };
    evidence.extend([Evidence { score_samples: 2.0, ..top }, top]);
    let (_, calibrator) = fitted(&evidence);
    assert!(calibrator.value(41) > calibrator.value(40) + 0.01);
}

#[test]
fn the_table_of_excesses_is_exact_enough() {
    let exact = |u: f64| {
        let density = (-0.5 * u * u).exp() / (2.0 * std::f64::consts::PI).sqrt();
        density + u * 0.5 * libm::erfc(-u * std::f64::consts::FRAC_1_SQRT_2)
    };
    for step in -1000..1000 {
        let u = f64::from(step) / 100.0 + 0.0037;
        assert!((excess(u) - exact(u)).abs() < 2e-5, "{u}");
    }
    assert_eq!((excess(f64::NAN), excess(-100.0), excess(100.0)), (0.0, 0.0, 100.0));
}
