//! Proves relations on symbols, and runs the counterexamples that a solver finds.

use std::rc::Rc;
use std::time::Duration;

use dodona_records::{
    Binding, Counterexample, FORMAT_VERSION, ProofRecord, ProofVerdict, Provenance, RelationProof,
};
use dodona_relations::{Allowance, Ineligible, Verdict};
use dodona_symbolic::explore::{Explorer, Starts};
use dodona_symbolic::prove::{GroupProof, ProofWork, Prover};
use dodona_symbolic::{Code, input::Shape, solver::NoSolver};
use dodona_target::{Interruption, Parameter, Signature, Until, Value};
use dodona_wasm::Workbench;
use dodona_workbench::{
    CheckOptions, LabError, LoadedRelation, SubjectCaller, Worker, called,
    explain::{self, Told},
    pool,
    shrink::shrink,
};

use super::random::can_ask_for_random_bytes;
use crate::possible::Possible;
use crate::search::{SearchOptions, no_time, words};
use crate::solver::Solvers;

/// A counterexample is run and made smaller for so long at least.
const GRACE: Duration = Duration::from_secs(1);

/// Puts relations, by their indices in the workbench, to proof. `told` hears of each as it is done.
///
/// # Errors
/// When no solver is found, the host fails, or Dodona panics.
pub fn prove(
    workbench: &Workbench,
    relations: &[usize],
    options: &SearchOptions,
    interrupted: &Interruption,
    told: &mut dyn FnMut(&RelationProof),
) -> Result<ProofRecord, LabError> {
    pool::alone(Worker::Proofs, || prove_all(workbench, relations, options, interrupted, told))
}

fn prove_all(
    workbench: &Workbench,
    relations: &[usize],
    options: &SearchOptions,
    interrupted: &Interruption,
    told: &mut dyn FnMut(&RelationProof),
) -> Result<ProofRecord, LabError> {
    let whole = options.until(interrupted);
    let code = Rc::new(Code::new(&workbench.target.module));
    let mut record = ProofRecord {
        format_version: FORMAT_VERSION,
        subject: workbench.target.manifest.name.clone(),
        manifest: workbench.target.manifest.path.display().to_string(),
        solver: String::new(),
        longest: options.longest as u64,
        loop_bound: options.bounds.step.loop_bound,
        relations: Vec::new(),
        contradictions: Vec::new(),
    };
    for (done, &relation) in relations.iter().enumerate() {
        // Each has its share of what is left, so that a hard one does not cost the others their time.
        let until = whole.share(relations.len() - done);
        let loaded = &workbench.relations[relation];
        if done > 0 && !whole.goes_on() {
            record.relations.push(untried(loaded, &whole));
            continue;
        }
        let proved = prove_one(workbench, loaded, &code, options, until, &mut record)?;
        told(&proved);
        record.relations.push(proved);
    }
    Ok(record)
}

/// Puts one relation to proof; the record learns the solver and what contradicts itself.
fn prove_one(
    workbench: &Workbench,
    loaded: &LoadedRelation,
    code: &Rc<Code>,
    options: &SearchOptions,
    until: Until,
    record: &mut ProofRecord,
) -> Result<RelationProof, LabError> {
    // What a solver remembers is of one exploration's terms.
    let mut solver = match options.solver(&until) {
        Ok(solver) => solver,
        // Where the time is up nobody waits for it; that it did not answer by then does not say that it would not have.
        Err(NoSolver::DoesNotStart { .. }) if !until.goes_on() => return Ok(untried(loaded, &until)),
        Err(error) => return Err(LabError::solver(error)),
    };
    record.solver = solver.name();
    let mut proof = Proof::new(workbench, loaded, options, until, &mut record.contradictions);
    let verdict = proof.verdict(code, &mut solver)?;
    Ok(RelationProof {
        name: loaded.relation.name().to_owned(),
        text: loaded.relation.text().to_owned(),
        file: loaded.file.display().to_string(),
        line: loaded.line,
        verdict,
        random_source: can_ask_for_random_bytes(workbench, called(&loaded.relation)),
        paths: proof.work.paths,
        verdicts: proof.work.verdicts,
    })
}

/// A relation that there was no time for.
fn untried(loaded: &LoadedRelation, until: &Until) -> RelationProof {
    RelationProof {
        name: loaded.relation.name().to_owned(),
        text: loaded.relation.text().to_owned(),
        file: loaded.file.display().to_string(),
        line: loaded.line,
        verdict: ProofVerdict::Unknown { why: vec![no_time(until)] },
        // Nothing is said of what is not known.
        random_source: false,
        paths: 0,
        verdicts: 0,
    }
}

