//! The steps of a network, each computed for several positions.

use super::affine::{Affine, Instructions};
use super::layer::Function;
use super::plan::{Geometry, Place, rows_of_board, rows_of_lists};

/// A step: what is computed, and where the result is stored. The result never lies where an input lies.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) output: Place,
    pub(crate) kind: Kind,
}

/// What a step computes.
#[derive(Debug)]
pub(crate) enum Kind {
    /// The planes of the positions as boards.
    Position,
    /// The planes of the positions as they are.
    FlatPosition,
    Affine {
        affine: Affine,
        input: Place,
        added: Option<Place>,
    },
    Scale {
        input: Place,
        factors: Vec<f32>,
        shift: Vec<f32>,
    },
    Sum(Place, Place),
    Product(Place, Place),
    Function(Function, Place),
    Mean(Place),
    Max(Place),
    Flatten(Place, usize),
    Copy(Place),
    Concat(Vec<(Place, usize)>),
}

/// The tensors that a step may read: all but its output.
struct Others<'a> {
    before: &'a [f32],
    after: &'a [f32],
    /// Where `after` begins.
    end: usize,
    n: usize,
}

impl Others<'_> {
    /// The floats of a tensor.
    fn of(&self, place: Place) -> &[f32] {
        let range = place.range(self.n);
        if range.end <= self.before.len() {
            &self.before[range]
        } else {
            &self.after[range.start - self.end..range.end - self.end]
        }
    }

    /// The floats of a position in a tensor.
    fn position(&self, place: Place, position: usize) -> &[f32] {
        &self.of(place)[position * place.size..][..place.size]
    }
}

impl Step {
    /// Computes the step for `n` positions.
    pub(crate) fn run(
        &self,
        instructions: Instructions,
        geometry: &Geometry,
        n: usize,
        planes: &[f32],
        scratch: &mut [f32],
    ) {
        let to = self.output;
        let range = to.range(n);
        let (before, rest) = scratch.split_at_mut(range.start);
        let (output, after) = rest.split_at_mut(range.len());
        let others = Others { before, after, end: range.end, n };
        if let Kind::Affine { affine, input, added } = &self.kind
            && !input.is_board
        {
            let rows = rows_of_lists(n, *input, to);
            affine.run(instructions, rows, others.of(*input), added.map(|added| others.of(added)), output);
            return;
        }
        let cells = geometry.height * geometry.width;
        let size = geometry.planes * cells;
        for (index, output) in output.chunks_exact_mut(to.size).enumerate() {
            let planes = &planes[index * size..][..size];
            match &self.kind {
                Kind::Position => {
                    for (channel, plane) in planes.chunks_exact(cells).enumerate() {
                        for (row, values) in plane.chunks_exact(geometry.width).enumerate() {
                            let line = &mut output[geometry.first(row) * to.stride..];
                            for (cell, &value) in line.chunks_exact_mut(to.stride).zip(values) {
                                cell[channel] = value;
                            }
                        }
                    }
                }
                Kind::FlatPosition => output[..size].copy_from_slice(planes),
                Kind::Affine { affine, input, added } => {
                    let first = geometry.first(0) * to.stride;
                    affine.run(
                        instructions,
                        rows_of_board(geometry, *input, to),
                        others.position(*input, index),
                        added.map(|added| &others.position(added, index)[first..]),
                        &mut output[first..],
                    );
                }
                Kind::Scale { input, factors, shift } => {
                    let input = others.position(*input, index);
                    for_each_cell(geometry, to, output, |output, at| {
                        for (c, value) in output.iter_mut().enumerate() {
                            *value = input[at + c].mul_add(factors[c], shift[c]);
                        }
                    });
                }
                Kind::Sum(a, b) => {
                    let (a, b, fixed) = pair(&others, *a, *b, index);
                    for_each_cell(geometry, to, output, |output, at| {
                        let b = &b[if fixed { 0 } else { at }..];
                        for ((value, a), b) in output.iter_mut().zip(&a[at..]).zip(b) {
                            *value = a + b;
                        }
                    });
                }
                Kind::Product(a, b) => {
                    let (a, b, fixed) = pair(&others, *a, *b, index);
                    for_each_cell(geometry, to, output, |output, at| {
                        let b = &b[if fixed { 0 } else { at }..];
                        for ((value, a), b) in output.iter_mut().zip(&a[at..]).zip(b) {
                            *value = a * b;
                        }
                    });
                }
                Kind::Function(function, input) => {
                    let input = others.position(*input, index);
                    for_each_cell(geometry, to, output, |output, at| {
                        function.apply(&input[at..][..output.len()], output);
                    });
                }
                Kind::Mean(input) => {
                    output.fill(0.0);
                    let board = others.position(*input, index);
                    for_each_place(geometry, input.stride, |at| {
                        for (sum, value) in output.iter_mut().zip(&board[at..]) {
                            *sum += value;
                        }
                    });
                    output.iter_mut().for_each(|sum| *sum /= cells as f32);
                }
                Kind::Max(input) => {
                    output.fill(f32::NEG_INFINITY);
                    let board = others.position(*input, index);
                    for_each_place(geometry, input.stride, |at| {
                        for (most, &value) in output.iter_mut().zip(&board[at..]) {
                            *most = if value > *most { value } else { *most };
                        }
                    });
                }
                Kind::Flatten(input, n_channels) => {
                    let board = others.position(*input, index);
                    let mut cell = 0;
                    for_each_place(geometry, input.stride, |at| {
                        for (channel, &value) in board[at..][..*n_channels].iter().enumerate() {
                            output[channel * cells + cell] = value;
                        }
                        cell += 1;
                    });
                }
                Kind::Copy(input) => {
                    let input = others.position(*input, index);
                    output.copy_from_slice(&input[..output.len()]);
                }
                Kind::Concat(parts) => {
                    let mut first = 0;
                    for &(place, n_channels) in parts {
                        let part = others.position(place, index);
                        let mut copy = |from: usize, to: usize| {
                            output[to + first..][..n_channels].copy_from_slice(&part[from..][..n_channels]);
                        };
                        if to.is_board {
                            for row in 0..geometry.height {
                                for cell in geometry.first(row)..geometry.first(row) + geometry.width {
                                    copy(cell * place.stride, cell * to.stride);
                                }
                            }
                        } else {
                            copy(0, 0);
                        }
                        first += n_channels;
                    }
                }
            }
        }
    }
}

