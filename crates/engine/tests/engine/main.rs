//! The engine with real sessions on small boards: scripts, interrupts, formats, garbage.

mod documentation;
mod formats;
mod garbage;
mod interrupts;
mod scripts;

use tesuji_engine::Engine;
use tesuji_session::{Session, Settings};

/// An engine that plays this game with this player, on one thread and with seed 1.
fn engine(game: &str, player: &str) -> Engine {
    let game = game.parse().unwrap();
    let settings = Settings { player: player.parse().unwrap(), ..Settings::usual(&game, 1) };
    Engine::new(Session::new(game, settings).unwrap())
}

/// The names of all commands, in the order of the list.
fn commands() -> Vec<String> {
    let listed = engine("hex:3", "random").answer("list_commands").unwrap();
    listed.trim_start_matches('=').split_whitespace().map(str::to_owned).collect()
}
