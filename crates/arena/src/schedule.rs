//! Which game is played next: the intervals of all cells narrow together.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::settings::RunSettings;
use crate::statistics::{Count, half_width_at};

/// A part of the games of an experiment: `2/3` is the second of three parts. The two games of a
/// pair are in the same part.
///
/// ```
/// use tesuji_arena::Shard;
/// let shard: Shard = "2/3".parse().unwrap();
/// assert!(shard.takes(2) && shard.takes(3) && !shard.takes(4));
/// assert!("4/3".parse::<Shard>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// The number of the part, from 1.
    number: u64,
    /// The number of parts.
    of: u64,
}

impl Shard {
    /// All games.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// The part with this number, from 1, of `of` parts. `None` if there is no such part.
    pub fn new(number: u64, of: u64) -> Option<Shard> {
        (1..=of).contains(&number).then_some(Shard { number, of })
    }

    /// Whether the game with this index is in the part.
    pub const fn takes(self, index: u64) -> bool {
        (index / 2) % self.of == self.number - 1
    }

    /// The number of games with an index below `games` that are in the part.
    pub const fn count(self, games: u64) -> u64 {
        // Whole rounds of a pair for each shard, then what is left of the last round.
        let (rounds, left) = (games / (2 * self.of), games % (2 * self.of));
        let before = 2 * (self.number - 1);
        let own = left.saturating_sub(before);
        2 * rounds + if own > 2 { 2 } else { own }
    }
}

/// A text is not a part of the games.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is not a shard: write i/n, such as 1/3, 2/3 and 3/3")]
pub struct ShardError(String);

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let shard = text
            .split_once('/')
            .and_then(|(number, of)| Shard::new(number.trim().parse().ok()?, of.trim().parse().ok()?));
        shard.ok_or_else(|| ShardError(text.to_owned()))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// One game of an experiment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct GameSlot {
    /// The index of the cell in [`MatchExperiment::cells`](crate::MatchExperiment::cells).
    pub cell: usize,
    /// The index of the game in the cell.
    pub index: u64,
}

/// How much of something is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Completion {
    /// How many games, runs or measurements are done.
    pub done: u64,
    /// How many are wanted, including those that are done.
    pub wanted: u64,
}

impl Completion {
    /// How many are missing.
    pub fn missing(self) -> u64 {
        self.wanted - self.done
    }
}

/// Adds up the completion of several parts.
impl std::iter::Sum for Completion {
    fn sum<I: Iterator<Item = Completion>>(parts: I) -> Completion {
        parts.fold(Completion::default(), |sum, part| Completion {
            done: sum.done + part.done,
            wanted: sum.wanted + part.wanted,
        })
    }
}

/// How far along a cell is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CellProgress {
    /// The results that are known, including those of games that are not wanted here.
    pub count: Count,
    /// Those of games in which the player moved first, and of the others.
    pub by_order: [Count; 2],
    /// The games that are wanted here.
    pub games: Completion,
}

/// The games that are left to be played.
///
/// Queues count *places*: the place of a game in the list of wanted games, or its index if the
/// first games are wanted.
pub(crate) struct Schedule {
    cells: Vec<Queue>,
    shard: Shard,
    /// The indices that are wanted, in order, unless the first games are wanted.
    wanted: Option<Vec<u64>>,
    /// Games that were begun by earlier runs and are neither known nor given out: their places and
    /// cells. They are given out before all others.
    begun: BTreeSet<(u64, usize)>,
    /// Games from this index on are not given out yet.
    limit: u64,
    is_stopped: bool,
}

/// The games of a cell.
#[derive(Default)]
struct Queue {
    /// What is known of it.
    count: Count,
    /// What is known of the games with an even index, in which the player moves first, and of the
    /// others.
    by_order: [Count; 2],
    /// Places of games that are being played.
    out: BTreeSet<u64>,
    /// Places from this one on are not wanted, or not yet.
    games: u64,
    /// The first place that was never given out.
    next: u64,
    /// Places from there on that are known, or were given out. Some may not be wanted yet.
    known: BTreeSet<u64>,
    /// Places that were given out and came back.
    again: BTreeSet<u64>,
    /// Places that are known although they are not wanted yet.
    early: BTreeSet<u64>,
    /// The number of games of this shard that are known and wanted, and the number of wanted ones.
    done: u64,
    all: u64,
}

