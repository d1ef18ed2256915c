//! The mutants of each function, run in slices.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dodona_mutation::AcceptedMutants;
use dodona_records::{Judgement, MutantRecord, MutationRecord, RelationVerdict};
use dodona_session::{Key, KeyBuilder};
use dodona_wasm::Workbench;
use dodona_workbench::{MadeInputs, called};

use super::{Judged, Run};
use crate::steps::{MutantsOf, slices};
use crate::{RunError, Step};

/// The mutants of a function's code, and what they are run against.
pub(super) struct Mutating {
    function: usize,
    name: String,
    /// What all of them depend on.
    key: KeyBuilder,
    /// The names of the relations.
    pub(super) relations: Vec<String>,
    made: Vec<MadeInputs>,
    /// What tells each mutant from all others.
    identities: Vec<String>,
    /// Those that are run, by their places.
    slices: Vec<Vec<u32>>,
    /// What was found by now.
    pub(super) whole: Option<MutationRecord>,
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
    ) -> Result<Vec<Option<Mutating>>, RunError> {
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
        let rounds = mutating.iter().map(|one| one.slices.len()).max().unwrap_or(0);
        for round in 0..rounds {
            for one in &mut mutating {
                if let Some(slice) = one.slices.get(round).cloned() {
                    self.mutate(&mutants, one, &slice)?;
                }
            }
        }
        Ok(mutating.into_iter().map(Some).collect())
    }

    /// What the mutants of a function's code are run against.
    fn mutating(
        &mut self,
        together: &Arc<Workbench>,
        mutants: &MutantsOf<'_>,
        violated: &BTreeSet<&str>,
        function: usize,
    ) -> Result<Mutating, RunError> {
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
        let identities: Vec<String> =
            mutants.of(function).into_iter().map(|mutant| mutants.identity(mutant, &code)).collect();
        let mut slices = slices(identities.len(), self.how.options.mutants);
        if let Some(share) = self.share {
            slices = share.of_slices(function, slices);
        }
        self.planned += slices.len() as u64;
        let relations = relations.into_keys().collect();
        let (whole, not_run) = (None, 0);
        Ok(Mutating { function, name, key, relations, made, identities, slices, whole, not_run })
    }

    /// Runs some mutants of a function's code, by their places.
    fn mutate(&mut self, mutants: &MutantsOf<'_>, one: &mut Mutating, slice: &[u32]) -> Result<(), RunError> {
        let mut key = one.key.clone();
        for &place in slice {
            key = key.with(place.to_le_bytes()).with(&one.identities[place as usize]);
        }
        let how = self.how;
        let make = || mutants.run((one.function, slice), one.relations.clone(), one.made.clone(), how);
        let part: Option<MutationRecord> = self.piece(Step::Mutate, &one.name, key.key(), make)?;
        let Some(part) = part else {
            one.not_run += slice.len() as u64;
            return Ok(());
        };
        let is_left = |mutant: &&MutantRecord| mutant.judgement == Judgement::NotRun;
        one.not_run += part.mutants.iter().filter(is_left).count() as u64;
        match &mut one.whole {
            None => one.whole = Some(part),
            Some(whole) => {
                whole.mutants.extend(part.mutants);
                whole.contradictions.extend(part.contradictions);
            }
        }
        Ok(())
    }
}
