//! The effect of a version of a segment, as terms, and the condition under which two versions have the same effect.

use dodona_smt::term::{Assignment, Evaluator, Sort, Term, Terms};
use fixedbitset::FixedBitSet;

use super::segment_run::{Ending, Outcome, Request, bits};

/// The effect of a version of a segment: the values that have to be equal in another version with the same effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Effect {
    /// Versions of different shapes are not compared: they count as different.
    shape: Shape,
    /// Values that matter in any case: operands of loads, stores and calls.
    always: Vec<Term>,
    /// The trap with which it ends, as a number; 0 for none.
    trap: Term,
    /// Values that matter if it does not trap: the condition of its branch, its results, and the locals and globals that are
    /// read later.
    later: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Shape {
    requests: Vec<Request>,
    ending: std::mem::Discriminant<Ending>,
    /// The number of values at the end that matter.
    later: usize,
}

/// The width of the number of a trap.
const TRAP_BITS: u8 = 32;

impl Effect {
    /// The effect of an outcome on later code; `live` are the locals that may be read later.
    pub(super) fn new(
        terms: &mut Terms,
        outcome: &Outcome,
        live: &FixedBitSet,
        changing: &[usize],
    ) -> Effect {
        let always: Vec<Term> = outcome.asked.iter().flat_map(|asked| &asked.operands).copied().collect();
        let mut later: Vec<Term> = changing.iter().map(|global| outcome.globals[*global]).collect();
        match &outcome.ending {
            Ending::Goes | Ending::Traps => {}
            Ending::Branches(condition) | Ending::Switches(condition) => later.push(*condition),
            Ending::Returns(results) => later.extend(results),
        }
        if !matches!(outcome.ending, Ending::Returns(_) | Ending::Traps) {
            later.extend(live.ones().map(|local| outcome.locals[local]));
        }
        let mut trap = Term::bits(TRAP_BITS, 0);
        for (asked, kind, condition) in outcome.traps.iter().rev() {
            // The traps of a segment are those of its own instructions, so that the kind says all.
            let number = (*asked as u128) << 8 | (u128::from(kind.kind()) + 1);
            trap = terms.ite(*condition, Term::bits(TRAP_BITS, number), trap);
        }
        let shape = Shape {
            requests: outcome.asked.iter().map(|asked| asked.request).collect(),
            ending: std::mem::discriminant(&outcome.ending),
            later: later.len(),
        };
        let always = always.into_iter().map(|value| bits(terms, value)).collect();
        let later = later.into_iter().map(|value| bits(terms, value)).collect();
        Effect { shape, always, trap, later }
    }

    /// The condition, over the state at the start of the segment, under which two versions have the same effect.
    pub(super) fn same(&self, other: &Effect, terms: &mut Terms) -> Term {
        if self.shape != other.shape {
            return Term::bool(false);
        }
        let always = all_equal(terms, &self.always, &other.always);
        let later = all_equal(terms, &self.later, &other.later);
        let traps = terms.equal(self.trap, other.trap);
        let none = terms.equal(self.trap, Term::Constant(Sort::Bits(TRAP_BITS), 0));
        let trapped = terms.not(none);
        let rest = terms.or(trapped, later);
        let rest = terms.and(traps, rest);
        terms.and(always, rest)
    }

    /// The effect in one state. Two versions of the same shape have equal values here if they do the same in this state.
    pub(super) fn values(&self, values: &mut Evaluator<'_>) -> Vec<u128> {
        let trap = values.value(self.trap);
        let mut all: Vec<u128> = self.always.iter().map(|term| values.value(*term)).collect();
        all.push(trap);
        if trap == 0 {
            all.extend(self.later.iter().map(|term| values.value(*term)));
        }
        all
    }

    /// The values that matter.
    pub(super) fn terms(&self) -> impl Iterator<Item = Term> {
        self.always.iter().chain([&self.trap]).chain(&self.later).copied()
    }

    /// Replaces the values that matter by other terms, which are equal to them wherever the segment can begin.
    pub(super) fn replace(&mut self, with: impl Fn(Term) -> Term) {
        self.always
            .iter_mut()
            .chain([&mut self.trap])
            .chain(&mut self.later)
            .for_each(|term| *term = with(*term));
    }

    /// Whether two effects could be equal in some state.
    pub(super) fn has_shape_of(&self, other: &Effect) -> bool {
        self.shape == other.shape
    }
}

fn all_equal(terms: &mut Terms, a: &[Term], b: &[Term]) -> Term {
    let mut all = Term::bool(true);
    for (a, b) in a.iter().zip(b) {
        let equal = match a.sort() == b.sort() {
            true => terms.equal(*a, *b),
            false => Term::bool(false),
        };
        all = terms.and(all, equal);
    }
    all
}

/// Whether facts are true in a state.
pub(super) fn all_hold(terms: &Terms, facts: &[Term], state: &Assignment) -> bool {
    let mut values = Evaluator::new(terms, state);
    facts.iter().all(|fact| values.holds(*fact))
}
