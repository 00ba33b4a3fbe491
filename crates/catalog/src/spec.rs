//! Specs of games: reading, printing, starting.
//!
//! ```text
//! spec    = game | "misere(" game ")"
//! game    = name [":" size] ["(" [option {"," option}] ")"]
//! size    = number | number "x" number
//! option  = word "=" value
//! ```
//!
//! Upper and lower case are the same, and blanks around words mean nothing.
//! What is printed is canonical: lower case, always with the size, only the
//! options that differ from their defaults, and the papers' name of a misère
//! twin where it has one.

use std::fmt;
use std::str::FromStr;

use tesuji_core::{Game, shortened};
use tesuji_games::Misere;

use crate::error::SpecError;
use crate::info::{GameInfo, Value};
use crate::table;
use crate::{AnyGame, GameVisitor};

/// A game to be played: rules, board, options. Made from text, and good: every
/// spec that exists can be started.
///
/// ```
/// use tesuji_catalog::GameSpec;
/// let spec: GameSpec = "misere( Go:9 (komi = 6.50, draws=black) )".parse().unwrap();
/// assert_eq!(spec.to_string(), "misere(go:9(komi=6.5))");
/// assert_eq!(spec.to_string().parse(), Ok(spec));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct GameSpec {
    info: &'static GameInfo,
    board: (usize, usize),
    /// A value for each option of `info`, in its order.
    options: Vec<Value>,
    misere: bool,
}

impl GameSpec {
    /// The game on its default board, with its default options.
    pub fn of(info: &'static GameInfo) -> GameSpec {
        let value = |option: &'static crate::OptionInfo| {
            option.values.parse(option.default).expect("the table's defaults are allowed")
        };
        let options = info.options.iter().map(value).collect();
        GameSpec { info, board: info.board.default(), options, misere: false }
    }

    /// The specs worth measuring: the games at the papers' and the peers' sizes,
    /// each followed by its misère twin.
    pub fn measured() -> Vec<GameSpec> {
        let games = table::games().iter().flat_map(|info| info.measured.iter().map(move |size| (info, size)));
        games
            .flat_map(|(info, size)| {
                let text = format!("{}:{size}", info.name);
                let game: GameSpec = text.parse().expect("the table's measured sizes are allowed");
                let twin = game.twin();
                [game, twin]
            })
            .collect()
    }

    /// What the table says of the game.
    pub fn info(&self) -> &'static GameInfo {
        self.info
    }

    /// The board's width and height.
    pub fn board(&self) -> (usize, usize) {
        self.board
    }

    /// Whether this is a misère twin.
    pub fn is_misere(&self) -> bool {
        self.misere
    }

    /// The misère twin of the game; of a twin, the game.
    #[must_use]
    pub fn twin(&self) -> GameSpec {
        GameSpec { misere: !self.misere, ..self.clone() }
    }

    /// Does something with the game's start position, its type known.
    pub fn visit<V: GameVisitor>(&self, visitor: V) -> Result<V::Output, SpecError> {
        table::visit(self, Twin { misere: self.misere, visitor })
    }

    /// The game's start position, its type forgotten.
    pub fn start(&self) -> Result<Box<dyn AnyGame>, SpecError> {
        self.visit(crate::any::Forget)
    }

    /// The value of an option that is one of several words. This and its kin
    /// panic where the game has no such option, or one of another kind.
    pub fn word(&self, option: &str) -> &'static str {
        match self.value(option) {
            Value::Word(word) => word,
            other => panic!("{option}={other} is not a word"),
        }
    }

    /// The value, in halves, of an option that is a multiple of one half.
    pub fn halves(&self, option: &str) -> i32 {
        match self.value(option) {
            Value::Halves(halves) => halves,
            other => panic!("{option}={other} is not a multiple of one half"),
        }
    }

    /// The value of an option that is a whole number.
    pub fn whole(&self, option: &str) -> u32 {
        match self.value(option) {
            Value::Whole(whole) => whole,
            other => panic!("{option}={other} is not a whole number"),
        }
    }

    fn value(&self, option: &str) -> Value {
        let named = self.info.options.iter().zip(&self.options).find(|(info, _)| info.name == option);
        *named.unwrap_or_else(|| panic!("the table has no option {option} of {}", self.info.name)).1
    }

    fn set_size(&mut self, word: &str) -> Result<(), SpecError> {
        let side = |text: &str| {
            let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<usize>().ok().filter(|_| plain)
        };
        let board = match word.split_once('x') {
            Some((width, height)) => side(width.trim()).zip(side(height.trim())),
            None => side(word).map(|size| (size, size)),
        };
        self.board =
            board.filter(|&board| self.info.board.contains(board)).ok_or_else(|| SpecError::UnknownSize {
                game: self.info.name,
                word: shortened(word),
                allowed: self.info.board.to_string(),
            })?;
        Ok(())
    }

    fn set_options(&mut self, text: &str) -> Result<(), SpecError> {
        if text.trim().is_empty() {
            return Ok(());
        }
        let mut given = vec![false; self.options.len()];
        for assignment in text.split(',') {
            let (name, value) = assignment.split_once('=').unwrap_or((assignment, ""));
            let (name, value) = (name.trim(), value.trim());
            let index = self.info.options.iter().position(|option| option.name == name);
            let index = index.ok_or_else(|| SpecError::UnknownOption {
                game: self.info.name,
                word: shortened(name),
                allowed: self.options_in_words(),
            })?;
            let option = &self.info.options[index];
            if std::mem::replace(&mut given[index], true) {
                return Err(SpecError::Form {
                    text: shortened(text),
                    reason: format!("the option {} is given twice", option.name),
                });
            }
            self.options[index] = option.values.parse(value).ok_or_else(|| SpecError::UnknownValue {
                game: self.info.name,
                option: option.name,
                word: shortened(value),
                allowed: option.values.to_string(),
            })?;
        }
        Ok(())
    }

    fn options_in_words(&self) -> String {
        let names: Vec<&str> = self.info.options.iter().map(|option| option.name).collect();
        match names.as_slice() {
            [] => "it has none".to_owned(),
            [name] => format!("its only option is {name}"),
            names => format!("its options are {}", names.join(", ")),
        }
    }
}

