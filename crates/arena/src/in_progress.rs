//! A game between two moves. It says who is to move and hears the choice, so whoever plays it can
//! search on this thread, ask an engine, or wait for a device while other games go on. The rules
//! of the arena (resigning, claiming, the largest number of moves) are here and nowhere else.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use tesuji_core::{Outcome, Seed, Side};
use tesuji_session::{LiveGame, SeatChoice, SeatFault, SeatStart};

use crate::matches::Pairing;
use crate::minds::{Decision, Minds};
use crate::paused::{PausedGame, PausedGameError};
use crate::policies::PolicyRecord;
use crate::record::{Circumstances, Game, Reason, Void};
use crate::referee::ScheduledGame;
use crate::seeds::SeedPair;
use crate::worker::PlayedGame;

/// A game between two moves, or at its end.
pub(crate) struct GameInProgress<'a> {
    scheduled: ScheduledGame<'a>,
    /// The side of the cell's player.
    side: Side,
    /// The side that moves first.
    first: Side,
    seed: Seed,
    live: LiveGame,
    n_opening: u32,
    samples: [u64; 2],
    carried: [u64; 2],
    minds: Minds,
    /// What searches said of the moves, if that is recorded.
    policies: PolicyRecord,
    records_policies: bool,
    /// What an engine played that is no legal move.
    illegal: Option<String>,
    ending: Option<(Outcome, Reason)>,
    /// When the game began, in seconds since 1970.
    began: u64,
    /// Since when it is played, and what it took before its last pause.
    since: Instant,
    seconds_before: f64,
    used_before: [f64; 2],
}

/// Who is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Turn {
    /// The side to move.
    pub(crate) side: Side,
    /// Its contestant: 0 for the cell's player, 1 for the opponent.
    pub(crate) who: usize,
}

impl<'a> GameInProgress<'a> {
    /// The game after its opening.
    pub(crate) fn begin(scheduled: ScheduledGame<'a>) -> GameInProgress<'a> {
        let ScheduledGame { experiment, cell, index, .. } = scheduled;
        let rules = &experiment.rules;
        let address = experiment.cell_address(cell);
        let first = cell.game.start().expect("a spec that exists can be started").to_move();
        let side = match rules.pairing {
            Pairing::Seeds => Side::Black,
            // In even games the player has the side that moves first.
            Pairing::Sides if index.is_multiple_of(2) => first,
            Pairing::Sides => !first,
        };
        let (board, opening) = rules.openings.begin(&cell.game, address, index);
        let n_opening = opening.len() as u32;
        let mut game = GameInProgress {
            scheduled,
            side,
            first,
            seed: address.child(index),
            live: LiveGame::after(cell.game.clone(), board, opening),
            n_opening,
            samples: [0; 2],
            carried: [0; 2],
            minds: Minds::default(),
            policies: PolicyRecord::default(),
            records_policies: scheduled.records_policies,
            illegal: None,
            ending: None,
            began: now(),
            since: Instant::now(),
            seconds_before: 0.0,
            used_before: [0.0; 2],
        };
        game.end_by_rules();
        game
    }

    /// The game where it was paused. If policies were recorded before or are to be recorded now, they
    /// are recorded to its end, and the record has all plies: some may have no policy.
    pub(crate) fn resume(
        scheduled: ScheduledGame<'a>,
        paused: &PausedGame,
    ) -> Result<GameInProgress<'a>, PausedGameError> {
        let wrong = |reason: String| PausedGameError::Moves { id: paused.address.id(), reason };
        if paused.address != scheduled.address() {
            return Err(wrong(format!("this is the game {}", scheduled.address().id())));
        }
        let mut game = GameInProgress::begin(scheduled);
        let words: Vec<&str> = paused.moves.split_whitespace().collect();
        let opening = game.live.words();
        if paused.opening != game.n_opening
            || words.len() < opening.len()
            || words[..opening.len()] != opening
        {
            return Err(wrong("it has another opening".to_owned()));
        }
        let after = words[opening.len()..].iter().copied();
        game.live.play_again(after, paused.refusals).map_err(|error| wrong(error.to_string()))?;
        game.samples = paused.samples;
        game.carried = paused.carried;
        game.minds = paused.minds;
        game.records_policies |= !paused.policies.is_empty();
        if game.records_policies {
            let n_plies = game.live.ply() - game.n_opening as usize;
            game.policies = PolicyRecord::resumed(&paused.policies, n_plies);
        }
        game.began = paused.began;
        game.seconds_before = paused.seconds;
        game.used_before = paused.used;
        game.end_by_rules();
        Ok(game)
    }

