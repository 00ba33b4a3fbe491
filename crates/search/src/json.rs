//! Reports as JSON, the one shape that a search has in everything that this project writes
//! (`docs/json.md` describes it).
//!
//! Moves are written as what they are in the report, so that a report in words
//! (`Board::in_words`) has moves as texts. Nothing is referred to by
//! its number but [`chosen`](ReportJson): whoever lists fewer arms, or lists them in another
//! order, writes the same rounds.

use serde::{Serialize, Serializer};
use tesuji_core::{Calibration, Outcome, Ranked, Round, Stop};

use crate::{Amaf, ArmReport, Focused, Memory, Report, SearchStop};

/// A report as it is written: what [`Report`] says, with other arms listed where a reader
/// wants fewer of them or more about each.
#[derive(Serialize, Debug)]
pub struct ReportJson<'a, M, A> {
    #[serde(rename = "move")]
    mv: Option<&'a M>,
    chosen: Option<usize>,
    visits: u64,
    budget: u64,
    spent: u64,
    carried: u64,
    stop: Option<SearchStop>,
    confidence: Option<f64>,
    memory: Memory,
    arms: A,
    rounds: Vec<RoundJson<'a, M>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    focused: Vec<FocusedJson<'a, M>>,
}

/// Samples that a move got after the search.
#[derive(Serialize, Debug)]
struct FocusedJson<'a, M> {
    #[serde(rename = "move")]
    mv: &'a M,
    samples: u64,
}

impl<'a, M, A> ReportJson<'a, M, A> {
    /// A report that lists `arms`, of which the one at `chosen` is the move that was chosen.
    pub fn new(report: &'a Report<M>, arms: A, chosen: Option<usize>) -> ReportJson<'a, M, A> {
        let focused = |&Focused { arm, samples }: &Focused| FocusedJson { mv: &report.arms[arm].mv, samples };
        ReportJson {
            mv: report.chosen.map(|arm| &report.arms[arm].mv),
            chosen,
            visits: report.visits(),
            budget: report.budget,
            spent: report.spent,
            carried: report.carried,
            stop: report.stop,
            confidence: report.confidence,
            memory: report.memory,
            arms,
            rounds: RoundJson::all(report),
            focused: report.focused.iter().map(focused).collect(),
        }
    }
}

impl<M: Serialize> Serialize for Report<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ReportJson::new(self, &self.arms, self.chosen).serialize(serializer)
    }
}

/// A round of halving with its moves instead of their numbers.
#[derive(Serialize, Debug)]
pub struct RoundJson<'a, M> {
    samples_each: u64,
    kept: usize,
    ranking: Vec<RankedJson<'a, M>>,
    /// Only if the round ranked arms that were cut before, and some come back.
    #[serde(skip_serializing_if = "is_zero")]
    comebacks: usize,
    /// Only if the policy learns how scores and values relate.
    #[serde(skip_serializing_if = "Option::is_none")]
    calibration: Option<CalibrationJson>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[derive(Serialize, Debug)]
struct CalibrationJson {
    slope: f64,
    residual_variance: f64,
    weight: f64,
    spread: f64,
    correlation: f64,
}

impl From<Calibration> for CalibrationJson {
    fn from(Calibration { slope, residual, weight, spread, correlation }: Calibration) -> CalibrationJson {
        CalibrationJson { slope, residual_variance: residual, weight, spread, correlation }
    }
}

#[derive(Serialize, Debug)]
struct RankedJson<'a, M> {
    #[serde(rename = "move")]
    mv: &'a M,
    q: f64,
    mean: f64,
    bonus: f64,
}

impl<'a, M> RoundJson<'a, M> {
    /// A round among arms whose moves `mv` returns.
    pub fn new(round: &Round, mv: impl Fn(usize) -> &'a M) -> RoundJson<'a, M> {
        let ranked = |&Ranked { arm, q, mean, bonus }: &Ranked| RankedJson { mv: mv(arm), q, mean, bonus };
        let ranking = round.ranking.iter().map(ranked).collect();
        let calibration = round.calibration.map(CalibrationJson::from);
        RoundJson {
            samples_each: round.samples_each,
            kept: round.kept,
            ranking,
            comebacks: round.comebacks,
            calibration,
        }
    }

    /// The rounds of a search, in order; none if its root does not halve.
    pub fn all(report: &'a Report<M>) -> Vec<RoundJson<'a, M>> {
        report.rounds.iter().map(|round| RoundJson::new(round, |arm| &report.arms[arm].mv)).collect()
    }
}

#[derive(Serialize)]
struct ArmJson<'a, M> {
    #[serde(rename = "move")]
    mv: &'a M,
    visits: u64,
    mean: Option<f64>,
    standard_error: Option<f64>,
    amaf: Option<Amaf>,
    score: Option<f64>,
    q: Option<f64>,
    proof: Option<Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<f64>,
}

impl<M: Serialize> Serialize for ArmReport<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ArmReport { mv, visits, mean, variance: _, amaf, score, q, proof, policy } = self;
        ArmJson {
            mv,
            visits: *visits,
            mean: *mean,
            standard_error: self.standard_error(),
            // A mean of no simulations says nothing.
            amaf: amaf.filter(|amaf| amaf.count > 0),
            score: *score,
            q: *q,
            proof: *proof,
            policy: *policy,
        }
        .serialize(serializer)
    }
}

