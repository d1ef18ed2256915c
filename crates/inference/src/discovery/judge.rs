//! The judgement of terms: the recorded executions, the terms and the evaluator of both, which have to change together.

use std::sync::Arc;

use dodona_target::Column;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::archive::{ArchivedRelation, Origin};
use super::population::Individual;
use super::varying_remainder::orders_varying_remainder;
use super::{
    Conditions, EnumerateOptions, Enumeration, Evaluator, Leaf, Operator, Pairs, TermId, Terms, enumerate,
    is_metamorphic,
};
use crate::discovery::tuning::REVEALED_ONE_IN;

/// Judges terms over the pairs of one input transformation.
#[derive(Debug)]
pub(super) struct Judge {
    pub(super) pairs: Pairs,
    pub(super) terms: Terms,
    pub(super) evaluator: Evaluator,
    conditions: Conditions,
    /// The condition of relations that need no other: it excludes the executions whose follow-up call does not return.
    pub(super) guard: Option<TermId>,
    /// Whether relations can be found: there are correct executions, and a condition excludes the refused ones.
    pub(super) is_possible: bool,
    /// How many trees have been judged.
    pub(super) judged: u64,
}

impl Judge {
    pub(super) fn new(pairs: Pairs) -> Judge {
        let mut judge = Judge {
            terms: Terms::new(pairs.variables.iter().map(|v| v.ty).collect()),
            evaluator: evaluator(&pairs),
            conditions: Conditions::new(&pairs),
            pairs,
            guard: None,
            is_possible: false,
            judged: 0,
        };
        judge.set_guard();
        judge
    }

    fn set_guard(&mut self) {
        let always = self.terms.leaf(Leaf::Bool(true));
        let guard = self.condition(always);
        self.is_possible = self.pairs.correct > 0 && guard.is_some();
        self.guard = guard.flatten();
    }

    /// The condition under which an expectation has no false positives: `Some(None)` if it needs no condition, `None` if no
    /// condition was found.
    pub(super) fn condition(&mut self, expect: TermId) -> Option<Option<TermId>> {
        self.conditions.find(&mut self.evaluator, &mut self.terms, expect)
    }

    /// Relations between small terms.
    pub(super) fn enumerate(&mut self, options: &EnumerateOptions, go_on: &dyn Fn() -> bool) -> Enumeration {
        enumerate(&mut self.terms, &mut self.evaluator, &self.pairs, options, go_on)
    }

    fn is_metamorphic(&self, term: TermId) -> bool {
        is_metamorphic(&self.terms, term, &self.pairs)
    }

    /// An individual: the tree and the results of its evaluation.
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

    /// The entry of a relation, if it is metamorphic, orders no varying remainder, has no false positives and reveals an incorrect row.
    pub(super) fn entry(
        &mut self,
        condition: Option<TermId>,
        expect: TermId,
        origin: Origin,
    ) -> Option<ArchivedRelation> {
        if orders_varying_remainder(&self.terms, expect) {
            return None;
        }
        let score = self.evaluator.score_when(&self.terms, condition, expect);
        // Without incorrect rows a relation can reveal nothing, so every relation that holds counts.
        let reveals =
            (score.false_negatives as usize) < self.pairs.mutants.len() || self.pairs.mutants.is_empty();
        if score.false_positives > 0 || !reveals || !self.is_metamorphic(expect) {
            return None;
        }
        let size = self.terms.size(expect) + condition.map_or(0, |c| self.terms.size(c));
        let caught = self.caught(condition, expect);
        Some(ArchivedRelation { condition, expect, score, size, origin, caught })
    }

    /// Joins a relation to another one with the same condition; `false` if the conjunction is no valid relation.
    pub(super) fn join(&mut self, whole: &mut ArchivedRelation, part: &ArchivedRelation) -> bool {
        let both = self.terms.apply(Operator::And, &[whole.expect, part.expect]);
        let joined = both.and_then(|both| self.entry(whole.condition, both, whole.origin));
        let is_joined = joined.is_some();
        joined.into_iter().for_each(|joined| *whole = joined);
        is_joined
    }

    /// The mutants that a relation kills. It has to reveal a mutant often, since other inputs would not show a rare accident.
    fn caught(&mut self, condition: Option<TermId>, expect: TermId) -> FixedBitSet {
        let count = self.pairs.mutant_count;
        let (mut all, mut revealed) = (vec![0_u32; count], vec![0_u32; count]);
        self.pairs.mutants.iter().for_each(|&mutant| all[mutant as usize] += 1);
        for row in self.evaluator.caught(&self.terms, condition, expect) {
            revealed[self.pairs.mutants[row] as usize] += 1;
        }
        let is_caught = |mutant: &usize| revealed[*mutant] * REVEALED_ONE_IN >= all[*mutant].max(1);
        let mut caught = FixedBitSet::with_capacity(count);
        caught.extend((0..count).filter(is_caught));
        caught.extend(self.pairs.crashed.iter().map(|&m| m as usize));
        caught
    }

