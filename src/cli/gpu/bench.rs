//! `tesuji gpu bench`: samples a second in games at all stages.

use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use tesuji::core::grouped;
use tesuji::search::SearchDevice;
use tesuji_gpu::{BenchGames, bench, one_core, open_gpu};
use tesuji_report::{Screen, Table};

use super::super::bar::Bar;
use super::{BenchArgs, choice, compile, search_of};

/// The speed of a game, as `--json` prints it.
#[derive(Serialize)]
struct Speed {
    game: String,
    samples_per_second: f64,
    one_core_samples_per_second: f64,
    games_at_once: u64,
    moves: u64,
    bytes_per_game: u64,
    registers: u32,
    stack_bytes: u32,
    made_on_the_host: u64,
}

/// How long one core of the CPU is measured.
const CORE_TIME: Duration = Duration::from_secs(3);

pub(super) fn run(args: &BenchArgs, screen: &Screen) -> Result<()> {
    let games = compile::games(&args.games)?;
    let (player, samples) = search_of(&args.player, args.budget)?;
    let (opponent, _) = search_of(&args.opponent, args.budget)?;
    let bar = Bar::new(games.len() as u64)?;
    let mut speeds = Vec::new();
    for game in &games {
        let (board, name) = (game.start()?, game.to_string());
        let sight = board.sight();
        bar.say(&name);
        let mut device = open_gpu(choice(&args.device))?;
        for (text, config) in [(&args.player, &player), (&args.opponent, &opponent)] {
            device.accepts(&*sight, config, samples).map_err(|error| error.about(text, game))?;
        }
        let players = [player.clone(), opponent.clone()];
        let mut at_once =
            BenchGames { start: &*sight, players, samples, games: args.at_once, time: args.time };
        let result = bench(&mut device, &at_once, |so_far| {
            bar.say(&format!("{name}: {} samples a second", grouped(so_far.speed() as u64)));
        })?;
        let groups = device.groups();
        let kernel = groups.first().map(|group| group.kernels.kernel("simulate"));
        at_once.time = CORE_TIME;
        speeds.push(Speed {
            samples_per_second: result.speed(),
            one_core_samples_per_second: one_core(&at_once),
            games_at_once: args.at_once,
            moves: result.moves,
            bytes_per_game: groups.first().map_or(0, |group| group.slot_bytes),
            registers: kernel.map_or(0, |kernel| kernel.registers),
            stack_bytes: kernel.map_or(0, |kernel| kernel.local_bytes),
            made_on_the_host: device.made_here(),
            game: name,
        });
        bar.add(1);
    }
    bar.finish();
    if args.json {
        return super::super::print_json_list("speeds", &speeds);
    }
    let title = format!("{} against {}, {} samples a move", args.player, args.opponent, grouped(samples));
    let columns =
        ["game", "#samples/s", "#one core", "#times", "#games", "#KiB a game", "#registers", "#stack"];
    let mut table = Table::new(title, columns);
    for speed in &speeds {
        table.row([
            speed.game.clone(),
            grouped(speed.samples_per_second as u64),
            grouped(speed.one_core_samples_per_second as u64),
            format!("{:.0}", speed.samples_per_second / speed.one_core_samples_per_second.max(1.0)),
            grouped(speed.games_at_once),
            grouped(speed.bytes_per_game >> 10),
            speed.registers.to_string(),
            speed.stack_bytes.to_string(),
        ]);
    }
    super::super::print(&table.text(screen))
}
