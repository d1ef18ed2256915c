//! What a version of a segment does, as terms, and when two versions do the same.

use dodona_smt::term::{Assignment, Evaluator, Sort, Term, Terms};
use fixedbitset::FixedBitSet;

use super::run::{Ending, Outcome, Request, bits};

/// What a version of a segment does, as the values that have to be the same in another version that does the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Effect {
    /// Versions of different shapes are not compared: they count as different.
    shape: Shape,
    /// Values that matter whether it traps or not: operands of loads, stores and calls.
    always: Vec<Term>,
    /// Which trap it ends with, by a number, 0 for none.
    trap: Term,
    /// Values that matter where it does not trap: the condition of its branch, its results, locals and globals that are read later.
    later: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Shape {
    requests: Vec<Request>,
    ending: std::mem::Discriminant<Ending>,
    /// How many of the values at the end matter.
    later: usize,
}

/// Bits of the number of a trap.
const TRAP_BITS: u8 = 32;

impl Effect {
    /// What an outcome does to what comes later: `live` are the locals that may be read then.
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
            let number = (*asked as u128) << 8 | (*kind as u128 + 1);
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

    /// Whether two versions do the same, as a truth value over the state at the start of the segment.
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

    /// What it does in one state: equal where two versions of one shape do the same there.
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

    /// Puts other terms, which have the same values where the segment begins, in place of those that matter.
    pub(super) fn replace(&mut self, with: impl Fn(Term) -> Term) {
        self.always
            .iter_mut()
            .chain([&mut self.trap])
            .chain(&mut self.later)
            .for_each(|term| *term = with(*term));
    }

    /// Whether two effects could be the same anywhere.
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

/// Whether facts hold in a state.
pub(super) fn all_hold(terms: &Terms, facts: &[Term], state: &Assignment) -> bool {
    let mut values = Evaluator::new(terms, state);
    facts.iter().all(|fact| values.holds(*fact))
}
