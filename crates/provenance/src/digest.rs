//! A digest that is the same on every machine and in every version of the compiler.

use std::fmt;

/// FNV-1a with 128 bits: <http://www.isthe.com/chongo/tech/comp/fnv/>. It tells apart what differs
/// by accident; it is no protection against forgery.
///
/// ```
/// use tesuji_provenance::Digest;
/// let mut digest = Digest::default();
/// digest.update(b"foobar");
/// assert_eq!(digest.to_string(), "343e1662793c64bf6f0d3597ba446f18");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digest(u128);

/// The digest of nothing.
impl Default for Digest {
    fn default() -> Digest {
        Digest(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Digest {
    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
}

/// 32 hexadecimal digits.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}
