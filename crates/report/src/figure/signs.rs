//! Verdicts on points: a strip of signs above a panel, one strip for each series that has any.
//!
//! Signs are drawn, not written: not every font has them, and paper in black and white must tell
//! them apart by their shape.

use tesuji_arena::statistics::Verdict;

use super::canvas::{Canvas, escaped, px};
use super::legend::Legend;
use super::panel::Ground;
use super::{Figure, Marks, Panel, Series};

/// The height of a strip.
pub(super) const STRIP: f64 = 13.0;
/// From the frame to the middle of the first strip.
const ABOVE: f64 = 10.0;

/// The series of a panel with a strip each.
fn judged(panel: &Panel) -> impl Iterator<Item = &Series> {
    let series: &[Series] = if let Marks::Lines(series) = &panel.marks { series } else { &[] };
    series.iter().filter(|one| one.points.iter().any(|point| point.verdict.is_some()))
}

/// The number of strips above a panel.
pub(super) fn n_strips(panel: &Panel) -> usize {
    judged(panel).count()
}

/// The verdicts that occur in a figure, the most favourable first.
pub(super) fn verdicts(figure: &Figure) -> Vec<Verdict> {
    let points = || figure.panels.iter().flat_map(judged).flat_map(|series| &series.points);
    let occurs = |verdict: &Verdict| points().any(|point| point.verdict == Some(*verdict));
    Verdict::ALL.into_iter().filter(occurs).collect()
}

/// Draws the strips of a panel, the first series on top.
pub(super) fn draw(canvas: &mut Canvas, ground: &Ground, panel: &Panel, legend: &Legend) {
    let n_strips = n_strips(panel);
    for (number, series) in judged(panel).enumerate() {
        let y = ground.frame.top - ABOVE - (n_strips - 1 - number) as f64 * STRIP;
        if n_strips > 1 {
            let ink = legend.ink(&series.name, series.look);
            let marker = ink.marker((ground.frame.left - 9.0, y), ground.frame.marker_size);
            canvas.put(&format!(r#"<g class="{}">{marker}</path></g>"#, ink.class()));
        }
        for point in &series.points {
            let share = ground.x.and_then(|range| range.share(point.x));
            let (Some(share), Some(verdict)) = (share, point.verdict) else { continue };
            let note = escaped(&format!("{} at {}: {verdict}", series.name, ground.name(point)));
            canvas.put(&format!("{}<title>{note}</title></path>", sign(verdict, (ground.frame.x(share), y))));
        }
    }
}

/// The sign of a verdict, open: what closes it may say more about it first.
pub(super) fn sign(verdict: Verdict, (x, y): (f64, f64)) -> String {
    let (class, outline) = match verdict {
        Verdict::Agrees => ("agrees", "m-3.6 0.4l2.4 2.8l4.9 -6.4"),
        Verdict::Off => ("off", "m-3.8 -0.9q1.9 -2.6 3.8 0t3.8 0m-7.6 3.6q1.9 -2.6 3.8 0t3.8 0"),
        Verdict::Differs => ("differs", "m-3.1 -3.1l6.2 6.2m-6.2 0l6.2 -6.2"),
        Verdict::Open => ("open", "m-2.1 -2.1a2.1 2.1 0 1 1 3.3 1.7q-1.2 0.8 -1.2 1.8m0 2.5v0.2"),
        Verdict::OtherBudget | Verdict::OtherK => {
            ("open", "m-2.8 0a2.8 2.8 0 1 1 5.6 0a2.8 2.8 0 1 1 -5.6 0")
        }
    };
    format!(r#"<path class="sign is-{class}" d="M{} {}{outline}">"#, px(x), px(y))
}
