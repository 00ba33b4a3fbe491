//! Which player: a search is root × tree × leaf, and options.
//!
//! Every algorithm of the papers is such a triple. A configuration is data; it
//! becomes a [`Player`](crate::Player) of some game with
//! [`PlayerConfig::player`]. Texts for it are the catalog's matter.

use tesuji_bandit::{Bound, PolicySpec, Until};
use tesuji_core::NetworkForm;
use tesuji_net::NetworkSource;

use crate::tree::Transpositions;

/// A player.
#[derive(Clone, PartialEq, Debug)]
pub enum PlayerConfig {
    /// Plays any of the moves worth searching, each equally likely.
    Random,
    /// Looks one ply ahead: takes a win that is there at once, never plays a
    /// move that loses at once while there is another, and else plays at random.
    Greedy,
    /// Searches.
    Search(Box<SearchConfig>),
}

/// A search.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchConfig {
    /// How samples are spent on the moves at the root, and which is played.
    pub root: Root,
    /// What happens below.
    pub tree: TreeConfig,
    /// How a new position is valued.
    pub leaf: LeafConfig,
    /// What most papers leave out.
    pub options: Options,
}

/// How samples are spent on the moves at the root.
#[derive(Clone, PartialEq, Debug)]
pub enum Root {
    /// As everywhere in the tree, by its policy; the most visited move is
    /// played, the first of equals. (With [`TreeConfig::Voi`], the best mean.)
    Tree,
    /// By an allocator: each move is an arm with a tree of its own.
    Policy(PolicySpec),
}

/// What a simulation does between the root and the leaf.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TreeConfig {
    /// There is no tree: a sample of a move at the root is valued at once.
    Flat,
    /// UCB1 in every node (Kocsis, Szepesvári 2006): the greatest
    /// `mean + c·sqrt(ln N / n_i)`, moves without visits first.
    Uct {
        /// How much is explored.
        c: f64,
    },
    /// Rapid action value estimation (Gelly, Silver 2007): the greatest
    /// `(1−β)·mean + β·AMAF`, `β = s/(s + t + bias·s·t)`.
    Rave {
        /// How fast the mean of t visits outweighs the AMAF of s.
        bias: f64,
        /// Which moves of a simulation a node's AMAF statistics count.
        amaf: AmafMoves,
    },
    /// Generalised RAVE (Cazenave 2015): the AMAF statistics of the nearest
    /// node on the path, the node itself included, with more than `reference` visits.
    Grave {
        /// Visits above which a node's own AMAF statistics are trusted.
        reference: u32,
        /// As in RAVE.
        bias: f64,
        /// As in RAVE.
        amaf: AmafMoves,
    },
    /// Predictor UCB (Rosin 2011, Silver et al. 2016): the greatest
    /// `Q + c·P·sqrt(N)/(1 + n_i)`.
    Puct {
        /// How much the prior counts; `None` for 1.25, or 0.5 with a network: of 0.3, 0.5, 0.6 and
        /// 1.25, the best over Hex and Breakthrough.
        c: Option<f64>,
        /// Where P comes from.
        prior: PriorSource,
        /// P is proportional to `exp(score / temperature)`; `None` for 0.1, or 1 if the scores are
        /// a network's logits.
        temperature: Option<f64>,
    },
    /// The deterministic tree of Gumbel search (Danihelka et al. 2022, equation 14): the greatest
    /// `π′ − n_i/(1 + N)`, with the improved policy `π′ = softmax(logits + σ(q))`,
    /// `σ(q) = (visit + max n)·scale·q`, and v_mix for moves without visits.
    Gumbel {
        /// c_visit.
        visit: f64,
        /// c_scale.
        scale: f64,
    },
    /// The value of information (Tolpin, Shimony 2012) at every level, not
    /// only at the root: what the paper leaves open.
    Voi {
        /// Which bound on it.
        bound: Bound,
    },
    /// Sequential Halving applied to trees (Cazenave 2015): a sample budget for
    /// every node, spent by halving.
    Shot,
    /// Hybrid MCTS (Pepels, Cazenave, Winands, Lanctot 2014): SHOT at the root and
    /// in nodes with a budget of at least `cutoff` for each move, UCT in the others.
    HybridMcts {
        /// B: the least budget of a move.
        cutoff: u64,
        /// UCT's constant.
        c: f64,
    },
}

/// Which moves of a simulation a node's AMAF statistics count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AmafMoves {
    /// Those played from the node on.
    #[default]
    After,
    /// Those before it too.
    Whole,
    /// Those of the playout alone, none of the tree.
    Playout,
}

