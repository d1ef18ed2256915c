//! Reports, made from records alone: nothing is run here.

mod adequacy;
mod check_words;
mod comparison;
mod composition;
mod coverage;
mod discovery;
mod first_screen;
mod format;
mod frames;
mod generation;
mod github;
mod hierarchy;
mod junit;
mod laws;
mod mutation;
mod proof;
mod run;
mod sarif_parts;
mod style;
mod table;
mod terminal;
mod text;
mod unconfirmed;
mod warnings;

pub use composition::{ComposedRelations, composed_file};
pub use discovery::discovered_file;
pub use format::{Explained, Format, Report};
pub use frames::{FramesReport, identified_file};
pub use hierarchy::{dot_hierarchy, svg_hierarchy};
pub use laws::laws_file;
pub use mutation::{brief_mutation, elements, terminal_mutants};
pub use run::next_steps;
pub use style::Styles;
pub use terminal::CounterexampleView;
pub use text::grouped;
