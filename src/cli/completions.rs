//! `tesuji completions`: hidden, for packagers and the curious.

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

/// Print a shell's completions
#[derive(clap::Args)]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

pub(super) fn run(args: Args) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::Cli::command(), "tesuji", &mut script);
    super::print(&String::from_utf8_lossy(&script))
}
