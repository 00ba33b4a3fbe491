//! Tournaments: who meets whom, and the same games after stops and on any number of threads.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use tesuji_arena::ratings::Question;
use tesuji_arena::{
    Campaign, Definition, Experiment, MatchExperiment, RunError, RunSettings, ScheduleWords, Store,
    TournamentBuilder, TournamentFormat,
};

const PLAYERS: [&str; 5] = ["uct@60", "rave@60", "random", "greedy", "uct(c=1.5)@20"];

fn builder(games: &[&str], n: usize) -> TournamentBuilder {
    let games = games.iter().map(|game| game.parse().unwrap()).collect();
    let players = PLAYERS[..n].iter().map(|player| player.parse().unwrap()).collect();
    TournamentBuilder { each: 4, ..TournamentBuilder::new(games, players) }
}

fn scheduled(builder: TournamentBuilder, words: ScheduleWords<'_>) -> MatchExperiment {
    builder.with_schedule(&words).unwrap().build().unwrap()
}

fn swiss() -> MatchExperiment {
    let words = ScheduleWords { schedule: Some("swiss"), rounds: Some(3), ..ScheduleWords::default() };
    scheduled(builder(&["hex:4"], 5), words)
}

fn widest(ask: &str) -> MatchExperiment {
    let words = ScheduleWords {
        schedule: Some("widest"),
        total: Some(120),
        ask: Some(ask),
        ..ScheduleWords::default()
    };
    scheduled(builder(&["hex:4"], 4), words)
}

/// The moves of all games, by cell and index.
fn games(experiment: &MatchExperiment, store: &Store) -> Vec<(String, u64, String)> {
    let cells = experiment.cells.iter();
    let of_cell = |key: &String| store.games(experiment.address, key).unwrap();
    let games = cells.flat_map(|cell| of_cell(&cell.key));
    games.map(|game| (game.address.cell.clone(), game.address.index, game.moves)).collect()
}

fn played(experiment: &MatchExperiment, threads: usize) -> Vec<(String, u64, String)> {
    let mut store = Store::in_memory().unwrap();
    let summary = experiment.run(&RunSettings::on_threads(threads), &mut store).unwrap();
    assert_eq!(summary.missing, 0);
    games(experiment, &store)
}

#[test]
fn a_round_robin_has_every_pair_and_a_gauntlet_those_of_the_first() {
    let all = builder(&["hex:4", "breakthrough:3x5"], 4).build().unwrap();
    assert_eq!((all.cells.len(), played(&all, 2).len()), (12, 48));
    let gauntlet =
        scheduled(builder(&["hex:4"], 4), ScheduleWords { schedule: Some("gauntlet"), ..Default::default() });
    let keys: Vec<&str> = gauntlet.cells.iter().map(|cell| cell.key.as_str()).collect();
    assert_eq!(
        keys,
        ["hex:4: uct@60 against rave@60", "hex:4: uct@60 against random", "hex:4: uct@60 against greedy"]
    );
    // Equal pairs of both play the same games.
    assert_eq!(gauntlet.address, builder(&["hex:4"], 5).build().unwrap().address);
}

#[test]
fn rounds_are_the_same_on_any_number_of_threads_and_after_stops() {
    for experiment in [swiss(), widest("list"), widest("first"), widest("uct@60 > rave@60")] {
        let all = played(&experiment, 1);
        let wanted = experiment.tournament.as_ref().unwrap().total(experiment.games);
        assert_eq!(all.len() as u64, wanted);
        assert_eq!(all, played(&experiment, 4));
        // Stopped again and again, after a few games each time.
        let mut store = Store::in_memory().unwrap();
        loop {
            let interrupt = AtomicBool::new(false);
            let mut n_games = 0;
            let summary = experiment
                .run_watched(&RunSettings::on_threads(2), &mut store, &interrupt, &mut |_| {
                    n_games += 1;
                    interrupt.store(n_games > 7, Ordering::Relaxed);
                })
                .unwrap();
            if summary.missing == 0 {
                break;
            }
        }
        assert_eq!(all, games(&experiment, &store));
    }
}

#[test]
fn nobody_meets_twice_in_a_swiss_tournament_and_progress_knows_its_size() {
    let experiment = swiss();
    let mut store = Store::in_memory().unwrap();
    let mut last = None;
    let interrupt = AtomicBool::new(false);
    experiment
        .run_watched(&RunSettings::on_threads(2), &mut store, &interrupt, &mut |progress| {
            let total = progress.total();
            assert_eq!(total.wanted, 24, "two pairs of four games in each of three rounds");
            last = Some((total.done, progress.round.unwrap().number));
        })
        .unwrap();
    assert_eq!(last, Some((24, 3)));
    let met = experiment.meetings(&store).unwrap();
    assert!(met.iter().all(|meeting| [0, 2].contains(&meeting.n_pairs())));
    assert_eq!(met.iter().filter(|meeting| meeting.n_pairs() > 0).count(), 6);
}

