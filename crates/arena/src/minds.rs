//! What the two contestants of a game expect, move after move: when one resigns, and when one
//! claims the game.

use serde::{Deserialize, Serialize};
use tesuji_session::Streak;

use crate::matches::Rules;

/// What the player of a cell and its opponent expect of their game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Minds {
    /// The consecutive moves in which each has thought itself lost, and won.
    lost: [Streak; 2],
    won: [Streak; 2],
    /// Whether each, at its last move, would have left its opponent a claim.
    has_given_up: [bool; 2],
}

/// How an expectation ends a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decision {
    /// The contestant that moves resigns.
    Resigned,
    /// The contestant that moves claims the game, and its opponent agrees.
    Claimed,
}

impl Minds {
    /// Notes what the contestant that moves expects.
    pub(crate) fn hear(&mut self, rules: &Rules, who: usize, expects: Option<f64>) -> Option<Decision> {
        let expects = expects?;
        if let Some(below) = rules.resign_below
            && self.lost[who].note(expects < below)
        {
            return Some(Decision::Resigned);
        }
        if let Some(above) = rules.claim_above {
            let is_sure = self.won[who].note(expects > above);
            self.has_given_up[who] = expects < 1.0 - above;
            if is_sure && self.has_given_up[1 - who] {
                return Some(Decision::Claimed);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What becomes of a game in which the two, in turn, expect this.
    fn heard(rules: &Rules, expected: &[f64]) -> Option<(usize, bool)> {
        let mut minds = Minds::default();
        expected.iter().enumerate().find_map(|(ply, expects)| {
            let decision = minds.hear(rules, ply % 2, Some(*expects))?;
            Some((ply, matches!(decision, Decision::Claimed)))
        })
    }

    #[test]
    fn who_sees_no_hope_three_times_running_resigns() {
        let rules = Rules { resign_below: Some(0.1), ..Rules::default() };
        assert_eq!(heard(&rules, &[0.05, 0.9, 0.05, 0.9, 0.05, 0.9]), Some((4, false)));
        assert_eq!(heard(&rules, &[0.05, 0.9, 0.05, 0.9, 0.2, 0.9, 0.05, 0.9, 0.05]), None);
        assert_eq!(heard(&Rules::default(), &[0.0; 20]), None);
    }

    #[test]
    fn a_claim_needs_both() {
        let rules = Rules { claim_above: Some(0.9), ..Rules::default() };
        assert_eq!(heard(&rules, &[0.95, 0.05, 0.95, 0.05, 0.95, 0.05]), Some((4, true)));
        // The other still hopes.
        assert_eq!(heard(&rules, &[0.95, 0.05, 0.95, 0.5, 0.95, 0.5, 0.95, 0.05, 0.95]), Some((8, true)));
        assert_eq!(heard(&rules, &[0.95, 0.5, 0.95, 0.5, 0.95, 0.5]), None);
    }
}
