//! Plots as SVG: panels of lines or of grouped bars, in a grid, under one legend.
//!
//! A [`Figure`] is plain data, and [`Figure::svg`] draws it. We draw ourselves
//! because what we want is small and particular: measured numbers beside
//! published ones in the same colour, errors always shown, one file without
//! script or font that reads on light and dark, and the same bytes every time.
//!
//! | module | what |
//! |---|---|
//! | `range` | which stretch of numbers an axis shows, and where a number lies on it |
//! | `ticks` | at which numbers an axis has a tick |
//! | `legend` | which series has which colour, and the key to them |
//! | `style` | colours, markers, dashes |
//! | `layout` | where everything goes |
//! | `panel`, `lines`, `bars` | what is drawn there |
//! | `canvas`, `text` | SVG elements; how wide words are |

mod bars;
mod canvas;
mod layout;
mod legend;
mod lines;
mod panel;
mod range;
mod style;
#[cfg(test)]
pub(crate) mod tests;
mod text;
mod ticks;

/// A grid of panels with a title, a legend and a caption.
///
/// ```
/// use tesuji_report::figure::{Axis, Figure, Look, Marks, Panel, Point, Scale, Series};
///
/// let points = [(32.0, 0.17), (64.0, 0.06), (96.0, 0.026)];
/// let points = points.map(|(x, y)| Point { x, y, error: Some(y / 20.0), interval: None }).to_vec();
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
///     }],
/// };
/// assert!(figure.svg().starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// What the figure shows, above it.
    pub title: String,
    /// What a reader must know to read it, below it. It is wrapped.
    pub caption: String,
    /// How many panels lie side by side; 0 is as good as 1.
    pub columns: usize,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
}

impl Figure {
    /// The figure as a file that needs no other, and as an element for a page.
    ///
    /// Numbers that are not finite are left out; a panel that has none says so.
    pub fn svg(&self) -> String {
        layout::draw(self)
    }
}

/// One plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// What tells it from the other panels.
    pub title: String,
    /// The axis below. Bars have groups there: only its label counts for them.
    pub x: Axis,
    /// The axis on the left.
    pub y: Axis,
    /// What is drawn.
    pub marks: Marks,
}

/// How a direction of a panel is measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What is measured, and in which unit.
    pub label: String,
    /// How numbers lie on it.
    pub scale: Scale,
    /// The first and the last number shown; without them, the data decide.
    /// Points outside are left out. A pair that no axis can have is ignored.
    pub range: Option<(f64, f64)>,
    /// A number at which a thin line is drawn across, such as 50 % of wins.
    pub reference: Option<f64>,
    /// Names of the numbers 0, 1, 2, …, written in place of numbers: for settings that
    /// have an order and no distance, such as 0, 128 and ∞. Only for the axis below lines,
    /// which then has room for them and for nothing else.
    pub places: Vec<String>,
}

/// How numbers lie on an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps for equal differences.
    #[default]
    Linear,
    /// Equal steps for equal ratios. Numbers that are not positive are left
    /// out, and what reaches down to them ends at the edge.
    Log,
}

/// What a panel shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Marks {
    /// Points joined by lines, in the order given. A line is broken at a point
    /// that cannot be shown.
    Lines(Vec<Series>),
    /// In each group one bar for each series.
    Bars {
        /// The labels of the groups, from left to right.
        groups: Vec<String>,
        /// The series. A point's `x` is the number of its group: 0, 1, …
        series: Vec<Series>,
    },
}

impl Marks {
    /// The series, whatever is made of them.
    pub fn series(&self) -> &[Series] {
        match self {
            Marks::Lines(series) | Marks::Bars { series, .. } => series,
        }
    }
}

impl Default for Marks {
    fn default() -> Marks {
        Marks::Lines(Vec::new())
    }
}

/// Points that belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name in the legend. Series of one name have one colour in the whole
    /// figure, and one entry: measured and published ones may share a name.
    pub name: String,
    /// Which colour and shape of marker, from 0; without it, the next that is
    /// free. Two names may so share a colour.
    pub colour: Option<usize>,
    /// Where the numbers come from.
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
    /// Numbers from a paper: dashed lines, hollow markers, hollow bars.
    Published,
}

/// A number at a place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Where; in bars, the number of the group.
    pub x: f64,
    /// How much.
    pub y: f64,
    /// Half the height of the error bar, in units of `y`.
    pub error: Option<f64>,
    /// From where to where the error bar reaches instead, where it is longer on one side:
    /// a rate of wins near 100 % can only be too high.
    pub interval: Option<(f64, f64)>,
}
