//! Convolutions and fully connected layers: the inner loop of a network.
//!
//! Both are sums of inputs times weights. A tile computes several rows (cells of a convolution, positions
//! of a fully connected layer) times several vectors of output channels in registers. Every output starts
//! at its bias and adds its products one after the other by fused multiply-add, in the order of taps and
//! input channels. Lanes are output channels, so the order does not depend on the width of a vector, on
//! the size of a tile or on the batch: every instruction set has the same bits.
//!
//! This is the only module of the crate with `unsafe` code. The proof that it is sound: tiles read and
//! write through pointers that [`Affine::run`] has checked against the slices that it was called with (see
//! `check`), and the vectors of an instruction set are used only in a function that is compiled for it and
//! that `run` calls only after the processor was asked ([`Instructions::best`]).

#![allow(unsafe_code)]

use super::fused;
use super::memory::Aligned;

/// Channels are padded to a multiple of this: the lanes of the widest vector.
pub(crate) const LANES: usize = 16;

/// The instructions that a kernel computes with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Instructions(Set);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Instructions {
    /// Instructions of every processor.
    pub(crate) const PORTABLE: Instructions = Instructions(Set::Portable);

    /// The best instructions that this processor has.
    pub(crate) fn best() -> Instructions {
        Instructions::all().pop().unwrap_or(Instructions::PORTABLE)
    }

    /// All instructions that this processor has, the best last.
    pub(crate) fn all() -> Vec<Instructions> {
        let mut all = vec![Instructions::PORTABLE];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            all.push(Instructions(Set::Avx2));
            if is_x86_feature_detected!("avx512f") {
                all.push(Instructions(Set::Avx512));
            }
        }
        all
    }

    /// The name of the instruction set.
    pub(crate) fn name(self) -> &'static str {
        match self.0 {
            Set::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => "AVX-512",
        }
    }
}

/// A layer: weights, and what follows the sums.
#[derive(Debug)]
pub(crate) struct Affine {
    /// The number of input channels.
    pub(crate) n_inputs: usize,
    /// The number of output channels, a multiple of [`LANES`].
    pub(crate) n_outputs: usize,
    /// The distance of each tap from a row's first, in floats.
    pub(crate) taps: Vec<usize>,
    /// The weights by tap, input and output.
    pub(crate) weights: Aligned,
    /// The bias of each output.
    pub(crate) bias: Aligned,
    /// Whether negative results become 0.
    pub(crate) relu: bool,
}

/// Where rows begin. Rows come in lines: the cells of a row of the board, or all positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    /// The number of lines.
    pub(crate) n_lines: usize,
    /// The number of rows of a line.
    pub(crate) n_rows: usize,
    /// The distance of lines in the input.
    pub(crate) input_line: usize,
    /// The distance of rows in the input.
    pub(crate) input_row: usize,
    /// The distance of lines in the output, and in what is added to it.
    pub(crate) output_line: usize,
    /// The distance of rows in the output, and in what is added to it.
    pub(crate) output_row: usize,
}

impl Affine {
    /// Computes all rows: `output` = bias + weights × `input` + `added`, then the ReLU.
    pub(crate) fn run(
        &self,
        instructions: Instructions,
        rows: Rows,
        input: &[f32],
        added: Option<&[f32]>,
        output: &mut [f32],
    ) {
        if rows.n_lines == 0 || rows.n_rows == 0 {
            return;
        }
        self.check(rows, input, added, output);
        let job = Job {
            layer: self,
            rows,
            input: input.as_ptr(),
            added: added.map_or(std::ptr::null(), <[f32]>::as_ptr),
            output: output.as_mut_ptr(),
        };
        match instructions.0 {
            // SAFETY: `check` has passed.
            Set::Portable => unsafe { job.run::<Portable>() },
            // SAFETY: `check` has passed. Only `Instructions::all` makes this value, after it found the
            // features.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { x86::run_avx2(job) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { x86::run_avx512(job) },
        }
    }

