//! The key that a piece of work is kept under: a hash of all that its result depends on.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The SHA-256 of all that a result depends on. Results of the same key are the same.
///
/// ```
/// use dodona_session::KeyBuilder;
/// let key = |text: &str| KeyBuilder::new("check").with(text).with(b"code").key();
/// assert_eq!(key("a"), key("a"));
/// assert_ne!(key("a"), key("b"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Key(pub(crate) [u8; 32]);

impl Key {
    /// Its bytes, as a part of another key.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// The first digits, which are enough to tell keys apart.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0[..6].iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// All its digits.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl From<Key> for String {
    fn from(key: Key) -> String {
        key.to_string()
    }
}

impl TryFrom<String> for Key {
    type Error = String;

    fn try_from(text: String) -> Result<Key, String> {
        let digit =
            |at: usize| text.get(at..at + 2).filter(|two| two.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let digit = |at: usize| digit(at).and_then(|two| u8::from_str_radix(two, 16).ok());
        let bytes: Option<Vec<u8>> = (0..text.len()).step_by(2).map(digit).collect();
        let bytes = bytes.and_then(|bytes| bytes.try_into().ok());
        bytes.map(Key).ok_or_else(|| format!("`{text}` is no key of 64 digits"))
    }
}

/// Collects the parts of a key.
#[derive(Clone)]
pub struct KeyBuilder(Sha256);

impl KeyBuilder {
    /// A key of this kind of work. Two kinds never have the same key.
    pub fn new(kind: &str) -> KeyBuilder {
        KeyBuilder(Sha256::new()).with(kind)
    }

    /// One more thing that the result depends on. Its length is part of the key: `ab`, `c` and `a`, `bc` are different.
    #[must_use]
    pub fn with(mut self, part: impl AsRef<[u8]>) -> KeyBuilder {
        let part = part.as_ref();
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
        self
    }

    /// The key of all parts so far.
    pub fn key(self) -> Key {
        Key(self.0.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_one_part_ends_is_part_of_the_key() {
        let key = |a: &str, b: &str| KeyBuilder::new("check").with(a).with(b).key();
        assert_ne!(key("ab", "c"), key("a", "bc"));
        assert_ne!(key("ab", ""), KeyBuilder::new("check").with("ab").key());
        assert_ne!(KeyBuilder::new("check").with("a").key(), KeyBuilder::new("checka").key());
    }

    #[test]
    fn a_key_is_its_digits_and_nothing_else_is_one() {
        let key = KeyBuilder::new("check").key();
        assert_eq!(Key::try_from(key.to_string()), Ok(key));
        for text in ["", "0", "00", &"g".repeat(64), &"+1".repeat(32), &"0".repeat(66), &"ä".repeat(32)] {
            assert!(Key::try_from(text.to_string()).is_err(), "{text}");
        }
    }
}
