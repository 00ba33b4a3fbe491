//! The results of a tuning: candidates, response curves, and what fresh games confirm.

mod figure;
mod page;
#[cfg(test)]
mod tests;
mod text;

pub use figure::figure;
pub(crate) use page::html;
pub(crate) use text::markdown;
pub use text::text;

use serde::Serialize;
use tesuji_arena::statistics::{Interval, Strength, Tally};
use tesuji_arena::tuning::{Prediction, Range, Tuned, Tuning};
use tesuji_arena::{GridEntry, MatchExperiment, RunError, Store, StoreError};

use crate::numbers::Z_95;

/// The number of values at which a response curve is known.
const CURVE: usize = 21;

/// The number of curves of a pair of parameters.
const CUTS: usize = 5;

/// The variance of the mean of two independent games of equal players.
const PAIR_VARIANCE: f64 = 0.125;

/// By how much the win rate of a configuration that is good enough may be below the best.
const GOOD: f64 = 0.01;

/// The results of a tuning.
#[derive(Clone, Debug, Serialize)]
pub struct TuningResults {
    /// The experiment's name.
    pub name: String,
    /// The title of the experiment for people.
    pub title: String,
    /// The shell command that plays the tuning, if there is one.
    pub command: Option<String>,
    /// The game, as its spec.
    pub game: String,
    /// The player, with holes.
    pub player: String,
    /// The opponents, who play in turn.
    pub against: Vec<String>,
    /// How games begin and end.
    pub rules: String,
    /// The policy that spends the games of a generation.
    pub policy: String,
    /// The number of games that candidates play at most.
    pub games: u64,
    /// The number of games that candidates played.
    pub played: u64,
    /// Why no more games are wanted. `None` while games are missing.
    pub stopped: Option<String>,
    /// The parameters.
    pub parameters: Vec<TunedParameter>,
    /// For two parameters: the response of the first at some values of the second.
    pub cuts: Vec<ResponseCut>,
    /// The candidates that played, those with the greatest expected win rates first.
    pub candidates: Vec<TunedCandidate>,
    /// The chance, by the model, that the win rate of the first candidate is at most `within` below that of
    /// the best configuration of all. `None` without games.
    pub chance: Option<f64>,
    /// The difference of win rates that `chance` is about.
    pub within: f64,
    /// The fresh games. `None` until the candidates have played, and if nothing is confirmed.
    pub confirmed: Option<Confirmed>,
}

/// A parameter that is tuned.
#[derive(Clone, Debug, Serialize)]
pub struct TunedParameter {
    /// The name.
    pub name: String,
    /// The range of values, as a template writes it.
    pub range: String,
    /// The value of the best candidate. `None` without games, or if the best candidate is the default
    /// configuration and not in the range.
    pub best: Option<String>,
    /// Whether the range has numbers with equal ratios at equal distances.
    pub is_logarithmic: bool,
    /// The win rate over the values, with all other parameters as in the best candidate.
    pub response: Vec<Response>,
}

/// A point of a response curve.
#[derive(Clone, Debug, Serialize)]
pub struct Response {
    /// The value of the parameter.
    pub value: String,
    /// The expected win rate.
    pub expected: f64,
    /// The 95 % interval of the win rate by the model.
    pub interval: Interval,
}

/// A response curve of the first of two parameters.
#[derive(Clone, Debug, Serialize)]
pub struct ResponseCut {
    /// The value of the second parameter.
    pub value: String,
    /// The win rate over the values of the first parameter.
    pub response: Vec<Response>,
}

/// A candidate that played.
#[derive(Clone, Debug, Serialize)]
pub struct TunedCandidate {
    /// The player.
    pub player: String,
    /// The values of the parameters. Empty for a default configuration that is not in the ranges.
    pub values: Vec<String>,
    /// The coordinates of the values, from 0 to 1 in each range.
    pub point: Vec<f64>,
    /// Whether it is the default configuration.
    pub is_default: bool,
    /// The generation in which it first played, from 0.
    pub generation: u64,
    /// The number of games.
    pub games: u64,
    /// The share of points in these games.
    pub rate: f64,
    /// The win rate that the model expects, from the games of all candidates.
    pub expected: f64,
    /// The 95 % interval of the win rate by the model.
    pub interval: Interval,
}

/// What fresh games say about the finalists.
#[derive(Clone, Debug, Serialize)]
pub struct Confirmed {
    /// The number of games of each finalist.
    pub games: u64,
    /// Whether all games were played.
    pub is_complete: bool,
    /// The finalists, best first, and the default configuration at the end.
    pub finalists: Vec<Finalist>,
    /// The games of the first finalist against the default configuration. `None` if there is no default.
    pub against_default: Option<Fresh>,
    /// The Elo of the first finalist against the default configuration; `None` without games, and if one of the two
    /// has all points.
    pub elo: Option<f64>,
    /// The 95 % interval of `elo`.
    pub elo_interval: Option<Interval>,
}

