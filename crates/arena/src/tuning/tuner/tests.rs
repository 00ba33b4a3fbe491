use proptest::prelude::*;

use super::super::Parameter;
use super::super::testbed::{Surface, surfaces};
use super::*;
use crate::tuning::Sureness;

fn space(ranges: &[&str]) -> Space {
    let parameter =
        |(index, text): (usize, &&str)| Parameter { name: index.to_string(), range: text.parse().unwrap() };
    Space { parameters: ranges.iter().enumerate().map(parameter).collect() }
}

/// The reward of the k-th pair of a candidate.
fn reward(tuner: &Tuner, candidate: CandidateId, k: u64) -> f64 {
    let point = tuner.candidate(candidate).point.clone();
    let rate = point.map_or(0.4, |Point(x)| 0.6 - (x[0] - 0.6) * (x[0] - 0.6));
    let mut rng = Seed::new(9).child(candidate as u64).child(k).rng();
    f64::from(u8::from(rng.chance(rate)) + u8::from(rng.chance(rate))) / 2.0
}

/// Plays a round, and returns it.
fn play(tuner: &mut Tuner) -> Option<Vec<Samples>> {
    let round = tuner.next_round()?;
    for Samples { candidate, pairs } in round.clone() {
        let before = tuner.candidate(candidate).rewards.count;
        let rewards: Vec<f64> = (before..before + pairs).map(|k| reward(tuner, candidate, k)).collect();
        tuner.tell(candidate, &rewards).unwrap();
    }
    Some(round)
}

fn rounds(space: &Space, start: &Start, settings: &TunerSettings) -> (Vec<Vec<Samples>>, Tuner) {
    let mut tuner = Tuner::new(space.clone(), start.clone(), settings.clone()).unwrap();
    let rounds = std::iter::from_fn(|| play(&mut tuner)).collect();
    (rounds, tuner)
}

#[test]
fn every_policy_spends_the_budget() {
    let space = space(&["0..1", "a|b"]);
    for info in tesuji_bandit::policies() {
        let wanted = info.parameters.iter().filter(|parameter| parameter.default.is_none());
        let values: Vec<String> = wanted.map(|parameter| format!("{}=4", parameter.name)).collect();
        let policy = format!("{}({})", info.name, values.join(",")).parse().unwrap();
        let settings = TunerSettings { policy, ..TunerSettings::of(40) };
        let (rounds, tuner) = rounds(&space, &Start::Outside, &settings);
        let asked: u64 = rounds.iter().flatten().map(|samples| samples.pairs).sum();
        assert_eq!((asked, tuner.spent()), (40, 40), "{}", info.name);
        assert_eq!(tuner.stopped(), Some(TunerStop::Budget));
        assert!(tuner.best().is_some());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]
    #[test]
    fn budgets_are_spent_whatever_the_settings(
        pairs in 1_u64..200,
        generations in prop::option::of(1_u64..30),
        candidates in prop::option::of(1_usize..40),
        shape in 0_usize..4,
        seed in 0_u64..1000,
    ) {
        let space = space([&["0..1"][..], &["a|b"], &["1..3:int", "x|y"], &["0..1", "1..9:log", "a|b|c"]][shape]);
        let start = if seed % 2 == 0 { Start::Outside } else { Start::None };
        let settings =
            TunerSettings { generations, candidates, seed: Seed::new(seed), ..TunerSettings::of(pairs) };
        let (rounds, tuner) = rounds(&space, &start, &settings);
        prop_assert_eq!(rounds.iter().flatten().map(|samples| samples.pairs).sum::<u64>(), pairs);
        prop_assert!(rounds.iter().flatten().all(|samples| samples.pairs > 0));
        // No two candidates are the same configuration.
        let points: Vec<_> = tuner.candidates().iter().map(|candidate| candidate.point.clone()).collect();
        prop_assert!((1..points.len()).all(|at| !points[..at].contains(&points[at])));
    }
}

#[test]
fn a_lost_tuner_is_made_again() {
    let space = space(&["0..1", "0..1"]);
    let settings = TunerSettings::of(70);
    let (expected, whole) = rounds(&space, &Start::None, &settings);
    assert!(expected.len() > 2);
    for lost_after in [1, expected.len() / 2, expected.len() - 1] {
        let mut tuner = Tuner::new(space.clone(), Start::None, settings.clone()).unwrap();
        (0..lost_after).for_each(|_| drop(play(&mut tuner)));
        // All results again, those of a round backwards and in parts.
        let mut again = Tuner::new(space.clone(), Start::None, settings.clone()).unwrap();
        for round in &expected[..lost_after] {
            assert_eq!(again.next_round().as_ref(), Some(round));
            for &Samples { candidate, pairs } in round.iter().rev() {
                for k in 0..pairs {
                    // The rewards of the round count once it is complete.
                    let before = again.candidate(candidate).rewards.count;
                    let reward = reward(&again, candidate, before + k);
                    again.tell(candidate, &[reward]).unwrap();
                    if again.candidate(candidate).rewards.count > before {
                        break;
                    }
                }
            }
        }
        let rest: Vec<Vec<Samples>> = std::iter::from_fn(|| play(&mut again)).collect();
        assert_eq!(rest, expected[lost_after..]);
        assert_eq!((again.candidates(), again.best()), (whole.candidates(), whole.best()));
    }
}

