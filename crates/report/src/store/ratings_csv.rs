//! One row a player of each rating list, as programs for tables read it. Shares are from 0 to 1.

use super::csv::{line, number};
use super::{ExperimentReport, StoreReport, Version};
use crate::matches::MatchResults;
use crate::tournament::{RatedPlayer, RatingList};

const COLUMNS: [&str; 20] = [
    "experiment",
    "version",
    "game",
    "rank",
    "label",
    "player",
    "elo",
    "error",
    "low",
    "high",
    "bootstrap_low",
    "bootstrap_high",
    "games",
    "points",
    "score",
    "opponents",
    "los",
    "group",
    "extreme",
    "schedule",
];

impl StoreReport {
    /// Returns the rating lists of all tournaments as CSV, under a line with the names of the columns.
    /// The column `game` is empty in the list of all games together. `None` if there is no tournament.
    pub fn ratings_csv(&self) -> Option<String> {
        let mut rows = String::new();
        for experiment in &self.experiments {
            let ExperimentReport::Matches(report) = experiment else { continue };
            for (version, results) in report.versions() {
                let version = if version == Version::Quick { "quick" } else { "whole" };
                rows += &ratings(&report.whole.name, version, results);
            }
        }
        (!rows.is_empty()).then(|| line(COLUMNS.map(str::to_owned)) + &rows)
    }
}

/// Returns the rating lists of a tournament as CSV, under a line with the names of the columns.
/// `None` if the results are of no tournament.
pub fn ratings_csv(results: &MatchResults) -> Option<String> {
    results.tournament.as_ref()?;
    Some(line(COLUMNS.map(str::to_owned)) + &ratings(&results.name, "whole", results))
}

fn ratings(experiment: &str, version: &str, results: &MatchResults) -> String {
    let Some(tournament) = &results.tournament else { return String::new() };
    let lists = std::iter::once(&tournament.overall).chain(&tournament.by_game);
    let rows = lists.flat_map(|list| list.players.iter().map(move |player| (list, player)));
    let row = |(list, player): (&RatingList, &RatedPlayer)| {
        line([
            experiment.to_owned(),
            version.to_owned(),
            list.game.clone().unwrap_or_default(),
            player.rank.to_string(),
            player.label.clone(),
            player.player.clone(),
            number(player.elo),
            number(player.error),
            number(player.interval.map(|it| it.low)),
            number(player.interval.map(|it| it.high)),
            number(player.bootstrap.map(|it| it.low)),
            number(player.bootstrap.map(|it| it.high)),
            player.games.to_string(),
            number(Some(player.points)),
            number(player.score),
            number(player.opponents),
            number(player.los),
            player.group.to_string(),
            player
                .extreme
                .map_or("", |extreme| match extreme {
                    tesuji_arena::ratings::Extreme::AllWon => "all_won",
                    tesuji_arena::ratings::Extreme::AllLost => "all_lost",
                })
                .to_owned(),
            tournament.schedule.clone(),
        ])
    };
    rows.map(row).collect()
}
