//! The engine as programs meet it: the real binary, over its pipes. And `tesuji play`, with engines.
//!
//! The engine's own tests (`crates/engine/tests/engine`) have every command, right and wrong,
//! on small boards; these tests are about arguments, games, searches and the clock.

mod analysis;
mod garbage;
mod play;
mod refereed;
mod scripts;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// An engine that runs.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Engine {
    /// Starts `tesuji gtp` with these arguments.
    fn start(arguments: &[&str]) -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .arg("gtp")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Engine { input: child.stdin.take(), child, output }
    }

    fn write(&mut self, text: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(text.as_bytes()).unwrap();
        input.flush().unwrap();
    }

    /// The next line, without its end.
    fn line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.output.read_line(&mut line).unwrap() > 0, "the output has ended");
        line.trim_end_matches('\n').to_owned()
    }

    /// The lines up to the empty one that ends an answer.
    fn answer(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.line() {
                line if line.is_empty() => return lines,
                line => lines.push(line),
            }
        }
    }

    /// Asks a command and gives the whole answer.
    fn ask(&mut self, command: &str) -> Vec<String> {
        self.write(&format!("{command}\n"));
        self.answer()
    }

    /// Asks a command that must succeed, and gives its text.
    fn told(&mut self, command: &str) -> String {
        let answer = self.ask(command).join("\n");
        let text = answer.strip_prefix('=').unwrap_or_else(|| panic!("{command}: {answer}"));
        text.trim().to_owned()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // At the end of its input it ends by itself.
        drop(self.input.take());
        let ended = self.child.wait();
        assert!(std::thread::panicking() || ended.unwrap().success());
    }
}
