//! The policies by the value of information, by name.

use tesuji_core::Allocator;
use tesuji_core::spec::{Arguments, Interval, Parameter, Values};

use super::{Bound, Form, Voi, VoiConfig};
use crate::policy::{PolicyInfo, Recommends};

const STOP: Parameter = Parameter {
    name: "stop",
    meaning: "what a sample costs: sampling stops when none is worth more, and never at 0",
    default: Some("0"),
    values: Values::number(Interval::NOT_NEGATIVE),
};

const FORM: Parameter = Parameter {
    name: "form",
    meaning: "the value of a sample whatever the budget, of perfect information, or of all samples left",
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
    meaning: "the greatest value of information by Hoeffding's inequality, after every arm once; the best mean",
    source: SOURCE,
    parameters: &[STOP, FORM],
    anytime: is_anytime,
    recommends: Recommends::Its,
    build: |arguments| allocator(arguments, Bound::Hoeffding, form(arguments)),
};

pub(crate) const ECT: PolicyInfo = PolicyInfo {
    name: "ect",
    meaning: "the same by Hoeffding's inequality with a midpoint",
    parameters: &[STOP, FORM],
    build: |arguments| allocator(arguments, Bound::Midpoint, form(arguments)),
    ..VCT
};

pub(crate) const BCT: PolicyInfo = PolicyInfo {
    name: "bct",
    meaning: "the same by the empirical Bernstein inequality",
    parameters: &[STOP, FORM],
    build: |arguments| allocator(arguments, Bound::Bernstein, form(arguments)),
    ..VCT
};

pub(crate) const VOI: PolicyInfo = PolicyInfo {
    name: "voi",
    meaning: "the greatest value of information as in SR+CR: that of vct with the divisor n + 1; the best mean",
    source: "Tolpin, Shimony 2012",
    parameters: &[STOP],
    anytime: |_| true,
    recommends: Recommends::Its,
    build: |arguments| allocator(arguments, Bound::Hoeffding, Form::LimitOfNext),
};
