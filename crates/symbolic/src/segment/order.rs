//! Which versions of a segment do the same, which are stronger than others, and which no test kills both of. Sampled states are tried
//! first, then a solver is asked.

use dodona_smt::term::{Assignment, Evaluator, Term};
use rustc_hash::FxHashMap;

use super::effect::Effect;
use super::questions::{Claim, Questions};
use super::states::draw;
use super::sweep::sweep;
use super::{Finding, Findings};

/// The effects of versions at one place of the code, that of the original first.
struct View {
    effects: Vec<Option<Effect>>,
    /// For each version a number for its effect in each state. Equal numbers mean equal effects.
    does: Vec<Vec<u32>>,
}

/// Compares versions of a segment with each other.
pub(super) struct Comparison<'a, 's> {
    questions: Questions<'a, 's>,
    /// The effects at the end of the block, and farther on.
    views: Vec<View>,
    /// The first of the views in which claims are made.
    first: usize,
    states: Vec<Assignment>,
    findings: Findings,
}

/// The number of open questions after which no more are asked about a segment whose end is far. Its terms are as hard to decide as those; of sums and
/// products of floats nearly all questions would stay open, each for as long as a question may take.
const MOST_OPEN: u64 = 6;

impl<'a, 's> Comparison<'a, 's> {
    /// Compares effects at the end of the block, and those farther on that there are.
    pub(super) fn new(
        mut questions: Questions<'a, 's>,
        mut near: Vec<Effect>,
        far: Vec<Option<Effect>>,
    ) -> Comparison<'a, 's> {
        let mut states = draw(&mut questions);
        sweep(&mut questions, &mut states, &mut near);
        let view = |effects: Vec<Option<Effect>>| View { does: vec![Vec::new(); effects.len()], effects };
        let mut views = vec![view(near.into_iter().map(Some).collect())];
        // Without that of the original nothing can be compared there.
        views.extend(far.first().is_some_and(Option::is_some).then(|| view(far)));
        let findings = Findings::default();
        let mut comparison = Comparison { questions, views, first: 0, states: Vec::new(), findings };
        states.into_iter().for_each(|state| comparison.add(state));
        comparison
    }

    /// Determines which versions do the same and, if the segment is executed at most once in a run of a test, which are
    /// stronger.
    pub(super) fn run(mut self, once: bool) -> Findings {
        let firsts = self.classes();
        if once {
            self.order(&firsts, FxHashMap::default());
        }
        self.findings.questions = self.questions.asked;
        self.findings
    }

    /// The same by the effects farther on alone. What is known already need not be asked again: pairs of a stronger and a weaker version.
    pub(super) fn run_farther(mut self, once: bool, known: &[(usize, usize)]) -> Findings {
        self.first = 1;
        if self.views.len() > self.first {
            let firsts = self.classes();
            if once {
                let mut weaker: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
                known.iter().for_each(|&(strong, weak)| weaker.entry(strong).or_default().push(weak));
                self.order(&firsts, weaker);
            }
        }
        self.findings.questions = self.questions.asked;
        self.findings
    }

    /// Determines which pairs of versions no test kills both of, in a segment that is executed at most once in a run of a test.
    pub(super) fn disjoint(mut self) -> Findings {
        let versions = self.views[0].effects.len();
        for one in 1..versions {
            for other in one + 1..versions {
                if self.are_disjoint(one, other) {
                    self.findings.found.push(Finding::Disjoint(one, other));
                }
            }
        }
        self.findings.questions = self.questions.asked;
        self.findings
    }

    /// Groups versions that do the same in every state; returns the first of each group, except that of the original.
    fn classes(&mut self) -> Vec<usize> {
        let mut firsts = vec![0];
        for version in 1..self.views[0].effects.len() {
            let known = firsts.iter().copied().find(|first| self.same(*first, version));
            match known {
                Some(0) => self.findings.found.push(Finding::Equivalent(version)),
                Some(first) => self.findings.found.push(Finding::Same(first, version)),
                None => firsts.push(version),
            }
        }
        firsts.remove(0);
        firsts
    }

