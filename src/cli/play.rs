//! `tesuji play`: a game in the terminal.

mod hint;
mod saving;
mod seats;
mod table;

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use anyhow::Result;
use tesuji::catalog::{BudgetSpec, GameSpec};
use tesuji::core::drawing::LAST_MOVE_LEGEND;
use tesuji::core::{Seed, Side};
use tesuji::search::Until;
use tesuji_report::Screen;
use tesuji_session::{LiveGame, Session, Settings};

use super::budget::BudgetArgs;
use super::contestants::{HUMAN, is_human};
use super::until::UntilArgs;
use saving::{SaveFile, Saving};
use seats::TerminalSeat;
use table::Table;

pub(super) use saving::Start;

/// Play against a player, or watch two, in the terminal or from a pipe
#[derive(clap::Args)]
#[command(after_help = "\
At the prompt, type a move, or: moves, hint, undo, resign, save FILE, position, help, quit.
Without --black and --white you play the side to move, against rave, or flat(sh) in phantom games.
If you give only one of them, you play the other side, or the program does if you gave human.
In Go, players pass when the game is decided and resign when they see no hope.
In a phantom game you see only your own stones and what the referee tells you.

Examples:
  tesuji play domineering:5
  tesuji play hex:7 --black human --white rave@5000
  tesuji play go:9 --black 'uct@2s' --white human
  tesuji play phantom-go:5 --white 'flat(sh)@2000' --save game.sgf
  tesuji play go:9 --black human --white 'gtp(\"gnugo --mode gtp\")'
  tesuji play breakthrough --black 'shuss(t=9)+uct' --white rave --budget 2000
  printf 'a1-a2\\nquit\\n' | tesuji play domineering:4")]
pub(super) struct Args {
    /// The game, such as breakthrough or hex:11 (`tesuji games` lists them)
    game: String,
    /// Who plays Black: human, a player such as rave@5000 (`tesuji players` lists them), portfolio("FILE"), or
    /// the external engine gtp("COMMAND LINE")
    #[arg(long, value_name = "SPEC")]
    black: Option<String>,
    /// Who plays White: the same choices
    #[arg(long, value_name = "SPEC")]
    white: Option<String>,
    #[command(flatten)]
    budget: BudgetArgs,
    #[command(flatten)]
    until: UntilArgs,
    /// Save the game to this file, .sgf or .jsonl, when it ends or you leave
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// The players' seed: a whole number, or the 32 digits of a seed
    #[arg(long, value_name = "SEED", default_value = "1")]
    seed: String,
    /// Threads [default: one for each core]
    #[arg(long, short = 'j', value_name = "N", value_parser = super::values::whole::<u64>(1..=1024))]
    threads: Option<u64>,
    #[command(flatten)]
    from: super::Beginning,
}

/// Who plays where nobody was named.
pub(super) fn usual_opponent(game: &GameSpec) -> &'static str {
    if game.info().is_hidden { "flat(sh)" } else { "rave" }
}

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    let spec: GameSpec = args.game.parse()?;
    let live = args.from.live(&spec)?;
    let opponent = usual_opponent(&spec);
    let named = match (args.black, args.white) {
        (None, None) if live.board().to_move() == Side::Black => [HUMAN.to_owned(), opponent.to_owned()],
        (None, None) => [opponent.to_owned(), HUMAN.to_owned()],
        (Some(black), None) => {
            let white = if is_human(&black) { opponent } else { HUMAN };
            [black, white.to_owned()]
        }
        (None, Some(white)) => {
            let black = if is_human(&white) { opponent } else { HUMAN };
            [black.to_owned(), white]
        }
        (Some(black), Some(white)) => [black, white],
    };
    let setting = Setting {
        named,
        budget: args.budget.budget()?,
        until: args.until.until()?,
        seed: args.seed.parse()?,
        threads: super::threads(args.threads),
        screen: *screen,
        save: args.save.map(|path| SaveFile::new(path, live.spec())).transpose()?,
        start: if args.from.position.is_some() { Start::Elsewhere } else { Start::Usual },
    };
    if let Some(file) = &setting.save {
        file.check(setting.start)?;
    }
    setting.sit_down(live)
}

/// Who plays, and how.
pub(super) struct Setting {
    /// Who plays, by [`Side::index`].
    pub(super) named: [String; 2],
    /// For players without a budget of their own.
    pub(super) budget: BudgetSpec,
    /// For players that do not say themselves when they stop.
    pub(super) until: Option<Until>,
    pub(super) seed: Seed,
    pub(super) threads: usize,
    pub(super) screen: Screen,
    /// Where the game is saved when it ends.
    pub(super) save: Option<SaveFile>,
    pub(super) start: Start,
}

impl Setting {
    /// Plays a game from where it stands.
    pub(super) fn sit_down(self, live: LiveGame) -> Result<()> {
        let Setting { named: [black, white], budget, until, seed, threads, screen, save, start } = self;
        let game_seed = seed.child("play");
        let seat = |side, name: &str| TerminalSeat::new(name, &live, side, (budget, until), game_seed);
        let seats = [seat(Side::Black, &black)?, seat(Side::White, &white)?];
        let names = [seats[0].name(), seats[1].name()];
        let legend = live.spec().legend() + LAST_MOVE_LEGEND + "\n";
        let heading = format!("{}: Black is {}, White is {}.\n{legend}\n", live.spec(), names[0], names[1]);
        super::print(&screen.wrapped(&heading))?;
        let settings = Settings { seed, threads, ..Settings::usual(live.spec(), threads) };
        let echoes = !io::stdin().is_terminal();
        let session = Session::at(live, settings)?.with_game_seed(game_seed);
        let saving = Saving::new(save, start);
        Table { session, seats, lost: None, saving, echoes, screen }.play(io::stdin().lock())
    }
}
