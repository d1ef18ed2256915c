//! The search for output relations under one input transformation, and what the discovery remembers of it.

use std::sync::Arc;

use dodona_inference::discovery::{Candidate, EnumerateOptions, Pairs, Search, SearchState, Transformation};
use dodona_relations::ast::Expression;
use dodona_target::{Signature, Value};
use dodona_workbench::{LabError, SubjectCaller};
use fixedbitset::FixedBitSet;

use crate::DiscoverOptions;
use crate::counterexample::{LearnedExecutions, PairRunner};
use crate::tuning::{CANDIDATES_OF_A_SEARCH, GENERATIONS_A_TURN};
use crate::watch::Watch;

/// An input transformation and its search.
pub(super) struct TransformationSearch {
    transformation: Transformation,
    search: Search,
    pair_runner: PairRunner,
    /// Mutants with an incorrect execution under this transformation, which a relation could kill.
    within_reach: FixedBitSet,
    /// Executions that refuted relations and that the search does not know yet.
    learned: LearnedExecutions,
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

impl TransformationSearch {
    /// A search over the executions under a transformation; `None` if they do not have the outputs of both calls.
    ///
    /// # Errors
    /// When the follow-up call is not valid, which would be a bug in Dodona.
    pub(super) fn new(
        functions: &[Signature],
        function: usize,
        transformation: Transformation,
        pairs: Pairs,
        options: &DiscoverOptions,
        seed: u64,
    ) -> Result<Option<TransformationSearch>, LabError> {
        let Some(pair_runner) = PairRunner::new(functions, function, &transformation, &pairs)? else {
            return Ok(None);
        };
        let mut within_reach = FixedBitSet::with_capacity(pairs.mutant_count);
        within_reach.extend(pairs.mutants.iter().chain(&pairs.crashed).map(|&m| m as usize));
        let incorrect = pairs.mutants.len();
        Ok(Some(TransformationSearch {
            transformation,
            search: Search::new(pairs, &options.settings, seed),
            pair_runner,
            within_reach,
            learned: LearnedExecutions::default(),
            idle: 0,
            is_enumerated: false,
            candidates: None,
            incorrect,
            fewest_missed: None,
        }))
    }

    /// The input transformation.
    pub(super) fn transformation(&self) -> &Transformation {
        &self.transformation
    }

    /// The mutants that a relation under the transformation could kill.
    pub(super) fn within_reach(&self) -> &FixedBitSet {
        &self.within_reach
    }

    /// The progress of the search.
    pub(super) fn state(&self) -> SearchState {
        self.search.state()
    }

    /// The lowest rate of false negatives of a relation that passed new inputs.
    pub(super) fn false_negatives(&self) -> Option<f64> {
        self.fewest_missed.map(|missed| f64::from(missed) / self.incorrect.max(1) as f64)
    }

    /// A relation passed new inputs.
    pub(super) fn passed(&mut self, candidate: &Candidate) {
        let fewest = self.fewest_missed.unwrap_or(u32::MAX);
        self.fewest_missed = Some(fewest.min(candidate.false_negatives));
    }

    /// A relation of the transformation brought the choice forward: the search is among those that have the next turns.
    pub(super) fn gained(&mut self) {
        self.idle = 0;
    }

    /// The number of turns without a gain.
    pub(super) fn idle(&self) -> u32 {
        self.idle
    }

    /// The relations that take part in a choice.
    pub(super) fn candidates(&mut self) -> &[Arc<Candidate>] {
        let search = &mut self.search;
        self.candidates.get_or_insert_with(|| {
            search.candidates(CANDIDATES_OF_A_SEARCH).into_iter().map(Arc::new).collect()
        })
    }

    /// How many mutants its best relation kills, among the candidates that were last asked for.
    pub(super) fn strength(&self) -> usize {
        let all = self.candidates.iter().flatten();
        all.map(|candidate| candidate.caught.count_ones(..)).max().unwrap_or(0)
    }

    /// Drops a part of a relation that must not be chosen.
    pub(super) fn dismiss(&mut self, condition: Option<&Expression>, part: &Expression) {
        self.search.dismiss(condition, part);
        self.candidates = None;
    }

    /// Enumerates small terms, if there is time for enumeration.
    pub(super) fn first_look(&mut self, watch: &Watch<'_>) {
        if !watch.may_enumerate() {
            return;
        }
        self.search.enumerate(&EnumerateOptions::first_look(), &|| watch.may_enumerate());
        self.candidates();
        self.search.rest();
    }

    /// All further turns are genetic programming, and the best searches have the first of them.
    pub(super) fn end_enumeration(&mut self) {
        self.is_enumerated = true;
        self.idle = 0;
    }

    /// Whether a further turn has anything to do, with at most `most` generations in all.
    pub(super) fn may_go_on(&self, most: u32) -> bool {
        !self.is_enumerated || self.search.state().generation < most
    }

    /// Has one turn: first enumeration up to the size asked for, in later turns some of at most `most` generations.
    pub(super) fn turn(&mut self, most: u32, watch: &Watch<'_>) {
        if self.is_enumerated {
            let turn = GENERATIONS_A_TURN.min(most.saturating_sub(self.search.state().generation));
            self.search.evolve(turn, &|| watch.may_search());
        } else {
            self.search.enumerate(&EnumerateOptions::default(), &|| watch.may_enumerate());
            self.is_enumerated = true;
        }
        self.search.rest();
        self.candidates = None;
        self.idle += 1;
    }

    /// Runs both calls on a source input that refuted a relation, for the search to learn from. The input has one value for each
    /// parameter.
    ///
    /// # Errors
    /// When the host fails, or the caller is stopped.
    pub(super) fn observe(&mut self, input: &[Value], caller: &mut SubjectCaller) -> Result<(), LabError> {
        self.pair_runner.run(input, caller, &mut self.learned)
    }

    /// Passes the executions observed since the last call on to the search.
    pub(super) fn learn(&mut self) {
        if self.learned.is_empty() {
            return;
        }
        let columns = self.pair_runner.columns(&std::mem::take(&mut self.learned));
        self.search.refute(&columns.correct, &columns.refused);
        self.candidates = None;
    }
}
