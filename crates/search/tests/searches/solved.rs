//! Boards small enough to be solved by trying everything: every search must
//! find a winning move where there is one.

use tesuji_core::{Game, Outcome, Seed};
use tesuji_games::goban::UpTo7;
use tesuji_games::{Atarigo, Breakthrough, Domineering, HexRules, NoGo, SmallHex, misere};
use tesuji_search::{Limits, TreeConfig};
use tesuji_testkit::solve::Solved;

use crate::common::{deep, player, search};

/// Simulations for each search and position, where nothing else is said below.
/// Nearly all need 4,000 or fewer. More is not always better: while a search
/// changes its mind, a larger budget may be a worse moment to ask.
const BUDGET: u64 = 6000;

/// Positions and the searches that need more there.
const HARDER: &[(&str, &str, u64, &[&str])] = &[
    ("hex:4", "2b1/4/4/4 w", 12_000, &["puct(leaf)"]),
    (
        "nobreakthrough:4x4",
        "bbbb/bwbb/ww1w/wwww b",
        12_000,
        &[
            "gumbel+puct",
            "half-greedy+uct",
            "sh+uct",
            "shuss+rave",
            "ucb-sqrt+uct",
            "uct+prior(literal)",
            "uct+solver",
            "uct, no transpositions",
        ],
    ),
    ("nobreakthrough:4x4", "bbbb/bwbb/ww1w/wwww b", 24_000, &["grave", "uct", "uct, reuse"]),
    ("nobreakthrough:4x4", "bbbb/bwbb/ww1w/wwww b", 48_000, &["rave", "sh+uct+solver"]),
    (
        "nobreakthrough:4x4",
        "bbbb/ww1b/w1wb/1www b",
        12_000,
        &["sh+uct+solver", "shuss+rave", "uct+prior(sh)", "uct+prior(uniform)", "uct+solver"],
    ),
    ("nobreakthrough:4x4", "bbbb/ww1b/w1wb/1www b", 24_000, &["puct(uniform)", "rave", "voi-tree"]),
    (
        "nobreakthrough:4x4",
        "bbbb/ww1b/w1wb/1www b",
        48_000,
        &["gumbel+puct", "uct", "uct, no transpositions", "uct, reuse", "uct, two trees"],
    ),
    (
        "nohex:4",
        "w3/3b/4/4 b",
        12_000,
        &["anytime-sh+uct", "ect+uct", "gumbel+puct", "sh+uct", "sh+uct+solver", "voi+uct"],
    ),
    ("nohex:4", "w3/3b/4/4 b", 24_000, &["half-greedy+uct", "puct(amaf)", "ucb-sqrt+uct"]),
    ("nohex:4", "w3/3b/4/4 b", 48_000, &["puct(uniform)"]),
    ("nonogo:3", "3/3/3 b", 12_000, &["sh+uct", "uct, no transpositions", "voi-tree"]),
    ("nonogo:3", "3/3/3 b", 24_000, &["gumbel+puct"]),
    ("nonogo:3", "3/3/3 b", 48_000, &["h-mcts"]),
];

