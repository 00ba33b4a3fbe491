//! `tesuji play`: a game in the terminal.

use std::io::{self, BufRead, IsTerminal};

use anyhow::Result;
use tesuji::catalog::{BudgetSpec, GameSpec, PlayerSpec};
use tesuji::core::{Seed, Side, Symmetry};
use tesuji::search::{Attempt, Board, Limits, Player, Report, Tried, TurnedPlayer};
use tesuji_arena::{Contestant, stream};
use tesuji_report::search as tables;

use super::BadInput;
use super::search::BUDGET;

/// Play against a player, or watch two, in the terminal or from a pipe
#[derive(clap::Args)]
#[command(after_help = "\
At the prompt, type a move, or: moves, hint, undo, position, help, quit.
Without --black and --white, you play the side to move, against rave, or flat(sh) where the enemy is
hidden. With one of them, the other side is yours, or theirs where you have that one.
In a phantom game you see your own stones, and hear what the referee says to you.

Examples:
  tesuji play domineering:5
  tesuji play hex:7 --black human --white rave@5000
  tesuji play go:9 --black 'uct@2s' --white human
  tesuji play phantom-go:5 --white 'flat(sh)@2000'
  tesuji play breakthrough --black 'hybrid-shuss(t=256)' --white rave --budget 2000
  printf 'a1-a2\\nquit\\n' | tesuji play domineering:4")]
pub(super) struct Args {
    /// The game, such as breakthrough or hex:11 (`tesuji games` lists them)
    game: String,
    /// Who plays Black: human, or a player such as rave@5000 (`tesuji players` lists them), or portfolio("FILE")
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
pub(super) fn usual_opponent(game: &GameSpec) -> &'static str {
    if game.info().is_hidden { "flat(sh)" } else { "rave" }
}

pub(super) const HUMAN: &str = "human";

const HELP: &str = "\
Type a move, or one of:
  moves       list the legal moves; in phantom games what may be tried, as far as you know
  hint        what the other player would do in your place
  undo        take back your last move, and the answer to it
  position    print the position as text, for --position
  help        this
  quit        leave
";

pub(super) fn run(args: Args) -> Result<()> {
    let spec: GameSpec = args.game.parse()?;
    let game = args.from.begin(&spec)?;
    let opponent = usual_opponent(&spec);
    let named = match (args.black, args.white) {
        (None, None) if game.to_move() == Side::Black => [HUMAN.to_owned(), opponent.to_owned()],
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
        ply: args.from.n_moves(),
        named,
        budget: args.budget.as_deref().map(str::parse).transpose()?,
        seed: args.seed.parse()?,
        threads: super::threads(args.threads),
    };
    setting.sit_down(spec, game)
}

/// Who plays, and how.
pub(super) struct Setting {
    /// The moves that were played before.
    pub(super) ply: u64,
    /// Who plays, by [`Side::index`].
    pub(super) named: [String; 2],
    /// For players without one of their own.
    pub(super) budget: Option<BudgetSpec>,
    pub(super) seed: Seed,
    pub(super) threads: usize,
}

impl Setting {
    /// Plays a game from this position.
    pub(super) fn sit_down(self, spec: GameSpec, game: Box<dyn Board>) -> Result<()> {
        let Setting { ply, named: [black, white], budget, seed, threads } = self;
        let seed = seed.child("play");
        let seat = |side, name: &str| Seat::new(&spec, side, name, budget, seed);
        let seats = [seat(Side::Black, &black)?, seat(Side::White, &white)?];
        super::print(&format!("{spec}: Black is {}, White is {}.\n\n", seats[0].name(), seats[1].name()))?;
        let echoes = !io::stdin().is_terminal();
        let table = Table { spec, game, seats, seed, ply, threads, earlier: Vec::new(), echoes };
        table.play(io::stdin().lock())
    }
}

fn is_human(name: &str) -> bool {
    name.trim().eq_ignore_ascii_case(HUMAN)
}

