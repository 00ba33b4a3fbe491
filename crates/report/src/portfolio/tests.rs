//! Tables of made-up rates, shaped like the paper's.

use tesuji_core::Side;
use tesuji_portfolio::{Estimate, Method, Rates};

use super::*;
use crate::Screen;
use crate::VerdictCount;
use crate::figure::tests::check;

fn published() -> PublishedSeeds {
    PublishedSeeds::parse(include_str!("../../../../experiments/published/phantom_table1.csv")).unwrap()
}

/// Not in the paper's order, which tables have.
const METHODS: [Method; 7] = [
    Method::Nash,
    Method::SparseNash(1.0),
    Method::SparseNash(0.5),
    Method::SparseNash(0.75),
    Method::BestSeed,
    Method::Uniform,
    Method::Baseline,
];

/// The published rates, where there are some, changed by so much.
fn rates(method: Method, training: usize, change: impl Fn(usize) -> f64) -> Rates {
    let held_out = |seeds: usize| {
        let rate = published().rate("5x5", method, seeds);
        let mean = rate.map_or(0.5 - 0.02 * seeds as f64, |rate| rate.mean);
        let mean = (mean + change(seeds)).clamp(0.0, 1.0);
        (seeds, Estimate { mean, standard_error: 0.01 * (mean * (1.0 - mean)).sqrt() })
    };
    let training_rate = Estimate { mean: 0.734, standard_error: 0.002 };
    Rates { method, training, training_rate, held_out: [1, 2, 4, 8, 16].map(held_out).to_vec() }
}

fn example() -> SeedTable {
    let mut curve = Vec::new();
    for training in [5, 10, 20, 40, 80, 160, 320, 380] {
        // Little is learnt from few seeds.
        let missing = 0.25 / (training as f64 / 5.0).sqrt();
        let learns = |method: &&Method| !matches!(method, Method::Baseline | Method::Uniform);
        curve.extend(
            METHODS
                .iter()
                .filter(learns)
                .map(|method| rates(*method, training, |seeds| -missing * (1.0 - 0.02 * seeds as f64))),
        );
    }
    SeedTable {
        game: "phantomgo:5".to_owned(),
        board: Some("5x5".to_owned()),
        player: "flat(1000) & more".to_owned(),
        seeds: 400,
        black_wins: 0.612,
        value: 0.587,
        gap: 3e-15,
        rates: METHODS.iter().map(|method| rates(*method, 380, |_| 0.0)).collect(),
        curve,
    }
}

