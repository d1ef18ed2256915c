//! Discovery of output relations for one input transformation, from recorded executions (GenMorph: Ayerdi, Terragni, Jahangirova,
//! Arrieta, Tonella, "GenMorph: Automatically Generating Metamorphic Relations via Genetic Programming", TSE 2024).

mod archive;
mod bits;
mod candidate;
mod column;
mod compact;
mod condition;
mod conjoin;
mod cover;
mod disguise;
mod elite;
mod enumerate;
mod evaluate;
mod generation;
mod grammar;
mod grow;
mod judge;
mod operator;
mod pairs;
mod population;
#[cfg(test)]
mod samples;
mod score;
mod search;
mod select;
mod settings;
mod state;
mod term;
mod transformation;
mod tuning;
mod vary;
mod varying_remainder;
mod words;

pub use archive::Origin;
pub use bits::Bits;
pub use candidate::Candidate;
pub use condition::{Conditions, condition};
pub use cover::{GreedyCover, KillSet};
pub use enumerate::{EnumerateOptions, EnumeratedRelation, Enumeration, enumerate, is_metamorphic};
pub use evaluate::Evaluator;
pub use operator::{Operator, is_number, is_sequence};
pub use pairs::{Pairs, Place, Variable};
pub use score::Score;
pub use search::Search;
pub use settings::{SearchKind, Settings, SettingsError};
pub use state::{Rates, SearchState};
pub use term::{EmptyKind, Leaf, Node, TermId, Terms};
pub use transformation::{Template, Transformation, outputs, transformations, transformations_where};
pub use words::{RelationWords, relation_words};
