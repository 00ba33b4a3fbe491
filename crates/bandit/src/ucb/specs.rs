//! The upper confidence bound policies by name.

use tesuji_core::Allocator;
use tesuji_core::spec::{Arguments, Interval, Parameter, Values};

use super::{Bonus, Recommendation, Ucb, UcbConfig, Until};
use crate::policy::{FinalChoice, Pace, PolicyInfo, exploration};

const RECOMMEND: Parameter = Parameter {
    name: "recommend",
    meaning: "recommended arm: the best mean or the most visits",
    default: Some("mean"),
    values: Values::words(&["mean", "visits"]),
};

fn recommendation(arguments: &Arguments) -> Recommendation {
    match arguments.word("recommend") {
        Some("visits") => Recommendation::MostSampled,
        _ => Recommendation::BestMean,
    }
}

fn number(arguments: &Arguments, name: &str) -> f64 {
    arguments.number(name).expect("the table allows numbers only")
}

fn allocator(bonus: Bonus, recommend: Recommendation, until: Until) -> Result<Box<dyn Allocator>, String> {
    Ok(Box::new(Ucb::new(UcbConfig { bonus, recommend, until })?))
}

pub(crate) const UCB: PolicyInfo = PolicyInfo {
    name: "ucb",
    meaning: "samples every arm once, then the greatest mean + c·sqrt(ln N / n_i)",
    source: "Auer, Cesa-Bianchi, Fischer 2002; Kocsis, Szepesvári 2006",
    parameters: &[exploration("c", None), RECOMMEND],
    anytime: |_| true,
    final_choice: FinalChoice::OwnOrMostSampled,
    pace: Pace::Steps,
    build: |arguments| {
        allocator(Bonus::Ucb { c: number(arguments, "c") }, recommendation(arguments), Until::Spent)
    },
};

pub(crate) const UCB1: PolicyInfo = PolicyInfo {
    name: "ucb1",
    meaning: "samples every arm once, then the greatest mean + sqrt(2 ln N / n_i)",
    source: "Auer, Cesa-Bianchi, Fischer 2002",
    parameters: &[RECOMMEND],
    anytime: |_| true,
    final_choice: FinalChoice::OwnOrMostSampled,
    pace: Pace::Steps,
    build: |arguments| allocator(Bonus::Ucb1, recommendation(arguments), Until::Spent),
};

pub(crate) const UCB_SQRT: PolicyInfo = PolicyInfo {
    name: "ucb-sqrt",
    meaning: "samples every arm once, then the greatest mean + sqrt(c·sqrt(N) / n_i); recommends the best mean",
    source: "Tolpin, Shimony 2012",
    parameters: &[exploration("c", Some("2"))],
    anytime: |_| true,
    final_choice: FinalChoice::OwnOrMostSampled,
    pace: Pace::Steps,
    build: |arguments| {
        allocator(Bonus::UcbSqrt { c: number(arguments, "c") }, Recommendation::BestMean, Until::Spent)
    },
};

pub(crate) const UCB_E: PolicyInfo = PolicyInfo {
    name: "ucb-e",
    meaning: "samples every arm once, then the greatest mean + sqrt(a / n_i); recommends the best mean",
    source: "Audibert, Bubeck, Munos 2010",
    parameters: &[exploration("a", None)],
    anytime: |_| true,
    final_choice: FinalChoice::OwnOrMostSampled,
    pace: Pace::Steps,
    build: |arguments| {
        allocator(Bonus::UcbE { a: number(arguments, "a") }, Recommendation::BestMean, Until::Spent)
    },
};

pub(crate) const LIL_UCB: PolicyInfo = PolicyInfo {
    name: "lil-ucb",
    meaning: "samples every arm once, then the greatest bound by the law of the iterated logarithm; recommends \
              the most sampled arm",
    source: "Jamieson, Malloy, Nowak, Bubeck 2014",
    parameters: &[
        Parameter {
            name: "delta",
            meaning: "allowed probability of error",
            default: Some("0.01"),
            values: Values::number(Interval::FRACTION),
        },
        Parameter {
            name: "stop",
            meaning: "whether to stop when one arm outweighs all others",
            default: Some("off"),
            values: Values::words(&["off", "on"]),
        },
    ],
    anytime: |_| true,
    final_choice: FinalChoice::OwnOrMostSampled,
    pace: Pace::Steps,
    build: |arguments| {
        let until = if arguments.word("stop") == Some("on") { Until::Certain } else { Until::Spent };
        let delta = number(arguments, "delta");
        allocator(Bonus::LilUcb { delta }, Recommendation::MostSampled, until)
    },
};
