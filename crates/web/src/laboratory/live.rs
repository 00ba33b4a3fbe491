//! How far a running experiment is: a store is looked at again and again.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use serde::Serialize;
use tesuji_arena::{Completion, Experiment, MatchExperiment, MeasureError, Store, StoreError, StoredCell};

use crate::error::Refusal;
use crate::stream::Teller;

/// A store is looked at so often.
const EVERY: Duration = Duration::from_millis(1000);
/// The rate is that of so long.
const LATELY: Duration = Duration::from_secs(20);

#[derive(Clone, PartialEq, Serialize)]
struct Live {
    experiments: Vec<Progress>,
    rate: Option<f64>,
}

#[derive(Clone, PartialEq, Serialize)]
struct Progress {
    name: String,
    done: u64,
    wanted: u64,
    cells: Vec<CellCount>,
}

#[derive(Clone, PartialEq, Serialize)]
struct CellCount {
    id: String,
    games: u64,
}

/// Tells what changes until nobody listens.
pub(super) async fn watch(mut store: Store, teller: &Teller) {
    let mut last: Option<Live> = None;
    let mut lately: VecDeque<(Instant, u64)> = VecDeque::new();
    while !teller.is_closed() {
        let looked = tokio::task::spawn_blocking(move || {
            let counted = counts(&store);
            (store, counted)
        });
        let Ok((again, counted)) = looked.await else { return };
        store = again;
        let experiments = match counted {
            Ok(experiments) => experiments,
            Err(refusal) => return teller.fail(&refusal),
        };
        let done = experiments.iter().map(|experiment| experiment.done).sum();
        let live = Live { rate: rate(&mut lately, done), experiments };
        if last.as_ref() != Some(&live) {
            teller.update("counts", &live);
            last = Some(live);
        }
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = teller.closed() => return,
        }
    }
}

/// What comes in a second, lately; nothing where nothing has.
fn rate(lately: &mut VecDeque<(Instant, u64)>, done: u64) -> Option<f64> {
    let now = Instant::now();
    lately.push_back((now, done));
    while lately.len() > 2 && lately.front().is_some_and(|(at, _)| now.duration_since(*at) > LATELY) {
        lately.pop_front();
    }
    let &(since, before) = lately.front()?;
    let seconds = now.duration_since(since).as_secs_f64();
    (done > before && seconds > 0.0).then(|| ((done - before) as f64 / seconds * 100.0).round() / 100.0)
}

fn counts(store: &Store) -> Result<Vec<Progress>, Refusal> {
    let read = || {
        let mut all = Vec::new();
        for stored in store.experiments()? {
            let cells = store.cells(stored.experiment)?;
            let name = stored.definition.name.clone();
            let (done, wanted) = match stored.read() {
                Ok(Experiment::Matches(experiment)) => of_matches(&experiment, &cells, store)?,
                Ok(Experiment::Tuning(tuning)) => {
                    let done = cells.iter().map(|cell| cell.games).sum();
                    (done, (2 * tuning.settings.pairs).max(done))
                }
                Ok(Experiment::Bandits(experiment)) => match experiment.measured(store) {
                    Ok(Completion { done, wanted }) => (done, wanted),
                    Err(MeasureError::Store(error)) => return Err(error),
                    Err(_) => (0, 0),
                },
                Err(_) => (0, 0),
            };
            let begun = cells.into_iter().filter(|cell| cell.games > 0);
            let cells = begun.map(|cell| CellCount { id: cell.id, games: cell.games }).collect();
            all.push(Progress { name, done, wanted, cells });
        }
        Ok::<_, StoreError>(all)
    };
    Ok(store.at_one_moment(|_| read())??)
}

/// Games that are there and games that are wanted: of the whole, or where only the quick
/// version was begun, of that.
fn of_matches(
    experiment: &MatchExperiment,
    cells: &[StoredCell],
    store: &Store,
) -> Result<(u64, u64), StoreError> {
    let count = |experiment: &MatchExperiment| {
        let games = |key: &str| cells.iter().find(|cell| cell.key == key).map_or(0, |cell| cell.games);
        let each: Vec<u64> = experiment.cells.iter().map(|cell| games(&cell.key)).collect();
        let done: u64 = each.iter().sum();
        if let Some(planned) = tesuji_report::tournament::planned(experiment, store)? {
            return Ok((done, planned.total.max(done)));
        }
        if let Some(tournament) = experiment.tournament.as_ref().filter(|it| it.format.is_planned()) {
            return Ok((done, tournament.total(experiment.games).max(done)));
        }
        // More games than are asked for now may have been asked for once.
        Ok((done, each.iter().map(|games| experiment.games.max(*games)).sum()))
    };
    let whole: (u64, u64) = count(experiment)?;
    let quick: (u64, u64) = count(&experiment.clone().quickened())?;
    Ok(if quick.0 >= whole.0 && quick.0 > 0 { quick } else { whole })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_of_what_came_in() {
        let mut lately = VecDeque::from([(Instant::now() - Duration::from_secs(10), 100)]);
        assert_eq!(rate(&mut lately, 150).map(f64::round), Some(5.0));
        let mut lately = VecDeque::from([(Instant::now() - Duration::from_secs(10), 150)]);
        assert_eq!(rate(&mut lately, 150), None);
        assert_eq!(rate(&mut VecDeque::new(), 150), None);
    }
}
