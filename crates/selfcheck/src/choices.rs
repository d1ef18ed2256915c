//! Turns the bytes of a fuzzing case into choices: a fuzzer that changes a byte changes a choice. When the bytes are used up every choice is the first.

use arbitrary::Unstructured;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Bytes of one case, for tests that have seeds instead of a fuzzer.
pub fn seeded(seed: u64, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    Xoshiro256PlusPlus::seed_from_u64(seed).fill_bytes(&mut bytes);
    bytes
}

/// The bytes of a case, as choices.
///
/// ```
/// use dodona_selfcheck::Choices;
///
/// let mut choices = Choices::new(&[7, 1]);
/// assert_eq!(choices.below(4), 3);
/// assert_eq!(choices.one_of(&["first", "second"]), "second");
/// assert_eq!(choices.one_of(&["first", "second"]), "first"); // the bytes are used up
/// ```
pub struct Choices<'a>(Unstructured<'a>);

impl<'a> Choices<'a> {
    /// All the bytes of a case.
    pub fn new(bytes: &'a [u8]) -> Choices<'a> {
        Choices(Unstructured::new(bytes))
    }

    /// The first two thirds of a case, for a module, and the rest, for what is done with it: drawing a module
    /// uses up all the bytes that it gets.
    pub fn split(bytes: &'a [u8]) -> (Choices<'a>, Choices<'a>) {
        let (module, rest) = bytes.split_at(bytes.len() / 3 * 2);
        (Choices::new(module), Choices::new(rest))
    }

    /// Whether bytes are left.
    pub(crate) fn has_more(&self) -> bool {
        !self.0.is_empty()
    }

    /// A number below `n`.
    ///
    /// # Panics
    /// When `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.int_in_range(0..=n - 1).unwrap_or(0)
    }

    /// One of the values, of which there is at least one.
    ///
    /// # Panics
    /// When there is none.
    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// True once in `n`; false when the bytes are used up.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1 && n > 1
    }

    /// Any number.
    pub fn bits(&mut self) -> u64 {
        self.0.arbitrary().unwrap_or(0)
    }

    /// A byte.
    pub(crate) fn byte(&mut self) -> u8 {
        self.0.arbitrary().unwrap_or(0)
    }

    /// The next bytes, fewer where fewer are left.
    pub fn bytes(&mut self, length: usize) -> &'a [u8] {
        let length = length.min(self.0.len());
        self.0.bytes(length).unwrap_or_default()
    }
}
