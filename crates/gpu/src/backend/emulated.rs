//! The host in place of a GPU: the same kernels, compiled by a C++ compiler, one thread after the
//! other.

#![allow(unsafe_code)] // Kernels are C++ and work on plain addresses.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use libloading::Library;

use super::{
    Backend, BufferId, DeviceError, Kernel, KernelId, KernelSet, LaunchSize, MemoryInfo, Place, Stream,
    check_params, check_range,
};
use crate::program::{KernelCache, Program, unique};

/// Options of the compiler. The float options make results equal to Rust's.
const OPTIONS: &[&str] =
    &["-std=c++17", "-O2", "-shared", "-fPIC", "-ffp-contract=off", "-Wno-unknown-pragmas"];

/// The alignment of buffers, as on a GPU.
const ALIGNMENT: usize = 256;

/// What the emulated machine has.
#[derive(Clone, Debug)]
pub struct EmulatedSettings {
    /// The memory that can be allocated, in bytes.
    pub memory: u64,
    /// How much of it other programs have taken.
    pub taken: Arc<AtomicU64>,
    /// The number of multiprocessors.
    pub multiprocessors: u32,
    /// Where compiled kernels are kept.
    pub cache: KernelCache,
}

impl Default for EmulatedSettings {
    fn default() -> EmulatedSettings {
        EmulatedSettings {
            memory: 1 << 30,
            taken: Arc::default(),
            multiprocessors: 2,
            cache: KernelCache::default(),
        }
    }
}

/// The host as a machine that runs kernels. Every call is over when it returns.
#[derive(Debug)]
pub struct Emulated {
    settings: EmulatedSettings,
    buffers: Vec<Option<Memory>>,
    kernels: Vec<Entry>,
    loaded: Vec<(Program, KernelSet)>,
}

type Emulate = unsafe extern "C" fn(*const u8, u32, u32);
type ParamsBytes = unsafe extern "C" fn() -> u32;

/// A kernel of a library.
#[derive(Debug)]
struct Entry {
    emulate: Emulate,
    params_bytes: usize,
    /// Keeps the code.
    _library: Arc<Library>,
}

/// Zeroed memory that kernels know by its address.
#[derive(Debug)]
struct Memory {
    start: NonNull<u8>,
    layout: Layout,
    bytes: usize,
}

// SAFETY: the memory belongs to this value alone; nothing in it belongs to a thread.
unsafe impl Send for Memory {}