impl Schedule {
    /// The games of each of `n_cells` cells that the settings ask for: the wanted ones, or the
    /// first `games`.
    pub(crate) fn new(n_cells: usize, games: u64, settings: &RunSettings) -> Schedule {
        let shard = settings.shard;
        let wanted: Option<Vec<u64>> = settings
            .wanted
            .as_ref()
            .map(|wanted| wanted.iter().copied().filter(|index| shard.takes(*index)).collect());
        let (games, all) = match &wanted {
            Some(wanted) => (wanted.len() as u64, wanted.len() as u64),
            None => (games, shard.count(games)),
        };
        let cells = (0..n_cells).map(|_| Queue { games, all, ..Queue::default() }).collect();
        Schedule { cells, shard, wanted, begun: BTreeSet::new(), limit: u64::MAX, is_stopped: false }
    }

    /// Wants more games of a cell: all with an index below `games`. The first games must be
    /// wanted, not listed ones.
    pub(crate) fn raise(&mut self, cell: usize, games: u64) {
        debug_assert!(self.wanted.is_none());
        let queue = &mut self.cells[cell];
        if games > queue.games {
            queue.games = games;
            queue.all = self.shard.count(games);
            let later = queue.early.split_off(&games);
            queue.done += std::mem::replace(&mut queue.early, later).len() as u64;
        }
    }

    /// The place of a game, if it is wanted here, now or later.
    fn place(&self, index: u64) -> Option<u64> {
        match &self.wanted {
            Some(wanted) => wanted.binary_search(&index).ok().map(|place| place as u64),
            None => self.shard.takes(index).then_some(index),
        }
    }

    /// Notes a game whose result is known, with the player's points.
    pub(crate) fn know(&mut self, cell: usize, index: u64, points: f64) {
        let place = self.place(index);
        let queue = &mut self.cells[cell];
        queue.count.add(points);
        queue.by_order[usize::from(!index.is_multiple_of(2))].add(points);
        if let Some(place) = place {
            self.begun.remove(&(place, cell));
            match place < queue.games {
                true => queue.done += 1,
                false => _ = queue.early.insert(place),
            }
            queue.again.remove(&place);
            if place >= queue.next {
                queue.known.insert(place);
            }
        }
    }

    /// Notes a game that an earlier run began. Its result must not be known.
    pub(crate) fn note_begun(&mut self, cell: usize, index: u64) {
        self.begun.extend(self.place(index).map(|place| (place, cell)));
    }

    /// Whether a game was given out and is not back.
    pub(crate) fn is_out(&self, cell: usize, index: u64) -> bool {
        let place = self.place(index);
        place.is_some_and(|place| self.cells.get(cell).is_some_and(|queue| queue.out.contains(&place)))
    }

    /// Takes back a game that was given out. Returns false if it was not given out, or is back
    /// already.
    pub(crate) fn finished(&mut self, cell: usize, index: u64) -> bool {
        let place = self.place(index);
        place.is_some_and(|place| self.cells.get_mut(cell).is_some_and(|queue| queue.out.remove(&place)))
    }

    /// Puts a game that was given out back into the queue.
    pub(crate) fn replay(&mut self, cell: usize, index: u64) {
        let place = self.place(index);
        self.cells[cell].again.extend(place);
    }

    /// Gives out no games from this index on, until the next call.
    pub(crate) fn limit(&mut self, index: u64) {
        self.limit = index;
    }

    /// Gives out no more games.
    pub(crate) fn stop(&mut self) {
        self.is_stopped = true;
    }

