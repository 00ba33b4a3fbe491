//! The two sides of a game.

use std::fmt;
use std::ops::Not;

/// A colour. Which side moves first depends on the game: see
/// [`Game::to_move`](crate::Game::to_move) of its first position.
///
/// ```
/// use tesuji_core::Side;
/// assert_eq!(!Side::Black, Side::White);
/// assert_eq!(Side::White.to_string(), "White");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
#[repr(u8)]
pub enum Side {
    /// Moves first in the Go family and in Hex.
    Black = 0,
    /// Moves first in Breakthrough, Knightthrough, Ataxx and Domineering.
    White = 1,
}

impl Side {
    /// Both sides, in index order.
    pub const BOTH: [Side; 2] = [Side::Black, Side::White];

    /// 0 for Black, 1 for White.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opponent of this side.
    #[inline]
    pub const fn other(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }

    /// One word for data: `black` or `white`.
    pub const fn word(self) -> &'static str {
        match self {
            Side::Black => "black",
            Side::White => "white",
        }
    }

    /// The side's letter in the text of positions: `b` or `w`.
    pub const fn letter(self) -> char {
        match self {
            Side::Black => 'b',
            Side::White => 'w',
        }
    }

    /// The side with this [`letter`](Side::letter); `None` if the letter is not `b`
    /// or `w`.
    pub const fn from_letter(letter: char) -> Option<Side> {
        match letter {
            'b' => Some(Side::Black),
            'w' => Some(Side::White),
            _ => None,
        }
    }
}

impl Not for Side {
    type Output = Side;

    #[inline]
    fn not(self) -> Side {
        self.other()
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::Black => "Black",
            Side::White => "White",
        })
    }
}
