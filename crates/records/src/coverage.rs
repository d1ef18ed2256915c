//! What inputs cover, as data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::StopReason;

/// What inputs of one function under test cover of it and of all that it calls.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct CoverageRecord {
    /// [`FORMAT_VERSION`](crate::FORMAT_VERSION).
    pub format_version: u32,
    /// The subject's name.
    pub subject: String,
    /// The manifest's path as given.
    pub manifest: String,
    /// The function under test.
    pub function: String,
    /// The seed of the random inputs.
    pub seed: u64,
    /// Why it ended, with the number of inputs.
    pub stop: StopReason,
    /// How many statements were run: lines, or blocks where there are no lines.
    pub statements: Share,
    /// How many edges of branches were taken.
    pub branches: Share,
    /// How many paths were taken.
    pub paths: u64,
    /// Source files with their lines, by path.
    pub files: Vec<FileCoverage>,
    /// Blocks of code without lines, in code order.
    pub blocks: Vec<BlockCoverage>,
}

/// So many of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct Share {
    /// Those covered.
    pub covered: u64,
    /// All.
    pub total: u64,
}

impl Share {
    /// Whole percent, rounded down: 100 means all. `None` of nothing.
    pub fn percent(self) -> Option<u64> {
        (self.covered * 100).checked_div(self.total)
    }

    /// Counts one more.
    pub fn count(&mut self, is_covered: bool) {
        self.covered += u64::from(is_covered);
        self.total += 1;
    }
}

/// The lines of a source file that have code.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct FileCoverage {
    /// The file's path as the compiler recorded it; a relative one counts from the manifest's folder, but for that of a library:
    /// `libm-0.2.16/src/lib.rs`.
    pub path: String,
    /// Of a file of a library, where it was compiled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
    /// In order.
    pub lines: Vec<LineCoverage>,
    /// The text of the file, where it is at hand.
    #[serde(skip)]
    pub source: Option<String>,
}

/// A line of source.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct LineCoverage {
    /// From 1.
    pub line: u32,
    /// How often it was run, all inputs together.
    pub hits: u64,
    /// The branches decided on it, in code order.
    pub branches: Vec<BranchCoverage>,
}

impl LineCoverage {
    /// The directions of its branches, and how many of them were taken.
    pub fn directions(&self) -> Share {
        let mut share = Share::default();
        self.branches.iter().flat_map(|branch| &branch.taken).for_each(|&times| share.count(times > 0));
        share
    }
}

/// A basic block.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct BlockCoverage {
    /// The name of its function in the module.
    pub function: String,
    /// The number of its first instruction there.
    pub instruction: u32,
    /// How often it was run, all inputs together.
    pub hits: u64,
    /// The branch at its end.
    pub branches: Vec<BranchCoverage>,
}

/// A branch of the compiled code.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct BranchCoverage {
    /// The name of its function in the module.
    pub function: String,
    /// The number of the instruction there.
    pub instruction: u32,
    /// How often each direction was taken: of a condition first where it is zero, then where it is not; of a table in
    /// the order of its places.
    pub taken: Vec<u64>,
}
