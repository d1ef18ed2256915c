//! Which tests kill which mutants.

use std::borrow::Borrow;

use fixedbitset::FixedBitSet;

/// The words of a test suite in a row of bits.
const WORD: usize = u64::BITS as usize;

/// Why rows of bits or numbers are not kill sets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KillSetsError {
    /// A row has more or fewer words than the tests need.
    #[error(
        "the row of mutant {mutant} has {found} words and {tests} tests need {}; give a bit to each test",
        tests.div_ceil(WORD)
    )]
    Words {
        /// The mutant whose row it is, from 0.
        mutant: usize,
        /// The words of its row.
        found: usize,
        /// The number of tests.
        tests: usize,
    },
    /// A row names a test that does not exist.
    #[error(
        "mutant {mutant} is killed by test {test}, and there are {tests} tests, numbered from 0; count the tests again"
    )]
    Test {
        /// The mutant whose row it is, from 0.
        mutant: usize,
        /// The test that is named.
        test: usize,
        /// The number of tests.
        tests: usize,
    },
}

/// The tests that kill each mutant: one row for each mutant, with one bit for each test. Mutants and tests are numbered from 0.
///
/// ```
/// use dodona_mutation::orders::KillSets;
/// // Of 3 tests the first two kill mutant 0, none kills mutant 1.
/// let kills = KillSets::new(3, vec![vec![0b011], vec![0]])?;
/// assert_eq!(kills, KillSets::from_tests(3, [vec![0, 1], vec![]])?);
/// assert!(kills.kills(1, 0));
/// assert_eq!(kills.killing(0).collect::<Vec<_>>(), [0, 1]);
/// assert_eq!(kills.alive().collect::<Vec<_>>(), [1]);
/// # Ok::<(), dodona_mutation::orders::KillSetsError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KillSets {
    tests: usize,
    rows: Vec<FixedBitSet>,
}

impl KillSets {
    /// Rows of `tests` bits each, one row for each mutant. The lowest bit of a row's first word is test 0.
    ///
    /// # Errors
    /// [`KillSetsError::Words`] when a row does not have `tests / 64` words, rounded up, and [`KillSetsError::Test`] when a bit
    /// past the last test is set.
    pub fn new(tests: usize, rows: Vec<Vec<u64>>) -> Result<Self, KillSetsError> {
        let row = |(mutant, words): (usize, Vec<u64>)| bits(tests, mutant, &words);
        Ok(KillSets { tests, rows: rows.into_iter().enumerate().map(row).collect::<Result<_, _>>()? })
    }

    /// The numbers of the tests that kill each mutant, in any order, repeated or not.
    ///
    /// # Errors
    /// [`KillSetsError::Test`] when a number is not below `tests`.
    pub fn from_tests<R>(tests: usize, rows: impl IntoIterator<Item = R>) -> Result<Self, KillSetsError>
    where
        R: IntoIterator<Item = usize>,
    {
        let row = |(mutant, numbers): (usize, R)| {
            let mut row = FixedBitSet::with_capacity(tests);
            for test in numbers {
                if test >= tests {
                    return Err(KillSetsError::Test { mutant, test, tests });
                }
                row.insert(test);
            }
            Ok(row)
        };
        Ok(KillSets { tests, rows: rows.into_iter().enumerate().map(row).collect::<Result<_, _>>()? })
    }

    /// The number of mutants.
    pub fn mutants(&self) -> usize {
        self.rows.len()
    }

    /// The number of tests.
    pub fn tests(&self) -> usize {
        self.tests
    }

    /// Whether the test kills the mutant.
    ///
    /// # Panics
    /// When there is no such mutant. A test that does not exist kills nothing.
    pub fn kills(&self, test: usize, mutant: usize) -> bool {
        self.rows[mutant].contains(test)
    }

    /// The tests that kill the mutant, ascending.
    ///
    /// # Panics
    /// When there is no such mutant.
    pub fn killing(&self, mutant: usize) -> impl Iterator<Item = usize> + '_ {
        self.rows[mutant].ones()
    }

    /// How many tests kill the mutant.
    ///
    /// # Panics
    /// When there is no such mutant.
    pub fn times_killed(&self, mutant: usize) -> usize {
        self.rows[mutant].count_ones(..)
    }

    /// The mutants that no test kills, ascending.
    pub fn alive(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.rows.len()).filter(|&mutant| self.rows[mutant].is_clear())
    }

    /// The mutants that the test kills, ascending: the mutant class that the test induces (Kapoor 2011, section 2).
    pub fn class_of(&self, test: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.rows.len()).filter(move |&mutant| self.rows[mutant].contains(test))
    }

    /// Whether one mutant is stronger than another under one test: if the test kills the one, it kills the other (Kapoor 2011,
    /// section 2, relation between mutants). So a mutant that the test does not kill is stronger than every other.
    ///
    /// # Panics
    /// When there is no such mutant.
    pub fn is_stronger_under(&self, test: usize, one: usize, other: usize) -> bool {
        !self.kills(test, one) || self.kills(test, other)
    }

    /// Whether one mutant is stronger than another under every test: the tests that kill the one are among those that kill the
    /// other (Kapoor 2011, proposition 1).
    ///
    /// # Panics
    /// When there is no such mutant.
    pub fn is_stronger(&self, one: usize, other: usize) -> bool {
        self.rows[one].is_subset(&self.rows[other])
    }

    pub(crate) fn rows(&self) -> &[FixedBitSet] {
        &self.rows
    }
}

/// One row of words as bits. Blocks of bit sets are as wide as the machine's words, so the words go through bytes.
fn bits(tests: usize, mutant: usize, words: &[u64]) -> Result<FixedBitSet, KillSetsError> {
    if words.len() != tests.div_ceil(WORD) {
        return Err(KillSetsError::Words { mutant, found: words.len(), tests });
    }
    if let Some(&last) = words.last() {
        let used = tests - (words.len() - 1) * WORD;
        let past = if used == WORD { 0 } else { last >> used };
        if past != 0 {
            let test = tests + past.trailing_zeros() as usize;
            return Err(KillSetsError::Test { mutant, test, tests });
        }
    }
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let blocks = bytes.chunks_exact(size_of::<usize>());
    let blocks = blocks.map(|block| usize::from_le_bytes(block.try_into().expect("a chunk of that size")));
    Ok(FixedBitSet::with_capacity_and_blocks(tests, blocks))
}

/// The transposed matrix: for each number below `columns` the rows that contain it.
pub(crate) fn transposed(rows: &[impl Borrow<FixedBitSet>], columns: usize) -> Vec<FixedBitSet> {
    let mut turned = vec![FixedBitSet::with_capacity(rows.len()); columns];
    for (row, bits) in rows.iter().enumerate() {
        bits.borrow().ones().for_each(|column| turned[column].insert(row));
    }
    turned
}
