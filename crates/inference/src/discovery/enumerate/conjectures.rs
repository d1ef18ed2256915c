//! Output relations that hold on the probes, or on most of them: a few relations for each set of probes on which they hold.

use std::sync::Arc;

use dodona_relations::plan::Ty;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::bank::{Bank, Head, Stored};
use crate::discovery::column::Column;
use crate::discovery::score::hash_of_rows;
use crate::discovery::tuning::{ALIKE_CONJECTURES, HEAD};
use crate::discovery::{Bits, Evaluator, Operator, TermId, is_number};

/// What a relation does on the probes. Its term belongs to the bank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conjecture {
    pub(super) expect: TermId,
    pub(super) size: usize,
    /// Correct probes on which it does not hold.
    pub(super) wrong: u32,
    /// Incorrect probes on which it holds.
    pub(super) missed: u32,
}

/// The conjectures so far.
#[derive(Debug)]
pub(super) struct Conjectures {
    /// By the probes on which they hold. Equalities are grouped apart: an equality says more than an inequality that holds on the
    /// same probes, but would lose its place to smaller inequalities.
    by_rows: IndexMap<(u64, Allowed), Vec<Conjecture>, FxBuildHasher>,
    /// For each output, the bits of the variables of its source and follow-up values.
    outputs: Vec<u64>,
}

/// The rows on which a conjecture may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Allowed {
    /// On no correct row.
    Nowhere,
    /// On up to half of the correct rows, because a condition may exclude these rows: for equalities.
    Half,
}

impl Conjectures {
    pub(super) fn new(outputs: Vec<u64>) -> Conjectures {
        Conjectures { by_rows: IndexMap::default(), outputs }
    }

    /// Whether a relation over these variables mentions both values of an output.
    pub(super) fn is_metamorphic(&self, variables: u64) -> bool {
        self.outputs.iter().any(|both| variables & both == *both)
    }

    /// Keeps a relation that holds on these rows, if it is among the smallest that hold on exactly these rows.
    pub(super) fn offer(
        &mut self,
        bank: &mut Bank,
        allowed: Allowed,
        size: usize,
        holds: &Bits,
        term: impl FnOnce(&mut Bank) -> Option<TermId>,
    ) {
        let split = bank.probe.correct_words();
        let count = |words: &[u64]| words.iter().map(|w| w.count_ones()).sum::<u32>();
        let (correct, incorrect) = (bank.probe.correct() as u32, bank.probe.incorrect() as u32);
        let (wrong, missed) = (correct - count(&holds.words()[..split]), count(&holds.words()[split..]));
        let most = if allowed == Allowed::Half { correct / 2 } else { 0 };
        if wrong > most || (missed == incorrect && incorrect > 0) {
            return;
        }
        let alike = self.by_rows.entry((hash_of_rows(holds.words().iter().copied()), allowed)).or_default();
        let is_full = alike.len() == ALIKE_CONJECTURES;
        if is_full && alike[ALIKE_CONJECTURES - 1].size <= size {
            return;
        }
        let Some(expect) = term(bank) else { return };
        if alike.iter().all(|known| known.expect != expect) {
            alike.truncate(ALIKE_CONJECTURES - 1);
            alike.push(Conjecture { expect, size, wrong, missed });
            alike.sort_by_key(|known| known.size);
        }
    }

    /// All conjectures: first those that hold on all correct probes, then the others. In both groups, the conjecture that errs least
    /// and the smallest conjecture take turns.
    pub(super) fn ranked(self) -> Vec<Conjecture> {
        let all = self.by_rows.into_values().flatten();
        let (exact, near): (Vec<_>, Vec<_>) = all.partition(|c| c.wrong == 0);
        by_turns(exact).into_iter().chain(by_turns(near)).collect()
    }
}

fn by_turns(mut all: Vec<Conjecture>) -> Vec<Conjecture> {
    all.sort_by_key(|c| (c.wrong + c.missed, c.size, c.expect));
    let mut by_size = all.clone();
    by_size.sort_by_key(|c| c.size);
    let mut seen = FxHashSet::default();
    let turns = all.into_iter().zip(by_size).flat_map(|(tells, small)| [tells, small]);
    turns.filter(|c| seen.insert(c.expect)).collect()
}

/// The comparison that states that two values of these types are equal.
pub(super) fn equality(a: Ty, b: Ty) -> Option<Operator> {
    let operator = match (a, b) {
        (Ty::Float, b) if is_number(b) => Operator::Approximate,
        (a, Ty::Float) if is_number(a) => Operator::Approximate,
        (Ty::Sequence(dodona_relations::plan::Element::Float), _) => Operator::Approximate,
        _ => Operator::Equal,
    };
    operator.result(&[a, b]).map(|_| operator)
}

/// On how many rows of the head two terms are the same number, except for rounding.
#[inline(always)]
pub(super) fn agreeing(a: &Head, b: &Head) -> u32 {
    // As for whole columns, but of the head, which is of correct rows only, the largest number tells the size.
    let largest = |head: &Head| {
        head.iter()
            .fold(0.0, |most: f64, x| if x.abs() > most && x.abs() < f64::INFINITY { x.abs() } else { most })
    };
    let rounding = 1e-12 * largest(a).max(largest(b));
    count_lanes(|lane| {
        let difference = (a[lane] - b[lane]).abs();
        let larger = if a[lane].abs() > b[lane].abs() { a[lane].abs() } else { b[lane].abs() };
        (difference <= rounding + 1e-9 * larger) | (a[lane] == b[lane])
    })
}

/// Whether two terms are the same number on half of the rows of the head on which at least one of them is a number. On the other
/// rows both may be NaN, which equals NaN, or both undefined: that shows when all rows are compared.
#[inline(always)]
pub(super) fn agree(a: &Head, b: &Head) -> bool {
    let neither = count_lanes(|lane| a[lane].is_nan() & b[lane].is_nan());
    let same = agreeing(a, b);
    (same > 0) & (2 * same + neither >= HEAD as u32)
}

#[inline(always)]
fn count_lanes(is_counted: impl Fn(usize) -> bool) -> u32 {
    (0..HEAD).map(|lane| u32::from(is_counted(lane))).sum()
}

/// An operand of a comparison: its values on the probes, and its type.
#[derive(Clone)]
pub(super) struct ComparedColumn {
    pub(super) column: Arc<Column>,
    pub(super) ty: Ty,
}

/// The rows on which a comparison of two operands holds.
pub(super) fn rows_of(bank: &mut Bank, operator: Operator, a: &ComparedColumn, b: &ComparedColumn) -> Bits {
    let columns = [a, b].map(|operand| Arc::clone(&operand.column));
    let column = bank.probe.apply(operator, Ty::Bool, &columns, &[a.ty, b.ty]);
    Evaluator::bits(&column).clone()
}

/// The rows on which a comparison of two stored terms holds.
pub(super) fn compare(bank: &mut Bank, operator: Operator, a: &Stored, b: &Stored) -> Bits {
    let column = bank.probe.apply(operator, Ty::Bool, &[a.column.clone(), b.column.clone()], &[a.ty, b.ty]);
    Evaluator::bits(&column).clone()
}
