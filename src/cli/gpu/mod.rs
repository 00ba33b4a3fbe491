//! `tesuji gpu`: the GPU of this machine, and kernels compiled for others.

#[cfg(feature = "cuda")]
mod compile;
#[cfg(feature = "cuda")]
mod info;

use std::path::PathBuf;

use anyhow::Result;
use tesuji::search::MOST_SAMPLES;
use tesuji_report::Screen;

/// Show the GPU that `--device cuda` would use, or compile its kernels ahead of time
///
/// Kernels are compiled when they are first needed and kept in the folder that the variable
/// TESUJI_KERNELS names (default: tesuji/kernels in your cache folder). The compiler is NVIDIA's
/// NVRTC; TESUJI_NVRTC names its folder if it is in an unusual place. A machine that has the
/// compiled kernels needs the driver alone.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji gpu info
  tesuji gpu compile kernels --arch sm_90
  TESUJI_KERNELS=kernels tesuji match go:9 rave uct --device cuda")]
pub(super) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(clap::Subcommand)]
enum Verb {
    Info(InfoArgs),
    Compile(CompileArgs),
}

/// Show the GPU, its memory and driver, NVRTC, and the folder of compiled kernels
#[derive(clap::Args)]
struct InfoArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Compile kernels for machines that have no compiler; this needs no GPU
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji gpu compile kernels
  tesuji gpu compile kernels go:9 hex:11 --player 'hybrid-shuss(t=512)'")]
struct CompileArgs {
    /// The folder to write to
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The games; default: those of Table 1 of the SHUSS paper
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// A player whose searches are to be made; may be given several times [default: rave, uct, flat(sh)]
    #[arg(long = "player", value_name = "SPEC")]
    players: Vec<String>,
    /// The most samples of a search of a player that has no budget of its own
    #[arg(long, value_name = "N", default_value = "10000", value_parser = super::values::whole::<u64>(1..=MOST_SAMPLES))]
    budget: u64,
    /// The architecture: sm_80 is the A100, sm_90 the H100 and the H200
    #[arg(long, value_name = "ARCH", default_value = "sm_90")]
    arch: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[cfg(feature = "cuda")]
pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    match args.verb {
        Verb::Info(args) => info::run(&args, screen),
        Verb::Compile(args) => compile::run(&args, screen),
    }
}

#[cfg(not(feature = "cuda"))]
pub(super) fn run(args: Args, _screen: &Screen) -> Result<()> {
    let (Verb::Info(_) | Verb::Compile(_)) = args.verb;
    Err(super::BadInput(WITHOUT_CUDA.to_owned()).into())
}

/// What a program without kernels says.
#[cfg(not(feature = "cuda"))]
pub(super) const WITHOUT_CUDA: &str =
    "this program was built without GPU support: build it with 'cargo build --release --features cuda'";
