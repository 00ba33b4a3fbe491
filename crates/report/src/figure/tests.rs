//! Whole figures: golden files, and files that hold together whatever is in them.

use std::path::Path;

use proptest::prelude::*;

use super::*;

/// Compares a figure with its file, or writes the file where `UPDATE_GOLDEN` is set.
pub(crate) fn check(figure: &Figure, name: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/figure/golden").join(name);
    let now = figure.svg();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&file, &now).expect("the golden file can be written");
        return;
    }
    let golden = std::fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("{}: {error}; UPDATE_GOLDEN=1 makes it", file.display()));
    for (line, (was, is)) in (1..).zip(golden.lines().zip(now.lines())) {
        assert_eq!(was, is, "{}:{line}", file.display());
    }
    assert_eq!(golden.len(), now.len(), "{}: another length", file.display());
}

fn series(name: &str, look: Look, points: &[(f64, f64, Option<f64>)]) -> Series {
    let points = points.iter().map(|&(x, y, error)| Point { x, y, error, ..Point::default() }).collect();
    Series { name: name.to_owned(), colour: None, look, points }
}

fn axis(label: &str, scale: Scale) -> Axis {
    Axis { label: label.to_owned(), scale, ..Axis::default() }
}

fn one_panel(panel: Panel) -> Figure {
    Figure {
        title: "A figure".to_owned(),
        caption: "As seen.".to_owned(),
        columns: 1,
        panels: vec![panel],
        ..Figure::default()
    }
}

#[test]
fn lines_look_as_they_did() {
    let measured =
        [(32.0, 0.17, Some(0.01)), (64.0, 0.06, Some(0.06)), (128.0, 0.0, None), (256.0, 0.003, None)];
    let published = [(32.0, 0.15, None), (64.0, 0.05, None), (128.0, 0.02, None)];
    check(
        &one_panel(Panel {
            title: "32 arms".to_owned(),
            x: axis("samples", Scale::Log),
            y: axis("regret", Scale::Log),
            marks: Marks::Lines(vec![
                series("VCT", Look::Published, &published),
                series("VCT", Look::Measured, &measured),
            ]),
            ..Panel::default()
        }),
        "lines.svg",
    );
}

#[test]
fn bars_look_as_they_did() {
    let y = Axis { reference: Some(50.0), ..axis("wins (%)", Scale::Linear) };
    let sh = [(0.0, 44.2, Some(2.2)), (1.0, 35.6, Some(2.1))];
    let rave = [(1.0, 71.8, None), (2.0, f64::NAN, None)];
    let marks = Marks::Bars {
        groups: vec!["go 9x9".to_owned(), "hex & nohex".to_owned()],
        series: vec![series("SH", Look::Measured, &sh), series("RAVE", Look::Published, &rave)],
    };
    check(&one_panel(Panel { title: "Wins".to_owned(), y, marks, ..Panel::default() }), "bars.svg");
}

#[test]
fn places_look_as_they_did() {
    let x = Axis { places: ["0", "128", "∞"].map(str::to_owned).to_vec(), ..axis("t'", Scale::Linear) };
    let y = Axis { reference: Some(50.0), range: Some((0.0, 100.0)), ..axis("won, %", Scale::Linear) };
    let mut measured = series("measured", Look::Measured, &[(0.0, 44.2, None), (2.0, 100.0, None)]);
    measured.points[0].interval = Some((39.9, 48.6));
    measured.points[1].interval = Some((72.2, 100.0));
    let published = series("published", Look::Published, &[(0.0, 43.0, None), (1.0, 50.0, None)]);
    let marks = Marks::Lines(vec![published, measured]);
    check(&one_panel(Panel { title: "Hex 11x11".to_owned(), x, y, marks, ..Panel::default() }), "places.svg");
}

