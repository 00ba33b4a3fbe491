//! ONNX files written byte by byte, and a slow reference that computes what they mean.

#![allow(dead_code)] // Not every test uses everything.

pub(crate) mod reference;

use tesuji_core::Rng;

/// A network as the list of its operations.
pub(crate) struct Net {
    pub(crate) planes: usize,
    pub(crate) height: usize,
    pub(crate) width: usize,
    pub(crate) n_logits: usize,
    pub(crate) nodes: Vec<Node>,
    pub(crate) constants: Vec<Constant>,
    pub(crate) outputs: Vec<(String, usize)>,
    pub(crate) metadata: Vec<(String, String)>,
}

pub(crate) struct Node {
    pub(crate) operator: &'static str,
    pub(crate) inputs: Vec<String>,
    pub(crate) output: String,
    pub(crate) integers: Vec<(&'static str, Vec<i64>)>,
    pub(crate) scalars: Vec<(&'static str, i64)>,
    pub(crate) floats: Vec<(&'static str, f32)>,
}

pub(crate) struct Constant {
    pub(crate) name: String,
    pub(crate) dimensions: Vec<usize>,
    pub(crate) floats: Vec<f32>,
    pub(crate) integers: Vec<i64>,
}

/// A field of a message with bytes.
fn bytes(number: u64, content: &[u8], to: &mut Vec<u8>) {
    varint(number << 3 | 2, to);
    varint(content.len() as u64, to);
    to.extend_from_slice(content);
}

fn integer(number: u64, value: i64, to: &mut Vec<u8>) {
    varint(number << 3, to);
    varint(value as u64, to);
}

fn varint(mut value: u64, to: &mut Vec<u8>) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

fn message(write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut content = Vec::new();
    write(&mut content);
    content
}

impl Net {
    pub(crate) fn new(planes: usize, height: usize, width: usize, n_logits: usize) -> Net {
        let numbers = [("planes", planes), ("height", height), ("width", width), ("logits", n_logits)];
        let mut metadata: Vec<(String, String)> =
            numbers.map(|(key, number)| (format!("tesuji.{key}"), number.to_string())).into();
        metadata.push(("tesuji.encoding".to_owned(), "go/1".to_owned()));
        metadata.push(("tesuji.game".to_owned(), "go:9".to_owned()));
        let outputs = vec![("logits".to_owned(), n_logits), ("value".to_owned(), 1)];
        Net { planes, height, width, n_logits, nodes: vec![], constants: vec![], outputs, metadata }
    }

    /// Adds an operation and returns the name of its result.
    pub(crate) fn node(&mut self, operator: &'static str, inputs: &[&str]) -> String {
        let output = format!("t{}", self.nodes.len());
        self.named_node(operator, inputs, &output);
        output
    }

    pub(crate) fn named_node(&mut self, operator: &'static str, inputs: &[&str], output: &str) {
        let inputs = inputs.iter().map(|&name| name.to_owned()).collect();
        let output = output.to_owned();
        self.nodes.push(Node { operator, inputs, output, integers: vec![], scalars: vec![], floats: vec![] });
    }

    pub(crate) fn constant(&mut self, dimensions: &[usize], floats: Vec<f32>) -> String {
        assert_eq!(dimensions.iter().product::<usize>(), floats.len());
        let name = format!("c{}", self.constants.len());
        let dimensions = dimensions.to_vec();
        self.constants.push(Constant { name: name.clone(), dimensions, floats, integers: vec![] });
        name
    }

    pub(crate) fn integers(&mut self, integers: &[i64]) -> String {
        let name = format!("c{}", self.constants.len());
        self.constants.push(Constant {
            name: name.clone(),
            dimensions: vec![integers.len()],
            floats: vec![],
            integers: integers.to_vec(),
        });
        name
    }

    fn random(&mut self, rng: &mut Rng, dimensions: &[usize], size: f64) -> String {
        let n = dimensions.iter().product();
        let floats = (0..n).map(|_| ((rng.unit() * 2.0 - 1.0) * size) as f32).collect();
        self.constant(dimensions, floats)
    }

    pub(crate) fn conv(&mut self, rng: &mut Rng, input: &str, from: usize, to: usize, size: usize) -> String {
        let scale = (3.0 / (from * size * size) as f64).sqrt();
        let weights = self.random(rng, &[to, from, size, size], scale);
        let bias = self.random(rng, &[to], 0.2);
        let output = self.node("Conv", &[input, &weights, &bias]);
        let node = self.nodes.last_mut().unwrap();
        node.integers.push(("pads", vec![size as i64 / 2; 4]));
        node.integers.push(("kernel_shape", vec![size as i64; 2]));
        output
    }

    pub(crate) fn gemm(&mut self, rng: &mut Rng, input: &str, from: usize, to: usize) -> String {
        let weights = self.random(rng, &[to, from], (3.0 / from as f64).sqrt());
        let bias = self.random(rng, &[to], 0.2);
        let output = self.node("Gemm", &[input, &weights, &bias]);
        self.nodes.last_mut().unwrap().scalars.push(("transB", 1));
        output
    }

    /// A residual network with the usual heads.
    pub(crate) fn residual(
        rng: &mut Rng,
        (planes, height, width): (usize, usize, usize),
        blocks: usize,
        channels: usize,
    ) -> Net {
        let cells = height * width;
        let mut net = Net::new(planes, height, width, cells + 1);
        let first = net.conv(rng, "planes", planes, channels, 3);
        let mut x = net.node("Relu", &[&first]);
        for _ in 0..blocks {
            let a = net.conv(rng, &x, channels, channels, 3);
            let a = net.node("Relu", &[&a]);
            let b = net.conv(rng, &a, channels, channels, 3);
            let sum = net.node("Add", &[&b, &x]);
            x = net.node("Relu", &[&sum]);
        }
        let policy = net.conv(rng, &x, channels, 2, 1);
        let policy = net.node("Relu", &[&policy]);
        let policy = net.node("Flatten", &[&policy]);
        let logits = net.gemm(rng, &policy, 2 * cells, cells + 1);
        net.named_node("Identity", &[&logits], "logits");
        let value = net.conv(rng, &x, channels, 1, 1);
        let value = net.node("Relu", &[&value]);
        let value = net.node("Flatten", &[&value]);
        let value = net.gemm(rng, &value, cells, 32);
        let value = net.node("Relu", &[&value]);
        let value = net.gemm(rng, &value, 32, 1);
        net.named_node("Sigmoid", &[&value], "value");
        net
    }

    /// A fully connected network.
    pub(crate) fn dense(
        rng: &mut Rng,
        (planes, height, width): (usize, usize, usize),
        layers: usize,
        width_of_layers: usize,
        n_logits: usize,
    ) -> Net {
        let mut net = Net::new(planes, height, width, n_logits);
        let mut x = net.node("Flatten", &["planes"]);
        let mut n = planes * height * width;
        for _ in 0..layers {
            let y = net.gemm(rng, &x, n, width_of_layers);
            x = net.node("Relu", &[&y]);
            n = width_of_layers;
        }
        let logits = net.gemm(rng, &x, n, n_logits);
        net.named_node("Identity", &[&logits], "logits");
        let value = net.gemm(rng, &x, n, 1);
        net.named_node("Sigmoid", &[&value], "value");
        net
    }

    /// A network with every operator that the kernel has.
    pub(crate) fn mixed(rng: &mut Rng) -> Net {
        let mut net = Net::new(3, 5, 4, 7);
        let first = net.conv(rng, "planes", 3, 10, 3);
        let normal = [
            net.random(rng, &[10], 1.0),
            net.random(rng, &[10], 1.0),
            net.random(rng, &[10], 0.5),
            net.constant(&[10], (0..10).map(|c| 0.5 + c as f32 / 10.0).collect()),
        ];
        let [gamma, beta, mean, variance] = &normal;
        let x = net.node("BatchNormalization", &[&first, gamma, beta, mean, variance]);
        let activated = net.node("Tanh", &[&x]);
        let pooled = net.node("GlobalAveragePool", &[&activated]);
        let shape = net.integers(&[-1, 10]);
        let pooled = net.node("Reshape", &[&pooled, &shape]);
        let gate = net.gemm(rng, &pooled, 10, 10);
        let gate = net.node("Sigmoid", &[&gate]);
        let axes = net.integers(&[2, 3]);
        let gate = net.node("Unsqueeze", &[&gate, &axes]);
        let gated = net.node("Mul", &[&activated, &gate]);
        let shifted = net.node("Add", &[&gate, &gated]);
        let constant = net.random(rng, &[10, 1, 1], 1.0);
        let shifted = net.node("Add", &[&shifted, &constant]);
        let wide = net.node("Concat", &[&shifted, "planes", &x]);
        net.nodes.last_mut().unwrap().scalars.push(("axis", 1));
        let wide = net.conv(rng, &wide, 23, 40, 5);
        let doubled = net.node("Add", &[&wide, &wide]);
        let peak = net.node("GlobalMaxPool", &[&doubled]);
        let peak = net.node("Flatten", &[&peak]);
        let mean = net.node("ReduceMean", &[&doubled, &axes]);
        net.nodes.last_mut().unwrap().scalars.push(("keepdims", 0));
        let both = net.node("Concat", &[&peak, &mean]);
        net.nodes.last_mut().unwrap().scalars.push(("axis", 1));
        let low = net.constant(&[], vec![-1.5]);
        let high = net.constant(&[], vec![2.0]);
        let both = net.node("Clip", &[&both, &low, &high]);
        let matrix = net.random(rng, &[80, 7], 0.3);
        let logits = net.node("MatMul", &[&both, &matrix]);
        let bias = net.random(rng, &[7], 1.0);
        net.named_node("Add", &[&logits, &bias], "logits");
        let logits = "logits".to_owned();
        net.named_node("Sigmoid", &[&logits], "move_values");
        let value = net.gemm(rng, &both, 80, 1);
        let value = net.node("Sigmoid", &[&value]);
        let axis = net.integers(&[1]);
        net.named_node("Squeeze", &[&value, &axis], "value");
        net.outputs[1].1 = 0;
        net.outputs.push(("move_values".to_owned(), 7));
        net
    }

    /// The bytes of the ONNX file.
    pub(crate) fn file(&self) -> Vec<u8> {
        self.file_with_listed_constants(0)
    }

    /// The bytes of the ONNX file, with `n` constants that are listed as inputs too, as old files do.
    pub(crate) fn file_with_listed_constants(&self, n: usize) -> Vec<u8> {
        let graph = message(|graph| {
            for node in &self.nodes {
                bytes(1, &node_bytes(node), graph);
            }
            bytes(2, b"test", graph);
            for constant in &self.constants {
                bytes(5, &constant_bytes(constant), graph);
            }
            for index in 0..n {
                let name = format!("listed constant {index}");
                bytes(5, &message(|tensor| bytes(8, name.as_bytes(), tensor)), graph);
                bytes(11, &message(|port| bytes(1, name.as_bytes(), port)), graph);
            }
            let input = [self.planes, self.height, self.width];
            bytes(11, &port_bytes("planes", &input), graph);
            for (name, n) in &self.outputs {
                let shape = [*n];
                bytes(12, &port_bytes(name, if *n == 0 { &[] } else { &shape }), graph);
            }
        });
        message(|model| {
            integer(1, 8, model);
            bytes(7, &graph, model);
            bytes(8, &message(|opset| integer(2, 18, opset)), model);
            for (key, value) in &self.metadata {
                let entry = message(|entry| {
                    bytes(1, key.as_bytes(), entry);
                    bytes(2, value.as_bytes(), entry);
                });
                bytes(14, &entry, model);
            }
        })
    }
}

fn node_bytes(node: &Node) -> Vec<u8> {
    message(|to| {
        node.inputs.iter().for_each(|name| bytes(1, name.as_bytes(), to));
        bytes(2, node.output.as_bytes(), to);
        bytes(4, node.operator.as_bytes(), to);
        for (name, list) in &node.integers {
            let attribute = message(|to| {
                bytes(1, name.as_bytes(), to);
                list.iter().for_each(|&value| integer(8, value, to));
                integer(20, 7, to);
            });
            bytes(5, &attribute, to);
        }
        for (name, value) in &node.floats {
            let attribute = message(|to| {
                bytes(1, name.as_bytes(), to);
                varint(2 << 3 | 5, to);
                to.extend(value.to_le_bytes());
                integer(20, 1, to);
            });
            bytes(5, &attribute, to);
        }
        for (name, value) in &node.scalars {
            let attribute = message(|to| {
                bytes(1, name.as_bytes(), to);
                integer(3, *value, to);
                integer(20, 2, to);
            });
            bytes(5, &attribute, to);
        }
    })
}

fn constant_bytes(constant: &Constant) -> Vec<u8> {
    message(|to| {
        constant.dimensions.iter().for_each(|&size| integer(1, size as i64, to));
        let is_float = constant.integers.is_empty();
        integer(2, if is_float { 1 } else { 7 }, to);
        bytes(8, constant.name.as_bytes(), to);
        if is_float {
            let raw: Vec<u8> = constant.floats.iter().flat_map(|value| value.to_le_bytes()).collect();
            bytes(9, &raw, to);
        } else {
            let packed = message(|to| constant.integers.iter().for_each(|&value| varint(value as u64, to)));
            bytes(7, &packed, to);
        }
    })
}

fn port_bytes(name: &str, shape: &[usize]) -> Vec<u8> {
    let shape = message(|to| {
        bytes(1, &message(|to| bytes(2, b"positions", to)), to);
        for &size in shape {
            bytes(1, &message(|to| integer(1, size as i64, to)), to);
        }
    });
    let tensor = message(|to| {
        integer(1, 1, to);
        bytes(2, &shape, to);
    });
    message(|to| {
        bytes(1, name.as_bytes(), to);
        bytes(2, &message(|to| bytes(1, &tensor, to)), to);
    })
}
