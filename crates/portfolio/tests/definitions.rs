//! Experiments keep their addresses and the text that a store has of them: otherwise games
//! that were played would not be found again, and stored experiments would be others.
//!
//! `UPDATE_GOLDEN=1 cargo test` writes the file anew, which makes old stores strangers.

use std::path::Path;

use tesuji_arena::{Experiment, Match, MatchExperiment, Openings, Rules, Store, opening_lines};
use tesuji_core::Seed;
use tesuji_portfolio::KomiMatches;
use tesuji_portfolio::seeds::{SeedGames, Symmetries};

/// Everything of an experiment that a store or a seed depends on.
fn pinned(what: &str, experiment: &MatchExperiment) -> String {
    let mut store = Store::in_memory().unwrap();
    experiment.note(&mut store).unwrap();
    let stored = &store.experiments().unwrap()[0];
    assert_eq!(stored.experiment, experiment.address);
    // What is stored reads back as the same experiment.
    let Experiment::Matches(again) = stored.read().unwrap() else { panic!("{what} has matches") };
    assert_eq!(summary(&again), summary(experiment), "{what}");
    let definition = &stored.definition;
    let beside = Seed::new(0).child(format!("{:?}", definition.beside).as_str());
    format!(
        "## {what}\nname {}\nbeside {beside}\n{}{}\n",
        definition.name,
        summary(experiment),
        definition.text
    )
}

fn summary(experiment: &MatchExperiment) -> String {
    format!("title {}\n{}{}", experiment.title, identity(experiment), tables(experiment))
}

/// What games depend on.
fn identity(experiment: &MatchExperiment) -> String {
    let MatchExperiment { command, address, games, rules, .. } = experiment;
    let mut text = format!("command {command:?}\naddress {address}\ngames {games}\nrules {rules}\n");
    for cell in &experiment.cells {
        text += &format!(
            "cell {} {} {} {}\n",
            cell.id,
            cell.key,
            cell.is_reproducible(),
            experiment.seed(cell, 3)
        );
    }
    text
}

/// Where cells are in tables.
fn tables(experiment: &MatchExperiment) -> String {
    let mut text = String::new();
    for grid in &experiment.grids {
        text += &format!("grid {:?} {:?}\n", grid.title(), grid.label);
        for entry in &grid.entries {
            let (row, column, panel) = (entry.row(), entry.column(), entry.panel());
            text += &format!("entry {row:?} {column:?} {panel:?} {} {:?}\n", entry.cell, entry.published);
        }
    }
    text
}

fn between(game: &str, player: &str, opponent: &str) -> Match {
    Match::new(game.parse().unwrap(), player.parse().unwrap(), opponent.parse().unwrap())
        .budget("1000".parse().unwrap())
}

fn matches() -> Vec<(&'static str, Match)> {
    let plain = || between("hex:7", "hybrid-shuss(t=512)", "rave@2000");
    let ruled = |rules: Rules| Match { rules, ..plain() };
    let opened = |openings: Openings| ruled(Rules { openings, ..Rules::default() });
    let openings = || opened(Openings::Listed(opening_lines("# two\nb2\n a1, b1 \n")));
    vec![
        ("match: plain", plain()),
        ("match: misère and a time", between("misere(go:9(komi=6.5))", "uct@50ms", "random")),
        ("match: an engine", between("go:9", "rave@5000", r#"gtp("sh -c 'echo \"a\\b\"' {x}")"#)),
        ("match: turned", between("hex:5", "turned(1,uct@50)", "uct(c=0.31)+prior(sh,64)@64")),
        ("match: random plies", Match { games: 37, seed: 12, ..opened(Openings::Random(4)) }),
        ("match: no random plies", opened(Openings::Random(0))),
        (
            "match: openings of a file",
            Match { openings_file: Some("two openings.txt".to_owned()), ..openings() },
        ),
        ("match: openings of a program", openings()),
        (
            "match: all rules",
            ruled(Rules {
                openings: Openings::Random(1),
                most_moves: Some(60),
                resign_below: Some(0.0),
                claim_above: Some(0.95),
                clock: Some("5m+3x30s".parse().unwrap()),
                ..Rules::default()
            }),
        ),
        ("match: no clock", ruled(Rules { clock: Some("unlimited".parse().unwrap()), ..Rules::default() })),
    ]
}

fn komi() -> Vec<MatchExperiment> {
    let (game, player) = ("phantom-go:3".parse().unwrap(), "flat(uniform)@5".parse().unwrap());
    let matches = KomiMatches { game: &game, player: &player, seed: 7, games: 4 };
    let mut asked = Vec::new();
    let stop = matches.search(&mut Store::in_memory().unwrap(), |experiment, _| {
        asked.push(experiment.clone());
        Err("enough")
    });
    assert!(stop.is_err());
    asked
}

#[test]
fn experiments_are_what_they_were() {
    let mut text = String::new();
    for (what, between) in matches() {
        text += &pinned(what, &between.experiment().unwrap());
    }
    for (what, game, player, seed, seeds, symmetries) in [
        ("seeds", "phantom-go:3(komi=2.5)", "flat(uniform)@20", 1, 3, Symmetries::Off),
        ("seeds: turned", "dark-hex:3", "flat(sh(lambda=[0.3,0.7]))@20", 9, 2, Symmetries::On),
        ("seeds: no spectators", "hex:3", "uct@20", 1, 31_622, Symmetries::On),
    ] {
        let (game, player) = (game.parse().unwrap(), player.parse().unwrap());
        text += &pinned(what, &SeedGames::new(&game, &player, seed, seeds, symmetries).unwrap().experiment);
    }
    for experiment in komi() {
        text += &pinned("komi", &experiment);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "toml")) {
        if let Experiment::Matches(experiment) = Experiment::read(file).unwrap() {
            let name = experiment.name().to_owned();
            // Files are long; their digests say as much. Their words for readers may change.
            let digest = |text: String| format!("## {name}\n{}\n\n", Seed::new(0).child(text.as_str()));
            text += &digest(identity(&experiment));
            text += &digest(identity(&experiment.quickened()));
        }
    }
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/definitions.golden");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&golden, &text).unwrap();
    }
    let expected = std::fs::read_to_string(&golden).unwrap();
    for (now, before) in text.lines().zip(expected.lines()) {
        assert_eq!(now, before);
    }
    assert_eq!(text, expected);
}
