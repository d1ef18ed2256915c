//! The key that a piece of work is kept under: a hash of all that its result depends on.

use std::fmt;

use sha2::{Digest, Sha256};

/// The SHA-256 of all that a result depends on. Results of the same key are the same.
///
/// ```
/// use dodona_session::KeyBuilder;
/// let key = |text: &str| KeyBuilder::new("check").with(text).with(b"code").key();
/// assert_eq!(key("a"), key("a"));
/// assert_ne!(key("a"), key("b"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
}
