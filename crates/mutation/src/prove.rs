//! Proofs that mutants which no test kills are equivalent to the original.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use dodona_generation::can_ask_for_random_bytes;
use dodona_generation::search::{SearchOptions, no_time, words};
use dodona_mutants::{Mutant, Mutants, alone};
use dodona_records::{Binding, Judgement, MutantRecord, MutationRecord, Proof, Symbolic};
use dodona_subject::Module;
use dodona_symbolic::Code;
use dodona_symbolic::explore::{Explorer, Starts};
use dodona_symbolic::input::{Inputs, Shape};
use dodona_symbolic::prove::{MutantComparison, OriginalPaths};
use dodona_target::{Interruption, Outcome, Until, Value};
use dodona_wasm::execute::{Called, Executable, Options};
use dodona_wasm::{Workbench, runs};
use dodona_workbench::{LabError, Worker, explain::bindings, inputs::columns, pool};

use crate::MutateOptions;
use crate::hierarchy::{equivalent_by_state, take_as_equivalent};
use crate::set::MutantSet;

/// The number of terms of an exploration after which the next mutant gets a new one.
const MOST_TERMS: usize = 2_000_000;

/// Looks for a path on which a surviving mutant that no input reveals differs from the original. If there is none, for any
/// input, the mutant is equivalent. Otherwise the input that shows the difference is run and put into the mutant's record.
///
/// # Errors
/// When no solver is found, mutants cannot be written as modules of their own, or Dodona panics.
pub fn prove_mutants(
    workbench: &Workbench,
    options: &MutateOptions,
    how: &SearchOptions,
    record: &mut MutationRecord,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(), LabError> {
    let prove = || prove_open(workbench, options, how, record, interrupted, progress);
    pool::alone(Worker::MutantProofs, prove)
}

fn prove_open(
    workbench: &Workbench,
    options: &MutateOptions,
    how: &SearchOptions,
    record: &mut MutationRecord,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(), LabError> {
    let is_open = |m: &MutantRecord| m.is_alive() && m.revealed_by.is_none();
    let planned = record.mutants.iter().filter(|m| is_open(m)).count() as u64;
    if planned == 0 {
        return Ok(());
    }
    let until = how.until(interrupted);
    let set = MutantSet::generate(workbench, options)?;
    by_their_code(workbench, &set, how, &until, &mut record.mutants)?;
    let mut done = planned - record.mutants.iter().filter(|m| is_open(m)).count() as u64;
    progress(done, planned);
    for &function in set.functions() {
        let mut open: Vec<&mut MutantRecord> = record.mutants.iter_mut().filter(|m| is_open(m)).collect();
        let reached = runs(workbench, [function]);
        let contradictions = RefCell::default();
        let prover = Prover {
            workbench,
            how,
            until: until.clone(),
            function,
            all: set.all(),
            reached,
            is_random: can_ask_for_random_bytes(workbench, [function]),
            contradictions,
        };
        prover.all(&mut open, &mut || {
            done += 1;
            progress(done, planned);
        })?;
        record.contradictions.append(&mut prover.contradictions.into_inner());
    }
    settle(&mut record.mutants);
    Ok(())
}

/// Finds the open mutants that do the same as the original in every state in which the block that they change can begin. That
/// takes few questions, whereas whole paths take many, and it works inside loops.
fn by_their_code(
    workbench: &Workbench,
    set: &MutantSet<'_>,
    how: &SearchOptions,
    until: &Until,
    records: &mut [MutantRecord],
) -> Result<(), LabError> {
    let is_open = |m: &&MutantRecord| m.is_alive() && m.revealed_by.is_none();
    let open: BTreeSet<_> = records.iter().filter(is_open).map(|m| m.id).collect();
    let mutants: Vec<&Mutant> = set.all().mutants.iter().filter(|mutant| open.contains(&mutant.id)).collect();
    let facts = equivalent_by_state(workbench, set.all(), &mutants, how, until)?;
    let equivalent: Vec<_> = facts.into_iter().map(|mutant| mutants[mutant].id).collect();
    take_as_equivalent(records, &equivalent);
    Ok(())
}

/// A mutant is equivalent if no function differs from the original and nothing was left out of the search.
fn settle(mutants: &mut [MutantRecord]) {
    for mutant in mutants {
        if let Some(Symbolic::EquivalentWithin { longest }) = mutant.symbolic
            && longest == EVERY_LENGTH
        {
            mutant.symbolic = None;
            mutant.judgement = Judgement::Equivalent { proof: Proof::EveryPath };
        }
    }
}

/// Stands for "of any length" while functions are explored one after the other.
const EVERY_LENGTH: u64 = u64::MAX;

struct Prover<'a, 'm> {
    workbench: &'a Workbench,
    how: &'a SearchOptions,
    until: Until,
    /// The function under test, by index.
    function: usize,
    all: &'a Mutants<'m>,
    /// The functions of the module that its calls can run.
    reached: BTreeSet<u32>,
    /// Whether its calls can ask for random bytes.
    is_random: bool,
    /// Differences that a run contradicts.
    contradictions: RefCell<Vec<String>>,
}

impl Prover<'_, '_> {
    fn all(&self, open: &mut [&mut MutantRecord], done: &mut dyn FnMut()) -> Result<(), LabError> {
        let mut rest = open;
        while !rest.is_empty() && self.until.goes_on() {
            let count = self.some(rest, done)?;
            rest = &mut rest[count..];
        }
        // For another function the mutant may have been found equivalent. For this one nothing is known.
        for record in rest.iter_mut().filter(|record| self.mutant(record).is_some()) {
            merge(record, Symbolic::Open { why: vec![no_time(&self.until)] });
        }
        Ok(())
    }

    /// Explores the first mutants, as many as the terms of one exploration allow; returns how many those were.
    fn some(&self, open: &mut [&mut MutantRecord], done: &mut dyn FnMut()) -> Result<usize, LabError> {
        let function = &self.workbench.target.manifest.functions[self.function];
        let mut solver = self.how.solver(&self.until).map_err(LabError::solver)?;
        let code = Rc::new(Code::new(&self.workbench.target.module));
        let mut explorer = Explorer::new(&code, &mut solver, self.how.bounds).with_order(self.how.order, 0);
        let (shapes, all_shapes) = Shape::all(function, self.how.longest);
        let starts = Starts::new(&mut explorer, function, &shapes, &mut |_, _, _| None);
        let inputs = starts.inputs;
        let mut go_on = || self.until.goes_on();
        let original = OriginalPaths::explore(&mut explorer, &code, function, starts.starts, &mut go_on);
        let original = match original {
            Ok(original) if starts.unknown == 0 && starts.unassumed.is_none() => Ok(original),
            Ok(_) => Err("the solver did not know whether the domains allow an input".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        for (place, record) in open.iter_mut().enumerate() {
            if !self.until.goes_on() {
                return Ok(place);
            }
            if let Some(mutant) = self.mutant(record) {
                let verdict = match &original {
                    Ok(original) => self.verdict(&mut explorer, original, &inputs, mutant, all_shapes)?,
                    Err(why) => Symbolic::Open { why: vec![why.clone()] },
                };
                merge(record, verdict);
            }
            done();
            if explorer.terms().len() > MOST_TERMS {
                return Ok(place + 1);
            }
        }
        Ok(open.len())
    }

    /// The mutant of a record, if the function's calls can run it and no other function has shown a difference yet.
    fn mutant(&self, record: &MutantRecord) -> Option<&Mutant> {
        if matches!(record.symbolic, Some(Symbolic::Differs { .. })) {
            return None;
        }
        let place = self.all.mutants.binary_search_by_key(&record.id, |mutant| mutant.id).ok()?;
        let mutant = &self.all.mutants[place];
        let is_reached = |change| self.reached.contains(&self.all.function(change).function);
        mutant.changes.iter().any(is_reached).then_some(mutant)
    }

    fn verdict(
        &self,
        explorer: &mut Explorer<'_>,
        original: &OriginalPaths,
        inputs: &[Inputs],
        mutant: &Mutant,
        all_shapes: bool,
    ) -> Result<Symbolic, LabError> {
        let function = &self.workbench.target.manifest.functions[self.function];
        let module = alone(&self.workbench.target.module, self.all, mutant)
            .map_err(|error| LabError::Mutants(error.to_string()))?;
        let code = Rc::new(Code::new(&module));
        let compared = original.compare(explorer, &code, function, &mut || self.until.goes_on());
        Ok(match compared {
            // Every run gets the same random bytes. Two versions that agree on these may differ on others.
            Ok(MutantComparison::Equivalent) if self.is_random => {
                Symbolic::Open { why: vec!["it is the same for the seeded random bytes only".to_owned()] }
            }
            Ok(MutantComparison::Equivalent) => {
                let longest = if all_shapes { EVERY_LENGTH } else { self.how.longest as u64 };
                Symbolic::EquivalentWithin { longest }
            }
            Ok(MutantComparison::Open(why)) => Symbolic::Open { why: words(why, &self.until, self.how.time) },
            Ok(MutantComparison::Differ { model, start }) => {
                let values = inputs[start].values(explorer.terms(), &model);
                self.replay(&module, &values)?
            }
            Err(error) => Symbolic::Open { why: vec![error.to_string()] },
        })
    }

    /// Runs both versions on an input.
    fn replay(&self, mutant: &Module, values: &[Value]) -> Result<Symbolic, LabError> {
        let manifest = &self.workbench.target.manifest;
        let called = Called::Only([self.function].into());
        let options = Options { called, ..Options::of(manifest) };
        let mutated = Executable::load(mutant, &manifest.functions, &options)
            .map_err(|error| LabError::Mutants(error.to_string()))?;
        let (expected, found) =
            (self.run(&self.workbench.target.executable, values)?, self.run(&mutated, values)?);
        let function = &manifest.functions[self.function];
        let input = bindings(function.parameters.iter().map(|p| p.name.as_str()).zip(values));
        if expected == found {
            let list = Binding::list(&input);
            let why = format!("a difference was predicted that is none when it is run ({list})");
            if !expected.0.meets_a_limit() {
                self.contradictions.borrow_mut().push(format!("{}: {why}", function.name));
            }
            return Ok(Symbolic::Open { why: vec![why] });
        }
        Ok(Symbolic::Differs {
            function: function.name.clone(),
            input,
            expected: told(&expected),
            found: told(&found),
        })
    }

    fn run(&self, executable: &Executable, values: &[Value]) -> Result<(Outcome, Vec<Value>), LabError> {
        let columns = columns(&self.workbench.functions()[self.function], [values]);
        let calls = executable.runner().call(self.function, &columns);
        let calls = calls.map_err(dodona_target::CallError::from)?;
        let outcome = calls.outcomes[0];
        let outputs = match outcome.has_outputs() {
            true => calls.outputs.iter().map(|column| column.value(0)).collect(),
            false => Vec::new(),
        };
        Ok((outcome, outputs))
    }
}

fn told((outcome, values): &(Outcome, Vec<Value>)) -> String {
    crate::record::told(*outcome, values)
}

/// Joins the results of several functions under test for one mutant. If one function differs, the mutant does; otherwise, if
/// nothing is known of one function, nothing is known of the mutant.
fn merge(record: &mut MutantRecord, verdict: Symbolic) {
    let merged = match (record.symbolic.take(), verdict) {
        (None, verdict) | (Some(_), verdict @ Symbolic::Differs { .. }) => verdict,
        (Some(open @ Symbolic::Open { .. }), _) => open,
        (Some(_), open @ Symbolic::Open { .. }) => open,
        (Some(Symbolic::EquivalentWithin { longest: a }), Symbolic::EquivalentWithin { longest: b }) => {
            Symbolic::EquivalentWithin { longest: a.min(b) }
        }
        (Some(differs), _) => differs,
    };
    record.symbolic = Some(merged);
}
