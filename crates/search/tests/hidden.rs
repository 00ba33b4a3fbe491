//! Players of phantom games: what they promise, and that they play well.

use tesuji_core::{
    Announced, Answer, Game, Outcome, PackedMove, Phantom, Ranked, Referee, Round, Seed, Side, View,
};
use tesuji_games::goban::UpTo7;
use tesuji_games::{Go, GoRules, HexRules, SmallHex};
use tesuji_search::{
    ArmReport, LeafConfig, Limits, Memory, Options, Player, PlayerConfig, Report, Root, RootMoves,
    SearchConfig, SearchStop, Seen, TreeConfig,
};

fn flat(policy: &str) -> PlayerConfig {
    PlayerConfig::Search(Box::new(SearchConfig {
        root: Root::Policy(policy.parse().unwrap()),
        tree: TreeConfig::Flat,
        leaf: LeafConfig::Playout,
        options: Options::default(),
    }))
}

const POLICIES: [&str; 3] = ["uniform", "sh", "shuss(t=8)"];

fn phantom_go(komi_in_halves: i16) -> Go<UpTo7> {
    Go::new(GoRules { size: 5, komi_in_halves, ..GoRules::default() }).unwrap()
}

fn dark_hex(size: usize) -> SmallHex {
    SmallHex::new(HexRules { size, ..HexRules::default() }).unwrap()
}

/// The texts of a few attempts; those that are refused too.
fn after<G: Phantom>(start: G, attempts: &str) -> Referee<G> {
    let mut referee = Referee::new(start, Announced::Captures);
    for text in attempts.split_whitespace() {
        let mv = referee.view(Side::Black).parse_move(text).unwrap();
        referee.attempt(mv);
    }
    referee
}

/// One side's turn: asks the player, tries its ranking, and asks again when all were
/// refused.
fn turn<G: Phantom>(referee: &mut Referee<G>, player: &mut dyn Player, samples: u64, seed: Seed) {
    for question in 0_u64.. {
        let view = referee.view(referee.world().to_move()).clone();
        let seen = Seen::new(view.clone());
        let report = player.search(&seen, &Limits::samples(samples), seed.child(question), None);
        for arm in report.ranking() {
            if referee.attempt(G::Move::unpack(report.arms[arm].mv)) != Answer::Refused {
                return;
            }
        }
        assert!(question < 100, "a turn without an end\n{}", view.drawing());
    }
}

/// How a game between two players ends; none where it is too long.
fn play<G: Phantom>(start: &G, players: [&PlayerConfig; 2], samples: u64, seed: Seed) -> Option<Outcome> {
    let mut referee = Referee::new(start.clone(), Announced::Captures);
    let mut players = players.map(PlayerConfig::player);
    for ply in 0..300_u64 {
        if referee.outcome().is_some() {
            break;
        }
        let side = referee.world().to_move();
        turn(&mut referee, &mut *players[side.index()], samples, seed.child(ply));
    }
    referee.outcome()
}

/// Games of 100 that one player wins of another, Black and White in turns.
fn wins_of_a_hundred<G: Phantom>(start: &G, one: &PlayerConfig, other: &PlayerConfig, samples: u64) -> u32 {
    (0..100_u64)
        .filter(|&game| {
            let (players, side) = match game % 2 {
                0 => ([one, other], Side::Black),
                _ => ([other, one], Side::White),
            };
            play(start, players, samples, Seed::new(7).child(game)) == Some(Outcome::Win(side))
        })
        .count() as u32
}

/// Equal seeds give equal reports on any number of threads, the whole budget is
/// spent, and the ranking has every arm once, the chosen one first.
fn keeps_its_promises<V: View>(view: &V) {
    let mut candidates = Vec::new();
    view.for_each_candidate(|mv| candidates.push(mv.pack()));
    for policy in POLICIES {
        let config = flat(policy);
        for budget in [1000, 1037] {
            let seen = Seen::new(view.clone());
            let report = |threads: usize, seed: u64| -> Report {
                let limits = Limits::samples(budget).on(threads);
                config.player().search(&seen, &limits, Seed::new(seed), None)
            };
            let one = report(1, 1);
            for threads in [1, 2, 8] {
                assert_eq!(report(threads, 1), one, "{policy} on {threads} threads");
            }
            assert_ne!(report(1, 2), one, "{policy} with another seed");
            // A player that plays another game in between gives the same answer.
            let mut player = config.player();
            for seed in [3, 1] {
                let again = player.search(&seen, &Limits::samples(budget), Seed::new(seed), None);
                assert_eq!(again == one, seed == 1, "{policy} asked again");
            }
            assert_eq!((one.budget, one.spent), (budget, budget), "{policy}");
            assert_eq!(one.arms.iter().map(|arm| arm.visits).sum::<u64>(), budget, "{policy}");
            assert_eq!(one.arms.iter().map(|arm| arm.mv).collect::<Vec<_>>(), candidates, "{policy}");
            let ranking = one.ranking();
            assert_eq!(ranking.first().copied(), one.chosen, "{policy}");
            let mut sorted = ranking.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..one.arms.len()), "{policy}: {ranking:?}");
        }
    }
}

