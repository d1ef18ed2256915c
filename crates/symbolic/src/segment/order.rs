//! Which versions of a segment do the same, and which are stronger than others. Sampled states are tried first, then a solver
//! is asked.

use dodona_smt::term::{Assignment, Evaluator, Term};
use rustc_hash::FxHashMap;

use super::effect::Effect;
use super::questions::{Claim, Questions};
use super::states::draw;
use super::sweep::sweep;
use super::{Finding, Findings};

/// Compares versions of a segment with each other.
pub(super) struct Comparison<'a, 's> {
    questions: Questions<'a, 's>,
    /// The effects of the versions, that of the original first.
    effects: Vec<Effect>,
    states: Vec<Assignment>,
    /// For each version a number for its effect in each state. Equal numbers mean equal effects.
    does: Vec<Vec<u32>>,
    findings: Findings,
}

impl<'a, 's> Comparison<'a, 's> {
    pub(super) fn new(mut questions: Questions<'a, 's>, mut effects: Vec<Effect>) -> Comparison<'a, 's> {
        let mut states = draw(&mut questions);
        sweep(&mut questions, &mut states, &mut effects);
        let does = vec![Vec::new(); effects.len()];
        let findings = Findings::default();
        let mut comparison = Comparison { questions, effects, states: Vec::new(), does, findings };
        states.into_iter().for_each(|state| comparison.add(state));
        comparison
    }

    /// Determines which versions do the same and, if the segment is executed at most once in a run of a test, which are
    /// stronger.
    pub(super) fn run(mut self, once: bool) -> Findings {
        let firsts = self.classes();
        if once {
            self.order(&firsts);
        }
        self.findings.questions = self.questions.asked;
        self.findings
    }

    /// Groups versions that do the same in every state; returns the first of each group, except that of the original.
    fn classes(&mut self) -> Vec<usize> {
        let mut firsts = vec![0];
        for version in 1..self.effects.len() {
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

    /// The pairs of these versions of which one differs from the original only where another one does, and in the same way.
    fn order(&mut self, firsts: &[usize]) {
        let mut weaker: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for &strong in firsts {
            for &weak in firsts {
                let known = |of: usize| weaker.get(&of).is_some_and(|weaker| weaker.contains(&weak));
                let implied = weaker.get(&strong).is_some_and(|via| via.iter().any(|via| known(*via)));
                if strong == weak || implied {
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
        let effects = &self.effects;
        if effects[a] == effects[b] {
            return true;
        }
        if !effects[a].has_shape_of(&effects[b]) || self.does[a] != self.does[b] {
            return false;
        }
        let same = effects[a].same(&effects[b], self.questions.terms);
        let differ = self.questions.terms.not(same);
        self.is_proved(&[differ])
    }

    /// Whether a version does what another does wherever that one differs from the original.
    fn stronger(&mut self, strong: usize, weak: usize) -> bool {
        let effects = &self.effects;
        if !effects[strong].has_shape_of(&effects[weak]) {
            return false;
        }
        let mut states = 0..self.states.len();
        let [original, strong_does, weak_does] = [0, strong, weak].map(|version| &self.does[version]);
        if states.any(|s| strong_does[s] != original[s] && weak_does[s] != strong_does[s]) {
            return false;
        }
        let terms = &mut *self.questions.terms;
        let unchanged = effects[0].same(&effects[strong], terms);
        let infected = terms.not(unchanged);
        let same = effects[strong].same(&effects[weak], terms);
        let differ = terms.not(same);
        self.is_proved(&[infected, differ])
    }

    /// Whether no state satisfies all of these. A state that is found is kept, because it refutes other claims too.
    fn is_proved(&mut self, counterexample: &[Term]) -> bool {
        let claim = self.questions.claim(counterexample);
        match claim {
            Claim::Proved => return true,
            Claim::Refuted(state) => self.add(state),
            Claim::Unknown => self.findings.unknown += 1,
        }
        false
    }

    /// Adds a state.
    fn add(&mut self, state: Assignment) {
        let mut numbers: FxHashMap<Vec<u128>, u32> = FxHashMap::default();
        let mut values = Evaluator::new(self.questions.terms, &state);
        for (effect, does) in self.effects.iter().zip(&mut self.does) {
            let next = numbers.len() as u32;
            does.push(*numbers.entry(effect.values(&mut values)).or_insert(next));
        }
        self.states.push(state);
    }
}
