//! Composite relations, for people, for programs, and as a file of relations.

mod composite_file;
mod composition_terminal;
mod composition_words;

pub use composite_file::{ComposedRelations, composed_file};
