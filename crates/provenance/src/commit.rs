//! The commit of a checkout, read from its files: git itself may be missing, and is slow to ask.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

/// Digits of a commit that are shown.
const DIGITS: usize = 12;

/// The commit of a checkout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Commit {
    /// Its first 12 digits, or `unknown`.
    pub short: String,
    /// Files that change with the commit.
    pub(crate) watched: Vec<PathBuf>,
}

/// The commit of the checkout with this root folder. A package from a registry has a file that
/// names its commit; without any of that the commit is `unknown`. Only the root folder counts: a
/// copy of the sources inside a checkout of something else is not of that one's commit.
pub fn commit(root: &Path) -> Commit {
    let mut watched = Vec::new();
    let found = of_checkout(root, &mut watched).or_else(|| of_package(root));
    let short = found.and_then(|digits| Some(digits.get(..DIGITS)?.to_owned()));
    Commit { short: short.unwrap_or_else(|| "unknown".to_owned()), watched }
}

fn of_checkout(root: &Path, watched: &mut Vec<PathBuf>) -> Option<String> {
    let mut git = root.join(".git");
    // In a worktree it is a file that says where the folder is.
    if git.is_file() {
        git = root.join(read_to_string(&git).ok()?.strip_prefix("gitdir:")?.trim());
    }
    let head = read_to_string(git.join("HEAD")).ok()?;
    watched.push(git.join("HEAD"));
    let Some(name) = head.trim().strip_prefix("ref: ") else { return digits(&head) };
    // Worktrees share their branches.
    let common = read_to_string(git.join("commondir")).map_or(git.clone(), |path| git.join(path.trim()));
    let file = common.join(name);
    // A branch without a file is in the packed list, until a commit makes the file.
    let nearest = file.ancestors().find(|path| path.exists()).unwrap_or(&common);
    watched.push(nearest.to_owned());
    if let Ok(text) = read_to_string(&file) {
        return digits(&text);
    }
    let packed = common.join("packed-refs");
    let list = read_to_string(&packed).ok()?;
    watched.push(packed);
    list.lines()
        .filter_map(|line| line.split_once(' '))
        .find(|(_, of)| *of == name)
        .and_then(|(text, _)| digits(text))
}

/// The commit in the file that `cargo package` adds.
fn of_package(root: &Path) -> Option<String> {
    let text = read_to_string(root.join(".cargo_vcs_info.json")).ok()?;
    digits(text.split_once("\"sha1\"")?.1.trim_start_matches([':', ' ', '"']))
}

/// The hexadecimal digits that a text begins with, if there are enough for a commit.
fn digits(text: &str) -> Option<String> {
    let digits: String = text.chars().take_while(char::is_ascii_hexdigit).collect();
    (digits.len() >= 40).then_some(digits)
}
