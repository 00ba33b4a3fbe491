//! A small game and a player of it, for these tests only.
//!
//! *Rows*: Black begins; each side in turn places a stone on an empty cell or passes; who
//! fills a row of the board alone wins, and a full board is a draw. White may answer the
//! first stone by taking it over (`swap`). The player's search is a script: it ranks the
//! moves as they are listed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tesuji_core::{Outcome, Ranked, Round, Side, TimeControl, TimeLeft};
use tesuji_gtp::Answer;
use tesuji_gtp::engine::{
    Candidate, Failure, Handicap, Host, Parameter, ParameterKind, Position, Purpose, Standing, Status,
    Thinking, Watcher,
};

/// The widest board: it has a column i.
const WIDEST: usize = 9;

/// A board, rows from the highest number down.
type Rows = Vec<Vec<Option<Side>>>;

/// Plays rows.
pub(crate) struct Player {
    rows: Rows,
    to_move: Side,
    /// What was before each move.
    past: Vec<(Rows, Side)>,
    komi: f64,
    clock: String,
    rounds: Option<(Vec<Round>, Vec<String>)>,
    note: String,
    style: String,
    habits: Habits,
    /// How often it has thought on the other's time.
    pub(crate) n_ponders: u64,
}

/// How it thinks.
pub(crate) struct Habits {
    /// Whether it thinks on the other's time.
    pub(crate) ponders: bool,
    /// How long it chooses, unless interrupted.
    pub(crate) patience: Duration,
    /// After how many reports an analysis is at its end; `None`: never.
    pub(crate) n_reports: Option<usize>,
}

impl Default for Habits {
    fn default() -> Habits {
        Habits { ponders: false, patience: Duration::ZERO, n_reports: Some(3) }
    }
}

impl Player {
    /// On a board of three by three.
    pub(crate) fn new() -> Player {
        Player::with(Habits::default())
    }

    /// One with habits of its own.
    pub(crate) fn with(habits: Habits) -> Player {
        Player {
            rows: vec![vec![None; 3]; 3],
            to_move: Side::Black,
            past: Vec::new(),
            komi: 0.5,
            clock: "no clock".to_owned(),
            rounds: None,
            note: String::new(),
            style: "calm".to_owned(),
            habits,
            n_ponders: 0,
        }
    }

    fn name_of(&self, x: usize, y: usize) -> String {
        format!("{}{}", char::from(b'a' + x as u8), self.rows.len() - y)
    }

