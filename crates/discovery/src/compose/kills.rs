//! The mutants that basic and composite relations kill.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dodona_evidence::{Against, Binding, CheckRecord, Mode, MutantId, MutationRecord, Pruning};
use dodona_mutation::mutate::mutate_set;
use dodona_mutation::{ComparedMutants, KeepMatrix, MutantSet, MutateOptions, MutateOutcome, MutationBounds};
use dodona_relations::ast::{File, Relation};
use dodona_workbench::{LabError, Until, Workbench};

use super::basics::BasicRelations;
use super::candidates::Candidates;
use super::verdict::Verdicts;
use super::{ComposeOptions, ComposeProgress, ComposeStage};
use crate::analysis::{killed_by, violated};
use crate::collect::shuffled;
use crate::filter_counts::FilterTest;

/// The mutants that were run, and which of them each relation kills.
#[derive(Default)]
pub(super) struct Kills {
    /// By ascending number.
    pub(super) mutants: Vec<MutantId>,
    /// By the names of the relations.
    by_relation: BTreeMap<String, BTreeSet<MutantId>>,
    pub(super) warnings: Vec<String>,
}

impl Kills {
    /// Runs all relations on mutants of the functions that the basic ones are about. A composite relation that an input of the mutation
    /// analysis violates on the original is refuted, and the others are run again.
    ///
    /// # Errors
    /// When mutants cannot be made or the host fails.
    pub(super) fn measure(
        workbench: &Workbench,
        options: &ComposeOptions,
        basics: &BasicRelations,
        candidates: &Candidates,
        verdicts: &mut Verdicts,
        analysis: &mut Analysis<'_>,
    ) -> Result<Kills, LabError> {
        let mut kills = Kills::default();
        if options.mutants == 0 || !analysis.until.goes_on() {
            return Ok(kills);
        }
        let mutate = mutate_options(workbench, options, basics);
        let set = MutantSet::generate(workbench, &mutate)?;
        kills.warnings.extend(set.too_large(workbench));
        let sample = kills.sample(&set, options);
        let compared = set.compare(workbench, sample, &mutate, analysis.until, &mut kills.warnings)?;
        kills.mutants = compared.distinct().iter().map(|mutant| mutant.id).collect();
        let mut relations: Vec<Relation> =
            candidates.basics().iter().map(|basic| basic.composite.relation.clone()).collect();
        relations.extend(verdicts.confirmed.iter().map(|one| one.saying.relation.clone()));
        while !kills.mutants.is_empty() {
            let text = File { relations: relations.clone() }.to_string();
            match analysis.run(&Arc::new(workbench.with_relations(&text)?), &set, &kills.mutants, &mutate)? {
                MutateOutcome::Analysed(mutation) => {
                    kills.take(&mutation.record, &relations);
                    break;
                }
                MutateOutcome::BaselineViolated(check) => kills.withdraw(&check, &mut relations, verdicts),
            }
        }
        Ok(kills)
    }

    /// The mutants that a relation kills, by ascending number.
    pub(super) fn of(&self, relation: &str) -> Vec<MutantId> {
        self.by_relation.get(relation).into_iter().flatten().copied().collect()
    }

    /// Some mutants, chosen by the seed.
    fn sample<'s>(
        &mut self,
        set: &'s MutantSet<'_>,
        options: &ComposeOptions,
    ) -> Vec<&'s dodona_mutation::Mutant> {
        let all = set.asked();
        let mut order = shuffled(all.len(), options.seed, "mutants of compositions");
        order.truncate(options.mutants);
        order.sort_unstable();
        if order.len() < all.len() {
            self.warnings.push(format!(
                "relations were run on {} of {} mutants, chosen by the seed: --mutants raises their number",
                order.len(),
                all.len()
            ));
        }
        order.into_iter().map(|place| all[place]).collect()
    }

    fn take(&mut self, record: &MutationRecord, relations: &[Relation]) {
        for relation in relations {
            let name = &relation.name.text;
            self.by_relation.insert(name.clone(), killed_by(Some(record), name));
        }
    }

    /// Leaves out the relations that do not hold on the original, and refutes those of them that are composite.
    fn withdraw(&mut self, check: &CheckRecord, relations: &mut Vec<Relation>, verdicts: &mut Verdicts) {
        let names: Vec<String> = relations.iter().map(|relation| relation.name.text.clone()).collect();
        for violation in violated(check, &names).into_iter().rev() {
            let relation = relations.remove(violation.place);
            let input = Binding::list(&violation.source);
            let composite =
                verdicts.confirmed.iter().position(|one| one.saying.relation.name == relation.name);
            match composite {
                Some(place) => match verdicts.confirmed[place].saying.softened() {
                    // It is silent where an inner call fails, which may be all that the input shows: the next baseline tells.
                    Some(softened) => {
                        relations.push(softened.relation.clone());
                        verdicts.confirmed[place].saying = softened;
                    }
                    None => {
                        let confirmed = verdicts.confirmed.remove(place);
                        verdicts.refute(&confirmed.saying, input, FilterTest::MutationAnalysis);
                    }
                },
                None => self.warnings.push(format!(
                    "`{}` does not hold at {input}: what is composed of it may not hold either",
                    relation.name.text
                )),
            }
        }
    }
}

/// How mutants are run.
pub(super) struct Analysis<'a> {
    pub(super) until: &'a Until,
    pub(super) progress: &'a mut dyn FnMut(&ComposeProgress),
}

impl Analysis<'_> {
    fn run(
        &mut self,
        workbench: &Arc<Workbench>,
        set: &MutantSet<'_>,
        wanted: &[MutantId],
        options: &MutateOptions,
    ) -> Result<MutateOutcome, LabError> {
        let wanted: BTreeSet<MutantId> = wanted.iter().copied().collect();
        let compare = |_: &mut Vec<String>| {
            let mutants = set.asked().into_iter().filter(|mutant| wanted.contains(&mutant.id));
            Ok(ComparedMutants::taken_as_distinct(mutants.collect()))
        };
        mutate_set(workbench, set, compare, options, self.until, &mut |p| {
            let stage = ComposeProgress::of(ComposeStage::Mutants);
            (self.progress)(&ComposeProgress { done: p.done, planned: p.planned, ..stage });
        })
    }
}

fn mutate_options(workbench: &Workbench, options: &ComposeOptions, basics: &BasicRelations) -> MutateOptions {
    let name = |function: usize| workbench.manifest.functions[function].name.clone();
    MutateOptions {
        functions: basics.functions().into_iter().map(name).collect(),
        callees: options.callees.clone(),
        operators: options.operators.clone(),
        relations: Vec::new(),
        against: Against::Relations,
        inputs: options.inputs,
        files: Vec::new(),
        seed: options.seed,
        jobs: options.jobs,
        mode: Mode::EachRelation,
        pruning: Pruning::Infected,
        keep_matrix: KeepMatrix::No,
        bounds: MutationBounds::default(),
    }
}
