//! Plots as SVG: panels of lines, of grouped bars or of maps, in a grid, under one legend.
//!
//! A [`Figure`] is plain data, and [`Figure::svg`] draws it. No library draws what we need:
//! measured numbers next to published ones in the same colour, errors always shown, one file
//! without script or font that is readable on light and dark, and the same bytes every time.
//!
//! | module | what |
//! |---|---|
//! | `range` | the range of numbers of an axis, and the place of a number on it |
//! | `ticks` | the numbers at which an axis has ticks |
//! | `legend` | the colours of the series, and the legend |
//! | `style` | colours, markers, dashes |
//! | `layout` | the places of panels, legend and caption |
//! | `panel`, `lines`, `bars`, `rows`, `map` | the contents of a panel |
//! | `signs` | verdicts on points, above a panel |
//! | `canvas`, `text` | SVG elements, and the width of words |

mod bars;
mod canvas;
mod layout;
mod legend;
mod lines;
mod map;
mod panel;
mod range;
mod rows;
mod signs;
mod style;
#[cfg(test)]
pub(crate) mod tests;
mod text;
mod ticks;

use tesuji_arena::statistics::Verdict;

/// A grid of panels with a title, a legend and a caption.
///
/// ```
/// use tesuji_report::figure::{Axis, Figure, Look, Marks, Panel, Point, Scale, Series};
///
/// let points = [(32.0, 0.17), (64.0, 0.06), (96.0, 0.026)];
/// let points = points.map(|(x, y)| Point { x, y, error: Some(y / 20.0), ..Point::default() }).to_vec();
/// let figure = Figure {
///     title: "Simple regret".to_owned(),
///     caption: "Error bars are one standard error.".to_owned(),
///     columns: 1,
///     panels: vec![Panel {
///         title: "32 arms".to_owned(),
///         x: Axis { label: "samples".to_owned(), scale: Scale::Log, ..Axis::default() },
///         y: Axis { label: "regret".to_owned(), scale: Scale::Log, ..Axis::default() },
///         marks: Marks::Lines(vec![Series {
///             name: "UCB1".to_owned(),
///             colour: None,
///             look: Look::Measured,
///             points,
///         }]),
///         ..Panel::default()
///     }],
///     ..Figure::default()
/// };
/// assert!(figure.svg().starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// The title above the figure.
    pub title: String,
    /// The caption below the figure, which is wrapped.
    pub caption: String,
    /// The number of panels side by side. 0 means 1.
    pub columns: usize,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
    /// Whether all panels have the same axes. Their numbers and names are then written once, on the
    /// left and below, and the frames are close to each other.
    pub shares_axes: bool,
}

impl Figure {
    /// Returns the figure as SVG, which is a file that needs no other and an element for a page.
    ///
    /// Numbers that are not finite are left out. A panel without numbers says so.
    pub fn svg(&self) -> String {
        layout::draw(self)
    }
}

/// One plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// The title above the panel.
    pub title: String,
    /// Short lines below the title.
    pub notes: Vec<String>,
    /// The horizontal axis. Bars have groups there, and maps columns: they use only its label.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn.
    pub marks: Marks,
}

/// One axis of a panel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// The quantity on the axis, with its unit.
    pub label: String,
    /// The scale of the axis.
    pub scale: Scale,
    /// The first and the last number shown. `None` fits the axis to the data. Points outside are
    /// left out, and an impossible range is ignored.
    pub range: Option<(f64, f64)>,
    /// A number at which a thin line crosses the panel, such as 50 % of wins.
    pub reference: Option<f64>,
    /// Names that replace the numbers 0, 1, 2, …: for settings that have an order and no distance,
    /// such as 0, 128 and ∞. Only for the horizontal axis of lines, which then shows exactly
    /// these places.
    pub places: Vec<String>,
}

/// The scale of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps for equal differences.
    #[default]
    Linear,
    /// Equal steps for equal ratios. Numbers that are not positive are left out, and error bars
    /// that reach them end at the edge.
    Log,
}

/// The contents of a panel.
#[derive(Clone, Debug, PartialEq)]
pub enum Marks {
    /// Points connected by lines, in their order. A line is broken at a point that cannot be
    /// shown.
    Lines(Vec<Series>),
    /// Groups of bars, with one bar for each series.
    Bars {
        /// The labels of the groups, from left to right.
        groups: Vec<String>,
        /// The series. The `x` of a point is the index of its group.
        series: Vec<Series>,
    },
    /// Named rows, one below the other, with a point and its interval from left to right for each
    /// series. The numbers are on the horizontal axis.
    Rows {
        /// The names of the rows, from above.
        rows: Vec<String>,
        /// The series. The `x` of a point is the index of its row, and `y` is its number.
        series: Vec<Series>,
    },
    /// A grid of cells, each with the name and the colour of one of the series.
    Map {
        /// The labels of the columns, from left to right.
        columns: Vec<String>,
        /// The labels of the rows, from below.
        rows: Vec<String>,
        /// The names that cells can have. Their points are not used.
        series: Vec<Series>,
        /// The cells. Cells outside the grid are left out.
        cells: Vec<MapCell>,
    },
}

/// A cell of a map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapCell {
    /// The index of the column.
    pub column: usize,
    /// The index of the row.
    pub row: usize,
    /// The index of the series that the cell is named after.
    pub series: usize,
    /// How dark the cell is, from 0 to 1.
    pub strength: f64,
    /// Short lines below the name.
    pub notes: Vec<String>,
    /// The text that is shown if the pointer rests on the cell.
    pub title: String,
}

impl Marks {
    /// Returns the series of lines, bars, rows or a map.
    pub(crate) fn series(&self) -> &[Series] {
        match self {
            Marks::Lines(series)
            | Marks::Bars { series, .. }
            | Marks::Rows { series, .. }
            | Marks::Map { series, .. } => series,
        }
    }
}

impl Default for Marks {
    fn default() -> Marks {
        Marks::Lines(Vec::new())
    }
}

/// The points of one line or of one colour of bars.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// The name in the legend. Series of the same name have the same colour in the whole figure,
    /// and one entry. Measured and published series may share a name.
    pub name: String,
    /// The index of the colour and of the shape of markers. `None` means the next free one. Two
    /// names may share a colour.
    pub colour: Option<usize>,
    /// How the series is drawn, by the origin of its numbers.
    pub look: Look,
    /// The points.
    pub points: Vec<Point>,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// Our own numbers: solid lines, full markers, full bars.
    #[default]
    Measured,
    /// Numbers from a paper: dashed lines, hollow markers, hollow bars. Intervals of lines are bands.
    Published,
}

/// One point of a series.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// The horizontal coordinate, or the index of the group of bars.
    pub x: f64,
    /// The vertical coordinate.
    pub y: f64,
    /// Half the height of the error bar, in units of `y`.
    pub error: Option<f64>,
    /// The ends of an uneven error bar, which replaces `error`: a win rate near 100 % can hardly
    /// be too low.
    pub interval: Option<(f64, f64)>,
    /// The verdict on the point. The verdicts of a series of lines are a strip of signs above its
    /// panel.
    pub verdict: Option<Verdict>,
}
