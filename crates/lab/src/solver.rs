//! The solver that symbolic work asks, with all that stands before it.

use std::time::Duration;

use dodona_symbolic::solver::{
    Answer, Layered, NoSolver, QueryLimits, SearchLimits, Searching, SmtSolver, Solver, SolverChoice,
    Surroundings,
};
use dodona_symbolic::term::{Term, Terms};

/// Known answers, then the process, then a search where it does not know.
pub(crate) struct Solvers {
    layers: Layered<Searching<SmtSolver>>,
    name: String,
}

impl Solvers {
    /// Starts the solver that is wanted, or the best that is installed.
    pub(crate) fn start(wanted: Option<&str>, query_time: Option<Duration>) -> Result<Solvers, NoSolver> {
        let choice = SolverChoice::find(wanted, &Surroundings::of_process())?;
        let mut limits = QueryLimits::default();
        if let Some(time) = query_time {
            limits.time = time;
        }
        let mut process = SmtSolver::start(choice, limits);
        let name = process.ready()?.words();
        let layers = Layered::new(Searching::new(process, SearchLimits::default()));
        Ok(Solvers { layers, name })
    }

    /// The solver's command.
    pub(crate) fn name(&self) -> String {
        self.name.clone()
    }
}

impl Solver for Solvers {
    fn check(&mut self, terms: &Terms, constraints: &[Term]) -> Answer {
        self.layers.check(terms, constraints)
    }
}
