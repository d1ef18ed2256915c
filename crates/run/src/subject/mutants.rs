//! The mutants of each function, run in slices.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dodona_mutation::{AcceptedMutants, Mutant};
use dodona_records::{Judgement, MutantRecord, MutationRecord, RelationVerdict};
use dodona_session::{Key, KeyBuilder};
use dodona_wasm::Workbench;
use dodona_workbench::{MadeInputs, called};

use super::{Judged, Run};
use crate::faults::FaultsSum;
use crate::steps::{MutantsOf, slices};
use crate::{RunError, Step};

/// The mutants of a function's code, and what they are run against.
struct Mutating<'m> {
    function: usize,
    name: String,
    /// What all of them depend on.
    key: KeyBuilder,
    made: Vec<MadeInputs>,
    /// All that there are.
    all: Vec<&'m Mutant>,
    /// The functions of the module that the function can run.
    code: BTreeSet<u32>,
    /// Those that are run, by their places.
    slices: Vec<Vec<u32>>,
    found: Mutated,
}

/// What the mutants of a function's code tell.
#[derive(Default)]
pub(super) struct Mutated {
    /// The names of the relations that they were run against.
    pub(super) relations: Vec<String>,
    /// What was found by now; nothing where no slice was run.
    pub(super) sum: Option<FaultsSum>,
    /// How many could not be run, because the time was up or somebody interrupted.
    pub(super) not_run: u64,
}

impl Run<'_, '_, '_> {
    /// What the mutants of some functions tell: a slice of each function after the other, so that something is known of all of them where the time ends. Nothing of a function
    /// whose mutants cannot be made.
    pub(super) fn mutants(
        &mut self,
        together: &Arc<Workbench>,
        functions: &[usize],
        relations: &[Judged],
    ) -> Result<Vec<Option<Mutated>>, RunError> {
        let mutants = match MutantsOf::new(together, self.how) {
            Ok(mutants) => mutants,
            Err(error) => {
                self.record.warnings.push(format!("mutants: {error}"));
                return Ok(functions.iter().map(|_| None).collect());
            }
        };
        let violated: BTreeSet<&str> = relations
            .iter()
            .filter(|one| one.relation.verdict() == RelationVerdict::Violated)
            .map(|one| one.relation.name())
            .collect();
        let mut mutating = Vec::new();
        for &function in functions {
            mutating.push(self.mutating(together, &mutants, &violated, function)?);
        }
        let accepted = self.accepted();
        let rounds = mutating.iter().map(|one| one.slices.len()).max().unwrap_or(0);
        for round in 0..rounds {
            for one in &mut mutating {
                if let Some(slice) = one.slices.get(round).cloned() {
                    self.mutate(&mutants, one, &slice, &accepted)?;
                }
            }
        }
        Ok(mutating.into_iter().map(|one| Some(one.found)).collect())
    }

    /// What the mutants of a function's code are run against.
    fn mutating<'m>(
        &mut self,
        together: &Arc<Workbench>,
        mutants: &'m MutantsOf<'_>,
        violated: &BTreeSet<&str>,
        function: usize,
    ) -> Result<Mutating<'m>, RunError> {
        let mut key = self.depends.begin(Step::Mutate.name()).with(self.depends.lines(function).bytes());
        // What a person accepted as it is counts in no score.
        let accepted = AcceptedMutants::path(&self.workbench.target.manifest.path);
        key = key.with(std::fs::read(accepted).unwrap_or_default());
        // By name, so that it does not matter which of them are accepted.
        let mut relations: BTreeMap<String, Key> = BTreeMap::new();
        let mut functions = BTreeSet::from([function]);
        for loaded in together.relations.iter() {
            // What is violated on the original tells nothing of mutants.
            let is_violated = violated.contains(loaded.relation.name());
            if !is_violated && called(&loaded.relation).any(|called| called == function) {
                relations.insert(loaded.relation.name().to_owned(), self.depends.relation(loaded));
                functions.extend(called(&loaded.relation));
            }
        }
        for relation in relations.values() {
            key = key.with(relation.bytes());
        }
        let key = self.with_inputs(key, &functions);
        let (name, made) = (self.name(function), self.made_for(&functions)?);
        let code = dodona_wasm::runs(together, [function]);
        let all = mutants.of(function);
        let mut slices = slices(all.len(), self.how.options.mutants);
        if let Some(share) = self.share {
            slices = share.of_slices(function, slices);
        }
        self.planned += slices.len() as u64;
        let found = Mutated { relations: relations.into_keys().collect(), ..Mutated::default() };
        Ok(Mutating { function, name, key, made, all, code, slices, found })
    }

    /// Runs some mutants of a function's code, by their places.
    fn mutate(
        &mut self,
        mutants: &MutantsOf<'_>,
        one: &mut Mutating<'_>,
        slice: &[u32],
        accepted: &BTreeSet<String>,
    ) -> Result<(), RunError> {
        let of_slice: Vec<(u32, &Mutant)> =
            slice.iter().map(|&place| (place, one.all[place as usize])).collect();
        let mut key = one.key.clone();
        for &(place, mutant) in &of_slice {
            key = key.with(place.to_le_bytes()).with(mutants.identity(mutant, &one.code));
        }
        let (how, relations) = (self.how, one.found.relations.clone());
        let make = || mutants.run((one.function, &of_slice), relations, one.made.clone(), how);
        let part: Option<MutationRecord> = self.piece(Step::Mutate, &one.name, key.key(), make)?;
        let Some(part) = part else {
            one.found.not_run += slice.len() as u64;
            return Ok(());
        };
        let is_left = |mutant: &&MutantRecord| mutant.judgement == Judgement::NotRun;
        one.found.not_run += part.mutants.iter().filter(is_left).count() as u64;
        one.found.sum.get_or_insert_default().add(part, accepted);
        Ok(())
    }
}
