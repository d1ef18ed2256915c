//! The choice of a conjunction: a beam search over the sets of rows that the comparisons keep.

use rustc_hash::FxHashSet;

use super::JudgedRows;
use crate::discovery::score::hash_of_rows;
use crate::discovery::tuning::{
    COMPARISON_COST, CONDITION_BEAM, CONDITION_COMPARISONS, CONDITION_KEEPS_ONE_IN,
};
use crate::discovery::{Bits, TermId};

/// A comparison with the rows on which it is true.
#[derive(Debug)]
pub(super) struct ConditionAtom {
    pub(super) term: TermId,
    pub(super) holds: Bits,
    /// The refused executions on which it is true.
    pub(super) refused: Option<Bits>,
    /// How hard it is to read; below 1.
    pub(super) cost: f64,
}

impl ConditionAtom {
    /// The comparison reduced to the rows in these words.
    pub(super) fn pick(&self, words: &[usize]) -> ConditionAtom {
        ConditionAtom {
            term: self.term,
            holds: self.holds.pick(words),
            refused: self.refused.clone(),
            cost: self.cost,
        }
    }
}

/// The refused executions that are in both sets.
fn both(a: &Option<Bits>, b: &Option<Bits>) -> Option<Bits> {
    Some(a.as_ref()?.zip(b.as_ref()?, |a, b| a & b))
}

/// The search for a conjunction of comparisons.
#[derive(Debug)]
pub(super) struct Conjunctions<'r> {
    rows: &'r JudgedRows,
    atoms: &'r [ConditionAtom],
    /// All refused executions, if there are any.
    all_refused: Option<Bits>,
    totals: Totals,
}

/// How many rows there are of each kind.
#[derive(Debug)]
struct Totals {
    /// Rows to exclude, including refused executions.
    bad: u32,
    good: u32,
    caught: u32,
    /// The correct rows.
    correct: u32,
}

/// A conjunction of the beam extended by a comparison.
#[derive(Clone, Copy, Debug)]
struct Extension {
    state: usize,
    atom: usize,
    /// How many good rows it keeps.
    good: u32,
    worth: Worth,
}

/// A conjunction, and the rows that it keeps.
#[derive(Clone, Debug)]
struct PartialConjunction {
    atoms: Vec<usize>,
    keeps: Bits,
    refused: Option<Bits>,
    worth: Worth,
}

/// The worth of a conjunction.
#[derive(Clone, Copy, Debug)]
struct Worth {
    /// The share of the rows to exclude that it keeps nevertheless.
    bad: f64,
    /// The share of the correct rows on which the expectation holds that it keeps.
    good: f64,
    /// The share of the incorrect rows that the expectation reveals that it keeps.
    caught: f64,
    /// How hard it is to read.
    cost: f64,
}

impl Worth {
    fn is_complete(self) -> bool {
        self.bad == 0.0
    }

    /// How good the condition is, if it excludes all rows that it should.
    fn value(self) -> f64 {
        (self.good + 2.0 * self.caught) / 3.0 - COMPARISON_COST * self.cost
    }

    /// How good the conjunction is as the beginning of a longer one.
    fn promise(self) -> f64 {
        (self.good + 2.0 * self.caught) / 3.0 - 2.0 * self.bad - COMPARISON_COST * self.cost
    }
}

