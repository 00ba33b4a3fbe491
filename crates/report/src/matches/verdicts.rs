//! How a whole table agrees with the published one, and how engines' scores agree with the
//! rules, in sentences.

use tesuji_arena::Disagreement;
use tesuji_arena::statistics::{ChiSquare, Verdict};

use super::{CellResults, GridResults};
use crate::numbers::{decimal, grouped};

/// Returns how many of the published rates agree, how many would by chance, and χ² of the whole
/// table, in sentences. Returns `None` if nothing can be compared.
pub(crate) fn verdicts(grid: &GridResults) -> Option<String> {
    let number = |verdict: Verdict| grid.cells.iter().filter(|cell| cell.verdict() == Some(verdict)).count();
    let [agree, off, differ, few, others] =
        [Verdict::Agrees, Verdict::Off, Verdict::Differs, Verdict::TooFew, Verdict::OtherBudget].map(number);
    let judged = agree + off + differ;
    let mut sentences = Vec::new();
    if judged > 0 {
        let by_chance = judged as f64 / 20.0;
        let by_chance = decimal(by_chance, usize::from(by_chance < 10.0 && by_chance.fract() != 0.0));
        sentences.push(format!(
            "Of {judged} published rates {agree} agree, {off} {} off and {differ} {}; \
             by chance alone {by_chance} would be outside their 95 % intervals.",
            if off == 1 { "is" } else { "are" },
            if differ == 1 { "differs" } else { "differ" },
        ));
    }
    sentences.extend(grid.chi_square.as_ref().map(|chi_square| chi_square_words(chi_square) + "."));
    if few > 0 {
        let cells = if few == 1 { "cell has" } else { "cells have" };
        sentences.push(format!("{few} {cells} fewer than ten games, too few to judge."));
    }
    if others > 0 {
        sentences.push("Published rates are of another budget: shown, not judged.".to_owned());
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
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
            "{engine} counts {} of {} {noun} otherwise than the rules: {score} where they give {count} in {}-{first}.",
            grouped(*games),
            grouped(*counted),
            cell.id
        )
    })
}

fn chi_square_words(chi_square: &ChiSquare) -> String {
    let ChiSquare { statistic, degrees, p } = chi_square;
    let freedom = if *degrees == 1 { "degree" } else { "degrees" };
    let p = match p {
        0.0..0.001 => "p < 0.001".to_owned(),
        0.001..0.01 => format!("p = {p:.3}"),
        _ => format!("p = {p:.2}"),
    };
    format!("χ² = {} on {degrees} {freedom} of freedom, {p}", decimal(*statistic, 1))
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
