//! A learnt opening book: seeds of a player with the chances with which they are drawn.
//!
//! A book is a small JSON file. Whoever plays by it draws a seed at the beginning of
//! a game, and then plays as that seed plays: at no cost.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::error::Category;
use tesuji_catalog::{GameSpec, PlayerSpec};
use tesuji_core::{Rng, Seed, Side, Symmetry, file_problem};
use tesuji_search::{Budget, Limits, quiet_opening};
use thiserror::Error;

/// The random stream of a fixed seed that plays this side, at this ply.
pub fn stream(seed: Seed, side: Side, ply: u64) -> Seed {
    let colour = if side == Side::Black { "black" } else { "white" };
    seed.child(colour).child(ply)
}

/// Seeds and their chances, for both sides.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Book {
    /// What the file is: [`Book::FORMAT`].
    pub format: String,
    /// The game it was learnt in.
    pub game: String,
    /// Whose seeds these are, its budget included.
    pub player: String,
    /// How it was learnt, such as `nash`.
    pub method: String,
    /// Whether the board is turned at random at the beginning of a game.
    pub symmetries: bool,
    /// Black's seeds.
    pub black: Vec<BookSeed>,
    /// White's seeds.
    pub white: Vec<BookSeed>,
    /// What is known of it, for people.
    #[serde(default)]
    pub learnt: Learnt,
}

/// A seed and its chance.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BookSeed {
    /// Its number among those it was chosen from.
    pub number: u64,
    /// Its 32 digits.
    pub seed: String,
    /// The chance with which it is drawn.
    pub weight: f64,
}

/// What is known of a book.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Learnt {
    /// The seeds of each side that were tried.
    pub seeds: u64,
    /// The games that were played.
    pub games: u64,
    /// The mean of its win rates as Black and as White against those seeds, where all games
    /// are known.
    pub training: Option<f64>,
    /// The mean of its win rates as Black and as White against the best answers among those seeds.
    pub worst: Option<f64>,
    /// The most that both sides together could gain by leaving the book, among those seeds:
    /// the gap of the matrix game, or a bound of it.
    pub gap: Option<f64>,
    /// The build that learnt it.
    pub build: String,
}

/// The file is no book.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{path} is not a portfolio: {reason}")]
pub struct BookError {
    path: String,
    reason: String,
}

impl Book {
    /// What [`format`](Book::format) says.
    pub const FORMAT: &str = "tesuji portfolio 1";

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Book, BookError> {
        let wrong = |reason: String| BookError { path: path.display().to_string(), reason };
        let text = fs::read_to_string(path).map_err(|error| wrong(file_problem(&error)))?;
        Book::parse(&text).map_err(wrong)
    }

    /// Reads the text of a book's file.
    pub fn from_text(text: &str) -> Result<Book, BookError> {
        Book::parse(text).map_err(|reason| BookError { path: "the text".to_owned(), reason })
    }

    fn parse(text: &str) -> Result<Book, String> {
        let book: Book = serde_json::from_str(text).map_err(|error| match error.classify() {
            // Serde names the field that is missing or wrong.
            Category::Data => error.to_string(),
            _ if text.trim().is_empty() => "it is empty".to_owned(),
            _ => format!("line {} is not JSON", error.line().max(1)),
        })?;
        if book.format != Book::FORMAT {
            return Err(format!(
                "its format is '{}', and this program reads '{}'",
                book.format,
                Book::FORMAT
            ));
        }
        let game: GameSpec = book.game.parse().map_err(|error| format!("its game: {error}"))?;
        let player: PlayerSpec = book.player.parse().map_err(|error| format!("its player: {error}"))?;
        game.check_player(player.config()).map_err(|error| error.to_string())?;
        if player.budget().is_none() && player.is_search() {
            return Err(format!("its player, {player}, has no budget"));
        }
        for side in Side::BOTH {
            let choices = book.of_side(side);
            let total: f64 = choices.iter().map(|choice| choice.weight).sum();
            let are_chances = choices.iter().all(|choice| choice.weight >= 0.0 && choice.weight.is_finite());
            if !are_chances || total <= 0.0 {
                return Err(format!("{side} has no seed that could be drawn"));
            }
            if let Some(wrong) = choices.iter().find(|choice| choice.seed.parse::<Seed>().is_err()) {
                return Err(format!("'{}' is not a seed", wrong.seed));
            }
        }
        Ok(book)
    }

    /// The file's text.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("texts and numbers are JSON") + "\n"
    }

    /// Eight digits that tell books apart which play otherwise: how a book was learnt has no
    /// part in them.
    pub fn digest(&self) -> String {
        let played = Book { method: String::new(), learnt: Learnt::default(), ..self.clone() };
        Seed::new(0).child(played.text().as_str()).to_string()[..8].to_owned()
    }

    /// The book that turns the board at random in every game. Where this one does not yet,
    /// nothing is known any more of how it fares: that was with the board as it is.
    #[must_use]
    pub fn turned(self) -> Book {
        if self.symmetries {
            return self;
        }
        let Learnt { seeds, games, build, .. } = self.learnt;
        let learnt = Learnt { seeds, games, build, ..Learnt::default() };
        Book { symmetries: true, learnt, ..self }
    }

    /// A side's seeds.
    pub fn of_side(&self, side: Side) -> &[BookSeed] {
        match side {
            Side::Black => &self.black,
            Side::White => &self.white,
        }
    }

    /// Whose seeds these are.
    pub fn player(&self) -> PlayerSpec {
        self.player.parse().expect("a book's player was read before")
    }

    /// What each of a side's seeds plays as long as nothing happens to it, up to so many
    /// moves, in the order of [`of_side`](Book::of_side).
    pub fn openings(&self, side: Side, moves: usize) -> Vec<Vec<String>> {
        let player = self.player();
        let game: GameSpec = self.game.parse().expect("a book's game was read before");
        let start = game.start().expect("a book's game was played");
        let opening = |choice: &BookSeed| {
            let seed: Seed = choice.seed.parse().expect("a book's seeds were read before");
            let mut at_the_board = game.player(player.config()).expect("checked when it was read");
            let search_at = |ply| {
                let budget = player.budget_at(ply).unwrap_or(Budget::Samples(1));
                (Limits::of(budget), stream(seed, side, ply))
            };
            let opening = quiet_opening(&mut *at_the_board, &*start, side, moves, &search_at);
            start.move_texts(&opening)
        };
        self.of_side(side).iter().map(opening).collect()
    }

    /// Draws a seed for a game, and how the board is turned.
    pub fn draw(&self, side: Side, symmetries: &[Symmetry], rng: &mut Rng) -> (Seed, Symmetry) {
        let choices = self.of_side(side);
        let total: f64 = choices.iter().map(|choice| choice.weight).sum();
        let mut left = rng.unit() * total;
        let drawn = choices.iter().find(|choice| {
            left -= choice.weight;
            left < 0.0
        });
        let last = || choices.iter().rfind(|choice| choice.weight > 0.0);
        let choice = drawn.or_else(last).expect("a book has seeds for both sides");
        let symmetry = match self.symmetries {
            true => rng.choose(symmetries).copied().unwrap_or(Symmetry::IDENTITY),
            false => Symmetry::IDENTITY,
        };
        (choice.seed.parse().expect("a book's seeds were read before"), symmetry)
    }
}