    fn cells(&self) -> impl Iterator<Item = (usize, usize)> {
        let width = self.rows[0].len();
        (0..self.rows.len()).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    fn is_empty(&self) -> bool {
        self.cells().all(|(x, y)| self.rows[y][x].is_none())
    }

    fn find(&self, name: &str) -> Option<(usize, usize)> {
        self.cells().find(|&(x, y)| self.name_of(x, y) == name)
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = self.rows.iter().find(|row| row[0].is_some() && row.iter().all(|cell| *cell == row[0]));
        let is_full = self.rows.iter().flatten().all(Option::is_some);
        match winner {
            Some(row) => row[0].map(Outcome::Win),
            None => is_full.then_some(Outcome::Draw),
        }
    }

    fn moves(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let empty = self.cells().filter(|&(x, y)| self.rows[y][x].is_none());
        let mut moves: Vec<String> = empty.map(|(x, y)| self.name_of(x, y)).collect();
        moves.push("pass".to_owned());
        if self.may_swap(self.to_move) {
            moves.push("swap".to_owned());
        }
        moves
    }

    fn may_swap(&self, side: Side) -> bool {
        side == Side::White && self.past.len() == 1 && !self.is_empty()
    }

    fn drawing(&self) -> String {
        let sign = |cell: &Option<Side>| match cell {
            None => '.',
            Some(Side::Black) => 'X',
            Some(Side::White) => 'O',
        };
        let row = |row: &Vec<Option<Side>>| row.iter().map(sign).collect::<String>() + "\n";
        let rows: String = self.rows.iter().map(row).collect();
        format!("{rows}\n{} to move\n", self.to_move)
    }

    /// Halves the moves, the first ones being the best.
    fn think(&mut self, watcher: &mut dyn Watcher) -> Vec<String> {
        let moves = self.moves();
        let (mut rounds, mut left, mut samples) = (Vec::new(), moves.len(), 10);
        while left > 1 {
            let ranked = |arm| Ranked { arm, q: 1.0 / (arm + 1) as f64, mean: 0.5, bonus: 0.0 };
            let kept = left.div_ceil(2);
            let round = Round { samples_each: samples, ranking: (0..left).map(ranked).collect(), kept };
            watcher.round(rounds.len(), &round, &moves);
            rounds.push(round);
            (left, samples) = (kept, 2 * samples);
        }
        self.rounds = Some((rounds, moves.clone()));
        moves
    }
}

/// How the moves stand after so many reports. The last two moves have no samples yet.
fn standing(moves: &[String], n_reports: u64) -> Standing {
    let n_seen = moves.len().saturating_sub(2).max(1);
    let candidate = |(order, mv): (usize, &String)| {
        let visits = if order < n_seen { 100 * n_reports / (order as u64 + 1) } else { 0 };
        let reply = moves.get(order + 1).cloned();
        let line: Vec<String> = [mv.clone()].into_iter().chain(reply).collect();
        Candidate {
            mv: mv.clone(),
            visits,
            winrate: 0.6 - 0.01 * order as f64,
            lcb: 0.55 - 0.01 * order as f64,
            prior: 1.0 / moves.len() as f64,
            line_visits: vec![visits; line.len()],
            line,
        }
    };
    let candidates: Vec<Candidate> = moves.iter().enumerate().map(candidate).collect();
    Standing { visits: candidates.iter().map(|candidate| candidate.visits).sum(), candidates }
}

/// Waits for an interrupt, or for so long.
fn await_interrupt(interrupt: &AtomicBool, limit: Duration) -> bool {
    let begun = Instant::now();
    while !interrupt.load(Ordering::SeqCst) {
        if begun.elapsed() >= limit {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    true
}

impl Host for Player {
    fn name(&self) -> String {
        "rows player".to_owned()
    }

    fn version(&self) -> String {
        "1.0".to_owned()
    }

    fn description(&self) -> String {
        format!("a player of rows\n{}, {}, note '{}'", self.clock, self.style, self.note)
    }

    fn position(&self) -> Position {
        Position {
            game: "Rows".to_owned(),
            rows: self.rows.clone(),
            skips_i: false,
            to_move: self.to_move,
            moves: self.moves(),
            outcome: self.outcome(),
            margin: None,
            drawing: self.drawing(),
        }
    }

    fn set_board(&mut self, width: usize, height: usize) -> Result<(), Failure> {
        if !(1..=WIDEST).contains(&width) || !(1..=WIDEST).contains(&height) {
            return Err(Failure::new(format!("a board has 1 to {WIDEST} columns and rows")));
        }
        self.rows = vec![vec![None; width]; height];
        self.clear();
        Ok(())
    }

    fn clear(&mut self) {
        self.rows.iter_mut().flatten().for_each(|cell| *cell = None);
        self.to_move = Side::Black;
        self.past.clear();
        self.rounds = None;
    }

    fn komi(&self) -> Option<f64> {
        Some(self.komi)
    }

    fn set_komi(&mut self, komi: f64) -> Result<(), Failure> {
        if komi.abs() > 100.0 {
            return Err(Failure::new("the komi is at most 100"));
        }
        self.komi = komi;
        Ok(())
    }

    fn play(&mut self, side: Side, mv: &str) -> Result<(), Failure> {
        if self.outcome().is_some() {
            return Err(Failure::new("the game is over"));
        }
        let mut rows = self.rows.clone();
        match (mv, self.find(mv)) {
            ("pass", _) => {}
            ("swap", _) if self.may_swap(side) => {
                rows.iter_mut().flatten().for_each(|cell| *cell = cell.map(|_| Side::White));
            }
            ("swap", _) => return Err(Failure::new("only the first stone can be taken over")),
            (_, Some((x, y))) if rows[y][x].is_none() => rows[y][x] = Some(side),
            (_, Some(_)) => return Err(Failure::new("illegal move: there is a stone")),
            (_, None) => return Err(Failure::new("there is no such cell")),
        }
        let before = std::mem::replace(&mut self.rows, rows);
        self.past.push((before, self.to_move));
        self.to_move = !side;
        Ok(())
    }

    fn undo(&mut self, moves: u32) -> Result<(), Failure> {
        let left = self.past.len().checked_sub(moves as usize);
        let left = left.ok_or_else(|| Failure::new(format!("{} moves have been played", self.past.len())))?;
        if left < self.past.len() {
            (self.rows, self.to_move) = self.past[left].clone();
            self.past.truncate(left);
        }
        Ok(())
    }

    fn place_handicap(&mut self, stones: u32, kind: Handicap) -> Result<Vec<String>, Failure> {
        let least = if kind == Handicap::Fixed { 2 } else { 1 };
        let cells = self.rows[0].len() * self.rows.len();
        if !(least..cells).contains(&(stones as usize)) {
            return Err(Failure::new("invalid number of stones"));
        }
        let names: Vec<String> =
            self.cells().step_by(2).take(stones as usize).map(|(x, y)| self.name_of(x, y)).collect();
        self.set_handicap(&names)?;
        Ok(names)
    }

    fn set_handicap(&mut self, points: &[String]) -> Result<(), Failure> {
        if !self.is_empty() || !self.past.is_empty() {
            return Err(Failure::new("board not empty"));
        }
        let cells: Option<Vec<(usize, usize)>> = points.iter().map(|point| self.find(point)).collect();
        for (x, y) in cells.ok_or_else(|| Failure::new("there is no such cell"))? {
            self.rows[y][x] = Some(Side::Black);
        }
        self.to_move = Side::White;
        Ok(())
    }

    /// Only `;B[a1]` and the like, with the game's own names.
    fn load(&mut self, sgf: &str, before: Option<u32>) -> Result<Side, Failure> {
        let nodes = sgf.trim().strip_prefix("(;").and_then(|text| text.strip_suffix(')'));
        let nodes = nodes.ok_or_else(|| Failure::new("it is no game record"))?;
        let limit = before.map_or(usize::MAX, |before| before.saturating_sub(1) as usize);
        let mut other = Player::new();
        for node in nodes.split(';').filter(|node| !node.is_empty()).take(limit) {
            let (side, mv) = node.split_once('[').ok_or_else(|| Failure::new("a node has no move"))?;
            let side = if side == "B" { Side::Black } else { Side::White };
            other.play(side, mv.trim().trim_end_matches(']'))?;
        }
        (self.rows, self.to_move, self.past) = (other.rows, other.to_move, other.past);
        Ok(self.to_move)
    }

    fn set_time(&mut self, control: TimeControl) {
        self.clock = format!("{control:?}");
    }

    fn set_time_left(&mut self, side: Side, left: TimeLeft) {
        self.clock = format!("{side} has {:?} for {}", left.time, left.overtime);
    }

    fn cpu_time(&self) -> Duration {
        Duration::from_millis(1500)
    }

    fn choose(
        &mut self,
        side: Side,
        thinking: Thinking,
        watcher: &mut dyn Watcher,
        interrupt: &AtomicBool,
    ) -> Result<Answer, Failure> {
        if self.outcome().is_some() {
            return Err(Failure::new("the game is over"));
        }
        let moves = self.think(watcher);
        if thinking.every.is_some() {
            watcher.standing(&standing(&moves, 1));
        }
        let was_interrupted = await_interrupt(interrupt, self.habits.patience);
        if thinking.every.is_some() {
            watcher.standing(&standing(&moves, 2));
        }
        self.note = if was_interrupted { "interrupted".to_owned() } else { self.note.clone() };
        // It gives up where only one cell is left, and passes to clean up.
        let answer = match (thinking.purpose, moves.len()) {
            (Purpose::CleanUp, _) => Answer::Pass,
            (Purpose::Play, ..=2) => Answer::Resign,
            _ => Answer::Move(moves[0].clone()),
        };
        match &answer {
            Answer::Move(mv) if thinking.purpose == Purpose::Play => self.play(side, mv)?,
            Answer::Pass => self.play(side, "pass")?,
            _ => {}
        }
        Ok(answer)
    }

    fn analyze(
        &mut self,
        _: Side,
        every: Duration,
        watcher: &mut dyn Watcher,
        interrupt: &AtomicBool,
    ) -> Result<(), Failure> {
        let moves = self.think(watcher);
        let mut n_reports = 0;
        // It looks before it leaps: the controller may be there already.
        while !interrupt.load(Ordering::SeqCst) && self.habits.n_reports.is_none_or(|most| n_reports < most) {
            n_reports += 1;
            watcher.standing(&standing(&moves, n_reports as u64));
            if self.habits.n_reports.is_none() {
                await_interrupt(interrupt, every);
            }
        }
        Ok(())
    }

    fn check_turn(&self, _: Side) -> Result<(), Failure> {
        match self.moves().is_empty() {
            true => Err(Failure::new("the game is over")),
            false => Ok(()),
        }
    }

    fn forget(&mut self) {}

    fn wants_to_ponder(&self) -> bool {
        self.habits.ponders
    }

    fn ponder(&mut self, interrupt: &AtomicBool) {
        self.n_ponders += 1;
        await_interrupt(interrupt, Duration::from_secs(60));
    }

    fn final_score(&mut self) -> Result<String, Failure> {
        match self.outcome() {
            Some(Outcome::Win(side)) => Ok(format!("{}+1", side.letter().to_ascii_uppercase())),
            Some(Outcome::Draw) => Ok("0".to_owned()),
            None => Err(Failure::new("the game goes on")),
        }
    }

    fn final_status(&mut self, status: Status) -> Result<Vec<Vec<String>>, Failure> {
        let of = |is_wanted: fn(Option<Side>) -> bool| {
            self.cells()
                .filter(|&(x, y)| is_wanted(self.rows[y][x]))
                .map(|(x, y)| self.name_of(x, y))
                .collect::<Vec<_>>()
        };
        Ok(match status {
            Status::Alive => of(|cell| cell.is_some()).into_iter().map(|name| vec![name]).collect(),
            Status::Dame => vec![of(|cell| cell.is_none())],
            Status::Seki => return Err(Failure::new("there is no seki in this game")),
            Status::Dead | Status::WhiteTerritory | Status::BlackTerritory => Vec::new(),
        })
    }

    fn ownership(&mut self) -> Result<Vec<Vec<f64>>, Failure> {
        if self.is_empty() {
            return Err(Failure::new("nothing is anybody's yet"));
        }
        let value =
            |cell: &Option<Side>| cell.map_or(0.0, |side| if side == Side::Black { 1.0 } else { -1.0 });
        Ok(self.rows.iter().map(|row| row.iter().map(value).collect()).collect())
    }

    fn explanation(&self) -> Result<String, Failure> {
        let (rounds, moves) = self.rounds().ok_or_else(|| Failure::new("no move has been chosen"))?;
        Ok(format!("the first of {} moves\nafter {} rounds", moves.len(), rounds.len()))
    }

    fn rounds_json(&self) -> Result<String, Failure> {
        let (rounds, _) = self.rounds().ok_or_else(|| Failure::new("no move has been chosen"))?;
        Ok(format!("{{\"rounds\":{}}}", rounds.len()))
    }

    fn rounds(&self) -> Option<(&[Round], &[String])> {
        self.rounds.as_ref().map(|(rounds, moves)| (&rounds[..], &moves[..]))
    }

    fn parameters(&self) -> Vec<Parameter> {
        let parameter =
            |name, meaning, kind, value: &str| Parameter { name, meaning, kind, value: value.to_owned() };
        let ponder = if self.habits.ponders { "1" } else { "0" };
        vec![
            parameter("ponder", "whether it thinks on the other's time", ParameterKind::Switch, ponder),
            parameter("style", "how it plays", ParameterKind::Choice(&["calm", "wild"]), &self.style),
            parameter("note", "what it should remember", ParameterKind::Text, &self.note),
        ]
    }

    fn set_parameter(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        match name {
            "ponder" => self.habits.ponders = value == "1",
            "style" => self.style = value.to_owned(),
            "note" if value.len() <= 20 => self.note = value.to_owned(),
            _ => return Err(Failure::new("a note has at most 20 letters")),
        }
        Ok(())
    }
}
