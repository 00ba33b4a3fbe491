//! Counting AMAF samples: the loop that RAVE spends most of its time in.

use tesuji_core::Code;
use tesuji_core::isa::{Isa, Kernel};

use crate::marks::MarkTable;

/// Moves that are looked at together.
const LANES: usize = 8;

/// One more AMAF sample for every move with a mark of at least `least`.
pub(crate) struct CountHits<'a> {
    pub(crate) marks: &'a MarkTable,
    pub(crate) least: u32,
    pub(crate) reward: f32,
    pub(crate) codes: &'a [Code],
    pub(crate) counts: &'a mut [u32],
    pub(crate) sums: &'a mut [f32],
}

impl Kernel for CountHits<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        let CountHits { marks, least, reward, codes, counts, sums } = self;
        let (codes, last_codes) = codes.as_chunks::<LANES>();
        let (counts, last_counts) = counts.as_chunks_mut::<LANES>();
        let (sums, last_sums) = sums.as_chunks_mut::<LANES>();
        for ((codes, counts), sums) in codes.iter().zip(counts).zip(sums) {
            let found: [u32; LANES] = std::array::from_fn(|lane| marks.at(codes[lane]));
            let hits: [bool; LANES] = std::array::from_fn(|lane| found[lane] >= least);
            for lane in 0..LANES {
                counts[lane] += u32::from(hits[lane]);
            }
            for lane in 0..LANES {
                sums[lane] += if hits[lane] { reward } else { 0.0 };
            }
        }
        for ((code, count), sum) in last_codes.iter().zip(last_counts).zip(last_sums) {
            let hit = marks.at(*code) >= least;
            *count += u32::from(hit);
            *sum += if hit { reward } else { 0.0 };
        }
    }
}
