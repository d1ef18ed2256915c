//! The choice of a conjunction: a beam search over the sets of rows that comparisons keep.

use rustc_hash::FxHashSet;

use super::Rows;
use crate::discovery::score::hash_of_rows;
use crate::discovery::{Bits, TermId};

/// The most comparisons in a condition.
const LONGEST: usize = 3;

/// How many partial conjunctions are taken further.
const BEAM: usize = 24;

/// What a further comparison has to be worth, as a share of rows kept.
const WORTH: f64 = 0.05;

/// A comparison with the rows on which it is true.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) term: TermId,
    pub(super) holds: Bits,
    /// Refused executions on which it is true.
    pub(super) refused: Option<Bits>,
    /// How much it takes to read; below 1.
    pub(super) cost: f64,
}

impl Choice {
    /// The comparison on the rows of these words alone.
    pub(super) fn pick(&self, words: &[usize]) -> Choice {
        Choice {
            term: self.term,
            holds: self.holds.pick(words),
            refused: self.refused.clone(),
            cost: self.cost,
        }
    }
}

/// The refused executions in both sets.
fn both(a: &Option<Bits>, b: &Option<Bits>) -> Option<Bits> {
    Some(a.as_ref()?.zip(b.as_ref()?, |a, b| a & b))
}

/// The search for a conjunction of comparisons.
#[derive(Debug)]
pub(super) struct Conjunctions<'r> {
    pub(super) rows: &'r Rows,
    pub(super) atoms: &'r [Choice],
    /// All refused executions, where there are any.
    pub(super) all_refused: Option<Bits>,
}

/// A conjunction, and the rows that it keeps.
#[derive(Clone, Debug)]
struct State {
    atoms: Vec<usize>,
    keeps: Bits,
    refused: Option<Bits>,
    worth: Worth,
}

/// What a conjunction is worth.
#[derive(Clone, Copy, Debug)]
struct Worth {
    /// Rows that it should exclude and does not, as a share of all that it should.
    bad: f64,
    /// Correct rows that it keeps, as a share of those that it may.
    good: f64,
    /// Incorrect rows that it keeps, as a share of those that the expectation reveals.
    caught: f64,
    /// How much it takes to read.
    cost: f64,
}

impl Worth {
    fn is_complete(self) -> bool {
        self.bad == 0.0
    }

    /// How good a condition it is, of those that exclude all that they should.
    fn value(self) -> f64 {
        (self.good + 2.0 * self.caught) / 3.0 - WORTH * self.cost
    }

    /// How good a beginning it is.
    fn promise(self) -> f64 {
        (self.good + 2.0 * self.caught) / 3.0 - 2.0 * self.bad - WORTH * self.cost
    }
}

impl Conjunctions<'_> {
    /// The comparisons of the best conjunction.
    pub(super) fn best(&self) -> Option<Vec<TermId>> {
        let words = self.rows.good.words().len();
        let all = Bits::from_words(vec![u64::MAX; words]);
        let start = State {
            atoms: vec![],
            worth: self.worth(&all, &self.all_refused, 0.0),
            keeps: all,
            refused: self.all_refused.clone(),
        };
        let mut beam = vec![start];
        let mut best: Option<State> = None;
        for _ in 0..LONGEST {
            let mut next = self.extended(&beam);
            next.sort_by(|a, b| {
                b.worth.promise().total_cmp(&a.worth.promise()).then_with(|| a.atoms.cmp(&b.atoms))
            });
            for state in next.iter().filter(|s| s.worth.is_complete() && self.is_weak(s)) {
                if best.as_ref().is_none_or(|b| state.worth.value() > b.worth.value()) {
                    best = Some(state.clone());
                }
            }
            // Nothing longer can be better by what it is worth.
            if best.as_ref().is_some_and(|b| b.worth.value() + WORTH >= 1.0 - WORTH) {
                break;
            }
            next.retain(|s| !s.worth.is_complete());
            next.truncate(BEAM);
            beam = next;
        }
        best.map(|state| state.atoms.iter().map(|&i| self.atoms[i].term).collect())
    }

    /// Whether it keeps at least 5% of the correct rows.
    fn is_weak(&self, state: &State) -> bool {
        let kept = state.keeps.zip(&self.rows.good, |a, b| a & b).count() as usize;
        kept * 20 >= (self.rows.good.count() + self.rows.bad.count()) as usize
    }

    /// Whether these comparisons exclude all that they should, and keep enough.
    pub(super) fn holds(&self, atoms: &[TermId]) -> bool {
        let chosen = || self.atoms.iter().filter(|atom| atoms.contains(&atom.term));
        let all = Bits::from_words(vec![u64::MAX; self.rows.good.words().len()]);
        let keeps = chosen().fold(all, |keeps, atom| keeps.zip(&atom.holds, |a, b| a & b));
        let refused = chosen().fold(self.all_refused.clone(), |keeps, atom| both(&keeps, &atom.refused));
        let worth = self.worth(&keeps, &refused, 0.0);
        worth.is_complete() && self.is_weak(&State { atoms: vec![], keeps, refused, worth })
    }

    fn extended(&self, beam: &[State]) -> Vec<State> {
        let mut seen = FxHashSet::default();
        let mut next = Vec::new();
        for state in beam {
            for (i, atom) in self.atoms.iter().enumerate().filter(|(i, _)| !state.atoms.contains(i)) {
                let keeps = state.keeps.zip(&atom.holds, |a, b| a & b);
                let refused = both(&state.refused, &atom.refused);
                let cost = state.worth.cost + 1.0 + atom.cost;
                let worth = self.worth(&keeps, &refused, cost);
                if worth.bad >= state.worth.bad {
                    continue;
                }
                let refused_words = refused.iter().flat_map(|r| r.words());
                // The same rows at the same price say nothing new; a cheaper way does.
                let key = (hash_of_rows(keeps.words().iter().chain(refused_words).copied()), cost.to_bits());
                if seen.insert(key) {
                    let atoms = state.atoms.iter().copied().chain([i]).collect();
                    next.push(State { atoms, keeps, refused, worth });
                }
            }
        }
        next
    }

    fn worth(&self, keeps: &Bits, refused: &Option<Bits>, cost: f64) -> Worth {
        let kept =
            |of: &Bits| of.words().iter().zip(keeps.words()).map(|(a, b)| (a & b).count_ones()).sum::<u32>();
        let share =
            |part: u32, all: u32, none: f64| if all == 0 { none } else { f64::from(part) / f64::from(all) };
        let of_refused = |bits: &Option<Bits>| bits.as_ref().map_or(0, Bits::count);
        let must = self.rows.bad.count() + of_refused(&self.all_refused);
        let good = share(kept(&self.rows.good), self.rows.good.count(), 0.0);
        Worth {
            bad: share(kept(&self.rows.bad) + of_refused(refused), must, 0.0),
            good,
            caught: share(kept(&self.rows.caught), self.rows.caught.count(), good),
            cost,
        }
    }
}
