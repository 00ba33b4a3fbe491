//! What can be set: the host's parameters and the protocol's own, under one roof.
//!
//! GoGui and KataGo each have a way to do so. Both lead here.

use tesuji_core::shortened;

use super::arguments::{Arguments, syntax_error};
use super::session::{Refusal, Reply, Session};
use super::table::Command;
use super::vertices::Columns;
use super::{Failure, Parameter, ParameterKind};

pub(super) const COMMANDS: &[Command] = &[
    Command::new("tesuji-param", tesuji_param),
    Command::new("kata-list-params", |session, _| {
        Reply::text(parameters(session).iter().map(|one| one.name).collect::<Vec<_>>().join(" "))
    }),
    Command::new("kata-get-param", |session, arguments| {
        let parameter = find(session, arguments.word("a parameter")?)?;
        Reply::text(if is_switch(&parameter) { truth(&parameter).to_string() } else { parameter.value })
    }),
    Command::new("kata-get-params", |session, _| Reply::text(json(&parameters(session)))),
    Command::new("kata-set-param", |session, arguments| {
        let name = arguments.word("a parameter")?;
        if arguments.is_empty() {
            return Err(syntax_error(format!("the value of '{}' is missing", shortened(name))).into());
        }
        set(session, name, &arguments.rest().join(" "))
    }),
];

/// GoGui's form: all, one, or one that is to be something.
fn tesuji_param(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let Some(name) = arguments.next() else {
        let lines: Vec<String> = parameters(session).iter().map(gogui_line).collect();
        return Reply::text(lines.join("\n"));
    };
    if arguments.is_empty() {
        return Reply::text(shown(&find(session, name)?));
    }
    set(session, name, &arguments.rest().join(" "))
}

/// All of them, the protocol's own first.
fn parameters(session: &Session<'_>) -> Vec<Parameter> {
    let columns = Parameter {
        name: "columns",
        meaning: "whose names of columns are on the wire",
        kind: ParameterKind::Choice(Columns::NAMES),
        value: session.settings.columns.name().to_owned(),
    };
    let live_graphics = Parameter {
        name: "live-gfx",
        meaning: "whether halving rounds are drawn while they end",
        kind: ParameterKind::Switch,
        value: session.settings.live_graphics.to_string(),
    };
    let mut all = vec![columns, live_graphics];
    all.extend(session.host.parameters());
    all
}

fn find(session: &Session<'_>, name: &str) -> Result<Parameter, Failure> {
    let found = parameters(session).into_iter().find(|parameter| parameter.name == name);
    found.ok_or_else(|| syntax_error(format!("there is no parameter '{}'", shortened(name))))
}

/// Sets one. Switches and choices are checked here, so that all hosts take the same words.
fn set(session: &mut Session<'_>, name: &str, value: &str) -> Result<Reply, Refusal> {
    let parameter = find(session, name)?;
    let value = match parameter.kind {
        ParameterKind::Switch => {
            let is_on = switch(value)
                .ok_or_else(|| syntax_error(format!("'{name}' is on or off, not '{}'", shortened(value))))?;
            if is_on { "1" } else { "0" }
        }
        ParameterKind::Choice(choices) => {
            let choice = choices.iter().find(|choice| choice.eq_ignore_ascii_case(value));
            choice.ok_or_else(|| {
                let choices = choices.join(", ");
                syntax_error(format!("'{name}' is one of {choices}, not '{}'", shortened(value)))
            })?
        }
        ParameterKind::Text => value,
    };
    match name {
        "columns" => session.settings.columns = Columns::from_name(value).unwrap_or_default(),
        "live-gfx" => session.settings.live_graphics = value == "1",
        _ => session.host.set_parameter(name, value)?,
    }
    Reply::empty()
}

/// `[bool] name 1`.
fn gogui_line(parameter: &Parameter) -> String {
    let kind = match parameter.kind {
        ParameterKind::Switch => "bool".to_owned(),
        ParameterKind::Choice(choices) => format!("list/{}", choices.join("/")),
        ParameterKind::Text => "string".to_owned(),
    };
    format!("[{kind}] {} {}", parameter.name, shown(parameter))
}

/// A value as GoGui has it: a switch is 1 or 0.
fn shown(parameter: &Parameter) -> String {
    match parameter.kind {
        ParameterKind::Switch => u8::from(truth(parameter)).to_string(),
        _ => parameter.value.clone(),
    }
}

fn is_switch(parameter: &Parameter) -> bool {
    parameter.kind == ParameterKind::Switch
}

fn truth(parameter: &Parameter) -> bool {
    switch(&parameter.value).unwrap_or_default()
}

fn switch(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "1" | "on" | "true" => Some(true),
        "0" | "off" | "false" => Some(false),
        _ => None,
    }
}

/// An object: switches are truths, everything else is text.
fn json(parameters: &[Parameter]) -> String {
    let entry = |parameter: &Parameter| {
        let value =
            if is_switch(parameter) { truth(parameter).to_string() } else { quoted(&parameter.value) };
        format!("{}: {value}", quoted(parameter.name))
    };
    format!("{{{}}}", parameters.iter().map(entry).collect::<Vec<_>>().join(", "))
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => quoted.push_str(&format!("\\u{:04x}", u32::from(letter))),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_json_whatever_the_value() {
        let parameter =
            |name, kind, value: &str| Parameter { name, meaning: "", kind, value: value.to_owned() };
        let parameters = [
            parameter("ponder", ParameterKind::Switch, "on"),
            parameter("player", ParameterKind::Text, "gtp(\"a\\b\")\n"),
        ];
        let wanted = r#"{"ponder": true, "player": "gtp(\"a\\b\")\u000a"}"#;
        assert_eq!(json(&parameters), wanted);
        assert_eq!(json(&[]), "{}");
    }
}
