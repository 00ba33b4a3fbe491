//! Lines of input, of which none can fill the memory.

use std::io::{self, BufRead};

/// The longest line that is read, in bytes.
pub(super) const LONGEST: usize = 1 << 20;

/// A line without its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Line {
    /// Its bytes.
    Bytes(Vec<u8>),
    /// It was longer than any may be, and is gone.
    TooLong,
}

/// The lines of an input. After an error there are no more of use.
pub(super) struct Lines<R> {
    input: R,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Lines<R> {
        Lines { input }
    }

    /// The next line; nothing at the end.
    fn read(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        let (mut is_too_long, mut is_there) = (false, false);
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            is_there |= !chunk.is_empty();
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            is_too_long |= bytes.len() + part.len() > LONGEST;
            if is_too_long {
                bytes = Vec::new();
            } else {
                bytes.extend_from_slice(part);
            }
            let (used, is_last) = (end.map_or(chunk.len(), |end| end + 1), end.is_some() || chunk.is_empty());
            self.input.consume(used);
            if is_last {
                let line = if is_too_long { Line::TooLong } else { Line::Bytes(bytes) };
                return Ok(is_there.then_some(line));
            }
        }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<io::Result<Line>> {
        self.read().transpose()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Cursor};

    use super::*;

    fn lines(text: &[u8], buffer: usize) -> Vec<Line> {
        let input = BufReader::with_capacity(buffer, Cursor::new(text.to_vec()));
        Lines::new(input).collect::<io::Result<_>>().unwrap()
    }

    fn line(text: &str) -> Line {
        Line::Bytes(text.as_bytes().to_vec())
    }

    #[test]
    fn lines_are_cut_at_their_ends_whatever_the_buffer() {
        for buffer in [1, 2, 3, 100] {
            assert_eq!(lines(b"", buffer), []);
            assert_eq!(lines(b"\n", buffer), [line("")]);
            assert_eq!(lines(b"ab\n\ncd", buffer), [line("ab"), line(""), line("cd")]);
            assert_eq!(lines(b"ab\ncd\n", buffer), [line("ab"), line("cd")]);
        }
    }

    #[test]
    fn long_lines_are_left_out_and_the_next_is_read() {
        let mut text = vec![b'x'; LONGEST];
        assert_eq!(lines(&text, 1000), [Line::Bytes(text.clone())]);
        text.push(b'x');
        assert_eq!(lines(&text, 1000), [Line::TooLong]);
        text.extend(vec![b'y'; 3 * LONGEST]);
        text.extend(b"\nab\n");
        assert_eq!(lines(&text, 1000), [Line::TooLong, line("ab")]);
    }
}
