//! `tesuji play`: a game in the terminal.

use std::io::{self, BufRead, IsTerminal};

use anyhow::Result;
use tesuji::catalog::{AnyGame, AnyPlayer, BudgetSpec, GameSpec, PlayerSpec};
use tesuji::core::{Seed, Side};
use tesuji::search::{Limits, Report};
use tesuji_report::search as tables;

use super::BadInput;
use super::search::BUDGET;

/// Play against a player, or watch two, in the terminal or from a pipe
#[derive(clap::Args)]
#[command(after_help = "\
At the prompt, type a move, or: moves, hint, undo, position, help, quit.
Without --black and --white, you play the side to move, against rave. With one of them, the other
side is yours, or rave's where you have that one.

Examples:
  tesuji play domineering:5
  tesuji play hex:7 --black human --white rave@5000
  tesuji play go:9 --black 'uct@2s' --white human
  tesuji play breakthrough --black 'hybrid-shuss(t=256)' --white rave --budget 2000
  printf 'a1-a2\\nquit\\n' | tesuji play domineering:4")]
pub(super) struct Args {
    /// The game, such as breakthrough or hex:11 (`tesuji games` lists them)
    game: String,
    /// Who plays Black: human, or a player such as rave@5000 (`tesuji players` lists them)
    #[arg(long, value_name = "SPEC")]
    black: Option<String>,
    /// Who plays White, likewise
    #[arg(long, value_name = "SPEC")]
    white: Option<String>,
    /// Samples or a time for each move, where a player has none of its own; without it, 10000
    #[arg(long, value_name = "BUDGET")]
    budget: Option<String>,
    /// The players' seed: a whole number, or the 32 digits of a seed
    #[arg(long, value_name = "SEED", default_value = "1")]
    seed: String,
    /// Threads; without it, one for each core
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: Option<u64>,
    #[command(flatten)]
    from: super::Beginning,
}

/// Who plays where nobody was named.
const OPPONENT: &str = "rave";
const HUMAN: &str = "human";

const HELP: &str = "\
Type a move, or one of:
  moves       list the legal moves
  hint        what the other player would do in your place
  undo        take back your last move, and the answer to it
  position    print the position as text, for --position
  help        this
  quit        leave
";

pub(super) fn run(args: Args) -> Result<()> {
    let spec: GameSpec = args.game.parse()?;
    let seed: Seed = args.seed.parse()?;
    let game = args.from.begin(&spec)?;
    let named = match (args.black, args.white) {
        (None, None) if game.to_move() == Side::Black => [HUMAN.to_owned(), OPPONENT.to_owned()],
        (None, None) => [OPPONENT.to_owned(), HUMAN.to_owned()],
        (Some(black), None) => {
            let white = if is_human(&black) { OPPONENT } else { HUMAN };
            [black, white.to_owned()]
        }
        (None, Some(white)) => {
            let black = if is_human(&white) { OPPONENT } else { HUMAN };
            [black.to_owned(), white]
        }
        (Some(black), Some(white)) => [black, white],
    };
    let [black, white] = &named;
    let budget: Option<BudgetSpec> = args.budget.as_deref().map(str::parse).transpose()?;
    let seat = |name: &str| Seat::new(&spec, name, budget);
    let seats = [seat(black)?, seat(white)?];
    super::print(&format!("{spec}: Black is {}, White is {}.\n\n", seats[0].name(), seats[1].name()))?;
    let threads = super::threads(args.threads);
    let echoes = !io::stdin().is_terminal();
    let seed = seed.child("play");
    Table { spec, game, seats, seed, ply: 0, threads, earlier: Vec::new(), echoes }.play(io::stdin().lock())
}

fn is_human(name: &str) -> bool {
    name.trim().eq_ignore_ascii_case(HUMAN)
}

/// Who sits on one side.
enum Seat {
    Human,
    Player { spec: PlayerSpec, player: Box<dyn AnyPlayer> },
}

impl Seat {
    fn new(game: &GameSpec, name: &str, budget: Option<BudgetSpec>) -> Result<Seat> {
        if is_human(name) {
            return Ok(Seat::Human);
        }
        if name.split_once('@').is_some_and(|(name, _)| is_human(name)) {
            return Err(BadInput(format!("'{name}' has a budget: people think as long as they like")).into());
        }
        let own: PlayerSpec = name.parse()?;
        let spec = match budget {
            // A player's own budget comes first.
            Some(budget) if own.budget().is_none() => own.with_budget(budget),
            _ => own,
        };
        let player = game.player(spec.config())?;
        Ok(Seat::Player { spec, player })
    }

    fn name(&self) -> String {
        match self {
            Seat::Human => HUMAN.to_owned(),
            Seat::Player { spec, .. } => spec.to_string(),
        }
    }

    fn is_human(&self) -> bool {
        matches!(self, Seat::Human)
    }

    /// What a player finds; nothing from a person.
    fn search(&mut self, game: &dyn AnyGame, threads: usize, seed: Seed) -> Option<Report<String>> {
        let Seat::Player { spec, player } = self else { return None };
        let limits = Limits { budget: spec.budget().unwrap_or(BUDGET), threads, cancel: None };
        Some(player.search(game, &limits, seed, None))
    }
}

