//! The run loop: a subject with its relations is opened once, source inputs are run through the relations
//! on several threads, the first violation of each is shrunk, and what was seen becomes evidence.

mod caller;
mod check;
mod compare;
mod cover;
mod discover;
mod error;
mod explain;
mod generate;
mod inputs;
mod mutate;
mod plan;
mod pool;
mod prioritise;
mod prove;
mod replay;
mod search;
mod shrink;
mod solver;
mod sources;
mod untested;
mod violation;
mod work;
mod workbench;

pub use caller::SubjectCaller;
pub use check::{Progress, check};
pub use compare::{CompareOptions, CompareProgress, Versions, compare};
pub use cover::{Coverage, CoveredBranch, Detail, InputCoverage, Instrumented, cover, coverage_record};
pub use discover::{DiscoverOptions, DiscoverProgress, Stage, discover};
pub use dodona_execute::{Interruption, Statement, StatementScope, Until};
pub use dodona_mutants::{Callees, OperatorSet, UnknownOperator};
pub use dodona_symbolic::StepLimits;
pub use dodona_symbolic::explore::{Bounds, Order as SearchOrder};
pub use error::LabError;
pub use explain::{bindings, call_record};
pub use generate::{GenerateOptions, Generated, Technique, generate, generate_with, provenance};
pub use inputs::{columns, eligible_rows, inputs};
pub use mutate::{
    KeepMatrix, MutateOptions, MutateOutcome, MutateProgress, Mutation, MutationBounds, accept, emit, list,
    mutate,
};
pub use plan::{CheckOptions, Regressions};
pub use pool::{Panicked, Worker, guarded};
pub use prioritise::{prioritise, statements};
pub use prove::{prove, prove_mutants};
pub use replay::replay;
pub use search::SearchOptions;
pub use workbench::{LoadedRelation, Workbench};
