//! A game in the terminal: what is typed, what is shown.

use std::fmt;
use std::io::BufRead;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use tesuji::core::{Outcome, Side, nearest_names, shortened};
use tesuji::search::{Limits, RootMoves};
use tesuji_report::Screen;
use tesuji_report::sgf::Ending;
use tesuji_session::{Choice, Ply, Purpose, Reason, SeatChoice, Session, SessionError, Study, Thinking};

use super::hint;
use super::saving::{PlayedGame, Saving, has_sgf};
use super::seats::TerminalSeat;
use crate::cli::print;

const HELP: &str = "\
Type a move, or one of:
  moves       list the legal moves; in phantom games, all that may be legal
  hint        ask the other player what it would play in your place
  undo        take back your last move and the answer to it
  resign      give the game up
  save FILE   save the game to FILE.sgf (Go and Hex) or FILE.jsonl (all games)
  position    print the position as text, for --position
  help        print this
  quit        leave
";

/// The words of [`HELP`].
const COMMANDS: [&str; 8] = ["moves", "hint", "undo", "resign", "save", "position", "help", "quit"];

/// The first word of a line that is no move, and the command that was meant by it; `None` if none
/// is near. A word with a digit is a move that is not legal.
fn near_command(line: &str) -> Option<(&str, &'static str)> {
    let word = line.split_whitespace().next()?;
    let is_move = word.contains(|letter: char| letter.is_ascii_digit());
    nearest_names(word, COMMANDS).first().filter(|_| !is_move).map(|name| (word, *name))
}

/// A game going on.
pub(super) struct Table {
    pub(super) session: Session,
    /// By [`Side::index`].
    pub(super) seats: [TerminalSeat; 2],
    /// How a side lost, if it was not by the rules of the game.
    pub(super) lost: Option<Loss>,
    pub(super) saving: Saving,
    /// Whether lines of input are printed again: a terminal shows them by itself,
    /// and what comes from a pipe would be missing from the transcript.
    pub(super) echoes: bool,
    pub(super) screen: Screen,
}

/// A loss before the rules end the game.
pub(super) enum Loss {
    /// This side gave up.
    Resigned(Side),
    /// The external engine of this side played this illegal move.
    Illegal(Side, String),
}

impl Loss {
    fn side(&self) -> Side {
        match self {
            Loss::Resigned(side) | Loss::Illegal(side, _) => *side,
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Loss::Resigned(side) => write!(f, "{side} has resigned"),
            Loss::Illegal(side, mv) => write!(f, "{side} has played {mv}, which is illegal"),
        }
    }
}

/// What a line of input leads to.
enum Next {
    Go,
    Quit,
}

impl Table {
    pub(super) fn play(mut self, input: impl BufRead) -> Result<()> {
        self.answer()?;
        self.show()?;
        if !self.has_human() {
            return Ok(());
        }
        for line in input.split(b'\n') {
            // Bytes that are no text are no move either, and no reason to stop.
            let line = String::from_utf8_lossy(&line?).into_owned();
            if self.echoes {
                print(&format!("{}\n", line.trim()))?;
            }
            if let Next::Quit = self.obey(line.trim())? {
                return self.leave();
            }
        }
        print("\nGood-bye: the input has ended.\n")?;
        self.leave()
    }

    fn obey(&mut self, line: &str) -> Result<Next> {
        let is_over = self.outcome().is_some();
        match line.to_ascii_lowercase().as_str() {
            "" => self.prompt()?,
            "quit" | "exit" | "q" => return Ok(Next::Quit),
            "help" | "h" | "?" => self.say(HELP)?,
            "moves" if is_over => self.say("The game is over: there are no moves.\n")?,
            "moves" => self.tell(&self.session.position().legal_texts().join(" "))?,
            "hint" => self.hint()?,
            "resign" if is_over => self.say("The game is over: there is nothing to resign.\n")?,
            "resign" => {
                self.lost = Some(Loss::Resigned(self.to_move()));
                self.show()?;
            }
            "save" => self.say("Write save FILE.sgf or save FILE.jsonl.\n")?,
            _ if line.get(..5).is_some_and(|word| word.eq_ignore_ascii_case("save ")) => {
                self.save(Path::new(line[5..].trim()))?;
            }
            "position" => {
                let text = self.session.position().position_text();
                let text = text.as_deref().unwrap_or("This game has no text for positions.");
                self.say(&format!("{text}\n"))?;
            }
            "undo" => self.undo()?,
            _ => self.move_of_person(line)?,
        }
        Ok(Next::Go)
    }

