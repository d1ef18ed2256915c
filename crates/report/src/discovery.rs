//! Relations that were found, for people, for programs, and as a file of relations.

mod discovery_terminal;
pub(crate) mod discovery_words;
mod relation_file;
mod several;
mod version_words;

pub use relation_file::discovered_file;
pub(crate) use several::Document as DiscoveriesDocument;
pub use several::{discoveries_file, name_apart};
