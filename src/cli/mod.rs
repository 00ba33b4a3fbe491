//! The verbs of the command line, one file each, and what they share.
//!
//! | exit code | when |
//! |---|---|
//! | 0 | done, or the reader of our output had enough |
//! | 1 | something failed that the user could not know |
//! | 2 | bad input: one sentence on standard error says what is wrong with it |
//! | 130 | interrupted; what was found is printed |

mod analyze;
mod bandit;
mod bar;
mod bench;
mod budget;
mod check;
mod completions;
mod contestants;
mod device;
mod experiment;
mod export;
mod files;
mod games;
mod gpu;
mod gtp;
mod interrupt;
mod machine;
mod measure;
mod merge;
mod peers;
mod perft;
mod play;
mod players;
mod policies;
mod portfolio;
mod progress;
mod replay;
mod report;
mod reproduce;
mod rules;
mod run;
mod search;
mod searches;
mod selftest;
mod serve;
mod setting;
mod show;
mod slurm;
mod terminal;
mod tournament;
mod tune;
mod until;
mod values;
mod versus;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use clap::error::{ContextKind, ErrorKind};
use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use serde::Serialize;
use tesuji::bandit::PolicyError;
use tesuji::bandit::testbed::{ArmsError, LaboratoryError};
use tesuji::catalog::{GameSpec, PlayerError, SpecError};
use tesuji::core::{ParseMoveError, ParsePositionError, ParseSeedError, Seed, nearest_names, shortened};
use tesuji::search::{Board, DeviceError, NetworkFailure, SteeringError, catch_network_failure};
use tesuji_arena::AnalysisError;
use tesuji_arena::statistics::SprtError;
use tesuji_arena::tuning::{TemplateError, TuningError};
use tesuji_arena::{
    BuildError, CannotPlay, ContestantError, ExperimentError, MeasureError, MissingBook, RunError,
    StoreError, TournamentError,
};
use tesuji_report::Ink;
use tesuji_session::{LiveGame, SessionError};

use terminal::ColourChoice;

/// Simple-regret Monte Carlo search: given a fixed number of samples, which move is best?
#[derive(Parser)]
#[command(name = "tesuji", version, long_version = machine::long_version(), after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
    /// Colours: auto (on a terminal, unless NO_COLOR is set), always or never [default: auto]
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        global = true,
        hide_possible_values = true,
        hide_default_value = true
    )]
    color: ColourChoice,
}

const EXAMPLES: &str = "\
Games are written NAME:SIZE(OPTIONS); misère twins have names, or misere(GAME):
  breakthrough   domineering:6x8   hex:11(swap=on)   misere(hex:7)   nohex:7
Players are written ROOT+TREE+LEAF+OPTIONS@BUDGET; only the tree is required:
  uct   sh+uct@10000   hybrid-shuss(t=512)   uct(c=0.31)+prior(sh,64)@1.5s

Tables are as wide as the terminal, or 100 columns in pipes and files; COLUMNS=N
overrides both.

Examples:
  tesuji games
  tesuji players 'hybrid-shuss(t=512)'
  tesuji search go:9 --player 'hybrid-shuss(t=256)' --budget 10000
  tesuji analyze --game hex:7 < queries.jsonl
  tesuji play hex:7 --white rave@5000
  tesuji serve
  tesuji gtp --game go:9
  tesuji bandit --arms N:80 --budget 2048 --policy sh --policy 'ucb(c=0.3)'
  tesuji match hex:7 rave uct --games 100 --budget 1000
  tesuji tournament hex:7 uct rave grave --games 100 --budget 1000
  tesuji tune hex:7 'uct(c=?)@1000' --against rave@1000 --games 2000
  tesuji run experiments/voi-figure1.toml --quick
  tesuji report tesuji.db --html out
  tesuji reproduce --quick
  tesuji bench hex:11 nohex:11
  tesuji perft breakthrough --depth 4";

