//! Proves relations on every path: source and follow-up calls are made with the same symbols (semi-proving, Chen, Tse and Zhou
//! 2003).

use std::rc::Rc;

use dodona_relations::{Program, Relation};
use dodona_smt::solver::Answer;
use dodona_smt::term::{Assignment, Term};
use dodona_subject::{Function, PathId};
use dodona_target::Outcome;

use super::{OpenReason, reasons};
use crate::SymbolicCallError;
use crate::call::{Symbol, Unreadable};
use crate::code::Code;
use crate::end::End;
use crate::explore::{Explorer, Path, Start};
use crate::relation::{CallAnswer, Next, Unsupported, Walk, well_formed};

/// The result for a metamorphic group.
#[derive(Clone, Debug)]
pub enum GroupProof {
    /// It holds on every path.
    Proved,
    /// It is violated on the inputs of this model.
    Refuted(Assignment),
    /// It is not known, for these reasons.
    Open(Vec<OpenReason>),
}

/// Why a relation cannot be proved at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// It uses something that cannot be translated to terms.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// A function cannot be called on symbols.
    #[error(transparent)]
    Call(#[from] SymbolicCallError),
}

/// The statistics of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProofWork {
    /// Paths of single calls.
    pub paths: u64,
    /// Combinations of paths through all calls of the group that reached a verdict.
    pub verdicts: u64,
    /// Combinations of paths on which no input is eligible.
    pub ineligible: u64,
}

/// A relation under proof.
pub struct Prover<'p> {
    /// The module.
    pub code: &'p Rc<Code>,
    /// The relation.
    pub relation: &'p Relation,
    /// The same, compiled.
    pub program: &'p Program,
    /// The functions that it was checked with.
    pub functions: &'p [Function],
}

/// The state of one walk over all ways through a group.
struct Group<'g, 's, 'p> {
    prover: &'g Prover<'p>,
    explorer: &'g mut Explorer<'s>,
    go_on: &'g mut dyn FnMut() -> bool,
    work: &'g mut ProofWork,
    open: Vec<OpenReason>,
    goal: Goal<'g>,
}

/// What is done at the end of a way.
enum Goal<'g> {
    /// Values are looked for that violate the relation.
    Violation,
    /// The way is given out.
    Ways(&'g SourcePath<'g>, &'g mut WayVisitor<'g>),
}

/// Takes a way, and tells whether more are wanted.
pub type WayVisitor<'v> = dyn FnMut(&mut Explorer<'_>, &Way) -> bool + 'v;

/// A call of a group whose path is known: that of a source call.
#[derive(Clone, Copy, Debug)]
pub struct SourcePath<'a> {
    /// The function, by its index.
    pub function: usize,
    /// The arguments.
    pub arguments: &'a [Symbol],
    /// The path.
    pub path: &'a Path,
}

/// A way through a metamorphic group: the combination of the paths of all its calls.
#[derive(Clone, Debug)]
pub struct Way {
    /// The constraints of all paths, with those of eligibility.
    pub constraints: Vec<Term>,
    /// Values that satisfy them.
    pub model: Assignment,
    /// The calls that are made, by their indices in the relation, each with its path; in the order in which they are made.
    pub calls: Vec<(usize, PathId)>,
}

/// A call that a walk asks for.
struct Asked {
    call: usize,
    function: usize,
    arguments: Vec<Symbol>,
    made: Term,
}

impl Prover<'_> {
    /// Proves or refutes one metamorphic group from one start, whose variables are those of the relation.
    ///
    /// # Errors
    /// When the relation or a call cannot be translated.
    pub fn group(
        &self,
        explorer: &mut Explorer<'_>,
        group: usize,
        start: &Start,
        go_on: &mut dyn FnMut() -> bool,
        work: &mut ProofWork,
    ) -> Result<GroupProof, ProofError> {
        explorer.swap_code(self.code);
        let plan = self.program.plan(group);
        if !plan.allowances_only_help() {
            return Ok(GroupProof::Open(vec![ROUNDING.into()]));
        }
        let walk = Walk::new(explorer.terms(), plan, self.relation, self.functions, &start.symbols);
        let way = Way::at(start);
        let goal = Goal::Violation;
        let mut group = Group { prover: self, explorer, go_on, work, open: Vec::new(), goal };
        if let Some(model) = group.walk(walk, way)? {
            return Ok(GroupProof::Refuted(model));
        }
        let open = group.reasons();
        Ok(if open.is_empty() { GroupProof::Proved } else { GroupProof::Open(open) })
    }

    /// Gives out the ways through one metamorphic group that go on from a path of its source call, on which some input is eligible. The start
    /// assumes the constraints of that path; its variables are those of the relation. Tells why others were left. The explorer has to be at
    /// the prover's code.
    ///
    /// # Errors
    /// When the relation or a call cannot be translated.
    pub fn ways(
        &self,
        explorer: &mut Explorer<'_>,
        group: usize,
        (source, start): (&SourcePath<'_>, &Start),
        go_on: &mut dyn FnMut() -> bool,
        visit: &mut WayVisitor<'_>,
    ) -> Result<Vec<OpenReason>, ProofError> {
        let plan = self.program.plan(group);
        let walk = Walk::new(explorer.terms(), plan, self.relation, self.functions, &start.symbols);
        let (work, goal) = (&mut ProofWork::default(), Goal::Ways(source, visit));
        let mut group = Group { prover: self, explorer, go_on, work, open: Vec::new(), goal };
        group.walk(walk, Way::at(start))?;
        Ok(group.reasons())
    }
}

