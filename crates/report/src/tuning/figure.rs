//! Response curves: the win rate over each parameter.

use tesuji_arena::statistics::wilson;

use super::{Response, TunedCandidate, TunedParameter, TuningResults};
use crate::figure::{Axis, Figure, Look, Marks, Panel, Point, Scale, Series};
use crate::numbers::grouped;

/// The candidates with this share of the games of the one with most are drawn.
const DRAWN: f64 = 0.25;

/// Returns the response curve of each parameter, with the candidates that played most. `None` without
/// games.
pub fn figure(results: &TuningResults) -> Option<Figure> {
    let most = results.candidates.iter().map(|candidate| candidate.games).max()?;
    let is_drawn = |candidate: &&TunedCandidate| {
        candidate.games as f64 >= DRAWN * most as f64 && !candidate.values.is_empty()
    };
    let drawn: Vec<&TunedCandidate> = results.candidates.iter().filter(is_drawn).collect();
    let mut panels: Vec<Panel> =
        results.parameters.iter().enumerate().map(|(index, it)| response(index, it, &drawn)).collect();
    panels.extend(cuts(results));
    let columns = if panels.len() == 4 { 2 } else { panels.len().min(3) };
    Some(Figure {
        title: results.title.clone(),
        caption: format!(
            "{} games. Lines: the win rate by the model, with 95 % bands, at the other values of the best \
             candidate. Points: candidates with many games, with 95 % intervals; other parameters differ.",
            grouped(results.played)
        ),
        columns,
        panels,
        ..Figure::default()
    })
}

/// The curve of one parameter.
fn response(index: usize, parameter: &TunedParameter, drawn: &[&TunedCandidate]) -> Panel {
    let axis = axis(parameter);
    let of_candidate = |candidate: &&&TunedCandidate| {
        let interval = wilson(candidate.rate * candidate.games as f64, candidate.games);
        Some(Point {
            x: place(parameter, &candidate.values[index])?,
            y: 100.0 * candidate.rate,
            interval: Some((100.0 * interval.low, 100.0 * interval.high)),
            ..Point::default()
        })
    };
    // A gap between points: candidates have no order.
    let gap = |point: Point| [point, Point { y: f64::NAN, ..point }];
    let points: Vec<Point> = drawn.iter().filter_map(|it| of_candidate(&it)).flat_map(gap).collect();
    let curve = line(parameter, &parameter.response, true);
    Panel {
        title: parameter.name.clone(),
        x: axis,
        y: Axis { label: "won, %".to_owned(), ..Axis::default() },
        marks: Marks::Lines(vec![
            Series { name: "candidates".to_owned(), colour: Some(1), look: Look::Measured, points },
            Series { name: "model".to_owned(), colour: Some(0), look: Look::Published, points: curve },
        ]),
        ..Panel::default()
    }
}

/// The curves of the first of two parameters at several values of the second.
fn cuts(results: &TuningResults) -> Option<Panel> {
    let [first, second] = &results.parameters[..] else { return None };
    let series = |cut: &super::ResponseCut| Series {
        name: format!("{} = {}", second.name, cut.value),
        points: line(first, &cut.response, false),
        ..Series::default()
    };
    Some(Panel {
        title: format!("{} at values of {}", first.name, second.name),
        x: axis(first),
        y: Axis { label: "won, %".to_owned(), ..Axis::default() },
        marks: Marks::Lines(results.cuts.iter().map(series).collect()),
        ..Panel::default()
    })
}

fn line(parameter: &TunedParameter, response: &[Response], has_band: bool) -> Vec<Point> {
    let point = |response: &Response| {
        Some(Point {
            x: place(parameter, &response.value)?,
            y: 100.0 * response.expected,
            interval: has_band.then_some((100.0 * response.interval.low, 100.0 * response.interval.high)),
            ..Point::default()
        })
    };
    response.iter().filter_map(point).collect()
}

/// Words have places, numbers their values.
fn place(parameter: &TunedParameter, value: &str) -> Option<f64> {
    match words(parameter) {
        Some(words) => words.iter().position(|word| word == value).map(|place| place as f64),
        None => value.parse().ok(),
    }
}

fn words(parameter: &TunedParameter) -> Option<Vec<String>> {
    parameter.range.contains('|').then(|| parameter.range.split('|').map(str::to_owned).collect())
}

fn axis(parameter: &TunedParameter) -> Axis {
    Axis {
        label: parameter.name.clone(),
        scale: if parameter.is_logarithmic { Scale::Log } else { Scale::Linear },
        places: words(parameter).unwrap_or_default(),
        ..Axis::default()
    }
}
