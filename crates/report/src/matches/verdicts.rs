//! How a whole table agrees with the published one, and how engines' scores agree with the
//! rules, in sentences.

use tesuji_arena::Disagreement;
use tesuji_arena::statistics::ChiSquare;

use super::{CellResults, GridResults};
use crate::Table;
use crate::numbers::{decimal, grouped};

/// Returns how many of the published rates have each verdict, how many would be off by chance, and
/// χ² of the whole table, in sentences. Returns `None` if nothing can be compared.
pub(crate) fn verdicts(grid: &GridResults) -> Option<String> {
    let count = grid.verdicts;
    let mut sentences = Vec::new();
    if count.judged() > 0 {
        let by_chance = count.judged() as f64 / 20.0;
        let decimals =
            if by_chance < 0.1 { 2 } else { usize::from(by_chance < 10.0 && by_chance.fract() != 0.0) };
        let by_chance = decimal(by_chance, decimals);
        sentences.push(format!(
            "Of {} published {} {}; by chance alone {by_chance} would be off or differ.",
            grouped(count.judged() as u64),
            if count.judged() == 1 { "rate" } else { "rates" },
            count.words(),
        ));
    }
    sentences.extend(grid.chi_square.as_ref().map(|chi_square| {
        let cells = match chi_square.degrees == count.judged() as u64 {
            true => String::new(),
            false if grid.cells.iter().any(|cell| cell.in_flight > 0) => {
                format!(" ({} cells with at least ten games and none in flight)", chi_square.degrees)
            }
            false => format!(" ({} cells with at least ten games)", chi_square.degrees),
        };
        format!("{}{cells}.", chi_square_words(chi_square))
    }));
    if count.not_judged > 0 {
        sentences.push("Published rates were measured with another budget: shown, not judged.".to_owned());
    }
    sentences.extend(in_flight(&grid.cells));
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// Returns how many games of these cells are in flight and what that means, in sentences. Returns
/// `None` if all games are over.
pub fn in_flight(cells: &[CellResults]) -> Option<String> {
    let games: u64 = cells.iter().map(|cell| cell.in_flight).sum();
    let count = cells.iter().filter(|cell| cell.in_flight > 0).count();
    let begun = match (games, count) {
        (0, _) => return None,
        (1, _) => "1 game is in flight".to_owned(),
        (games, 1) => format!("{} games are in flight", grouped(games)),
        (games, count) => format!("{} games of {count} cells are in flight", grouped(games)),
    };
    let unjudged = match count {
        1 => "the cell is not judged until all its games are over",
        _ => "these cells are not judged until all their games are over",
    };
    Some(format!("{begun}. Short games end first, so {unjudged}."))
}

/// Returns one sentence for each engine whose scores disagree with the rules, with the first such
/// game. Returns `None` if all scores agree.
pub(crate) fn disagreements(grid: &GridResults) -> Option<String> {
    let all: Vec<String> = grid.cells.iter().flat_map(cell_disagreements).collect();
    (!all.is_empty()).then(|| all.join(" "))
}

pub(crate) fn cell_disagreements(cell: &CellResults) -> impl Iterator<Item = String> {
    cell.disagreements.iter().map(|it| {
        let Disagreement { engine, counted, games, first, score, count } = it;
        let noun = if *counted == 1 { "game" } else { "games" };
        format!(
            "{engine} scores {} of {} {noun} differently from the rules: {score} instead of {count} in {}-{first}.",
            grouped(*games),
            grouped(*counted),
            cell.id
        )
    })
}

/// Returns how each row agrees with the published one, and the whole table in a last row. Returns
/// `None` if that is no more than the table itself says: with one row, or one cell in each.
pub(crate) fn by_row(grid: &GridResults) -> Option<Table> {
    if grid.by_row.len() < 2 || grid.by_row.iter().all(|row| row.verdicts.judged() < 2) {
        return None;
    }
    let columns = ["", "#agrees", "#off", "#differs", "#open", "#χ²", "#degrees", "#p"];
    let mut table = Table::new("Verdicts by row, and χ² with its degrees of freedom", columns);
    let whole = ("all", grid.verdicts, grid.chi_square);
    let rows = grid.by_row.iter().map(|it| (it.row.as_str(), it.verdicts, it.chi_square));
    for (name, verdicts, chi_square) in rows.chain([whole]) {
        let counts = [verdicts.agrees, verdicts.off, verdicts.differs, verdicts.open];
        let counts = counts.map(|count| grouped(count as u64));
        let tested = chi_square.map_or_else(Default::default, |it| {
            [decimal(it.statistic, 1), grouped(it.degrees), p_value(it.p).replace("= ", "")]
        });
        table.row([name.to_owned()].into_iter().chain(counts).chain(tested));
    }
    Some(table)
}

/// Returns χ² in few letters, for small pictures: χ² = 12.3 on 5, p = 0.03.
pub(crate) fn chi_square_note(chi_square: &ChiSquare) -> String {
    let ChiSquare { statistic, degrees, p } = *chi_square;
    format!("χ² = {} on {degrees}, p {}", decimal(statistic, 1), p_value(p))
}

/// Returns χ² in words.
pub(crate) fn chi_square_words(chi_square: &ChiSquare) -> String {
    let ChiSquare { statistic, degrees, p } = *chi_square;
    let freedom = if degrees == 1 { "degree" } else { "degrees" };
    format!("χ² = {} on {degrees} {freedom} of freedom, p {}", decimal(statistic, 1), p_value(p))
}

/// Returns a probability with its sign: = 0.03, < 0.001.
fn p_value(p: f64) -> String {
    match p {
        0.0..0.001 => "< 0.001".to_owned(),
        0.001..0.01 => format!("= {p:.3}"),
        _ => format!("= {p:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chi_square_is_told_with_its_probability() {
        let words = |statistic, degrees, p| chi_square_words(&ChiSquare { statistic, degrees, p });
        assert_eq!(words(12.34, 24, 0.973), "χ² = 12.3 on 24 degrees of freedom, p = 0.97");
        assert_eq!(words(9.0, 1, 0.0027), "χ² = 9.0 on 1 degree of freedom, p = 0.003");
        assert_eq!(words(1234.5, 160, 1e-9), "χ² = 1,234.5 on 160 degrees of freedom, p < 0.001");
    }
}
