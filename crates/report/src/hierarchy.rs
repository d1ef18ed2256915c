//! The hierarchy of mutants: for people, for programs, and as drawings.

mod dot;
mod hierarchy_brief;
mod hierarchy_terminal;
mod node_words;
mod svg;

pub use dot::dot_hierarchy;
pub use svg::svg_hierarchy;
