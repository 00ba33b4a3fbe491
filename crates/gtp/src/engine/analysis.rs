//! Analysis as Leela Zero and KataGo have it: reports as long as nobody asks anything.
//!
//! `lz-analyze` writes the head of its answer at once, then a line now and then, and ends
//! with an empty line at whatever comes next. `lz-genmove_analyze` chooses a move
//! meanwhile, and ends with it. Everything is from the point of view of the side that is
//! asked for.

use std::io::Write;
use std::time::Duration;

use tesuji_core::{Side, shortened};

use super::arguments::{Arguments, side, syntax_error, whole_number};
use super::input::Listening;
use super::report::{Form, Style};
use super::session::{Refusal, Reply, Session};
use super::table::Command;
use super::thinking::{Observer, Out, Reports, When, sign, written};
use super::{Failure, Purpose, Thinking};

/// Between reports, in hundredths of a second, where nothing else is asked for.
const INTERVAL: u32 = 100;
/// How often the host is listened to where only the last report counts.
const SOMETIMES: Duration = Duration::from_millis(100);
/// The longest interval, in hundredths of a second: a day.
const LONGEST_INTERVAL: u32 = 100 * 24 * 3600;

/// Keys of KataGo's that are read and have no effect.
const UNSAID: &[&str] =
    &["movesOwnership", "movesOwnershipStdev", "ownershipStdev", "pvEdgeVisits", "noResultValue"];

pub(super) const COMMANDS: &[Command] = &[
    Command::new("analyze", |session, arguments| analyze(session, arguments, Style::LeelaZero)),
    Command::new("lz-analyze", |session, arguments| analyze(session, arguments, Style::LeelaZero)),
    Command::new("kata-analyze", |session, arguments| analyze(session, arguments, Style::KataGo)),
    Command::new("genmove_analyze", |session, arguments| genmove(session, arguments, Style::LeelaZero)),
    Command::new("lz-genmove_analyze", |session, arguments| genmove(session, arguments, Style::LeelaZero)),
    Command::new("kata-genmove_analyze", |session, arguments| genmove(session, arguments, Style::KataGo)),
];

/// What is asked for.
struct Wanted {
    side: Side,
    /// Between reports; `None`: one at the end.
    every: Option<Duration>,
    form: Form,
}

/// Reads `[colour] [interval] {key value}`, and asks the host what the form needs.
fn wanted(session: &mut Session<'_>, arguments: &mut Arguments<'_>, style: Style) -> Result<Wanted, Failure> {
    let side = match arguments.peek().and_then(side) {
        Some(side) => {
            arguments.next();
            side
        }
        None => session.host.position().to_move,
    };
    let mut interval = INTERVAL;
    if arguments.peek().is_some_and(|word| whole_number(word).is_some()) {
        interval = arguments.whole_number("the interval")?;
    }
    let mut form = Form::new(style);
    let mut wants_ownership = false;
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
            // What newer boards ask KataGo for, and can do without.
            _ if style == Style::KataGo && UNSAID.contains(&key) => drop(arguments.word("a value")?),
            "avoid" | "allow" => {
                return Err(syntax_error(format!("'{key}' is not offered, all moves are looked at")));
            }
            other => {
                let other = shortened(other);
                let keys = match style {
                    Style::LeelaZero => "interval, minmoves, maxmoves",
                    Style::KataGo => "interval, minmoves, maxmoves, ownership, rootInfo, pvVisits",
                };
                let problem = format!("'{other}' is none of {keys}");
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
        // Adding nothing makes the zero below nothing a plain one.
        let rows = session.host.ownership()?;
        form.ownership = Some(rows.iter().flatten().map(|value| value * sign(side) + 0.0).collect());
    }
    let every = (interval > 0).then(|| Duration::from_millis(10 * u64::from(interval)));
    Ok(Wanted { side, every, form })
}

fn analyze(session: &mut Session<'_>, arguments: &mut Arguments<'_>, style: Style) -> Result<Reply, Refusal> {
    let Wanted { side, every, form } = wanted(session, arguments, style)?;
    // Once the head is written, it is too late to fail.
    session.host.check_turn(side)?;
    let head = head(session);
    write!(session.output, "{head}")?;
    session.output.flush()?;

    let vertices = session.vertices();
    let live_graphics = session.settings.live_graphics;
    let Session { host, input, output, errors, .. } = session;
    let when = match every {
        _ if input.is_absent() => When::Once,
        None => When::AtTheEnd,
        Some(_) => When::AtOnce,
    };
    let (analyzed, told) = input.while_listening(Listening::ForAnything, |interrupt| {
        let out = Out { output: &mut **output, errors: &mut **errors };
        let reports = Reports { form, head: None, when, latest: None };
        let mut observer = Observer::new(out, vertices, live_graphics, interrupt).with_reports(reports);
        let analyzed = host.analyze(side, every.unwrap_or(SOMETIMES), &mut observer, interrupt);
        (analyzed, observer.finish())
    });
    told?;
    if let Err(failure) = analyzed {
        // The answer is a success already; who looks after the engine should know why it
        // has no lines.
        let _ = writeln!(errors, "{failure}");
    }
    input.wait();
    Ok(Reply::Streamed)
}

fn genmove(session: &mut Session<'_>, arguments: &mut Arguments<'_>, style: Style) -> Result<Reply, Refusal> {
    let Wanted { side, every, form } = wanted(session, arguments, style)?;
    let head = head(session);
    let vertices = session.vertices();
    let live_graphics = session.settings.live_graphics;
    let Session { host, input, output, errors, .. } = session;
    let when = if every.is_some() { When::AtOnce } else { When::AtTheEnd };
    let (answer, told) = input.while_listening(Listening::ForInterrupts, |interrupt| {
        let out = Out { output: &mut **output, errors: &mut **errors };
        // The head waits for the first report, since there may be a failure instead.
        let reports = Reports { form, head: Some(head), when, latest: None };
        let mut observer = Observer::new(out, vertices, live_graphics, interrupt).with_reports(reports);
        let thinking = Thinking { purpose: Purpose::Play, every: every.or(Some(SOMETIMES)) };
        let answer = host.choose(side, thinking, &mut observer, interrupt);
        (answer, observer.finish())
    });
    let head = told?;
    match answer {
        Ok(answer) => {
            let head = head.unwrap_or_default();
            writeln!(output, "{head}play {}", written(&answer, vertices))?;
            Ok(Reply::Streamed)
        }
        Err(failure) if head.is_some() => Err(failure.into()),
        Err(failure) => {
            let _ = writeln!(errors, "{failure}");
            Ok(Reply::Streamed)
        }
    }
}

/// The first line of an answer that comes bit by bit.
fn head(session: &Session<'_>) -> String {
    let id = session.id.map(|id| id.to_string()).unwrap_or_default();
    format!("={id}\n")
}
