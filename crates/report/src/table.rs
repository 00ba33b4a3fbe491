//! A table for a terminal and for a page.
//!
//! Cells are text that is ready to read: who makes a table knows how its
//! numbers are best written ([`crate::numbers`] helps). The table only puts
//! them under each other.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, presets};

use crate::html;

/// Longer rows are wrapped.
pub(crate) const WIDTH: u16 = 112;

/// Rows of text under named columns.
///
/// ```
/// use tesuji_report::Table;
///
/// let mut table = Table::new("Samples by arm", ["arm", "#samples"]);
/// table.row(["left".to_owned(), "2,048".to_owned()]);
/// assert!(table.text().starts_with("Samples by arm\n"));
/// assert!(table.html().contains("<td class=\"number\">2,048</td>"));
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    /// What the table shows, in a line above it.
    pub title: String,
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

#[derive(Clone, Debug)]
enum Column {
    /// Words, on the left.
    Words(String),
    /// Numbers, on the right.
    Numbers(String),
}

impl Column {
    fn name(&self) -> &str {
        match self {
            Column::Words(name) | Column::Numbers(name) => name,
        }
    }
}

impl Table {
    /// A table without rows. A column's name that begins with `#` is of numbers.
    pub fn new(title: impl Into<String>, columns: impl IntoIterator<Item = impl AsRef<str>>) -> Table {
        let column = |name: &str| match name.strip_prefix('#') {
            Some(name) => Column::Numbers(name.to_owned()),
            None => Column::Words(name.to_owned()),
        };
        let columns = columns.into_iter().map(|name| column(name.as_ref())).collect();
        Table { title: title.into(), columns, rows: Vec::new() }
    }

    /// Adds a row, a cell for each column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<String> = cells.into_iter().collect();
        debug_assert_eq!(cells.len(), self.columns.len());
        self.rows.push(cells);
    }

    /// The table as a terminal shows it.
    pub fn text(&self) -> String {
        let mut table = comfy_table::Table::new();
        table.load_style(presets::UTF8_HORIZONTAL_ONLY);
        // The same width everywhere, so that output can be compared.
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
        table.set_header(self.columns.iter().map(Column::name));
        table.add_rows(&self.rows);
        for (index, column) in self.columns.iter().enumerate() {
            if let (Column::Numbers(_), Some(shown)) = (column, table.column_mut(index)) {
                shown.set_cell_alignment(CellAlignment::Right);
            }
        }
        // Lines between rows only tear a table of numbers apart.
        table.style_mut().row_separator = LineStyle::default();
        let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
        format!("{}\n{}\n", self.title, lines.join("\n"))
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table as Markdown, without its title.
    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let rule = |column: &Column| match column {
            Column::Words(_) => "---|",
            Column::Numbers(_) => "---:|",
        };
        let head = line(self.columns.iter().map(|column| markdown_cell(column.name())).collect());
        let rules: String = self.columns.iter().map(rule).collect();
        let row = |cells: &Vec<String>| line(cells.iter().map(|cell| markdown_cell(cell)).collect());
        format!("{head}|{rules}\n{}", self.rows.iter().map(row).collect::<String>())
    }

    /// The table as a page shows it, with its title as a heading.
    pub fn html(&self) -> String {
        format!("<h2>{}</h2>\n{}", html::escaped(&self.title), self.element())
    }

    /// The same without its title. Verdicts have the class that colours them.
    pub fn element(&self) -> String {
        let cell = |tag: &str, column: &Column, text: &str| {
            let class = match column {
                Column::Numbers(_) => " class=\"number\"".to_owned(),
                Column::Words(name) if name == "verdict" && tag == "td" => {
                    format!(" class=\"{}\"", html::verdict_class(text))
                }
                Column::Words(name) if name == "command" && tag == "td" => " class=\"command\"".to_owned(),
                Column::Words(_) => String::new(),
            };
            format!("<{tag}{class}>{}</{tag}>", html::escaped(text))
        };
        let head: String = self.columns.iter().map(|column| cell("th", column, column.name())).collect();
        let row = |cells: &Vec<String>| {
            let cells: String =
                self.columns.iter().zip(cells).map(|(column, text)| cell("td", column, text)).collect();
            format!("<tr>{cells}</tr>\n")
        };
        let body: String = self.rows.iter().map(row).collect();
        format!(
            "<div class=\"table\"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table></div>\n"
        )
    }
}

/// Text that Markdown takes as it is, in a cell: code where it could be misread.
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
