//! Source inputs: made at random, far from each other or along paths, their coverage counted, what they do predicted; and proofs, which
//! speak of all inputs.
//!
//! # Decisions
//!
//! - Every input of symbolic execution is run, and compared with what was predicted (`crates/generation/src/generate/replay.rs`).
//! - Techniques stand in one table (`crates/generation/src/generate/technique.rs`). That of frames is handed in from above
//!   (`crates/generation/src/generate/frames.rs`).
//! - Comparisons are looked for in the terms of symbolic execution and not in the constants of the code
//!   (`crates/generation/src/comparisons`).

pub mod adequacy;
mod comparisons;
mod constants;
pub mod cover;
pub mod generate;
pub mod paths;
mod possible;
mod prioritise;
mod prove;
pub mod search;
mod solver;

pub use comparisons::{ComparisonBorders, comparison_borders};
pub use constants::constants;
pub use cover::{
    Coverage, CoveredBranch, CoveredFunction, Detail, InputCoverage, Instrumented, Order, ReachedCode,
    StatementSequence, TracedFunction, cover, coverage_record,
};
pub use dodona_symbolic::StepLimits;
pub use dodona_symbolic::explore::{Bounds, Order as SearchOrder};
pub use dodona_wasm::execute::{Statement, StatementScope};
pub use generate::{
    ForRelations, FrameMaker, GenerateOptions, Generated, InputColumns, Technique, along_paths_where,
    for_relations, generate, generate_with, provenance,
};
pub use possible::{Asking, Possible};
pub use prioritise::{prioritise, statements};
pub use prove::{Violations, can_ask_for_random_bytes, prove};
pub use search::SearchOptions;
pub use solver::{Solvers, installed_solver};
