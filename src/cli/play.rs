//! `tesuji play`: a game in the terminal.

use std::io::{self, BufRead};

use anyhow::Result;
use clap::ValueEnum;
use tesuji::catalog::{AnyGame, GameSpec};
use tesuji::core::{Rng, Seed, Side};

/// Play against a random player, in the terminal or from a pipe
#[derive(clap::Args)]
#[command(after_help = "\
At the prompt, type a move, or: moves, undo, position, help, quit.

Examples:
  tesuji play domineering:5
  tesuji play hex:7 --side white --seed 3
  printf 'a1-a2\\nquit\\n' | tesuji play domineering:4")]
pub(super) struct Args {
    /// The game, such as breakthrough or hex:11 (`tesuji games` lists them)
    game: String,
    /// Your side; without it, the one whose turn it is
    #[arg(long)]
    side: Option<Colour>,
    /// The random player's seed: a whole number, or the 32 digits of a seed
    #[arg(long, value_name = "SEED", default_value = "1")]
    seed: String,
    #[command(flatten)]
    from: super::Beginning,
}

#[derive(Clone, Copy, ValueEnum)]
enum Colour {
    Black,
    White,
}

const HELP: &str = "\
Type a move, or one of:
  moves       list the legal moves
  undo        take back your last move, and the answer to it
  position    print the position as text, for --position
  help        this
  quit        leave
";

pub(super) fn run(args: Args) -> Result<()> {
    let spec: GameSpec = args.game.parse()?;
    let seed: Seed = args.seed.parse()?;
    let game = args.from.begin(&spec)?;
    let side = match args.side {
        None => game.to_move(),
        Some(Colour::Black) => Side::Black,
        Some(Colour::White) => Side::White,
    };
    super::print(&format!("{spec}: you are {side}. Type a move, or help.\n\n"))?;
    Table { game, side, rng: seed.child("play").rng(), earlier: Vec::new() }.play(io::stdin().lock())
}

/// A game going on between a person and the random player.
struct Table {
    game: Box<dyn AnyGame>,
    side: Side,
    rng: Rng,
    /// The positions in which the person moved, to go back to.
    earlier: Vec<Box<dyn AnyGame>>,
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
        for line in input.split(b'\n') {
            // Bytes that are no text are no move either, and no reason to stop.
            let line = String::from_utf8_lossy(&line?).into_owned();
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
            "moves" => self.say(&format!("{}\n", self.game.moves().join(" ")))?,
            "position" => {
                let text = self.game.position_text();
                self.say(&format!(
                    "{}\n",
                    text.as_deref().unwrap_or("This game has no text for positions.")
                ))?;
            }
            "undo" => match self.earlier.pop() {
                Some(game) => {
                    self.game = game;
                    self.show()?;
                }
                None => self.say("There is no move of yours to take back.\n")?,
            },
            _ => {
                let before = self.game.boxed_clone();
                match self.game.play(line) {
                    Ok(_) => {
                        self.earlier.push(before);
                        self.answer()?;
                        self.show()?;
                    }
                    Err(error) => self.say(&format!("{error}\n"))?,
                }
            }
        }
        Ok(Next::Go)
    }

    /// The random player's moves, until it is the person's turn.
    fn answer(&mut self) -> Result<()> {
        while self.game.to_move() != self.side {
            let side = self.game.to_move();
            match self.game.play_at_random(&mut self.rng) {
                Some(name) => super::print(&format!("{side} plays {name}\n"))?,
                None => break,
            }
        }
        Ok(())
    }

    fn show(&self) -> Result<()> {
        super::print(&self.game.drawing())?;
        if let Some(outcome) = self.game.outcome() {
            super::print(&format!("The game is over: {outcome}. You may undo or quit.\n"))?;
        }
        self.prompt()
    }

    fn say(&self, text: &str) -> Result<()> {
        super::print(text)?;
        self.prompt()
    }

    fn prompt(&self) -> Result<()> {
        super::print(&format!("{} > ", self.side))
    }
}
