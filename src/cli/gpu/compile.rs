//! `tesuji gpu compile`: kernels for machines without a compiler.

use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context, Result};
use serde::Serialize;
use tesuji::catalog::GameSpec;
use tesuji_arena::Experiment;
use tesuji_gpu::backend::{Architecture, DeviceError, KernelCost, Nvrtc};
use tesuji_gpu::program::{KernelCache, Program};
use tesuji_report::{Screen, Table};

use super::super::bar::Bar;
use super::super::{BadInput, experiment, interrupt};
use super::{CompileArgs, search_of};

/// The experiment whose games are compiled by default.
const TABLE: &str = "shuss-table1";

/// Players whose searches are compiled by default: one for each kind of program.
const PLAYERS: [&str; 4] = ["rave", "uct", "vct+uct", "flat(sh)"];

/// A program to compile, and who needs it.
struct Wanted {
    program: Program,
    games: Vec<String>,
    players: Vec<String>,
}

/// A compiled program, as `--json` prints it.
#[derive(Serialize)]
struct Compiled {
    games: Vec<String>,
    players: Vec<String>,
    file: String,
    bytes: usize,
    seconds: f64,
    kernels: Vec<CompiledKernel>,
}

/// A kernel and what a thread of it costs.
#[derive(Serialize)]
struct CompiledKernel {
    name: String,
    registers: u32,
    stack_bytes: u32,
}

pub(super) fn run(args: &CompileArgs, screen: &Screen) -> Result<()> {
    let architecture: Architecture = args.arch.parse().map_err(BadInput)?;
    let wanted = wanted(args)?;
    let nvrtc = Nvrtc::find()?;
    let cache = KernelCache::new(&args.folder);
    let compiled = compile_all(wanted, &nvrtc, architecture, &cache)?;
    if args.json {
        super::super::print_json_list("programs", &compiled)?;
        return interrupt::ended();
    }
    let title =
        format!("Programs for {architecture} by NVRTC {} in {}", nvrtc.version(), args.folder.display());
    let mut table =
        Table::new(title, ["games", "players", "#KiB", "#seconds", "#registers", "#bytes of stack"]);
    for program in &compiled {
        // What every simulation runs is the kernel that costs most.
        let most = |cost: fn(&CompiledKernel) -> u32| program.kernels.iter().map(cost).max().unwrap_or(0);
        table.row([
            program.games.join(", "),
            program.players.join(", "),
            (program.bytes >> 10).to_string(),
            format!("{:.1}", program.seconds),
            most(|kernel| kernel.registers).to_string(),
            most(|kernel| kernel.stack_bytes).to_string(),
        ]);
    }
    super::super::print(&table.text(screen))?;
    interrupt::ended()
}

/// The games of the experiment that is compiled by default.
fn default_games() -> Result<Vec<GameSpec>> {
    let mut games: Vec<GameSpec> = Vec::new();
    for experiment in experiment::built_in()? {
        if let Experiment::Matches(experiment) = experiment
            && experiment.name() == TABLE
        {
            for cell in experiment.cells {
                if !games.contains(&cell.game) {
                    games.push(cell.game);
                }
            }
        }
    }
    Ok(games)
}

/// The games with these names; those of the experiment if there are none.
pub(super) fn games(names: &[String]) -> Result<Vec<GameSpec>> {
    let named = names.iter().map(|game| game.parse()).collect::<Result<Vec<GameSpec>, _>>()?;
    if named.is_empty() { default_games() } else { Ok(named) }
}

/// The programs that the games and players need, each once.
fn wanted(args: &CompileArgs) -> Result<Vec<Wanted>> {
    let games = games(&args.games)?;
    let texts: Vec<&str> = args.players.iter().map(String::as_str).collect();
    let texts = if texts.is_empty() { PLAYERS.to_vec() } else { texts };
    let mut all: Vec<Wanted> = Vec::new();
    for game in &games {
        let board = game.start()?;
        let encoded = board.sight().encoded();
        let encoded = encoded.ok_or_else(|| BadInput(format!("there are no kernels for {game}")))?;
        for player in &texts {
            let (config, samples) = search_of(player, args.budget)?;
            let program =
                Program::of(&encoded, &config, samples).map_err(|error| error.about(player, game))?;
            let (game, player) = (game.to_string(), (*player).to_owned());
            match all.iter_mut().find(|wanted| wanted.program == program) {
                Some(known) => {
                    if !known.games.contains(&game) {
                        known.games.push(game);
                    }
                    if !known.players.contains(&player) {
                        known.players.push(player);
                    }
                }
                None => all.push(Wanted { program, games: vec![game], players: vec![player] }),
            }
        }
    }
    Ok(all)
}

/// Compiles programs on all cores and writes them into the folder.
fn compile_all(
    wanted: Vec<Wanted>,
    nvrtc: &Nvrtc,
    architecture: Architecture,
    cache: &KernelCache,
) -> Result<Vec<Compiled>> {
    let bar = Bar::new(wanted.len() as u64)?;
    let interrupt = interrupt::flag()?;
    let next = Mutex::new(wanted.into_iter().enumerate());
    let done = Mutex::new(Vec::new());
    let work = || -> Result<()> {
        loop {
            let taken = next.lock().ok().and_then(|mut next| next.next());
            let Some((number, wanted)) =
                taken.filter(|_| !interrupt.load(std::sync::atomic::Ordering::Relaxed))
            else {
                return Ok(());
            };
            let compiled = compile(wanted, nvrtc, architecture, cache)?;
            if let Ok(mut done) = done.lock() {
                done.push((number, compiled));
            }
            bar.add(1);
        }
    };
    let results: Vec<Result<()>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..super::super::threads(None)).map(|_| scope.spawn(work)).collect();
        let ended = threads.into_iter().map(|thread| thread.join());
        ended.map(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    bar.finish();
    results.into_iter().collect::<Result<()>>()?;
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(number, _)| *number);
    Ok(done.into_iter().map(|(_, compiled)| compiled).collect())
}

fn compile(
    wanted: Wanted,
    nvrtc: &Nvrtc,
    architecture: Architecture,
    cache: &KernelCache,
) -> Result<Compiled> {
    let Wanted { program, games, players } = wanted;
    let start = Instant::now();
    let compiled = nvrtc.compile(&program, architecture).map_err(|error| match error {
        // Whoever asks for an architecture that NVRTC does not know can ask for another one.
        DeviceError::Failed(sentence) if sentence.contains("gpu-architecture") => {
            anyhow::Error::from(BadInput(sentence))
        }
        error => error.into(),
    })?;
    let file = cache.write(&compiled.file_name, &compiled.cubin);
    let file = file.with_context(|| format!("cannot write to {}", cache.folder().display()))?;
    let kernel = |cost: KernelCost| {
        let KernelCost { name, registers, stack_bytes } = cost;
        CompiledKernel { name, registers, stack_bytes }
    };
    Ok(Compiled {
        games,
        players,
        file: file.display().to_string(),
        bytes: compiled.cubin.len(),
        seconds: start.elapsed().as_secs_f64(),
        kernels: compiled.costs.into_iter().map(kernel).collect(),
    })
}
