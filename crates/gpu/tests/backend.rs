//! Machines that run kernels: memory, launches and the cache, with a small kernel.

#![cfg(feature = "cuda")]

use std::path::Path;

use tesuji_gpu::backend::{
    Architecture, Backend, Cuda, CudaSettings, DeviceError, Emulated, EmulatedSettings, LaunchSize,
    NVRTC_VARIABLE, Nvrtc, Stream, cubin_name,
};
use tesuji_gpu::program::{KernelCache, Program, SourceFile};

const FILL: &str = r#"
#include "launch.cuh"
struct FillParams {
  u32* words;
  u64* counts;
  u32 n;
  u32 value;
};
FN void fill_thread(const FillParams& params, u32 thread, u32 n_threads) {
  for (u32 at = thread; at < params.n; at += n_threads) {
    params.words[at] += params.value * STEP + at;
    atomic_add(&params.counts[0], 1);
    atomic_add((u32*)&params.counts[1], at);
  }
  u64 start = now_ns();
  if (now_ns() < start) atomic_cas(&params.counts[2], 0, 1);
  fence();
}
KERNEL(fill, FillParams)
"#;

const FILES: &[SourceFile] = &[
    ("common.cuh", include_str!("../kernels/common.cuh")),
    ("launch.cuh", include_str!("../kernels/launch.cuh")),
    ("fill.cu", FILL),
];

fn program() -> Program {
    Program {
        main: "fill.cu",
        sources: FILES,
        header: String::new(),
        constants: vec![("STEP".to_owned(), 3)],
        entry_points: vec!["fill".to_owned()],
        register_limit: None,
    }
}

fn cache(name: &str) -> KernelCache {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    KernelCache::new(folder)
}

/// What every machine must do.
fn check(machine: &mut dyn Backend) {
    let n = 1000_u32;
    let kernels = machine.load(&program()).expect("the kernel compiles");
    let fill = kernels.kernel("fill").id;
    let words = machine.alloc(4 * n as usize).expect("memory");
    let counts = machine.alloc(24).expect("memory");
    for stream in Stream::ALL {
        let params = [
            machine.address(words).to_le_bytes(),
            machine.address(counts).to_le_bytes(),
            (u64::from(n) | 7 << 32).to_le_bytes(),
        ];
        machine.fill_zero(words.at(0), 4 * n as usize, stream).expect("zeros");
        machine.write(words.at(8), &100_u32.to_le_bytes(), stream).expect("a word");
        machine
            .launch(fill, LaunchSize { grid: 3, block: 32 }, params.as_flattened(), stream)
            .expect("a launch");
        let mut read = vec![0; 4 * n as usize];
        machine.read(words.at(0), &mut read, stream).expect("the words");
        let read: Vec<u32> = read.as_chunks().0.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect();
        let expected: Vec<u32> = (0..n).map(|at| 21 + at + if at == 2 { 100 } else { 0 }).collect();
        assert_eq!(read, expected);
        machine.finish(stream).expect("nothing is left to do");
        assert!(machine.is_finished(stream).expect("nothing is left to do"));
    }
    let n_streams = Stream::COUNT as u64;
    let mut read = [0; 16];
    machine.read(counts.at(0), &mut read, Stream::FIRST).expect("the counts");
    assert_eq!(u64::from_le_bytes(*read.first_chunk().expect("8 bytes")), 1000 * n_streams);
    assert_eq!(u64::from_le_bytes(*read.last_chunk().expect("8 bytes")), 499_500 * n_streams);
    let beyond = machine.read(counts.at(16), &mut read, Stream::FIRST);
    let sentence = "16 bytes at 16 reach beyond a buffer of 24 bytes";
    assert_eq!(beyond, Err(DeviceError::Failed(sentence.to_owned())));
    let short = machine.launch(fill, LaunchSize { grid: 1, block: 32 }, &[0; 8], Stream::FIRST);
    assert_eq!(short, Err(DeviceError::Failed("a kernel's parameters have 24 bytes, not 8".to_owned())));
    let before = machine.memory().expect("a machine has memory");
    assert!(before.free <= before.total);
    let huge = usize::try_from(before.total).expect("64 bits") + 1;
    let error = machine.alloc(huge).expect_err("more than there is").to_string();
    assert!(error.starts_with("the device is out of memory"), "{error}");
    machine.free(words);
    machine.free(counts);
    assert!(machine.multiprocessors() >= 1);
    assert!(machine.resident_blocks(fill, 32) >= 1);
}

