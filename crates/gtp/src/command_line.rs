//! The command that starts an engine, as one line of text.
//!
//! The line is split as a shell would split it, without a shell: nothing in it
//! is expanded, so a line from a file cannot do more than start a program.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use thiserror::Error;

/// A program and its arguments.
///
/// As text, words are separated by blanks. `'single quotes'` keep everything;
/// `"double quotes"` keep everything but a backslash before `"`, `\`, `$` or a
/// backquote; elsewhere a backslash keeps the next character. Variables, `~` and
/// `*` are not expanded. The printed text is read back as the same command.
///
/// ```
/// use tesuji_gtp::EngineCommand;
/// let command: EngineCommand = r#"gnugo --mode gtp --infile "my game.sgf""#.parse()?;
/// assert_eq!(command.program, "gnugo");
/// assert_eq!(command.arguments, ["--mode", "gtp", "--infile", "my game.sgf"]);
/// assert_eq!(command.to_string(), "gnugo --mode gtp --infile 'my game.sgf'");
/// # Ok::<(), tesuji_gtp::CommandLineError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EngineCommand {
    /// A path, or a name that the system looks up.
    pub program: String,
    /// The arguments of the program, one word each.
    pub arguments: Vec<String>,
}

/// Why a line is no command.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum CommandLineError {
    /// The line is blank, or its first word is empty.
    #[error("the command names no program")]
    Empty,
    /// A quote is not closed.
    #[error("the command has a {0} that is not closed")]
    Unbalanced(char),
    /// The line ends with a backslash.
    #[error("the command ends in a backslash")]
    LoneBackslash,
}

impl EngineCommand {
    /// The name of the program without its folders: `gnugo` for `/usr/games/gnugo`.
    pub fn short_name(&self) -> &str {
        let name = Path::new(&self.program).file_name().and_then(|name| name.to_str());
        name.unwrap_or(&self.program)
    }
}

impl FromStr for EngineCommand {
    type Err = CommandLineError;

    fn from_str(line: &str) -> Result<EngineCommand, CommandLineError> {
        let mut words = split(line)?.into_iter();
        match words.next() {
            Some(program) if !program.is_empty() => Ok(EngineCommand { program, arguments: words.collect() }),
            _ => Err(CommandLineError::Empty),
        }
    }
}

impl fmt::Display for EngineCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_word(f, &self.program)?;
        for argument in &self.arguments {
            f.write_str(" ")?;
            write_word(f, argument)?;
        }
        Ok(())
    }
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r')
}

fn split(line: &str) -> Result<Vec<String>, CommandLineError> {
    let mut words = Vec::new();
    let mut characters = line.chars();
    // A word may be empty, as '' is, so having begun one is not having a letter of it.
    let mut word: Option<String> = None;
    while let Some(character) = characters.next() {
        if is_blank(character) {
            words.extend(word.take());
            continue;
        }
        let word = word.get_or_insert_default();
        match character {
            '\'' => loop {
                match characters.next().ok_or(CommandLineError::Unbalanced('\''))? {
                    '\'' => break,
                    other => word.push(other),
                }
            },
            '"' => loop {
                match characters.next().ok_or(CommandLineError::Unbalanced('"'))? {
                    '"' => break,
                    '\\' => match characters.next().ok_or(CommandLineError::Unbalanced('"'))? {
                        special @ ('"' | '\\' | '$' | '`') => word.push(special),
                        other => word.extend(['\\', other]),
                    },
                    other => word.push(other),
                }
            },
            '\\' => word.push(characters.next().ok_or(CommandLineError::LoneBackslash)?),
            other => word.push(other),
        }
    }
    words.extend(word);
    Ok(words)
}

/// Quotes a word so that this module, and a shell too, read it back as the same word.
fn write_word(f: &mut fmt::Formatter<'_>, word: &str) -> fmt::Result {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "_@%+=:,./-".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        return f.write_str(word);
    }
    write!(f, "'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(line: &str) -> Result<Vec<String>, CommandLineError> {
        line.parse().map(|command: EngineCommand| [vec![command.program], command.arguments].concat())
    }

    #[test]
    fn lines_are_split_as_a_shell_does() {
        let cases: &[(&str, &[&str])] = &[
            ("gnugo", &["gnugo"]),
            ("  gnugo \t--mode  gtp ", &["gnugo", "--mode", "gtp"]),
            ("a 'b  c' \"d e\"", &["a", "b  c", "d e"]),
            ("a b'c'\"d\"e", &["a", "bcde"]),
            ("a '' \"\"", &["a", "", ""]),
            (r"a b\ c \' \\", &["a", "b c", "'", r"\"]),
            (r#"a "\"\\\$\n""#, &["a", r#""\$\n"#]),
            (r"a '\n'", &["a", r"\n"]),
            ("a $HOME ~ *", &["a", "$HOME", "~", "*"]),
        ];
        for (line, expected) in cases {
            assert_eq!(words(line).unwrap(), *expected, "{line}");
        }
    }

    #[test]
    fn wrong_lines_are_told_apart() {
        use CommandLineError::{Empty, LoneBackslash, Unbalanced};
        let cases = [
            ("", Empty),
            (" \t ", Empty),
            ("'' gtp", Empty),
            ("a 'b", Unbalanced('\'')),
            ("a \"b'", Unbalanced('"')),
            ("a \"b\\", Unbalanced('"')),
            (r"a b\", LoneBackslash),
        ];
        for (line, error) in cases {
            assert_eq!(words(line), Err(error), "{line}");
        }
    }

    #[test]
    fn a_program_has_a_short_name() {
        let short = |program: &str| {
            EngineCommand { program: program.to_owned(), arguments: vec![] }.short_name().to_owned()
        };
        assert_eq!(short("/usr/games/gnugo"), "gnugo");
        assert_eq!(short("gnugo"), "gnugo");
        assert_eq!(short("/"), "/");
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(program in "(?s).{1,8}", arguments in prop::collection::vec("(?s).{0,8}", 0..5)) {
            let command = EngineCommand { program, arguments };
            prop_assert_eq!(command.to_string().parse(), Ok(command));
        }

        #[test]
        fn any_line_is_split_or_refused(line in r#"[ab \\'"\n]{0,20}"#) {
            if let Ok(command) = line.parse::<EngineCommand>() {
                prop_assert_eq!(command.to_string().parse(), Ok(command));
            }
        }
    }
}
