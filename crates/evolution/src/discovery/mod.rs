//! Discovery of output relations for one input transformation, from recorded executions
//! (GenMorph: Ayerdi, Terragni, Jahangirova, Arrieta, Tonella, 2024).

mod operator;
mod pairs;
mod term;
mod transformation;

pub use operator::{Operator, is_number, is_sequence};
pub use pairs::{Pairs, Place, Variable};
pub use term::{EmptyKind, Leaf, Node, TermId, Terms};
pub use transformation::{Template, Transformation, outputs, transformations};