#[derive(Subcommand)]
enum Verb {
    // What there is, then what one does with it, then what is measured.
    Games(games::Args),
    Players(players::Args),
    Policies(policies::Args),
    Search(search::Args),
    Analyze(analyze::Args),
    Play(play::Args),
    Gtp(gtp::Args),
    Serve(serve::Args),
    Portfolio(portfolio::Args),
    Bandit(bandit::Args),
    Match(versus::Args),
    Tournament(Box<tournament::Args>),
    Tune(tune::Args),
    Run(run::Args),
    Check(check::Args),
    Slurm(slurm::Args),
    Replay(replay::Args),
    Merge(merge::Args),
    Show(show::Args),
    Report(report::Args),
    Export(export::Args),
    Reproduce(reproduce::Args),
    Bench(bench::Args),
    Gpu(gpu::Args),
    Perft(perft::Args),
    Selftest(selftest::Args),
    Completions(completions::Args),
}

/// Returns the command line with all verbs.
fn command() -> Command {
    with_negative_numbers(with_whole_paragraphs(Cli::command()))
}

/// Lets every option have a negative number as its value: the option then says what it allows.
fn with_negative_numbers(verb: Command) -> Command {
    let verb = verb.mut_args(|argument| match argument.get_long() {
        Some(_) if argument.get_action().takes_values() => argument.allow_negative_numbers(true),
        _ => argument,
    });
    verb.mut_subcommands(with_negative_numbers)
}

/// Joins the lines of each paragraph after the options of a verb and the verbs below it, so that
/// clap can wrap paragraphs to any width.
fn with_whole_paragraphs(verb: Command) -> Command {
    let help = verb.get_after_help().map(|help| joined_lines(&help.to_string()));
    let verb = if let Some(help) = help { verb.after_help(help) } else { verb };
    verb.mut_subcommands(with_whole_paragraphs)
}

/// Returns a text with a line for each paragraph. Lines that are indented are examples, and stay
/// as they are.
fn joined_lines(text: &str) -> String {
    let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
    let mut joined = String::with_capacity(text.len());
    let mut before = "";
    for (number, line) in text.lines().enumerate() {
        if number > 0 {
            joined.push(if is_prose(before) && is_prose(line) { ' ' } else { '\n' });
        }
        joined += line;
        before = line;
    }
    joined
}

/// Parses the command line, does what it says, and gives the exit code.
pub(crate) fn main() -> ExitCode {
    if let Some(word) = std::env::args_os().find(|word| word.to_str().is_none()) {
        complain(&format!("the argument '{}' is not text in UTF-8", shortened(&word.to_string_lossy())));
        return ExitCode::from(2);
    }
    let colours = ColourChoice::on_command_line();
    let matches = command().color(colours.for_help()).try_get_matches();
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let screen = &cli.color.standard_output();
    let verb = || match cli.verb {
        Verb::Games(args) => games::run(args, screen),
        Verb::Perft(args) => perft::run(args, screen),
        Verb::Bench(args) => bench::run(args, screen),
        Verb::Search(args) => search::run(args, screen),
        Verb::Analyze(args) => analyze::run(args),
        Verb::Play(args) => play::run(args, screen),
        Verb::Gtp(args) => gtp::run(args),
        Verb::Serve(args) => serve::run(args),
        Verb::Portfolio(args) => portfolio::run(args, screen),
        Verb::Players(args) => players::run(args, screen),
        Verb::Policies(args) => policies::run(args, screen),
        Verb::Bandit(args) => bandit::run(args, screen),
        Verb::Match(args) => versus::run(args, screen),
        Verb::Tournament(args) => tournament::run(*args, screen),
        Verb::Tune(args) => tune::run(args, screen),
        Verb::Run(args) => run::run(args, screen),
        Verb::Check(args) => check::run(args, screen),
        Verb::Slurm(args) => slurm::run(args),
        Verb::Replay(args) => replay::run(args, screen),
        Verb::Merge(args) => merge::run(args),
        Verb::Show(args) => show::run(args, screen),
        Verb::Report(args) => report::run(args, screen),
        Verb::Export(args) => export::run(args),
        Verb::Reproduce(args) => reproduce::run(args, screen),
        Verb::Gpu(args) => gpu::run(args, screen),
        Verb::Selftest(args) => selftest::run(args),
        Verb::Completions(args) => completions::run(args),
    };
    match catch_network_failure(verb).unwrap_or_else(|failure| Err(failure.into())) {
        Ok(()) => ExitCode::SUCCESS,
        // `tesuji games | head -1`: the reader had enough, and so have we.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            if let Some(interrupted) = error.downcast_ref::<interrupt::Interrupted>() {
                let screen = cli.color.standard_error();
                let _ = writeln!(io::stderr(), "{}", screen.wrapped(&interrupted.to_string()));
                return ExitCode::from(interrupt::EXIT_CODE);
            }
            complain(&format!("{error:#}"));
            ExitCode::from(match () {
                () if is_bad_input(&error) => 2,
                () => 1,
            })
        }
    }
}

