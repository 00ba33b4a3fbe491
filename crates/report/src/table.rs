//! Tables for terminals, pages and Markdown.
//!
//! Cells are texts that are ready to read. Whoever makes a table knows how its numbers are
//! best written ([`crate::numbers`] helps); the table aligns them.

mod layout;

use maud::{Markup, html};
use tesuji_arena::statistics::Verdict;

use crate::html::verdict_class;
use crate::screen::{Ink, Screen};
use layout::{Gap, Layout};

/// Rows of text under named columns.
///
/// ```
/// use tesuji_report::{Screen, Table};
///
/// let mut table = Table::new("Samples by arm", ["arm", "#samples"]);
/// table.row(["left".to_owned(), "2,048".to_owned()]);
/// let text = table.text(&Screen::default());
/// assert!(text.starts_with("Samples by arm\n"));
/// assert!(text.contains(" left     2,048\n"));
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    /// The line above the table.
    pub(crate) title: String,
    columns: Vec<Column>,
    rows: Vec<Vec<TableCell>>,
}

/// What ± means in a table.
const ERRORS: &str = "±: one standard error\n";

#[derive(Clone, Debug)]
enum Column {
    /// Words, aligned left.
    Words(String),
    /// Numbers, aligned right.
    Numbers(String),
}

impl Column {
    fn name(&self) -> &str {
        match self {
            Column::Words(name) | Column::Numbers(name) => name,
        }
    }

    /// The class of all its cells on a page.
    fn class(&self) -> Option<&'static str> {
        matches!(self, Column::Numbers(_)).then_some("number")
    }
}

/// One cell of a [`Table`]: a text, a verdict or a command.
#[derive(Clone, Debug)]
pub(crate) struct TableCell {
    text: String,
    /// The class on a page, if it is not the column's.
    class: Option<&'static str>,
    /// The colour on a terminal.
    ink: Option<Ink>,
}

impl TableCell {
    /// Returns a cell with a command to copy, which a page shows in the font of a terminal.
    pub(crate) fn command(text: String) -> TableCell {
        TableCell { text, class: Some("command"), ink: None }
    }
}

impl From<String> for TableCell {
    fn from(text: String) -> TableCell {
        TableCell { text, class: None, ink: None }
    }
}

/// A cell with the sign and the word of a verdict, coloured by it. It is empty if there is none.
impl From<Option<Verdict>> for TableCell {
    fn from(verdict: Option<Verdict>) -> TableCell {
        let text = verdict.map_or_else(String::new, |verdict| format!("{} {verdict}", verdict.sign()));
        TableCell { text, class: verdict.map(verdict_class), ink: verdict.map(verdict_ink) }
    }
}

impl Table {
    /// Returns a table without rows. Columns whose names begin with `#` hold numbers.
    pub fn new(title: impl Into<String>, columns: impl IntoIterator<Item = impl AsRef<str>>) -> Table {
        let column = |name: &str| match name.strip_prefix('#') {
            Some(name) => Column::Numbers(name.to_owned()),
            None => Column::Words(name.to_owned()),
        };
        let columns = columns.into_iter().map(|name| column(name.as_ref())).collect();
        Table { title: title.into(), columns, rows: Vec::new() }
    }

    /// Adds a row, which must have a text for each column.
    pub fn row(&mut self, texts: impl IntoIterator<Item = String>) {
        self.cells(texts.into_iter().map(TableCell::from));
    }

    /// Adds a row, which must have a cell for each column.
    pub(crate) fn cells(&mut self, cells: impl IntoIterator<Item = TableCell>) {
        let cells: Vec<TableCell> = cells.into_iter().collect();
        debug_assert_eq!(cells.len(), self.columns.len());
        self.rows.push(cells);
    }

    /// Adds a row that terminals emphasise, which must have a text for each column.
    pub(crate) fn chosen_row(&mut self, texts: impl IntoIterator<Item = String>) {
        let chosen = |text: String| TableCell { ink: Some(Ink::Chosen), ..TableCell::from(text) };
        self.cells(texts.into_iter().map(chosen));
    }