    /// The game to be played next: the first that an earlier run began, or one of the cell whose
    /// interval would be the widest once the games that are being played are over.
    pub(crate) fn next(&mut self) -> Option<GameSlot> {
        if self.is_stopped {
            return None;
        }
        // Those that are listed are of this shard all.
        let shard = if self.wanted.is_some() { Shard::WHOLE } else { self.shard };
        let limit = self.limit;
        let is_open = |&&(place, cell): &&(u64, usize)| place < self.cells[cell].games.min(limit);
        if let Some(&(place, cell)) = self.begun.iter().find(is_open) {
            return Some(GameSlot { cell, index: self.give_out(cell, place) });
        }
        struct Candidate {
            cell: usize,
            place: u64,
            width: f64,
        }
        let mut widest: Option<Candidate> = None;
        for (cell, queue) in self.cells.iter_mut().enumerate() {
            let Some(place) = queue.first_open(shard, limit) else { continue };
            let width = queue.width();
            if widest.as_ref().is_none_or(|widest| width > widest.width) {
                widest = Some(Candidate { cell, place, width });
            }
        }
        let Candidate { cell, place, .. } = widest?;
        Some(GameSlot { cell, index: self.give_out(cell, place) })
    }

    /// The index of the game of this cell to be played next.
    pub(crate) fn next_of(&mut self, cell: usize) -> Option<u64> {
        let shard = if self.wanted.is_some() { Shard::WHOLE } else { self.shard };
        let limit = self.limit;
        let place = (!self.is_stopped).then(|| self.cells[cell].first_open(shard, limit))??;
        Some(self.give_out(cell, place))
    }

    /// Notes that a game is being played. Returns its index.
    fn give_out(&mut self, cell: usize, place: u64) -> u64 {
        let queue = &mut self.cells[cell];
        queue.out.insert(place);
        if !queue.again.remove(&place) {
            match place == queue.next {
                true => queue.next += 1,
                // A game that was begun earlier than the games before it.
                false => _ = queue.known.insert(place),
            }
        }
        self.begun.remove(&(place, cell));
        self.wanted.as_ref().map_or(place, |wanted| wanted[place as usize])
    }

    /// Whether a game that was given out is not back.
    pub(crate) fn is_playing(&self) -> bool {
        !self.is_stopped && self.cells.iter().any(|queue| !queue.out.is_empty())
    }

    /// The number of games of a cell that are neither known nor being played.
    pub(crate) fn left(&self, cell: usize) -> u64 {
        let queue = &self.cells[cell];
        (queue.all - queue.done).saturating_sub(queue.out.len() as u64)
    }

    /// How far along a cell is.
    pub(crate) fn progress(&self, cell: usize) -> CellProgress {
        let Queue { count, by_order, done, all, .. } = self.cells[cell];
        CellProgress { count, by_order, games: Completion { done, wanted: all } }
    }
}

impl Queue {
    fn first_open(&mut self, shard: Shard, limit: u64) -> Option<u64> {
        let games = self.games.min(limit);
        while self.next < games && (!shard.takes(self.next) || self.known.remove(&self.next)) {
            self.next += 1;
        }
        let fresh = (self.next < games).then_some(self.next);
        self.again.first().copied().into_iter().chain(fresh).min()
    }

