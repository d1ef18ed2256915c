//! The search for metamorphic relations: enumeration and genetic programming over output relations, the composition of relations, and
//! laws over several calls.
//!
//! Nothing is run here: a search reads columns of recorded executions, correct and incorrect ones, or asks an evaluator that its
//! caller brings.
//!
//! # Decisions
//!
//! - Laws of any type are terms with equal columns (`crates/inference/src/equations`). Whether one follows from others is asked of an
//!   e-graph (`crates/inference/src/equations/rules.rs`).
//! - What textbooks have names for is a table of forms in the language itself, tried before any search (`crates/inference/src/known_forms`).
//! - Patterns are found by sets of rows and not by enumerating expressions (`crates/inference/src/patterns/conditions.rs`).
//! - A composite relation is a relation of the language like any other (`crates/inference/src/composition`).

pub mod composition;
pub mod discovery;
pub mod equations;
pub mod known_forms;
pub mod patterns;
mod random;
mod rounding;

pub use dodona_laws as laws;
