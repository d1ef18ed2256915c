//! A solver process, and the questions about terms that it is asked.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use super::choice::{Family, NoSolver, SolverChoice, SolverCommand};
use super::process::{Failure, Process, Wanted};
use super::reply::{self, CheckSatResult, MalformedReply};
use super::weight::{Weight, Weights};
use super::{Answer, Solver, Unknown};
use crate::term::{Assignment, Evaluator, SmtLib, Term, Terms, Variable, variable_name};

/// How long a solver may take to start.
const START: Duration = Duration::from_secs(20);

/// The limits of one query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryLimits {
    /// The work that the solver counts, if it can, so that the same query ends at the same place every time. A unit is about a
    /// microsecond.
    pub work: Option<u64>,
    /// The time limit. A solver that takes longer is ended and started again.
    pub time: Duration,
}

impl Default for QueryLimits {
    fn default() -> QueryLimits {
        QueryLimits { work: Some(3_000_000), time: Duration::from_secs(15) }
    }
}

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

/// Asks a solver process. It is started at once, and waited for when it is needed.
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

#[derive(Debug)]
struct Running {
    process: Process,
    command: SolverCommand,
    greeted: bool,
    written: SmtLib,
    /// The constraints, one on each level.
    asserted: Vec<Term>,
    /// Whether it must forget everything before the next query. After a limit was met, z3 refuses to continue.
    stale: bool,
}

