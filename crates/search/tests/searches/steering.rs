//! Searches of which only some moves may be chosen, and moves that get more samples.

use tesuji_core::{Game, MoveId, Outcome, PackedMove, Seed, Side, Symmetry};
use tesuji_games::goban::UpTo7;
use tesuji_games::{Go, GoRules};
use tesuji_search::{
    Board, Event, Focused, Limits, OpenBoard, Player, PlayerConfig, Report, RootMoves, SearchConfig,
    SearchStop, Sight, Steering, TreeConfig, TurnedPlayer,
};
use tesuji_testkit::solve::Solved;

use crate::common::{self, GRAVE, HYBRID, RAVE, UCT, prior, search, with_leaf, with_options};
use crate::solved::hex;

fn player(config: &SearchConfig) -> Box<dyn Player> {
    PlayerConfig::Search(Box::new(config.clone())).player()
}

fn moves(report: &Report) -> Vec<MoveId> {
    report.arms.iter().map(|arm| arm.mv).collect()
}

fn visits(report: &Report) -> Vec<u64> {
    report.arms.iter().map(|arm| arm.visits).collect()
}

/// Whether a search spends its whole budget: it proves nothing and saves nothing.
fn spends_all(config: &SearchConfig) -> bool {
    !matches!(&config.root, tesuji_search::Root::Policy(policy) if policy.to_string().starts_with("voi"))
        && !config.options.solver
}

#[test]
fn a_search_that_may_choose_all_moves_is_the_usual_one() {
    let position = hex(4);
    let all = Sight::search_moves(&position);
    for (name, config) in common::all() {
        let usual = player(&config).search(&position, &Limits::samples(500), Seed::new(3), None);
        for moves in [RootMoves::Only(&all), RootMoves::Except(&[])] {
            let limits = Limits { moves, ..Limits::samples(500) };
            assert_eq!(player(&config).search(&position, &limits, Seed::new(3), None), usual, "{name}");
        }
    }
}

#[test]
fn only_allowed_moves_are_searched_and_chosen() {
    let position = hex(4);
    let all = Sight::search_moves(&position);
    let some = [all[2], all[3], all[7], all[11]];
    let rest: Vec<MoveId> = all.iter().copied().filter(|mv| !some.contains(mv)).collect();
    for (name, config) in common::all() {
        let only = Limits { moves: RootMoves::Only(&some), ..Limits::samples(500) };
        let report = player(&config).search(&position, &only, Seed::new(3), None);
        assert_eq!(moves(&report), some, "{name}");
        assert!(report.chosen.is_some_and(|arm| arm < some.len()), "{name}");
        if spends_all(&config) {
            // The root is valued as a leaf first.
            let scored = u64::from(["puct(leaf)", "shuss+rave+prior"].contains(&name));
            assert_eq!((report.spent, report.visits()), (500, 500 - scored), "{name}");
        }
        let except = Limits { moves: RootMoves::Except(&rest), ..Limits::samples(500).on(3) };
        assert_eq!(player(&config).search(&position, &except, Seed::new(3), None), report, "{name}");
    }
    for config in [PlayerConfig::Random, PlayerConfig::Greedy] {
        let limits = Limits { moves: RootMoves::Only(&some), ..Limits::samples(1) };
        let report = config.player().search(&position, &limits, Seed::new(1), None);
        assert_eq!(moves(&report), some);
        assert!(report.chosen.is_some());
    }
}

#[test]
fn all_samples_go_to_the_only_move_that_is_left() {
    let position = hex(4);
    let all = Sight::search_moves(&position);
    for (name, config) in common::all() {
        let limits = Limits { moves: RootMoves::Only(&all[5..6]), ..Limits::samples(500) };
        let report = player(&config).search(&position, &limits, Seed::new(3), None);
        assert_eq!((moves(&report), report.chosen), (vec![all[5]], Some(0)), "{name}");
        if spends_all(&config) {
            let valued = u64::from(name == "puct(leaf)");
            assert_eq!((report.spent, report.visits()), (500, 500 - valued), "{name}");
        }
        assert!(report.focused.is_empty());
    }
}

#[test]
fn a_search_without_moves_returns_no_arms() {
    let position = hex(3);
    for (name, config) in common::all() {
        let limits = Limits { moves: RootMoves::Only(&[]), ..Limits::samples(50) };
        let report = player(&config).search(&position, &limits, Seed::new(1), None);
        assert_eq!((report.chosen, report.arms.len(), report.spent), (None, 0, 0), "{name}");
    }
}

