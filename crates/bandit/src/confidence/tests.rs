use super::*;
use crate::test_arms::arms;

fn sure(wins: &[(u64, u64)], chosen: usize, within: f64) -> f64 {
    Confidence::default().of(&arms(wins), chosen, within)
}

#[test]
fn more_samples_are_surer_and_nothing_is_certain() {
    let of = |samples: u64| sure(&[(samples, samples * 6 / 10), (samples, samples / 2)], 0, 0.0);
    let [few, more, many] = [of(20), of(200), of(2000)];
    assert!(few < more && more < many, "{few} {more} {many}");
    assert!(few < 0.6 && many > 0.99 && many < 1.0, "{few} {many}");
    // All wins against all losses, but of two samples each.
    assert!(sure(&[(2, 2), (2, 0)], 0, 0.0) < 0.8);
}

#[test]
fn a_choice_with_the_lower_mean_is_unlikely() {
    assert!(sure(&[(1000, 400), (1000, 500)], 0, 0.0) < 0.05);
    let even = sure(&[(1000, 500), (1000, 500)], 0, 0.0);
    assert!((even - 0.5).abs() < 1e-9, "{even}");
}

#[test]
fn differences_that_do_not_matter_make_it_surer() {
    let of = |within| sure(&[(500, 260), (500, 245), (500, 200)], 0, within);
    assert!(of(0.0) < of(0.02) && of(0.02) < of(0.05), "{} {} {}", of(0.0), of(0.02), of(0.05));
}

#[test]
fn an_arm_that_was_hardly_sampled_may_be_the_best() {
    let many = [(1000, 600), (1000, 450), (1000, 400), (1000, 350)];
    let with = |extra: &[(u64, u64)]| sure(&[&many[..], extra].concat(), 0, 0.0);
    assert!(with(&[]) > 0.95, "{}", with(&[]));
    assert!(with(&[(2, 1)]) < with(&[]) - 0.05, "{}", with(&[(2, 1)]));
    assert!(with(&[(0, 0), (0, 0)]) < with(&[(0, 0)]), "{}", with(&[(0, 0)]));
}

#[test]
fn what_is_known_is_certain() {
    let arms = arms(&[(50, 25), (50, 30), (50, 20)]);
    let mut confidence = Confidence::default();
    let mut of = |chosen, known: [Option<f64>; 3]| confidence.of_known(&arms, chosen, 0.0, |arm| known[arm]);
    assert_eq!(of(2, [None, None, Some(1.0)]), 1.0);
    let open = of(1, [None, None, None]);
    let without_rival = of(1, [Some(0.0), None, None]);
    assert!(without_rival > open, "{without_rival} {open}");
    assert!(of(1, [Some(0.0), None, Some(0.0)]) > 1.0 - 1e-6);
    let all_lose = of(0, [Some(0.0); 3]);
    assert!((all_lose - 1.0).abs() < 1e-9, "{all_lose}");
    // A draw is worth a half; the mean of the other arm, 0.6 ± 0.07, is more by 1.4 errors.
    let draw = of(0, [Some(0.5), None, Some(0.0)]);
    assert!(draw < 0.5, "{draw}");
}

#[test]
fn one_arm_and_no_samples() {
    assert_eq!(sure(&[(0, 0)], 0, 0.0), 1.0);
    assert_eq!(sure(&[(0, 0); 4], 2, 0.0), 0.25);
    assert!(sure(&[(0, 0), (5, 3)], 0, 0.0) <= 0.5);
}

#[test]
fn the_integral_is_that_of_two_normal_values() {
    // Two values: the chance is Φ((a − b + ε) / sqrt(s² + t²)).
    let two = |a: f64, s: f64, b: f64, t: f64| {
        let both = Confidence {
            variances: vec![],
            means: vec![a, b],
            deviations: vec![s, t],
            outliers: vec![Outlier::default(); 2],
        };
        (both.posterior(0, 0.01), normal((a - b + 0.01) / libm::sqrt(s * s + t * t)))
    };
    for (a, s, b, t) in [(0.5, 0.1, 0.4, 0.1), (0.5, 0.02, 0.45, 0.1), (0.3, 0.05, 0.4, 0.03)] {
        let (integral, exact) = two(a, s, b, t);
        assert!((integral - exact).abs() < 1e-3, "{integral} {exact}");
    }
}

#[test]
fn the_odds_against_a_rival_by_hand() {
    // Means 0.6 and 0.5 of 1000 samples; the variances are those of 1004 samples with the mean
    // 0.55 of all for the last four, nearly.
    let of = sure(&[(1000, 600), (1000, 500)], 0, 0.02);
    let variance: f64 = (0.6 * 0.4 + 0.25) / 1000.0;
    let odds = (2.0 * 0.1 * (0.1 - 4.0 * variance.sqrt()).max(0.02) / variance).exp();
    assert!((of - odds / (1.0 + odds)).abs() < 1e-4, "{of} {odds}");
}

#[test]
fn levels_that_are_impossible_are_refused() {
    assert!(Until::new(0.95, 0.0).is_ok());
    for (level, within) in [(0.5, 0.0), (1.0, 0.0), (95.0, 0.0), (f64::NAN, 0.0)] {
        assert!(Until::new(level, within).unwrap_err().contains("above 0.5 and below 1"));
    }
    assert!(Until::new(0.9, -0.1).unwrap_err().contains("from 0 to 0.5"));
}

#[test]
fn looks_become_rarer() {
    let mut checks = Checks::new(3, 1);
    let mut looks = Vec::new();
    for spent in 0..100 {
        if checks.is_due(spent) {
            looks.push(spent);
        }
    }
    assert_eq!(looks, [32, 36, 40, 45, 50, 56, 63, 70, 78, 87, 97]);
    assert_eq!(Checks::new(100, 7).next(), 406);
}

#[test]
fn a_batch_is_cut_without_a_sample_lost() {
    let checks = Checks::new(4, 1);
    let mut rest: Vec<Pull> = (0..4).map(|arm| Pull { arm, samples: 100 + arm as u64 }).collect();
    let mut now = Vec::new();
    checks.cut(0, &mut rest, &mut now);
    assert_eq!(now.iter().map(|pull| pull.samples).collect::<Vec<_>>(), [8, 8, 9, 9]);
    assert_eq!(rest.iter().map(|pull| pull.samples).collect::<Vec<_>>(), [92, 93, 93, 94]);
    // What fits is taken whole.
    let mut small = vec![Pull { arm: 1, samples: 5 }];
    checks.cut(10, &mut small, &mut now);
    assert_eq!((now.len(), now[0].samples, small.len()), (1, 5, 0));
}
