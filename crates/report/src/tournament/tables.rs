//! A tournament's tables: the rating list, the crosstable, how sure the order is, the advantages of
//! moving first, and the ratings by game.

use super::{RatedPlayer, RatingList, Score, TournamentResults};
use crate::Table;
use crate::numbers::{decimal, grouped, range, with_interval};

/// The columns of a rating list that not every place has room for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ListColumns {
    /// The width of a drawn interval in letters. `None` draws none.
    pub(super) drawing: Option<usize>,
    /// The interval from resampled results.
    pub(super) bootstrap: bool,
    /// Points.
    pub(super) points: bool,
    /// The specs of players that have another name.
    pub(super) specs: bool,
}

/// The columns of a page.
pub(super) const ALL_COLUMNS: ListColumns =
    ListColumns { drawing: None, bootstrap: true, points: true, specs: true };

/// What the columns of a rating list are, in a line.
pub(super) fn list_key(results: &TournamentResults, columns: ListColumns) -> String {
    let zero = match &results.anchor {
        Some(anchor) => format!("; {} is fixed at {}", anchor.label, decimal(anchor.elo, 0)),
        None => "; the mean is 0".to_owned(),
    };
    let bootstrap = if columns.bootstrap { "; bootstrap: that interval from resampled games" } else { "" };
    format!(
        "error: half of the 95 % interval{zero}{bootstrap}; opponents: their mean rating; LOS: the probability that \
         a player is stronger than the next one.\n"
    )
}

/// Returns the rating list as a table.
pub(super) fn list(list: &RatingList, title: String, columns: ListColumns) -> Table {
    let has_groups = list.players.iter().filter(|it| it.elo.is_some()).any(|player| player.group > 1);
    let has_specs = columns.specs && list.players.iter().any(|player| player.label != player.player);
    let mut names = vec!["##", "player"];
    names.extend(has_specs.then_some("spec"));
    names.extend(has_groups.then_some("#group"));
    names.extend(["#Elo", "#error"]);
    names.extend(columns.drawing.map(|_| "95 % interval"));
    names.extend(columns.bootstrap.then_some("#bootstrap"));
    names.push("#games");
    names.extend(columns.points.then_some("#points"));
    names.extend(["#won, %", "#opponents", "#LOS, %"]);
    let mut table = Table::new(title, names);
    let drawing = columns.drawing.map(|width| Drawing::of(list, width));
    for player in &list.players {
        let whole = |elo: Option<f64>| elo.map_or_else(String::new, |elo| decimal(elo, 0));
        let mut row = vec![player.rank.to_string(), player.label.clone()];
        row.extend(has_specs.then(|| player.player.clone()));
        row.extend(has_groups.then(|| player.group.to_string()));
        row.extend([whole(player.elo), whole(player.error)]);
        row.extend(drawing.as_ref().map(|drawing| drawing.of_player(player)));
        row.extend(columns.bootstrap.then(|| player.bootstrap.map_or_else(String::new, |it| range(it, 0))));
        row.push(grouped(player.games));
        row.extend(columns.points.then(|| points(player.points)));
        row.extend([
            player.score.map_or_else(String::new, |score| decimal(100.0 * score, 1)),
            whole(player.opponents),
            player.los.map_or_else(String::new, probability),
        ]);
        table.row(row);
    }
    table
}

/// Returns points as people write them: 24 or 24.5.
pub(super) fn points(points: f64) -> String {
    decimal(points, usize::from(points.fract() > 0.0))
}

/// Returns a probability in per cent, never rounded to certainty.
pub(super) fn probability(probability: f64) -> String {
    match 100.0 * probability {
        99.95.. => "> 99.9".to_owned(),
        ..0.05 => "< 0.1".to_owned(),
        share => decimal(share, 1),
    }
}

/// Intervals drawn with letters on one scale.
struct Drawing {
    low: f64,
    high: f64,
    width: usize,
}

impl Drawing {
    fn of(list: &RatingList, width: usize) -> Drawing {
        let intervals = || list.players.iter().filter_map(|player| player.interval);
        let low = intervals().map(|it| it.low).fold(f64::INFINITY, f64::min);
        let high = intervals().map(|it| it.high).fold(f64::NEG_INFINITY, f64::max);
        Drawing { low, high, width }
    }

