//! Networks in ONNX files.

use crate::kernel::{Instructions, Kernel, Refusal};
use crate::onnx::{FLOAT, Model, ValueInfo};
use crate::protobuf::Budget;
use crate::{Evaluations, Evaluator, NetError};
use std::collections::HashSet;
use std::fmt;
use std::io::Read;
use std::path::Path;
use std::str::FromStr;
use tesuji_core::{NetworkForm, file_problem, mix, shortened};

/// The largest file that is read, in bytes.
const LARGEST_FILE: u64 = 256 << 20;
/// The number of values that a position may have.
const LARGEST_POSITION: usize = 1 << 22;

/// The number of positions that a network is tried out with.
const TRIED_POSITIONS: usize = 8;
/// The products that all of them may cost, about half a second: large networks are tried out with
/// fewer.
const MOST_PRODUCTS: usize = 1 << 33;

/// A network in an ONNX file.
///
/// The file has one input `planes` `[positions, planes, height, width]`, the outputs `logits`
/// `[positions, logits]` and `value` `[positions]` or `[positions, 1]`, and perhaps `move_values`
/// `[positions, logits]`. Values are expected rewards of the side to move, from 0 to 1. The metadata names
/// the form of positions: `tesuji.encoding`, `tesuji.planes`, `tesuji.height`, `tesuji.width` and
/// `tesuji.logits`; `tesuji.game` and `tesuji.training` are texts for people.
pub struct Network {
    name: String,
    form: NetworkForm,
    game: String,
    training: Option<String>,
    digest: String,
    n_parameters: usize,
    backend: Backend,
}

enum Backend {
    Kernel(Kernel),
    #[cfg(feature = "onnx-any")]
    Rten(Box<crate::rten::Rten>),
}

impl Network {
    /// Reads a network from a file of at most 256 MiB.
    pub fn read(path: &Path) -> Result<Network, NetError> {
        let name = path.display().to_string();
        let cannot = |problem: String| NetError(format!("the network '{name}' cannot be read: {problem}"));
        let metadata = std::fs::metadata(path).map_err(|error| cannot(file_problem(&error)))?;
        // To open a pipe waits for a program that writes to it.
        if !metadata.is_file() {
            let what = if metadata.is_dir() { "folder" } else { "pipe or a device" };
            return Err(cannot(format!("it is a {what}, not a file")));
        }
        let file = std::fs::File::open(path).map_err(|error| cannot(file_problem(&error)))?;
        let mut bytes = Vec::new();
        let n = file.take(LARGEST_FILE + 1).read_to_end(&mut bytes);
        let n = n.map_err(|error| cannot(file_problem(&error)))? as u64;
        if n > LARGEST_FILE {
            return Err(cannot(format!("it has more than {} MiB", LARGEST_FILE >> 20)));
        }
        Network::from_bytes(&bytes, &name)
    }

    /// Reads a network from the bytes of a file. Errors call it `name`. A few positions are tried: a file
    /// is refused if its answers are out of range.
    pub fn from_bytes(bytes: &[u8], name: &str) -> Result<Network, NetError> {
        Network::with_kernel(bytes, name, true)?.tried_out()
    }

    /// Reads a network that ships with the program.
    pub(crate) fn of_program(bytes: &[u8], name: &str) -> Result<Network, NetError> {
        Network::with_kernel(bytes, name, true)
    }

    /// Reads a network that rten computes even if the kernel could.
    #[cfg(feature = "onnx-any")]
    pub fn from_bytes_for_rten(bytes: &[u8], name: &str) -> Result<Network, NetError> {
        Network::with_kernel(bytes, name, false)?.tried_out()
    }

