//! Mutation of WebAssembly: mutation operators, the places that they change, all mutants in one module, and the mutants that
//! the compiler shows to be equivalent.
//!
//! [`Mutants::generate`] proposes every change of the functions in a [`Scope`]. A [`Plan`] lays mutants out as versions of
//! functions in one module, with a version that observes which mutants an input reaches and infects. [`equivalences`] compares
//! the compiled code of mutants. [`alone`] writes one mutant as a module of its own.
//!
//! # Decisions
//!
//! - All mutants of a module are compiled together, with a copy of the function for each place and a switch between the mutants there
//!   (`crates/mutants/src/plan.rs`, which has the measurement; `crates/wasm/src/execute/variants.rs`).
//! - Mutants are numbered over all operators (`crates/mutants/src/generate.rs`), and inlined copies of one source expression are one
//!   mutant (`crates/mutants/src/copies.rs`).
//! - Equal machine code is a proof of equivalence (`crates/mutants/src/equivalence.rs`).
//! - Whose code an instruction is decides whether it is mutated (`crates/mutants/src/owner.rs`, `crates/mutants/src/scope.rs`).
//! - Accepted mutants are recognised by what they are and not by their number (`crates/mutants/src/fingerprint.rs`).

mod accepted;
mod alone;
mod artefacts;
mod booleans;
mod candidate;
mod change;
mod changed;
mod code_under_test;
mod copies;
mod describe;
mod emit;
mod encoded;
mod equivalence;
mod facts;
mod fingerprint;
mod gather;
mod generate;
mod kinds;
pub mod laws;
mod operators;
mod owner;
mod plan;
mod read;
mod references;
mod scan;
mod scope;
mod side_by_side;
mod source;

pub use accepted::{Accepted, AcceptedMutants, EmptyReason, Fingerprint, Matches, Stale, match_entries};
pub use alone::{AloneError, alone};
pub use candidate::{Candidate, Edit, Infection, Slot, Step};
pub use change::Change;
pub use code_under_test::CodeUnderTest;
pub use describe::{Describer, Description};
pub use equivalence::{Compared, Equivalence, MOST_COMPARED, equivalences};
pub use fingerprint::fingerprints;
pub use generate::{MOST_INSTRUCTIONS, Mutant, Mutants, SkippedInstruction};
pub use operators::{MutationOperator, OperatorSet, UnknownOperator};
pub use plan::{Form, Notes, Plan};
pub use scan::{Artefact, Operand, Scan, Scanned};
pub use scope::{Callees, Scope};
pub use side_by_side::{MutantVersion, SideBySide, side_by_side};
pub use source::{SourceFile, SourceFiles};
