//! Tables, sentences and the block of a match, on results made by hand.

use tesuji_arena::PublishedRate;
use tesuji_arena::statistics::{Comparison, Count, Interval, Sprt, Strength, Tally, Verdict, wilson};

use super::*;
use crate::Screen;

/// A cell whose games were all played in pairs, `wins` of them won, the first ones.
fn cell(row: &str, column: &str, games: u64, wins: u64, published: Option<f64>) -> CellResults {
    let mut tally = Tally::default();
    for pair in 0..games / 2 {
        let points = [2 * pair, 2 * pair + 1].map(|index| if index < wins { 1.0 } else { 0.0 });
        tally.add(tesuji_core::Side::Black, points[0]);
        tally.add(tesuji_core::Side::White, points[1]);
        tally.add_pair(points[0] + points[1]);
    }
    made(row, column, tally, published)
}

fn made(row: &str, column: &str, tally: Tally, published: Option<f64>) -> CellResults {
    let count: Count = tally.total();
    let is_played = count.games() > 0;
    CellResults {
        id: "3f2a9c01".to_owned(),
        row: row.to_owned(),
        column: column.to_owned(),
        panel: row.to_owned(),
        game: "hex:5".to_owned(),
        player: "uct@100".to_owned(),
        opponent: "gtp(\"a < b\")".to_owned(),
        rules: "no openings".to_owned(),
        count,
        tally,
        rate: count.rate(),
        interval: wilson(count.points(), count.games()),
        strength: Strength::of(&tally),
        distinct: count.games(),
        mean_plies: is_played.then_some(20.5),
        mean_samples: is_played.then_some([Some(1000.0), Some(0.0)]),
        mean_samples_a_move: is_played.then_some([Some(100.0), None]),
        mean_seconds: is_played.then_some(1.5),
        mean_used: is_played.then_some([0.5, 1.0]),
        reasons: vec![("rules".to_owned(), count.games())],
        builds: Vec::new(),
        engines: [Vec::new(), Vec::new()],
        voids: 0,
        in_flight: 0,
        disagreements: Vec::new(),
        published: published.map(|rate| PublishedRate {
            rate,
            games: 500,
            as_white: None,
            is_comparable: true,
        }),
        comparison: published.filter(|_| is_played).map(|rate| Comparison::new(count, rate, 500)),
    }
}

fn grid(cells: Vec<CellResults>) -> GridResults {
    GridResults { title: "Won".to_owned(), label: "t".to_owned(), cells, ..GridResults::default() }.judged()
}

fn experiment(grid: GridResults) -> MatchResults {
    MatchResults {
        command: None,
        name: "e".to_owned(),
        title: "E".to_owned(),
        paper: "P".to_owned(),
        text: "X.".to_owned(),
        rules: "no openings".to_owned(),
        games: 500,
        grids: vec![grid],
        tournament: None,
    }
}

fn four() -> GridResults {
    grid(vec![
        cell("Hex", "0", 500, 250, Some(0.524)),
        cell("Hex", "∞", 500, 280, Some(0.48)),
        cell("Go", "0", 500, 100, Some(0.4)),
        cell("Go", "∞", 8, 4, Some(0.5)),
    ])
}

#[test]
fn signs_of_verdicts_have_colours_that_take_no_room() {
    let (plain, coloured) = (Screen::default(), Screen { has_colour: true, ..Screen::default() });
    let [plain, coloured] = [plain, coloured].map(|screen| Pivot::of(&four()).unwrap().text(&screen));
    assert!(coloured.contains('\u{1b}'), "{coloured}");
    let without_colours: String = coloured
        .split('\u{1b}')
        .enumerate()
        .map(|(number, text)| match number {
            0 => text,
            _ => text.split_once('m').map_or("", |(_, text)| text),
        })
        .collect();
    assert_eq!(without_colours, plain);
}

