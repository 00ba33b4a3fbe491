//! Rates against K, as Figures 1 and 2 of the paper show them.
//!
//! All panels have the whole range from 0 to 100 %, so that methods can be compared
//! between panels, and a line at 50 %, at which learning gains nothing. Unlike in the paper, K
//! has a log axis: most is learnt from the first dozens of seeds.

use tesuji_portfolio::{Method, Rates};

use super::SeedTable;
use super::seeds::{name, opponent_seeds};
use crate::figure::{Axis, Figure, Look, Marks, Panel, Point, Scale, Series};

impl SeedTable {
    /// Returns Figure 1: rates of the best seed and of an equilibrium against K, with a line for
    /// each K'. `None` if they were not measured.
    pub fn figure_by_method(&self) -> Option<Figure> {
        let title = format!("{}: learning from K seeds", self.game);
        self.figure(title, vec![Method::BestSeed, Method::Nash])
    }

    /// Returns Figure 2: rates of equilibria without improbable seeds against K, with a panel for
    /// each α. `None` if they were not measured.
    pub fn figure_by_sparsity(&self) -> Option<Figure> {
        let mut sparsities: Vec<f64> = Vec::new();
        for rates in &self.curve {
            if let Method::SparseNash(alpha) = rates.method
                && !sparsities.contains(&alpha)
            {
                sparsities.push(alpha);
            }
        }
        sparsities.sort_by(f64::total_cmp);
        let title = format!("{}: equilibria without improbable seeds", self.game);
        self.figure(title, sparsities.into_iter().map(Method::SparseNash).collect())
    }

    fn figure(&self, title: String, methods: Vec<Method>) -> Option<Figure> {
        let panels: Vec<Panel> = methods.into_iter().filter_map(|method| self.panel(method)).collect();
        let columns = panels.len().min(3);
        (!panels.is_empty()).then(|| Figure {
            title,
            caption: format!(
                "K seeds to learn from, against an opponent who plays the best of K' others; mean of both colours, \
                 with one standard error of the draws of seeds. Seeds of {}, drawn from {} of each colour.",
                self.player, self.seeds
            ),
            columns,
            panels,
            ..Figure::default()
        })
    }

    fn panel(&self, method: Method) -> Option<Panel> {
        let mut rates: Vec<&Rates> = self.curve.iter().filter(|rates| rates.method == method).collect();
        rates.sort_by_key(|rates| rates.training);
        let series = |seeds: usize| {
            let point = |rates: &&Rates| {
                let (_, rate) = rates.held_out.iter().find(|(number, _)| *number == seeds)?;
                Some(Point {
                    x: rates.training as f64,
                    y: 100.0 * rate.mean,
                    error: Some(100.0 * rate.standard_error),
                    ..Point::default()
                })
            };
            let points: Vec<Point> = rates.iter().filter_map(point).collect();
            let name = format!("K' = {seeds}");
            (!points.is_empty()).then_some(Series { name, colour: None, look: Look::Measured, points })
        };
        let lines: Vec<Series> = opponent_seeds(&self.curve).into_iter().filter_map(series).collect();
        (!lines.is_empty()).then(|| Panel {
            title: name(method),
            x: Axis { label: "K, seeds learnt from".to_owned(), scale: Scale::Log, ..Axis::default() },
            y: Axis {
                label: "won, %".to_owned(),
                range: Some((0.0, 100.0)),
                reference: Some(50.0),
                ..Axis::default()
            },
            marks: Marks::Lines(lines),
            ..Panel::default()
        })
    }
}
