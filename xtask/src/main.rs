//! `cargo xtask`: the whole check, and the instruction counts.

mod arrows;
mod baseline;
mod bench;
mod builds;
mod check;
mod gpu;
mod page;
mod picture;
mod python;
mod shell;
mod sources;
mod training;

use std::process::ExitCode;

use anyhow::{Result, bail};

const HELP: &str = "\
cargo xtask test            the whole check: format, lints, docs, tests, arrows, sources, page, release build,
                            browser, Python package, GPU kernels, instruction counts
cargo xtask bench [NAME…]   instructions per playout of a game, per simulation of a search ('search uct go:9'),
                            per run of a policy ('bandit sh'): callgrind, the release build, beside goals and peers
cargo xtask bench --write   the same for all that is gated, and make them the baselines of the gate
cargo xtask picture         draw what the README's two commands print, for the README
cargo xtask picture NAME F  draw check or reproduce from the file F that it was printed into
cargo xtask picture page    take the README's pictures of the page
cargo xtask page            make the page's bundle anew (node and npm)
cargo xtask browse          the page's tests in a real browser
cargo xtask gpu             compile the GPU's kernels by NVRTC, which is installed into a venv (target/nvrtc)
cargo xtask python          the Python package's wheel in a venv (target/python), its types, stubs and tests
cargo xtask training        the tests of the training, and a toy network trained from nothing (target/training)
cargo xtask load            a hundred clients of the service for a minute
cargo xtask arrows          which crate may use which
cargo xtask builds          whether the release build searches as the tested one does ('tesuji selftest')
cargo xtask published [P]   build the program for published results from nothing, or check the program P:
                            its sources must be committed and those of this checkout
cargo xtask help            this
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            shell::complain(&format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[&str]) -> Result<()> {
    match words {
        ["test"] => check::run(),
        ["bench", "--write"] => bench::write(),
        ["bench", games @ ..] if games.iter().all(|game| !game.starts_with('-')) => bench::show(games),
        ["picture"] => picture::draw(),
        ["picture", "page"] => page::pictures(),
        ["picture", "check", file] => picture::draw_check(&picture::read(file)?),
        ["picture", "reproduce", file] => picture::draw_reproduce(&picture::read(file)?),
        ["builds"] => builds::check().map(|summary| shell::say(&summary)),
        ["published"] => builds::published(None).map(|summary| shell::say(&summary)),
        ["published", program] => builds::published(Some(program)).map(|summary| shell::say(&summary)),
        ["page"] => page::build(),
        ["browse"] => page::browse().map(|summary| shell::say(&summary)),
        ["gpu"] => gpu::check().map(|summary| shell::say(&summary)),
        ["python"] => python::check().map(|summary| shell::say(&summary)),
        ["training"] => training::check().map(|summary| shell::say(&summary)),
        ["load"] => page::load(),
        ["arrows"] => arrows::check().map(|summary| shell::say(&summary)),
        [] | ["help" | "--help" | "-h"] => {
            shell::say(HELP.trim_end());
            Ok(())
        }
        _ => bail!("there is no 'cargo xtask {}'; 'cargo xtask help' lists what there is", words.join(" ")),
    }
}