    /// Returns the table for a terminal, with its title. It is as wide as the screen at most:
    /// words are wrapped, numbers seldom; columns that have no room at all follow below the
    /// others. A line below the table explains ± if the title does not.
    pub fn text(&self, screen: &Screen) -> String {
        let table = self.without_empty_columns();
        let has_errors = table.rows.iter().flatten().any(|cell| cell.text.contains(" ± "));
        let note = if has_errors && !table.title.contains("standard error") { ERRORS } else { "" };
        Layout::of(&table, screen).text() + note
    }

    /// Returns whether a screen has room for the table without wrapped cells.
    pub(crate) fn fits(&self, screen: &Screen) -> bool {
        Layout::least_width(&self.without_empty_columns(), Gap::Narrow) <= screen.width
    }

    /// Returns whether a screen has room for the table without wrapped cells if there is one blank
    /// between two columns.
    pub(crate) fn fits_tightly(&self, screen: &Screen) -> bool {
        Layout::least_width(&self.without_empty_columns(), Gap::Narrowest) <= screen.width
    }

    /// Returns the table without the columns that are empty in all rows.
    fn without_empty_columns(&self) -> Table {
        let is_shown = |column: &usize| {
            self.rows.is_empty() || self.rows.iter().any(|row| !row[*column].text.is_empty())
        };
        let shown: Vec<usize> = (0..self.columns.len()).filter(is_shown).collect();
        let row = |row: &Vec<TableCell>| shown.iter().map(|&column| row[column].clone()).collect();
        Table {
            title: self.title.clone(),
            columns: shown.iter().map(|&column| self.columns[column].clone()).collect(),
            rows: self.rows.iter().map(row).collect(),
        }
    }

    /// Returns whether the table has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the table as Markdown, without its title.
    pub(crate) fn markdown(&self) -> String {
        let Table { columns, rows, .. } = self.without_empty_columns();
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let rule = |column: &Column| match column {
            Column::Words(_) => "---|",
            Column::Numbers(_) => "---:|",
        };
        let head = line(columns.iter().map(|column| markdown_cell(column.name())).collect());
        let rules: String = columns.iter().map(rule).collect();
        let row = |cells: &Vec<TableCell>| line(cells.iter().map(|cell| markdown_cell(&cell.text)).collect());
        format!("{head}|{rules}\n{}", rows.iter().map(row).collect::<String>())
    }

    /// Returns the table for a page, under its title.
    pub(crate) fn titled_html(&self) -> Markup {
        html! { h2 { (self.title) } (self.html()) }
    }

    /// Returns the table for a page, without its title.
    pub fn html(&self) -> Markup {
        let Table { columns, rows, .. } = self.without_empty_columns();
        html! {
            div class="table" {
                table {
                    thead {
                        tr { @for column in &columns { th class=[column.class()] { (column.name()) } } }
                    }
                    tbody {
                        @for row in &rows {
                            tr {
                                @for (column, cell) in columns.iter().zip(row) {
                                    td class=[cell.class.or(column.class())] { (cell.text) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the colour that a terminal adds to the word of a verdict.
pub(crate) fn verdict_ink(verdict: Verdict) -> Ink {
    match verdict_class(verdict) {
        "agrees" => Ink::Good,
        "differs" => Ink::Bad,
        "off" => Ink::Doubtful,
        _ => Ink::Faint,
    }
}

/// Returns the text as Markdown shows it in a cell: as code if it could be misread.
pub(crate) fn markdown_cell(text: &str) -> String {
    let is_plain =
        |letter: char| !matches!(letter, '|' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '\\' | '\n');
    if text.chars().all(is_plain) {
        return text.to_owned();
    }
    let one_line = text.replace('\n', " ").replace('|', "\\|");
    // A fence of code must be longer than any inside.
    let fence = "`".repeat(1 + one_line.chars().filter(|letter| *letter == '`').count());
    let room = if fence.len() > 1 { " " } else { "" };
    format!("{fence}{room}{one_line}{room}{fence}")
}
