//! What there is to choose from.

use axum::Json;
use axum::extract::State as Shared;
use serde::Serialize;
use tesuji_bandit::testbed::ValueRule;
use tesuji_bandit::{PolicyInfo, policies};
use tesuji_catalog::{BoardSizes, GameInfo, GameSpec, PlayerSpec, games};

use crate::bounds::Bounds;
use crate::games::{ShapeJson, shape};
use crate::state::State;

#[derive(Serialize)]
pub(crate) struct Catalog<'a> {
    version: &'static str,
    games: Vec<Game>,
    players: Vec<Player>,
    budgets: &'static [&'static str],
    policies: Vec<Described>,
    arms: Vec<Described>,
    bounds: &'a Bounds,
}

#[derive(Serialize)]
struct Game {
    name: &'static str,
    rules: &'static str,
    misere: String,
    hidden: bool,
    square: bool,
    default: [usize; 2],
    widths: [usize; 2],
    heights: [usize; 2],
    sizes: Vec<String>,
    shape: ShapeJson,
    options: Vec<Choice>,
}

#[derive(Serialize)]
struct Choice {
    name: &'static str,
    values: String,
    default: &'static str,
    meaning: &'static str,
}

/// A player to choose from.
#[derive(Clone, Serialize)]
struct Player {
    spec: &'static str,
    name: &'static str,
    text: &'static str,
    r#for: Plays,
    rounds: bool,
    budget: bool,
    /// The games that it plays, if it does not play all of its kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<Vec<String>>,
}

/// Which games a player plays.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum Plays {
    /// Those in which everything is seen.
    Open,
    All,
}

#[derive(Serialize)]
struct Described {
    spec: String,
    text: String,
}

/// Budgets to choose from.
const BUDGETS: &[&str] = &["100", "500", "2000", "10000", "50000", "200000", "1s", "5s", "20s"];

