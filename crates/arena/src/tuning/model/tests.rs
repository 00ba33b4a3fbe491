use tesuji_core::Seed;

use super::super::{Design, Parameter};
use super::*;

fn space(ranges: &[&str]) -> Space {
    let parameter =
        |(index, text): (usize, &&str)| Parameter { name: index.to_string(), range: text.parse().unwrap() };
    Space { parameters: ranges.iter().enumerate().map(parameter).collect() }
}

fn evidence(point: &[f64], count: u64, wins: u64) -> Evidence {
    Evidence { point: Some(Point(point.to_vec())), rewards: Rewards::wins(count, wins) }
}

/// A model with one cell, to compare with results from paper.
fn with_cell(space: &Space, evidence: &[Evidence], cell: &Cell) -> Model {
    let mut model = Model::fit(space, evidence);
    let squares = model.squares_of_pairs();
    model.fits = vec![model.fit_of(cell.kernel(), 1.0, &squares)];
    model
}

#[test]
fn two_candidates_by_hand() {
    let space = space(&["0..1"]);
    let both = [evidence(&[0.25], 100, 40), evidence(&[0.75], 400, 240)];
    let cell = Cell { spread: 4, deviation: 1, lengths: vec![3] };
    let model = with_cell(&space, &both, &cell);
    // s² = (100·0.4·0.6 + 400·0.6·0.4 + 20·½·p(1 − p))/(498 + 20), with p = 281/502.
    let p = 281.0 / 502.0;
    let s2 = (24.0 + 96.0 + 10.0 * p * (1.0 - p)) / 518.0;
    assert!((model.pair_variance() - s2).abs() < 1e-12);
    // The kernel at a distance of 1/2, with the length 0.56 and the spread 0.12.
    let r2 = 0.25 / (0.56 * 0.56);
    let matern = |r2: f64| {
        let a = (5.0 * r2).sqrt();
        (1.0 + a + 5.0 / 3.0 * r2) * (-a).exp()
    };
    let (k, own) = (0.04 + 0.0144 * matern(r2), 0.0001);
    let [c00, c11] = [s2 / 100.0, s2 / 400.0].map(|noise| 0.04 + 0.0144 + own + noise);
    // At both points the bowl is 0.12/(1 + 0.56²)·(1/2)² below the middle.
    let bend = 0.12 / (1.0 + 0.56 * 0.56);
    let prior = 0.5 - bend * 0.25;
    let (y0, y1) = (0.4 - prior, 0.6 - prior);
    let determinant = c00 * c11 - k * k;
    let (a0, a1) = ((c11 * y0 - k * y1) / determinant, (c00 * y1 - k * y0) / determinant);
    // In the middle, both are at a distance of 1/4.
    let middle = 0.04 + 0.0144 * matern(r2 / 4.0);
    let mean = 0.5 + middle * (a0 + a1);
    let variance = 0.04 + 0.0144 - middle * middle * (c00 + c11 - 2.0 * k) / determinant;
    let predicted = model.predict(&Point(vec![0.5]));
    assert!((predicted.mean - mean).abs() < 1e-9 && (predicted.deviation - variance.sqrt()).abs() < 1e-9);
    // The first candidate by itself and the second, and by the second alone.
    let whole = model.candidate(0);
    let own_covariance = c00 - s2 / 100.0;
    assert!((whole.mean - (prior + own_covariance * a0 + k * a1)).abs() < 1e-9);
    let without = model.without(0);
    assert!((without.mean - (prior + k * y1 / c11)).abs() < 1e-9);
    assert!((without.deviation * without.deviation - (own_covariance - k * k / c11)).abs() < 1e-9);
}

#[test]
fn the_leave_one_out_prediction_is_that_of_a_model_without_the_candidate() {
    let space = space(&["0..1", "a|b"]);
    let all: Vec<Evidence> = Design::new(2, Seed::new(3))
        .take(9)
        .enumerate()
        .map(|(k, point)| evidence(&space.snap(&point).0, 20 + k as u64, 8 + k as u64))
        .collect();
    let cell = Cell { spread: 3, deviation: 2, lengths: vec![2, 4] };
    let model = with_cell(&space, &all, &cell);
    let mut fewer = with_cell(&space, &all[1..], &cell);
    // s² is that of all candidates.
    fewer.noises.iter_mut().for_each(|noise| *noise *= model.pair_variance() / fewer.pair_variance);
    let squares = fewer.squares_of_pairs();
    fewer.fits = vec![fewer.fit_of(cell.kernel(), 1.0, &squares)];
    let (without, predicted) = (model.without(0), fewer.predict(all[0].point.as_ref().unwrap()));
    assert!((without.mean - predicted.mean).abs() < 1e-9);
    let variance = predicted.deviation * predicted.deviation + cell.kernel().own;
    assert!((without.deviation - variance.sqrt()).abs() < 1e-9);
}