#[test]
fn a_pivot_has_measured_over_published() {
    let text = Pivot::of(&four()).unwrap().text(&Screen::default());
    assert_eq!(
        text,
        "\
──────────────────────────────
      t             0      ∞
══════════════════════════════
 Hex  measured   50.0?  56.0≈
      from       45.6   51.6
      to         54.4   60.3
      published  52.4   48.0

 Go   measured   20.0✗  50.0?
      from       16.7   21.5
      to         23.7   78.5
      published  40.0   50.0
──────────────────────────────
Won, %, with the 95 % interval; 8 to 500 games a cell; ≈ off; ✗ differs; ? open.
"
    );
    let page = Pivot::of(&four()).unwrap().html().into_string();
    assert!(
        page.contains("<td class=\"number differs\" title=\"Go, 0: won 100, drawn 0, lost 400;"),
        "{page}"
    );
    assert!(page.contains("<b>50.0</b><i>(45.6 to 54.4)</i><small>52.4 ?</small>"), "{page}");
    let markdown = Pivot::of(&four()).unwrap().markdown();
    let row = "| Hex | 50.0 (45.6 to 54.4), published 52.4 ? | 56.0 (51.6 to 60.3), published 48.0 ≈ |\n";
    assert!(markdown.contains(row), "{markdown}");
}

#[test]
fn a_long_label_of_a_pivot_stands_above_the_rows() {
    let cells = ["sh", "evenly"].map(|row| ["4", "16"].map(|column| cell(row, column, 10, 5, None)));
    let grid = GridResults {
        label: "playouts of a prior".to_owned(),
        ..grid(cells.into_iter().flatten().collect())
    };
    let text = Pivot::of(&grid).unwrap().text(&Screen::default());
    let lines: Vec<&str> = text.lines().collect();
    let ends = |line: &str, word: &str| line.find(word).map(|at| line[..at].chars().count() + word.len());
    assert!(lines[1].starts_with(" playouts of a prior"), "{text}");
    assert_eq!(ends(lines[1], "16"), ends(lines[3], "50.0").map(|first| first + 7), "{text}");
}

#[test]
fn a_pivot_needs_rows_and_columns_with_games() {
    let row = |cells| Pivot::of(&grid(cells)).is_some();
    assert!(!row(vec![cell("a", "1", 10, 5, None), cell("a", "2", 10, 5, None)]));
    assert!(!row(vec![cell("a", "1", 10, 5, None), cell("b", "1", 10, 5, None)]));
    assert!(!row(vec![cell("a", "1", 10, 5, None), cell("a", "2", 10, 5, None), cell("b", "1", 0, 0, None)]));
    assert!(row(vec![cell("a", "1", 10, 5, None), cell("b", "2", 10, 5, None)]));
    // Two cells in one place cannot both be shown there.
    assert!(!row(vec![
        cell("a", "1", 10, 5, None),
        cell("a", "1", 10, 5, None),
        cell("b", "2", 10, 5, None)
    ]));
}

#[test]
fn wide_pivots_are_broken_between_columns() {
    let columns: Vec<String> = (0..30).map(|column| format!("{column}000")).collect();
    let cells = |row: &str| columns.iter().map(|column| cell(row, column, 10, 5, None)).collect::<Vec<_>>();
    let text = Pivot::of(&grid([cells("a"), cells("b")].concat())).unwrap().text(&Screen::default());
    assert!(text.lines().all(|line| line.chars().count() <= 112), "{text}");
    assert!(columns.iter().all(|column| text.contains(column.as_str())));
}

#[test]
fn a_whole_table_is_judged_in_a_sentence() {
    let line = verdicts(&four()).unwrap();
    assert!(
        line.starts_with(
            "Of 4 published rates 0 agree, 1 is off, 1 differs and 2 are open; by chance alone 0.2 would be off or \
             differ. χ² = "
        ),
        "{line}"
    );
    assert!(
        line.ends_with("on 3 degrees of freedom, p < 0.001 (3 cells with at least ten games)."),
        "{line}"
    );
    let mut other = cell("a", "1", 10, 5, Some(0.5));
    other.comparison = None;
    other.published.as_mut().unwrap().is_comparable = false;
    assert_eq!(other.verdict(), Some(Verdict::OtherBudget));
    assert_eq!(
        verdicts(&grid(vec![other])).unwrap(),
        "Published rates were measured with another budget: shown, not judged."
    );
    assert_eq!(verdicts(&grid(vec![cell("a", "1", 10, 5, None)])), None);
}

