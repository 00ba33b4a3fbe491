//! Which series has which colour, and the key to them.
//!
//! A name has one colour in the whole figure, in the order in which the names
//! first appear, and one entry. Where a name is both measured and published,
//! two entries without colour say which is which, once for all names.

use tesuji_arena::statistics::Verdict;

use super::canvas::{Anchor, Canvas, Words, px};
use super::signs;
use super::style::{Ink, LEGEND};
use super::text::{shortened, width};
use super::{Figure, Look, Marks};

const ROW: f64 = 22.0;
const LINE_SWATCH: f64 = 30.0;
const BAR_SWATCH: f64 = 14.0;
const SIGN_SWATCH: f64 = 10.0;
const GAP: f64 = 8.0;
const BETWEEN: f64 = 22.0;

/// The entries of a figure's legend.
pub(super) struct Legend<'a> {
    names: Vec<Entry<'a>>,
    /// Whether a name is both measured and published.
    has_both: bool,
    /// The verdicts that occur, each with its word.
    verdicts: Vec<(Verdict, String)>,
}

#[derive(Clone)]
struct Entry<'a> {
    name: &'a str,
    ink: Ink,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Line,
    Bar,
    Sign(Verdict),
}

impl Kind {
    /// How wide the sample before the name is.
    fn swatch(self) -> f64 {
        match self {
            Kind::Line => LINE_SWATCH,
            Kind::Bar => BAR_SWATCH,
            Kind::Sign(_) => SIGN_SWATCH,
        }
    }
}

impl<'a> Legend<'a> {
    pub(super) fn new(figure: &'a Figure) -> Legend<'a> {
        let mut names: Vec<Entry> = Vec::new();
        let mut has_both = false;
        for panel in &figure.panels {
            let kind = match panel.marks {
                Marks::Lines(_) | Marks::Rows { .. } => Kind::Line,
                Marks::Bars { .. } | Marks::Map { .. } => Kind::Bar,
            };
            for series in panel.marks.series() {
                match names.iter_mut().find(|entry| entry.name == series.name) {
                    Some(entry) => {
                        if entry.ink.look != series.look {
                            has_both = true;
                            entry.ink.look = Look::Measured;
                        }
                        entry.ink.colour = entry.ink.colour.or(series.colour);
                    }
                    None => {
                        let ink = Ink { colour: series.colour, look: series.look };
                        names.push(Entry { name: &series.name, ink, kind });
                    }
                }
            }
        }
        // Colours that someone asked for are no longer free.
        let taken: Vec<usize> = names.iter().filter_map(|entry| entry.ink.colour).collect();
        let mut free = (0..).filter(|colour| !taken.contains(colour));
        for entry in &mut names {
            entry.ink.colour = entry.ink.colour.or_else(|| free.next());
        }
        let verdicts = signs::verdicts(figure).into_iter().map(|it| (it, it.to_string())).collect();
        Legend { names, has_both, verdicts }
    }

    /// What a series of that name and look is drawn with.
    pub(super) fn ink(&self, name: &str, look: Look) -> Ink {
        let entry = self.names.iter().find(|entry| entry.name == name);
        Ink { colour: entry.and_then(|entry| entry.ink.colour), look }
    }

    /// The entries that are shown: a series without a name has none.
    fn entries(&self) -> Vec<Entry<'a>> {
        let mut entries: Vec<Entry> =
            self.names.iter().filter(|entry| !entry.name.is_empty()).cloned().collect();
        if self.has_both {
            let kind = entries.first().map_or(Kind::Line, |entry| entry.kind);
            for (name, look) in [("measured", Look::Measured), ("published", Look::Published)] {
                entries.push(Entry { name, ink: Ink { colour: None, look }, kind });
            }
        }
        entries
    }

    /// The verdicts that occur.
    fn signs(&self) -> Vec<Entry<'_>> {
        let ink = Ink { colour: None, look: Look::Measured };
        self.verdicts.iter().map(|(it, name)| Entry { name, ink, kind: Kind::Sign(*it) }).collect()
    }

    /// Draws the entries in rows and columns, and gives the height they take. Verdicts are on the same
    /// row as the series if there is room, else below them.
    pub(super) fn draw(&self, canvas: &mut Canvas, left: f64, top: f64, room: f64) -> f64 {
        let (names, signs) = (self.entries(), self.signs());
        let (rows, width) = block(canvas, &names, (left, top), room);
        let (n_rows, all) = columns(&signs, SIGN_SWATCH + GAP, room);
        let is_beside = rows == 1 && n_rows == 1 && width + BETWEEN + total(&all) <= room;
        let at = if is_beside { (left + width + BETWEEN, top) } else { (left, top + rows as f64 * ROW) };
        let (more, _) = block(canvas, &signs, at, room);
        let n_rows = if is_beside { rows } else { rows + more };
        n_rows as f64 * ROW
    }
}