    /// Everything that is needed to continue the game later. `used` are the seconds of CPU time
    /// of both since the game began or was resumed. The game must not be over.
    pub(crate) fn pause(&self, used: [f64; 2]) -> PausedGame {
        debug_assert!(self.ending.is_none(), "a game that is over is not paused");
        PausedGame {
            address: self.scheduled.address(),
            opening: self.n_opening,
            moves: self.live.words().join(" "),
            plies: self.live.ply() as u32,
            refusals: self.live.n_refusals(),
            samples: self.samples,
            carried: self.carried,
            minds: self.minds,
            policies: self.policies.bytes().to_vec(),
            began: self.began,
            seconds: self.seconds(),
            used: [self.used_before[0] + used[0], self.used_before[1] + used[1]],
        }
    }

    /// The board, its past and the refused attempts.
    pub(crate) fn live(&self) -> &LiveGame {
        &self.live
    }

    /// The random stream of the side to move.
    pub(crate) fn seed(&self) -> Seed {
        self.live.seed(self.seed)
    }

    /// The samples that a contestant saved in its earlier moves.
    pub(crate) fn carried(&self, who: usize) -> u64 {
        self.carried[who]
    }

    /// What a contestant is told at the beginning, or when the game is resumed.
    pub(crate) fn start_of(&self, who: usize) -> SeatStart {
        let ScheduledGame { experiment, cell, index, .. } = self.scheduled;
        let side = if who == 0 { self.side } else { !self.side };
        let own_seed = match experiment.rules.pairing {
            Pairing::Sides => None,
            Pairing::Seeds => Some(experiment.seed(cell, SeedPair::of(index).of_side(side))),
        };
        let clock = experiment.rules.clock;
        SeatStart { side, game_seed: self.seed, own_seed, clock, carried: self.carried[who] }
    }

    /// All moves so far with the sides that played them. In all games of the catalog the sides
    /// take turns in the opening.
    pub(crate) fn moves(&self) -> Vec<(Side, String)> {
        let sides = [self.first, !self.first].into_iter().cycle();
        let opening = self.live.words().into_iter().take(self.n_opening as usize);
        let after = self.live.moves().map(|(side, mv)| (side, mv.to_owned()));
        sides.zip(opening).chain(after).collect()
    }

    /// Who is to move. `None` if the game is over.
    pub(crate) fn turn(&self) -> Option<Turn> {
        let side = self.live.board().to_move();
        self.ending.is_none().then(|| Turn { side, who: usize::from(side != self.side) })
    }

    /// Hears the choice of the contestant to move. Returns the move if one stands. Otherwise the
    /// game is over, or the same contestant knows more and is asked again.
    pub(crate) fn hear(&mut self, turn: Turn, choice: SeatChoice) -> Option<&str> {
        let Turn { side, who } = turn;
        let (mv, others, spent, carried, (expects, shares)) = match choice {
            SeatChoice::Move { mv, others, samples, carried, expects, shares } => {
                (mv, others, samples, carried, (expects, shares))
            }
            SeatChoice::Illegal(text) => {
                self.illegal = Some(text);
                return self.end(Outcome::Win(!side), Reason::IllegalMove);
            }
            SeatChoice::Resign => return self.end(Outcome::Win(!side), Reason::Resigned),
            SeatChoice::Late => return self.end(Outcome::Win(!side), Reason::Time),
        };
        match self.minds.hear(&self.scheduled.experiment.rules, who, expects) {
            Some(Decision::Resigned) => return self.end(Outcome::Win(!side), Reason::Resigned),
            Some(Decision::Claimed) => return self.end(Outcome::Win(side), Reason::Claimed),
            None => {}
        }
        self.samples[who] += spent;
        self.carried[who] = carried;
        // If all are refused, that is something new to think about.
        self.live.attempt_in_order(std::iter::once(mv).chain(others))?;
        if self.records_policies {
            self.policies.push(&shares);
        }
        self.end_by_rules();
        self.live.plies().next_back().map(|ply| ply.mv.as_str())
    }

