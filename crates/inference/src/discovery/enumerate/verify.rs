//! Checks conjectures on all rows, gives them conditions where needed, and chooses which relations are returned.

use rustc_hash::FxHashMap;

use super::bank::Bank;
use super::conjectures::Conjecture;
use super::options::{EnumerateOptions, EnumeratedRelation};
use crate::discovery::term::Node;
use crate::discovery::tuning::ROUNDING;
use crate::discovery::{Bits, Conditions, Evaluator, Leaf, Operator, Pairs, TermId, Terms};

/// The smallest size of a condition.
const CONDITION: usize = 3;

/// Checks conjectures on all rows.
#[derive(Debug)]
pub(super) struct Verifier<'v> {
    pub(super) terms: &'v mut Terms,
    pub(super) evaluator: &'v mut Evaluator,
    conditions: Conditions,
    /// The condition that excludes the refused executions, if there are any.
    guard: Option<TermId>,
    has_refused: bool,
    /// The source variables, with one bit for each.
    sources: u64,
    /// The ids of the bank's terms, mapped to the ids of the same terms in the caller's `terms`.
    moved: FxHashMap<TermId, TermId>,
    kept: Vec<VerifiedRelation>,
}

/// A relation that was found.
#[derive(Debug)]
struct VerifiedRelation {
    found: EnumeratedRelation,
    size: usize,
    /// The incorrect rows that it misses.
    missed: Bits,
}