impl Way {
    /// The beginning of all ways from a start.
    fn at(start: &Start) -> Way {
        Way { constraints: start.assumptions.clone(), model: start.model.clone(), calls: Vec::new() }
    }
}

type Refutation = Option<Assignment>;

/// A relation that needs `~=` to be false somewhere. It is false only if no rounding explains the difference, which the terms do not say.
const ROUNDING: &str = "whether rounding explains a difference where `~=` should be false";

/// What the translation of relations does not speak of.
const BEYOND_ASCII: &str = "text beyond ASCII";

impl Group<'_, '_, '_> {
    /// What was left open, each reason once.
    fn reasons(self) -> Vec<OpenReason> {
        let mut open = self.open;
        open.sort();
        open.dedup();
        open
    }

    /// Continues a walk to its end on all paths; returns values that violate the relation, if some are found. Where ways are given out it
    /// returns values once no more are wanted.
    fn walk(&mut self, mut walk: Walk<'_>, mut way: Way) -> Result<Refutation, ProofError> {
        loop {
            if !(self.go_on)() {
                self.open.push(OpenReason::Stopped);
                return Ok(None);
            }
            match walk.next(self.explorer.terms())? {
                Next::Ineligible(_) => {
                    self.leave_out(&walk, &way, Term::bool(true));
                    self.work.ineligible += 1;
                    return Ok(None);
                }
                Next::Eligible { holds, .. } => {
                    let left_out = self.explorer.terms().not(holds);
                    self.leave_out(&walk, &way, left_out);
                    match self.assume(&way, holds) {
                        Some(next) => way = next,
                        None => {
                            self.work.ineligible += 1;
                            return Ok(None);
                        }
                    }
                }
                Next::Call { call, function, arguments, made } => {
                    return self.call(&walk, &way, Asked { call, function, arguments, made });
                }
                Next::Violated(_) => {
                    self.work.verdicts += 1;
                    return Ok(self.reached(&walk, &way, Term::bool(true)));
                }
                Next::Verdict { holds, defined } => {
                    self.work.verdicts += 1;
                    let terms = self.explorer.terms();
                    let fine = terms.and(holds, defined);
                    let violated = terms.not(fine);
                    return Ok(self.reached(&walk, &way, violated));
                }
            }
        }
    }

    /// Does what is done at the end of a way, where this tells which inputs violate the relation.
    fn reached(&mut self, walk: &Walk<'_>, way: &Way, violated: Term) -> Refutation {
        if matches!(self.goal, Goal::Violation) {
            return self.exactly(walk, way, violated);
        }
        // Of inputs for which the translation is not exact it is not known that they go this way.
        let way = self.assume(way, walk.exact())?;
        let more = match &mut self.goal {
            Goal::Ways(_, visit) => visit(self.explorer, &way),
            Goal::Violation => false,
        };
        (!more).then_some(way.model)
    }

    /// The combination with one more constraint, if some input satisfies it.
    fn assume(&mut self, way: &Way, constraint: Term) -> Option<Way> {
        if constraint.is(false) {
            return None;
        }
        if constraint.is(true) {
            return Some(way.clone());
        }
        let mut constraints = way.constraints.clone();
        constraints.push(constraint);
        if self.explorer.terms().evaluate(constraint, &way.model) == 1 {
            return Some(Way { constraints, ..way.clone() });
        }
        match self.explorer.check(&constraints) {
            Answer::Satisfiable(model) => Some(Way { constraints, model, calls: way.calls.clone() }),
            Answer::Unsatisfiable => None,
            Answer::Unknown(_) => {
                self.open.push("the solver did not know".into());
                None
            }
        }
    }

    /// Leaves out inputs as ineligible. Where the translation is not exact, it is not known whether they are.
    fn leave_out(&mut self, walk: &Walk<'_>, way: &Way, left_out: Term) {
        let terms = self.explorer.terms();
        let inexact = terms.not(walk.exact());
        let unknown = terms.and(inexact, left_out);
        if self.assume(way, unknown).is_some() {
            self.open.push(BEYOND_ASCII.into());
        }
    }

    /// Values for which something is true where the translation is exact; elsewhere it is not known.
    fn exactly(&mut self, walk: &Walk<'_>, way: &Way, condition: Term) -> Refutation {
        let exact = walk.exact();
        if !exact.is(true) {
            let inexact = self.explorer.terms().not(exact);
            if self.assume(way, inexact).is_some() {
                self.open.push(BEYOND_ASCII.into());
            }
        }
        let exactly = self.explorer.terms().and(exact, condition);
        self.assume(way, exactly).map(|way| way.model)
    }

    /// Makes a call on all its paths.
    fn call(&mut self, walk: &Walk<'_>, way: &Way, asked: Asked) -> Result<Refutation, ProofError> {
        let not_made = self.explorer.terms().not(asked.made);
        if let Some(way) = self.assume(way, not_made) {
            let mut walk = walk.clone();
            walk.answer(self.explorer.terms(), CallAnswer::NotMade);
            if let Some(model) = self.walk(walk, way)? {
                return Ok(Some(model));
            }
        }
        let Some(way) = self.assume(way, asked.made) else { return Ok(None) };
        let declared = &self.prover.functions[asked.function];
        let mut calls = way.calls.clone();
        for path in self.paths(way, &asked)? {
            calls.push((asked.call, path.id));
            if let Some(model) = self.ended(walk, declared, path, &calls)? {
                return Ok(Some(model));
            }
            calls.pop();
        }
        Ok(None)
    }

    /// The paths of a call that a way can go on with.
    fn paths(&mut self, way: Way, asked: &Asked) -> Result<Vec<Path>, ProofError> {
        if let Goal::Ways(source, _) = &self.goal
            && source.function == asked.function
            && source.arguments == asked.arguments
        {
            let known = Path { constraints: way.constraints, model: way.model, ..source.path.clone() };
            return Ok(vec![known]);
        }
        let declared = &self.prover.functions[asked.function];
        let symbols = asked.arguments.clone();
        let start = Start { symbols, assumptions: way.constraints, model: way.model };
        let mut paths = Vec::new();
        let exploration = self.explorer.explore(declared, vec![start], self.go_on, &mut |_, path| {
            paths.push(path);
            true
        })?;
        self.work.paths += exploration.paths;
        self.open.extend(reasons(&exploration));
        Ok(paths)
    }

    /// Continues after a call that ended in one way.
    fn ended(
        &mut self,
        walk: &Walk<'_>,
        function: &Function,
        path: Path,
        calls: &[(usize, PathId)],
    ) -> Result<Refutation, ProofError> {
        let way = Way { constraints: path.constraints, model: path.model, calls: calls.to_vec() };
        let outputs = match (path.end, path.outputs) {
            (End::Trapped(trap), _) => {
                return self.answered(walk, way, CallAnswer::Ended(Outcome::Trapped(trap)));
            }
            (_, Ok(outputs)) => outputs,
            (_, Err(Unreadable::Malformed)) => {
                let malformed = Outcome::Malformed(dodona_target::Malformed::Pointer);
                return self.answered(walk, way, CallAnswer::Ended(malformed));
            }
            (_, Err(Unreadable::Symbolic)) => {
                self.open.push("an output whose place or length depends on the input".into());
                return Ok(None);
            }
        };
        // An output may be a value that its type does not have, such as 2 for a Boolean.
        let mut formed = Term::bool(true);
        for (output, symbol) in function.outputs.iter().zip(&outputs) {
            let here = well_formed(self.explorer.terms(), output.ty, symbol);
            formed = self.explorer.terms().and(formed, here);
        }
        let malformed = self.explorer.terms().not(formed);
        if let Some(way) = self.assume(&way, malformed) {
            let range = Outcome::Malformed(dodona_target::Malformed::Range);
            if let Some(model) = self.answered(walk, way, CallAnswer::Ended(range))? {
                return Ok(Some(model));
            }
        }
        match self.assume(&way, formed) {
            Some(way) => self.answered(walk, way, CallAnswer::Returned(outputs)),
            None => Ok(None),
        }
    }

    fn answered(&mut self, walk: &Walk<'_>, way: Way, answer: CallAnswer) -> Result<Refutation, ProofError> {
        let mut walk = walk.clone();
        walk.answer(self.explorer.terms(), answer);
        self.walk(walk, way)
    }
}
