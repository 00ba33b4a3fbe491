//! Numbers with their intervals on named rows, one row below the other: long names have room there.

use super::canvas::{Anchor, Canvas, Words, escaped, px};
use super::legend::Legend;
use super::panel::{Frame, usable_interval, value};
use super::range::Range;
use super::style::TICK;
use super::text::{shortened, width};
use super::{Point, Series};

/// The height of a row.
const ROW: f64 = 21.0;
/// Half the height of the caps of an interval.
const HALF_CAP: f64 = 4.0;
/// The most room that names take.
const LONGEST: f64 = 260.0;

/// The index of a point's row. `None` if there is no such row.
fn row(point: &Point, n_rows: usize) -> Option<usize> {
    let is_row = point.x.fract() == 0.0 && point.x >= 0.0 && point.x < n_rows as f64;
    is_row.then_some(point.x as usize)
}

/// The height of a frame with these rows.
pub(super) fn height(n_rows: usize) -> f64 {
    (n_rows.max(2) as f64) * ROW + 8.0
}

/// The room that the names take, with a gap.
pub(super) fn room_for_names(rows: &[String]) -> f64 {
    rows.iter().map(|name| width(name, TICK)).fold(0.0, f64::max).min(LONGEST) + 10.0
}

/// Writes the names on the left.
pub(super) fn names(canvas: &mut Canvas, frame: &Frame, rows: &[String]) {
    for (index, name) in rows.iter().enumerate() {
        let at = (frame.left - 8.0, middle(frame, index, rows.len()) + TICK * 0.35);
        let text = shortened(name, TICK, LONGEST);
        canvas.words(&Words { text: &text, at, anchor: Anchor::End, class: "label", turned: 0.0 });
    }
}

/// Where the middle of a row is.
fn middle(frame: &Frame, row: usize, n_rows: usize) -> f64 {
    frame.top + (row as f64 + 0.5) * frame.height / n_rows.max(1) as f64
}

/// Draws the points with their intervals, and returns their number.
pub(super) fn draw(
    canvas: &mut Canvas,
    frame: &Frame,
    range: &Range,
    (rows, series): (&[String], &[Series]),
    legend: &Legend,
) -> usize {
    let mut n_drawn = 0;
    for index in 0..rows.len() {
        let y = middle(frame, index, rows.len());
        canvas.line("grid", (frame.left, y), (frame.right(), y));
    }
    for one in series {
        let ink = legend.ink(&one.name, one.look);
        let (mut bars, mut marks) = (String::new(), String::new());
        for point in &one.points {
            let (Some(index), Some(share)) = (row(point, rows.len()), range.share(point.y)) else { continue };
            let y = middle(frame, index, rows.len());
            if let Some((low, high)) = usable_interval(point) {
                let [left, right] = [low, high].map(|end| frame.x(range.share_or_end(end)));
                bars += &format!("M{} {}H{}", px(left), px(y), px(right));
                // An end that the frame cuts has no cap.
                for (end, x) in [(low, left), (high, right)] {
                    if range.share(end).is_some() {
                        bars += &format!("M{} {}V{}", px(x), px(y - HALF_CAP), px(y + HALF_CAP));
                    }
                }
            }
            let note = escaped(&format!("{}: {}", rows[index], value(point)));
            let marker = ink.marker((frame.x(share), y), frame.marker_size);
            marks += &format!("{marker}<title>{note}</title></path>\n");
            n_drawn += 1;
        }
        if marks.is_empty() {
            continue;
        }
        let bars = if bars.is_empty() { bars } else { format!("<path class=\"error\" d=\"{bars}\"/>\n") };
        canvas.put(&format!("<g class=\"{}\">\n{bars}{marks}</g>", ink.class()));
    }
    n_drawn
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Figure, Marks, Panel, Series};
    use super::*;

    #[test]
    fn rows_have_names_and_intervals_with_caps_inside_the_frame() {
        let point = |x, y, interval| Point { x, y, interval: Some(interval), ..Point::default() };
        let points = vec![
            point(0.0, 50.0, (-20.0, 120.0)),
            point(1.0, -30.0, (-60.0, 0.0)),
            point(2.0, 0.0, (0.0, 0.0)),
        ];
        let series = vec![Series { colour: Some(0), points, ..Series::default() }];
        let rows = vec!["uct <a>".to_owned(), "random".to_owned()];
        let x = Axis { label: "Elo".to_owned(), range: Some((-100.0, 100.0)), ..Axis::default() };
        let panel = Panel { x, marks: Marks::Rows { rows, series }, ..Panel::default() };
        let svg = Figure { panels: vec![panel], ..Figure::default() }.svg();
        assert!(
            svg.contains(">uct &lt;a&gt;</text>") && svg.contains("<title>random: −30 (−60 to 0)</title>"),
            "{svg}"
        );
        // A point without a row is left out. Of the four ends, the frame cuts one off.
        assert_eq!(svg.matches("class=\"full\"").count(), 2);
        let bars = svg.lines().find(|line| line.contains("class=\"error\"")).unwrap();
        assert_eq!((bars.matches('H').count(), bars.matches('V').count()), (2, 3), "{bars}");
    }

    #[test]
    fn points_belong_to_whole_rows_only() {
        let of = |x| row(&Point { x, y: 1.0, ..Point::default() }, 3);
        assert_eq!([0.0, 2.0, 3.0, 0.5, -1.0, f64::NAN].map(of), [Some(0), Some(2), None, None, None, None]);
    }
}
