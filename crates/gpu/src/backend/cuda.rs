//! An NVIDIA GPU through the CUDA driver, which is found at run time.
//!
//! The driver's library is the one thing that must be on the machine. Kernels are compiled by
//! NVRTC when they are first needed, unless the cache has their machine code.

#![allow(unsafe_code)] // The driver is a C library.

use std::ffi::{CStr, CString, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};

use cudarc::driver::sys::{self, CUresult};
use libloading::Library;

use super::nvrtc::{Architecture, Nvrtc, cubin_name};
use super::{
    Backend, BufferId, DeviceError, Kernel, KernelId, KernelSet, LaunchSize, MemoryInfo, Place, Stream,
    check_params, check_range,
};
use crate::program::{KernelCache, Program};

/// Bytes of pinned memory of a stream, through which all copies go.
const STAGING: usize = 16 << 20;

/// Which GPU to open.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CudaSettings {
    /// The GPU's number as the driver counts.
    pub device: u32,
    /// Where compiled kernels are kept.
    pub cache: KernelCache,
}

/// What the driver knows about a GPU.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GpuInfo {
    /// Its name.
    pub name: String,
    /// Its architecture.
    pub architecture: Architecture,
    /// The number of multiprocessors.
    pub multiprocessors: u32,
    /// The version of CUDA that the driver knows, as in `13.0`.
    pub driver: String,
    /// The number of GPUs here.
    pub n_devices: u32,
}

/// A GPU.
#[derive(Debug)]
pub struct Cuda {
    info: GpuInfo,
    cache: KernelCache,
    driver: Library,
    device: sys::CUdevice,
    context: sys::CUcontext,
    streams: [Queue; Stream::COUNT],
    /// For what must not wait for kernels.
    side_stream: sys::CUstream,
    buffers: Vec<Option<Memory>>,
    modules: Vec<sys::CUmodule>,
    kernels: Vec<Entry>,
    loaded: Vec<(Program, KernelSet)>,
}

// SAFETY: the driver's handles may be used by any thread once the context is made current, which
// every method does first.
unsafe impl Send for Cuda {}

/// A stream and its pinned memory.
#[derive(Clone, Copy, Debug)]
struct Queue {
    stream: sys::CUstream,
    staging: *mut u8,
    /// Bytes of the pinned memory that copies to the GPU may still be reading.
    used: usize,
}

#[derive(Clone, Copy, Debug)]
struct Memory {
    address: sys::CUdeviceptr,
    bytes: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    function: sys::CUfunction,
    /// `None` if the driver is too old to know.
    params_bytes: Option<usize>,
}

