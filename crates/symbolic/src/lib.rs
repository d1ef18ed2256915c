//! Symbolic execution of WebAssembly: paths of a function with their constraints, inputs that run them, and proofs.
//!
//! # Decisions
//!
//! - Branches are `if`, `br_if` and `br_table`, by label. `select` decides nothing: both of its values stay in one term and one path, as
//!   in coverage. Indices of a `br_table` that lead to one label are one edge.
//! - Inputs, memory and outputs are bit vectors, so that the payloads of NaNs and the signs of zeros are kept. Only arithmetic is on
//!   floats, with the canonical NaN.
//! - Each combination of the lengths of sequences, and of the widths of the characters of a text, is a start of its own
//!   (`crates/symbolic/src/explore/start.rs`). There every address that depends on lengths is a number.
//! - The bound of a loop counts turns by choice: turns in which the loop could have ended. A loop that the input does not influence runs
//!   to its end.
//! - States share memory by blocks that are copied when they are written, and terms because each is made once.
//! - Paths that are left at a bound are followed by their values where somebody needs them (`crates/symbolic/src/explore/rest.rs`).
//! - Relations become terms by the steps of their evaluation (`crates/symbolic/src/relation`).
//! - Versions of a block are compared in every state, without knowledge of memory (`crates/symbolic/src/segment`).

mod call;
mod code;
mod end;
pub mod explore;
pub mod input;
mod memory;
mod process;
pub mod prove;
pub mod relation;
pub mod segment;
mod state;
mod step;
mod values;

pub use call::{Output, Symbol, SymbolicCallError, Unreadable};
pub use code::Code;
/// The solvers that explorations ask, and the terms that they are asked about.
pub use dodona_smt::{solver, term};
pub use end::{Cut, End};
pub use step::StepLimits;
