//! Reading ONNX files.
//!
//! This is as much of the format as networks for games need: the nodes of the graph, the weights, the
//! shapes of inputs and outputs, and the metadata. Names and weights stay slices of the file; weights are
//! decoded when a kernel asks for them. A file that is no ONNX file is an error, never a panic, and costs
//! little memory.

use crate::NetError;
use crate::protobuf::{Budget, Field, Message};

/// The number of dimensions that a tensor may have.
const MOST_DIMENSIONS: usize = 8;

/// The number of integers that a list, such as the shape of a reshape, may have.
const MOST_INTEGERS: usize = 64;

/// A file: what it computes and what it says about itself.
#[derive(Default, Debug)]
pub(crate) struct Model<'a> {
    /// The nodes, each after those whose results it uses.
    pub(crate) nodes: Vec<Node<'a>>,
    /// The weights and other constants.
    pub(crate) initializers: Vec<Tensor<'a>>,
    /// What the graph computes from. Old files list initializers here too.
    pub(crate) inputs: Vec<ValueInfo<'a>>,
    /// What the graph computes.
    pub(crate) outputs: Vec<ValueInfo<'a>>,
    /// Keys and values of the metadata.
    pub(crate) metadata: Vec<(&'a str, &'a str)>,
    /// The version of the standard operators, 0 if the file does not say.
    pub(crate) opset: i64,
}

/// An operation of the graph.
#[derive(Default, Debug)]
pub(crate) struct Node<'a> {
    /// The name of the operator.
    pub(crate) operator: &'a str,
    /// The collection of operators, empty for the standard.
    pub(crate) domain: &'a str,
    /// The names of the inputs. An optional input that is left out has an empty name.
    pub(crate) inputs: Vec<&'a str>,
    /// The names of the outputs.
    pub(crate) outputs: Vec<&'a str>,
    /// The attributes.
    pub(crate) attributes: Vec<Attribute<'a>>,
}

/// A named constant of an operation.
#[derive(Default, Debug)]
pub(crate) struct Attribute<'a> {
    name: &'a str,
    integer: Option<i64>,
    float: Option<f32>,
    text: Option<&'a [u8]>,
    integers: Vec<i64>,
    tensor: Option<Tensor<'a>>,
}

/// Weights, or another constant.
#[derive(Clone, Default, Debug)]
pub(crate) struct Tensor<'a> {
    /// The name by which nodes use it.
    pub(crate) name: &'a str,
    /// The dimensions.
    pub(crate) dimensions: Vec<usize>,
    data_type: i64,
    raw: Option<&'a [u8]>,
    /// `float_data` in packed form, which has the bytes of `raw`.
    floats: Option<&'a [u8]>,
    /// `int64_data` in packed form.
    int64s: Option<&'a [u8]>,
    /// `int32_data` in packed form, which float16 uses too.
    int32s: Option<&'a [u8]>,
    is_external: bool,
}

/// The name and the shape of an input or output.
#[derive(Default, Debug)]
pub(crate) struct ValueInfo<'a> {
    /// Its name.
    pub(crate) name: &'a str,
    /// The type of its elements in ONNX's numbering, 0 if the file does not say.
    pub(crate) element_type: i64,
    /// Its dimensions, `None` for those that vary; `None` if the file does not say.
    pub(crate) dimensions: Option<Vec<Option<i64>>>,
}

/// ONNX's number for f32.
pub(crate) const FLOAT: i64 = 1;
const INT32: i64 = 6;
const INT64: i64 = 7;
const FLOAT16: i64 = 10;

