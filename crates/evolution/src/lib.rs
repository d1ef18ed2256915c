//! The search for metamorphic relations: enumeration and genetic programming over output relations, and the composition of relations.
//!
//! Nothing is run here: a search reads columns of recorded executions, correct and incorrect ones, or asks an evaluator that its
//! caller brings.

pub mod composition;
pub mod discovery;
mod random;