#[test]
fn measured_stands_above_published() {
    let text = example().text(&published(), &Screen::default());
    assert_eq!(
        text,
        "\
phantomgo:5, seeds of flat(1000) & more: won, %, learnt from K = 380 of 400 seeds
────────────────────────────────────────────────────────────────────────────────────────────────────
 method              training        K' = 1        K' = 2        K' = 4        K' = 8       K' = 16
════════════════════════════════════════════════════════════════════════════════════════════════════
 Baseline          73.4 ± 0.2   ✓50.0 ± 0.5   ✓30.5 ± 0.5   ✓12.5 ± 0.3    ✓0.5 ± 0.1    ✓0.0 ± 0.0
   published                           50.0    30.5 ± 0.9    12.5 ± 0.7     0.5 ± 0.2     0.0 ± 0.0
 Uniform mixture   73.4 ± 0.2    48.0 ± 0.5    46.0 ± 0.5    42.0 ± 0.5    34.0 ± 0.5    18.0 ± 0.4
 BestSeed          73.4 ± 0.2   ✓70.7 ± 0.5   ✓49.8 ± 0.5   ✓23.4 ± 0.4    ✓4.8 ± 0.2    ✓0.2 ± 0.0
   published                     70.7 ± 1.0    49.8 ± 1.1    23.4 ± 0.9     4.8 ± 0.4     0.2 ± 0.1
 Nash              73.4 ± 0.2   ✓63.8 ± 0.5   ✓56.1 ± 0.5   ✓50.3 ± 0.5   ✓45.4 ± 0.5   ✓41.3 ± 0.5
   published                     63.8 ± 0.3    56.1 ± 0.2    50.3 ± 0.2    45.4 ± 0.2    41.3 ± 0.2
 Sparse, α=0.5     73.4 ± 0.2   ✓68.3 ± 0.5   ✓56.4 ± 0.5   ✓43.9 ± 0.5   ✓32.8 ± 0.5   ✓24.4 ± 0.4
   published                     68.3 ± 0.6    56.4 ± 0.6    43.9 ± 0.5    32.8 ± 0.4    24.4 ± 0.3
 Sparse, α=0.75    73.4 ± 0.2   ✓74.7 ± 0.4   ✓57.7 ± 0.5   ✓36.7 ± 0.5   ✓20.2 ± 0.4    ✓9.0 ± 0.3
   published                     74.7 ± 0.8    57.7 ± 0.9    36.7 ± 0.9    20.2 ± 0.6     9.0 ± 0.4
 Sparse, α=1       73.4 ± 0.2   ✓76.2 ± 0.4   ✓55.2 ± 0.5   ✓31.9 ± 0.5    ✓8.7 ± 0.3    ✓0.9 ± 0.1
   published                     76.2 ± 0.9    55.2 ± 1.1    31.9 ± 1.0     8.7 ± 0.6     0.9 ± 0.2
────────────────────────────────────────────────────────────────────────────────────────────────────
±: one standard error
Of 30 published numbers 30 agree, 0 are off, 0 differ and 0 are open. Signs: ✓ agrees, ≈ off, ✗ differs, ? open.
The errors are those of drawing seeds from one matrix of games. Another matrix of the same program would differ by more.
In all 400 × 400 games Black won 61.2 %.
With the best mixtures of all these seeds on both sides, Black wins 58.7 %.
The gap, what both sides together could gain by leaving these mixtures, is below 10⁻⁹.
"
    );
}

#[test]
fn tables_fit_on_a_line() {
    let mut table = example();
    let far = |method| rates(method, 380, |_| 0.4);
    table.rates = METHODS.map(far).to_vec();
    let text = table.table(&published()).text(&Screen::default());
    assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
    // A method has two lines, but for ours; six more are the title, rules, heads and what ± means.
    assert_eq!(text.lines().count(), 2 * 6 + 1 + 6, "{text}");
}

#[test]
fn what_differs_is_counted_and_marked() {
    let mut table = example();
    let none = VerdictCount::default();
    assert_eq!(table.verdicts(&published()), VerdictCount { agrees: 30, ..none });
    table.rates[0] = rates(Method::Nash, 380, |seeds| match seeds {
        1 => 0.11,
        2 => -0.045,
        _ => 0.0,
    });
    assert_eq!(table.verdicts(&published()), VerdictCount { agrees: 28, differs: 2, ..none });
    let text = table.text(&published(), &Screen::default());
    assert!(text.contains("✗74.8 ± 0.4   ✗51.6 ± 0.5   ✓50.3 ± 0.5"), "{text}");
    let line =
        "Of 30 published numbers 28 agree, 0 are off, 2 differ and 0 are open. Signs: ✓ agrees, ≈ off, ";
    assert!(text.contains(line), "{text}");
    let page = table.html(&published()).into_string();
    assert!(page.contains("<td class=\"number differs\""), "{page}");
    assert!(page.contains("Nash: published 63.8 ± 0.3 %; differs"), "{page}");
}

