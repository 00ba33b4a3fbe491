//! What no tracked file may be or hold.

use anyhow::{Context, Result, bail};

use crate::shell;

/// The longest a Rust file may be: split it before.
const LONGEST: usize = 600;

/// Texts that tie the sources to one machine or one mirror. They are put
/// together here so that this file does not hold them.
const FOREIGN: &[&str] = &[
    concat!("/ho", "me/"),
    concat!("/Us", "ers/"),
    concat!("/ro", "ot/"),
    concat!("arti", "factory"),
    concat!("index.crates", ".io"),
    concat!("replace", "-with"),
];

/// Fails, with a line each, where a tracked file is too long or foreign.
pub(crate) fn check() -> Result<String> {
    let names = shell::output(shell::command("git", &["ls-files", "-z"]))?;
    let mut wrong = Vec::new();
    let mut files = 0;
    for name in names.split('\0').filter(|name| !name.is_empty()) {
        let path = shell::root().join(name);
        // A file may be deleted and not yet committed so.
        if !path.is_file() {
            continue;
        }
        files += 1;
        let bytes = std::fs::read(&path).with_context(|| format!("cannot read {name}"))?;
        let text = String::from_utf8_lossy(&bytes);
        wrong.extend(faults(name, &text));
    }
    if !wrong.is_empty() {
        bail!("{}", wrong.join("\n"));
    }
    Ok(format!("{files} files checked"))
}

fn faults(name: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let lines = text.lines().count();
    if name.ends_with(".rs") && lines > LONGEST {
        faults.push(format!("{name} has {lines} lines: split it before {LONGEST}"));
    }
    for (number, line) in (1..).zip(text.lines()) {
        for foreign in FOREIGN.iter().filter(|foreign| line.contains(**foreign)) {
            faults.push(format!("{name}:{number} names {foreign}, which is of one machine only"));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_and_foreign_files_are_found() {
        assert!(faults("a.rs", &"x\n".repeat(600)).is_empty());
        assert_eq!(faults("a.rs", &"x\n".repeat(601)).len(), 1);
        assert!(faults("a.txt", &"x\n".repeat(601)).is_empty());
        let home = format!("fine\nsee {}someone/x", FOREIGN[0]);
        assert_eq!(faults("a.md", &home).len(), 1);
    }
}