/// A player that halves.
const fn halving(spec: &'static str, name: &'static str, plays: Plays, text: &'static str) -> Player {
    Player { spec, name, text, r#for: plays, rounds: true, budget: true, games: None }
}

/// One that does not.
const fn other(spec: &'static str, name: &'static str, plays: Plays, text: &'static str) -> Player {
    Player { spec, name, text, r#for: plays, rounds: false, budget: true, games: None }
}

/// Players to choose from, those with rounds to watch first; every other one can be typed.
const PLAYERS: &[Player] = &[
    halving(
        "sh+uct",
        "Sequential Halving",
        Plays::Open,
        "All moves get the same number of samples, the worse half is cut, and so on; below the root, UCT.",
    ),
    halving(
        "hybrid-shuss",
        "SHUSS",
        Plays::Open,
        "Halving that also goes by AMAF, what the moves of all playouts say, and learns how much that is worth; RAVE below.",
    ),
    halving(
        "flat(sh)",
        "Halving without a tree",
        Plays::All,
        "Halving, and every sample is a random game from the move on.",
    ),
    halving(
        "flat(sh(lambda=0.7))",
        "Gentle halving",
        Plays::All,
        "The same, but each round keeps seven moves of ten.",
    ),
    other(
        "uct",
        "UCT",
        Plays::Open,
        "Tries the move whose mean, with a bonus for what is uncertain, is the greatest.",
    ),
    other(
        "rave(bias=0.001)+reuse",
        "RAVE",
        Plays::Open,
        "UCT that also counts moves played later in a game (AMAF).",
    ),
    other("grave", "GRAVE", Plays::Open, "RAVE with the statistics of an ancestor that has seen enough."),
    other("puct", "PUCT", Plays::Open, "UCB with a prior for every move."),
    other("shot", "SHOT", Plays::Open, "Halving in every position of the tree."),
    other("h-mcts", "Hybrid MCTS", Plays::Open, "Halving where the budget is large, UCT where it is small."),
    other(
        "uct+prior(sh,64)",
        "UCT with SH priors",
        Plays::Open,
        "New positions are valued by 64 playouts that halve.",
    ),
    other(
        "flat(ucb1)",
        "UCB1 without a tree",
        Plays::All,
        "The classical bandit, every sample a random game.",
    ),
    Player {
        spec: "greedy",
        name: "Greedy",
        text: "Wins at once where it can, else plays at random.",
        r#for: Plays::Open,
        rounds: false,
        budget: false,
        games: None,
    },
    Player {
        spec: "random",
        name: "Random",
        text: "Plays any move.",
        r#for: Plays::All,
        rounds: false,
        budget: false,
        games: None,
    },
];

/// Players whose network ships for some games.
const NETWORK_PLAYERS: &[Player] = &[
    halving(
        "shuss(score=logits)+puct+net",
        "SHUSS with a network",
        Plays::Open,
        "Halving that also goes by what a network says of the moves, and learns how much that is worth; PUCT below.",
    ),
    other(
        "puct+net",
        "Network",
        Plays::Open,
        "PUCT: a network values the positions and says which moves look good.",
    ),
];

/// The players to choose from, those with networks only if a network ships.
fn players() -> Vec<Player> {
    let with_games = |player: &Player| {
        let games = network_games(player.spec);
        (!games.is_empty()).then(|| Player { games: Some(games), ..player.clone() })
    };
    PLAYERS.iter().cloned().chain(NETWORK_PLAYERS.iter().filter_map(with_games)).collect()
}

/// The games and sizes of the list that a player with a network plays.
fn network_games(player: &str) -> Vec<String> {
    let Ok(player) = player.parse::<PlayerSpec>() else { return Vec::new() };
    let specs = |info: &'static GameInfo| sizes(info).into_iter().map(|size| format!("{}:{size}", info.name));
    let is_played =
        |spec: &String| spec.parse::<GameSpec>().is_ok_and(|game| game.check_player(player.config()).is_ok());
    games().iter().copied().flat_map(specs).filter(is_played).collect()
}

pub(crate) async fn get(Shared(state): Shared<State>) -> Json<serde_json::Value> {
    let policy = |info: &PolicyInfo| Described { spec: spec_of(info), text: info.meaning.into() };
    let arms =
        |rule: ValueRule| Described { spec: format!("{}:20", rule.name()), text: rule.meaning().into() };
    let catalog = Catalog {
        version: env!("CARGO_PKG_VERSION"),
        games: games().iter().copied().map(game).collect(),
        players: players(),
        budgets: BUDGETS,
        policies: policies().iter().map(policy).collect(),
        arms: ValueRule::ALL.into_iter().map(arms).collect(),
        bounds: state.bounds(),
    };
    Json(serde_json::to_value(catalog).unwrap_or_default())
}

/// Policies with what must be given, as a form may have it at first.
const POLICY_SPECS: &[&str] = &["shuss(t=94)", "ucb(c=0.3)", "ucb-e(a=2)", "ugapeb(a=2)"];

/// A spec of a policy: its name, and what must be given.
fn spec_of(info: &PolicyInfo) -> String {
    let is_of = |spec: &&&str| spec.split('(').next() == Some(info.name);
    POLICY_SPECS.iter().find(is_of).map_or(info.name, |spec| spec).to_owned()
}

fn game(info: &'static GameInfo) -> Game {
    let (width, height) = info.board.default();
    let ends = |range: &std::ops::RangeInclusive<usize>| [*range.start(), *range.end()];
    let (is_square, widths, heights) = match &info.board {
        BoardSizes::Square { sizes, .. } => (true, ends(sizes), ends(sizes)),
        BoardSizes::Rectangle { widths, heights, .. } => (false, ends(widths), ends(heights)),
    };
    let choice = |option: &tesuji_core::spec::Parameter| Choice {
        name: option.name,
        values: option.values.to_string(),
        default: option.default.unwrap_or(""),
        meaning: option.meaning,
    };
    Game {
        name: info.name,
        rules: info.rules,
        misere: if info.is_hidden { String::new() } else { twin(info) },
        hidden: info.is_hidden,
        square: is_square,
        default: [width, height],
        widths,
        heights,
        sizes: sizes(info),
        shape: shape(info.shape),
        options: info.options.iter().map(choice).collect(),
    }
}

/// The name of the misère twin, a size to be put behind it; where it has none of its own the
/// size stands inside, and it is left to be typed.
fn twin(info: &GameInfo) -> String {
    info.misere.map_or_else(|| format!("misere({})", info.name), str::to_owned)
}

/// Small boards first: they are over soon, and their searches are seen at a glance.
fn sizes(info: &'static GameInfo) -> Vec<String> {
    let exists = |&size: &usize| {
        let spec = GameSpec::of(info).with_board(size, size);
        spec.is_ok_and(|spec| spec.start().is_ok())
    };
    [3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 19].into_iter().filter(exists).map(|size| size.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_players_of_the_list_exist_and_play() {
        for player in PLAYERS {
            let spec: PlayerSpec = player.spec.parse().unwrap();
            assert_eq!(spec.is_search(), player.budget, "{}", player.spec);
            let plays = |game: &str| game.parse::<GameSpec>().unwrap().check_player(spec.config()).is_ok();
            assert!(plays("hex:5"), "{}", player.spec);
            assert_eq!(plays("phantom-go:5"), matches!(player.r#for, Plays::All), "{}", player.spec);
        }
    }

    #[test]
    fn players_with_networks_have_their_games() {
        for player in NETWORK_PLAYERS {
            assert!(player.spec.parse::<PlayerSpec>().unwrap().config().has_network(), "{}", player.spec);
            let games = ["breakthrough:8", "go:7", "go:9", "hex:7"];
            assert_eq!(network_games(player.spec), games, "{}", player.spec);
        }
        assert_eq!(players().len(), PLAYERS.len() + NETWORK_PLAYERS.len());
    }

    #[test]
    fn the_policies_of_the_list_exist() {
        for info in policies() {
            spec_of(info).parse::<tesuji_bandit::PolicySpec>().unwrap();
        }
    }

    #[test]
    fn budgets_of_the_list_are_allowed() {
        let game: GameSpec = "hex:5".parse().unwrap();
        for budget in BUDGETS {
            crate::player::player(&format!("uct@{budget}"), &game, &Bounds::of(1)).unwrap();
        }
    }
}
