//! The results of a tournament, read from a store: data for tables, figures and pages, and the
//! JSON that programs read.

use serde::Serialize;
use tesuji_arena::ratings::{Advantage, Extreme, Meeting, RatingSettings, Ratings};
use tesuji_arena::statistics::Interval;
use tesuji_arena::{
    CellTotals, MatchExperiment, PlannedGames, Store, StoreError, Tournament, TournamentFormat,
};

use super::words;
use crate::numbers::Z_95;

/// The results of a tournament, as far as it was played.
#[derive(Clone, Debug, Serialize)]
pub struct TournamentResults {
    /// The name of the schedule in files and on the command line.
    pub schedule: String,
    /// The schedule in a sentence.
    pub schedule_text: String,
    /// The games, as their specs.
    pub games: Vec<String>,
    /// The number of games that were played, of all pairs together.
    pub played: u64,
    /// The number of games that the tournament wants in all.
    pub wanted: u64,
    /// Whether the tournament may be over before all wanted games are played.
    pub may_stop: bool,
    /// The number of rounds that were begun, if results decide who meets next.
    pub rounds: Option<u32>,
    /// The player whose rating is fixed. `None` if the mean of all ratings is 0.
    pub anchor: Option<AnchorResults>,
    /// The rating list of all games together.
    pub overall: RatingList,
    /// The rating list of each game, if the tournament has several.
    pub by_game: Vec<RatingList>,
    /// The question of the schedule widest, and its answer.
    pub question: Option<QuestionResults>,
    /// What a reader must know about the games, in sentences.
    pub notes: Vec<String>,
}

/// The player whose rating is fixed.
#[derive(Clone, Debug, Serialize)]
pub struct AnchorResults {
    /// The name of the player.
    pub label: String,
    /// Its rating.
    pub elo: f64,
}

/// A rating list with the results behind it.
#[derive(Clone, Debug, Serialize)]
pub struct RatingList {
    /// The game. `None` for all games together.
    pub game: Option<String>,
    /// The players, the strongest first. Players of different groups cannot be compared.
    pub players: Vec<RatedPlayer>,
    /// The advantage of moving first, for each game that was played.
    pub advantages: Vec<GameAdvantage>,
    /// The results of each player against each other one, in the order of `players`: a row for the
    /// player whose points are counted. `None` if the two have not met.
    pub crosstable: Vec<Vec<Option<Score>>>,
    /// The probability that the player of a row is stronger than that of a column, in the order of
    /// `players`. `None` if no games connect the two.
    pub superiority: Vec<Vec<Option<f64>>>,
    /// The covariances of the ratings in squared Elo, in the order of `players`. `None` between
    /// players of different groups.
    #[serde(skip)]
    pub covariance: Vec<Vec<Option<f64>>>,
    /// What a reader must know about the list, in sentences.
    pub notes: Vec<String>,
}

/// A player in a rating list.
#[derive(Clone, Debug, Serialize)]
pub struct RatedPlayer {
    /// The place in the list, from 1.
    pub rank: usize,
    /// The name in tables.
    pub label: String,
    /// The player, as its spec.
    pub player: String,
    /// Elo. `None` without games.
    pub elo: Option<f64>,
    /// Half of the 95 % interval of `elo`.
    pub error: Option<f64>,
    /// The 95 % interval of `elo`.
    pub interval: Option<Interval>,
    /// The 95 % interval from resampled results. `None` for a player with all points or none.
    pub bootstrap: Option<Interval>,
    /// The number of games.
    pub games: u64,
    /// Points: 1 for each win and ½ for each draw.
    pub points: f64,
    /// Points per game.
    pub score: Option<f64>,
    /// The mean rating of the opponents, one for each game.
    pub opponents: Option<f64>,
    /// The probability that the player is stronger than the next one in the list.
    pub los: Option<f64>,
    /// The number of the group of players that are connected by games, from 1 in the order of the
    /// list.
    pub group: usize,
    /// Whether the player has all points or none.
    pub extreme: Option<Extreme>,
}

/// What moving first is worth in a game.
#[derive(Clone, Debug, Serialize)]
pub struct GameAdvantage {
    /// The game, as its spec.
    pub game: String,
    /// The advantage in Elo, with its error, games and draws.
    #[serde(flatten)]
    pub advantage: Advantage,
}

