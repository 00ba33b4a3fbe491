//! Positions as planes of numbers, the form in which networks see them.
//!
//! `docs/networks.md` describes the planes and the move numbers of every game.

/// Writes planes one after the other.
pub(crate) struct Planes<'a> {
    rest: &'a mut [f32],
    height: usize,
    width: usize,
}

impl<'a> Planes<'a> {
    /// Writes planes of this height and width from the start of a slice.
    #[inline(always)]
    pub(crate) fn new(planes: &'a mut [f32], height: usize, width: usize) -> Planes<'a> {
        Planes { rest: planes, height, width }
    }

    /// The next plane, whose values the caller writes; shorter if the slice ends.
    #[inline(always)]
    fn plane(&mut self) -> &'a mut [f32] {
        let rest = std::mem::take(&mut self.rest);
        let size = (self.height * self.width).min(rest.len());
        let (plane, rest) = rest.split_at_mut(size);
        self.rest = rest;
        plane
    }

    /// Writes a plane that has the same value everywhere.
    #[inline(always)]
    pub(crate) fn constant(&mut self, value: f32) {
        self.plane().fill(value);
    }

    /// Writes a plane row by row. Bit x of `row(y)` is the cell in column x: 1 if it is set, 0 if
    /// not. Higher bits may be anything.
    #[inline(always)]
    pub(crate) fn rows(&mut self, row: impl Fn(usize) -> u32) {
        let width = self.width;
        for (y, cells) in self.plane().chunks_exact_mut(width).enumerate() {
            write_row(cells, row(y));
        }
    }

    /// Writes a square plane with rows and columns exchanged: bit y of `column(x)` is the cell in
    /// row y of column x.
    #[inline(always)]
    pub(crate) fn columns(&mut self, column: impl Fn(usize) -> u32) {
        let width = self.width;
        let plane = self.plane();
        for x in 0..width {
            let mut bits = column(x);
            for cell in plane.iter_mut().skip(x).step_by(width) {
                *cell = (bits & 1) as f32;
                bits >>= 1;
            }
        }
    }
}

/// Writes a row of cells, each 1 if its bit is set.
#[inline(always)]
fn write_row(cells: &mut [f32], bits: u32) {
    for (x, cell) in cells.iter_mut().enumerate() {
        *cell = (bits >> x & 1) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_follow_each_other() {
        let mut values = [f32::NAN; 12];
        let mut planes = Planes::new(&mut values, 2, 2);
        planes.rows(|y| [0b101, 0b10][y]);
        planes.columns(|x| [0b10, 0b01][x]);
        planes.constant(0.5);
        assert_eq!(values, [1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.5, 0.5, 0.5, 0.5]);
    }
}
