//! The games of seeds against seeds, as the arena plays and its store keeps them.
//!
//! [`SeedGames`] is an experiment of the arena whose pairing is by seeds: one cell,
//! or one for each symmetry of the board. A player that sees the board through a
//! symmetry is another player, and a game between two turned players depends only on
//! how the one is turned to the other. So the eight cells (i, j, s) hold a matrix of
//! 8K × 8K games: what is played once is known eight times.
//!
//! By symmetry an equilibrium of that large matrix turns the board uniformly at
//! random, so it is an equilibrium of the K × K matrix of means over the cells. That
//! is the matrix here.

use std::collections::{BTreeMap, BTreeSet};

use tesuji_arena::{
    Book, BookSeed, BuildError, Cell, Contestant, GamePoints, Learnt, MatchExperiment,
    MatchExperimentBuilder, Pairing, PlayerColumn, Players, Rules, SeedPair, Store, StoreError,
};
use tesuji_catalog::{GameSpec, PlayerSpec};
use tesuji_core::Seed;
use thiserror::Error;

use crate::lazy::Entries;
use crate::{Equilibrium, Matrix, Method, Portfolio, solve};

/// Whether the board is turned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Symmetries {
    /// Both sides see it as it is.
    #[default]
    Off,
    /// Every pair of seeds plays once for each symmetry.
    On,
}

/// The seeds of a player against each other.
#[derive(Clone, Debug)]
pub struct SeedGames {
    /// The experiment; its cells are all of these games.
    pub experiment: MatchExperiment,
}

/// There are no such games of seeds.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum SeedError {
    /// The player cannot play the game.
    #[error(transparent)]
    Experiment(#[from] BuildError),
    /// The player's budget is a time, so its games are not reproducible.
    #[error(
        "{player} has a budget of time, and a seed must always play the same: give it a number of samples"
    )]
    Timed {
        /// The player.
        player: String,
    },
}

impl SeedGames {
    /// The games of `seeds` seeds a side.
    pub fn new(
        game: &GameSpec,
        player: &PlayerSpec,
        seed: u64,
        seeds: u64,
        symmetries: Symmetries,
    ) -> Result<SeedGames, SeedError> {
        let contestant = Contestant::Player(player.clone());
        contestant.check(game).map_err(BuildError::from)?;
        if !contestant.is_reproducible() {
            return Err(SeedError::Timed { player: player.to_string() });
        }
        let n_symmetries = match symmetries {
            Symmetries::Off => 1,
            Symmetries::On => game.start().map_or(1, |start| start.symmetries().len()),
        };
        let mut columns = vec![PlayerColumn { label: "as it is".to_owned(), player: contestant.clone() }];
        columns.extend((1..n_symmetries).map(|turn| PlayerColumn {
            label: format!("turned {turn}"),
            player: Contestant::Turned(turn, player.clone()),
        }));
        // Another name, and so other games: the two would replace each other's cells.
        let (words, option) = match symmetries {
            Symmetries::Off => ("", ""),
            Symmetries::On => (", turned", " --symmetries"),
        };
        let builder = MatchExperimentBuilder {
            name: format!("seeds {game}: {player}{words}"),
            title: format!("Seeds of {player} on {game}"),
            command: Some(format!(
                "tesuji portfolio learn '{game}' --player '{player}' --seed {seed} --seeds {seeds}{option}"
            )),
            seed,
            games: seeds.saturating_mul(seeds).max(1),
            rules: Rules { pairing: Pairing::Seeds, ..Rules::default() },
            game: game.clone(),
            players: Players::Table { title: "Win rate of Black, %".to_owned(), columns },
            opponent: contestant,
        };
        Ok(SeedGames { experiment: builder.build()? })
    }

