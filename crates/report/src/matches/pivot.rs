//! A table as papers print it: rows against columns, a rate in each cell. The published
//! rate stands right below the measured one, so that the two can be compared at a glance.

use std::fmt::Write as _;

use maud::{Markup, html};
use tesuji_arena::statistics::Verdict;

use super::{CellResults, GridResults, percent};
use crate::Screen;
use crate::html::{key, number_class};
use crate::numbers::grouped;

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

    /// Returns the meaning of the marks that occur.
    fn marks(&self) -> String {
        let all = [
            (Verdict::Off, "off, outside the 95 % interval"),
            (Verdict::Differs, "DIFFERS, outside the 99.9 % interval"),
            (Verdict::TooFew, "too few games to judge"),
        ];
        let used = all.iter().filter(|(verdict, _)| self.has_verdict(*verdict));
        used.map(|(verdict, meaning)| format!("; {} {meaning}", mark(*verdict))).collect()
    }

    /// Returns the table for a terminal, without a title: for each row the rates, half the widths
    /// of their intervals, and the published rates. Columns that do not fit follow below.
    pub(crate) fn text(&self, screen: &Screen) -> String {
        let kinds = if self.has_published() { "published" } else { "measured" };
        let name = self.rows.iter().map(|row| length(row.name)).max().unwrap_or(0).max(length(self.label));
        let before = 1 + name + GAP.len() + length(kinds);
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| length(&row.text(column, Line::Measured)));
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
            text += &self.part(&shown, [name, length(kinds)], total);
        }
        let _ = writeln!(text, "Won, %; {}{}.", self.games(), self.marks());
        text
    }

    /// Returns some of the columns, each with its width. `name` and `kind` are the widths of the
    /// first two columns, and `total` is that of the whole part.
    fn part(&self, columns: &[(usize, usize)], [name, kind]: [usize; 2], total: usize) -> String {
        let rule = |letter: &str| letter.repeat(total + 1) + "\n";
        let line = |row: &str, what: &str, cell: &dyn Fn(usize) -> String| {
            let mut line = format!(" {}{GAP}{}", left(row, name), left(what, kind));
            for (column, width) in columns {
                let _ = write!(line, "{GAP}{}", right(&cell(*column), *width));
            }
            line.trim_end().to_owned() + "\n"
        };
        let head = line("", self.label, &|column| format!("{} ", self.columns[column]));
        let mut text = rule("─") + &head + &rule("═");
        let published = self.has_published();
        for (number, row) in self.rows.iter().enumerate() {
            if number > 0 && published {
                text.push('\n');
            }
            text += &line(row.name, "measured", &|column| row.text(column, Line::Measured));
            text += &line("", "± 95 %", &|column| row.text(column, Line::HalfWidth));
            if published {
                text += &line("", "published", &|column| row.text(column, Line::Published));
            }
        }
        text + &rule("─")
    }

    /// Returns the table for a page: the published rate below the measured one, and the verdict as
    /// the cell's colour.
    pub(crate) fn html(&self) -> Markup {
        let published = if self.has_published() { " Below each the published rate." } else { "" };
        let games = self.games();
        let words = format!("Won, %, with half the width of the 95 % interval; {games}.{published}");
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

    /// Returns the table as Markdown: measured ± half the width, and the published rate in brackets.
    pub(crate) fn markdown(&self) -> String {
        let cell = |cell: &Option<&CellResults>| {
            let Some(cell) = cell else { return String::new() };
            let measured = cell.rate.map_or_else(String::new, |rate| {
                format!("{} ± {}", percent(rate), percent(cell.interval.half_width()))
            });
            let verdict = cell.verdict().map_or("", mark);
            let published = cell.published.map_or_else(String::new, |published| percent(published.rate));
            let published = if published.is_empty() { published } else { format!(" ({published})") };
            format!("{measured}{verdict}{published}").trim().replace('*', "\\*")
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
        let published = if self.has_published() { ", published in brackets" } else { "" };
        let marks = self.marks().replace('*', "\\*");
        text + &format!("\nWon, % ± half the 95 % interval{published}; {}{marks}.\n", self.games())
    }
}

/// A line of a terminal's row.
#[derive(Clone, Copy)]
enum Line {
    Measured,
    HalfWidth,
    Published,
}

impl Row<'_> {
    /// What a terminal shows in a column. A blank at the end keeps the digits below each
    /// other where some have marks.
    fn text(&self, column: usize, line: Line) -> String {
        let Some(cell) = self.cells[column] else { return String::new() };
        match line {
            Line::Measured => {
                let mark = match cell.verdict().map_or("", mark) {
                    "" => " ",
                    mark => mark,
                };
                cell.rate.map_or_else(|| "– ".to_owned(), |rate| percent(rate) + mark)
            }
            Line::HalfWidth => {
                cell.rate.map_or_else(String::new, |_| percent(cell.interval.half_width()) + " ")
            }
            Line::Published => {
                cell.published.map_or_else(String::new, |published| percent(published.rate) + " ")
            }
        }
    }
}

/// Returns the mark that a terminal prints instead of a colour.
fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Agrees | Verdict::OtherBudget | Verdict::OtherK => "",
        Verdict::Near | Verdict::Off => "*",
        Verdict::Differs => "!",
        Verdict::TooFew | Verdict::TooFewRuns => "?",
    }
}

/// Returns a cell of the page. Everything that is known of it appears under the pointer.
fn data(cell: &CellResults) -> Markup {
    let published = cell.published.map_or_else(String::new, |published| percent(published.rate));
    let Some(rate) = cell.rate else {
        return html! { td class="number" { "–" small { (published) } } };
    };
    let count = cell.count;
    let mut note = format!(
        "{}, {}: won {}, drawn {}, lost {}; {} to {} %",
        cell.row,
        cell.column,
        count.wins,
        count.draws,
        count.losses,
        percent(cell.interval.low),
        percent(cell.interval.high)
    );
    if let Some(published) = cell.published {
        let _ = write!(note, "; published {} % of {} games", percent(published.rate), published.games);
    }
    if let Some(comparison) = &cell.comparison {
        let [difference, low, high] =
            [comparison.difference, comparison.interval.low, comparison.interval.high].map(percent);
        let _ = write!(note, "; difference {difference} ({low} to {high})");
    }
    if let Some(verdict) = cell.verdict() {
        let _ = write!(note, "; {verdict}");
    }
    html! {
        td class=(number_class(cell.verdict())) title=(note) {
            b { (percent(rate)) }
            i { "± " (percent(cell.interval.half_width())) }
            small { (published) }
        }
    }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

fn left(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(length(text))))
}

fn right(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(length(text))))
}
