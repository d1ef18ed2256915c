//! Replaces parts of effects by other parts that have the same value wherever the segment can begin.
//!
//! Two versions may differ in a part that has the same value under the known facts: where `x > 0`, `abs(x) * y` is equal to
//! `x * y`. If a solver is asked about the two products, it takes long to decide that they are equal. If it is asked about
//! `abs(x)` and `x`, it answers at once, and then both products are the same term. So the smallest parts are asked about first,
//! and only those with equal values in all states so far. (In the verification of circuits this is called SAT sweeping.)
//!
//! Parts that are shown to be equal replace each other from the leaves up, so that whole effects become one term and need no question.
//! About the products a solver takes longer than its time limit. Before, 108 of the 275 questions about the mutants of `mymethod` were
//! left open; now 6 of 200 are.

use dodona_smt::term::{Assignment, Evaluator, Node, NodeId, Sort, Term, Terms};
use rustc_hash::FxHashMap;

use super::effect::Effect;
use super::questions::{Claim, Questions};

/// A segment with more parts is not swept, because its effects are traversed several times.
const MOST_PARTS: usize = 20_000;

/// The number of open questions after which no more are asked about a segment: its parts are as hard as the whole effects.
const MOST_OPEN: usize = 4;

/// The most parts with equal values that one part is compared with. Each comparison that fails gives a state that tells the two
/// apart.
const TRIES: usize = 4;

/// Replaces parts of effects by each other. States that tell parts apart are added.
pub(super) fn sweep(questions: &mut Questions<'_, '_>, states: &mut Vec<Assignment>, effects: &mut [Effect]) {
    let roots: Vec<Term> = effects.iter().flat_map(Effect::terms).collect();
    let parts = questions.terms.nodes_below(&roots);
    if parts.len() > MOST_PARTS || states.is_empty() {
        return;
    }
    let mut sweep = Sweep::new(questions.terms, parts, states);
    for place in 0..sweep.parts.len() {
        sweep.part(questions, states, place);
    }
    effects.iter_mut().for_each(|effect| effect.replace(|term| sweep.replaced(term)));
}

/// The sort of a part, and its values in the first states. Parts that differ in these are never asked about.
type Key = (Sort, Vec<u128>);

struct Sweep {
    parts: Vec<NodeId>,
    /// The values of each part, one for each state.
    values: Vec<Vec<u128>>,
    /// The number of states at the beginning.
    first: usize,
    /// The replacement of each part that was processed.
    instead: FxHashMap<NodeId, Term>,
    /// The parts that are not equal to an earlier one: their indices and replacements.
    kept: FxHashMap<Key, Vec<(usize, Term)>>,
    /// The number of questions that were left open.
    open: usize,
}

impl Sweep {
    fn new(terms: &Terms, parts: Vec<NodeId>, states: &[Assignment]) -> Sweep {
        let mut sweep = Sweep {
            values: vec![Vec::new(); parts.len()],
            parts,
            first: states.len(),
            instead: FxHashMap::default(),
            kept: FxHashMap::default(),
            open: 0,
        };
        states.iter().for_each(|state| sweep.add(terms, state));
        sweep
    }

    /// Takes a state into account.
    fn add(&mut self, terms: &Terms, state: &Assignment) {
        let mut evaluator = Evaluator::new(terms, state);
        for (id, values) in self.parts.iter().zip(&mut self.values) {
            values.push(evaluator.value(Term::Node(terms.node(*id).sort, *id)));
        }
    }

    /// Processes a part whose operands were all processed.
    fn part(&mut self, questions: &mut Questions<'_, '_>, states: &mut Vec<Assignment>, place: usize) {
        let id = self.parts[place];
        let Node { op, sort, operands } = questions.terms.node(id).clone();
        let term = match operands.is_empty() {
            true => Term::Node(sort, id),
            false => {
                let operands: Vec<Term> = operands.iter().map(|operand| self.replaced(*operand)).collect();
                questions.terms.apply(op, sort, &operands)
            }
        };
        // Floats are compared by their bits, which are parts of their own.
        let is_simple = sort.is_float() || term.constant().is_some();
        let same = if is_simple { None } else { self.same(questions, states, place, term) };
        self.instead.insert(id, same.unwrap_or(term));
        if same.is_none() && !is_simple {
            let key = self.key(place, sort);
            self.kept.entry(key).or_default().push((place, term));
        }
    }

    /// A constant, or the replacement of an earlier part, that is proved to be equal to this part, whose operands were replaced
    /// already.
    fn same(
        &mut self,
        questions: &mut Questions<'_, '_>,
        states: &mut Vec<Assignment>,
        place: usize,
        term: Term,
    ) -> Option<Term> {
        for _ in 0..TRIES {
            let candidate = self.candidate(place, term.sort())?;
            if candidate == term {
                return Some(term);
            }
            if self.open == MOST_OPEN {
                return None;
            }
            match questions.claim_equal(term, candidate) {
                Claim::Proved => return Some(candidate),
                Claim::Refuted(state) => {
                    self.add(questions.terms, &state);
                    states.push(state);
                }
                Claim::Unknown => {
                    self.open += 1;
                    return None;
                }
            }
        }
        None
    }

    /// A constant, or the replacement of the first part that was kept, with the same values in all states as this part.
    fn candidate(&self, place: usize, sort: Sort) -> Option<Term> {
        let values = &self.values[place];
        if values.iter().all(|value| *value == values[0]) {
            return Some(Term::Constant(sort, values[0]));
        }
        let kept = self.kept.get(&self.key(place, sort))?;
        kept.iter().find(|(other, _)| self.values[*other] == *values).map(|(_, term)| *term)
    }

    fn key(&self, place: usize, sort: Sort) -> Key {
        (sort, self.values[place][..self.first].to_vec())
    }

    fn replaced(&self, term: Term) -> Term {
        match term {
            Term::Constant(..) => term,
            Term::Node(_, id) => self.instead.get(&id).copied().unwrap_or(term),
        }
    }
}
