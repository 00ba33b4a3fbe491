//! The parts of players: one block each. Roots are not among them: every policy
//! of `tesuji-bandit` is one, and its own table says what there is to know.

use tesuji_bandit::Bound;
use tesuji_core::spec::{Arguments, Interval, OpenEnds, Parameter, Values};
use tesuji_search::{AmafMoves, Choice, Options, PlayerConfig, PriorSource, TreeConfig, Until};

use super::info::{Build, PartInfo};

const FOLKLORE: &str = "folklore";

/// Numbers that the statistics of trees can be computed with (`SearchConfig::check`).
const UP_TO_A_MILLION: Interval = Interval { least: 0.0, most: 1e6, open: OpenEnds::Neither, step: 0.0 };
/// The same without those next to 0.
const A_MILLIONTH_TO_A_MILLION: Interval = Interval { least: 1e-6, ..UP_TO_A_MILLION };

const C: Parameter = Parameter {
    name: "c",
    meaning: "how much is explored",
    default: Some("0.4"),
    values: Values::number(UP_TO_A_MILLION),
};
const BIAS: Parameter = Parameter {
    name: "bias",
    meaning: "how fast the mean outweighs AMAF",
    default: Some("1e-7"),
    values: Values::number(UP_TO_A_MILLION),
};
const AMAF: Parameter = Parameter {
    name: "amaf",
    meaning: "which moves of a simulation a position's AMAF counts: those after it, all, or those of the playout alone",
    default: Some("after"),
    values: Values::words(&["after", "whole", "playout"]),
};

fn number(arguments: &Arguments, name: &str) -> f64 {
    arguments.number(name).expect("the table allows numbers only")
}

fn amaf(arguments: &Arguments) -> AmafMoves {
    match arguments.word("amaf") {
        Some("whole") => AmafMoves::Whole,
        Some("playout") => AmafMoves::Playout,
        _ => AmafMoves::After,
    }
}

