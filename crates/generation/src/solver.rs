//! The solver that symbolic work asks: what is known already answers first, then a solver process, then a search for values.

use std::time::Duration;

use dodona_symbolic::solver::{
    Answer, BlastLimits, Blasting, Family, Layered, NoSolver, QueryLimits, SearchLimits, Searching,
    SmtSolver, Solver, SolverChoice, SolverCommand, Surroundings, Unknown,
};
use dodona_symbolic::term::{Term, Terms};
use dodona_target::Until;

/// What a question is given at least, if it is asked before the time is up: the last one is not cut in half.
const LEAST: Duration = Duration::from_millis(50);

/// What the clock gives a question at least whose work the solver counts. A process that has just been started takes up to a tenth of a second
/// for its first answer (z3 4.8.12 touches 30 MB before it). With less it is ended before it answers, and so is the next one.
const FIRST_ANSWER: Duration = Duration::from_millis(250);

/// The most often that what a question is given is halved: a thirty-second part still decides what is easy. Halving after each question that is left open, and not
/// after each fourth, leaves 16 questions of `baggage` open where it was 8 and 19 of `parking` for 14, and takes half and a third of the solver's time.
const MOST_HALVED: u32 = 5;

/// The version of a solver of this name, `bitwuzla` or `z3`, if one is installed that proofs can ask. Starts processes.
pub fn installed_solver(name: &str) -> Option<String> {
    let choice = SolverChoice::find(Some(name), &Surroundings::of_process()).ok()?;
    // One that tells no version, such as a Python without the module, cannot be asked.
    choice
        .candidates()
        .iter()
        .map(|command| (command, command.version()))
        .find_map(|(command, version)| (version != command.words()).then_some(version))
}

/// Known answers, then gates where that is wanted, then the process, then a search where it does not know.
pub struct Solvers {
    layers: Layered<Blasting<Searching<SmtSolver>>>,
    name: String,
    /// What the clock gives a question at least.
    least: Duration,
    limits: QueryLimits,
    /// When all is to end.
    until: Until,
    /// How many questions were left open.
    open: u32,
    /// Whether each of them halves what the next ones are given.
    loses_patience: bool,
    /// After how many of them none is asked any more.
    most_open: Option<u32>,
}

impl Solvers {
    /// Starts the solver that is wanted, or the best that is installed. No question goes on beyond the end.
    pub(crate) fn start(
        wanted: Option<&str>,
        query_time: Option<Duration>,
        slack: u32,
        until: &Until,
    ) -> Result<Solvers, NoSolver> {
        let choice = SolverChoice::find(wanted, &Surroundings::of_process())?;
        let mut limits = QueryLimits::default();
        if let Some(time) = query_time {
            // A unit of work is about a microsecond. The counted bound is to decide, so that the same question ends at the
            // same place everywhere; the clock is for solvers that do not count.
            limits.work = Some(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
        }
        if let Some(work) = limits.work {
            limits.time = Duration::from_micros(work).saturating_mul(slack);
        }
        let end = until.clone();
        let mut process = SmtSolver::start(choice, limits).while_wanted(move || !end.is_interrupted());
        let command = process.ready()?;
        // Where the solver counts its work, the clock ends only what hangs.
        let least = if command.family().counts_work() { FIRST_ANSWER } else { Duration::ZERO };
        let name = name(command);
        let searching = Searching::new(process, SearchLimits::default());
        let layers = Layered::new(Blasting::new(searching, BlastLimits::OFF));
        Ok(Solvers {
            layers,
            name,
            least,
            limits,
            until: until.clone(),
            open: 0,
            loses_patience: false,
            most_open: None,
        })
    }

    /// The same, but each question that is left open halves what the next ones are given, and where the solver does not know, nothing is searched:
    /// for many questions of which only `unsat` is of use, and none matters much, so that hard ones of one kind do not take all the time. Questions
    /// about integers are decided within the process first.
    #[must_use]
    pub fn losing_patience(mut self) -> Solvers {
        self.layers.inner_mut().limit(BlastLimits::default());
        self.layers.inner_mut().inner_mut().limit(SearchLimits { after: 0, ..SearchLimits::default() });
        Solvers { loses_patience: true, ..self }
    }

    /// The same, but after so many questions that are left open no more is asked.
    #[must_use]
    pub(crate) fn leaving_open(self, most_open: Option<u32>) -> Solvers {
        Solvers { most_open, ..self }
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
        // A search may have many questions left when its time is up. Each would take its least time, and a new solver process.
        if !self.until.goes_on() || self.most_open.is_some_and(|most| self.open >= most) {
            return Answer::Unknown(Unknown::Budget);
        }
        let halved = if self.loses_patience { self.open.min(MOST_HALVED) } else { 0 };
        let time = (self.limits.time / (1 << halved)).max(self.least);
        let time = self.until.left().map_or(time, |left| time.min(left.max(LEAST)));
        let work = self.limits.work.map(|work| work >> halved);
        self.layers.inner_mut().inner_mut().inner_mut().limit(QueryLimits { work, time });
        let answer = self.layers.check(terms, constraints);
        let is_open = matches!(answer, Answer::Unknown(_));
        self.open = self.open.saturating_add(u32::from(is_open));
        answer
    }
}

#[cfg(test)]
mod tests {
    use dodona_symbolic::term::Sort;
    use dodona_target::Interruption;

    use super::*;

    #[test]
    fn no_question_is_asked_after_so_many_that_were_left_open() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::Bits(32));
        let is_three = terms.equal(x, Term::bits(32, 3));
        let answer = |most, open| {
            let until = Until::after(None, &Interruption::default());
            let solvers = Solvers::start(None, None, 5, &until).expect("a solver").leaving_open(most);
            Solvers { open, ..solvers }.check(&terms, &[is_three])
        };
        assert!(matches!(answer(Some(2), 1), Answer::Satisfiable(_)));
        assert!(matches!(answer(Some(2), 2), Answer::Unknown(Unknown::Budget)));
        assert!(matches!(answer(None, 2), Answer::Satisfiable(_)));
    }

    #[test]
    fn no_question_is_asked_when_the_time_is_up() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::Bits(32));
        let is_three = terms.equal(x, Term::bits(32, 3));
        let answer = |time| {
            let until = Until::after(time, &Interruption::default());
            let mut solvers = Solvers::start(None, None, 5, &until).expect("a solver");
            solvers.check(&terms, &[is_three])
        };
        assert!(matches!(answer(None), Answer::Satisfiable(_)));
        assert!(matches!(answer(Some(Duration::ZERO)), Answer::Unknown(Unknown::Budget)));
    }
}