#[test]
fn maps_look_as_they_did() {
    let cell = |column, row, series, strength, notes: &[&str]| MapCell {
        column,
        row,
        series,
        strength,
        notes: notes.iter().map(|note| (*note).to_owned()).collect(),
        title: "0.02 ± 0.001 & more".to_owned(),
    };
    let named = |name: &str| series(name, Look::Measured, &[]);
    let marks = Marks::Map {
        columns: ["0.5", "8", "128"].map(str::to_owned).to_vec(),
        rows: ["2", "400"].map(str::to_owned).to_vec(),
        series: vec![named("sh"), named("successive-rejects"), named("ucb(c=0.3)")],
        cells: vec![
            cell(0, 0, 0, 0.0, &["4 tied"]),
            cell(1, 0, 1, 0.4, &["−20 %", "2 tied"]),
            cell(2, 1, 2, 1.0, &["−100 %"]),
            // Outside of the grid, and of no series.
            cell(3, 0, 0, 0.5, &[]),
            cell(0, 1, 3, 0.5, &[]),
        ],
    };
    let (x, y) = (axis("samples for each arm", Scale::Linear), axis("arms", Scale::Linear));
    check(&one_panel(Panel { title: "N".to_owned(), x, y, marks, ..Panel::default() }), "map.svg");
}

#[test]
fn what_is_empty_says_so() {
    let nothing = [(f64::NAN, 1.0, None), (1.0, f64::INFINITY, Some(1.0))];
    let not_positive = [(1.0, 0.0, Some(1.0)), (2.0, -1.0, None)];
    let groups = vec!["a".to_owned()];
    let all = [
        Marks::Lines(Vec::new()),
        Marks::Lines(vec![series("", Look::Measured, &[])]),
        Marks::Lines(vec![series("a", Look::Measured, &nothing)]),
        Marks::Lines(vec![series("a", Look::Measured, &not_positive)]),
        Marks::Bars { groups: Vec::new(), series: vec![series("a", Look::Measured, &[(0.0, 1.0, None)])] },
        Marks::Bars { groups: groups.clone(), series: Vec::new() },
        Marks::Map {
            columns: groups.clone(),
            rows: Vec::new(),
            series: Vec::new(),
            cells: vec![MapCell::default()],
        },
        Marks::Bars { groups, series: vec![series("a", Look::Measured, &[(0.0, f64::NAN, None)])] },
    ];
    for marks in all {
        let panel = Panel { y: axis("", Scale::Log), marks: marks.clone(), ..Panel::default() };
        let svg = one_panel(panel).svg();
        assert!(svg.contains(">no data</text>"), "{marks:?}");
        well_formed(&svg).unwrap();
    }
    well_formed(&Figure::default().svg()).unwrap();
}

#[test]
fn errors_that_reach_nothing_end_at_the_edge_without_a_cap() {
    let panel = |error| Panel {
        y: Axis { scale: Scale::Log, range: Some((0.01, 1.0)), ..Axis::default() },
        marks: Marks::Lines(vec![series("a", Look::Measured, &[(1.0, 0.1, Some(error))])]),
        ..Panel::default()
    };
    let caps = |error| {
        let svg = one_panel(panel(error)).svg();
        let line = svg.lines().find(|line| line.contains("class=\"error\"")).unwrap().to_owned();
        line.matches('H').count()
    };
    assert_eq!([0.05, 0.2, 2.0].map(caps), [2, 1, 0]);
}

#[test]
fn bars_stand_on_zero() {
    let marks = |values: &[f64]| Marks::Bars {
        groups: values.iter().map(f64::to_string).collect(),
        series: values
            .iter()
            .zip(0..)
            .map(|(&y, i)| series("a", Look::Measured, &[(f64::from(i), y, None)]))
            .collect(),
    };
    let ends = |values: &[f64]| {
        let svg = one_panel(Panel { marks: marks(values), ..Panel::default() }).svg();
        let number = |line: &str, name: &str| -> f64 {
            let rest = line.split(&format!(" {name}=\"")).nth(1).unwrap();
            rest.split('"').next().unwrap().parse().unwrap()
        };
        let bars = svg.lines().filter(|line| line.starts_with("<rect class=\"bar\""));
        bars.map(|bar| (number(bar, "y"), number(bar, "height"))).collect::<Vec<_>>()
    };
    let up = ends(&[90.0, 100.0]);
    assert!((up[0].1 / up[1].1 - 0.9).abs() < 0.001, "{up:?}");
    let both = ends(&[-5.0, 5.0]);
    assert_eq!(both[0].0, both[1].0 + both[1].1, "{both:?}");
}