    /// Adds executions: correct ones, with one column for each variable, and refused ones, with one column for each source variable.
    ///
    /// # Panics
    /// When the number of columns is wrong, or the columns differ in length or kind.
    pub(super) fn learn(&mut self, correct: &[Column], refused: &[Column]) {
        if correct.first().is_some_and(|c| !c.is_empty()) {
            self.pairs.columns = self.with_correct(correct);
            self.pairs.correct += correct[0].len();
        }
        if self.pairs.refused.is_empty() {
            self.pairs.refused = refused.to_vec();
        } else {
            self.pairs.refused.iter_mut().zip(refused).for_each(|(all, more)| append(all, more));
        }
        self.evaluator = evaluator(&self.pairs);
        self.conditions = Conditions::new(&self.pairs);
        self.set_guard();
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

    /// Drops all terms except the wanted ones, the guard, and the subterms of both. Returns the new ids.
    pub(super) fn compact(&mut self, wanted: impl Iterator<Item = TermId>) -> FxHashMap<TermId, TermId> {
        let (terms, ids) = super::compact::compact(&self.terms, wanted.chain(self.guard));
        self.terms = terms;
        self.evaluator.renumber(|old| ids.get(&old).copied());
        self.conditions = Conditions::new(&self.pairs);
        self.guard = self.guard.map(|g| ids[&g]);
        ids
    }
}

fn append(all: &mut Column, more: &Column) {
    (0..more.len()).for_each(|row| all.push(&more.value(row)));
}

/// An evaluator of these pairs; if they have no rows, of a single meaningless row.
fn evaluator(pairs: &Pairs) -> Evaluator {
    if pairs.rows() > 0 {
        return Evaluator::new(pairs);
    }
    let mut one = Pairs { correct: 1, ..pairs.clone() };
    one.columns.iter_mut().for_each(Column::push_default);
    Evaluator::new(&one)
}

#[cfg(test)]
pub(super) mod tests {
    use dodona_relations::{ast::Expression, plan::Ty};

    use super::*;
    use crate::discovery::{Place, Variable};

    /// Source outputs `2 k k` and follow-up outputs `2 k` for `k` in -3..=3. For negative `k`, the follow-up outputs of mutant 0
    /// are smaller by one. Mutant 2 crashes.
    pub(in crate::discovery) fn pairs() -> Pairs {
        let correct = (-3..=3).map(|k| [k, 2 * k * k, 2 * k]);
        let incorrect = (-3..=-1).map(|k| [k, 2 * k * k, 2 * k - 1]);
        let rows: Vec<[i128; 3]> = correct.chain(incorrect).collect();
        let variable = |place, name| Variable { place, ty: Ty::Int, expression: Expression::name(name) };
        Pairs {
            variables: vec![
                variable(Place::SourceInput(0), "k"),
                variable(Place::SourceOutput(0), "s"),
                variable(Place::FollowUpOutput(0), "f"),
            ],
            columns: (0..3).map(|i| Column::Int(rows.iter().map(|row| row[i]).collect())).collect(),
            correct: 7,
            mutants: vec![0; 3],
            mutant_count: 3,
            refused: Vec::new(),
            crashed: vec![2],
            constants: Vec::new(),
        }
    }

    /// `s / k == f`, undefined for k = 0.
    pub(in crate::discovery) fn quotient(terms: &mut Terms) -> TermId {
        let [k, s, f] = [0, 1, 2].map(|i| terms.leaf(Leaf::Variable(i)));
        let quotient = terms.apply(Operator::Divide, &[s, k]).expect("numbers divide");
        terms.apply(Operator::Equal, &[quotient, f]).expect("numbers compare")
    }

    const ORIGIN: Origin = Origin::Evolution { generation: 0 };

    #[test]
    fn a_relation_is_metamorphic_never_wrong_and_reveals_something() {
        let mut judge = Judge::new(pairs());
        let [k, s, f] = [0, 1, 2].map(|i| judge.terms.leaf(Leaf::Variable(i)));
        let step = quotient(&mut judge.terms);
        assert_eq!(judge.individual(step).score.false_positives, 1);
        assert!(judge.entry(None, step, ORIGIN).is_none(), "undefined for 0");
        let condition = judge.condition(step).expect("excludes 0");
        let entry = judge.entry(condition, step, ORIGIN).expect("a relation");
        assert_eq!((entry.score.false_negatives, entry.size), (0, 8));
        assert_eq!(entry.caught.ones().collect::<Vec<_>>(), [0, 2], "the one that crashes is caught by all");
        let less = judge.terms.apply(Operator::LessEqual, &[k, s]).expect("numbers compare");
        assert!(judge.entry(None, less, ORIGIN).is_none(), "nothing of the follow-up call");
        let vacuous = judge.terms.apply(Operator::Subtract, &[s, f]).expect("numbers");
        let vacuous = judge.terms.apply(Operator::Equal, &[vacuous, vacuous]).expect("numbers compare");
        assert!(judge.entry(None, vacuous, ORIGIN).is_none(), "reveals nothing");
    }

    #[test]
    fn what_is_learned_stands_among_the_correct_executions() {
        let mut judge = Judge::new(pairs());
        let refused = [vec![5], vec![50]].map(Column::Int);
        judge.learn(&[vec![9, 8], vec![1, 2], vec![3, 4]].map(Column::Int), &refused);
        let Column::Int(k) = &judge.pairs.columns[0] else { panic!("integers") };
        assert_eq!(*k, [-3, -2, -1, 0, 1, 2, 3, 9, 8, -3, -2, -1]);
        assert_eq!((judge.pairs.correct, judge.pairs.rows(), judge.evaluator.correct()), (9, 12, 9));
        assert_eq!(judge.pairs.refused, refused);
        assert!(judge.is_possible && judge.guard.is_some());
        judge.learn(&[], &refused);
        assert_eq!(judge.pairs.refused[0], Column::Int(vec![5, 5]));
    }
}