    /// The network, unless an answer about one of a few positions is out of range: an empty board, and
    /// boards whose cells have a one in some of the planes.
    fn tried_out(self) -> Result<Network, NetError> {
        let cost = match &self.backend {
            Backend::Kernel(kernel) => kernel.cost(),
            #[cfg(feature = "onnx-any")]
            Backend::Rten(_) => 0,
        };
        let n_positions = (MOST_PRODUCTS / cost.max(1)).min(TRIED_POSITIONS);
        let cells = self.form.height * self.form.width;
        let mut planes = vec![0.0; self.form.size()];
        let mut evaluations = Evaluations::default();
        for position in 0..n_positions as u64 {
            for (index, value) in planes.iter_mut().enumerate() {
                let (plane, cell) = (index / cells, index % cells);
                // Each cell has a one in a single plane, or in none if boards are not full.
                let n_planes = self.form.planes as u64;
                let drawn = mix(mix(position) ^ cell as u64) % (n_planes + position % 2);
                *value = if position > 0 && drawn == plane as u64 { 1.0 } else { 0.0 };
            }
            self.compute(&planes, &mut evaluations)?;
            if let Err(problem) = check_answers(&evaluations) {
                let name = shortened(&self.name);
                let board = if position == 0 { "an empty board" } else { "a made-up position" };
                return Err(NetError(format!("the network '{name}' cannot be used: for {board}, {problem}")));
            }
        }
        Ok(self)
    }

    /// Evaluates positions, whose number fits `planes`. Answers may be out of range.
    fn compute(&self, planes: &[f32], evaluations: &mut Evaluations) -> Result<(), NetError> {
        match &self.backend {
            Backend::Kernel(kernel) => kernel.evaluate(&self.form, planes, evaluations),
            #[cfg(feature = "onnx-any")]
            Backend::Rten(rten) => {
                rten.evaluate(&self.form, planes, evaluations).map_err(|NetError(text)| self.problem(&text))
            }
        }
    }

    fn with_kernel(bytes: &[u8], name: &str, may_use_kernel: bool) -> Result<Network, NetError> {
        let cannot = |NetError(problem): NetError| {
            NetError(format!("the network '{}' cannot be used: {problem}", shortened(name)))
        };
        if bytes.is_empty() {
            return Err(cannot(NetError("it is empty".to_owned())));
        }
        let budget = Budget::new();
        let model = Model::read(bytes, &budget).map_err(cannot)?;
        let form = form(&model).map_err(cannot)?;
        check_ports(&model, &form).map_err(cannot)?;
        let refusal = if may_use_kernel {
            match Kernel::new(&model, &form) {
                Ok(kernel) => {
                    return Network::new(name, &model, form, bytes, Backend::Kernel(kernel)).map_err(cannot);
                }
                Err(Refusal::Wrong(error)) => return Err(cannot(error)),
                Err(Refusal::Unsupported(what)) => what,
            }
        } else {
            String::new()
        };
        Network::other(name, &model, form, bytes, refusal).map_err(cannot)
    }

    #[cfg(feature = "onnx-any")]
    fn other(
        name: &str,
        model: &Model<'_>,
        form: NetworkForm,
        bytes: &[u8],
        refusal: String,
    ) -> Result<Network, NetError> {
        let has_move_values = model.outputs.iter().any(|output| output.name == "move_values");
        let rten = crate::rten::Rten::new(bytes, &form, has_move_values).map_err(|NetError(problem)| {
            if refusal.is_empty() {
                return NetError(problem);
            }
            NetError(format!("it has {refusal}, which the kernel does not support, and {problem}"))
        })?;
        Network::new(name, model, form, bytes, Backend::Rten(Box::new(rten)))
    }

    #[cfg(not(feature = "onnx-any"))]
    fn other(
        _name: &str,
        _model: &Model<'_>,
        _form: NetworkForm,
        _bytes: &[u8],
        refusal: String,
    ) -> Result<Network, NetError> {
        let problem = "which this build does not support; a build with the feature 'onnx-any' may compute it";
        Err(NetError(format!("it has {refusal}, {problem}")))
    }

    fn new(
        name: &str,
        model: &Model<'_>,
        form: NetworkForm,
        bytes: &[u8],
        backend: Backend,
    ) -> Result<Network, NetError> {
        let mut n_parameters = 0;
        for tensor in model.initializers.iter().filter(|tensor| tensor.is_float()) {
            n_parameters += tensor.n_elements()?;
        }
        Ok(Network {
            name: name.to_owned(),
            form,
            game: model.metadata("tesuji.game").unwrap_or_default().to_owned(),
            training: model.metadata("tesuji.training").map(str::to_owned),
            digest: digest(bytes),
            n_parameters,
            backend,
        })
    }

