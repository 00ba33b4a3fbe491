//! Proofs are right, end the search, and decide the move.

use tesuji_core::{Game, Outcome, Seed, Side};
use tesuji_games::goban::UpTo7;
use tesuji_games::{Domineering, NoGo, misere};
use tesuji_search::{Limits, PriorSource, SearchConfig, SearchStop, TreeConfig};
use tesuji_testkit::solve::Solved;
use tesuji_testkit::tree_game::TreeGame;

use crate::common::{GRAVE, HYBRID, RAVE, UCT, player, prior, puct, search, with_leaf, with_options};
use crate::solved::hex;

fn solvers() -> Vec<(&'static str, SearchConfig)> {
    let solver = |config| with_options(config, |options| options.solver = true);
    vec![
        ("uct", solver(search("", UCT))),
        ("rave", solver(search("", RAVE))),
        ("grave", solver(search("", GRAVE))),
        ("puct", solver(search("", puct(PriorSource::Amaf)))),
        ("puct(leaf)", with_leaf(solver(search("", puct(PriorSource::Leaf))), prior("uniform", 4))),
        ("uct+prior", with_leaf(solver(search("", UCT)), prior("uniform", 4))),
        ("sh+uct", solver(search("sh", UCT))),
        ("ucb+uct", solver(search("ucb(c=0.4)", UCT))),
        ("shuss+rave", solver(search("shuss(t=64)", RAVE))),
        (
            "uct, no transpositions",
            with_options(solver(search("", UCT)), |options| options.transpositions = false),
        ),
        ("uct, two trees", with_options(solver(search("", UCT)), |options| options.trees = 2)),
    ]
}

/// Every proof of a search is compared with the truth; gives whether the root was proved.
fn proofs_are_right<G: Game>(name: &str, config: &SearchConfig, position: &G, solved: &mut Solved) -> bool {
    let report = player(config).search(position, &Limits::samples(20_000), Seed::new(1), None);
    for arm in &report.arms {
        if let Some(outcome) = arm.proof {
            assert_eq!(outcome, solved.after(position, arm.mv), "{name}: {arm:?}\n{}", position.drawing());
        }
    }
    let truth = solved.outcome(position);
    let chosen = report.mv().unwrap();
    if let Some(SearchStop::Proved(outcome)) = report.stop {
        assert_eq!(outcome, truth, "{name}\n{}", position.drawing());
        assert_eq!(solved.after(position, chosen), truth, "{name}\n{}", position.drawing());
        return true;
    }
    // A move that is known to lose is played only where all do.
    let side = position.to_move();
    if report.arms[report.chosen.unwrap()].proof == Some(Outcome::Win(!side)) {
        assert!(report.arms.iter().all(|arm| arm.proof == Some(Outcome::Win(!side))), "{name}");
    }
    false
}

fn check<G: Game>(board: &str, start: &G) {
    let mut solved = Solved::default();
    let solver = |tree| with_options(search("", tree), |options| options.solver = true);
    // Halving itself draws no conclusions, only the tree below it does: what it
    // says is right, but it does not get far.
    let weak = [("shot", solver(TreeConfig::Shot)), ("h-mcts", solver(HYBRID))];
    for (name, config) in solvers().into_iter().chain(weak) {
        let mut n_proved = 0;
        let mut n = 0;
        for game in 0..6 {
            let mut rng = Seed::new(3).child(game).rng();
            let mut position = start.clone();
            for _ in 0..game {
                if let Some(&mv) = rng.choose(&position.search_moves()) {
                    position.play_unchecked(mv);
                }
            }
            if position.search_moves().len() < 2 {
                continue;
            }
            n += 1;
            n_proved += usize::from(proofs_are_right(name, &config, &position, &mut solved));
        }
        let is_weak = ["shot", "h-mcts"].contains(&name);
        assert!(is_weak || n_proved * 2 > n, "{name} proved {n_proved} of {n} positions of {board}");
    }
}

#[test]
fn proofs_in_hex_are_right() {
    check("hex:3", &hex(3));
    check("nohex:3", &misere(hex(3)));
}

#[test]
fn proofs_in_domineering_are_right() {
    check("domineering:4", &Domineering::new(4, 4).unwrap());
    check("nodomineering:4", &misere(Domineering::new(4, 4).unwrap()));
}

#[test]
fn proofs_in_nogo_are_right() {
    check("nogo:3", &NoGo::<UpTo7>::new(3).unwrap());
}

#[test]
fn draws_are_proved() {
    for (text, outcome, best) in [
        ("((B W) (B =) (W B B))", Outcome::Draw, 1),
        ("(W = W)", Outcome::Draw, 1),
        ("((B W) (= W) (W =))", Outcome::Win(Side::White), 9),
        ("((= B) (B B (= W)) (W W))", Outcome::Draw, 9),
    ] {
        // Without much exploration a sure draw hides the other moves for ever.
        let explores = |name: &str| !["rave", "grave", "puct", "puct(leaf)"].contains(&name);
        for (name, config) in solvers().into_iter().filter(|(name, _)| explores(name)) {
            let game = TreeGame::new(text);
            let report = player(&config).search(&game, &Limits::samples(5000), Seed::new(1), None);
            assert_eq!(report.stop, Some(SearchStop::Proved(outcome)), "{name} in {text}: {report:?}");
            let mut solved = Solved::default();
            assert_eq!(solved.after(&game, report.mv().unwrap()), outcome, "{name} in {text}");
            assert!(best == 9 || report.chosen == Some(best), "{name} in {text}");
        }
    }
}

/// A sure draw is better than a move that wins now and then, and worse than one that mostly wins.
#[test]
fn a_draw_is_worth_a_half() {
    // So many moves on each side that the search proves nothing of the second.
    let rare = "((W W W B) (W B W W) (B W W W) (W W W W B))";
    let poor = format!("({})", [rare; 6].join(" "));
    let good: String = poor
        .chars()
        .map(|letter| match letter {
            'W' => 'B',
            'B' => 'W',
            other => other,
        })
        .collect();
    for root in ["sh", "ucb(c=0.4)"] {
        let config = with_options(search(root, UCT), |options| options.solver = true);
        let chosen = |text: &str| {
            let report =
                player(&config).search(&TreeGame::new(text), &Limits::samples(24), Seed::new(1), None);
            assert_eq!(report.stop, None, "{root}: {report:?}");
            report.chosen
        };
        assert_eq!(chosen(&format!("(= {poor})")), Some(0), "{root}");
        assert_eq!(chosen(&format!("(= {good})")), Some(1), "{root}");
    }
}

/// Without the option nothing is concluded.
#[test]
fn no_solver_no_proofs() {
    let report = player(&search("", UCT)).search(
        &TreeGame::new("((W W) B)"),
        &Limits::samples(300),
        Seed::new(1),
        None,
    );
    assert_eq!((report.stop, report.spent), (None, 300));
    assert_eq!(report.arms[0].proof, None);
    assert_eq!(report.arms[1].proof, Some(Outcome::Win(Side::Black)));
}