    /// The games of seeds in an experiment, apart for each game and player: a player against
    /// itself, and where there are more cells than one, each turn of the board once. Of an
    /// experiment whose pairing is by sides, none.
    pub fn of(experiment: &MatchExperiment) -> Vec<SeedGames> {
        if experiment.rules.pairing != Pairing::Seeds {
            return Vec::new();
        }
        let turn = |cell: &Cell| match cell.player {
            Contestant::Turned(turn, _) => turn,
            _ => 0,
        };
        let mut all = Vec::new();
        for first in experiment.cells.iter().filter(|cell| cell.player == cell.opponent) {
            let is_turn = |cell: &&Cell| {
                cell.game == first.game
                    && cell.opponent == first.opponent
                    && cell.player.unturned() == first.opponent
            };
            let mut cells: Vec<Cell> = experiment.cells.iter().filter(is_turn).cloned().collect();
            cells.sort_by_key(turn);
            let symmetries = first.game.start().map_or(1, |start| start.symmetries().len());
            if !cells.iter().map(turn).eq(0..symmetries) {
                cells = vec![first.clone()];
            }
            let mut experiment = experiment.clone();
            (experiment.cells, experiment.grids) = (cells, Vec::new());
            all.push(SeedGames { experiment });
        }
        all
    }

    /// What is played.
    pub fn game(&self) -> &GameSpec {
        &self.experiment.cells[0].game
    }

    /// Whose seeds these are.
    pub fn player(&self) -> String {
        self.experiment.cells[0].opponent.to_string()
    }

    /// How many games there are for each pair of seeds.
    pub fn n_symmetries(&self) -> usize {
        self.experiment.cells.len()
    }

    /// Black's points in the games that are stored of all cells, or of these games alone, by
    /// the pair's index: means over the symmetries, where all of these are there.
    fn points(
        &self,
        store: &Store,
        wanted: Option<&BTreeSet<u64>>,
    ) -> Result<BTreeMap<u64, f64>, StoreError> {
        let mut sums: BTreeMap<u64, (usize, f64)> = BTreeMap::new();
        for cell in &self.experiment.cells {
            let games = match wanted {
                Some(wanted) => store.points_of(self.experiment.address, &cell.key, wanted)?,
                None => store.points(self.experiment.address, &cell.key)?,
            };
            for GamePoints { index, points, .. } in games {
                let (count, sum) = sums.entry(index).or_default();
                (*count, *sum) = (*count + 1, *sum + points);
            }
        }
        let all = self.experiment.cells.len();
        let whole = sums.into_iter().filter(|(_, (count, _))| *count == all);
        Ok(whole.map(|(index, (count, sum))| (index, sum / count as f64)).collect())
    }

    /// The largest matrix of the first seeds of which every game is stored; nothing where
    /// the first game is not.
    pub fn matrix(&self, store: &Store) -> Result<Option<Matrix>, StoreError> {
        let points = self.points(store, None)?;
        let first_gap = (0..).find(|index| !points.contains_key(index)).unwrap_or(0);
        let seeds = first_gap.isqrt();
        let at = |black: usize, white: usize| {
            let pair = SeedPair { black: black as u64, white: white as u64 };
            points.get(&pair.index()).copied().unwrap_or(0.0)
        };
        let made = Matrix::from_function(seeds as usize, seeds as usize, at);
        Ok(made.ok().filter(|_| seeds > 0))
    }

    /// The book that a method makes of a matrix of these games, and the matrix's equilibrium.
    /// `build` is for the record.
    pub fn learn(&self, matrix: &Matrix, method: Method, seed: Seed, build: String) -> (Book, Equilibrium) {
        let equilibrium = solve(matrix);
        (self.learn_from(matrix, &equilibrium, method, seed, build), equilibrium)
    }

    /// The book that a method makes of a matrix of these games whose equilibrium is known.
    /// `build` is for the record.
    pub fn learn_from(
        &self,
        matrix: &Matrix,
        equilibrium: &Equilibrium,
        method: Method,
        seed: Seed,
        build: String,
    ) -> Book {
        let mut rng = seed.child("ties").rng();
        let portfolio = method.learn_with(matrix, &mut rng, &mut Some(equilibrium.clone()));
        let learnt = Learnt {
            seeds: matrix.rows() as u64,
            games: (matrix.rows() * matrix.columns() * self.n_symmetries()) as u64,
            training: Some(portfolio.rate(matrix)),
            worst: Some(portfolio.worst_rate(matrix)),
            gap: Some(matrix.gap(&portfolio.black, &portfolio.white)),
            build,
        };
        self.book(&portfolio, &method.to_string(), learnt)
    }

