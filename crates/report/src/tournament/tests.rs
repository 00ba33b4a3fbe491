//! Rating lists of results made by hand, and of small tournaments that are played.

use tesuji_arena::ratings::Meeting;
use tesuji_arena::{MatchExperiment, RunSettings, ScheduleWords, Store, Tournament, TournamentBuilder};

use super::*;
use crate::Screen;
use crate::figure::Marks;
use crate::store::{Detail, StoreFilter, StoreReport, ratings_csv};

/// A round robin of searches with 10, 11, … samples.
fn experiment(games: &[&str], n_players: usize) -> MatchExperiment {
    let players = (0..n_players).map(|index| format!("hybrid-shuss(t=512)@{}", 10 + index).parse().unwrap());
    let games = games.iter().map(|game| game.parse().unwrap()).collect();
    TournamentBuilder { each: 8, ..TournamentBuilder::new(games, players.collect()) }.build().unwrap()
}

/// The list of a round robin in which the player that was named earlier wins six of eight games.
fn list(tournament: &Tournament, has_met: impl Fn(usize, usize) -> bool) -> RatingList {
    let mut meetings = Vec::new();
    for pair in tournament.pairs.iter().filter(|pair| has_met(pair.player, pair.opponent)) {
        let mut meeting = Meeting::new(pair.player, pair.opponent, pair.game);
        meeting.pairs[2] = [2, 0, 2];
        meetings.push(meeting);
    }
    let ratings = tournament.ratings(&meetings, &tournament.rating_settings());
    RatingList::of(tournament, &ratings, &meetings, None)
}

fn results(tournament: &Tournament, overall: RatingList) -> TournamentResults {
    TournamentResults {
        schedule: "round-robin".to_owned(),
        schedule_text: "Round robin.".to_owned(),
        games: tournament.games.iter().map(ToString::to_string).collect(),
        played: 8,
        wanted: 8,
        may_stop: false,
        rounds: None,
        anchor: None,
        overall,
        by_game: Vec::new(),
        question: None,
        notes: Vec::new(),
    }
}

#[test]
fn many_players_fit_narrow_screens() {
    let tournament = experiment(&["hex:5"], 20).tournament.unwrap();
    let results = results(&tournament, list(&tournament, |_, _| true));
    for width in [80, 100, 120, 200] {
        let screen = Screen { width, ..Screen::default() };
        let text = text(&results, "Twenty players", &screen);
        let wide = text.lines().find(|line| crate::screen::columns(line) > width);
        assert_eq!(wide, None, "{width}");
        assert!(text.lines().any(|line| line.starts_with(" 20 ") && line.contains("@29")), "{text}");
        // The ranks name the columns.
        let heads = text.lines().filter(|line| line.trim_start().starts_with("# ") && line.ends_with(" 20"));
        assert_eq!(heads.count(), 1, "{text}");
    }
}

#[test]
fn groups_that_never_met_are_told_apart() {
    let tournament = experiment(&["hex:5"], 5).tournament.unwrap();
    let list = list(&tournament, |a, b| (a < 2) == (b < 2) && b < 4);
    assert_eq!(list.players.iter().map(|player| player.group).collect::<Vec<_>>(), [1, 1, 2, 2, 3]);
    let label = |index: usize| tournament.players[index].label.clone();
    let groups = format!("{}, {}; {}, {}", label(0), label(1), label(2), label(3));
    assert_eq!(
        list.notes,
        [
            format!(
                "No games connect these groups of players, so ratings of different groups cannot be compared: \
                 {groups}."
            ),
            format!("Without games: {}.", label(4)),
        ]
    );
    assert_eq!((list.superiority[0][2], list.players[1].los), (None, None));
    let text = text(&results(&tournament, list), "Groups", &Screen::default());
    assert!(text.contains("group"), "{text}");
}

#[test]
fn covariances_belong_to_the_errors() {
    let tournament = experiment(&["hex:5"], 4).tournament.unwrap();
    let list = list(&tournament, |_, _| true);
    for (row, player) in list.players.iter().enumerate() {
        let error = crate::numbers::Z_95 * list.covariance[row][row].unwrap().sqrt();
        assert!((error - player.error.unwrap()).abs() < 1e-9);
        // Ratings are relative to their mean.
        let sum: f64 = list.covariance[row].iter().map(|entry| entry.unwrap()).sum();
        assert!(sum.abs() < 1e-6 * error * error, "{sum}");
    }
}

