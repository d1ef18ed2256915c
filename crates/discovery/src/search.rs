//! The searches under all input transformations. They take turns.

use std::cmp::Reverse;

use dodona_inference::discovery::{SearchKind, SearchState};
use dodona_records::{Binding, RefutedRelation};
use dodona_relations::ast::Relation;
use dodona_sources::Seed;
use dodona_target::{Column, Value, fnv1a, splitmix64};
use dodona_workbench::{LabError, LoadedRelation, SubjectCaller, Worker, explain};
use fixedbitset::FixedBitSet;

use crate::chosen::Chosen;
use crate::collect::Budget;
use crate::filter::{FreshInputs, values_by_variable};
use crate::filter_counts::FilterTest;
use crate::ledger::{Ledger, RefutingInput};
use crate::overhead;
use crate::parallel::each_while;
use crate::sources::SourceInputs;
use crate::steep::steep_inputs;
use crate::target::DiscoveryTarget;
use crate::transformation_search::TransformationSearch;
use crate::tuning::{PLACES_BEHIND, SEARCH_STARTS, STEEP_PART, TURNS_A_ROUND};
use crate::watch::{END, Watch};
use crate::{DiscoverOptions, DiscoverProgress, Stage};

/// All searches of a discovery, and the ledger of what their relations were found to do.
pub(super) struct Searches<'a> {
    pub(super) target: &'a DiscoveryTarget<'a>,
    pub(super) options: &'a DiscoverOptions,
    pub(super) watch: &'a Watch<'a>,
    pub(super) sources: &'a SourceInputs,
    pub(super) ledger: Ledger,
    /// The search under each transformation, by its index.
    pub(super) under: Vec<TransformationSearch>,
    /// The mutants that a relation under some transformation could kill.
    pub(super) reach: FixedBitSet,
    /// How much may be run.
    pub(super) budget: Budget,
    pub(super) caller: SubjectCaller,
    /// Source inputs where the output changes most; one column for each parameter. The search does not see them.
    pub(super) steep: Vec<Column>,
    /// Whether the time for enumeration is over, so that all turns are generations.
    only_evolves: bool,
    /// The relations of known forms that were found before the search.
    pub(super) forms: Vec<Relation>,
    /// The mutants that relations of known forms kill.
    pub(super) forms_kill: FixedBitSet,
}

