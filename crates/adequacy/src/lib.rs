//! Measures of how much a set of tests is worth, computed from records of what the tests did. Nothing is run here.
//!
//! Today this is the order in which inputs are run ([`prioritise`]).

pub mod prioritise;