/// A word for programs and a sentence for people; and what that sentence speaks of.
#[derive(Serialize)]
struct StopJson {
    reason: &'static str,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
}

impl Serialize for SearchStop {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let simple = |reason| StopJson {
            reason,
            text: self.to_string(),
            outcome: None,
            value: None,
            cost: None,
            confidence: None,
        };
        let stop = match *self {
            SearchStop::Allocator(Stop::OneArm) => simple("one_arm"),
            SearchStop::Allocator(Stop::NotWorthIt { value, cost }) => {
                StopJson { value: Some(value), cost: Some(cost), ..simple("not_worth_it") }
            }
            SearchStop::Allocator(Stop::Certain) => simple("certain"),
            SearchStop::Allocator(Stop::Floors) => simple("floors"),
            SearchStop::OneMove => simple("one_move"),
            SearchStop::Proved(outcome) => StopJson { outcome: Some(outcome), ..simple("proved") },
            SearchStop::Cancelled => simple("cancelled"),
            SearchStop::Time => simple("time"),
            SearchStop::Sure { confidence } => StopJson { confidence: Some(confidence), ..simple("sure") },
        };
        stop.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{json, to_value};
    use tesuji_core::Side;

    use super::*;

    fn report() -> Report<&'static str> {
        let arm = |mv| ArmReport {
            mv,
            visits: 0,
            mean: None,
            variance: None,
            amaf: None,
            score: None,
            q: None,
            proof: None,
            policy: None,
        };
        let amaf = Some(Amaf { count: 8, mean: 0.25 });
        let ranked = |arm, mean| Ranked { arm, q: mean, mean, bonus: 0.0 };
        Report {
            chosen: Some(1),
            arms: vec![
                ArmReport { amaf: Some(Amaf { count: 0, mean: 0.0 }), ..arm("a1") },
                ArmReport { visits: 5, mean: Some(0.5), amaf, score: Some(0.25), q: Some(0.5), ..arm("b1") },
                ArmReport { proof: Some(Outcome::Win(Side::White)), ..arm("c1") },
            ],
            rounds: vec![Round {
                samples_each: 5,
                ranking: vec![ranked(1, 0.5), ranked(0, 0.0)],
                kept: 1,
                comebacks: 0,
                calibration: None,
            }],
            budget: 9,
            spent: 5,
            carried: 4,
            stop: Some(SearchStop::Allocator(Stop::NotWorthIt { value: 0.5, cost: 1.0 })),
            confidence: Some(0.75),
            memory: Memory { nodes: 1, edges: 2, bytes: 3 },
            focused: vec![Focused { arm: 1, samples: 3 }],
        }
    }

    /// The shape that docs/json.md promises: a name that changes here raises the version.
    #[test]
    fn a_report_is_written_as_the_documentation_says() {
        let unknown = json!({
            "move": "a1", "visits": 0, "mean": null, "standard_error": null, "amaf": null, "score": null,
            "q": null, "proof": null
        });
        let mut proved = unknown.clone();
        (proved["move"], proved["proof"]) = (json!("c1"), json!("white"));
        let expected = json!({
            "move": "b1",
            "chosen": 1,
            "visits": 5,
            "budget": 9,
            "spent": 5,
            "carried": 4,
            "stop": {
                "reason": "not_worth_it",
                "text": "no sample is worth its cost: the most valuable 5.000e-1, the cost 1e0",
                "value": 0.5,
                "cost": 1.0
            },
            "confidence": 0.75,
            "memory": { "nodes": 1, "edges": 2, "bytes": 3 },
            "arms": [
                unknown,
                {
                    "move": "b1", "visits": 5, "mean": 0.5, "standard_error": 0.25,
                    "amaf": { "count": 8, "mean": 0.25 }, "score": 0.25, "q": 0.5, "proof": null
                },
                proved
            ],
            "rounds": [{
                "samples_each": 5,
                "kept": 1,
                "ranking": [
                    { "move": "b1", "q": 0.5, "mean": 0.5, "bonus": 0.0 },
                    { "move": "a1", "q": 0.0, "mean": 0.0, "bonus": 0.0 }
                ]
            }],
            "focused": [{ "move": "b1", "samples": 3 }]
        });
        assert_eq!(to_value(report()).unwrap(), expected);
    }

    #[test]
    fn every_stop_has_a_word_and_a_sentence() {
        let proved = to_value(SearchStop::Proved(Outcome::Draw)).unwrap();
        assert_eq!(proved, json!({ "reason": "proved", "text": "it is proved: draw", "outcome": "draw" }));
        let time = to_value(SearchStop::Time).unwrap();
        assert_eq!(time, json!({ "reason": "time", "text": "its time was up" }));
        let sure = to_value(SearchStop::Sure { confidence: 0.9567 }).unwrap();
        let text = "it is 95.6% sure of its choice";
        assert_eq!(sure, json!({ "reason": "sure", "text": text, "confidence": 0.9567 }));
        for (stop, reason) in [
            (SearchStop::Allocator(Stop::OneArm), "one_arm"),
            (SearchStop::Allocator(Stop::Certain), "certain"),
            (SearchStop::Allocator(Stop::Floors), "floors"),
            (SearchStop::OneMove, "one_move"),
            (SearchStop::Cancelled, "cancelled"),
        ] {
            let json = to_value(stop).unwrap();
            assert_eq!((&json["reason"], &json["text"]), (&json!(reason), &json!(stop.to_string())));
        }
    }
}
