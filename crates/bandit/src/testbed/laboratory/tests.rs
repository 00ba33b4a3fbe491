//! Tests of runs and laboratories, with policies as small as they can be.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use tesuji_core::{Allocator, Seed};

use super::{Laboratory, LaboratoryError, Plan};
use crate::testbed::run::Contender;
use crate::testbed::tally::{Cell, Row};
use crate::testbed::test_policies::{Halving, Ucb};
use crate::testbed::{ArmsSpec, ScoreModel};
use crate::{PolicySpec, Until};

fn halving() -> Contender<'static> {
    Contender { make: Box::new(|| Box::new(Halving::default())), anytime: false, most_sampled_too: false }
}

fn ucb(anytime: bool, change: fn(&mut Ucb)) -> Contender<'static> {
    let make = move || -> Box<dyn Allocator> {
        let mut ucb = Ucb::new(0.3);
        change(&mut ucb);
        Box::new(ucb)
    };
    Contender { make: Box::new(make), anytime, most_sampled_too: true }
}

struct Experiment<'a> {
    arms: &'a str,
    budgets: &'a [u64],
    runs: u64,
    scores: Option<ScoreModel>,
}

const SMALL: Experiment<'static> = Experiment { arms: "A:6", budgets: &[60, 240], runs: 950, scores: None };