impl Memory {
    fn new(bytes: usize) -> Option<Memory> {
        let layout = Layout::from_size_align(bytes.max(1), ALIGNMENT).ok()?;
        // SAFETY: the size is not zero.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        Some(Memory { start, layout, bytes })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}

impl Emulated {
    /// A machine with these settings.
    pub fn new(settings: EmulatedSettings) -> Emulated {
        Emulated { settings, buffers: Vec::new(), kernels: Vec::new(), loaded: Vec::new() }
    }

    fn memory_of(&self, buffer: BufferId) -> Result<&Memory, DeviceError> {
        let memory = self.buffers.get(buffer.0).and_then(Option::as_ref);
        memory.ok_or_else(|| DeviceError::Failed("a buffer was used after it was freed".to_owned()))
    }

    /// The address of a place with `bytes` bytes behind it.
    fn pointer(&self, place: Place, bytes: usize) -> Result<*mut u8, DeviceError> {
        let memory = self.memory_of(place.buffer)?;
        check_range(place.offset, bytes, memory.bytes)?;
        Ok(memory.start.as_ptr().wrapping_add(place.offset))
    }

    fn used(&self) -> u64 {
        self.buffers.iter().flatten().map(|memory| memory.bytes as u64).sum()
    }
}

impl Backend for Emulated {
    fn name(&self) -> String {
        "emulated GPU".to_owned()
    }

    fn memory(&self) -> Result<MemoryInfo, DeviceError> {
        let total = self.settings.memory;
        let taken = self.settings.taken.load(Ordering::Relaxed);
        Ok(MemoryInfo { free: total.saturating_sub(self.used() + taken), total })
    }

    fn alloc(&mut self, bytes: usize) -> Result<BufferId, DeviceError> {
        let free = self.memory()?.free;
        let fits = bytes as u64 <= free;
        let memory = fits.then(|| Memory::new(bytes)).flatten().ok_or_else(|| {
            DeviceError::Failed(format!("the device is out of memory: {bytes} bytes of {free} free ones"))
        })?;
        let place = self.buffers.iter().position(Option::is_none).unwrap_or(self.buffers.len());
        if place == self.buffers.len() {
            self.buffers.push(None);
        }
        self.buffers[place] = Some(memory);
        Ok(BufferId(place))
    }

    fn free(&mut self, buffer: BufferId) {
        self.buffers[buffer.0] = None;
    }

    fn address(&self, buffer: BufferId) -> u64 {
        self.memory_of(buffer).map_or(0, |memory| memory.start.as_ptr().expose_provenance() as u64)
    }

    fn write(&mut self, place: Place, bytes: &[u8], _stream: Stream) -> Result<(), DeviceError> {
        let pointer = self.pointer(place, bytes.len())?;
        // SAFETY: the range is inside the buffer, and nobody else knows the buffer during this call.
        unsafe { pointer.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        Ok(())
    }

    fn read(&mut self, place: Place, bytes: &mut [u8], _stream: Stream) -> Result<(), DeviceError> {
        let pointer = self.pointer(place, bytes.len())?;
        // SAFETY: the range is inside the buffer, and nobody else knows the buffer during this call.
        unsafe { pointer.copy_to_nonoverlapping(bytes.as_mut_ptr(), bytes.len()) };
        Ok(())
    }

    fn fill_zero(&mut self, place: Place, bytes: usize, _stream: Stream) -> Result<(), DeviceError> {
        let pointer = self.pointer(place, bytes)?;
        // SAFETY: the range is inside the buffer, and nobody else knows the buffer during this call.
        unsafe { pointer.write_bytes(0, bytes) };
        Ok(())
    }

    fn load(&mut self, program: &Program) -> Result<KernelSet, DeviceError> {
        if let Some((_, set)) = self.loaded.iter().find(|(loaded, _)| loaded == program) {
            return Ok(set.clone());
        }
        let file = compiled(program, &self.settings.cache)?;
        // SAFETY: the library is made of our kernels and runs no code when it is loaded.
        let library = unsafe { Library::new(&file) }
            .map_err(|error| DeviceError::Failed(format!("{} cannot be loaded: {error}", file.display())))?;
        let library = Arc::new(library);
        let mut set = KernelSet::default();
        for name in &program.entry_points {
            let missing = |_| DeviceError::Unsupported(format!("{} has no kernel '{name}'", program.main));
            // SAFETY: the macro KERNEL gives the functions these types.
            let (emulate, params_bytes) = unsafe {
                (
                    *library.get::<Emulate>(format!("tesuji_emulate_{name}")).map_err(missing)?,
                    *library.get::<ParamsBytes>(format!("tesuji_params_bytes_{name}")).map_err(missing)?,
                )
            };
            // SAFETY: the function reads nothing.
            let params_bytes = unsafe { params_bytes() } as usize;
            let id = KernelId(self.kernels.len());
            self.kernels.push(Entry { emulate, params_bytes, _library: library.clone() });
            set.kernels.push(Kernel { name: name.clone(), id, registers: 0, local_bytes: 0 });
        }
        self.loaded.push((program.clone(), set.clone()));
        Ok(set)
    }

    fn launch(
        &mut self,
        kernel: KernelId,
        size: LaunchSize,
        params: &[u8],
        _stream: Stream,
    ) -> Result<(), DeviceError> {
        let entry = &self.kernels[kernel.0];
        check_params(params, entry.params_bytes)?;
        // SAFETY: the parameters have the kernel's size, and the addresses in them are those of our
        // buffers, which live until they are freed.
        unsafe { (entry.emulate)(params.as_ptr(), size.grid, size.block) };
        Ok(())
    }

    fn is_finished(&mut self, _stream: Stream) -> Result<bool, DeviceError> {
        Ok(true)
    }

    fn finish(&mut self, _stream: Stream) -> Result<(), DeviceError> {
        Ok(())
    }

    fn multiprocessors(&self) -> u32 {
        self.settings.multiprocessors
    }

    fn resident_blocks(&self, _kernel: KernelId, _block: u32) -> u32 {
        1
    }
}

/// The program as a library, compiled if the cache does not have it.
fn compiled(program: &Program, cache: &KernelCache) -> Result<PathBuf, DeviceError> {
    let compiler = std::env::var("CXX").ok().filter(|name| !name.trim().is_empty());
    let compiler = compiler.unwrap_or_else(|| "c++".to_owned());
    let mut options: Vec<String> = OPTIONS.iter().map(|&option| option.to_owned()).collect();
    options.push(format!("-DHOST_{}", std::env::consts::ARCH.to_uppercase()));
    let name = format!("{}.so", program.digest(&[std::slice::from_ref(&compiler), &options].concat()));
    let found = cache.folder().join(&name);
    if found.is_file() {
        return Ok(found);
    }
    let folder = std::env::temp_dir().join(unique(&format!("tesuji-{name}")));
    let made = compile(program, &compiler, &options, &folder).and_then(|library| {
        let failed = |error| DeviceError::Failed(format!("{} cannot be written: {error}", found.display()));
        cache.write(&name, &std::fs::read(library).map_err(failed)?).map_err(failed)
    });
    let _ = std::fs::remove_dir_all(&folder);
    made
}

/// Compiles the program in a new folder and returns the library's file.
fn compile(
    program: &Program,
    compiler: &str,
    options: &[String],
    folder: &Path,
) -> Result<PathBuf, DeviceError> {
    let failed = |error| DeviceError::Failed(format!("{} cannot be written: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    for (name, text) in program.files() {
        std::fs::write(folder.join(name), text).map_err(failed)?;
    }
    let library = folder.join("kernels.so");
    // `CXX` may have options of its own.
    let mut words = compiler.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("c++"));
    command
        .args(words)
        .args(options)
        .args(program.definitions())
        .arg("-I")
        .arg(folder)
        .arg("-o")
        .arg(&library);
    command.args(["-x", "c++"]).arg(folder.join(program.main));
    let output = command.output().map_err(|error| {
        DeviceError::Missing(format!(
            "the C++ compiler '{compiler}' cannot be started ({error}): install g++, or name another one in CXX"
        ))
    })?;
    if output.status.success() {
        return Ok(library);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let first = said.lines().find(|line| line.contains("error")).or(said.lines().next()).unwrap_or("");
    Err(DeviceError::Failed(format!(
        "'{compiler}' cannot compile {} for '{}': {first}",
        program.main, program.header
    )))
}
