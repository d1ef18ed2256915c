//! The mutants that basic and composite relations kill.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dodona_mutation::{
    ComparedMutants, MutantSet, MutateOptions, MutateOutcome, Mutation, mutate::mutate_set,
};
use dodona_records::{Against, Binding, CheckRecord, Judgement, MutantId, MutationRecord};
use dodona_relations::ast::{Name, Relation};
use dodona_sources::Seed;
use dodona_target::{Until, splitmix64};
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, Relations};

use super::basics::BasicRelations;
use super::composites::Candidates;
use super::verdict::Verdicts;
use super::{ComposeOptions, ComposeProgress, ComposeStage};
use crate::analysis::{killed_by, no_mutants, violated};
use crate::filter_counts::FilterTest;
use crate::shuffled::shuffled;

/// The mutants that were run, and the mutants that each relation kills.
#[derive(Default)]
pub(super) struct Kills {
    /// The mutants, in ascending order.
    pub(super) mutants: Vec<MutantId>,
    /// The mutants that each relation kills with the inputs of the first seed, by the name of the relation.
    by_relation: BTreeMap<String, BTreeSet<MutantId>>,
    /// The same with the inputs of a second seed.
    again: BTreeMap<String, BTreeSet<MutantId>>,
    /// The mutants that the given relations kill together with the inputs of the first seed.
    pub(super) given: BTreeSet<MutantId>,
    pub(super) warnings: Vec<String>,
}

impl Kills {
    /// Runs all relations on mutants of the functions that the basic relations are about, with the inputs of two seeds. If an
    /// input violates a composite relation on the original, the relation is refuted and the others are run again.
    ///
    /// # Errors
    /// When mutants cannot be made or the host fails.
    pub(super) fn measure(
        workbench: &dodona_workbench::Workbench,
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
        let Some(workbench) = &dodona_wasm::of(workbench) else {
            kills.warnings.push(no_mutants(workbench));
            return Ok(kills);
        };
        let mutate = mutate_options(workbench, options, basics);
        let set = MutantSet::generate(workbench, &mutate)?;
        kills.warnings.extend(set.too_large(workbench));
        let sample = kills.sample(&set, options);
        let compared = set.compare(workbench, sample, &mutate, analysis.until, &mut kills.warnings)?;
        kills.mutants = compared.distinct().iter().map(|mutant| mutant.id).collect();
        let mut relations: Vec<Relation> =
            candidates.basics().iter().map(|basic| basic.composite.relation.clone()).collect();
        relations.extend(verdicts.confirmed.iter().map(|one| one.saying.relation.clone()));
        let given = given(workbench, basics, &relations);
        relations.extend(given.iter().cloned());
        let given: Vec<String> = given.into_iter().map(|relation| relation.name.text).collect();
        while !kills.mutants.is_empty() {
            let asked = AskedMutants { set: &set, wanted: &kills.mutants };
            match analysis.twice(workbench, &relations, asked, &mutate)? {
                Ok([first, second]) => {
                    kills.leave_out_not_run(&[&first.record, &second.record]);
                    kills.by_relation = by_relation(&first.record, &relations);
                    kills.again = by_relation(&second.record, &relations);
                    break;
                }
                Err(check) => kills.withdraw(&check, &mut relations, verdicts),
            }
        }
        kills.take_given(&given, candidates);
        Ok(kills)
    }

    /// Leaves out the mutants that there was no time to run with the inputs of both seeds: nothing is known of them.
    fn leave_out_not_run(&mut self, records: &[&MutationRecord; 2]) {
        let all = self.mutants.len();
        let is_run = |record: &MutationRecord, id: &MutantId| {
            record.mutants.iter().any(|m| m.id == *id && m.judgement != Judgement::NotRun)
        };
        self.mutants.retain(|id| records.iter().all(|record| is_run(record, id)));
        if self.mutants.len() < all {
            let left_out = all - self.mutants.len();
            self.warnings.push(format!(
                "there was no time to run the relations on {left_out} of {all} mutants, which are left out"
            ));
        }
    }

    /// The mutants that the basic relations and the relations with these names kill together.
    fn take_given(&mut self, names: &[String], candidates: &Candidates) {
        let basics = candidates.basics().iter().map(|basic| &basic.composite.relation.name.text);
        let killed = basics.chain(names).filter_map(|name| self.by_relation.get(name));
        self.given = killed.flatten().copied().collect();
    }

    /// The mutants that a relation kills with the inputs of both seeds, in ascending order. It hardly kills any of these by
    /// chance.
    pub(super) fn twice(&self, relation: &str) -> Vec<MutantId> {
        let again = self.again.get(relation);
        let mut killed = self.of(relation);
        killed.retain(|id| again.is_some_and(|again| again.contains(id)));
        killed
    }