/// Who sits on one side.
enum Seat {
    Human,
    Player {
        spec: PlayerSpec,
        player: TurnedPlayer,
        /// The seed that it plays by, where that is drawn from a portfolio, and its side.
        drawn: Option<(Seed, Side)>,
    },
}

impl Seat {
    fn new(game: &GameSpec, side: Side, name: &str, budget: Option<BudgetSpec>, seed: Seed) -> Result<Seat> {
        if is_human(name) {
            return Ok(Seat::Human);
        }
        if name.split_once('@').is_some_and(|(name, _)| is_human(name)) {
            return Err(BadInput(format!("'{name}' has a budget: people think as long as they like")).into());
        }
        let contestant: Contestant = name.parse()?;
        let (own, turn, drawn) = match &contestant {
            Contestant::Player(spec) => (spec.clone(), Symmetry::IDENTITY, None),
            Contestant::Turned(_, spec) => (spec.clone(), contestant.symmetry(game)?, None),
            Contestant::Portfolio(portfolio) => {
                contestant.check(game)?;
                let book = portfolio.book()?;
                let start = game.start()?;
                let mut rng = seed.child("book").child(side.index() as u64).rng();
                let (drawn, turn) = book.draw(side, &start.symmetries(), &mut rng);
                (book.player(), turn, Some((drawn, side)))
            }
            Contestant::Engine(_) => {
                return Err(
                    BadInput(format!("{contestant} does not play here: `tesuji match` has engines")).into()
                );
            }
        };
        let spec = match budget {
            // A player's own budget comes first.
            Some(budget) if own.budget().is_none() => own.with_budget(budget),
            _ => own,
        };
        let player = TurnedPlayer::new(game.player(spec.config())?, turn);
        Ok(Seat::Player { spec, player, drawn })
    }

    fn name(&self) -> String {
        match self {
            Seat::Human => HUMAN.to_owned(),
            Seat::Player { spec, drawn: None, .. } => spec.to_string(),
            Seat::Player { spec, drawn: Some(_), .. } => format!("{spec}, its seed from a portfolio"),
        }
    }

    fn is_human(&self) -> bool {
        matches!(self, Seat::Human)
    }

    /// What a player finds; nothing from a person.
    fn search(&mut self, game: &dyn Board, ply: u64, threads: usize, seed: Seed) -> Option<Report<String>> {
        let Seat::Player { spec, player, drawn } = self else { return None };
        let limits = Limits::of(spec.budget().unwrap_or(BUDGET)).on(threads);
        let seed = drawn.map_or(seed, |(own, side)| stream(own, side, ply));
        Some(game.in_words(player.search(&*game.sight(), &limits, seed, None)))
    }
}

