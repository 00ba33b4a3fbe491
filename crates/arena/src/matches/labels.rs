//! Texts for readers that name what was measured.
//!
//! Titles, rows, columns, panels and the introduction of an experiment file may contain names
//! in braces. They are filled in when a text is shown, from the version of the experiment that
//! is shown: its quick version has fewer games and may have another budget.
//!
//! | name | stands for |
//! |---|---|
//! | `{budget}` | the samples or the time of a move, such as 10,000 or 1.5s |
//! | `{games}` | the games of a cell (only in the introduction) |
//! | `{seeds}` | the seeds of each side in a matrix of games (only in the introduction) |

use tesuji_catalog::BudgetSpec;
use tesuji_core::grouped;
use tesuji_search::Budget;

use super::{Grid, GridEntry, MatchExperiment};

/// The name that stands for the budget.
pub(super) const BUDGET: &str = "{budget}";

impl MatchExperiment {
    /// An introduction for readers, with the budget and the number of games of this version.
    pub fn text(&self) -> String {
        self.text
            .replace(BUDGET, &self.budgets())
            .replace("{games}", &grouped(self.games))
            .replace("{seeds}", &grouped(self.games.isqrt()))
    }

    /// The budgets of all tables in words: 5,000, 7,000 or 10,000.
    fn budgets(&self) -> String {
        let mut all: Vec<String> = Vec::new();
        for entry in self.grids.iter().flat_map(|grid| &grid.entries) {
            all.extend(entry.budget.map(budget_words).filter(|budget| !all.contains(budget)));
        }
        match all.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => "any number of".to_owned(),
        }
    }
}

impl Grid {
    /// The title of the table.
    pub fn title(&self) -> String {
        filled(&self.title, self.budget())
    }

    /// The budget of all entries. `None` if there is none, or if entries differ.
    pub fn budget(&self) -> Option<BudgetSpec> {
        let budget = self.entries.first()?.budget;
        budget.filter(|_| self.entries.iter().all(|entry| entry.budget == budget))
    }
}

impl GridEntry {
    /// The name of the row.
    pub fn row(&self) -> String {
        filled(&self.row, self.budget)
    }

    /// The name of the column.
    pub fn column(&self) -> String {
        filled(&self.column, self.budget)
    }

    /// The panel of the figure.
    pub fn panel(&self) -> String {
        filled(&self.panel, self.budget)
    }
}

fn filled(template: &str, budget: Option<BudgetSpec>) -> String {
    template.replace(BUDGET, &budget.map_or_else(|| "several".to_owned(), budget_words))
}

/// A budget as people read it: 10,000 or 1.5s or 20000x10,5000.
fn budget_words(budget: BudgetSpec) -> String {
    match budget.of_move(0) {
        Budget::Samples(samples) if !budget.has_steps() => grouped(samples),
        _ => budget.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::MatchExperiment;
    use crate::definition::Definition;

    const FILE: &str = "title='T'\ntext='{budget} samples, {games} games, {seeds} seeds, {x}'\nseed=1\ngames=160_000\n\
        quick={games=2500,budget=50,only=['@5000']}\n[[grid]]\ntitle='At {budget}'\ngame='hex:5'\nplayer='uct(c={c})'\n\
        opponent='uct'\nbudget='{samples}'\nrow='{c}, {budget} samples'\ncolumn='Black'\npanel='{budget} a move'\n\
        each=[{name='samples',values=[5000,7000]},{name='c',values=[0.1,0.2]}]\n";

    #[test]
    fn labels_name_the_budget_that_was_used() {
        let definition = Definition::built_in("e", FILE, &[]).unwrap();
        let whole = MatchExperiment::parse(definition).unwrap();
        let entry = &whole.grids[0].entries[2];
        assert_eq!(
            (entry.row(), entry.panel()),
            ("0.1, 7,000 samples".to_owned(), "7,000 a move".to_owned())
        );
        assert_eq!(whole.grids[0].title(), "At several");
        let quick = whole.clone().quickened();
        let entry = &quick.grids[0].entries[1];
        assert_eq!((entry.row(), entry.panel()), ("0.2, 50 samples".to_owned(), "50 a move".to_owned()));
        assert_eq!(quick.grids[0].title(), "At 50");
        assert_eq!(quick.text(), "50 samples, 2,500 games, 50 seeds, {x}");
        assert_eq!(whole.text(), "5,000 or 7,000 samples, 160,000 games, 400 seeds, {x}");
    }
}