impl FromStr for GameSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<GameSpec, SpecError> {
        let lower = text.to_lowercase();
        let form = |reason: &str| SpecError::Form { text: shortened(text), reason: reason.to_owned() };
        let (misere, inner) = match bracketed(lower.trim()) {
            Some(("misere" | "misère", inner)) => {
                let inner = inner.ok_or_else(|| form("misere( has no closing bracket at the end"))?;
                (true, inner.trim())
            }
            _ => (false, lower.trim()),
        };
        let (head, options) = match bracketed(inner) {
            Some((head, Some(options))) => (head, options),
            Some((_, None)) => return Err(form("the bracket before the options is not closed at the end")),
            None => (inner, ""),
        };
        let (name, size) = match head.split_once(':') {
            Some((name, size)) => (name.trim(), Some(size.trim())),
            None => (head.trim(), None),
        };
        let named = |info: &&&GameInfo| info.name == name || info.misere == Some(name);
        let info = table::games().iter().find(named).ok_or_else(|| SpecError::UnknownGame {
            word: shortened(name),
            games: table::games().iter().map(|info| info.name).collect::<Vec<_>>().join(", "),
        })?;
        let twin = info.misere == Some(name);
        if misere && twin {
            return Err(form("this is a misère game already, so leave out misere( )"));
        }
        let mut spec = GameSpec::of(info);
        spec.misere = misere || twin;
        if let Some(size) = size {
            spec.set_size(size)?;
        }
        spec.set_options(options)?;
        spec.visit(Nothing)?;
        Ok(spec)
    }
}

/// Splits `head(inner)` at its first bracket; `inner` is `None` where the text
/// does not end with the closing one.
fn bracketed(text: &str) -> Option<(&str, Option<&str>)> {
    let (head, rest) = text.split_once('(')?;
    Some((head.trim(), rest.trim_end().strip_suffix(')')))
}

impl fmt::Display for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, wrapped) = match (self.misere, self.info.misere) {
            (false, _) => (self.info.name, false),
            (true, Some(twin)) => (twin, false),
            (true, None) => (self.info.name, true),
        };
        let (width, height) = self.board;
        let size = if width == height { format!("{width}") } else { format!("{width}x{height}") };
        let mut text = format!("{name}:{size}");
        let set: Vec<String> = (self.info.options.iter().zip(&self.options))
            .filter(|(info, value)| info.values.parse(info.default) != Some(**value))
            .map(|(info, value)| format!("{}={value}", info.name))
            .collect();
        if !set.is_empty() {
            text = format!("{text}({})", set.join(","));
        }
        if wrapped {
            text = format!("misere({text})");
        }
        f.pad(&text)
    }
}

/// Hands a visitor the game or its misère twin: what the table's entries call.
pub(crate) struct Twin<V> {
    misere: bool,
    visitor: V,
}

impl<V: GameVisitor> Twin<V> {
    pub(crate) fn game<G: Game>(self, start: G) -> V::Output {
        if self.misere { self.visitor.visit(Misere(start)) } else { self.visitor.visit(start) }
    }
}

/// Only asks whether the game can be made.
struct Nothing;

impl GameVisitor for Nothing {
    type Output = ();

    fn visit<G: Game>(self, _: G) {}
}