/// Looks for inputs of one module on which relations are violated.
pub struct Violations<'a> {
    workbench: &'a Workbench,
    options: &'a SearchOptions,
    code: Rc<Code>,
}

impl<'a> Violations<'a> {
    /// Reads the code.
    pub fn new(workbench: &'a Workbench, options: &'a SearchOptions) -> Violations<'a> {
        Violations { workbench, options, code: Rc::new(Code::new(&workbench.target.module)) }
    }

    /// An input on which a relation is violated, as far as symbolic execution finds one: what it finds is run. "No input" is proved, for
    /// inputs of any length.
    ///
    /// # Errors
    /// When the host fails. That no solver is found is no error: then nobody knows.
    pub fn input(&self, loaded: &LoadedRelation, until: &Until) -> Result<Possible, LabError> {
        let mut solver = match self.options.solver(until) {
            Ok(solver) => solver,
            Err(error) => return Ok(Possible::Unknown(error.to_string())),
        };
        let mut contradictions = Vec::new();
        let mut proof = Proof::new(self.workbench, loaded, self.options, until.clone(), &mut contradictions);
        let walked = proof.walk(&self.code, &mut solver, &mut |proof, group, values| {
            let told = proof.told(group, values, &mut proof.caller())?;
            Ok(told.map(|_| values.to_vec()))
        })?;
        Ok(match walked {
            Walked::Violated(values) => Possible::Yes(values),
            Walked::Nowhere if can_ask_for_random_bytes(self.workbench, called(&loaded.relation)) => {
                Possible::Unknown("the function can ask for random bytes".to_owned())
            }
            Walked::Nowhere if !proof.has_all_shapes() => {
                Possible::Unknown("longer inputs were not tried (--max-len)".to_owned())
            }
            Walked::Nowhere => Possible::No,
            Walked::Open(why) => Possible::Unknown(why.join("; ")),
        })
    }
}

struct Proof<'a> {
    workbench: &'a Workbench,
    loaded: &'a LoadedRelation,
    options: &'a SearchOptions,
    until: Until,
    /// The time that it has.
    allowed: Option<Duration>,
    work: ProofWork,
    contradictions: &'a mut Vec<String>,
}

/// How the walk over all paths of a relation ended.
enum Walked<T> {
    /// A violation was found and accepted.
    Violated(T),
    /// On no path is there a violation.
    Nowhere,
    /// Nobody knows, for these reasons.
    Open(Vec<String>),
}

/// What a counterexample of the solver comes to when it is run: in words what is wrong when it is none.
type Accepted<T> = Result<Result<T, String>, LabError>;

