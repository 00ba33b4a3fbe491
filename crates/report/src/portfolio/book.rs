//! What a portfolio plays: an opening book, though nobody wrote one.
//!
//! A seed with a fixed number always begins in the same way against the same answers,
//! so that a mixture of seeds is a mixture of openings. Most of hundreds of seeds have no
//! part in an equilibrium, and many have little: those are counted and not listed.

use serde::{Serialize, Serializer};
use tesuji_core::Side;

use crate::Table;
use crate::numbers::{decimal, grouped};

/// Seeds and moves with less weight than this are summed up.
const LEAST: f64 = 0.01;

/// The seeds of one side of a portfolio.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BookTable {
    /// Whose seeds.
    #[serde(serialize_with = "as_word")]
    pub side: Side,
    /// The seeds, in any order. Those without weight are not in the book.
    pub lines: Vec<BookLine>,
}

/// One seed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BookLine {
    /// The seed's number.
    pub number: u64,
    /// Its probability; those of a book have a sum of 1.
    pub weight: f64,
    /// How its games begin, move by move.
    pub opening: Vec<String>,
}

impl BookTable {
    /// The seeds with at least 1 %, the most probable first, and the others in one line.
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

    /// The first moves by weight, the most probable first: `c3 64 %, b3 22 %, others 14 %`.
    pub fn first_moves_text(&self) -> String {
        let mut moves: Vec<(&str, f64)> = Vec::new();
        for line in self.lines.iter().filter(|line| line.weight > 0.0) {
            let first = line.opening.first().map_or("unknown", String::as_str);
            match moves.iter_mut().find(|(name, _)| *name == first) {
                Some((_, sum)) => *sum += line.weight,
                None => moves.push((first, line.weight)),
            }
        }
        moves.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
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

fn as_word<S: Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(side)
}
