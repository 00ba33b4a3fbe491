//! Ratings with their 95 % intervals: a row for each player, the strongest first, and a panel for
//! all games together and for each game.

use super::{RatingList, TournamentResults};
use crate::figure::{Axis, Figure, Look, Marks, Panel, Point, Series};
use crate::numbers::grouped;

/// Returns the ratings as a figure. `None` if fewer than two players have games. `title` is the
/// title of the experiment.
pub fn figure(results: &TournamentResults, title: &str) -> Option<Figure> {
    if results.overall.rated().count() < 2 {
        return None;
    }
    // One order of the players in all panels, so that they can be compared.
    let names: Vec<&str> = results.overall.players.iter().map(|player| player.label.as_str()).collect();
    let lists: Vec<&RatingList> = std::iter::once(&results.overall).chain(&results.by_game).collect();
    let range = range(&lists);
    let panel = |list: &&RatingList| {
        let point = |(place, name): (usize, &&str)| {
            let player = list.players.iter().find(|player| player.label == **name)?;
            let (elo, interval) = (player.elo?, player.interval?);
            let interval = Some((interval.low, interval.high));
            Some(Point { x: place as f64, y: elo, interval, ..Point::default() })
        };
        let points = names.iter().enumerate().filter_map(point).collect();
        let series = Series { name: String::new(), colour: Some(0), look: Look::Measured, points };
        let is_alone = lists.len() == 1;
        Panel {
            title: match &list.game {
                _ if is_alone => String::new(),
                Some(game) => game.clone(),
                None => "all games".to_owned(),
            },
            x: Axis {
                label: "Elo".to_owned(),
                range: Some(range),
                reference: Some(results.anchor.as_ref().map_or(0.0, |anchor| anchor.elo)),
                ..Axis::default()
            },
            marks: Marks::Rows {
                rows: names.iter().map(|name| (*name).to_owned()).collect(),
                series: vec![series],
            },
            ..Panel::default()
        }
    };
    Some(Figure {
        title: title.to_owned(),
        caption: caption(results),
        columns: match lists.len() {
            1 => 1,
            2 | 4 => 2,
            _ => 3,
        },
        panels: lists.iter().map(panel).collect(),
        shares_axes: lists.len() > 1,
    })
}

/// One range for all panels: whole steps around all intervals.
fn range(lists: &[&RatingList]) -> (f64, f64) {
    let intervals = || lists.iter().flat_map(|list| &list.players).filter_map(|player| player.interval);
    let low = intervals().map(|it| it.low).fold(f64::INFINITY, f64::min);
    let high = intervals().map(|it| it.high).fold(f64::NEG_INFINITY, f64::max);
    let step = match high - low {
        0.0..200.0 => 50.0,
        200.0..600.0 => 100.0,
        600.0..3000.0 => 250.0,
        _ => 500.0,
    };
    (step * (low / step).floor(), step * (high / step).ceil())
}

fn caption(results: &TournamentResults) -> String {
    let zero = match &results.anchor {
        Some(anchor) => format!("{} is fixed.", anchor.label),
        None if results.by_game.is_empty() => "The mean of all ratings is 0.".to_owned(),
        None => "The mean of all ratings is 0 in each panel.".to_owned(),
    };
    format!("Elo with 95 % intervals, from {} games. {zero}", grouped(results.played))
}