/// A finalist.
#[derive(Clone, Debug, Serialize)]
pub struct Finalist {
    /// The player.
    pub player: String,
    /// Whether it is the default configuration.
    pub is_default: bool,
    /// The share of points in the games of the tuning.
    pub tuned: Option<f64>,
    /// The win rate that the model expected after the tuning.
    pub expected: Option<f64>,
    /// The fresh games; `None` before the first.
    pub fresh: Option<Fresh>,
    /// How much better than the default it is in the same fresh games.
    pub gain: Option<Gain>,
}

/// The share of points in fresh games.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Fresh {
    /// The number of games.
    pub games: u64,
    /// The share of points.
    pub rate: f64,
    /// The 95 % interval of the win rate.
    pub interval: Interval,
}

/// A difference of win rates in games with the same openings and seeds.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Gain {
    /// The difference.
    pub difference: f64,
    /// The 95 % interval of the difference.
    pub interval: Interval,
}

impl TuningResults {
    /// Reads what a store knows of a tuning.
    pub fn read(tuning: &Tuning, store: &Store) -> Result<TuningResults, RunError> {
        let tuned = tuning.tuned(store)?;
        let tuner = &tuned.tuner;
        let (model, space) = (tuner.model(), tuner.space());
        let within = tuning.settings.until.map_or(GOOD, |until| until.within);
        let candidate = |index: usize| {
            let candidate = tuner.candidate(index);
            let prediction = model.candidate(index);
            let point = candidate.point.as_ref();
            TunedCandidate {
                player: tuning.template.text_of(candidate),
                values: point.map_or_else(Vec::new, |point| space.values(point)),
                point: point.map_or_else(Vec::new, |point| point.0.clone()),
                is_default: candidate.is_default,
                generation: candidate.generation,
                games: 2 * candidate.rewards.count,
                rate: candidate.rewards.sum / candidate.rewards.count as f64,
                expected: prediction.mean.clamp(0.0, 1.0),
                interval: interval(prediction),
            }
        };
        let played = |index: &usize| tuner.candidate(*index).rewards.count > 0;
        let mut candidates: Vec<TunedCandidate> =
            (0..tuner.candidates().len()).filter(played).map(candidate).collect();
        candidates.sort_by(|a, b| b.expected.total_cmp(&a.expected));
        // A default that is not in the space is no point of the curves: then they go through the best that is.
        let best = candidates.iter().find(|candidate| !candidate.point.is_empty());
        let centre = best.map(|best| tesuji_arena::tuning::Point(best.point.clone()));
        let response = |parameter: usize, centre: &tesuji_arena::tuning::Point| -> Vec<Response> {
            let range = &space.parameters[parameter].range;
            let coordinates = coordinates(range);
            let curve = model.response(parameter, &coordinates, std::slice::from_ref(centre));
            let points = coordinates.iter().zip(curve);
            points
                .map(|(&coordinate, prediction)| Response {
                    value: range.value(coordinate),
                    expected: prediction.mean.clamp(0.0, 1.0),
                    interval: interval(prediction),
                })
                .collect()
        };
        let parameters = space.parameters.iter().enumerate().map(|(index, parameter)| TunedParameter {
            name: parameter.name.clone(),
            range: parameter.range.to_string(),
            best: candidates.first().and_then(|best| best.values.get(index).cloned()),
            is_logarithmic: matches!(parameter.range, Range::Numbers { log: true, .. }),
            response: centre.as_ref().map_or_else(Vec::new, |centre| response(index, centre)),
        });
        let parameters: Vec<TunedParameter> = parameters.collect();
        let cuts = match (&space.parameters[..], &centre) {
            ([_, second], Some(centre)) => {
                let n = second.range.count().map_or(CUTS, |count| (count as usize).min(CUTS));
                let values = (0..n).map(|cut| (cut as f64 + 0.5) / n as f64);
                let cut = |coordinate: f64| {
                    let mut at = centre.clone();
                    at.0[1] = second.range.snap(coordinate);
                    ResponseCut { value: second.range.value(coordinate), response: response(0, &at) }
                };
                values.map(cut).collect()
            }
            _ => Vec::new(),
        };
        Ok(TuningResults {
            name: tuning.name().to_owned(),
            title: tuning.title.clone(),
            command: tuning.command.clone(),
            game: tuning.game.to_string(),
            player: tuning.template.to_string(),
            against: tuning.against.iter().map(ToString::to_string).collect(),
            rules: tuning.rules.to_string(),
            policy: tuning.settings.policy.to_string(),
            games: 2 * tuning.settings.pairs,
            played: 2 * tuner.spent(),
            stopped: tuned.stopped.map(|stopped| stopped.to_string()),
            chance: tuner.chance(within),
            within,
            parameters,
            cuts,
            candidates,
            confirmed: confirmed(tuning, &tuned, store)?,
        })
    }
}

/// The coordinates of a response curve.
fn coordinates(range: &Range) -> Vec<f64> {
    match range.count() {
        Some(count) if range.is_words() || count < CURVE as u64 => {
            (0..count).map(|index| (index as f64 + 0.5) / count as f64).map(|it| range.snap(it)).collect()
        }
        _ => (0..CURVE).map(|index| index as f64 / (CURVE - 1) as f64).collect(),
    }
}

