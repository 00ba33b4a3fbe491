//! The clock of an external engine.
//!
//! The protocol has whole seconds, and overtime as a number of moves in a period. KGS added
//! `kgs-time_settings`, which has byo-yomi. An engine without it gets one period for each
//! move, which leaves periods unused but is never late.

use std::time::Duration;

use tesuji_core::{Side, TimeControl, TimeLeft};

use super::{Controller, unless_refused};
use crate::EngineError;

impl Controller {
    /// Sends the time control of a game. An engine that does not know the command, or
    /// refuses it, plays without a clock.
    pub fn set_time(&mut self, control: TimeControl) -> Result<(), EngineError> {
        self.counts_moves = false;
        let line = match control {
            TimeControl::Unlimited => return self.set_no_time(),
            TimeControl::Absolute { main } => format!("time_settings {} 0 0", whole(main)),
            TimeControl::Canadian { main, period, stones } => {
                format!("time_settings {} {} {stones}", whole(main), whole(period))
            }
            TimeControl::Byoyomi { main, period, periods } => {
                let (main, period) = (whole(main), whole(period));
                if self.knows("kgs-time_settings")? {
                    format!("kgs-time_settings byoyomi {main} {period} {periods}")
                } else {
                    self.counts_moves = true;
                    format!("time_settings {main} {period} 1")
                }
            }
        };
        self.inform(&line)
    }

    /// Sends the time that a side has left, if the engine knows the command.
    pub fn set_time_left(&mut self, side: Side, left: TimeLeft) -> Result<(), EngineError> {
        let overtime = if self.counts_moves { left.overtime.min(1) } else { left.overtime };
        self.inform(&format!("time_left {} {} {overtime}", side.letter(), left.time.as_secs()))
    }

    /// Sends that there is no limit, which the protocol writes as a period without moves.
    fn set_no_time(&mut self) -> Result<(), EngineError> {
        self.inform("time_settings 0 1 0")
    }

    /// Sends a line if the engine knows its command. A refusal is ignored.
    fn inform(&mut self, line: &str) -> Result<(), EngineError> {
        let command = line.split(' ').next().unwrap_or_default();
        if self.knows(command)? {
            unless_refused(self.send(line))?;
        }
        Ok(())
    }
}

/// Whole seconds, rounded down; but at least 1 if there is some time, since many engines
/// take 0 for no limit.
fn whole(time: Duration) -> u64 {
    if time.is_zero() { 0 } else { time.as_secs().max(1) }
}
