//! Tables: a game in progress each, found by its address and forgotten when nobody comes back.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tesuji_catalog::{BudgetSpec, GameSpec, PlayerSpec};
use tesuji_core::{Outcome, Seed, Side};
use tesuji_session::{Ply, REFUSED, Session, SessionError, Settings, usual_player};

use super::seats::Seats;
use super::shown::{GameJson, OutcomeJson};
use crate::bounds::Bounds;
use crate::error::Refusal;
use crate::stream::Stop;

/// All tables.
#[derive(Debug)]
pub(crate) struct Tables {
    all: Mutex<Numbered>,
    most: usize,
    idle: Duration,
    /// Addresses are hashes by a key of this process: nobody guesses another's.
    key: RandomState,
}

#[derive(Default, Debug)]
struct Numbered {
    tables: BTreeMap<String, Arc<Table>>,
    begun: u64,
}

/// A game that was touched so lately is not forgotten for another.
const FRESH: Duration = Duration::from_secs(120);

impl Numbered {
    /// Forgets the game that nobody has touched for the longest time; false where all are fresh.
    fn make_room(&mut self) -> bool {
        let stale = |(id, table): (&String, &Arc<Table>)| {
            let inner = table.lock();
            let idle = inner.touched.elapsed();
            (inner.search.is_none() && idle > FRESH).then(|| (idle, id.clone()))
        };
        let oldest = self.tables.iter().filter_map(stale).max();
        oldest.is_some_and(|(_, id)| self.tables.remove(&id).is_some())
    }
}

/// What to begin.
pub(super) struct Begin<'a> {
    pub(super) game: &'a str,
    /// Black's and White's; a person where there is none.
    pub(super) players: [Option<&'a str>; 2],
    /// Moves to begin with.
    pub(super) words: &'a [String],
    pub(super) seed: Seed,
}

