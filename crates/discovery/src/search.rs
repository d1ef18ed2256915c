//! The searches under all input transformations. They take turns.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use dodona_evidence::{Binding, DiscoveryRecord, FilterStep, RefutedRelation};
use dodona_evolution::discovery::{Candidate, EnumerateOptions, Search, SearchKind, Transformation};
use dodona_relations::ast::Expression;
use dodona_sources::Seed;
use dodona_subject::{Value, fnv1a, splitmix64};
use dodona_workbench::{Interruption, LabError, LoadedRelation, SubjectCaller, Workbench, Worker, explain};
use fixedbitset::FixedBitSet;

use crate::chosen::{Chosen, Known};
use crate::collect::Budget;
use crate::counterexample::{Observed, Probe};
use crate::filter::Fresh;
use crate::parallel::each_while;
use crate::target::Target;
use crate::watch::{END, Watch};
use crate::{DiscoverOptions, DiscoverProgress, Stage};

/// The name of the filter step in which mutation analysis first runs relations on the original.
pub(super) const MEASURED: &str = "mutation analysis";

/// How many relations of one search take part in a choice.
const CANDIDATES: usize = 60;

/// How many generations a search runs in one turn.
const TURN: u32 = 10;

/// How many searches have a turn in one round.
const TURNS: usize = 6;

/// How many places a turn without a gain costs a search: after its turn, the best search waits until the `AHEAD` searches behind it
/// have had theirs.
const AHEAD: usize = 12;

/// An input transformation and its search.
pub(super) struct Tried {
    pub(super) transformation: Transformation,
    pub(super) search: Search,
    probe: Probe,
    /// Mutants with an incorrect execution under this transformation, which a relation could kill.
    pub(super) within_reach: FixedBitSet,
    /// Executions that refuted relations and that the search does not know yet.
    learned: Observed,
    /// The number of turns without a gain.
    idle: u32,
    /// Whether enumeration has reached the size asked for.
    is_enumerated: bool,
    /// Its candidates, kept until it finds or learns something new.
    candidates: Option<Vec<Arc<Candidate>>>,
    /// The number of incorrect executions.
    incorrect: usize,
    /// The fewest incorrect executions that a relation misses, among the relations that passed new inputs.
    fewest_missed: Option<u32>,
}

/// All searches of a discovery.
pub(super) struct Searches<'a> {
    pub(super) target: &'a Target<'a>,
    pub(super) options: &'a DiscoverOptions,
    pub(super) watch: &'a Watch<'a>,
    pub(super) interrupted: &'a Interruption,
    pub(super) tried: Vec<Tried>,
    pub(super) chosen: Vec<Chosen>,
    /// The mutants that the chosen relations kill.
    pub(super) caught: FixedBitSet,
    /// The mutants that a relation under some transformation could kill.
    pub(super) reach: FixedBitSet,
    /// The results of relations that were run on new inputs, by their text.
    pub(super) known: HashMap<String, Known>,
    pub(super) screened: FilterStep,
    /// How many relations mutation analysis ran on the original, and how many held.
    pub(super) measured: FilterStep,
    pub(super) refuted: Vec<RefutedRelation>,
    /// The source inputs, with the index of the transformation, that refuted relations since the measured relations were last checked.
    pub(super) counterexamples: Vec<(usize, Vec<Value>)>,
    /// Relations, as text, that were chosen and then turned out not to hold.
    pub(super) dropped: HashSet<String>,
    /// How often the searches have learned from counterexamples. Inputs that they learned from are not new any more.
    lessons: u64,
    /// How much may be run.
    pub(super) budget: Budget,
    pub(super) caller: SubjectCaller,
}

impl Tried {
    pub(super) fn new(
        workbench: &Workbench,
        transformation: Transformation,
        pairs: dodona_evolution::discovery::Pairs,
        options: &DiscoverOptions,
        seed: u64,
    ) -> Result<Option<Tried>, LabError> {
        let Some(probe) = Probe::new(workbench, &pairs)? else { return Ok(None) };
        let mut within_reach = FixedBitSet::with_capacity(pairs.mutant_count);
        within_reach.extend(pairs.mutants.iter().chain(&pairs.crashed).map(|&m| m as usize));
        let incorrect = pairs.mutants.len();
        let search = Search::new(pairs, &options.settings, seed);
        let learned = Observed::default();
        Ok(Some(Tried {
            transformation,
            search,
            probe,
            within_reach,
            learned,
            idle: 0,
            is_enumerated: false,
            candidates: None,
            incorrect,
            fewest_missed: None,
        }))
    }

