//! The policies by the value of information, by name.

use tesuji_core::Allocator;
use tesuji_core::spec::{Arguments, Interval, Parameter, Values};

use super::{Bound, Form, Voi, VoiConfig};
use crate::policy::{FinalChoice, Pace, PolicyInfo};

const STOP: Parameter = Parameter {
    name: "stop",
    meaning: "cost of a sample: sampling stops if no sample is worth more; at 0 it never stops",
    default: Some("0"),
    values: Values::number(Interval::NOT_NEGATIVE),
};

const FORM: Parameter = Parameter {
    name: "form",
    meaning: "information that is valued: one sample at any budget, perfect information, or all samples left",
    default: Some("limit"),
    values: Values::words(&["limit", "perfect", "blinkered"]),
};

const SOURCE: &str = "Tolpin, Shimony 2011";

fn form(arguments: &Arguments) -> Form {
    match arguments.word("form") {
        Some("perfect") => Form::Perfect,
        Some("blinkered") => Form::Blinkered,
        _ => Form::Limit,
    }
}

fn cost(arguments: &Arguments) -> f64 {
    arguments.number("stop").expect("the table allows numbers only")
}

fn allocator(arguments: &Arguments, bound: Bound, form: Form) -> Result<Box<dyn Allocator>, String> {
    Ok(Box::new(Voi::new(VoiConfig { bound, form, stop: cost(arguments) })?))
}

/// Only choices that look at the samples left depend on the budget: those of the
/// blinkered form, and the stopping of perfect information, whose value is shared
/// among them. A run that stops is the same at every greater budget.
fn is_anytime(arguments: &Arguments) -> bool {
    match form(arguments) {
        Form::Blinkered => false,
        Form::Perfect => cost(arguments) == 0.0,
        Form::Limit | Form::LimitOfNext => true,
    }
}

pub(crate) const VCT: PolicyInfo = PolicyInfo {
    name: "vct",
    meaning: "samples every arm once, then the greatest value of information by Hoeffding's inequality; \
              recommends the best mean",
    source: SOURCE,
    parameters: &[STOP, FORM],
    anytime: is_anytime,
    final_choice: FinalChoice::Own,
    pace: Pace::Steps,
    build: |arguments| allocator(arguments, Bound::Hoeffding, form(arguments)),
};

pub(crate) const ECT: PolicyInfo = PolicyInfo {
    name: "ect",
    meaning: "samples every arm once, then the greatest value of information by Hoeffding's inequality with a \
              midpoint; recommends the best mean",
    parameters: &[STOP, FORM],
    build: |arguments| allocator(arguments, Bound::Midpoint, form(arguments)),
    ..VCT
};

pub(crate) const BCT: PolicyInfo = PolicyInfo {
    name: "bct",
    meaning: "samples every arm once, then the greatest value of information by the empirical Bernstein \
              inequality; recommends the best mean",
    parameters: &[STOP, FORM],
    build: |arguments| allocator(arguments, Bound::Bernstein, form(arguments)),
    ..VCT
};

pub(crate) const VOI: PolicyInfo = PolicyInfo {
    name: "voi",
    meaning: "samples every arm once, then the greatest value of information as in SR+CR, which is that of vct \
              with the divisor n + 1; recommends the best mean",
    source: "Tolpin, Shimony 2012",
    parameters: &[STOP],
    anytime: |_| true,
    final_choice: FinalChoice::Own,
    pace: Pace::Steps,
    build: |arguments| allocator(arguments, Bound::Hoeffding, Form::LimitOfNext),
};
