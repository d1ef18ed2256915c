//! A solver as its users see it: a question that a process fails at is asked again of another one, and models are checked.

use std::time::{Duration, Instant};

use super::choice::{Family, NoSolver, SolverChoice, SolverCommand};
use super::process::{Failure, Wanted};
use super::running::{QueryLimits, Running, Trouble};
use super::weight::{Weight, Weights};
use super::{Answer, Solver, Unknown};
use crate::term::{Term, Terms};

/// What a solver is told to forget between two queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// Everything, so that answers do not depend on earlier queries.
    Anew,
    /// Everything that the next query does not have in common with the last one.
    Incrementally,
    /// As before, but everything before a query with float arithmetic, products or quotients: there some solvers lose more time
    /// by what they have learnt than it saves.
    ByWeight,
}

impl Asking {
    /// The fastest setting: on the path constraints of the shipped subjects, bitwuzla and cvc5 take about half the time if they
    /// do not forget. z3 takes a fifth of the time on simple constraints, but three times as long on arithmetic.
    fn usual(family: Family) -> Asking {
        match family {
            Family::Bitwuzla | Family::BitwuzlaModule | Family::Cvc5 => Asking::Incrementally,
            Family::Z3 | Family::Other => Asking::ByWeight,
        }
    }
}

/// Statistics of a solver process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolverStatistics {
    /// Queries that it was asked.
    pub queries: u64,
    /// Queries that it did not decide within its counted work, or gave up.
    pub undecided: u64,
    /// Queries that the clock ended. Only these may have another result in another run.
    pub out_of_time: u64,
    /// Models that did not satisfy the constraints.
    pub wrong_models: u64,
    /// Processes that were started after the first.
    pub restarts: u64,
    /// Time spent waiting for it, including its start.
    pub time: Duration,
}

/// Asks a solver process. It is started at once, and waited for when it is needed. When this is dropped, the process may wait for
/// the next one with the same command, which then need not start its own; it is told to forget everything first.
///
/// A process that dies or answers garbage is started again and asked once more. A process that does not answer in time is
/// ended, and the query counts as beyond its budget. Every model is evaluated before it is used.
#[derive(Debug)]
pub struct SmtSolver {
    choice: SolverChoice,
    candidate: usize,
    /// The error of a candidate that was found but does not work.
    blamed: Option<NoSolver>,
    pub(super) limits: QueryLimits,
    /// `None` stands for the usual setting of the solver.
    asking: Option<Asking>,
    running: Option<Running>,
    weights: Weights,
    is_wanted: Wanted,
    statistics: SolverStatistics,
}

impl SmtSolver {
    /// Starts a solver, without waiting for it.
    pub fn start(choice: SolverChoice, limits: QueryLimits) -> SmtSolver {
        let mut solver = SmtSolver {
            choice,
            candidate: 0,
            blamed: None,
            limits,
            asking: None,
            running: None,
            weights: Weights::default(),
            is_wanted: Wanted::default(),
            statistics: SolverStatistics::default(),
        };
        // If this fails, it fails again when the solver is needed, and is reported then.
        let _ = solver.launch();
        solver
    }

    /// The same, but questions are given up, as beyond their budget, as soon as `goes_on` returns false.
    pub fn while_wanted(mut self, goes_on: impl Fn() -> bool + Send + 'static) -> SmtSolver {
        self.is_wanted = Wanted::new(goes_on);
        self
    }

    /// The same, with another setting of what to forget between queries.
    pub fn asking(mut self, asking: Asking) -> SmtSolver {
        self.asking = Some(asking);
        self
    }

    /// Sets other limits for the next queries.
    pub fn limit(&mut self, limits: QueryLimits) {
        if let Some(running) = self.running.as_mut().filter(|_| limits.work != self.limits.work) {
            running.limit_is_changed();
        }
        self.limits = limits;
    }

    /// Waits until the solver has started, or nobody wants answers any more, and returns its command.
    ///
    /// # Errors
    /// When no candidate of the choice works.
    pub fn ready(&mut self) -> Result<&SolverCommand, NoSolver> {
        let begun = Instant::now();
        let greeted = self.greet();
        self.statistics.time += begun.elapsed();
        if let Err(Trouble::NotStarted(error)) = greeted {
            return Err(error);
        }
        match &self.running {
            Some(running) => Ok(running.command()),
            None => Err(self.choice.none()),
        }
    }