    /// Panics unless every read and write of a job stays in its slices.
    fn check(&self, rows: Rows, input: &[f32], added: Option<&[f32]>, output: &[f32]) {
        let last_tap = self.taps.iter().copied().max().unwrap_or(0);
        let last_input = (rows.n_lines - 1) * rows.input_line + (rows.n_rows - 1) * rows.input_row;
        let last_output = (rows.n_lines - 1) * rows.output_line + (rows.n_rows - 1) * rows.output_row;
        assert!(self.n_outputs.is_multiple_of(LANES));
        assert!(last_input + last_tap + self.n_inputs <= input.len());
        assert!(last_output + self.n_outputs <= output.len());
        assert!(added.is_none_or(|added| last_output + self.n_outputs <= added.len()));
        assert!(self.weights.len() >= self.taps.len() * self.n_inputs * self.n_outputs);
        assert!(self.bias.len() >= self.n_outputs);
    }
}

/// A call of [`Affine::run`] whose pointers were checked.
#[derive(Clone, Copy)]
struct Job<'a> {
    layer: &'a Affine,
    rows: Rows,
    input: *const f32,
    /// Null if nothing is added.
    added: *const f32,
    output: *mut f32,
}

/// A vector of floats.
trait Vector: Copy {
    /// The number of floats, 8 or 16.
    const LANES: usize;
    /// The number of vectors, times rows, that a tile of several rows has at most.
    const MOST: usize;
    /// The number of vectors of channels of a tile of several rows.
    const MOST_COLUMNS: usize;

    /// Reads the floats that follow `from`, all of which must be readable.
    unsafe fn load(from: *const f32) -> Self;
    /// Writes the floats that follow `to`, all of which must be writable.
    unsafe fn store(self, to: *mut f32);
    /// All lanes have the value at `from`, which must be readable.
    unsafe fn splat(from: *const f32) -> Self;
    /// `self × factor + sum`, rounded once. The processor must have the instructions.
    unsafe fn fma(self, factor: Self, sum: Self) -> Self;
    /// The sum. The processor must have the instructions.
    unsafe fn add(self, other: Self) -> Self;
    /// 0 if a lane is not above 0. The processor must have the instructions.
    unsafe fn relu(self) -> Self;
}

/// Repeats a block for all numbers below a constant, at most 13. The compiler unrolls such loops itself,
/// but those of large tiles only after it has decided that the sums are in memory.
macro_rules! unrolled {
    ($index:ident < $end:ident: $block:block) => {
        unrolled!(@ $index $end $block 0 1 2 3 4 5 6 7 8 9 10 11 12)
    };
    (@ $index:ident $end:ident $block:block $($number:literal)*) => {
        $(if $number < $end {
            let $index: usize = $number;
            $block
        })*
    };
}

