//! The layers of a network, and how those that follow each other become one.

use super::affine::LANES;
use crate::NetError;

/// The dimensions of a tensor after the first, which is the batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// Channels of the board.
    Board(usize),
    /// A list of `n` numbers: `[batch]`, `[batch, n]` or `[batch, n, 1, 1]` by the rank.
    Flat { n: usize, rank: usize },
}

impl Shape {
    /// The number of channels, or of numbers.
    pub(crate) fn n_channels(self) -> usize {
        match self {
            Shape::Board(n) | Shape::Flat { n, .. } => n,
        }
    }

    /// The number of dimensions, the batch included.
    pub(crate) fn rank(self) -> usize {
        match self {
            Shape::Board(_) => 4,
            Shape::Flat { rank, .. } => rank,
        }
    }

    /// The shape with another number of channels.
    pub(crate) fn with_channels(self, n: usize) -> Shape {
        match self {
            Shape::Board(_) => Shape::Board(n),
            Shape::Flat { rank, .. } => Shape::Flat { n, rank },
        }
    }

    /// Whether at most the number of channels differs.
    pub(crate) fn is_like(self, other: Shape) -> bool {
        self.with_channels(1) == other.with_channels(1)
    }
}

/// What is computed from tensors, which are named by their numbers.
#[derive(Debug)]
pub(crate) enum Operation {
    /// A convolution if the input is a board, otherwise a fully connected layer; then the sum with
    /// another tensor, and then the ReLU.
    Affine { input: usize, weights: Weights, added: Option<usize>, relu: bool },
    /// Each channel times its factor, plus its shift.
    Scale { input: usize, factors: Vec<f32>, shift: Vec<f32> },
    /// The sum; the second may have one number for each channel of the first.
    Sum(usize, usize),
    /// The product; the second may have one number for each channel of the first.
    Product(usize, usize),
    /// A function of each number.
    Function(Function, usize),
    /// The mean of each channel over the board.
    Mean(usize),
    /// The largest number of each channel on the board.
    Max(usize),
    /// A board as a list: channel by channel, row by row.
    Flatten(usize),
    /// The same numbers in another shape.
    Copy(usize),
    /// The channels of all tensors.
    Concat(Vec<usize>),
}

/// A function of a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Function {
    Relu,
    Sigmoid,
    Tanh,
    Clip(f32, f32),
}

impl Operation {
    /// Sums of inputs times weights.
    pub(crate) fn affine(input: usize, weights: Weights) -> Operation {
        Operation::Affine { input, weights, added: None, relu: false }
    }

    /// Whether all weights, biases, factors and shifts are finite. A ReLU would hide that they are not.
    pub(crate) fn is_finite(&self) -> bool {
        let are = |list: &[f32]| list.iter().all(|number| number.is_finite());
        match self {
            Operation::Affine { weights, .. } => are(&weights.weights) && are(&weights.bias),
            Operation::Scale { factors, shift, .. } => are(factors) && are(shift),
            _ => true,
        }
    }

    /// Calls `visit` with each tensor that is used.
    pub(crate) fn for_each_input(&self, mut visit: impl FnMut(usize)) {
        match self {
            Operation::Affine { input, added, .. } => {
                visit(*input);
                added.iter().copied().for_each(visit);
            }
            Operation::Sum(a, b) | Operation::Product(a, b) => {
                visit(*a);
                visit(*b);
            }
            Operation::Concat(inputs) => inputs.iter().copied().for_each(visit),
            Operation::Scale { input, .. }
            | Operation::Function(_, input)
            | Operation::Mean(input)
            | Operation::Max(input)
            | Operation::Flatten(input)
            | Operation::Copy(input) => visit(*input),
        }
    }
}

/// An operation and the tensor that it computes.
#[derive(Debug)]
pub(crate) struct Layer {
    /// What is computed.
    pub(crate) operation: Operation,
    /// The number of the tensor.
    pub(crate) output: usize,
}

/// The weights of a convolution or a fully connected layer.
#[derive(Debug)]
pub(crate) struct Weights {
    /// The number of cells of the convolution's window, 1 for fully connected layers.
    pub(crate) n_taps: usize,
    /// The number of input channels.
    pub(crate) n_inputs: usize,
    /// The number of output channels.
    pub(crate) n_outputs: usize,
    /// The weights by tap, input and output; outputs are padded with zeros.
    pub(crate) weights: Vec<f32>,
    /// The bias of each output, padded with zeros.
    pub(crate) bias: Vec<f32>,
}

