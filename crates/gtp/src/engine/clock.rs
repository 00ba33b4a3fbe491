//! Time: what a game has, what is left, what has been used.

use tesuji_core::{TimeControl, TimeLeft, shortened};

use super::arguments::{Arguments, syntax_error};
use super::session::{Refusal, Reply, Session};
use super::table::Command;

pub(super) const COMMANDS: &[Command] = &[
    Command::new("time_settings", time_settings),
    Command::new("kgs-time_settings", kgs_time_settings),
    Command::new("time_left", time_left),
    Command::new("cputime", cpu_time),
];

/// Main time, period, stones in a period. No stones in a period that is not empty means no
/// limit, by the specification; three zeros too, as GNU Go has it.
fn time_settings(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let main = arguments.seconds("the main time")?;
    let period = arguments.seconds("the overtime")?;
    let stones = arguments.whole_number("the number of stones")?;
    session.host.set_time(match (main.is_zero(), period.is_zero(), stones) {
        (_, false, 0) | (true, true, 0) => TimeControl::Unlimited,
        (_, true, _) => TimeControl::Absolute { main },
        _ => TimeControl::Canadian { main, period, stones },
    });
    Reply::empty()
}

fn kgs_time_settings(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let kind = arguments.word("a kind of clock")?;
    let control = match kind {
        "none" => TimeControl::Unlimited,
        "absolute" => TimeControl::Absolute { main: arguments.seconds("the main time")? },
        "canadian" | "byoyomi" => {
            let main = arguments.seconds("the main time")?;
            let period = arguments.seconds("the period")?;
            let what = if kind == "canadian" { "the number of stones" } else { "the number of periods" };
            let count = arguments.whole_number(what)?;
            if period.is_zero() || count == 0 {
                return Err(syntax_error(format!("the period and {what} are more than 0")).into());
            }
            if kind == "canadian" {
                TimeControl::Canadian { main, period, stones: count }
            } else {
                TimeControl::Byoyomi { main, period, periods: count }
            }
        }
        other => {
            let other = shortened(other);
            let problem = format!("a clock is none, absolute, canadian or byoyomi, not '{other}'");
            return Err(syntax_error(problem).into());
        }
    };
    session.host.set_time(control);
    Reply::empty()
}

fn time_left(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let side = arguments.side()?;
    let time = arguments.seconds_left()?;
    let overtime = arguments.whole_number("the number of stones")?;
    session.host.set_time_left(side, TimeLeft { time, overtime });
    Reply::empty()
}

/// In seconds.
pub(super) fn cpu_time(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    Reply::text(format!("{:.3}", session.host.cpu_time().as_secs_f64()))
}
