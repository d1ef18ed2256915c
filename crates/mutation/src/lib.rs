//! Mutation analysis as an engine: which mutants there are, what relations and inputs catch of them, and which cannot be caught.
//!
//! # Decisions
//!
//! - Mutants are generated once (`crates/mutation/src/set.rs`) and compiled once for whoever runs them again
//!   (`crates/mutation/src/compiled.rs`).
//! - Infection is noted before propagation is tested (`crates/mutation/src/observe.rs`), and is never taken as a kill
//!   (`crates/mutation/src/strong.rs`).
//! - Faulty versions are run as mutants are and are none: they have records of their own, and no score mixes the two (`crates/mutation/src/versions.rs`).
//! - A mutant has ten times the fuel of the original, and 10,000 units more (`crates/mutation/src/fuel.rs`).
//! - What is proved of mutants and what tests show of them are kept apart and compared (`crates/mutation/src/hierarchy`).

mod accept;
mod accepted;
pub mod analysis;
pub mod baseline;
mod compiled;
mod describe;
mod dominators;
pub mod fuel;
mod hierarchy;
mod late;
pub mod mutate;
mod observe;
mod options;
pub mod orders;
mod outside;
mod part;
mod prove;
mod record;
mod result;
pub mod run;
mod select;
mod set;
mod started;
mod strong;
pub mod suite;
mod versions;

pub use accept::{accept, emit, list};
pub use dodona_mutants::{
    AcceptedMutants, Callees, Change, Equivalence, Mutant, OperatorSet, UnknownOperator,
};
pub use dodona_wasm::execute::{HostError, Runner};
pub use hierarchy::{HierarchyOptions, dominators, hierarchy, hierarchy_of_matrix};
pub use mutate::mutate;
pub use options::{
    KeepMatrix, MutateOptions, MutateOutcome, MutateProgress, MutateStage, Mutation, MutationBounds,
};
pub use outside::{OpenVersion, OutsideVersion, SameProgram, ToolChange, mutate_outside};
pub use part::{DivideMutants, MutantsRan, RunMutants, mutate_in_parts};
pub use prove::prove_mutants;
pub use set::{ComparedMutants, MutantSet};
pub use versions::{FaultyVersion, SameCode, have_same_types, open_versions, stand_in_for};
