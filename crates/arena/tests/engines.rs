//! Matches against engines of others: one that plays, and those that do not play fair.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
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
        let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let engine = quoted(&format!("gtp({})", quoted(engine)));
        let text = format!(
            "title='t'\nseed=1\ngames={games}\n[[grid]]\ngame='{game}'\nplayer={engine}\nopponent='{opponent}'\n"
        );
        let experiment = MatchExperiment::parse(Definition::built_in("e", &text, &[]).unwrap()).unwrap();
        let mut store = Store::in_memory().unwrap();
        let (interrupt, mut silent) = (AtomicBool::new(false), |_: &tesuji_arena::Progress<'_>| {});
        let mut settings = RunSettings {
            genmove: Some(Duration::from_millis(1500)),
            ..RunSettings::new(1, &interrupt, &mut silent)
        };
        let run = experiment.run(&mut settings, &mut store);
        Contest { experiment, store, run }
    }

    /// With one of the scripts of the GTP crate's tests.
    fn script(name: &str, games: u64) -> Contest {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../gtp/tests/engines");
        Contest::new(&format!("sh '{}'", folder.join(name).display()), "random", "go:5", games)
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

#[test]
fn gnu_go_beats_a_random_player() {
    let command =
        if std::path::Path::new("/usr/games/gnugo").exists() { "/usr/games/gnugo" } else { "gnugo" };
    let command =
        format!("{command} --mode gtp --level 1 --chinese-rules --positional-superko --capture-all-dead");
    let contest = Contest::new(&command, "random", "go:7", 4);
    assert!(contest.run.is_ok(), "install Debian's package 'gnugo': {:?}", contest.run);
    let games = contest.games();
    assert_eq!(games.iter().map(Game::points).sum::<f64>(), 4.0, "{games:?}");
    assert!(games.iter().all(|game| matches!(game.reason, Reason::Rules | Reason::Resigned)));
    let played = &contest.experiment.played(&contest.store).unwrap()[0];
    assert_eq!(played.engines, [vec!["GNU Go 3.8".to_owned()], Vec::new()]);
    assert!(played.used[0] > 0.0);
    assert_eq!(played.voids, 0);
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
    let (kind, message) = contest.fault();
    assert_eq!(kind, "not started");
    assert!(message.contains("engine cannot be started: "), "{message}");
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
