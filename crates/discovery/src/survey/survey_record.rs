//! The record of a survey, as far as it has come.

use std::collections::BTreeSet;

use dodona_records::{MutantId, SurveyRecord, SurveyedFunction, SurveyedRelation};

use super::candidate::Candidate;
use super::choice::choose;
use super::trials::names;
use super::{Survey, proposed};
use crate::relation_of::functions_of;

impl Survey<'_, '_> {
    /// What is known by now.
    pub(super) fn record(&self) -> SurveyRecord {
        let judged = self.judged.clone().unwrap_or_default();
        let accepted = self.accepted();
        let by_accepted: BTreeSet<MutantId> =
            accepted.iter().filter_map(|one| one.caught.as_ref()).flatten().copied().collect();
        let candidates = proposed(&self.pool.held, !judged.is_empty());
        let all = self.pool.held.len();
        let chosen = choose(candidates, (&by_accepted, &self.has_own()), self.options.relations);
        let left_out = all - chosen.len();
        let relations = with_only(&chosen, &by_accepted, |one| names(self.workbench, &one.functions));
        let mut undone = self.undone.clone();
        if judged.not_run > 0 {
            undone.push(format!("{} seeded faults were not run", judged.not_run));
        }
        let caught: BTreeSet<MutantId> = relations
            .iter()
            .filter_map(|one| one.caught.as_ref())
            .flatten()
            .chain(&by_accepted)
            .copied()
            .collect();
        let functions = self.workbench.functions().iter().enumerate().map(|(place, function)| {
            let mutants = judged.of_function.get(place).cloned().unwrap_or_default();
            let among = |some: &BTreeSet<MutantId>| mutants.intersection(some).copied().collect();
            SurveyedFunction {
                name: function.name.clone(),
                revealed: among(&judged.revealed),
                caught: among(&caught),
                crashed: among(&judged.crashed),
                mutants,
                note: self.outcomes.get(place).and_then(|outcomes| outcomes.note.clone()),
            }
        });
        SurveyRecord {
            seed: self.options.seed.0,
            functions: functions.collect(),
            relations,
            accepted,
            broken: self.counts.broken.clone(),
            left_out,
            unconfirmed: self.counts.open,
            undone,
            is_interrupted: self.interrupted.is_raised(),
            warnings: Vec::new(),
            seconds: self.started.elapsed().as_secs_f64(),
        }
    }

    /// The functions that the subject's own relations call.
    fn has_own(&self) -> BTreeSet<usize> {
        self.workbench
            .relations
            .iter()
            .flat_map(|loaded| dodona_workbench::called(&loaded.relation))
            .collect()
    }

    /// The subject's own relations, with what they catch.
    fn accepted(&self) -> Vec<SurveyedRelation> {
        let judged = self.judged.as_ref().filter(|judged| !judged.is_empty());
        let one = |loaded: &dodona_workbench::LoadedRelation| {
            let name = loaded.relation.name().to_owned();
            let functions = functions_of(&loaded.relation);
            SurveyedRelation {
                text: loaded.relation.text().to_string(),
                functions: names(self.workbench, &functions),
                is_example: loaded.relation.variables().is_empty(),
                held: 0,
                ineligible: 0,
                caught: judged.map(|judged| judged.kills.get(&name).cloned().unwrap_or_default()),
                only: BTreeSet::new(),
                name,
            }
        };
        self.workbench.relations.iter().map(one).collect()
    }
}

/// The relations with the mutants that each of them alone catches.
fn with_only(
    chosen: &[Candidate],
    accepted: &BTreeSet<MutantId>,
    functions: impl Fn(&Candidate) -> Vec<String>,
) -> Vec<SurveyedRelation> {
    let one = |(place, candidate): (usize, &Candidate)| {
        let others = chosen.iter().enumerate().filter(|(other, _)| *other != place);
        let others: BTreeSet<MutantId> =
            others.filter_map(|(_, one)| one.kills.as_ref()).flatten().chain(accepted).copied().collect();
        let only = candidate.kills.iter().flatten().filter(|id| !others.contains(id)).copied().collect();
        SurveyedRelation {
            name: candidate.name().to_owned(),
            text: candidate.relation.to_string(),
            functions: functions(candidate),
            is_example: candidate.is_example,
            held: candidate.held,
            ineligible: candidate.ineligible,
            caught: candidate.kills.clone(),
            only,
        }
    };
    chosen.iter().enumerate().map(one).collect()
}
