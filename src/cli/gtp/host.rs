//! What the protocol asks, answered by a session: a translation and nothing more.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cpu_time::ProcessTime;
use tesuji::catalog::{GameSpec, MoveNames, Shape};
use tesuji::core::{Candidate, Round, Side, Standing, TimeControl, TimeLeft};
use tesuji::search::Event;
use tesuji::search::json::RoundJson;
use tesuji_gtp::Answer;
use tesuji_gtp::engine::{Failure, Handicap, Host, Parameter, Position, Purpose, Status, Thinking, Watcher};
use tesuji_session::{self as session, Cells, Choice, Session, SessionError, standing, usual_budget};

use super::parameters;

/// A session that speaks the protocol.
pub(super) struct Desk {
    pub(super) session: Session,
    /// What the arms of the last search were, as the protocol writes them.
    moves: Vec<String>,
    began: ProcessTime,
}

impl Desk {
    pub(super) fn new(session: Session) -> Desk {
        Desk { session, moves: Vec::new(), began: ProcessTime::now() }
    }

    fn names(&self) -> MoveNames {
        self.session.game().info().names
    }

    /// The moves of the last search, as the protocol writes them.
    fn remember_moves(&mut self) {
        let report = self.session.thought().and_then(|thought| thought.report.as_ref());
        let names = self.names();
        self.moves = report.iter().flat_map(|report| &report.arms).map(|arm| shown(&arm.mv, names)).collect();
    }

    fn list(&self, chains: &[Vec<usize>]) -> Vec<Vec<String>> {
        let names = |chain: &Vec<usize>| chain.iter().map(|&cell| self.session.cell_name(cell)).collect();
        chains.iter().map(names).collect()
    }
}

fn failure(error: SessionError) -> Failure {
    Failure::new(error.to_string())
}

/// A move as the protocol has it: a domino by its first cell, which tells it, so that
/// programs that know moves of one cell only can lay it.
fn shown(mv: &str, names: MoveNames) -> String {
    match (names, mv.split_once('-')) {
        (MoveNames::Domino, Some((first, _))) => first.to_owned(),
        _ => mv.to_owned(),
    }
}

/// The game's name as GoGui wants it: a capital, then small letters.
fn game_id(game: &GameSpec) -> String {
    let name = match (game.is_misere(), game.info().misere) {
        (false, _) => game.info().name.to_owned(),
        (true, Some(twin)) => twin.to_owned(),
        (true, None) => format!("misere{}", game.info().name),
    };
    let mut letters = name.chars().filter(char::is_ascii_alphabetic);
    letters
        .next()
        .map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + &letters.collect::<String>())
}

/// Tells a watcher what happens in a search.
struct Telling<'a> {
    watcher: &'a mut dyn Watcher,
    names: MoveNames,
}

impl Telling<'_> {
    fn see(&mut self, event: Event<'_>, moves: &[String]) {
        let shown =
            |moves: &[String]| -> Vec<String> { moves.iter().map(|mv| shown(mv, self.names)).collect() };
        if let Event::Round { index, round } = event {
            self.watcher.round(index, round, &shown(moves));
        } else if let Some(Standing { visits, candidates }) = standing(event, moves) {
            let candidate = |candidate: Candidate| Candidate {
                mv: self::shown(&candidate.mv, self.names),
                line: shown(&candidate.line),
                ..candidate
            };
            let candidates = candidates.into_iter().map(candidate).collect();
            self.watcher.standing(&Standing { visits, candidates });
        }
    }
}

