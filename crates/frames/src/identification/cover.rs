//! Finds the conditions under which something holds on samples, as few and as short as possible.
//!
//! Thousands of pairs of frames say the same thing about the outputs. What a person wants to read is the condition that they
//! have in common. So each row of the samples has literals (the choice of each category), and the rows in which a relation holds are
//! covered by conjunctions of literals that cover no row in which it does not.
//!
//! The conjunctions are found from both ends, by leaving literals of a row out and by adding literals, and are joined where they differ
//! in one literal.

use std::collections::{BTreeSet, HashSet};

use dodona_target::splitmix64;
use fixedbitset::FixedBitSet;

/// The input or output, and its category, that a literal of a condition is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Literal {
    /// The choice of this category that the source input has.
    Source(usize),
    /// The choice of this category that the follow-up input has.
    FollowUp(usize),
    /// The choice of this category that the source output has.
    Output(usize),
}

/// A conjunction: for each literal the choices that are allowed.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Cube {
    /// The literals with their choices, in order; no literal twice.
    pub literals: Vec<(Literal, BTreeSet<u16>)>,
}

/// A cube with the rows that it covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    /// The condition.
    pub cube: Cube,
    /// The rows that satisfy it.
    pub rows: FixedBitSet,
}

/// Covers the rows in which something holds by conjunctions that no other row satisfies.
///
/// `slots` are the literals that conditions may have; `choices[slot][row]` is the choice of a row. No condition covers a row of `fails`;
/// rows in neither set do not matter. A condition is reported if it covers at least `least` rows of `holds`. Conditions that differ in one
/// literal only become one.
///
/// A row of `holds` is not covered if a row of `fails` has the same choices.
///
/// ```
/// use dodona_frames::identification::{Literal, cover};
/// use fixedbitset::FixedBitSet;
///
/// // Two categories of two choices: what holds whenever the first has choice 1 needs no second literal.
/// let slots = [Literal::Source(0), Literal::Source(1)];
/// let choices = [vec![0, 0, 1, 1], vec![0, 1, 0, 1]];
/// let (fails, holds): (FixedBitSet, FixedBitSet) = ([0, 1].into_iter().collect(), [2, 3].into_iter().collect());
/// let covers = cover(&slots, &choices, &holds, &fails, 1);
/// assert_eq!(covers.len(), 1);
/// assert_eq!(covers[0].cube.literals, [(Literal::Source(0), [1].into())]);
/// ```
///
/// # Panics
/// When a slot has not a choice for each row.
pub fn cover(
    slots: &[Literal],
    choices: &[Vec<u16>],
    holds: &FixedBitSet,
    fails: &FixedBitSet,
    least: usize,
) -> Vec<Cover> {
    let table = Table::new(slots, choices, holds, fails);
    let mut left = table.consistent();
    let mut order: Vec<usize> = left.ones().collect();
    order.sort_by_key(|row| splitmix64(*row as u64));
    let mut covers: Vec<Cover> = Vec::new();
    let mut idle = 0;
    for seed in order {
        if !left.contains(seed) {
            continue;
        }
        let found = table.widest(seed);
        left.difference_with(&found.rows);
        if found.rows.intersection_count(&table.holds) >= least {
            covers.push(found);
            idle = 0;
        } else {
            idle += 1;
        }
        if idle == MOST_IDLE {
            break;
        }
    }
    table.merge(covers)
}

/// Rows are tried as seeds of conditions, in a mixed order, and the search ends after so many seeds in succession without a condition that
/// enough rows support. A condition that one row in twenty supports is then missed once in 170 times. If thousands of rows have no such
/// condition, the time is proportional to this number.
const MOST_IDLE: usize = 100;

/// The rows of each choice of each slot.
struct Table<'s> {
    slots: &'s [Literal],
    choices: &'s [Vec<u16>],
    /// For each slot and choice the rows that have it.
    rows: Vec<Vec<FixedBitSet>>,
    holds: FixedBitSet,
    fails: FixedBitSet,
    all: FixedBitSet,
}

