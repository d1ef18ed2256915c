//! What is said of each relation: its check and its proof.

use std::collections::BTreeSet;

use dodona_records::{CheckRecord, ProofRecord, ProofVerdict, RelationState, RelationVerdict, RunRelation};
use dodona_wasm::Workbench;
use dodona_workbench::{LoadedRelation, Regressions, called};

use super::Run;
use crate::found::Found;
use crate::steps::{checked, proved};
use crate::{RunError, Step};

/// A relation with what is said of it.
pub(super) struct Judged {
    /// The function of its first call.
    pub(super) function: usize,
    pub(super) relation: RunRelation,
}

impl Run<'_, '_, '_> {
    /// Checks a relation, which is accepted unless a search found it.
    pub(super) fn check(
        &mut self,
        together: &Workbench,
        loaded: &LoadedRelation,
        found: Option<&Found>,
    ) -> Result<Option<Judged>, RunError> {
        let functions: BTreeSet<usize> = called(&loaded.relation).collect();
        let Some(function) = called(&loaded.relation).next() else { return Ok(None) };
        let relation = self.depends.relation(loaded);
        let key = self.depends.begin(Step::Check.name()).with(relation.bytes());
        let mut key = self.with_inputs(key, &functions);
        // A counterexample that was kept of what a person wants to hold is tried first.
        let regressions = if found.is_none() { Regressions::KeepOwn } else { Regressions::Ignore };
        if regressions == Regressions::KeepOwn {
            key = key.with(self.depends.counterexamples().bytes());
        }
        let (how, name) = (self.how, loaded.relation.name());
        let made = self.made_for(&functions);
        let make = || checked(&together.any(), name, (made, regressions), how);
        let Some(record): Option<CheckRecord> = self.piece(Step::Check, name, key.key(), make)? else {
            return Ok(None);
        };
        self.record.warnings.extend(record.warnings.iter().map(|warning| format!("{name}: {warning}")));
        self.record.unread += record.unread;
        let Some(mut check) = record.relations.into_iter().next() else { return Ok(None) };
        // What was kept may be of another place in the file.
        let (state, file, line) = match found {
            None => (RelationState::Accepted, loaded.file.display().to_string(), loaded.line),
            Some(_) => (RelationState::Found, String::new(), 0),
        };
        (check.file, check.line) = (file, line);
        let (words, found_by) = (found.and_then(|found| found.words.clone()), found.map(|found| found.by));
        let relation = RunRelation { state, words, found_by, check, proof: None, caught: None };
        Ok(Some(Judged { function, relation }))
    }

    /// Puts the relations that hold to proof. An input that refutes one is a violation.
    pub(super) fn prove_all(
        &mut self,
        together: &Workbench,
        relations: &mut [Judged],
    ) -> Result<(), RunError> {
        let holding = || |one: &&mut Judged| one.relation.verdict() == RelationVerdict::Holds;
        self.planned += relations.iter_mut().filter(holding()).count() as u64;
        for one in relations.iter_mut().filter(holding()) {
            self.prove(together, &mut one.relation)?;
        }
        Ok(())
    }

    fn prove(&mut self, together: &Workbench, relation: &mut RunRelation) -> Result<(), RunError> {
        let name = relation.name().to_owned();
        let is_it = |loaded: &LoadedRelation| loaded.relation.name() == name;
        let Some(index) = together.relations.iter().position(is_it) else { return Ok(()) };
        let key = self.depends.relation(&together.relations[index]);
        let key = self.depends.begin(Step::Prove.name()).with(key.bytes()).key();
        let how = self.how;
        let record: Option<ProofRecord> =
            self.piece(Step::Prove, &name, key, || proved(together, index, how))?;
        let Some(record) = record else { return Ok(()) };
        self.record.contradictions.extend(record.contradictions);
        let Some(proof) = record.relations.into_iter().next() else { return Ok(()) };
        if let ProofVerdict::Refuted { counterexample } = &proof.verdict {
            relation.check.tally.violated += 1;
            relation.check.counterexample = Some(counterexample.as_ref().clone());
        }
        relation.proof = Some(match proof.verdict {
            // What asks for random bytes is proved only for those that every run gets.
            ProofVerdict::Proved { .. } if proof.random_source => ProofVerdict::Unknown { why: Vec::new() },
            // The clock may be one of the reasons, and two runs have the same record.
            ProofVerdict::Unknown { .. } => ProofVerdict::Unknown { why: Vec::new() },
            verdict => verdict,
        });
        Ok(())
    }
}
