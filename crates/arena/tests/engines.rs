//! Matches against engines of others: one that plays, and those that do not play fair.

use std::path::PathBuf;
use std::time::Duration;

use tesuji_arena::record::{Game, Reason, Void};
use tesuji_arena::{Definition, MatchExperiment, RunError, RunSettings, Store, Summary};

/// Plays games of Go 5x5 between the engine and a player that moves at random.
struct Contest {
    experiment: MatchExperiment,
    store: Store,
    run: Result<Summary, RunError>,
}

impl Contest {
    fn new(engine: &str, opponent: &str, game: &str, games: u64) -> Contest {
        Contest::with_rules("", engine, opponent, game, games)
    }

    fn with_rules(rules: &str, engine: &str, opponent: &str, game: &str, games: u64) -> Contest {
        let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let engine = quoted(&format!("gtp({})", quoted(engine)));
        let text = format!(
            "title='t'\nseed=1\ngames={games}\nrules={{{rules}}}\n[[grid]]\ngame='{game}'\nplayer={engine}\nopponent='{opponent}'\n"
        );
        let experiment = MatchExperiment::parse(Definition::built_in("e", &text, &[]).unwrap()).unwrap();
        let mut store = Store::in_memory().unwrap();
        let engine_timeout = Some(Duration::from_millis(1500));
        let settings = RunSettings { engine_timeout, ..RunSettings::default() };
        let run = experiment.run(&settings, &mut store);
        Contest { experiment, store, run }
    }

    /// With one of the scripts of the GTP crate's tests.
    fn script(name: &str, games: u64) -> Contest {
        Contest::new(&script(name), "random", "go:5", games)
    }

    /// The same with a clock.
    fn timed(clock: &str, name: &str, games: u64) -> Contest {
        Contest::with_rules(&format!("clock='{clock}'"), &script(name), "random", "go:5", games)
    }

    fn games(&self) -> Vec<Game> {
        self.store.games(self.experiment.address, &self.experiment.cells[0].key).unwrap()
    }

    fn voids(&self) -> Vec<Void> {
        self.store.voids(self.experiment.address).unwrap()
    }

    /// The one word for what went wrong, twice, after which the run stopped.
    fn fault(&self) -> (String, String) {
        let Err(error @ RunError::Voids { .. }) = &self.run else { panic!("{:?}", self.run) };
        let voids = self.voids();
        assert_eq!(voids.len(), 2);
        assert_eq!(voids[0].kind, voids[1].kind);
        assert!(self.games().is_empty());
        (voids[0].kind.clone(), error.to_string())
    }
}

/// The command of a script.
fn script(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../gtp/tests/engines");
    format!("sh '{}'", folder.join(name).display())
}

/// GNU Go, as it must be told of our rules.
fn gnu_go() -> String {
    let command =
        if std::path::Path::new("/usr/games/gnugo").exists() { "/usr/games/gnugo" } else { "gnugo" };
    format!("{command} --mode gtp --level 1 --chinese-rules --positional-superko --capture-all-dead")
}

#[test]
fn gnu_go_beats_a_random_player() {
    let contest = Contest::new(&gnu_go(), "random", "go:7", 4);
    assert!(contest.run.is_ok(), "install Debian's package 'gnugo': {:?}", contest.run);
    let games = contest.games();
    assert_eq!(games.iter().map(Game::points).sum::<f64>(), 4.0, "{games:?}");
    assert!(games.iter().all(|game| matches!(game.reason, Reason::Rules | Reason::Resigned)));
    let played = &contest.experiment.played(&contest.store).unwrap()[0];
    assert_eq!(played.engines, [vec!["GNU Go 3.8".to_owned()], Vec::new()]);
    assert!(played.used[0] > 0.0);
    assert_eq!(played.voids, 0);
    // It was asked for the score of what was counted, and has the same.
    assert_eq!(played.disagreements, []);
    for game in games {
        let scores = contest.store.circumstances(&game.address).unwrap().unwrap().scores;
        assert_eq!(!scores[0].is_empty(), game.reason == Reason::Rules, "{scores:?}");
        assert_eq!(scores[1], "");
    }
}

#[test]
fn gnu_go_plays_by_the_clock() {
    for clock in ["30s", "5s+3x5s"] {
        let rules = format!("clock='{clock}'");
        let contest = Contest::with_rules(&rules, &gnu_go(), "random", "go:5", 1);
        assert!(contest.run.is_ok(), "{:?}", contest.run);
        assert!(contest.games().iter().all(|game| game.points() == 1.0 && game.reason != Reason::Time));
    }
}

#[test]
fn who_thinks_too_long_loses_on_time() {
    let contest = Contest::timed("1s", "thinks-for-two-seconds.sh", 2);
    let summary = contest.run.as_ref().unwrap();
    assert_eq!((summary.played, summary.voids), (2, 0));
    for game in contest.games() {
        assert_eq!((game.points(), game.reason), (0.0, Reason::Time));
        // The move that came too late was not made.
        assert_eq!(game.plies, u32::from(game.address.index == 1));
    }
    let cell = &contest.experiment.cells[0];
    assert_eq!(
        contest.store.played(contest.experiment.address, &cell.key).unwrap().reasons,
        [(Reason::Time, 2)]
    );
}

#[test]
fn who_never_moves_loses_on_time_and_is_started_anew() {
    let contest = Contest::timed("0s+2x500ms", "hangs-at-genmove.sh", 2);
    let summary = contest.run.as_ref().unwrap();
    assert_eq!((summary.played, summary.voids), (2, 0));
    assert!(contest.games().iter().all(|game| game.points() == 0.0 && game.reason == Reason::Time));
}

