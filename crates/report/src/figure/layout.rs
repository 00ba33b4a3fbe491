//! Where everything goes: title, legend, the grid of panels, caption.
//!
//! All panels of a figure have frames of one size, so that eyes can compare
//! them; rows differ in what their labels need below the frames.

use super::canvas::{Anchor, Canvas, Words, escaped, px};
use super::legend::Legend;
use super::map::Map;
use super::panel::{Frame, Plot};
use super::style::{BOLD, CAPTION, LABEL, PANEL_TITLE, STYLE, TITLE};
use super::text::{shortened, wrapped};
use super::{Figure, Marks, Panel};

const MARGIN: f64 = 20.0;
const BETWEEN_COLUMNS: f64 = 24.0;
const BETWEEN_ROWS: f64 = 20.0;
const PANEL_HEAD: f64 = 26.0;

/// The width of a panel with its labels, and the height of its frame alone.
fn panel_size(n_columns: usize) -> (f64, f64) {
    match n_columns {
        1 => (760.0, 420.0),
        2 => (468.0, 240.0),
        3 => (340.0, 200.0),
        _ => (262.0, 170.0),
    }
}

/// The figure as an SVG file.
pub(super) fn draw(figure: &Figure) -> String {
    let n_columns = figure.columns.min(figure.panels.len()).max(1);
    let (panel_width, frame_height) = panel_size(n_columns);
    let maps = figure.panels.iter().map(|panel| match &panel.marks {
        Marks::Map { rows, .. } => Map::height(rows.len()),
        _ => 0.0,
    });
    let frame_height = maps.fold(frame_height, f64::max);
    let gaps = (n_columns - 1) as f64 * BETWEEN_COLUMNS;
    let room = n_columns as f64 * panel_width + gaps;
    let legend = Legend::new(figure);

    let mut canvas = Canvas::new();
    let mut y = paragraph(&mut canvas, &figure.title, ("title", TITLE), (MARGIN, room / BOLD));
    y += legend.draw(&mut canvas, MARGIN, y + 4.0, room) + 16.0;
    let plots: Vec<Plot> = figure.panels.iter().map(Plot::new).collect();
    let labels = plots.iter().map(Plot::room_for_numbers).fold(0.0, f64::max);
    let left = LABEL * 1.2 + 10.0 + labels;
    for row in plots.chunks(n_columns) {
        let head = if row.iter().any(|plot| !plot.title().is_empty()) { PANEL_HEAD } else { 8.0 };
        let mut below = 0.0_f64;
        for (i, plot) in row.iter().enumerate() {
            let x = MARGIN + i as f64 * (panel_width + BETWEEN_COLUMNS);
            let frame = Frame {
                left: x + left,
                top: y + head,
                width: panel_width - left - 8.0,
                height: frame_height,
                room_left: left,
            };
            below = below.max(plot.draw(&mut canvas, &frame, &legend));
            canvas.words(&Words {
                text: &shortened(plot.title(), PANEL_TITLE * BOLD, frame.width),
                at: (frame.left, frame.top - 10.0),
                anchor: Anchor::Start,
                class: "panel",
                turned: 0.0,
            });
        }
        y += head + frame_height + below + BETWEEN_ROWS;
    }
    y = paragraph(&mut canvas, &figure.caption, ("caption", CAPTION), (y - 4.0, room)).max(y);
    file(figure, &canvas.finish(), room + 2.0 * MARGIN, y)
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
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="tesuji-figure" role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}">
<title>{title}</title>
<desc>{description}</desc>
<style>
{STYLE}</style>
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