impl Job<'_> {
    /// Computes all rows.
    ///
    /// # Safety
    ///
    /// `check` has passed, and the processor has the instructions of `V`.
    #[inline(always)]
    unsafe fn run<V: Vector>(self) {
        let n_vectors = self.layer.n_outputs / V::LANES;
        let mut vector = 0;
        while vector < n_vectors {
            let left = n_vectors - vector;
            let columns = match self.rows.n_rows {
                1 => left.min(8),
                _ if left > V::MOST_COLUMNS && left < 2 * V::MOST_COLUMNS => left.div_ceil(2),
                _ => left.min(V::MOST_COLUMNS),
            };
            let most = if columns > V::MOST_COLUMNS { 1 } else { (V::MOST / columns).min(13) };
            let n_tiles = self.rows.n_rows.div_ceil(most);
            for line in 0..self.rows.n_lines {
                for tile in 0..n_tiles {
                    // Tiles of a line have almost equal heights.
                    let from = tile * self.rows.n_rows / n_tiles;
                    let height = (tile + 1) * self.rows.n_rows / n_tiles - from;
                    // SAFETY: the rows are among those checked, and so are the channels.
                    unsafe { self.tile_of::<V>(height, columns, line, from, vector * V::LANES) }
                }
            }
            vector += columns;
        }
    }

    /// Computes the tile of a height and width that has code of its own.
    ///
    /// # Safety
    ///
    /// As for `tile`.
    #[inline(always)]
    unsafe fn tile_of<V: Vector>(
        self,
        height: usize,
        columns: usize,
        line: usize,
        from: usize,
        first: usize,
    ) {
        macro_rules! tiles {
            ($($height:literal $columns:literal),*) => {
                match (height, columns) {
                    // Tiles that an instruction set never uses have no code for it.
                    $(($height, $columns)
                        if $height == 1 || ($columns <= V::MOST_COLUMNS && $height * $columns <= V::MOST) =>
                        // SAFETY: as the caller says.
                        unsafe { self.tile::<V, $height, $columns>(line, from, first) },)*
                    _ => unreachable!("tiles have at most 13 rows and 8 columns"),
                }
            };
        }
        tiles!(
            1 1, 1 2, 1 3, 1 4, 1 5, 1 6, 1 7, 1 8,
            2 1, 3 1, 4 1, 5 1, 6 1, 7 1, 8 1, 9 1, 10 1, 11 1, 12 1, 13 1,
            2 2, 3 2, 4 2, 5 2, 6 2, 7 2, 8 2, 9 2, 10 2, 11 2, 12 2, 13 2,
            2 3, 3 3, 4 3, 5 3, 6 3, 7 3, 8 3, 9 3
        )
    }

    /// Computes `R` rows from row `from` of a line, and `C` vectors of channels from channel `first`.
    ///
    /// # Safety
    ///
    /// `check` has passed, the rows and channels are among the job's, and the processor has the
    /// instructions of `V`.
    #[inline(always)]
    unsafe fn tile<V: Vector, const R: usize, const C: usize>(self, line: usize, from: usize, first: usize) {
        let rows = self.rows;
        let layer = self.layer;
        // SAFETY: `check` has passed for the last row, tap and channel, and all others come before them.
        unsafe {
            let input = self.input.add(line * rows.input_line + from * rows.input_row);
            let bias = layer.bias.as_ptr().add(first);
            let mut sums = [[V::load(bias); C]; R];
            unrolled!(c < C: {
                let bias = V::load(bias.add(c * V::LANES));
                unrolled!(r < R: { sums[r][c] = bias; });
            });
            let mut weights = layer.weights.as_ptr().add(first);
            for &tap in &layer.taps {
                let input = input.add(tap);
                for i in 0..layer.n_inputs {
                    let mut factors = [V::load(weights); C];
                    unrolled!(c < C: { factors[c] = V::load(weights.add(c * V::LANES)); });
                    unrolled!(r < R: {
                        let value = V::splat(input.add(r * rows.input_row + i));
                        unrolled!(c < C: { sums[r][c] = value.fma(factors[c], sums[r][c]); });
                    });
                    weights = weights.add(layer.n_outputs);
                }
            }
            let offset = line * rows.output_line + from * rows.output_row + first;
            unrolled!(r < R: {
                unrolled!(c < C: {
                    let offset = offset + r * rows.output_row + c * V::LANES;
                    let mut sum = sums[r][c];
                    if !self.added.is_null() {
                        sum = sum.add(V::load(self.added.add(offset)));
                    }
                    if layer.relu {
                        sum = sum.relu();
                    }
                    sum.store(self.output.add(offset));
                });
            });
        }
    }
}

/// Eight floats in plain Rust.
#[derive(Clone, Copy)]
struct Portable([f32; 8]);

impl Vector for Portable {
    const LANES: usize = 8;
    const MOST: usize = 8;
    const MOST_COLUMNS: usize = 2;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Portable {
        // SAFETY: the caller says that eight floats are readable; an array of floats is aligned as a float.
        Portable(unsafe { from.cast::<[f32; 8]>().read() })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller says that eight floats are writable.
        unsafe { to.cast::<[f32; 8]>().write(self.0) }
    }