impl Cuda {
    /// Opens a GPU.
    ///
    /// # Errors
    /// If there is no driver or no such GPU, or if it cannot be used.
    pub fn open(settings: CudaSettings) -> Result<Cuda, DeviceError> {
        // cudarc panics if the library is missing.
        // SAFETY: the driver's library runs none of our code when it is loaded.
        let driver = unsafe { Library::new("libcuda.so.1") }.map_err(|_| {
            DeviceError::Missing("no NVIDIA driver here (libcuda.so.1 is missing)".to_owned())
        })?;
        // SAFETY: the pointers are of numbers that the driver writes.
        unsafe {
            let (mut version, mut n_devices, mut device) = (0, 0, 0);
            opened(sys::cuInit(0))?;
            opened(sys::cuDriverGetVersion(&raw mut version))?;
            opened(sys::cuDeviceGetCount(&raw mut n_devices))?;
            if n_devices == 0 {
                return Err(DeviceError::Missing("no GPU here: the NVIDIA driver reports none".to_owned()));
            }
            if version < 12_000 {
                let version = version_text(version);
                return Err(DeviceError::Missing(format!(
                    "the NVIDIA driver is too old: it knows CUDA {version}, and 12.0 or newer is needed"
                )));
            }
            let number = c_int::try_from(settings.device).unwrap_or(c_int::MAX);
            if number >= n_devices {
                return Err(DeviceError::Missing(format!(
                    "there is no GPU {number}: the last one here is {}",
                    n_devices - 1
                )));
            }
            opened(sys::cuDeviceGet(&raw mut device, number))?;
            let attribute = |attribute| {
                let mut value = 0;
                opened(sys::cuDeviceGetAttribute(&raw mut value, attribute, device)).map(|()| value as u32)
            };
            use sys::CUdevice_attribute_enum as Attribute;
            let major = attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
            let minor = attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
            let mut name = [0; 256];
            opened(sys::cuDeviceGetName(name.as_mut_ptr(), 255, device))?;
            let info = GpuInfo {
                name: CStr::from_ptr(name.as_ptr()).to_string_lossy().into_owned(),
                architecture: Architecture(10 * major + minor),
                multiprocessors: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
                driver: version_text(version),
                n_devices: n_devices as u32,
            };
            let mut context = null_mut();
            opened(sys::cuDevicePrimaryCtxRetain(&raw mut context, device))?;
            let none = Queue { stream: null_mut(), staging: null_mut(), used: 0 };
            // From here on, whatever was made is given back when the value is dropped.
            let mut gpu = Cuda {
                info,
                cache: settings.cache,
                driver,
                device,
                context,
                streams: [none; Stream::COUNT],
                side_stream: null_mut(),
                buffers: Vec::new(),
                modules: Vec::new(),
                kernels: Vec::new(),
                loaded: Vec::new(),
            };
            gpu.enter()?;
            let flags = sys::CUstream_flags_enum::CU_STREAM_NON_BLOCKING as c_uint;
            opened(sys::cuStreamCreate(&raw mut gpu.side_stream, flags))?;
            for queue in &mut gpu.streams {
                opened(sys::cuStreamCreate(&raw mut queue.stream, flags))?;
                let mut staging: *mut c_void = null_mut();
                opened(sys::cuMemAllocHost_v2(&raw mut staging, STAGING))?;
                queue.staging = staging.cast();
            }
            Ok(gpu)
        }
    }

    /// What the driver knows about this GPU.
    pub fn info(&self) -> &GpuInfo {
        &self.info
    }

    /// Makes the GPU the one that this thread talks to.
    fn enter(&self) -> Result<(), DeviceError> {
        // SAFETY: the context lives as long as this value.
        checked(unsafe { sys::cuCtxSetCurrent(self.context) }, "be reached")
    }

    fn memory_of(&self, buffer: BufferId) -> Result<Memory, DeviceError> {
        let memory = self.buffers.get(buffer.0).copied().flatten();
        memory.ok_or_else(|| DeviceError::Failed("a buffer was used after it was freed".to_owned()))
    }

    /// The address of a place with `bytes` bytes behind it.
    fn pointer(&self, place: Place, bytes: usize) -> Result<sys::CUdeviceptr, DeviceError> {
        let memory = self.memory_of(place.buffer)?;
        check_range(place.offset, bytes, memory.bytes)?;
        Ok(memory.address + place.offset as u64)
    }

    /// The program's machine code in memory of the GPU.
    fn module(&self, program: &Program) -> Result<sys::CUmodule, DeviceError> {
        let name = cubin_name(program, self.info.architecture);
        let cached = self.cache.read(&name);
        // A file that the driver refuses is made anew.
        let refused = match cached.map(|cubin| self.module_of(&cubin)) {
            Some(Ok(module)) => return Ok(module),
            Some(Err(error)) => Some(error),
            None => None,
        };
        let nvrtc = Nvrtc::find().map_err(|missing| refused.unwrap_or(missing))?;
        let compiled = nvrtc.compile(program, self.info.architecture)?;
        let module = self.module_of(&compiled.cubin).map_err(|error| {
            let (driver, version) = (&self.info.driver, nvrtc.version());
            DeviceError::Failed(format!(
                "{error}; is the driver, which knows CUDA {driver}, too old for NVRTC {version}?"
            ))
        })?;
        // A cache that cannot be written costs time, no more.
        let _ = self.cache.write(&name, &compiled.cubin);
        Ok(module)
    }

    fn module_of(&self, cubin: &[u8]) -> Result<sys::CUmodule, DeviceError> {
        if !is_whole(cubin) {
            return Err(DeviceError::Failed("a file of compiled kernels is damaged".to_owned()));
        }
        let mut module = null_mut();
        // SAFETY: a cubin says itself how long it is, and this one is as long as it says.
        let result = unsafe { sys::cuModuleLoadData(&raw mut module, cubin.as_ptr().cast()) };
        checked(result, "load compiled kernels")?;
        Ok(module)
    }

