//! Colours, markers and dashes: what tells one series from another.
//!
//! The colours are those of Okabe and Ito, which people with any of the common
//! kinds of colour blindness can tell apart, made darker where paper is white
//! and lighter where it is black; yellow, which white paper swallows, is olive.
//! Eight colours and seven shapes have no common divisor, so that 56 series have
//! a pair each of their own; past the eighth, lines are dashed and bars pale too.

use super::Look;
use super::canvas::px;

/// How many colours there are.
pub(super) const N_COLOURS: usize = 8;

/// The sizes of the fonts, which the layout must know.
pub(super) const TITLE: f64 = 18.0;
/// Bold letters are so much wider.
pub(super) const BOLD: f64 = 1.12;
pub(super) const PANEL_TITLE: f64 = 14.0;
pub(super) const LABEL: f64 = 12.5;
pub(super) const TICK: f64 = 11.5;
pub(super) const LEGEND: f64 = 13.0;
pub(super) const CAPTION: f64 = 13.0;

/// Goes into every file. The names begin with the figure's class, so that a
/// page that holds the figure keeps its own style.
pub(super) const STYLE: &str = "\
.tesuji-figure { font-family: system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif; max-width: 100%; height: auto; }
.tesuji-figure text { fill: #1d2125; font-variant-numeric: tabular-nums; }
.tesuji-figure .title { font-size: 18px; font-weight: 600; }
.tesuji-figure .panel { font-size: 14px; font-weight: 600; }
.tesuji-figure .label { font-size: 12.5px; }
.tesuji-figure .legend { font-size: 13px; }
.tesuji-figure .tick { font-size: 11.5px; fill: #5c666f; }
.tesuji-figure .caption { font-size: 13px; fill: #5c666f; }
.tesuji-figure .paper { fill: #fcfcfa; }
.tesuji-figure .grid { stroke: #e4e7e3; }
.tesuji-figure .axis { stroke: #5c666f; fill: none; }
.tesuji-figure .whisker { stroke: #1d2125; fill: none; }
.tesuji-figure .reference { stroke: #5c666f; stroke-dasharray: 2 3; }
.tesuji-figure .line { stroke: currentColor; fill: none; stroke-width: 1.8; stroke-linejoin: round; }
.tesuji-figure .error { stroke: currentColor; fill: none; stroke-width: 1.2; }
.tesuji-figure .full { fill: currentColor; stroke: #fcfcfa; stroke-width: 0.8; }
.tesuji-figure .hollow { fill: #fcfcfa; stroke: currentColor; stroke-width: 1.5; }
.tesuji-figure .bar { fill: currentColor; }
.tesuji-figure .c0 { color: #0072b2; }
.tesuji-figure .c1 { color: #d55e00; }
.tesuji-figure .c2 { color: #009e73; }
.tesuji-figure .c3 { color: #b8588f; }
.tesuji-figure .c4 { color: #e69f00; }
.tesuji-figure .c5 { color: #56b4e9; }
.tesuji-figure .c6 { color: #50565c; }
.tesuji-figure .c7 { color: #857a00; }
.tesuji-figure .neutral { color: #5c666f; }
@media (prefers-color-scheme: dark) {
.tesuji-figure text { fill: #e4e7e9; }
.tesuji-figure .tick, .tesuji-figure .caption { fill: #98a2aa; }
.tesuji-figure .paper { fill: #16191c; }
.tesuji-figure .grid { stroke: #2a3035; }
.tesuji-figure .axis, .tesuji-figure .reference { stroke: #98a2aa; }
.tesuji-figure .whisker { stroke: #e4e7e9; }
.tesuji-figure .full { stroke: #16191c; }
.tesuji-figure .hollow { fill: #16191c; }
.tesuji-figure .c0 { color: #3f93d2; }
.tesuji-figure .c1 { color: #f0793a; }
.tesuji-figure .c2 { color: #2bbf94; }
.tesuji-figure .c3 { color: #d98cba; }
.tesuji-figure .c4 { color: #f2b632; }
.tesuji-figure .c5 { color: #90d2f7; }
.tesuji-figure .c6 { color: #c3c9ce; }
.tesuji-figure .c7 { color: #b8ac3a; }
.tesuji-figure .neutral { color: #98a2aa; }
}
";

/// Goes into files with bands or verdicts too.
pub(super) const VERDICT_STYLE: &str = "\
.tesuji-figure .band { fill: currentColor; fill-opacity: 0.2; }
.tesuji-figure .sign { stroke: #5c666f; fill: none; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
.tesuji-figure .is-agrees { stroke: #007a55; }
.tesuji-figure .is-off { stroke: #a35f00; }
.tesuji-figure .is-differs { stroke: #c22f1a; }
@media (prefers-color-scheme: dark) {
.tesuji-figure .band { fill-opacity: 0.26; }
.tesuji-figure .sign { stroke: #98a2aa; }
.tesuji-figure .is-agrees { stroke: #2bbf94; }
.tesuji-figure .is-off { stroke: #f2b632; }
.tesuji-figure .is-differs { stroke: #ff7d63; }
}
";

/// What a series looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ink {
    /// Which colour and shape; nothing for one that stands for all.
    pub(super) colour: Option<usize>,
    pub(super) look: Look,
}

impl Ink {
    /// The class of the group that holds the series.
    pub(super) fn class(self) -> String {
        self.colour.map_or_else(|| "neutral".to_owned(), |colour| format!("c{}", colour % N_COLOURS))
    }

    fn is_past_the_palette(self) -> bool {
        self.colour.is_some_and(|colour| colour / N_COLOURS % 2 == 1)
    }

    /// The attribute that dashes a line.
    pub(super) fn dashes(self) -> &'static str {
        match (self.look, self.is_past_the_palette()) {
            (Look::Measured, false) => "",
            (Look::Measured, true) => r#" stroke-dasharray="10 3 2 3""#,
            (Look::Published, false) => r#" stroke-dasharray="5 4""#,
            (Look::Published, true) => r#" stroke-dasharray="5 3 2 3 2 3""#,
        }
    }

    /// The attributes that make a bar pale or hollow.
    pub(super) fn bar(self) -> &'static str {
        match (self.look, self.is_past_the_palette()) {
            (Look::Measured, false) => "",
            (Look::Measured, true) => r#" fill-opacity="0.45" stroke="currentColor""#,
            (Look::Published, false) => {
                r#" fill-opacity="0.12" stroke="currentColor" stroke-dasharray="3 2""#
            }
            (Look::Published, true) => r#" fill-opacity="0" stroke="currentColor" stroke-dasharray="1 2""#,
        }
    }

    /// A marker of a size, usually 1, open: what closes it may say more about it first.
    pub(super) fn marker(self, (x, y): (f64, f64), scale: f64) -> String {
        let (class, size) = match self.look {
            Look::Measured => ("full", 1.0),
            // A full marker on top of a hollow one leaves its rim to be seen.
            Look::Published => ("hollow", 1.25),
        };
        format!(r#"<path class="{class}" d="{}">"#, outline(self.colour.unwrap_or(0), (x, y), size * scale))
    }
}

/// The shapes, each about as heavy as a disc of radius 4.
fn outline(shape: usize, (x, y): (f64, f64), size: f64) -> String {
    let corners: &[(f64, f64)] = match shape % 7 {
        0 => {
            let [left, y, radius, across] = [x - 4.0 * size, y, 4.0 * size, 8.0 * size].map(px);
            let arc = format!("a{radius} {radius} 0 1 1");
            return format!("M{left} {y}{arc} {across} 0{arc} -{across} 0z");
        }
        1 => &[(-3.6, -3.6), (3.6, -3.6), (3.6, 3.6), (-3.6, 3.6)],
        2 => &[(0.0, -5.2), (4.7, 3.4), (-4.7, 3.4)],
        3 => &[(0.0, -5.2), (5.2, 0.0), (0.0, 5.2), (-5.2, 0.0)],
        4 => &[(0.0, 5.2), (4.7, -3.4), (-4.7, -3.4)],
        5 => &[
            (-1.6, -4.8),
            (1.6, -4.8),
            (1.6, -1.6),
            (4.8, -1.6),
            (4.8, 1.6),
            (1.6, 1.6),
            (1.6, 4.8),
            (-1.6, 4.8),
            (-1.6, 1.6),
            (-4.8, 1.6),
            (-4.8, -1.6),
            (-1.6, -1.6),
        ],
        _ => &[(0.0, -4.8), (4.6, -1.5), (2.8, 3.9), (-2.8, 3.9), (-4.6, -1.5)],
    };
    let corners: Vec<String> =
        corners.iter().map(|(dx, dy)| format!("{} {}", px(x + dx * size), px(y + dy * size))).collect();
    format!("M{}z", corners.join("L"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn many_series_can_be_told_apart() {
        let looks = |look| {
            (0..56).map(move |colour| {
                let ink = Ink { colour: Some(colour), look };
                (ink.class(), ink.marker((0.0, 0.0), 1.0))
            })
        };
        let all: BTreeSet<_> = looks(Look::Measured).chain(looks(Look::Published)).collect();
        assert_eq!(all.len(), 112);
        let bars: BTreeSet<_> = (0..2 * N_COLOURS)
            .map(|colour| Ink { colour: Some(colour), look: Look::Measured })
            .map(|ink| (ink.class(), ink.bar()))
            .collect();
        assert_eq!(bars.len(), 16);
    }
}
