//! Mutation analysis as an engine: which mutants there are, what relations and inputs catch of them, and which cannot be caught.

mod accept;
mod baseline;
mod describe;
mod fuel;
mod mutate;
mod observe;
mod options;
mod prove;
mod record;
mod run;
mod select;
mod suite;

pub use accept::{accept, emit, list};
pub use dodona_mutants::{Callees, OperatorSet, UnknownOperator};
pub use mutate::mutate;
pub use options::{KeepMatrix, MutateOptions, MutateOutcome, MutateProgress, Mutation, MutationBounds};
pub use prove::prove_mutants;
