//! Discovery of output relations for one input transformation, from recorded executions
//! (GenMorph: Ayerdi, Terragni, Jahangirova, Arrieta, Tonella, 2024).

mod bits;
mod column;
mod evaluate;
mod grammar;
mod grow;
mod operator;
mod pairs;
mod random;
mod score;
mod settings;
mod term;
mod transformation;
mod vary;

pub use bits::Bits;
pub use evaluate::Evaluator;
pub use operator::{Operator, is_number, is_sequence};
pub use pairs::{Pairs, Place, Variable};
pub use score::Score;
pub use settings::{SearchKind, Settings, SettingsError};
pub use term::{EmptyKind, Leaf, Node, TermId, Terms};
pub use transformation::{Template, Transformation, outputs, transformations};
