//! Relations are run on mutants of all functions: each function has some before any has many.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dodona_mutation::{ComparedMutants, Mutant, MutantSet, MutateOptions, MutateOutcome, mutate::mutate_set};
use dodona_records::{Against, CheckRecord, Judgement, MutantId, MutationRecord};
use dodona_relations::ast::Relation;
use dodona_sources::Seed;
use dodona_target::Until;
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, Relations};

use super::survey_options::SurveyOptions;
use super::survey_tuning::{FIRST_MUTANTS, INPUTS_ON_MUTANTS};
use crate::analysis::violated;
use crate::shuffled::shuffled;

/// What is known of mutants.
#[derive(Clone, Debug, Default)]
pub(super) struct Judged {
    /// The mutants of each function that were run.
    pub(super) of_function: Vec<BTreeSet<MutantId>>,
    /// Those that inputs reveal.
    pub(super) revealed: BTreeSet<MutantId>,
    /// Those that fail by themselves.
    pub(super) crashed: BTreeSet<MutantId>,
    /// Those that each relation kills, by its name.
    pub(super) kills: BTreeMap<String, BTreeSet<MutantId>>,
    /// How many mutants there was no time for.
    pub(super) not_run: usize,
    /// Relations that an input of these runs violates on the original, by name.
    pub(super) refuted: Vec<String>,
}

impl Judged {
    /// All mutants that were run.
    fn run(&self) -> BTreeSet<MutantId> {
        self.of_function.iter().flatten().copied().collect()
    }
}

/// The mutants of a subject, of which each survey runs a sample.
pub(super) struct Judge<'w> {
    workbench: &'w Arc<Workbench>,
    set: MutantSet<'w>,
    options: MutateOptions,
    /// The sample of each function, in the order in which its mutants are run.
    samples: Vec<Vec<MutantId>>,
}

