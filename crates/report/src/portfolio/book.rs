//! What a portfolio plays: an opening book, though nobody wrote one.
//!
//! A fixed seed always begins in the same way against the same answers, so that a mixture of
//! seeds is a mixture of openings. Most of hundreds of seeds have no part in an equilibrium, and
//! many have little: improbable seeds are counted and not listed.

use serde::Serialize;
use tesuji_core::Side;

use crate::Table;
use crate::numbers::{decimal, grouped};

/// Seeds and moves with less weight than this are summed up.
const LEAST: f64 = 0.01;

/// The seeds of one side of a portfolio.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BookTable {
    /// The side that plays these seeds.
    pub side: Side,
    /// The seeds, in any order. Seeds of weight 0 are not in the book.
    pub lines: Vec<BookLine>,
}

/// One seed of a book.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BookLine {
    /// The seed's number.
    pub number: u64,
    /// The probability that the seed is played. The weights of a book add up to 1.
    pub weight: f64,
    /// The first moves of its games.
    pub opening: Vec<String>,
}

impl BookTable {
    /// Returns the seeds of at least 1 %, the most probable first, and the sum of the others.
    pub fn table(&self) -> Table {
        let mut book: Vec<&BookLine> = self.lines.iter().filter(|line| line.weight > 0.0).collect();
        book.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.number.cmp(&b.number)));
        let seeds = if book.len() == 1 { "seed" } else { "seeds" };
        let title = format!("{}'s book: {} {seeds}", self.side, grouped(book.len() as u64));
        let mut table = Table::new(title, ["#seed", "#weight, %", "opening"]);
        let (listed, others) = book.split_at(book.partition_point(|line| line.weight >= LEAST));
        for line in listed {
            table.row([line.number.to_string(), weight(line.weight), line.opening.join(" ")]);
        }
        if !others.is_empty() {
            let number = grouped(others.len() as u64);
            let words = match (listed.len(), others.len()) {
                (0, _) => format!("all {number}"),
                (_, 1) => "and 1 other".to_owned(),
                _ => format!("and {number} others"),
            };
            let sum: f64 = others.iter().map(|line| line.weight).sum();
            table.row([words, weight(sum), String::new()]);
        }
        table
    }

    /// Returns the first moves, the most probable first: `c3 64 %, b3 22 %, others 14 %`.
    pub fn first_moves_text(&self) -> String {
        let mut moves: Vec<(&str, f64)> = Vec::new();
        for line in self.lines.iter().filter(|line| line.weight > 0.0) {
            let first = line.opening.first().map_or("unknown", String::as_str);
            match moves.iter_mut().find(|(name, _)| *name == first) {
                Some((_, sum)) => *sum += line.weight,
                None => moves.push((first, line.weight)),
            }
        }
        moves.sort_by(|(name, sum), (other, other_sum)| other_sum.total_cmp(sum).then(name.cmp(other)));
        let (listed, others) = moves.split_at(moves.partition_point(|(_, sum)| *sum >= LEAST));
        let words = |name: &str, sum: f64| format!("{name} {} %", decimal(100.0 * sum, 0));
        let mut text: Vec<String> = listed.iter().map(|(name, sum)| words(name, *sum)).collect();
        match others {
            [] => {}
            [(name, sum)] => text.push(words(name, *sum)),
            _ => text.push(words("others", others.iter().map(|(_, sum)| sum).sum())),
        }
        text.join(", ")
    }
}

fn weight(share: f64) -> String {
    decimal(100.0 * share, 1)
}
