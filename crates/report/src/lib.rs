//! Reports, made from records alone: nothing is run here.

mod adequacy;
mod check_words;
mod comparison;
mod composition;
mod coverage;
mod discovery;
mod frames;
mod generation;
mod github;
mod hierarchy;
mod json;
mod junit;
mod laws;
mod mutation;
mod proof;
mod style;
mod table;
mod terminal;
mod text;
mod unconfirmed;

pub use adequacy::{json_adequacy, json_selection, terminal_adequacy, terminal_selection};
pub use comparison::{csv_comparison, json_comparison, terminal_comparison};
pub use composition::{ComposedRelations, composed_file, json_composition, terminal_composition};
pub use coverage::{json_coverage, lcov, terminal_coverage};
pub use discovery::{discovered_file, json_discovery, terminal_discovery};
pub use frames::{
    identified_file, json_frames, json_identification, terminal_frames, terminal_identification,
};
pub use generation::{json_generation, terminal_generation};
pub use github::github;
pub use hierarchy::{dot_hierarchy, json_hierarchy, svg_hierarchy, terminal_hierarchy};
pub use json::json;
pub use junit::junit;
pub use laws::{json_laws, laws_file, terminal_laws};
pub use mutation::{csv_mutation, json_mutation, sarif, terminal_mutants, terminal_mutation};
pub use proof::{json_proofs, terminal_proofs};
pub use style::Styles;
pub use terminal::{CounterexampleView, terminal};