/// Why a query has no answer.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error(transparent)]
    NotStarted(#[from] NoSolver),
    #[error(transparent)]
    Process(#[from] Failure),
    #[error(transparent)]
    Answer(#[from] MalformedReply),
    #[error("its model does not satisfy the constraints")]
    WrongModel,
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
        if let Some(running) = &mut self.running {
            // The limit on work is an option of the process, which accepts it only after a reset.
            running.stale |= limits.work != self.limits.work;
        }
        self.limits = limits;
    }

    /// Waits until the solver has started, and returns its command.
    ///
    /// # Errors
    /// When no candidate of the choice works.
    pub fn ready(&mut self) -> Result<&SolverCommand, NoSolver> {
        let begun = Instant::now();
        let greeted = self.greet();
        self.statistics.time += begun.elapsed();
        greeted?;
        match &self.running {
            Some(running) => Ok(&running.command),
            None => Err(self.choice.none()),
        }
    }

    /// The statistics so far.
    pub fn statistics(&self) -> SolverStatistics {
        self.statistics
    }

    fn launch(&mut self) -> Result<(), NoSolver> {
        let command = self.choice.candidates().get(self.candidate).ok_or_else(|| self.choice.none())?.clone();
        let process = Process::start(&command).map_err(|failure| does_not_start(&command, &failure))?;
        self.running = Some(Running {
            process,
            command,
            greeted: false,
            written: SmtLib::new(),
            asserted: Vec::new(),
            stale: false,
        });
        Ok(())
    }

    /// Makes sure that a process runs and has answered once. The candidates are tried one after the other, each once.
    fn greet(&mut self) -> Result<(), NoSolver> {
        while self.candidate < self.choice.candidates().len() {
            let started = if self.running.is_some() { Ok(()) } else { self.launch() };
            let greeted = started.and_then(|()| {
                self.running.as_mut().map_or(Ok(()), |running| running.greet(self.limits, &self.is_wanted))
            });
            let Err(error) = greeted else { return Ok(()) };
            // A Python without the module is no error; any other program should have worked.
            if self.choice.candidates()[self.candidate].family() != Family::BitwuzlaModule {
                self.blamed.get_or_insert(error);
            }
            self.running = None;
            self.candidate += 1;
        }
        Err(self.blamed.clone().unwrap_or_else(|| self.choice.none()))
    }

    fn attempt(&mut self, terms: &Terms, constraints: &[Term]) -> Result<Answer, Trouble> {
        self.greet()?;
        let Some(running) = &mut self.running else { return Err(self.choice.none().into()) };
        let keeping = match self.asking.unwrap_or(Asking::usual(running.command.family())) {
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

fn does_not_start(command: &SolverCommand, failure: &Failure) -> NoSolver {
    NoSolver::DoesNotStart { command: command.words(), reason: failure.to_string() }
}

impl Running {
    fn greet(&mut self, limits: QueryLimits, is_wanted: &Wanted) -> Result<(), NoSolver> {
        if self.greeted {
            return Ok(());
        }
        let answer = self
            .process
            .ask(&self.preamble(limits), START, is_wanted)
            .map_err(|failure| does_not_start(&self.command, &failure))?;
        let reason = |malformed: MalformedReply| NoSolver::DoesNotStart {
            command: self.command.words(),
            reason: malformed.to_string(),
        };
        reply::nothing(&answer).map_err(reason)?;
        self.greeted = true;
        Ok(())
    }

    /// The commands that a process gets at the beginning and after each reset.
    fn preamble(&self, limits: QueryLimits) -> String {
        let mut text = "(set-option :print-success false)\n(set-option :produce-models true)\n".to_owned();
        if let Some((option, units)) = limits.work.and_then(|work| counted(self.command.family(), work)) {
            let _ = writeln!(text, "(set-option :{option} {units})");
        }
        text.push_str("(set-logic QF_BVFP)\n");
        text
    }

    fn check(
        &mut self,
        terms: &Terms,
        constraints: &[Term],
        (limits, is_wanted): (QueryLimits, &Wanted),
        keeping: bool,
    ) -> Result<Answer, Trouble> {
        let mut text = if keeping && !self.stale { self.leave(constraints) } else { self.forget(limits) };
        for &constraint in &constraints[self.asserted.len()..] {
            if keeping {
                self.written.push(&mut text);
            }
            self.written.assert(terms, constraint, &mut text);
            self.asserted.push(constraint);
        }
        // Assertions outside of a level cannot be removed.
        self.stale |= !keeping;
        text.push_str("(check-sat)\n");
        match reply::verdict(&self.process.ask(&text, limits.time, is_wanted)?)? {
            CheckSatResult::Unsatisfiable => Ok(Answer::Unsatisfiable),
            CheckSatResult::Unknown => {
                self.stale = true;
                Ok(Answer::Unknown(self.reason(limits, is_wanted)?))
            }
            CheckSatResult::Satisfiable => {
                self.model(terms, constraints, (limits, is_wanted)).map(Answer::Satisfiable)
            }
        }
    }

    fn forget(&mut self, limits: QueryLimits) -> String {
        self.written = SmtLib::new();
        self.asserted.clear();
        self.stale = false;
        format!("(reset)\n{}", self.preamble(limits))
    }

    /// Leaves the levels of constraints that the next query does not begin with.
    fn leave(&mut self, constraints: &[Term]) -> String {
        let mut text = String::new();
        let common = self.asserted.iter().zip(constraints).take_while(|(a, b)| a == b).count();
        for _ in common..self.asserted.len() {
            self.written.pop(&mut text);
        }
        self.asserted.truncate(common);
        text
    }

    fn reason(&mut self, limits: QueryLimits, is_wanted: &Wanted) -> Result<Unknown, Trouble> {
        if matches!(self.command.family(), Family::Bitwuzla | Family::BitwuzlaModule) {
            return Ok(Unknown::Budget);
        }
        let words = self.process.ask("(get-info :reason-unknown)\n", limits.time, is_wanted)?;
        let words = words
            .trim()
            .trim_start_matches("(:reason-unknown")
            .trim_end_matches(')')
            .trim()
            .trim_matches('"');
        let is_limit = ["resource", "timeout", "canceled", "memout"].iter().any(|word| words.contains(word));
        Ok(if is_limit { Unknown::Budget } else { Unknown::GaveUp(words.chars().take(120).collect()) })
    }

    /// The values of all variables in the constraints, checked by evaluation.
    fn model(
        &mut self,
        terms: &Terms,
        constraints: &[Term],
        (limits, is_wanted): (QueryLimits, &Wanted),
    ) -> Result<Assignment, Trouble> {
        let mut variables: Vec<Variable> =
            constraints.iter().flat_map(|&term| terms.variables_of(term)).copied().collect();
        variables.sort_unstable();
        variables.dedup();
        let mut model = Assignment::default();
        if !variables.is_empty() {
            let names: Vec<String> = variables.iter().map(|&variable| variable_name(variable)).collect();
            let answer =
                self.process.ask(&format!("(get-value ({}))\n", names.join(" ")), limits.time, is_wanted)?;
            for (variable, (name, value)) in variables.iter().zip(reply::values(&answer)?) {
                let sort = terms.variables()[variable.0 as usize].1;
                if name != variable_name(*variable) || value > sort.mask() {
                    return Err(Trouble::WrongModel);
                }
                model.set(*variable, value);
            }
        }
        let mut evaluator = Evaluator::new(terms, &model);
        if constraints.iter().all(|&constraint| evaluator.holds(constraint)) {
            Ok(model)
        } else {
            Err(Trouble::WrongModel)
        }
    }
}

/// The option that limits the work of a query, and the limit in the solver's own units. In a microsecond z3 counts about six
/// units, cvc5 one and bitwuzla a hundredth.
fn counted(family: Family, work: u64) -> Option<(&'static str, u64)> {
    let (option, units) = match family {
        Family::Z3 => ("rlimit", work.saturating_mul(6)),
        Family::BitwuzlaModule => ("rlimit", work / 100),
        Family::Cvc5 => ("reproducible-resource-limit", work),
        Family::Bitwuzla | Family::Other => return None,
    };
    // Zero would mean no limit, and z3 keeps the limit in 32 bits.
    Some((option, units.clamp(1, u32::MAX.into())))
}
