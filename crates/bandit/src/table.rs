//! The table of all policies: one line each. A policy's entry is next to its code.

use crate::halving::{GUMBEL, SH, SHUSS};
use crate::policy::PolicyInfo;
use crate::{
    anytime, bracketing, continuous, eb_tc, gaps, greedy, ocba, rejects, shot, thompson, ucb, uniform,
    variances, voi,
};

static POLICIES: &[PolicyInfo] = &[
    uniform::INFO,
    SH,
    SHUSS,
    GUMBEL,
    anytime::INFO,
    shot::INFO,
    ucb::UCB,
    ucb::UCB1,
    voi::VCT,
    voi::ECT,
    voi::BCT,
    greedy::INFO,
    ucb::UCB_SQRT,
    voi::VOI,
    rejects::INFO,
    ucb::UCB_E,
    gaps::INFO,
    thompson::INFO,
    ocba::INFO,
    ucb::LIL_UCB,
    continuous::CR_C,
    continuous::CR_A,
    eb_tc::INFO,
    variances::INFO,
    bracketing::INFO,
];

/// All policies, in the order in which people read about them.
pub fn policies() -> &'static [PolicyInfo] {
    POLICIES
}