/// Searches that do not find the move with 128,000 simulations either, unless
/// the reason says when they do.
const WEAK: &[(&str, &str, &str, Reason)] = &[
    ("hex:3", "3/3/1b1 w", "grave", Reason::NoExploration),
    ("nobreakthrough:4x4", "bbbb/ww1b/w1wb/1www b", "grave", Reason::NoExploration),
    ("nodomineering:4", "1wbb/1ww1/2w1/4 b", "rave", Reason::NoExploration),
    ("nodomineering:4", "1wbb/1ww1/2w1/4 b", "grave", Reason::NoExploration),
    ("nonogo:3", "3/2b/3 w", "rave", Reason::NoExploration),
    ("nonogo:3", "3/3/3 b", "shuss+rave", Reason::NoExploration),
    ("hex:3", "1b1/3/3 w", "voi-tree", Reason::NoExploration),
    ("noatarigo:4", "w1w1/w2w/bb2/b1b1 b", "voi-tree", Reason::NoExploration),
    ("breakthrough:4x4", "bbbb/bwbb/1www/wwww b", "shot", Reason::MeansOfAll),
    ("nobreakthrough:4x4", "bbbb/bwbb/ww1w/wwww b", "shot", Reason::MeansOfAll),
    ("nobreakthrough:4x4", "bbbb/bwbb/ww1w/wwww b", "h-mcts", Reason::MeansOfAll),
    ("nobreakthrough:4x4", "bbbb/ww1b/w1wb/1www b", "shot", Reason::MeansOfAll),
    ("nobreakthrough:4x4", "bbbb/ww1b/w1wb/1www b", "h-mcts", Reason::From(128_000)),
    ("nonogo:3", "3/3/3 b", "shot", Reason::MeansOfAll),
    ("hex:4", "4/4/4/4 b", "puct(leaf)", Reason::From(128_000)),
    ("nobreakthrough:4x4", "bbbb/bwbb/ww1w/wwww b", "uct, two trees", Reason::From(64_000)),
];

/// Too hard for a quick test.
const TOO_HARD: &[(&str, &str)] = &[
    // Most searches need from 32,000 to 128,000 simulations.
    ("nohex:4", "4/4/b3/2bw w"),
    // Nearly all find it with 1,000 and miss it with some number up to 24,000.
    ("noatarigo:4", "4/4/4/2b1 w"),
    ("nobreakthrough:4x4", "bbbb/bwbb/1www/wwww b"),
];

/// Why a search misses a move.
#[derive(Clone, Copy, Debug)]
enum Reason {
    /// A move whose first samples were bad is not tried again: RAVE has no
    /// exploration, and to the value of information a large gap is certain.
    NoExploration,
    /// Halving spends most samples of a position on moves that it drops later,
    /// and they all count in the position's mean, at 128,000 as at 4,000.
    MeansOfAll,
    /// It finds it with so many.
    From(u64),
}

fn budget(board: &str, position: &str, search: &str) -> u64 {
    let is_it = |(at, text, _, names): &&(&str, &str, u64, &[&str])| {
        (*at, *text) == (board, position) && names.contains(&search)
    };
    HARDER.iter().find(is_it).map_or(BUDGET, |&(_, _, budget, _)| budget)
}

fn weakness(board: &str, position: &str, search: &str) -> Option<Reason> {
    let found = WEAK.iter().find(|weak| (weak.0, weak.1, weak.2) == (board, position, search));
    found.map(|&(.., reason)| reason)
}

pub(crate) fn hex(size: u8) -> SmallHex {
    SmallHex::new(HexRules { size: size.into(), ..HexRules::default() }).unwrap()
}

/// Positions that are won for the side to move by some moves and not by others,
/// the start where it is one, and then some along random games.
fn critical<G: Game>(start: &G, solved: &mut Solved, n: usize) -> Vec<G> {
    let mut found: Vec<G> = Vec::new();
    for game in 0..100 {
        let mut rng = Seed::new(7).child(game).rng();
        let mut position = start.clone();
        let stop_at = rng.below(10);
        for ply in 0..=stop_at {
            if position.outcome().is_some() {
                break;
            }
            // Once the start, and then the ends of random walks.
            if (ply == stop_at || game == 0 && ply == 0)
                && is_critical(&position, solved)
                && found.iter().all(|other| other.hash() != position.hash())
            {
                found.push(position.clone());
                if found.len() == n {
                    return found;
                }
            }
            let Some(&mv) = rng.choose(&position.search_moves()) else { break };
            position.play_unchecked(mv);
        }
    }
    assert!(!found.is_empty());
    found
}

fn is_critical<G: Game>(position: &G, solved: &mut Solved) -> bool {
    let win = Outcome::Win(position.to_move());
    let moves = position.search_moves();
    let wins = moves.iter().filter(|&&mv| solved.after(position, mv) == win).count();
    wins > 0 && wins < moves.len()
}