impl Experiment<'_> {
    fn cells(&self, contenders: &[Contender<'_>], threads: usize) -> Vec<Cell> {
        let values = self.arms.parse::<ArmsSpec>().unwrap().load().unwrap();
        let plan = Plan {
            values: &values,
            budgets: self.budgets.to_vec(),
            contenders,
            runs: self.runs,
            seed: Seed::new(1),
            scores: self.scores,
            until: None,
        };
        plan.cells(threads, &|_| {}, &AtomicBool::new(false))
    }

    /// Each cell as a row; the specs in it mean nothing.
    fn rows(&self, contenders: &[Contender<'_>]) -> Vec<Row> {
        let policy: PolicySpec = "uniform".parse().unwrap();
        let arms = self.arms.parse().unwrap();
        let cells = self.cells(contenders, 1);
        cells.iter().map(|cell| cell.row(&arms, &policy, 0, None)).collect()
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let contenders = [halving(), ucb(true, |_| {})];
    let scores = Some(ScoreModel { noise: 0.1, rate: Some(0.2), ..ScoreModel::default() });
    for experiment in [Experiment { ..SMALL }, Experiment { arms: "N:5", scores, ..SMALL }] {
        let alone = experiment.cells(&contenders, 1);
        for threads in [2, 8] {
            assert_eq!(experiment.cells(&contenders, threads), alone);
        }
    }
}

#[test]
fn a_curve_is_the_same_as_runs_of_their_own() {
    let budgets = [1, 5, 6, 7, 60, 61, 240];
    let scores = [None, Some(0.1)]
        .map(|noise| noise.map(|noise| ScoreModel { noise, rate: Some(0.5), ..ScoreModel::default() }));
    for scores in scores {
        let experiment = Experiment { budgets: &budgets, runs: 150, scores, ..SMALL };
        let curve = experiment.cells(&[ucb(true, |_| {})], 1);
        let separate = experiment.cells(&[ucb(false, |_| {})], 1);
        assert_eq!(curve, separate);
    }
}

#[test]
fn a_batch_is_cut_at_a_budget_on_the_way() {
    // Seven samples at a time: the budget 24 cuts the fourth batch, 25 comes right after,
    // and 28 is the batch's end. The run to 70 does not notice.
    let by_sevens = || ucb(true, |ucb| ucb.step = 7);
    let cut = Experiment { budgets: &[24, 25, 28, 70], ..SMALL }.rows(&[by_sevens()]);
    assert_eq!(cut.iter().map(|row| row.spent).collect::<Vec<_>>(), [24.0, 25.0, 28.0, 70.0]);
    let whole = Experiment { budgets: &[28, 70], ..SMALL }.rows(&[by_sevens()]);
    assert_eq!(cut[2..], whole);
    // A budget of its own cuts the last batch in the same place, with the same rewards.
    let own = Experiment { budgets: &[24], ..SMALL }.rows(&[by_sevens()]);
    assert_eq!(cut[0], own[0]);
}

#[test]
fn who_stops_early_is_judged_by_what_it_knew() {
    let early = || ucb(true, |ucb| ucb.at_most = 100);
    let rows = Experiment { budgets: &[60, 100, 240], ..SMALL }.rows(&[early()]);
    assert_eq!(rows.iter().map(|row| row.spent).collect::<Vec<_>>(), [60.0, 100.0, 100.0]);
    assert_eq!(rows[1], rows[2]);
}

#[test]
fn a_policy_against_itself_differs_by_nothing() {
    let rows = SMALL.rows(&[halving(), halving(), ucb(true, |_| {})]);
    let [first, again, other] = [&rows[1], &rows[3], &rows[5]];
    assert_eq!((first.difference, first.difference_se), (None, None));
    assert_eq!((again.difference, again.difference_se), (Some(0.0), Some(0.0)));
    assert_eq!((again.regret, again.se), (first.regret, first.se));
    // The difference of means is the mean of differences, but for rounding.
    assert!((other.difference.unwrap() - (other.regret - first.regret)).abs() < 1e-12);
    // Common random numbers: the difference is surer than the two regrets are.
    let unpaired = (first.se.powi(2) + other.se.powi(2)).sqrt();
    assert!(other.difference_se.unwrap() < unpaired);
    assert!(first.regret_most_pulled.is_none() && first.regret_best_mean_se.is_none());
    assert_eq!(other.regret_most_pulled, Some(other.regret));
    assert!(other.regret_best_mean.is_some());
}

#[test]
fn regrets_are_what_the_values_say() {
    // Two certain arms: a few samples tell them apart. With four samples Halving takes
    // two of each.
    let sure = Experiment { arms: "[1,0]", budgets: &[4], ..SMALL };
    let row = &sure.rows(&[halving()])[0];
    assert_eq!((row.runs, row.regret, row.p_wrong, row.se), (950, 0.0, 0.0, 0.0));
    assert_eq!((row.cumulative, row.cumulative_se, row.spent), (2.0, 0.0, 4.0));
    // Equal arms: none is wrong.
    let equal = Experiment { arms: "[0.3,0.3,0.3]", ..SMALL };
    assert!(equal.rows(&[halving()]).iter().all(|row| (row.p_wrong, row.cumulative) == (0.0, 0.0)));
    // One arm: nothing to choose.
    let lone = Experiment { arms: "1:1", ..SMALL };
    assert!(lone.rows(&[halving()]).iter().all(|row| row.p_wrong == 0.0));
}

#[test]
fn a_fair_coin_is_wrong_as_often_as_it_should() {
    // One sample of one of two arms, 1 and 0, tells which is which unless the arm without
    // samples is the good one: UCB then still recommends the one it sampled. The shuffle makes
    // that one in two: 950 coins, standard error 0.0162; five of them.
    let row = &Experiment { arms: "[1,0]", budgets: &[1], ..SMALL }.rows(&[ucb(true, |_| {})])[0];
    assert!((row.p_wrong - 0.5).abs() < 0.081, "{row:?}");
    assert!((row.se - 0.0162).abs() < 1e-3, "{row:?}");
    assert_eq!((row.regret, row.cumulative), (row.p_wrong, row.p_wrong));
}

#[test]
fn scores_help_those_who_use_them() {
    let budgets = &[12];
    let blind = Experiment { budgets, ..SMALL }.rows(&[ucb(true, |_| {})]);
    let scores = Some(ScoreModel { noise: 0.0, rate: None, ..ScoreModel::default() });
    let seeing = Experiment { budgets, scores, ..SMALL }.rows(&[ucb(true, |_| {})]);
    assert!(seeing[0].cumulative < blind[0].cumulative);
}

fn laboratory(arms: &str, runs: u64) -> Laboratory {
    Laboratory {
        arms: arms.parse().unwrap(),
        budgets: vec![40, 10],
        policies: vec!["uniform".parse().unwrap()],
        runs,
        seed: Seed::new(1),
        scores: None,
        until: None,
        threads: 2,
    }
}

#[test]
fn rows_come_in_the_order_asked_for() {
    let mut laboratory = laboratory("S:5", 300);
    laboratory.budgets.push(40);
    let done = Mutex::new(Vec::new());
    let progress = |runs| done.lock().unwrap().push(runs);
    let rows = laboratory.run(&progress, &AtomicBool::new(false)).unwrap();
    assert_eq!(rows.iter().map(|row| row.budget).collect::<Vec<_>>(), [40, 10, 40]);
    assert_eq!(rows[0], rows[2]);
    assert_eq!(rows[0].policy, laboratory.policies[0]);
    assert_eq!(done.into_inner().unwrap(), [100, 200, 300]);
    // Published results depend on these values: they never change.
    assert_eq!((rows[0].regret, rows[0].se, rows[0].p_wrong), GOLDEN);
}

const GOLDEN: (f64, f64, f64) = (0.0932071532808834, 0.00581317073490125, 0.4766666666666666);

#[test]
fn what_is_cancelled_keeps_the_runs_that_are_done() {
    let whole = Laboratory { threads: 1, ..laboratory("S:5", 1000) };
    let cancel = AtomicBool::new(false);
    let progress = |runs| cancel.store(runs >= 300, Ordering::Relaxed);
    let rows = whole.run(&progress, &cancel).unwrap();
    let short = laboratory("S:5", 300).run(&|_| {}, &AtomicBool::new(false)).unwrap();
    assert_eq!(rows, short);
    assert_eq!(whole.run(&|_| {}, &AtomicBool::new(true)), Ok(Vec::new()));
}

#[test]
fn refusals_are_sentences() {
    let refusal = |change: fn(&mut Laboratory)| {
        let mut laboratory = laboratory("1:2", 10);
        change(&mut laboratory);
        laboratory.run(&|_| {}, &AtomicBool::new(false)).unwrap_err()
    };
    assert_eq!(refusal(|laboratory| laboratory.policies.clear()), LaboratoryError::NoPolicy);
    assert_eq!(refusal(|laboratory| laboratory.budgets.clear()), LaboratoryError::NoBudget);
    assert_eq!(refusal(|laboratory| laboratory.budgets.push(0)), LaboratoryError::EmptyBudget);
    assert_eq!(refusal(|laboratory| laboratory.runs = 0), LaboratoryError::NoRuns);
    assert_eq!(refusal(|laboratory| laboratory.threads = 0), LaboratoryError::NoThreads);
    let noise = refusal(|laboratory| {
        laboratory.scores = Some(ScoreModel { noise: -1.0, rate: None, ..ScoreModel::default() })
    });
    assert_eq!(noise.to_string(), "-1 is not a noise of scores: it is a number of at least 0");
    let missing = refusal(|laboratory| laboratory.arms = ArmsSpec::File("no/such/file".to_owned()));
    assert!(missing.to_string().starts_with("the values in 'no/such/file' cannot be read: "));
}

/// The names that scripts read.
#[cfg(feature = "serde")]
#[test]
fn rows_are_written_under_their_names() {
    let written = |row: &Row| {
        let json = serde_json::to_value(row).unwrap();
        json.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ")
    };
    let rows = SMALL.rows(&[halving(), ucb(true, |_| {})]);
    // serde_json sorts the names.
    assert_eq!(
        written(&rows[0]),
        "arms budget cumulative cumulative_se p_wrong p_wrong_se policy regret runs se spent"
    );
    assert_eq!(
        written(&rows[2]),
        "arms budget cumulative cumulative_se difference difference_se p_wrong p_wrong_se policy regret \
         regret_best_mean regret_best_mean_se regret_most_pulled regret_most_pulled_se runs se spent"
    );
    let json = serde_json::to_value(&rows[0]).unwrap();
    assert_eq!((json["arms"].as_str(), json["policy"].as_str()), (Some("A:6"), Some("uniform")));
}

#[test]
fn runs_that_stop_when_sure_are_right_as_often_as_they_say() {
    let policies = ["sh", "sh(lambda=0.7)", "ucb(c=0.4)", "uniform"];
    for (arms, budget, within) in [
        ("[0.5,0.49]", 10_000, 0.0),
        ("1:2", 2000, 0.0),
        ("A:4", 4000, 0.0),
        ("N:2", 4000, 0.02),
        ("uniform:10", 4000, 0.02),
        ("twelfths:5", 2000, 0.01),
    ] {
        for level in [0.8, 0.95] {
            let laboratory = Laboratory {
                policies: policies.map(|policy| policy.parse().unwrap()).into(),
                budgets: vec![budget],
                until: Some(Until { level, within }),
                ..laboratory(arms, 200)
            };
            for row in laboratory.run(&|_| {}, &AtomicBool::new(false)).unwrap() {
                let (stopped, right) = (row.stopped.unwrap() as f64, row.right.unwrap() as f64);
                // The wrong ones are at most a share 1 - level: three standard errors of a binomial
                // more, and one.
                let wrong = stopped * (1.0 - level);
                assert!(stopped - right <= wrong + 3.0 * wrong.sqrt() + 1.0, "{row:?}");
                assert!(row.spent <= budget as f64 && (row.spent < budget as f64) == (stopped > 0.0));
                // A plain halving of two arms that are far apart does stop.
                assert!(arms != "1:2" || row.policy.to_string() != "sh" || stopped > 140.0, "{row:?}");
            }
        }
    }
}

#[test]
fn stopping_gives_equal_rows_on_any_number_of_threads() {
    let whole = Laboratory {
        until: Some(Until { level: 0.9, within: 0.02 }),
        policies: ["sh", "ttts", "uniform"].map(|policy| policy.parse().unwrap()).into(),
        budgets: vec![300, 900],
        threads: 1,
        ..laboratory("uniform:6", 250)
    };
    let rows = |threads| {
        let laboratory = Laboratory { threads, ..whole.clone() };
        laboratory.run(&|_| {}, &AtomicBool::new(false)).unwrap()
    };
    let rows_of_one = rows(1);
    assert_eq!(rows_of_one, rows(3));
    assert!(rows_of_one.iter().any(|row| row.stopped > Some(0)));
    // Without a level that can be reached, the rows are those of a laboratory without one.
    let never = Laboratory { until: Some(Until::NEVER), ..whole.clone() };
    let plain = Laboratory { until: None, ..whole };
    let run = |laboratory: Laboratory| laboratory.run(&|_| {}, &AtomicBool::new(false)).unwrap();
    for (mut never, plain) in run(never).into_iter().zip(run(plain)) {
        assert_eq!((never.stopped.take(), never.right.take()), (Some(0), Some(0)));
        assert_eq!(never, plain);
    }
}
