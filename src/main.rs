//! The `tesuji` command: parses, calls, and says how it went.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
