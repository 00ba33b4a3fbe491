//! Which device there is.

use tesuji_search::{DeviceError, SearchDevice};

use crate::GpuDevice;
use crate::backend::{Backend, Cuda, CudaSettings, Emulated, EmulatedSettings};

/// A device to be opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeviceChoice {
    /// The first CUDA GPU.
    Cuda,
    /// The GPU's program on this machine's CPU: slow, for tests.
    Emulated,
}

/// Opens a device.
///
/// # Errors
/// If there is none: a sentence says what is missing.
pub fn open(choice: DeviceChoice) -> Result<Box<dyn SearchDevice>, DeviceError> {
    Ok(Box::new(open_gpu(choice)?))
}

/// Opens a device, with all that it can tell of itself.
///
/// # Errors
/// If there is none: a sentence says what is missing.
pub fn open_gpu(choice: DeviceChoice) -> Result<GpuDevice, DeviceError> {
    let backend: Box<dyn Backend> = match choice {
        DeviceChoice::Cuda => Box::new(Cuda::open(CudaSettings::default())?),
        DeviceChoice::Emulated => Box::new(Emulated::new(EmulatedSettings::default())),
    };
    GpuDevice::new(backend)
}