static PLAYERS: &[PartInfo] = &[
    PartInfo {
        name: "random",
        written: "random",
        meaning: "plays one of the moves worth searching, each equally likely",
        source: FOLKLORE,
        parameters: &[],
        example: "random",
        build: Build::Player(PlayerConfig::Random),
    },
    PartInfo {
        name: "greedy",
        written: "greedy",
        meaning: "wins at once if it can, avoids moves that lose at once, else plays at random",
        source: FOLKLORE,
        parameters: &[],
        example: "greedy",
        build: Build::Player(PlayerConfig::Greedy),
    },
    PartInfo {
        name: "uct",
        written: "uct",
        meaning: "chooses the greatest mean + c·sqrt(ln N / n_i) in every position, moves without visits first",
        source: "Kocsis, Szepesvári 2006",
        parameters: &[C],
        example: "uct(c=0.31)",
        build: Build::Tree(|arguments| TreeConfig::Uct { c: number(arguments, "c") }),
    },
    PartInfo {
        name: "rave",
        written: "rave",
        meaning: "chooses the greatest (1 - β)·mean + β·AMAF, with β = s/(s + t + bias·s·t) for t visits and s AMAF samples",
        source: "Gelly, Silver 2007",
        parameters: &[BIAS, AMAF],
        example: "rave(bias=1e-5)",
        build: Build::Tree(|arguments| TreeConfig::Rave {
            bias: number(arguments, "bias"),
            amaf: amaf(arguments),
        }),
    },
    PartInfo {
        name: "grave",
        written: "grave",
        meaning: "rave with the AMAF of the nearest position above that has more than ref visits",
        source: "Cazenave 2015",
        parameters: &[
            Parameter {
                name: "ref",
                meaning: "visits above which a position's own AMAF is trusted",
                default: Some("50"),
                values: Values::number(Interval { least: 0.0, ..Interval::COUNT }),
            },
            BIAS,
            AMAF,
        ],
        example: "grave(ref=100)",
        build: Build::Tree(|arguments| TreeConfig::Grave {
            reference: number(arguments, "ref") as u32,
            bias: number(arguments, "bias"),
            amaf: amaf(arguments),
        }),
    },
    PartInfo {
        name: "puct",
        written: "puct",
        meaning: "chooses the greatest mean + c·P·sqrt(N)/(1 + n_i), with a prior P for every move",
        source: "Rosin 2011; Silver et al. 2016",
        parameters: &[
            Parameter {
                name: "c",
                meaning: "how much the prior counts; auto: 0.5 with a network, else 1.25",
                default: Some("auto"),
                values: Values { words: &["auto"], number: Some(UP_TO_A_MILLION), list: None },
            },
            Parameter {
                name: "prior",
                meaning: "source of P: all equal, AMAF so far, or the leaf: a network's logits, or playouts through each \
                          move; auto: leaf with a network, else amaf",
                default: Some("auto"),
                values: Values::words(&["auto", "uniform", "amaf", "leaf"]),
            },
            Parameter {
                name: "temperature",
                meaning: "P is proportional to exp(score / temperature); auto: 1 with a network, else 0.1",
                default: Some("auto"),
                values: Values { words: &["auto"], number: Some(A_MILLIONTH_TO_A_MILLION), list: None },
            },
        ],
        example: "puct(prior=leaf)+prior(sh,64)",
        build: Build::Tree(|arguments| TreeConfig::Puct {
            c: arguments.number("c"),
            prior: match arguments.word("prior") {
                Some("uniform") => PriorSource::Uniform,
                Some("leaf") => PriorSource::Leaf,
                Some("amaf") => PriorSource::Amaf,
                _ => PriorSource::Auto,
            },
            temperature: arguments.number("temperature"),
        }),
    },
    PartInfo {
        name: "gumbel-tree",
        written: "gumbel-tree",
        meaning: "chooses the move whose share of visits is furthest below the improved policy of a network: nothing \
                  below the root is random",
        source: "Danihelka, Guez, Schrittwieser, Silver 2022",
        parameters: &[
            Parameter {
                name: "visit",
                meaning: "c_visit: visits added to the largest count in the weight of the mean",
                default: Some("50"),
                values: Values::number(UP_TO_A_MILLION),
            },
            Parameter {
                name: "scale",
                meaning: "c_scale: what a visit adds to the weight of the mean",
                default: Some("1"),
                values: Values::number(A_MILLIONTH_TO_A_MILLION),
            },
        ],
        example: "gumbel(noise=off)+gumbel-tree+net",
        build: Build::Tree(|arguments| TreeConfig::Gumbel {
            visit: number(arguments, "visit"),
            scale: number(arguments, "scale"),
        }),
    },
    PartInfo {
        name: "voi-tree",
        written: "voi-tree",
        meaning: "chooses the greatest value of information in every position, not only at the root",
        source: "after Tolpin, Shimony 2012, who leave it open",
        parameters: &[Parameter {
            name: "bound",
            meaning: "bound on the value of information, by the name of its policy",
            default: Some("ect"),
            values: Values::words(&["vct", "ect", "bct"]),
        }],
        example: "voi-tree(bound=bct)",
        build: Build::Tree(|arguments| TreeConfig::Voi {
            bound: match arguments.word("bound") {
                Some("vct") => Bound::Hoeffding,
                Some("bct") => Bound::Bernstein,
                _ => Bound::Midpoint,
            },
        }),
    },
    PartInfo {
        name: "shot",
        written: "shot",
        meaning: "Sequential Halving applied to trees: every position spends its own budget by halving its moves",
        source: "Cazenave 2015",
        parameters: &[],
        example: "shot",
        build: Build::Tree(|_| TreeConfig::Shot),
    },
    PartInfo {
        name: "h-mcts",
        written: "h-mcts",
        meaning: "Hybrid MCTS: shot if the budget is at least B for each move, else uct",
        source: "Pepels, Cazenave, Winands, Lanctot 2014",
        parameters: &[
            Parameter {
                name: "b",
                meaning: "B, the least budget of a move for halving",
                default: Some("50"),
                values: Values::number(Interval::COUNT),
            },
            Parameter { meaning: "how much uct explores", default: Some("0.8"), ..C },
        ],
        example: "h-mcts(B=100)",
        build: Build::Tree(|arguments| TreeConfig::HybridMcts {
            cutoff: number(arguments, "b") as u64,
            c: number(arguments, "c"),
        }),
    },
    PartInfo {
        name: "flat",
        written: "flat(POLICY)",
        meaning: "no tree: the policy spends its samples on the moves, and the leaf values each sample at once",
        source: "Abramson 1990",
        parameters: &[],
        example: "flat(sh)",
        build: Build::Flat,
    },
    PartInfo {
        name: "playout",
        written: "playout",
        meaning: "one random game; the default",
        source: "Brügmann 1993",
        parameters: &[],
        example: "uct+playout",
        build: Build::Playout,
    },
    PartInfo {
        name: "prior",
        written: "prior(POLICY,K)",
        meaning: "the mean of K random games, spread over the moves by a policy, or by the paper's formula (literal)",
        source: "Liu, Tsuruoka 2015",
        parameters: &[
            Parameter {
                name: "k",
                meaning: "number of random games",
                default: None,
                values: Values::whole(1, 1_000_000),
            },
            Parameter {
                name: "count",
                meaning: "what the player's budget counts",
                default: Some("simulations"),
                values: Values::words(&["simulations", "playouts"]),
            },
        ],
        example: "uct(c=0.31)+prior(sh,64)",
        build: Build::Prior,
    },
    PartInfo {
        name: "net",
        written: "net or net(\"FILE\")",
        meaning: "a network's value of the position, and its logits as priors of the moves: the network that ships for \
                  the game, or one in an ONNX file",
        source: "Silver et al. 2016",
        parameters: &[Parameter {
            name: "mix",
            meaning: "weight of a random game next to the network's value",
            default: Some("0"),
            values: Values::number(Interval::UNIT),
        }],
        example: "puct+net",
        build: Build::Net,
    },
    PartInfo {
        name: "reuse",
        written: "reuse",
        meaning: "keeps what the search learnt below the played moves for the next search",
        source: FOLKLORE,
        parameters: &[],
        example: "uct+reuse",
        build: Build::Option(|_, options| options.reuse = true),
    },
    PartInfo {
        name: "solver",
        written: "solver",
        meaning: "proves wins and losses, and stops once the root is proved",
        source: "Winands, Björnsson, Saito 2008",
        parameters: &[],
        example: "uct+solver",
        build: Build::Option(|_, options| options.solver = true),
    },
    PartInfo {
        name: "no-transpositions",
        written: "no-transpositions",
        meaning: "positions that are reached by several paths do not share their statistics",
        source: "Childs, Brodeur, Kocsis 2008, who compare",
        parameters: &[],
        example: "uct+no-transpositions",
        build: Build::Option(|_, options| options.transpositions = false),
    },
    PartInfo {
        name: "one-table",
        written: "one-table",
        meaning: "the moves at a root with a policy share their statistics of positions; they are searched one after the other",
        source: "one reading of Fabiano, Cazenave 2021",
        parameters: &[],
        example: "sh+uct+one-table",
        build: Build::Option(|_, options| options.one_table = true),
    },
    PartInfo {
        name: "plays",
        written: "plays(by=WORD)",
        meaning: "which move a tree without a policy at its root plays",
        source: "Chaslot et al. 2008, who compare",
        parameters: &[Parameter {
            name: "by",
            meaning: "the most visits, the best mean, or the best value of the tree's policy",
            default: Some("visits"),
            values: Values::words(&["visits", "mean", "value"]),
        }],
        example: "rave+plays(by=value)",
        build: Build::Option(|arguments, options| {
            options.choice = Some(match arguments.word("by") {
                Some("mean") => Choice::Mean,
                Some("value") => Choice::Value,
                _ => Choice::Visits,
            });
        }),
    },
    PartInfo {
        name: "nodes",
        written: "nodes(N)",
        meaning: "keeps at most N positions; below them, simulations play at random",
        source: FOLKLORE,
        parameters: &[Parameter {
            name: "n",
            meaning: "the most positions kept; without this part, 10000000",
            default: None,
            values: Values::number(Interval::COUNT),
        }],
        example: "uct+nodes(1000000)",
        build: Build::Option(|arguments, options| options.nodes = number(arguments, "n") as u32),
    },
    PartInfo {
        name: "trees",
        written: "trees(K)",
        meaning: "grows K separate trees and adds up their visits; equal results on any number of threads",
        source: "Cazenave, Jouandeau 2007",
        parameters: &[Parameter {
            name: "k",
            meaning: "number of trees",
            default: None,
            values: Values::whole(2, 1024),
        }],
        example: "rave+trees(8)",
        build: Build::Option(|arguments, options: &mut Options| {
            options.trees = number(arguments, "k") as u32
        }),
    },
    PartInfo {
        name: "until",
        written: "until(LEVEL)",
        meaning: "stops before its budget is spent once it is sure of its choice",
        source: "Bechhofer, Kiefer, Sobel 1968; Fay, Herriot 1979",
        parameters: &[
            Parameter {
                name: "level",
                meaning: "chance that the choice is right at which it stops, such as 95% or 0.95",
                default: None,
                values: Values::number(Interval { least: 0.5, ..Interval::FRACTION }),
            },
            Parameter {
                name: "within",
                meaning: "by how much a right choice may be below the best move",
                default: Some("0"),
                values: Values::number(Interval { most: 0.5, ..Interval::UNIT }),
            },
        ],
        example: "sh+uct+until(95%,within=0.02)",
        build: Build::Option(|arguments, options| {
            let [level, within] = ["level", "within"].map(|name| number(arguments, name));
            options.until = Some(Until { level, within });
        }),
    },
    PartInfo {
        name: "hybrid-shuss",
        written: "hybrid-shuss",
        meaning: "SHUSS by AMAF scores at the root and rave below",
        source: "Fabiano, Cazenave 2021; t=calibrated: ours",
        parameters: &[
            Parameter {
                name: "t",
                meaning: "t', the weight of the score relative to the mean; calibrated: learnt during the search",
                default: Some("calibrated"),
                values: Values {
                    words: &["calibrated", "adaptive"],
                    number: Some(Interval::UP_TO_INFINITY),
                    list: None,
                },
            },
            Parameter {
                name: "lambda",
                meaning: "share of the moves kept by a round, or by each round in turn; auto: 0.5, or 0.7 with t=calibrated",
                default: Some("auto"),
                values: Values {
                    words: &["auto"],
                    number: Some(Interval::FRACTION),
                    list: Some(Interval::FRACTION),
                },
            },
            BIAS,
        ],
        example: "hybrid-shuss(t=512)",
        build: Build::Alias(|arguments| {
            let [t, lambda, bias] = ["t", "lambda", "bias"].map(|name| arguments.value(name));
            format!("shuss(t={t},lambda={lambda},score=amaf)+rave(bias={bias})")
        }),
    },
];

/// All parts of players but the roots, in the order in which people read about them.
pub fn players() -> &'static [PartInfo] {
    PLAYERS
}

/// The part of this name.
pub(super) fn find(name: &str) -> Option<&'static PartInfo> {
    PLAYERS.iter().find(|info| info.name == name)
}
