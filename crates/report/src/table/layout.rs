//! Where the cells of a table stand on a screen.

use std::collections::BTreeSet;

use super::{Column, Table, TableCell};
use crate::screen::{Ink, Screen, columns, pieces, words, wrap};

/// A table with the widths of its columns.
pub(super) struct Layout<'a> {
    table: &'a Table,
    screen: &'a Screen,
    /// The blanks between two columns.
    gap: usize,
    /// As many as columns.
    widths: Vec<usize>,
}

/// How narrow a column may become.
#[derive(Clone, Copy)]
enum Breaking {
    /// Words stay whole.
    AtBlanks,
    /// Long specs are cut where their parts join.
    InsideWords,
}

/// The blanks between two columns if nothing needs to be wrapped.
const GAP: usize = 3;

/// The blanks between two columns if the screen is too narrow for the table.
const NARROW_GAP: usize = 2;

impl<'a> Layout<'a> {
    /// Columns have their natural widths if the screen has room for them. Otherwise the widest
    /// columns of words are narrowed first.
    pub(super) fn of(table: &'a Table, screen: &'a Screen) -> Layout<'a> {
        let natural: Vec<usize> =
            (0..table.columns.len()).map(|column| natural_width(table, column)).collect();
        let room = |gap: usize| screen.width.saturating_sub(1 + gap * natural.len().saturating_sub(1));
        let fits = |gap: usize, widths: &[usize]| widths.iter().sum::<usize>() <= room(gap);
        if let Some(gap) = [GAP, NARROW_GAP].into_iter().find(|&gap| fits(gap, &natural)) {
            return Layout { table, screen, gap, widths: natural };
        }
        let least = |breaking| -> Vec<usize> {
            (0..natural.len()).map(|column| least_width(table, column, breaking)).collect()
        };
        for breaking in [Breaking::AtBlanks, Breaking::InsideWords] {
            let least = least(breaking);
            if fits(NARROW_GAP, &least) {
                let widths = narrowed(&natural, &least, room(NARROW_GAP));
                return Layout { table, screen, gap: NARROW_GAP, widths };
            }
        }
        // Some columns follow below the others, so no word needs to be cut.
        let widths = least(Breaking::AtBlanks).into_iter().map(|width| width.min(screen.width / 2)).collect();
        Layout { table, screen, gap: NARROW_GAP, widths }
    }

    /// Returns the lines of the table without its title.
    pub(super) fn text(&self) -> String {
        self.parts().iter().map(|part| self.part(part)).collect::<Vec<_>>().join("\n")
    }

    /// Returns the columns of each part: one part with all of them if they have room, otherwise
    /// several, each with the columns that say what a row is about.
    fn parts(&self) -> Vec<Vec<usize>> {
        let names = self.names();
        let mut parts = vec![names.clone()];
        for column in names.len()..self.widths.len() {
            let part = parts.last_mut().expect("there is a part");
            let is_full = self.total(part) + self.gap + self.widths[column] > self.screen.width;
            if is_full && part.len() > names.len() {
                parts.push(names.iter().copied().chain([column]).collect());
            } else {
                part.push(column);
            }
        }
        parts
    }

    /// Returns the columns that say what a row is about: as many at the beginning as tell the
    /// rows apart, if there is room for them next to others, else the first.
    fn names(&self) -> Vec<usize> {
        let rows = &self.table.rows;
        let are_distinct = |n: &usize| {
            let names: BTreeSet<Vec<&str>> =
                rows.iter().map(|row| row[..*n].iter().map(|cell| cell.text.as_str()).collect()).collect();
            names.len() == rows.len()
        };
        let n = (1..self.widths.len()).find(are_distinct).unwrap_or(1);
        let names: Vec<usize> = (0..n).collect();
        if self.total(&names) > self.screen.width * 2 / 3 { vec![0] } else { names }
    }

    /// Returns the width of some columns with the gaps between them and before the first.
    fn total(&self, part: &[usize]) -> usize {
        let widths: usize = part.iter().map(|&column| self.widths[column]).sum();
        1 + widths + self.gap * part.len().saturating_sub(1)
    }

    fn part(&self, part: &[usize]) -> String {
        let rule = |letter: &str| letter.repeat((self.total(part) + 1).min(self.screen.width)) + "\n";
        let heads = part.iter().map(|&column| {
            let mut lines = wrap(self.table.columns[column].name(), self.widths[column]);
            lines.reverse();
            lines
        });
        let heads: Vec<Vec<String>> = heads.collect();
        let mut text = rule("─");
        // Heads of several lines stand right above their columns.
        for line in (0..heads.iter().map(Vec::len).max().unwrap_or(0)).rev() {
            let cell = |at: usize| (heads[at].get(line).map_or("", String::as_str), Some(Ink::Heading));
            text += &self.line(part, cell);
        }
        text += &rule("═");
        for row in &self.table.rows {
            let cells: Vec<Vec<String>> =
                part.iter().map(|&column| wrap(&row[column].text, self.widths[column])).collect();
            for line in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
                let ink = |at: usize| row[part[at]].ink;
                text += &self.line(part, |at| (cells[at].get(line).map_or("", String::as_str), ink(at)));
            }
        }
        text + &rule("─")
    }

    /// Returns one line with a text for each column of the part.
    fn line<'t>(&self, part: &[usize], cell: impl Fn(usize) -> (&'t str, Option<Ink>)) -> String {
        let mut line = String::new();
        // Blanks are written before the next word, so that none are left at the end.
        let mut blanks = 1;
        for (at, &column) in part.iter().enumerate() {
            let (text, ink) = cell(at);
            let padding = self.widths[column].saturating_sub(columns(text));
            let (before, after) = match self.table.columns[column] {
                Column::Words(_) => (0, padding),
                Column::Numbers(_) => (padding, 0),
            };
            if !text.is_empty() {
                line += &" ".repeat(blanks + before);
                line += &ink.map_or_else(|| text.into(), |ink| self.screen.paint(ink, text));
                blanks = after + self.gap;
            } else {
                blanks += before + after + self.gap;
            }
        }
        line + "\n"
    }
}

