//! Terms of bit vectors and floats, and the solvers that decide questions about them. Terms are simplified when they are built.
//! Questions are answered by layers (constants, a cache, independent slices, a local search), and if these have no answer, by a
//! solver behind a pipe that speaks SMT-LIB.
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
