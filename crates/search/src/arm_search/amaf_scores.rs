//! AMAF means as scores of the moves at the root.

use tesuji_bandit::OnlineScores;
use tesuji_core::Arms;

use crate::simulator::RootAmaf;

/// Turns the AMAF counts of the root into scores, as the policy wants them: with a move's own
/// samples or without, of all rounds or of the last ones.
#[derive(Default)]
pub(super) struct AmafScores {
    /// `None` if the counts are the scores as they are.
    wanted: Option<OnlineScores>,
    /// The round that the last batch belongs to.
    round: Option<u32>,
    columns: Vec<AmafColumn>,
}

/// What one move's score consists of. Pairs are numbers of samples and the sums of their rewards.
#[derive(Clone, Copy, Default)]
struct AmafColumn {
    /// The move's own samples that are no part of the counts, from an earlier search.
    earlier: (u64, f64),
    /// The counts at the last look, and when the round began.
    seen: (f64, f64),
    begun: (f64, f64),
    /// The discounted samples at the last look, and when the round began.
    score: (f64, f64),
    kept: (f64, f64),
}

impl AmafScores {
    pub(super) fn new(wanted: OnlineScores) -> AmafScores {
        let plain = OnlineScores { own: true, recall: 1.0 };
        AmafScores { wanted: (wanted != plain).then_some(wanted), round: None, columns: Vec::new() }
    }

    /// A search begins, of arms that may have samples from the one before.
    pub(super) fn begin(&mut self, arms: &Arms) {
        self.round = None;
        if self.wanted.is_some() {
            self.columns.clear();
            self.columns.extend((0..arms.len()).map(|arm| AmafColumn {
                earlier: (arms.count(arm), arms.sum(arm)),
                ..AmafColumn::default()
            }));
        }
    }

    /// A batch of this round comes next. What is known counts as earlier if the round is new.
    pub(super) fn enter(&mut self, round: u32) {
        if self.wanted.is_some() && self.round.replace(round) != Some(round) {
            for column in &mut self.columns {
                (column.kept, column.begun) = (column.score, column.seen);
            }
        }
    }

    /// Brings the scores up to date.
    pub(super) fn fill(&mut self, amaf: &RootAmaf, arms: &mut Arms) {
        for (arm, (&count, &sum)) in amaf.counts.iter().zip(&amaf.sums).enumerate() {
            let (count, sum) = match (self.wanted, self.columns.get_mut(arm)) {
                (Some(wanted), Some(column)) => column.updated(wanted, (f64::from(count), sum), arms, arm),
                _ => (f64::from(count), sum),
            };
            arms.set_score(arm, if count > 0.0 { sum / count } else { 0.0 }, count);
        }
    }
}

impl AmafColumn {
    /// The samples of the score, and their sum.
    fn updated(
        &mut self,
        wanted: OnlineScores,
        (mut count, mut sum): (f64, f64),
        arms: &Arms,
        arm: usize,
    ) -> (f64, f64) {
        if !wanted.own {
            // Every sample of a move is one of its AMAF samples too.
            count -= (arms.count(arm) - self.earlier.0) as f64;
            sum -= arms.sum(arm) - self.earlier.1;
        }
        self.seen = (count, sum);
        self.score = (
            wanted.recall * self.kept.0 + (count - self.begun.0),
            wanted.recall * self.kept.1 + (sum - self.begun.1),
        );
        let (count, sum) = self.score;
        (count, sum.clamp(0.0, count.max(0.0)))
    }
}
