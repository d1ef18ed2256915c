//! Parts of what versions do that have the same value wherever the segment can begin, put in place of each other.
//!
//! Two versions may differ in a part that is the same under what is known: where `x > 0`, `abs(x) * y` is `x * y`. Asked about the wholes, a
//! solver has to decide that two products are equal, which takes it long; asked about `abs(x)` and `x`, it answers at once, and then both wholes
//! are one term. So the smallest parts are asked about first, and only those that have the same value in all states seen so far (in the
//! checking of circuits this is called SAT sweeping).

use dodona_smt::term::{Assignment, Evaluator, Node, NodeId, Sort, Term, Terms};
use rustc_hash::FxHashMap;

use super::effect::Effect;
use super::questions::{Claim, Questions};

/// Segments of more parts are left as they are: what they do is read term by term several times.
const MOST_PARTS: usize = 20_000;

/// Questions without an answer, after which no more are asked about a segment: its parts are as hard as its wholes.
const MOST_OPEN: usize = 4;

/// Parts with the same values that one part is compared with. Each that is not the same brings a state that tells them apart.
const TRIES: usize = 4;

/// Puts parts of effects in place of each other. States that tell parts apart are added.
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

/// The values of a part in the states that there were at first, and its sort: parts that differ there are never asked about.
type Key = (Sort, Vec<u128>);

struct Sweep {
    parts: Vec<NodeId>,
    /// For each part its values, one for each state.
    values: Vec<Vec<u128>>,
    /// How many states there were at first.
    first: usize,
    /// What stands in the place of a part that was looked at.
    instead: FxHashMap<NodeId, Term>,
    /// Parts that are not the same as an earlier one: their places, and what stands there.
    kept: FxHashMap<Key, Vec<(usize, Term)>>,
    /// Questions that were left open.
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

    /// Looks at a part, of which all operands were looked at.
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

    /// A constant or what stands for an earlier part, if it is proved to have the values of a part, whose operands were replaced already.
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

    /// A constant, or what stands for the first part that was kept, with the values of a part.
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
