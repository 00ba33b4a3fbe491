//! NVIDIA's run-time compiler, NVRTC: kernels become machine code, with or without a GPU.
//!
//! The library is looked for when it is needed. Machine code for one architecture (a cubin) is
//! made rather than PTX, since a driver refuses PTX that is newer than itself.

#![allow(unsafe_code)] // NVRTC is a C library.

use std::ffi::{CStr, CString, OsStr, c_char, c_int};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use libloading::{Library, Symbol};

use super::DeviceError;
use crate::program::Program;

/// The variable that names NVRTC's library or its folder.
pub const NVRTC_VARIABLE: &str = "TESUJI_NVRTC";

/// Options of the compiler. The float options make results equal to Rust's.
const OPTIONS: &[&str] = &[
    "--std=c++17",
    "--fmad=false",
    "--ftz=false",
    "--prec-div=true",
    "--prec-sqrt=true",
    "--device-as-default-execution-space",
];

/// The architecture of a GPU, by its compute capability: `sm_90` is capability 9.0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Architecture(pub u32);

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}", self.0)
    }
}

impl FromStr for Architecture {
    type Err = String;

    fn from_str(text: &str) -> Result<Architecture, String> {
        let number = text.strip_prefix("sm_").and_then(|number| number.parse().ok());
        let known = number.filter(|number| (50..1000).contains(number));
        known.map(Architecture).ok_or_else(|| format!("'{text}' is no architecture such as sm_90"))
    }
}

/// What a thread of a compiled kernel costs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelCost {
    /// The kernel's name.
    pub name: String,
    /// Registers.
    pub registers: u32,
    /// Bytes of arrays and spilt registers in local memory.
    pub stack_bytes: u32,
}

/// A program as machine code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompiledProgram {
    /// The name of its file in a cache.
    pub file_name: String,
    /// The machine code.
    pub cubin: Vec<u8>,
    /// The cost of its kernels.
    pub costs: Vec<KernelCost>,
}

/// The name of the file that has a program's machine code.
pub fn cubin_name(program: &Program, architecture: Architecture) -> String {
    let name = if program.header.is_empty() { program.main } else { &program.header };
    format!("{name}-{}-{architecture}.cubin", program.digest(&options(program, architecture)))
}

fn options(program: &Program, architecture: Architecture) -> Vec<String> {
    let mut options: Vec<String> = OPTIONS.iter().map(|&option| option.to_owned()).collect();
    options.push(format!("--gpu-architecture={architecture}"));
    options.extend(program.register_limit.map(|limit| format!("--maxrregcount={limit}")));
    options
}

/// NVRTC, loaded.
#[derive(Debug)]
pub struct Nvrtc {
    library: Library,
    file: PathBuf,
    version: (i32, i32),
}

/// A program as NVRTC knows it.
type Handle = *mut std::ffi::c_void;
type Status = c_int;
type TextOf = unsafe extern "C" fn(Handle, *mut c_char) -> Status;
type SizeOf = unsafe extern "C" fn(Handle, *mut usize) -> Status;
type Create = unsafe extern "C" fn(
    *mut Handle,
    *const c_char,
    *const c_char,
    c_int,
    *const *const c_char,
    *const *const c_char,
) -> Status;
type Compile = unsafe extern "C" fn(Handle, c_int, *const *const c_char) -> Status;
type Destroy = unsafe extern "C" fn(*mut Handle) -> Status;
type Version = unsafe extern "C" fn(*mut c_int, *mut c_int) -> Status;

impl Nvrtc {
    /// Finds and loads NVRTC.
    ///
    /// # Errors
    /// If it is not on this machine.
    pub fn find() -> Result<Nvrtc, DeviceError> {
        for file in candidates() {
            // SAFETY: NVRTC's library runs none of our code when it is loaded.
            let Ok(library) = (unsafe { Library::new(&file) }) else { continue };
            let mut nvrtc = Nvrtc { library, file, version: (0, 0) };
            let (mut major, mut minor) = (0, 0);
            let Ok(version) = nvrtc.function::<Version>("nvrtcVersion") else { continue };
            // SAFETY: the function writes two numbers.
            if unsafe { version(&raw mut major, &raw mut minor) } == 0 && major >= 12 {
                nvrtc.version = (major, minor);
                return Ok(nvrtc);
            }
        }
        if let Some(place) = named_place() {
            let place = place.display();
            return Err(DeviceError::Missing(format!(
                "there is no NVRTC 12 or 13 at {place}, which {NVRTC_VARIABLE} names"
            )));
        }
        Err(DeviceError::Missing(format!(
            "NVRTC 12 or 13 is missing, which compiles the kernels: install it ('pip install nvidia-cuda-nvrtc'), \
             name its folder in {NVRTC_VARIABLE}, or bring compiled kernels ('tesuji gpu compile')"
        )))
    }

