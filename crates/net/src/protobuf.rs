//! Reading the wire format of protocol buffers.
//!
//! A message is a list of numbered fields. Nothing is copied: texts and nested messages are slices of the
//! file. The number of fields of a file is bounded, so that what is built from them is bounded too.

use crate::NetError;
use std::cell::Cell;

/// The number of fields that a file may have.
const MOST_FIELDS: u32 = 1_000_000;

/// The fields that may still be read from a file.
pub(crate) struct Budget(Cell<u32>);

impl Budget {
    /// The budget of a file of which nothing was read yet.
    pub(crate) fn new() -> Budget {
        Budget(Cell::new(MOST_FIELDS))
    }
}

/// A message of which some fields may have been read.
pub(crate) struct Message<'a> {
    bytes: &'a [u8],
    budget: &'a Budget,
}

/// The content of a field.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Field<'a> {
    /// An integer, a truth value or an enumeration.
    Varint(u64),
    /// Eight bytes.
    Fixed64,
    /// A text, bytes, a nested message or packed numbers.
    Bytes(&'a [u8]),
    /// Four bytes, such as a float.
    Fixed32([u8; 4]),
}

impl<'a> Message<'a> {
    /// The message in `bytes`.
    pub(crate) fn new(bytes: &'a [u8], budget: &'a Budget) -> Message<'a> {
        Message { bytes, budget }
    }

    /// The next field and its number, or `None` at the end of the message.
    pub(crate) fn next(&mut self) -> Result<Option<(u64, Field<'a>)>, NetError> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        let left = self.budget.0.get();
        if left == 0 {
            return Err(NetError(format!("it has more than {MOST_FIELDS} fields")));
        }
        self.budget.0.set(left - 1);
        let key = varint(&mut self.bytes)?;
        let field = match key & 7 {
            0 => Field::Varint(varint(&mut self.bytes)?),
            1 => {
                self.take(8)?;
                Field::Fixed64
            }
            2 => {
                let length = varint(&mut self.bytes)?;
                Field::Bytes(self.take(usize::try_from(length).unwrap_or(usize::MAX))?)
            }
            5 => {
                let bytes = self.take(4)?;
                Field::Fixed32([bytes[0], bytes[1], bytes[2], bytes[3]])
            }
            _ => return Err(NetError("it is corrupt: a field has an unknown type".to_owned())),
        };
        Ok(Some((key >> 3, field)))
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], NetError> {
        let (taken, rest) = self.bytes.split_at_checked(length).ok_or_else(truncated)?;
        self.bytes = rest;
        Ok(taken)
    }
}

impl<'a> Field<'a> {
    /// The bytes of a field that must have some.
    pub(crate) fn bytes(self) -> Result<&'a [u8], NetError> {
        match self {
            Field::Bytes(bytes) => Ok(bytes),
            _ => Err(wrong_type()),
        }
    }

    /// The text of a field that must be one.
    pub(crate) fn text(self) -> Result<&'a str, NetError> {
        std::str::from_utf8(self.bytes()?)
            .map_err(|_| NetError("it is corrupt: a name is not UTF-8 text".to_owned()))
    }

    /// The integer of a field that must be one.
    pub(crate) fn integer(self) -> Result<i64, NetError> {
        match self {
            Field::Varint(value) => Ok(value.cast_signed()),
            _ => Err(wrong_type()),
        }
    }

    /// The float of a field that must be one.
    pub(crate) fn float(self) -> Result<f32, NetError> {
        match self {
            Field::Fixed32(bytes) => Ok(f32::from_le_bytes(bytes)),
            _ => Err(wrong_type()),
        }
    }

    /// Appends the integers of a repeated field, packed or not, to `integers`, which may have `most`.
    pub(crate) fn integers(self, integers: &mut Vec<i64>, most: usize) -> Result<(), NetError> {
        match self {
            Field::Varint(value) => integers.push(value.cast_signed()),
            Field::Bytes(mut bytes) => {
                while !bytes.is_empty() && integers.len() <= most {
                    integers.push(varint(&mut bytes)?.cast_signed());
                }
            }
            _ => return Err(wrong_type()),
        }
        if integers.len() > most {
            return Err(NetError(format!("a list of integers has more than {most}")));
        }
        Ok(())
    }
}

/// The integer at the start of `bytes`, which it is removed from.
fn varint(bytes: &mut &[u8]) -> Result<u64, NetError> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or_else(truncated)?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(NetError("it is corrupt: an integer has more than ten bytes".to_owned()))
}

fn truncated() -> NetError {
    NetError("it is truncated or corrupt: a field ends after its message".to_owned())
}

fn wrong_type() -> NetError {
    NetError("it is corrupt: a field has the wrong type".to_owned())
}