#[test]
fn proofs_are_about_the_allowed_moves() {
    let mut solved = Solved::default();
    let position = hex(3);
    let side = Game::to_move(&position);
    let wins = |mv: &MoveId, solved: &mut Solved| {
        solved.after(&position, PackedMove::unpack(*mv)) == Outcome::Win(side)
    };
    let all = Sight::search_moves(&position);
    let losing: Vec<MoveId> = all.into_iter().filter(|mv| !wins(mv, &mut solved)).collect();
    assert!(losing.len() > 1);
    for (name, config) in common::all().into_iter().filter(|(_, config)| config.options.solver) {
        let mut player = player(&config);
        let limits = Limits { moves: RootMoves::Only(&losing), ..Limits::samples(200_000) };
        let report = player.search(&position, &limits, Seed::new(1), None);
        assert_eq!(report.stop, Some(SearchStop::Proved(Outcome::Win(!side))), "{name}");
        let free = player.search(&position, &Limits::samples(200_000), Seed::new(1), None);
        assert_eq!(free.stop, Some(SearchStop::Proved(Outcome::Win(side))), "{name}");
    }
}

fn keepers() -> Vec<(&'static str, SearchConfig)> {
    let searches = [
        ("uct", search("", UCT)),
        ("rave", search("", RAVE)),
        ("grave", search("", GRAVE)),
        ("uct, two trees", with_options(search("", UCT), |options| options.trees = 2)),
        ("uct+solver", with_options(search("", UCT), |options| options.solver = true)),
        ("sh+uct", search("sh", UCT)),
        ("ucb+rave+solver", with_options(search("ucb(c=0.4)", RAVE), |options| options.solver = true)),
        ("h-mcts", search("", HYBRID)),
    ];
    searches.map(|(name, config)| (name, with_options(config, |options| options.reuse = true))).to_vec()
}

/// Games in which every search has other moves to choose from: proofs stay right, and what was
/// learnt of allowed moves is kept.
#[test]
fn kept_trees_are_restricted_too() {
    let mut solved = Solved::default();
    for (name, config) in keepers() {
        let mut kept = 0;
        for seed in 0..6 {
            let mut rng = Seed::new(seed).child("answers").rng();
            let mut player = player(&config);
            let mut position = hex(3);
            while Game::outcome(&position).is_none() {
                let all = Sight::search_moves(&position);
                let mut some = all.clone();
                rng.shuffle(&mut some);
                some.truncate(1 + rng.below(all.len() as u32) as usize);
                let limits = Limits { moves: RootMoves::Only(&some), ..Limits::samples(300) };
                let report = player.search(&position, &limits, Seed::new(seed), None);
                assert_eq!(moves(&report), RootMoves::Only(&some).among(all), "{name}");
                kept += report.visits().saturating_sub(report.spent);
                for arm in &report.arms {
                    if let Some(proof) = arm.proof {
                        assert_eq!(proof, solved.after(&position, PackedMove::unpack(arm.mv)), "{name}");
                    }
                }
                position.play_unchecked(PackedMove::unpack(report.mv().unwrap()));
                if let Some(&mv) = rng.choose(&Game::search_moves(&position)) {
                    position.play_unchecked(mv);
                }
            }
        }
        assert!(kept > 0, "{name} kept nothing");
    }
}

#[test]
fn a_tree_that_knows_more_moves_is_kept_for_fewer() {
    let position = hex(4);
    let all = Sight::search_moves(&position);
    let config = with_options(search("", UCT), |options| options.reuse = true);
    let mut player = player(&config);
    let first = player.search(&position, &Limits::samples(1000), Seed::new(1), None);
    let limits = Limits { moves: RootMoves::Except(&all[..8]), ..Limits::samples(1000) };
    let second = player.search(&position, &limits, Seed::new(2), None);
    let known: u64 = first.arms[8..].iter().map(|arm| arm.visits).sum();
    assert_eq!((second.spent, second.visits()), (1000, known + 1000));
    let third = player.search(&position, &limits, Seed::new(2), None);
    assert_eq!(third.visits(), known + 2000);
    // Moves that were left out are not known: it begins anew.
    let last = player.search(&position, &Limits::samples(1000), Seed::new(1), None);
    assert_eq!(last, first);
}

