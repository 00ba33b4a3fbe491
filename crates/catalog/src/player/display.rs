//! Printing specs of players: the canonical text, from the configuration alone.

use std::fmt;

use tesuji_bandit::Bound;
use tesuji_core::spec::{Arguments, Call, Value};
use tesuji_search::{
    AmafMoves, Choice, Count, LeafConfig, Options, PlayerConfig, PriorPolicy, PriorSource, Root,
    SearchConfig, TreeConfig, Until,
};

use super::PlayerSpec;
use super::info::PartInfo;
use super::table;
use super::until::ConfidenceLevel;

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let player = match &self.config {
            PlayerConfig::Random => "random".to_owned(),
            PlayerConfig::Greedy => "greedy".to_owned(),
            PlayerConfig::Search(config) => search(config),
        };
        f.pad(&match self.budget {
            Some(budget) => format!("{player}@{budget}"),
            None => player,
        })
    }
}

fn search(config: &SearchConfig) -> String {
    let mut parts = match (&config.root, config.tree) {
        (Root::Policy(policy), TreeConfig::Flat) => vec![format!("flat({policy})")],
        (Root::Policy(policy), tree) => vec![policy.to_string(), Shown::tree(tree).text()],
        (Root::Tree, tree) => vec![Shown::tree(tree).text()],
    };
    if config.leaf != LeafConfig::Playout {
        parts.push(Shown::leaf(&config.leaf).text());
    }
    parts.extend(Shown::options(&config.options).iter().map(Shown::text));
    parts.join("+")
}

/// A part of the table, with its options.
pub(super) struct Shown {
    pub(super) info: &'static PartInfo,
    /// What comes first in its brackets.
    pub(super) policy: Option<String>,
    pub(super) arguments: Arguments,
}

impl Shown {
    /// The part of this name. Options that are not among the values have their defaults.
    pub(super) fn new(name: &str, values: &[(&str, Value)]) -> Shown {
        let info = table::find(name).expect("the table has all parts");
        let written = |(name, value): &(&str, Value)| ((*name).to_owned(), value.to_string());
        let call = Call { name: name.to_owned(), arguments: values.iter().map(written).collect() };
        let arguments = call.resolve(info.parameters).expect("specs hold what the table allows");
        Shown { info, policy: None, arguments }
    }

    pub(super) fn tree(tree: TreeConfig) -> Shown {
        let number = Value::Number;
        match tree {
            TreeConfig::Flat => Shown::new("flat", &[]),
            TreeConfig::Uct { c } => Shown::new("uct", &[("c", number(c))]),
            TreeConfig::Rave { bias, amaf } => {
                Shown::new("rave", &[("bias", number(bias)), ("amaf", amaf_word(amaf))])
            }
            TreeConfig::Grave { reference, bias, amaf } => {
                let reference = number(f64::from(reference));
                let values = [("ref", reference), ("bias", number(bias)), ("amaf", amaf_word(amaf))];
                Shown::new("grave", &values)
            }
            TreeConfig::Puct { c, prior, temperature } => {
                let prior = match prior {
                    PriorSource::Auto => "auto",
                    PriorSource::Uniform => "uniform",
                    PriorSource::Amaf => "amaf",
                    PriorSource::Leaf => "leaf",
                };
                let temperature = temperature.map_or(Value::Word("auto"), number);
                let c = c.map_or(Value::Word("auto"), number);
                let values = [("c", c), ("prior", Value::Word(prior)), ("temperature", temperature)];
                Shown::new("puct", &values)
            }
            TreeConfig::Gumbel { visit, scale } => {
                Shown::new("gumbel-tree", &[("visit", number(visit)), ("scale", number(scale))])
            }
            TreeConfig::Voi { bound } => {
                let bound = match bound {
                    Bound::Hoeffding => "vct",
                    Bound::Midpoint => "ect",
                    Bound::Bernstein => "bct",
                };
                Shown::new("voi-tree", &[("bound", Value::Word(bound))])
            }
            TreeConfig::Shot => Shown::new("shot", &[]),
            TreeConfig::HybridMcts { cutoff, c } => {
                Shown::new("h-mcts", &[("b", number(cutoff as f64)), ("c", number(c))])
            }
        }
    }

