//! Arms for tests.

use tesuji_core::{Arms, Rewards};

/// Arms with these numbers of samples and of wins.
pub(crate) fn arms(wins: &[(u64, u64)]) -> Arms {
    let mut arms = Arms::new(wins.len());
    for (arm, &(count, wins)) in wins.iter().enumerate() {
        arms.record(arm, Rewards::wins(count, wins));
    }
    arms
}
