//! Where tensors lie in memory, and the steps that compute them.

use super::affine::{Affine, Instructions, LANES, Rows};
use super::graph::Graph;
use super::layer::{Layer, Operation, Shape, Weights, fuse};
use super::memory::Aligned;
use super::steps::{Kind, Step};
use crate::NetError;
use tesuji_core::NetworkForm;

/// The floats that the tensors of all positions that are computed together should have at most: they stay
/// in the second cache.
const GROUP_FLOATS: usize = 1 << 16;
/// The number of positions that are computed together at most.
const MOST_TOGETHER: usize = 64;
/// The floats that the tensors of one position may have in memory.
const MOST_FLOATS: usize = 1 << 26;

/// The memory of a tensor. It follows that of other tensors, all positions of which come first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// The floats of a position in the tensors before.
    pub(crate) offset: usize,
    /// The floats of a position.
    pub(crate) size: usize,
    /// The floats of a cell, or `size` for lists.
    pub(crate) stride: usize,
    /// Whether it is a board.
    pub(crate) is_board: bool,
}

impl Place {
    /// The floats of all of `n` positions.
    pub(crate) fn range(&self, n: usize) -> std::ops::Range<usize> {
        self.offset * n..(self.offset + self.size) * n
    }

    /// Appends the first `count` floats of each of `n` positions to a list.
    pub(crate) fn append(&self, n: usize, count: usize, scratch: &[f32], list: &mut Vec<f32>) {
        for position in scratch[self.range(n)].chunks_exact(self.size) {
            list.extend_from_slice(&position[..count]);
        }
    }
}

/// The size of boards in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Geometry {
    /// The number of planes of a position.
    pub(crate) planes: usize,
    /// The number of rows.
    pub(crate) height: usize,
    /// The number of cells of a row.
    pub(crate) width: usize,
    /// The number of cells of zeros around the board.
    pub(crate) border: usize,
}

impl Geometry {
    /// The number of cells from a cell to the one below it.
    pub(crate) fn line(&self) -> usize {
        self.width + 2 * self.border
    }

    /// The number of cells, the border included.
    pub(crate) fn n_cells(&self) -> usize {
        self.line() * (self.height + 2 * self.border)
    }

    /// The index of the first cell of a row of the board.
    pub(crate) fn first(&self, row: usize) -> usize {
        (row + self.border) * self.line() + self.border
    }
}

/// The steps of a network.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) geometry: Geometry,
    steps: Vec<Step>,
    places: Vec<Place>,
    /// The floats of a position in all tensors.
    pub(crate) size: usize,
    /// The number of positions that are computed together.
    pub(crate) group: usize,
    pub(crate) logits: Place,
    pub(crate) value: Place,
    pub(crate) move_values: Option<Place>,
}

impl Plan {
    /// The steps of the layers of a network.
    pub(crate) fn new(graph: Graph, form: &NetworkForm) -> Result<Plan, NetError> {
        let Graph { shapes, layers, logits, value, move_values, .. } = graph;
        let mut kept = vec![logits, value];
        kept.extend(move_values);
        let layers = fuse(layers, &shapes, &kept);
        if !layers.iter().all(|layer| layer.operation.is_finite()) {
            let problem = "the weights of a layer are infinite or not a number once its factors are applied";
            return Err(NetError(problem.to_owned()));
        }
        let border = layers.iter().map(|layer| border_of(&layer.operation, &shapes)).max().unwrap_or(0);
        let geometry = Geometry { planes: form.planes, height: form.height, width: form.width, border };
        let mut allocation = Allocation::new(geometry, &layers, &shapes, &kept);
        let mut steps = Vec::with_capacity(layers.len() + 1);
        // The flattened position is copied from the planes, any other use needs it as a board.
        let is_flatten = |layer: &Layer| matches!(layer.operation, Operation::Flatten(0));
        let uses_position = |layer: &Layer| {
            let mut uses = false;
            layer.operation.for_each_input(|tensor| uses |= tensor == 0);
            uses && !is_flatten(layer)
        };
        if layers.iter().any(uses_position) || kept.contains(&0) {
            allocation.allocate(0);
            steps.push(Step { output: allocation.place(0), kind: Kind::Position });
        }
        for (index, Layer { operation, output }) in layers.into_iter().enumerate() {
            allocation.allocate(output);
            let mut inputs = Vec::new();
            operation.for_each_input(|tensor| inputs.push(tensor));
            let kind = kind(operation, &allocation, &shapes, geometry);
            steps.push(Step { output: allocation.place(output), kind });
            allocation.release(index, &inputs, output);
        }
        let size = allocation.size;
        if size > MOST_FLOATS {
            return Err(NetError(format!(
                "a position needs {size} floats of memory, {MOST_FLOATS} is the most"
            )));
        }
        Ok(Plan {
            geometry,
            steps,
            size,
            group: (GROUP_FLOATS / size.max(1)).clamp(1, MOST_TOGETHER),
            logits: allocation.place(logits),
            value: allocation.place(value),
            move_values: move_values.map(|tensor| allocation.place(tensor)),
            places: allocation.all,
        })
    }

    /// Makes the borders of the boards of `n` positions zero. Steps never write there.
    pub(crate) fn clear_borders(&self, n: usize, scratch: &mut [f32]) {
        if self.geometry.border > 0 {
            for place in self.places.iter().filter(|place| place.is_board) {
                scratch[place.range(n)].fill(0.0);
            }
        }
    }

    /// Computes everything for `n` positions.
    pub(crate) fn run(&self, instructions: Instructions, n: usize, planes: &[f32], scratch: &mut [f32]) {
        for step in &self.steps {
            step.run(instructions, &self.geometry, n, planes, scratch);
        }
    }
}