    /// The width of its interval to come.
    fn width(&self) -> f64 {
        half_width_at(self.count.cautious_rate(), self.count.games() + self.out.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_a_partition() {
        for of in 1..5 {
            for index in 0..40 {
                let takers = (1..=of).filter(|number| Shard { number: *number, of }.takes(index)).count();
                assert_eq!(takers, 1);
            }
            for (number, games) in (1..=of).flat_map(|number| (0..40).map(move |games| (number, games))) {
                let shard = Shard { number, of };
                let counted = (0..games).filter(|index| shard.takes(*index)).count() as u64;
                assert_eq!(shard.count(games), counted, "{shard} of {games}");
            }
        }
        assert_eq!(
            "0/2".parse::<Shard>().unwrap_err().to_string(),
            "'0/2' is not a shard: write i/n, such as 1/3, 2/3 and 3/3"
        );
    }

    #[test]
    fn every_game_is_given_out_once() {
        let settings = RunSettings { shard: "1/2".parse().unwrap(), ..RunSettings::default() };
        let mut schedule = Schedule::new(2, 5, &settings);
        schedule.know(0, 1, 1.0);
        let mut given = Vec::new();
        while let Some(GameSlot { cell, index }) = schedule.next() {
            given.push((cell, index));
            assert!(schedule.finished(cell, index) && !schedule.finished(cell, index));
            schedule.know(cell, index, 1.0);
        }
        given.sort_unstable();
        assert_eq!(given, [(0, 0), (0, 4), (1, 0), (1, 1), (1, 4)]);
        assert_eq!(schedule.progress(0).games, Completion { done: 3, wanted: 3 });
        assert_eq!(schedule.progress(1).games, Completion { done: 3, wanted: 3 });
    }

    #[test]
    fn listed_games_are_given_out_once() {
        let wanted = BTreeSet::from([3, 17, 18, 40, 41]);
        for (shard, all) in [("1/1", vec![3, 18, 40, 41]), ("2/2", vec![3, 18]), ("1/2", vec![40, 41])] {
            let settings = RunSettings {
                shard: shard.parse().unwrap(),
                wanted: Some(wanted.clone()),
                ..RunSettings::default()
            };
            let mut schedule = Schedule::new(1, 5, &settings);
            schedule.know(0, 17, 1.0);
            schedule.know(0, 5, 1.0);
            let mut given = Vec::new();
            while let Some(GameSlot { cell, index }) = schedule.next() {
                given.push(index);
                assert!(schedule.finished(cell, index));
                // The first attempt comes to nothing.
                match given.iter().filter(|other| **other == index).count() {
                    1 => schedule.replay(cell, index),
                    _ => schedule.know(cell, index, 0.0),
                }
            }
            let twice: Vec<u64> = all.iter().flat_map(|index| [*index, *index]).collect();
            assert_eq!(given, twice, "{shard}");
            assert_eq!(schedule.progress(0).games.missing(), 0, "{shard}");
        }
    }

    #[test]
    fn the_widest_interval_comes_first() {
        let mut schedule = Schedule::new(3, 100, &RunSettings::default());
        (0..4).for_each(|index| schedule.know(0, index, 1.0));
        (0..4).for_each(|index| schedule.know(1, index, (index % 2) as f64));
        (0..5).for_each(|index| schedule.know(2, index, (index % 2) as f64));
        // Four wins of four say more than two of four, and so do games in flight.
        assert_eq!(schedule.next(), Some(GameSlot { cell: 1, index: 4 }));
        assert_eq!(schedule.next().map(|game| game.cell), Some(1));
    }

    #[test]
    fn games_that_were_begun_come_first() {
        let mut schedule = Schedule::new(2, 5, &RunSettings::default());
        schedule.know(0, 1, 1.0);
        for (cell, index) in [(0, 3), (1, 0), (1, 4), (0, 9)] {
            schedule.note_begun(cell, index);
        }
        // Another process was quicker.
        schedule.know(1, 0, 0.0);
        let mut given = Vec::new();
        while let Some(GameSlot { cell, index }) = schedule.next() {
            given.push((cell, index));
            assert!(schedule.finished(cell, index));
            // The first attempt comes to nothing.
            match given.iter().filter(|slot| **slot == (cell, index)).count() {
                1 => schedule.replay(cell, index),
                _ => schedule.know(cell, index, 1.0),
            }
        }
        assert_eq!(given[..2], [(0, 3), (1, 4)]);
        given.sort_unstable();
        let all = [(0, 0), (0, 2), (0, 3), (0, 4), (1, 1), (1, 2), (1, 3), (1, 4)];
        assert_eq!(given, all.iter().flat_map(|slot| [*slot; 2]).collect::<Vec<_>>());
    }

    #[test]
    fn a_void_game_comes_again() {
        let mut schedule = Schedule::new(1, 2, &RunSettings::default());
        let mut next = || schedule.next().map(|game| game.index);
        assert_eq!((next(), next(), next()), (Some(0), Some(1), None));
        assert!(schedule.finished(0, 0) && !schedule.finished(1, 0) && !schedule.finished(0, 7));
        schedule.replay(0, 0);
        let mut next = || schedule.next().map(|game| game.index);
        assert_eq!((next(), next()), (Some(0), None));
        assert!(schedule.finished(0, 0));
        schedule.replay(0, 0);
        schedule.know(0, 0, 1.0);
        assert_eq!(schedule.next(), None);
    }
}