    /// The kernel of a module with this name, and what it costs.
    fn entry(&self, module: sys::CUmodule, name: &str) -> Result<(Entry, u32, u32), DeviceError> {
        type ParamInfo = unsafe extern "C" fn(sys::CUfunction, usize, *mut usize, *mut usize) -> c_int;
        use sys::CUfunction_attribute_enum as Attribute;
        let text = CString::new(name).unwrap_or_default();
        let mut function = null_mut();
        // SAFETY: the module is loaded, and the pointers are of numbers that the driver writes. The
        // function that not all drivers have is of this type.
        unsafe {
            checked(
                sys::cuModuleGetFunction(&raw mut function, module, text.as_ptr()),
                &format!("find the kernel '{name}'"),
            )?;
            let attribute = |attribute| {
                let mut value = 0;
                let result = sys::cuFuncGetAttribute(&raw mut value, attribute, function);
                checked(result, "describe a kernel").map(|()| value as u32)
            };
            let registers = attribute(Attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?;
            let local_bytes = attribute(Attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?;
            // Kernels use no shared memory: the first-level cache can have it all.
            let _ = sys::cuFuncSetCacheConfig(function, sys::CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_L1);
            let params_bytes = self.driver.get::<ParamInfo>("cuFuncGetParamInfo").ok().and_then(|info| {
                let (mut offset, mut bytes) = (0, 0);
                (info(function, 0, &raw mut offset, &raw mut bytes) == 0).then_some(bytes)
            });
            Ok((Entry { function, params_bytes }, registers, local_bytes))
        }
    }
}

impl Backend for Cuda {
    fn name(&self) -> String {
        self.info.name.clone()
    }

    fn memory(&self) -> Result<MemoryInfo, DeviceError> {
        self.enter()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: the driver writes two numbers.
        checked(unsafe { sys::cuMemGetInfo_v2(&raw mut free, &raw mut total) }, "tell its memory")?;
        Ok(MemoryInfo { free: free as u64, total: total as u64 })
    }

    fn alloc(&mut self, bytes: usize) -> Result<BufferId, DeviceError> {
        self.enter()?;
        let mut address = 0;
        // SAFETY: the driver writes an address.
        let result = unsafe { sys::cuMemAlloc_v2(&raw mut address, bytes.max(1)) };
        if result == CUresult::CUDA_ERROR_OUT_OF_MEMORY {
            let free = self.memory()?.free;
            return Err(DeviceError::Failed(format!(
                "the device is out of memory: {bytes} bytes of {free} free ones"
            )));
        }
        checked(result, "allocate memory")?;
        let place = self.buffers.iter().position(Option::is_none).unwrap_or(self.buffers.len());
        if place == self.buffers.len() {
            self.buffers.push(None);
        }
        self.buffers[place] = Some(Memory { address, bytes });
        // SAFETY: the memory was just allocated.
        unsafe {
            checked(sys::cuMemsetD8Async(address, 0, bytes.max(1), self.side_stream), "clear memory")?;
            checked(sys::cuStreamSynchronize(self.side_stream), "clear memory")?;
        }
        Ok(BufferId(place))
    }

    fn free(&mut self, buffer: BufferId) {
        for stream in Stream::ALL {
            let _ = self.finish(stream);
        }
        if let Some(memory) = self.buffers[buffer.0].take() {
            // SAFETY: it was allocated, nothing runs that knows it, and it is forgotten. A GPU that
            // was lost has no memory to give back.
            let _ = unsafe { sys::cuMemFree_v2(memory.address) };
        }
    }

    fn address(&self, buffer: BufferId) -> u64 {
        self.memory_of(buffer).map_or(0, |memory| memory.address)
    }

    fn write(&mut self, place: Place, bytes: &[u8], stream: Stream) -> Result<(), DeviceError> {
        self.enter()?;
        let mut address = self.pointer(place, bytes.len())?;
        for chunk in bytes.chunks(STAGING) {
            if self.streams[stream.number()].used + chunk.len() > STAGING {
                self.finish(stream)?;
            }
            let queue = &mut self.streams[stream.number()];
            // SAFETY: the chunk fits into the pinned memory behind what other copies may still read,
            // and the range is inside the buffer.
            let result = unsafe {
                let staged = queue.staging.add(queue.used);
                staged.copy_from_nonoverlapping(chunk.as_ptr(), chunk.len());
                sys::cuMemcpyHtoDAsync_v2(address, staged.cast(), chunk.len(), queue.stream)
            };
            queue.used += chunk.len();
            checked(result, "accept data")?;
            address += chunk.len() as u64;
        }
        Ok(())
    }

    fn read(&mut self, place: Place, bytes: &mut [u8], stream: Stream) -> Result<(), DeviceError> {
        self.enter()?;
        let mut address = self.pointer(place, bytes.len())?;
        for chunk in bytes.chunks_mut(STAGING) {
            let Queue { stream: queue, staging, .. } = self.streams[stream.number()];
            // SAFETY: the chunk fits into the pinned memory. Copies to the GPU that read there are
            // earlier in the same stream, so they are over when this one starts.
            let result = unsafe { sys::cuMemcpyDtoHAsync_v2(staging.cast(), address, chunk.len(), queue) };
            checked(result, "send data")?;
            self.finish(stream)?;
            // SAFETY: the copy is over.
            unsafe { staging.copy_to_nonoverlapping(chunk.as_mut_ptr(), chunk.len()) };
            address += chunk.len() as u64;
        }
        Ok(())
    }

    fn fill_zero(&mut self, place: Place, bytes: usize, stream: Stream) -> Result<(), DeviceError> {
        self.enter()?;
        let address = self.pointer(place, bytes)?;
        if bytes == 0 {
            return Ok(());
        }
        let queue = self.streams[stream.number()].stream;
        // SAFETY: the range is inside the buffer.
        checked(unsafe { sys::cuMemsetD8Async(address, 0, bytes, queue) }, "clear memory")
    }

    fn load(&mut self, program: &Program) -> Result<KernelSet, DeviceError> {
        if let Some((_, set)) = self.loaded.iter().find(|(loaded, _)| loaded == program) {
            return Ok(set.clone());
        }
        self.enter()?;
        let module = self.module(program)?;
        self.modules.push(module);
        let mut set = KernelSet::default();
        for name in &program.entry_points {
            let (entry, registers, local_bytes) = self.entry(module, name)?;
            let id = KernelId(self.kernels.len());
            self.kernels.push(entry);
            set.kernels.push(Kernel { name: name.clone(), id, registers, local_bytes });
        }
        self.loaded.push((program.clone(), set.clone()));
        Ok(set)
    }

    fn launch(
        &mut self,
        kernel: KernelId,
        size: LaunchSize,
        params: &[u8],
        stream: Stream,
    ) -> Result<(), DeviceError> {
        self.enter()?;
        let entry = self.kernels[kernel.0];
        if let Some(wanted) = entry.params_bytes {
            check_params(params, wanted)?;
        }
        let mut arguments = [params.as_ptr().cast::<c_void>().cast_mut()];
        let queue = self.streams[stream.number()].stream;
        // SAFETY: the kernel has one argument, whose bytes the driver copies before it returns; the
        // addresses in it are those of our buffers, which live until nothing runs.
        let result = unsafe {
            let (grid, block) = (size.grid, size.block);
            sys::cuLaunchKernel(
                entry.function,
                grid,
                1,
                1,
                block,
                1,
                1,
                0,
                queue,
                arguments.as_mut_ptr(),
                null::<*mut c_void>().cast_mut(),
            )
        };
        checked(result, "start a kernel")
    }

    fn is_finished(&mut self, stream: Stream) -> Result<bool, DeviceError> {
        self.enter()?;
        // SAFETY: the stream lives as long as this value.
        match unsafe { sys::cuStreamQuery(self.streams[stream.number()].stream) } {
            CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            result => checked(result, "finish its work").map(|()| true),
        }
    }

    fn finish(&mut self, stream: Stream) -> Result<(), DeviceError> {
        self.enter()?;
        let queue = &mut self.streams[stream.number()];
        // SAFETY: the stream lives as long as this value.
        checked(unsafe { sys::cuStreamSynchronize(queue.stream) }, "finish its work")?;
        queue.used = 0;
        Ok(())
    }

    fn multiprocessors(&self) -> u32 {
        self.info.multiprocessors
    }

    fn resident_blocks(&self, kernel: KernelId, block: u32) -> u32 {
        let (mut blocks, block) = (0, c_int::try_from(block).unwrap_or(c_int::MAX));
        let function = self.kernels[kernel.0].function;
        // SAFETY: the kernel is loaded, and the driver writes a number.
        let result = self.enter().map(|()| unsafe {
            sys::cuOccupancyMaxActiveBlocksPerMultiprocessor(&raw mut blocks, function, block, 0)
        });
        if result == Ok(CUresult::CUDA_SUCCESS) { blocks.max(0) as u32 } else { 0 }
    }
}

impl Drop for Cuda {
    fn drop(&mut self) {
        // SAFETY: everything was made by this value and is used by nobody else. A GPU that was lost
        // answers with errors, and there is nobody to tell.
        unsafe {
            let _ = self.enter();
            for queue in &self.streams {
                let _ = sys::cuStreamSynchronize(queue.stream);
            }
            for memory in self.buffers.iter().flatten() {
                let _ = sys::cuMemFree_v2(memory.address);
            }
            for &module in &self.modules {
                let _ = sys::cuModuleUnload(module);
            }
            for queue in self.streams.iter().filter(|queue| !queue.stream.is_null()) {
                let _ = sys::cuStreamDestroy_v2(queue.stream);
                let _ = sys::cuMemFreeHost(queue.staging.cast());
            }
            if !self.side_stream.is_null() {
                let _ = sys::cuStreamDestroy_v2(self.side_stream);
            }
            let _ = sys::cuDevicePrimaryCtxRelease_v2(self.device);
        }
    }
}

/// Whether machine code has all the bytes that the tables of its ELF header mention.
fn is_whole(cubin: &[u8]) -> bool {
    let number = |at: usize, bytes: usize| {
        cubin[at..at + bytes].iter().rev().fold(0_u64, |number, &byte| number << 8 | u64::from(byte))
    };
    // The place of a table, the size of its rows, and their number: program headers, sections.
    cubin.len() >= 64
        && cubin.starts_with(b"\x7fELF")
        && [(0x20, 0x36), (0x28, 0x3a)].into_iter().all(|(place, rows)| {
            number(place, 8).saturating_add(number(rows, 2) * number(rows + 2, 2)) <= cubin.len() as u64
        })
}

/// CUDA's version number as text: 13000 is 13.0.
fn version_text(version: c_int) -> String {
    format!("{}.{}", version / 1000, version % 1000 / 10)
}

/// What the driver says about an error.
fn description(result: CUresult) -> String {
    let mut text = null();
    // SAFETY: the driver writes the address of a text that stays, or null.
    unsafe {
        let _ = sys::cuGetErrorString(result, &raw mut text);
        if text.is_null() {
            return format!("error {}", result as u32);
        }
        CStr::from_ptr(text).to_string_lossy().into_owned()
    }
}

/// An error while a GPU is opened: it cannot be used at all.
fn opened(result: CUresult) -> Result<(), DeviceError> {
    match result {
        CUresult::CUDA_SUCCESS => Ok(()),
        CUresult::CUDA_ERROR_NO_DEVICE => {
            Err(DeviceError::Missing("no GPU here: the NVIDIA driver reports none".to_owned()))
        }
        result => Err(DeviceError::Missing(format!("the GPU cannot be used: {}", description(result)))),
    }
}

/// An error while a GPU works, and what it was to do.
fn checked(result: CUresult, deed: &str) -> Result<(), DeviceError> {
    let said = match result {
        CUresult::CUDA_SUCCESS => return Ok(()),
        CUresult::CUDA_ERROR_OUT_OF_MEMORY => "the device is out of memory".to_owned(),
        result => format!("the GPU cannot {deed}: {}", description(result)),
    };
    Err(DeviceError::Failed(said))
}
