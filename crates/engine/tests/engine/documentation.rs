//! The page and the table of commands say the same.

use std::collections::BTreeSet;

use crate::commands;

const PAGE: &str = include_str!("../../../../docs/gtp_extensions.md");

/// The commands that the tables under "Commands" have in their first column.
fn documented() -> BTreeSet<String> {
    let sections = PAGE.split("\n## ").filter(|section| section.starts_with("Commands"));
    let rows = sections.flat_map(str::lines).filter_map(|line| line.strip_prefix("| `"));
    let first = |row: &str| row.split(['`', ' ']).next().map(str::to_owned);
    rows.filter_map(first).collect()
}

#[test]
fn every_command_is_documented_and_every_documented_command_is_there() {
    let listed = commands();
    let names: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(names.len(), listed.len(), "a command is listed twice");
    assert_eq!(documented(), names);
}