    fn end(&mut self, outcome: Outcome, reason: Reason) -> Option<&str> {
        self.ending = Some((outcome, reason));
        None
    }

    /// Ends the game if its rules or the largest number of moves say so.
    fn end_by_rules(&mut self) {
        let most = self.scheduled.experiment.rules.most_moves;
        self.ending = match self.live.outcome() {
            Some(outcome) => Some((outcome, Reason::Rules)),
            None if most.is_some_and(|most| self.live.ply() >= most as usize) => {
                Some((Outcome::Draw, Reason::MoveLimit))
            }
            None => None,
        };
    }

    /// The record of a game in which a contestant failed.
    pub(crate) fn void(&self, who: usize, fault: SeatFault) -> Void {
        self.scheduled.void(who, fault, &self.live.words())
    }

    /// Whether the game ended by its rules and has a count, with which the scores of engines can
    /// be compared.
    pub(crate) fn is_counted(&self) -> bool {
        matches!(self.ending, Some((_, Reason::Rules))) && self.live.board().margin().is_some()
    }

    /// The record of a game that is over. `about` has the build, the engines and their scores, and
    /// the seconds that both used since the game began or was resumed.
    ///
    /// # Panics
    /// If the game is not over.
    pub(crate) fn finished(&self, about: Circumstances) -> PlayedGame {
        let (outcome, reason) = self.ending.expect("the game is over");
        let words: Vec<String> = self.live.words().into_iter().chain(self.illegal.clone()).collect();
        let game = Game {
            address: self.scheduled.address(),
            side: self.side,
            outcome,
            reason,
            opening: self.n_opening,
            plies: self.live.ply() as u32 + u32::from(self.illegal.is_some()),
            moves: words.join(" "),
            samples: self.samples,
        };
        let used = [self.used_before[0] + about.used[0], self.used_before[1] + about.used[1]];
        let circumstances = Circumstances { began: self.began, seconds: self.seconds(), used, ..about };
        PlayedGame { game, circumstances, policies: self.policies.bytes().to_vec() }
    }

    fn seconds(&self) -> f64 {
        self.seconds_before + self.since.elapsed().as_secs_f64()
    }
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use tesuji_session::{Seat, timeouts};

    use super::*;
    use crate::definition::Definition;
    use crate::matches::MatchExperiment;
    use crate::policies::read_policies;

    fn experiment(rules: &str, game: &str, player: &str, opponent: &str) -> MatchExperiment {
        let text = format!(
            "title = \"\"\nseed = 1\ngames = 4\nrules = {{ {rules} }}\n[[grid]]\ngame = '{game}'\n\
             player = '{player}'\nopponent = '{opponent}'\n"
        );
        MatchExperiment::parse(Definition::built_in("paused", &text, &[]).unwrap()).unwrap()
    }

    /// A game that is paused at every ply for which `pauses` says so, and whose players are
    /// then new ones.
    fn interrupted(scheduled: ScheduledGame<'_>, pauses: impl Fn(usize) -> bool) -> (Game, usize) {
        let (played, carried) = played(scheduled, scheduled.records_policies, pauses);
        (played.game, carried)
    }