    /// The pairs of these versions of which one differs from the original only where another one does, and in the same way. For each
    /// version those are given that are known to be weaker.
    fn order(&mut self, firsts: &[usize], mut weaker: FxHashMap<usize, Vec<usize>>) {
        for &strong in firsts {
            for &weak in firsts {
                let known = |of: usize| weaker.get(&of).is_some_and(|weaker| weaker.contains(&weak));
                let implied = weaker.get(&strong).is_some_and(|via| via.iter().any(|via| known(*via)));
                if strong == weak || implied || known(strong) {
                    continue;
                }
                if self.stronger(strong, weak) {
                    weaker.entry(strong).or_default().push(weak);
                    self.findings.found.push(Finding::Stronger(strong, weak));
                }
            }
        }
    }

    /// Whether two versions do the same in every state.
    fn same(&mut self, a: usize, b: usize) -> bool {
        self.in_some_view(|view, comparison| {
            let View { effects, does } = &comparison.views[view];
            let (Some(one), Some(other)) = (&effects[a], &effects[b]) else { return None };
            if one == other {
                return Some(vec![Term::bool(false)]);
            }
            if !one.has_shape_of(other) || does[a] != does[b] {
                return None;
            }
            let same = one.same(other, comparison.questions.terms);
            Some(vec![comparison.questions.terms.not(same)])
        })
    }

    /// Whether a version does what another does wherever that one differs from the original.
    fn stronger(&mut self, strong: usize, weak: usize) -> bool {
        self.in_some_view(|view, comparison| {
            let View { effects, does } = &comparison.views[view];
            let [Some(original), Some(one), Some(other)] =
                [0, strong, weak].map(|version| effects[version].as_ref())
            else {
                return None;
            };
            let [unchanged, first, second] = [0, strong, weak].map(|version| &does[version]);
            let mut states = 0..comparison.states.len();
            if !one.has_shape_of(other) || states.any(|s| first[s] != unchanged[s] && second[s] != first[s]) {
                return None;
            }
            let terms = &mut *comparison.questions.terms;
            let unchanged = original.same(one, terms);
            let infected = terms.not(unchanged);
            let same = one.same(other, terms);
            Some(vec![infected, terms.not(same)])
        })
    }

    /// Whether no state tells both versions from the original.
    fn are_disjoint(&mut self, a: usize, b: usize) -> bool {
        self.in_some_view(|view, comparison| {
            let View { effects, does } = &comparison.views[view];
            let [Some(original), Some(one), Some(other)] = [0, a, b].map(|version| effects[version].as_ref())
            else {
                return None;
            };
            let [unchanged, first, second] = [0, a, b].map(|version| &does[version]);
            let mut states = 0..comparison.states.len();
            if states.any(|s| first[s] != unchanged[s] && second[s] != unchanged[s]) {
                return None;
            }
            let terms = &mut *comparison.questions.terms;
            let [first, second] = [one, other].map(|effect| {
                let unchanged = original.same(effect, terms);
                terms.not(unchanged)
            });
            Some(vec![first, second])
        })
    }

    /// Whether a claim is proved of the effects at one of the places. The claim of a place says what a counterexample would satisfy; `None`
    /// if a state that is known refutes it there. A claim counts as open if no place proves it and one leaves it open.
    fn in_some_view(&mut self, claim: impl Fn(usize, &mut Self) -> Option<Vec<Term>>) -> bool {
        let mut is_open = false;
        let gives_up = self.first > 0 || self.views.len() > 1;
        for view in self.first..self.views.len() {
            let Some(counterexample) = claim(view, self) else { continue };
            if gives_up
                && self.findings.unknown >= MOST_OPEN
                && !counterexample.iter().any(|term| term.is(false))
            {
                is_open = true;
                continue;
            }
            match self.questions.claim(&counterexample) {
                Claim::Proved => return true,
                // It refutes other claims too.
                Claim::Refuted(state) => self.add(state),
                Claim::Unknown => is_open = true,
            }
        }
        self.findings.unknown += u64::from(is_open);
        false
    }

    /// Adds a state.
    fn add(&mut self, state: Assignment) {
        let mut values = Evaluator::new(self.questions.terms, &state);
        for View { effects, does } in &mut self.views {
            let mut numbers: FxHashMap<Vec<u128>, u32> = FxHashMap::default();
            for (effect, does) in effects.iter().zip(does) {
                let next = numbers.len() as u32;
                let Some(effect) = effect else { continue };
                does.push(*numbers.entry(effect.values(&mut values)).or_insert(next));
            }
        }
        self.states.push(state);
    }
}
