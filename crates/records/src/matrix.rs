//! The kill matrix: which test kills which mutant.

mod file;

use std::fmt;

use crate::MutantId;

/// What the tests of a section are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SectionKind {
    /// Inputs of one function, compared with the original's outcomes.
    Inputs,
    /// Metamorphic groups of one relation.
    Relation,
}

/// Tests that stand side by side: columns of the matrix.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Section {
    /// What its tests are.
    pub kind: SectionKind,
    /// The function's or the relation's name.
    pub name: String,
    /// How many tests.
    pub tests: u64,
}

/// `inputs of triangle`, `relation symmetric`.
impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            SectionKind::Inputs => write!(f, "inputs of {}", self.name),
            SectionKind::Relation => write!(f, "relation {}", self.name),
        }
    }
}

/// What a matrix was made of. Numbers of mutants and tests mean something only together with these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatrixOrigin {
    /// Stands for the bytes of the module: 64 bits made of them.
    pub module: u64,
    /// Where the random inputs started.
    pub seed: u64,
}

/// Why there is no such matrix, or why bytes are none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatrixError {
    /// It would not fit into [`KillMatrix::MOST_BYTES`].
    #[error(
        "a kill matrix of {mutants} mutants by {tests} tests is larger than {} MiB; choose fewer inputs, functions or operators",
        KillMatrix::MOST_BYTES >> 20
    )]
    TooLarge {
        /// Its rows.
        mutants: u64,
        /// Its columns.
        tests: u64,
    },
    /// Mutants are not in ascending order.
    #[error("mutant {0} of the kill matrix does not come after the one before it; rows ascend from M1")]
    Order(MutantId),
    /// The bytes are no matrix, or one of another version.
    #[error("not a kill matrix of version {version}: {0}", version = KillMatrix::VERSION)]
    Header(&'static str),
    /// The bytes end too early, or go on after the end.
    #[error("the kill matrix should have {expected} bytes after its header and has {found}; write it again")]
    Length {
        /// The bytes that its sections and rows take.
        expected: u64,
        /// The bytes that are there.
        found: u64,
    },
    /// A section is damaged.
    #[error("section {0} of the kill matrix is damaged; write the file again")]
    Section(u32),
    /// A row has bits past its last test.
    #[error("the row of {0} has bits past its last test; write the file again")]
    Padding(String),
    /// The name of a faulty version is damaged.
    #[error("the name of faulty version {0} of the kill matrix is damaged; write the file again")]
    Version(u64),
}

/// Which test kills which mutant: a row a mutant by ascending number, a column a test, a bit a pair. Faulty versions have rows after those of the mutants.
///
/// For inputs, a bit says that the outcome differs from the original's; for metamorphic groups, that the group holds on
/// the original and is violated on the mutant.
///
/// ```
/// use dodona_records::{KillMatrix, MutantId, Section, SectionKind};
/// let inputs = Section { kind: SectionKind::Inputs, name: "gcd".into(), tests: 3 };
/// let symmetric = Section { kind: SectionKind::Relation, name: "symmetric".into(), tests: 2 };
/// let mut matrix = KillMatrix::new(vec![inputs, symmetric], vec![MutantId(1), MutantId(4)])?;
/// matrix.mark(1, matrix.first_test(1), [false, true]);
/// assert!(matrix.kills(1, 4));
/// assert_eq!(matrix.row_of(MutantId(4)), Some(1));
/// let mut file = Vec::new();
/// matrix.write(&mut file)?;
/// assert_eq!(KillMatrix::read(&file)?, matrix);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KillMatrix {
    origin: Option<MatrixOrigin>,
    sections: Vec<Section>,
    mutants: Vec<MutantId>,
    /// The names of the faulty versions.
    versions: Vec<String>,
    tests: usize,
    /// Words a row.
    stride: usize,
    /// Row by row; the lowest bit of a word is the first test.
    words: Vec<u64>,
}

impl KillMatrix {
    /// The version of the file format. Files of version 1 are read, too: they do not say what they were made of.
    pub const VERSION: u32 = 2;

    /// The version of files with rows of faulty versions. A file without them is written in [`KillMatrix::VERSION`], which more programs read.
    pub const VERSION_WITH_FAULTY_VERSIONS: u32 = 3;

    /// The most bytes that the bits of a matrix may take: 1 GiB.
    pub const MOST_BYTES: u64 = 1 << 30;

    /// A matrix of these tests and mutants in which no test kills any.
    ///
    /// # Errors
    /// [`MatrixError::TooLarge`], and [`MatrixError::Order`] when the mutants' numbers do not ascend from 1.
    pub fn new(sections: Vec<Section>, mutants: Vec<MutantId>) -> Result<Self, MatrixError> {
        Self::with_versions(sections, mutants, Vec::new())
    }

