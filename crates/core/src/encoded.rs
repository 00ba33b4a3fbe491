//! Positions as plain words, for programs on a device.

/// A position in the form that the kernels of a device read.
///
/// The kernel of a game is a C++ header in `crates/gpu/kernels`; `words` is what its
/// `Position::load` is given. Two positions can share a compiled program if they have the same
/// kernel and the same constants.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Encoded {
    /// The name of the header, without its ending.
    pub kernel: &'static str,
    /// Constants of the program, such as the board's size: upper-case names and values.
    pub constants: Vec<(&'static str, i64)>,
    /// The position.
    pub words: Vec<u32>,
}