    /// A digest of the file's bytes, 32 hexadecimal digits. Two running hashes of 64 bits each take in the
    /// bytes eight at a time, mixed by the finaliser of SplitMix64, and then the length. It tells files
    /// apart; it does not protect from someone who wants two files to have the same.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The game that the file says it is for, such as `go:9`, for people. Empty if it does not say.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// What the file says about its training.
    pub fn training(&self) -> Option<&str> {
        self.training.as_deref()
    }

    /// What computes the network: `kernel` or `rten`.
    pub fn backend(&self) -> &'static str {
        match self.backend {
            Backend::Kernel(_) => "kernel",
            #[cfg(feature = "onnx-any")]
            Backend::Rten(_) => "rten",
        }
    }

    /// The number of weights and other floats that the file has.
    pub fn n_parameters(&self) -> usize {
        self.n_parameters
    }

    /// The instruction set that the kernel computes with, `rten`'s own if that computes the network.
    pub fn instructions(&self) -> &'static str {
        match &self.backend {
            Backend::Kernel(kernel) => kernel.instructions().name(),
            #[cfg(feature = "onnx-any")]
            Backend::Rten(_) => "its own",
        }
    }

    /// The names of the instruction sets of this machine, the best last. Tests compare them.
    pub fn all_instructions() -> Vec<&'static str> {
        Instructions::all().into_iter().map(Instructions::name).collect()
    }

    /// The network, computed with the instruction set of a name, if this machine has it. All have the
    /// same bits.
    #[must_use]
    pub fn with_instructions(mut self, name: &str) -> Network {
        let found = Instructions::all().into_iter().find(|instructions| instructions.name() == name);
        match (&mut self.backend, found) {
            (Backend::Kernel(kernel), Some(instructions)) => kernel.set_instructions(instructions),
            #[cfg(feature = "onnx-any")]
            (Backend::Rten(_), _) => {}
            (_, None) => {}
        }
        self
    }

    fn problem(&self, problem: &str) -> NetError {
        NetError(format!("the network '{}' failed: {problem}", shortened(&self.name)))
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network")
            .field("name", &self.name)
            .field("form", &self.form)
            .field("digest", &self.digest)
            .field("backend", &self.backend())
            .finish_non_exhaustive()
    }
}

impl Evaluator for Network {
    fn form(&self) -> &NetworkForm {
        &self.form
    }

    fn evaluate(&self, planes: &[f32], evaluations: &mut Evaluations) -> Result<(), NetError> {
        if !planes.len().is_multiple_of(self.form.size()) {
            let size = self.form.size();
            return Err(self.problem(&format!("{} numbers are not positions of {size} each", planes.len())));
        }
        self.compute(planes, evaluations)?;
        check_answers(evaluations).map_err(|problem| self.problem(&problem))
    }

    fn has_move_values(&self) -> bool {
        match &self.backend {
            Backend::Kernel(kernel) => kernel.has_move_values(),
            #[cfg(feature = "onnx-any")]
            Backend::Rten(rten) => rten.has_move_values(),
        }
    }
}

/// Whether logits are numbers and values are rewards; what is wrong if not.
fn check_answers(evaluations: &Evaluations) -> Result<(), String> {
    if evaluations.logits.iter().any(|logit| !logit.is_finite()) {
        return Err("a logit is infinite or not a number".to_owned());
    }
    let mut values = evaluations.values.iter().chain(&evaluations.move_values);
    match values.find(|value| !(0.0..=1.0).contains(*value)) {
        Some(value) => Err(format!(
            "the value {value} is not a reward from 0 to 1; a head that ends in tanh has values from -1 to 1, one \
             that ends in a sigmoid from 0 to 1"
        )),
        None => Ok(()),
    }
}

