//! Where everything goes: title, legend, the grid of panels, caption.
//!
//! All panels of a figure have frames of one size, so that eyes can compare
//! them; rows differ in what their labels need below the frames. Panels that
//! share their axes have labels on the left and below the last ones only.

use super::canvas::{Anchor, Canvas, Words, escaped, px};
use super::legend::Legend;
use super::map::Map;
use super::panel::{Frame, Labels, Plot};
use super::rows;
use super::signs::{self, STRIP};
use super::style::{BOLD, CAPTION, LABEL, PANEL_TITLE, STYLE, TICK, TITLE, VERDICT_STYLE};
use super::text::{shortened, wrapped};
use super::{Figure, Marks, Panel};

const MARGIN: f64 = 20.0;
const BETWEEN_COLUMNS: f64 = 24.0;
const BETWEEN_ROWS: f64 = 20.0;
const PANEL_HEAD: f64 = 26.0;
/// The height of a line below a panel's title.
const NOTE: f64 = TICK * 1.25;
/// Between frames that share their axes: room for a marker.
const BETWEEN_FRAMES: f64 = 20.0;
/// The size of markers in small frames.
const SMALL_MARKER: f64 = 0.75;

/// The width of a panel with its labels, and the height of its frame alone.
fn panel_size(n_columns: usize) -> (f64, f64) {
    match n_columns {
        1 => (760.0, 420.0),
        2 => (468.0, 240.0),
        3 => (340.0, 200.0),
        _ => (262.0, 170.0),
    }
}

/// The width and the height of frames that share their axes. Together they are about as wide as the
/// text of a page, so that letters stay legible in print.
fn shared_frame_size(n_columns: usize) -> (f64, f64) {
    match n_columns {
        2 => (340.0, 190.0),
        3 => (222.0, 140.0),
        _ => (166.0, 116.0),
    }
}

/// Where the panels of a figure are, from left to right.
struct Columns {
    number: usize,
    is_shared: bool,
    /// From one frame to the next.
    step: f64,
    frame_width: f64,
    frame_height: f64,
    /// The room for labels on the left.
    left: f64,
    /// The width of everything.
    room: f64,
}

impl Columns {
    fn new(figure: &Figure, left: f64) -> Columns {
        let number = figure.columns.min(figure.panels.len()).max(1);
        let is_shared = figure.shares_axes && number > 1;
        let n_gaps = (number - 1) as f64;
        let (step, frame_width, frame_height) = if is_shared {
            let (width, height) = shared_frame_size(number);
            (width + BETWEEN_FRAMES, width, height)
        } else {
            let (width, height) = panel_size(number);
            (width + BETWEEN_COLUMNS, width - left - 8.0, height)
        };
        let maps = figure.panels.iter().map(|panel| match &panel.marks {
            Marks::Map { rows, .. } => Map::height(rows.len()),
            _ => 0.0,
        });
        let frame_height = maps.fold(frame_height, f64::max);
        // Rows are as high as their names need, and no higher.
        let rows = figure.panels.iter().map(|panel| match &panel.marks {
            Marks::Rows { rows, .. } => Some(rows::height(rows.len())),
            _ => None,
        });
        let rows: Option<Vec<f64>> = rows.collect();
        let frame_height = match rows {
            Some(rows) if !rows.is_empty() => rows.into_iter().fold(0.0, f64::max),
            _ => frame_height,
        };
        let room = left + n_gaps * step + frame_width + 8.0;
        Columns { number, is_shared, step, frame_width, frame_height, left, room }
    }

    /// The frame of a panel by its number among all.
    fn frame(&self, number: usize, n_panels: usize, top: f64) -> Frame {
        let column = number % self.number;
        let labels = match self.is_shared {
            true => Labels { left: column == 0, below: number + self.number >= n_panels, names: false },
            false => Labels::ALL,
        };
        Frame {
            left: MARGIN + self.left + column as f64 * self.step,
            top,
            width: self.frame_width,
            height: self.frame_height,
            room_left: self.left,
            labels,
            marker_size: if self.is_shared && self.number > 2 { SMALL_MARKER } else { 1.0 },
        }
    }
}

