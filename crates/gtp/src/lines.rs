//! Lines of an input that nobody trusts: no line can fill the memory.

use std::io::{self, BufRead, ErrorKind};

/// The most bytes of a line, without its end.
pub const LONGEST_LINE: usize = 1 << 20;
/// How many bytes of a longer line are kept: enough for the id and the name of a command.
const BEGINNING: usize = 1 << 10;

/// A line of input, without its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// A line of at most [`LONGEST_LINE`] bytes.
    Whole(Vec<u8>),
    /// The first bytes of a longer line. The rest of it is skipped.
    TooLong(Vec<u8>),
}

impl Line {
    /// The bytes of the line, or the first bytes of a line that is too long.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Line::Whole(bytes) | Line::TooLong(bytes) => bytes,
        }
    }
}

/// An iterator over the lines of an input, whose memory is bounded by [`LONGEST_LINE`].
///
/// An error loses nothing: the iterator can be asked again, which continues the line that
/// had been begun.
///
/// ```
/// use tesuji_gtp::{Line, Lines};
/// let lines: Result<Vec<Line>, std::io::Error> = Lines::new(&b"name\nquit"[..]).collect();
/// assert_eq!(lines?, [Line::Whole(b"name".to_vec()), Line::Whole(b"quit".to_vec())]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    begun: BegunLine,
}

/// A line of which no end has been read yet.
#[derive(Default, Debug)]
struct BegunLine {
    bytes: Vec<u8>,
    is_too_long: bool,
}

impl BegunLine {
    fn add(&mut self, bytes: &[u8]) {
        self.is_too_long |= self.bytes.len() + bytes.len() > LONGEST_LINE;
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(LONGEST_LINE)]);
        if self.is_too_long {
            self.bytes.truncate(BEGINNING);
        }
    }

    /// The whole line; the next one begins.
    fn end(&mut self) -> Line {
        let BegunLine { bytes, is_too_long } = std::mem::take(self);
        if is_too_long { Line::TooLong(bytes) } else { Line::Whole(bytes) }
    }
}

impl<R: BufRead> Lines<R> {
    /// Reads the lines of `input`.
    pub fn new(input: R) -> Lines<R> {
        Lines { input, begun: BegunLine::default() }
    }

    /// The next line; `None` at the end of the input.
    fn read(&mut self) -> io::Result<Option<Line>> {
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                return Ok((!self.begun.bytes.is_empty()).then(|| self.begun.end()));
            }
            let end = chunk.iter().position(|&byte| byte == b'\n');
            self.begun.add(&chunk[..end.unwrap_or(chunk.len())]);
            let used = end.map_or(chunk.len(), |end| end + 1);
            self.input.consume(used);
            if end.is_some() {
                return Ok(Some(self.begun.end()));
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
    use std::io::{BufReader, Cursor, Read};

    use super::*;

    fn lines(text: &[u8], buffer: usize) -> Vec<Line> {
        let input = BufReader::with_capacity(buffer, Cursor::new(text.to_vec()));
        Lines::new(input).collect::<io::Result<_>>().unwrap()
    }

    fn whole(text: &[u8]) -> Line {
        Line::Whole(text.to_vec())
    }

    #[test]
    fn lines_are_cut_at_their_ends_whatever_the_buffer() {
        for buffer in 1..=24 {
            assert_eq!(lines(b"", buffer), []);
            assert_eq!(lines(b"\n", buffer), [whole(b"")]);
            assert_eq!(lines(b"ab\n\ncd", buffer), [whole(b"ab"), whole(b""), whole(b"cd")]);
            assert_eq!(lines(b"ab\ncd\n", buffer), [whole(b"ab"), whole(b"cd")]);
            let wanted = [&b"name\r"[..], b"", b"\xff\xfe\0quit", b"last"].map(whole);
            assert_eq!(lines(b"name\r\n\n\xff\xfe\0quit\nlast", buffer), wanted, "buffer of {buffer}");
        }
    }

    #[test]
    fn of_a_line_that_is_too_long_the_beginning_is_kept() {
        let mut text = vec![b'x'; LONGEST_LINE];
        assert_eq!(lines(&text, 1000), [whole(&text)]);
        let too_long = || Line::TooLong(vec![b'x'; BEGINNING]);
        text.push(b'x');
        for buffer in [1000, 10 * LONGEST_LINE] {
            assert_eq!(lines(&text, buffer), [too_long()]);
        }
        text.extend(vec![b'y'; 3 * LONGEST_LINE]);
        text.extend(b"\nab\n");
        assert_eq!(lines(&text, 1000), [too_long(), whole(b"ab")]);
    }

    #[test]
    fn a_line_that_is_too_long_does_not_grow() {
        let mut line = BegunLine::default();
        for _ in 0..100 {
            line.add(&[b'x'; LONGEST_LINE]);
        }
        assert!(line.bytes.capacity() <= 4 * LONGEST_LINE);
        assert_eq!(line.end(), Line::TooLong(vec![b'x'; BEGINNING]));
    }

    /// An input that has nothing to read at some reads.
    struct Hesitant(Vec<&'static [u8]>);

    impl Read for Hesitant {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.pop() {
                None => Ok(0),
                Some(b"") => Err(ErrorKind::WouldBlock.into()),
                Some(mut bytes) => bytes.read(buffer),
            }
        }
    }

    #[test]
    fn an_error_in_the_middle_of_a_line_loses_nothing() {
        let mut lines = Lines::new(BufReader::new(Hesitant(vec![b"me\n", b"", b"na"])));
        assert_eq!(lines.next().unwrap().unwrap_err().kind(), ErrorKind::WouldBlock);
        assert_eq!(lines.next().unwrap().unwrap(), whole(b"name"));
        assert!(lines.next().is_none());
    }
}