    /// Its version, as in `13.0`.
    pub fn version(&self) -> String {
        format!("{}.{}", self.version.0, self.version.1)
    }

    /// The file that it was loaded from.
    pub fn file(&self) -> &Path {
        &self.file
    }

    fn function<F>(&self, name: &str) -> Result<Symbol<'_, F>, DeviceError> {
        // SAFETY: the callers give the types of NVRTC's header.
        unsafe { self.library.get(name) }
            .map_err(|_| DeviceError::Missing(format!("{} has no function {name}", self.file.display())))
    }

    /// Compiles a program for an architecture.
    ///
    /// # Errors
    /// If the program is wrong, or this NVRTC does not know the architecture.
    pub fn compile(
        &self,
        program: &Program,
        architecture: Architecture,
    ) -> Result<CompiledProgram, DeviceError> {
        self.compile_with(program, architecture, &[])
    }

    /// Compiles a program without optimising it, in a tenth of the time: to see whether it is
    /// correct C++. This needs NVRTC 13.
    ///
    /// # Errors
    /// If the program is wrong, or this NVRTC does not know the architecture.
    pub fn compile_unoptimized(
        &self,
        program: &Program,
        architecture: Architecture,
    ) -> Result<CompiledProgram, DeviceError> {
        self.compile_with(program, architecture, &["--Ofast-compile=max"])
    }

    fn compile_with(
        &self,
        program: &Program,
        architecture: Architecture,
        more_options: &[&str],
    ) -> Result<CompiledProgram, DeviceError> {
        let files = program.files();
        let text = |name: &str| CString::new(name).map_err(|_| failed("a source has a zero byte"));
        let texts = files.iter().map(|file| text(file.1)).collect::<Result<Vec<_>, _>>()?;
        let names = files.iter().map(|file| text(file.0)).collect::<Result<Vec<_>, _>>()?;
        let (Some((main, headers)), Some((main_name, header_names))) =
            (texts.split_first(), names.split_first())
        else {
            return Err(failed(&format!("there is no source {}", program.main)));
        };
        let mut options = options(program, architecture);
        options.extend(program.definitions());
        // The cost of the kernels is in the log then.
        options.push("--ptxas-options=-v".to_owned());
        options.extend(more_options.iter().map(|&option| option.to_owned()));
        let options = options.iter().map(|option| text(option)).collect::<Result<Vec<_>, _>>()?;
        let pointers = |texts: &[CString]| texts.iter().map(|text| text.as_ptr()).collect::<Vec<_>>();
        let (headers, header_names) = (pointers(headers), pointers(header_names));
        let options = pointers(&options);

        let create = self.function::<Create>("nvrtcCreateProgram")?;
        let destroy = self.function::<Destroy>("nvrtcDestroyProgram")?;
        let compile = self.function::<Compile>("nvrtcCompileProgram")?;
        let mut handle: Handle = std::ptr::null_mut();
        // SAFETY: all texts end with zero and live until the program is destroyed; the numbers are
        // those of the arrays.
        let (status, log, cubin) = unsafe {
            let status = create(
                &raw mut handle,
                main.as_ptr(),
                main_name.as_ptr(),
                headers.len() as c_int,
                headers.as_ptr(),
                header_names.as_ptr(),
            );
            if status != 0 {
                return Err(failed(&format!("NVRTC accepts no programs: error {status}")));
            }
            let status = compile(handle, options.len() as c_int, options.as_ptr());
            let log = self.bytes(handle, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog");
            let cubin = self.bytes(handle, "nvrtcGetCUBINSize", "nvrtcGetCUBIN");
            destroy(&raw mut handle);
            (status, log?, cubin)
        };
        let log = CStr::from_bytes_until_nul(&log).unwrap_or_default().to_string_lossy().into_owned();
        if status != 0 {
            let line = log.lines().find(|line| line.contains("error")).or(log.lines().next());
            let said = line.unwrap_or("it does not say why").trim();
            let (main, header, version) = (program.main, &program.header, self.version());
            return Err(failed(&format!(
                "NVRTC {version} cannot compile {main} for '{header}' and {architecture}: {said}"
            )));
        }
        Ok(CompiledProgram {
            file_name: cubin_name(program, architecture),
            cubin: cubin?,
            costs: costs(&log),
        })
    }

    /// What a pair of NVRTC's functions returns: the number of bytes, and the bytes.
    ///
    /// # Safety
    /// The handle is of a program that was not destroyed.
    unsafe fn bytes(&self, handle: Handle, size: &str, text: &str) -> Result<Vec<u8>, DeviceError> {
        let (size, text) = (self.function::<SizeOf>(size)?, self.function::<TextOf>(text)?);
        let mut n = 0;
        // SAFETY: the functions accept a program and write a size, and then as many bytes.
        unsafe {
            let mut status = size(handle, &raw mut n);
            let mut bytes = vec![0_u8; n];
            if status == 0 {
                status = text(handle, bytes.as_mut_ptr().cast());
            }
            if status == 0 { Ok(bytes) } else { Err(failed(&format!("NVRTC returned error {status}"))) }
        }
    }
}