#[test]
fn a_turned_player_is_restricted_to_the_same_moves() {
    let position = Go::<UpTo7>::new(GoRules { size: 4, ..GoRules::default() }).unwrap();
    let all = Sight::search_moves(&position);
    for symmetry in Symmetry::ALL {
        let mut player = TurnedPlayer::new(player(&search("sh", UCT)), symmetry);
        let some = [all[1], all[6]];
        let mut limits = Limits { moves: RootMoves::Only(&some), ..Limits::samples(200) };
        let report = player.search(&position, &limits, Seed::new(1), None);
        let mut searched = moves(&report);
        searched.sort();
        assert_eq!(searched, some);
        limits.focus = Some(all[6]);
        let report = player.search(&position, &limits, Seed::new(1), None);
        let arm = report.focused[0].arm;
        assert_eq!((report.arms[arm].mv, report.visits()), (all[6], 400));
    }
}

/// Every search, then more samples of one move: the others stay as they were.
#[test]
fn a_focus_adds_samples_to_one_move() {
    let position = hex(4);
    let all = Sight::search_moves(&position);
    for (name, config) in common::all() {
        let mut player = player(&config);
        let first = player.search(&position, &Limits::samples(500), Seed::new(3), None);
        let focus = Limits { focus: Some(all[9]), ..Limits::samples(300) };
        let second = player.search(&position, &focus, Seed::new(3), None);
        let mut expected = visits(&first);
        expected[9] += 300;
        assert_eq!(visits(&second), expected, "{name}");
        assert_eq!((second.budget, second.spent), (first.budget + 300, first.spent + 300), "{name}");
        assert_eq!(second.focused, [Focused { arm: 9, samples: 300 }], "{name}");
        let third = player.search(&position, &focus, Seed::new(3), None);
        assert_eq!(third.focused, [Focused { arm: 9, samples: 600 }], "{name}");
        // The same again, on other threads and watched.
        player.forget();
        let mut heard = 0;
        let mut watch = |event: Event<'_>| heard += u64::from(matches!(event, Event::Progress { .. }));
        let limits = Limits::samples(500).on(2);
        assert_eq!(player.search(&position, &limits, Seed::new(3), Some(&mut watch)), first, "{name}");
        let before = heard;
        let mut last = (0, 0, 0);
        let mut watch = |event: Event<'_>| {
            if let Event::Progress { spent, budget, best, .. } = event {
                assert!(spent <= budget, "{name}: {spent} of {budget}");
                (heard, last) = (heard + 1, (spent, budget, best));
            }
        };
        let again = player.search(&position, &focus.on(2), Seed::new(3), Some(&mut watch));
        assert_eq!(again, second, "{name}");
        assert!(heard > before, "{name}");
        assert_eq!(last, (again.spent, again.budget, again.chosen.unwrap()), "{name}");
    }
}

/// Without a tree the samples of a move are one stream: how they were asked for does not matter.
#[test]
fn a_focus_continues_the_stream_of_its_move() {
    let position = hex(4);
    let all = Sight::search_moves(&position);
    let config = search("uniform", TreeConfig::Flat);
    let whole = player(&config).search(&position, &Limits::samples(3200), Seed::new(3), None);
    let mut player = player(&config);
    player.search(&position, &Limits::samples(1600), Seed::new(3), None);
    let focus = Limits { focus: Some(all[4]), ..Limits::samples(60) };
    player.search(&position, &focus, Seed::new(8), None);
    let report =
        player.search(&position, &Limits { focus: Some(all[4]), ..Limits::samples(40) }, Seed::new(9), None);
    assert_eq!(whole.arms[4].visits, 200);
    assert_eq!((report.arms[4].visits, report.arms[4].mean), (200, whole.arms[4].mean));
}

#[test]
fn a_focus_without_a_search_before_it_searches_that_move_alone() {
    let position = hex(4);
    let all = Sight::search_moves(&position);
    let mut other = position.clone();
    other.play_unchecked(PackedMove::unpack(all[0]));
    for (name, config) in common::all() {
        let mut player = player(&config);
        player.search(&other, &Limits::samples(100), Seed::new(1), None);
        let focus = Limits { focus: Some(all[9]), ..Limits::samples(300) };
        let report = player.search(&position, &focus, Seed::new(3), None);
        let valued = u64::from(name == "puct(leaf)");
        let mut expected = vec![0; all.len()];
        expected[9] = 300 - valued;
        assert_eq!((visits(&report), report.chosen), (expected, Some(9)), "{name}");
        assert_eq!((report.spent, report.budget), (300, 300), "{name}");
        // A move that is none, or may not be chosen.
        let away = Limits { moves: RootMoves::Except(&all[9..10]), ..focus };
        assert!(player.search(&position, &away, Seed::new(3), None).arms.is_empty(), "{name}");
    }
}

