//! Where a text will be read: how wide it may be, and whether it may have colours.
//!
//! Colours only repeat what words and symbols say already, so a text means the same without
//! them. All of them come from the sixteen colours of the terminal's own palette, which its
//! user has chosen to be legible, whether it is dark or light.

use std::borrow::Cow;

use anstyle::{AnsiColor, Style};
use tesuji_core::{Side, drawing};

/// The terminal, pipe or file that a text is written for.
///
/// ```
/// use tesuji_report::{Ink, Screen};
///
/// let plain = Screen::default();
/// assert_eq!(plain.width, 100);
/// assert_eq!(plain.paint(Ink::Error, "error:"), "error:");
/// let coloured = Screen { has_colour: true, ..plain };
/// assert_eq!(coloured.paint(Ink::Error, "error:"), "\u{1b}[1m\u{1b}[31merror:\u{1b}[0m");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Screen {
    /// The number of columns. Tables and sentences that are longer are wrapped.
    pub width: usize,
    /// Whether colours are written, as the escape sequences of terminals.
    pub has_colour: bool,
}

/// A pipe or a file: 100 columns wherever the program runs, so that output can be compared;
/// no colours.
impl Default for Screen {
    fn default() -> Screen {
        Screen { width: 100, has_colour: false }
    }
}

/// What a colour says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ink {
    /// The word in front of an error.
    Error,
    /// A measured number that agrees with a published one.
    Good,
    /// A measured number that differs from a published one.
    Bad,
    /// A measured number that may differ from a published one.
    Doubtful,
    /// The move that a search chose, or the last move on a board.
    Chosen,
    /// Less important than the text next to it.
    Faint,
    /// The heads of tables.
    Heading,
    /// Black's pieces and edges.
    Black,
    /// White's pieces and edges.
    White,
}

impl Ink {
    /// Black and White are not the palette's black and white: one of those cannot be seen on
    /// a dark terminal, the other on a light one.
    fn style(self) -> Style {
        let colour = |colour: AnsiColor| Style::new().fg_color(Some(colour.into()));
        match self {
            Ink::Error | Ink::Bad => colour(AnsiColor::Red).bold(),
            Ink::Good => colour(AnsiColor::Green),
            Ink::Doubtful => colour(AnsiColor::Yellow),
            Ink::Chosen => colour(AnsiColor::Green).bold(),
            Ink::Faint => Style::new().dimmed(),
            Ink::Heading => Style::new().bold(),
            Ink::Black => colour(AnsiColor::BrightBlue).bold(),
            Ink::White => colour(AnsiColor::Magenta).bold(),
        }
    }
}

impl Screen {
    /// Returns the text in this colour; as it is if the screen has no colours or the text is
    /// empty.
    pub fn paint<'a>(&self, ink: Ink, text: &'a str) -> Cow<'a, str> {
        if !self.has_colour || text.is_empty() {
            return Cow::Borrowed(text);
        }
        let style = ink.style();
        Cow::Owned(format!("{style}{text}{style:#}"))
    }

    /// Returns a drawn board with the pieces and edges of both sides in colour, and the
    /// brackets around the last move.
    pub fn board(&self, drawing: &str) -> String {
        if !self.has_colour {
            return drawing.to_owned();
        }
        let mut buffer = [0; 4];
        let mut text = String::with_capacity(2 * drawing.len());
        for symbol in drawing.chars() {
            let ink = match drawing::owner(symbol) {
                Some(Side::Black) => Some(Ink::Black),
                Some(Side::White) => Some(Ink::White),
                None => match symbol {
                    '(' | ')' => Some(Ink::Chosen),
                    drawing::EMPTY => Some(Ink::Faint),
                    _ => None,
                },
            };
            match ink {
                Some(ink) => text += &self.paint(ink, symbol.encode_utf8(&mut buffer)),
                None => text.push(symbol),
            }
        }
        text
    }

    /// Returns the text with every line wrapped at blanks to the width of the screen. Lines
    /// that go on are indented as their first one is.
    ///
    /// ```
    /// use tesuji_report::Screen;
    ///
    /// let narrow = Screen { width: 12, ..Screen::default() };
    /// assert_eq!(narrow.wrapped("b3 wins a game\n  in two more moves\n"), "b3 wins a\ngame\n  in two\n  more moves\n");
    /// ```
    pub fn wrapped(&self, text: &str) -> String {
        let mut wrapped = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
            if columns(line) <= self.width {
                wrapped += line;
            } else {
                let content = line.trim_start();
                let indent = &line[..line.len() - content.len()];
                let room = self.width.saturating_sub(columns(indent)).max(1);
                let lines = wrap(content, room);
                wrapped += &lines.iter().map(|line| format!("{indent}{line}")).collect::<Vec<_>>().join("\n");
            }
            wrapped += end;
        }
        wrapped
    }
}

/// Returns the number of columns that a text takes. All our letters and symbols take one, and
/// colours take none.
pub(crate) fn columns(text: &str) -> usize {
    let mut is_colour = false;
    let is_shown = |letter: &char| match (is_colour, letter) {
        (false, '\u{1b}') => {
            is_colour = true;
            false
        }
        (true, 'm') => {
            is_colour = false;
            false
        }
        _ => !is_colour,
    };
    text.chars().filter(is_shown).count()
}