/// Takes a counterexample of a group, or says what is wrong with it.
type Accept<'f, 'a, T> = dyn FnMut(&mut Proof<'a>, usize, &[Value]) -> Accepted<T> + 'f;

impl<'a> Proof<'a> {
    fn new(
        workbench: &'a Workbench,
        loaded: &'a LoadedRelation,
        options: &'a SearchOptions,
        until: Until,
        contradictions: &'a mut Vec<String>,
    ) -> Proof<'a> {
        let work = ProofWork::default();
        Proof { workbench, loaded, options, allowed: until.left(), until, work, contradictions }
    }

    fn verdict(&mut self, code: &Rc<Code>, solver: &mut Solvers) -> Result<ProofVerdict, LabError> {
        let walked = self.walk(code, solver, &mut |proof, group, values| proof.replay(group, values))?;
        let longest = (!self.has_all_shapes()).then_some(self.options.longest as u64);
        Ok(match walked {
            Walked::Violated(counterexample) => {
                ProofVerdict::Refuted { counterexample: Box::new(counterexample) }
            }
            Walked::Open(why) => ProofVerdict::Unknown { why },
            Walked::Nowhere if self.work.verdicts == 0 => ProofVerdict::Vacuous,
            Walked::Nowhere => ProofVerdict::Proved { longest },
        })
    }

    /// Goes along all paths of all groups, until `accept` takes a counterexample.
    fn walk<T>(
        &mut self,
        code: &Rc<Code>,
        solver: &mut Solvers,
        accept: &mut Accept<'_, 'a, T>,
    ) -> Result<Walked<T>, LabError> {
        let mut explorer = Explorer::new(code, solver, self.options.bounds).with_order(self.options.order, 0);
        let sources = self.sources();
        let (shapes, _) = Shape::all(&sources, self.options.longest);
        let starts = Starts::new(&mut explorer, &sources, &shapes, &mut |_, _, _| None);
        let mut open = Vec::new();
        if starts.unknown > 0 {
            open.push("the solver did not know whether the domains allow an input".to_owned());
        }
        let prover = Prover {
            code,
            relation: &self.loaded.relation,
            program: &self.loaded.program,
            functions: &self.workbench.target.manifest.functions,
        };
        let until = self.until.clone();
        for (start, inputs) in starts.starts.iter().zip(&starts.inputs) {
            if !until.goes_on() {
                open.push(no_time(&until));
                break;
            }
            for group in 0..self.loaded.relation.group_count() {
                let proved =
                    prover.group(&mut explorer, group, start, &mut || until.goes_on(), &mut self.work);
                match proved {
                    Ok(GroupProof::Proved) => {}
                    Ok(GroupProof::Open(why)) => open.extend(words(why, &until, self.allowed)),
                    Ok(GroupProof::Refuted(model)) => {
                        let values = inputs.values(explorer.terms(), &model);
                        match accept(self, group, &values) {
                            Ok(Ok(accepted)) => return Ok(Walked::Violated(accepted)),
                            Ok(Err(why)) => open.push(why),
                            // A run that the host could not finish must not cost the other relations their proofs.
                            Err(error @ LabError::Call(_)) => open.push(error.to_string()),
                            Err(error) => return Err(error),
                        }
                    }
                    Err(error) => open.push(error.to_string()),
                }
            }
        }
        open.sort();
        open.dedup();
        Ok(if open.is_empty() { Walked::Nowhere } else { Walked::Open(open) })
    }

    /// Whether the domains allow no longer inputs than those that are tried.
    fn has_all_shapes(&self) -> bool {
        Shape::all(&self.sources(), self.options.longest).1
    }

    /// The relation's variables as the parameters of a function: their domains are those of what they are bound to.
    fn sources(&self) -> Signature {
        let functions = self.workbench.functions();
        let parameter = |variable: &dodona_relations::Variable| Parameter {
            name: variable.name.clone(),
            ..functions[variable.function].parameters[variable.parameter].clone()
        };
        Signature {
            name: self.loaded.relation.name().to_owned(),
            parameters: self.loaded.relation.variables().iter().map(parameter).collect(),
            outputs: Vec::new(),
            requires: None,
        }
    }

    /// Calls that may go on for a moment after the end.
    fn caller(&self) -> SubjectCaller {
        let most = self.until.left().map_or(Duration::MAX, |left| left.max(GRACE));
        let most = if self.until.is_interrupted() { GRACE } else { most };
        self.workbench.caller().until(&Until::default().within(most))
    }

    /// Runs the source input of a counterexample, which has to be a violation: in words what is wrong when it is none.
    fn told(&mut self, group: usize, values: &[Value], caller: &mut SubjectCaller) -> Accepted<Told> {
        let told = explain::tell(self.workbench, self.loaded, group, values, caller)?;
        if told.verdict.is_violation() {
            return Ok(Ok(told));
        }
        let list = Binding::list(&explain::source(self.loaded, values));
        if let Verdict::Allowed(Allowance::Rounding) = told.verdict {
            return Ok(Err(format!(
                "the sides differ by more than the tolerance, which rounding explains ({list})"
            )));
        }
        let why = format!("a counterexample was predicted that is none when it is run ({list})");
        let is_open =
            matches!(told.verdict, Verdict::Ineligible(Ineligible::Skipped(o)) if o.meets_a_limit());
        if !is_open {
            self.contradictions.push(format!("{}: {why}", self.loaded.relation.name()));
        }
        Ok(Err(why))
    }

    /// Runs the source input of a counterexample and makes it smaller.
    fn replay(&mut self, group: usize, values: &[Value]) -> Accepted<Counterexample> {
        let mut caller = self.caller();
        let told = match self.told(group, values, &mut caller)? {
            Ok(told) => told,
            Err(why) => return Ok(Err(why)),
        };
        let found = explain::source(self.loaded, values);
        let go_on = || self.until.goes_on();
        let fuel = CheckOptions::SHRINK_FUEL;
        let shrunk = shrink(Worker::Proofs, self.workbench, self.loaded, group, values, fuel, &go_on);
        let small = explain::tell(self.workbench, self.loaded, group, &shrunk.values, &mut caller)?;
        // What was found is a violation: only another that is one too takes its place.
        let (told, values) = match small.verdict.is_violation() {
            true => (small, &shrunk.values[..]),
            false => (told, values),
        };
        Ok(Ok(Counterexample {
            found,
            source: explain::source(self.loaded, values),
            group: self.loaded.relation.group_label(group),
            calls: told.calls,
            sides: told.sides,
            why: told.why,
            shrink_steps: shrunk.steps,
            shrink_stopped: shrunk.stopped,
            provenance: Provenance::Symbolic,
            kept: None,
        }))
    }
}