/// Which move is played where the root is a node like any other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The most visited.
    Visits,
    /// The one with the best mean.
    Mean,
    /// The one that the tree's policy values most, and would visit next.
    Value,
}

/// Where the prior of PUCT comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PriorSource {
    /// The leaf if it is a network, else AMAF.
    Auto,
    /// Nowhere: all moves are equal.
    Uniform,
    /// The node's AMAF means so far.
    Amaf,
    /// The logits of the leaf's network, or the means of its playouts through each move
    /// ([`LeafConfig::Net`], [`LeafConfig::Prior`]).
    Leaf,
}

/// How a new position is valued.
#[derive(Clone, PartialEq, Debug)]
pub enum LeafConfig {
    /// By one playout.
    Playout,
    /// By the mean of several playouts, spread over its moves by an allocator
    /// (Liu, Tsuruoka 2015), as one sample.
    Prior {
        /// How they are spread.
        policy: PriorPolicy,
        /// How many.
        playouts: u64,
        /// What the budget of a search counts.
        count: Count,
    },
    /// By a network, as one sample: its value of the position. The logits of the moves are priors
    /// in trees that use them.
    Net {
        /// Which network.
        source: NetworkSource,
        /// The weight of a playout next to the network's value, from 0 to 1.
        mix: f64,
    },
}

impl LeafConfig {
    /// What a simulation costs, in the units of a search's budget.
    pub fn cost(&self) -> u64 {
        match self {
            LeafConfig::Prior { playouts, count: Count::Playouts, .. } => *playouts,
            LeafConfig::Prior { .. } | LeafConfig::Playout | LeafConfig::Net { .. } => 1,
        }
    }
}

/// How the playouts of a new position are spread over its moves.
#[derive(Clone, PartialEq, Debug)]
pub enum PriorPolicy {
    /// By an allocator. [`PolicySpec`] `sh` alone stands for `sh(least=1)`: at
    /// least one playout a move while they last, the moves in random order.
    Allocator(PolicySpec),
    /// By halving as the paper prints it: ⌊B/(|S|·⌈log2 n⌉)⌋ playouts a move
    /// and round, which is none while many are left. Some are never made.
    Literal,
}

/// What a search's budget counts, if a leaf needs several playouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Count {
    /// Simulations: ways from the root to a leaf, as the paper does.
    #[default]
    Simulations,
    /// Playouts: the honest comparison.
    Playouts,
}

/// What most papers leave out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// Whether what was learnt below the move played is kept for the next search.
    pub reuse: bool,
    /// Whether positions that are reached in several ways share their statistics.
    pub transpositions: bool,
    /// Whether wins and losses are proved, and the search stops once its root is.
    pub solver: bool,
    /// The most positions that are kept in memory. When they are used up, no
    /// position is added: simulations play on at random from where the tree ends.
    pub nodes: u32,
    /// The number of trees, which are grown independently and whose visits are added up, in
    /// parallel; 1 for one tree.
    pub trees: u32,
    /// When a search is sure enough to stop before its budget is spent; `None` for never.
    pub until: Option<Until>,
    /// Which move is played without a policy at the root; `None` for the most visited, or for the
    /// best mean with [`TreeConfig::Voi`].
    pub choice: Option<Choice>,
    /// Whether the moves at a root with a policy share one table of positions. They are then
    /// searched one after the other.
    pub one_table: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            reuse: false,
            transpositions: true,
            solver: false,
            nodes: Options::NODES,
            trees: 1,
            until: None,
            choice: None,
            one_table: false,
        }
    }
}

impl Options {
    /// Whether the trees share positions.
    pub(crate) fn transpositions(&self) -> Transpositions {
        if self.transpositions { Transpositions::Shared } else { Transpositions::Apart }
    }

    /// The limit on positions without a limit.
    pub const NODES: u32 = 10_000_000;
}

impl PlayerConfig {
    /// Whether the move with the most visits is played, so that the share of visits says how
    /// much is thought of a move. Roots that look for the best arm spend samples otherwise.
    pub fn plays_most_visited(&self) -> bool {
        let PlayerConfig::Search(search) = self else { return false };
        let by_visits = matches!(
            search.tree,
            TreeConfig::Uct { .. }
                | TreeConfig::Rave { .. }
                | TreeConfig::Grave { .. }
                | TreeConfig::Puct { .. }
                | TreeConfig::Gumbel { .. }
        );
        let is_usual = matches!(search.options.choice, None | Some(Choice::Visits));
        search.root == Root::Tree && by_visits && is_usual
    }

    /// Whether the player's network is for positions of this form, if it has one; a sentence if not.
    pub fn check_network(&self, form: Option<&NetworkForm>) -> Result<(), String> {
        match self {
            PlayerConfig::Random | PlayerConfig::Greedy => Ok(()),
            PlayerConfig::Search(search) => search.check_network(form),
        }
    }

