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
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use tesuji_core::spec::{Arguments, Call, CallError, Value, bracketed};
use tesuji_core::{Announced, Game, Phantom, Referee, shortened, suggestion};
use tesuji_games::{self as games, Wins};
use tesuji_search::{Board, OpenBoard, PhantomBoard, Player, PlayerConfig};

use crate::error::SpecError;
use crate::info::{GameInfo, Goal};
use crate::table;

/// A game to be played: rules, board, options. Made from text, and good: every
/// spec that exists can be started.
///
/// ```
/// use tesuji_catalog::GameSpec;
/// let spec: GameSpec = "misere( Go:9 (komi = 6.50, draws=black) )".parse().unwrap();
/// assert_eq!(spec.to_string(), "misere(go:9(komi=6.5))");
/// assert_eq!(spec.to_string().parse(), Ok(spec));
/// ```
#[derive(Clone, Debug)]
pub struct GameSpec {
    info: &'static GameInfo,
    board: (usize, usize),
    options: Arguments,
    misere: bool,
}

impl GameSpec {
    /// The game on its default board, with its default options.
    pub fn of(info: &'static GameInfo) -> GameSpec {
        let call = Call { name: info.name.to_owned(), arguments: Vec::new() };
        let options = call.resolve(info.options).expect("every option of the table has a default");
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

    /// Returns the rules in a sentence; in two for a misère game.
    ///
    /// ```
    /// let spec: tesuji_catalog::GameSpec = "nohex:5".parse().unwrap();
    /// assert!(spec.rules().ends_with("Misère: whoever wins by this loses."));
    /// ```
    pub fn rules(&self) -> String {
        let rules = self.info().rules;
        match self.wins() {
            Wins::Win => rules.to_owned(),
            Wins::Lose => format!("{rules} Misère: whoever wins by this loses."),
            Wins::Illegal => {
                format!(
                    "{rules} But moves that win by this are illegal, and a side without a legal move loses."
                )
            }
        }
    }

    /// Returns whose pieces look how in a drawing, and what wins.
    ///
    /// ```
    /// let goals = |text: &str| text.parse::<tesuji_catalog::GameSpec>().unwrap().goals();
    /// assert_eq!(
    ///     goals("hex"),
    ///     "Black ● wins by connecting top to bottom, White ○ by connecting left to right."
    /// );
    /// assert_eq!(goals("noatarigo"), "Black ●, White ○. Whoever captures first loses (misère).");
    /// ```
    pub fn goals(&self) -> String {
        let GameInfo { pieces: [black, white], goal, .. } = self.info();
        let (wins, misere) = match self.wins() {
            Wins::Win => ("wins", ""),
            Wins::Lose => ("loses", " (misère)"),
            Wins::Illegal => {
                return format!(
                    "Black {black}, White {white}. Moves that win the normal game are illegal; whoever has no other loses."
                );
            }
        };
        match goal {
            Goal::Own([by_black, by_white]) => {
                format!("Black {black} {wins} by {by_black}, White {white} by {by_white}{misere}.")
            }
            Goal::Shared(whoever) => {
                let (first, rest) = whoever.split_at(1);
                format!("Black {black}, White {white}. {}{rest} {wins}{misere}.", first.to_uppercase())
            }
        }
    }

    /// Returns the lines above a drawn board: [`goals`](GameSpec::goals), and in a phantom game
    /// the symbols of what a player knows.
    pub fn legend(&self) -> String {
        match self.info().view_legend {
            "" => format!("{}\n", self.goals()),
            view => format!("{}\n{view}\n", self.goals()),
        }
    }

    /// Whether this is a misère twin.
    pub fn is_misere(&self) -> bool {
        self.misere
    }

    /// What a winning move of the normal game does.
    fn wins(&self) -> Wins {
        match (self.misere, self.forbids_wins()) {
            (false, _) => Wins::Win,
            (true, false) => Wins::Lose,
            (true, true) => Wins::Illegal,
        }
    }

    /// Whether the options say that moves that win the normal game are illegal. Such a game has
    /// the misère twin's name, whichever was written.
    fn forbids_wins(&self) -> bool {
        let has_option = self.info.options.iter().any(|option| option.name == "wins");
        has_option && self.word("wins") == "illegal"
    }

    /// The misère twin of the game; of a twin, the game.
    #[must_use]
    pub fn twin(&self) -> GameSpec {
        let mut twin = GameSpec { misere: !self.misere, ..self.clone() };
        if !twin.misere && self.wins() == Wins::Illegal {
            let _ = twin.options.set(self.info.name, "wins", Value::Word("lose"));
        }
        twin
    }

    /// Returns the board at the game's start.
    pub fn start(&self) -> Result<Box<dyn Board>, SpecError> {
        table::start(self, BoardKind { wins: self.wins() })
    }

    /// Returns a player of the game, or an error if it cannot play it.
    pub fn player(&self, config: &PlayerConfig) -> Result<Box<dyn Player>, SpecError> {
        self.check_player(config)?;
        Ok(config.player())
    }

    /// Whether the player can play the game; an error that says why not.
    pub fn check_player(&self, config: &PlayerConfig) -> Result<(), SpecError> {
        self.check_search(config)?;
        if !config.has_network() {
            return Ok(());
        }
        let form = self.start()?.sight().network_form();
        let checked = config.check_network(form.as_ref());
        checked.map_err(|reason| SpecError::Player { game: self.to_string(), reason })
    }

    /// Whether the player's search can play the game, whatever has become of its network: a file may
    /// be gone by the time when somebody reads what was played with it.
    pub fn check_search(&self, config: &PlayerConfig) -> Result<(), SpecError> {
        match self.info.is_hidden {
            true => {
                config.check_hidden().map_err(|reason| SpecError::Player { game: self.to_string(), reason })
            }
            false => Ok(()),
        }
    }

    /// Returns the game with another value of an option, such as komi.
    pub fn with_option(&self, name: &str, value: Value) -> Result<GameSpec, SpecError> {
        let mut spec = self.clone();
        spec.options.set(self.info.name, name, value).map_err(SpecError::Options)?;
        spec.misere |= spec.forbids_wins();
        Ok(spec)
    }

    /// Returns the game on another board.
    pub fn with_board(&self, width: usize, height: usize) -> Result<GameSpec, SpecError> {
        let mut spec = self.clone();
        spec.set_board(Some((width, height)), &format!("{width}x{height}"))?;
        // A game may refuse a board for the sake of both together.
        spec.start()?;
        Ok(spec)
    }

    /// The value of an option that is one of several words. This and its kin
    /// panic where the game has no such option, or one of another kind.
    pub fn word(&self, option: &str) -> &'static str {
        self.options.word(option).unwrap_or_else(|| panic!("{option} is not a word"))
    }