/// What clap has to say: help as it is, errors in one line like our own.
fn usage(error: &clap::Error) -> ExitCode {
    let shown = matches!(
        error.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    );
    if shown {
        // A reader that went away is no failure.
        let _ = error.print();
        return ExitCode::from(error.exit_code() as u8);
    }
    // The first paragraph is the error; then come tips and the usage.
    let text = error.to_string();
    let lines = text.lines().map(str::trim).take_while(|line| !line.is_empty());
    let sentence = values::problem(error).unwrap_or_else(|| lines.collect::<Vec<_>>().join(" "));
    let tesuji = command();
    let word = |index| std::env::args_os().nth(index);
    let verb = word(1).and_then(|verb| tesuji.find_subcommand(verb));
    // `tesuji portfolio learn` has a help of its own.
    let inner = word(2).and_then(|word| verb?.find_subcommand(word));
    let names = [verb, inner].into_iter().flatten().map(|verb| format!(" {}", verb.get_name()));
    let help = format!("tesuji{} --help", names.collect::<String>());
    let suggested = match error.get(ContextKind::InvalidSubcommand) {
        Some(word) => {
            let verbs = verb.unwrap_or(&tesuji).get_subcommands().filter(|verb| !verb.is_hide_set());
            nearest_names(&word.to_string(), verbs.map(Command::get_name)).join(" or ")
        }
        None => values::suggested(error),
    };
    let sentence = sentence.trim_start_matches("error: ");
    complain(&match Some(suggested).filter(|names| !names.is_empty()) {
        Some(names) => format!("{sentence}: did you mean {names}? See {help}"),
        None => format!("{sentence}; see {help}"),
    });
    ExitCode::from(2)
}

fn complain(sentence: &str) {
    let screen = ColourChoice::on_command_line().standard_error();
    let line = format!("{} {sentence}", screen.paint(Ink::Error, "error:"));
    let _ = writeln!(io::stderr(), "{}", screen.wrapped(&line));
}

/// Input that only the user can put right, where no library has an error for it.
#[derive(Debug)]
struct BadInput(String);

impl std::fmt::Display for BadInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}

fn is_bad_input(error: &anyhow::Error) -> bool {
    error.is::<BadInput>()
        || error.is::<SpecError>()
        || error.is::<ParseMoveError>()
        || error.is::<SteeringError>()
        || error.is::<ParsePositionError>()
        || error.is::<ParseSeedError>()
        || error.is::<PlayerError>()
        || error.is::<PolicyError>()
        || error.is::<ArmsError>()
        || error.is::<LaboratoryError>()
        || error.is::<ExperimentError>()
        || error.is::<ContestantError>()
        || error.is::<CannotPlay>()
        || error.is::<MissingBook>()
        || error.is::<BuildError>()
        || error.is::<TournamentError>()
        || error.is::<TuningError>()
        || error.is::<TemplateError>()
        || error.is::<SprtError>()
        || error.is::<SessionError>()
        || error.is::<NetworkFailure>()
        || matches!(
            error.downcast_ref(),
            Some(RunError::NotStarted { .. } | RunError::Network(_) | RunError::Planned(_))
        )
        || matches!(error.downcast_ref(), Some(RunError::Device(DeviceError::Unsupported(_))))
        || matches!(error.downcast_ref(), Some(MeasureError::Laboratory(_)))
        || matches!(error.downcast_ref(), Some(DeviceError::Unsupported(_) | DeviceError::Missing(_)))
        || matches!(error.downcast_ref(), Some(AnalysisError::Network(_)))
        || error.downcast_ref().is_some_and(StoreError::is_bad_input)
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// Where to begin: the arguments that several verbs have in common.
#[derive(clap::Args)]
struct Beginning {
    /// A position to begin at, as the game writes it (see `position` in `tesuji play`)
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Moves to play first, with blanks or commas between them
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
}

impl Beginning {
    /// A game in progress at that point: the moves can be taken back.
    fn live(&self, spec: &GameSpec) -> Result<LiveGame> {
        let mut start = spec.start()?;
        if let Some(text) = &self.position {
            start.set_position(text)?;
        }
        let mut live = LiveGame::after(spec.clone(), start, Vec::new());
        for word in self.words() {
            live.play(live.board().to_move(), word)?;
        }
        Ok(live)
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        self.moves.iter().flat_map(|moves| words(moves))
    }

    /// The game at that point.
    fn begin(&self, spec: &GameSpec) -> Result<Box<dyn Board>> {
        let mut game = spec.start()?;
        if let Some(text) = &self.position {
            game.set_position(text)?;
        }
        for word in self.words() {
            game.play(word)?;
        }
        Ok(game)
    }
}

/// The words of a text with blanks or commas between them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', ',', '\t', '\n']).filter(|word| !word.is_empty())
}

