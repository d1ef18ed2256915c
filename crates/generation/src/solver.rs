//! The solver that symbolic work asks, with all that stands before it.

use std::time::Duration;

use dodona_execute::Until;
use dodona_symbolic::solver::{
    Answer, Family, Layered, NoSolver, QueryLimits, SearchLimits, Searching, SmtSolver, Solver, SolverChoice,
    SolverCommand, Surroundings, Unknown,
};
use dodona_symbolic::term::{Term, Terms};

/// What a question is given when the time is up: the last one is not cut in half.
const LEAST: Duration = Duration::from_millis(50);

/// How much longer than its counted work a question may take by the clock.
const CLOCK: u32 = 5;

/// Known answers, then the process, then a search where it does not know.
pub struct Solvers {
    layers: Layered<Searching<SmtSolver>>,
    name: String,
    limits: QueryLimits,
    /// When all is to end.
    until: Until,
}

impl Solvers {
    /// Starts the solver that is wanted, or the best that is installed. No question goes on beyond the end.
    pub(crate) fn start(
        wanted: Option<&str>,
        query_time: Option<Duration>,
        until: &Until,
    ) -> Result<Solvers, NoSolver> {
        let choice = SolverChoice::find(wanted, &Surroundings::of_process())?;
        let mut limits = QueryLimits::default();
        if let Some(time) = query_time {
            // A unit of work is about a microsecond. The counted bound is to decide, so that the same question ends at the
            // same place everywhere; the clock is for solvers that do not count.
            limits.work = Some(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
            limits.time = time * CLOCK;
        }
        let end = until.clone();
        let mut process = SmtSolver::start(choice, limits).while_wanted(move || !end.is_interrupted());
        let name = name(process.ready()?);
        let layers = Layered::new(Searching::new(process, SearchLimits::default()));
        Ok(Solvers { layers, name, limits, until: until.clone() })
    }

    /// Its name.
    pub(crate) fn name(&self) -> String {
        self.name.clone()
    }
}

/// What people call it.
fn name(command: &SolverCommand) -> String {
    match command.family() {
        Family::Bitwuzla | Family::BitwuzlaModule => "bitwuzla".to_owned(),
        Family::Z3 => "z3".to_owned(),
        Family::Cvc5 => "cvc5".to_owned(),
        Family::Other => command.words(),
    }
}

impl Solver for Solvers {
    fn check(&mut self, terms: &Terms, constraints: &[Term]) -> Answer {
        if self.until.is_interrupted() {
            return Answer::Unknown(Unknown::Budget);
        }
        if let Some(left) = self.until.left() {
            let left = left.max(LEAST);
            let limits = QueryLimits { time: self.limits.time.min(left), ..self.limits };
            self.layers.inner_mut().inner_mut().limit(limits);
        }
        self.layers.check(terms, constraints)
    }
}