#[test]
fn another_number_of_seeds_is_not_judged() {
    let mut table = example();
    table.rates.iter_mut().for_each(|rates| rates.training = 100);
    assert_eq!(table.verdicts(&published()), VerdictCount { not_judged: 30, ..VerdictCount::default() });
    let text = table.text(&published(), &Screen::default());
    let line = "Published rates are of portfolios learnt from K = 380 seeds and are not compared.\n";
    assert!(text.contains(line), "{text}");
    assert!(table.html(&published()).into_string().contains("<span class=\"other\">○ other K</span>"));
}

#[test]
fn another_game_has_nothing_to_compare_with() {
    let table = SeedTable { board: None, ..example() };
    assert_eq!(table.verdicts(&published()), VerdictCount::default());
    let text = table.text(&published(), &Screen::default());
    assert!(!text.contains("ublished"), "{text}");
    assert!(!table.html(&published()).into_string().contains("agrees"));
}

#[test]
fn figures_look_as_they_did() {
    let table = example();
    check(&table.figure_by_method().unwrap(), "seeds_by_method.svg");
    check(&table.figure_by_sparsity().unwrap(), "seeds_by_sparsity.svg");
}

#[test]
fn without_a_curve_there_are_no_figures() {
    let table = SeedTable { curve: Vec::new(), ..example() };
    assert_eq!(table.figure_by_method(), None);
    assert_eq!(table.figure_by_sparsity(), None);
    assert!(!table.html(&published()).into_string().contains("<svg"));
    let only_nash = SeedTable { curve: vec![rates(Method::Nash, 20, |_| 0.0)], ..example() };
    assert_eq!(only_nash.figure_by_method().unwrap().panels.len(), 1);
    assert_eq!(only_nash.figure_by_sparsity(), None);
}

