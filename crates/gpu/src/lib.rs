//! Searches of many games at once on a GPU, with the bits of the CPU.

#[cfg(feature = "cuda")]
pub mod backend;
#[cfg(feature = "cuda")]
mod bench;
#[cfg(feature = "cuda")]
mod device;
#[cfg(feature = "cuda")]
mod group;
#[cfg(feature = "cuda")]
mod parameters;
pub mod program;
#[cfg(feature = "cuda")]
mod slots;

#[cfg(feature = "cuda")]
mod open;

#[cfg(feature = "cuda")]
pub use bench::{BenchGames, BenchResult, bench, compare, is_same, one_core, random_position};
#[cfg(feature = "cuda")]
pub use device::{GpuDevice, GroupStatus};
#[cfg(feature = "cuda")]
pub use open::{DeviceChoice, open, open_gpu};

/// The sources of the kernels, by their file names.
pub const SOURCES: &[(&str, &str)] = &[
    ("common.cuh", include_str!("../kernels/common.cuh")),
    ("domineering.cuh", include_str!("../kernels/domineering.cuh")),
    ("hex.cuh", include_str!("../kernels/hex.cuh")),
    ("leaf.cuh", include_str!("../kernels/leaf.cuh")),
    ("launch.cuh", include_str!("../kernels/launch.cuh")),
    ("slots.cuh", include_str!("../kernels/slots.cuh")),
    ("simulator.cuh", include_str!("../kernels/simulator.cuh")),
    ("search.cu", include_str!("../kernels/search.cu")),
    ("search.cuh", include_str!("../kernels/search.cuh")),
    ("goban.cuh", include_str!("../kernels/goban.cuh")),
    ("go.cuh", include_str!("../kernels/go.cuh")),
    ("phantom_go.cuh", include_str!("../kernels/phantom_go.cuh")),
    ("capture.cuh", include_str!("../kernels/capture.cuh")),
    ("ataxx.cuh", include_str!("../kernels/ataxx.cuh")),
    ("race.cuh", include_str!("../kernels/race.cuh")),
];

#[cfg(test)]
mod tests {
    #[test]
    fn every_kernel_is_embedded() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/kernels");
        let files = std::fs::read_dir(folder).expect("the folder of kernels").flatten();
        let names = files.map(|file| file.file_name().into_string().expect("plain names"));
        let mut kernels: Vec<_> =
            names.filter(|name| name.ends_with(".cuh") || name.ends_with(".cu")).collect();
        kernels.sort();
        let mut embedded: Vec<_> = super::SOURCES.iter().map(|&(name, _)| name).collect();
        embedded.sort_unstable();
        assert_eq!(embedded, kernels);
    }
}
