//! The policies there are: one line each, the rest beside its code.

use crate::halving::{GUMBEL, SH, SHUSS};
use crate::policy::PolicyInfo;
use crate::uniform;

static POLICIES: &[PolicyInfo] = &[uniform::INFO, SH, SHUSS, GUMBEL];

/// All policies, in the order in which people read about them.
pub fn policies() -> &'static [PolicyInfo] {
    POLICIES
}
