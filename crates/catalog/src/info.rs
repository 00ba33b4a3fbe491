//! What there is to know of a game before one is played.

use std::fmt;
use std::ops::RangeInclusive;

use tesuji_core::spec::Parameter;

/// A line of the table of games.
#[derive(Clone, PartialEq, Debug)]
pub struct GameInfo {
    /// The name in specs: lower case, no blanks.
    pub name: &'static str,
    /// The papers' name of the misère twin. Where there is none, the twin is
    /// `misere(name)`.
    pub misere: Option<&'static str>,
    /// The rules in one sentence.
    pub rules: &'static str,
    /// The boards it is played on.
    pub board: BoardSizes,
    /// The sizes of the papers and of the peers, for measurements.
    pub measured: &'static [&'static str],
    /// The options, in the order in which specs print them.
    pub options: &'static [Parameter],
    /// What the board looks like.
    pub shape: Shape,
    /// What a move names.
    pub names: MoveNames,
    /// Whether the enemy's pieces are hidden.
    pub is_hidden: bool,
    /// The symbols of Black's and of White's pieces in drawings.
    pub pieces: [&'static str; 2],
    /// What wins the game.
    pub goal: Goal,
    /// The legend of what a player is shown if the enemy's pieces are hidden; else empty.
    pub view_legend: &'static str,
    /// Counts of move sequences, in the format of [`tesuji_core::perft_file`].
    pub perft: &'static str,
}

impl GameInfo {
    /// The names in specs: the game's, and its misère twin's if the twin has one.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        [self.name].into_iter().chain(self.misere)
    }
}

/// What wins a game. Of its misère twin: what loses it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// Both sides have one goal, as in "whoever captures first".
    Shared(&'static str),
    /// For Black and for White, as in "connecting top to bottom".
    Own([&'static str; 2]),
}

/// What a board looks like, and how its cells are named.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// Stones on the crossings of lines. Columns leave the letter i out, and row 1 is the
    /// lowest.
    Goban,
    /// Hexagons, each row further to the right. Row 1 is the highest.
    Hexagons,
    /// Squares. Row 1 is the lowest.
    Squares,
}

impl Shape {
    /// The name of a cell, as moves write it: column x and row y count from 0.
    ///
    /// ```
    /// use tesuji_catalog::Shape;
    /// assert_eq!(Shape::Goban.cell(8, 3), "j4");
    /// assert_eq!(Shape::Hexagons.cell(8, 3), "i4");
    /// ```
    pub fn cell(self, x: usize, y: usize) -> String {
        let skipped = usize::from(self == Shape::Goban && x >= 8);
        format!("{}{}", char::from(b'a' + (x + skipped) as u8), y + 1)
    }
}

/// What the text of a move names, apart from `pass` and the like.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveNames {
    /// The cell that a piece is put on.
    Cell,
    /// The two cells of a domino; the first one identifies it.
    Domino,
    /// Where a piece comes from and where it goes; only the latter where it does not matter
    /// whence.
    FromTo,
}

/// The boards a game is played on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum BoardSizes {
    /// Square boards only.
    Square {
        /// The size without a size in the spec.
        default: usize,
        /// The sizes there are.
        sizes: RangeInclusive<usize>,
    },
    /// Rectangles too.
    Rectangle {
        /// Width and height without a size in the spec.
        default: (usize, usize),
        /// The widths there are.
        widths: RangeInclusive<usize>,
        /// The heights there are.
        heights: RangeInclusive<usize>,
    },
}

impl BoardSizes {
    /// Width and height without a size in the spec.
    pub const fn default(&self) -> (usize, usize) {
        match self {
            BoardSizes::Square { default, .. } => (*default, *default),
            BoardSizes::Rectangle { default, .. } => *default,
        }
    }

    /// Whether there is a board of this width and height. (A game may refuse
    /// some of them still, for the sake of both together.)
    pub fn contains(&self, (width, height): (usize, usize)) -> bool {
        match self {
            BoardSizes::Square { sizes, .. } => width == height && sizes.contains(&width),
            BoardSizes::Rectangle { widths, heights, .. } => {
                widths.contains(&width) && heights.contains(&height)
            }
        }
    }
}

/// What is allowed, in words: "sizes go from 2 to 19".
impl fmt::Display for BoardSizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = |range: &RangeInclusive<usize>| format!("{} to {}", range.start(), range.end());
        match self {
            BoardSizes::Square { sizes, .. } => {
                write!(f, "the board is square and its size {}", range(sizes))
            }
            BoardSizes::Rectangle { widths, heights, .. } => {
                write!(f, "the width is {} and the height {}", range(widths), range(heights))
            }
        }
    }
}