/// A focus does not make a move the choice by giving it more visits than the others.
#[test]
fn the_choice_stands_unless_the_focused_move_is_better() {
    let position = hex(4);
    for (name, config) in
        [("rave", search("", RAVE)), ("sh+uct", search("sh", UCT)), ("uct", search("", UCT))]
    {
        let mut player = player(&config);
        let first = player.search(&position, &Limits::samples(2000), Seed::new(3), None);
        let chosen = first.chosen.unwrap();
        let mean = |arm: usize| first.arms[arm].mean.unwrap_or(1.0);
        let worst = (0..16).min_by(|&a, &b| mean(a).total_cmp(&mean(b))).unwrap();
        let focus = Limits { focus: Some(first.arms[worst].mv), ..Limits::samples(20_000) };
        let second = player.search(&position, &focus, Seed::new(3), None);
        assert!(second.arms[worst].visits > second.arms[chosen].visits, "{name}");
        assert!(second.arms[worst].mean < second.arms[chosen].mean, "{name}");
        assert_eq!(second.chosen, Some(chosen), "{name}");
    }
}

/// Visits that the policy did not give are not kept for a search of the same position, but they
/// are for one further on.
#[test]
fn what_a_focus_learnt_is_kept_for_the_next_position() {
    let mut position = hex(4);
    for (name, config) in keepers() {
        let mut player = player(&config);
        let first = player.search(&position, &Limits::samples(1000), Seed::new(1), None);
        let focus = Limits { focus: Some(first.arms[3].mv), ..Limits::samples(1000) };
        player.search(&position, &focus, Seed::new(1), None);
        let again = player.search(&position, &Limits::samples(1000), Seed::new(1), None);
        assert_eq!(again, first, "{name}");
        player.search(&position, &focus, Seed::new(1), None);
        let before = position.clone();
        position.play_unchecked(PackedMove::unpack(first.arms[3].mv));
        let next = player.search(&position, &Limits::samples(1000), Seed::new(1), None);
        assert!(next.visits() > 1900, "{name}: {}", next.visits());
        position = before;
    }
}

#[test]
fn steering_is_read_from_texts_or_refused() {
    let board = OpenBoard(hex(3));
    let board: &dyn Board = &board;
    let all = board.arm_texts();
    let read =
        |only: Option<&[&str]>, avoid: &[&str], focus: &[&str]| Steering::read(board, only, avoid, focus);
    assert_eq!(read(None, &[], &[]), Ok(Steering::default()));
    let steering = read(Some(&["b2", "a1", "c3"]), &["a1"], &["c3", "c3"]).unwrap();
    assert_eq!(steering.arm_texts(board), ["b2", "c3"]);
    assert_eq!(steering.focus().len(), 1);
    let texts: Vec<&str> = all.iter().map(String::as_str).collect();
    let error = |steering: Result<Steering, _>| {
        steering.map_err(|error: tesuji_search::SteeringError| error.to_string()).unwrap_err()
    };
    assert_eq!(
        error(read(None, &texts, &[])),
        "no move is left to search: all 9 moves of this position are excluded"
    );
    assert_eq!(
        error(read(Some(&["a1"]), &["a1"], &[])),
        "no move is left to search: all 9 moves of this position are excluded"
    );
    assert_eq!(
        error(read(Some(&["a1"]), &[], &["b2"])),
        "'b2' cannot be focused on, because the search may not choose it"
    );
    assert!(error(read(Some(&["z9"]), &[], &[])).contains("z9"));
    let go = OpenBoard(Go::<UpTo7>::new(GoRules { size: 3, ..GoRules::default() }).unwrap());
    let go: &dyn Board = &go;
    let passing = Steering::read(go, Some(&["pass"]), &[], &[]).unwrap_err().to_string();
    assert!(passing.starts_with("searches do not look at 'pass' in this position"), "{passing}");
    assert_eq!(Steering::read(go, None, &["pass"], &[]), Ok(Steering::default()));
    assert_eq!(go.to_move(), Side::Black);
}

#[test]
fn a_steered_search_searches_and_then_focuses() {
    let board = OpenBoard(hex(4));
    let steering = Steering::read(&board, None, &["a1"], &["b2", "c3"]).unwrap();
    let config = with_leaf(search("", UCT), prior("sh", 16));
    let limits = Limits::samples(500);
    let mut player = player(&config);
    let budget = Limits::samples(200).budget;
    let report = steering.search(&mut *player, &*board.sight(), &limits, budget, Seed::new(1), None);
    assert_eq!((report.spent, report.visits(), report.arms.len()), (900, 900, 15));
    let names: Vec<String> =
        report.focused.iter().map(|focused| board.move_text(report.arms[focused.arm].mv)).collect();
    assert_eq!(names, ["b2", "c3"]);
}