/// The store where none is named.
const STORE: &str = "tesuji.db";

/// A time such as 500ms, 90s, 30m or 2h.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("'{text}' is not a time: write 500ms, 90s, 30m or 2h");
    let number = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let seconds = match &text[number.len()..] {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        _ => return Err(wrong()),
    };
    let number: f64 = number.trim().parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(number * seconds).map_err(|_| wrong())
}

/// The threads that were asked for; one for each core where none were.
fn threads(asked: Option<u64>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or_else(cores, |threads| threads as usize)
}

/// A seed that is another each time.
fn seed_of_the_moment() -> Seed {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
    Seed::new(now).child(u64::from(std::process::id()))
}

/// Prints text as it is.
fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// The version of all JSON that the program writes, docs/json.md: raised where a field is
/// renamed or removed, or means something else; not where one is added.
const JSON_VERSION: u32 = 1;

/// An object of JSON with the [version](JSON_VERSION) of its shape.
#[derive(Serialize)]
struct Versioned<T> {
    version: u32,
    #[serde(flatten)]
    object: T,
}

impl<T: Serialize> Versioned<T> {
    fn new(object: T) -> Versioned<T> {
        Versioned { version: JSON_VERSION, object }
    }
}

/// Prints an object as JSON for people and programs.
fn print_json(object: &impl Serialize) -> Result<()> {
    let json = serde_json::to_string_pretty(&Versioned::new(object));
    let json = json.context("the result cannot be written as JSON")?;
    print(&(json + "\n"))
}

/// Prints a list as JSON: an object that has it under this name.
fn print_json_list(name: &str, list: impl IntoIterator<Item: Serialize>) -> Result<()> {
    print_json(&BTreeMap::from([(name, list.into_iter().collect::<Vec<_>>())]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls `visit` with a verb and all verbs below it, by their full names.
    fn for_each_verb(verb: &Command, name: &str, visit: &mut dyn FnMut(&str, &Command)) {
        visit(name, verb);
        for below in verb.get_subcommands() {
            for_each_verb(below, &format!("{name} {}", below.get_name()), visit);
        }
    }

    #[test]
    fn examples_fit_a_line_of_a_terminal() {
        for_each_verb(&command(), "tesuji", &mut |name, verb| {
            let help = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
            for line in help.lines().filter(|line| line.starts_with("  ")) {
                assert!(line.chars().count() <= 80, "{name} --help: {line}");
            }
        });
    }

    #[test]
    fn help_fills_80_columns_and_no_more() {
        for_each_verb(&command(), "tesuji", &mut |name, verb| {
            let mut verb = verb.clone().term_width(80);
            for help in [verb.render_help(), verb.render_long_help()] {
                let help = help.to_string();
                let lines: Vec<&str> = help.lines().collect();
                for (line, next) in lines.iter().zip(lines.iter().skip(1).chain([&""])) {
                    let width = line.chars().count();
                    assert!(width <= 80, "{name}: {line}");
                    let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
                    let goes_on = is_prose(line) && is_prose(next) && !line.ends_with(':');
                    assert!(!goes_on || width >= 40, "{name} breaks a line too early: {line}");
                }
            }
        });
    }

    #[test]
    fn paragraphs_are_joined_and_examples_are_not() {
        assert_eq!(
            joined_lines("Equal seeds\nare equal.\n\nExamples:\n  a\n  b"),
            "Equal seeds are equal.\n\nExamples:\n  a\n  b"
        );
    }
}