    /// The mutants that a relation kills, in ascending order.
    pub(super) fn of(&self, relation: &str) -> Vec<MutantId> {
        self.by_relation.get(relation).into_iter().flatten().copied().collect()
    }

    /// A random choice of mutants, determined by the seed.
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

    /// Leaves out the relations that do not hold on the original. The composite ones among them count as refuted.
    fn withdraw(&mut self, check: &CheckRecord, relations: &mut Vec<Relation>, verdicts: &mut Verdicts) {
        let names: Vec<String> = relations.iter().map(|relation| relation.name.text.clone()).collect();
        for violation in violated(check, &names).into_iter().rev() {
            let relation = relations.remove(violation.place);
            let input = Binding::list(&violation.source);
            let composite =
                verdicts.confirmed.iter().position(|one| one.saying.relation.name == relation.name);
            match composite {
                Some(place) => match verdicts.confirmed[place].saying.softened() {
                    // If an inner call failed, the relation may still hold in the form that does not apply then. The next check
                    // of the original decides.
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
                    written_name(&relation.name.text)
                )),
            }
        }
    }
}

/// Some mutants of a set.
#[derive(Clone, Copy)]
struct AskedMutants<'a> {
    set: &'a MutantSet<'a>,
    wanted: &'a [MutantId],
}

/// How mutants are run.
pub(super) struct Analysis<'a> {
    pub(super) until: &'a Until,
    pub(super) progress: &'a mut dyn FnMut(&ComposeProgress),
}

impl Analysis<'_> {
    /// Runs mutants with the inputs of two seeds. Returns the check of the original if a relation does not hold on it.
    fn twice(
        &mut self,
        workbench: &Workbench,
        relations: &[Relation],
        asked: AskedMutants<'_>,
        options: &MutateOptions,
    ) -> Result<Result<[Box<Mutation>; 2], Box<CheckRecord>>, LabError> {
        let loaded = Arc::new(workbench.with(Relations::of_trees(relations, workbench.functions())?));
        let first = match self.run(&loaded, asked, options)? {
            MutateOutcome::Analysed(first) => first,
            MutateOutcome::BaselineViolated(check) => return Ok(Err(check)),
        };
        let again = MutateOptions { seed: second_seed(options.seed), ..options.clone() };
        Ok(match self.run(&loaded, asked, &again)? {
            MutateOutcome::Analysed(second) => Ok([first, second]),
            MutateOutcome::BaselineViolated(check) => Err(check),
        })
    }

    fn run(
        &mut self,
        workbench: &Arc<Workbench>,
        AskedMutants { set, wanted }: AskedMutants<'_>,
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

/// The relations of the subject that are not basic relations as they are written: those that take no part in compositions,
/// those of other functions, and those with constants. Each gets a name that no other relation has.
fn given(
    workbench: &dodona_workbench::Workbench,
    basics: &BasicRelations,
    others: &[Relation],
) -> Vec<Relation> {
    let mut taken: BTreeSet<String> = others.iter().map(|relation| relation.name.text.clone()).collect();
    let mut found = Vec::new();
    for loaded in basics.given(workbench) {
        let is_basic = loaded.relation.group_count() == 1 && basics.is_basic(loaded.relation.name());
        let relation = loaded.relation.tree().clone();
        if !is_basic {
            let name =
                (1..).map(|n| format!("{}_given_{n}", relation.name.text)).find(|name| !taken.contains(name));
            let name = name.unwrap_or_default();
            taken.insert(name.clone());
            found.push(Relation { name: Name::new(name), ..relation });
        }
    }
    found
}

/// The name that the relation has in its file.
fn written_name(name: &str) -> &str {
    name.split_once("_given_").map_or(name, |(name, _)| name)
}

/// The mutants that each relation kills.
fn by_relation(record: &MutationRecord, relations: &[Relation]) -> BTreeMap<String, BTreeSet<MutantId>> {
    let names = relations.iter().map(|relation| &relation.name.text);
    names.map(|name| (name.clone(), killed_by(Some(record), name))).collect()
}

/// The seed for the second set of inputs, by which the choice is confirmed.
fn second_seed(seed: Seed) -> Seed {
    Seed(splitmix64(!seed.0))
}

fn mutate_options(workbench: &Workbench, options: &ComposeOptions, basics: &BasicRelations) -> MutateOptions {
    let name = |function: usize| workbench.functions()[function].name.clone();
    MutateOptions {
        functions: basics.functions().into_iter().map(name).collect(),
        callees: options.callees.clone(),
        operators: options.operators.clone(),
        against: Against::Relations,
        inputs: options.inputs,
        seed: options.seed,
        jobs: options.jobs,
        ..MutateOptions::default()
    }
}
