//! The search for metamorphic relations: enumeration and genetic programming over output relations.
//!
//! Nothing is run here: a search reads columns of recorded executions, correct and incorrect ones.

pub mod composition;
pub mod discovery;
