//! Analysis as Leela Zero and KataGo offer it: reports until the next line of input.
//!
//! `lz-analyze` writes the head of its answer at once, then reports, and ends
//! with an empty line at the next line of input. `lz-genmove_analyze` chooses a move
//! meanwhile, and ends with it. All numbers are from the point of view of the side that the
//! command names.

use std::sync::atomic::Ordering;
use std::time::Duration;

use tesuji_core::{Side, shortened};
use tesuji_session::{Purpose, Study, Thinking};

use crate::arguments::{Arguments, side, syntax_error, whole_number};
use crate::exchange::{Exchange, Failure, Refusal, Reply};
use crate::input::Listening;
use crate::report::{Form, Style};
use crate::steering::Restriction;
use crate::table::Command;
use crate::thinking::{Reports, When, written};

/// The default interval between reports, in hundredths of a second.
const INTERVAL: u32 = 100;
/// The interval between progress events if only the last report is written.
const SOMETIMES: Duration = Duration::from_millis(100);
/// The longest interval between reports, in hundredths of a second: a day.
const LONGEST_INTERVAL: u32 = 100 * 24 * 3600;

/// Keys of KataGo that are accepted and have no effect.
const WITHOUT_EFFECT: &[&str] =
    &["movesOwnership", "movesOwnershipStdev", "ownershipStdev", "pvEdgeVisits", "noResultValue"];

pub(crate) const COMMANDS: &[Command] = &[
    Command::new("analyze", |exchange, arguments| analyze(exchange, arguments, Style::LeelaZero)),
    Command::new("lz-analyze", |exchange, arguments| analyze(exchange, arguments, Style::LeelaZero)),
    Command::new("kata-analyze", |exchange, arguments| analyze(exchange, arguments, Style::KataGo)),
    Command::new("genmove_analyze", |exchange, arguments| genmove(exchange, arguments, Style::LeelaZero)),
    Command::new("lz-genmove_analyze", |exchange, arguments| genmove(exchange, arguments, Style::LeelaZero)),
    Command::new("kata-genmove_analyze", |exchange, arguments| genmove(exchange, arguments, Style::KataGo)),
];

/// The arguments of an analysis.
struct Wanted {
    side: Side,
    /// The interval between reports; `None` for one report at the end.
    every: Option<Duration>,
    form: Form,
    restriction: Restriction,
}

/// Reads `[colour] [interval] {key value}`; the values of `avoid` and `allow` are three words.
fn wanted(
    exchange: &mut Exchange<'_>,
    arguments: &mut Arguments<'_>,
    style: Style,
) -> Result<Wanted, Failure> {
    let side = match arguments.peek().and_then(side) {
        Some(side) => {
            arguments.next();
            side
        }
        None => exchange.session.position().to_move(),
    };
    let mut interval = INTERVAL;
    if arguments.peek().is_some_and(|word| whole_number(word).is_some()) {
        interval = arguments.whole_number("the interval")?;
    }
    let mut form = Form::new(style);
    let mut wants_ownership = false;
    let mut restriction = Restriction::default();
    while let Some(key) = arguments.next() {
        match key {
            "interval" => interval = arguments.whole_number("the interval")?,
            "minmoves" => form.at_least = arguments.whole_number("the number of minmoves")? as usize,
            "maxmoves" => form.at_most = arguments.whole_number("the number of maxmoves")? as usize,
            "ownership" if style == Style::KataGo => wants_ownership = arguments.truth(key)?,
            "rootInfo" if style == Style::KataGo => form.root_info = arguments.truth(key)?,
            "pvVisits" if style == Style::KataGo => form.line_visits = arguments.truth(key)?,
            "ownership" | "rootInfo" | "pvVisits" => {
                return Err(syntax_error(format!("'{key}' belongs to KataGo's commands")));
            }
            // Newer boards ask KataGo for these, and work without them.
            _ if style == Style::KataGo && WITHOUT_EFFECT.contains(&key) => drop(arguments.word("a value")?),
            "avoid" | "allow" => {
                let board = exchange.session.position_for(side)?;
                restriction.read(key, arguments, side, &*board, exchange.vertices())?;
            }
            other => {
                let other = shortened(other);
                let keys = match style {
                    Style::LeelaZero => "interval, minmoves, maxmoves, avoid, allow",
                    Style::KataGo => {
                        "interval, minmoves, maxmoves, avoid, allow, ownership, rootInfo, pvVisits"
                    }
                };
                let problem = format!("'{other}' is not one of {keys}");
                return Err(syntax_error(problem));
            }
        }
    }
    if interval > LONGEST_INTERVAL {
        return Err(syntax_error(format!(
            "the interval is at most {LONGEST_INTERVAL} hundredths of a second"
        )));
    }
    if wants_ownership {
        let sign = match side {
            Side::Black => 1.0,
            Side::White => -1.0,
        };
        // Adding 0 turns -0 into 0.
        let value = |value: &f64| value * sign + 0.0;
        form.ownership = Some(exchange.ownership().iter().flatten().map(value).collect());
    }
    let every = (interval > 0).then(|| Duration::from_millis(10 * u64::from(interval)));
    Ok(Wanted { side, every, form, restriction })
}