    /// The number of the process that runs.
    #[cfg(test)]
    pub(super) fn process_id(&self) -> Option<u32> {
        Some(self.running.as_ref()?.process_id())
    }

    /// The statistics so far.
    pub fn statistics(&self) -> SolverStatistics {
        self.statistics
    }

    fn launch(&mut self) -> Result<(), NoSolver> {
        let command = self.choice.candidates().get(self.candidate).ok_or_else(|| self.choice.none())?.clone();
        self.running = Some(Running::launch(command)?);
        Ok(())
    }

    /// Makes sure that a process runs and has answered once. The candidates are tried one after the other, each once. If nobody wants
    /// answers any more, that says nothing about a candidate, and no other one is started.
    fn greet(&mut self) -> Result<(), Trouble> {
        while self.candidate < self.choice.candidates().len() {
            let started = if self.running.is_some() { Ok(()) } else { self.launch() };
            let greeted = started.map_err(Trouble::from).and_then(|()| {
                self.running.as_mut().map_or(Ok(()), |running| running.greet(self.limits, &self.is_wanted))
            });
            let error = match greeted {
                Err(Trouble::NotStarted(error)) => error,
                other => return other,
            };
            // That a process died while it waited says nothing about its command.
            if self.running.take().is_some_and(|running| running.has_waited()) {
                continue;
            }
            // A Python without the module is no error; any other program should have worked.
            if self.choice.candidates()[self.candidate].family() != Family::BitwuzlaModule {
                self.blamed.get_or_insert(error);
            }
            self.candidate += 1;
        }
        Err(self.blamed.clone().unwrap_or_else(|| self.choice.none()).into())
    }

    fn attempt(&mut self, terms: &Terms, constraints: &[Term]) -> Result<Answer, Trouble> {
        self.greet()?;
        let Some(running) = &mut self.running else { return Err(self.choice.none().into()) };
        let keeping = match self.asking.unwrap_or(Asking::usual(running.command().family())) {
            Asking::Anew => false,
            Asking::Incrementally => true,
            Asking::ByWeight => self.weights.heaviest(terms, constraints) == Weight::Light,
        };
        running.check(terms, constraints, (self.limits, &self.is_wanted), keeping)
    }

    /// Ends a process that is useless. The next one is started at once.
    fn restart(&mut self, trouble: &Trouble) {
        self.statistics.wrong_models += u64::from(matches!(trouble, Trouble::WrongModel));
        if self.running.take().is_some() {
            self.statistics.restarts += 1;
            let _ = self.launch();
        }
    }

    fn answer(&mut self, terms: &Terms, constraints: &[Term]) -> Answer {
        let mut broken = String::new();
        for _ in 0..2 {
            match self.attempt(terms, constraints) {
                Ok(answer) => return answer,
                Err(trouble) => {
                    if matches!(trouble, Trouble::Process(Failure::NotWanted)) {
                        self.running = None;
                        return Answer::Unknown(Unknown::Budget);
                    }
                    self.restart(&trouble);
                    if matches!(trouble, Trouble::Process(Failure::Silent(_))) {
                        self.statistics.out_of_time += 1;
                        return Answer::Unknown(Unknown::Budget);
                    }
                    broken = trouble.to_string();
                }
            }
        }
        Answer::Unknown(Unknown::Broken(broken))
    }
}

impl Solver for SmtSolver {
    fn check(&mut self, terms: &Terms, constraints: &[Term]) -> Answer {
        let begun = Instant::now();
        self.statistics.queries += 1;
        let answer = self.answer(terms, constraints);
        self.statistics.undecided += u64::from(matches!(answer, Answer::Unknown(_)));
        self.statistics.time += begun.elapsed();
        answer
    }
}

impl Drop for SmtSolver {
    fn drop(&mut self) {
        self.running.take().into_iter().for_each(Running::keep);
    }
}