#[test]
fn a_round_waits_for_its_results() {
    let mut tuner = Tuner::new(space(&["0..1"]), Start::None, TunerSettings::of(50)).unwrap();
    let round = tuner.next_round().unwrap();
    assert_eq!(tuner.next_round(), Some(round.clone()));
    let Samples { candidate, pairs } = round[0];
    tuner.tell(candidate, &[0.5]).unwrap();
    let missing: u64 = tuner.next_round().unwrap().iter().map(|samples| samples.pairs).sum();
    assert_eq!(missing + 1, round.iter().map(|samples| samples.pairs).sum::<u64>());
    let too_many = tuner.tell(candidate, &vec![0.5; pairs as usize]).unwrap_err();
    assert_eq!(too_many, TuneError::TooMany { candidate, given: pairs as usize, missing: pairs - 1 });
    assert_eq!(tuner.tell(candidate, &[1.5]), Err(TuneError::Reward(1.5)));
    assert!(tuner.tell(candidate, &[f64::NAN]).is_err());
    assert!(tuner.tell(99, &[0.5]).is_err());
}

#[test]
fn impossible_settings_are_refused() {
    let refuses = |space: Space, settings| {
        Tuner::new(space, Start::None, settings).err().map(|error| error.to_string())
    };
    let of = TunerSettings::of;
    assert!(refuses(Space::default(), of(5)).is_some());
    assert!(refuses(space(&["0..1"]), of(0)).is_some());
    assert!(refuses(space(&["0..1"]), TunerSettings { candidates: Some(0), ..of(5) }).is_some());
    assert!(refuses(space(&["0..1"]), TunerSettings { generations: Some(0), ..of(5) }).is_some());
    let until = Some(Sureness { level: f64::NAN, within: 0.0 });
    assert!(refuses(space(&["0..1"]), TunerSettings { until, ..of(5) }).is_some());
    assert_eq!(refuses(space(&["0..1"]), of(5)), None);
}

#[test]
fn it_stops_when_it_is_sure() {
    let until = Some(Sureness { level: 0.8, within: 0.1 });
    let settings = TunerSettings { until, ..TunerSettings::of(20_000) };
    let (_, tuner) = rounds(&space(&["0..1"]), &Start::None, &settings);
    assert!(matches!(tuner.stopped(), Some(TunerStop::Sure { chance }) if chance >= 0.8));
    assert!(tuner.spent() < 20_000);
    assert!(tuner.chance(1.0) == Some(1.0));
}

/// A policy that plays a few candidates may make the model sure too soon.
#[test]
fn it_is_not_sure_before_it_has_tried_several_candidates() {
    for policy in ["ttts", "ucb1", "shuss", "uniform"] {
        let until = Some(Sureness { level: 0.5, within: 0.9 });
        let settings = TunerSettings { until, policy: policy.parse().unwrap(), ..TunerSettings::of(400) };
        let (_, tuner) = rounds(&space(&["0..1"]), &Start::Outside, &settings);
        let tried = |candidate: &&Candidate| candidate.rewards.count >= 4;
        let is_sure = matches!(tuner.stopped(), Some(TunerStop::Sure { .. }));
        assert!(!is_sure || tuner.candidates().iter().filter(tried).count() >= 8, "{policy}");
        assert!(!is_sure || tuner.candidates().iter().find(|it| it.is_default).is_some_and(|it| tried(&it)));
    }
}

/// The mean regret on a surface over a few runs.
fn regret(which: usize, pairs: u64) -> f64 {
    let runs = 3;
    let one = |run: u64| {
        let surface: Surface = surfaces(Seed::new(run)).swap_remove(which);
        let method = super::super::testbed::Method::Tuner("tuner", TunerSettings::of);
        super::super::testbed::regret(&method, &surface, pairs, Seed::new(run))
    };
    (0..runs).map(one).sum::<f64>() / runs as f64
}

#[test]
fn it_finds_the_top_of_a_hill() {
    // A point at random has a regret of about 0.1.
    assert!(regret(0, 200) < 0.03);
    // Two useless parameters more.
    assert!(regret(3, 200) < 0.04);
}
