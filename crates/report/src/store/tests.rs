//! A small store in memory, in every form.

use tesuji_arena::record::{Address, Void};
use tesuji_arena::{Definition, Experiment, MatchExperiment, PausedGame, RunSettings, Store};

use super::*;
use crate::Screen;

const FILE: &str = "title = 'Small <games>'\npaper = 'None & nobody'\ntext = 'For tests.'\nseed = 1\ngames = 12\n\
    quick = { games = 2, budget = 5, only = ['hex:3'] }\n\
    [[grid]]\ntitle = 'Won, %'\ngame = 'hex:{n}'\nplayer = '{p}'\nopponent = 'random'\nrow = 'Hex {n}'\ncolumn = '{p}'\n\
    label = 'player'\n\
    each = [{ name = 'n', values = [3, 4] }, { name = 'p', values = ['random', 'uct@20'] }]\n\
    published = { file = 'p.csv', row = { n = '{n}' }, column = '{p}', full = 100, games = 500 }\n";
const PUBLISHED: &str = "n,random,uct@20\n3,50,90\n4,50,10\n";

fn parsed(text: &str) -> MatchExperiment {
    let definition = Definition::built_in("small", text, &[("p.csv", PUBLISHED)]).unwrap();
    match Experiment::parse(definition, std::path::Path::new("")).unwrap() {
        Experiment::Matches(experiment) => experiment,
        Experiment::Bandits(_) | Experiment::Tuning(_) => panic!("it has a grid"),
    }
}

fn play(experiment: &MatchExperiment, store: &mut Store) {
    let settings = RunSettings { build: "test".to_owned(), ..RunSettings::default() };
    experiment.run(&settings, store).unwrap();
}

/// The file's cells, its quick ones, one that it has no longer, and a void game.
fn store() -> Store {
    let mut store = Store::in_memory().unwrap();
    let experiment = parsed(FILE);
    play(
        &parsed(
            &FILE.replace("'uct@20'", "'uct@7'").replace("column = '{p}', full", "column = 'random', full"),
        ),
        &mut store,
    );
    play(&experiment.clone().quickened(), &mut store);
    play(&experiment, &mut store);
    let address = Address { experiment: experiment.address, cell: experiment.cells[0].key.clone(), index: 3 };
    let void = Void {
        address,
        at: 1,
        contestant: "gtp(\"a < b\")".to_owned(),
        kind: "crashed".to_owned(),
        message: "it went <away>".to_owned(),
        moves: String::new(),
        stderr: String::new(),
    };
    store.put_void(&void).unwrap();
    store
}

fn report(filter: &StoreFilter) -> StoreReport {
    let mut report = StoreReport::read(&store(), "my store.db", filter).unwrap();
    // Clocks are the one thing in which two runs differ.
    for experiment in &mut report.experiments {
        let ExperimentReport::Matches(report) = experiment else { continue };
        let versions = [Some(&mut report.whole), report.quick.as_mut()].into_iter().flatten();
        let cells = versions.flat_map(|results| &mut results.grids).flat_map(|grid| &mut grid.cells);
        for cell in cells.chain(&mut report.others) {
            (cell.mean_seconds, cell.mean_used) = (Some(0.25), Some([0.125, 0.125]));
        }
    }
    report
}

