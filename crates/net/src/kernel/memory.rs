//! Floats that start at the beginning of a cache line.

/// Floats per cache line.
const LINE: usize = 16;

/// Floats that start at the beginning of a cache line and never move.
#[derive(Debug)]
pub(crate) struct Aligned {
    floats: Vec<f32>,
    start: usize,
}

impl Aligned {
    /// A copy of `floats`.
    pub(crate) fn new(floats: &[f32]) -> Aligned {
        let mut aligned = Aligned { floats: Vec::with_capacity(floats.len() + LINE), start: 0 };
        aligned.start = skipped(aligned.floats.as_ptr());
        aligned.floats.resize(aligned.start, 0.0);
        aligned.floats.extend_from_slice(floats);
        aligned
    }

    /// The number of floats.
    pub(crate) fn len(&self) -> usize {
        self.floats.len() - self.start
    }

    /// The first float.
    pub(crate) fn as_ptr(&self) -> *const f32 {
        self.floats[self.start..].as_ptr()
    }
}

/// `n` floats of `scratch` that start at the beginning of a cache line. Allocates only if it has too few.
pub(crate) fn aligned(scratch: &mut Vec<f32>, n: usize) -> &mut [f32] {
    if scratch.len() < n + LINE {
        scratch.resize(n + LINE, 0.0);
    }
    let start = skipped(scratch.as_ptr());
    &mut scratch[start..][..n]
}

/// The number of floats from `pointer` to the beginning of a cache line.
fn skipped(pointer: *const f32) -> usize {
    pointer.align_offset(LINE * size_of::<f32>()).min(LINE)
}
