//! Commands about time: the clocks of the game, and the CPU time used.

use tesuji_core::{Side, TimeControl, TimeLeft, shortened};

use crate::arguments::{Arguments, syntax_error};
use crate::exchange::{Exchange, Failure, Refusal, Reply};
use crate::table::Command;

pub(crate) const COMMANDS: &[Command] = &[
    Command::new("time_settings", |exchange, arguments| {
        exchange.session.set_time(time_settings(arguments)?);
        Reply::empty()
    }),
    Command::new("kgs-time_settings", |exchange, arguments| {
        exchange.session.set_time(kgs_time_settings(arguments)?);
        Reply::empty()
    }),
    Command::new("time_left", |exchange, arguments| {
        let (side, left) = time_left(arguments)?;
        exchange.session.set_time_left(side, left);
        Reply::empty()
    }),
    Command::new("cputime", cpu_time),
];

/// Main time, period, stones in a period. No stones in a period that is not empty means no
/// limit, by the specification; three zeros mean no limit too, as in GNU Go.
fn time_settings(arguments: &mut Arguments<'_>) -> Result<TimeControl, Failure> {
    let main = arguments.seconds("the main time")?;
    let period = arguments.seconds("the overtime")?;
    let stones = arguments.whole_number("the number of stones")?;
    Ok(match (main.is_zero(), period.is_zero(), stones) {
        (_, false, 0) | (true, true, 0) => TimeControl::Unlimited,
        (_, true, _) => TimeControl::Absolute { main },
        _ => TimeControl::Canadian { main, period, stones },
    })
}

/// The kind of clock, and its times.
fn kgs_time_settings(arguments: &mut Arguments<'_>) -> Result<TimeControl, Failure> {
    let kind = arguments.word("a kind of clock")?;
    match kind {
        "none" => Ok(TimeControl::Unlimited),
        "absolute" => Ok(TimeControl::Absolute { main: arguments.seconds("the main time")? }),
        "canadian" | "byoyomi" => {
            let main = arguments.seconds("the main time")?;
            let period = arguments.seconds("the period")?;
            let what = if kind == "canadian" { "the number of stones" } else { "the number of periods" };
            let count = arguments.whole_number(what)?;
            if period.is_zero() || count == 0 {
                return Err(syntax_error(format!("the period and {what} are more than 0")));
            }
            Ok(match kind {
                "canadian" => TimeControl::Canadian { main, period, stones: count },
                _ => TimeControl::Byoyomi { main, period, periods: count },
            })
        }
        other => {
            let other = shortened(other);
            Err(syntax_error(format!("a clock is none, absolute, canadian or byoyomi, not '{other}'")))
        }
    }
}

/// A side, and the time and stones or periods that it has left.
fn time_left(arguments: &mut Arguments<'_>) -> Result<(Side, TimeLeft), Failure> {
    let side = arguments.side()?;
    let time = arguments.seconds_left()?;
    let overtime = arguments.whole_number("the number of stones")?;
    Ok((side, TimeLeft { time, overtime }))
}

/// The CPU time used since the engine started, in seconds.
pub(crate) fn cpu_time(exchange: &mut Exchange<'_>, _: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    Reply::text(format!("{:.3}", exchange.started.elapsed().as_secs_f64()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// What a reader of arguments makes of a text.
    fn read<T>(text: &str, reader: fn(&mut Arguments<'_>) -> Result<T, Failure>) -> T {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        reader(&mut Arguments::new(&words)).unwrap_or_else(|failure| panic!("{text}: {failure}"))
    }

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn clocks_of_the_specification() {
        let canadian = |main, period, stones| TimeControl::Canadian {
            main: seconds(main),
            period: seconds(period),
            stones,
        };
        for (text, wanted) in [
            ("600 30 5", canadian(600, 30, 5)),
            ("600 0 0", TimeControl::Absolute { main: seconds(600) }),
            ("0 30 1", canadian(0, 30, 1)),
            ("600 30 0", TimeControl::Unlimited),
            ("0.5 0 3", TimeControl::Absolute { main: Duration::from_millis(500) }),
            ("0 0 0", TimeControl::Unlimited),
        ] {
            assert_eq!(read(text, time_settings), wanted, "{text}");
        }
    }

    #[test]
    fn clocks_of_kgs() {
        let (main, period) = (seconds(300), seconds(30));
        for (text, wanted) in [
            ("none", TimeControl::Unlimited),
            ("absolute 300", TimeControl::Absolute { main }),
            ("byoyomi 300 30 5", TimeControl::Byoyomi { main, period, periods: 5 }),
            ("canadian 300 30 25", TimeControl::Canadian { main, period, stones: 25 }),
        ] {
            assert_eq!(read(text, kgs_time_settings), wanted, "{text}");
        }
    }

    #[test]
    fn the_time_that_is_left() {
        for (text, side, time, overtime) in [
            ("b 123.5 0", Side::Black, Duration::from_millis(123_500), 0),
            ("white 10 5", Side::White, seconds(10), 5),
            ("w -3 0", Side::White, Duration::ZERO, 0),
        ] {
            assert_eq!(read(text, time_left), (side, TimeLeft { time, overtime }), "{text}");
        }
    }
}
