//! Searches that are made elsewhere, many at a time: on a GPU.
//!
//! Whoever plays many games side by side hands the searches of all of them to a
//! [`SearchDevice`] and waits for reports. A report is the one that the player itself would
//! give: the same bits.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use tesuji_core::{Arms, Code, MoveId, Pull, Rewards, Rng, Seed};
use thiserror::Error;

pub use crate::arm_search::LookAhead;
use crate::arm_search::{ArmSearch, ArmsElsewhere};
use crate::config::{AmafMoves, LeafConfig, PriorPolicy, Root, ScoreSource, SearchConfig, TreeConfig};
use crate::limits::{Limits, MOST_SAMPLES};
use crate::player::Player;
use crate::report::{Amaf, ArmReport, Memory, Report, SearchStop};
use crate::sight::Sight;
use crate::simulator::{Plan, Simulator};
use crate::tree_search::TreeSearch;

/// A search for a device.
pub struct DeviceSearch {
    /// What the player sees.
    pub sight: Box<dyn Sight>,
    /// How it searches.
    pub config: Arc<SearchConfig>,
    /// The samples that it is given for this move.
    pub samples: u64,
    /// The samples that its earlier moves of the game left: the `carried` of its last report.
    pub carried: u64,
    /// The address of the search.
    pub seed: Seed,
}

impl DeviceSearch {
    /// Makes the search here, on this thread.
    pub fn make_here(&self) -> Report {
        let limits = Limits::samples(self.samples);
        match self.config.root {
            Root::Policy(_) => {
                let mut player = ArmSearch::new(&self.config);
                player.carry_over(self.carried);
                player.search(&*self.sight, &limits, self.seed, None)
            }
            Root::Tree => TreeSearch::new(&self.config).search(&*self.sight, &limits, self.seed, None),
        }
    }
}

/// A search as whoever asked for it knows it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SearchId(pub u64);

/// What a device is doing, for people to watch.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DeviceStatus {
    /// The name of the device.
    pub name: String,
    /// The searches that were handed to it and are not over.
    pub searches: usize,
    /// The samples that searches have seen since it was opened. Samples made in vain do not count.
    pub samples: u64,
    /// The bytes of its memory in use.
    pub bytes: u64,
    /// The bytes of memory that it has.
    pub all_bytes: u64,
}

/// A device cannot make a search, or has stopped.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum DeviceError {
    /// It does not know the game or the search: the reason, as the end of a sentence.
    #[error("{0}")]
    Unsupported(String),
    /// There is no such device here.
    #[error("{0}")]
    Missing(String),
    /// It failed while it worked: the searches that it had are lost, and can be asked for again.
    #[error("{0}")]
    Failed(String),
}

impl DeviceError {
    /// This error as a sentence about the player and the game that were asked for.
    pub fn about(self, player: impl fmt::Display, game: impl fmt::Display) -> DeviceError {
        match self {
            DeviceError::Unsupported(reason) => {
                DeviceError::Unsupported(format!("{player} cannot play {game} on a device: {reason}"))
            }
            other => other,
        }
    }
}

/// Makes the searches of many games at once.
pub trait SearchDevice {
    /// Whether it can make such searches: a position of the game, a player, samples a move.
    fn accepts(&self, sight: &dyn Sight, config: &SearchConfig, samples: u64) -> Result<(), DeviceError>;

    /// How many searches are worth handing to it at once: more would wait.
    fn capacity(&self) -> usize;

    /// Takes a search. Searches that find no room wait until others are over.
    fn begin(&mut self, id: SearchId, search: DeviceSearch) -> Result<(), DeviceError>;

    /// Waits until at least one search is over, or until the given time, and returns the
    /// reports. Nothing if there is no search.
    fn wait(&mut self, until: Option<Instant>) -> Result<Vec<(SearchId, Report)>, DeviceError>;

    /// Lets all searches go: no report of them will come.
    fn forget_all(&mut self);

    /// What it is doing.
    fn status(&self) -> DeviceStatus;
}

/// How a device spreads the playouts of a leaf over its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafSpread {
    /// By Sequential Halving, `prior(sh,K)`.
    Halving,
    /// Evenly, `prior(uniform,K)`.
    Even,
    /// By Sequential Halving as Liu and Tsuruoka print it, `prior(literal,K)`.
    PrintedHalving,
}