#[test]
fn phantom_go_players_keep_their_promises() {
    let referee = after(phantom_go(15), "c3 c3 b2 d3 c2 b4 c4 a1 a1 e5");
    for side in Side::BOTH {
        if referee.world().to_move() == side {
            keeps_its_promises(referee.view(side));
        }
    }
    keeps_its_promises(Referee::new(phantom_go(15), Announced::Refusals).view(Side::Black));
}

#[test]
fn dark_hex_players_keep_their_promises() {
    keeps_its_promises(Referee::new(dark_hex(4), Announced::Captures).view(Side::Black));
    let referee = after(dark_hex(4), "b2 b2 c2 c2 c3");
    assert_eq!(referee.world().to_move(), Side::White);
    keeps_its_promises(referee.view(Side::White));
}

/// What a side knows is searched as far as its moves are allowed, and focused on.
#[test]
fn moves_of_a_phantom_game_can_be_excluded() {
    let view = Referee::new(dark_hex(4), Announced::Captures).view(Side::Black).clone();
    let seen = Seen::new(view);
    let all = tesuji_search::Sight::search_moves(&seen);
    let players = POLICIES.iter().map(|policy| flat(policy)).chain([PlayerConfig::Random]);
    for config in players {
        let mut player = config.player();
        let mut limits = Limits { moves: RootMoves::Except(&all[4..]), ..Limits::samples(400) };
        let report = player.search(&seen, &limits, Seed::new(2), None);
        let mut moves: Vec<_> = report.arms.iter().map(|arm| arm.mv).collect();
        moves.sort();
        assert_eq!((moves, report.spent), (all[..4].to_vec(), report.budget));
        assert_eq!(report.ranking().len(), 4);
        if config != PlayerConfig::Random {
            limits.focus = Some(all[1]);
            let more = player.search(&seen, &limits, Seed::new(2), None);
            assert_eq!(more.arms[1].visits, report.arms[1].visits + 400);
        }
    }
}

/// Those that were cut last come first, and those cut together by how they were
/// ranked then.
#[test]
fn rankings_follow_the_halving_rounds() {
    let round = |ranking: &[usize], kept| Round {
        samples_each: 1,
        ranking: ranking.iter().map(|&arm| Ranked { arm, q: 0.5, mean: 0.5, bonus: 0.0 }).collect(),
        kept,
        comebacks: 0,
        calibration: None,
    };
    let arm = |mean| ArmReport {
        mv: (),
        visits: 1,
        mean,
        variance: None,
        amaf: None,
        score: None,
        q: None,
        proof: None,
        policy: None,
    };
    let report = Report {
        chosen: Some(4),
        arms: vec![arm(Some(0.1)), arm(Some(0.9)), arm(None), arm(Some(0.3)), arm(Some(0.2)), arm(Some(0.4))],
        rounds: vec![round(&[5, 4, 3, 0], 2), round(&[5, 4], 1)],
        budget: 6,
        spent: 6,
        carried: 0,
        stop: None,
        confidence: None,
        memory: Memory::default(),
        focused: Vec::new(),
    };
    // Arms 1 and 2 took part in no round: by their means, those without come last.
    assert_eq!(report.ranking(), [4, 5, 3, 0, 1, 2]);
    let by_means = Report { rounds: Vec::new(), chosen: None, ..report };
    assert_eq!(by_means.ranking(), [1, 5, 3, 4, 0, 2]);
    // A search's own rounds: each arm's place is no better than its last round's.
    let view = Referee::new(dark_hex(4), Announced::Captures).view(Side::Black).clone();
    let report =
        flat("sh").player().search(&Seen::new(view.clone()), &Limits::samples(1000), Seed::new(1), None);
    let ranking = report.ranking();
    for round in &report.rounds {
        let place = |arm: usize| ranking.iter().position(|&ranked| ranked == arm).unwrap();
        let cut = round.ranking[round.kept..].iter().map(|ranked| place(ranked.arm)).collect::<Vec<_>>();
        assert!(cut.is_sorted(), "{cut:?}");
        assert!(cut.first().is_none_or(|&first| first == round.kept), "{cut:?}");
    }
    assert!(!report.rounds.is_empty());
}