#[test]
fn the_host_runs_kernels() {
    let cache = cache("emulated");
    let settings = EmulatedSettings { memory: 1 << 20, cache: cache.clone(), ..EmulatedSettings::default() };
    check(&mut Emulated::new(settings.clone()));
    let files = || std::fs::read_dir(cache.folder()).expect("a folder").count();
    assert_eq!(files(), 1, "the library is kept, and nothing else");
    check(&mut Emulated::new(settings));
    assert_eq!(files(), 1, "the library is used again");
}

#[test]
fn a_kernel_that_does_not_compile_is_one_sentence() {
    const WRONG: &[SourceFile] = &[("wrong.cu", "int wrong( {")];
    let program = Program { main: "wrong.cu", sources: WRONG, ..program() };
    let settings = EmulatedSettings { cache: cache("wrong"), ..EmulatedSettings::default() };
    let error = Emulated::new(settings).load(&program).expect_err("no C++").to_string();
    assert!(error.contains("cannot compile wrong.cu") && error.lines().count() == 1, "{error}");
}

#[test]
fn a_digest_names_what_is_compiled() {
    let digest = |program: &Program| program.digest(&[]);
    let mut other = program();
    other.constants[0].1 = 4;
    assert_ne!(digest(&program()), digest(&other));
    assert_ne!(digest(&program()), program().digest(&["-O3".to_owned()]));
    // A file that is not included does not matter.
    const MORE: &[SourceFile] = &[FILES[0], FILES[1], FILES[2], ("other.cuh", "int other;")];
    assert_eq!(digest(&program()), digest(&Program { sources: MORE, ..program() }));
    let names: Vec<_> = program().files().iter().map(|file| file.0).collect();
    assert_eq!(names, ["fill.cu", "common.cuh", "launch.cuh"]);
}

/// NVRTC, unless nobody says where it is and it is not in the usual places either.
fn nvrtc() -> Option<Nvrtc> {
    let found = Nvrtc::find();
    if std::env::var_os(NVRTC_VARIABLE).is_some() {
        return Some(found.expect("the variable names NVRTC's folder"));
    }
    found.ok()
}

#[test]
fn nvrtc_compiles_without_a_gpu() {
    let Some(nvrtc) = nvrtc() else { return };
    let architecture: Architecture = "sm_90".parse().expect("an architecture");
    let compiled = nvrtc.compile(&program(), architecture).expect("the kernel compiles");
    assert!(compiled.cubin.starts_with(b"\x7fELF"));
    assert_eq!(compiled.file_name, cubin_name(&program(), architecture));
    let [cost] = &compiled.costs[..] else { panic!("one kernel, not {:?}", compiled.costs) };
    assert!(cost.name == "fill" && (8..64).contains(&cost.registers) && cost.stack_bytes == 0, "{cost:?}");
    const WRONG: &[SourceFile] = &[("wrong.cu", "int wrong( {")];
    let wrong = Program { main: "wrong.cu", sources: WRONG, ..program() };
    let error = nvrtc.compile(&wrong, architecture).expect_err("no C++").to_string();
    assert!(error.contains("cannot compile wrong.cu") && error.lines().count() == 1, "{error}");
    let error = nvrtc.compile(&program(), Architecture(51)).expect_err("too old").to_string();
    assert!(error.contains("cannot compile fill.cu") && error.lines().count() == 1, "{error}");
}

/// With a GPU this is the same check as on the host; without one, a sentence says what is missing.
#[test]
fn a_gpu_runs_kernels_or_is_missing() {
    let settings = CudaSettings { device: 0, cache: cache("cuda") };
    match Cuda::open(settings) {
        Ok(mut gpu) => check(&mut gpu),
        Err(DeviceError::Missing(sentence)) => {
            assert!(sentence.contains("no NVIDIA driver here") || sentence.contains("GPU"), "{sentence}");
        }
        Err(error) => panic!("a GPU that is there can be opened: {error}"),
    }
}
