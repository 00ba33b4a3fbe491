//! What a search says: its move, what it knows of every other, and what it did
//! on the way.

use std::fmt;

use tesuji_core::{Arms, MoveId, Outcome, PackedMove, Round, Stop};

use crate::line::Lines;

/// What came of a search. Arms are the position's search moves, in their order, as far as the
/// search may choose them. Players
/// report moves as numbers; for people, [`map`](Report::map) makes texts of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Report<M = MoveId> {
    /// The arm that was chosen; `None` if the game is over or no move may be chosen.
    pub chosen: Option<usize>,
    /// Every move of the position that is worth searching and may be chosen.
    pub arms: Vec<ArmReport<M>>,
    /// The halving rounds; empty if the search does not halve.
    pub rounds: Vec<Round>,
    /// The samples it had: what was asked for and what earlier moves had left.
    /// Under a limit of time, what it expected to manage.
    pub budget: u64,
    /// The samples it took.
    pub spent: u64,
    /// Samples left for the next move (value of information with a cost).
    pub carried: u64,
    /// Why it ended before its budget.
    pub stop: Option<SearchStop>,
    /// The chance that the chosen move is the best, or within the difference that the search
    /// ignores ([`Until`](crate::Until)), by the values that its samples estimate; `None` without
    /// samples, and if nobody asked ([`Limits::confidence`](crate::Limits)).
    pub confidence: Option<f64>,
    /// What it kept in memory.
    pub memory: Memory,
    /// The moves that got more samples after the search, in the order in which they first did
    /// ([`Limits::focus`](crate::Limits::focus)).
    pub focused: Vec<Focused>,
}

/// Samples that a move got after the search. Budget and `spent` of the report include them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Focused {
    /// The arm.
    pub arm: usize,
    /// Its samples after the search, in the units of the budget.
    pub samples: u64,
}

impl<M: Clone> Report<M> {
    /// The chosen move.
    pub fn mv(&self) -> Option<M> {
        self.chosen.map(|arm| self.arms[arm].mv.clone())
    }
}

impl Report {
    /// Returns the report with moves of the game's own type.
    pub fn typed<M: PackedMove>(self) -> Report<M> {
        self.map(M::unpack)
    }
}

impl<M> Report<M> {
    /// The samples of all moves together, with those of earlier searches that were kept.
    pub fn visits(&self) -> u64 {
        self.arms.iter().map(|arm| arm.visits).sum()
    }

    /// Returns the arms in the order in which they should be tried if a move may be refused:
    /// the chosen one, then the arms that were cut last. Arms that were cut together or never
    /// are ordered by their last ranking, or by their means if they were never ranked.
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = self.chosen.into_iter().collect();
        let ranked = self.rounds.iter().rev().flat_map(|round| &round.ranking).map(|ranked| ranked.arm);
        let mut is_listed = vec![false; self.arms.len()];
        order.iter().for_each(|&arm| is_listed[arm] = true);
        for arm in ranked {
            if !std::mem::replace(&mut is_listed[arm], true) {
                order.push(arm);
            }
        }
        let mut rest: Vec<usize> = (0..self.arms.len()).filter(|&arm| !is_listed[arm]).collect();
        // Those without samples come last, in their order.
        let mean = |arm: usize| self.arms[arm].mean.unwrap_or(-1.0);
        rest.sort_by(|&a, &b| mean(b).total_cmp(&mean(a)));
        order.extend(rest);
        order
    }

    /// Returns the report with moves written otherwise, such as texts.
    pub fn map<N>(self, mut write: impl FnMut(M) -> N) -> Report<N> {
        let arms = self.arms.into_iter().map(|arm| ArmReport {
            mv: write(arm.mv),
            visits: arm.visits,
            mean: arm.mean,
            variance: arm.variance,
            amaf: arm.amaf,
            score: arm.score,
            q: arm.q,
            proof: arm.proof,
            policy: arm.policy,
        });
        Report {
            arms: arms.collect(),
            chosen: self.chosen,
            rounds: self.rounds,
            budget: self.budget,
            spent: self.spent,
            carried: self.carried,
            stop: self.stop,
            confidence: self.confidence,
            memory: self.memory,
            focused: self.focused,
        }
    }

    /// The report on a position without moves.
    pub(crate) fn nothing() -> Report<M> {
        Report {
            chosen: None,
            arms: Vec::new(),
            rounds: Vec::new(),
            budget: 0,
            spent: 0,
            carried: 0,
            stop: None,
            confidence: None,
            memory: Memory::default(),
            focused: Vec::new(),
        }
    }
}