    /// The lowest rate of false negatives of a relation that passed new inputs.
    pub(super) fn false_negatives(&self) -> Option<f64> {
        self.fewest_missed.map(|missed| f64::from(missed) / self.incorrect.max(1) as f64)
    }

    /// Records a relation that passed new inputs.
    pub(super) fn passed(&mut self, candidate: &Candidate) {
        let fewest =
            self.fewest_missed.map_or(candidate.false_negatives, |f| f.min(candidate.false_negatives));
        self.fewest_missed = Some(fewest);
    }

    /// The relations that take part in a choice.
    pub(super) fn candidates(&mut self) -> &[Arc<Candidate>] {
        let search = &mut self.search;
        self.candidates
            .get_or_insert_with(|| search.candidates(CANDIDATES).into_iter().map(Arc::new).collect())
    }

    /// Drops a part of a relation that must not be chosen.
    pub(super) fn dismiss(&mut self, condition: Option<&Expression>, part: &Expression) {
        self.search.dismiss(condition, part);
        self.candidates = None;
    }

    /// Has one turn: first enumeration up to the size asked for, in later turns some generations.
    fn turn(&mut self, most: u32, watch: &Watch<'_>) {
        if self.is_enumerated {
            let turn = TURN.min(most.saturating_sub(self.search.state().generation));
            self.search.evolve(turn, &|| watch.searches());
        } else {
            self.search.enumerate(&EnumerateOptions::default(), &|| watch.searches());
            self.is_enumerated = true;
        }
        self.search.rest();
        self.candidates = None;
        self.idle += 1;
    }

    /// How many mutants its best relation kills.
    fn strength(&self) -> usize {
        let all = self.candidates.iter().flatten();
        all.map(|candidate| candidate.caught.count_ones(..)).max().unwrap_or(0)
    }
}

impl<'a> Searches<'a> {
    pub(super) fn new(
        target: &'a Target<'a>,
        options: &'a DiscoverOptions,
        (watch, interrupted): (&'a Watch<'a>, &'a Interruption),
        tried: Vec<Tried>,
        budget: Budget,
    ) -> Searches<'a> {
        let mut reach = FixedBitSet::new();
        tried.iter().for_each(|tried| reach.union_with(&tried.within_reach));
        Searches {
            target,
            options,
            watch,
            interrupted,
            tried,
            chosen: Vec::new(),
            caught: FixedBitSet::with_capacity(reach.len()),
            reach,
            known: HashMap::new(),
            screened: FilterStep { name: "fresh inputs".into(), tried: 0, passed: 0 },
            measured: FilterStep { name: MEASURED.into(), tried: 0, passed: 0 },
            refuted: Vec::new(),
            counterexamples: Vec::new(),
            dropped: HashSet::new(),
            lessons: 0,
            budget,
            caller: target.workbench.caller(),
        }
    }