    /// Whether the player has a network.
    pub fn has_network(&self) -> bool {
        matches!(self, PlayerConfig::Search(search) if search.network().is_some())
    }

    /// Returns the player with another network, if it has one.
    #[must_use]
    pub fn with_network(self, network: NetworkSource) -> PlayerConfig {
        match self {
            PlayerConfig::Search(mut search) => {
                if let LeafConfig::Net { source, .. } = &mut search.leaf {
                    *source = network;
                }
                PlayerConfig::Search(search)
            }
            other => other,
        }
    }

    /// Whether the parts go together; a sentence if not.
    pub fn check(&self) -> Result<(), String> {
        match self {
            PlayerConfig::Random | PlayerConfig::Greedy => Ok(()),
            PlayerConfig::Search(search) => search.check(),
        }
    }
}

/// Where the scores of the moves at the root come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreSource {
    /// Nowhere: the root uses none.
    None,
    /// The AMAF means of the whole search.
    Amaf,
    /// The playouts of a leaf that values the root.
    Prior,
    /// The logits of a network.
    Logits,
    /// A network's values of the positions after the moves.
    Values,
    /// The values of the moves that a network predicts.
    MoveValues,
}

impl ScoreSource {
    /// Whether the scores come from a network, before the first sample.
    pub fn is_network(self) -> bool {
        matches!(self, ScoreSource::Logits | ScoreSource::Values | ScoreSource::MoveValues)
    }
}

impl SearchConfig {
    /// Returns the source of the scores that the root uses.
    pub fn score_source(&self) -> ScoreSource {
        let Root::Policy(policy) = &self.root else { return ScoreSource::None };
        match (policy.takes_scores(), policy.score(), &self.leaf) {
            (false, ..) => ScoreSource::None,
            (true, Some("prior"), _) | (true, None, LeafConfig::Prior { .. }) => ScoreSource::Prior,
            (true, Some("logits"), _) | (true, None, LeafConfig::Net { .. }) => ScoreSource::Logits,
            (true, Some("value"), _) => ScoreSource::Values,
            (true, Some("q"), _) => ScoreSource::MoveValues,
            (true, ..) => ScoreSource::Amaf,
        }
    }

    /// The network of the leaf; `None` if leaves are playouts.
    pub fn network(&self) -> Option<&NetworkSource> {
        match &self.leaf {
            LeafConfig::Net { source, .. } => Some(source),
            LeafConfig::Playout | LeafConfig::Prior { .. } => None,
        }
    }

    /// Where the priors of PUCT come from, for this leaf.
    pub(crate) fn prior_source(&self, prior: PriorSource) -> PriorSource {
        match (prior, self.network()) {
            (PriorSource::Auto, Some(_)) => PriorSource::Leaf,
            (PriorSource::Auto, None) => PriorSource::Amaf,
            (prior, _) => prior,
        }
    }

    /// PUCT's constant, for this leaf.
    pub(crate) fn puct_constant(&self, c: Option<f64>) -> f64 {
        let usual = if self.network().is_some() { 0.5 } else { 1.25 };
        c.unwrap_or(usual)
    }

    /// The temperature of PUCT's priors, for this leaf.
    pub(crate) fn temperature(&self, temperature: Option<f64>) -> f64 {
        let usual = if self.network().is_some() { 1.0 } else { 0.1 };
        temperature.unwrap_or(usual)
    }

    /// Whether the tree's priors are what the leaf says of the moves.
    pub(crate) fn takes_leaf_priors(&self) -> bool {
        match self.tree {
            TreeConfig::Puct { prior, .. } => self.prior_source(prior) == PriorSource::Leaf,
            TreeConfig::Gumbel { .. } => true,
            _ => false,
        }
    }

    /// Whether the network is for positions of this form; a sentence if not.
    pub(crate) fn check_network(&self, form: Option<&NetworkForm>) -> Result<(), String> {
        let Some(source) = self.network() else { return Ok(()) };
        let Some(form) = form else {
            return Err("its positions have no form that networks see".to_owned());
        };
        let evaluator = source.for_form(form).map_err(|error| error.to_string())?;
        match self.score_source() == ScoreSource::MoveValues && !evaluator.has_move_values() {
            true => Err("its network does not predict the values of moves, which score=q needs".to_owned()),
            false => Ok(()),
        }
    }

