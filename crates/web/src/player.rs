//! Players as they are typed, within the bounds.

use tesuji_catalog::{BudgetSpec, GameSpec, PlayerSpec};
use tesuji_search::{Budget, LeafConfig, PlayerConfig};

use crate::bounds::Bounds;
use crate::error::Refusal;

/// The most playouts that one sample may cost.
const MOST_PLAYOUTS: u64 = 1000;

/// How many playouts take about as long as one evaluation of a network.
const PLAYOUTS_AN_EVALUATION: u64 = 100;

/// Reads a player of this game. A player without a budget gets [`BudgetSpec::DEFAULT`].
///
/// A spec that names a file is refused before it is parsed, because parsing reads the file: whoever
/// asks over the network reads no files of this machine.
pub(crate) fn player(text: &str, game: &GameSpec, bounds: &Bounds) -> Result<PlayerSpec, Refusal> {
    if text.contains('"') {
        return Err(Refusal::impossible(
            "the page reads no files: a network here is one that ships with the program, as in puct+net",
        ));
    }
    let mut spec: PlayerSpec = text.parse()?;
    game.check_player(spec.config())?;
    if spec.is_search() && spec.budget().is_none() {
        spec = spec.with_budget(BudgetSpec::DEFAULT);
    }
    spec.budget().into_iter().flat_map(BudgetSpec::all).try_for_each(|budget| check(budget, bounds))?;
    let playouts = playouts_a_leaf(spec.config());
    if playouts > MOST_PLAYOUTS {
        return Err(Refusal::impossible(format!(
            "{playouts} playouts a leaf are too many: a leaf here has {MOST_PLAYOUTS} at most"
        )));
    }
    Ok(spec)
}

/// Checks that a search may have this budget here.
fn check(budget: Budget, bounds: &Bounds) -> Result<(), Refusal> {
    match budget {
        Budget::Samples(samples) if samples > bounds.samples => Err(Refusal::impossible(format!(
            "{samples} samples are too many: a search here has {} at most",
            bounds.samples
        ))),
        Budget::Time(time) if time > bounds.time() => Err(Refusal::impossible(format!(
            "{} s are too long: a search here has {} s at most",
            time.as_secs_f64(),
            bounds.seconds
        ))),
        Budget::Samples(_) | Budget::Time(_) => Ok(()),
    }
}

/// The same player with so many samples.
pub(crate) fn with_samples(player: PlayerSpec, samples: u64) -> PlayerSpec {
    match samples.to_string().parse() {
        Ok(budget) => player.with_budget(budget),
        Err(_) => player,
    }
}

/// What a sample costs: nothing stops a search within one.
fn playouts_a_leaf(config: &PlayerConfig) -> u64 {
    match config {
        PlayerConfig::Search(search) => match search.leaf {
            LeafConfig::Prior { playouts, .. } => playouts,
            LeafConfig::Net { .. } => PLAYOUTS_AN_EVALUATION,
            LeafConfig::Playout => 1,
        },
        PlayerConfig::Random | PlayerConfig::Greedy => 1,
    }
}