impl<'v> Verifier<'v> {
    pub(super) fn new(terms: &'v mut Terms, evaluator: &'v mut Evaluator, pairs: &Pairs) -> Verifier<'v> {
        let mut conditions = Conditions::new(pairs);
        // The variables are made first, so that commutative operators have them in the order of the pairs.
        (0..pairs.variables.len()).for_each(|v| _ = terms.leaf(Leaf::Variable(v as u16)));
        let always = terms.leaf(Leaf::Bool(true));
        let guard = conditions.find(evaluator, terms, always).flatten();
        let sources =
            pairs.variables.iter().enumerate().map(|(i, v)| u64::from(v.place.is_source()) << i).sum();
        let has_refused = pairs.refused.first().is_some_and(|column| !column.is_empty());
        Verifier {
            terms,
            evaluator,
            conditions,
            guard,
            has_refused,
            sources,
            moved: FxHashMap::default(),
            kept: Vec::new(),
        }
    }

    /// Checks conjectures in order, within the bounds. False if it was stopped early.
    pub(super) fn verify(
        &mut self,
        bank: &Bank,
        conjectures: &[Conjecture],
        options: &EnumerateOptions,
        go_on: &dyn Fn() -> bool,
    ) -> bool {
        let mut conditional = 0;
        for conjecture in conjectures.iter().take(options.verified) {
            if !go_on() {
                return false;
            }
            let expect = self.moved(bank, conjecture.expect);
            if self.holds(expect) || self.holds_rounded(expect) {
                continue;
            }
            if conditional < options.conditional && !self.is_needless(expect) {
                conditional += 1;
                self.under_condition(expect);
            }
        }
        true
    }

    /// Keeps an expectation that holds on all correct rows that satisfy the guard, or on all correct rows if there is no guard.
    fn holds(&mut self, expect: TermId) -> bool {
        if self.has_refused && self.guard.is_none() {
            return false;
        }
        self.keep(self.guard, expect)
    }

    fn keep(&mut self, condition: Option<TermId>, expect: TermId) -> bool {
        let score = self.evaluator.score_when(self.terms, condition, expect);
        let holds = score.false_positives == 0;
        let reveals = (score.false_negatives as usize) < self.evaluator.incorrect();
        if holds && (reveals || self.evaluator.incorrect() == 0) {
            let size = self.terms.size(expect) + condition.map_or(0, |c| self.terms.size(c));
            let missed = self.evaluator.missed(self.terms, condition, expect);
            self.kept.push(VerifiedRelation {
                found: EnumeratedRelation { condition, expect, score },
                size,
                missed,
            });
        }
        holds
    }

    /// Tries `abs(a - b) <= c` instead of `a ~= b`, for values that differ by more rounding than `~=` allows.
    fn holds_rounded(&mut self, expect: TermId) -> bool {
        let &Node::Apply(Operator::Approximate, ref operands) = self.terms.node(expect) else { return false };
        let operands = operands.clone();
        let difference = self.terms.apply(Operator::Subtract, &operands);
        let Some(size) = difference.and_then(|d| self.terms.apply(Operator::Abs, &[d])) else { return false };
        ROUNDING.iter().any(|c| {
            let most = self.terms.leaf(Leaf::Float(c.to_bits()));
            let expect = self.terms.apply(Operator::LessEqual, &[size, most]);
            expect.is_some_and(|expect| self.holds(expect))
        })
    }

    fn under_condition(&mut self, expect: TermId) {
        if let Some(Some(condition)) = self.conditions.find(self.evaluator, self.terms, expect) {
            self.keep(Some(condition), expect);
        }
    }

    /// Whether a kept relation of at most this size (with a condition) already reveals everything that this expectation can reveal
    /// under any condition that makes it defined.
    fn is_needless(&mut self, expect: TermId) -> bool {
        let holds = self.evaluator.holds(self.terms, expect);
        let misses = self.undefined(expect).into_iter().fold(holds, |all, more| all.zip(&more, |a, b| a | b));
        let size = self.terms.size(expect) + CONDITION;
        self.kept.iter().any(|kept| kept.size <= size && is_within(&kept.missed, &misses))
    }

    /// For each subterm over source variables alone, the rows on which it is undefined: a condition has to exclude these rows.
    fn undefined(&mut self, term: TermId) -> Vec<Bits> {
        if self.terms.variables(term) & !self.sources == 0 {
            let column = self.evaluator.column(self.terms, term);
            let rows = self.evaluator.rows();
            return column.defined.iter().map(|d| d.zip(rows, |d, rows| rows & !d)).collect();
        }
        let operands = self.terms.operands(term).to_vec();
        operands.into_iter().flat_map(|operand| self.undefined(operand)).collect()
    }

    /// The same term as `term`, in the caller's `terms`.
    fn moved(&mut self, bank: &Bank, term: TermId) -> TermId {
        if let Some(known) = self.moved.get(&term) {
            return *known;
        }
        let moved = match bank.terms.node(term) {
            Node::Leaf(leaf) => self.terms.leaf(*leaf),
            Node::Apply(operator, operands) => {
                let operands: Vec<TermId> = operands.iter().map(|&o| self.moved(bank, o)).collect();
                self.terms.apply(*operator, &operands).expect("it was made of operands of these types")
            }
        };
        self.moved.insert(term, moved);
        moved
    }

    /// The relations found: those with the fewest misses first, then smaller ones. A relation that misses everything that a smaller
    /// one misses is left out. If more than `most` remain, half of the places go to the smallest and half to those with the fewest
    /// misses.
    pub(super) fn found(mut self, most: usize) -> Vec<EnumeratedRelation> {
        self.kept.sort_by_key(|kept| (kept.size, kept.found.score.false_negatives, kept.found.expect));
        let mut chosen: Vec<VerifiedRelation> = Vec::new();
        for kept in self.kept {
            // Without incorrect rows all relations miss the same rows, none.
            let is_needless = |smaller: &VerifiedRelation| is_within(&smaller.missed, &kept.missed);
            if self.evaluator.incorrect() == 0 || !chosen.iter().any(is_needless) {
                chosen.push(kept);
            }
        }
        let mut rest = chosen.split_off(chosen.len().min(most / 2));
        rest.sort_by_key(|kept| kept.found.score.false_negatives);
        rest.truncate(most - most / 2);
        chosen.extend(rest);
        chosen.sort_by_key(|kept| (kept.found.score.false_negatives, kept.size));
        chosen.into_iter().map(|kept| kept.found).collect()
    }
}

/// Whether all rows of one set are in another.
fn is_within(part: &Bits, whole: &Bits) -> bool {
    part.words().iter().zip(whole.words()).all(|(part, whole)| part & !whole == 0)
}
