//! Queries as lines of JSON: reading them, and saying what is wrong with one.

use std::fmt;
use std::time::Duration;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use tesuji::catalog::{BudgetSpec, ConfidenceLevel, GameSpec};
use tesuji::core::{Seed, shortened, suggestion};
use tesuji::search::{Board, Steering, Until};
use tesuji_gtp::{LONGEST_LINE, Line};
use tesuji_session::analysis::Query;

use super::super::contestants;
use super::answer::Wrong;

/// What a query is called: given as it came with every answer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Id {
    Text(String),
    /// From the least 64-bit number to the greatest: JSON has both.
    Number(i128),
}

impl Id {
    fn of(value: &Value) -> Option<Id> {
        let number = |value: &Value| value.as_i64().map(i128::from).or(value.as_u64().map(i128::from));
        let text = |value: &Value| value.as_str().map(|text| Id::Text(text.to_owned()));
        text(value).or_else(|| number(value).map(Id::Number))
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Id::Text(text) => serializer.serialize_str(text),
            Id::Number(number) => serializer.serialize_i128(*number),
        }
    }
}

/// What a line asks for.
pub(super) enum Request {
    Search(Box<Asked>),
    Terminate { id: Id, target: Id },
    TerminateAll { id: Id },
    Version { id: Id },
}

/// A search that is asked for.
pub(super) struct Asked {
    pub(super) id: Id,
    pub(super) query: Query,
    /// The most moves to be listed.
    pub(super) top: usize,
}

const QUERY_FIELDS: &[&str] = &[
    "id",
    "game",
    "moves",
    "position",
    "player",
    "budget",
    "only",
    "avoid",
    "focus",
    "focusBudget",
    "until",
    "within",
    "seed",
    "threads",
    "reportDuringSearchEvery",
    "top",
    "action",
];
const ACTIONS: &[&str] = &["terminate", "terminate_all", "query_version"];

/// The threads that one search may have.
const MOST_THREADS: u64 = 1024;
/// A query of so many bytes more takes the room of one more while it waits: a position may
/// remember every move that led to it.
const BYTES_OF_ONE: usize = 4096;

/// The fields of an object, and the first that was there twice.
struct Fields {
    map: Map<String, Value>,
    twice: Option<String>,
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Fields, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Fields, A::Error> {
                let mut fields = Fields { map: Map::new(), twice: None };
                while let Some((name, value)) = access.next_entry::<String, Value>()? {
                    if fields.map.insert(name.clone(), value).is_some() {
                        fields.twice.get_or_insert(name);
                    }
                }
                Ok(fields)
            }
        }

        deserializer.deserialize_map(Object)
    }
}

/// What a line asks for; nothing where it is empty. `game` is that of queries that name none.
pub(super) fn read(line: &Line, game: Option<&GameSpec>) -> Result<Option<Request>, Wrong> {
    let wrong = |sentence: String| Wrong::new(None, None, sentence);
    let Line::Whole(bytes) = line else {
        return Err(wrong(format!("the line is too long: it may have {LONGEST_LINE} bytes")));
    };
    let text = std::str::from_utf8(bytes).map_err(|_| wrong("the line is not text in UTF-8".to_owned()))?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    let fields: Fields = serde_json::from_str(text).map_err(|error| {
        wrong(match error.classify() {
            serde_json::error::Category::Data => "the line is not a JSON object".to_owned(),
            serde_json::error::Category::Eof => "the line is not JSON: it ends too early".to_owned(),
            _ => format!("the line is not JSON, at column {}", error.column()),
        })
    })?;
    let mut reader =
        Reader { id: fields.map.get("id").and_then(Id::of), map: fields.map, bytes: bytes.len() };
    if let Some(name) = fields.twice {
        return Err(reader.wrong(&name, format!("'{}' is given twice", shortened(&name))));
    }
    reader.request(game).map(Some)
}

/// Takes the fields of a query one by one.
struct Reader {
    /// The id, where there is a good one.
    id: Option<Id>,
    map: Map<String, Value>,
    /// Of the line.
    bytes: usize,
}

impl Reader {
    fn wrong(&self, field: &str, error: impl ToString) -> Wrong {
        Wrong::new(self.id.clone(), Some(&shortened(field)), error)
    }

    /// A field's value; null is as good as nothing.
    fn take(&mut self, field: &str) -> Option<Value> {
        self.map.remove(field).filter(|value| !value.is_null())
    }

