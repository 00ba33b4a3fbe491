//! A table as papers print it: rows against columns, a rate in each cell. The published
//! rate stands right below the measured one, so that the two can be compared at a glance.

use std::fmt::Write as _;

use maud::{Markup, html};
use tesuji_arena::statistics::{Count, Verdict};

use super::{CellResults, GridResults, percent, percent_range, percent_with_interval};
use crate::Screen;
use crate::html::{key, number_class};
use crate::numbers::{about, grouped};
use crate::screen::columns as length;
use crate::table::verdict_ink;

/// A table with several rows and several columns, without those that have no games.
pub(crate) struct Pivot<'a> {
    /// What the columns are.
    label: &'a str,
    columns: Vec<&'a str>,
    rows: Vec<Row<'a>>,
}

struct Row<'a> {
    name: &'a str,
    /// As many as columns. A cell without games has its published rate at most.
    cells: Vec<Option<&'a CellResults>>,
}

/// Between two columns of a terminal.
const GAP: &str = "  ";

impl<'a> Pivot<'a> {
    /// Returns `None` if the table has only one row or one column, or several cells in one place.
    pub(crate) fn of(grid: &'a GridResults) -> Option<Pivot<'a>> {
        let has_games = |is_it: &dyn Fn(&CellResults) -> bool| {
            grid.cells.iter().any(|cell| cell.has_games() && is_it(cell))
        };
        let mut columns = grid.columns();
        columns.retain(|column| has_games(&|cell| cell.column == *column));
        let mut names = grid.rows();
        names.retain(|name| has_games(&|cell| cell.row == *name));
        let mut rows = Vec::new();
        for name in names {
            let mut cells = Vec::new();
            for column in &columns {
                let mut here = grid.cells.iter().filter(|cell| cell.row == name && cell.column == *column);
                cells.push(here.next());
                if here.next().is_some() {
                    return None;
                }
            }
            rows.push(Row { name, cells });
        }
        (rows.len() > 1 && columns.len() > 1).then_some(Pivot { label: &grid.label, columns, rows })
    }

    fn cells(&self) -> impl Iterator<Item = &CellResults> {
        self.rows.iter().flat_map(|row| row.cells.iter().flatten().copied())
    }

    fn has_published(&self) -> bool {
        self.cells().any(|cell| cell.published.is_some())
    }

    fn has_verdict(&self, verdict: Verdict) -> bool {
        self.cells().any(|cell| cell.verdict() == Some(verdict))
    }

    /// Returns how many games the cells have.
    fn games(&self) -> String {
        let games = || self.cells().map(|cell| cell.count.games());
        match (games().min().unwrap_or(0), games().max().unwrap_or(0)) {
            (least, most) if least == most => format!("{} games a cell", grouped(most)),
            (least, most) => format!("{} to {} games a cell", grouped(least), grouped(most)),
        }
    }

    /// Returns the signs of the verdicts that occur, each with its word.
    fn signs(&self) -> String {
        let used = Verdict::ALL.into_iter().filter(|verdict| self.has_verdict(*verdict));
        used.map(|verdict| format!("; {} {verdict}", verdict.sign())).collect()
    }

    /// Returns the table for a terminal, without a title: for each row the rates, the ends of their
    /// intervals, and the published rates. Columns that do not fit follow below.
    pub(crate) fn text(&self, screen: &Screen) -> String {
        let kinds = if self.has_published() { "published" } else { "measured" };
        let name = self.rows.iter().map(|row| length(row.name)).max().unwrap_or(0).max(length(self.label));
        let before = 1 + name + GAP.len() + length(kinds);
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| length(&row.text(column, Line::Measured, screen)));
            cells.max().unwrap_or(0).max(length(self.columns[column]) + 1).max(5)
        };
        let mut text = String::new();
        let mut first = 0;
        while first < self.columns.len() {
            let mut total = before;
            let mut shown = Vec::new();
            for column in first..self.columns.len() {
                let more = GAP.len() + width(column);
                if total + more > screen.width && !shown.is_empty() {
                    break;
                }
                total += more;
                shown.push((column, width(column)));
            }
            first += shown.len();
            text += &self.part(&shown, [name, length(kinds)], total, screen);
        }
        text + &screen.wrapped(&format!(
            "Won, %, with the 95 % interval; {}{}.\n",
            self.games(),
            self.signs()
        ))
    }

    /// Returns some of the columns, each with its width. `name` and `kind` are the widths of the
    /// first two columns, and `total` is that of the whole part.
    fn part(
        &self,
        columns: &[(usize, usize)],
        [name, kind]: [usize; 2],
        total: usize,
        screen: &Screen,
    ) -> String {
        let rule = |letter: &str| letter.repeat(total + 1) + "\n";
        let line = |row: &str, what: &str, cell: &dyn Fn(usize) -> String| {
            let mut line = format!(" {}{GAP}{}", left(row, name), left(what, kind));
            for (column, width) in columns {
                let _ = write!(line, "{GAP}{}", right(&cell(*column), *width));
            }
            line.trim_end().to_owned() + "\n"
        };
        // A label that is too long for its column stands in the first one.
        let (first, second) = if length(self.label) > kind { (self.label, "") } else { ("", self.label) };
        let head = line(first, second, &|column| format!("{} ", self.columns[column]));
        let mut text = rule("─") + &head + &rule("═");
        let published = self.has_published();
        for (number, row) in self.rows.iter().enumerate() {
            if number > 0 && published {
                text.push('\n');
            }
            text += &line(row.name, "measured", &|column| row.text(column, Line::Measured, screen));
            text += &line("", "from", &|column| row.text(column, Line::Low, screen));
            text += &line("", "to", &|column| row.text(column, Line::High, screen));
            if published {
                text += &line("", "published", &|column| row.text(column, Line::Published, screen));
            }
        }
        text + &rule("─")
    }

    /// Returns the table for a page: the published rate below the measured one, and the verdict as
    /// a sign and as the cell's colour.
    pub(crate) fn html(&self) -> Markup {
        let published = if self.has_published() { " Below it the published rate." } else { "" };
        let games = self.games();
        let words = format!("Won, %, with the 95 % interval; {games}.{published}");
        html! {
            div class="table" {
                table class="pivot" {
                    thead {
                        tr {
                            th { (self.label) }
                            @for column in &self.columns { th class="number" { (column) } }
                        }
                    }
                    tbody {
                        @for row in &self.rows {
                            tr {
                                th { (row.name) }
                                @for cell in &row.cells {
                                    @if let Some(cell) = cell { (data(cell)) } @else { td {} }
                                }
                            }
                        }
                    }
                }
            }
            (key(&words, |verdict| self.has_verdict(verdict)))
        }
    }

    /// Returns the table as Markdown: the measured rate with its interval, and the published rate.
    pub(crate) fn markdown(&self) -> String {
        let cell = |cell: &Option<&CellResults>| {
            let Some(cell) = cell else { return String::new() };
            let sign = cell.verdict().map_or_else(String::new, |verdict| format!(" {}", verdict.sign()));
            let parts = [
                cell.rate.map(|rate| percent_with_interval(rate, cell.interval)),
                cell.published.map(|published| format!("published {}{sign}", percent(published.rate))),
            ];
            parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
        };
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let plain = |text: &str| crate::table::markdown_cell(text);
        let mut heads = vec![plain(self.label)];
        heads.extend(self.columns.iter().map(|column| plain(column)));
        let mut text = line(heads) + "|---|" + &"---:|".repeat(self.columns.len()) + "\n";
        for row in &self.rows {
            let mut cells = vec![plain(row.name)];
            cells.extend(row.cells.iter().map(cell));
            text += &line(cells);
        }
        text + &format!("\nWon, %, with the 95 % interval; {}{}.\n", self.games(), self.signs())
    }
}

