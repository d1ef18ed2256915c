//! The ledger of verdicts: which relations a discovery has run, what refuted them, and which of them are chosen.
//!
//! The searches propose relations, and the filter runs them. Both ask the ledger what is known, and tell it what happened. It is changed
//! only by its methods.

use std::collections::{HashMap, HashSet};

use dodona_records::{DiscoveryRecord, FilterStep, RefutedRelation};
use dodona_target::Value;
use fixedbitset::FixedBitSet;

use crate::chosen::Chosen;
use crate::filter_counts::{FilterCounts, FilterTest};

/// What running a relation on new inputs has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScreeningResult {
    Passed,
    Refuted,
    /// The condition held on no input, or there was no time for enough inputs.
    Vacuous,
    /// There was no time to run it.
    NotRun,
}

/// A source input that refuted a relation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RefutingInput {
    /// The index of the relation's transformation.
    pub(super) transformation: usize,
    /// One value for each parameter of the function.
    pub(super) values: Vec<Value>,
}

/// What was run, what it refuted, and what was learned from it. Relations are known by their text.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    results: HashMap<String, ScreeningResult>,
    chosen: Vec<Chosen>,
    /// The mutants that the chosen relations kill.
    killed: FixedBitSet,
    filter: FilterCounts,
    /// Refuted relations with their counterexamples, as many as the record shows.
    refuted: Vec<RefutedRelation>,
    /// The source inputs that refuted relations since the measured relations were last checked.
    refuting_inputs: Vec<RefutingInput>,
    /// Relations that were chosen and then turned out not to hold.
    dropped: HashSet<String>,
    /// Proofs that a run contradicts.
    contradictions: Vec<String>,
    /// How often the searches have learned from refuting inputs.
    lessons: u64,
}

impl Ledger {
    /// An empty ledger of a discovery with so many mutants.
    pub(super) fn new(mutants: usize) -> Ledger {
        Ledger { killed: FixedBitSet::with_capacity(mutants), ..Ledger::default() }
    }

    /// A relation was run on new inputs.
    pub(super) fn screened(&mut self, text: String, result: ScreeningResult) {
        self.filter.count(FilterTest::FreshInputs, 1, usize::from(result == ScreeningResult::Passed));
        self.results.insert(text, result);
    }

    /// What running a relation on new inputs has shown; `None` if it was not run on any.
    pub(super) fn result(&self, text: &str) -> Option<ScreeningResult> {
        self.results.get(text).copied()
    }

    /// An input refuted a relation.
    pub(super) fn refuted(&mut self, text: &str, input: RefutingInput) {
        self.results.insert(text.to_owned(), ScreeningResult::Refuted);
        self.refuting_inputs.push(input);
    }

    /// Whether the record has room for another refuted relation.
    pub(super) fn may_explain(&self) -> bool {
        self.refuted.len() < DiscoveryRecord::MOST_REFUTED
    }

    /// It became known how an input refutes a relation.
    pub(super) fn explained(&mut self, refuted: RefutedRelation) {
        self.refuted.push(refuted);
    }

    /// The refuted relations that the record shows.
    pub(super) fn refuted_relations(&self) -> &[RefutedRelation] {
        &self.refuted
    }

    /// The refuting inputs since the last call. The caller runs the measured relations on them.
    pub(super) fn take_refuting_inputs(&mut self) -> Vec<RefutingInput> {
        std::mem::take(&mut self.refuting_inputs)
    }

    /// Relations were chosen, which kill these mutants, in place of those chosen before.
    pub(super) fn chose(&mut self, chosen: Vec<Chosen>, killed: FixedBitSet) {
        (self.chosen, self.killed) = (chosen, killed);
    }

    /// The relations that were chosen last.
    pub(super) fn chosen(&self) -> &[Chosen] {
        &self.chosen
    }

    /// The mutants that the chosen relations kill.
    pub(super) fn killed(&self) -> &FixedBitSet {
        &self.killed
    }

    /// Mutation analysis ran so many relations, all of which hold on the original.
    pub(super) fn measured(&mut self, relations: usize) {
        self.filter.count(FilterTest::MutationAnalysis, relations, relations);
    }

    /// Mutation analysis ran so many relations that do not hold on the original.
    pub(super) fn measured_in_vain(&mut self, relations: usize) {
        self.filter.count(FilterTest::MutationAnalysis, relations, 0);
    }

    /// A chosen relation turned out not to hold.
    pub(super) fn dropped(&mut self, text: String) {
        self.dropped.insert(text);
    }

