//! Solvers of constraints.
//!
//! A solver is a process behind pipes and never a library. It may hang, die or answer garbage; it is then ended, started again and asked
//! again. Its answers are not trusted: a model is evaluated, and an answer that is not understood counts as none.
//!
//! Counted work ends a query, in the solver's own units if it counts (z3, cvc5, bitwuzla's module). The clock is the outer bound, and the
//! record says how often it was met.
//!
//! What a solver is told to forget between two queries depends on the solver. bitwuzla and cvc5 keep the common part of path constraints,
//! which takes half the time. z3 keeps it for simple constraints only: there it takes a fifth of the time, but on arithmetic three times
//! as long.

mod blast;
mod choice;
mod idle;
mod layers;
mod process;
pub mod reply;
mod running;
mod search;
mod session;
#[cfg(test)]
mod tests;
mod weight;

pub use blast::{BlastLimits, BlastStatistics, Blasting};
pub use choice::{Family, NoSolver, SolverChoice, SolverCommand, Surroundings};
pub use layers::{LayerStatistics, Layered};
pub use running::QueryLimits;
pub use search::{SearchLimits, SearchStatistics, Searching, search};
pub use session::{Asking, SmtSolver, SolverStatistics};

use crate::term::{Assignment, Term, Terms};

/// The answer of a solver about constraints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// They can be true together, for these values of all variables.
    Satisfiable(Assignment),
    /// They cannot be true together.
    Unsatisfiable,
    /// The solver does not know. This is never taken for "infeasible".
    Unknown(Unknown),
}

/// Why a solver does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The budget of the query was spent: its counted work, or its time, after which the solver was ended.
    Budget,
    /// It said so itself, in these words.
    GaveUp(String),
    /// It died, answered garbage or gave a wrong model, and did so again after a restart; or it could not be started.
    Broken(String),
}

/// Decides whether constraints can be true together. A solver serves one [`Terms`], because it remembers constraints by the
/// nodes of that.
pub trait Solver {
    /// Whether all constraints, which are truth values, can be true together.
    fn check(&mut self, terms: &Terms, constraints: &[Term]) -> Answer;
}