#[test]
fn engines_are_told_of_their_clocks() {
    // It refuses to move otherwise.
    let contest = Contest::timed("1m", "keeps-time.sh", 2);
    assert_eq!(contest.run.as_ref().map(|summary| (summary.played, summary.voids)).unwrap(), (2, 0));
    assert_eq!(Contest::script("keeps-time.sh", 1).fault().0, "refused");
}

#[test]
fn players_of_ours_have_clocks_too() {
    let quick = "rules={clock='1m'}\n";
    let slow = "rules={clock='20ms'}\n";
    for (rules, expected) in [(quick, Reason::Rules), (slow, Reason::Time)] {
        let text = format!(
            "title='t'\nseed=1\ngames=1\n{rules}[[grid]]\ngame='hex:3'\nplayer='uct@{}'\nopponent='random'\n",
            if expected == Reason::Time { "400ms" } else { "100" }
        );
        let experiment = MatchExperiment::parse(Definition::built_in("e", &text, &[]).unwrap()).unwrap();
        let mut store = Store::in_memory().unwrap();
        experiment.run(&RunSettings::default(), &mut store).unwrap();
        let games = store.games(experiment.address, &experiment.cells[0].key).unwrap();
        assert_eq!(games[0].reason, expected, "{games:?}");
        assert!(experiment.replay(&experiment.cells[0], 0).is_none());
    }
}

#[test]
fn engines_may_count_otherwise() {
    let contest = Contest::script("counts-for-white.sh", 4);
    let disagreements = &contest.experiment.played(&contest.store).unwrap()[0].disagreements;
    let [it] = &disagreements[..] else { panic!("{disagreements:?}") };
    assert_eq!((it.engine.as_str(), it.counted, it.score.as_str()), ("counts-for-white 1.0", 4, "W+3.5"));
    assert!(it.games > 0 && it.count != "W+3.5", "{it:?}");
}

#[test]
fn an_engine_without_a_score_voids_nothing() {
    let contest = Contest::script("crashes-at-score.sh", 2);
    let summary = contest.run.as_ref().unwrap();
    assert_eq!((summary.played, summary.voids), (2, 0));
    let about = contest.store.circumstances(&contest.games()[0].address).unwrap().unwrap();
    assert_eq!((about.scores[0].as_str(), about.engines[0].as_str()), ("", "crashes-at-score 1.0"));
}

#[test]
fn faults_are_told_apart() {
    let fault = |script: &str| Contest::script(script, 1).fault();
    let (kind, message) = fault("crashes-at-third-genmove.sh");
    assert_eq!(kind, "crashed");
    assert!(message.starts_with("stopped after 2 void games in a row of go:5: gtp("), "{message}");
    assert!(message.contains("the third is too much"), "{message}");
    assert_eq!(fault("hangs-at-genmove.sh").0, "hung");
    assert_eq!(fault("garbage.sh").0, "garbage");
    assert_eq!(fault("refuses-everything.sh").0, "refused");
    let contest = Contest::new("/no/such/engine", "random", "go:5", 1);
    let Err(error @ RunError::NotStarted { .. }) = &contest.run else { panic!("{:?}", contest.run) };
    assert_eq!(error.to_string(), "engine cannot be started: there is no such program");
    assert_eq!((contest.voids().len(), contest.games().len()), (0, 0));
}

#[test]
fn what_an_engine_said_last_is_kept() {
    let contest = Contest::script("crashes-at-third-genmove.sh", 1);
    let void = &contest.voids()[0];
    assert_eq!(void.stderr.trim(), "the third is too much");
    assert!(void.moves.starts_with("a1 ") && void.moves.split(' ').count() == 4, "{}", void.moves);
}

#[test]
fn an_illegal_move_loses() {
    let contest = Contest::script("illegal.sh", 4);
    assert_eq!(contest.run.as_ref().map(|summary| summary.played).unwrap(), 4);
    for game in contest.games() {
        assert_eq!((game.points(), game.reason), (0.0, Reason::IllegalMove));
        assert!(game.moves.ends_with("A1"), "{}", game.moves);
    }
}

#[test]
fn an_engine_may_resign() {
    let games = Contest::script("resigns.sh", 2).games();
    assert!(games.iter().all(|game| game.points() == 0.0 && game.reason == Reason::Resigned));
}

#[test]
fn a_void_game_is_played_again() {
    // Crashes when it is to move, but only the first time that it is started.
    let folder = std::env::temp_dir().join(format!("tesuji-engines-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let common = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../gtp/tests/engines/common.sh");
    let (script, mark) = (folder.join("once.sh"), folder.join("mark"));
    let text = format!(
        ". '{}'\ngenmove() {{\n    [ -e '{mark}' ] || {{ touch '{mark}'; exit 3; }}\n    succeed pass\n}}\nserve\n",
        common.display(),
        mark = mark.display()
    );
    std::fs::write(&script, text).unwrap();
    let contest = Contest::new(&format!("sh '{}'", script.display()), "random", "go:5", 4);
    std::fs::remove_dir_all(&folder).unwrap();
    let summary = contest.run.as_ref().unwrap();
    assert_eq!((summary.played, summary.voids, summary.missing), (4, 1, 0));
    assert_eq!(contest.voids()[0].kind, "crashed");
    assert_eq!(contest.games().len(), 4);
}
