//! Proofs over all paths: that two versions of a function do the same, or that a relation holds; otherwise an input that shows
//! the contrary.

mod differs;
mod relation;

use std::rc::Rc;

use dodona_subject::Function;

pub use relation::{GroupProof, ProofError, ProofWork, Prover, SourcePath, Way, WayVisitor};

pub(crate) use differs::{Ends, ends_alike, outputs_differ, zeros_differ};
use dodona_smt::solver::Answer;
use dodona_smt::term::{Assignment, Term};

use crate::SymbolicCallError;
use crate::code::Code;
use crate::explore::{Exploration, Explorer, Path, Start, Stop};

/// The paths of the original, with which mutants are compared.
#[derive(Clone, Debug)]
pub struct OriginalPaths {
    code: Rc<Code>,
    starts: Vec<Start>,
    paths: Vec<Path>,
    /// The statistics of the exploration.
    pub exploration: Exploration,
}

/// The result of comparing a mutant with the original.
#[derive(Clone, Debug)]
pub enum MutantComparison {
    /// They do the same on every path, within the starts.
    Equivalent,
    /// They differ on the inputs of this model, from this start.
    Differ {
        /// Values of all variables.
        model: Assignment,
        /// The start, by index.
        start: usize,
    },
    /// It is not known, for these reasons.
    Open(Vec<OpenReason>),
}

/// Why a proof was left open.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OpenReason {
    /// The caller's `go_on` returned false. Only the caller knows why: because of an interruption, or because the time was up.
    Stopped,
    /// Something in the function, the relation, the bounds or the solver, in words.
    Because(String),
}

impl OpenReason {
    /// The words of a reason; for [`OpenReason::Stopped`] they are `stopped`.
    pub fn words(self, stopped: &str) -> String {
        match self {
            OpenReason::Stopped => stopped.to_owned(),
            OpenReason::Because(words) => words,
        }
    }
}

impl From<&str> for OpenReason {
    fn from(words: &str) -> Self {
        OpenReason::Because(words.to_owned())
    }
}

impl OriginalPaths {
    /// Explores the original.
    ///
    /// # Errors
    /// When the function cannot be called on symbols.
    pub fn explore(
        explorer: &mut Explorer<'_>,
        code: &Rc<Code>,
        function: &Function,
        starts: Vec<Start>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<OriginalPaths, SymbolicCallError> {
        explorer.swap_code(code);
        let mut paths = Vec::new();
        let exploration = explorer.explore(function, starts.clone(), go_on, &mut |_, path| {
            paths.push(path);
            true
        })?;
        Ok(OriginalPaths { code: Rc::clone(code), starts, paths, exploration })
    }

    /// Compares a mutant with the original: for each path of the original the paths of the mutant, and for each of these the
    /// results of both.
    ///
    /// # Errors
    /// When the mutant cannot be called on symbols.
    pub fn compare(
        &self,
        explorer: &mut Explorer<'_>,
        mutant: &Rc<Code>,
        function: &Function,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<MutantComparison, SymbolicCallError> {
        let mut open = reasons(&self.exploration);
        for path in &self.paths {
            explorer.swap_code(mutant);
            let mut found = None;
            let mut unknown = None;
            let start = Start {
                symbols: self.starts[path.start].symbols.clone(),
                assumptions: path.constraints.clone(),
                model: path.model.clone(),
            };
            let exploration = explorer.explore(function, vec![start], go_on, &mut |explorer, other| {
                match difference(explorer, function, path, &other) {
                    Difference::At(model) => found = Some(model),
                    Difference::Open(why) => unknown = Some(why),
                    Difference::Nowhere => {}
                }
                found.is_none()
            })?;
            explorer.swap_code(&self.code);
            if let Some(model) = found {
                return Ok(MutantComparison::Differ { model, start: path.start });
            }
            open.extend(unknown.map(OpenReason::from));
            open.extend(reasons(&exploration));
            if !go_on() {
                open.push(OpenReason::Stopped);
                break;
            }
        }
        open.sort();
        open.dedup();
        Ok(if open.is_empty() { MutantComparison::Equivalent } else { MutantComparison::Open(open) })
    }
}

/// Where the results of two paths with the same inputs differ.
enum Difference {
    Nowhere,
    /// On these values.
    At(Assignment),
    /// It is not known, for this reason.
    Open(&'static str),
}

fn difference(explorer: &mut Explorer<'_>, function: &Function, a: &Path, b: &Path) -> Difference {
    const UNKNOWN: &str = "the solver did not know whether the outputs differ";
    match ends_alike(a, b) {
        Ends::Differ => return Difference::At(b.model.clone()),
        Ends::Same => return Difference::Nowhere,
        Ends::Unknown => return Difference::Open(UNKNOWN),
        Ends::ByOutputs => {}
    }
    let (Ok(left), Ok(right)) = (&a.outputs, &b.outputs) else { return Difference::Open(UNKNOWN) };
    let differs = outputs_differ(explorer.terms(), function, left, right);
    match asked(explorer, b, differs) {
        Answer::Satisfiable(model) => return Difference::At(model),
        Answer::Unsatisfiable => {}
        Answer::Unknown(_) => return Difference::Open(UNKNOWN),
    }
    let differs = zeros_differ(explorer.terms(), left, right);
    match asked(explorer, b, differs) {
        Answer::Unsatisfiable => Difference::Nowhere,
        Answer::Satisfiable(_) => {
            Difference::Open("the outputs differ in the sign of a zero, and in nothing else")
        }
        Answer::Unknown(_) => Difference::Open(UNKNOWN),
    }
}

/// Whether something can be true on a path. No question is asked if it is constant.
fn asked(explorer: &mut Explorer<'_>, path: &Path, what: Term) -> Answer {
    if what.is(false) {
        return Answer::Unsatisfiable;
    }
    let mut constraints = path.constraints.clone();
    constraints.push(what);
    explorer.check(&constraints)
}

/// Why an exploration leaves something open.
pub fn reasons(exploration: &Exploration) -> Vec<OpenReason> {
    let because = |words: &dyn std::fmt::Display| OpenReason::Because(words.to_string());
    let mut reasons: Vec<OpenReason> = exploration.cuts.keys().map(|cut| because(cut)).collect();
    match exploration.stop {
        Stop::Exhausted | Stop::Visitor => {}
        Stop::Interrupted => reasons.push(OpenReason::Stopped),
        bound => reasons.push(because(&bound)),
    }
    reasons
}
