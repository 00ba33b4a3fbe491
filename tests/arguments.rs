//! Arguments that are no text.

#[cfg(unix)]
#[test]
fn arguments_that_are_not_utf_8_are_one_sentence() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tesuji"));
    let done = command.arg("games").arg(OsStr::from_bytes(b"go\xff")).output().expect("it runs");
    assert_eq!(done.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&done.stderr),
        "error: the argument 'go\u{fffd}' is not text in UTF-8\n"
    );
}