/// Draws entries in rows and columns, and gives the number of rows and their width.
fn block(canvas: &mut Canvas, entries: &[Entry], (left, top): (f64, f64), room: f64) -> (usize, f64) {
    if entries.is_empty() {
        return (0, 0.0);
    }
    let swatch = entries.iter().map(|entry| entry.kind.swatch()).fold(0.0, f64::max);
    let (n_rows, columns) = columns(entries, swatch + GAP, room);
    for (row, entries) in entries.chunks(columns.len()).enumerate() {
        let y = top + row as f64 * ROW + ROW / 2.0;
        let mut x = left;
        for (entry, column) in entries.iter().zip(&columns) {
            draw_swatch(canvas, entry, x, y);
            canvas.words(&Words {
                text: &shortened(entry.name, LEGEND, room - swatch - GAP),
                at: (x + swatch + GAP, y + LEGEND * 0.35),
                anchor: Anchor::Start,
                class: "legend",
                turned: 0.0,
            });
            x += column + BETWEEN;
        }
    }
    (n_rows, total(&columns))
}

/// The width of columns with the gaps between them.
fn total(columns: &[f64]) -> f64 {
    columns.iter().sum::<f64>() + columns.len().saturating_sub(1) as f64 * BETWEEN
}

/// The number of rows and the widths of the columns: as few rows as the room
/// allows, all about as long.
fn columns(entries: &[Entry], before: f64, room: f64) -> (usize, Vec<f64>) {
    let layout = |n_rows: usize| {
        let n_columns = entries.len().div_ceil(n_rows).max(1);
        let column = |first: usize| {
            let names = entries.iter().skip(first).step_by(n_columns);
            before + names.map(|entry| width(entry.name, LEGEND)).fold(0.0, f64::max)
        };
        (entries.len().div_ceil(n_columns), (0..n_columns).map(column).collect::<Vec<f64>>())
    };
    let fits = |(_, columns): &(usize, Vec<f64>)| total(columns) <= room;
    (1..entries.len()).map(layout).find(fits).unwrap_or_else(|| layout(entries.len().max(1)))
}

fn draw_swatch(canvas: &mut Canvas, entry: &Entry, x: f64, y: f64) {
    let class = entry.ink.class();
    let drawing = match entry.kind {
        Kind::Line => {
            let marker = entry.ink.marker((x + LINE_SWATCH / 2.0, y), 1.0);
            let dashes = entry.ink.dashes();
            let line = format!("M{} {y}H{}", px(x), px(x + LINE_SWATCH), y = px(y));
            format!(r#"<path class="line" d="{line}"{dashes}/>{marker}</path>"#)
        }
        Kind::Bar => {
            let (left, top, side) = (px(x), px(y - BAR_SWATCH / 2.0), px(BAR_SWATCH));
            let bar = entry.ink.bar();
            format!(r#"<rect class="bar" x="{left}" y="{top}" width="{side}" height="{side}"{bar}/>"#)
        }
        Kind::Sign(verdict) => signs::sign(verdict, (x + SIGN_SWATCH / 2.0, y)) + "</path>",
    };
    canvas.put(&format!(r#"<g class="{class}">{drawing}</g>"#));
}

#[cfg(test)]
mod tests {
    use super::super::{Panel, Series};
    use super::*;

    fn figure(panels: &[&[(&str, Option<usize>, Look)]]) -> Figure {
        let series = |&(name, colour, look): &(&str, Option<usize>, Look)| Series {
            name: name.to_owned(),
            colour,
            look,
            points: Vec::new(),
        };
        let panel =
            |all: &&[_]| Panel { marks: Marks::Lines(all.iter().map(series).collect()), ..Panel::default() };
        Figure { panels: panels.iter().map(panel).collect(), ..Figure::default() }
    }

    #[test]
    fn a_name_keeps_its_colour_over_panels() {
        use Look::Measured;
        let figure = figure(&[
            &[("a", None, Measured), ("b", None, Measured)],
            &[("b", None, Measured), ("c", Some(0), Measured), ("d", None, Measured)],
        ]);
        let legend = Legend::new(&figure);
        let colours = ["a", "b", "c", "d"].map(|name| legend.ink(name, Measured).colour);
        assert_eq!(colours, [Some(1), Some(2), Some(0), Some(3)]);
        assert_eq!(legend.ink("e", Measured).colour, None);
    }

    #[test]
    fn measured_and_published_share_an_entry() {
        let both = figure(&[&[
            ("a", None, Look::Published),
            ("a", None, Look::Measured),
            ("", None, Look::Measured),
        ]]);
        let names: Vec<_> = Legend::new(&both).entries().iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["a", "measured", "published"]);
        let one = figure(&[&[("a", None, Look::Published), ("b", Some(0), Look::Measured)]]);
        let entries = Legend::new(&one).entries();
        assert_eq!(entries.len(), 2);
        assert_eq!(entries[0].ink, Ink { colour: Some(1), look: Look::Published });
    }

    #[test]
    fn a_long_legend_is_wrapped() {
        let names: Vec<String> = (0..12).map(|i| format!("series {i}")).collect();
        let all: Vec<_> = names.iter().map(|name| (name.as_str(), None, Look::Measured)).collect();
        let figure = figure(&[&all]);
        let height = |room| Legend::new(&figure).draw(&mut Canvas::new(), 0.0, 0.0, room);
        assert_eq!([10_000.0, 700.0, 1.0].map(height), [ROW, 2.0 * ROW, 12.0 * ROW]);
    }
}