/// Two tensors of a position, and whether the second has one number for each channel of the first.
fn pair<'a>(others: &'a Others<'_>, a: Place, b: Place, index: usize) -> (&'a [f32], &'a [f32], bool) {
    (others.position(a, index), others.position(b, index), !b.is_board)
}

/// Calls `visit` with the channels of each cell of a position and where they begin; with the whole list
/// if it is no board.
fn for_each_cell(
    geometry: &Geometry,
    place: Place,
    position: &mut [f32],
    mut visit: impl FnMut(&mut [f32], usize),
) {
    if place.is_board {
        for_each_place(geometry, place.stride, |at| visit(&mut position[at..][..place.stride], at));
    } else {
        visit(position, 0);
    }
}

/// Calls `visit` with the place of each cell of a board, row by row.
fn for_each_place(geometry: &Geometry, stride: usize, mut visit: impl FnMut(usize)) {
    for row in 0..geometry.height {
        let first = geometry.first(row);
        (first..first + geometry.width).for_each(|cell| visit(cell * stride));
    }
}

impl Function {
    /// Writes the function of each input. `libm` has the same bits on every machine, the standard
    /// library has not.
    fn apply(self, inputs: &[f32], outputs: &mut [f32]) {
        let pairs = inputs.iter().zip(outputs);
        match self {
            Function::Relu => pairs.for_each(|(&x, y)| *y = if x > 0.0 { x } else { 0.0 }),
            Function::Sigmoid => pairs.for_each(|(&x, y)| *y = 1.0 / (1.0 + libm::expf(-x))),
            Function::Tanh => pairs.for_each(|(&x, y)| *y = libm::tanhf(x)),
            Function::Clip(low, high) => pairs.for_each(|(&x, y)| *y = x.max(low).min(high)),
        }
    }
}