    /// A book of these mixtures.
    pub fn book(&self, portfolio: &Portfolio, method: &str, learnt: Learnt) -> Book {
        let cell = &self.experiment.cells[0];
        let choices = |weights: &[f64]| {
            let mut choices: Vec<BookSeed> = (0..)
                .zip(weights)
                .filter(|(_, weight)| **weight > 0.0)
                .map(|(number, &weight)| BookSeed {
                    number,
                    seed: self.experiment.seed(cell, number).to_string(),
                    weight,
                })
                .collect();
            choices.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.number.cmp(&b.number)));
            choices
        };
        Book {
            format: Book::FORMAT.to_owned(),
            game: cell.game.to_string(),
            player: self.player(),
            method: method.to_owned(),
            symmetries: self.n_symmetries() > 1,
            black: choices(&portfolio.black),
            white: choices(&portfolio.white),
            learnt,
        }
    }
}

/// Games that are played when an algorithm asks for them. `play` plays the games with
/// these indices that the store does not hold, of every cell, and keeps them there.
pub struct LazySeeds<'a, E> {
    seeds: usize,
    play: Box<PlayGames<'a, E>>,
}

/// Plays games, and gives Black's points in them by their indices.
type PlayGames<'a, E> = dyn FnMut(BTreeSet<u64>) -> Result<BTreeMap<u64, f64>, E> + 'a;

impl<'a, E> LazySeeds<'a, E> {
    /// So many seeds a side. `play` gives Black's points of the games it was asked for,
    /// by their indices, as [`SeedGames::stored`] does.
    pub fn new(
        seeds: usize,
        play: impl FnMut(BTreeSet<u64>) -> Result<BTreeMap<u64, f64>, E> + 'a,
    ) -> LazySeeds<'a, E> {
        LazySeeds { seeds, play: Box::new(play) }
    }
}

impl SeedGames {
    /// Black's points, means over the symmetries, of those of these games that are stored.
    pub fn stored(&self, store: &Store, wanted: &BTreeSet<u64>) -> Result<BTreeMap<u64, f64>, StoreError> {
        self.points(store, Some(wanted))
    }
}