#[test]
fn a_block_tells_score_elo_pairs_and_test() {
    let tally = Tally {
        by_side: [Count { wins: 110, draws: 50, losses: 90 }, Count { wins: 100, draws: 50, losses: 100 }],
        pairs: [10, 50, 120, 55, 15],
    };
    let sprt: Sprt = "elo1=10".parse().unwrap();
    let cell = made("Hex", "1", tally, None);
    let text = block(&cell, Some(&sprt), &Screen::default());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "Results of uct@100 against gtp(\"a < b\") (hex:5, no openings):");
    assert_eq!(lines[1], "Won: 52.0 % (47.6 to 56.3), 260 points in 500 games: 210 won, 100 drawn, 190 lost");
    let Strength { elo, elo_interval, nelo, nelo_interval, los, .. } = Strength::of(&tally).unwrap();
    let range =
        |interval: Interval| format!("({:.1} to {:.1})", interval.low, interval.high).replace('-', "−");
    assert_eq!(
        lines[2],
        format!(
            "Elo from pairs: {elo:.1} {}; nElo: {nelo:.1} {}; LOS: {:.1} %",
            range(elo_interval),
            range(nelo_interval),
            100.0 * los
        )
    );
    assert_eq!(
        lines[3],
        "Pairs by points (0, ½, 1, 1½, 2): 10, 50, 120, 55, 15; 48.0 % even, 1.17 won for each one lost"
    );
    assert_eq!(lines[4], format!("LLR: {:.2}, until −2.94 or 2.94; Elo 0 against 10", sprt.llr(&tally)));
    assert!(text.contains(" Black              250   110      50     90   54.0 (47.8 to 60.1)\n"), "{text}");
    assert!(
        text.ends_with(
            "All games differ in their moves; 20.5 plies a game.\nEnded by: rules 500.\n\
             Time a game: 1.50 s by the clock, 500.0 ms used by the player, 1.00 s by the opponent.\n\
             Samples a move: 100 (player), unknown (opponent).\n"
        ),
        "{text}"
    );
}

#[test]
fn a_block_without_a_spread_or_without_games_reads_well() {
    let text = block(&cell("a", "1", 10, 10, None), None, &Screen::default());
    assert!(text.contains("\nElo from pairs: ∞; nElo: ∞\n"), "{text}");
    assert!(text.contains("; 0.0 % even, none lost\n"), "{text}");
    assert!(!text.contains("LLR"));
    let text = block(&cell("a", "1", 10, 0, None), None, &Screen::default());
    assert!(text.contains("\nElo from pairs: −∞; nElo: −∞\n"), "{text}");
    let text = block(&cell("a", "1", 0, 0, None), None, &Screen::default());
    assert!(text.ends_with("(hex:5, no openings):\nNo games yet.\n"));
}

#[test]
fn a_figure_has_a_panel_for_each_row_with_published_beside() {
    let results = experiment(four());
    let drawn = figure(&results, &results.grids[0]).unwrap();
    assert_eq!(drawn.panels.len(), 2);
    let panel = &drawn.panels[1];
    assert_eq!((panel.title.as_str(), panel.x.places.join(" ").as_str()), ("Go", "0 ∞"));
    assert_eq!(panel.y.range, Some((0.0, 80.0)));
    let series = panel.marks.series();
    assert_eq!(series.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["published", "measured"]);
    assert_eq!(series[0].points[1].x, 1.0);
    let (low, high) = series[1].points[0].interval.unwrap();
    assert!(low < 20.0 && 20.0 < high && high < 25.0);
    assert!(drawn.svg().contains(">∞</text>"));
}

