//! Series as lines with markers and error bars.

use super::canvas::{Canvas, escaped, px};
use super::legend::Legend;
use super::panel::{Ground, value};
use super::{Look, Point, Series};

/// Half the width of an error bar's caps.
const HALF_CAP: f64 = 3.5;

/// Draws the series, later ones on top, and gives the number of points drawn.
pub(super) fn draw(canvas: &mut Canvas, ground: &Ground, series: &[Series], legend: &Legend) -> usize {
    series.iter().map(|one| draw_one(canvas, ground, one, legend)).sum()
}

fn draw_one(canvas: &mut Canvas, ground: &Ground, series: &Series, legend: &Legend) -> usize {
    let place = |point: &Point| {
        let share = ground.x.and_then(|range| range.share(point.x))?;
        Some((ground.frame.x(share), ground.height(point)?))
    };
    let places: Vec<Option<(f64, f64)>> = series.points.iter().map(place).collect();
    let drawn: Vec<(&Point, (f64, f64))> =
        series.points.iter().zip(&places).filter_map(|(point, place)| Some((point, (*place)?))).collect();
    if drawn.is_empty() {
        return 0;
    }
    let ink = legend.ink(&series.name, series.look);
    canvas.put(&format!(r#"<g class="{}">"#, ink.class()));
    // A band keeps out of the way of the measured bars. It needs a line without gaps.
    let has_band = series.look == Look::Published && drawn.len() == places.len() && drawn.len() > 1;
    if let Some(band) = has_band.then(|| band(ground, &drawn)).flatten() {
        canvas.put(&format!(r#"<path class="band" d="{band}"/>"#));
    } else {
        let bars = drawn
            .iter()
            .map(|(point, (x, _))| ground.error_bar(*x, point, HALF_CAP * ground.frame.marker_size));
        let errors: String = bars.collect();
        if !errors.is_empty() {
            canvas.put(&format!(r#"<path class="error" d="{errors}"/>"#));
        }
    }
    let line = outline(&places);
    if !line.is_empty() {
        canvas.put(&format!(r#"<path class="line" d="{line}"{}/>"#, ink.dashes()));
    }
    for (point, place) in &drawn {
        let note = escaped(&format!("{} at {}: {}", series.name, ground.name(point), value(point)));
        canvas.put(&format!("{}<title>{note}</title></path>", ink.marker(*place, ground.frame.marker_size)));
    }
    canvas.put("</g>");
    drawn.len()
}

/// The outline of a band from the lower to the upper ends of all intervals. `None` if a point has none.
fn band(ground: &Ground, drawn: &[(&Point, (f64, f64))]) -> Option<String> {
    let ends = drawn.iter().map(|(point, (x, _))| ground.ends(point).map(|ends| (*x, ends)));
    let ends: Vec<(f64, (f64, f64))> = ends.collect::<Option<_>>()?;
    let lower = ends.iter().map(|(x, (low, _))| (x, low));
    let upper = ends.iter().rev().map(|(x, (_, high))| (x, high));
    let corners: Vec<String> = lower.chain(upper).map(|(x, y)| format!("{} {}", px(*x), px(*y))).collect();
    Some(format!("M{}z", corners.join("L")))
}

/// The line through the places, broken where there is none. A place alone
/// between two breaks has only its marker.
fn outline(places: &[Option<(f64, f64)>]) -> String {
    let pieces = places.split(|place| place.is_none()).filter(|piece| piece.len() > 1);
    pieces
        .map(|piece| {
            let corners: Vec<String> =
                piece.iter().flatten().map(|(x, y)| format!("{} {}", px(*x), px(*y))).collect();
            format!("M{}", corners.join("L"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_where_a_point_is_missing() {
        let at = |x: f64| Some((x, 1.0));
        assert_eq!(
            outline(&[at(0.0), at(1.0), None, at(2.0), None, at(3.0), at(4.0)]),
            "M0.0 1.0L1.0 1.0M3.0 1.0L4.0 1.0"
        );
        assert_eq!(outline(&[None]), "");
    }
}
