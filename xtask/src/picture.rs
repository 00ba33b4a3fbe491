//! `cargo xtask picture`: what the README's two commands print, as pictures.

use std::fmt::Write as _;

use anyhow::{Context, Result};

use crate::shell;

/// Runs both commands and draws what they print.
pub(crate) fn draw() -> Result<()> {
    let reproduce = ["run", "--quiet", "--release", "--", "reproduce", "--quick"];
    draw_reproduce(&shell::output(shell::cargo(&reproduce))?)?;
    draw_check(&shell::output(shell::cargo(&["xtask", "test"]))?)
}

/// Returns what a command printed into a file.
pub(crate) fn read(file: &str) -> Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("cannot read {file}"))
}

/// Draws two of the many tables that `reproduce --quick` prints, and its end: the verdicts.
pub(crate) fn draw_reproduce(printed: &str) -> Result<()> {
    let matches = printed.lines().skip_while(|line| !line.starts_with("shuss-table1: "));
    let matches = matches.take_while(|line| !line.starts_with("sh-priors: "));
    let end = printed.rfind("\nOf ").map_or("", |begin| &printed[begin + 1..]);
    let lines = matches.chain(["…", ""]).chain(end.lines()).flat_map(folded).collect::<Vec<_>>();
    save("reproduce", "cargo run --release -- reproduce --quick", lines.iter().map(String::as_str))
}

/// Draws the steps that `cargo xtask test` prints.
pub(crate) fn draw_check(printed: &str) -> Result<()> {
    let steps = printed.lines().filter(|line| {
        line.starts_with('[') || line.starts_with("      passed") || line.contains(" passed, 0 failed in ")
    });
    save("check", "cargo xtask test", steps)
}

/// A line in pieces that fit a terminal.
fn folded(line: &str) -> Vec<String> {
    const WIDTH: usize = 112;
    let mut lines = vec![String::new()];
    for word in line.split_inclusive(' ') {
        let last = lines.len() - 1;
        if lines[last].chars().count() + word.trim_end().chars().count() > WIDTH {
            lines.push(String::new());
        }
        let last = lines.len() - 1;
        lines[last].push_str(word);
    }
    lines
}

fn save<'a>(name: &str, command: &str, lines: impl Iterator<Item = &'a str>) -> Result<()> {
    let path = format!("docs/{name}.svg");
    let lines: Vec<&str> = lines.collect();
    std::fs::write(shell::root().join(&path), svg(command, &lines))
        .with_context(|| format!("cannot write {path}"))?;
    shell::say(&format!("{path} is written"));
    Ok(())
}

/// A terminal with a command and its output.
fn svg(command: &str, lines: &[&str]) -> String {
    const LINE: usize = 18;
    let columns = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0).max(command.len() + 2);
    let (width, height) = (columns * 8 + 32, (lines.len() + 2) * LINE + 28);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1b1f23\"/>\n\
         <g font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"13.3\" fill=\"#d7dde3\">\n"
    );
    // Blanks that browsers do not run together.
    let escape = |line: &str| line.replace('&', "&amp;").replace('<', "&lt;").replace(' ', "\u{a0}");
    let _ =
        writeln!(text, "<text x=\"16\" y=\"28\" fill=\"#8fd19e\">{}</text>", escape(&format!("$ {command}")));
    for (line, y) in lines.iter().zip((28 + 2 * LINE..).step_by(LINE)) {
        let _ = writeln!(text, "<text x=\"16\" y=\"{y}\">{}</text>", escape(line));
    }
    text + "</g>\n</svg>\n"
}

#[cfg(test)]
mod tests {
    #[test]
    fn long_lines_are_folded() {
        let line = "word ".repeat(40);
        let pieces = super::folded(&line);
        assert_eq!(pieces.concat(), line);
        assert!(pieces.len() == 2 && pieces.iter().all(|piece| piece.trim_end().len() <= 112));
        assert_eq!(super::folded(""), [""]);
    }

    #[test]
    fn a_picture_holds_every_line_escaped() {
        let svg = super::svg("true", &["a < b", "c & d"]);
        assert!(svg.contains("a\u{a0}&lt;\u{a0}b") && svg.contains("c\u{a0}&amp;\u{a0}d"));
        assert!(svg.contains("$\u{a0}true"));
    }
}
