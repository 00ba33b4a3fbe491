//! Where the cells of a table stand on a screen.

use std::collections::{BTreeMap, BTreeSet};

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

/// The blanks between two columns if nothing needs to be wrapped.
const GAP: usize = 3;

/// The blanks between two columns if the screen is too narrow for the table.
const NARROW_GAP: usize = 2;

/// The blanks between two columns if words would be cut otherwise.
const NARROWEST_GAP: usize = 1;

/// The distance of two columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Gap {
    /// Two blanks.
    Narrow,
    /// One blank.
    Narrowest,
}

/// Texts that are not longer are names, such as "Hex 11x11", which are hard to read on two lines.
const LONGEST_NAME: usize = 20;

/// Words that are not longer, such as `shuss(t=94)+uct@500`, are cut only if nothing else helps.
const LONGEST_SPEC: usize = 24;

/// How much harder it becomes to read a table in which not all cells have their natural widths.
/// A second line of a sentence costs 1.
mod cost {
    /// One blank less between columns, for each row.
    pub(super) const NARROWEST_GAP: usize = 8;
    /// A further line of a name.
    pub(super) const NAME: usize = 20;
    /// A further line of numbers.
    pub(super) const NUMBERS: usize = 15;
    /// A cut inside a word that is at most [`super::LONGEST_SPEC`] long.
    pub(super) const SPEC: usize = 30;
    /// A cut inside a longer word.
    pub(super) const LONG_WORD: usize = 10;
}

