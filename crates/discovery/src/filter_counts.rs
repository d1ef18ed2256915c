//! The tests that make up the filter (section 7 of GenMorph), and how many relations each was given and passed on.

use dodona_records::FilterStep;

/// A test of the filter, in the order in which relations meet them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FilterTest {
    /// New inputs, on which every relation is run before it may be chosen.
    FreshInputs,
    /// Mutation analysis, which begins by running the relations on the original.
    MutationAnalysis,
    /// Many more new inputs, on which a chosen relation is run.
    ManyFreshInputs,
    /// A search for an input that violates a chosen relation.
    CounterexampleSearch,
    /// An attempt to prove a chosen relation.
    SymbolicExecution,
}

impl FilterTest {
    const ALL: [FilterTest; 5] = [
        FilterTest::FreshInputs,
        FilterTest::MutationAnalysis,
        FilterTest::ManyFreshInputs,
        FilterTest::CounterexampleSearch,
        FilterTest::SymbolicExecution,
    ];

    /// The tests of a chosen relation, in their order.
    const OF_CHOSEN: [FilterTest; 3] =
        [FilterTest::ManyFreshInputs, FilterTest::CounterexampleSearch, FilterTest::SymbolicExecution];

    /// What the record calls the test.
    pub(super) fn name(self) -> &'static str {
        match self {
            FilterTest::FreshInputs => "fresh inputs",
            FilterTest::MutationAnalysis => "mutation analysis",
            FilterTest::ManyFreshInputs => "many fresh inputs",
            FilterTest::CounterexampleSearch => "counterexample search",
            FilterTest::SymbolicExecution => "symbolic execution",
        }
    }

    /// Whether the record shows the test even if it was given no relation. Other tests without relations did not take place,
    /// because there were no mutants, no time or no solver.
    fn always_takes_place(self) -> bool {
        !matches!(self, FilterTest::MutationAnalysis | FilterTest::SymbolicExecution)
    }
}

/// How many relations each test was given and passed on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FilterCounts([FilterCount; FilterTest::ALL.len()]);

/// The count of one test.
#[derive(Clone, Copy, Debug, Default)]
struct FilterCount {
    given: u64,
    passed: u64,
}

impl FilterCounts {
    /// Counts relations that a test was given, and those of them that passed it.
    pub(super) fn count(&mut self, test: FilterTest, given: usize, passed: usize) {
        let count = &mut self.0[test as usize];
        count.given += given as u64;
        count.passed += passed as u64;
    }

    /// Counts a chosen relation that was put to the first `given` of the tests after the choice, and passed the first `passed` of them.
    pub(super) fn count_chosen(&mut self, given: usize, passed: usize) {
        for (place, test) in FilterTest::OF_CHOSEN.into_iter().enumerate().take(given) {
            self.count(test, usize::from(passed >= place), usize::from(passed > place));
        }
    }

    /// Takes back that a relation passed a test.
    pub(super) fn withdraw(&mut self, test: FilterTest) {
        let count = &mut self.0[test as usize];
        count.passed = count.passed.saturating_sub(1);
    }

    /// How many relations a test was given.
    pub(super) fn given(&self, test: FilterTest) -> u64 {
        self.0[test as usize].given
    }

    /// The counts as the record shows them: the tests in their order, without those that did not take place.
    pub(super) fn steps(&self) -> Vec<FilterStep> {
        let is_shown = |test: &FilterTest| test.always_takes_place() || self.given(*test) > 0;
        let step = |test: FilterTest| {
            let FilterCount { given, passed } = self.0[test as usize];
            FilterStep { name: test.name().to_owned(), tried: given, passed }
        };
        FilterTest::ALL.into_iter().filter(is_shown).map(step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(counts: &FilterCounts) -> Vec<(String, u64, u64)> {
        counts.steps().into_iter().map(|step| (step.name, step.tried, step.passed)).collect()
    }

    #[test]
    fn tests_that_did_not_take_place_are_left_out() {
        let step = |name: &str| (name.to_owned(), 0, 0);
        let shown = ["fresh inputs", "many fresh inputs", "counterexample search"].map(step);
        assert_eq!(told(&FilterCounts::default()), shown);
    }

    #[test]
    fn a_chosen_relation_is_given_to_a_test_after_it_passed_the_one_before() {
        let mut counts = FilterCounts::default();
        counts.count_chosen(2, 2);
        counts.count_chosen(2, 1);
        counts.count_chosen(2, 0);
        counts.count_chosen(3, 3);
        let expected =
            [("many fresh inputs", 4, 3), ("counterexample search", 3, 2), ("symbolic execution", 1, 1)];
        assert_eq!(
            told(&counts)[1..],
            expected.map(|(name, given, passed)| (name.to_owned(), given, passed))
        );
    }

    #[test]
    fn what_is_withdrawn_has_not_passed() {
        let mut counts = FilterCounts::default();
        counts.count(FilterTest::MutationAnalysis, 3, 1);
        counts.withdraw(FilterTest::MutationAnalysis);
        counts.withdraw(FilterTest::MutationAnalysis);
        assert_eq!(told(&counts)[1], ("mutation analysis".to_owned(), 3, 0));
    }
}
