//! Boards as words: eight bits a row, whatever the width.

/// The number of bits a row has, and so the longest side of such a board.
pub(crate) const STRIDE: usize = 8;

/// The cells of a board: cell (x, y) is bit x + 8y.
pub(crate) const fn rectangle(width: usize, height: usize) -> u64 {
    let row = (1 << width) - 1;
    let column = (u64::MAX / 0xff) >> (8 * (STRIDE - height));
    row * column
}

/// The bit of a cell.
pub(crate) const fn bit((x, y): (usize, usize)) -> u64 {
    1 << (x + STRIDE * y)
}

/// The cell of a bit's index.
pub(crate) const fn cell(index: usize) -> (usize, usize) {
    (index % STRIDE, index / STRIDE)
}

/// The indices of the set bits, from the lowest.
pub(crate) fn indices(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            lowest
        })
    })
}

/// The halves of a word, the low one first, as the kernels of devices read them.
pub(crate) const fn halves(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_and_their_cells() {
        assert_eq!(rectangle(8, 8), u64::MAX);
        assert_eq!(rectangle(3, 2), 0x0707);
        let cells = indices(rectangle(3, 2)).map(cell).collect::<Vec<_>>();
        assert_eq!(cells, [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]);
        assert!(indices(u64::MAX).eq(0..64));
        assert_eq!(indices(0).next(), None);
        assert!(cells.iter().all(|&cell| rectangle(3, 2) & bit(cell) != 0));
    }
}