impl Tables {
    pub(crate) fn new(most: usize, idle_seconds: u64) -> Tables {
        let idle = Duration::from_secs(idle_seconds);
        Tables { all: Mutex::default(), most, idle, key: RandomState::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Numbered> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a game.
    pub(super) fn begin(&self, begin: &Begin<'_>, bounds: &Bounds) -> Result<Arc<Table>, Refusal> {
        let game: GameSpec = begin.game.parse()?;
        let seats = Seats::read(begin.players, &game, bounds)?;
        let settings = Settings { seed: begin.seed, ..Settings::usual(&game, 1) };
        let mut session = Session::new(game, settings)?;
        if begin.words.len() > bounds.moves {
            return Err(too_long(bounds));
        }
        for word in begin.words {
            let (text, is_refused) =
                word.strip_prefix(REFUSED).map_or((word.as_str(), false), |text| (text, true));
            if attempted(&mut session, text)?.is_some() != is_refused {
                let stands = if is_refused { "stands" } else { "is refused" };
                return Err(Refusal::impossible(format!("these moves do not go together: {text} {stands}")));
            }
        }
        self.sweep();
        let mut all = self.lock();
        if all.tables.len() >= self.most && !all.make_room() {
            return Err(Refusal::too_much(format!(
                "there are {} games already, and no more are allowed: try again when some are over",
                self.most
            )));
        }
        all.begun += 1;
        let id = format!("{:016x}", self.key.hash_one(all.begun));
        let table = Arc::new(Table::new(id.clone(), session, seats));
        all.tables.insert(id, Arc::clone(&table));
        Ok(table)
    }

    /// The table at an address.
    pub(super) fn find(&self, id: &str) -> Result<Arc<Table>, Refusal> {
        let table = self.lock().tables.get(id).cloned();
        let table = table.ok_or_else(|| {
            Refusal::unknown(
                "there is no such game, or it was forgotten since nobody came back: begin another",
            )
        })?;
        table.lock().touched = Instant::now();
        Ok(table)
    }

    /// Forgets a game.
    pub(super) fn forget(&self, id: &str) -> Result<(), Refusal> {
        let table = self.find(id)?;
        table.stop();
        self.lock().tables.remove(id);
        Ok(())
    }

    /// Forgets games that nobody has touched for long.
    pub(crate) fn sweep(&self) {
        self.lock().tables.retain(|_, table| {
            let inner = table.lock();
            inner.search.is_some() || inner.touched.elapsed() < self.idle
        });
    }

    /// Stops all searches: the server ends.
    pub(crate) fn stop_all(&self) {
        self.lock().tables.values().for_each(|table| table.stop());
    }
}

fn too_long(bounds: &Bounds) -> Refusal {
    Refusal::impossible(format!("a game here has {} moves and attempts at most", bounds.moves))
}

/// Whether one more move is allowed.
fn check_length(session: &Session, bounds: &Bounds) -> Result<(), Refusal> {
    let attempts = |ply: &Ply| 1 + ply.refused.len();
    let words = session.plies().map(attempts).sum::<usize>() + session.refused().len();
    if words < bounds.moves { Ok(()) } else { Err(too_long(bounds)) }
}

/// The side to move tries a move; the attempt, where a referee refuses it.
fn attempted(session: &mut Session, text: &str) -> Result<Option<String>, Refusal> {
    if let Some(outcome) = session.outcome() {
        return Err(SessionError::Over(outcome).into());
    }
    match session.play(session.position().to_move(), text) {
        Ok(()) => Ok(None),
        Err(SessionError::Refused(mv)) => Ok(Some(mv)),
        Err(other) => Err(other.into()),
    }
}

/// A game, those who sit at it, and perhaps a search.
#[derive(Debug)]
pub(crate) struct Table {
    id: String,
    game: GameSpec,
    inner: Mutex<Inner>,
}

struct Inner {
    /// Nothing while a search has it.
    session: Option<Session>,
    seats: Seats,
    resigned: Option<Side>,
    shown: GameJson,
    /// Stops the search that has the session.
    search: Option<Stop>,
    /// Stops the one beside it, which goes on while the game does.
    beside: Option<Stop>,
    touched: Instant,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inner").field("shown", &self.shown).finish_non_exhaustive()
    }
}

/// A whole game, to be written down.
pub(super) struct Record {
    pub(super) words: Vec<String>,
    pub(super) names: [String; 2],
    pub(super) resigned: Option<Side>,
    pub(super) ended: Option<(Outcome, Option<f64>)>,
    pub(super) outcome: Option<OutcomeJson>,
}

impl Table {
    fn new(id: String, session: Session, seats: Seats) -> Table {
        let shown = GameJson::of(&id, &session, &seats, None);
        let game = session.game().clone();
        let inner = Inner {
            session: Some(session),
            seats,
            resigned: None,
            shown,
            search: None,
            beside: None,
            touched: Instant::now(),
        };
        Table { id, game, inner: Mutex::new(inner) }
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    pub(super) fn game(&self) -> &GameSpec {
        &self.game
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How it stands.
    pub(super) fn shown(&self) -> GameJson {
        let inner = self.lock();
        let mut shown = inner.shown.clone();
        shown.searching = inner.search.is_some();
        shown
    }

    /// A person's move; the attempt, where a referee refuses it.
    pub(super) fn play(&self, text: &str, bounds: &Bounds) -> Result<Option<String>, Refusal> {
        self.changed(|inner, session| {
            let side = session.position().to_move();
            inner.check_open(session)?;
            if let Some(player) = inner.seats.player(side) {
                return Err(Refusal::not_now(format!("it is {side}'s turn, and {player} plays {side}")));
            }
            if text.trim().eq_ignore_ascii_case("resign") {
                inner.resigned = Some(side);
                return Ok(None);
            }
            check_length(session, bounds)?;
            attempted(session, text)
        })
    }

    /// Takes back so many moves; or a resignation, and no more.
    pub(super) fn undo(&self, moves: u32) -> Result<(), Refusal> {
        self.changed(|inner, session| {
            // Nor when it is over: then everything was seen.
            if self.game.info().is_hidden && inner.seats.has_person() {
                return Err(Refusal::not_now(
                    "what was seen cannot be unseen: a person takes no move back in a phantom game",
                ));
            }
            if moves == 0 {
                return Err(Refusal::impossible("at least one move is taken back"));
            }
            match inner.resigned.take() {
                Some(_) => Ok(()),
                None => Ok(session.undo(moves)?),
            }
        })
    }

    /// Changes who plays.
    pub(super) fn seat(&self, players: [Option<&str>; 2], bounds: &Bounds) -> Result<(), Refusal> {
        let seats = Seats::read(players, &self.game, bounds)?;
        if self.game.info().is_hidden {
            return Err(Refusal::not_now(
                "in a phantom game nobody changes seats: each would show another view",
            ));
        }
        self.changed(|inner, _| {
            inner.seats = seats;
            Ok(())
        })
    }

    /// Does something with the session, unless a search has it, and shows what came of it.
    fn changed<T>(
        &self,
        with: impl FnOnce(&mut Inner, &mut Session) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let mut inner = self.lock();
        let mut session = inner.take()?;
        let result = with(&mut inner, &mut session);
        inner.give_back(&self.id, session);
        result
    }

    /// Stops its searches at once.
    pub(super) fn stop(&self) {
        let inner = self.lock();
        inner.search.iter().chain(&inner.beside).for_each(Stop::set);
    }

    /// The whole game, where it may be seen.
    pub(super) fn record(&self) -> Result<Record, Refusal> {
        let inner = self.lock();
        let session = inner.session.as_ref().ok_or_else(thinks)?;
        let (position, resigned) = (session.position(), inner.resigned);
        let is_over = position.outcome().is_some() || resigned.is_some();
        if self.game.info().is_hidden && !is_over && inner.seats.viewer(position.to_move()).is_some() {
            return Err(Refusal::not_now("both sides of a phantom game are shown when it is over"));
        }
        let words = session.live().words();
        let ended = position.outcome().map(|outcome| (outcome, position.margin()));
        let outcome = match (resigned, ended) {
            (Some(side), _) => Some(OutcomeJson::resigned(side)),
            (None, ended) => ended.map(|(outcome, margin)| OutcomeJson::by_rules(outcome, margin)),
        };
        Ok(Record { words, names: inner.seats.names(), resigned, ended, outcome })
    }

    /// Takes the session for a search. `player` is who was asked for.
    pub(super) fn lend(
        self: &Arc<Table>,
        player: Option<PlayerSpec>,
        stop: &Stop,
        bounds: &Bounds,
    ) -> Result<Lent, Refusal> {
        let mut inner = self.lock();
        let session = inner.take()?;
        if let Err(refusal) = inner.check_open(&session).and_then(|()| check_length(&session, bounds)) {
            inner.give_back(&self.id, session);
            return Err(refusal);
        }
        let side = session.position().to_move();
        let player = player.or_else(|| inner.seats.player(side).cloned());
        let player = player.unwrap_or_else(|| usual_player(&self.game, 1).with_budget(BudgetSpec::DEFAULT));
        let is_hidden =
            self.game.info().is_hidden && inner.seats.viewer(side).is_some_and(|viewer| viewer != side);
        inner.beside.take().iter().for_each(Stop::set);
        inner.search = Some(stop.clone());
        Ok(Lent { table: Arc::clone(self), session: Some(session), player, is_hidden })
    }
}

fn thinks() -> Refusal {
    Refusal::not_now("a program thinks about this game: wait for its move, or stop it")
}

impl Inner {
    fn take(&mut self) -> Result<Session, Refusal> {
        self.session.take().ok_or_else(thinks)
    }

    fn give_back(&mut self, id: &str, session: Session) {
        self.shown = GameJson::of(id, &session, &self.seats, self.resigned);
        self.session = Some(session);
        self.touched = Instant::now();
    }

    /// Whether the game goes on.
    fn check_open(&self, session: &Session) -> Result<(), Refusal> {
        match (session.outcome(), self.resigned) {
            (Some(outcome), _) => Err(SessionError::Over(outcome).into()),
            (None, Some(side)) => Err(SessionError::Over(Outcome::Win(!side)).into()),
            (None, None) => Ok(()),
        }
    }
}

/// A session that a search has. It goes back when this is dropped.
pub(super) struct Lent {
    table: Arc<Table>,
    session: Option<Session>,
    /// Who searches.
    pub(super) player: PlayerSpec,
    /// Whether what it thinks may not be seen.
    pub(super) is_hidden: bool,
}

impl Lent {
    pub(super) fn table(&self) -> &Arc<Table> {
        &self.table
    }

    pub(super) fn session(&mut self) -> &mut Session {
        self.session.as_mut().expect("it has the session until it is dropped")
    }

    /// Gives the session back; a side may have resigned, and another search may go on beside.
    pub(super) fn give_back(mut self, resigned: Option<Side>, beside: Option<Stop>) {
        self.put(resigned, beside);
    }

    fn put(&mut self, resigned: Option<Side>, beside: Option<Stop>) {
        if let Some(session) = self.session.take() {
            let mut inner = self.table.lock();
            inner.resigned = resigned;
            inner.give_back(&self.table.id, session);
            (inner.search, inner.beside) = (None, beside);
        }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.put(None, None);
    }
}