impl<'a> Searches<'a> {
    pub(super) fn new(
        target: &'a DiscoveryTarget<'a>,
        options: &'a DiscoverOptions,
        watch: &'a Watch<'a>,
        sources: &'a SourceInputs,
        under: Vec<TransformationSearch>,
        budget: Budget,
    ) -> Searches<'a> {
        let mut reach = FixedBitSet::new();
        under.iter().for_each(|search| reach.union_with(search.within_reach()));
        let (ledger, caller) = (Ledger::new(reach.len()), target.workbench.caller());
        let forms_kill = FixedBitSet::with_capacity(reach.len());
        Searches {
            target,
            options,
            watch,
            sources,
            ledger,
            under,
            reach,
            budget,
            caller,
            steep: Vec::new(),
            only_evolves: false,
            forms: Vec::new(),
            forms_kill,
        }
    }

    /// Looks for source inputs where the output changes most.
    ///
    /// # Errors
    /// When the host fails.
    pub(super) fn find_steep(&mut self) -> Result<(), LabError> {
        let DiscoveryTarget { workbench, function, .. } = *self.target;
        let declared = &workbench.functions()[function];
        let is_fresh = overhead::is_fresh(&**workbench, function);
        self.caller.session().end_at(&self.watch.part_of_tests(STEEP_PART));
        let starts = self.sources.spread(SEARCH_STARTS);
        let found = steep_inputs(declared, function, &starts, is_fresh, &mut self.caller)?;
        self.steep = found.columns;
        if found.is_cut && !self.watch.is_interrupted() {
            self.watch.clock_decided();
        }
        Ok(())
    }

    /// New inputs for a step of the filter. After each lesson from counterexamples they are different ones, because the searches
    /// have then seen some of the inputs before.
    pub(super) fn fresh(&self, step: &str) -> FreshInputs<'a> {
        let stream = fnv1a(step.as_bytes()) ^ splitmix64(self.ledger.lessons());
        FreshInputs {
            workbench: &**self.target.workbench,
            function: self.target.function,
            seed: Seed(splitmix64(self.options.seed.0 ^ stream)),
        }
    }

    /// The states of all searches.
    pub(super) fn states(&self) -> impl Iterator<Item = SearchState> + '_ {
        self.under.iter().map(TransformationSearch::state)
    }

    /// The progress to be shown, with `done` of `planned` steps of a stage.
    pub(super) fn told(&self, stage: Stage, done: u64, planned: u64) -> DiscoverProgress {
        let rates = || self.states().filter_map(|state| state.fewest_false_positives);
        let exact = rates().filter(|rates| rates.false_positives == 0.0);
        DiscoverProgress {
            stage,
            done,
            planned,
            generation: self.states().map(|state| state.generation).max().unwrap_or(0),
            best_false_positives: rates().map(|rates| rates.false_positives).fold(1.0, f64::min),
            best_false_negatives: exact.map(|rates| rates.false_negatives).fold(1.0, f64::min),
            relations: self.ledger.chosen().len(),
            left: self.watch.left(),
        }
    }

    /// Enumerates small terms under every transformation. A search enumerates larger terms in its first turn.
    pub(super) fn enumerate(&mut self, progress: &mut dyn FnMut(&DiscoverProgress)) -> Result<(), LabError> {
        if self.options.settings.search == SearchKind::Evolve {
            self.under.iter_mut().for_each(TransformationSearch::end_enumeration);
            return Ok(());
        }
        let before = self.told(Stage::Enumeration, 0, self.under.len() as u64);
        let (watch, jobs) = (self.watch, self.options.jobs.get());
        each_while(
            Worker::Enumeration,
            jobs,
            &mut self.under,
            watch,
            |_, search| search.first_look(watch),
            &mut |done| progress(&DiscoverProgress { done: done as u64, left: watch.left(), ..before }),
        )
    }

    /// Gives some searches a turn each. The first turn of a search is enumeration to its end, as long as there is time for enumeration; further turns
    /// are generations of genetic programming. `false` if no search has anything left to do.
    pub(super) fn turn(&mut self, progress: &mut dyn FnMut(&DiscoverProgress)) -> Result<bool, LabError> {
        let most = match self.options.settings.search {
            SearchKind::Enumerate => 0,
            _ => self.options.generations,
        };
        if !self.only_evolves && most > 0 && !self.watch.may_enumerate() {
            self.only_evolves = true;
            self.under.iter_mut().for_each(TransformationSearch::end_enumeration);
        }
        let order = self.order(most);
        let before = self.told(Stage::Evolution, 0, order.len() as u64);
        let (watch, jobs) = (self.watch, self.options.jobs.get());
        // The best searches begin: there may be no time for all of them.
        let place = |index| order.iter().position(|&other| other == index);
        let numbered = self.under.iter_mut().enumerate();
        let mut next: Vec<(usize, &mut TransformationSearch)> =
            numbered.filter_map(|(index, search)| Some((place(index)?, search))).collect();
        next.sort_by_key(|(place, _)| *place);
        each_while(
            Worker::Evolution,
            jobs,
            &mut next,
            watch,
            |_, (_, search)| search.turn(most, watch),
            &mut |done| progress(&DiscoverProgress { done: done as u64, left: watch.left(), ..before }),
        )?;
        Ok(!order.is_empty())
    }

    /// The searches that have the next turns. Those whose relations kill the most mutants come first, but in time all have turns.
    fn order(&self, most: u32) -> Vec<usize> {
        let killed = self.ledger.killed();
        // Without mutants nothing shows where there is something to gain.
        let may_gain =
            |search: &TransformationSearch| self.reach.is_clear() || !search.within_reach().is_subset(killed);
        let is_left = |search: &TransformationSearch| search.may_go_on(most) && may_gain(search);
        let mut order: Vec<usize> =
            (0..self.under.len()).filter(|&index| is_left(&self.under[index])).collect();
        order.sort_by_key(|&index| (Reverse(self.under[index].strength()), index));
        let waits = |index: usize| self.under[index].idle() as usize * PLACES_BEHIND;
        let mut turns: Vec<(usize, usize)> =
            order.into_iter().enumerate().map(|(place, index)| (waits(index) + place, index)).collect();
        turns.sort_unstable();
        turns.into_iter().take(TURNS_A_ROUND).map(|(_, index)| index).collect()
    }

    /// An input refuted a chosen relation in a test of the filter. The ledger is told, and the search that found it observes the input.
    pub(super) fn refute(
        &mut self,
        chosen: &Chosen,
        relation: &LoadedRelation,
        values: &[Value],
        test: FilterTest,
    ) -> Result<(), LabError> {
        match chosen.transformation() {
            Some(transformation) => self.refute_under(transformation, relation, values, test),
            None => {
                self.ledger.dropped(chosen.relation.to_string());
                Ok(())
            }
        }
    }

    /// An input refuted a relation of a transformation, in a test of the filter.
    pub(super) fn refute_under(
        &mut self,
        transformation: usize,
        relation: &LoadedRelation,
        values: &[Value],
        test: FilterTest,
    ) -> Result<(), LabError> {
        let input = RefutingInput { transformation, values: values.to_vec() };
        self.ledger.refuted(relation.relation.text(), input);
        self.caller.session().end_at(&self.watch.until(END));
        match self.observe(transformation, relation, values, test) {
            // That the relation is refuted is recorded. There is no time to find out how.
            Err(error) if error.is_stopped() => Ok(()),
            ended => ended,
        }
    }

    /// Lets the search observe a source input that refutes a relation, and records how the input refutes it.
    fn observe(
        &mut self,
        transformation: usize,
        relation: &LoadedRelation,
        values: &[Value],
        test: FilterTest,
    ) -> Result<(), LabError> {
        self.under[transformation].observe(values, &mut self.caller)?;
        if self.ledger.may_explain() {
            let variables = values_by_variable(relation, values);
            let told = explain::tell(&**self.target.workbench, relation, 0, &variables, &mut self.caller)?;
            let source = explain::source(relation, &variables);
            self.ledger.explained(RefutedRelation {
                text: relation.relation.text().to_owned(),
                counterexample: format!("{}: {}", Binding::list(&source), told.why),
                step: test.name().to_owned(),
            });
        }
        Ok(())
    }

    /// Lets the searches learn from the inputs that refuted relations.
    pub(super) fn learn(&mut self) {
        self.ledger.learned();
        // Only few searches learn at a time, each on its own, so threads would gain little.
        self.under.iter_mut().for_each(TransformationSearch::learn);
    }

    /// The choice gained something: the searches of the chosen relations get the next turns.
    pub(super) fn gained(&mut self) {
        for chosen in self.ledger.chosen() {
            if let Some(transformation) = chosen.transformation() {
                self.under[transformation].gained();
            }
        }
    }
}
