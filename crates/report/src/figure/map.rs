//! Maps: a grid of cells, each in the colour of what won there and the darker the clearer it won.

use super::canvas::{Anchor, Canvas, Words, escaped, px};
use super::legend::Legend;
use super::panel::Frame;
use super::style::{LABEL, TICK};
use super::text::{shortened, width};
use super::{Look, MapCell, Series};

/// The cells of a map and what they are named by.
#[derive(Clone, Copy)]
pub(super) struct Map<'a> {
    /// The labels of the columns, from left to right.
    pub(super) columns: &'a [String],
    /// The labels of the rows, from below.
    pub(super) rows: &'a [String],
    /// The names and colours.
    pub(super) series: &'a [Series],
    /// The cells.
    pub(super) cells: &'a [MapCell],
}

impl Map<'_> {
    /// The height that rows with four lines of words need: a name in two, and two notes.
    pub(super) fn height(n_rows: usize) -> f64 {
        n_rows as f64 * (4.0 * LABEL * 1.2 + 4.0)
    }

    fn size(&self, frame: &Frame) -> (f64, f64) {
        let share = |length: f64, n: usize| length / n.max(1) as f64;
        (share(frame.width, self.columns.len()), share(frame.height, self.rows.len()))
    }

    /// Draws the cells, and gives their number.
    pub(super) fn draw(&self, canvas: &mut Canvas, frame: &Frame, legend: &Legend) -> usize {
        let (wide, high) = self.size(frame);
        let mut n_drawn = 0;
        for cell in
            self.cells.iter().filter(|cell| cell.column < self.columns.len() && cell.row < self.rows.len())
        {
            let Some(series) = self.series.get(cell.series) else { continue };
            let (left, top) =
                (frame.left + cell.column as f64 * wide, frame.bottom() - (cell.row + 1) as f64 * high);
            let ink = legend.ink(&series.name, Look::Measured);
            let class = ink.class();
            // A colour that is used again has a rim, as in the legend.
            let rim = if ink.bar().is_empty() { "" } else { r#" stroke="currentColor""# };
            // Never so dark that the ink on it cannot be read.
            let strength = if cell.strength.is_finite() { cell.strength.clamp(0.0, 1.0) } else { 0.0 };
            let [x, y, w, h] = [left + 1.0, top + 1.0, wide - 2.0, high - 2.0].map(px);
            canvas.put(&format!(
                r#"<g class="{class}"><rect class="bar" x="{x}" y="{y}" width="{w}" height="{h}" fill-opacity="{:.2}"{rim}><title>{}</title></rect></g>"#,
                0.10 + 0.55 * strength,
                escaped(&cell.title)
            ));
            self.words(canvas, cell, &series.name, (left + wide / 2.0, top + high / 2.0), wide - 6.0);
            n_drawn += 1;
        }
        n_drawn
    }

    /// The name and the notes of a cell, around its middle.
    fn words(&self, canvas: &mut Canvas, cell: &MapCell, name: &str, (x, y): (f64, f64), room: f64) {
        let notes = cell.notes.iter().map(|note| shortened(note, LABEL, room));
        let lines: Vec<String> = hyphenated(name, LABEL, room).into_iter().chain(notes).collect();
        let height = LABEL * 1.2;
        let first = y - height * lines.len() as f64 / 2.0 + height * 0.75;
        for (index, text) in lines.iter().enumerate() {
            let at = (x, first + index as f64 * height);
            canvas.words(&Words { text, at, anchor: Anchor::Middle, class: "label", turned: 0.0 });
        }
    }

    /// The labels of columns and rows. Gives the height of those below.
    pub(super) fn labels(&self, canvas: &mut Canvas, frame: &Frame) -> f64 {
        let (wide, high) = self.size(frame);
        for (column, label) in self.columns.iter().enumerate() {
            let at = (frame.left + (column as f64 + 0.5) * wide, frame.bottom() + TICK + 6.0);
            let text = shortened(label, TICK, wide);
            canvas.words(&Words { text: &text, at, anchor: Anchor::Middle, class: "tick", turned: 0.0 });
        }
        for (row, label) in self.rows.iter().enumerate() {
            let at = (frame.left - 8.0, frame.bottom() - (row as f64 + 0.5) * high + TICK * 0.35);
            canvas.words(&Words { text: label, at, anchor: Anchor::End, class: "tick", turned: 0.0 });
        }
        TICK + 10.0
    }

    /// The room that the labels of the rows take, with a gap.
    pub(super) fn room_for_labels(&self) -> f64 {
        self.rows.iter().map(|label| width(label, TICK)).fold(0.0, f64::max) + 10.0
    }
}

/// A name in one line, or in two if it can be broken after a hyphen, before one or before a
/// bracket; a line that is still too wide is shortened.
fn hyphenated(name: &str, size: f64, room: f64) -> Vec<String> {
    if width(name, size) <= room {
        return vec![name.to_owned()];
    }
    let mut places = name.char_indices().flat_map(|(at, letter)| match letter {
        '-' => vec![at, at + 1],
        '(' => vec![at],
        _ => Vec::new(),
    });
    let fitting = places.rfind(|&at| at > 0 && width(&name[..at], size) <= room);
    match fitting {
        Some(at) => vec![name[..at].to_owned(), shortened(&name[at..], size, room)],
        None => vec![shortened(name, size, room)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_break_at_hyphens_and_brackets() {
        assert_eq!(hyphenated("sh", 10.0, 60.0), ["sh"]);
        assert_eq!(hyphenated("successive-rejects", 10.0, 75.0), ["successive-", "rejects"]);
        assert_eq!(hyphenated("successive-rejects", 10.0, 60.0), ["successive", "-rejects"]);
        assert_eq!(hyphenated("ucb-e(a=2)", 10.0, 40.0), ["ucb-e", "(a=2)"]);
        assert_eq!(hyphenated("uniform", 10.0, 30.0), ["unif…"]);
    }
}