    #[inline(always)]
    unsafe fn splat(from: *const f32) -> Portable {
        // SAFETY: the caller says that it is readable.
        Portable([unsafe { *from }; 8])
    }

    #[inline(always)]
    unsafe fn fma(self, factor: Portable, sum: Portable) -> Portable {
        Portable(fused::mul_add(self.0, factor.0, sum.0))
    }

    #[inline(always)]
    unsafe fn add(self, other: Portable) -> Portable {
        Portable(std::array::from_fn(|lane| self.0[lane] + other.0[lane]))
    }

    #[inline(always)]
    unsafe fn relu(self) -> Portable {
        Portable(self.0.map(|value| if value > 0.0 { value } else { 0.0 }))
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Job, Vector};
    use std::arch::x86_64::*;

    /// # Safety
    ///
    /// `check` has passed, and the processor has AVX2 and FMA.
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn run_avx2(job: Job<'_>) {
        // SAFETY: as the caller says.
        unsafe { job.run::<Avx2>() }
    }

    /// # Safety
    ///
    /// `check` has passed, and the processor has AVX-512F, AVX2 and FMA.
    #[target_feature(enable = "avx512f,avx2,fma")]
    pub(super) unsafe fn run_avx512(job: Job<'_>) {
        // SAFETY: as the caller says.
        unsafe { job.run::<Avx512>() }
    }

    /// A vector of an instruction set. `$relu` has the operands in this order since the instruction
    /// returns the second if the first is not a number.
    macro_rules! vector {
        ($name:ident, $vector:ty, $lanes:literal, $most:literal, $columns:literal, $load:ident, $store:ident,
         $splat:ident, $fma:ident, $add:ident, $max:ident, $zero:ident) => {
            #[derive(Clone, Copy)]
            struct $name($vector);

            // SAFETY (of every block): the caller promises the memory and the instructions.
            #[allow(clippy::undocumented_unsafe_blocks)]
            impl Vector for $name {
                const LANES: usize = $lanes;
                const MOST: usize = $most;
                const MOST_COLUMNS: usize = $columns;

                #[inline(always)]
                unsafe fn load(from: *const f32) -> $name {
                    $name(unsafe { $load(from) })
                }

                #[inline(always)]
                unsafe fn store(self, to: *mut f32) {
                    unsafe { $store(to, self.0) }
                }

                #[inline(always)]
                unsafe fn splat(from: *const f32) -> $name {
                    $name(unsafe { $splat(*from) })
                }

                #[inline(always)]
                unsafe fn fma(self, factor: $name, sum: $name) -> $name {
                    $name(unsafe { $fma(self.0, factor.0, sum.0) })
                }

                #[inline(always)]
                unsafe fn add(self, other: $name) -> $name {
                    $name(unsafe { $add(self.0, other.0) })
                }

                #[inline(always)]
                unsafe fn relu(self) -> $name {
                    $name(unsafe { $max(self.0, $zero()) })
                }
            }
        };
    }

    // 16 registers: 12 sums, 2 weights, an input. 32 registers: 27 sums, 3 weights, an input.
    vector!(
        Avx2,
        __m256,
        8,
        12,
        2,
        _mm256_loadu_ps,
        _mm256_storeu_ps,
        _mm256_set1_ps,
        _mm256_fmadd_ps,
        _mm256_add_ps,
        _mm256_max_ps,
        _mm256_setzero_ps
    );
    vector!(
        Avx512,
        __m512,
        16,
        27,
        3,
        _mm512_loadu_ps,
        _mm512_storeu_ps,
        _mm512_set1_ps,
        _mm512_fmadd_ps,
        _mm512_add_ps,
        _mm512_max_ps,
        _mm512_setzero_ps
    );
}
