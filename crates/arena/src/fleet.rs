//! Playing the games that a store lacks on a device, thousands at once.
//!
//! The caller's thread has all games: each waits for a search of the device, hears its report, and
//! asks for the next search. Moves of players that do not search are chosen here. A game is the one
//! that a thread would play, to the byte: addresses, seeds, budgets and rules are the same code.
//!
//! A run that ends early stores the games that are not over, and the next run continues them before
//! it begins others. So all games that were begun are counted in the end, long ones too.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tesuji_catalog::{BudgetSpec, PlayerSpec};
use tesuji_search::{
    Budget, DeviceError, DeviceSearch, DeviceStatus, Limits, Player, PlayerConfig, Report, SearchConfig,
    SearchDevice, SearchId,
};
use tesuji_session::{Contestant, Outlook, SeatChoice};

use crate::campaign::{Campaign, RunError};
use crate::in_progress::{GameInProgress, Turn};
use crate::matches::{Cell, MatchExperiment};
use crate::progress::{Progress, RunEvent, Summary};
use crate::record::Circumstances;
use crate::referee::ScheduledGame;
use crate::run::{GLANCE, LocalCampaign};
use crate::schedule::GameSlot;
use crate::settings::RunSettings;
use crate::store::Store;
use crate::worker::{Ending, FinishedGame};

/// How often people hear how far the games are.
const STATUS_EVERY: Duration = Duration::from_secs(1);

/// How far the games are that a device plays.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FleetStatus {
    /// The number of games that were begun and are not over.
    pub games: usize,
    /// The number of moves that this run played.
    pub plies: u64,
    /// The state of the device.
    pub device: DeviceStatus,
}

impl MatchExperiment {
    /// Checks that the device can play all cells. The error is a sentence about the first that it
    /// cannot play.
    pub fn check_device(&self, device: &dyn SearchDevice) -> Result<(), DeviceError> {
        self.cells.iter().try_for_each(|cell| self.device_players(cell, device).map(drop))
    }

    /// Plays every game that the settings ask for and the store lacks on a device. `progress` is
    /// called at the beginning, about once a second, and after every game.
    ///
    /// At the deadline, or if another thread sets `interrupt`, or if the device fails for good, the
    /// games that are not over are stored as paused games. The next run continues them.
    pub fn run_on_device(
        &self,
        device: &mut dyn SearchDevice,
        settings: &RunSettings,
        store: &mut Store,
        interrupt: &AtomicBool,
        progress: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Summary, RunError> {
        let players = |cell: &Cell| self.device_players(cell, device);
        let players = self.cells.iter().map(players).collect::<Result<Vec<_>, _>>()?;
        // A test may look at as many games ahead as are played at once.
        let settings = RunSettings { threads: device.capacity().max(1), ..settings.clone() };
        let campaign = Campaign::open(self, store, settings)?;
        progress(&campaign.progress(RunEvent::Begin));
        let mut fleet = Fleet {
            campaign: &campaign,
            device,
            players,
            progress,
            games: BTreeMap::new(),
            n_searches: 0,
            n_reports: 0,
            plies: 0,
            finished: Finished::default(),
            began: Instant::now(),
            told_at: None,
            saved_at: Instant::now(),
        };
        let end = fleet.play(interrupt);
        fleet.land(&end)?;
        match end {
            End::Error(error) => Err(error),
            end => Ok(Summary { is_interrupted: matches!(end, End::Interrupt), ..campaign.summary() }),
        }
    }

    /// The players of a cell for a device.
    fn device_players(
        &self,
        cell: &Cell,
        device: &dyn SearchDevice,
    ) -> Result<[FleetPlayer; 2], DeviceError> {
        if cell.is_timed {
            let sentence = format!("{} has a clock, and a device plays without clocks", cell.game);
            return Err(DeviceError::Unsupported(sentence));
        }
        Ok([FleetPlayer::new(&cell.player, cell, device)?, FleetPlayer::new(&cell.opponent, cell, device)?])
    }
}

/// A contestant of a cell. It plays all games of the cell.
enum FleetPlayer {
    /// It does not search, and remembers nothing: its moves are chosen on this thread.
    Here(Box<dyn Player>),
    /// Its searches are made on the device.
    OnDevice { config: Arc<SearchConfig>, budget: BudgetSpec },
}

impl FleetPlayer {
    fn new(
        contestant: &Contestant,
        cell: &Cell,
        device: &dyn SearchDevice,
    ) -> Result<FleetPlayer, DeviceError> {
        let refusal =
            |reason: &str| DeviceError::Unsupported(reason.to_owned()).about(contestant, &cell.game);
        if matches!(contestant, Contestant::Engine(_)) {
            return Err(refusal("it is an external engine"));
        }
        let player: PlayerSpec =
            contestant.player().map_err(|error| DeviceError::Unsupported(error.to_string()))?;
        let PlayerConfig::Search(config) = player.config() else {
            return Ok(FleetPlayer::Here(player.config().player()));
        };
        let Some(budget) = player.budget() else { return Err(refusal("it has no budget")) };
        let Some(most_samples) = budget.most_samples() else {
            return Err(refusal("its budget is a time, not a number of samples"));
        };
        if config.options.reuse {
            return Err(refusal("it reuses its tree"));
        }
        let board = cell.game.start().expect("a spec that exists can be started");
        let accepted = device.accepts(&*board.sight(), config, most_samples);
        accepted.map_err(|error| error.about(contestant, &cell.game))?;
        Ok(FleetPlayer::OnDevice { config: Arc::new((**config).clone()), budget })
    }
}

/// A game that waits for a search.
struct GameInFlight<'a> {
    slot: GameSlot,
    game: GameInProgress<'a>,
    outlooks: [Outlook; 2],
    turn: Turn,
}

