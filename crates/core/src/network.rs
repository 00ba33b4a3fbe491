//! What networks see of a position, and how they name moves.

/// The form in which networks see the positions of a game, and number its moves.
///
/// A network belongs to one form: a file for another game, size or version of the encoding is
/// refused. `docs/networks.md` describes the planes and the move numbers of every game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkForm {
    /// The name of the encoding and its version, such as `go/1`. The version is raised whenever
    /// planes or move numbers change their meaning.
    pub encoding: String,
    /// The number of planes.
    pub planes: usize,
    /// The number of rows of a plane.
    pub height: usize,
    /// The number of cells of a row.
    pub width: usize,
    /// The number of logits. The number of every move is below it.
    pub n_logits: usize,
}

impl NetworkForm {
    /// The number of values that a position is written as: all planes, one after the other, each
    /// row by row.
    pub fn size(&self) -> usize {
        self.planes * self.height * self.width
    }
}
