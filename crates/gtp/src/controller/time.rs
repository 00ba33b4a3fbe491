//! Telling an engine of its clock.
//!
//! The protocol knows whole seconds, and overtime as so many moves in a period. KGS added
//! `kgs-time_settings`, which knows byo-yomi; to an engine without it, that is a period for
//! each single move, which leaves periods unused but is never late.

use std::time::Duration;

use tesuji_core::{Side, TimeControl, TimeLeft};

use super::{Controller, unless_refused};
use crate::EngineError;

impl Controller {
    /// Tells the engine how much time a game has. One that does not know the command, or
    /// refuses it, plays without knowing.
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
        self.told(&line)
    }

    /// Tells the engine what is left to a side, where it knows the command.
    pub fn set_time_left(&mut self, side: Side, left: TimeLeft) -> Result<(), EngineError> {
        let overtime = if self.counts_moves { left.overtime.min(1) } else { left.overtime };
        self.told(&format!("time_left {} {} {overtime}", side.letter(), left.time.as_secs()))
    }

    /// In the protocol, a period in which no move is due is no limit at all.
    fn set_no_time(&mut self) -> Result<(), EngineError> {
        self.told("time_settings 0 1 0")
    }

    /// Says it to an engine that knows the command, whatever it thinks of it.
    fn told(&mut self, line: &str) -> Result<(), EngineError> {
        let command = line.split(' ').next().unwrap_or_default();
        if self.knows(command)? {
            unless_refused(self.send(line))?;
        }
        Ok(())
    }
}

/// Whole seconds, rather too few than too many; but never none where there is some time,
/// since to many engines none is no limit.
fn whole(time: Duration) -> u64 {
    if time.is_zero() { 0 } else { time.as_secs().max(1) }
}