/// A line of a terminal's row.
#[derive(Clone, Copy)]
enum Line {
    Measured,
    Low,
    High,
    Published,
}

impl Row<'_> {
    /// What a terminal shows in a column. A blank at the end keeps the digits below each
    /// other where some have marks.
    fn text(&self, column: usize, line: Line, screen: &Screen) -> String {
        let Some(cell) = self.cells[column] else { return String::new() };
        match line {
            Line::Measured => {
                let painted = |verdict: Verdict| screen.paint(verdict_ink(verdict), verdict.sign());
                let sign = cell.verdict().map_or(" ".into(), painted);
                cell.rate.map_or_else(|| "– ".to_owned(), |rate| percent(rate) + &sign)
            }
            Line::Low => cell.rate.map_or_else(String::new, |_| percent(cell.interval.low) + " "),
            Line::High => cell.rate.map_or_else(String::new, |_| percent(cell.interval.high) + " "),
            Line::Published => {
                cell.published.map_or_else(String::new, |published| percent(published.rate) + " ")
            }
        }
    }
}

/// Returns a cell of the page. Everything that is known of it appears under the pointer.
fn data(cell: &CellResults) -> Markup {
    let published = cell.published.map_or_else(String::new, |published| percent(published.rate));
    let Some(rate) = cell.rate else {
        return html! { td class="number" { "–" small { (published) } } };
    };
    let Count { wins, draws, losses } = cell.count;
    let mut note = format!(
        "{}, {}: won {wins}, drawn {draws}, lost {losses}; {} %",
        cell.row,
        cell.column,
        percent_with_interval(rate, cell.interval)
    );
    if let Some(published) = cell.published {
        let _ = write!(note, "; published {} % of {} games", percent(published.rate), published.games);
    }
    if let Some(comparison) = &cell.comparison {
        let _ = write!(
            note,
            "; difference {}",
            percent_with_interval(comparison.difference, comparison.interval)
        );
    }
    if let Some(verdict) = cell.verdict() {
        let _ = write!(note, "; {verdict}");
    }
    if let Some(games) = cell.comparison.as_ref().and_then(|comparison| comparison.to_decide) {
        let _ = write!(note, " until about {} games", about(games));
    }
    if cell.in_flight > 0 {
        let _ = write!(note, "; {} in flight", cell.in_flight);
    }
    html! {
        td class=(number_class(cell.verdict())) title=(note) {
            b { (percent(rate)) }
            i { "(" (percent_range(cell.interval)) ")" }
            small {
                (published)
                @if let Some(verdict) = cell.verdict() { " " (verdict.sign()) }
            }
        }
    }
}

fn left(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(length(text))))
}

fn right(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(length(text))))
}
