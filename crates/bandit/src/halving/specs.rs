//! The family by name: `sh`, `shuss`, `gumbel`.

use tesuji_core::Allocator;
use tesuji_core::spec::{Arguments, Interval, Parameter, Values};

use crate::policy::{FinalChoice, Pace, PolicyInfo};

use super::schedule::{Cut, Spread};
use super::{Entrants, Halving, HalvingConfig, Ranks, ScoreWeight};

const LAMBDA: Parameter = Parameter {
    name: "lambda",
    meaning: "share of the arms kept by a round, or by each round in turn",
    default: Some("0.5"),
    values: Values { words: &[], number: Some(Interval::FRACTION), list: Some(Interval::FRACTION) },
};
const KEEP: Parameter = Parameter {
    name: "keep",
    meaning: "numbers of arms kept by the rounds in turn, instead of lambda",
    default: Some("off"),
    values: Values { words: &["off"], number: None, list: Some(Interval::COUNT) },
};
const W: Parameter = Parameter {
    name: "w",
    meaning: "weight of earlier rounds in the means: 1 stockpiles, 0 restarts",
    default: Some("1"),
    values: Values::number(Interval::UNIT),
};
const UNIFORMING: Parameter = Parameter {
    name: "uniforming",
    meaning: "spends more of the budget in early rounds, so that arms × samples stays level",
    default: Some("off"),
    values: Values::words(&["off", "on"]),
};
const RANKS: Parameter = Parameter {
    name: "ranks",
    meaning: "the arms that a round ranks: those left, or all, so that arms come back",
    default: Some("left"),
    values: Values::words(&["left", "all"]),
};
const LEAST: Parameter = Parameter {
    name: "least",
    meaning: "minimum samples of an arm in a round while the budget lasts",
    default: Some("0"),
    values: Values::number(Interval { least: 0.0, ..Interval::COUNT }),
};
const T: Parameter = Parameter {
    name: "t",
    meaning: "t', the weight of the score relative to the mean; calibrated: learnt during the run",
    default: Some("calibrated"),
    values: Values { words: &["calibrated", "adaptive"], number: Some(Interval::UP_TO_INFINITY), list: None },
};
const DELTA: Parameter = Parameter {
    name: "delta",
    meaning: "with t=adaptive: how much the score flattens differences",
    default: Some("1"),
    values: Values::number(Interval::NOT_NEGATIVE),
};
const SIGMA: Parameter = Parameter {
    name: "sigma",
    meaning: "with t=adaptive: the score's own error relative to the deviation of a sample",
    default: Some("0.1"),
    values: Values::number(Interval::NOT_NEGATIVE),
};
const NEGLIGIBLE: Parameter = Parameter {
    name: "negligible",
    meaning: "with t=calibrated: the share of all promise that arms cut early may have",
    default: Some("0.2"),
    values: Values::number(Interval { most: 0.9, ..Interval::UNIT }),
};
const PRUNE: Parameter = Parameter {
    name: "prune",
    meaning: "number of samples that the scores are worth: the worst arms by score are left out",
    default: Some("off"),
    values: Values { words: &["off"], number: Some(Interval::POSITIVE), list: None },
};
const SCORE: Parameter = Parameter {
    name: "score",
    meaning: "source of the scores; any: whichever the search has; of a network: logits of the moves, value of the \
              position after each move, or q, the values of moves that it predicts",
    default: Some("any"),
    values: Values::words(&["any", "amaf", "prior", "logits", "value", "q"]),
};

const OWN: Parameter = Parameter {
    name: "own",
    meaning: "whether an arm's own samples count in its AMAF score; auto: not with t=calibrated",
    default: Some("auto"),
    values: Values::words(&["auto", "on", "off"]),
};
const RECALL: Parameter = Parameter {
    name: "recall",
    meaning: "weight of earlier rounds in AMAF scores: 1 keeps all, 0 the round alone",
    default: Some("1"),
    values: Values::number(Interval::UNIT),
};

pub(crate) const SH: PolicyInfo = PolicyInfo {
    name: "sh",
    meaning: "Sequential Halving: samples all remaining arms equally and cuts the worse ones, round by round",
    source: "Karnin, Koren, Somekh 2013; lambda, w, uniforming: Fabiano, Cazenave 2021",
    parameters: &[LAMBDA, KEEP, W, UNIFORMING, LEAST, RANKS],
    anytime: |_| false,
    final_choice: FinalChoice::Own,
    pace: Pace::Rounds,
    build: |arguments| halving(shared(arguments)?),
};

