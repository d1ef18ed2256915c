//! Worked examples and laws of composition, over functions written in Rust.

mod condition_tests;
mod inner;
mod laws;
mod orders;
mod readings;
mod searches;
mod table;
pub(super) mod world;