impl Host for Desk {
    fn name(&self) -> String {
        "tesuji".to_owned()
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn description(&self) -> String {
        let settings = self.session.settings();
        let budget = match settings.player.budget() {
            Some(_) => String::new(),
            None => format!(", {} a move where no clock runs", usual_budget()),
        };
        format!(
            "tesuji {}: {}{budget}\ngame {}, seed {}, threads {}",
            self.version(),
            settings.player,
            self.session.game(),
            settings.seed,
            settings.threads,
        )
    }

    fn position(&self) -> Position {
        let (game, position) = (self.session.game(), self.session.position());
        let cells = Cells::of(game, position);
        Position {
            game: game_id(game),
            rows: cells.pieces.chunks(cells.width).rev().map(<[_]>::to_vec).collect(),
            skips_i: game.info().shape == Shape::Goban,
            to_move: position.to_move(),
            moves: position.legal_texts().iter().map(|mv| shown(mv, self.names())).collect(),
            outcome: position.outcome(),
            margin: position.margin(),
            drawing: position.drawing(),
        }
    }

    fn set_board(&mut self, width: usize, height: usize) -> Result<(), Failure> {
        self.session.set_board(width, height).map_err(failure)
    }

    fn clear(&mut self) {
        self.session.clear();
    }

    fn komi(&self) -> Option<f64> {
        self.session.komi()
    }

    fn set_komi(&mut self, komi: f64) -> Result<(), Failure> {
        self.session.set_komi(komi).map_err(failure)
    }

    fn play(&mut self, side: Side, mv: &str) -> Result<(), Failure> {
        self.session.play(side, mv).map_err(failure)
    }

    fn undo(&mut self, moves: u32) -> Result<(), Failure> {
        self.session.undo(moves).map_err(failure)
    }

    fn place_handicap(&mut self, stones: u32, kind: Handicap) -> Result<Vec<String>, Failure> {
        let placed = match kind {
            Handicap::Fixed => self.session.place_handicap(stones),
            Handicap::Free => self.session.place_free_handicap(stones),
        };
        placed.map_err(failure)
    }

    fn set_handicap(&mut self, points: &[String]) -> Result<(), Failure> {
        self.session.set_handicap(points).map_err(failure)
    }

    fn load(&mut self, sgf: &str, before: Option<u32>) -> Result<Side, Failure> {
        self.session.load(sgf, before).map_err(failure)?;
        Ok(self.session.position().to_move())
    }

    fn set_time(&mut self, control: TimeControl) {
        self.session.set_time(control);
    }

    fn set_time_left(&mut self, side: Side, left: TimeLeft) {
        self.session.set_time_left(side, left);
    }

    fn cpu_time(&self) -> Duration {
        self.began.elapsed()
    }

    fn choose(
        &mut self,
        side: Side,
        thinking: Thinking,
        watcher: &mut dyn Watcher,
        interrupt: &AtomicBool,
    ) -> Result<Answer, Failure> {
        let thinking =
            session::Thinking { purpose: thinking.purpose, every: thinking.every, cancel: interrupt };
        let mut telling = Telling { watcher, names: self.names() };
        let choice = self.session.choose(side, &thinking, &mut |event, moves| telling.see(event, moves));
        let choice = choice.map_err(failure)?;
        self.remember_moves();
        Ok(match choice {
            Choice::Resign => Answer::Resign,
            Choice::Move(mv) if mv == "pass" => Answer::Pass,
            Choice::Move(mv) => Answer::Move(shown(&mv, self.names())),
        })
    }

    fn analyze(
        &mut self,
        side: Side,
        every: Duration,
        watcher: &mut dyn Watcher,
        interrupt: &AtomicBool,
    ) -> Result<(), Failure> {
        // Nothing at all would be a report after every sample.
        let every = (!every.is_zero()).then_some(every);
        let thinking = session::Thinking { purpose: Purpose::Regression, every, cancel: interrupt };
        let mut telling = Telling { watcher, names: self.names() };
        let looked = self.session.analyze(side, &thinking, &mut |event, moves| telling.see(event, moves));
        looked.map_err(failure)?;
        self.remember_moves();
        Ok(())
    }

    fn check_turn(&self, side: Side) -> Result<(), Failure> {
        self.session.check_turn(side).map_err(failure)
    }

    fn forget(&mut self) {
        self.session.forget();
    }

    fn wants_to_ponder(&self) -> bool {
        self.session.wants_to_ponder()
    }

    fn ponder(&mut self, interrupt: &AtomicBool) {
        self.session.ponder(interrupt);
    }

    fn final_score(&mut self) -> Result<String, Failure> {
        self.session.final_score().map_err(failure)
    }

    fn final_status(&mut self, status: Status) -> Result<Vec<Vec<String>>, Failure> {
        let all = self.session.status().map_err(failure)?;
        Ok(match status {
            Status::Alive => self.list(&all.alive),
            Status::Dead => self.list(&all.dead),
            // Playouts know none.
            Status::Seki => Vec::new(),
            Status::BlackTerritory => self.list(&all.territory[Side::Black.index()]),
            Status::WhiteTerritory => self.list(&all.territory[Side::White.index()]),
            Status::Dame => self.list(&all.dame),
        })
    }

    fn ownership(&mut self) -> Result<Vec<Vec<f64>>, Failure> {
        let (width, _) = self.session.game().board();
        Ok(self.session.ownership().chunks(width).rev().map(<[_]>::to_vec).collect())
    }

    fn explanation(&self) -> Result<String, Failure> {
        self.session.explanation().map_err(failure)
    }

    fn rounds_json(&self) -> Result<String, Failure> {
        let thought = self.session.thought().and_then(|thought| thought.report.as_ref());
        let report = thought.ok_or_else(|| failure(SessionError::NoThought))?;
        serde_json::to_string(&RoundJson::all(report)).map_err(|error| Failure::new(error.to_string()))
    }

    fn rounds(&self) -> Option<(&[Round], &[String])> {
        let report = self.session.thought()?.report.as_ref()?;
        Some((&report.rounds, &self.moves))
    }

    fn parameters(&self) -> Vec<Parameter> {
        parameters::all(&self.session)
    }

    fn set_parameter(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        parameters::set(&mut self.session, name, value)
    }
}
