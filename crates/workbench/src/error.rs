//! Why a subject could not be opened or checked.

use std::error::Error;
use std::path::PathBuf;

use dodona_records::{CheckRecord, MatrixError, MutantId};
use dodona_sources::EmptyDomain;
use dodona_target::{CallError, Diagnostic, Outcome};

use crate::pool::{Panicked, Worker};

/// A failure in the words of whoever raises it.
type Boxed = Box<dyn Error + Send + Sync>;

/// Why a subject could not be opened or checked.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// What is under test could not be built, read or started, or is not what it is declared to be.
    #[error("{0}")]
    Opening(Boxed),
    /// A relation file cannot be read.
    #[error("cannot read the relations in {path}: {error}", path = .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// A relation file (or a precondition of the manifest) is wrong.
    #[error("{path} has {} problems", problems.len(), path = .path.display())]
    Relations {
        /// The file.
        path: PathBuf,
        /// Its text.
        text: String,
        /// What is wrong.
        problems: Vec<Diagnostic>,
    },
    /// The subject has no relation to check.
    #[error("{0}")]
    NoRelations(String),
    /// Two files have a relation of the same name.
    #[error("relation `{name}` stands in {} and in {}; give one another name", .first.display(), .second.display())]
    Duplicate {
        /// The name.
        name: String,
        /// The first file.
        first: PathBuf,
        /// The second.
        second: PathBuf,
    },
    /// No relation has the name that was asked for.
    #[error("no relation is called `{name}`{hint}")]
    UnknownRelation {
        /// The name.
        name: String,
        /// The nearest name, as a sentence.
        hint: String,
    },
    /// Nothing can be drawn for a parameter.
    #[error("parameter `{parameter}` of `{function}`: {error}")]
    EmptyDomain {
        /// The function.
        function: String,
        /// The parameter.
        parameter: String,
        /// Why.
        error: EmptyDomain,
    },
    /// No value of a variable is in the domains of all parameters that take it.
    #[error(
        "relation `{relation}`: no value of `{variable}` is in the domains of all parameters that take it: {parameters}; call them with different variables, or widen a domain"
    )]
    DisjointDomains {
        /// The relation.
        relation: String,
        /// The variable.
        variable: String,
        /// The parameters with their functions and domains.
        parameters: String,
    },
    /// Source inputs could not be read.
    #[error("{0}")]
    Sources(String),
    /// Relations cannot be composed.
    #[error("{0}")]
    Composition(String),
    /// No function under test has the name that was asked for.
    #[error("no function under test is called `{name}`{hint}")]
    UnknownFunction {
        /// The name.
        name: String,
        /// The nearest name, as a sentence.
        hint: String,
    },
    /// One function under test must be named.
    #[error("the subject has several functions under test; name one: {}", .0.join(", "))]
    WhichFunction(Vec<String>),
    /// Relations are looked for, but the function has no output.
    #[error(
        "`{0}` has no output, so no relation can speak of it; declare a parameter `in-out` in the manifest if it writes there"
    )]
    NoOutput(String),
    /// Relations are looked for, but the function has no input.
    #[error("`{0}` has no parameter: there is no source input that a follow-up input could be made from")]
    NoParameter(String),
    /// No call of a function gives outputs.
    #[error(
        "none of {inputs} source inputs gives an output: {example} {}; sample where the function returns, or give inputs with --from",
        .outcome.with_limit()
    )]
    NeverReturns {
        /// How many were run.
        inputs: u64,
        /// A call.
        example: String,
        /// How it ended.
        outcome: Outcome,
    },
    /// A function gives two different outputs for one input.
    #[error(
        "{call} is not deterministic: it gave {first}, and called again {second}; relations need a function that gives the same for the same input"
    )]
    NotDeterministic {
        /// The call.
        call: String,
        /// The output of the first call.
        first: String,
        /// The output of the second call.
        second: String,
    },
    /// No input transformation has the name that was asked for.
    #[error("no input transformation is called `{name}`; there are {}, …", known.join(", "))]
    UnknownTransformation {
        /// The name.
        name: String,
        /// The names of the first ones.
        known: Vec<String>,
    },
    /// An engine cannot do what it is asked for with this subject.
    #[error("{0}")]
    Engine(Boxed),
    /// Symbolic execution needs a solver.
    #[error("{0}")]
    Solver(Boxed),
    /// No mutant has the number that was asked for.
    #[error("there is no mutant {id}: {hint}")]
    UnknownMutant {
        /// The number.
        id: MutantId,
        /// The numbers that there are.
        hint: String,
    },
    /// Mutants could not be put into a module. This is a bug in Dodona.
    #[error("the mutants do not form a module: {0}")]
    Mutants(String),
    /// The kill matrix cannot be made.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// The file of accepted mutants is wrong.
    #[error("{path}: {problem}", path = .path.display())]
    Accepted {
        /// The file.
        path: PathBuf,
        /// Its text.
        text: String,
        /// What is wrong.
        problem: Box<Diagnostic>,
    },
    /// A mutant cannot be accepted.
    #[error("{0}")]
    Mutant(String),
    /// The target failed, not the functions under test.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The target failed in the middle of a check. The record has what was found before, and why it failed.
    #[error("{}", .0.failure.as_deref().unwrap_or("the target failed"))]
    CutShort(Box<CheckRecord>),
    /// The system gives no thread.
    #[error("no thread can be started: {0}; end other programs, or raise the limit on threads (ulimit -u)")]
    Thread(std::io::Error),
    /// Dodona panicked. This is a bug in Dodona.
    #[error(transparent)]
    Panicked(#[from] Panicked),
    /// Fewer pieces were run than planned, although the user did not interrupt and no budget was spent. This is a bug in
    /// Dodona.
    #[error("{worker}, {done} of {planned} pieces of work came back, though nothing had stopped the others")]
    Incomplete {
        /// What was being done.
        worker: Worker,
        /// Pieces that were done.
        done: u64,
        /// Pieces that there are.
        planned: u64,
    },
}

impl LabError {
    /// What is under test could not be opened, for this reason.
    pub fn opening(error: impl Error + Send + Sync + 'static) -> LabError {
        LabError::Opening(Box::new(error))
    }

    /// An engine cannot do what it is asked for, for this reason.
    pub fn engine(error: impl Error + Send + Sync + 'static) -> LabError {
        LabError::Engine(Box::new(error))
    }

    /// There is no solver, for this reason.
    pub fn solver(error: impl Error + Send + Sync + 'static) -> LabError {
        LabError::Solver(Box::new(error))
    }

    /// Whether calls were given up because the time was up or the user interrupted.
    pub fn is_stopped(&self) -> bool {
        matches!(self, LabError::Call(CallError::Stopped))
    }

    /// Whether it is a bug in Dodona and not an error of the subject, its manifest or the system. Then other results cannot be
    /// relied on either.
    pub fn is_ours(&self) -> bool {
        matches!(self, LabError::Mutants(_) | LabError::Panicked(_) | LabError::Incomplete { .. })
    }
}
