//! Searches of many games at once on a GPU, with the bits of the CPU.

/// The sources of the kernels, by their file names.
pub const SOURCES: &[(&str, &str)] = &[("common.cuh", include_str!("../kernels/common.cuh"))];
