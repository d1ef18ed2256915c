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
//!
//! # Decisions
//!
//! - Terms have one form, by which most branches are decided without a solver (`crates/smt/src/term/simplify`).
//! - Floats of SMT-LIB have one NaN, those of WebAssembly have payloads (`crates/smt/src/term/smtlib`).
//! - A solver is a process behind pipes, and its answers are not trusted (`crates/smt/src/solver`).
//! - Questions go through layers first (`crates/smt/src/solver/layers`). Those about mutants are blasted into bits
//!   (`crates/smt/src/solver/blast`), and floats are searched (`crates/smt/src/solver/search`).

pub mod solver;
pub mod term;