    fn move_of_person(&mut self, line: &str) -> Result<()> {
        if let Some(how) = &self.lost {
            return self.tell(&format!("The game is over: {how}. {}", self.may_do()));
        }
        let side = self.to_move();
        match self.session.play(side, line) {
            Ok(()) => {
                self.after_move()?;
                self.answer()?;
                self.show()
            }
            Err(SessionError::Refused(mv)) => {
                let seen = self.session.live().drawing_seen_by(side).unwrap_or_default();
                let seen = format!("What {side} knows:\n{}", self.screen.board(&seen));
                self.say(&format!("Referee: {mv} is illegal. Try another move.\n{seen}"))
            }
            Err(SessionError::Over(outcome)) => {
                self.tell(&format!("The game is over: {outcome}. {}", self.may_do()))
            }
            Err(error) => match near_command(line) {
                Some((word, name)) if word.eq_ignore_ascii_case(name) => {
                    self.tell(&format!("Write {name} alone: nothing comes after it."))
                }
                Some((word, name)) => {
                    let word = shortened(word);
                    self.tell(&format!("'{word}' is neither a move nor a command: did you mean {name}?"))
                }
                None => self.tell(&error.to_string()),
            },
        }
    }

    fn undo(&mut self) -> Result<()> {
        if self.is_hidden() && self.outcome().is_some() {
            return self.say("You have seen the real board, so this game cannot go on.\n");
        }
        if self.lost.take().is_some_and(|loss| self.seats[loss.side().index()].is_human()) {
            return self.show();
        }
        // Back to where a person moved last.
        let is_persons = |ply: &Ply| self.seats[ply.side.index()].is_human();
        let Some(moves) = self.session.plies().rev().position(is_persons) else {
            return self.say("There is no move of yours to take back.\n");
        };
        self.session.undo(moves as u32 + 1)?;
        let seed = self.session.game_seed();
        for (side, seat) in Side::BOTH.into_iter().zip(&mut self.seats) {
            seat.go_back(self.session.live(), side, seed)?;
        }
        self.show()
    }

    /// What the other player would do. Another of its kind is asked, so that the
    /// one that plays knows and saves what it would have without the question.
    fn hint(&mut self) -> Result<()> {
        if self.outcome().is_some() {
            return self.say("The game is over: there is no hint.\n");
        }
        let board = self.session.position();
        let other = &self.seats[board.to_move().other().index()];
        let Some(spec) = other.player() else {
            return self.say(match other.is_human() {
                true => "There is no player to ask: both sides are human.\n",
                false => "There is no player to ask: an external engine gives no hints.\n",
            });
        };
        let settings = self.session.settings();
        let ply = self.session.ply() as u64;
        let budget = spec.budget_at(ply).expect("everybody who sits down has a budget");
        let seed = self.session.live().seed(self.session.game_seed().child("hint"));
        let limits = Limits::of(budget).on(settings.threads);
        let report = spec.config().player().search(&*board.sight(), &limits, seed, None);
        let report = board.in_words(report);
        self.tell(&hint::sentence(&report))
    }

    /// Saves the game to a file that the person names.
    fn save(&self, path: &Path) -> Result<()> {
        if self.is_hidden() && self.outcome().is_none() {
            return self.say("A phantom game can be saved when it is over: the file shows all moves.\n");
        }
        match self.saving.save(path, self.played()) {
            Ok(sentence) => self.say(&sentence),
            Err(error) => self.tell(&error.to_string()),
        }
    }

    /// Saves a game that is left before its end, if the command line says so: one that is over
    /// was saved then.
    fn leave(&self) -> Result<()> {
        match self.outcome() {
            Some(_) => Ok(()),
            None => self.save_at_end(),
        }
    }

    fn save_at_end(&self) -> Result<()> {
        let saved = self.saving.save_at_end(self.played())?;
        saved.map_or(Ok(()), |sentence| print(&sentence))
    }

    /// The game as it stands, for a file.
    fn played(&self) -> PlayedGame {
        let mut moves = self.session.live().words();
        let ending = match (&self.lost, self.session.outcome()) {
            (Some(Loss::Resigned(side)), _) => Ending::Resignation(!*side),
            (Some(Loss::Illegal(side, mv)), _) => {
                moves.push(mv.clone());
                Ending::Forfeit(!*side)
            }
            (None, Some(outcome)) => outcome.into(),
            (None, None) => Ending::Unknown,
        };
        let players = [self.seats[0].name(), self.seats[1].name()];
        PlayedGame { spec: self.session.game().clone(), players, moves, ending }
    }

    /// What a person may do after the game.
    fn may_do(&self) -> String {
        let undo = if self.is_hidden() { "" } else { "undo, " };
        let file = match has_sgf(self.session.game()) {
            true => "save FILE.sgf or FILE.jsonl",
            false => "save FILE.jsonl",
        };
        format!("You may {undo}{file}, or quit.")
    }

    fn is_hidden(&self) -> bool {
        self.session.game().info().is_hidden
    }

    fn has_human(&self) -> bool {
        self.seats.iter().any(TerminalSeat::is_human)
    }

    fn to_move(&self) -> Side {
        self.session.position().to_move()
    }

    /// How the game ended, by its rules or because a side gave up.
    fn outcome(&self) -> Option<Outcome> {
        self.lost.as_ref().map(|loss| Outcome::Win(!loss.side())).or(self.session.outcome())
    }

    /// The other side hears of the last move; the referee of a phantom game says it to both.
    fn after_move(&mut self) -> Result<()> {
        let Some(Ply { side, mv, news, .. }) = self.session.plies().next_back().cloned() else {
            return Ok(());
        };
        self.seats[(!side).index()].hear(side, &mv)?;
        if self.is_hidden() {
            let did = news.unwrap_or_else(|| "has moved".to_owned());
            print(&format!("Referee: {side} {did}.\n"))?;
        }
        Ok(())
    }