impl<'s> Table<'s> {
    fn new(
        slots: &'s [Literal],
        choices: &'s [Vec<u16>],
        holds: &FixedBitSet,
        fails: &FixedBitSet,
    ) -> Table<'s> {
        let longest = |set: &FixedBitSet| set.ones().next_back().map_or(0, |last| last + 1);
        let rows = choices.first().map_or(longest(holds).max(longest(fails)), Vec::len);
        let sized = |set: &FixedBitSet| {
            let mut sized = FixedBitSet::with_capacity(rows);
            sized.extend(set.ones().filter(|row| *row < rows));
            sized
        };
        let of_slot = |slot: &Vec<u16>| {
            let most = slot.iter().copied().max().unwrap_or(0);
            let mut sets = vec![FixedBitSet::with_capacity(rows); usize::from(most) + 1];
            slot.iter().enumerate().for_each(|(row, choice)| sets[usize::from(*choice)].insert(row));
            sets
        };
        let mut all = FixedBitSet::with_capacity(rows);
        all.insert_range(..);
        let (holds, fails) = (sized(holds), sized(fails));
        Table { slots, choices, rows: choices.iter().map(of_slot).collect(), holds, fails, all }
    }

    /// The rows that have these choices, each given as a slot and its choice.
    fn covered(&self, kept: &[(usize, u16)]) -> FixedBitSet {
        let mut covered = self.all.clone();
        kept.iter()
            .for_each(|(slot, choice)| covered.intersect_with(&self.rows[*slot][usize::from(*choice)]));
        covered
    }

    /// The rows in which something holds, without those that have the same choices as a failing row: no condition tells such rows apart.
    fn consistent(&self) -> FixedBitSet {
        let key = |row: usize| -> Vec<u16> { self.choices.iter().map(|slot| slot[row]).collect() };
        let failing: HashSet<Vec<u16>> = self.fails.ones().map(key).collect();
        let mut rows = FixedBitSet::with_capacity(self.all.len());
        rows.extend(self.holds.ones().filter(|row| !failing.contains(&key(*row))));
        rows
    }

    /// A condition that covers this row: its literals without those that are not needed, which are left out from the front or from the
    /// back, or the condition that [`Table::grown`] finds. Of these three, the one that covers most rows of `holds`, then the shortest.
    fn widest(&self, seed: usize) -> Cover {
        let full: Vec<(usize, u16)> =
            (0..self.slots.len()).map(|slot| (slot, self.choices[slot][seed])).collect();
        let forwards = self.without_needless(&full, (0..full.len()).collect());
        let backwards = self.without_needless(&full, (0..full.len()).rev().collect());
        let best = |cover: &Cover| {
            (cover.rows.intersection_count(&self.holds), std::cmp::Reverse(cover.cube.literals.len()))
        };
        let others = [Some(backwards), self.grown(seed)].into_iter().flatten();
        others.fold(forwards, |one, other| if best(&other) >= best(&one) { other } else { one })
    }

    fn without_needless(&self, full: &[(usize, u16)], order: Vec<usize>) -> Cover {
        let mut kept = full.to_vec();
        for slot in order {
            let without: Vec<(usize, u16)> = kept.iter().copied().filter(|(s, _)| *s != slot).collect();
            if self.covered(&without).is_disjoint(&self.fails) {
                kept = without;
            }
        }
        self.as_cover(&kept)
    }

    /// A condition that covers this row, found by adding literals instead of leaving them out. Each step adds the literal that leaves the
    /// fewest failing rows for each holding row, until no failing row is left. `None` if one is left after all literals.
    fn grown(&self, seed: usize) -> Option<Cover> {
        let mut kept: Vec<(usize, u16)> = Vec::new();
        let mut covered = self.all.clone();
        while !covered.is_disjoint(&self.fails) {
            let score = |slot: &usize| {
                let rows = &self.rows[*slot][usize::from(self.choices[*slot][seed])];
                let mut next = covered.clone();
                next.intersect_with(rows);
                let (bad, good) =
                    (next.intersection_count(&self.fails), next.intersection_count(&self.holds));
                // The failing rows that are left for each holding row, in millionths; between equals, more holding rows are better.
                (bad * 1_000_000 / good.max(1), std::cmp::Reverse(good))
            };
            let unused = (0..self.slots.len()).filter(|slot| kept.iter().all(|(s, _)| s != slot));
            let best = unused.min_by_key(score)?;
            let choice = self.choices[best][seed];
            covered.intersect_with(&self.rows[best][usize::from(choice)]);
            kept.push((best, choice));
        }
        kept.sort_unstable();
        Some(self.as_cover(&kept))
    }

    fn as_cover(&self, kept: &[(usize, u16)]) -> Cover {
        let mut literals: Vec<_> =
            kept.iter().map(|(slot, choice)| (self.slots[*slot], BTreeSet::from([*choice]))).collect();
        literals.sort();
        Cover { cube: Cube { literals }, rows: self.covered(kept) }
    }

    /// Goes through the conditions once, those that cover most rows first. A condition that differs from an earlier one in the choices of
    /// one literal is merged into it; a condition whose rows an earlier one covers is left out.
    fn merge(&self, mut covers: Vec<Cover>) -> Vec<Cover> {
        covers.sort_by_key(|cover| std::cmp::Reverse(cover.rows.count_ones(..)));
        let mut merged: Vec<Cover> = Vec::new();
        for cover in covers {
            if merged.iter().any(|other| cover.rows.is_subset(&other.rows)) {
                continue;
            }
            let joined = merged.iter_mut().find_map(|other| Some((other.cube.joined(&cover.cube)?, other)));
            match joined {
                Some((cube, other)) => {
                    other.cube = cube;
                    other.rows.union_with(&cover.rows);
                }
                None => merged.push(cover),
            }
        }
        merged
    }
}

impl Cube {
    /// The cube that covers exactly what the two cover together; `None` unless they differ in the choices of one literal only.
    fn joined(&self, other: &Cube) -> Option<Cube> {
        if !self.literals.iter().map(|l| l.0).eq(other.literals.iter().map(|l| l.0)) {
            return None;
        }
        let differing: Vec<usize> =
            (0..self.literals.len()).filter(|&i| self.literals[i] != other.literals[i]).collect();
        let [one] = differing[..] else { return None };
        let mut joined = self.clone();
        joined.literals[one].1.extend(&other.literals[one].1);
        Some(joined)
    }
}