    /// A relation that mutation analysis had passed turned out not to hold.
    pub(super) fn withdrawn(&mut self, text: String) {
        self.filter.withdraw(FilterTest::MutationAnalysis);
        self.dropped(text);
    }

    /// Whether a chosen relation turned out not to hold.
    pub(super) fn is_dropped(&self, text: &str) -> bool {
        self.dropped.contains(text)
    }

    /// How many chosen relations turned out not to hold.
    pub(super) fn dropped_count(&self) -> usize {
        self.dropped.len()
    }

    /// A chosen relation was put to the first `given` of the tests after the choice, and passed the first `passed` of them.
    pub(super) fn confirmed(&mut self, given: usize, passed: usize) {
        self.filter.count_chosen(given, passed);
    }

    /// A relation of a known form was put to proof; it was refuted, or passed.
    pub(super) fn put_to_proof(&mut self, is_passed: bool) {
        self.filter.count(FilterTest::SymbolicExecution, 1, usize::from(is_passed));
    }

    /// A proof refuted a relation of a known form, by an input that is told in a few words.
    pub(super) fn refuted_form(&mut self, text: &str, counterexample: Option<String>) {
        if self.may_explain() {
            self.refuted.push(RefutedRelation {
                text: text.to_owned(),
                counterexample: counterexample.unwrap_or_default(),
                step: FilterTest::SymbolicExecution.name().to_owned(),
            });
        }
    }

    /// Runs contradicted proofs.
    pub(super) fn contradicted(&mut self, contradictions: impl IntoIterator<Item = String>) {
        self.contradictions.extend(contradictions);
    }

    /// The proofs that a run contradicts.
    pub(super) fn contradictions(&self) -> &[String] {
        &self.contradictions
    }

    /// The searches learned from refuting inputs, which are not new any more.
    pub(super) fn learned(&mut self) {
        self.lessons += 1;
    }

    /// How often the searches have learned.
    pub(super) fn lessons(&self) -> u64 {
        self.lessons
    }

    /// How many relations were run on new inputs.
    pub(super) fn screened_count(&self) -> u64 {
        self.filter.given(FilterTest::FreshInputs)
    }

    /// How many relations each test of the filter was given and passed on.
    pub(super) fn filter_steps(&self) -> Vec<FilterStep> {
        self.filter.steps()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(transformation: usize) -> RefutingInput {
        RefutingInput { transformation, values: vec![Value::Int(7)] }
    }

    #[test]
    fn a_relation_that_passed_can_be_refuted_later() {
        let mut ledger = Ledger::default();
        assert_eq!(ledger.result("r"), None);
        ledger.screened("r".into(), ScreeningResult::Passed);
        assert_eq!(ledger.result("r"), Some(ScreeningResult::Passed));
        ledger.refuted("r", input(1));
        assert_eq!(ledger.result("r"), Some(ScreeningResult::Refuted));
        assert_eq!((ledger.screened_count(), ledger.filter_steps()[0].passed), (1, 1));
    }

    #[test]
    fn refuting_inputs_are_handed_out_once() {
        let mut ledger = Ledger::default();
        ledger.refuted("r", input(1));
        ledger.refuted("s", input(2));
        assert_eq!(ledger.take_refuting_inputs(), [input(1), input(2)]);
        assert_eq!(ledger.take_refuting_inputs(), []);
    }

    #[test]
    fn what_is_withdrawn_is_dropped_and_has_not_passed() {
        let mut ledger = Ledger::default();
        ledger.measured(2);
        ledger.measured_in_vain(1);
        ledger.withdrawn("r".into());
        ledger.dropped("s".into());
        ledger.dropped("s".into());
        assert!(ledger.is_dropped("r") && ledger.is_dropped("s") && !ledger.is_dropped("t"));
        assert_eq!(ledger.dropped_count(), 2);
        let analysis = &ledger.filter_steps()[1];
        assert_eq!((analysis.tried, analysis.passed), (3, 1));
    }

    #[test]
    fn the_record_has_room_for_so_many_refuted_relations() {
        let mut ledger = Ledger::default();
        let refuted =
            || RefutedRelation { text: "r".into(), counterexample: "x = 1".into(), step: "s".into() };
        for _ in 0..DiscoveryRecord::MOST_REFUTED {
            assert!(ledger.may_explain());
            ledger.explained(refuted());
        }
        assert!(!ledger.may_explain());
        assert_eq!(ledger.refuted_relations().len(), DiscoveryRecord::MOST_REFUTED);
    }
}