    pub(super) fn leaf(leaf: &LeafConfig) -> Shown {
        let (policy, playouts, count) = match leaf {
            LeafConfig::Playout => return Shown::new("playout", &[]),
            LeafConfig::Net { source, mix } => {
                let net = Shown::new("net", &[("mix", Value::Number(*mix))]);
                return Shown { policy: Some(source.to_string()), ..net };
            }
            LeafConfig::Prior { policy, playouts, count } => (policy, playouts, count),
        };
        let count = match count {
            Count::Simulations => "simulations",
            Count::Playouts => "playouts",
        };
        let policy = match policy {
            PriorPolicy::Allocator(policy) => policy.to_string(),
            PriorPolicy::Literal => "literal".to_owned(),
        };
        let values = [("k", Value::Number(*playouts as f64)), ("count", Value::Word(count))];
        Shown { policy: Some(policy), ..Shown::new("prior", &values) }
    }

    /// Those that differ from the default.
    pub(super) fn options(options: &Options) -> Vec<Shown> {
        let default = Options::default();
        let mut shown = Vec::new();
        if options.reuse != default.reuse {
            shown.push(Shown::new("reuse", &[]));
        }
        if options.solver != default.solver {
            shown.push(Shown::new("solver", &[]));
        }
        if options.transpositions != default.transpositions {
            shown.push(Shown::new("no-transpositions", &[]));
        }
        if options.one_table {
            shown.push(Shown::new("one-table", &[]));
        }
        if let Some(choice) = options.choice {
            let by = match choice {
                Choice::Visits => "visits",
                Choice::Mean => "mean",
                Choice::Value => "value",
            };
            shown.push(Shown::new("plays", &[("by", Value::Word(by))]));
        }
        if options.nodes != default.nodes {
            shown.push(Shown::new("nodes", &[("n", Value::Number(options.nodes.into()))]));
        }
        if options.trees != default.trees {
            shown.push(Shown::new("trees", &[("k", Value::Number(options.trees.into()))]));
        }
        if let Some(Until { level, within }) = options.until {
            let values = [("level", Value::Number(level)), ("within", Value::Number(within))];
            shown.push(Shown::new("until", &values));
        }
        shown
    }

    /// As specs print it: what must be given comes without a name in the parts
    /// that are read so.
    pub(super) fn text(&self) -> String {
        let name = self.info.name;
        let unnamed = match name {
            "prior" | "trees" => Some(self.arguments.value("k").to_string()),
            "nodes" => Some(self.arguments.value("n").to_string()),
            "until" => self.arguments.number("level").map(ConfidenceLevel::text),
            "net" => {
                let is_mixed = !self.arguments.is_default("mix");
                is_mixed.then(|| format!("mix={}", self.arguments.value("mix")))
            }
            _ => return format!("{name}{}", self.arguments),
        };
        let is_by_playouts = name == "prior" && self.arguments.word("count") == Some("playouts");
        let count = is_by_playouts.then(|| "count=playouts".to_owned());
        let ignores = name == "until" && !self.arguments.is_default("within");
        let within = ignores.then(|| format!("within={}", self.arguments.value("within")));
        let inside = [self.policy.clone(), unnamed, count, within];
        let inside: Vec<String> = inside.into_iter().flatten().collect();
        format!("{name}({})", inside.join(","))
    }
}

fn amaf_word(amaf: AmafMoves) -> Value {
    Value::Word(match amaf {
        AmafMoves::After => "after",
        AmafMoves::Whole => "whole",
        AmafMoves::Playout => "playout",
    })
}