/// The form of positions that the metadata names.
fn form(model: &Model<'_>) -> Result<NetworkForm, NetError> {
    let text = |key: &str| {
        model.metadata(key).ok_or_else(|| NetError(format!("its metadata does not have the key '{key}'")))
    };
    let number = |key: &str, most: usize| {
        let value = text(key)?;
        match usize::from_str(value) {
            Ok(number) if (1..=most).contains(&number) => Ok(number),
            _ => Err(NetError(format!(
                "its metadata says {key} = '{}', allowed is a number from 1 to {most}",
                shortened(value)
            ))),
        }
    };
    let form = NetworkForm {
        encoding: text("tesuji.encoding")?.to_owned(),
        planes: number("tesuji.planes", 4096)?,
        height: number("tesuji.height", 256)?,
        width: number("tesuji.width", 256)?,
        n_logits: number("tesuji.logits", 1 << 20)?,
    };
    // The name is shown on terminals. A game of a Python class has the class's name.
    let is_shown = |c: char| c == ' ' || c.is_ascii_graphic() || c.is_alphanumeric();
    if form.encoding.is_empty() || form.encoding.len() > 64 || !form.encoding.chars().all(is_shown) {
        return Err(NetError("its metadata has a tesuji.encoding without a name such as go/1".to_owned()));
    }
    if form.size() > LARGEST_POSITION {
        let problem = format!("a position has {} values, {LARGEST_POSITION} is the most", form.size());
        return Err(NetError(problem));
    }
    Ok(form)
}

/// Compares the inputs and outputs of the graph with the form.
fn check_ports(model: &Model<'_>, form: &NetworkForm) -> Result<(), NetError> {
    let constants: HashSet<&str> = model.initializers.iter().map(|tensor| tensor.name).collect();
    let mut inputs = model.inputs.iter().filter(|input| !constants.contains(input.name));
    let input = match (inputs.next(), inputs.next()) {
        (Some(input), None) if input.name == "planes" => input,
        (Some(other), None) => {
            return Err(NetError(format!("its input is '{}', not 'planes'", shortened(other.name))));
        }
        (None, _) => return Err(NetError("it has no input 'planes'".to_owned())),
        _ => return Err(NetError("it has several inputs, not only 'planes'".to_owned())),
    };
    let n = form.n_logits;
    check_shape(input, &[&[form.planes, form.height, form.width]])?;
    for (name, shapes) in [("logits", &[&[n][..]][..]), ("value", &[&[], &[1]]), ("move_values", &[&[n]])] {
        match model.outputs.iter().find(|output| output.name == name) {
            Some(output) => check_shape(output, shapes)?,
            None if name == "move_values" => {}
            None => return Err(NetError(format!("it has no output '{name}'"))),
        }
    }
    Ok(())
}

/// Compares a shape that a file declares with those that are allowed after the first dimension.
fn check_shape(info: &ValueInfo<'_>, allowed: &[&[usize]]) -> Result<(), NetError> {
    let name = info.name;
    if !matches!(info.element_type, 0 | FLOAT) {
        return Err(NetError(format!("its '{name}' has not the type float")));
    }
    let Some(dimensions) = &info.dimensions else { return Ok(()) };
    let fits = |sizes: &&[usize]| {
        dimensions.len() == sizes.len() + 1
            && dimensions[1..].iter().zip(*sizes).all(|(found, &size)| found.is_none_or(|n| n == size as i64))
    };
    if allowed.iter().any(fits) {
        return Ok(());
    }
    let sizes = |sizes: &[usize]| sizes.iter().map(|size| format!(", {size}")).collect::<String>();
    let found: String = dimensions
        .iter()
        .skip(1)
        .map(|size| size.map_or_else(|| ", any".to_owned(), |size| format!(", {size}")))
        .collect();
    let wanted: Vec<String> =
        allowed.iter().map(|allowed| format!("[positions{}]", sizes(allowed))).collect();
    Err(NetError(format!(
        "its '{name}' has the shape [positions{found}], its metadata says {}",
        wanted.join(" or ")
    )))
}

/// The digest of [`Network::digest`].
fn digest(bytes: &[u8]) -> String {
    let (mut a, mut b) = (0x243f_6a88_85a3_08d3_u64, 0x1319_8a2e_0370_7344_u64);
    let mut absorb = |word: u64| {
        a = mix(a ^ word);
        b = mix(b.rotate_left(29).wrapping_add(word)).wrapping_add(a);
    };
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        absorb(u64::from_le_bytes(word));
    }
    absorb(bytes.len() as u64);
    format!("{a:016x}{b:016x}")
}
