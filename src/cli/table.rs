//! A table for a terminal and for a page.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, presets};

/// Longer rows are wrapped.
const WIDTH: u16 = 112;

/// Rows of text under named columns.
pub(super) struct Table {
    /// What the table shows, in a line above it.
    pub(super) title: String,
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

#[derive(Clone, Copy)]
enum Column {
    /// Words, on the left.
    Words(&'static str),
    /// Numbers, on the right.
    Numbers(&'static str),
}

impl Column {
    fn name(self) -> &'static str {
        match self {
            Column::Words(name) | Column::Numbers(name) => name,
        }
    }
}

impl Table {
    /// A table without rows. A column's name that begins with `#` is of numbers.
    pub(super) fn new(title: impl Into<String>, columns: &[&'static str]) -> Table {
        let column = |name: &&'static str| match name.strip_prefix('#') {
            Some(name) => Column::Numbers(name),
            None => Column::Words(name),
        };
        Table { title: title.into(), columns: columns.iter().map(column).collect(), rows: Vec::new() }
    }

    /// Adds a row, a cell for each column.
    pub(super) fn row<const N: usize>(&mut self, cells: [String; N]) {
        debug_assert_eq!(N, self.columns.len());
        self.rows.push(cells.into());
    }

    /// The table as a terminal shows it.
    pub(super) fn text(&self) -> String {
        let mut table = comfy_table::Table::new();
        table.load_style(presets::UTF8_HORIZONTAL_ONLY);
        // The same width everywhere, so that output can be compared.
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
        table.set_header(self.columns.iter().map(|column| column.name()));
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

    /// The table as a page shows it.
    pub(super) fn html(&self) -> String {
        let cell = |tag: &str, column: &Column, text: &str| {
            let class = if matches!(column, Column::Numbers(_)) { " class=\"number\"" } else { "" };
            format!("<{tag}{class}>{}</{tag}>", super::html::escaped(text))
        };
        let head: String = self.columns.iter().map(|column| cell("th", column, column.name())).collect();
        let row = |cells: &Vec<String>| {
            let cells: String =
                self.columns.iter().zip(cells).map(|(column, text)| cell("td", column, text)).collect();
            format!("<tr>{cells}</tr>\n")
        };
        let body: String = self.rows.iter().map(row).collect();
        format!(
            "<h2>{}</h2>\n<div class=\"table\"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table></div>\n",
            super::html::escaped(&self.title)
        )
    }
}