#[test]
fn the_question_decides_who_plays() {
    let count = |ask: &str| {
        let experiment = widest(ask);
        let mut store = Store::in_memory().unwrap();
        experiment.run(&RunSettings::on_threads(2), &mut store).unwrap();
        let met = experiment.meetings(&store).unwrap();
        let of =
            |a: usize, b: usize| met.iter().find(|it| (it.player, it.opponent) == (a, b)).unwrap().n_games();
        (of(0, 1), of(2, 3))
    };
    // Between the two searches, and between the two players without a search.
    let (list, ahead) = (count("list"), count("uct@60 > rave@60"));
    assert!(ahead.0 > 2 * list.0 && ahead.1 < list.1, "{list:?} {ahead:?}");
}

#[test]
fn a_sure_answer_ends_it() {
    let words = ScheduleWords {
        schedule: Some("widest"),
        total: Some(2000),
        ask: Some("uct@60 > random"),
        until: Some("99%"),
        ..ScheduleWords::default()
    };
    let experiment = scheduled(builder(&["hex:4"], 3), words);
    let mut store = Store::in_memory().unwrap();
    let summary = experiment.run(&RunSettings::on_threads(2), &mut store).unwrap();
    assert_eq!(summary.missing, 0);
    assert!((20..400).contains(&summary.played), "{}", summary.played);
    let tournament = experiment.tournament.as_ref().unwrap();
    let ratings = tournament.ratings(&experiment.meetings(&store).unwrap(), &tournament.rating_settings());
    assert_eq!(ratings.answer(Question::Ahead(0, 2), 0.01).unwrap().player, 0);
}

#[test]
fn a_tournament_reads_its_own_definition() {
    for experiment in [swiss(), widest("first"), builder(&["hex:4", "breakthrough:3x5"], 3).build().unwrap()]
    {
        let Experiment::Matches(again) =
            Experiment::parse(experiment.definition.clone(), Path::new("")).unwrap()
        else {
            panic!("of matches")
        };
        assert_eq!(again.tournament, experiment.tournament);
        assert_eq!((again.address, again.games), (experiment.address, experiment.games));
        assert_eq!(again.command, experiment.command);
    }
}

#[test]
fn files_have_labels_budgets_and_anchors() {
    let text = "title='T'\nseed=1\ngames=10\n[tournament]\ngame='hex:5'\nbudget=100\nanchor='quick'\nanchor_elo=1500\n\
        players=['rave', {label='quick', value='uct@10'}]\nschedule='widest'\nask='rave@100 > quick'\nuntil='95%'";
    let experiment = MatchExperiment::parse(Definition::built_in("t", text, &[]).unwrap()).unwrap();
    let tournament = experiment.tournament.as_ref().unwrap();
    assert_eq!(tournament.players[0].label, "rave@100");
    assert_eq!(tournament.anchor.map(|anchor| (anchor.player, anchor.elo)), Some((1, 1500.0)));
    assert!(matches!(
        tournament.format,
        TournamentFormat::Widest { question: Question::Ahead(0, 1), total: 10, until: Some(_) }
    ));
    assert_eq!(experiment.grids[0].entries[0].column(), "quick");
}

#[test]
fn wrong_tournaments_are_refused_in_a_sentence() {
    let base = "title='T'\nseed=1\ngames=10\n[tournament]\ngame='hex:5'\n";
    let error = |rest: &str| {
        let definition = Definition::built_in("t", &format!("{base}{rest}"), &[]).unwrap();
        MatchExperiment::parse(definition).unwrap_err().to_string()
    };
    for (rest, end) in [
        ("players=['random']", "a tournament has from 2 to 200 players, not 1"),
        ("players=['random','random']", "the player random is named twice"),
        (
            "players=['random','greedy']\nschedule='knockout'",
            "'knockout' is not a schedule: the schedules are round-robin, gauntlet, swiss and widest",
        ),
        ("players=['random','greedy']\nrounds=3", "rounds is for the schedule swiss"),
        (
            "players=['random','greedy']\nanchor='uct'",
            "there is no player 'uct' in the tournament: the players are random, greedy",
        ),
        (
            "players=['random','greedy']\nschedule='widest'\nask='random'",
            "'random' is not a question: write list, first, or A > B with the names of two players",
        ),
        (
            "players=['random','greedy']\nschedule='widest'\nuntil='95'",
            "'95' is not a confidence to stop at: it is above 50% and below 100%, such as 95% or 0.95",
        ),
        (
            "players=['random','greedy']\nschedule='widest'\nuntil='95%'",
            "a list is never sure as a whole: give the half-width in Elo with within",
        ),
    ] {
        assert!(error(rest).ends_with(end), "{}", error(rest));
    }
}

#[test]
fn a_planned_tournament_has_no_shards() {
    let settings = RunSettings { shard: "1/2".parse().unwrap(), ..RunSettings::default() };
    let opened = Campaign::open(swiss(), Store::in_memory().unwrap(), settings.clone());
    assert!(matches!(opened.err(), Some(RunError::Planned(_))));
    let all = builder(&["hex:4"], 3).build().unwrap();
    assert!(Campaign::open(all, Store::in_memory().unwrap(), settings).is_ok());
}
