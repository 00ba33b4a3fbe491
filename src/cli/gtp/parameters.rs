//! What can be set while the engine runs.

use tesuji::catalog::{BudgetSpec, GameSpec, PlayerSpec};
use tesuji_gtp::engine::{Failure, Parameter, ParameterKind};
use tesuji_session::{Session, Settings};

const PLAYER: &str = "player";
const BUDGET: &str = "budget";
const SEED: &str = "seed";
const THREADS: &str = "threads";
const RESIGN: &str = "resign";
const PASS: &str = "pass-early";
const PONDER: &str = "ponder";
const GAME: &str = "game";

/// What the protocol makes of everything that says yes.
const ON: &str = "1";

/// What stands for a budget where a player has none of its own.
const BY_THE_CLOCK: &str = "clock";

/// All that can be set, with its value now.
pub(super) fn all(session: &Session) -> Vec<Parameter> {
    let Settings { player, seed, threads, manners, ponders } = session.settings();
    let switch = |is_on: bool| if is_on { ON } else { "0" }.to_owned();
    let parameter = |name, meaning, kind, value| Parameter { name, meaning, kind, value };
    let text = || ParameterKind::Text;
    let budget = player.budget_spec().map_or(BY_THE_CLOCK.to_owned(), |budget| budget.to_string());
    vec![
        parameter(PLAYER, "who thinks: a spec, with or without its budget", text(), player.to_string()),
        parameter(BUDGET, "samples or a time for each move, or clock: what the clock allows", text(), budget),
        parameter(SEED, "where random numbers begin: a whole number or 32 digits", text(), seed.to_string()),
        parameter(THREADS, "threads, 1 to 1024", text(), threads.to_string()),
        parameter(
            RESIGN,
            "resigns when it expects less than this share in three moves running; 0: never",
            text(),
            manners.resign_below.to_string(),
        ),
        parameter(
            PASS,
            "in Go, passes as soon as the game is decided",
            ParameterKind::Switch,
            switch(manners.passes_early),
        ),
        parameter(
            PONDER,
            "thinks while the other side does; of use to players with reuse",
            ParameterKind::Switch,
            switch(*ponders),
        ),
        parameter(GAME, "what is played: a spec; a new game begins", text(), session.game().to_string()),
    ]
}

/// Sets one.
pub(super) fn set(session: &mut Session, name: &str, value: &str) -> Result<(), Failure> {
    let in_words = |error: &dyn std::fmt::Display| Failure::new(error.to_string());
    let wrong = |allowed: &str| Failure::new(format!("{name} is {allowed}, not '{value}'"));
    let mut settings = session.settings().clone();
    match name {
        PLAYER => {
            let player: PlayerSpec = value.parse().map_err(|error| in_words(&error))?;
            // A player without a budget keeps the one that was set.
            settings.player = match (player.budget(), settings.player.budget_spec()) {
                (None, Some(budget)) => player.with_budget(budget),
                _ => player,
            };
        }
        BUDGET if value.eq_ignore_ascii_case(BY_THE_CLOCK) => {
            settings.player = settings.player.without_budget()
        }
        BUDGET => {
            let budget: BudgetSpec = value.parse().map_err(|error| in_words(&error))?;
            settings.player = settings.player.with_budget(budget);
        }
        SEED => settings.seed = value.parse().map_err(|error| in_words(&error))?,
        THREADS => {
            settings.threads = value.parse().map_err(|_| wrong("a whole number"))?;
        }
        RESIGN => {
            settings.manners.resign_below = value.parse().map_err(|_| wrong("a number"))?;
        }
        PASS => settings.manners.passes_early = value == ON,
        PONDER => settings.ponders = value == ON,
        GAME => {
            let game: GameSpec = value.parse().map_err(|error| in_words(&error))?;
            return session.begin(game).map_err(|error| in_words(&error));
        }
        _ => {
            let names: Vec<&str> = all(session).iter().map(|parameter| parameter.name).collect();
            return Err(Failure::new(format!(
                "there is no parameter '{name}': there are {}",
                names.join(", ")
            )));
        }
    }
    session.set(settings).map_err(|error| in_words(&error))
}