    fn text(&mut self, field: &str) -> Result<Option<String>, Wrong> {
        match self.take(field) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong(field, format!("'{field}' is a text, not {}", kind(&other)))),
        }
    }

    /// A text, or a number as it is written.
    fn text_or_number(&mut self, field: &str) -> Result<Option<String>, Wrong> {
        match self.map.get(field) {
            Some(Value::Number(number)) => {
                // 100.0 is 100: other languages write whole numbers so.
                let text = number.to_string();
                let text = text.strip_suffix(".0").unwrap_or(&text).to_owned();
                self.map.remove(field);
                Ok(Some(text))
            }
            Some(Value::String(_) | Value::Null) | None => self.text(field),
            Some(other) => {
                Err(self.wrong(field, format!("'{field}' is a number or a text, not {}", kind(other))))
            }
        }
    }

    /// A whole number from 1 on.
    fn count(&mut self, field: &str, most: u64) -> Result<Option<usize>, Wrong> {
        let Some(value) = self.take(field) else { return Ok(None) };
        let count = value.as_u64().filter(|count| (1..=most).contains(count));
        let count = count.and_then(|count| usize::try_from(count).ok());
        let wrong = || self.wrong(field, format!("'{field}' is a whole number from 1 to {most}"));
        count.ok_or_else(wrong).map(Some)
    }

    /// Every field was taken: what is left is none.
    fn end(&self, fields: &[&str]) -> Result<(), Wrong> {
        let Some(name) = self.map.keys().next() else { return Ok(()) };
        let sentence = match name.as_str() {
            "terminateId" => "'terminateId' is only for the action 'terminate'".to_owned(),
            name if QUERY_FIELDS.contains(&name) => {
                format!("'{name}' is not for this action: its fields are {}", fields.join(", "))
            }
            name => {
                let all = || format!("the fields are {}", fields.join(", "));
                let near = suggestion(name, fields.iter().copied(), all);
                format!("'{}' is not a field: {near}", shortened(name))
            }
        };
        Err(self.wrong(name, sentence))
    }

    fn id(&mut self, field: &str) -> Result<Id, Wrong> {
        let value = self.take(field);
        match value.as_ref().map(|value| (value, Id::of(value))) {
            Some((_, Some(id))) => Ok(id),
            Some((value, None)) => {
                let given = match value {
                    Value::Number(number) => number.to_string(),
                    other => kind(other).to_owned(),
                };
                Err(self
                    .wrong(field, format!("'{field}' is a text or a whole number of 64 bits, not {given}")))
            }
            None => Err(self.wrong(field, format!("'{field}' is missing"))),
        }
    }

    fn request(&mut self, game: Option<&GameSpec>) -> Result<Request, Wrong> {
        let id = self.id("id")?;
        let Some(action) = self.text("action")? else {
            return self.search(id, game).map(|asked| Request::Search(Box::new(asked)));
        };
        let (fields, request) = match action.as_str() {
            "terminate" => {
                let target = self.id("terminateId")?;
                (&["id", "action", "terminateId"][..], Request::Terminate { id, target })
            }
            "terminate_all" => (&["id", "action"][..], Request::TerminateAll { id }),
            "query_version" => (&["id", "action"][..], Request::Version { id }),
            other => {
                let all = || format!("the actions are {}", ACTIONS.join(", "));
                let near = suggestion(other, ACTIONS.iter().copied(), all);
                let sentence = format!("'{}' is not an action: {near}", shortened(other));
                return Err(self.wrong("action", sentence));
            }
        };
        self.end(fields)?;
        Ok(request)
    }

    fn search(&mut self, id: Id, game: Option<&GameSpec>) -> Result<Asked, Wrong> {
        let game: GameSpec = match (self.text("game")?, game) {
            (Some(text), _) => text.parse::<GameSpec>().map_err(|error| self.wrong("game", error))?,
            (None, Some(game)) => game.clone(),
            (None, None) => {
                return Err(self.wrong("game", "'game' is missing, and there is no --game"));
            }
        };
        let (position, ply) = self.position(&game)?;
        let named = self.text("player")?;
        let named = named.as_deref().unwrap_or(super::super::play::usual_opponent(&game));
        let player = contestants::player(named).map_err(|error| self.wrong("player", error))?;
        let budget = match self.text_or_number("budget")? {
            Some(text) => text.parse::<BudgetSpec>().map_err(|error| self.wrong("budget", error))?,
            None => BudgetSpec::DEFAULT,
        };
        let player = player.with_default_budget(budget);
        let only = self.list("only")?;
        let (avoid, focus) =
            (self.list("avoid")?.unwrap_or_default(), self.list("focus")?.unwrap_or_default());
        let steering = self.steering(&*position, only.as_deref(), &avoid, &focus)?;
        let focus_budget = match self.text_or_number("focusBudget")? {
            Some(_) if focus.is_empty() => {
                return Err(self.wrong("focusBudget", "'focusBudget' is only for queries with a 'focus'"));
            }
            Some(text) => Some(text.parse::<BudgetSpec>().map_err(|error| self.wrong("focusBudget", error))?),
            None => None,
        };
        let player = match self.until()? {
            Some(until) => player.with_default_until(until),
            None => player,
        };
        let seed = self.text_or_number("seed")?;
        let seed =
            seed.as_deref().unwrap_or("1").parse::<Seed>().map_err(|error| self.wrong("seed", error))?;
        let threads = self.count("threads", MOST_THREADS)?.unwrap_or(1);
        let every = self.every()?;
        let top = self.count("top", u64::from(u32::MAX))?.unwrap_or(usize::MAX);
        self.end(QUERY_FIELDS)?;
        let budget = player.budget().unwrap_or(BudgetSpec::DEFAULT).at_ply(ply);
        let query = Query::new(game, position, player, budget);
        let mut query = query.map_err(|error| self.wrong("player", error))?;
        (query.seed, query.threads, query.every) = (seed, threads, every);
        query.steering = steering;
        query.focus_budget = focus_budget.map(|budget| budget.at_ply(ply));
        query.weight = 1 + self.bytes / BYTES_OF_ONE;
        Ok(Asked { id, query, top })
    }

    /// Which moves the search may choose, and which get more samples after it.
    fn steering(
        &self,
        position: &dyn Board,
        only: Option<&[String]>,
        avoid: &[String],
        focus: &[String],
    ) -> Result<Steering, Wrong> {
        let read = |only: Option<&[String]>, avoid: &[String], focus: &[String], field: &str| {
            Steering::read(position, only, avoid, focus).map_err(|error| self.wrong(field, error))
        };
        read(only, &[], &[], "only")?;
        read(only, avoid, &[], "avoid")?;
        read(only, avoid, focus, "focus")
    }

    /// When the search stops before its budget is spent.
    fn until(&mut self) -> Result<Option<Until>, Wrong> {
        let level = self.text_or_number("until")?;
        let within = self.text_or_number("within")?;
        let Some(level) = level else {
            return match within {
                Some(_) => Err(self.wrong("within", "'within' is nothing without 'until'")),
                None => Ok(None),
            };
        };
        let level = level.parse::<ConfidenceLevel>().map_err(|error| self.wrong("until", error))?;
        let within = within.as_deref().unwrap_or("0");
        let number = within.parse().ok().and_then(|within| Until::new(level.level(), within).ok());
        let sentence =
            || format!("'{}' is not a difference to ignore: it is from 0 to 0.5", shortened(within));
        number.map(Some).ok_or_else(|| self.wrong("within", sentence()))
    }

    /// The position to be searched, and its ply.
    fn position(&mut self, game: &GameSpec) -> Result<(Box<dyn Board>, u64), Wrong> {
        let mut position = game.start().map_err(|error| self.wrong("game", error))?;
        if let Some(text) = self.text("position")? {
            position.set_position(&text).map_err(|error| self.wrong("position", error))?;
        }
        let moves = self.list("moves")?.unwrap_or_default();
        let ply = moves.len() as u64;
        for (number, mv) in (1..).zip(moves) {
            position.play(&mv).map_err(|error| self.wrong("moves", format!("move {number}: {error}")))?;
        }
        Ok((position, ply))
    }

    /// Moves: a list, or one text with blanks or commas.
    fn list(&mut self, field: &str) -> Result<Option<Vec<String>>, Wrong> {
        match self.take(field) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(super::super::words(&text).map(str::to_owned).collect())),
            Some(Value::Array(list)) => {
                let mut moves = Vec::with_capacity(list.len());
                for value in list {
                    match value {
                        Value::String(text) => moves.push(text),
                        other => {
                            let sentence = format!("'{field}' is a list of texts, and has {}", kind(&other));
                            return Err(self.wrong(field, sentence));
                        }
                    }
                }
                Ok(Some(moves))
            }
            Some(other) => {
                let sentence = format!("'{field}' is a list of texts or one text, not {}", kind(&other));
                Err(self.wrong(field, sentence))
            }
        }
    }

    /// How often to tell of the progress. More often than a hundred times a second would
    /// leave no time to search.
    fn every(&mut self) -> Result<Option<Duration>, Wrong> {
        const FIELD: &str = "reportDuringSearchEvery";
        let Some(value) = self.take(FIELD) else { return Ok(None) };
        let seconds = value.as_f64().filter(|seconds| (0.01..=86_400.0).contains(seconds));
        let wrong = || self.wrong(FIELD, format!("'{FIELD}' is a number of seconds from 0.01 to 86400"));
        seconds.ok_or_else(wrong).map(|seconds| Some(Duration::from_secs_f64(seconds)))
    }
}

/// What JSON calls a value.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests;
