//! A report of the moves of a search in one line, in the two forms that graphical boards read.
//!
//! Leela Zero writes win rates as whole numbers up to 10000, KataGo as fractions of 1,
//! together with a utility from -1 to 1. Our utility is computed from the win rate, since
//! playouts do not count points.

use std::fmt::Write;

use tesuji_search::{Candidate, Standing};

use crate::vertices::Vertices;

/// The program whose form of reports is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    LeelaZero,
    KataGo,
}

/// How a report looks.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Form {
    style: Style,
    /// The least number of moves, even if they have no samples.
    pub(crate) at_least: usize,
    /// The greatest number of moves.
    pub(crate) at_most: usize,
    /// Whether the samples along the expected line are reported.
    pub(crate) line_visits: bool,
    /// Whether samples and win rate of the position are reported.
    pub(crate) root_info: bool,
    /// Who will own each point, from the point of view of the side that thinks, if wanted.
    pub(crate) ownership: Option<Vec<f64>>,
}

impl Form {
    pub(crate) fn new(style: Style) -> Form {
        Form {
            style,
            at_least: 0,
            at_most: usize::MAX,
            line_visits: false,
            root_info: false,
            ownership: None,
        }
    }

    /// A report in one line, without its end; `None` if there is nothing to report yet.
    pub(crate) fn line(&self, standing: &Standing, vertices: Vertices) -> Option<String> {
        let wanted = standing.candidates.iter().enumerate();
        let wanted = wanted.filter(|(order, candidate)| candidate.visits > 0 || *order < self.at_least);
        let moves: Vec<String> = wanted
            .take(self.at_most)
            .enumerate()
            .map(|(order, (_, candidate))| self.candidate(order, candidate, vertices))
            .collect();
        if moves.is_empty() {
            return None;
        }
        let mut line = moves.join(" ");
        // Writing to a string does not fail.
        if self.root_info {
            let winrate = standing.candidates.first().map_or(0.5, |best| best.winrate);
            let utility = utility(winrate);
            let _ = write!(
                line,
                " rootInfo visits {} utility {utility:.6} winrate {winrate:.6}",
                standing.visits
            );
        }
        if let Some(ownership) = &self.ownership {
            line.push_str(" ownership");
            ownership.iter().for_each(|value| {
                let _ = write!(line, " {value:.4}");
            });
        }
        Some(line)
    }

    fn candidate(&self, order: usize, candidate: &Candidate, vertices: Vertices) -> String {
        let Candidate { visits, winrate, lcb, prior, .. } = candidate;
        let mv = vertices.written(&candidate.mv);
        let mut text = match self.style {
            Style::LeelaZero => {
                let [winrate, prior, lcb] = [winrate, prior, lcb].map(|share| ten_thousandths(*share));
                format!(
                    "info move {mv} visits {visits} winrate {winrate} prior {prior} lcb {lcb} order {order}"
                )
            }
            Style::KataGo => format!(
                "info move {mv} visits {visits} utility {:.6} winrate {winrate:.6} prior {prior:.6} lcb {lcb:.6} order {order}",
                utility(*winrate)
            ),
        };
        // Some readers take an empty line of moves for the end of the report.
        let line = if candidate.line.is_empty() { mv } else { vertices.written_all(&candidate.line) };
        let _ = write!(text, " pv {line}");
        if self.line_visits {
            text.push_str(" pvVisits");
            let missing = candidate.line_visits.is_empty().then_some(visits);
            candidate.line_visits.iter().chain(missing).for_each(|visits| {
                let _ = write!(text, " {visits}");
            });
        }
        text
    }
}

/// KataGo's utility of a win rate: -1 if no game is won, 1 if all are.
fn utility(share: f64) -> f64 {
    2.0 * share - 1.0
}

/// A share from 0 to 1 in Leela Zero's units, up to 10000.
fn ten_thousandths(share: f64) -> u32 {
    (share * 10_000.0).round().clamp(0.0, 10_000.0) as u32
}