impl Weights {
    /// Weights and biases of 0.
    pub(crate) fn new(n_taps: usize, n_inputs: usize, n_outputs: usize) -> Weights {
        let padded = n_outputs.next_multiple_of(LANES);
        let weights = vec![0.0; n_taps * n_inputs * padded];
        Weights { n_taps, n_inputs, n_outputs, weights, bias: vec![0.0; padded] }
    }

    /// Sets a weight.
    pub(crate) fn set(&mut self, tap: usize, input: usize, output: usize, weight: f32) {
        let padded = self.bias.len();
        self.weights[(tap * self.n_inputs + input) * padded + output] = weight;
    }

    /// Sets the biases of all outputs.
    pub(crate) fn set_bias(&mut self, bias: &[f32]) -> Result<(), NetError> {
        if bias.len() != self.n_outputs {
            return Err(NetError(format!(
                "a layer has {} biases for {} outputs",
                bias.len(),
                self.n_outputs
            )));
        }
        self.bias[..bias.len()].copy_from_slice(bias);
        Ok(())
    }

    /// Multiplies each output by its factor and adds its shift.
    fn scale(&mut self, factors: &[f32], shift: &[f32]) {
        for weights in self.weights.chunks_exact_mut(self.bias.len()) {
            weights.iter_mut().zip(factors).for_each(|(weight, factor)| *weight *= factor);
        }
        for ((bias, factor), shift) in self.bias.iter_mut().zip(factors).zip(shift) {
            *bias = bias.mul_add(*factor, *shift);
        }
    }
}

/// Joins layers with the one before them if nothing else uses its result: scales and shifts change the
/// weights, sums and ReLUs become the end of a layer. `kept` are the tensors that must remain.
pub(crate) fn fuse(layers: Vec<Layer>, shapes: &[Shape], kept: &[usize]) -> Vec<Layer> {
    let mut n_uses = vec![0_usize; shapes.len()];
    kept.iter().for_each(|&tensor| n_uses[tensor] += 1);
    for layer in &layers {
        layer.operation.for_each_input(|tensor| n_uses[tensor] += 1);
    }
    let mut fused: Vec<Layer> = Vec::with_capacity(layers.len());
    // The layer among `fused` that computes a tensor.
    let mut source: Vec<Option<usize>> = vec![None; shapes.len()];
    for Layer { operation, output } in layers {
        let rest = join(operation, output, &mut fused, &mut source, &n_uses, shapes);
        if let Some(operation) = rest {
            source[output] = Some(fused.len());
            fused.push(Layer { operation, output });
        }
    }
    fused
}

/// Joins an operation with an earlier layer, or returns it.
fn join(
    operation: Operation,
    output: usize,
    fused: &mut [Layer],
    source: &mut [Option<usize>],
    n_uses: &[usize],
    shapes: &[Shape],
) -> Option<Operation> {
    let candidates = match operation {
        Operation::Scale { input, .. } | Operation::Function(Function::Relu, input) => [Some(input), None],
        Operation::Sum(a, b) if shapes[a] == shapes[b] && a != b => [Some(a), Some(b)],
        _ => return Some(operation),
    };
    for tensor in candidates.into_iter().flatten() {
        let Some(index) = source[tensor].filter(|_| n_uses[tensor] == 1) else { continue };
        let Operation::Affine { weights, added, relu, .. } = &mut fused[index].operation else { continue };
        match &operation {
            Operation::Scale { factors, shift, .. } if added.is_none() && !*relu => {
                weights.scale(factors, shift);
            }
            Operation::Function(Function::Relu, _) if !*relu => *relu = true,
            Operation::Sum(a, b) if added.is_none() && !*relu => {
                let other = if *a == tensor { *b } else { *a };
                // What is added must have been computed before.
                if source[other].is_some_and(|other| other >= index) {
                    continue;
                }
                *added = Some(other);
            }
            _ => continue,
        }
        fused[index].output = output;
        source[tensor] = None;
        source[output] = Some(index);
        return None;
    }
    Some(operation)
}
