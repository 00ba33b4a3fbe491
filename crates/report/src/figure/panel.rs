//! One plot: its frame, its axes, and what lines and bars have in common.

use super::canvas::{Anchor, Canvas, Words, px};
use super::legend::Legend;
use super::map::Map;
use super::range::Range;
use super::style::{LABEL, TICK};
use super::text::{shortened, width};
use super::ticks::{Rank, Tick, labelled, ticks};
use super::{Marks, Panel, Point, Scale, bars, lines, rows, signs};
use crate::numbers::readable;

/// Where a plot is drawn.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    /// How far labels may go to the left of it.
    pub(super) room_left: f64,
    pub(super) labels: Labels,
    /// The size of markers, usually 1.
    pub(super) marker_size: f64,
}

/// What is written at the axes of a plot.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Labels {
    /// The numbers on the left.
    pub(super) left: bool,
    /// The numbers or names below.
    pub(super) below: bool,
    /// What the axes are.
    pub(super) names: bool,
}

impl Labels {
    pub(super) const ALL: Labels = Labels { left: true, below: true, names: true };
}

impl Frame {
    pub(super) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// The place of a share of the axis below.
    pub(super) fn x(&self, share: f64) -> f64 {
        self.left + share * self.width
    }

    /// The place of a share of the axis on the left, which runs upwards.
    pub(super) fn y(&self, share: f64) -> f64 {
        self.bottom() - share * self.height
    }
}

/// A panel with its axes worked out.
pub(super) struct Plot<'a> {
    panel: &'a Panel,
    x: Option<Range>,
    y: Option<Range>,
    x_ticks: Vec<Tick>,
    y_ticks: Vec<Tick>,
}

impl<'a> Plot<'a> {
    pub(super) fn new(panel: &'a Panel) -> Plot<'a> {
        let points = || panel.marks.series().iter().flat_map(|series| &series.points);
        let (x, n_groups) = match &panel.marks {
            Marks::Lines(_) if !panel.x.places.is_empty() => (Range::places(panel.x.places.len()), 0),
            Marks::Lines(_) => (Range::new(&panel.x, points().map(|point| point.x)), 0),
            Marks::Bars { groups, .. } => (None, groups.len()),
            Marks::Rows { .. } => {
                (Range::new(&panel.x, points().flat_map(|point| reach(point, panel.x.scale))), 0)
            }
            Marks::Map { .. } => (None, 0),
        };
        let is_in_sight = |point: &&Point| match x {
            Some(x) => x.share(point.x).is_some(),
            None => bars::group(point, n_groups).is_some(),
        };
        let mut heights: Vec<f64> =
            points().filter(is_in_sight).flat_map(|point| reach(point, panel.y.scale)).collect();
        if !heights.is_empty() {
            heights.extend(panel.y.reference);
            // A bar that did not begin at 0 would lie about its height.
            heights.extend((n_groups > 0 && panel.y.scale == Scale::Linear).then_some(0.0));
        }
        let y = match &panel.marks {
            Marks::Rows { .. } => None,
            _ => Range::new(&panel.y, heights),
        };
        let across: Vec<f64> = points().map(|point| point.x).collect();
        Plot {
            panel,
            x,
            y,
            x_ticks: match &panel.x.places[..] {
                [] => x.map(|range| ticks(&range, &across)).unwrap_or_default(),
                places => (0..places.len()).map(Tick::place).collect(),
            },
            y_ticks: y.map(|range| ticks(&range, &[])).unwrap_or_default(),
        }
    }

    pub(super) fn panel(&self) -> &'a Panel {
        self.panel
    }

    /// The room that the numbers on the left take, with a gap.
    pub(super) fn room_for_numbers(&self) -> f64 {
        if let Some(map) = self.map() {
            return map.room_for_labels();
        }
        if let Marks::Rows { rows, .. } = &self.panel.marks {
            return rows::room_for_names(rows);
        }
        let shown = self.y_ticks.iter().filter(|tick| tick.rank < Rank::Small);
        shown.map(|tick| width(&tick.label, TICK)).fold(0.0, f64::max) + 10.0
    }

