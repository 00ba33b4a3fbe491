//! The terminal that the program writes to: its width, and whether it has colours.

use std::env;
use std::io::{self, IsTerminal};

use clap::ValueEnum;
use tesuji_report::Screen;

/// When to write colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(super) enum ColourChoice {
    /// On a terminal, unless NO_COLOR is set; with CLICOLOR_FORCE everywhere
    #[default]
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

impl ColourChoice {
    /// Returns the choice on a command line that clap may not accept: errors and help are
    /// written in colour too.
    pub(super) fn on_command_line() -> ColourChoice {
        let mut words = env::args_os()
            .skip(1)
            .map(|word| word.to_string_lossy().into_owned())
            .take_while(|word| word != "--");
        let mut choice = ColourChoice::Auto;
        while let Some(word) = words.next() {
            let value = match word.split_once('=') {
                Some(("--color", value)) => Some(value.to_owned()),
                _ if word == "--color" => words.next(),
                _ => None,
            };
            choice = value.and_then(|value| ColourChoice::from_str(&value, true).ok()).unwrap_or(choice);
        }
        choice
    }

    /// Returns whether colours are written to this stream.
    fn has_colour(self, stream: &impl IsTerminal) -> bool {
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        match self {
            ColourChoice::Always => true,
            ColourChoice::Never => false,
            ColourChoice::Auto if is_set("NO_COLOR") => false,
            ColourChoice::Auto if env::var_os("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
            ColourChoice::Auto => {
                stream.is_terminal() && env::var_os("TERM").is_none_or(|term| term != "dumb")
            }
        }
    }

    /// Returns the screen that standard output is: as wide as `COLUMNS` says, else as the
    /// terminal is, else as all files are.
    pub(super) fn standard_output(self) -> Screen {
        let stdout = io::stdout();
        let width = width(terminal_size::terminal_size_of(&stdout));
        Screen { width: width.unwrap_or(Screen::default().width), has_colour: self.has_colour(&stdout) }
    }

    /// Returns the screen that standard error is. Lines are wrapped only on a terminal: in pipes
    /// and files every error is one line.
    pub(super) fn standard_error(self) -> Screen {
        let stderr = io::stderr();
        let own = stderr.is_terminal().then(|| width(terminal_size::terminal_size_of(&stderr)));
        Screen { width: own.flatten().unwrap_or(usize::MAX), has_colour: self.has_colour(&stderr) }
    }

    /// Returns the choice for clap, which writes help.
    pub(super) fn for_help(self) -> clap::ColorChoice {
        match self.has_colour(&io::stdout()) {
            true => clap::ColorChoice::Always,
            false => clap::ColorChoice::Never,
        }
    }
}

/// Tables are not made narrower than this.
const NARROWEST: usize = 40;

/// Returns the columns that `COLUMNS` names, else those of the terminal. `None` if neither is
/// known.
fn width(terminal: Option<(terminal_size::Width, terminal_size::Height)>) -> Option<usize> {
    let named = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let width = named.or_else(|| terminal.map(|(width, _)| usize::from(width.0)));
    width.filter(|&width| width > 0).map(|width: usize| width.max(NARROWEST))
}