/// Equal players win 50 of 100 with a standard error of 5 games, so 75 is five standard
/// errors above. With 3.5 for komi neither colour is hopeless.
#[test]
fn flat_searches_beat_random_players() {
    for policy in POLICIES {
        let wins = wins_of_a_hundred(&phantom_go(7), &flat(policy), &PlayerConfig::Random, 200);
        assert!(wins >= 75, "{policy} won {wins} of 100 games of Phantom Go");
        let wins = wins_of_a_hundred(&dark_hex(4), &flat(policy), &PlayerConfig::Random, 200);
        assert!(wins >= 75, "{policy} won {wins} of 100 games of Dark Hex");
    }
}

/// White ran into a stone of Black that has one liberty left, and takes it.
#[test]
fn a_known_stone_in_atari_is_taken() {
    let referee = after(phantom_go(7), "c3 c3 b3 e1 d3 e5 c4 a5");
    assert_eq!(referee.world().to_move(), Side::White);
    let view = referee.view(Side::White);
    for policy in POLICIES {
        let report = flat(policy).player().search(
            &Seen::new(view.clone()),
            &Limits::samples(4000),
            Seed::new(1),
            None,
        );
        assert_eq!(
            view.move_text(PackedMove::unpack(report.mv().unwrap())),
            "c2",
            "{policy}\n{}",
            view.drawing()
        );
    }
}

/// Where nothing is worth a try, the last resort is chosen without a sample.
#[test]
fn players_pass_when_nothing_is_left() {
    let start = Go::<UpTo7>::new(GoRules { size: 2, ..GoRules::default() }).unwrap();
    let mut referee = after(start, "a1 pass b2");
    let pass = referee.view(Side::White).parse_move("pass").unwrap();
    referee.attempt(pass);
    let view = referee.view(Side::Black);
    for config in [flat("sh"), PlayerConfig::Random] {
        let report =
            config.player().search(&Seen::new(view.clone()), &Limits::samples(100), Seed::new(1), None);
        assert_eq!(report.mv(), Some(pass.pack()), "\n{}", view.drawing());
        assert_eq!((report.spent, report.ranking()), (0, vec![0]));
        if config != PlayerConfig::Random {
            assert_eq!(report.stop, Some(SearchStop::OneMove));
        }
    }
}

#[test]
fn what_cannot_play_says_so() {
    let uct = SearchConfig {
        root: Root::Tree,
        tree: TreeConfig::Uct { c: 0.4 },
        leaf: LeafConfig::Playout,
        options: Options::default(),
    };
    for config in [PlayerConfig::Greedy, PlayerConfig::Search(Box::new(uct))] {
        let error = config.check_hidden().unwrap_err();
        assert!(error.contains("flat(POLICY)"), "{error}");
    }
}

/// Networks see worlds that agree with what is known: own stones are where they are, and the
/// enemy's are as many as there are.
#[test]
fn networks_see_worlds_that_agree() {
    fn check<G: Phantom>(referee: &Referee<G>) {
        let (world, mut rng) = (referee.world(), Seed::new(9).rng());
        let form = world.network_form().unwrap();
        let cells = form.height * form.width;
        let count = |plane: &[f32]| plane.iter().sum::<f32>();
        let mut truth = vec![f32::NAN; form.size()];
        world.write_planes(&mut truth);
        let seen = Seen::new(referee.view(world.to_move()).clone());
        assert_eq!(seen.network_form(), Some(form.clone()));
        let mut planes = vec![f32::NAN; form.size()];
        assert_eq!(seen.write_guessed_planes(&mut planes, &mut rng), None);
        assert_eq!(planes[..cells], truth[..cells]);
        assert_eq!(count(&planes[cells..2 * cells]), count(&truth[cells..2 * cells]));
        for mv in seen.moves() {
            assert_eq!(seen.logit(mv), world.logit(mv), "{}", seen.move_text(mv));
        }
        // After a move it is the enemy's turn, whose stones are guessed anew for every call.
        let mv = seen.moves().into_iter().find(|&mv| world.is_legal(mv)).unwrap();
        let (mut after, mut real) = (seen.clone(), world.clone());
        after.play_unchecked(mv);
        real.play_unchecked(mv);
        real.write_planes(&mut truth);
        assert_eq!(after.network_form(), Some(form.clone()));
        let mut guesses = Vec::new();
        for _ in 0..10 {
            planes.fill(f32::NAN);
            assert_eq!(after.write_guessed_planes(&mut planes, &mut rng), real.outcome());
            assert!(planes.iter().all(|value| value.is_finite()));
            assert_eq!(count(&planes[..cells]), count(&truth[..cells]));
            guesses.push(planes.clone());
        }
        guesses.dedup();
        assert!(guesses.len() > 1, "ten guesses are not all the same");
    }
    check(&after(phantom_go(0), "c3 c2 b4 d2"));
    check(&after(phantom_go(0), "c3 c2 b4"));
    check(&after(dark_hex(5), "c3 c2 b4 d2"));
    check(&after(dark_hex(5), "c3 c2 b4"));
}
