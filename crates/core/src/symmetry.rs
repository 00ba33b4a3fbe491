//! The symmetries of a rectangle: the eight of the square, or fewer.

/// One of the eight symmetries of the square, as flips along x and y followed
/// by an exchange of the axes.
///
/// ```
/// use tesuji_core::Symmetry;
/// // A quarter turn of a 3 by 3 board takes the corner a1 to another corner.
/// let turn = Symmetry::ALL[5];
/// assert_eq!(turn.apply((0, 0), 3, 3), (0, 2));
/// assert_eq!(turn.inverse().apply((0, 2), 3, 3), (0, 0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry(u8);

impl Symmetry {
    /// The symmetry that moves nothing.
    pub const IDENTITY: Symmetry = Symmetry(0);
    /// Exchanges left and right.
    pub const FLIP_X: Symmetry = Symmetry(1);
    /// Exchanges top and bottom.
    pub const FLIP_Y: Symmetry = Symmetry(2);
    /// Turns the board by half a turn.
    pub const HALF_TURN: Symmetry = Symmetry(3);
    /// All eight symmetries of the square, the identity first.
    pub const ALL: [Symmetry; 8] = [
        Symmetry(0),
        Symmetry(1),
        Symmetry(2),
        Symmetry(3),
        Symmetry(4),
        Symmetry(5),
        Symmetry(6),
        Symmetry(7),
    ];

    /// Whether rows become columns. Only square boards have such symmetries.
    const fn exchanges_axes(self) -> bool {
        self.0 & 4 != 0
    }

    /// Returns where the point (x, y) of a `width` × `height` board goes.
    pub const fn apply(self, (x, y): (usize, usize), width: usize, height: usize) -> (usize, usize) {
        let x = if self.0 & 1 != 0 { width - 1 - x } else { x };
        let y = if self.0 & 2 != 0 { height - 1 - y } else { y };
        if self.exchanges_axes() { (y, x) } else { (x, y) }
    }

    /// The symmetry that undoes this one.
    pub const fn inverse(self) -> Symmetry {
        match self.0 {
            // The two quarter turns undo each other; the rest undo themselves.
            5 => Symmetry(6),
            6 => Symmetry(5),
            _ => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_symmetry_is_a_bijection_undone_by_its_inverse() {
        for symmetry in Symmetry::ALL {
            let mut seen = [false; 25];
            for x in 0..5 {
                for y in 0..5 {
                    let (u, v) = symmetry.apply((x, y), 5, 5);
                    assert!(!std::mem::replace(&mut seen[u + 5 * v], true));
                    assert_eq!(symmetry.inverse().apply((u, v), 5, 5), (x, y));
                }
            }
        }
    }
}
