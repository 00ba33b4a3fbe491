//! Parameters of the protocol and of the session, which the controller can read and set.
//!
//! GoGui and KataGo each have commands for parameters. Both use one table.

use std::fmt::Display;
use std::str::FromStr;

use serde_json::Value;
use tesuji_catalog::PlayerSpec;
use tesuji_core::shortened;
use tesuji_session::Settings;

use crate::arguments::{Arguments, syntax_error};
use crate::exchange::{Exchange, Failure, Refusal, Reply};
use crate::table::Command;
use crate::vertices::Columns;

pub(crate) const COMMANDS: &[Command] = &[
    Command::new("tesuji-param", tesuji_param),
    Command::new("kata-list-params", |_, _| {
        Reply::text(PARAMETERS.iter().map(|parameter| parameter.name).collect::<Vec<_>>().join(" "))
    }),
    Command::new("kata-get-param", |exchange, arguments| {
        let parameter = find(arguments.word("a parameter")?)?;
        Reply::text((parameter.value)(exchange))
    }),
    Command::new("kata-get-params", |exchange, _| {
        let entry = |parameter: &Parameter| (parameter.name, parameter.json(exchange));
        Reply::text(json_object(PARAMETERS.iter().map(entry)))
    }),
    Command::new("kata-set-param", |exchange, arguments| {
        let name = arguments.word("a parameter")?;
        if arguments.is_empty() {
            return Err(syntax_error(format!("the value of '{}' is missing", shortened(name))).into());
        }
        find(name)?.set(exchange, &arguments.rest().join(" "))
    }),
];

/// A parameter that the controller can read and set.
struct Parameter {
    name: &'static str,
    kind: Kind,
    /// Its value now; that of a switch is `true` or `false`.
    value: fn(&Exchange<'_>) -> String,
    /// Changes it. The value is one that its kind allows.
    change: fn(&mut Exchange<'_>, &str) -> Result<(), Failure>,
}

/// The values that a parameter accepts.
#[derive(Clone, Copy)]
enum Kind {
    /// `on` or `off`, also `true`, `false`, `1` and `0`.
    Switch,
    /// One of these names.
    Choice(&'static [&'static str]),
    /// Text that the parameter itself checks.
    Text,
}

/// The budget of a player that has none of its own.
const BY_THE_CLOCK: &str = "clock";

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "columns",
        kind: Kind::Choice(Columns::NAMES),
        value: |exchange| exchange.protocol.columns.name().to_owned(),
        change: |exchange, value| {
            exchange.protocol.columns = Columns::from_name(value).unwrap_or_default();
            Ok(())
        },
    },
    Parameter {
        name: "live-gfx",
        kind: Kind::Switch,
        value: |exchange| exchange.protocol.live_graphics.to_string(),
        change: |exchange, value| {
            exchange.protocol.live_graphics = is_on(value);
            Ok(())
        },
    },
    Parameter {
        name: "player",
        kind: Kind::Text,
        value: |exchange| exchange.session.settings().player.to_string(),
        change: |exchange, value| {
            let player: PlayerSpec = parsed(value)?;
            change_settings(exchange, |settings| {
                // A player without a budget keeps the one that was set.
                settings.player = match (player.budget(), settings.player.budget()) {
                    (None, Some(budget)) => player.with_budget(budget),
                    _ => player,
                };
            })
        },
    },
    Parameter {
        name: "budget",
        kind: Kind::Text,
        value: |exchange| {
            let budget = exchange.session.settings().player.budget();
            budget.map_or(BY_THE_CLOCK.to_owned(), |budget| budget.to_string())
        },
        change: |exchange, value| {
            let player = exchange.session.settings().player.clone();
            let player = match value.eq_ignore_ascii_case(BY_THE_CLOCK) {
                true => player.without_budget(),
                false => player.with_budget(parsed(value)?),
            };
            change_settings(exchange, |settings| settings.player = player)
        },
    },
    Parameter {
        name: "seed",
        kind: Kind::Text,
        value: |exchange| exchange.session.settings().seed.to_string(),
        change: |exchange, value| {
            let seed = parsed(value)?;
            change_settings(exchange, |settings| settings.seed = seed)
        },
    },
    Parameter {
        name: "threads",
        kind: Kind::Text,
        value: |exchange| exchange.session.settings().threads.to_string(),
        change: |exchange, value| {
            let threads = value.parse().map_err(|_| {
                Failure::new(format!("threads is a whole number, not '{}'", shortened(value)))
            })?;
            change_settings(exchange, |settings| settings.threads = threads)
        },
    },
    Parameter {
        name: "resign",
        kind: Kind::Text,
        value: |exchange| exchange.session.settings().manners.resign_below.to_string(),
        change: |exchange, value| {
            let share = value
                .parse()
                .map_err(|_| Failure::new(format!("resign is a number, not '{}'", shortened(value))))?;
            change_settings(exchange, |settings| settings.manners.resign_below = share)
        },
    },
    Parameter {
        name: "pass-early",
        kind: Kind::Switch,
        value: |exchange| exchange.session.settings().manners.passes_early.to_string(),
        change: |exchange, value| {
            change_settings(exchange, |settings| settings.manners.passes_early = is_on(value))
        },
    },
    Parameter {
        name: "ponder",
        kind: Kind::Switch,
        value: |exchange| exchange.session.settings().ponders.to_string(),
        change: |exchange, value| change_settings(exchange, |settings| settings.ponders = is_on(value)),
    },
    Parameter {
        name: "game",
        kind: Kind::Text,
        value: |exchange| exchange.session.game().to_string(),
        change: |exchange, value| Ok(exchange.session.begin(parsed(value)?)?),
    },
];

