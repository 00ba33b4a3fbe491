//! The option `--device`: where the searches of a match are made.

use std::io::{self, Write};

use anyhow::Result;
use clap::ValueEnum;
use tesuji::search::{DeviceError, SearchDevice};
use tesuji_arena::MatchExperiment;

use super::BadInput;

/// Where searches are made.
#[derive(clap::Args)]
pub(super) struct DeviceArgs {
    /// Where searches are made: cpu, cuda (a GPU plays thousands of games at once), auto (a GPU, else the
    /// CPU) or emulated (a GPU's program on the CPU, for tests)
    #[arg(long, value_name = "DEVICE", default_value = "cpu", hide_possible_values = true)]
    device: DeviceChoice,
}

/// Where the searches of `reproduce` are made.
#[derive(clap::Args)]
pub(super) struct DeviceOrAutoArgs {
    /// Where searches are made: cpu, cuda (a GPU plays thousands of games at once), auto (a GPU, else the
    /// CPU) or emulated (a GPU's program on the CPU, for tests) [default: auto; with --quick: cpu]
    #[arg(long, value_name = "DEVICE", hide_possible_values = true)]
    device: Option<DeviceChoice>,
}

impl DeviceOrAutoArgs {
    /// Opens the device. Without the option it is a GPU if there is one, else the CPU; if `is_quick`,
    /// the CPU.
    pub(super) fn open(&self, is_quick: bool) -> Result<PlayDevice> {
        let choice = DeviceChoice::Auto;
        match self.device {
            Some(device) => DeviceArgs { device }.open(),
            None if is_quick => Ok(PlayDevice { device: None, choice: DeviceChoice::Cpu }),
            // Nobody asked for a GPU, so nobody misses it.
            None => Ok(PlayDevice { device: open_device(choice).ok().flatten(), choice }),
        }
    }
}

/// A value of `--device`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum DeviceChoice {
    Cpu,
    Cuda,
    Auto,
    Emulated,
}

/// Where the games of a verb are played: on a device, or on threads.
pub(super) struct PlayDevice {
    device: Option<Box<dyn SearchDevice>>,
    choice: DeviceChoice,
}

impl DeviceArgs {
    /// Opens the device. The error is a sentence that says what is missing.
    pub(super) fn open(&self) -> Result<PlayDevice> {
        let choice = self.device;
        match open_device(choice) {
            Ok(device) => Ok(PlayDevice { device, choice }),
            Err(error) if choice == DeviceChoice::Auto => {
                say_that_the_cpu_plays(&error);
                Ok(PlayDevice { device: None, choice })
            }
            Err(error @ DeviceError::Failed(_)) => Err(error.into()),
            Err(error) => Err(BadInput(error.to_string()).into()),
        }
    }
}

impl PlayDevice {
    /// Checks that an experiment can be played. The error is a sentence about the first cell that
    /// the device cannot play; with `--device auto` the CPU plays those.
    pub(super) fn check(&self, experiment: &MatchExperiment) -> Result<()> {
        match &self.device {
            Some(device) if self.choice != DeviceChoice::Auto => {
                let wrong = |error: DeviceError| BadInput(format!("{error}; use --device cpu"));
                Ok(experiment.check_device(&**device).map_err(wrong)?)
            }
            _ => Ok(()),
        }
    }

    /// The device, if it can play all of an experiment.
    pub(super) fn accepting(
        &mut self,
        experiment: &MatchExperiment,
    ) -> Option<&mut (dyn SearchDevice + 'static)> {
        self.device.as_deref_mut().filter(|device| experiment.check_device(&**device).is_ok())
    }

    /// The device for an experiment; `None` for threads. The error is a sentence about the first
    /// cell that the device cannot play.
    pub(super) fn for_experiment(
        &mut self,
        experiment: &MatchExperiment,
    ) -> Result<Option<&mut (dyn SearchDevice + 'static)>> {
        self.check(experiment)?;
        let Some(device) = &mut self.device else { return Ok(None) };
        match experiment.check_device(&**device) {
            Ok(()) => Ok(Some(&mut **device)),
            Err(error) => {
                say_that_the_cpu_plays(&error);
                Ok(None)
            }
        }
    }
}

fn say_that_the_cpu_plays(reason: &DeviceError) {
    // A reader that went away is no reason to stop.
    let _ = writeln!(io::stderr(), "The CPU plays: {reason}");
}

/// Opens a device; `None` for the CPU.
#[cfg(feature = "cuda")]
fn open_device(choice: DeviceChoice) -> Result<Option<Box<dyn SearchDevice>>, DeviceError> {
    match choice {
        DeviceChoice::Cpu => Ok(None),
        DeviceChoice::Cuda | DeviceChoice::Auto => tesuji_gpu::open(tesuji_gpu::DeviceChoice::Cuda).map(Some),
        DeviceChoice::Emulated => tesuji_gpu::open(tesuji_gpu::DeviceChoice::Emulated).map(Some),
    }
}

/// Opens a device; `None` for the CPU, which is all that this build has.
#[cfg(not(feature = "cuda"))]
fn open_device(choice: DeviceChoice) -> Result<Option<Box<dyn SearchDevice>>, DeviceError> {
    const NO_GPU: &str = "this build has no GPU support";
    match choice {
        DeviceChoice::Cpu => Ok(None),
        DeviceChoice::Auto => Err(DeviceError::Missing(NO_GPU.to_owned())),
        DeviceChoice::Cuda | DeviceChoice::Emulated => Err(DeviceError::Missing(format!(
            "{NO_GPU}: build with cargo build --release --features cuda, or use --device cpu"
        ))),
    }
}