    /// The same, with `recorded_later` in place of the setting from the first pause on.
    fn played(
        mut scheduled: ScheduledGame<'_>,
        recorded_later: bool,
        pauses: impl Fn(usize) -> bool,
    ) -> (PlayedGame, usize) {
        let cell = scheduled.cell;
        let seats = |game: &GameInProgress<'_>| {
            [&cell.player, &cell.opponent]
                .map(|contestant| {
                    Seat::new(contestant, &cell.game, timeouts(None))
                        .unwrap_or_else(|fault| panic!("{fault}"))
                })
                .into_iter()
                .enumerate()
                .map(|(who, mut seat)| {
                    seat.begin(&cell.game, &game.moves(), game.start_of(who)).unwrap();
                    seat
                })
                .collect::<Vec<_>>()
        };
        let mut game = GameInProgress::begin(scheduled);
        let mut seated = seats(&game);
        let (mut steps, mut carried) = (0, 0);
        while let Some(turn) = game.turn() {
            if pauses(steps) {
                let paused = game.pause([0.5, 0.25]);
                assert_eq!(paused.plies as usize, game.live().ply());
                let read = PausedGame::from_json(&paused.to_json()).unwrap();
                assert_eq!(read, paused);
                scheduled.records_policies = recorded_later;
                game = GameInProgress::resume(scheduled, &read).unwrap();
                seated = seats(&game);
            }
            let (board, ply) = (game.live().board(), game.live().ply() as u64);
            let choice = seated[turn.who].choose(board, ply, game.seed(), None, &AtomicBool::new(false));
            game.hear(turn, choice.unwrap());
            carried += usize::from(game.carried(turn.who) > 0);
            steps += 1;
        }
        (game.finished(Circumstances::default()), carried)
    }

    #[test]
    fn a_pause_with_another_setting_leaves_no_gap_in_the_record() {
        let experiment = experiment("random_plies = 2", "hex:4", "uct@30", "rave@30");
        let cell = &experiment.cells[0];
        let scheduled =
            |records_policies| ScheduledGame { experiment: &experiment, cell, index: 0, records_policies };
        let policies = |before, after, pause: usize| {
            let (played, _) = played(scheduled(before), after, |step| step == pause);
            read_policies(&played.policies).unwrap_or_default()
        };
        let whole = policies(true, true, 0);
        assert!(whole.len() > 5 && whole.iter().all(|shares| !shares.is_empty()));
        assert_eq!(policies(false, false, 3), Vec::<Vec<_>>::new());
        assert_eq!(policies(true, true, 3), whole);
        // A game whose first moves are recorded is recorded to its end.
        assert_eq!(policies(true, false, 3), whole);
        let late = policies(false, true, 3);
        assert_eq!(late[..3], vec![Vec::new(); 3]);
        assert_eq!(late[3..], whole[3..]);
    }

    #[test]
    fn a_game_that_was_paused_has_the_same_record() {
        let (saver, no_rules) = ("vct(stop=0.05)+uct@60", "");
        for (rules, game, player, opponent, saves) in [
            (no_rules, "hex:4", "sh+uct@30", "rave@30", false),
            (
                "random_plies = 2, resign_below = 0.3, claim_above = 0.8",
                "breakthrough:4x5",
                saver,
                "uct@40",
                true,
            ),
            ("most_moves = 9", "go:5", "greedy", saver, true),
            (no_rules, "phantom-go:4", "flat(sh)@20", "random", false),
            (no_rules, "dark-hex:3", "random", "flat(uniform)@8", false),
            ("pairing = \"seeds\"", "phantom-go:4", "turned(3,flat(sh)@12)", "flat(sh)@12", false),
        ] {
            let experiment = experiment(rules, game, player, opponent);
            let cell = &experiment.cells[0];
            let mut n_carried = 0;
            for index in 0..experiment.games {
                let scheduled =
                    ScheduledGame { experiment: &experiment, cell, index, records_policies: true };
                let whole = experiment.replay(cell, index).unwrap();
                let (always, carried) = interrupted(scheduled, |_| true);
                assert_eq!(always, whole, "{game}, game {index}");
                n_carried += carried;
                for step in 0..whole.plies as usize {
                    let (once, _) = interrupted(scheduled, |now| now == step);
                    assert_eq!(once, whole, "{game}, game {index}, step {step}");
                }
            }
            assert_eq!(n_carried > 0, saves, "{game}");
        }
    }

    #[test]
    fn a_pause_that_makes_no_sense_is_an_error() {
        let experiment = experiment("", "hex:3", "random", "random");
        let cell = &experiment.cells[0];
        let scheduled = ScheduledGame { experiment: &experiment, cell, index: 0, records_policies: false };
        let paused = GameInProgress::begin(scheduled).pause([0.0; 2]);
        let reason =
            |paused: PausedGame| GameInProgress::resume(scheduled, &paused).err().unwrap().to_string();
        for (moves, expected) in [("a1 a1", "a1"), ("b2 ?c3", "the referee does not refuse c3"), ("z9", "z9")]
        {
            let text = reason(PausedGame { moves: moves.to_owned(), ..paused.clone() });
            assert!(text.contains("cannot be continued") && text.contains(expected), "{text}");
        }
        let mut other = paused.clone();
        other.address.index = 7;
        assert!(reason(other).contains("cannot be continued"));
        assert!(reason(PausedGame { opening: 1, ..paused }).contains("another opening"));
    }
}