/// Returns the lines of a text that may have `width` columns each. A line ends at a blank, or
/// inside a word that is longer than a line, at a place where [`pieces`] cuts it. A piece
/// that is longer than a line stays whole.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    if columns(text) <= width {
        return vec![text.to_owned()];
    }
    let mut lines = vec![String::new()];
    for word in words(text) {
        let last = lines.last_mut().expect("there is a line");
        let gap = usize::from(!last.is_empty());
        if columns(last) + gap + columns(&word) <= width {
            *last += if gap == 1 { " " } else { "" };
            *last += &word;
            continue;
        }
        if columns(&word) <= width {
            lines.push(word);
            continue;
        }
        // What fits of the long word stays on this line.
        let mut is_first = true;
        for piece in pieces(&word) {
            let last = lines.last_mut().expect("there is a line");
            let gap = usize::from(is_first && !last.is_empty());
            if columns(last) + gap + columns(piece.trim_end()) <= width || last.is_empty() {
                *last += if gap == 1 { " " } else { "" };
                *last += piece;
            } else {
                last.truncate(last.trim_end().len());
                lines.push(piece.to_owned());
            }
            is_first = false;
        }
    }
    lines
}

/// Returns the words of a text, with what belongs together left together: "1.8 to 40.4" and
/// "95 %" are one word each, and so is a verdict with its sign.
pub(crate) fn words(text: &str) -> Vec<String> {
    let is_number = |word: &str| {
        let digits = word.trim_start_matches(['(', '[', '−', '-', '+']);
        digits.starts_with(|letter: char| letter.is_ascii_digit())
    };
    let joins = |word: &str| {
        let bare = word.trim_end_matches([',', ';', '.', ')', ':']);
        matches!(bare, "to" | "%" | "±" | "×" | "of")
    };
    let mut words: Vec<String> = Vec::new();
    let mut previous = "";
    for word in text.split_whitespace() {
        match words.last_mut() {
            // A word that begins with a number goes on with what joins it to another, and the
            // sign of a verdict with its word.
            Some(last)
                if word == "%"
                    || matches!(previous, "✓" | "≈" | "✗" | "?" | "○")
                    || is_number(last)
                        && (is_number(previous) && joins(word) || joins(previous) && is_number(word)) =>
            {
                *last += " ";
                *last += word;
            }
            _ => words.push(word.to_owned()),
        }
        previous = word;
    }
    words
}

/// Returns the parts of a word between which a line may end: after the signs that join the
/// parts of a spec or a path, and before ±, but not inside a number such as 10,000.
pub(crate) fn pieces(word: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut begin = 0;
    let is_digit = |letter: &char| letter.is_ascii_digit();
    let is_group = |rest: &str| rest.chars().take_while(is_digit).count() == 3;
    let mut letters = word.char_indices().peekable();
    let mut before = ' ';
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map_or(' ', |&(_, next)| next);
        let is_grouping = letter == ',' && before.is_ascii_digit() && is_group(&word[at + 1..]);
        let is_break = matches!(letter, '+' | ',' | '(' | '/' | '…' | '@') && !is_grouping
            || letter == ' ' && next == '±';
        // A lone sign at the begin of a line helps nobody.
        if is_break && next != ' ' && at > begin {
            pieces.push(&word[begin..at + letter.len_utf8()]);
            begin = at + letter.len_utf8();
        }
        before = letter;
    }
    pieces.push(&word[begin..]);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_blanks() {
        assert_eq!(wrap("points that White gets", 11), ["points that", "White gets"]);
        assert_eq!(wrap("", 5), [""]);
    }

    #[test]
    fn long_specs_are_cut_where_their_parts_join() {
        assert_eq!(
            pieces("hybrid-shuss(t=94)+uct+prior(sh,64)@10000"),
            ["hybrid-shuss(", "t=94)+", "uct+", "prior(", "sh,", "64)@", "10000"]
        );
        assert_eq!(wrap("against shuss(t=94)+uct(c=0.3)", 16), ["against shuss(", "t=94)+uct(c=0.3)"]);
        // A word that fits on a line of its own is not cut.
        assert_eq!(wrap("a sh+uct", 7), ["a", "sh+uct"]);
    }

    #[test]
    fn colours_take_no_room() {
        let screen = Screen { width: 6, has_colour: true };
        let line = screen.paint(Ink::Chosen, "b1 b2").into_owned();
        assert_eq!(columns(&line), 5);
        assert_eq!(screen.wrapped(&line), line);
    }

    #[test]
    fn numbers_are_not_cut() {
        assert_eq!(pieces("10,000"), ["10,000"]);
        assert_eq!(pieces("[0.4,0.5]"), ["[0.4,", "0.5]"]);
        assert_eq!(pieces("52.31 ± 0.16 %"), ["52.31 ", "± 0.16 %"]);
        assert_eq!(wrap("52.31 ± 0.16 %", 13), ["52.31", "± 0.16 %"]);
        assert_eq!(pieces("(1.8 to 40.4)"), ["(1.8 to 40.4)"]);
        assert_eq!(words("won 1.8 to 40.4 of 10 games"), ["won", "1.8 to 40.4 of 10", "games"]);
        assert_eq!(words("the 95 % interval"), ["the", "95 %", "interval"]);
        assert_eq!(words("5 to c3"), ["5 to", "c3"]);
        assert_eq!(words("✗ differs ○ other budget"), ["✗ differs", "○ other", "budget"]);
        assert_eq!(words("points won, %"), ["points", "won, %"]);
    }
}
