//! Symbolic execution of WebAssembly: paths of a function with their constraints, inputs that run them, and proofs.

pub mod solver;
pub mod term;