#[test]
fn intervals_contain_the_truth_about_as_often_as_they_say() {
    let space = space(&["0..1"]);
    let (mut inside, mut all) = (0, 0);
    for run in 0..30 {
        let mut rng = Seed::new(run).rng();
        let place = 0.2 + 0.6 * rng.unit();
        let rate = |x: f64| 0.55 - 0.4 * (x - place) * (x - place);
        let played: Vec<Evidence> = Design::new(1, Seed::new(run))
            .take(12)
            .map(|Point(x)| evidence(&x, 40, (0..40).filter(|_| rng.chance(rate(x[0]))).count() as u64))
            .collect();
        let model = Model::fit(&space, &played);
        for x in [0.1, 0.35, 0.6, 0.85] {
            let Prediction { mean, deviation } = model.predict(&Point(vec![x]));
            inside += i32::from((rate(x) - mean).abs() < 1.96 * deviation);
            all += 1;
        }
    }
    // 95 % of 120 are 114. The points of a run are not independent, and the prior is not the testbed's.
    assert!((100..=120).contains(&inside), "{inside} of {all}");
}

#[test]
fn draws_have_the_moments_of_the_predictions() {
    let space = space(&["0..1"]);
    let model = Model::fit(&space, &[evidence(&[0.2], 50, 20), evidence(&[0.6], 80, 50)]);
    let points = [0.1, 0.6, 0.6, 0.9].map(|x| Point(vec![x]));
    let n = 4000;
    let draws = model.draws(&points, n, &mut Seed::new(1).rng());
    assert_eq!(draws.len(), n);
    for (at, point) in points.iter().enumerate() {
        let mean = draws.iter().map(|draw| draw[at]).sum::<f64>() / n as f64;
        let Prediction { mean: expected, deviation } = model.predict(point);
        // Five standard errors, and a little for cells that get a whole number of draws.
        assert!((mean - expected).abs() < 5.5 * deviation / (n as f64).sqrt());
        // Equal points have equal values.
        assert!(draws.iter().all(|draw| (draw[1] - draw[2]).abs() < 1e-3));
    }
}

#[test]
fn nothing_makes_it_fail() {
    let space = space(&["0..1", "a|b|c"]);
    let at = |x: f64, y: f64| vec![x, y];
    let outside = |count, wins| Evidence { point: None, rewards: Rewards::wins(count, wins) };
    let cases: Vec<Vec<Evidence>> = vec![
        vec![],
        vec![evidence(&at(0.5, 0.5), 0, 0)],
        vec![evidence(&at(0.5, 0.5), 1, 1)],
        vec![evidence(&at(0.0, 0.5), 900_000_000, 900_000_000), evidence(&at(1.0, 0.5), 1, 0)],
        (0..9).map(|_| evidence(&at(0.5, 0.5), 10, 10)).collect(),
        (0..9).map(|_| evidence(&at(0.5, 0.5), 10, 0)).collect(),
        vec![outside(5, 3), evidence(&at(0.1, 0.5), 4, 2), outside(0, 0)],
    ];
    for case in cases {
        let model = Model::fit(&space, &case);
        let point = Point(at(0.3, 0.5));
        let mut predictions = vec![model.predict(&point)];
        predictions.extend((0..case.len()).flat_map(|i| [model.candidate(i), model.without(i)]));
        predictions.extend(model.response(1, &[0.1, 0.5], std::slice::from_ref(&point)));
        let is_fine =
            |one: &Prediction| one.mean.is_finite() && one.deviation > 0.0 && one.deviation.is_finite();
        assert!(predictions.iter().all(is_fine), "{case:?}: {predictions:?}");
        let draws = model.draws(&[point.clone(), point], 3, &mut Seed::new(1).rng());
        assert!(draws.iter().flatten().all(|value| value.is_finite()));
    }
}

#[test]
fn a_response_is_a_cut_or_an_average() {
    let space = space(&["0..1", "0..1"]);
    let played: Vec<Evidence> = Design::new(2, Seed::new(1))
        .take(20)
        .map(|point| evidence(&point.0, 200, (80.0 + 60.0 * point.0[0]) as u64))
        .collect();
    let model = Model::fit(&space, &played);
    let cut = model.response(0, &[0.3], &[Point(vec![0.9, 0.4])]);
    let same = model.predict(&Point(vec![0.3, 0.4]));
    assert!((cut[0].mean - same.mean).abs() < 1e-9 && (cut[0].deviation - same.deviation).abs() < 1e-9);
    let others: Vec<Point> = Design::new(2, Seed::new(2)).take(16).collect();
    let curve = model.response(0, &[0.1, 0.5, 0.9], &others);
    assert!(curve[0].mean + 0.05 < curve[1].mean && curve[1].mean + 0.05 < curve[2].mean);
    // The parameter that does nothing has a flat response.
    let flat = model.response(1, &[0.2, 0.8], &others);
    assert!((flat[0].mean - flat[1].mean).abs() < 0.03);
}