fn check<G: Game>(board: &str, start: G) {
    let mut solved = Solved::default();
    let mut failures = Vec::new();
    for position in critical(&start, &mut solved, 6) {
        let text = position.position_text().unwrap_or_default();
        if TOO_HARD.contains(&(board, &text)) {
            continue;
        }
        let win = Outcome::Win(position.to_move());
        for (name, config) in deep() {
            let budget = match weakness(board, &text, name) {
                // Whether it finds the move is a matter of luck.
                Some(Reason::NoExploration | Reason::MeansOfAll) => continue,
                Some(Reason::From(budget)) => budget,
                None => budget(board, &text, name),
            };
            let report = player(&config).search(&position, &Limits::samples(budget), Seed::new(1), None);
            let mv = report.mv().unwrap();
            if solved.after(&position, mv) != win {
                failures.push(format!("{name} plays {} in {text} after {budget}", position.move_text(mv)));
            }
        }
    }
    assert!(failures.is_empty(), "{board}:\n{}", failures.join("\n"));
}

/// A win on the spot is found without any tree.
fn check_flat<G: Game>(board: &str, start: G) {
    let mut tested = 0;
    for game in 0..60 {
        let mut rng = Seed::new(8).child(game).rng();
        let mut position = start.clone();
        while position.outcome().is_none() {
            let moves = position.search_moves();
            let win = Outcome::Win(position.to_move());
            let wins = |mv: G::Move| {
                let mut next = position.clone();
                next.play_unchecked(mv);
                next.outcome() == Some(win)
            };
            if moves.iter().any(|&mv| wins(mv)) && !moves.iter().all(|&mv| wins(mv)) {
                for root in ["uniform", "sh", "ucb(c=0.4)", "shuss(t=64)", "successive-rejects"] {
                    let config = search(root, TreeConfig::Flat);
                    let report = player(&config).search(&position, &Limits::samples(500), Seed::new(1), None);
                    // Another move may win just as surely, so that all playouts do.
                    let chosen = &report.arms[report.chosen.unwrap()];
                    assert_eq!(chosen.mean, Some(1.0), "{board}, flat({root}): {report:?}");
                }
                tested += 1;
                break;
            }
            let Some(&mv) = rng.choose(&moves) else { break };
            position.play_unchecked(mv);
        }
    }
    assert!(tested > 0, "{board} has no immediate wins");
}

macro_rules! boards {
    ($($name:ident, $board:literal, $game:expr;)*) => {
        $(#[test]
        fn $name() {
            check($board, $game);
        })*
    };
}

boards! {
    hex_3, "hex:3", hex(3);
    hex_4, "hex:4", hex(4);
    misere_hex_3, "nohex:3", misere(hex(3));
    misere_hex_4, "nohex:4", misere(hex(4));
    domineering_4, "domineering:4", Domineering::new(4, 4).unwrap();
    misere_domineering_4, "nodomineering:4", misere(Domineering::new(4, 4).unwrap());
    atarigo_3, "atarigo:3", Atarigo::<UpTo7>::new(3).unwrap();
    atarigo_4, "atarigo:4", Atarigo::<UpTo7>::new(4).unwrap();
    misere_atarigo_3, "noatarigo:3", misere(Atarigo::<UpTo7>::new(3).unwrap());
    misere_atarigo_4, "noatarigo:4", misere(Atarigo::<UpTo7>::new(4).unwrap());
    breakthrough_4, "breakthrough:4x4", Breakthrough::new(4, 4).unwrap();
    misere_breakthrough_4, "nobreakthrough:4x4", misere(Breakthrough::new(4, 4).unwrap());
    nogo_3, "nogo:3", NoGo::<UpTo7>::new(3).unwrap();
    misere_nogo_3, "nonogo:3", misere(NoGo::<UpTo7>::new(3).unwrap());
}

#[test]
fn immediate_wins_need_no_tree() {
    check_flat("hex:4", hex(4));
    check_flat("breakthrough:4x4", Breakthrough::new(4, 4).unwrap());
    check_flat("atarigo:4", Atarigo::<UpTo7>::new(4).unwrap());
    check_flat("domineering:4", Domineering::new(4, 4).unwrap());
}
