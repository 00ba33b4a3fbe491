//! Machines that run kernels: a CUDA GPU, or the host in its place.
//!
//! The kernels are the same sources in both worlds (`kernels/launch.cuh` has their entries), so a
//! search that is right on the [`Emulated`] machine is right on a GPU as long as its threads do not
//! disturb each other. A kernel accepts one argument, a structure of plain words; addresses in it
//! come from [`Backend::address`].

mod cuda;
mod emulated;
mod nvrtc;

pub use cuda::{Cuda, CudaSettings, GpuInfo};
pub use emulated::{Emulated, EmulatedSettings};
pub use nvrtc::{Architecture, CompiledProgram, KernelCost, NVRTC_VARIABLE, Nvrtc, cubin_name};
pub use tesuji_search::DeviceError;

use crate::program::Program;

/// A queue of work. What is asked of one stream happens in that order; streams run side by side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Stream(u8);

impl Stream {
    /// The number of streams.
    pub const COUNT: usize = 8;
    /// The first stream.
    pub const FIRST: Stream = Stream(0);
    /// All streams.
    pub const ALL: [Stream; Stream::COUNT] =
        [Stream(0), Stream(1), Stream(2), Stream(3), Stream(4), Stream(5), Stream(6), Stream(7)];

    /// Its number.
    pub fn number(self) -> usize {
        usize::from(self.0)
    }
}

/// A piece of a machine's memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BufferId(usize);

/// A kernel that a machine has loaded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct KernelId(usize);

/// A place in a machine's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The buffer.
    pub buffer: BufferId,
    /// Bytes from the buffer's start.
    pub offset: usize,
}

impl BufferId {
    /// The place `offset` bytes from the start of the buffer.
    pub fn at(self, offset: usize) -> Place {
        Place { buffer: self, offset }
    }
}

/// The memory of a machine, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryInfo {
    /// What can still be allocated.
    pub free: u64,
    /// What there is.
    pub total: u64,
}

/// How many threads run a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaunchSize {
    /// The number of blocks.
    pub grid: u32,
    /// The number of threads in a block.
    pub block: u32,
}

/// A loaded kernel and what a thread of it costs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kernel {
    /// Its name in the sources.
    pub name: String,
    /// How to start it.
    pub id: KernelId,
    /// Registers of a thread; 0 on the host.
    pub registers: u32,
    /// Bytes of local memory of a thread: spilt registers and arrays. 0 on the host.
    pub local_bytes: u32,
}

/// The kernels of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KernelSet {
    /// One kernel for each of [`Program::entry_points`], in that order.
    pub kernels: Vec<Kernel>,
}

impl KernelSet {
    /// The kernel with this name, which must be an entry point of the program.
    ///
    /// # Panics
    /// If there is no such kernel.
    pub fn kernel(&self, name: &str) -> &Kernel {
        let kernel = self.kernels.iter().find(|kernel| kernel.name == name);
        kernel.unwrap_or_else(|| panic!("'{name}' is no entry point of the program"))
    }
}

/// A machine that runs kernels.
///
/// Everything happens in the order of its stream: a read sees what earlier launches in the same
/// stream wrote. Launches and writes return at once, a read waits for its bytes.
pub trait Backend: Send {
    /// What the machine is called.
    fn name(&self) -> String;

    /// Its memory.
    fn memory(&self) -> Result<MemoryInfo, DeviceError>;

    /// Allocates memory, filled with zeros. Its address is a multiple of 256.
    fn alloc(&mut self, bytes: usize) -> Result<BufferId, DeviceError>;

    /// Waits for all launches and gives the memory back.
    fn free(&mut self, buffer: BufferId);

    /// The address of a buffer, as kernels see it.
    fn address(&self, buffer: BufferId) -> u64;

    /// Copies bytes to the machine. They may be changed after the call.
    fn write(&mut self, place: Place, bytes: &[u8], stream: Stream) -> Result<(), DeviceError>;

    /// Copies bytes from the machine.
    fn read(&mut self, place: Place, bytes: &mut [u8], stream: Stream) -> Result<(), DeviceError>;

    /// Fills `bytes` bytes of memory with zeros.
    fn fill_zero(&mut self, place: Place, bytes: usize, stream: Stream) -> Result<(), DeviceError>;

    /// Compiles the program, or takes it from the cache, and loads it. A program that was loaded
    /// before is the same set of kernels again, at no cost.
    fn load(&mut self, program: &Program) -> Result<KernelSet, DeviceError>;

    /// Starts a kernel. `params` are the bytes of its parameters, a `#[repr(C)]` structure.
    fn launch(
        &mut self,
        kernel: KernelId,
        size: LaunchSize,
        params: &[u8],
        stream: Stream,
    ) -> Result<(), DeviceError>;

    /// Whether everything that was asked of the stream is done. Does not wait.
    fn is_finished(&mut self, stream: Stream) -> Result<bool, DeviceError>;

    /// Waits until everything that was asked of the stream is done.
    fn finish(&mut self, stream: Stream) -> Result<(), DeviceError>;

    /// The number of multiprocessors.
    fn multiprocessors(&self) -> u32;

    /// How many blocks of a kernel fit on a multiprocessor at once.
    fn resident_blocks(&self, kernel: KernelId, block: u32) -> u32;
}

/// Refuses a part of a buffer that reaches beyond its end.
fn check_range(offset: usize, bytes: usize, size: usize) -> Result<(), DeviceError> {
    if offset.checked_add(bytes).is_some_and(|end| end <= size) {
        return Ok(());
    }
    Err(DeviceError::Failed(format!("{bytes} bytes at {offset} reach beyond a buffer of {size} bytes")))
}

/// Refuses parameters that are not of the size that a kernel wants.
fn check_params(params: &[u8], wanted: usize) -> Result<(), DeviceError> {
    match params.len() {
        given if given == wanted => Ok(()),
        given => Err(DeviceError::Failed(format!("a kernel's parameters have {wanted} bytes, not {given}"))),
    }
}
