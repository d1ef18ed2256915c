//! Which versions of a segment do the same, and which are stronger than others: asked of sampled states first, then of a solver.

use dodona_smt::solver::{Answer, Solver};
use dodona_smt::term::{Assignment, Evaluator, Sort, Term, Terms};
use dodona_subject::next_splitmix64;
use rustc_hash::FxHashMap;

use super::effect::{Effect, all_hold};
use super::{Finding, Findings};

/// States that are drawn before a solver is asked: each refutes many pairs for the price of an evaluation. Most pairs differ on the first
/// few; what a solver finds is added, so that more of them save little.
const DRAWN: usize = 48;

/// Draws that are made for those states where conditions have to hold.
const DRAWS: usize = 20 * DRAWN;

/// Values at which comparisons and arithmetic change.
const SPECIAL: [u128; 8] = [0, 1, 2, 3, 10, u128::MAX, u128::MAX - 1, 1 << 31];

/// Versions of a segment, the original first, and what is known where it begins.
pub(super) struct Versions<'a> {
    pub effects: &'a [Effect],
    pub facts: &'a [Term],
    /// Whether the segment is executed at most once in a run of a test.
    pub once: bool,
}

/// Compares versions with each other.
pub(super) struct Comparison<'a, 's> {
    terms: &'a mut Terms,
    solver: &'s mut dyn Solver,
    go_on: &'s dyn Fn() -> bool,
    versions: Versions<'a>,
    states: Vec<Assignment>,
    /// For each version, the number of what it does in each state: equal where it does the same.
    does: Vec<Vec<u32>>,
    findings: Findings,
}

/// What a solver says of a claim.
enum Claim {
    Proved,
    Refuted,
    Unknown,
}

impl<'a, 's> Comparison<'a, 's> {
    pub(super) fn new(
        terms: &'a mut Terms,
        solver: &'s mut dyn Solver,
        go_on: &'s dyn Fn() -> bool,
        versions: Versions<'a>,
    ) -> Comparison<'a, 's> {
        let does = vec![Vec::new(); versions.effects.len()];
        let findings = Findings::default();
        let mut comparison =
            Comparison { terms, solver, go_on, versions, states: Vec::new(), does, findings };
        comparison.draw();
        comparison
    }

    /// Finds out what is the same and what is stronger. Version 0 is the original.
    pub(super) fn run(mut self) -> Findings {
        let firsts = self.classes();
        if self.versions.once {
            self.order(&firsts);
        }
        self.findings
    }

    /// Groups versions that do the same in every state; gives the first of each group, the original's left out.
    fn classes(&mut self) -> Vec<usize> {
        let mut firsts = vec![0];
        for version in 1..self.versions.effects.len() {
            let known =
                firsts.iter().copied().find(|first| matches!(self.same(*first, version), Claim::Proved));
            match known {
                Some(0) => self.findings.found.push(Finding::Equivalent(version)),
                Some(first) => self.findings.found.push(Finding::Same(first, version)),
                None => firsts.push(version),
            }
        }
        firsts.remove(0);
        firsts
    }

    /// Which of these differ only where another one differs in the same way.
    fn order(&mut self, firsts: &[usize]) {
        let mut weaker: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for &strong in firsts {
            for &weak in firsts {
                let known = |of: usize| weaker.get(&of).is_some_and(|weaker| weaker.contains(&weak));
                let implied = weaker.get(&strong).is_some_and(|via| via.iter().any(|via| known(*via)));
                if strong == weak || implied {
                    continue;
                }
                if matches!(self.stronger(strong, weak), Claim::Proved) {
                    weaker.entry(strong).or_default().push(weak);
                    self.findings.found.push(Finding::Stronger(strong, weak));
                }
            }
        }
    }

    /// Whether two versions do the same in every state.
    fn same(&mut self, a: usize, b: usize) -> Claim {
        let effects = self.versions.effects;
        if effects[a] == effects[b] {
            return Claim::Proved;
        }
        if !effects[a].has_shape_of(&effects[b]) || self.does[a] != self.does[b] {
            return Claim::Refuted;
        }
        let same = effects[a].same(&effects[b], self.terms);
        let differ = self.terms.not(same);
        self.ask(&[differ])
    }