    /// [`KillMatrix::new`] with rows for faulty versions of these names, too.
    ///
    /// # Errors
    /// As [`KillMatrix::new`].
    pub fn with_versions(
        sections: Vec<Section>,
        mutants: Vec<MutantId>,
        versions: Vec<String>,
    ) -> Result<Self, MatrixError> {
        let all = sections.iter().try_fold(0_u64, |sum, s| sum.checked_add(s.tests)).unwrap_or(u64::MAX);
        let rows = (mutants.len() + versions.len()) as u64;
        let too_large = MatrixError::TooLarge { mutants: rows, tests: all };
        let bytes = all.div_ceil(64).checked_mul(8).and_then(|stride| stride.checked_mul(rows.max(1)));
        if bytes.is_none_or(|bytes| bytes > Self::MOST_BYTES) {
            return Err(too_large);
        }
        let mut last = MutantId(0);
        for &mutant in &mutants {
            if mutant <= last {
                return Err(MatrixError::Order(mutant));
            }
            last = mutant;
        }
        let tests = usize::try_from(all).map_err(|_| too_large)?;
        let stride = tests.div_ceil(64);
        let words = vec![0; stride * rows as usize];
        Ok(KillMatrix { origin: None, sections, mutants, versions, tests, stride, words })
    }

    /// The same matrix, with what it was made of.
    #[must_use]
    pub fn with_origin(self, origin: MatrixOrigin) -> KillMatrix {
        KillMatrix { origin: Some(origin), ..self }
    }

    /// What it was made of, where that is known.
    pub fn origin(&self) -> Option<MatrixOrigin> {
        self.origin
    }

    /// The sections in the order of their columns.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The mutants in the order of their rows.
    pub fn mutants(&self) -> &[MutantId] {
        &self.mutants
    }

    /// The names of the faulty versions in the order of their rows, which follow those of the mutants.
    pub fn versions(&self) -> &[String] {
        &self.versions
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.mutants.len() + self.versions.len()
    }

    /// The row of the faulty version of this name.
    pub fn row_of_version(&self, name: &str) -> Option<usize> {
        Some(self.mutants.len() + self.versions.iter().position(|version| version == name)?)
    }

    /// The number of columns.
    pub fn tests(&self) -> usize {
        self.tests
    }

    /// The column of a section's first test; for the number of sections, the number of columns.
    ///
    /// # Panics
    /// When there are fewer sections.
    pub fn first_test(&self, section: usize) -> usize {
        // The sum is at most `tests`, which is a `usize`.
        self.sections[..section].iter().map(|s| s.tests as usize).sum()
    }

    /// The row of a mutant.
    pub fn row_of(&self, mutant: MutantId) -> Option<usize> {
        self.mutants.binary_search(&mutant).ok()
    }

    /// Whether a test kills a mutant.
    ///
    /// # Panics
    /// When there is no such row or column.
    pub fn kills(&self, row: usize, test: usize) -> bool {
        let (word, bit) = self.position(row, test);
        self.words[word] & bit != 0
    }

    /// Notes that a test kills a mutant.
    ///
    /// # Panics
    /// When there is no such row or column.
    pub fn set(&mut self, row: usize, test: usize) {
        let (word, bit) = self.position(row, test);
        self.words[word] |= bit;
    }

    /// Notes the kills among tests that follow one another: one `bool` a test. What was noted before stays.
    ///
    /// # Panics
    /// When there is no such row, or a kill has no column.
    pub fn mark(&mut self, row: usize, first_test: usize, kills: impl IntoIterator<Item = bool>) {
        for (i, kill) in kills.into_iter().enumerate() {
            if kill {
                self.set(row, first_test + i);
            }
        }
    }

    /// The name of a row: the number of a mutant, or `version` and the name of a faulty version.
    ///
    /// # Panics
    /// When there is no such row.
    pub fn row_name(&self, row: usize) -> String {
        match self.mutants.get(row) {
            Some(mutant) => mutant.to_string(),
            None => format!("version {}", self.versions[row - self.mutants.len()]),
        }
    }

    /// How many tests kill a mutant.
    ///
    /// # Panics
    /// When there is no such row.
    pub fn count(&self, row: usize) -> u64 {
        self.row(row).iter().map(|word| u64::from(word.count_ones())).sum()
    }

    fn position(&self, row: usize, test: usize) -> (usize, u64) {
        assert!(row < self.rows() && test < self.tests, "no cell ({row}, {test})");
        (row * self.stride + test / 64, 1 << (test % 64))
    }

    fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.stride..(row + 1) * self.stride]
    }
}