    /// New inputs for a step of the filter. After each lesson from counterexamples they are different ones, because the searches
    /// have then seen some of the inputs before.
    pub(super) fn fresh(&self, step: &str) -> Fresh<'a> {
        let stream = fnv1a(step.as_bytes()) ^ splitmix64(self.lessons);
        Fresh {
            workbench: self.target.workbench,
            function: self.target.function,
            seed: Seed(splitmix64(self.options.seed.0 ^ stream)),
        }
    }

    pub(super) fn told(&self, stage: Stage, done: u64, planned: u64) -> DiscoverProgress {
        let states = || self.tried.iter().map(|t| t.search.state());
        let least = |rates: &mut dyn Iterator<Item = f64>| rates.fold(1.0, f64::min);
        DiscoverProgress {
            stage,
            done,
            planned,
            generation: states().map(|s| s.generation).max().unwrap_or(0),
            best_false_positives: least(
                &mut states().filter_map(|s| s.fewest_false_positives).map(|r| r.false_positives),
            ),
            best_false_negatives: least(
                &mut states()
                    .filter_map(|s| s.fewest_false_positives)
                    .filter(|r| r.false_positives == 0.0)
                    .map(|r| r.false_negatives),
            ),
            relations: self.chosen.len(),
            left: self.watch.left(),
        }
    }

    /// Enumerates small terms under every transformation. A search enumerates larger terms in its first turn.
    pub(super) fn enumerate(&mut self, progress: &mut dyn FnMut(&DiscoverProgress)) -> Result<(), LabError> {
        if self.options.settings.search == SearchKind::Evolve {
            self.tried.iter_mut().for_each(|tried| tried.is_enumerated = true);
            return Ok(());
        }
        let before = self.told(Stage::Enumeration, 0, self.tried.len() as u64);
        let watch = self.watch;
        each_while(
            (Worker::Enumeration, self.options.jobs.get()),
            &mut self.tried,
            watch,
            |_, tried| {
                tried.search.enumerate(&EnumerateOptions::first_look(), &|| watch.searches());
                tried.candidates();
                tried.search.rest();
            },
            &mut |done| progress(&DiscoverProgress { done: done as u64, left: watch.left(), ..before }),
        )
    }

    /// Gives some searches a turn each. The first turn of a search is enumeration to its end; further turns are generations of
    /// genetic programming. `false` if no search has anything left to do.
    pub(super) fn turn(&mut self, progress: &mut dyn FnMut(&DiscoverProgress)) -> Result<bool, LabError> {
        let most = match self.options.settings.search {
            SearchKind::Enumerate => 0,
            _ => self.options.generations,
        };
        let order = self.order(most);
        let before = self.told(Stage::Evolution, 0, order.len() as u64);
        let watch = self.watch;
        let mut next: Vec<&mut Tried> =
            self.tried.iter_mut().enumerate().filter(|(i, _)| order.contains(i)).map(|(_, t)| t).collect();
        each_while(
            (Worker::Evolution, self.options.jobs.get()),
            &mut next,
            watch,
            |_, tried| tried.turn(most, watch),
            &mut |done| progress(&DiscoverProgress { done: done as u64, left: watch.left(), ..before }),
        )?;
        Ok(!order.is_empty())
    }

    /// The searches that have the next turns. Those whose relations kill the most mutants come first, but in time all have turns.
    fn order(&self, most: u32) -> Vec<usize> {
        let is_left = |tried: &Tried| {
            let has_steps = !tried.is_enumerated || tried.search.state().generation < most;
            // Without mutants nothing shows where there is something to gain.
            has_steps && (self.reach.is_clear() || !tried.within_reach.is_subset(&self.caught))
        };
        let mut order: Vec<usize> = (0..self.tried.len()).filter(|&i| is_left(&self.tried[i])).collect();
        order.sort_by_key(|&i| (std::cmp::Reverse(self.tried[i].strength()), i));
        let mut turns: Vec<(usize, usize)> = order
            .into_iter()
            .enumerate()
            .map(|(place, i)| (self.tried[i].idle as usize * AHEAD + place, i))
            .collect();
        turns.sort_unstable();
        turns.into_iter().take(TURNS).map(|(_, i)| i).collect()
    }

    /// Records a source input that refutes a relation.
    pub(super) fn refute(
        &mut self,
        tried: usize,
        relation: &LoadedRelation,
        values: &[Value],
        step: &str,
    ) -> Result<(), LabError> {
        self.known.insert(relation.relation.text().to_owned(), Known::Refuted);
        self.counterexamples.push((tried, values.to_vec()));
        self.caller.runner().end_at(&self.watch.until(END));
        match self.observe(tried, relation, values, step) {
            // That the relation is refuted is recorded. There is no time to find out how.
            Err(error) if error.is_stopped() => Ok(()),
            ended => ended,
        }
    }

    /// Lets the search learn from a source input that refutes a relation, and records how the input refutes it.
    fn observe(
        &mut self,
        tried: usize,
        relation: &LoadedRelation,
        values: &[Value],
        step: &str,
    ) -> Result<(), LabError> {
        let tried = &mut self.tried[tried];
        tried.probe.observe(values, &mut self.caller, &mut tried.learned)?;
        if self.refuted.len() < DiscoveryRecord::MOST_REFUTED {
            let variables = crate::filter::values_by_variable(relation, values);
            let told = explain::tell(self.target.workbench, relation, 0, &variables, &mut self.caller)?;
            let source = explain::source(relation, &variables);
            self.refuted.push(RefutedRelation {
                text: relation.relation.text().to_owned(),
                counterexample: format!("{}: {}", Binding::list(&source), told.why),
                step: step.to_owned(),
            });
        }
        Ok(())
    }

    /// Records that a relation, which mutation analysis may have passed, does not hold on the original.
    pub(super) fn withdraw(&mut self) {
        self.measured.passed = self.measured.passed.saturating_sub(1);
    }

    /// Passes the executions that refuted relations to the searches.
    pub(super) fn learn(&mut self) {
        self.lessons += 1;
        // Only few searches learn at a time, each on its own, so threads would gain little.
        for tried in self.tried.iter_mut().filter(|t| !t.learned.is_empty()) {
            let (correct, refused) = tried.probe.columns(&std::mem::take(&mut tried.learned));
            tried.search.refute(&correct, &refused);
            tried.candidates = None;
        }
    }

    /// Counts a gain: the searches of the chosen relations get the next turns.
    pub(super) fn gained(&mut self) {
        for chosen in &self.chosen {
            self.tried[chosen.tried].idle = 0;
        }
    }
}
