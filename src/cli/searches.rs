//! The measurement of searches that `bench` and `reproduce` share: simulations
//! by CPU time, beside the playouts that they consist of.

use anyhow::Result;
use cpu_time::ProcessTime;
use serde::Serialize;
use tesuji::catalog::{BudgetSpec, GameSpec, PlayerSpec};
use tesuji::core::Seed;
use tesuji::search::{
    Budget, LeafConfig, Limits, Memory, Options, PlayerConfig, Recording, Root, TreeConfig,
};
use tesuji_report::Table;
use tesuji_report::numbers::{bytes, grouped, rate};

use super::BadInput;
use super::bar::Bar;
use super::interrupt;
use super::peers::{self, SearchPeer};

/// How to measure.
pub(super) struct Settings {
    /// Simulations for each game and player, at least.
    pub(super) simulations: u64,
    pub(super) seed: Seed,
    pub(super) beside: Beside,
}

/// What is measured between searches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Beside {
    /// As many playouts as the search before took samples: what disturbs the one
    /// disturbs the other, and their ratio is worth more than either.
    Playouts,
    /// Nothing, for those who count the instructions of searches.
    Nothing,
}

/// Searches of one game's start position by one player, measured. All but the
/// times and the ratio is a function of the settings.
#[derive(Serialize)]
pub(super) struct SearchSpeed {
    pub(super) game: String,
    /// With the samples of a search behind the `@`.
    pub(super) player: String,
    pub(super) searches: u64,
    pub(super) simulations: u64,
    pub(super) cpu_seconds: f64,
    pub(super) simulations_per_cpu_second: f64,
    pub(super) playouts_per_cpu_second: Option<f64>,
    /// Simulations to playouts.
    pub(super) ratio: Option<f64>,
    /// What the search kept that took the most memory.
    pub(super) memory: Memory,
    pub(super) peers: Vec<SearchPeer>,
}

/// The games that are measured where none is named: a misère twin costs what
/// its game costs.
pub(super) fn games() -> Vec<GameSpec> {
    GameSpec::measured().into_iter().filter(|spec| !spec.is_misere()).collect()
}

/// Measures every player at every game in turn, with a bar on a terminal. An interrupt ends it: the
/// measurements so far are returned.
pub(super) fn speeds(
    specs: &[GameSpec],
    players: &[PlayerSpec],
    settings: &Settings,
) -> Result<Vec<SearchSpeed>> {
    // Bad input should be known before anything is measured.
    let budgets = players.iter().map(budget).collect::<Result<Vec<u64>>>()?;
    let bar = Bar::new(settings.simulations * (specs.len() * players.len()) as u64)?;
    let mut speeds = Vec::new();
    for spec in specs {
        for (player, &budget) in players.iter().zip(&budgets) {
            bar.say(&format!("{player} {spec}"));
            bar.set(settings.simulations * speeds.len() as u64);
            speeds.extend(measure(spec, player, budget, settings, &bar)?);
        }
    }
    bar.finish();
    Ok(speeds)
}

/// The player of this spec. If it has no budget of its own, each search has `samples`, or the
/// default.
pub(super) fn player(text: &str, samples: Option<u64>) -> Result<PlayerSpec> {
    let player = super::contestants::player(text)?;
    let samples = samples.map(|samples| samples.to_string().parse::<BudgetSpec>()).transpose()?;
    Ok(player.with_default_budget(samples.unwrap_or(BudgetSpec::DEFAULT)))
}

/// The samples of one of the player's searches.
fn budget(player: &PlayerSpec) -> Result<u64> {
    let bad = |reason: &str| Err(BadInput(format!("{player} cannot be measured: {reason}")).into());
    match (player.config(), player.budget_at(0)) {
        (PlayerConfig::Random | PlayerConfig::Greedy, _) => bad("it makes no simulations"),
        (_, Some(Budget::Time(_))) => {
            bad("a search of a given time says little of speed, so give it samples, as in @10000")
        }
        (_, Some(Budget::Samples(samples))) => Ok(samples),
        (_, None) => bad("it has no budget"),
    }
}

