//! The search for metamorphic relations: enumeration and genetic programming over output relations, the composition of relations, and
//! laws over several calls.
//!
//! Nothing is run here: a search reads columns of recorded executions, correct and incorrect ones, or asks an evaluator that its
//! caller brings.

pub mod composition;
pub mod discovery;
pub mod equations;
pub mod patterns;
mod random;
mod rounding;

pub use dodona_laws as laws;
