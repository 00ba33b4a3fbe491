//! NumPy's `.npy` files, written row by row.

use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::TrainingError;

/// The length of the head: room for any number of rows, so that it can be written last.
const HEAD: usize = 192;

/// A file whose number of rows is known at its end.
pub(super) struct NpyFile {
    pub(super) path: PathBuf,
    file: BufWriter<File>,
    kind: &'static str,
    /// The shape of a row.
    shape: Vec<usize>,
}

impl NpyFile {
    /// Begins a file. `kind` is NumPy's name of the type, such as `<f2`.
    pub(super) fn create(
        folder: &Path,
        name: &str,
        kind: &'static str,
        shape: &[usize],
    ) -> Result<NpyFile, TrainingError> {
        let path = folder.join(name);
        let wrong = |error| TrainingError::File { path: path.clone(), error };
        let mut file = BufWriter::with_capacity(1 << 20, File::create(&path).map_err(wrong)?);
        file.write_all(&head(kind, 0, shape)).map_err(wrong)?;
        Ok(NpyFile { path, file, kind, shape: shape.to_vec() })
    }

    /// Adds rows.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), TrainingError> {
        self.file.write_all(bytes).map_err(|error| TrainingError::File { path: self.path.clone(), error })
    }

    /// Ends the file, which has this number of rows.
    pub(super) fn finish(mut self, rows: u64) -> Result<(), TrainingError> {
        let head = head(self.kind, rows, &self.shape);
        let seek = self.file.seek(SeekFrom::Start(0));
        let written = seek.and_then(|_| self.file.write_all(&head)).and_then(|()| self.file.flush());
        written.map_err(|error| TrainingError::File { path: self.path, error })
    }
}

/// The head of version 1.0, padded with blanks.
fn head(kind: &str, rows: u64, shape: &[usize]) -> Vec<u8> {
    let shape: String = shape.iter().map(|n| format!("{n}, ")).collect();
    let words = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({rows}, {shape}), }}");
    let mut head = b"\x93NUMPY\x01\x00".to_vec();
    head.extend(((HEAD - 10) as u16).to_le_bytes());
    head.extend(words.bytes());
    head.resize(HEAD - 1, b' ');
    head.push(b'\n');
    head
}
