//! One running solver process: what it has been told, how a question is written to it, and how its answer is read.

use std::fmt::Write as _;
use std::time::Duration;

use super::choice::{Family, NoSolver, SolverCommand};
use super::process::{Failure, Process, Wanted};
use super::reply::{self, CheckSatResult, MalformedReply};
use super::{Answer, Unknown, idle};
use crate::term::{Assignment, Evaluator, SmtLib, Term, Terms, Variable, variable_name};

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

/// How long a solver may take to start.
const START: Duration = Duration::from_secs(20);

/// What a process is told before its first question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Greeting {
    /// The options, for it has just been started.
    ToStart,
    /// To forget what others asked, and the options.
    ToForget,
    /// Nothing any more, but its answer has not been read.
    Unanswered,
    /// Nothing any more.
    Done,
}

/// A process, and what it has been told.
#[derive(Debug)]
pub(super) struct Running {
    process: Process,
    command: SolverCommand,
    greeting: Greeting,
    /// Whether it waited for this search, instead of being started for it.
    has_waited: bool,
    written: SmtLib,
    /// The constraints, one on each level.
    asserted: Vec<Term>,
    /// Whether it must forget everything before the next query. After a limit was met, z3 refuses to continue.
    stale: bool,
}

/// Why a query has no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    #[error(transparent)]
    NotStarted(#[from] NoSolver),
    #[error(transparent)]
    Process(#[from] Failure),
    #[error(transparent)]
    Answer(#[from] MalformedReply),
    #[error("its model does not satisfy the constraints")]
    WrongModel,
}

impl Running {
    /// Takes a process that waits, or starts one, without waiting for anything.
    pub(super) fn launch(command: SolverCommand) -> Result<Running, NoSolver> {
        let (process, greeting) = match idle::take(&command) {
            Some(process) => (process, Greeting::ToForget),
            None => {
                let started = Process::start(&command);
                (started.map_err(|failure| does_not_start(&command, &failure))?, Greeting::ToStart)
            }
        };
        let (written, asserted) = (SmtLib::new(), Vec::new());
        let has_waited = greeting == Greeting::ToForget;
        Ok(Running { process, command, greeting, has_waited, written, asserted, stale: false })
    }

    /// Lets it wait for others who need a solver, if it has answered everything. It may have been asked nothing at all: a search
    /// starts its solver at once and often decides all its questions itself.
    pub(super) fn keep(self) {
        // Whoever panics may have left an answer unread.
        if self.greeting != Greeting::Unanswered && !std::thread::panicking() {
            idle::keep(self.command, self.process);
        }
    }

    pub(super) fn command(&self) -> &SolverCommand {
        &self.command
    }

    /// The number of the process.
    #[cfg(test)]
    pub(super) fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Whether it waited for this search. It may have died meanwhile, which says nothing about its command.
    pub(super) fn has_waited(&self) -> bool {
        self.has_waited
    }

    /// The next query has another limit on work. That is an option of the process, which accepts it only after a reset.
    pub(super) fn limit_is_changed(&mut self) {
        self.stale = true;
    }

    /// Waits until it has answered once.
    ///
    /// # Errors
    /// [`Trouble::NotStarted`] if it does not work, [`Failure::NotWanted`] if nobody wants answers any more.
    pub(super) fn greet(&mut self, limits: QueryLimits, is_wanted: &Wanted) -> Result<(), Trouble> {
        let text = match self.greeting {
            Greeting::ToStart => self.preamble(limits),
            Greeting::ToForget => self.forget(limits),
            Greeting::Unanswered => return Err(Failure::NotWanted.into()),
            Greeting::Done => return Ok(()),
        };
        self.greeting = Greeting::Unanswered;
        let answer = self.process.ask(&text, START, is_wanted).map_err(|failure| match failure {
            Failure::NotWanted => Trouble::Process(failure),
            failure => does_not_start(&self.command, &failure).into(),
        })?;
        let reason = |malformed: MalformedReply| NoSolver::DoesNotStart {
            command: self.command.words(),
            reason: malformed.to_string(),
        };
        reply::nothing(&answer).map_err(reason)?;
        self.greeting = Greeting::Done;
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

    pub(super) fn check(
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

fn does_not_start(command: &SolverCommand, failure: &Failure) -> NoSolver {
    NoSolver::DoesNotStart { command: command.words(), reason: failure.to_string() }
}
