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
        let mut words = env::args().skip(1).take_while(|word| word != "--");
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
        let named = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let own = || terminal_size::terminal_size_of(&stdout).map(|(width, _)| usize::from(width.0));
        let width = named.or_else(own).filter(|&width| width > 0).unwrap_or(Screen::default().width);
        Screen { width: width.max(NARROWEST), has_colour: self.has_colour(&stdout) }
    }

    /// Returns the screen that standard error is. Its lines are not wrapped.
    pub(super) fn standard_error(self) -> Screen {
        Screen { has_colour: self.has_colour(&io::stderr()), ..Screen::default() }
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