/// A value that is read from its text.
fn parsed<T: FromStr<Err: Display>>(value: &str) -> Result<T, Failure> {
    value.parse().map_err(|error: T::Err| Failure::new(error.to_string()))
}

/// Changes the settings of the session.
fn change_settings(exchange: &mut Exchange<'_>, change: impl FnOnce(&mut Settings)) -> Result<(), Failure> {
    let mut settings = exchange.session.settings().clone();
    change(&mut settings);
    Ok(exchange.session.set(settings)?)
}

/// GoGui's command: `tesuji-param` lists all parameters, `tesuji-param NAME` reports one,
/// `tesuji-param NAME VALUE` sets it.
fn tesuji_param(exchange: &mut Exchange<'_>, arguments: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let Some(name) = arguments.next() else {
        let line = |parameter: &Parameter| parameter.gogui_line(exchange);
        return Reply::text(PARAMETERS.iter().map(line).collect::<Vec<_>>().join("\n"));
    };
    let parameter = find(name)?;
    if arguments.is_empty() {
        return Reply::text(parameter.gogui_value(exchange));
    }
    parameter.set(exchange, &arguments.rest().join(" "))
}

fn find(name: &str) -> Result<&'static Parameter, Failure> {
    let found = PARAMETERS.iter().find(|parameter| parameter.name == name);
    found.ok_or_else(|| syntax_error(format!("there is no parameter '{}'", shortened(name))))
}

impl Parameter {
    /// Checks that its kind allows the value, and changes it.
    fn set(&self, exchange: &mut Exchange<'_>, value: &str) -> Result<Reply, Refusal> {
        let name = self.name;
        let value = match self.kind {
            Kind::Switch => switched(value)
                .ok_or_else(|| syntax_error(format!("'{name}' is on or off, not '{}'", shortened(value))))?,
            Kind::Choice(choices) => {
                let choice = choices.iter().find(|choice| choice.eq_ignore_ascii_case(value));
                choice.ok_or_else(|| {
                    let choices = choices.join(", ");
                    syntax_error(format!("'{name}' is one of {choices}, not '{}'", shortened(value)))
                })?
            }
            Kind::Text => value,
        };
        (self.change)(exchange, value)?;
        Reply::empty()
    }

    /// A line of GoGui's list: `[bool] ponder 1`.
    fn gogui_line(&self, exchange: &Exchange<'_>) -> String {
        let kind = match self.kind {
            Kind::Switch => "bool".to_owned(),
            Kind::Choice(choices) => format!("list/{}", choices.join("/")),
            Kind::Text => "string".to_owned(),
        };
        format!("[{kind}] {} {}", self.name, self.gogui_value(exchange))
    }

    /// Its value as GoGui writes it: that of a switch is 1 or 0.
    fn gogui_value(&self, exchange: &Exchange<'_>) -> String {
        let value = (self.value)(exchange);
        match self.kind {
            Kind::Switch => u8::from(is_on(&value)).to_string(),
            Kind::Choice(_) | Kind::Text => value,
        }
    }

    /// Its value as JSON: that of a switch is a truth value, all others are text.
    fn json(&self, exchange: &Exchange<'_>) -> Value {
        let value = (self.value)(exchange);
        match self.kind {
            Kind::Switch => Value::Bool(is_on(&value)),
            Kind::Choice(_) | Kind::Text => Value::String(value),
        }
    }
}

/// `true` or `false` for a word that means on or off; `None` for another word.
fn switched(word: &str) -> Option<&'static str> {
    match word.to_ascii_lowercase().as_str() {
        "1" | "on" | "true" => Some("true"),
        "0" | "off" | "false" => Some("false"),
        _ => None,
    }
}

/// Whether the value of a switch means on.
fn is_on(value: &str) -> bool {
    value == "true"
}

/// An object with its entries in this order.
fn json_object(entries: impl Iterator<Item = (&'static str, Value)>) -> String {
    let entry = |(name, value)| format!("{}: {value}", Value::from(name));
    format!("{{{}}}", entries.map(entry).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_json_whatever_the_value() {
        let entries = [("ponder", Value::Bool(true)), ("player", Value::from("gtp(\"a\\b\")\n"))];
        let text = json_object(entries.into_iter());
        assert_eq!(text, r#"{"ponder": true, "player": "gtp(\"a\\b\")\n"}"#);
        let read: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read["player"], "gtp(\"a\\b\")\n");
        assert_eq!(json_object([].into_iter()), "{}");
    }
}