    fn map(&self) -> Option<Map<'a>> {
        match &self.panel.marks {
            Marks::Map { columns, rows, series, cells } => Some(Map { columns, rows, series, cells }),
            _ => None,
        }
    }

    /// Draws the plot, and gives the height that its labels take below the frame.
    pub(super) fn draw(&self, canvas: &mut Canvas, frame: &Frame, legend: &Legend) -> f64 {
        self.left_axis(canvas, frame);
        let labels = match &self.panel.marks {
            Marks::Lines(_) | Marks::Rows { .. } => self.lower_axis(canvas, frame),
            Marks::Bars { groups, .. } if frame.labels.below => bars::labels(canvas, frame, groups),
            Marks::Bars { .. } => 0.0,
            Marks::Map { columns, rows, series, cells } => {
                Map { columns, rows, series, cells }.labels(canvas, frame)
            }
        };
        self.references(canvas, frame);
        let n_drawn = match (&self.panel.marks, self.x, self.y) {
            (Marks::Lines(series), Some(x), Some(y)) => {
                axes(canvas, frame);
                let ground = Ground { frame, x: Some(x), y, places: &self.panel.x.places };
                signs::draw(canvas, &ground, self.panel, legend);
                lines::draw(canvas, &ground, series, legend)
            }
            (Marks::Bars { groups, series }, _, Some(y)) => {
                let ground = Ground { frame, x: None, y, places: &[] };
                let n_drawn = bars::draw(canvas, &ground, (groups, series), legend);
                axes(canvas, frame);
                n_drawn
            }
            (Marks::Rows { rows, series }, Some(x), _) => {
                axes(canvas, frame);
                if frame.labels.left {
                    rows::names(canvas, frame, rows);
                }
                rows::draw(canvas, frame, &x, (rows, series), legend)
            }
            (Marks::Map { columns, rows, series, cells }, ..) => {
                Map { columns, rows, series, cells }.draw(canvas, frame, legend)
            }
            _ => {
                axes(canvas, frame);
                0
            }
        };
        if n_drawn == 0 {
            let at = (frame.x(0.5), frame.y(0.5));
            canvas.words(&Words {
                text: "no data",
                at,
                anchor: Anchor::Middle,
                class: "caption",
                turned: 0.0,
            });
        }
        labels + if frame.labels.names { self.names(canvas, frame, labels) } else { 0.0 }
    }

    fn left_axis(&self, canvas: &mut Canvas, frame: &Frame) {
        let Some(range) = self.y else { return };
        let place = |tick: &Tick| frame.y(range.share_or_end(tick.number));
        for tick in &self.y_ticks {
            let y = place(tick);
            if tick.rank == Rank::Small {
                canvas.line("axis", (frame.left - 3.0, y), (frame.left, y));
            } else {
                canvas.line("grid", (frame.left, y), (frame.right(), y));
            }
        }
        if !frame.labels.left {
            return;
        }
        for tick in labelled(&self.y_ticks, |tick| (place(tick), TICK * 1.3)) {
            let at = (frame.left - 8.0, place(tick) + TICK * 0.35);
            canvas.words(&Words { text: &tick.label, at, anchor: Anchor::End, class: "tick", turned: 0.0 });
        }
    }

    /// Gives the height of the labels.
    fn lower_axis(&self, canvas: &mut Canvas, frame: &Frame) -> f64 {
        let Some(range) = self.x else { return 0.0 };
        let place = |tick: &Tick| frame.x(range.share_or_end(tick.number));
        for tick in &self.x_ticks {
            let x = place(tick);
            if tick.rank == Rank::Small {
                canvas.line("axis", (x, frame.bottom()), (x, frame.bottom() + 3.0));
            } else {
                canvas.line("grid", (x, frame.top), (x, frame.bottom()));
                canvas.line("axis", (x, frame.bottom()), (x, frame.bottom() + 5.0));
            }
        }
        if !frame.labels.below {
            return 0.0;
        }
        if !self.panel.x.places.is_empty() {
            return bars::labels(canvas, frame, &self.panel.x.places) + 2.0;
        }
        for tick in labelled(&self.x_ticks, |tick| (place(tick), width(&tick.label, TICK) + 8.0)) {
            let at = (place(tick), frame.bottom() + TICK + 8.0);
            canvas.words(&Words {
                text: &tick.label,
                at,
                anchor: Anchor::Middle,
                class: "tick",
                turned: 0.0,
            });
        }
        TICK + 12.0
    }

    fn references(&self, canvas: &mut Canvas, frame: &Frame) {
        if let Some(share) = self.y.zip(self.panel.y.reference).and_then(|(range, at)| range.share(at)) {
            canvas.line("reference", (frame.left, frame.y(share)), (frame.right(), frame.y(share)));
        }
        if let Some(share) = self.x.zip(self.panel.x.reference).and_then(|(range, at)| range.share(at)) {
            canvas.line("reference", (frame.x(share), frame.top), (frame.x(share), frame.bottom()));
        }
    }

    /// The names of the axes. Gives the height of the one below.
    fn names(&self, canvas: &mut Canvas, frame: &Frame, labels: f64) -> f64 {
        let name = shortened(&self.panel.y.label, LABEL, frame.height + 20.0);
        let at = (frame.left - frame.room_left + LABEL, frame.y(0.5));
        canvas.words(&Words { text: &name, at, anchor: Anchor::Middle, class: "label", turned: -90.0 });
        let name = shortened(&self.panel.x.label, LABEL, frame.width);
        let at = (frame.x(0.5), frame.bottom() + labels + LABEL + 2.0);
        canvas.words(&Words { text: &name, at, anchor: Anchor::Middle, class: "label", turned: 0.0 });
        if name.is_empty() { 0.0 } else { LABEL + 6.0 }
    }
}