/// A game going on.
struct Table {
    spec: GameSpec,
    game: Box<dyn Board>,
    /// By [`Side::index`].
    seats: [Seat; 2],
    seed: Seed,
    ply: u64,
    threads: usize,
    /// The positions in which a person moved, and their plies, to go back to.
    earlier: Vec<(Box<dyn Board>, u64)>,
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
            "moves" => self.say(&format!("{}\n", self.game.legal_texts().join(" ")))?,
            "hint" => self.hint()?,
            "position" => {
                let text = self.game.position_text();
                self.say(&format!(
                    "{}\n",
                    text.as_deref().unwrap_or("This game has no text for positions.")
                ))?;
            }
            "undo" if self.is_hidden() && self.game.outcome().is_some() => {
                self.say("You have seen the real board: this game cannot go on.\n")?
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
                let side = before.to_move();
                match self.game.attempt_text(line) {
                    Ok(Tried { attempt: Attempt::Stands { news }, .. }) => {
                        self.earlier.push((before, self.ply));
                        self.ply += 1;
                        if self.is_hidden() {
                            self.call(side, news)?;
                        }
                        self.answer()?;
                        self.show()?;
                    }
                    Ok(Tried { text: mv, attempt: Attempt::Refused }) => {
                        let seen = self.game.seen_by(self.game.to_move()).unwrap_or_default();
                        self.say(&format!("{seen}Referee: {mv} is illegal. Try another move.\n"))?;
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
        let player = TurnedPlayer::new(self.spec.player(spec.config())?, Symmetry::IDENTITY);
        let mut adviser = Seat::Player { spec: spec.clone(), player, drawn: None };
        let seed = self.seed.child("hint").child(self.ply);
        match adviser.search(&*self.game, self.ply, self.threads, seed) {
            Some(report) => self.say(&tables::arms(&report, 5).text()),
            None => self.prompt(),
        }
    }

    fn is_hidden(&self) -> bool {
        self.spec.info().is_hidden
    }

    /// The referee's words after a move of this side in a phantom game.
    fn call(&self, side: Side, news: Option<String>) -> Result<()> {
        let did = news.unwrap_or_else(|| "has moved".to_owned());
        super::print(&format!("Referee: {side} {did}.\n"))
    }

    /// The players' moves, until it is a person's turn or the game is over.
    fn answer(&mut self) -> Result<()> {
        while self.game.outcome().is_none() {
            let side = self.game.to_move();
            let seed = self.seed.child(self.ply);
            let Some(report) = self.seats[side.index()].search(&*self.game, self.ply, self.threads, seed)
            else {
                break;
            };
            let Some(chosen) = report.chosen else { break };
            let has_human = self.seats.iter().any(Seat::is_human);
            if !has_human {
                super::print(&self.game.drawing())?;
            }
            if self.is_hidden() {
                self.try_in_turn(side, &report, !has_human)?;
                continue;
            }
            let arm = &report.arms[chosen];
            let worth = match (arm.proof, arm.mean) {
                (Some(outcome), _) => format!(": {outcome}, proved"),
                (None, Some(mean)) => format!(", expecting {:.0} %", 100.0 * mean),
                (None, None) => String::new(),
            };
            super::print(&format!("{side} plays {}{worth}\n", arm.mv))?;
            self.game.play(&arm.mv)?;
            self.ply += 1;
        }
        Ok(())
    }

    /// A player's attempts in a phantom game, best first, until one stands. Where all are
    /// refused it is asked again. A person hears what the referee says to both.
    fn try_in_turn(&mut self, side: Side, report: &Report<String>, shows_moves: bool) -> Result<()> {
        for arm in report.ranking() {
            let arm = &report.arms[arm];
            match self.game.attempt_text(&arm.mv)? {
                Tried { text: mv, attempt: Attempt::Refused } if shows_moves => {
                    super::print(&format!("{side} tries {mv}, which the referee refuses\n"))?;
                }
                Tried { attempt: Attempt::Refused, .. } => {}
                Tried { text: mv, attempt: Attempt::Stands { news } } => {
                    self.ply += 1;
                    if shows_moves {
                        let worth = arm
                            .mean
                            .map_or(String::new(), |mean| format!(", expecting {:.0} %", 100.0 * mean));
                        super::print(&format!("{side} plays {mv}{worth}\n"))?;
                    }
                    return self.call(side, news);
                }
            }
        }
        Ok(())
    }

    /// The board, or as much of it as those at the table see.
    fn show(&self) -> Result<()> {
        let human = self.seats.iter().any(Seat::is_human);
        let people = Side::BOTH.into_iter().filter(|side| self.seats[side.index()].is_human());
        // Two people at one screen see what the one to move knows.
        let viewer = match people.collect::<Vec<_>>()[..] {
            [one] => one,
            _ => self.game.to_move(),
        };
        let is_over = self.game.outcome().is_some();
        match self.game.seen_by(viewer) {
            Some(seen) if human && !is_over => super::print(&format!("What {viewer} knows:\n{seen}"))?,
            Some(_) if human => super::print(&format!("The real board:\n{}", self.game.drawing()))?,
            _ => super::print(&self.game.drawing())?,
        }
        if let Some(outcome) = self.game.outcome() {
            let margin = self.game.margin().map_or(String::new(), |margin| format!(" by {}", margin.abs()));
            let may = match human {
                true if self.is_hidden() => " You may quit.",
                true => " You may undo or quit.",
                false => "",
            };
            super::print(&format!("The game is over: {outcome}{margin}.{may}\n"))?;
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