fn analyze(
    exchange: &mut Exchange<'_>,
    arguments: &mut Arguments<'_>,
    style: Style,
) -> Result<Reply, Refusal> {
    let Wanted { side, every, form, restriction } = wanted(exchange, arguments, style)?;
    let moves = restriction.moves();
    // Once the head is written, it is too late to fail.
    exchange.session.check_moves(side, moves)?;
    let head = head(exchange);
    write!(exchange.output, "{head}")?;
    exchange.output.flush()?;

    let input = exchange.input;
    let when = match every {
        _ if input.is_absent() => When::Once,
        None => When::AtTheEnd,
        Some(interval) => When::Every(interval),
    };
    let (analyzed, written) = input.while_listening(Listening::ForAnything, |interrupt| {
        let (session, mut observer) = exchange.observed(interrupt, Some(Reports::new(form, when, None)));
        let every = every.or(Some(SOMETIMES));
        let thinking =
            Thinking { purpose: Purpose::Regression, every, moves, study: Study::Once, cancel: interrupt };
        let analyzed = session.analyze(side, &thinking, &mut |event, moves| observer.see(event, moves));
        let written = match interrupt.load(Ordering::SeqCst) {
            true => observer.finish_interrupted(),
            false => observer.finish(),
        };
        (analyzed, written)
    });
    written?;
    if let Err(error) = analyzed {
        // The answer is a success already; standard error says why it has no lines.
        let _ = writeln!(exchange.errors, "{error}");
    }
    input.wait();
    Ok(Reply::Streamed)
}

fn genmove(
    exchange: &mut Exchange<'_>,
    arguments: &mut Arguments<'_>,
    style: Style,
) -> Result<Reply, Refusal> {
    let Wanted { side, every, form, restriction } = wanted(exchange, arguments, style)?;
    let moves = restriction.moves();
    let vertices = exchange.vertices();
    let when = every.map_or(When::AtTheEnd, When::Every);
    // The head waits for the first report, since there may be a failure instead.
    let reports = Reports::new(form, when, Some(head(exchange)));
    let input = exchange.input;
    let (choice, head) = input.while_listening(Listening::ForInterrupts, |interrupt| {
        let (session, mut observer) = exchange.observed(interrupt, Some(reports));
        let every = every.or(Some(SOMETIMES));
        let thinking =
            Thinking { purpose: Purpose::Play, every, moves, study: Study::Once, cancel: interrupt };
        let choice = session.choose(side, &thinking, &mut |event, moves| observer.see(event, moves));
        (choice, observer.finish())
    });
    let head = head?;
    match choice {
        Ok(choice) => {
            let head = head.unwrap_or_default();
            writeln!(exchange.output, "{head}play {}", written(&choice, vertices))?;
            Ok(Reply::Streamed)
        }
        Err(error) if head.is_some() => Err(error.into()),
        Err(error) => {
            let _ = writeln!(exchange.errors, "{error}");
            Ok(Reply::Streamed)
        }
    }
}

/// The first line of an answer that is written line by line.
fn head(exchange: &Exchange<'_>) -> String {
    let id = exchange.id.map(|id| id.to_string()).unwrap_or_default();
    format!("={id}\n")
}
