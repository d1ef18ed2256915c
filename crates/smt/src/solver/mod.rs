//! Solvers of constraints.

mod blast;
mod choice;
mod layers;
mod process;
pub mod reply;
mod search;
mod session;
#[cfg(test)]
mod tests;
mod weight;

pub use blast::{BlastLimits, BlastStatistics, Blasting};
pub use choice::{Family, NoSolver, SolverChoice, SolverCommand, Surroundings};
pub use layers::{LayerStatistics, Layered};
pub use search::{SearchLimits, SearchStatistics, Searching, search};
pub use session::{Asking, QueryLimits, SmtSolver, SolverStatistics};

use crate::term::{Assignment, Term, Terms};

/// What a solver says of constraints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// They hold together, for these values of all variables.
    Satisfiable(Assignment),
    /// They cannot hold together.
    Unsatisfiable,
    /// The solver does not know: never "infeasible".
    Unknown(Unknown),
}

/// Why a solver does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The query's budget was spent: counted work, or time by the clock, after which the solver was ended.
    Budget,
    /// It said so itself, with these words.
    GaveUp(String),
    /// It died, answered garbage or gave a model that is none, again after a restart; or it could not be started.
    Broken(String),
}

/// Decides whether constraints can hold together. One solver serves one [`Terms`]: what it remembers is of that one's nodes.
pub trait Solver {
    /// Whether all constraints (truth values) can hold together.
    fn check(&mut self, terms: &Terms, constraints: &[Term]) -> Answer;
}