    /// The value of an option that is a number.
    pub fn number(&self, option: &str) -> f64 {
        self.options.number(option).unwrap_or_else(|| panic!("{option} is not a number"))
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
        self.set_board(board, word)
    }

    /// Sets the board if there is one and the game allows it; `word` is for the error message.
    fn set_board(&mut self, board: Option<(usize, usize)>, word: &str) -> Result<(), SpecError> {
        self.board =
            board.filter(|&board| self.info.board.contains(board)).ok_or_else(|| SpecError::UnknownSize {
                game: self.info.name,
                word: shortened(word),
                allowed: self.info.board.to_string(),
            })?;
        Ok(())
    }
}

/// What the table says of a game is told by its name.
impl PartialEq for GameSpec {
    fn eq(&self, other: &GameSpec) -> bool {
        let key = |spec: &GameSpec| (spec.info.name, spec.board, spec.misere);
        key(self) == key(other) && self.options == other.options
    }
}

impl Eq for GameSpec {}

impl Hash for GameSpec {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.info.name, self.board, self.misere, &self.options).hash(state);
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
        let call = Call::parse(inner).map_err(|error| match error {
            CallError::Form { reason, .. } => form(reason),
            other => SpecError::Options(other),
        })?;
        let head = call.name.as_str();
        let (name, size) = match head.split_once(':') {
            Some((name, size)) => (name.trim(), Some(size.trim())),
            None => (head.trim(), None),
        };
        let named = |info: &&&GameInfo| info.name == name || info.misere == Some(name);
        let info = table::games().iter().find(named).ok_or_else(|| SpecError::UnknownGame {
            word: shortened(name),
            games: suggestion(name, table::games().iter().flat_map(|info| info.names()), || {
                let names: Vec<&str> = table::games().iter().map(|info| info.name).collect();
                format!("there are {}, and misère twins such as nohex or misere(go:9)", names.join(", "))
            }),
        })?;
        let twin = info.misere == Some(name);
        if misere && twin {
            return Err(form("this is a misère game already, so leave out misere( )"));
        }
        if info.is_hidden && misere {
            return Err(form("phantom games have no misère twin"));
        }
        let mut spec = GameSpec::of(info);
        spec.misere = misere || twin;
        if let Some(size) = size {
            spec.set_size(size)?;
        }
        let call = Call { name: info.name.to_owned(), ..call };
        spec.options = call.resolve(info.options).map_err(SpecError::Options)?;
        spec.misere |= spec.forbids_wins();
        spec.start()?;
        Ok(spec)
    }
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
        text = format!("{text}{}", self.options);
        if wrapped {
            text = format!("misere({text})");
        }
        f.pad(&text)
    }
}

/// Makes boards of games or of their misère twins: what the table's entries call.
pub(crate) struct BoardKind {
    wins: Wins,
}

impl BoardKind {
    pub(crate) fn board<G: Game>(self, game: G) -> Box<dyn Board> {
        Box::new(OpenBoard(games::MaybeMisere { game, wins: self.wins }))
    }

    /// Makes boards of phantom games, which have no misère twins.
    pub(crate) fn hidden(self, announced: Announced) -> HiddenBoardKind {
        HiddenBoardKind { announced }
    }
}

/// Makes boards of phantom games.
pub(crate) struct HiddenBoardKind {
    announced: Announced,
}

impl HiddenBoardKind {
    pub(crate) fn board<G: Phantom>(self, start: G) -> Box<dyn Board> {
        Box::new(PhantomBoard(Referee::new(start, self.announced)))
    }
}