/// What is known of a move. Means are rewards of the side to move at the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ArmReport<M = MoveId> {
    /// The move.
    pub mv: M,
    /// Its samples.
    pub visits: u64,
    /// The mean reward of its samples; `None` without samples.
    pub mean: Option<f64>,
    /// The variance of its samples, with divisor n − 1; `None` if they are wins and losses, so that
    /// the mean tells it, for fewer than two samples, and if nobody kept it.
    pub variance: Option<f64>,
    /// Its AMAF statistics; `None` if the search keeps none.
    pub amaf: Option<Amaf>,
    /// The score that the root used next to its mean: AMAF, prior, or what a network says of the move,
    /// which is the logarithm of its probability if the root is PUCT or takes logits; `None` if it
    /// used none.
    pub score: Option<f64>,
    /// The value it was last ranked by: in its last round, or by the tree's policy.
    pub q: Option<f64>,
    /// What is proved of it.
    pub proof: Option<Outcome>,
    /// Its probability under the improved policy of the search, to learn from; `None` if the search
    /// has none, as most have.
    pub policy: Option<f64>,
}

impl<M> ArmReport<M> {
    /// One standard error of the mean, as of independent samples; `None` for fewer than two.
    /// (Samples of a growing tree depend on each other, which makes it larger.)
    pub fn standard_error(&self) -> Option<f64> {
        let mean = self.mean.filter(|_| self.visits > 1)?;
        if let Some(variance) = self.variance {
            return Some((variance / self.visits as f64).sqrt());
        }
        Some((mean * (1.0 - mean) / (self.visits - 1) as f64).max(0.0).sqrt())
    }
}

/// The variance of an arm's samples, for [`ArmReport::variance`].
pub(crate) fn variance(arms: &Arms, arm: usize) -> Option<f64> {
    // Rewards of 0 and 1 are their own squares.
    let is_between = arms.squares(arm) < arms.sum(arm);
    arms.variance(arm).filter(|_| is_between)
}

/// AMAF statistics of a move: over all simulations in which it was played at all.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Amaf {
    /// How many simulations.
    pub count: u64,
    /// Their mean reward.
    pub mean: f64,
}

/// Why a search ended before its budget.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SearchStop {
    /// The allocator at the root saw no reason to go on.
    Allocator(Stop),
    /// There is one move only.
    OneMove,
    /// The outcome is proved.
    Proved(Outcome),
    /// Somebody cancelled it.
    Cancelled,
    /// Its time was up.
    Time,
    /// It was sure enough of its choice.
    Sure {
        /// The chance that the choice is right.
        confidence: f64,
    },
}

impl fmt::Display for SearchStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchStop::Allocator(stop) => stop.fmt(f),
            SearchStop::OneMove => f.write_str("there is only one move"),
            SearchStop::Proved(outcome) => write!(f, "it is proved: {outcome}"),
            SearchStop::Cancelled => f.write_str("it was cancelled"),
            SearchStop::Time => f.write_str("its time was up"),
            SearchStop::Sure { confidence } => {
                // Rounded down: it is never surer than it says.
                write!(f, "it is {}% sure of its choice", (confidence * 1000.0).floor() / 10.0)
            }
        }
    }
}

/// What a search kept in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Memory {
    /// Positions.
    pub nodes: usize,
    /// Moves that are listed: of positions that were visited again, or of all positions if their
    /// leaves give the moves priors.
    pub edges: usize,
    /// Bytes of both, and of the table that finds positions again.
    pub bytes: usize,
}

impl std::ops::AddAssign for Memory {
    fn add_assign(&mut self, other: Memory) {
        self.nodes += other.nodes;
        self.edges += other.edges;
        self.bytes += other.bytes;
    }
}

/// What happens during a search, for a watcher. Watching changes nothing.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A halving round has ended.
    Round {
        /// Its number, from 0.
        index: usize,
        /// Who took part, and who goes on.
        round: &'a Round,
    },
    /// Some more samples are in: now and then, and at the end.
    Progress {
        /// Samples so far.
        spent: u64,
        /// The samples that the search has.
        budget: u64,
        /// What is known of the arms.
        arms: &'a Arms,
        /// The probability of each arm by a network, before the first sample; empty if there is
        /// none.
        priors: &'a [f64],
        /// The best one as far as is known.
        best: usize,
        /// What it expects after each of them.
        lines: Lines<'a>,
    },
}

/// Somebody who watches a search. Every `FnMut(Event)` is one.
pub trait Watch {
    /// Is told what happens, on the thread that called the search.
    fn see(&mut self, event: Event<'_>);
}

impl<F: FnMut(Event<'_>)> Watch for F {
    fn see(&mut self, event: Event<'_>) {
        self(event);
    }
}

/// A search reports its progress about this often.
pub(crate) const PROGRESS_STEPS: u64 = 50;
