//! What a network means, computed slowly with doubles.

use super::{Constant, Net};
use std::collections::HashMap;

/// A tensor of one position: its dimensions without the batch, and its numbers.
#[derive(Clone)]
struct Tensor {
    dimensions: Vec<usize>,
    numbers: Vec<f64>,
}

/// The outputs of a network for one position, by name.
pub(crate) fn outputs(net: &Net, planes: &[f32]) -> HashMap<String, Vec<f64>> {
    let numbers = planes.iter().copied().map(f64::from).collect();
    let mut known = HashMap::new();
    let position = Tensor { dimensions: vec![net.planes, net.height, net.width], numbers };
    known.insert("planes".to_owned(), position);
    for node in &net.nodes {
        let constant = |i: usize| net.constants.iter().find(|constant| constant.name == node.inputs[i]);
        let tensor = |i: usize| known.get(&node.inputs[i]).cloned();
        let x = tensor(0).expect("the first input is computed");
        let map = |x: &Tensor, f: &dyn Fn(f64) -> f64| Tensor {
            dimensions: x.dimensions.clone(),
            numbers: x.numbers.iter().map(|&value| f(value)).collect(),
        };
        let flag = |name: &str, default: i64| {
            node.scalars.iter().find(|(key, _)| *key == name).map_or(default, |(_, value)| *value)
        };
        let result = match node.operator {
            "Conv" => convolution(&x, constant(1).unwrap(), constant(2).unwrap()),
            "Gemm" | "MatMul" => {
                let weights = constant(1).unwrap();
                let transposed = flag("transB", 0) == 1;
                let (n_in, n_out) = match (transposed, &weights.dimensions[..]) {
                    (true, &[rows, columns]) => (columns, rows),
                    (_, list) => (list[0], list[1]),
                };
                assert_eq!(n_in, x.numbers.len());
                let numbers = (0..n_out).map(|o| {
                    let bias = constant_at(node.inputs.get(2).and_then(|_| constant(2)), o);
                    let weight = |i| if transposed { o * n_in + i } else { i * n_out + o };
                    let products = (0..n_in).map(|i| x.numbers[i] * f64::from(weights.floats[weight(i)]));
                    bias + products.sum::<f64>()
                });
                Tensor { dimensions: vec![n_out], numbers: numbers.collect() }
            }
            "Relu" => map(&x, &|v| v.max(0.0)),
            "Tanh" => map(&x, &f64::tanh),
            "Sigmoid" => map(&x, &|v| 1.0 / (1.0 + (-v).exp())),
            "Identity" => x,
            "Clip" => {
                let bound = |i| f64::from(constant(i).unwrap().floats[0]);
                map(&x, &|v| v.clamp(bound(1), bound(2)))
            }
            "BatchNormalization" => {
                let at = |i: usize, c: usize| constant_at(constant(i), c);
                per_channel(&x, &|c, v| {
                    (v - at(3, c)) / (at(4, c) + f64::from(1e-5_f32)).sqrt() * at(1, c) + at(2, c)
                })
            }
            "Add" | "Mul" => {
                let apply = |a: f64, b: f64| if node.operator == "Add" { a + b } else { a * b };
                match tensor(1) {
                    None => {
                        let list = constant(1);
                        per_channel(&x, &|c, v| apply(v, constant_at(list, c)))
                    }
                    Some(y) if y.numbers.len() > x.numbers.len() => {
                        per_channel(&y, &|c, v| apply(x.numbers[c], v))
                    }
                    Some(y) if y.numbers.len() < x.numbers.len() => {
                        per_channel(&x, &|c, v| apply(v, y.numbers[c]))
                    }
                    Some(y) => Tensor {
                        dimensions: x.dimensions.clone(),
                        numbers: x.numbers.iter().zip(&y.numbers).map(|(&a, &b)| apply(a, b)).collect(),
                    },
                }
            }
            "GlobalAveragePool" | "GlobalMaxPool" | "ReduceMean" => {
                let cells = x.numbers.len() / x.dimensions[0];
                let pool = |cells: &[f64]| match node.operator {
                    "GlobalMaxPool" => cells.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                    _ => cells.iter().sum::<f64>() / cells.len() as f64,
                };
                let numbers = x.numbers.chunks(cells).map(pool).collect();
                Tensor { dimensions: vec![x.dimensions[0]], numbers }
            }
            "Flatten" | "Reshape" | "Squeeze" | "Unsqueeze" => {
                Tensor { dimensions: vec![x.numbers.len()], numbers: x.numbers }
            }
            "Concat" => {
                let parts: Vec<Tensor> = (0..node.inputs.len()).map(|i| tensor(i).unwrap()).collect();
                let mut dimensions = x.dimensions.clone();
                dimensions[0] = parts.iter().map(|part| part.dimensions[0]).sum();
                Tensor { dimensions, numbers: parts.into_iter().flat_map(|part| part.numbers).collect() }
            }
            other => panic!("the reference does not know {other}"),
        };
        known.insert(node.output.clone(), result);
    }
    known.into_iter().map(|(name, tensor)| (name, tensor.numbers)).collect()
}

/// A number of a constant that may have only one, or may be left out.
fn constant_at(constant: Option<&Constant>, index: usize) -> f64 {
    constant.map_or(0.0, |list| f64::from(list.floats[if list.floats.len() == 1 { 0 } else { index }]))
}

fn per_channel(x: &Tensor, f: &dyn Fn(usize, f64) -> f64) -> Tensor {
    let cells = x.numbers.len() / x.dimensions[0];
    let numbers = x.numbers.iter().enumerate().map(|(i, &value)| f(i / cells, value)).collect();
    Tensor { dimensions: x.dimensions.clone(), numbers }
}

fn convolution(x: &Tensor, weights: &Constant, bias: &Constant) -> Tensor {
    let &[n_in, height, width] = &x.dimensions[..] else { panic!("a board has three dimensions") };
    let (n_out, size) = (weights.dimensions[0], weights.dimensions[2]);
    let mut numbers = Vec::new();
    for o in 0..n_out {
        for row in 0..height {
            for column in 0..width {
                let mut sum = f64::from(bias.floats[o]);
                for i in 0..n_in {
                    for (dy, dx) in (0..size * size).map(|tap| (tap / size, tap % size)) {
                        let (y, x_) = (row + dy, column + dx);
                        let half = size / 2;
                        if y < half || x_ < half || y - half >= height || x_ - half >= width {
                            continue;
                        }
                        let value = x.numbers[(i * height + y - half) * width + x_ - half];
                        let weight = weights.floats[((o * n_in + i) * size + dy) * size + dx];
                        sum += value * f64::from(weight);
                    }
                }
                numbers.push(sum);
            }
        }
    }
    Tensor { dimensions: vec![n_out, height, width], numbers }
}
