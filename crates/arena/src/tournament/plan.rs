//! Which games a tournament wants next.
//!
//! A plan wants games in rounds. It plans a round when all games of earlier rounds are known, from
//! their results alone: games that happen to be stored beyond them do not count. So it wants the same
//! games again when a run is resumed, in whatever order they were played.

use std::collections::BTreeMap;

use super::swiss::{Standing, pairings};
use super::{Sure, Tournament, TournamentFormat, TournamentPair, meeting};
use crate::matches::{Cell, MatchExperiment};
use crate::ratings::{Meeting, Question, RatingSettings, Ratings};
use crate::store::{GamePoints, Store, StoreError};

/// The rounds that the schedule widest has at most, if it plays all its games. More rounds waste fewer
/// games and leave threads without work more often.
const MOST_ROUNDS: u64 = 100;

/// The fewest games of a round of the schedule widest.
const LEAST_ROUND: u64 = 16;

/// How far along the rounds of a tournament are in which results decide who meets next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedGames {
    /// The number of rounds that were begun.
    pub rounds: u32,
    /// The number of games of each cell that are wanted so far: the first ones.
    pub wanted: Vec<u64>,
    /// The number of games that are wanted in all, at most if the tournament is not over.
    pub total: u64,
    /// Whether all wanted games are stored.
    pub is_over: bool,
}

impl MatchExperiment {
    /// How far along the rounds are with the games in a store. `None` if all games are wanted at once,
    /// or if some cells of the tournament were left out.
    ///
    /// It plans all rounds again, which takes about as long as the planning of the run did.
    pub fn planned(&self, store: &Store) -> Result<Option<PlannedGames>, StoreError> {
        let Some(mut plan) = Plan::of(self) else { return Ok(None) };
        if !plan.tournament.is_whole() {
            return Ok(None);
        }
        let points = |cell: &Cell| store.points(self.address, &cell.key);
        let known = self.cells.iter().map(points).collect::<Result<Vec<_>, _>>()?;
        let n_first = |games: &Vec<GamePoints>| {
            (0..).zip(games).take_while(|(index, game)| game.index == *index).count() as u64
        };
        let known_first: Vec<u64> = known.iter().map(n_first).collect();
        while !plan.is_over() && plan.wanted().iter().zip(&known_first).all(|(wanted, known)| wanted <= known)
        {
            plan.plan_round(|cell| &known[cell]);
        }
        Ok(Some(PlannedGames {
            rounds: plan.n_rounds(),
            total: plan.total(),
            is_over: plan.is_over(),
            wanted: plan.wanted,
        }))
    }
}

/// The games that a planned tournament wants, round by round.
pub(crate) struct Plan {
    tournament: Tournament,
    settings: RatingSettings,
    /// The number of games of a meeting.
    each: u64,
    /// The number of games of each cell that are wanted so far: the first ones.
    wanted: Vec<u64>,
    n_rounds: u32,
    /// The opponents of each player of a Swiss tournament, and its byes.
    standings: Vec<Standing>,
    is_over: bool,
}

impl Plan {
    /// The plan of an experiment. `None` if all its games are wanted at once.
    pub(crate) fn of(experiment: &MatchExperiment) -> Option<Plan> {
        let tournament = experiment.tournament.as_ref().filter(|it| it.format.is_planned())?;
        Some(Plan {
            settings: RatingSettings { bootstrap: 0, ..tournament.rating_settings() },
            each: experiment.games,
            wanted: vec![0; experiment.cells.len()],
            n_rounds: 0,
            standings: vec![Standing::default(); tournament.players.len()],
            is_over: false,
            tournament: tournament.clone(),
        })
    }

    /// The number of games of each cell that are wanted so far.
    pub(crate) fn wanted(&self) -> &[u64] {
        &self.wanted
    }

    /// The number of games that the plan wants in all. It may stop earlier.
    pub(crate) fn total(&self) -> u64 {
        match self.is_over {
            true => self.wanted.iter().sum(),
            false => self.tournament.total(self.each),
        }
    }

    /// The number of rounds that were planned.
    pub(crate) fn n_rounds(&self) -> u32 {
        self.n_rounds
    }

    /// Whether no more games are wanted.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Plans the next round, after all games that were wanted so far are known. `known` returns the games of a
    /// cell by their indices.
    pub(crate) fn plan_round<'a, G>(&mut self, known: impl Fn(usize) -> G)
    where
        G: IntoIterator<Item = &'a GamePoints>,
    {
        let first = |cell: usize| {
            let wanted = self.wanted[cell];
            known(cell).into_iter().copied().take_while(move |game| game.index < wanted)
        };
        let more = match self.tournament.format {
            TournamentFormat::RoundRobin | TournamentFormat::Gauntlet => Vec::new(),
            TournamentFormat::Swiss { rounds } if self.n_rounds >= rounds => Vec::new(),
            TournamentFormat::Swiss { .. } => {
                let mut standings = self.standings.clone();
                for TournamentPair { cell, player, opponent, .. } in &self.tournament.pairs {
                    // A meeting counts a point, however many games and boards it has.
                    let worth = (self.each * self.tournament.games.len() as u64) as f64;
                    for game in first(*cell) {
                        standings[*player].points += game.points / worth;
                        standings[*opponent].points += (1.0 - game.points) / worth;
                    }
                }
                let round = pairings(&standings);
                let standings = &mut self.standings;
                if let Some(bye) = round.bye {
                    standings[bye].byes += 1;
                    standings[bye].points += 1.0;
                }
                for &(a, b) in &round.pairs {
                    standings[a].opponents.push(b);
                    standings[b].opponents.push(a);
                }
                let is_paired = |pair: &&TournamentPair| {
                    let (a, b) = (pair.player, pair.opponent);
                    round.pairs.contains(&(a, b)) || round.pairs.contains(&(b, a))
                };
                self.tournament.pairs.iter().filter(is_paired).map(|pair| (pair.cell, self.each)).collect()
            }
            TournamentFormat::Widest { question, total, until } => {
                let meetings: Vec<_> =
                    self.tournament.pairs.iter().map(|pair| meeting(pair, first(pair.cell))).collect();
                let ratings = self.tournament.ratings(&meetings, &self.settings);
                let is_sure = match until {
                    None => false,
                    Some(Sure::Confidence(level)) => ratings.answer(question, 1.0 - level).is_some(),
                    Some(Sure::Within(elo)) => ratings.is_within(elo),
                };
                let played: u64 = self.wanted.iter().sum();
                let round = (total / MOST_ROUNDS).max(LEAST_ROUND).next_multiple_of(2);
                match is_sure {
                    true => Vec::new(),
                    false => {
                        self.widest(&ratings, &meetings, question, round.min(total.saturating_sub(played)))
                    }
                }
            }
        };
        self.is_over = more.is_empty();
        self.n_rounds += u32::from(!self.is_over);
        for (cell, games) in more {
            self.wanted[cell] += games;
        }
    }

    /// The games of a round that narrow the answer most: a number of games for each cell. They are chosen one
    /// pair of games at a time, each with what the others are expected to add.
    fn widest(
        &self,
        ratings: &Ratings,
        meetings: &[Meeting],
        question: Question,
        games: u64,
    ) -> Vec<(usize, u64)> {
        let mut plan = ratings.plan();
        let mut more = BTreeMap::new();
        for _ in 0..games / 2 {
            let Some(best) = plan.best(question, meetings, 2) else { break };
            let pair = &self.tournament.pairs[best];
            plan.add(pair.player, pair.opponent, pair.game, 2);
            *more.entry(pair.cell).or_insert(0) += 2;
        }
        more.into_iter().collect()
    }
}