impl<'w> Judge<'w> {
    /// Chooses mutants of each function by the seed.
    ///
    /// # Errors
    /// When mutants cannot be made.
    pub(super) fn new(workbench: &'w Arc<Workbench>, options: &SurveyOptions) -> Result<Judge<'w>, LabError> {
        let mutate = MutateOptions {
            against: Against::Both,
            inputs: INPUTS_ON_MUTANTS,
            // Other inputs than those that the relations were found with.
            seed: Seed(options.seed.0 ^ 0x6a75_6467_6500_0000),
            jobs: options.jobs,
            ..MutateOptions::default()
        };
        let set = MutantSet::generate(workbench, &mutate)?;
        let samples = (0..workbench.functions().len()).map(|function| {
            let all = set.asked_of(workbench, function, &mutate);
            let order = shuffled(all.len(), options.seed, "mutants of a survey");
            order.into_iter().take(options.mutants).map(|place| all[place].id).collect()
        });
        let samples = samples.collect();
        Ok(Judge { workbench, set, options: mutate, samples })
    }

    /// How many mutants each function has.
    pub(super) fn has_mutants(&self, function: usize) -> bool {
        !self.samples[function].is_empty()
    }

    /// Runs relations on the mutants, in rounds, until all were run or the time is up.
    ///
    /// # Errors
    /// When a relation is not valid or the host fails.
    pub(super) fn run(
        &self,
        relations: &mut Vec<Relation>,
        until: &Until,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Judged, LabError> {
        let mut judged =
            Judged { of_function: vec![BTreeSet::new(); self.samples.len()], ..Judged::default() };
        let order = self.order();
        let planned = order.len() as u64;
        let (mut rest, mut done) = (&order[..], 0);
        // Compiling takes as long as all mutants of a round have code, and cannot be ended: of large functions a few are known before many are tried.
        for of_each in FIRST_MUTANTS.into_iter().chain([usize::MAX]) {
            let most = self.samples.iter().map(|sample| sample.len().min(of_each)).sum::<usize>();
            let (round, later) = rest.split_at(most.saturating_sub(done as usize).min(rest.len()));
            rest = later;
            if !until.goes_on() {
                judged.not_run += round.len();
            } else if !round.is_empty() {
                self.round(relations, round, until, &mut judged, &mut |run| progress(done + run, planned))?;
            }
            done += round.len() as u64;
        }
        Ok(judged)
    }

    /// All samples, one mutant of each function after the other, each mutant once.
    fn order(&self) -> Vec<MutantId> {
        let longest = self.samples.iter().map(Vec::len).max().unwrap_or(0);
        let mut seen = BTreeSet::new();
        let in_turns = (0..longest).flat_map(|turn| self.samples.iter().filter_map(move |s| s.get(turn)));
        in_turns.copied().filter(|id| seen.insert(*id)).collect()
    }

    fn round(
        &self,
        relations: &mut Vec<Relation>,
        wanted: &[MutantId],
        until: &Until,
        judged: &mut Judged,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), LabError> {
        let all: BTreeMap<MutantId, &Mutant> = self.set.asked().into_iter().map(|m| (m.id, m)).collect();
        let mutants = || wanted.iter().filter_map(|id| all.get(id).copied()).collect::<Vec<_>>();
        // To compare them first would take as long as to run them; those that are equivalent are revealed by no input, and count nowhere.
        let compared = ComparedMutants::taken_as_distinct(mutants());
        let distinct: BTreeSet<MutantId> = wanted.iter().copied().collect();
        loop {
            let loaded = Relations::of_trees(relations, self.workbench.functions())?;
            let workbench = Arc::new(self.workbench.with(loaded));
            let compared = compared.clone();
            let mut told = |p: dodona_mutation::MutateProgress| progress(p.done);
            match mutate_set(&workbench, &self.set, |_| Ok(compared), &self.options, until, &mut told) {
                Ok(MutateOutcome::Analysed(analysed)) => {
                    self.note(&analysed.record, &distinct, judged);
                    return Ok(());
                }
                Ok(MutateOutcome::BaselineViolated(check)) => withdraw(&check, relations, judged),
                Err(error) if error.is_stopped() => {
                    judged.not_run += distinct.len();
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn note(&self, record: &MutationRecord, distinct: &BTreeSet<MutantId>, judged: &mut Judged) {
        for mutant in record.mutants.iter().filter(|mutant| distinct.contains(&mutant.id)) {
            if mutant.judgement == Judgement::NotRun {
                judged.not_run += 1;
                continue;
            }
            for (sample, of) in self.samples.iter().zip(&mut judged.of_function) {
                if sample.contains(&mutant.id) {
                    of.insert(mutant.id);
                }
            }
            if mutant.revealed_by.is_some() || !mutant.killed_by.is_empty() {
                judged.revealed.insert(mutant.id);
            }
            if matches!(mutant.judgement, Judgement::Crashed | Judgement::TimedOut) {
                judged.crashed.insert(mutant.id);
            }
            for kill in &mutant.killed_by {
                judged.kills.entry(kill.relation.clone()).or_default().insert(mutant.id);
            }
        }
    }
}

/// Takes out the relations that do not hold on the original after all.
fn withdraw(check: &CheckRecord, relations: &mut Vec<Relation>, judged: &mut Judged) {
    let names: Vec<String> = relations.iter().map(|relation| relation.name.text.clone()).collect();
    for violation in violated(check, &names).into_iter().rev() {
        let relation = relations.remove(violation.place);
        judged.refuted.push(relation.name.text);
    }
}

impl Judged {
    /// The mutants of a function that inputs reveal and these relations do not catch.
    pub(super) fn left(&self, function: usize, caught: &BTreeSet<MutantId>) -> usize {
        let of = self.of_function.get(function).into_iter().flatten();
        of.filter(|id| self.revealed.contains(id) && !caught.contains(id) && !self.crashed.contains(id))
            .count()
    }

    /// Whether any mutant was run.
    pub(super) fn is_empty(&self) -> bool {
        self.run().is_empty()
    }
}