/// The number of cells beyond the edge that an operation reads.
fn border_of(operation: &Operation, shapes: &[Shape]) -> usize {
    match operation {
        Operation::Affine { input, weights, .. } if matches!(shapes[*input], Shape::Board(_)) => {
            weights.n_taps.isqrt() / 2
        }
        _ => 0,
    }
}

/// Gives tensors their places. Places are used again once nothing needs their tensors any more.
struct Allocation<'a> {
    geometry: Geometry,
    shapes: &'a [Shape],
    /// The last layer that uses a tensor.
    last_use: Vec<usize>,
    places: Vec<Option<Place>>,
    free: Vec<Place>,
    all: Vec<Place>,
    size: usize,
}

impl<'a> Allocation<'a> {
    fn new(geometry: Geometry, layers: &[Layer], shapes: &'a [Shape], kept: &[usize]) -> Allocation<'a> {
        let mut last_use = vec![0; shapes.len()];
        for (index, layer) in layers.iter().enumerate() {
            layer.operation.for_each_input(|tensor| last_use[tensor] = index);
        }
        kept.iter().for_each(|&tensor| last_use[tensor] = usize::MAX);
        let places = vec![None; shapes.len()];
        Allocation { geometry, shapes, last_use, places, free: Vec::new(), all: Vec::new(), size: 0 }
    }

    fn allocate(&mut self, tensor: usize) {
        let shape = self.shapes[tensor];
        let stride = shape.n_channels().next_multiple_of(LANES);
        let is_board = matches!(shape, Shape::Board(_));
        let size = if is_board { stride * self.geometry.n_cells() } else { stride };
        let found = self
            .free
            .iter()
            .position(|free| (free.is_board, free.stride, free.size) == (is_board, stride, size));
        let place = match found {
            Some(index) => self.free.swap_remove(index),
            None => {
                let place = Place { offset: self.size, size, stride, is_board };
                self.size += size;
                self.all.push(place);
                place
            }
        };
        self.places[tensor] = Some(place);
    }

    fn place(&self, tensor: usize) -> Place {
        self.places[tensor].expect("a tensor is computed before it is used")
    }

    /// Releases tensors that no layer after `layer` needs.
    fn release(&mut self, layer: usize, inputs: &[usize], output: usize) {
        for &tensor in inputs {
            if self.last_use[tensor] == layer
                && let Some(place) = self.places[tensor].take()
            {
                self.free.push(place);
            }
        }
        // Nothing uses the output.
        if self.last_use[output] <= layer
            && let Some(place) = self.places[output].take()
        {
            self.free.push(place);
        }
    }
}

/// What a step does, with places instead of tensors.
fn kind(operation: Operation, allocation: &Allocation<'_>, shapes: &[Shape], geometry: Geometry) -> Kind {
    let place = |tensor| allocation.place(tensor);
    match operation {
        Operation::Affine { input, weights, added, relu } => {
            let from = place(input);
            let affine = affine(&weights, relu, from, geometry);
            Kind::Affine { affine, input: from, added: added.map(place) }
        }
        Operation::Scale { input, factors, shift } => {
            let input = place(input);
            let padded = |mut list: Vec<f32>| {
                list.resize(input.stride, 0.0);
                list
            };
            Kind::Scale { input, factors: padded(factors), shift: padded(shift) }
        }
        Operation::Sum(a, b) => Kind::Sum(place(a), place(b)),
        Operation::Product(a, b) => Kind::Product(place(a), place(b)),
        Operation::Function(function, input) => Kind::Function(function, place(input)),
        Operation::Mean(input) => Kind::Mean(place(input)),
        Operation::Max(input) => Kind::Max(place(input)),
        Operation::Flatten(0) => Kind::FlatPosition,
        Operation::Flatten(input) => Kind::Flatten(place(input), shapes[input].n_channels()),
        Operation::Copy(input) => Kind::Copy(place(input)),
        Operation::Concat(inputs) => {
            let parts = inputs.iter().map(|&tensor| (place(tensor), shapes[tensor].n_channels()));
            Kind::Concat(parts.collect())
        }
    }
}

fn affine(weights: &Weights, relu: bool, input: Place, geometry: Geometry) -> Affine {
    let taps = if input.is_board {
        let size = weights.n_taps.isqrt();
        // From the first cell of the window of the top left cell. Rows begin at a window's first cell.
        let skipped = geometry.border - size / 2;
        let cells = (0..size * size).map(|tap| {
            let (row, column) = (tap / size + skipped, tap % size + skipped);
            row * geometry.line() + column
        });
        cells.map(|cell| cell * input.stride).collect()
    } else {
        vec![0]
    };
    Affine {
        n_inputs: weights.n_inputs,
        n_outputs: weights.bias.len(),
        taps,
        weights: Aligned::new(&weights.weights),
        bias: Aligned::new(&weights.bias),
        relu,
    }
}

/// The rows of a convolution: the cells of a position.
pub(crate) fn rows_of_board(geometry: &Geometry, input: Place, output: Place) -> Rows {
    Rows {
        n_lines: geometry.height,
        n_rows: geometry.width,
        input_line: geometry.line() * input.stride,
        input_row: input.stride,
        output_line: geometry.line() * output.stride,
        output_row: output.stride,
    }
}

/// The rows of a fully connected layer: the positions.
pub(crate) fn rows_of_lists(n: usize, input: Place, output: Place) -> Rows {
    Rows {
        n_lines: 1,
        n_rows: n,
        input_line: 0,
        input_row: input.size,
        output_line: 0,
        output_row: output.size,
    }
}