impl<'r> Conjunctions<'r> {
    pub(super) fn new(
        rows: &'r JudgedRows,
        atoms: &'r [ConditionAtom],
        all_refused: Option<Bits>,
    ) -> Conjunctions<'r> {
        let totals = Totals {
            bad: rows.bad.count() + all_refused.as_ref().map_or(0, Bits::count),
            good: rows.good.count(),
            caught: rows.caught.count(),
            correct: rows.good.count() + rows.bad.count(),
        };
        Conjunctions { rows, atoms, all_refused, totals }
    }

    /// The comparisons of the best conjunction, if there is any.
    pub(super) fn best(&self) -> Option<Vec<TermId>> {
        let words = self.rows.good.words().len();
        let all = Bits::from_words(vec![u64::MAX; words]);
        let start = PartialConjunction {
            atoms: vec![],
            worth: self.worth((self.totals.good, self.totals.caught), self.bad(self.totals.bad), 0.0),
            keeps: all,
            refused: self.all_refused.clone(),
        };
        let mut beam = vec![start];
        let mut best: Option<PartialConjunction> = None;
        for length in 1..=CONDITION_COMPARISONS {
            let groups = self.extended(&beam, length == CONDITION_COMPARISONS);
            let mut next = Vec::new();
            for group in &groups {
                let is_better = best.as_ref().is_none_or(|best| group[0].worth.value() > best.worth.value());
                let wanted = |extension: &&Extension| match extension.worth.is_complete() {
                    true => is_better && self.is_weak(extension.good),
                    false => next.len() < CONDITION_BEAM,
                };
                let wanted: Vec<&Extension> = group.iter().filter(wanted).collect();
                for state in self.different(&beam, &wanted) {
                    match state.worth.is_complete() {
                        true if best.as_ref().is_none_or(|best| state.worth.value() > best.worth.value()) => {
                            best = Some(state)
                        }
                        true => {}
                        false => next.push(state),
                    }
                }
            }
            // A longer conjunction has at least two comparisons, so its value is at most `1 - 2 * COMPARISON_COST`.
            if best.as_ref().is_some_and(|b| b.worth.value() + COMPARISON_COST >= 1.0 - COMPARISON_COST) {
                break;
            }
            next.truncate(CONDITION_BEAM);
            beam = next;
        }
        best.map(|state| state.atoms.iter().map(|&i| self.atoms[i].term).collect())
    }

    /// Whether a conjunction that keeps so many of the good rows keeps at least 5% of the correct rows.
    fn is_weak(&self, good: u32) -> bool {
        u64::from(good) * CONDITION_KEEPS_ONE_IN >= u64::from(self.totals.correct)
    }

    /// Whether the conjunction of these comparisons excludes all rows that it should, and keeps at least 5% of the correct rows.
    pub(super) fn holds(&self, atoms: &[TermId]) -> bool {
        let chosen = || self.atoms.iter().filter(|atom| atoms.contains(&atom.term));
        let all = Bits::from_words(vec![u64::MAX; self.rows.good.words().len()]);
        let keeps = chosen().fold(all, |keeps, atom| keeps.zip(&atom.holds, |a, b| a & b));
        let refused = chosen().fold(self.all_refused.clone(), |keeps, atom| both(&keeps, &atom.refused));
        let bad = common(&self.rows.bad, &keeps) + refused.as_ref().map_or(0, Bits::count);
        bad == 0 && self.is_weak(common(&self.rows.good, &keeps))
    }

    /// Each conjunction extended by one comparison that excludes more rows; the last comparison has to exclude all remaining rows. Those of equal promise
    /// are a group, the most promising first, each group in the order of conjunctions and comparisons. No set of rows is made here, for few of thousands
    /// of extensions are looked at.
    fn extended(&self, beam: &[PartialConjunction], is_last: bool) -> Vec<Vec<Extension>> {
        let mut next = Vec::new();
        for (place, state) in beam.iter().enumerate() {
            for (i, atom) in self.atoms.iter().enumerate().filter(|(i, _)| !state.atoms.contains(i)) {
                let bad = self.bad_in_both(state, atom);
                if bad >= state.worth.bad || is_last && bad > 0.0 {
                    continue;
                }
                let cost = state.worth.cost + 1.0 + atom.cost;
                let good = common_of_three(&self.rows.good, &state.keeps, &atom.holds);
                let caught = common_of_three(&self.rows.caught, &state.keeps, &atom.holds);
                next.push(Extension {
                    state: place,
                    atom: i,
                    good,
                    worth: self.worth((good, caught), bad, cost),
                });
            }
        }
        next.sort_by(|a, b| b.worth.promise().total_cmp(&a.worth.promise()));
        next.chunk_by(|a, b| a.worth.promise() == b.worth.promise()).map(<[Extension]>::to_vec).collect()
    }

    /// Conjunctions of a group, each with its rows, in the order of their comparisons. One that keeps the same rows as an earlier one at the same cost
    /// adds nothing; one with another cost is kept.
    fn different(&self, beam: &[PartialConjunction], group: &[&Extension]) -> Vec<PartialConjunction> {
        let mut seen = FxHashSet::default();
        let mut different = Vec::new();
        for extension in group {
            let (state, atom) = (&beam[extension.state], &self.atoms[extension.atom]);
            let keeps = state.keeps.zip(&atom.holds, |a, b| a & b);
            let refused = both(&state.refused, &atom.refused);
            let refused_words = refused.iter().flat_map(|r| r.words());
            let rows = hash_of_rows(keeps.words().iter().chain(refused_words).copied());
            if seen.insert((rows, extension.worth.cost.to_bits())) {
                let atoms = state.atoms.iter().copied().chain([extension.atom]).collect();
                different.push(PartialConjunction { atoms, keeps, refused, worth: extension.worth });
            }
        }
        different.sort_by(|a, b| a.atoms.cmp(&b.atoms));
        different
    }

    /// The share of the rows to exclude that the conjunction keeps after it is extended by the comparison.
    fn bad_in_both(&self, state: &PartialConjunction, atom: &ConditionAtom) -> f64 {
        let rows = common_of_three(&self.rows.bad, &state.keeps, &atom.holds);
        let refused = state.refused.as_ref().zip(atom.refused.as_ref());
        self.bad(rows + refused.map_or(0, |(a, b)| common(a, b)))
    }

    fn bad(&self, kept: u32) -> f64 {
        share(kept, self.totals.bad, 0.0)
    }

    fn worth(&self, (good, caught): (u32, u32), bad: f64, cost: f64) -> Worth {
        let good = share(good, self.totals.good, 0.0);
        let caught = share(caught, self.totals.caught, good);
        Worth { bad, good, caught, cost }
    }
}

/// How many rows are in both sets.
fn common(a: &Bits, b: &Bits) -> u32 {
    a.words().iter().zip(b.words()).map(|(a, b)| (a & b).count_ones()).sum()
}

/// How many rows are in all three sets.
fn common_of_three(a: &Bits, b: &Bits, c: &Bits) -> u32 {
    a.words().iter().zip(b.words()).zip(c.words()).map(|((a, b), c)| (a & b & c).count_ones()).sum()
}

fn share(part: u32, all: u32, none: f64) -> f64 {
    if all == 0 { none } else { f64::from(part) / f64::from(all) }
}
