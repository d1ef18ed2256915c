//! What is said of each relation: its check and its proof.

use std::collections::BTreeSet;

use dodona_records::{CheckRecord, ProofRecord, ProofVerdict, RelationState, RelationVerdict, RunRelation};
use dodona_wasm::Workbench;
use dodona_workbench::called;

use super::Run;
use crate::found::Found;
use crate::steps::{checked, is_to_be_kept, noted, proved, regressions};
use crate::{RunError, Share, Step};

/// A relation with what is said of it.
pub(super) struct Judged {
    /// Its place among the relations, the accepted ones first.
    pub(super) place: usize,
    /// The function of its first call.
    pub(super) function: usize,
    pub(super) relation: RunRelation,
}

impl Run<'_, '_, '_> {
    /// Checks the relation at a place of a workbench. It is accepted unless a search found it.
    pub(super) fn check(
        &mut self,
        workbench: &Workbench,
        place: usize,
        found: Option<&Found>,
    ) -> Result<Option<Judged>, RunError> {
        let loaded = &workbench.relations[place];
        let functions: BTreeSet<usize> = called(&loaded.relation).collect();
        let Some(function) = called(&loaded.relation).next() else { return Ok(None) };
        let relation = self.depends.relation(loaded);
        let key = self.depends.begin(Step::Check.name()).with(relation.bytes());
        // Two subjects may have the same code, relations and inputs; where their counterexamples are kept is a part of the result.
        let mut key = self.with_inputs(key, &functions).with(self.kept.manifest());
        if found.is_none() {
            key = key.with(self.depends.counterexamples().bytes());
        }
        let (how, name) = (self.how, loaded.relation.name());
        let made = self.made_for(&functions)?;
        let make = || checked(&workbench.any(), name, (made, regressions(found, how)), how);
        let is_done = |record: &CheckRecord| !is_to_be_kept(record, found, how);
        let record: Option<CheckRecord> = self.piece_if(Step::Check, name, key.key(), &is_done, make)?;
        let relation = record.and_then(|record| noted(record, loaded, found, &mut self.record));
        Ok(relation.map(|relation| Judged { place, function, relation }))
    }

    /// Puts the accepted relations of a share to proof, whatever their checks say: these may be another shard's.
    pub(super) fn prove_share(&mut self, share: &Share) -> Result<(), RunError> {
        self.planned += share.proofs().len() as u64;
        let workbench = self.workbench;
        share.proofs().iter().try_for_each(|&place| self.proof(workbench, place).map(drop))
    }

    /// Puts the relations that hold to proof. An input that refutes one is a violation. In a share these are the ones that were found of functions which it measures.
    pub(super) fn prove_all(
        &mut self,
        together: &Workbench,
        relations: &mut [Judged],
    ) -> Result<(), RunError> {
        let share = self.share;
        let is_proved = |one: &&mut Judged| {
            let is_mine = |share: &Share| match one.relation.state {
                RelationState::Accepted => share.proofs().contains(&one.place),
                RelationState::Found => share.is_first(one.function),
            };
            one.relation.verdict() == RelationVerdict::Holds && share.is_none_or(is_mine)
        };
        self.planned += relations.iter_mut().filter(is_proved).count() as u64;
        for one in relations.iter_mut().filter(is_proved) {
            self.prove(together, one)?;
        }
        Ok(())
    }

    /// The proof of a relation.
    fn proof(&mut self, workbench: &Workbench, place: usize) -> Result<Option<ProofRecord>, RunError> {
        let (how, loaded) = (self.how, &workbench.relations[place]);
        let key = self.depends.relation(loaded);
        let key = self.depends.begin(Step::Prove.name()).with(key.bytes()).key();
        self.piece(Step::Prove, loaded.relation.name(), key, || proved(workbench, place, how))
    }

    fn prove(
        &mut self,
        together: &Workbench,
        Judged { place, relation, .. }: &mut Judged,
    ) -> Result<(), RunError> {
        let Some(record) = self.proof(together, *place)? else { return Ok(()) };
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