/// A game going on.
struct Table {
    spec: GameSpec,
    game: Box<dyn AnyGame>,
    /// By [`Side::index`].
    seats: [Seat; 2],
    seed: Seed,
    ply: u64,
    threads: usize,
    /// The positions in which a person moved, and their plies, to go back to.
    earlier: Vec<(Box<dyn AnyGame>, u64)>,
    /// Whether lines of input are printed again: a terminal shows them by itself,
    /// and what comes from a pipe would be missing from the transcript.
    echoes: bool,
}

/// What a line of input leads to.
enum Next {
    Go,
    Quit,
}

impl Table {
    fn play(mut self, input: impl BufRead) -> Result<()> {
        self.answer()?;
        self.show()?;
        if !self.seats.iter().any(Seat::is_human) {
            return Ok(());
        }
        for line in input.split(b'\n') {
            // Bytes that are no text are no move either, and no reason to stop.
            let line = String::from_utf8_lossy(&line?).into_owned();
            if self.echoes {
                super::print(&format!("{}\n", line.trim()))?;
            }
            if let Next::Quit = self.obey(line.trim())? {
                return Ok(());
            }
        }
        super::print("\nGood-bye: the input has ended.\n")
    }

    fn obey(&mut self, line: &str) -> Result<Next> {
        match line.to_ascii_lowercase().as_str() {
            "" => self.prompt()?,
            "quit" | "exit" | "q" => return Ok(Next::Quit),
            "help" | "h" | "?" => self.say(HELP)?,
            "moves" if self.game.outcome().is_some() => {
                self.say("The game is over: there are no moves.\n")?
            }
            "moves" => self.say(&format!("{}\n", self.game.moves().join(" ")))?,
            "hint" => self.hint()?,
            "position" => {
                let text = self.game.position_text();
                self.say(&format!(
                    "{}\n",
                    text.as_deref().unwrap_or("This game has no text for positions.")
                ))?;
            }
            "undo" => match self.earlier.pop() {
                Some((game, ply)) => {
                    (self.game, self.ply) = (game, ply);
                    self.forget();
                    self.show()?;
                }
                None => self.say("There is no move of yours to take back.\n")?,
            },
            _ => {
                let before = self.game.boxed_clone();
                match self.game.play(line) {
                    Ok(_) => {
                        self.earlier.push((before, self.ply));
                        self.ply += 1;
                        self.answer()?;
                        self.show()?;
                    }
                    Err(error) => self.say(&format!("{error}\n"))?,
                }
            }
        }
        Ok(Next::Go)
    }

    /// What players know of other positions is of no use now.
    fn forget(&mut self) {
        for seat in &mut self.seats {
            if let Seat::Player { player, .. } = seat {
                player.forget();
            }
        }
    }

    /// What the other player would do. Another of its kind is asked, so that the
    /// one that plays knows and saves what it would have without the question.
    fn hint(&mut self) -> Result<()> {
        if self.game.outcome().is_some() {
            return self.say("The game is over: there is nothing to search.\n");
        }
        let other = &self.seats[self.game.to_move().other().index()];
        let Seat::Player { spec, .. } = other else {
            return self.say("There is nobody to ask: both sides are human.\n");
        };
        let mut adviser = Seat::Player { spec: spec.clone(), player: self.spec.player(spec.config())? };
        let seed = self.seed.child("hint").child(self.ply);
        match adviser.search(&*self.game, self.threads, seed) {
            Some(report) => self.say(&tables::arms(&report, 5).text()),
            None => self.prompt(),
        }
    }

    /// The players' moves, until it is a person's turn or the game is over.
    fn answer(&mut self) -> Result<()> {
        while self.game.outcome().is_none() {
            let side = self.game.to_move();
            let seed = self.seed.child(self.ply);
            let Some(report) = self.seats[side.index()].search(&*self.game, self.threads, seed) else {
                break;
            };
            let Some(chosen) = report.chosen else { break };
            let arm = &report.arms[chosen];
            let worth = match (arm.proof, arm.mean) {
                (Some(outcome), _) => format!(": {outcome}, proved"),
                (None, Some(mean)) => format!(", expecting {:.0} %", 100.0 * mean),
                (None, None) => String::new(),
            };
            if !self.seats.iter().any(Seat::is_human) {
                super::print(&self.game.drawing())?;
            }
            super::print(&format!("{side} plays {}{worth}\n", arm.mv))?;
            self.game.play(&arm.mv)?;
            self.ply += 1;
        }
        Ok(())
    }

    fn show(&self) -> Result<()> {
        super::print(&self.game.drawing())?;
        let human = self.seats.iter().any(Seat::is_human);
        if let Some(outcome) = self.game.outcome() {
            let may = if human { " You may undo or quit." } else { "" };
            super::print(&format!("The game is over: {outcome}.{may}\n"))?;
        }
        if human { self.prompt() } else { Ok(()) }
    }

    fn say(&self, text: &str) -> Result<()> {
        super::print(text)?;
        self.prompt()
    }

    fn prompt(&self) -> Result<()> {
        match self.game.outcome() {
            Some(_) => super::print("Over > "),
            None => super::print(&format!("{} > ", self.game.to_move())),
        }
    }
}
