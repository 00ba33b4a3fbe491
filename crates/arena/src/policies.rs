//! What searches said of the moves of a game, for training networks.
//!
//! The moves of a position come in the order in which the rules list the moves worth searching, so
//! a record needs no moves of its own: whoever replays the game has them. A record is a row of bytes:
//!
//! ```text
//! record = version ply…      version 1; a ply for each move after the opening
//! ply    = n move…           n: the number of moves, two bytes; 0 if nobody searched
//! move   = share mean        share of the target policy in 65,535ths, two bytes;
//!                            mean reward of the mover in 254ths, one byte, 255 for none
//! ```
//!
//! Numbers have the lower byte first.

use tesuji_session::MoveShare;

/// The first byte of a record.
const VERSION: u8 = 1;

/// The mean of a move without samples.
const NO_MEAN: u8 = 255;

/// The record of a game while it goes on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct PolicyRecord(Vec<u8>);

impl PolicyRecord {
    /// The record of a game with this number of plies that goes on. Plies that were played without
    /// recording become plies without a search, and bytes that are no such record are dropped.
    pub(crate) fn resumed(bytes: &[u8], n_plies: usize) -> PolicyRecord {
        let n_recorded = read_policies(bytes).map(|plies| plies.len()).filter(|&plies| plies <= n_plies);
        let mut record = PolicyRecord(n_recorded.map_or_else(Vec::new, |_| bytes.to_vec()));
        for _ in n_recorded.unwrap_or(0)..n_plies {
            record.push(&[]);
        }
        record
    }

    /// Adds a ply.
    pub(crate) fn push(&mut self, shares: &[MoveShare]) {
        if self.0.is_empty() {
            self.0.push(VERSION);
        }
        self.0.extend((shares.len() as u16).to_le_bytes());
        for MoveShare { share, mean } in shares {
            self.0.extend(((share * 65_535.0).round() as u16).to_le_bytes());
            self.0.push(mean.map_or(NO_MEAN, |mean| (mean * 254.0).round() as u8));
        }
    }

    /// The bytes so far; empty before the first ply.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Reads a record: the moves of every ply after the opening, none for plies without a search.
/// `None` if the bytes are no record.
pub fn read_policies(bytes: &[u8]) -> Option<Vec<Vec<MoveShare>>> {
    let (&version, mut rest) = bytes.split_first()?;
    if version != VERSION {
        return None;
    }
    let mut plies = Vec::new();
    while !rest.is_empty() {
        let (n, after) = rest.split_first_chunk()?;
        let (moves, after) = after.split_at_checked(3 * usize::from(u16::from_le_bytes(*n)))?;
        let share = |bytes: &[u8]| MoveShare {
            share: f32::from(u16::from_le_bytes([bytes[0], bytes[1]])) / 65_535.0,
            mean: (bytes[2] != NO_MEAN).then(|| f32::from(bytes[2]) / 254.0),
        };
        plies.push(moves.chunks_exact(3).map(share).collect());
        rest = after;
    }
    Some(plies)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_reads_back() {
        let one = vec![MoveShare { share: 1.0, mean: Some(0.5) }, MoveShare { share: 0.0, mean: None }];
        let mut record = PolicyRecord::default();
        assert!(record.bytes().is_empty());
        record.push(&one);
        record.push(&[]);
        record.push(&one);
        assert_eq!(read_policies(record.bytes()), Some(vec![one.clone(), Vec::new(), one]));
        // Cut anywhere but between plies, it is no record.
        let whole = record.bytes();
        let is_read = |end: usize| read_policies(&whole[..end]).is_some();
        assert_eq!((0..=whole.len()).filter(|&end| is_read(end)).collect::<Vec<_>>(), [1, 9, 11, 19]);
        assert_eq!(read_policies(&[2, 0, 0]), None);
    }

    #[test]
    fn a_record_that_goes_on_has_all_plies() {
        let one = vec![MoveShare { share: 1.0, mean: None }];
        let mut record = PolicyRecord::default();
        record.push(&one);
        let resumed = |bytes: &[u8], n_plies| {
            let record = PolicyRecord::resumed(bytes, n_plies);
            read_policies(record.bytes()).unwrap_or_default()
        };
        assert_eq!(resumed(record.bytes(), 1), vec![one.clone()]);
        assert_eq!(resumed(record.bytes(), 3), vec![one, Vec::new(), Vec::new()]);
        assert_eq!(resumed(&[], 2), vec![Vec::new(); 2]);
        assert!(PolicyRecord::resumed(&[], 0).bytes().is_empty());
        for no_record in [record.bytes(), &[7]] {
            assert!(PolicyRecord::resumed(no_record, 0).bytes().is_empty());
        }
    }
}
