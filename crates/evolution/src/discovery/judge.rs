//! What a term is worth: the recorded executions, the arena of terms and the evaluator over both, kept in step.

use std::sync::Arc;

use dodona_subject::Column;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::archive::{Entry, Origin};
use super::population::Individual;
use super::{Evaluator, Pairs, Place, TermId, Terms};

/// Judges terms over the pairs of one input transformation.
#[derive(Debug)]
pub(super) struct Judge {
    pub(super) pairs: Pairs,
    pub(super) terms: Terms,
    pub(super) evaluator: Evaluator,
    /// Guards every relation: excludes the executions whose follow-up call does not return.
    pub(super) guard: Option<TermId>,
    /// How many trees were judged.
    pub(super) judged: u64,
    /// For each output, the bits of its variables of both calls.
    outputs: Vec<u64>,
}

impl Judge {
    pub(super) fn new(pairs: Pairs) -> Judge {
        let terms = Terms::new(pairs.variables.iter().map(|v| v.ty).collect());
        let evaluator = Evaluator::new(&pairs);
        Judge { outputs: outputs(&pairs), pairs, terms, evaluator, guard: None, judged: 0 }
    }

    /// Whether a term speaks, for at least one output, of that of the source and of that of the follow-up call.
    pub(super) fn is_metamorphic(&self, term: TermId) -> bool {
        let variables = self.terms.variables(term);
        self.outputs.iter().any(|both| variables & both == *both)
    }

    /// A tree with what it does.
    pub(super) fn individual(&mut self, term: TermId) -> Individual {
        self.judged += 1;
        Individual {
            term,
            size: self.terms.size(term),
            score: self.evaluator.score_when(&self.terms, self.guard, term),
            is_metamorphic: self.is_metamorphic(term),
            right: Arc::new(self.evaluator.right(&self.terms, term)),
        }
    }

    /// The relation, where it is one: metamorphic, without false positives, and revealing something.
    pub(super) fn entry(
        &mut self,
        condition: Option<TermId>,
        expect: TermId,
        origin: Origin,
    ) -> Option<Entry> {
        let score = self.evaluator.score_when(&self.terms, condition, expect);
        let reveals = (score.false_negatives as usize) < self.pairs.mutants.len();
        if score.false_positives > 0 || !reveals || !self.is_metamorphic(expect) {
            return None;
        }
        let size = self.terms.size(expect) + condition.map_or(0, |c| self.terms.size(c));
        let caught = self.caught(condition, expect);
        Some(Entry { condition, expect, score, size, origin, caught })
    }

    fn caught(&mut self, condition: Option<TermId>, expect: TermId) -> FixedBitSet {
        let mut caught = FixedBitSet::with_capacity(self.pairs.mutant_count);
        for row in self.evaluator.caught(&self.terms, condition, expect) {
            caught.insert(self.pairs.mutants[row] as usize);
        }
        caught.extend(self.pairs.crashed.iter().map(|&m| m as usize));
        caught
    }

    /// More executions: correct ones, a column a variable, and refused ones, a column a variable of the source.
    ///
    /// # Panics
    /// When there are not as many columns, or they differ in length or kind.
    pub(super) fn learn(&mut self, correct: &[Column], refused: &[Column]) {
        if correct.first().is_some_and(|c| !c.is_empty()) {
            self.evaluator.add_correct(correct);
            self.pairs.columns = self.with_correct(correct);
            self.pairs.correct += correct[0].len();
        }
        if self.pairs.refused.is_empty() {
            self.pairs.refused = refused.to_vec();
        } else {
            self.pairs.refused.iter_mut().zip(refused).for_each(|(all, more)| append(all, more));
        }
    }

    fn with_correct(&self, more: &[Column]) -> Vec<Column> {
        assert_eq!(more.len(), self.pairs.columns.len(), "a column a variable");
        let (correct, rows) = (self.pairs.correct as u32, self.pairs.rows() as u32);
        let with = |(all, more): (&Column, &Column)| {
            let mut all = all.clone();
            append(&mut all, more);
            let order: Vec<u32> = (0..correct).chain(rows..all.len() as u32).chain(correct..rows).collect();
            all.select(&order)
        };
        self.pairs.columns.iter().zip(more).map(with).collect()
    }

    /// Forgets all terms but those wanted, the guard, and what is in them. Returns the new ids.
    pub(super) fn compact(&mut self, wanted: impl Iterator<Item = TermId>) -> FxHashMap<TermId, TermId> {
        let (terms, ids) = super::compact::compact(&self.terms, wanted.chain(self.guard));
        self.terms = terms;
        self.evaluator.renumber(|old| ids.get(&old).copied());
        self.guard = self.guard.map(|g| ids[&g]);
        ids
    }
}

fn append(all: &mut Column, more: &Column) {
    (0..more.len()).for_each(|row| all.push(&more.value(row)));
}

fn outputs(pairs: &Pairs) -> Vec<u64> {
    let bit = |place: Place| pairs.variables.iter().position(|v| v.place == place).map(|i| 1u64 << i);
    let both = |place| match place {
        Place::SourceOutput(i) => Some(bit(Place::SourceOutput(i))? | bit(Place::FollowUpOutput(i))?),
        _ => None,
    };
    pairs.variables.iter().filter_map(|v| both(v.place)).collect()
}
