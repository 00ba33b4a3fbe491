//! Searches of many games at once on a GPU, with the bits of the CPU.

#[cfg(feature = "cuda")]
pub mod backend;
pub mod program;

/// The sources of the kernels, by their file names.
pub const SOURCES: &[(&str, &str)] = &[
    ("common.cuh", include_str!("../kernels/common.cuh")),
    ("go.cuh", include_str!("../kernels/go.cuh")),
    ("goban.cuh", include_str!("../kernels/goban.cuh")),
    ("launch.cuh", include_str!("../kernels/launch.cuh")),
    ("search.cu", include_str!("../kernels/search.cu")),
    ("search.cuh", include_str!("../kernels/search.cuh")),
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
