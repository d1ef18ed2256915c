//! Terms of bit vectors, floats and arrays, and the solvers that decide them: terms are simplified when they are built, questions
//! are answered by layers (constants, a cache, independent slices, a local search) and at last by a solver behind a pipe that speaks
//! SMT-LIB.
//!
//! ```
//! use dodona_smt::term::{Sort, Terms};
//!
//! let mut terms = Terms::new();
//! let x = terms.variable("x", Sort::Bits(32));
//! let variable = terms.find_variable("x", Sort::Bits(32)).unwrap();
//! assert_eq!(terms.variable_term(variable), x);
//! ```

pub mod solver;
pub mod term;
