//! Drawings of an order of mutants: stronger ones above weaker ones.

mod dot;
mod svg;
mod words;

pub use dot::dot_hierarchy;
pub use svg::svg_hierarchy;