    /// The players' moves, until it is a person's turn or the game is over.
    fn answer(&mut self) -> Result<()> {
        while self.outcome().is_none() && !self.seats[self.to_move().index()].is_human() {
            if !self.has_human() {
                print(&self.screen.board(&self.session.live().drawing()))?;
            }
            let side = self.to_move();
            match self.seats[side.index()].engine_choice(self.session.live())? {
                Some(choice) => self.move_of_engine(side, choice)?,
                None => self.move_of_player(side)?,
            }
        }
        Ok(())
    }

    fn move_of_engine(&mut self, side: Side, choice: SeatChoice) -> Result<()> {
        match choice {
            SeatChoice::Move { mv, .. } => {
                let text = self.session.position().move_text(mv);
                self.session.play(side, &text)?;
                print(&format!("{side} plays {text}\n"))?;
                self.after_move()
            }
            SeatChoice::Illegal(text) => {
                print(&format!("{side} plays {text}, which is not legal: that loses the game\n"))?;
                self.lost = Some(Loss::Illegal(side, text));
                Ok(())
            }
            SeatChoice::Resign | SeatChoice::Late => self.resign(side),
        }
    }

    fn move_of_player(&mut self, side: Side) -> Result<()> {
        let TerminalSeat::Player { seat, .. } = &mut self.seats[side.index()] else { return Ok(()) };
        let never = AtomicBool::new(false);
        let thinking = Thinking {
            purpose: Purpose::Play,
            every: None,
            moves: RootMoves::All,
            study: Study::Once,
            cancel: &never,
        };
        self.session.swap_seat(seat);
        let choice = self.session.choose(side, &thinking, &mut |_, _| {});
        self.session.swap_seat(seat);
        let Choice::Move(mv) = choice? else { return self.resign(side) };
        let thought = self.session.thought().ok_or(SessionError::NoThought)?;
        // In a phantom game people hear only what the referee says.
        if !self.is_hidden() || !self.has_human() {
            let mut text = String::new();
            for mv in &thought.refused {
                text += &format!("{side} tries {mv}, which the referee refuses\n");
            }
            let arm = thought.report.iter().flat_map(|report| &report.arms).find(|arm| arm.mv == mv);
            let worth = match (thought.reason, arm) {
                (Reason::CountIsWon, _) => ": the count is won".to_owned(),
                (Reason::Settled, _) => ": everything is settled".to_owned(),
                (_, Some(arm)) => match (arm.proof, arm.mean) {
                    (Some(outcome), _) => format!(": {outcome}, proved"),
                    (None, Some(mean)) => format!(", expecting {:.0} %", 100.0 * mean),
                    (None, None) => String::new(),
                },
                (_, None) => String::new(),
            };
            print(&format!("{text}{side} plays {mv}{worth}\n"))?;
        }
        self.after_move()
    }

    fn resign(&mut self, side: Side) -> Result<()> {
        self.lost = Some(Loss::Resigned(side));
        print(&format!("{side} resigns\n"))
    }

    /// The board, or as much of it as the people at the table see.
    fn show(&self) -> Result<()> {
        let human = self.has_human();
        let board = self.session.position();
        let people = Side::BOTH.into_iter().filter(|side| self.seats[side.index()].is_human());
        // Two people at one screen see what the one to move knows.
        let viewer = match people.collect::<Vec<_>>()[..] {
            [one] => one,
            _ => board.to_move(),
        };
        let outcome = self.outcome();
        match self.session.live().drawing_seen_by(viewer) {
            Some(seen) if human && outcome.is_none() => {
                print(&format!("What {viewer} knows:\n{}", self.screen.board(&seen)))?
            }
            Some(_) if human => {
                print(&format!("The real board:\n{}", self.screen.board(&self.session.live().drawing())))?
            }
            _ => print(&self.screen.board(&self.session.live().drawing()))?,
        }
        if let Some(outcome) = outcome {
            let how = match (&self.lost, board.margin()) {
                (Some(how), _) => format!(": {how}"),
                (None, Some(margin)) => format!(" by {}", margin.abs()),
                (None, None) => String::new(),
            };
            let may = if human { format!(" {}", self.may_do()) } else { String::new() };
            print(&self.screen.wrapped(&format!("The game is over: {outcome}{how}.{may}\n")))?;
            self.save_at_end()?;
        }
        if human { self.prompt() } else { Ok(()) }
    }

    /// Prints sentences or words, wrapped to the screen.
    fn tell(&self, sentence: &str) -> Result<()> {
        self.say(&self.screen.wrapped(&format!("{sentence}\n")))
    }

    fn say(&self, text: &str) -> Result<()> {
        print(text)?;
        self.prompt()
    }

    fn prompt(&self) -> Result<()> {
        match self.outcome() {
            Some(_) => print("Over > "),
            None => print(&format!("{} > ", self.to_move())),
        }
    }
}