fn interval(Prediction { mean, deviation }: Prediction) -> Interval {
    let half = Z_95 * deviation;
    Interval { low: (mean - half).clamp(0.0, 1.0), high: (mean + half).clamp(0.0, 1.0) }
}

fn confirmed(tuning: &Tuning, tuned: &Tuned, store: &Store) -> Result<Option<Confirmed>, StoreError> {
    let Some(experiment) = &tuned.confirmation else { return Ok(None) };
    let n_opponents = tuning.against.len();
    let shown: Vec<usize> = tuned.finalists.iter().copied().chain(tuned.default).collect();
    // The default may be an opponent too, so the winner's games against both may be of one cell.
    let cells = |grid: usize| experiment.grids.get(grid).map_or(&[][..], |grid| &grid.entries);
    let pairs_of = |entry: &GridEntry| pair_points(experiment, &experiment.cells[entry.cell].key, store);
    let pairs = cells(0).iter().map(pairs_of).collect::<Result<Vec<_>, _>>()?;
    let pairs: Vec<&[Vec<f64>]> = pairs.chunks(n_opponents).collect();
    let duel = cells(1).first();
    let duel_pairs = duel.map(pairs_of).transpose()?;
    let is_default = |index: usize| tuned.tuner.candidate(index).is_default;
    let default_pairs = shown.iter().position(|&index| is_default(index)).map(|place| pairs[place]);
    let finalist = |(place, &index): (usize, &usize)| {
        let candidate = tuned.tuner.candidate(index);
        let (rewards, is_default) = (candidate.rewards, candidate.is_default);
        Finalist {
            player: tuning.template.text_of(candidate),
            is_default,
            tuned: (rewards.count > 0).then(|| rewards.sum / rewards.count as f64),
            expected: (rewards.count > 0).then(|| tuned.tuner.model().candidate(index).mean.clamp(0.0, 1.0)),
            fresh: fresh(&pairs[place].concat()),
            gain: default_pairs.filter(|_| !is_default).and_then(|default| gain(pairs[place], default)),
        }
    };
    let finalists: Vec<Finalist> = shown.iter().enumerate().map(finalist).collect();
    let tally = match duel {
        Some(entry) => store.played(experiment.address, &experiment.cells[entry.cell].key)?.tally,
        None => Tally::default(),
    };
    let against_default = duel_pairs.as_deref().and_then(fresh);
    let strength = Strength::of(&tally).filter(|strength| strength.elo.is_finite());
    let wanted = experiment.games / 2;
    Ok(Some(Confirmed {
        games: experiment.games * n_opponents as u64,
        is_complete: pairs
            .iter()
            .copied()
            .flatten()
            .chain(&duel_pairs)
            .all(|pairs| pairs.len() as u64 >= wanted),
        finalists,
        against_default,
        elo: strength.map(|it| it.elo),
        elo_interval: strength
            .map(|it| it.elo_interval)
            .filter(|interval| interval.low.is_finite() && interval.high.is_finite()),
    }))
}

/// The share of points in each pair of games of a cell, up to the first pair that is missing.
fn pair_points(experiment: &MatchExperiment, cell: &str, store: &Store) -> Result<Vec<f64>, StoreError> {
    let points = store.points(experiment.address, cell)?;
    let pair = |(number, pair): (usize, &[tesuji_arena::GamePoints])| match pair {
        [first, second] if first.index == 2 * number as u64 && second.index == first.index + 1 => {
            Some((first.points + second.points) / 2.0)
        }
        _ => None,
    };
    Ok(points.chunks(2).enumerate().map_while(pair).collect())
}

/// The win rate by pairs of games.
fn fresh(pairs: &[f64]) -> Option<Fresh> {
    let games = 2 * pairs.len() as u64;
    let (rate, error) = mean(pairs, PAIR_VARIANCE)?;
    let interval = Interval { low: (rate - Z_95 * error).max(0.0), high: (rate + Z_95 * error).min(1.0) };
    Some(Fresh { games, rate, interval })
}

/// The difference in the pairs that both played.
fn gain(finalist: &[Vec<f64>], default: &[Vec<f64>]) -> Option<Gain> {
    let both = finalist.iter().zip(default);
    let differences: Vec<f64> = both.flat_map(|(a, b)| a.iter().zip(b).map(|(a, b)| a - b)).collect();
    let (difference, error) = mean(&differences, 2.0 * PAIR_VARIANCE).filter(|_| differences.len() > 1)?;
    let half = Z_95 * error;
    Some(Gain { difference, interval: Interval { low: difference - half, high: difference + half } })
}

/// The mean of numbers and its standard error. Two more numbers of this variance are added to their
/// scatter: a few results that are all equal prove little.
fn mean(numbers: &[f64], variance: f64) -> Option<(f64, f64)> {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let scatter: f64 = numbers.iter().map(|it| (it - mean).powi(2)).sum();
    let variance = (scatter + 2.0 * variance) / (n + 1.0);
    (!numbers.is_empty()).then(|| (mean, (variance / n).sqrt()))
}