/// Results of one player against another one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Score {
    /// The number of games.
    pub games: u64,
    /// Points: 1 for each win and ½ for each draw.
    pub points: f64,
}

/// The question of the schedule widest.
#[derive(Clone, Debug, Serialize)]
pub struct QuestionResults {
    /// The question: `list`, `first` or `A > B`.
    pub question: String,
    /// The name of the player that is most likely the answer. `None` for `list`.
    pub player: Option<String>,
    /// The probability of a wrong answer is at most this. `None` for `list`.
    pub doubt: Option<f64>,
    /// The largest error of a rating in Elo. `None` if ratings of all players cannot be compared.
    pub widest: Option<f64>,
    /// Whether the answer is as sure as the tournament wants it; with 95 % if it does not say.
    pub is_sure: bool,
    /// The answer in a sentence.
    pub text: String,
}

/// The work that resampling may take: resamples times the operations of one.
const BOOTSTRAP_WORK: u64 = 300_000_000;
/// Fewer resamples do not determine an interval.
const FEWEST_RESAMPLES: u64 = 200;

/// Reads the results of an experiment's tournament from a store. `None` if it is no tournament.
/// `played` has the games of each cell, added up.
pub(crate) fn results(
    experiment: &MatchExperiment,
    store: &Store,
    played: &[CellTotals],
) -> Result<Option<TournamentResults>, StoreError> {
    let Some(tournament) = &experiment.tournament else { return Ok(None) };
    let meetings = experiment.meetings(store)?;
    let planned = planned(experiment, store)?;
    let settings = limited(tournament.rating_settings(), tournament, &meetings);
    let ratings = tournament.ratings(&meetings, &settings);
    let overall = RatingList::of(tournament, &ratings, &meetings, None);
    let mut by_game = Vec::new();
    if tournament.games.len() > 1 {
        for game in 0..tournament.games.len() {
            let here: Vec<Meeting> = meetings.iter().filter(|it| it.game == game).copied().collect();
            by_game.push(RatingList::of(
                tournament,
                &tournament.ratings(&here, &settings),
                &here,
                Some(game),
            ));
        }
    }
    let n_played = meetings.iter().map(Meeting::n_games).sum();
    let wanted = match &planned {
        Some(planned) => planned.total,
        // Nobody knows how many games of these pairs the rounds will have.
        None if tournament.format.is_planned() && !tournament.is_whole() => n_played,
        None => tournament.total(experiment.games),
    };
    Ok(Some(TournamentResults {
        schedule: tournament.format.name().to_owned(),
        schedule_text: words::schedule(tournament, experiment.games),
        games: tournament.games.iter().map(ToString::to_string).collect(),
        played: n_played,
        // Earlier runs may have asked for more games.
        wanted: wanted.max(n_played),
        may_stop: words::may_stop(tournament) && planned.as_ref().is_none_or(|planned| !planned.is_over),
        rounds: planned.map(|planned| planned.rounds),
        anchor: tournament.anchor.map(|anchor| AnchorResults {
            label: tournament.players[anchor.player].label.clone(),
            elo: anchor.elo,
        }),
        overall,
        by_game,
        question: words::question(tournament, &ratings),
        notes: words::duplicates(experiment, played).into_iter().collect(),
    }))
}

/// The work that planning all rounds again may take, in steps of a few nanoseconds.
const PLANNING_WORK: f64 = 3e8;

/// How far along the rounds are with the games in a store. `None` if all games are wanted at once, if
/// some cells were left out, or if planning the rounds again would take more than a second or two; then
/// the total of the tournament is all that is known.
pub fn planned(experiment: &MatchExperiment, store: &Store) -> Result<Option<PlannedGames>, StoreError> {
    let Some(tournament) = &experiment.tournament else { return Ok(None) };
    let n_players = tournament.players.len() as f64;
    let work = match tournament.format {
        TournamentFormat::Widest { total, .. } => total as f64 * tournament.pairs.len() as f64 * n_players,
        _ => 0.0,
    };
    if work > PLANNING_WORK { Ok(None) } else { experiment.planned(store) }
}