impl<'a> Layout<'a> {
    /// Columns have their natural widths if the screen has room for them. Otherwise long
    /// sentences are wrapped first, then names and numbers, and then long words are cut.
    pub(super) fn of(table: &'a Table, screen: &'a Screen) -> Layout<'a> {
        let all = 0..table.columns.len();
        let natural: Vec<usize> = all.clone().map(|column| natural_width(table, column)).collect();
        let room = |gap: usize| screen.width.saturating_sub(1 + gap * natural.len().saturating_sub(1));
        let fits = |gap: usize| natural.iter().sum::<usize>() <= room(gap);
        if let Some(gap) = [GAP, NARROW_GAP].into_iter().find(|&gap| fits(gap)) {
            return Layout { table, screen, gap, widths: natural };
        }
        let choices: Vec<Vec<Width>> =
            all.clone().map(|column| widths(table, column, natural[column].min(screen.width))).collect();
        let gaps = [(NARROW_GAP, 0), (NARROWEST_GAP, cost::NARROWEST_GAP * table.rows.len())];
        let layouts = gaps.into_iter().filter_map(|(gap, more)| {
            let (cost, widths) = cheapest(&choices, room(gap))?;
            Some((cost + more, gap, widths))
        });
        if let Some((_, gap, widths)) = layouts.min_by_key(|(cost, ..)| *cost) {
            return Layout { table, screen, gap, widths };
        }
        // Some columns follow below the others, so no word needs to be cut.
        let width = |column: usize| match &table.columns[column] {
            Column::Words(_) if natural[column] > LONGEST_NAME => least_width(table, column, columns),
            _ => natural[column],
        };
        let widths = all.map(|column| width(column).min(screen.width / 2)).collect();
        Layout { table, screen, gap: NARROW_GAP, widths }
    }

    /// Returns the width of a table whose columns have their natural widths.
    pub(super) fn least_width(table: &Table, gap: Gap) -> usize {
        let gap = match gap {
            Gap::Narrow => NARROW_GAP,
            Gap::Narrowest => NARROWEST_GAP,
        };
        let widths = (0..table.columns.len()).map(|column| natural_width(table, column));
        1 + gap * table.columns.len().saturating_sub(1) + widths.sum::<usize>()
    }

    /// Returns the table with its title. If it has several parts, each has the title, and those
    /// after the first have only rows that say more than what they are about.
    pub(super) fn text(&self) -> String {
        let n_names = self.names().len();
        let mut texts = Vec::new();
        for (number, part) in self.parts().iter().enumerate() {
            let says_more = |row: &&Vec<TableCell>| {
                number == 0 || part[n_names..].iter().any(|&column| !row[column].text.is_empty())
            };
            let rows: Vec<&Vec<TableCell>> = self.table.rows.iter().filter(says_more).collect();
            let title = self.title(if number == 0 { "" } else { ", continued" });
            texts.push(title + &self.part(part, &rows));
        }
        texts.join("\n")
    }

    /// Returns the lines above a part; none if the table has no title.
    fn title(&self, end: &str) -> String {
        let title = &self.table.title;
        if title.is_empty() {
            return String::new();
        }
        let wrapped = self.screen.wrapped(&format!("{title}{end}"));
        wrapped.lines().map(|line| format!("{}\n", self.screen.paint(Ink::Heading, line))).collect()
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

    fn part(&self, part: &[usize], rows: &[&Vec<TableCell>]) -> String {
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
        for row in rows {
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

/// Returns the width below which a word would not fit. `of_word` is the least width of a word.
fn least_width(table: &Table, column: usize, of_word: impl Fn(&str) -> usize) -> usize {
    let texts = cells(table, column).map(|cell| cell.text.as_str());
    let words = texts.chain([table.columns[column].name()]).flat_map(words);
    words.map(|word| of_word(&word)).max().unwrap_or(0)
}

/// A width that a column may have.
#[derive(Clone, Copy)]
struct Width {
    columns: usize,
    /// How much harder the column is to read than at its natural width.
    cost: usize,
}

/// Returns the widths of a column up to `most`, in ascending order: each costs less than the
/// narrower ones.
fn widths(table: &Table, column: usize, most: usize) -> Vec<Width> {
    let longest_piece =
        |word: &str| pieces(word).into_iter().map(|piece| columns(piece.trim_end())).max().unwrap_or(0);
    let least = least_width(table, column, longest_piece);
    let mut rows_by_text: BTreeMap<&str, usize> = BTreeMap::new();
    for cell in cells(table, column) {
        *rows_by_text.entry(cell.text.as_str()).or_default() += 1;
    }
    let mut widths: Vec<Width> = Vec::new();
    for width in least..=most.max(least) {
        let head = wrapping_cost(table.columns[column].name(), width, |lines| lines);
        let cells = rows_by_text.iter().map(|(text, rows)| {
            let further_lines = |lines: usize| match &table.columns[column] {
                Column::Numbers(_) => cost::NUMBERS * lines,
                Column::Words(_) if columns(text) <= LONGEST_NAME => cost::NAME * lines,
                Column::Words(_) => lines * lines,
            };
            rows * wrapping_cost(text, width, further_lines)
        });
        let cost = head + cells.sum::<usize>();
        if widths.last().is_none_or(|narrower| cost < narrower.cost) {
            widths.push(Width { columns: width, cost });
        }
    }
    widths
}

/// Returns how much harder a text is to read at this width. `further_lines` is the cost of the
/// lines after the first.
fn wrapping_cost(text: &str, width: usize, further_lines: impl Fn(usize) -> usize) -> usize {
    if columns(text) <= width {
        return 0;
    }
    let cut = |word: String| match columns(&word) {
        length if length <= width => 0,
        _ if word.contains(' ') => cost::NUMBERS,
        length if length <= LONGEST_SPEC => cost::SPEC,
        _ => cost::LONG_WORD,
    };
    further_lines(wrap(text, width).len() - 1) + words(text).into_iter().map(cut).sum::<usize>()
}

/// Returns the cost and the widths of all columns that cost least together and have this sum at
/// most. `None` if even the narrowest do not fit.
fn cheapest(choices: &[Vec<Width>], room: usize) -> Option<(usize, Vec<usize>)> {
    // By the sum of the widths so far.
    let mut best: Vec<Option<(usize, Vec<usize>)>> = vec![None; room + 1];
    best[0] = Some((0, Vec::new()));
    for choices in choices {
        let mut longer: Vec<Option<(usize, Vec<usize>)>> = vec![None; room + 1];
        for (sum, (cost, widths)) in
            best.iter().enumerate().filter_map(|(sum, best)| Some((sum, best.as_ref()?)))
        {
            for width in choices {
                let Some(place) = longer.get_mut(sum + width.columns) else { break };
                let cost = cost + width.cost;
                if place.as_ref().is_none_or(|(least, _)| cost < *least) {
                    *place = Some((cost, widths.iter().copied().chain([width.columns]).collect()));
                }
            }
        }
        best = longer;
    }
    best.into_iter().flatten().min_by_key(|(cost, _)| *cost)
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
    fn sentences_give_way_to_names_and_specs() {
        let mut table = Table::new("", ["game", "player", "note"]);
        let note = "ranks by mean and score, and cuts many moves at once";
        table.row(["Hex 11x11", "shuss(t=94)+uct@500", note].map(str::to_owned));
        assert_eq!(
            lines(&table, 50)[3..6],
            [
                " Hex 11x11  shuss(t=94)+uct@500  ranks by mean",
                "                                 and score,",
                "                                 and cuts many",
            ]
        );
    }

    #[test]
    fn empty_columns_are_left_out_and_errors_explained() {
        let mut table = Table::new("Speed", ["game", "other program", "#it wins"]);
        assert!(lines(&table, 60)[2].contains("other program"));
        table.row(["hex:5", "", "57.50 ± 1.11 %"].map(str::to_owned));
        let lines = lines(&table, 60);
        assert_eq!(lines[2], " game           it wins");
        assert_eq!(lines.last().unwrap(), "±: one standard error");
    }

    #[test]
    fn columns_without_room_follow_below() {
        let mut table = Table::new("Rounds", ["arms", "move", "#first", "#second, %", "#third"]);
        table.row(["N:9", "b1", "0.1234", "0.5678", "0.9"].map(str::to_owned));
        table.row(["N:9", "b2", "0.2", "0.3", ""].map(str::to_owned));
        let lines = lines(&table, 22);
        assert_eq!(lines.iter().filter(|line| *line == "Rounds, continued").count(), 2);
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
