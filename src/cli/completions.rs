//! `tesuji completions`: scripts that complete verbs and options in a shell.

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

/// Print a script that completes verbs and options in a shell
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji completions bash > ~/.local/share/bash-completion/completions/tesuji
  tesuji completions fish > ~/.config/fish/completions/tesuji.fish")]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

pub(super) fn run(args: Args) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::Cli::command(), "tesuji", &mut script);
    super::print(&String::from_utf8_lossy(&script))
}