/// The lines on the left and below.
fn axes(canvas: &mut Canvas, frame: &Frame) {
    let corner = (frame.left, frame.bottom());
    canvas.line("axis", (frame.left, frame.top), corner);
    canvas.line("axis", corner, (frame.right(), frame.bottom()));
}

/// From where to where a point and its error bar reach. On a log axis an error
/// bar that comes near 0 would stretch the axis without end: it is cut short.
fn reach(point: &Point, scale: Scale) -> [f64; 3] {
    let (low, high) = usable_interval(point).unwrap_or((point.y, point.y));
    let low = match scale {
        Scale::Linear => low,
        Scale::Log => low.max(point.y / 3.0),
    };
    [low, point.y, high]
}

fn usable_error(point: &Point) -> Option<f64> {
    point.error.map(f64::abs).filter(|error| error.is_finite())
}

/// From where to where the point's error bar reaches, if it has one.
pub(super) fn usable_interval(point: &Point) -> Option<(f64, f64)> {
    let given = point.interval.filter(|(low, high)| low.is_finite() && high.is_finite() && low <= high);
    given.or_else(|| usable_error(point).map(|error| (point.y - error, point.y + error)))
}

/// What marks are drawn on.
pub(super) struct Ground<'a> {
    pub(super) frame: &'a Frame,
    /// Bars have none.
    pub(super) x: Option<Range>,
    pub(super) y: Range,
    /// The names of 0, 1, 2, … on the axis below, where they have some.
    pub(super) places: &'a [String],
}

impl Ground<'_> {
    /// Where the point is on the axis below, in words.
    pub(super) fn name(&self, point: &Point) -> String {
        let place = self.places.get(point.x.round().max(0.0) as usize);
        place.map_or_else(|| readable(point.x), String::clone)
    }

    /// How high the point is, where it can be shown.
    pub(super) fn height(&self, point: &Point) -> Option<f64> {
        self.y.share(point.y).map(|share| self.frame.y(share))
    }

    /// The heights of the ends of the point's interval, if it has one.
    pub(super) fn ends(&self, point: &Point) -> Option<(f64, f64)> {
        let (low, high) = usable_interval(point)?;
        Some((self.frame.y(self.y.share_or_end(low)), self.frame.y(self.y.share_or_end(high))))
    }

    /// The outline of an error bar at `x`, or nothing. It has a cap at each end
    /// that is really there and none where the frame cuts it.
    pub(super) fn error_bar(&self, x: f64, point: &Point, half_cap: f64) -> String {
        let Some((low, high)) = usable_interval(point) else { return String::new() };
        let ends = [low, high];
        let [low, high] = ends.map(|end| self.frame.y(self.y.share_or_end(end)));
        let mut outline = format!("M{} {}V{}", px(x), px(low), px(high));
        for (end, y) in ends.into_iter().zip([low, high]) {
            if self.y.share(end).is_some() {
                outline += &format!("M{} {}H{}", px(x - half_cap), px(y), px(x + half_cap));
            }
        }
        outline
    }
}

/// A number with its error, as one reads it when the pointer rests on a mark.
pub(super) fn value(point: &Point) -> String {
    match (usable_interval(point), usable_error(point)) {
        (Some((low, high)), _) if point.interval.is_some() => {
            format!("{} ({} to {})", readable(point.y), readable(low), readable(high))
        }
        (_, Some(error)) => format!("{} ± {}", readable(point.y), readable(error)),
        _ => readable(point.y),
    }
}