fn only_one(report: &StoreReport) -> &MatchReport {
    match &report.experiments[..] {
        [ExperimentReport::Matches(report)] => report,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_cell_that_has_games_is_shown() {
    let report = report(&StoreFilter::default());
    let found = only_one(&report);
    assert_eq!(found.whole.cells().filter(|cell| cell.count.games() == 12).count(), 4);
    assert_eq!(found.quick.as_ref().unwrap().cells().count(), 1);
    let others: Vec<&str> = found.others.iter().map(|cell| cell.player.as_str()).collect();
    assert_eq!(others, ["uct@7", "uct@7"]);
    assert_eq!(found.builds, ["test"]);
    assert_eq!(
        found.progress(),
        "48 of 48 games, 4 of 4 cells begun; quick version: 2 of 2 games; \
         24 games of 2 other cells; 1 void game"
    );
}

#[test]
fn games_in_flight_are_told_and_leave_the_verdict_open() {
    let mut store = store();
    let experiment = parsed(FILE);
    let cell = experiment.cells.iter().find(|cell| cell.key.starts_with("hex:4: uct@20")).unwrap();
    let address = Address { experiment: experiment.address, cell: cell.key.clone(), index: 12 };
    let paused = PausedGame {
        address,
        opening: 0,
        moves: "a1".to_owned(),
        plies: 1,
        refusals: 0,
        samples: [20, 0],
        carried: [0; 2],
        minds: Default::default(),
        policies: Vec::new(),
        began: 1,
        seconds: 0.5,
        used: [0.5, 0.0],
    };
    store.keep_paused(&[paused]).unwrap();
    let report = StoreReport::read(&store, "s.db", &StoreFilter::default()).unwrap();
    let found = only_one(&report);
    assert!(found.progress().ends_with("; 1 in flight; 1 void game"), "{}", found.progress());
    let verdicts =
        |report: &StoreReport| only_one(report).whole.cells().map(CellResults::verdict).collect::<Vec<_>>();
    assert_eq!(verdicts(&report)[3], Some(Verdict::Open));
    let summary = found.whole.grids[0].summary.as_ref().unwrap();
    assert!(summary.contains("(3 cells with at least ten games and none in flight)"), "{summary}");
    for form in [report.text(Detail::Tables, &Screen::default()), report.html("here"), report.markdown()] {
        assert!(form.replace('\n', " ").contains("1 game is in flight. Short games end first"), "{form}");
    }
    let json = serde_json::to_value(&report).unwrap();
    let grid = &json["experiments"][0]["whole"]["grids"][0];
    assert_eq!(grid["cells"][3]["in_flight"], 1);
    assert_eq!(grid["cells"][3]["comparison"]["verdict"], "open");
    // The game is over, and the verdict is given.
    assert_eq!(verdicts(&self::report(&StoreFilter::default()))[3], Some(Verdict::Differs));
}

#[test]
fn words_choose_cells() {
    let only = |words: &str| StoreFilter {
        only: CellFilter(vec![words.parse().unwrap()]),
        ..StoreFilter::default()
    };
    let report = report(&only("hex:4 uct"));
    let found = only_one(&report);
    assert_eq!((found.whole.cells().count(), found.quick.is_some(), found.others.len()), (1, false, 1));
    assert_eq!(found.voids.len(), 0);
    assert!(StoreReport::read(&store(), "s", &only("go:9")).unwrap().experiments.is_empty());
    let other = StoreFilter { experiment: Some("large".to_owned()), ..StoreFilter::default() };
    assert!(StoreReport::read(&store(), "s", &other).unwrap().experiments.is_empty());
}

#[test]
fn equal_stores_give_equal_bytes() {
    let forms = || {
        let report = report(&StoreFilter::default());
        let figures = report.figures();
        (
            report.html("here"),
            report.markdown(),
            report.csv(),
            report.text(Detail::Cells, &Screen::default()),
            figures,
        )
    };
    assert_eq!(forms(), forms());
}

#[test]
fn the_page_needs_nothing_but_itself() {
    let page = report(&StoreFilter::default()).html("here & now");
    let without_names = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for foreign in ["http://", "https://", "src=", "<script", "@import", "url("] {
        assert!(!without_names.contains(foreign), "{foreign}");
    }
    for part in [
        "<h1>Results in my store.db</h1>",
        "here &amp; now",
        "<a href=\"#small\">Small &lt;games&gt;</a>",
        "<section id=\"small\">",
        "None &amp; nobody",
        "<table class=\"pivot\">",
        "χ² = ",
        "tesuji run experiments/small.toml --only ",
        " --games 12 --store 'my store.db'",
        "tesuji run experiments/small.toml --quick --only ",
        "Quick version",
        "<h3>Other cells</h3>",
        "gtp(&quot;a &lt; b&quot;)",
        "it went &lt;away&gt;",
        "<section id=\"terms\">",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert_eq!(page.matches("<details>").count(), page.matches("</details>").count());
}

#[test]
fn names_cannot_become_markup() {
    const HOSTILE: &str = "\"><script>alert('1')</script><b title=\"x & y";
    let text = FILE
        .replace("Small <games>", HOSTILE)
        .replace("alert('1')", "alert(1)")
        .replace("Hex {n}", "{n}<script>\"");
    let definition = Definition::built_in(HOSTILE, &text, &[("p.csv", PUBLISHED)]).unwrap();
    let Experiment::Matches(experiment) = Experiment::parse(definition, std::path::Path::new("")).unwrap()
    else {
        panic!("it has a grid")
    };
    let mut store = Store::in_memory().unwrap();
    play(&experiment, &mut store);
    let mut report = StoreReport::read(&store, HOSTILE, &StoreFilter::default()).unwrap();
    let ExperimentReport::Matches(matches) = &mut report.experiments[0] else { panic!("they are matches") };
    // An engine may have any name, and so may the file of a portfolio.
    for cell in matches.whole.grids.iter_mut().flat_map(|grid| &mut grid.cells) {
        (cell.player, cell.opponent) = (HOSTILE.to_owned(), HOSTILE.to_owned());
        cell.builds.push(HOSTILE.to_owned());
    }
    let single = matches.whole.grids[0].cells[0].clone();
    matches.others = vec![single.clone()];
    let mut alone = matches.whole.clone();
    alone.grids[0].cells = vec![single];
    matches.quick = Some(alone);
    matches.builds.push(HOSTILE.to_owned());
    report
        .experiments
        .push(ExperimentReport::Unreadable { name: HOSTILE.to_owned(), reason: HOSTILE.to_owned() });
    let page = report.html(HOSTILE);
    assert!(page.contains(
        "<h1>Results in &quot;&gt;&lt;script&gt;alert('1')&lt;/script&gt;&lt;b title=&quot;x &amp; y</h1>"
    ));
    assert!(!page.contains("<script") && !page.contains("<b title"), "{page}");
    // Attributes that hold a name end where they should.
    let anchors: Vec<&str> =
        page.split("<section id=\"").skip(1).filter_map(|rest| rest.split('>').next()).collect();
    assert_eq!(anchors.len(), 3);
    assert!(anchors.iter().all(|anchor| anchor.matches('"').count() == 1), "{anchors:?}");
    assert_eq!(page.matches("title=\"").count(), 4, "each cell of the table has a note");
}

#[test]
fn every_form_has_every_cell() {
    let report = report(&StoreFilter::default());
    let csv = report.csv();
    // A line of names, four cells, a quick one and two others.
    assert_eq!(csv.lines().count(), 8);
    assert!(csv.contains("\nmatches,small,whole,\"Won, %\",Hex 3,random,"), "{csv}");
    let plain = csv.replace("\"Won, %\"", "Won");
    assert!(plain.lines().all(|line| line.split(',').count() == 37), "{csv}");
    let text = report.text(Detail::Tables, &Screen::default());
    assert!(text.starts_with("small: 48 of 48 games"), "{text}");
    assert!(text.contains(" from ") && text.contains("it went <away>"), "{text}");
    let cells = report.text(Detail::Cells, &Screen::default());
    let id = &only_one(&report).whole.grids[0].cells[3].id;
    assert!(cells.contains(id.as_str()) && cells.contains("✗ differs"), "{cells}");
    let markdown = report.markdown();
    assert!(markdown.contains("## Small <games>") && markdown.contains("### Other cells"), "{markdown}");
    let names: Vec<String> = report.figures().into_iter().map(|figure| figure.name).collect();
    assert_eq!(names, ["small"]);
}

#[test]
fn games_are_given_one_by_one() {
    let (store, mut ids) = (store(), Vec::new());
    for_each_game(&store, &StoreFilter::default(), |game| {
        ids.push(game.id.clone());
        assert_eq!(game.moves.len(), game.plies as usize);
        let sgf = game.sgf().unwrap();
        assert!(sgf.contains("GM[11]") && sgf.contains(&format!("GN[{}]", game.id)), "{sgf}");
        Ok::<(), StoreError>(())
    })
    .unwrap();
    assert_eq!(ids.len(), 48 + 24 + 2);
    let n_games = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), n_games);
}

#[test]
fn names_of_experiments_become_names_of_files() {
    assert_eq!(["a/b c", "..", "é-1.2"].map(file_name), ["a-b-c", "experiment", "é-1.2"]);
}
