//! Files that the user names. Errors are sentences, and bad input.

use std::fs;
use std::path::Path;

use anyhow::Result;
use tesuji::core::file_problem;

use super::BadInput;

/// The text of a file; `what` names it in the sentence: `the openings`.
pub(super) fn read(what: &str, path: &Path) -> Result<String> {
    let problem = |error| format!("cannot read {what} in {}: {}", path.display(), file_problem(&error));
    Ok(fs::read_to_string(path).map_err(|error| BadInput(problem(error)))?)
}

/// Writes a file.
pub(super) fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<()> {
    Ok(fs::write(path, text).map_err(|error| unwritable(path, &error))?)
}

/// Makes a folder, unless it exists.
pub(super) fn make_folder(path: &Path) -> Result<()> {
    Ok(fs::create_dir_all(path).map_err(|error| unwritable(path, &error))?)
}

/// Opens a file to be written later: better now than after hours. What it has stays.
pub(super) fn check_writable(path: &Path) -> Result<()> {
    let opened = fs::OpenOptions::new().create(true).append(true).open(path);
    Ok(opened.map(drop).map_err(|error| unwritable(path, &error))?)
}

/// Checks that the name of a plot says what is written: SVG.
pub(super) fn check_svg(path: &Path) -> Result<()> {
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("svg") => Ok(()),
        _ => {
            let named = path.with_extension("svg");
            Err(BadInput(format!("a plot is an SVG file: name it {}", named.display())).into())
        }
    }
}

/// Checks that a plot can be written, if there is to be one.
pub(super) fn check_plot(path: Option<&Path>) -> Result<()> {
    path.map_or(Ok(()), |path| check_svg(path).and_then(|()| check_writable(path)))
}

/// The sentence that a file cannot be written.
pub(super) fn unwritable(path: &Path, error: &std::io::Error) -> BadInput {
    // A file that is to be made does not exist yet: its folder is what is missing.
    let problem = match (error.kind(), path.parent()) {
        (std::io::ErrorKind::NotFound, Some(folder))
            if !folder.as_os_str().is_empty() && !folder.is_dir() =>
        {
            format!("there is no folder {}", folder.display())
        }
        (std::io::ErrorKind::NotFound, _) => "it cannot be made there".to_owned(),
        _ => file_problem(error),
    };
    BadInput(format!("cannot write {}: {problem}", path.display()))
}