impl<'a> Model<'a> {
    /// Reads a file.
    pub(crate) fn read(bytes: &'a [u8], budget: &'a Budget) -> Result<Model<'a>, NetError> {
        let mut model = Model::default();
        let mut graph = None;
        let mut message = Message::new(bytes, budget);
        while let Some((number, field)) = message.next()? {
            match number {
                7 => graph = Some(field.bytes()?),
                8 => model.read_opset(field, budget)?,
                14 => {
                    let (mut key, mut value) = ("", "");
                    let mut entry = Message::new(field.bytes()?, budget);
                    while let Some((number, field)) = entry.next()? {
                        match number {
                            1 => key = field.text()?,
                            2 => value = field.text()?,
                            _ => {}
                        }
                    }
                    model.metadata.push((key, value));
                }
                _ => {}
            }
        }
        let graph = graph.ok_or_else(|| NetError("it is not an ONNX file: it has no graph".to_owned()))?;
        let mut message = Message::new(graph, budget);
        while let Some((number, field)) = message.next()? {
            match number {
                1 => model.nodes.push(Node::read(field.bytes()?, budget)?),
                5 => model.initializers.push(Tensor::read(field.bytes()?, budget)?),
                11 => model.inputs.push(ValueInfo::read(field.bytes()?, budget)?),
                12 => model.outputs.push(ValueInfo::read(field.bytes()?, budget)?),
                _ => {}
            }
        }
        Ok(model)
    }

    fn read_opset(&mut self, field: Field<'a>, budget: &'a Budget) -> Result<(), NetError> {
        let (mut domain, mut version) = ("", 0);
        let mut entry = Message::new(field.bytes()?, budget);
        while let Some((number, field)) = entry.next()? {
            match number {
                1 => domain = field.text()?,
                2 => version = field.integer()?,
                _ => {}
            }
        }
        if domain.is_empty() || domain == "ai.onnx" {
            self.opset = version;
        }
        Ok(())
    }

    /// The value of a key of the metadata.
    pub(crate) fn metadata(&self, key: &str) -> Option<&'a str> {
        self.metadata.iter().find(|(name, _)| *name == key).map(|&(_, value)| value)
    }
}

impl<'a> Node<'a> {
    fn read(bytes: &'a [u8], budget: &'a Budget) -> Result<Node<'a>, NetError> {
        let mut node = Node::default();
        let mut message = Message::new(bytes, budget);
        while let Some((number, field)) = message.next()? {
            match number {
                1 => node.inputs.push(field.text()?),
                2 => node.outputs.push(field.text()?),
                4 => node.operator = field.text()?,
                5 => node.attributes.push(Attribute::read(field.bytes()?, budget)?),
                7 => node.domain = field.text()?,
                _ => {}
            }
        }
        Ok(node)
    }

    /// The name of an input, or `None` if it was left out.
    pub(crate) fn input(&self, index: usize) -> Option<&'a str> {
        self.inputs.get(index).copied().filter(|name| !name.is_empty())
    }

    /// An attribute that is an integer.
    pub(crate) fn integer(&self, name: &str, default: i64) -> i64 {
        self.attribute(name).and_then(|attribute| attribute.integer).unwrap_or(default)
    }

    /// An attribute that is a float.
    pub(crate) fn float(&self, name: &str) -> Option<f32> {
        self.attribute(name).and_then(|attribute| attribute.float)
    }

    /// An attribute that is a list of integers.
    pub(crate) fn integers(&self, name: &str) -> Option<&[i64]> {
        self.attribute(name).map(|attribute| &attribute.integers[..])
    }

    /// An attribute that is a text.
    pub(crate) fn text(&self, name: &str) -> Option<&'a [u8]> {
        self.attribute(name).and_then(|attribute| attribute.text)
    }

    /// An attribute that is a tensor.
    pub(crate) fn tensor(&self, name: &str) -> Option<&Tensor<'a>> {
        self.attribute(name).and_then(|attribute| attribute.tensor.as_ref())
    }

    fn attribute(&self, name: &str) -> Option<&Attribute<'a>> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }
}