    /// Whether a version does what another does wherever that one differs from the original.
    fn stronger(&mut self, strong: usize, weak: usize) -> Claim {
        let effects = self.versions.effects;
        if !effects[strong].has_shape_of(&effects[weak]) {
            return Claim::Refuted;
        }
        let mut states = 0..self.states.len();
        let [original, strong_does, weak_does] = [0, strong, weak].map(|version| &self.does[version]);
        if states.any(|s| strong_does[s] != original[s] && weak_does[s] != strong_does[s]) {
            return Claim::Refuted;
        }
        let unchanged = effects[0].same(&effects[strong], self.terms);
        let infected = self.terms.not(unchanged);
        let same = effects[strong].same(&effects[weak], self.terms);
        let differ = self.terms.not(same);
        self.ask(&[infected, differ])
    }

    /// Asks whether there is a state in which these hold; one that is found is kept, for it refutes other claims too.
    fn ask(&mut self, counterexample: &[Term]) -> Claim {
        if counterexample.iter().any(|term| term.is(false)) {
            return Claim::Proved;
        }
        if !(self.go_on)() {
            self.findings.unknown += 1;
            return Claim::Unknown;
        }
        self.findings.questions += 1;
        let mut constraints = self.versions.facts.to_vec();
        constraints.extend(counterexample);
        constraints.retain(|constraint| !constraint.is(true));
        if constraints.iter().any(|constraint| constraint.is(false)) {
            return Claim::Proved;
        }
        match self.solver.check(self.terms, &constraints) {
            Answer::Unsatisfiable => Claim::Proved,
            Answer::Satisfiable(state) => {
                self.add(state);
                Claim::Refuted
            }
            Answer::Unknown(_) => {
                self.findings.unknown += 1;
                Claim::Unknown
            }
        }
    }

    /// Draws states in which the facts hold.
    fn draw(&mut self) {
        let mut seed = 0x5eed;
        for _ in 0..DRAWS {
            let state = self.drawn(&mut seed);
            if all_hold(self.terms, self.versions.facts, &state) {
                self.add(state);
            }
            if self.states.len() == DRAWN {
                break;
            }
        }
    }

    /// Values for all variables: small ones, special ones, equal ones and any.
    fn drawn(&self, seed: &mut u64) -> Assignment {
        let mut state = Assignment::default();
        let shared = u128::from(next_splitmix64(seed) % 20);
        let near = next_splitmix64(seed).is_multiple_of(2);
        for variable in self.terms.variable_numbers() {
            let any = next_splitmix64(seed);
            let value = match (near, next_splitmix64(seed) % 4) {
                (_, 0) => shared,
                (true, 1) => shared.wrapping_add(u128::from(any % 5)).wrapping_sub(2),
                (true, _) => u128::from(any % 24).wrapping_sub(4),
                (false, 1) => SPECIAL[(any % SPECIAL.len() as u64) as usize],
                (false, 2) => float(self.terms.sort_of(variable), any),
                (false, _) => u128::from(any) << 64 | u128::from(next_splitmix64(seed)),
            };
            state.set(variable, value & self.terms.sort_of(variable).mask());
        }
        state
    }

    /// Adds a state.
    fn add(&mut self, state: Assignment) {
        let mut numbers: FxHashMap<Vec<u128>, u32> = FxHashMap::default();
        let mut values = Evaluator::new(self.terms, &state);
        for (effect, does) in self.versions.effects.iter().zip(&mut self.does) {
            let next = numbers.len() as u32;
            does.push(*numbers.entry(effect.values(&mut values)).or_insert(next));
        }
        self.states.push(state);
    }
}

/// The bits of a small float of a width.
fn float(sort: Sort, any: u64) -> u128 {
    let value = (any % 41) as f64 / 4.0 - 5.0;
    match sort.width() {
        32 => u128::from((value as f32).to_bits()),
        64 => u128::from(value.to_bits()),
        _ => u128::from(any),
    }
}