fn cells(table: &Table, column: usize) -> impl Iterator<Item = &TableCell> {
    table.rows.iter().map(move |row| &row[column])
}

/// Returns the width at which nothing of a column is wrapped.
fn natural_width(table: &Table, column: usize) -> usize {
    let cells = cells(table, column).flat_map(|cell| cell.text.lines());
    cells.chain([table.columns[column].name()]).map(columns).max().unwrap_or(0)
}

/// Returns the width below which a word or a number would not fit.
fn least_width(table: &Table, column: usize, breaking: Breaking) -> usize {
    let longest = |text: &str| {
        let words = words(text);
        let of_word = |word: &String| match breaking {
            Breaking::AtBlanks => columns(word),
            Breaking::InsideWords => pieces(word).into_iter().map(columns).max().unwrap_or(0),
        };
        words.iter().map(of_word).max().unwrap_or(0)
    };
    let head = longest(table.columns[column].name());
    let widest = match &table.columns[column] {
        Column::Words(_) => cells(table, column).map(|cell| longest(&cell.text)).max(),
        Column::Numbers(_) => cells(table, column).map(|cell| columns(&cell.text)).max(),
    };
    head.max(widest.unwrap_or(0))
}

/// Returns widths with this sum at most, between the least and the natural ones: the widest
/// columns give way first.
fn narrowed(natural: &[usize], least: &[usize], room: usize) -> Vec<usize> {
    let widths = |level: usize| -> Vec<usize> {
        natural.iter().zip(least).map(|(&natural, &least)| natural.min(level).max(least)).collect()
    };
    let fits = |level: &usize| widths(*level).iter().sum::<usize>() <= room;
    let level = (1..=room).rev().find(fits).unwrap_or(0);
    // What is left goes to the columns that lack some, from the last on: those explain.
    let mut widths = widths(level);
    let mut left = room.saturating_sub(widths.iter().sum());
    for (width, &natural) in widths.iter_mut().zip(natural).rev() {
        let more = natural.saturating_sub(*width).min(left);
        *width += more;
        left -= more;
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new("Players", ["player", "#games", "what it does"]);
        table.row(["shuss(t=94)+uct(c=0.3)", "10,000", "ranks by mean and score"].map(str::to_owned));
        table.row(["sh", "5", ""].map(str::to_owned));
        table
    }

    fn lines(table: &Table, width: usize) -> Vec<String> {
        let screen = Screen { width, ..Screen::default() };
        table.text(&screen).lines().map(str::to_owned).collect()
    }

    #[test]
    fn tables_with_room_are_as_wide_as_they_are() {
        assert_eq!(
            lines(&table(), 100),
            [
                "Players",
                "───────────────────────────────────────────────────────────",
                " player                    games   what it does",
                "═══════════════════════════════════════════════════════════",
                " shuss(t=94)+uct(c=0.3)   10,000   ranks by mean and score",
                " sh                            5",
                "───────────────────────────────────────────────────────────",
            ]
        );
    }

    #[test]
    fn words_are_wrapped_and_numbers_are_not() {
        assert_eq!(
            lines(&table(), 36)[2..6],
            [
                " player         games  what it does",
                "════════════════════════════════════",
                " shuss(t=94)+  10,000  ranks by mean",
                " uct(c=0.3)            and score",
            ]
        );
    }

    #[test]
    fn columns_without_room_follow_below() {
        let mut table = Table::new("Rounds", ["arms", "move", "#first", "#second, %", "#third"]);
        table.row(["N:9", "b1", "0.1234", "0.5678", "0.9"].map(str::to_owned));
        table.row(["N:9", "b2", "0.2", "0.3", "0.4"].map(str::to_owned));
        let lines = lines(&table, 28);
        let rows: Vec<&str> = lines.iter().map(String::as_str).filter(|line| line.starts_with(' ')).collect();
        assert_eq!(
            rows,
            [
                " arms  move   first",
                " N:9   b1    0.1234",
                " N:9   b2       0.2",
                " arms  move  second, %",
                " N:9   b1       0.5678",
                " N:9   b2          0.3",
                " arms  move  third",
                " N:9   b1      0.9",
                " N:9   b2      0.4",
            ]
        );
    }

    #[test]
    fn no_line_is_wider_than_the_screen() {
        for width in 30..80 {
            for line in lines(&table(), width) {
                assert!(columns(&line) <= width, "{width}: {line}");
            }
        }
    }
}
