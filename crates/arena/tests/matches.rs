//! Matches between players of ours: how games begin and end, and that nothing but
//! their addresses has a part in them.

use std::sync::atomic::AtomicBool;

use tesuji_arena::record::{Game, Reason};
use tesuji_arena::statistics::{Hypothesis, Sprt};
use tesuji_arena::{Definition, MatchExperiment, RunSettings, SprtDecision, Store, Summary};
use tesuji_core::Outcome;

fn experiment(head: &str, grid: &str) -> MatchExperiment {
    let text = format!("title='t'\nseed=1\n{head}\n[[grid]]\n{grid}\n");
    MatchExperiment::parse(Definition::built_in("e", &text, &[]).unwrap()).unwrap()
}

fn play(experiment: &MatchExperiment, threads: usize, sprt: Option<Sprt>) -> (Store, Summary) {
    let mut store = Store::in_memory().unwrap();
    let settings = RunSettings { sprt, ..RunSettings::on_threads(threads) };
    let summary = experiment.run(&settings, &mut store).unwrap();
    (store, summary)
}

fn games(experiment: &MatchExperiment, store: &Store) -> Vec<Game> {
    let of_cell = |cell: &tesuji_arena::Cell| store.games(experiment.address, &cell.key).unwrap();
    experiment.cells.iter().flat_map(of_cell).collect()
}

#[test]
fn games_are_the_same_on_any_number_of_threads() {
    let experiment = experiment(
        "games=10\nrules={random_plies=2}",
        "game='{game}'\nplayer='hybrid-shuss(t=64)@100'\nopponent='ect(stop=1e-3)+uct@50'\n\
         each=[{name='game',values=['hex:4','go:5','noataxx:4(cap=60)']}]",
    );
    let one = games(&experiment, &play(&experiment, 1, None).0);
    let four = games(&experiment, &play(&experiment, 4, None).0);
    assert_eq!(one.len(), 30);
    assert_eq!(one, four);
    // And one by one.
    for cell in &experiment.cells {
        for index in [0, 7] {
            let again = experiment.replay(cell, index).unwrap();
            assert!(one.contains(&again));
        }
    }
}

#[test]
fn colours_alternate_and_pairs_share_openings() {
    let experiment =
        experiment("games=8\nrules={random_plies=3}", "game='hex:4'\nplayer='random'\nopponent='greedy'");
    let games = games(&experiment, &play(&experiment, 2, None).0);
    let openings: Vec<Vec<&str>> = games.iter().map(|game| game.moves.split(' ').take(3).collect()).collect();
    for pair in [0, 2, 4, 6] {
        assert_ne!(games[pair].side, games[pair + 1].side);
        assert_eq!(openings[pair], openings[pair + 1]);
    }
    assert!(games.iter().all(|game| game.opening == 3 && game.samples == [0, 0]));
    assert_ne!(openings[0], openings[2]);
}

#[test]
fn a_game_may_have_so_many_moves() {
    let experiment =
        experiment("games=2\nrules={most_moves=5}", "game='go:5'\nplayer='random'\nopponent='random'");
    for game in games(&experiment, &play(&experiment, 1, None).0) {
        assert_eq!((game.plies, game.outcome, game.reason), (5, Outcome::Draw, Reason::MoveLimit));
        assert_eq!(game.points(), 0.5);
    }
}

#[test]
fn lost_games_are_resigned_and_won_ones_claimed() {
    let grid = "game='hex:7'\nplayer='uct@1000'\nopponent='uct@100'";
    let ended = |rules: &str| {
        let experiment = experiment(&format!("games=6\n{rules}"), grid);
        games(&experiment, &play(&experiment, 2, None).0)
    };
    let whole = ended("");
    let resigned = ended("rules={resign_below=0.4}");
    let claimed = ended("rules={claim_above=0.6}");
    let ended_by = |games: &[Game], reason| games.iter().filter(|game| game.reason == reason).count();
    assert_eq!(ended_by(&whole, Reason::Rules), 6);
    assert!(ended_by(&resigned, Reason::Resigned) >= 2, "{resigned:?}");
    assert!(ended_by(&claimed, Reason::Claimed) >= 1, "{claimed:?}");
}

#[test]
fn a_test_is_decided_by_the_same_games_on_any_number_of_threads() {
    let experiment = experiment("games=400", "game='hex:4'\nplayer='greedy'\nopponent='random'");
    let sprt: Sprt = "elo0=0 elo1=100".parse().unwrap();
    let (_, one) = play(&experiment, 1, Some(sprt));
    let (_, three) = play(&experiment, 3, Some(sprt));
    let SprtDecision { hypothesis, games: after } = one.decision.unwrap();
    assert_eq!(hypothesis, Hypothesis::Alternative);
    assert!(after < 200, "{after}");
    assert_eq!(three.decision, one.decision);
    assert!(one.played >= after && one.played < 400);
}

#[test]
fn moves_are_counted_for_the_side_that_chose_them() {
    // White moves first in Breakthrough; in games of seeds the player is Black always. Games end
    // while there are many moves to choose from: a forced move takes no samples.
    for game in ["hex:5", "breakthrough:5x6"] {
        for rules in ["pairing='sides'", "pairing='seeds'", "random_plies=2"] {
            let grid = format!("game='{game}'\nplayer='flat(uniform)@90'\nopponent='flat(uniform)@60'");
            let experiment = experiment(&format!("games=9\nrules={{most_moves=5,{rules}}}"), &grid);
            let (store, _) = play(&experiment, 2, None);
            let played = &experiment.played(&store).unwrap()[0];
            let [player, opponent] = played.chosen;
            assert_eq!(played.samples, [90 * player, 60 * opponent], "{game} {rules}");
        }
    }
}

#[test]
fn effort_is_spread() {
    let experiment = experiment(
        "games=50",
        "game='{game}'\nplayer='uct@100'\nopponent='random'\neach=[{name='game',values=['hex:3','hex:4','hex:5']}]",
    );
    let mut store = Store::in_memory().unwrap();
    // Looked at when 30 games are done: no cell is far behind.
    let mut seen = None;
    let mut progress = |progress: &tesuji_arena::Progress<'_>| {
        let done: Vec<u64> = progress.cells.iter().map(|cell| cell.games.done).collect();
        if done.iter().sum::<u64>() == 30 {
            seen = Some(done);
        }
    };
    let interrupt = AtomicBool::new(false);
    let settings = RunSettings::on_threads(2);
    experiment.run_watched(&settings, &mut store, &interrupt, &mut progress).unwrap();
    let seen = seen.unwrap();
    assert!(seen.iter().all(|done| *done >= 7), "{seen:?}");
}
