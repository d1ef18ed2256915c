//! Symbolic execution of WebAssembly: paths of a function with their constraints, inputs that run them, and proofs.

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