fn measure(
    spec: &GameSpec,
    player: &PlayerSpec,
    budget: u64,
    settings: &Settings,
    bar: &Bar,
) -> Result<Option<SearchSpeed>> {
    let game = spec.start()?;
    let mut searcher = spec.player(player.config())?;
    let limits = Limits::samples(budget);
    let seed = settings.seed.child("bench").child(spec.to_string().as_str());
    let mut rng = seed.child("playouts").rng();
    let (mut searches, mut simulations, mut memory) = (0, 0, Memory::default());
    let (mut search_seconds, mut playout_seconds) = (0.0, 0.0);
    // The first search only gets memory and tables ready.
    searcher.search(&*game.sight(), &limits, seed.child("warm-up"), None);
    while simulations < settings.simulations {
        if interrupt::is_set() {
            return Ok(None);
        }
        searcher.forget();
        if let PlayerConfig::Search(search) = player.config()
            && let Some(network) = search.network()
        {
            network.forget_answers();
        }
        let seed = seed.child("search").child(searches);
        let start = ProcessTime::now();
        let report = searcher.search(&*game.sight(), &limits, seed, None);
        search_seconds += start.elapsed().as_secs_f64();
        if report.spent == 0 {
            return Err(
                BadInput(format!("{spec} cannot be measured: its start position needs no search")).into()
            );
        }
        searches += 1;
        simulations += report.spent;
        if report.memory.bytes > memory.bytes {
            memory = report.memory;
        }
        if settings.beside == Beside::Playouts {
            let start = ProcessTime::now();
            game.playouts(report.spent, &mut rng, Recording::Off);
            playout_seconds += start.elapsed().as_secs_f64();
        }
        bar.add(report.spent);
    }
    let simulations_per_cpu_second = simulations as f64 / search_seconds;
    let playouts_per_cpu_second =
        (settings.beside == Beside::Playouts).then(|| simulations as f64 / playout_seconds);
    Ok(Some(SearchSpeed {
        game: spec.to_string(),
        player: player.to_string(),
        searches,
        simulations,
        cpu_seconds: search_seconds,
        simulations_per_cpu_second,
        playouts_per_cpu_second,
        ratio: playouts_per_cpu_second.map(|playouts| simulations_per_cpu_second / playouts),
        memory,
        peers: if is_uct(player.config()) { peers::of_search(&spec.to_string()) } else { Vec::new() },
    }))
}

/// Whether this is the search that other programs were measured with.
fn is_uct(player: &PlayerConfig) -> bool {
    let PlayerConfig::Search(search) = player else { return false };
    search.root == Root::Tree
        && matches!(search.tree, TreeConfig::Uct { .. })
        && search.leaf == LeafConfig::Playout
        && search.options == Options::default()
}

/// The measurements as a table.
pub(super) fn table(title: String, speeds: &[SearchSpeed]) -> Table {
    let mut table = Table::new(
        title,
        [
            "game",
            "player",
            "#simulations/s",
            "#playouts/s",
            "#ratio",
            "#positions",
            "#memory",
            "other programs",
        ],
    );
    let or_nothing = |value: Option<String>| value.unwrap_or_default();
    for speed in speeds {
        let peer = |peer: &SearchPeer| format!("{} {}", peer.name, rate(peer.simulations_per_second));
        let peers: Vec<String> = speed.peers.iter().map(peer).collect();
        table.row([
            speed.game.clone(),
            speed.player.clone(),
            rate(speed.simulations_per_cpu_second),
            or_nothing(speed.playouts_per_cpu_second.map(rate)),
            or_nothing(speed.ratio.map(|ratio| format!("{ratio:.2}"))),
            grouped(speed.memory.nodes as u64),
            bytes(speed.memory.bytes as u64),
            peers.join(", "),
        ]);
    }
    table
}
