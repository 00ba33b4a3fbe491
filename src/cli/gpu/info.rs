//! `tesuji gpu info`: what there is of a GPU and its compiler.

use anyhow::Result;
use serde::Serialize;
use tesuji_gpu::backend::{Backend, Cuda, CudaSettings, Nvrtc};
use tesuji_gpu::program::KernelCache;
use tesuji_report::Screen;
use tesuji_report::numbers::grouped;

use super::InfoArgs;

/// What was found, as `--json` prints it.
#[derive(Serialize)]
struct Found {
    gpu: Option<Gpu>,
    nvrtc: Option<Compiler>,
    /// What is missing, a sentence each.
    missing: Vec<String>,
    /// The folder of compiled kernels.
    kernels: String,
    /// The number of compiled programs in it.
    compiled: usize,
}

#[derive(Serialize)]
struct Gpu {
    name: String,
    architecture: String,
    multiprocessors: u32,
    /// The version of CUDA that the driver knows.
    driver: String,
    free_bytes: u64,
    total_bytes: u64,
    /// The number of GPUs here.
    devices: u32,
}

#[derive(Serialize)]
struct Compiler {
    version: String,
    file: String,
}

pub(super) fn run(args: &InfoArgs, screen: &Screen) -> Result<()> {
    let found = find();
    if args.json {
        return super::super::print_json(&found);
    }
    super::super::print(&screen.wrapped(&found.text()))
}

fn find() -> Found {
    let cache = KernelCache::default();
    let mut missing = Vec::new();
    let gpu = Cuda::open(CudaSettings::default()).and_then(|gpu| {
        let memory = gpu.memory()?;
        let info = gpu.info();
        Ok(Gpu {
            name: info.name.clone(),
            architecture: info.architecture.to_string(),
            multiprocessors: info.multiprocessors,
            driver: info.driver.clone(),
            free_bytes: memory.free,
            total_bytes: memory.total,
            devices: info.n_devices,
        })
    });
    let nvrtc = Nvrtc::find()
        .map(|nvrtc| Compiler { version: nvrtc.version(), file: nvrtc.file().display().to_string() });
    let gpu = gpu.map_err(|error| missing.push(error.to_string())).ok();
    let nvrtc = nvrtc.map_err(|error| missing.push(error.to_string())).ok();
    let files = std::fs::read_dir(cache.folder()).into_iter().flatten().flatten();
    let is_cubin = |file: &std::fs::DirEntry| file.path().extension().is_some_and(|ending| ending == "cubin");
    let compiled = files.filter(is_cubin).count();
    Found { gpu, nvrtc, missing, kernels: cache.folder().display().to_string(), compiled }
}

impl Found {
    fn text(&self) -> String {
        let Found { gpu, nvrtc, missing, kernels, compiled } = self;
        let mut lines = Vec::new();
        if let Some(gpu) = gpu {
            let mib = |bytes: u64| grouped(bytes >> 20);
            lines.extend([
                format!(
                    "GPU:      {}, {}, {} multiprocessors",
                    gpu.name, gpu.architecture, gpu.multiprocessors
                ),
                format!("memory:   {} MiB, {} MiB of them free", mib(gpu.total_bytes), mib(gpu.free_bytes)),
                format!("driver:   CUDA {}", gpu.driver),
            ]);
        }
        lines.extend(nvrtc.iter().map(|nvrtc| format!("compiler: NVRTC {}, {}", nvrtc.version, nvrtc.file)));
        lines.push(format!("kernels:  {kernels}, {compiled} compiled programs"));
        lines.extend(missing.iter().map(|sentence| format!("missing:  {sentence}")));
        lines.join("\n") + "\n"
    }
}