    /// Whether the parts go together; a sentence if not.
    pub fn check(&self) -> Result<(), String> {
        if self.options.trees == 0 {
            return Err("a search has at least one tree".to_owned());
        }
        if self.tree == TreeConfig::Flat && (self.options.solver || self.options.reuse) {
            return Err("without a tree there is nothing to prove or to reuse".to_owned());
        }
        self.check_numbers()?;
        self.check_readings()?;
        let has_prior = matches!(self.leaf, LeafConfig::Prior { .. });
        let has_network = self.network().is_some();
        if let TreeConfig::Puct { prior: PriorSource::Leaf, .. } = self.tree
            && !has_prior
            && !has_network
        {
            return Err(
                "puct(prior=leaf) needs a leaf with several playouts or a network, as in puct(prior=leaf)+prior(sh,64) or puct+net"
                    .to_owned(),
            );
        }
        if matches!(self.tree, TreeConfig::Gumbel { .. }) && !has_network {
            return Err("gumbel-tree needs the logits of a network, as in gumbel+gumbel-tree+net".to_owned());
        }
        if let LeafConfig::Net { mix, .. } = self.leaf
            && !(0.0..=1.0).contains(&mix)
        {
            return Err("mix is a number from 0 to 1".to_owned());
        }
        if matches!(self.leaf, LeafConfig::Net { mix, .. } if mix == 0.0) && self.options.trees > 1 {
            return Err(
                "a network says the same in every tree, so several trees would all be alike: they need playouts too, as in puct+net(mix=0.5)+trees(8)"
                    .to_owned(),
            );
        }
        let Root::Policy(policy) = &self.root else {
            return match self.tree {
                TreeConfig::Flat => Err("without a tree, the root needs a policy, as in flat(sh)".to_owned()),
                TreeConfig::Shot | TreeConfig::HybridMcts { .. } if self.options.trees > 1 => {
                    Err("halving does not go with several trees: its moves are searched in parallel anyway"
                        .to_owned())
                }
                _ => Ok(()),
            };
        };
        if self.options.trees > 1 {
            return Err(format!(
                "{policy} at the root does not go with several trees: they are for trees without a policy at the root"
            ));
        }
        if policy.score() == Some("prior") && !has_prior {
            return Err(format!(
                "{policy} needs scores from a leaf with several playouts, as in {policy}+uct+prior(sh,64)"
            ));
        }
        let wanted = policy.score().filter(|word| ["logits", "value", "q"].contains(word));
        if let (Some(word), false) = (wanted, has_network) {
            return Err(format!("score={word} needs a network, as in shuss(score={word})+puct+net"));
        }
        Ok(())
    }

    /// Whether the options that papers leave open go with the rest.
    fn check_readings(&self) -> Result<(), String> {
        let Options { choice, one_table, solver, reuse, trees, transpositions, .. } = self.options;
        let has_policy = self.root != Root::Tree;
        if choice.is_some() && has_policy {
            return Err("plays(by=…) is for trees without a policy at the root, as in rave+plays(by=value)"
                .to_owned());
        }
        if choice == Some(Choice::Value) && trees > 1 {
            return Err(
                "several trees value their moves apart, so plays(by=value) is for one tree".to_owned()
            );
        }
        if one_table && (!has_policy || self.tree == TreeConfig::Flat) {
            return Err(
                "one-table is for a policy at the root and a tree below, as in sh+uct+one-table".to_owned()
            );
        }
        if one_table && (solver || reuse || !transpositions) {
            return Err(
                "one-table goes neither with solver nor with reuse nor with no-transpositions".to_owned()
            );
        }
        if one_table && matches!(self.tree, TreeConfig::Shot | TreeConfig::HybridMcts { .. }) {
            return Err("one-table does not go with trees that are halved".to_owned());
        }
        Ok(())
    }

    /// Whether the tree's numbers are such as its statistics can be computed with.
    fn check_numbers(&self) -> Result<(), String> {
        let check = |name: &str, number: f64| match (0.0..=1e6).contains(&number) {
            true => Ok(()),
            false => Err(format!("{name} is a number from 0 to 1,000,000")),
        };
        match self.tree {
            TreeConfig::Uct { c } | TreeConfig::HybridMcts { c, .. } => check("c", c),
            TreeConfig::Rave { bias, .. } | TreeConfig::Grave { bias, .. } => check("bias", bias),
            TreeConfig::Puct { c, temperature, .. } => {
                if !(1e-6..=1e6).contains(&temperature.unwrap_or(1.0)) {
                    return Err("temperature is a number from 0.000001 to 1,000,000".to_owned());
                }
                check("c", c.unwrap_or(1.25))
            }
            TreeConfig::Gumbel { visit, scale } => check("visit", visit).and_then(|()| check("scale", scale)),
            TreeConfig::Flat | TreeConfig::Voi { .. } | TreeConfig::Shot => Ok(()),
        }
    }
}
