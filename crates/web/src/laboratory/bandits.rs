//! Bandit regrets, measured while one looks on.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::extract::State as Shared;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use tesuji_bandit::PolicySpec;
use tesuji_bandit::testbed::{ArmsSpec, Laboratory, Row, ScoreModel};
use tesuji_core::Seed;

use crate::body::Body;
use crate::bounds::Bounds;
use crate::error::Refusal;
use crate::state::State;
use crate::stream::{Stop, Teller, stream};

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Form {
    arms: String,
    policies: Vec<String>,
    budgets: Vec<u64>,
    runs: u64,
    score_noise: Option<f64>,
    score_rate: Option<f64>,
    seed: Option<u32>,
}

#[derive(Serialize)]
struct Progress {
    done: u64,
    of: u64,
}

#[derive(Serialize)]
struct Rows {
    rows: Vec<RowJson>,
}

#[derive(Serialize)]
struct RowJson {
    policy: String,
    budget: u64,
    runs: u64,
    regret: f64,
    se: f64,
    wrong: f64,
    cumulative: f64,
}

impl RowJson {
    fn of(row: &Row) -> RowJson {
        RowJson {
            policy: row.policy.to_string(),
            budget: row.budget,
            runs: row.runs,
            regret: row.regret,
            se: row.se,
            wrong: row.p_wrong,
            cumulative: row.cumulative,
        }
    }
}

/// The most arms times samples of a run: some policies look at all arms for each sample, and
/// a hundred runs are done between two looks at whether to stop.
const MOST_WORK: u64 = 4_000_000;

/// Progress is told so often.
const EVERY: Duration = Duration::from_millis(100);

/// Begins to measure, and answers with what is found.
pub(super) async fn begin(Shared(state): Shared<State>, Body(form): Body<Form>) -> Result<Response, Refusal> {
    let laboratory = form.read(state.bounds())?;
    let stop = Stop::default();
    let (teller, response) = stream(vec![stop.clone()]);
    tokio::spawn(async move {
        let turn = tokio::select! {
            turn = state.threads().turn() => turn,
            () = teller.closed() => return,
        };
        let laboratory = Laboratory { threads: turn.threads, ..laboratory };
        let mut measuring = tokio::task::spawn_blocking({
            let (teller, stop) = (teller.clone(), stop.clone());
            move || measure(&laboratory, &stop, &teller)
        });
        let measured = tokio::select! {
            measured = &mut measuring => measured,
            () = state.ends().wait() => {
                stop.set();
                measuring.await
            }
        };
        match measured {
            Ok(Ok(())) => teller.tell("end", &serde_json::json!({})),
            Ok(Err(refusal)) => teller.fail(&refusal),
            Err(_) => teller.fail(&Refusal::broken()),
        }
        drop(turn);
    });
    Ok(response)
}

/// The budgets one after the other, so that there is something to see soon.
fn measure(laboratory: &Laboratory, stop: &Stop, teller: &Teller) -> Result<(), Refusal> {
    let a_budget = laboratory.runs * laboratory.policies.len() as u64;
    let of = a_budget * laboratory.budgets.len() as u64;
    let (begun, told) = (Instant::now(), AtomicU64::new(0));
    for (index, &budget) in laboratory.budgets.iter().enumerate() {
        let before = index as u64 * a_budget;
        let progress = |runs: u64| {
            // One of several threads tells, and not more often than is looked at.
            let tick = begun.elapsed().as_millis() as u64 / EVERY.as_millis() as u64;
            if told.swap(tick, Ordering::Relaxed) != tick {
                teller.update("progress", &Progress { done: before + runs, of });
            }
        };
        let one = Laboratory { budgets: vec![budget], ..laboratory.clone() };
        let rows = one.run(&progress, stop.flag()).map_err(|error| Refusal::impossible(error.to_string()))?;
        if stop.flag().load(Ordering::Relaxed) {
            return Ok(());
        }
        teller.tell("rows", &Rows { rows: rows.iter().map(RowJson::of).collect() });
    }
    teller.tell("progress", &Progress { done: of, of });
    Ok(())
}

impl Form {
    /// What is asked, where it is possible.
    fn read(&self, bounds: &Bounds) -> Result<Laboratory, Refusal> {
        let wrong = |sentence: String| Err(Refusal::impossible(sentence));
        let arms: ArmsSpec = self.arms.parse().map_err(sentence)?;
        let n_arms = match &arms {
            ArmsSpec::Rule(_, count) => *count,
            ArmsSpec::Values(values) => values.len(),
            // Whoever asks may not be allowed to read this machine's files.
            ArmsSpec::File(_) => {
                return wrong(
                    "arms are not read from files here: write a setting such as N:80, or a list".to_owned(),
                );
            }
        };
        if n_arms > bounds.bandit_arms {
            return wrong(format!(
                "{n_arms} arms are too many: there are {} at most here",
                bounds.bandit_arms
            ));
        }
        let (policies, budgets) = (&self.policies, &self.budgets);
        if policies.is_empty() || policies.len() > bounds.bandit_policies {
            return wrong(format!("give from 1 to {} policies", bounds.bandit_policies));
        }
        if budgets.is_empty() || budgets.len() > bounds.bandit_budgets || budgets.contains(&0) {
            return wrong(format!(
                "give from 1 to {} budgets, of at least one sample each",
                bounds.bandit_budgets
            ));
        }
        let mut distinct: Vec<PolicySpec> = Vec::new();
        for text in policies {
            let policy = text.parse().map_err(sentence)?;
            if !distinct.contains(&policy) {
                distinct.push(policy);
            }
        }
        let mut budgets = budgets.clone();
        budgets.sort_unstable();
        budgets.dedup();
        let most = n_arms as u64 * budgets.last().copied().unwrap_or(0).min(MOST_WORK + 1);
        if most > MOST_WORK {
            return wrong(format!("arms × the largest budget goes to {MOST_WORK} here: give less of either"));
        }
        let samples = budgets.iter().try_fold(0_u64, |sum, budget| sum.checked_add(*budget));
        let samples = samples.and_then(|sum| sum.checked_mul(self.runs)?.checked_mul(distinct.len() as u64));
        if self.runs == 0 || samples.is_none_or(|samples| samples > bounds.bandit_samples) {
            return wrong(format!(
                "runs × policies × the sum of the budgets goes from 1 to {} samples here: give fewer runs",
                bounds.bandit_samples
            ));
        }
        if self.score_noise.is_none() && self.score_rate.is_some() {
            return wrong("score_rate needs score_noise".to_owned());
        }
        let laboratory = Laboratory {
            arms,
            budgets,
            policies: distinct,
            runs: self.runs,
            seed: Seed::new(u64::from(self.seed.unwrap_or(1))),
            scores: self.score_noise.map(|noise| ScoreModel {
                noise,
                rate: self.score_rate,
                ..ScoreModel::default()
            }),
            until: None,
            threads: 1,
        };
        laboratory.check().map_err(sentence)?;
        Ok(laboratory)
    }
}

fn sentence(error: impl std::fmt::Display) -> Refusal {
    Refusal::impossible(error.to_string())
}
