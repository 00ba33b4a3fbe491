//! From the nodes of an ONNX file to the layers that the kernel computes.
//!
//! A tensor has the batch as its first dimension, and either channels of the whole board or a flat list of
//! numbers. Layers are in the order of the file; nothing is fused here except what changes weights.

use super::affine::LANES;
use super::layer::{Function, Layer, Operation, Shape, Weights};
use crate::NetError;
use crate::onnx::{FLOAT, Model, Node, Tensor};
use std::collections::HashMap;
use tesuji_core::{NetworkForm, shortened};

/// The number of channels that a tensor may have.
const MOST_CHANNELS: usize = 1 << 20;
/// The number of floats that the tensors of a position may have together.
const MOST_FLOATS: usize = 1 << 24;
/// The number of floats that the layers may read and write for a position, products with weights apart: a
/// small file can pool a large board in many layers. A residual network of 20 blocks with 256 channels on
/// 19x19 cells needs 40 million.
const MOST_TOUCHED: usize = 1 << 27;
/// A sigmoid or a tanh takes as long as to read or write `FUNCTION_COST` floats.
const FUNCTION_COST: usize = 8;
/// The number of weights, those that pad channels included: 128 MiB of floats. A residual network of 20
/// blocks with 256 channels has 24 million. A small file can use one tensor in many layers.
const MOST_WEIGHTS: usize = 1 << 25;

/// The layers of a network.
#[derive(Debug)]
pub(crate) struct Graph {
    /// The shapes of all tensors. The first is the position.
    pub(crate) shapes: Vec<Shape>,
    /// The layers, each after those whose results it uses.
    pub(crate) layers: Vec<Layer>,
    /// The number of the tensor of the logits.
    pub(crate) logits: usize,
    /// The number of the tensor of the value.
    pub(crate) value: usize,
    /// The number of the tensor of the values of moves, if the network predicts them.
    pub(crate) move_values: Option<usize>,
    /// The number of weights, those that pad channels included.
    pub(crate) n_weights: usize,
    /// The number of floats that the layers read and write for a position, padding included.
    pub(crate) n_touched: usize,
}

/// What a name of the file stands for.
#[derive(Clone)]
enum Named<'a> {
    Tensor(usize),
    Constant(Tensor<'a>),
}

/// Why a graph has no layers: it is wrong, or only more than this kernel can.
pub(crate) enum Refusal {
    /// Another backend may be able to run it.
    Unsupported(String),
    /// No backend can.
    Wrong(NetError),
}

impl From<NetError> for Refusal {
    fn from(error: NetError) -> Refusal {
        Refusal::Wrong(error)
    }
}

fn unsupported<T>(what: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Unsupported(what.into()))
}

/// An operator by its name, if it has one.
fn operator(name: &str) -> String {
    match shortened(name).trim() {
        "" => "an operator without a name".to_owned(),
        name => format!("the operator {name}"),
    }
}

impl Graph {
    /// The layers of a file for positions of a form.
    pub(crate) fn new(model: &Model<'_>, form: &NetworkForm) -> Result<Graph, Refusal> {
        let position = Shape::Board(form.planes);
        let mut builder = Builder {
            form,
            shapes: vec![position],
            layers: Vec::new(),
            names: HashMap::from([("planes", Named::Tensor(0))]),
            opset: model.opset,
            n_weights: 0,
            n_floats: 0,
            n_touched: 0,
        };
        for tensor in &model.initializers {
            builder.names.insert(tensor.name, Named::Constant(tensor.clone()));
        }
        for node in &model.nodes {
            builder.node(node)?;
        }
        let logits = builder.output("logits", form.n_logits)?;
        let value = builder.output("value", 1)?;
        let has_move_values = model.outputs.iter().any(|output| output.name == "move_values");
        let move_values =
            if has_move_values { Some(builder.output("move_values", form.n_logits)?) } else { None };
        let Builder { shapes, layers, n_weights, n_touched, .. } = builder;
        Ok(Graph { shapes, layers, logits, value, move_values, n_weights, n_touched })
    }
}

struct Builder<'a, 'f> {
    form: &'f NetworkForm,
    shapes: Vec<Shape>,
    layers: Vec<Layer>,
    names: HashMap<&'a str, Named<'a>>,
    opset: i64,
    n_weights: usize,
    n_floats: usize,
    n_touched: usize,
}