/// The figure as an SVG file.
pub(super) fn draw(figure: &Figure) -> String {
    let plots: Vec<Plot> = figure.panels.iter().map(Plot::new).collect();
    let labels = plots.iter().map(Plot::room_for_numbers).fold(0.0, f64::max);
    let columns = Columns::new(figure, LABEL * 1.2 + 10.0 + labels);
    let room = columns.room;
    let legend = Legend::new(figure);

    let mut canvas = Canvas::new();
    let mut y = paragraph(&mut canvas, &figure.title, ("title", TITLE), (MARGIN, room / BOLD));
    y += legend.draw(&mut canvas, MARGIN, y + 4.0, room) + 16.0;
    let top = y;
    let mut bottom = y;
    for (number, row) in plots.chunks(columns.number).enumerate() {
        let head = row.iter().map(|plot| head(plot.panel())).fold(0.0, f64::max);
        let mut below = 0.0_f64;
        for (i, plot) in row.iter().enumerate() {
            let frame = columns.frame(number * columns.number + i, plots.len(), y + head);
            below = below.max(plot.draw(&mut canvas, &frame, &legend));
            titles(&mut canvas, &frame, plot.panel());
        }
        bottom = y + head + columns.frame_height;
        y += head + columns.frame_height + below + BETWEEN_ROWS;
    }
    if columns.is_shared {
        y += names(&mut canvas, &columns, figure, (top, bottom, y - BETWEEN_ROWS));
    }
    y = paragraph(&mut canvas, &figure.caption, ("caption", CAPTION), (y - 4.0, room)).max(y);
    file(figure, &canvas.finish(), room + 2.0 * MARGIN, y)
}

/// The height of what is above a panel's frame.
fn head(panel: &Panel) -> f64 {
    let title = if panel.title.is_empty() { 8.0 } else { PANEL_HEAD };
    title + panel.notes.len() as f64 * NOTE + signs::n_strips(panel) as f64 * STRIP
}

/// Writes the title of a panel, and its notes below it.
fn titles(canvas: &mut Canvas, frame: &Frame, panel: &Panel) {
    let mut y = frame.top - 10.0 - signs::n_strips(panel) as f64 * STRIP;
    for note in panel.notes.iter().rev() {
        let text = shortened(note, TICK, frame.width);
        canvas.words(&Words {
            text: &text,
            at: (frame.left, y),
            anchor: Anchor::Start,
            class: "tick",
            turned: 0.0,
        });
        y -= NOTE;
    }
    let text = shortened(&panel.title, PANEL_TITLE * BOLD, frame.width + BETWEEN_FRAMES - 2.0);
    canvas.words(&Words {
        text: &text,
        at: (frame.left, y),
        anchor: Anchor::Start,
        class: "panel",
        turned: 0.0,
    });
}

/// Writes the names of axes that all panels share, and gives the height of the one below.
fn names(canvas: &mut Canvas, columns: &Columns, figure: &Figure, (top, bottom, y): (f64, f64, f64)) -> f64 {
    let Some(panel) = figure.panels.first() else { return 0.0 };
    let name = shortened(&panel.y.label, LABEL, bottom - top);
    let at = (MARGIN + LABEL, (top + bottom) / 2.0);
    canvas.words(&Words { text: &name, at, anchor: Anchor::Middle, class: "label", turned: -90.0 });
    let name = shortened(&panel.x.label, LABEL, columns.room - columns.left);
    let at = (MARGIN + (columns.left + columns.room) / 2.0, y + LABEL + 2.0);
    canvas.words(&Words { text: &name, at, anchor: Anchor::Middle, class: "label", turned: 0.0 });
    if name.is_empty() { 0.0 } else { LABEL + 6.0 }
}

/// Draws text in as many lines as it needs, and gives the place below it.
fn paragraph(canvas: &mut Canvas, text: &str, (class, size): (&str, f64), (top, room): (f64, f64)) -> f64 {
    let mut y = top;
    for line in wrapped(text, size, room) {
        y += size * 1.35;
        let at = (MARGIN, y - size * 0.3);
        canvas.words(&Words { text: &line, at, anchor: Anchor::Start, class, turned: 0.0 });
    }
    if y > top { y + 4.0 } else { y }
}

fn file(figure: &Figure, drawing: &str, width: f64, height: f64) -> String {
    let (width, height) = (px(width), px(height));
    let title = escaped(&figure.title);
    let description = escaped(&description(figure));
    let is_plain = !drawing.contains(r#"class="sign "#) && !drawing.contains(r#"class="band""#);
    let verdict_style = if is_plain { "" } else { VERDICT_STYLE };
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="tesuji-figure" role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}">
<title>{title}</title>
<desc>{description}</desc>
<style>
{STYLE}{verdict_style}</style>
<rect class="paper" width="{width}" height="{height}"/>
{drawing}</svg>
"#
    )
}

/// The figure for those who do not see it: what is in it, not where.
fn description(figure: &Figure) -> String {
    let panel = |panel: &Panel| {
        let names: Vec<&str> = panel.marks.series().iter().map(|series| series.name.as_str()).collect();
        let title = if panel.title.is_empty() { "Panel" } else { &panel.title };
        let across = if panel.x.label.is_empty() { "group" } else { &panel.x.label };
        format!(" {title}: {} by {across}, for {}.", panel.y.label, names.join(", "))
    };
    figure.caption.clone() + &figure.panels.iter().map(panel).collect::<String>()
}