pub(crate) const SHUSS: PolicyInfo = PolicyInfo {
    name: "shuss",
    meaning: "Sequential Halving Using Scores: ranks arms by mean + t'/samples · score, or by a model of scores \
              and values that it learns on the way",
    source: "Fabiano, Cazenave 2021; t=calibrated: ours",
    parameters: &[
        T,
        Parameter {
            meaning: "share of the arms kept by a round, or by each round in turn; auto: 0.5, or 0.7 with t=calibrated",
            default: Some("auto"),
            values: LAMBDA_OR_AUTO,
            ..LAMBDA
        },
        KEEP,
        W,
        UNIFORMING,
        LEAST,
        Parameter {
            meaning: "the arms that a round ranks: those left, or all, so that arms come back; auto: all with t=calibrated, unless samples are a network's values",
            default: Some("auto"),
            values: Values::words(&["auto", "left", "all"]),
            ..RANKS
        },
        DELTA,
        SIGMA,
        NEGLIGIBLE,
        PRUNE,
        SCORE,
        OWN,
        RECALL,
    ],
    anytime: |_| false,
    final_choice: FinalChoice::Own,
    pace: Pace::Rounds,
    build: |arguments| {
        let pair = |name| arguments.number(name).unwrap_or(1.0);
        let weight = match (arguments.number("t"), arguments.word("t")) {
            (Some(weight), _) => ScoreWeight::Constant(weight),
            (None, Some("adaptive")) => ScoreWeight::Adaptive { delta: pair("delta"), sigma: pair("sigma") },
            (None, _) => ScoreWeight::Calibrated { negligible: pair("negligible") },
        };
        let is_adaptive = matches!(weight, ScoreWeight::Adaptive { .. });
        if !is_adaptive && (pair("delta") != 1.0 || pair("sigma") != 0.1) {
            return Err("delta and sigma belong to t=adaptive".to_owned());
        }
        if !weight.is_calibrated() && pair("negligible") != 0.2 {
            return Err("negligible belongs to t=calibrated".to_owned());
        }
        let entrants = match arguments.number("prune") {
            Some(worth) => Entrants::Pruned { worth },
            None => Entrants::All,
        };
        let mut config = HalvingConfig { weight, entrants, ..shared(arguments)? };
        if weight.is_calibrated() {
            config.set_calibrated_defaults(arguments);
        }
        halving(config)
    },
};

pub(crate) const GUMBEL: PolicyInfo = PolicyInfo {
    name: "gumbel",
    meaning: "starts with the best m arms by Gumbel noise + logits, and halves by the same plus the transformed \
              mean",
    source: "Danihelka, Guez, Schrittwieser, Silver 2022",
    parameters: &[
        Parameter {
            name: "m",
            meaning: "number of arms that take part",
            default: Some("16"),
            values: Values::number(Interval::COUNT),
        },
        Parameter {
            name: "visit",
            meaning: "c_visit: samples added to the largest count in the weight of the mean",
            default: Some("50"),
            values: Values::number(Interval::NOT_NEGATIVE),
        },
        Parameter {
            name: "scale",
            meaning: "c_scale: what a sample adds to the weight of the mean",
            default: Some("1"),
            values: Values::number(Interval::POSITIVE),
        },
        Parameter {
            name: "logits",
            meaning: "what a unit of score adds to an arm's logit",
            default: Some("1"),
            values: Values::number(Interval::NOT_NEGATIVE),
        },
        Parameter {
            name: "noise",
            meaning: "whether Gumbel noise is added to the logits: on to learn from the games, off to win them",
            default: Some("on"),
            values: Values::words(&["on", "off"]),
        },
        LAMBDA,
        UNIFORMING,
        Parameter { default: Some("1"), ..LEAST },
    ],
    anytime: |_| false,
    final_choice: FinalChoice::Own,
    pace: Pace::Rounds,
    build: |arguments| {
        let number = |name| arguments.number(name).unwrap_or(1.0);
        halving(HalvingConfig {
            cut: Cut::Lambda(lambdas(arguments)),
            spread: spread(arguments),
            least: number("least") as u64,
            carry: 1.0,
            weight: ScoreWeight::Gumbel { visit: number("visit"), scale: number("scale") },
            ranks: Ranks::Left,
            entrants: Entrants::GumbelTop {
                m: number("m") as usize,
                logits: number("logits"),
                noise: arguments.word("noise") != Some("off"),
            },
        })
    },
};

const LAMBDA_OR_AUTO: Values = Values { words: &["auto"], ..LAMBDA.values };

impl HalvingConfig {
    /// What `auto` means for calibrated halving: the cuts that were best with it in the laboratory,
    /// and arms that come back.
    fn set_calibrated_defaults(&mut self, arguments: &Arguments) {
        if arguments.word("lambda").is_some() && arguments.list("keep").is_none() {
            self.cut = Cut::Lambda(vec![0.7]);
        }
        if arguments.word("ranks") == Some("auto") {
            self.ranks = Ranks::Auto;
        }
    }
}

fn halving(config: HalvingConfig) -> Result<Box<dyn Allocator>, String> {
    Ok(Box::new(Halving::new(config)?))
}

/// What `sh` and `shuss` have in common.
fn shared(arguments: &Arguments) -> Result<HalvingConfig, String> {
    let cut = match arguments.list("keep") {
        Some(_) if lambdas(arguments) != [0.5] => {
            return Err("the cuts are given by lambda or by keep, not by both".to_owned());
        }
        Some(keep) => Cut::Keep(keep.iter().map(|&n| n as usize).collect()),
        None => Cut::Lambda(lambdas(arguments)),
    };
    Ok(HalvingConfig {
        cut,
        spread: spread(arguments),
        least: arguments.number("least").unwrap_or(0.0) as u64,
        carry: arguments.number("w").unwrap_or(1.0),
        ranks: if arguments.word("ranks") == Some("all") { Ranks::All } else { Ranks::Left },
        ..HalvingConfig::default()
    })
}

fn lambdas(arguments: &Arguments) -> Vec<f64> {
    match arguments.list("lambda") {
        Some(lambdas) => lambdas.to_vec(),
        None => vec![arguments.number("lambda").unwrap_or(0.5)],
    }
}

fn spread(arguments: &Arguments) -> Spread {
    if arguments.word("uniforming") == Some("on") { Spread::Uniforming } else { Spread::Even }
}
