//! Moves as numbers: what a move is to code that is compiled once for all games.

use std::fmt::Debug;
use std::hash::Hash;

/// A move of some game as a number. It means something only together with a position
/// of the game that it came from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MoveId(pub u32);

/// A game's own type of moves, which fits into a [`MoveId`].
///
/// Searches, matches and sessions keep moves as numbers; a game works with its own type.
/// The two are converted at the border, so both directions should be a few instructions.
///
/// ```
/// use tesuji_core::{MoveId, PackedMove};
/// /// Takes some tokens from a heap.
/// #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
/// struct Take {
///     heap: u8,
///     tokens: u8,
/// }
/// impl PackedMove for Take {
///     fn pack(self) -> MoveId {
///         MoveId::of_bytes(self.heap, self.tokens)
///     }
///     fn unpack(id: MoveId) -> Take {
///         let (heap, tokens) = id.bytes();
///         Take { heap, tokens }
///     }
/// }
/// let take = Take { heap: 2, tokens: 7 };
/// assert_eq!(Take::unpack(take.pack()), take);
/// ```
pub trait PackedMove: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// Returns the move's number. Different moves have different numbers.
    fn pack(self) -> MoveId;

    /// Returns the move with this number: the inverse of [`pack`](PackedMove::pack). What
    /// other numbers give is unspecified, though never undefined.
    fn unpack(id: MoveId) -> Self;
}

impl MoveId {
    /// Returns the number made of two bytes.
    #[inline]
    pub fn of_bytes(low: u8, high: u8) -> MoveId {
        MoveId(u32::from(low) | u32::from(high) << 8)
    }

    /// Returns the two lowest bytes of the number, the lowest first: the inverse of
    /// [`of_bytes`](MoveId::of_bytes).
    #[inline]
    pub fn bytes(self) -> (u8, u8) {
        (self.0 as u8, (self.0 >> 8) as u8)
    }
}

macro_rules! unsigned {
    ($($number:ty),*) => {$(
        impl PackedMove for $number {
            #[inline]
            fn pack(self) -> MoveId {
                MoveId(u32::from(self))
            }

            #[inline]
            fn unpack(id: MoveId) -> $number {
                id.0 as $number
            }
        }
    )*};
}
unsigned!(u8, u16, u32);