fn small(games: &[&str], words: ScheduleWords<'_>) -> MatchExperiment {
    let players = ["uct@30", "rave@30", "random"].map(|player| player.parse().unwrap());
    let games = games.iter().map(|game| game.parse().unwrap()).collect();
    let builder = TournamentBuilder { each: 4, ..TournamentBuilder::new(games, players.to_vec()) };
    builder.with_schedule(&words).unwrap().build().unwrap()
}

#[test]
fn stores_show_tournaments_in_all_forms() {
    let experiment = small(&["hex:3", "breakthrough:3x5"], ScheduleWords::default());
    let mut store = Store::in_memory().unwrap();
    experiment.run(&RunSettings::on_threads(2), &mut store).unwrap();
    let results = crate::matches::results(&experiment, &store).unwrap();
    let tournament = results.tournament.as_ref().unwrap();
    assert_eq!((tournament.played, tournament.wanted, tournament.by_game.len()), (24, 24, 2));
    let figure = figure(tournament, "T").unwrap();
    assert_eq!(figure.panels.len(), 3);
    let Marks::Rows { rows, series } = &figure.panels[0].marks else { panic!("rows") };
    assert_eq!((rows.len(), series[0].points.len()), (3, 3));
    // A line for each player of three lists, and the names of the columns.
    assert_eq!(ratings_csv(&results).unwrap().lines().count(), 10);

    let report = StoreReport::read(&store, "t.db", &StoreFilter::default()).unwrap();
    assert_eq!(report.figures()[0].name, "tournament-hex-3--breakthrough-3x5-ratings");
    let page = report.html("here");
    assert!(
        page.contains("Crosstable") && page.contains("tesuji tournament hex:3,breakthrough:3x5"),
        "{page}"
    );
    assert!(report.markdown().contains("Advantage of moving first"));
    let text = report.text(Detail::Tables, &Screen::default());
    assert!(text.starts_with("tournament hex:3, breakthrough:3x5: 24 of 24 games.\n"), "{text}");
    assert_eq!(report.ratings_csv(), ratings_csv(&results));
    let cells = report.text(Detail::Cells, &Screen::default());
    assert!(cells.contains("hex:3: uct@30"), "{cells}");
}

#[test]
fn planned_tournaments_count_the_games_of_all_rounds() {
    let words = ScheduleWords { schedule: Some("swiss"), rounds: Some(2), ..ScheduleWords::default() };
    let experiment = small(&["hex:3"], words);
    let mut store = Store::in_memory().unwrap();
    let of = |store: &Store| {
        let results = crate::matches::results(&experiment, store).unwrap().tournament.unwrap();
        (results.played, results.wanted, results.rounds)
    };
    assert_eq!(of(&store), (0, 8, Some(1)));
    experiment.run(&RunSettings::on_threads(2), &mut store).unwrap();
    assert_eq!(of(&store), (8, 8, Some(2)));
    let text = StoreReport::read(&store, "t.db", &StoreFilter::default()).unwrap();
    assert!(text.text(Detail::Tables, &Screen::default()).contains(": 8 of 8 games.\n"));
}

#[test]
fn a_tournament_that_is_sure_wants_no_more_games() {
    let words = ScheduleWords {
        schedule: Some("widest"),
        total: Some(1000),
        ask: Some("rave@30 > random"),
        until: Some("95%"),
        ..ScheduleWords::default()
    };
    let experiment = small(&["hex:3"], words);
    let mut store = Store::in_memory().unwrap();
    let before = crate::matches::results(&experiment, &store).unwrap().tournament.unwrap();
    assert_eq!((before.wanted, before.may_stop), (1000, true));
    experiment.run(&RunSettings::on_threads(2), &mut store).unwrap();
    let after = crate::matches::results(&experiment, &store).unwrap().tournament.unwrap();
    assert!(after.wanted < 1000 && after.wanted == after.played && !after.may_stop);
    let question = after.question.unwrap();
    assert!(question.is_sure && question.text.starts_with("rave@30 is ahead of random: "), "{question:?}");
}

#[test]
fn equal_games_are_noted() {
    // Players without random numbers play one game again and again.
    let players = ["uct@2", "greedy"].map(|player| player.parse().unwrap());
    let builder = TournamentBuilder::new(vec!["hex:2".parse().unwrap()], players.to_vec());
    let experiment = TournamentBuilder { each: 60, ..builder }.build().unwrap();
    let mut store = Store::in_memory().unwrap();
    experiment.run(&RunSettings::on_threads(2), &mut store).unwrap();
    let results = crate::matches::results(&experiment, &store).unwrap().tournament.unwrap();
    assert!(results.notes[0].starts_with("Many games are equal"), "{:?}", results.notes);
}