/// The leaves of a search on a device whose leaves have several playouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeafPlan {
    /// How the playouts of a leaf are spread over its moves.
    pub spread: LeafSpread,
    /// The playouts of a leaf.
    pub playouts: u32,
    /// The playouts of the last leaf of the search: fewer if the budget counts playouts and is
    /// no multiple of the playouts of a leaf.
    pub last_playouts: u32,
}

impl LeafPlan {
    /// The most playouts of a leaf on a device.
    const MOST_PLAYOUTS: u64 = 1 << 24;

    /// The leaves of such a search; `None` if a leaf is one playout, or if a device cannot spread
    /// its playouts.
    pub fn of(config: &SearchConfig, samples: u64) -> Option<LeafPlan> {
        let LeafConfig::Prior { policy, playouts, .. } = &config.leaf else { return None };
        let spread = match policy {
            PriorPolicy::Literal => LeafSpread::PrintedHalving,
            PriorPolicy::Allocator(policy) => match &*policy.for_small_budgets().to_string() {
                "sh(least=1)" => LeafSpread::Halving,
                "uniform" => LeafSpread::Even,
                _ => return None,
            },
        };
        if *playouts > LeafPlan::MOST_PLAYOUTS {
            return None;
        }
        let last_playouts = match samples.min(MOST_SAMPLES) % config.leaf.cost() {
            0 => *playouts,
            left => left,
        };
        Some(LeafPlan { spread, playouts: *playouts as u32, last_playouts: last_playouts as u32 })
    }
}

/// All samples of a move at the root so far.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MoveSamples {
    /// The samples.
    pub visits: u32,
    /// The sum of their rewards: Black's if the root has a policy, else the mover's.
    pub sum: f64,
    /// The draws among them.
    pub draws: u32,
    /// The AMAF samples.
    pub amaf_visits: u32,
    /// The sum of their rewards, the mover's.
    pub amaf_sum: f64,
}

impl MoveSamples {
    pub(crate) fn rewards(self) -> Rewards {
        // A win is 1, its square too; a draw is ½, its square ¼.
        let squares = self.sum - 0.25 * f64::from(self.draws);
        Rewards { count: u64::from(self.visits), sum: self.sum, squares }
    }
}

/// The half of a search that stays on the host: it says which samples are wanted next.
pub struct HostHalf(Half);

enum Half {
    Arms(Box<ArmsElsewhere>),
    Tree(TreeHalf),
}

/// A search whose root is a node of the tree.
struct TreeHalf {
    moves: Vec<MoveId>,
    /// The budget.
    samples: u64,
    /// What a simulation costs.
    cost: u64,
    told: Option<Vec<MoveSamples>>,
    amaf: bool,
}

/// What a search wants next.
pub enum Wanted<'a> {
    /// Samples of these arms.
    OfArms(&'a [Pull]),
    /// This number of simulations of the tree.
    OfTree(u64),
    /// Nothing: it is over.
    Nothing,
}

impl HostHalf {
    /// Why a device cannot make such a search, as the end of a sentence about its player; nothing
    /// if it can.
    pub fn check(config: &SearchConfig, samples: u64) -> Result<(), DeviceError> {
        let refuse = |reason: &str| Err(DeviceError::Unsupported(reason.to_owned()));
        let options = config.options;
        if !matches!(config.tree, TreeConfig::Uct { .. } | TreeConfig::Rave { .. } | TreeConfig::Flat) {
            return refuse("its tree is not uct, rave or flat");
        }
        if config.network().is_some() {
            return refuse("its leaves are a network's");
        }
        if config.leaf != LeafConfig::Playout || config.score_source() == ScoreSource::Prior {
            if config.root != Root::Tree {
                return refuse("it has a policy at the root and leaves with several playouts");
            }
            if LeafPlan::of(config, samples).is_none() {
                return refuse("its leaves are not prior(sh,K), prior(uniform,K) or prior(literal,K)");
            }
        }
        if options.reuse || options.solver || options.trees > 1 || options.until.is_some() {
            return refuse("it has the option reuse, solver, trees or until");
        }
        if options.one_table || options.choice.is_some() {
            return refuse("it has the option one-table or plays");
        }
        if matches!(config.tree, TreeConfig::Rave { amaf: AmafMoves::Playout, .. }) {
            return refuse("its AMAF counts the playout alone");
        }
        if u64::from(options.nodes) < samples + 2000 {
            return refuse("its nodes are limited to fewer than its samples plus 2,000");
        }
        Ok(())
    }

