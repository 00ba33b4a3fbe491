//! Boards small enough to be solved by trying everything: every search must
//! find a winning move where there is one.

use tesuji_core::{Game, Outcome, Seed};
use tesuji_games::goban::UpTo7;
use tesuji_games::{Atarigo, Breakthrough, Domineering, HexRules, Misere, NoGo, SmallHex};
use tesuji_search::{Limits, TreeConfig};
use tesuji_testkit::solve::Solved;

use crate::common::{deep, player, search};

/// What each search is given, in simulations. Most find everything with less.
fn budget(_name: &str) -> u64 {
    4000
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
    let begin = std::time::Instant::now();
    let positions = critical(&start, &mut solved, 6);
    let took = begin.elapsed();
    let mut failures = Vec::new();
    for (at, position) in positions.iter().enumerate() {
        let win = Outcome::Win(position.to_move());
        for (name, config) in deep() {
            let limits = Limits::samples(budget(name));
            let report = player(&config).search(position, &limits, Seed::new(1), None);
            let mv = report.mv().unwrap();
            if std::env::var_os("EXPLORE").is_some() {
                let mut passes = |budget| {
                    let report =
                        player(&config).search(position, &Limits::samples(budget), Seed::new(1), None);
                    solved.after(position, report.mv().unwrap()) == win
                };
                let needed = [1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000]
                    .into_iter()
                    .find(|&budget| passes(budget) && passes(budget * 3 / 2));
                eprintln!(
                    "EXPLORE {board} {at} {} | {name} | {needed:?}",
                    position.position_text().unwrap_or_default()
                );
            } else if solved.after(position, mv) != win {
                let text = position.position_text().unwrap_or_default();
                failures.push(format!("{name} plays {} in {text} (position {at})", position.move_text(mv)));
            }
        }
    }
    eprintln!(
        "{board}: {} positions solved in {took:?}, {} to test, all {:?}",
        solved.len(),
        positions.len(),
        begin.elapsed()
    );
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
    misere_hex_3, "nohex:3", Misere(hex(3));
    misere_hex_4, "nohex:4", Misere(hex(4));
    domineering_4, "domineering:4", Domineering::new(4, 4).unwrap();
    misere_domineering_4, "nodomineering:4", Misere(Domineering::new(4, 4).unwrap());
    atarigo_3, "atarigo:3", Atarigo::<UpTo7>::new(3).unwrap();
    atarigo_4, "atarigo:4", Atarigo::<UpTo7>::new(4).unwrap();
    misere_atarigo_3, "noatarigo:3", Misere(Atarigo::<UpTo7>::new(3).unwrap());
    misere_atarigo_4, "noatarigo:4", Misere(Atarigo::<UpTo7>::new(4).unwrap());
    breakthrough_4, "breakthrough:4x4", Breakthrough::new(4, 4).unwrap();
    misere_breakthrough_4, "nobreakthrough:4x4", Misere(Breakthrough::new(4, 4).unwrap());
    nogo_3, "nogo:3", NoGo::<UpTo7>::new(3).unwrap();
    misere_nogo_3, "nonogo:3", Misere(NoGo::<UpTo7>::new(3).unwrap());
}

#[test]
fn immediate_wins_need_no_tree() {
    check_flat("hex:4", hex(4));
    check_flat("breakthrough:4x4", Breakthrough::new(4, 4).unwrap());
    check_flat("atarigo:4", Atarigo::<UpTo7>::new(4).unwrap());
    check_flat("domineering:4", Domineering::new(4, 4).unwrap());
}
