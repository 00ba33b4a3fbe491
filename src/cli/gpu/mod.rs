//! `tesuji gpu`: the GPU of this machine, and kernels compiled for others.

#[cfg(feature = "cuda")]
mod bench;
#[cfg(feature = "cuda")]
mod check;
#[cfg(feature = "cuda")]
mod compile;
#[cfg(feature = "cuda")]
mod info;

use std::path::PathBuf;

use anyhow::Result;
use tesuji::search::MOST_SAMPLES;
use tesuji_report::Screen;

/// Show, check and measure the GPU of `--device cuda`, and compile its kernels
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
  tesuji gpu check
  tesuji gpu bench go:9 --games 30000
  TESUJI_KERNELS=kernels tesuji match go:9 rave uct --device cuda")]
pub(super) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(clap::Subcommand)]
enum Verb {
    Info(InfoArgs),
    Compile(CompileArgs),
    Check(CheckArgs),
    Bench(BenchArgs),
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
    /// A player whose searches are to be made; may be given several times [default: rave, uct, vct+uct, flat(sh)]
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

/// Compare searches of the GPU with those of the CPU, to the bit
///
/// Every player searches positions of random games, at all stages, on the GPU and on the CPU. All
/// visits, means, AMAF statistics and choices must be equal. The exit code is 1 if any is not.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji gpu check
  tesuji gpu check go:9 'phantom-go:7' --player 'flat(sh)' --searches 200
  tesuji gpu check hex:5 --device emulated")]
struct CheckArgs {
    /// The games; default: those of Table 1 of the SHUSS paper
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// A player; may be given several times [default: rave, hybrid-shuss(t=512), uct, sh+uct, vct+uct, flat(sh)]
    #[arg(long = "player", value_name = "SPEC")]
    players: Vec<String>,
    /// Samples of a search of a player that has no budget of its own
    #[arg(long, value_name = "N", default_value = "1000", value_parser = super::values::whole::<u64>(1..=MOST_SAMPLES))]
    budget: u64,
    /// Searches of each player in each game
    #[arg(long, value_name = "N", default_value = "50", value_parser = super::values::whole::<u64>(1..=1_000_000))]
    searches: u64,
    /// The device: cuda or emulated (the GPU's program on this CPU)
    #[arg(long, value_name = "DEVICE", default_value = "cuda", value_parser = ["cuda", "emulated"])]
    device: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Measure how many samples a second the GPU makes, in games at all stages
///
/// Games of two players are played side by side, begun at all stages, so that all stages are measured
/// alike. One thread of this machine's CPU is measured in the same games.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji gpu bench
  tesuji gpu bench go:9 --games 30000 --time 60s
  tesuji gpu bench hex:11 --player uct --opponent sh+uct")]
struct BenchArgs {
    /// The games; default: those of Table 1 of the SHUSS paper
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// The player
    #[arg(long, value_name = "SPEC", default_value = "hybrid-shuss(t=512)")]
    player: String,
    /// Its opponent
    #[arg(long, value_name = "SPEC", default_value = "rave")]
    opponent: String,
    /// Samples a move of a player that has no budget of its own
    #[arg(long, value_name = "N", default_value = "10000", value_parser = super::values::whole::<u64>(1..=MOST_SAMPLES))]
    budget: u64,
    /// Games at once
    #[arg(long = "games", value_name = "N", default_value = "16384", value_parser = super::values::whole::<u64>(1..=1_000_000))]
    at_once: u64,
    /// How long each game is measured
    #[arg(long, value_name = "TIME", default_value = "15s", value_parser = super::duration)]
    time: std::time::Duration,
    /// The device: cuda or emulated (the GPU's program on this CPU)
    #[arg(long, value_name = "DEVICE", default_value = "cuda", value_parser = ["cuda", "emulated"])]
    device: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The device with this name.
#[cfg(feature = "cuda")]
fn choice(name: &str) -> tesuji_gpu::DeviceChoice {
    if name == "emulated" { tesuji_gpu::DeviceChoice::Emulated } else { tesuji_gpu::DeviceChoice::Cuda }
}

/// A player's search, and the most samples of its own budget or else this one.
#[cfg(feature = "cuda")]
fn search_of(text: &str, budget: u64) -> Result<(std::sync::Arc<tesuji::search::SearchConfig>, u64)> {
    use tesuji::search::PlayerConfig;

    let player: tesuji::catalog::PlayerSpec = text.parse()?;
    let PlayerConfig::Search(config) = player.config() else {
        let sentence = format!("{player} does not search, so a GPU can do nothing for it");
        return Err(super::BadInput(sentence).into());
    };
    let samples = match player.budget().map(|budget| budget.most_samples()) {
        None => budget,
        Some(Some(samples)) => samples,
        Some(None) => {
            let sentence = format!("a GPU needs a number of samples, not a time as in {player}");
            return Err(super::BadInput(sentence).into());
        }
    };
    Ok((std::sync::Arc::new((**config).clone()), samples))
}

#[cfg(feature = "cuda")]
pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    match args.verb {
        Verb::Info(args) => info::run(&args, screen),
        Verb::Compile(args) => compile::run(&args, screen),
        Verb::Check(args) => check::run(&args, screen),
        Verb::Bench(args) => bench::run(&args, screen),
    }
}

#[cfg(not(feature = "cuda"))]
pub(super) fn run(args: Args, _screen: &Screen) -> Result<()> {
    let (Verb::Info(_) | Verb::Compile(_) | Verb::Check(_) | Verb::Bench(_)) = args.verb;
    Err(super::BadInput(WITHOUT_CUDA.to_owned()).into())
}

/// What a program without kernels says.
#[cfg(not(feature = "cuda"))]
pub(super) const WITHOUT_CUDA: &str =
    "this program was built without GPU support: build it with 'cargo build --release --features cuda'";
