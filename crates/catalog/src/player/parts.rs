//! A player taken apart, for people who want to know what its spec means.

use tesuji_core::spec::{Call, Parameter, Value};
use tesuji_search::{LeafConfig, PlayerConfig, PriorPolicy, Root, ScoreSource, SearchConfig, TreeConfig};

use super::PlayerSpec;
use super::display::Shown;
use super::info::PartKind;

/// A part of a player, explained.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerPart {
    /// What it is there for.
    pub kind: PartKind,
    /// The part as specs write it; empty if the root is like the tree.
    pub text: String,
    /// What it does, in a sentence without its full stop.
    pub meaning: &'static str,
    /// Where it comes from: authors and year.
    pub source: &'static str,
    /// All its options with their values, also those by default.
    pub options: Vec<(&'static Parameter, Value)>,
}

impl PlayerSpec {
    /// The parts of the player in their order. A search has a root, a tree and a
    /// leaf always, also if its spec leaves one to the default.
    pub fn parts(&self) -> Vec<PlayerPart> {
        match &self.config {
            PlayerConfig::Random => vec![part(&Shown::new("random", &[]))],
            PlayerConfig::Greedy => vec![part(&Shown::new("greedy", &[]))],
            PlayerConfig::Search(config) => {
                let mut parts =
                    vec![root(config), part(&Shown::tree(config.tree)), part(&Shown::leaf(&config.leaf))];
                parts.extend(Shown::options(&config.options).iter().map(part));
                parts
            }
        }
    }
}

impl PlayerSpec {
    /// Returns what the parts together mean that none says by itself, a sentence each: where
    /// policies that use scores get them from.
    ///
    /// ```
    /// let notes = |text: &str| text.parse::<tesuji_catalog::PlayerSpec>().unwrap().notes();
    /// assert_eq!(notes("shuss(t=94)+uct"), ["The scores of shuss are the AMAF means of the moves."]);
    /// assert!(notes("uct+prior(shuss(t=5),64)")[0].ends_with("so it is plain Sequential Halving."));
    /// assert!(notes("sh+uct").is_empty());
    /// ```
    pub fn notes(&self) -> Vec<String> {
        let PlayerConfig::Search(config) = &self.config else { return Vec::new() };
        let mut notes = Vec::new();
        if let Root::Policy(policy) = &config.root {
            let scores = |source: &str| format!("The scores of {} are {source}.", policy.info().name);
            notes.extend(match config.score_source() {
                ScoreSource::None => None,
                ScoreSource::Amaf => Some(scores("the AMAF means of the moves")),
                ScoreSource::Prior => Some(scores("the means of the leaf's playouts through each move")),
                ScoreSource::Logits => Some(scores("the network's logits of the moves")),
                ScoreSource::Values => Some(scores("the network's values of the positions after the moves")),
                ScoreSource::MoveValues => Some(scores("the values of the moves that the network predicts")),
            });
        }
        if let LeafConfig::Prior { policy: PriorPolicy::Allocator(policy), .. } = &config.leaf {
            let without = policy.without_scores();
            notes.extend(without.map(|is| format!("The leaf gives {policy} no scores, so it is {is}.")));
        }
        notes
    }
}

fn part(shown: &Shown) -> PlayerPart {
    PlayerPart {
        kind: shown.info.kind(),
        text: shown.text(),
        meaning: shown.info.meaning,
        source: shown.info.source,
        options: shown.arguments.iter().map(|(parameter, value)| (parameter, value.clone())).collect(),
    }
}

fn root(config: &SearchConfig) -> PlayerPart {
    let Root::Policy(policy) = &config.root else {
        let meaning = match config.tree {
            TreeConfig::Shot | TreeConfig::HybridMcts { .. } => {
                "as the tree: its moves are halved, and the last one left is played"
            }
            TreeConfig::Voi { .. } => "as the tree; the move with the best mean is played",
            _ => "as the tree; the move with the most visits is played",
        };
        let (text, options) = (String::new(), Vec::new());
        return PlayerPart { kind: PartKind::Root, text, meaning, source: "", options };
    };
    let (text, info) = (policy.to_string(), policy.info());
    let arguments = Call::parse(&text).and_then(|call| call.resolve(info.parameters));
    let arguments = arguments.expect("a policy is read as it is printed");
    let options = arguments.iter().map(|(parameter, value)| (parameter, value.clone())).collect();
    PlayerPart { kind: PartKind::Root, text, meaning: info.meaning, source: info.source, options }
}
