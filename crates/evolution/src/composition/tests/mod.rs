//! Worked examples and laws of composition, over functions written in Rust.

mod conditions;
mod inner;
mod laws;
mod orders;
mod readings;
mod searches;
mod table;
pub(super) mod world;
