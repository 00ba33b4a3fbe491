//! `tesuji analyze`: queries in, answers out, a line of JSON each.

mod answer;
mod query;

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use anyhow::Result;
use tesuji::catalog::GameSpec;
use tesuji_gtp::{Line, Lines};
use tesuji_session::analysis::{Analysis, Found, News, Query};

use super::interrupt;
use answer::{Answer, AnswerState, Done, Output, Wrong, so_far};
use query::{Asked, Id, Request};

/// Answer queries of other programs: a line of JSON each, many searches at the same time
///
/// It reads a query from each line of standard input and answers it with a line on standard
/// output, in the order in which searches end. A wrong query is answered with an error, and the
/// others go on. It ends when the input has ended and every query is answered.
#[derive(clap::Args)]
#[command(after_help = "\
Fields of a query: id, game, moves, position, player, budget, until, within, seed,
threads, reportDuringSearchEvery (seconds) and top. Only id is required, and game without --game.
{\"id\":…,\"action\":\"terminate\",\"terminateId\":…} ends a query at once, with what it has found;
the other actions are terminate_all and query_version. docs/analysis.md explains every field.
Equal queries get equal answers, except for their seconds, unless the budget is a time.

Examples:
  echo '{\"id\":1,\"game\":\"hex:5\",\"budget\":1000}' | tesuji analyze
  echo '{\"id\":\"b\",\"moves\":[\"d4\"],\"top\":3}' | tesuji analyze --game hex:7
  tesuji analyze -j 8 < queries.jsonl > answers.jsonl")]
pub(super) struct Args {
    /// The game of queries without a game, such as go:9 (`tesuji games` lists them)
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Searches at the same time, each with the threads of its query, or one [default: one for each core]
    #[arg(long, short = 'j', value_name = "N", value_parser = crate::cli::values::whole::<u64>(1..=1024))]
    threads: Option<u64>,
}

/// How often to look whether somebody has interrupted us, or has closed our output.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Lines that are read before somebody looks at them.
const READ_AHEAD: usize = 16;

pub(super) fn run(args: Args) -> Result<()> {
    let game: Option<GameSpec> = args.game.as_deref().map(str::parse).transpose()?;
    let interrupted = interrupt::flag()?;
    let output = Arc::new(Output::new(io::stdout()));
    let analysis = Analysis::new(super::threads(args.threads));
    let lines = read();
    let is_over = || interrupted.load(Ordering::Relaxed) || output.is_closed();
    while !is_over() {
        // Who sends more than we can keep has to wait: nothing is read for so long.
        if !analysis.wait_for_room(LOOK_EVERY) {
            continue;
        }
        match lines.recv_timeout(LOOK_EVERY) {
            Ok(line) => obey(&line?, game.as_ref(), &analysis, &output),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    while !is_over() && !analysis.wait_for_all(LOOK_EVERY) {}
    if is_over() {
        // What was found so far is told to whoever still listens.
        analysis.cancel_all();
    }
    drop(analysis);
    output.finish()?;
    match interrupted.load(Ordering::Relaxed) {
        true => Err(interrupt::Interrupted::answered().into()),
        false => Ok(()),
    }
}

/// The lines of the input, read by a thread of its own, which nobody waits for: it may hang
/// at a terminal when all else is done.
fn read() -> Receiver<io::Result<Line>> {
    let (sender, receiver) = sync_channel(READ_AHEAD);
    std::thread::spawn(move || {
        for line in Lines::new(io::stdin().lock()) {
            let is_last = line.is_err();
            if sender.send(line).is_err() || is_last {
                break;
            }
        }
    });
    receiver
}

/// Does what a line says.
fn obey(line: &Line, game: Option<&GameSpec>, analysis: &Analysis<Id>, output: &Arc<Output>) {
    let request = match query::read(line, game) {
        Ok(Some(request)) => request,
        // An empty line asks for nothing.
        Ok(None) => return,
        Err(wrong) => return output.write(&wrong),
    };
    match request {
        Request::Search(asked) => begin(*asked, analysis, output),
        Request::Terminate { id, target } => {
            let terminated = usize::from(analysis.cancel(&target));
            output.write(&Done::terminate(&id, &target, terminated));
        }
        Request::TerminateAll { id } => {
            let terminated = analysis.cancel_all();
            output.write(&Done::terminate_all(&id, terminated));
        }
        Request::Version { id } => output.write(&Done::version(&id)),
    }
}

fn begin(asked: Asked, analysis: &Analysis<Id>, output: &Arc<Output>) {
    let Asked { id, query, top } = asked;
    let key = id.clone();
    let tell = {
        let output = Arc::clone(output);
        move |query: &Query, news: News| match news {
            News::Progress(progress) => {
                let (standing, time) = (Some(&progress.standing), progress.time);
                let known = AnswerState { report: &so_far(&progress), standing, time, top };
                output.write(&Answer::during(&id, query, &known));
            }
            News::Done(found) => {
                let Found { report, standing, time } = &*found;
                let known = AnswerState { report, standing: standing.as_ref(), time: *time, top };
                output.write(&Answer::after(&id, query, &known));
            }
            News::NetworkFailed(failure) => {
                output.write(&Wrong::new(Some(id.clone()), Some("player"), failure));
            }
            News::Failed => output.write(&Wrong::new(
                Some(id.clone()),
                None,
                "the search failed, which is a fault of this program: please report the query",
            )),
        }
    };
    if let Err(taken) = analysis.submit(key.clone(), query, tell) {
        output.write(&Wrong::new(Some(key), Some("id"), taken));
    }
}
