//! Source inputs: made at random, far from each other or along paths, their coverage counted, what they do predicted; and proofs, which
//! speak of all inputs.

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
pub use cover::{Coverage, CoveredBranch, Detail, InputCoverage, Instrumented, cover, coverage_record};
pub use dodona_symbolic::StepLimits;
pub use dodona_symbolic::explore::{Bounds, Order as SearchOrder};
pub use dodona_wasm::execute::{Statement, StatementScope};
pub use generate::{
    ForRelations, FrameMaker, GenerateOptions, Generated, InputColumns, Technique, along_paths_where,
    for_relations, generate, generate_with, provenance,
};
pub use possible::{Asking, Possible};
pub use prioritise::{prioritise, statements};
pub use prove::{can_ask_for_random_bytes, prove};
pub use search::SearchOptions;
pub use solver::Solvers;
