//! `tesuji gpu check`: the searches of a GPU and of the CPU, compared.

use anyhow::{Result, bail};
use serde::Serialize;
use tesuji::core::grouped;
use tesuji::search::SearchDevice;
use tesuji_gpu::{compare, open_gpu};
use tesuji_report::{Screen, Table};

use super::super::bar::Bar;
use super::{CheckArgs, choice, compile, search_of};

/// Players for each kind of search.
const PLAYERS: [&str; 6] = ["rave", "hybrid-shuss(t=512)", "uct", "sh+uct", "vct+uct", "flat(sh)"];

/// Searches of a player in a game, as `--json` prints them.
#[derive(Serialize)]
struct Compared {
    game: String,
    player: String,
    searches: u64,
    same: u64,
}

pub(super) fn run(args: &CheckArgs, screen: &Screen) -> Result<()> {
    let games = compile::games(&args.games)?;
    let named: Vec<&str> = args.players.iter().map(String::as_str).collect();
    let players = if named.is_empty() { PLAYERS.to_vec() } else { named };
    let mut device = open_gpu(choice(&args.device))?;
    let bar = Bar::new((games.len() * players.len()) as u64)?;
    let mut all = Vec::new();
    for game in &games {
        let board = game.start()?;
        let sight = board.sight();
        for player in &players {
            bar.say(&format!("{player} in {game}"));
            let (config, samples) = search_of(player, args.budget)?;
            let accepted = device.accepts(&*sight, &config, samples);
            accepted.map_err(|error| error.about(player, game))?;
            let same = compare(&mut device, &*sight, &config, samples, args.searches)?;
            all.push(Compared {
                game: game.to_string(),
                player: (*player).to_owned(),
                searches: args.searches,
                same,
            });
            bar.add(1);
        }
    }
    bar.finish();
    let (searches, same) =
        (all.iter().map(|one| one.searches).sum::<u64>(), all.iter().map(|one| one.same).sum::<u64>());
    if args.json {
        super::super::print_json_list("compared", &all)?;
    } else {
        let mut table =
            Table::new("Searches of the device and of the CPU", ["game", "player", "#searches", "#equal"]);
        for one in &all {
            table.row([one.game.clone(), one.player.clone(), grouped(one.searches), grouped(one.same)]);
        }
        let text = table.text(screen);
        super::super::print(&format!(
            "{text}{} of {} searches are equal to the bit.\n",
            grouped(same),
            grouped(searches)
        ))?;
    }
    if same < searches {
        bail!("{} searches differ", grouped(searches - same));
    }
    Ok(())
}
