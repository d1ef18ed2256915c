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
    CheckOptions, LabError, LoadedRelation, Worker, called, explain, pool, shrink::shrink,
};

use super::random::can_ask_for_random_bytes;
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
    let mut proof = Proof {
        workbench,
        loaded,
        options,
        allowed: until.left(),
        until,
        work: ProofWork::default(),
        contradictions: &mut record.contradictions,
    };
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

impl Proof<'_> {
    fn verdict(&mut self, code: &Rc<Code>, solver: &mut Solvers) -> Result<ProofVerdict, LabError> {
        let mut explorer = Explorer::new(code, solver, self.options.bounds).with_order(self.options.order, 0);
        let sources = self.sources();
        let (shapes, all_shapes) = Shape::all(&sources, self.options.longest);
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
                        match self.replay(group, &values) {
                            Ok(Ok(counterexample)) => {
                                let counterexample = Box::new(counterexample);
                                return Ok(ProofVerdict::Refuted { counterexample });
                            }
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
        let longest = (!all_shapes).then_some(self.options.longest as u64);
        Ok(match (open.is_empty(), self.work.verdicts) {
            (false, _) => ProofVerdict::Unknown { why: open },
            (true, 0) => ProofVerdict::Vacuous,
            (true, _) => ProofVerdict::Proved { longest },
        })
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

    /// Runs the source input of a counterexample: in words what is wrong when it is none.
    fn replay(&mut self, group: usize, values: &[Value]) -> Result<Result<Counterexample, String>, LabError> {
        // A counterexample is worth some time more.
        let most = self.until.left().map_or(Duration::MAX, |left| left.max(GRACE));
        let most = if self.until.is_interrupted() { GRACE } else { most };
        let grace = Until::default().within(most);
        let mut caller = self.workbench.caller().until(&grace);
        let told = explain::tell(self.workbench, self.loaded, group, values, &mut caller)?;
        let source = explain::source(self.loaded, values);
        if let Verdict::Allowed(Allowance::Rounding) = told.verdict {
            let list = Binding::list(&source);
            return Ok(Err(format!(
                "the sides differ by more than the tolerance, which rounding explains ({list})"
            )));
        }
        if !told.verdict.is_violation() {
            let list = Binding::list(&source);
            let why = format!("a counterexample was predicted that is none when it is run ({list})");
            let is_open =
                matches!(told.verdict, Verdict::Ineligible(Ineligible::Skipped(o)) if o.meets_a_limit());
            if !is_open {
                self.contradictions.push(format!("{}: {why}", self.loaded.relation.name()));
            }
            return Ok(Err(why));
        }
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
            found: source,
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