#[test]
fn a_page_explains_itself_and_escapes_names() {
    let page = explanation().into_string() + &example().html(&published()).into_string();
    assert_eq!(page.matches("<svg").count(), 2);
    assert!(page.contains("flat(1000) &amp; more"));
    assert!(!page.contains("& more"));
    for words in [
        "A player that uses random numbers",
        "K' = 16",
        "one fixed seed, drawn",
        "played only once",
        "below 10⁻⁹",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert_eq!(page.matches("<tr>").count(), 1 + METHODS.len());
}

fn lazy() -> LazyTable {
    let line = |algorithm: &str, exploitability: &dyn Fn(f64) -> f64| {
        let mut points = Vec::new();
        let mut games = 400.0;
        // They are never quite smooth.
        for noise in [1.0, 1.06, 0.97, 1.03, 0.95, 1.01].into_iter().cycle().take(123) {
            points.push(LazyPoint { games: games as u64, exploitability: noise * exploitability(games) });
            games *= 1.05;
        }
        LazyLine { algorithm: algorithm.to_owned(), points }
    };
    LazyTable {
        title: "phantomgo:5, 400 × 400".to_owned(),
        games: 160_000,
        lines: vec![
            line("double oracle", &|games| (0.45 * (400.0 / games).sqrt() - 0.04).max(1e-16)),
            line("Exp3", &|games| 0.45 * (400.0 / games).sqrt().sqrt()),
            line("Grigoriadis–Khachiyan", &|games| 0.45 * (400.0 / games).sqrt()),
        ],
    }
}

#[test]
fn games_are_told_with_their_part_of_all() {
    let point = |games, exploitability| LazyPoint { games, exploitability };
    let line = |algorithm: &str, points: &[LazyPoint]| LazyLine {
        algorithm: algorithm.to_owned(),
        points: points.to_vec(),
    };
    let points = [point(0, 0.5), point(100, 0.21), point(900, 0.1), point(37_683, 0.2), point(160_000, 0.0)];
    let table = LazyTable {
        title: "Coins".to_owned(),
        games: 160_000,
        lines: vec![line("double oracle", &points), line("Exp3", &points[..3]), line("idle", &[])],
    };
    assert_eq!(
        table.table().text(&Screen::default()),
        "\
Coins: games until exploitability, of 160,000 games
───────────────────────────────────────────────────────────────────────────────
 algorithm               0.2           0.1              0.05              0.02
═══════════════════════════════════════════════════════════════════════════════
 double oracle   900 (0.6 %)   900 (0.6 %)   160,000 (100 %)   160,000 (100 %)
 Exp3            900 (0.6 %)   900 (0.6 %)                 —                 —
 idle                      —             —                 —                 —
───────────────────────────────────────────────────────────────────────────────
"
    );
    assert_eq!(table.figure().unwrap().panels[0].marks.series().len(), 2);
    let nothing = LazyTable { lines: vec![line("idle", &[])], ..table };
    assert_eq!(nothing.figure(), None);
}

#[test]
fn exploitability_looks_as_it_did() {
    let figure = lazy().figure().unwrap();
    assert!(figure.caption.ends_with("Less than 0.005 is drawn at 0.005."), "{}", figure.caption);
    // Points are thinned out, and the last is there.
    for (series, line) in figure.panels[0].marks.series().iter().zip(lazy().lines) {
        assert!((20..40).contains(&series.points.len()), "{}", series.points.len());
        assert_eq!(series.points.last().unwrap().x, line.points.last().unwrap().games as f64);
    }
    check(&figure, "lazy.svg");
}

fn book() -> BookTable {
    let line = |number, weight, opening: &str| BookLine {
        number,
        weight,
        opening: opening.split_whitespace().map(str::to_owned).collect(),
    };
    BookTable {
        side: Side::Black,
        lines: vec![
            line(7, 0.004, "a1 b2"),
            line(12, 0.22, "b3 c2 d4"),
            line(3, 0.0, "e5"),
            line(391, 0.43, "c3 b3 d2"),
            line(40, 0.006, "b3"),
            line(5, 0.22, "c3 c2"),
            line(6, 0.115, "d3"),
            line(9, 0.005, "a2"),
        ],
    }
}

#[test]
fn a_book_lists_what_is_probable() {
    assert_eq!(
        book().table().text(&Screen::default()),
        "\
Black's book: 7 seeds
─────────────────────────────────────
         seed   weight, %   opening
═════════════════════════════════════
          391        43.0   c3 b3 d2
            5        22.0   c3 c2
           12        22.0   b3 c2 d4
            6        11.5   d3
 and 3 others         1.5
─────────────────────────────────────
"
    );
    assert_eq!(book().first_moves_text(), "c3 65 %, b3 23 %, d3 12 %, others 1 %");
    let json = serde_json::to_value(book()).unwrap();
    assert_eq!(json["side"], "black");
    assert_eq!(json["lines"][1]["opening"][0], "b3");
}

#[test]
fn small_books() {
    let mut book = book();
    book.lines.truncate(2);
    assert!(
        book.table().text(&Screen::default()).contains("and 1 other "),
        "{}",
        book.table().text(&Screen::default())
    );
    assert_eq!(book.first_moves_text(), "b3 22 %, a1 0 %");
    book.lines.truncate(1);
    assert!(
        book.table().text(&Screen::default()).contains("all 1 "),
        "{}",
        book.table().text(&Screen::default())
    );
    book.lines.clear();
    assert!(book.table().is_empty());
    assert_eq!(book.first_moves_text(), "");
}

/// Writes a page to look at, where `PAGE_TO_LOOK_AT` says where.
#[test]
fn everything_fits_on_a_page() {
    let (portfolios, lazy) = (example(), lazy());
    let matrix = MatrixResults { portfolios: &portfolios, lazy: Some(&lazy) };
    let page = html_page(&[matrix], &published(), "here & now");
    if let Some(file) = std::env::var_os("PAGE_TO_LOOK_AT") {
        std::fs::write(file, &page).expect("the page can be written");
    }
    assert_eq!(page.matches("<svg").count(), 3);
    assert_eq!(page.matches("<table").count(), 2);
    assert!(page.contains("<p>here &amp; now</p>"));
}