impl<E> Entries for LazySeeds<'_, E> {
    type Error = E;

    fn size(&self) -> (usize, usize) {
        (self.seeds, self.seeds)
    }

    fn play(&mut self, wanted: &[(usize, usize)], rewards: &mut Vec<f64>) -> Result<(), E> {
        let index =
            |&(row, column): &(usize, usize)| SeedPair { black: row as u64, white: column as u64 }.index();
        let points = (self.play)(wanted.iter().map(index).collect())?;
        rewards.extend(wanted.iter().filter_map(|pair| points.get(&index(pair))));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tesuji_arena::{Definition, RunSettings};

    use super::*;
    use crate::lazy::Played;

    fn games(symmetries: Symmetries, seeds: u64) -> SeedGames {
        let game = "phantom-go:3(komi=2.5)".parse().unwrap();
        let player = "flat(uniform)@20".parse().unwrap();
        SeedGames::new(&game, &player, 1, seeds, symmetries).unwrap()
    }

    fn play(games: &SeedGames, store: &mut Store, wanted: Option<BTreeSet<u64>>) {
        let settings = RunSettings { wanted, ..RunSettings::on_threads(2) };
        let summary = games.experiment.run(&settings, store).unwrap();
        assert_eq!((summary.missing, summary.voids), (0, 0));
    }

    #[test]
    fn a_matrix_grows_and_keeps_its_games() {
        let mut store = Store::in_memory().unwrap();
        assert_eq!(games(Symmetries::Off, 3).matrix(&store).unwrap(), None);
        play(&games(Symmetries::Off, 3), &mut store, None);
        let small = games(Symmetries::Off, 3).matrix(&store).unwrap().unwrap();
        play(&games(Symmetries::Off, 5), &mut store, None);
        let large = games(Symmetries::Off, 5).matrix(&store).unwrap().unwrap();
        assert_eq!((small.rows(), large.rows()), (3, 5));
        let first: Vec<usize> = (0..3).collect();
        assert_eq!(large.select(&first, &first).unwrap(), small);
        assert_eq!(SeedGames::of(&games(Symmetries::Off, 5).experiment).len(), 1);
    }

    /// Of a game of two turned players only the difference of their turns matters: Black
    /// turned by s and White as it is give the game of Black as it is and White turned
    /// by the inverse of s, seen through the symmetry.
    #[test]
    fn turning_both_sides_turns_the_game() {
        let turned = games(Symmetries::On, 2);
        assert_eq!(turned.n_symmetries(), 8);
        let mut store = Store::in_memory().unwrap();
        play(&turned, &mut store, None);
        let matrix = turned.matrix(&store).unwrap().unwrap();
        assert!(matrix.entries().iter().all(|entry| (entry * 8.0).fract() == 0.0));
        let experiment = &turned.experiment;
        // The seeds of all cells are the same, and so is the cell of an untouched board.
        for cell in &experiment.cells {
            assert_eq!(experiment.seed(cell, 1), experiment.seed(&experiment.cells[0], 1));
        }
        let games_of = |index: usize| store.games(experiment.address, &experiment.cells[index].key).unwrap();
        let as_it_is = games_of(0);
        // Black's first move of seed 0, seen through each symmetry: at most eight places,
        // and the corner stays a corner.
        for index in 1..8 {
            let first = |moves: &str| moves.split(' ').next().unwrap().to_owned();
            let kind = |mv: String| match mv.as_str() {
                "b2" => "centre",
                "a1" | "a3" | "c1" | "c3" => "corner",
                _ => "edge",
            };
            assert_eq!(kind(first(&games_of(index)[0].moves)), kind(first(&as_it_is[0].moves)));
        }
    }

    #[test]
    fn only_a_player_against_itself_is_a_matrix() {
        let text = "title = \"\"\nseed = 1\ngames = 4\nrules = { pairing = \"seeds\" }\n[[grid]]\n\
                    game = \"phantom-go:3\"\nplayer = \"{player}\"\nopponent = \"flat(uniform)@20\"\n\
                    each = [{ name = \"player\", values = [\"flat(uniform)@20\", \"random\", \"turned(3,flat(uniform)@20)\"] }]\n";
        let experiment = MatchExperiment::parse(Definition::built_in("e", text, &[]).unwrap()).unwrap();
        let all = SeedGames::of(&experiment);
        assert_eq!((all.len(), all[0].n_symmetries()), (1, 1));
        assert_eq!(SeedGames::of(&games(Symmetries::On, 2).experiment)[0].n_symmetries(), 8);
        let timed = text.replace("@20", "@20ms");
        let refused = MatchExperiment::parse(Definition::built_in("e", &timed, &[]).unwrap()).unwrap_err();
        assert!(refused.to_string().contains("has no seeds to pair"), "{refused}");
    }

    #[test]
    fn what_is_asked_for_is_played_and_no_more() {
        let games = games(Symmetries::Off, 6);
        let mut store = Store::in_memory().unwrap();
        let source = LazySeeds::new(6, |wanted| {
            play(&games, &mut store, Some(wanted.clone()));
            games.stored(&store, &wanted)
        });
        let mut played = Played::new(source);
        played.ask([(0, 5), (3, 3), (5, 0), (3, 3)]).unwrap();
        assert_eq!(played.games(), 3);
        assert!(played.at(3, 3).is_some() && played.at(3, 4).is_none());
        drop(played);
        assert_eq!(store.points(games.experiment.address, &games.experiment.cells[0].key).unwrap().len(), 3);
    }

    #[test]
    fn a_book_has_the_seeds_that_were_played() {
        let games = games(Symmetries::Off, 2);
        let portfolio = Portfolio { black: vec![0.0, 1.0], white: vec![0.25, 0.75] };
        let book = games.book(&portfolio, "nash", Learnt::default());
        assert_eq!(book.black.len(), 1);
        assert_eq!(book.white[0].number, 1);
        let cell = &games.experiment.cells[0];
        assert_eq!(book.black[0].seed, games.experiment.seed(cell, 1).to_string());
    }

    #[test]
    fn seeds_must_play_the_same_again() {
        let game = "phantom-go:3".parse().unwrap();
        let refused = |player: &str| {
            let player = player.parse().unwrap();
            SeedGames::new(&game, &player, 1, 2, Symmetries::Off).unwrap_err().to_string()
        };
        assert!(refused("flat(uniform)@1s").contains("give it a number of samples"));
        assert!(refused("rave@100").contains("does not play phantom-go:3"));
        assert!(refused("flat(sh)").contains("has no budget"));
    }
}