    /// Begins a search; it has at least one move.
    pub fn begin(search: &DeviceSearch) -> HostHalf {
        let DeviceSearch { sight, config, samples, carried, seed } = search;
        let moves = sight.search_moves();
        HostHalf(match config.root {
            Root::Tree => Half::Tree(TreeHalf {
                samples: (*samples).min(MOST_SAMPLES),
                cost: config.leaf.cost(),
                moves,
                told: None,
                amaf: matches!(config.tree, TreeConfig::Rave { .. }),
            }),
            Root::Policy(_) => {
                let arms = ArmsElsewhere::begin(config, &**sight, moves, *samples, *carried, *seed);
                Half::Arms(Box::new(arms))
            }
        })
    }

    /// What is wanted next.
    pub fn wanted(&mut self) -> Wanted<'_> {
        match &mut self.0 {
            Half::Tree(TreeHalf { moves, samples, cost, told: None, .. })
                if moves.len() > 1 && *samples > 0 =>
            {
                Wanted::OfTree(samples.div_ceil(*cost))
            }
            Half::Tree(_) => Wanted::Nothing,
            Half::Arms(arms) => arms.next_pulls().map_or(Wanted::Nothing, Wanted::OfArms),
        }
    }

    /// Hears what has come of all samples so far, of each move.
    pub fn record(&mut self, told: &[MoveSamples]) {
        match &mut self.0 {
            Half::Tree(tree) => tree.told = Some(told.to_vec()),
            Half::Arms(arms) => arms.record(told),
        }
    }

    /// Hears what came of the samples that it wanted, one by one, if they are made ahead of its
    /// policy ([`LookAhead::serves`]): Black's rewards in halves, by arm and by the sample's place
    /// among those wanted of its arm.
    pub fn record_outcomes(&mut self, outcome: impl Fn(usize, usize) -> u8) {
        if let Half::Arms(arms) = &mut self.0 {
            arms.record_outcomes(outcome);
        }
    }

    /// The samples of arms that its policy has seen.
    pub fn seen(&self) -> u64 {
        match &self.0 {
            Half::Tree(_) => 0,
            Half::Arms(arms) => arms.seen(),
        }
    }

    /// The report of a search that wants nothing more.
    pub fn report(self) -> Report {
        match self.0 {
            Half::Arms(arms) => arms.report(),
            Half::Tree(tree) => tree.report(),
        }
    }
}

impl TreeHalf {
    /// The report of a tree: the move with the most visits is played.
    fn report(self) -> Report {
        let TreeHalf { moves, samples, cost, told, amaf: has_amaf } = self;
        let mut arms = Arms::new(moves.len());
        for (arm, told) in told.iter().flatten().enumerate().take(moves.len()) {
            let MoveSamples { visits, sum, .. } = *told;
            arms.record(arm, Rewards { count: u64::from(visits), sum, squares: sum });
        }
        let arm = |(arm, &mv): (usize, &MoveId)| ArmReport {
            mv,
            visits: arms.count(arm),
            mean: (arms.count(arm) > 0).then(|| arms.mean(arm)),
            variance: None,
            amaf: told.as_ref().filter(|_| has_amaf).map(|told| Amaf {
                count: u64::from(told[arm].amaf_visits),
                mean: match told[arm].amaf_visits {
                    0 => 0.0,
                    count => told[arm].amaf_sum / f64::from(count),
                },
            }),
            score: None,
            q: None,
            proof: None,
            policy: None,
        };
        let chosen = arms.best_by(|arm| arms.count(arm) as f64);
        Report {
            chosen: Some(chosen),
            arms: moves.iter().enumerate().map(arm).collect(),
            rounds: Vec::new(),
            budget: samples,
            // The last simulation costs what is left.
            spent: (arms.total() * cost).min(samples),
            carried: 0,
            stop: (moves.len() == 1).then_some(SearchStop::OneMove),
            confidence: None,
            memory: Memory::default(),
            focused: Vec::new(),
        }
    }
}

/// One playout from a position: Black's reward, and the codes that were played, in order and
/// each once. For tests of kernels, which must give the same.
#[doc(hidden)]
pub fn sampled(sight: &dyn Sight, rng: &mut Rng) -> (f64, Vec<Code>) {
    let mut simulator = Simulator::new(Plan::bare(), None);
    simulator.marks.clear(sight.n_codes());
    sight.kernel().0.playout(&mut simulator, sight, rng)
}

/// What UCB's bound at a node with N visits grows with: `sqrt(ln N)`, to the bit, for
/// tables on a device.
pub fn root_of_log(visits: u64) -> f64 {
    crate::policy::root_of_log(visits)
}