/// The settings with as many resamples as take a second or so.
fn limited(settings: RatingSettings, tournament: &Tournament, meetings: &[Meeting]) -> RatingSettings {
    let n_players = tournament.players.len() as u64;
    let work = n_players.pow(3) + 50 * meetings.len() as u64;
    let affordable = BOOTSTRAP_WORK / work.max(1);
    let bootstrap = if affordable < FEWEST_RESAMPLES { 0 } else { affordable.min(settings.bootstrap.into()) };
    RatingSettings { bootstrap: bootstrap as u32, ..settings }
}

impl RatingList {
    /// The list of these ratings, which are of all games or of the game with this index.
    pub(super) fn of(
        tournament: &Tournament,
        ratings: &Ratings,
        meetings: &[Meeting],
        game: Option<usize>,
    ) -> RatingList {
        let order = ratings.order();
        let mut groups: Vec<usize> = Vec::new();
        let mut group_of = |player: usize| {
            let group = ratings.groups.iter().position(|members| members.contains(&player)).unwrap_or(0);
            if !groups.contains(&group) {
                groups.push(group);
            }
            1 + groups.iter().position(|other| *other == group).unwrap_or(0)
        };
        let rated = |(place, &index): (usize, &usize)| {
            let player = &tournament.players[index];
            let rating = ratings.players[index];
            RatedPlayer {
                rank: place + 1,
                label: player.label.clone(),
                player: player.contestant.to_string(),
                elo: rating.map(|it| it.elo),
                error: rating.map(|it| it.error),
                interval: rating.map(|it| it.interval),
                bootstrap: rating.and_then(|it| it.bootstrap),
                games: rating.map_or(0, |it| it.games),
                points: rating.map_or(0.0, |it| it.points),
                score: rating.map(|it| it.score),
                opponents: rating.map(|it| it.opponents),
                los: order.get(place + 1).and_then(|&next| ratings.superiority(index, next)),
                group: group_of(index),
                extreme: rating.and_then(|it| it.extreme),
            }
        };
        let players: Vec<RatedPlayer> = order.iter().enumerate().map(rated).collect();
        let advantage = |(index, advantage): (usize, &Option<Advantage>)| {
            Some(GameAdvantage { game: tournament.games[index].to_string(), advantage: (*advantage)? })
        };
        let pairwise = |value: &dyn Fn(usize, usize) -> Option<f64>| -> Vec<Vec<Option<f64>>> {
            order.iter().map(|&row| order.iter().map(|&column| value(row, column)).collect()).collect()
        };
        RatingList {
            game: game.map(|game| tournament.games[game].to_string()),
            notes: words::notes(&players),
            advantages: ratings.advantages.iter().enumerate().filter_map(advantage).collect(),
            crosstable: crosstable(&order, meetings),
            superiority: pairwise(&|row, column| {
                if row == column { None } else { ratings.superiority(row, column) }
            }),
            covariance: pairwise(&|row, column| covariance(ratings, row, column)),
            players,
        }
    }

    /// The players that have games.
    pub(crate) fn rated(&self) -> impl Iterator<Item = (&RatedPlayer, f64, f64)> {
        self.players.iter().filter_map(|player| Some((player, player.elo?, player.error?)))
    }
}

/// The covariance of two ratings in squared Elo, from the errors of both and of their difference:
/// Var(a − b) = Var a + Var b − 2 Cov. `None` if no games connect the two.
fn covariance(ratings: &Ratings, a: usize, b: usize) -> Option<f64> {
    let variance = |player: usize| Some((ratings.players[player]?.error / Z_95).powi(2));
    if a == b {
        return variance(a);
    }
    let difference = ratings.difference(a, b)?.standard_error.powi(2);
    Some((variance(a)? + variance(b)? - difference) / 2.0)
}

/// The results of each player against each other one, in this order.
fn crosstable(order: &[usize], meetings: &[Meeting]) -> Vec<Vec<Option<Score>>> {
    let score = |row: usize, column: usize| {
        let mut score = Score { games: 0, points: 0.0 };
        for meeting in meetings {
            let (games, points) = (meeting.n_games(), meeting.points());
            let of_row = match (meeting.player, meeting.opponent) {
                (a, b) if (a, b) == (row, column) => points,
                (a, b) if (b, a) == (row, column) => games as f64 - points,
                _ => continue,
            };
            score.games += games;
            score.points += of_row;
        }
        (score.games > 0).then_some(score)
    };
    order.iter().map(|&row| order.iter().map(|&column| score(row, column)).collect()).collect()
}
