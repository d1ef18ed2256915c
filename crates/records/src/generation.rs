//! How source inputs were generated, as data.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Share;

/// What the generation of source inputs for one function found.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct GenerationRecord {
    /// [`FORMAT_VERSION`](crate::FORMAT_VERSION).
    pub format_version: u32,
    /// The subject's name.
    pub subject: String,
    /// The manifest's path as given.
    pub manifest: String,
    /// The function under test.
    pub function: String,
    /// The technique's name, such as `path`.
    pub technique: String,
    /// Where everything random starts.
    pub seed: u64,
    /// Inputs generated.
    pub inputs: u64,
    /// Different paths that they run.
    pub paths: u64,
    /// How many statements they run: lines, or blocks where there are no lines.
    pub statements: Share,
    /// How many edges of branches they take.
    pub branches: Share,
    /// The edges that none of them takes.
    pub uncovered: Vec<UncoveredBranch>,
    /// How symbolic execution went, where it was used.
    pub search: Option<SearchRecord>,
    /// Inputs whose run was not as predicted: a mistake of ours.
    pub mismatches: Vec<Mismatch>,
    /// What else is to be known.
    pub warnings: Vec<String>,
}

impl GenerationRecord {
    /// The inputs whose run was not as predicted, in words.
    pub fn contradictions(&self) -> Vec<String> {
        let words = |mismatch: &Mismatch| {
            format!("{}: input {}: {}", self.function, mismatch.input + 1, mismatch.what)
        };
        self.mismatches.iter().map(words).collect()
    }

    /// What is to be known of how they were generated.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = self.warnings.clone();
        // The only bound that is not the same everywhere.
        let stop = self.search.as_ref().map_or("", |search| search.stop.as_str());
        if stop.ends_with(" s were up") {
            remarks.push(format!("the search ended because {stop}, so that another run may find others"));
        }
        remarks
    }
}

/// An edge of a branch that no input takes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct UncoveredBranch {
    /// Where it is decided: `triangle.c:17:9`, or the function and instruction.
    pub place: String,
    /// The direction, as the `Branches` of `dodona-subject` counts them.
    pub direction: u32,
    /// Why no input takes it.
    pub why: Unreached,
}

/// Why no input takes an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Unreached {
    /// No input takes it: all paths of all inputs that the domains allow were followed.
    Infeasible,
    /// No input of the lengths that were tried takes it, and the domains allow longer ones.
    Lengths,
    /// The search ended before it, with as many inputs as were asked for.
    Count,
    /// Some paths were left at a bound, so nobody knows.
    Bound,
    /// The technique does not search for it.
    NotSearched,
}

/// How symbolic execution went.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct SearchRecord {
    /// Why it ended, in words with the number reached.
    pub stop: String,
    /// Whether every path within the lengths tried was followed to its end.
    pub complete: bool,
    /// Combinations of lengths that were started from.
    pub shapes: u64,
    /// Whether the domains allow no others.
    pub all_shapes: bool,
    /// The longest sequence or text, in elements or bytes.
    pub longest: u64,
    /// Turns of a loop by choice that were followed.
    pub loop_bound: u32,
    /// Paths that ended.
    pub paths: u64,
    /// Sides of decisions that were proved impossible.
    pub infeasible: u64,
    /// Paths that were left, by reason.
    pub cuts: BTreeMap<String, u64>,
    /// Paths that did not end within a bound and have an input all the same, by the bound. The input's outcome says what came
    /// of it: in an endless loop it is out of fuel.
    pub unended: BTreeMap<String, u64>,
    /// States that waited when it ended.
    pub left: u64,
    /// Questions that were asked of the solver.
    pub queries: u64,
    /// Instructions stepped.
    pub steps: u64,
    /// The solver, with its version.
    pub solver: String,
}

/// An input whose run was not as symbolic execution predicted.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct Mismatch {
    /// The number of the input, from 0.
    pub input: u64,
    /// What was predicted and what was seen.
    pub what: String,
}
