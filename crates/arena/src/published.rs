//! Published numbers, to compare with.

/// A published mean.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Published {
    /// The published number.
    pub value: f64,
    /// The number of runs of which it is the mean.
    pub runs: u64,
}

/// A published rate of wins.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct PublishedRate {
    /// The player's rate, from 0 to 1.
    pub rate: f64,
    /// The number of games behind the rate.
    pub games: u64,
    /// The player's rate in the games in which it had White, if that was published.
    pub as_white: Option<f64>,
    /// Whether it was measured with the same number of samples as here.
    pub is_comparable: bool,
}

/// A table with named columns, separated by commas; `#` begins a comment line.
pub(crate) struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn parse(text: &str) -> Table {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let cells = |line: &str| line.split(',').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
        let columns = lines.next().map(cells).unwrap_or_default();
        Table { columns, rows: lines.map(cells).collect() }
    }

    pub(crate) fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|name| name == column)
    }

    /// The number in `column` of the row whose `key` column is this number.
    pub(crate) fn number(&self, key: &str, x: f64, column: &str) -> Option<f64> {
        let index = |name: &str| self.columns.iter().position(|column| column == name);
        let (key, column) = (index(key)?, index(column)?);
        let number = |row: &[String], index: usize| row.get(index).and_then(|cell| cell.parse::<f64>().ok());
        let row = self.rows.iter().find(|row| number(row, key) == Some(x))?;
        number(row, column)
    }

    /// The number in `column` of the first row with these texts in these columns. Texts that
    /// are numbers are equal where the numbers are.
    pub(crate) fn find(&self, row: &[(&str, String)], column: &str) -> Option<f64> {
        let index = |name: &str| self.columns.iter().position(|column| column == name);
        let same = |a: &str, b: &str| match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(a), Ok(b)) => a == b,
            _ => a == b,
        };
        let cell = |cells: &[String], name: &str| index(name).and_then(|index| cells.get(index).cloned());
        let fits = |cells: &&Vec<String>| {
            row.iter().all(|(name, text)| cell(cells, name).is_some_and(|found| same(&found, text)))
        };
        cell(self.rows.iter().find(fits)?, column)?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_by_name() {
        let table = Table::parse("# a comment\nx,a,b\n32,.5,1e-3\n64,.25\n");
        assert_eq!(table.number("x", 32.0, "a"), Some(0.5));
        assert_eq!(table.number("x", 32.0, "b"), Some(1e-3));
        assert_eq!(table.number("x", 64.0, "b"), None);
        assert_eq!(table.number("x", 33.0, "a"), None);
        assert!(table.has("a") && !table.has("c"));
    }
}