    /// The interval of a player: ├──●──┤.
    fn of_player(&self, player: &RatedPlayer) -> String {
        let (Some(elo), Some(interval)) = (player.elo, player.interval) else { return String::new() };
        let span = (self.high - self.low).max(1e-9);
        let place = |at: f64| (((at - self.low) / span * (self.width - 1) as f64).round()) as usize;
        let (low, at, high) = (place(interval.low), place(elo), place(interval.high));
        let letter = |column: usize| match column {
            _ if column == at => '●',
            _ if column == low => '├',
            _ if column == high => '┤',
            _ if column > low && column < high => '─',
            _ => ' ',
        };
        (0..=high).map(letter).collect()
    }
}

/// The form of the cells of a crosstable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CrossForm {
    /// Points and games: 24.5/40.
    Points,
    /// The share of the points in per cent.
    Percent,
    /// The share of the points in per cent, without the names of players.
    PercentByRank,
}

/// Returns the results of each player against each other one, with the ranks as the names of columns.
pub(super) fn crosstable(list: &RatingList, title: String, form: CrossForm) -> Table {
    let has_names = form != CrossForm::PercentByRank;
    square(list, title, has_names, |row, column| match list.crosstable[row][column] {
        None => String::new(),
        Some(score) => match form {
            CrossForm::Points => format!("{}/{}", points(score.points), grouped(score.games)),
            CrossForm::Percent | CrossForm::PercentByRank => decimal(100.0 * rate(score), 0),
        },
    })
}

/// Returns the share of the points of a score.
pub(super) fn rate(score: Score) -> f64 {
    score.points / score.games as f64
}

/// Returns the probability for each player to be stronger than each other one, in per cent.
pub(super) fn superiority(list: &RatingList) -> Table {
    square(list, String::new(), true, |row, column| {
        list.superiority[row][column].map_or_else(String::new, probability)
    })
}

/// Returns a table of players against players.
fn square(list: &RatingList, title: String, has_names: bool, cell: impl Fn(usize, usize) -> String) -> Table {
    let players = &list.players;
    let heads = players.iter().map(|player| format!("#{}", player.rank));
    let name = has_names.then(|| "player".to_owned());
    let mut table = Table::new(title, ["##".to_owned()].into_iter().chain(name).chain(heads));
    for (row, player) in players.iter().enumerate() {
        let cell = |column: usize| if row == column { "·".to_owned() } else { cell(row, column) };
        let name = has_names.then(|| player.label.clone());
        let cells = (0..players.len()).map(cell);
        table.row([player.rank.to_string()].into_iter().chain(name).chain(cells));
    }
    table
}

/// Returns what moving first is worth in each game.
pub(super) fn advantages(list: &RatingList, title: String) -> Table {
    let mut table = Table::new(title, ["game", "#Elo", "#error", "#games", "#drawn, %"]);
    for advantage in &list.advantages {
        let it = &advantage.advantage;
        table.row([
            advantage.game.clone(),
            decimal(it.elo, 0),
            decimal(it.error, 0),
            grouped(it.games),
            decimal(100.0 * it.draws, 1),
        ]);
    }
    table
}

/// Returns the ratings of all games together and of each game next to each other.
pub(super) fn by_game(results: &TournamentResults, title: String) -> Table {
    let heads = results.games.iter().map(|game| format!("#{game}"));
    let names = ["##", "player", "#all games"].map(str::to_owned);
    let mut table = Table::new(title, names.into_iter().chain(heads));
    for player in &results.overall.players {
        let elo = |player: &RatedPlayer| match (player.elo, player.interval) {
            (Some(elo), Some(interval)) => with_interval(elo, interval, 0),
            _ => String::new(),
        };
        let in_list = |list: &RatingList| {
            list.players.iter().find(|other| other.label == player.label).map_or_else(String::new, elo)
        };
        let cells = [player.rank.to_string(), player.label.clone(), elo(player)];
        table.row(cells.into_iter().chain(results.by_game.iter().map(in_list)));
    }
    table
}