impl<'a> Builder<'a, '_> {
    fn node(&mut self, node: &Node<'a>) -> Result<(), Refusal> {
        if !node.domain.is_empty() && node.domain != "ai.onnx" {
            return unsupported(operator(node.operator));
        }
        let Some(&output) = node.outputs.first() else {
            return Err(NetError("an operation of the graph has no output".to_owned()).into());
        };
        let result = match node.operator {
            "Constant" => match node.tensor("value") {
                Some(tensor) => Named::Constant(tensor.clone()),
                None => return unsupported("a constant that is not a tensor"),
            },
            "Identity" | "Dropout" => self.named(node, 0)?,
            "Cast" => {
                if node.integer("to", 0) != FLOAT {
                    return unsupported("a Cast to another type than float");
                }
                match self.named(node, 0)? {
                    Named::Constant(tensor) if !tensor.is_float() => {
                        return unsupported("a Cast of integers");
                    }
                    named => named,
                }
            }
            "Conv" => self.convolution(node)?,
            "Gemm" => self.gemm(node)?,
            "MatMul" => self.matmul(node)?,
            "BatchNormalization" => self.batch_normalization(node)?,
            "Add" => self.binary(node, false)?,
            "Mul" => self.binary(node, true)?,
            "Relu" => self.function(node, Function::Relu)?,
            "Sigmoid" => self.function(node, Function::Sigmoid)?,
            "Tanh" => self.function(node, Function::Tanh)?,
            "Clip" => {
                let low = self.bound(node, 1, "min")?.unwrap_or(f32::NEG_INFINITY);
                let high = self.bound(node, 2, "max")?.unwrap_or(f32::INFINITY);
                if low.is_nan() || high.is_nan() || low > high {
                    return unsupported("a Clip without values");
                }
                self.function(node, Function::Clip(low, high))?
            }
            "GlobalAveragePool" => self.pool(node, Operation::Mean, true)?,
            "GlobalMaxPool" => self.pool(node, Operation::Max, true)?,
            "ReduceMean" => {
                let mut axes = self.axes(node)?;
                axes.iter_mut().for_each(|axis| *axis += if *axis < 0 { 4 } else { 0 });
                axes.sort_unstable();
                if axes != [2, 3] {
                    return unsupported("a ReduceMean over other axes than those of the board");
                }
                self.pool(node, Operation::Mean, node.integer("keepdims", 1) != 0)?
            }
            "Flatten" => {
                if node.integer("axis", 1) != 1 {
                    return unsupported("a Flatten of another axis than 1");
                }
                let id = self.tensor(node, 0)?;
                Named::Tensor(self.reshaped(id, &[0, -1])?)
            }
            "Reshape" => {
                let id = self.tensor(node, 0)?;
                let shape = self.constant(node, 1)?.integers()?;
                Named::Tensor(self.reshaped(id, &shape)?)
            }
            "Squeeze" | "Unsqueeze" => self.squeeze(node)?,
            "Concat" => self.concat(node)?,
            other => return unsupported(operator(other)),
        };
        self.names.insert(output, result);
        Ok(())
    }

    fn named(&self, node: &Node<'a>, index: usize) -> Result<Named<'a>, Refusal> {
        let Some(name) = node.input(index) else {
            let problem = format!("{} has no input {}", shortened(node.operator), index + 1);
            return Err(NetError(problem).into());
        };
        self.names.get(name).cloned().ok_or_else(|| {
            let operator = shortened(node.operator);
            NetError(format!("{operator} uses '{}', which nothing computes", shortened(name))).into()
        })
    }

    fn tensor(&self, node: &Node<'a>, index: usize) -> Result<usize, Refusal> {
        match self.named(node, index)? {
            Named::Tensor(id) => Ok(id),
            Named::Constant(_) => unsupported(format!("{} of a constant", shortened(node.operator))),
        }
    }

    fn constant(&self, node: &Node<'a>, index: usize) -> Result<Tensor<'a>, Refusal> {
        match self.named(node, index)? {
            Named::Constant(tensor) => Ok(tensor),
            Named::Tensor(_) => {
                unsupported(format!("{} whose input {} is computed", shortened(node.operator), index + 1))
            }
        }
    }

    /// A new tensor that a layer computes.
    fn push(&mut self, operation: Operation, shape: Shape) -> Result<Named<'a>, Refusal> {
        let n = shape.n_channels();
        self.n_floats += match shape {
            Shape::Board(_) => n.saturating_mul(self.form.height * self.form.width),
            Shape::Flat { .. } => n,
        };
        if n == 0 || n > MOST_CHANNELS || self.n_floats > MOST_FLOATS {
            let problem =
                format!("its tensors are too large: {n} channels, {} floats together", self.n_floats);
            return Err(NetError(problem).into());
        }
        let written = self.n_padded(shape);
        self.n_touched = self.n_touched.saturating_add(match operation {
            Operation::Function(Function::Sigmoid | Function::Tanh, _) => {
                written.saturating_mul(FUNCTION_COST)
            }
            _ => written,
        });
        operation.for_each_input(|input| {
            self.n_touched = self.n_touched.saturating_add(self.n_padded(self.shapes[input]));
        });
        if self.n_touched > MOST_TOUCHED {
            let problem = format!("its layers read and write more than {MOST_TOUCHED} floats for a position");
            return Err(NetError(problem).into());
        }
        self.shapes.push(shape);
        let output = self.shapes.len() - 1;
        self.layers.push(Layer { operation, output });
        Ok(Named::Tensor(output))
    }

    /// The number of floats of a tensor in memory, the border of a board apart.
    fn n_padded(&self, shape: Shape) -> usize {
        let n = shape.n_channels().next_multiple_of(LANES);
        match shape {
            Shape::Board(_) => n.saturating_mul(self.form.height * self.form.width),
            Shape::Flat { .. } => n,
        }
    }

    /// Counts weights before they are made.
    fn count_weights(&mut self, n_taps: usize, n_inputs: usize, n_outputs: usize) -> Result<(), Refusal> {
        let n = n_outputs
            .checked_next_multiple_of(LANES)
            .and_then(|n| n.checked_mul(n_inputs)?.checked_mul(n_taps))
            .unwrap_or(usize::MAX);
        self.n_weights = self.n_weights.saturating_add(n);
        if self.n_weights > MOST_WEIGHTS {
            return Err(NetError(format!(
                "it has more than {MOST_WEIGHTS} weights, each use of a tensor counted"
            ))
            .into());
        }
        Ok(())
    }

    fn convolution(&mut self, node: &Node<'a>) -> Result<Named<'a>, Refusal> {
        let input = self.tensor(node, 0)?;
        let kernel = self.constant(node, 1)?;
        let &[n_outputs, of_kernel, size, width] = &kernel.dimensions[..] else {
            return unsupported("a Conv that is not of two dimensions");
        };
        // A Conv of one cell over what was pooled is a fully connected layer.
        let (n_inputs, shape) = match self.shapes[input] {
            Shape::Board(n) => (n, Shape::Board(n_outputs)),
            Shape::Flat { n, rank: 4 } if size == 1 => (n, Shape::Flat { n: n_outputs, rank: 4 }),
            Shape::Flat { .. } => return unsupported("a Conv of what is no board"),
        };
        let all = |name: &str, value: i64| {
            node.integers(name).is_none_or(|list| list.iter().all(|&item| item == value))
        };
        let pads = match node.text("auto_pad") {
            Some(b"SAME_UPPER" | b"SAME_LOWER") => true,
            None | Some(b"NOTSET") => {
                let pads = node.integers("pads").unwrap_or(&[0, 0, 0, 0]);
                pads.len() == 4 && pads.iter().all(|&pad| pad == size as i64 / 2)
            }
            Some(_) => size == 1,
        };
        if size != width || size.is_multiple_of(2) || size > 9 || !pads {
            return unsupported("a Conv that changes the size of the board");
        }
        if !all("strides", 1) || !all("dilations", 1) || node.integer("group", 1) != 1 {
            return unsupported("a Conv with strides, dilations or groups");
        }
        if of_kernel != n_inputs {
            let problem =
                format!("a Conv has weights for {of_kernel} channels and {n_inputs} channels as input");
            return Err(NetError(problem).into());
        }
        self.count_weights(size * size, n_inputs, n_outputs)?;
        let kernel = kernel.floats()?;
        let mut weights = Weights::new(size * size, n_inputs, n_outputs);
        for output in 0..n_outputs {
            for i in 0..n_inputs {
                for tap in 0..size * size {
                    let index = (output * n_inputs + i) * size * size + tap;
                    weights.set(tap, i, output, kernel[index]);
                }
            }
        }
        if node.input(2).is_some() {
            weights.set_bias(&self.constant(node, 2)?.floats()?)?;
        }
        self.push(Operation::affine(input, weights), shape)
    }

    /// A fully connected layer. `weights` are by input and output, or the reverse if `transposed`.
    fn dense(
        &mut self,
        input: usize,
        weights: &Tensor<'a>,
        transposed: bool,
        alpha: f32,
    ) -> Result<(Weights, Shape), Refusal> {
        let Shape::Flat { n: n_inputs, rank: 2 } = self.shapes[input] else {
            return unsupported("a matrix product of a tensor that does not have two dimensions");
        };
        let &[rows, columns] = &weights.dimensions[..] else {
            return unsupported("a matrix product with a tensor that does not have two dimensions");
        };
        let (rows, n_outputs) = if transposed { (columns, rows) } else { (rows, columns) };
        if rows != n_inputs {
            let problem = format!("a layer has weights for {rows} inputs and {n_inputs} inputs");
            return Err(NetError(problem).into());
        }
        self.count_weights(1, n_inputs, n_outputs)?;
        let matrix = weights.floats()?;
        let mut weights = Weights::new(1, n_inputs, n_outputs);
        for i in 0..n_inputs {
            for output in 0..n_outputs {
                let index = if transposed { output * n_inputs + i } else { i * n_outputs + output };
                weights.set(0, i, output, alpha * matrix[index]);
            }
        }
        Ok((weights, Shape::Flat { n: n_outputs, rank: 2 }))
    }

    fn gemm(&mut self, node: &Node<'a>) -> Result<Named<'a>, Refusal> {
        if node.integer("transA", 0) != 0 {
            return unsupported("a Gemm that transposes positions");
        }
        let input = self.tensor(node, 0)?;
        let matrix = self.constant(node, 1)?;
        let alpha = node.float("alpha").unwrap_or(1.0);
        let (mut weights, shape) = self.dense(input, &matrix, node.integer("transB", 0) != 0, alpha)?;
        if node.input(2).is_some() {
            let beta = node.float("beta").unwrap_or(1.0);
            let bias = self.per_channel(&self.constant(node, 2)?, shape)?;
            weights.set_bias(&bias.iter().map(|value| beta * value).collect::<Vec<f32>>())?;
        }
        self.push(Operation::affine(input, weights), shape)
    }

    fn matmul(&mut self, node: &Node<'a>) -> Result<Named<'a>, Refusal> {
        let input = self.tensor(node, 0)?;
        let matrix = self.constant(node, 1)?;
        let (weights, shape) = self.dense(input, &matrix, false, 1.0)?;
        self.push(Operation::affine(input, weights), shape)
    }

    /// The constant as one number for each channel of a shape.
    fn per_channel(&self, constant: &Tensor<'a>, shape: Shape) -> Result<Vec<f32>, Refusal> {
        let rank = shape.rank();
        let n = shape.n_channels();
        let floats = constant.floats()?;
        if floats.len() == 1 {
            return Ok(vec![floats[0]; n]);
        }
        // Dimensions are aligned at the last. Only that of the channels may have more than 1.
        let given = &constant.dimensions;
        let fits = given.len() <= rank
            && given.iter().enumerate().all(|(i, &size)| {
                let dimension = i + rank - given.len();
                size == 1 || (dimension == 1 && size == n)
            });
        if fits && floats.len() == n {
            Ok(floats)
        } else {
            unsupported("a constant that differs from cell to cell")
        }
    }

    fn scale(&mut self, input: usize, factors: Vec<f32>, shift: Vec<f32>) -> Result<Named<'a>, Refusal> {
        let shape = self.shapes[input];
        // The layer before becomes another one if nothing else used its result.
        self.push(Operation::Scale { input, factors, shift }, shape)
    }

    fn batch_normalization(&mut self, node: &Node<'a>) -> Result<Named<'a>, Refusal> {
        let input = self.tensor(node, 0)?;
        let n = self.shapes[input].n_channels();
        let mut lists = Vec::new();
        for index in 1..5 {
            let list = self.constant(node, index)?.floats()?;
            if list.len() != n {
                let problem = format!("a BatchNormalization has {} numbers for {n} channels", list.len());
                return Err(NetError(problem).into());
            }
            lists.push(list);
        }
        let epsilon = f64::from(node.float("epsilon").unwrap_or(1e-5));
        let is_positive = |&variance: &f32| f64::from(variance) + epsilon > 0.0;
        if !lists[3].iter().all(is_positive) {
            let problem = "a BatchNormalization has a variance that is not above 0";
            return Err(NetError(problem.to_owned()).into());
        }
        let factors: Vec<f64> =
            (0..n).map(|c| f64::from(lists[0][c]) / (f64::from(lists[3][c]) + epsilon).sqrt()).collect();
        let shift = (0..n).map(|c| (f64::from(lists[1][c]) - f64::from(lists[2][c]) * factors[c]) as f32);
        let shift = shift.collect();
        self.scale(input, factors.into_iter().map(|factor| factor as f32).collect(), shift)
    }

    fn binary(&mut self, node: &Node<'a>, is_product: bool) -> Result<Named<'a>, Refusal> {
        let (a, b) = match (self.named(node, 0)?, self.named(node, 1)?) {
            (Named::Tensor(id), Named::Constant(constant))
            | (Named::Constant(constant), Named::Tensor(id)) => {
                let shape = self.shapes[id];
                let list = self.per_channel(&constant, shape)?;
                let n = list.len();
                return if is_product {
                    self.scale(id, list, vec![0.0; n])
                } else {
                    self.scale(id, vec![1.0; n], list)
                };
            }
            (Named::Tensor(a), Named::Tensor(b)) => (a, b),
            _ => return unsupported(format!("{} of two constants", node.operator)),
        };
        let (a, b) = match (self.shapes[a], self.shapes[b]) {
            (one, other) if one == other => (a, b),
            (Shape::Board(n), Shape::Flat { n: m, rank: 4 }) if n == m => (a, b),
            (Shape::Flat { n: m, rank: 4 }, Shape::Board(n)) if n == m => (b, a),
            _ => return unsupported(format!("{} of tensors with different shapes", node.operator)),
        };
        let shape = self.shapes[a];
        let operation = if is_product { Operation::Product(a, b) } else { Operation::Sum(a, b) };
        self.push(operation, shape)
    }

    fn function(&mut self, node: &Node<'a>, function: Function) -> Result<Named<'a>, Refusal> {
        let input = self.tensor(node, 0)?;
        self.push(Operation::Function(function, input), self.shapes[input])
    }

    /// A bound of a Clip: an attribute in old files, an input in new ones.
    fn bound(&self, node: &Node<'a>, index: usize, name: &str) -> Result<Option<f32>, Refusal> {
        if node.input(index).is_none() {
            return Ok(node.float(name));
        }
        let floats = self.constant(node, index)?.floats()?;
        if floats.len() == 1 { Ok(Some(floats[0])) } else { unsupported("a Clip with lists") }
    }

    fn pool(
        &mut self,
        node: &Node<'a>,
        operation: fn(usize) -> Operation,
        keeps_rank: bool,
    ) -> Result<Named<'a>, Refusal> {
        let input = self.tensor(node, 0)?;
        let Shape::Board(n) = self.shapes[input] else {
            return unsupported(format!("{} of what is no board", node.operator));
        };
        self.push(operation(input), Shape::Flat { n, rank: if keeps_rank { 4 } else { 2 } })
    }

    /// The axes of a node: an attribute in old files, an input in new ones.
    fn axes(&self, node: &Node<'a>) -> Result<Vec<i64>, Refusal> {
        match node.integers("axes") {
            Some(axes) => Ok(axes.to_vec()),
            None if node.input(1).is_some() => Ok(self.constant(node, 1)?.integers()?),
            None => unsupported(format!("{} without axes (opset {})", node.operator, self.opset)),
        }
    }

    fn squeeze(&mut self, node: &Node<'a>) -> Result<Named<'a>, Refusal> {
        let input = self.tensor(node, 0)?;
        let axes = self.axes(node)?;
        let Shape::Flat { n, rank } = self.shapes[input] else {
            return unsupported(format!("{} of a board", node.operator));
        };
        let squeezes = node.operator == "Squeeze";
        let full = if squeezes { rank } else { rank + axes.len() } as i64;
        let mut axes: Vec<i64> =
            axes.into_iter().map(|axis| if axis < 0 { axis + full } else { axis }).collect();
        axes.sort_unstable();
        let rank = match (squeezes, rank, &axes[..]) {
            (true, 2, [1]) if n == 1 => 1,
            (true, 4, [2, 3]) => 2,
            (false, 1, [1]) => 2,
            (false, 2, [2, 3]) => 4,
            _ => return unsupported(format!("{} of these axes", node.operator)),
        };
        self.push(Operation::Copy(input), Shape::Flat { n, rank })
    }

    /// A tensor in another shape, whose first dimension is the batch.
    fn reshaped(&mut self, input: usize, shape: &[i64]) -> Result<usize, Refusal> {
        let from = self.shapes[input];
        let cells = self.form.height * self.form.width;
        let n = match from {
            Shape::Board(n) => n * cells,
            Shape::Flat { n, .. } => n,
        };
        let Some((&batch, rest)) = shape.split_first() else {
            return unsupported("a Reshape to a single number");
        };
        let known = rest
            .iter()
            .filter(|&&size| size != -1)
            .try_fold(1_usize, |product, &size| product.checked_mul(usize::try_from(size).ok()?));
        let n_open = rest.iter().filter(|&&size| size == -1).count();
        let Some(known) = known.filter(|&known| known > 0 && n.is_multiple_of(known)) else {
            return unsupported("a Reshape that mixes positions");
        };
        let is_batch = matches!(batch, 0 | 1) || (batch == -1 && n_open == 0);
        if !is_batch || n_open > 1 || (n_open == 0 && known != n) {
            return unsupported("a Reshape that mixes positions");
        }
        let sizes: Vec<usize> =
            rest.iter().map(|&size| if size == -1 { n / known } else { size as usize }).collect();
        let to = match (from, &sizes[..]) {
            (Shape::Board(c), &[channels, height, width])
                if (channels, height, width) == (c, self.form.height, self.form.width) =>
            {
                return Ok(input);
            }
            (_, []) => Shape::Flat { n, rank: 1 },
            (_, &[n]) => Shape::Flat { n, rank: 2 },
            (_, &[n, 1, 1]) => Shape::Flat { n, rank: 4 },
            _ => return unsupported("a Reshape to this shape"),
        };
        let operation = match from {
            Shape::Board(_) => Operation::Flatten(input),
            Shape::Flat { .. } => Operation::Copy(input),
        };
        match self.push(operation, to)? {
            Named::Tensor(id) => Ok(id),
            Named::Constant(_) => unreachable!("layers compute tensors"),
        }
    }

    fn concat(&mut self, node: &Node<'a>) -> Result<Named<'a>, Refusal> {
        let inputs: Vec<usize> =
            (0..node.inputs.len()).map(|index| self.tensor(node, index)).collect::<Result<_, _>>()?;
        let Some(&first) = inputs.first() else {
            return unsupported("a Concat of nothing");
        };
        let first = self.shapes[first];
        let axis = node.integer("axis", 1);
        // The only axis of a tensor of one dimension is the batch.
        let rank = first.rank() as i64;
        if rank < 2 || (axis != 1 && axis != 1 - rank) {
            return unsupported("a Concat of another axis than that of the channels");
        }
        if inputs.iter().any(|&id| !self.shapes[id].is_like(first)) {
            return unsupported("a Concat of tensors with different shapes");
        }
        let n = inputs.iter().fold(0_usize, |n, &id| n.saturating_add(self.shapes[id].n_channels()));
        self.push(Operation::Concat(inputs), first.with_channels(n))
    }

    /// The tensor of an output, which has `n` numbers for each position.
    fn output(&mut self, name: &str, n: usize) -> Result<usize, Refusal> {
        match self.names.get(name) {
            Some(&Named::Tensor(id)) => match self.shapes[id] {
                Shape::Flat { n: found, rank: 1 | 2 } if found == n => Ok(id),
                Shape::Flat { n: found, rank: 1 | 2 } => {
                    let problem = format!("its output '{name}' has {found} numbers for a position, not {n}");
                    Err(NetError(problem).into())
                }
                _ => Err(NetError(format!("its output '{name}' has not the shape [positions, {n}]")).into()),
            },
            _ => Err(NetError(format!("it does not compute the output '{name}'")).into()),
        }
    }
}