fn failed(sentence: &str) -> DeviceError {
    DeviceError::Failed(sentence.to_owned())
}

/// The costs in a log of `ptxas -v`.
fn costs(log: &str) -> Vec<KernelCost> {
    let number_before = |line: &str, words: &str| -> Option<u32> {
        let (start, _) = line.split_once(words)?;
        start.rsplit(' ').next()?.parse().ok()
    };
    let mut costs: Vec<KernelCost> = Vec::new();
    // The function that the next line is about: a kernel, or a function that kernels call.
    let mut function = "";
    for line in log.lines() {
        if let Some(rest) = line.split("Compiling entry function '").nth(1) {
            let name = rest.split('\'').next().unwrap_or("").to_owned();
            costs.push(KernelCost { name, registers: 0, stack_bytes: 0 });
        } else if let Some(name) = line.split("Function properties for ").nth(1) {
            function = name.trim();
        } else if let Some(cost) = costs.last_mut().filter(|cost| cost.name == function) {
            if let Some(bytes) = number_before(line, " bytes stack frame") {
                cost.stack_bytes = bytes;
            }
            if let Some(registers) = number_before(line, " registers") {
                cost.registers = registers;
            }
            // With the functions that the kernel calls.
            if let Some(bytes) = number_before(line, " bytes cumulative stack size") {
                cost.stack_bytes = bytes;
            }
        }
    }
    costs
}

/// The path that a variable of the environment names.
fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Where NVRTC is, as the user says.
fn named_place() -> Option<PathBuf> {
    variable(NVRTC_VARIABLE)
}

/// Where NVRTC may be, the likeliest place first.
fn candidates() -> Vec<PathBuf> {
    let names = ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"];
    let mut folders: Vec<PathBuf> = Vec::new();
    let mut files = Vec::new();
    if let Some(given) = named_place() {
        // Whoever names a place wants no other one.
        if given.is_dir() {
            return names.iter().map(|name| given.join(name)).collect();
        }
        return vec![given];
    }
    files.extend(names.map(PathBuf::from));
    // A file that was copied next to the program.
    folders.extend(std::env::current_exe().ok().and_then(|file| Some(file.parent()?.to_owned())));
    for home in ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(variable) {
        folders.extend([home.join("lib64"), home.join("lib")]);
    }
    for toolkit in entries(Path::new("/usr/local")).into_iter().filter(|path| starts_with(path, "cuda")) {
        folders.push(toolkit.join("lib64"));
    }
    let mut environments: Vec<PathBuf> = variable("VIRTUAL_ENV").into_iter().collect();
    for place in entries(Path::new("/opt")) {
        environments.extend([place.join(".venv"), place]);
    }
    environments.extend([PathBuf::from("/usr/local"), PathBuf::from("/usr")]);
    for environment in environments {
        let pythons = entries(&environment.join("lib"));
        for python in pythons.into_iter().filter(|path| starts_with(path, "python")) {
            for packages in ["site-packages", "dist-packages"] {
                let packages = entries(&python.join(packages).join("nvidia"));
                folders.extend(packages.into_iter().map(|package| package.join("lib")));
            }
        }
    }
    for folder in folders {
        files.extend(names.iter().map(|name| folder.join(name)).filter(|file| file.is_file()));
    }
    files
}

/// What is in a folder, the last name first: the newest version. Nothing if there is no folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort_by(|one, other| other.cmp(one));
    paths
}

fn starts_with(path: &Path, start: &str) -> bool {
    path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with(start))
}