#[test]
fn what_the_rows_of_a_panel_share_is_not_in_the_legend() {
    let of = |row: &str, column: &str, panel: &str| {
        let cell = cell(row, column, 10, 5, None);
        CellResults { panel: panel.to_owned(), ..cell }
    };
    let names = |cells: Vec<CellResults>| {
        let results = experiment(grid(cells));
        let drawn = figure(&results, &results.grids[0]).unwrap();
        let panels = drawn.panels.iter().map(|panel| {
            let series = panel.marks.series();
            series.iter().map(|one| one.name.clone()).collect::<Vec<_>>().join("; ")
        });
        panels.collect::<Vec<_>>()
    };
    let policies = |samples: &str, panel: &str| {
        ["VCT", "ECT"].map(|policy| {
            let row = format!("{policy}, {samples} samples");
            ["0", "1"].map(|column| of(&row, column, panel))
        })
    };
    let five: Vec<_> = policies("5,000", "5,000 a move").into_iter().flatten().collect();
    let seven = policies("7,000", "7,000 a move").into_iter().flatten();
    assert_eq!(names(five.iter().cloned().chain(seven).collect()), ["VCT; ECT", "VCT; ECT"]);
    // One panel has no other to share a legend with.
    assert_eq!(names(five), ["VCT, 5,000 samples; ECT, 5,000 samples"]);
}

#[test]
fn rows_of_one_column_stand_side_by_side() {
    let cells = vec![cell("a", "1", 10, 5, None), cell("b", "1", 10, 4, None), cell("c", "1", 0, 0, None)];
    let results = experiment(grid(cells));
    let drawn = figure(&results, &results.grids[0]).unwrap();
    assert_eq!((drawn.panels.len(), drawn.panels[0].x.places.join(" ")), (1, "a b".to_owned()));
    let results = experiment(grid(vec![cell("a", "1", 10, 5, None)]));
    assert!(figure(&results, &results.grids[0]).is_none());
}

#[test]
fn a_terminal_shows_what_fits_the_grid() {
    let shown = |cells| text(&experiment(grid(cells)), &Screen::default());
    assert!(shown(vec![cell("a", "1", 0, 0, None)]).starts_with("E: Won: no games yet\n"));
    assert!(shown(vec![cell("a", "1", 10, 5, None)]).starts_with("Results of uct@100"));
    assert!(shown(vec![cell("a", "1", 10, 5, Some(0.5))]).contains("? open"));
    assert!(shown(four().cells).contains(" from "));
    let begun = vec![cell("a", "1", 10, 5, None), cell("a", "2", 10, 5, None), cell("b", "1", 0, 0, None)];
    assert!(!shown(begun).contains(" b "), "rows without games are left out");
    let later =
        grid(vec![cell("a", "1", 0, 0, None), cell("b", "1", 10, 5, None), cell("c", "1", 0, 0, None)]);
    let rows: Vec<String> = later.begun_first().cells.into_iter().map(|cell| cell.row).collect();
    assert_eq!(rows, ["b", "a", "c"]);
    let page = full("", &four(), |cell| format!("play <{}>", cell.id)).html().into_string();
    assert!(page.contains("<td class=\"command\">play &lt;3f2a9c01&gt;</td>"), "{page}");
    assert!(page.contains("<td class=\"differs\">✗ differs</td>"), "{page}");
}

#[test]
fn engines_that_count_otherwise_are_named() {
    let mut cell = cell("Hex", "1", 20, 10, None);
    assert!(!block(&cell, None, &Screen::default()).contains("scores"));
    cell.disagreements = vec![tesuji_arena::Disagreement {
        engine: "GNU Go 3.8".to_owned(),
        counted: 20,
        games: 2,
        first: 4,
        score: "W+3.5".to_owned(),
        count: "B+1.5".to_owned(),
    }];
    let line =
        "GNU Go 3.8 scores 2 of 20 games differently from the rules: W+3.5 instead of B+1.5 in 3f2a9c01-4.";
    assert!(
        block(&cell, None, &Screen::default()).ends_with(&format!("{line}\n")),
        "{}",
        block(&cell, None, &Screen::default())
    );
    assert_eq!(disagreements(&grid(vec![cell.clone()])).as_deref(), Some(line));
    assert_eq!(disagreements(&grid(vec![])), None);
}