impl<'a> Attribute<'a> {
    fn read(bytes: &'a [u8], budget: &'a Budget) -> Result<Attribute<'a>, NetError> {
        let mut attribute = Attribute::default();
        let mut message = Message::new(bytes, budget);
        while let Some((number, field)) = message.next()? {
            match number {
                1 => attribute.name = field.text()?,
                2 => attribute.float = Some(field.float()?),
                3 => attribute.integer = Some(field.integer()?),
                4 => attribute.text = Some(field.bytes()?),
                5 => attribute.tensor = Some(Tensor::read(field.bytes()?, budget)?),
                8 => field.integers(&mut attribute.integers, MOST_INTEGERS)?,
                _ => {}
            }
        }
        Ok(attribute)
    }
}

impl<'a> Tensor<'a> {
    fn read(bytes: &'a [u8], budget: &'a Budget) -> Result<Tensor<'a>, NetError> {
        let mut tensor = Tensor::default();
        let mut dimensions = Vec::new();
        let mut message = Message::new(bytes, budget);
        while let Some((number, field)) = message.next()? {
            match number {
                1 => field.integers(&mut dimensions, MOST_DIMENSIONS)?,
                2 => tensor.data_type = field.integer()?,
                4 => tensor.floats = Some(field.bytes()?),
                5 => tensor.int32s = Some(field.bytes()?),
                7 => tensor.int64s = Some(field.bytes()?),
                8 => tensor.name = field.text()?,
                9 => tensor.raw = Some(field.bytes()?),
                14 => tensor.is_external = field.integer()? != 0,
                _ => {}
            }
        }
        for dimension in dimensions {
            let dimension = usize::try_from(dimension)
                .map_err(|_| tensor.problem(&format!("has the dimension {dimension}")))?;
            tensor.dimensions.push(dimension);
        }
        Ok(tensor)
    }

    /// The number of its elements, or an error if its data cannot have as many.
    pub(crate) fn n_elements(&self) -> Result<usize, NetError> {
        let data = self.raw.or(self.floats).or(self.int32s).or(self.int64s).unwrap_or_default();
        let n = self.dimensions.iter().try_fold(1_usize, |n, &dimension| n.checked_mul(dimension));
        match n {
            _ if self.is_external => {
                Err(self.problem("is stored in another file, save the network with its weights inside"))
            }
            // An element has at least a byte.
            Some(n) if n <= data.len() => Ok(n),
            _ => Err(self.problem("has fewer data than its shape says")),
        }
    }

    /// Its elements, if they are floats.
    pub(crate) fn floats(&self) -> Result<Vec<f32>, NetError> {
        let n = self.n_elements()?;
        let floats: Vec<f32> = match (self.data_type, self.raw, self.floats, self.int32s) {
            (FLOAT, Some(bytes), ..) | (FLOAT, None, Some(bytes), _) => bytes
                .chunks_exact(4)
                .map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
                .collect(),
            (FLOAT16, Some(bytes), ..) => bytes
                .chunks_exact(2)
                .map(|bytes| float_of_half(u16::from_le_bytes([bytes[0], bytes[1]])))
                .collect(),
            (FLOAT16, None, None, Some(bytes)) => {
                let mut bits = Vec::new();
                Field::Bytes(bytes).integers(&mut bits, n)?;
                bits.into_iter().map(|bits| float_of_half(bits as u16)).collect()
            }
            (other, ..) => {
                let reason = format!("has elements of type {other}, not float (1) or float16 (10)");
                return Err(self.problem(&reason));
            }
        };
        if floats.len() != n {
            return Err(self.problem(&format!("has {} elements, its shape says {n}", floats.len())));
        }
        if floats.iter().any(|float| !float.is_finite()) {
            return Err(self.problem("has elements that are infinite or not a number"));
        }
        Ok(floats)
    }

    /// Its elements, if they are a short list of integers.
    pub(crate) fn integers(&self) -> Result<Vec<i64>, NetError> {
        let n = self.n_elements()?;
        if n > MOST_INTEGERS {
            return Err(self.problem(&format!("has more than {MOST_INTEGERS} integers")));
        }
        let mut integers = Vec::new();
        match (self.data_type, self.raw, self.int64s, self.int32s) {
            (INT64, Some(bytes), ..) => {
                for bytes in bytes.chunks_exact(8).take(MOST_INTEGERS) {
                    let bytes = bytes.try_into().unwrap_or_default();
                    integers.push(i64::from_le_bytes(bytes));
                }
            }
            (INT32, Some(bytes), ..) => {
                for bytes in bytes.chunks_exact(4).take(MOST_INTEGERS) {
                    let bytes = bytes.try_into().unwrap_or_default();
                    integers.push(i64::from(i32::from_le_bytes(bytes)));
                }
            }
            (INT64, None, Some(bytes), _) | (INT32, None, _, Some(bytes)) => {
                Field::Bytes(bytes).integers(&mut integers, MOST_INTEGERS)?;
            }
            (other, ..) => {
                return Err(self.problem(&format!("has elements of type {other}, not int64 (7)")));
            }
        }
        if integers.len() != n {
            return Err(self.problem(&format!("has {} elements, its shape says {n}", integers.len())));
        }
        Ok(integers)
    }

    /// Whether its elements are floats.
    pub(crate) fn is_float(&self) -> bool {
        matches!(self.data_type, FLOAT | FLOAT16)
    }

    fn problem(&self, problem: &str) -> NetError {
        NetError(format!("the tensor '{}' {problem}", tesuji_core::shortened(self.name)))
    }
}