/// Whether every tag is closed, every attribute quoted and finite, and nothing
/// left that should have been escaped. Far less than XML, and all that we write.
fn well_formed(svg: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        let (text, tag) = rest.split_at(start);
        plain(text)?;
        let end = tag.find('>').ok_or("a tag without an end")?;
        let inner = &tag[1..end];
        rest = &tag[end + 1..];
        if let Some(name) = inner.strip_prefix('/') {
            let last = open.pop();
            if last != Some(name) {
                return Err(format!("</{name}> closes {last:?}"));
            }
            continue;
        }
        let body = inner.strip_suffix('/').unwrap_or(inner);
        let (name, attributes) = body.split_once(' ').unwrap_or((body, ""));
        let parts: Vec<&str> = attributes.split('"').collect();
        let is_quoted = parts.len() % 2 == 1
            && parts.last().is_none_or(|after| after.trim().is_empty())
            && parts.chunks_exact(2).all(|pair| pair[0].ends_with('=') && !pair[0].trim().contains(' '));
        if !is_quoted || parts.iter().any(|part| part.contains("NaN") || part.contains("inf")) {
            return Err(format!("<{inner}>"));
        }
        if !inner.ends_with('/') {
            open.push(name);
        }
    }
    plain(rest)?;
    if open.is_empty() { Ok(()) } else { Err(format!("{open:?} are not closed")) }
}

fn plain(text: &str) -> Result<(), String> {
    let entities = ["amp;", "lt;", "gt;", "quot;"];
    let is_escaped = |after: &str| entities.iter().any(|entity| after.starts_with(entity));
    let is_foreign = |letter: char| letter.is_control() && letter != '\n';
    if text.contains(is_foreign) || !text.split('&').skip(1).all(is_escaped) {
        return Err(format!("{text:?} is not escaped"));
    }
    Ok(())
}

#[test]
fn the_checker_finds_what_is_wrong() {
    assert_eq!(well_formed("<a b=\"1\"><c/>x &amp; y</a>\n"), Ok(()));
    for wrong in
        ["<a>", "<a></b>", "</a>", "<a", "<a b=1/>", "<a b=\"NaN\"/>", "a & b", "<a b=\"1/>", "\u{1}"]
    {
        assert!(well_formed(wrong).is_err(), "{wrong}");
    }
}

fn any_axis() -> impl Strategy<Value = Axis> {
    let scale = prop_oneof![Just(Scale::Linear), Just(Scale::Log)];
    let range = prop::option::of((any::<f64>(), any::<f64>()));
    let places = prop::collection::vec(".{0,9}", 0..5);
    (any::<String>(), scale, range, prop::option::of(any::<f64>()), places)
        .prop_map(|(label, scale, range, reference, places)| Axis { label, scale, range, reference, places })
}

fn any_series() -> impl Strategy<Value = Series> {
    let x = prop_oneof![(0..4).prop_map(f64::from), any::<f64>()];
    let y = prop_oneof![-1.0..1.0_f64, prop::num::f64::ANY];
    let number = || prop::option::of(prop::num::f64::ANY);
    let interval = prop::option::of((prop::num::f64::ANY, prop::num::f64::ANY));
    let verdict = prop::option::of(prop::sample::select(&Verdict::ALL[..]));
    let point = (x, y, number(), interval, verdict).prop_map(|(x, y, error, interval, verdict)| Point {
        x,
        y,
        error,
        interval,
        verdict,
    });
    let look = prop_oneof![Just(Look::Measured), Just(Look::Published)];
    (".{0,3}", prop::option::of(0..20_usize), look, prop::collection::vec(point, 0..5))
        .prop_map(|(name, colour, look, points)| Series { name, colour, look, points })
}

fn any_panel() -> impl Strategy<Value = Panel> {
    let all = || prop::collection::vec(any_series(), 0..4);
    let bars = (prop::collection::vec(".{0,20}", 0..5), all())
        .prop_map(|(groups, series)| Marks::Bars { groups, series });
    let marks = prop_oneof![all().prop_map(Marks::Lines), bars];
    let notes = prop::collection::vec(any::<String>(), 0..3);
    (any::<String>(), notes, any_axis(), any_axis(), marks).prop_map(|(title, notes, x, y, marks)| Panel {
        title,
        notes,
        x,
        y,
        marks,
    })
}

proptest! {
    #[test]
    fn any_figure_is_a_file(
        title in any::<String>(),
        caption in any::<String>(),
        columns in 0..4_usize,
        panels in prop::collection::vec(any_panel(), 0..6),
        shares_axes in any::<bool>(),
    ) {
        let svg = Figure { title, caption, columns, panels, shares_axes }.svg();
        prop_assert_eq!(well_formed(&svg), Ok(()));
    }
}
