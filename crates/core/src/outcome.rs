//! How a finished game ended.

use std::fmt;

use crate::Side;

/// The result of a finished game, in absolute terms: not from one side's view.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This side won.
    Win(Side),
    /// Nobody won. Only games with [`Draws::Half`] end so.
    Draw,
}

impl Outcome {
    /// The reward of `side`: 1 for a win, ½ for a draw, 0 for a loss.
    ///
    /// ```
    /// use tesuji_core::{Outcome, Side};
    /// assert_eq!(Outcome::Win(Side::Black).reward(Side::White), 0.0);
    /// assert_eq!(Outcome::Draw.reward(Side::White), 0.5);
    /// ```
    #[inline]
    pub fn reward(self, side: Side) -> f64 {
        match self {
            Outcome::Win(winner) if winner == side => 1.0,
            Outcome::Win(_) => 0.0,
            Outcome::Draw => 0.5,
        }
    }

    /// The result with the winner exchanged, as misère play counts it. A draw stays
    /// a draw.
    #[inline]
    pub const fn flipped(self) -> Outcome {
        match self {
            Outcome::Win(winner) => Outcome::Win(winner.other()),
            Outcome::Draw => Outcome::Draw,
        }
    }

    /// One word for data: `black` or `white`, whichever won, or `draw`.
    pub const fn word(self) -> &'static str {
        match self {
            Outcome::Win(winner) => winner.word(),
            Outcome::Draw => "draw",
        }
    }

    /// The winner; `None` for a draw.
    #[inline]
    pub const fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win(winner) => Some(winner),
            Outcome::Draw => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win(winner) => write!(f, "{winner} wins"),
            Outcome::Draw => f.write_str("draw"),
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Outcome {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

/// What an even final score means.
///
/// The papers' results are binary: a draw counts as a loss for White.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Draws {
    /// An even score is a win for Black, that is, a loss for White.
    #[default]
    Black,
    /// An even score is an [`Outcome::Draw`], worth ½ to each side.
    Half,
}

impl Draws {
    /// The outcome of a game whose final score is `black_minus_white`.
    #[inline]
    pub fn decide(self, black_minus_white: i32) -> Outcome {
        match (black_minus_white, self) {
            (1.., _) => Outcome::Win(Side::Black),
            (..=-1, _) => Outcome::Win(Side::White),
            (0, Draws::Black) => Outcome::Win(Side::Black),
            (0, Draws::Half) => Outcome::Draw,
        }
    }
}

impl fmt::Display for Draws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Draws::Black => "black",
            Draws::Half => "half",
        })
    }
}
