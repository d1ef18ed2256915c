//! The mutants of a function's code, run against relations and inputs.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use dodona_mutation::mutate::mutate_set;
use dodona_mutation::{Change, Mutant, MutantSet, MutateOptions, MutateOutcome};
use dodona_records::{Against, Judgement, MutantId, MutationRecord, StopReason};
use dodona_target::{CallError, Until};
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, MadeInputs};

use super::How;
use crate::kept::Made;

/// Which of so many mutants are run, by their places, in slices of which each is a piece of work. Where there are more than are asked for, they are spread evenly over the code.
pub(crate) fn slices(all: usize, most: usize) -> Vec<Vec<u32>> {
    let chosen: Vec<u32> = match all <= most {
        true => (0..all as u32).collect(),
        false => (0..most).map(|place| (place * all / most) as u32).collect(),
    };
    chosen.chunks(MUTANTS_AT_ONCE).map(<[u32]>::to_vec).collect()
}

/// How many mutants are a piece of work: about half a second for most functions, so that no more is lost when a run is killed. Each piece runs the original once more, which
/// takes some tens of milliseconds, and looks for duplicates among its own mutants alone. They are neighbours in the code, where most duplicates are.
const MUTANTS_AT_ONCE: usize = 200;

/// The mutants of a subject.
pub(crate) struct MutantsOf<'w> {
    workbench: &'w Arc<Workbench>,
    options: MutateOptions,
    set: MutantSet<'w>,
}

impl<'w> MutantsOf<'w> {
    /// Generates them.
    pub(crate) fn new(workbench: &'w Arc<Workbench>, how: How<'_>) -> Result<MutantsOf<'w>, LabError> {
        let options = MutateOptions {
            inputs: how.options.inputs,
            seed: how.options.seed,
            jobs: how.options.jobs,
            ..MutateOptions::default()
        };
        let set = MutantSet::generate(workbench, &options)?;
        Ok(MutantsOf { workbench, options, set })
    }

    /// How many there are of the code of all functions.
    pub(crate) fn len(&self) -> usize {
        self.set.asked().len()
    }

    /// Those of the code that one function under test can run, in the order of the code. Their numbers count all code of the module, and move when other code is edited; their
    /// places in this list do not.
    pub(crate) fn of(&self, function: usize) -> Vec<&Mutant> {
        self.set.asked_of(self.workbench, function, &self.options)
    }

    /// What tells a mutant of a function's code from all others, whatever other code there is.
    pub(crate) fn identity(&self, mutant: &Mutant, code: &BTreeSet<u32>) -> String {
        let functions = &self.set.all().functions;
        let place = |change: &Change| code.range(..functions[change.function].function).count();
        let change = |change: &Change| format!("{} {:?}", place(change), change.candidate);
        let changes: Vec<String> = mutant.changes.iter().map(change).collect();
        format!("{:?} {}", mutant.operator, changes.join(" "))
    }

    /// Some mutants of a function's code, by their places, against these relations and inputs. Relations that do not hold on the original are left out. In the record the mutants are
    /// numbered by their places, from 1.
    pub(crate) fn run(
        &self,
        (function, wanted): (usize, &[(u32, &Mutant)]),
        mut relations: Vec<String>,
        made: Vec<MadeInputs>,
        how: How<'_>,
    ) -> Result<Made<MutationRecord>, LabError> {
        let until = Until::interrupted(how.interrupted);
        let numbers = wanted.iter().map(|(place, mutant)| (mutant.id, MutantId(place + 1))).collect();
        let wanted: Vec<&Mutant> = wanted.iter().map(|(_, mutant)| *mutant).collect();
        loop {
            let options = MutateOptions {
                functions: vec![self.workbench.functions()[function].name.clone()],
                against: if relations.is_empty() { Against::Inputs } else { Against::Both },
                relations: relations.clone(),
                made: made.clone(),
                ..self.options.clone()
            };
            let compare = |warnings: &mut Vec<String>| {
                self.set.compare(self.workbench, wanted.clone(), &options, &until, warnings)
            };
            match mutate_set(self.workbench, &self.set, compare, &options, &until, &mut |_| {})? {
                MutateOutcome::Analysed(analysed) => {
                    let is_judged = matches!(analysed.record.stop, StopReason::MutantsJudged { .. });
                    // An interruption may have ended the comparison with the original alone.
                    let is_whole = is_judged && !how.interrupted.is_raised();
                    return Ok(Made { result: numbered(analysed.record, &numbers), is_whole });
                }
                MutateOutcome::BaselineViolated(found) => {
                    let before = relations.len();
                    let is_violated = |name: &String| {
                        found.relations.iter().any(|r| r.name == *name && r.tally.violated > 0)
                    };
                    relations.retain(|name| !is_violated(name));
                    if relations.len() == before {
                        // It was interrupted before it was known which one is violated.
                        return Err(LabError::Call(CallError::Stopped));
                    }
                }
            }
        }
    }
}

/// The record with other numbers of mutants.
fn numbered(mut record: MutationRecord, numbers: &HashMap<MutantId, MutantId>) -> MutationRecord {
    let number = |id: MutantId| numbers.get(&id).copied().unwrap_or(id);
    for mutant in &mut record.mutants {
        mutant.id = number(mutant.id);
        mutant.killed_with = mutant.killed_with.map(number);
        if let Judgement::Duplicate { of } = &mut mutant.judgement {
            *of = number(*of);
        }
    }
    for relation in &mut record.relations {
        relation.sole.iter_mut().for_each(|id| *id = number(*id));
    }
    record
}