impl<'a> ValueInfo<'a> {
    fn read(bytes: &'a [u8], budget: &'a Budget) -> Result<ValueInfo<'a>, NetError> {
        let mut info = ValueInfo::default();
        let mut message = Message::new(bytes, budget);
        while let Some((number, field)) = message.next()? {
            match number {
                1 => info.name = field.text()?,
                2 => {
                    let mut kinds = Message::new(field.bytes()?, budget);
                    while let Some((number, field)) = kinds.next()? {
                        if number == 1 {
                            info.read_type(field.bytes()?, budget)?;
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(info)
    }

    fn read_type(&mut self, bytes: &'a [u8], budget: &'a Budget) -> Result<(), NetError> {
        let mut message = Message::new(bytes, budget);
        while let Some((number, field)) = message.next()? {
            match number {
                1 => self.element_type = field.integer()?,
                2 => {
                    let mut dimensions = Vec::new();
                    let mut shape = Message::new(field.bytes()?, budget);
                    while let Some((number, field)) = shape.next()? {
                        if number == 1 {
                            let mut size = None;
                            let mut dimension = Message::new(field.bytes()?, budget);
                            while let Some((number, field)) = dimension.next()? {
                                if number == 1 {
                                    size = Some(field.integer()?);
                                }
                            }
                            dimensions.push(size);
                        }
                    }
                    self.dimensions = Some(dimensions);
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The float with the value of a float of 16 bits. Every one of them has one.
fn float_of_half(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let exponent = u32::from(bits >> 10 & 0x1f);
    let fraction = u32::from(bits & 0x3ff);
    let magnitude = match exponent {
        // Below the smallest normal number: a multiple of 2^-24, which an f32 has exactly.
        0 => (fraction as f32 / 16_777_216.0).to_bits(),
        31 => 0x7f80_0000 | fraction << 13,
        _ => (exponent + 112) << 23 | fraction << 13,
    };
    f32::from_bits(sign | magnitude)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_have_their_values() {
        for (bits, value) in [
            (0x0000, 0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x7bff, 65504.0),
            (0x0400, 6.103_515_6e-5),
            (0x0001, 5.960_464_5e-8),
            (0x83ff, -6.097_555e-5),
        ] {
            assert_eq!(float_of_half(bits), value, "{bits:#x}");
        }
        assert!(float_of_half(0x7c00).is_infinite());
        assert!(float_of_half(0x7e00).is_nan());
    }
}