#[test]
fn a_cell_with_games_in_flight_is_not_judged() {
    // A difference that would be certain.
    let judged = cell("Go", "0", 500, 100, Some(0.4));
    assert_eq!(judged.verdict(), Some(Verdict::Differs));
    let in_flight = CellResults {
        in_flight: 12,
        comparison: judged.comparison.clone().map(Comparison::withheld),
        ..judged.clone()
    };
    assert_eq!(in_flight.verdict(), Some(Verdict::Open));
    assert_eq!(in_flight.comparison.as_ref().unwrap().to_decide, None);
    let grid = grid(vec![in_flight]);
    assert_eq!(
        verdicts(&grid).unwrap(),
        "Of 1 published rate 0 agree, 0 are off, 0 differ and 1 is open; by chance alone 0.05 would be off or differ. \
         12 games are in flight. Short games end first, so the cell is not judged until all its games are over."
    );
    let results = experiment(grid);
    let table = brief(&results, &results.grids[0]).text(&Screen::default());
    assert!(table.contains("in flight") && table.contains(" 12 "), "{table}");
    assert!(!table.contains("never"), "{table}");
    // No column of zeros if all games are over.
    let table = brief(&experiment(four()), &four()).text(&Screen::default());
    assert!(!table.contains("in flight"), "{table}");
}

#[test]
fn rows_have_verdicts_of_their_own() {
    let grid = four();
    let counts = |verdicts: crate::VerdictCount| (verdicts.off, verdicts.differs, verdicts.open);
    let rows: Vec<_> = grid.by_row.iter().map(|row| (row.row.as_str(), counts(row.verdicts))).collect();
    assert_eq!(rows, [("Hex", (1, 0, 1)), ("Go", (0, 1, 1))]);
    assert_eq!(counts(grid.verdicts), (1, 1, 2));
    // Eight games are too few for χ².
    let degrees = |row: usize| grid.by_row[row].chi_square.unwrap().degrees;
    assert_eq!((degrees(0), degrees(1), grid.chi_square.unwrap().degrees), (2, 1, 3));
    let sum: f64 = grid.by_row.iter().filter_map(|row| row.chi_square).map(|it| it.statistic).sum();
    assert!((sum - grid.chi_square.unwrap().statistic).abs() < 1e-9);
    let table = by_row(&grid).unwrap().text(&Screen::default());
    assert!(table.contains("Hex") && table.contains("all") && table.contains("< 0.001"), "{table}");
    // One row says no more than the whole table, and one cell in each row no more than the cells.
    let made_of = super::tests::grid;
    let cells = |cells: &[usize]| cells.iter().map(|cell| grid.cells[*cell].clone()).collect();
    assert!(by_row(&made_of(cells(&[0, 1]))).is_none());
    assert!(by_row(&made_of(cells(&[0, 2]))).is_none());
}

#[test]
fn a_whole_table_is_one_picture() {
    let unplayed = cell("Hex", "8", 0, 0, Some(0.5));
    let mut all = four();
    all.cells.insert(1, unplayed);
    let drawn = figure(&experiment(all.clone()), &all).unwrap();
    crate::figure::tests::check(&drawn, "overview.svg");
    assert!(drawn.shares_axes && drawn.panels.len() == 2, "{drawn:?}");
    assert!(
        drawn.caption.contains("Of 4 published rates 0 agree, 1 is off, 1 differs and 2 are open; χ² = ")
    );
    // What was published and not measured is shown too.
    let [published, measured] = drawn.panels[0].marks.series() else { panic!("{drawn:?}") };
    assert_eq!((published.points.len(), measured.points.len()), (3, 2));
}

#[test]
fn two_readings_of_a_table_share_a_picture() {
    let second = GridResults { title: "Other".to_owned(), ..four() };
    let results = MatchResults { grids: vec![four(), second], ..experiment(four()) };
    let drawn = figure(&results, &results.grids[0]).unwrap();
    let names = |panel: &crate::figure::Panel| {
        panel.marks.series().iter().map(|series| series.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&drawn.panels[0]), ["published", "Won", "Other"]);
    assert_eq!(drawn.panels[0].notes.len(), 2);
    assert!(drawn.caption.contains("Won: of 4 published rates") && drawn.caption.contains("Other: of 4"));
    assert!(figure(&results, &results.grids[1]).is_none());
    crate::figure::tests::check(&drawn, "readings.svg");
    // Other columns are another table.
    let mut other = four();
    other.cells[0].column = "1".to_owned();
    let results = MatchResults { grids: vec![four(), other], ..experiment(four()) };
    assert!(results.grids.iter().all(|grid| figure(&results, grid).is_some()));
}
