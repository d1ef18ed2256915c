//! Laws of functions of any type, found by the enumeration of terms: `hex_decode(hex_encode(b)) == b`,
//! `len(hex_encode(b)) == 2 * len(b)`.
//!
//! Terms are made of variables, constants, the words of the relation language and calls of the functions under test, the
//! smallest first. Each term has a column of values over recorded executions. If another term already has the same column, the
//! two are a candidate for an equation, and no larger terms are built from the new one ([`Enumeration`]). A candidate that
//! follows from the equations that are already listed is not listed again; equality saturation decides whether it follows
//! ([`Rules`]). QuickSpec (Smallbone, Johansson, Claessen and Algehed 2017) finds laws of Haskell functions in this way.
//!
//! Of terms of the same size, words come before calls. So a call that is equal to an expression of words is described by it, and no
//! larger terms are built from the call. Equations without calls are found in the same way, on values that no domain restricts; they
//! become rules and are not reported.

mod bounds;
mod cases;
mod changed;
mod conditional;
mod enumerate;
mod equation;
mod equation_candidate;
mod equation_term;
mod equation_tuning;
mod expression;
mod head;
mod indiscernible;
mod inequalities;
mod instances;
mod kinds;
mod laboratory;
mod lengths;
mod made;
mod name;
mod naming_order;
mod parts;
mod rules;
mod textbook;
mod values;
mod vocabulary;
mod write_equation;

pub use enumerate::{Enumeration, Limits};
pub use equation::Equation;
pub use equation_term::{Term, TermId, Terms};
pub use head::Head;
pub use laboratory::{FreshVerdict, Laboratory};
pub use lengths::LineSteps;
pub use rules::Rules;
pub use values::Values;
pub use vocabulary::{EquationFunction, EquationOutput, EquationVariable, Vocabulary};
pub use write_equation::Written;