/// Why the games end.
enum End {
    /// There is nothing more to play, or a test is decided.
    Done,
    Deadline,
    Interrupt,
    Error(RunError),
}

/// The games that this run has finished.
#[derive(Default)]
struct Finished {
    games: u64,
    plies: u64,
}

/// All games of a run on a device.
struct Fleet<'a, 'b> {
    campaign: &'a LocalCampaign<'a>,
    device: &'b mut dyn SearchDevice,
    /// The players of each cell.
    players: Vec<[FleetPlayer; 2]>,
    progress: &'b mut dyn FnMut(&Progress<'_>),
    games: BTreeMap<SearchId, GameInFlight<'a>>,
    n_searches: u64,
    n_reports: u64,
    /// The moves that this run played.
    plies: u64,
    finished: Finished,
    began: Instant,
    told_at: Option<Instant>,
    saved_at: Instant,
}

/// How often the moves of games in flight are stored.
const SAVE_EVERY: Duration = Duration::from_secs(60);

impl<'a> Fleet<'a, '_> {
    /// Plays until there is nothing more to play, or something ends the run.
    fn play(&mut self, interrupt: &AtomicBool) -> End {
        // The number of reports at the last failure: a device that fails twice without a report
        // between is given up.
        let mut failed_at = None;
        loop {
            let end =
                self.fill(interrupt).and_then(|()| self.save()).and_then(|()| match self.end(interrupt) {
                    Some(end) => Ok(Some(end)),
                    None => self.wait().map(|()| None),
                });
            match end {
                Ok(Some(end)) => return end,
                Ok(None) => {}
                Err(RunError::Device(error @ DeviceError::Failed(_)))
                    if failed_at != Some(self.n_reports) =>
                {
                    failed_at = Some(self.n_reports);
                    self.tell(RunEvent::DeviceFailure(&error));
                    if let Err(error) = self.ask_again() {
                        return End::Error(error);
                    }
                }
                Err(error) => return End::Error(error),
            }
            self.tell_status();
        }
    }

    /// Why the games end now, after games were begun; `None` if they go on.
    fn end(&self, interrupt: &AtomicBool) -> Option<End> {
        if self.campaign.is_decided() {
            return Some(End::Done);
        }
        if interrupt.load(Ordering::Relaxed) {
            return Some(End::Interrupt);
        }
        if self.is_late() {
            return Some(End::Deadline);
        }
        self.games.is_empty().then_some(End::Done)
    }

    fn is_late(&self) -> bool {
        self.campaign.settings().deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Begins games while the device has room for their searches.
    fn fill(&mut self, interrupt: &AtomicBool) -> Result<(), RunError> {
        let mut begun = Vec::new();
        while self.games.len() < self.device.capacity().max(1) {
            if self.is_late() || interrupt.load(Ordering::Relaxed) {
                break;
            }
            let Some(slot) = self.campaign.next() else { break };
            let experiment = self.campaign.experiment();
            let cell = &experiment.cells[slot.cell];
            let records_policies = self.campaign.settings().records_policies;
            let scheduled = ScheduledGame { experiment, cell, index: slot.index, records_policies };
            let game = scheduled.begin(self.campaign.paused(slot));
            let outlook = |who: usize| {
                let contestant = [&cell.player, &cell.opponent][who];
                contestant.outlook(&cell.game, game.start_of(who)).expect("checked before the run")
            };
            let outlooks = [outlook(0), outlook(1)];
            begun.extend(game.turn().map(|_| game.pause([0.0; 2])));
            self.advance(slot, game, outlooks)?;
        }
        self.campaign.note_in_flight(&begun)
    }

    /// Stores the moves of all games now and then, so that a kill loses only the last ones.
    fn save(&mut self) -> Result<(), RunError> {
        if self.saved_at.elapsed() < SAVE_EVERY {
            return Ok(());
        }
        self.saved_at = Instant::now();
        let games: Vec<_> = self.games.values().map(|waiting| waiting.game.pause([0.0; 2])).collect();
        self.campaign.note_in_flight(&games)
    }

    /// Hears the next reports. It does not wait long, since somebody may interrupt the run.
    fn wait(&mut self) -> Result<(), RunError> {
        let glance = Instant::now() + GLANCE;
        let until = self.campaign.settings().deadline.map_or(glance, |deadline| deadline.min(glance));
        for (id, report) in self.device.wait(Some(until))? {
            // Searches that were let go may still be reported.
            let Some(waiting) = self.games.remove(&id) else { continue };
            self.n_reports += 1;
            let GameInFlight { slot, mut game, outlooks, turn } = waiting;
            self.hear(&mut game, &outlooks, turn, report);
            self.advance(slot, game, outlooks)?;
        }
        Ok(())
    }

    fn hear(&mut self, game: &mut GameInProgress<'a>, outlooks: &[Outlook; 2], turn: Turn, report: Report) {
        let board = game.live().board();
        let report = outlooks[turn.who].report_on(board, report);
        let choice = SeatChoice::of_report(board, &report);
        self.plies += u64::from(game.hear(turn, choice).is_some());
    }

    /// Plays a game until it needs a search, or to its end.
    fn advance(
        &mut self,
        slot: GameSlot,
        mut game: GameInProgress<'a>,
        outlooks: [Outlook; 2],
    ) -> Result<(), RunError> {
        while let Some(turn) = game.turn() {
            let board = game.live().board();
            let outlook = &outlooks[turn.who];
            let seed = outlook.seed(turn.side, game.live().ply() as u64, game.seed());
            let sight = outlook.sight(board);
            match &mut self.players[slot.cell][turn.who] {
                FleetPlayer::Here(player) => {
                    let report = player.search(&*sight, &Limits::samples(1), seed, None);
                    self.hear(&mut game, &outlooks, turn, report);
                }
                FleetPlayer::OnDevice { config, budget } => {
                    let (config, carried) = (Arc::clone(config), game.carried(turn.who));
                    let Budget::Samples(samples) = budget.at_ply(game.live().ply() as u64) else {
                        unreachable!("a budget with a time was refused")
                    };
                    let search = DeviceSearch { sight, config, samples, carried, seed };
                    let id = SearchId(self.n_searches);
                    self.n_searches += 1;
                    self.games.insert(id, GameInFlight { slot, game, outlooks, turn });
                    return Ok(self.device.begin(id, search)?);
                }
            }
        }
        self.finish(slot, &game)
    }

    /// Stores a game that is over.
    fn finish(&mut self, slot: GameSlot, game: &GameInProgress<'a>) -> Result<(), RunError> {
        let build = self.campaign.settings().build.clone();
        let played = game.finished(Circumstances { build, ..Circumstances::default() });
        self.finished.games += 1;
        self.finished.plies += u64::from(played.game.plies);
        let GameSlot { cell, index } = slot;
        let finished = FinishedGame { cell, index, ending: Ending::Played(Box::new(played)) };
        self.campaign.take(&finished)?;
        if let Some(event) = self.campaign.event(&finished) {
            self.tell(event);
        }
        Ok(())
    }

    /// Asks for all searches again: the device has failed, and has lost them.
    fn ask_again(&mut self) -> Result<(), RunError> {
        let ids: Vec<SearchId> = self.games.keys().copied().collect();
        for id in ids {
            // Those after one that fails stay where they are, and are paused.
            let Some(GameInFlight { slot, game, outlooks, .. }) = self.games.remove(&id) else { continue };
            self.advance(slot, game, outlooks)?;
        }
        Ok(())
    }

    /// Lets the searches go and stores the games that are not over.
    fn land(&mut self, end: &End) -> Result<(), RunError> {
        let games = std::mem::take(&mut self.games);
        let paused: Vec<_> = games.into_values().map(|waiting| waiting.game.pause([0.0; 2])).collect();
        self.device.forget_all();
        match end {
            // The test that ended the run does not need them.
            End::Done => Ok(()),
            End::Error(RunError::Store(_)) => Ok(()),
            _ => self.campaign.keep_paused(&paused),
        }
    }

    fn tell_status(&mut self) {
        if self.told_at.is_some_and(|told| told.elapsed() < STATUS_EVERY) {
            return;
        }
        self.told_at = Some(Instant::now());
        let status = FleetStatus { games: self.games.len(), plies: self.plies, device: self.device.status() };
        self.tell(RunEvent::Fleet(&status));
    }

    fn tell(&mut self, event: RunEvent<'_>) {
        let told = self.campaign.progress(event);
        let left = self.time_left(told.total().missing());
        (self.progress)(&Progress { left, ..told });
    }

    /// The time that is left, by the moves that games have and the moves a second. Games that are
    /// half over count half.
    fn time_left(&self, missing: u64) -> Option<Duration> {
        let Finished { games, plies } = self.finished;
        if games == 0 || self.plies == 0 {
            return None;
        }
        let usual = plies as f64 / games as f64;
        let begun = self.plies.saturating_sub(plies) as f64;
        let plies_left = (missing as f64 * usual - begun).max(0.0);
        Duration::try_from_secs_f64(plies_left * self.began.elapsed().as_secs_f64() / self.plies as f64).ok()
    }
}
