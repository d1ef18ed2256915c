//! Numbers that are integers on some inputs and floats on others, and their exact order.

use dodona_smt::term::{Op, Sort, Term, Terms};

use super::integer;

/// An integer or a float. The field for the other kind has no meaning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub(super) is_float: Term,
    pub(super) int: Term,
    pub(super) float: Term,
}

/// 2^127, the first float above every integer of the language.
const ABOVE: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;

/// A known float.
pub(super) fn float(x: f64) -> Term {
    Term::Constant(Sort::F64, x.to_bits().into())
}

impl Number {
    pub(super) fn int(int: Term) -> Number {
        Number { is_float: Term::bool(false), int, float: float(0.0) }
    }

    pub(super) fn float(float: Term) -> Number {
        Number { is_float: Term::bool(true), int: integer::constant(0), float }
    }

    /// As a float, integers rounded to nearest.
    pub(super) fn as_float(self, terms: &mut Terms) -> Term {
        if self.is_float.is(true) {
            return self.float;
        }
        let rounded = integer::to_float(terms, self.int);
        terms.ite(self.is_float, self.float, rounded)
    }

    /// As an integer, and where it is an integer of at most 128 bits.
    pub(super) fn as_integer(self, terms: &mut Terms) -> integer::Given {
        if self.is_float.is(false) {
            return (self.int, Term::bool(true));
        }
        let (whole, is_whole) = whole(terms, self.float);
        let not_float = terms.not(self.is_float);
        (integer::choose(terms, self.is_float, whole, self.int), terms.or(not_float, is_whole))
    }
}

/// The integer that a float is, and where it is one of 128 bits.
pub(super) fn whole(terms: &mut Terms, x: Term) -> integer::Given {
    let int = terms.apply(Op::ToSigned, Sort::Bits(128), &[x]);
    let cut = terms.apply(Op::FloatTrunc, Sort::F64, &[x]);
    let is_whole = terms.compare(Op::FloatEqual, cut, x);
    let inside = within_integers(terms, x);
    (int, terms.and(is_whole, inside))
}

fn within_integers(terms: &mut Terms, x: Term) -> Term {
    let low = terms.compare(Op::FloatLessEqual, float(-ABOVE), x);
    let high = terms.compare(Op::FloatLess, x, float(ABOVE));
    terms.and(low, high)
}

/// A question about two numbers, for each combination of kinds.
fn by_kind(
    terms: &mut Terms,
    a: Number,
    b: Number,
    ask: impl Fn(&mut Terms, Number, Number, (bool, bool)) -> Term,
) -> Term {
    let one = |terms: &mut Terms, a_float: bool| {
        let when_float = if b.is_float.is(false) { b.is_float } else { ask(terms, a, b, (a_float, true)) };
        let when_int = if b.is_float.is(true) { b.is_float } else { ask(terms, a, b, (a_float, false)) };
        terms.ite(b.is_float, when_float, when_int)
    };
    let when_float = if a.is_float.is(false) { a.is_float } else { one(terms, true) };
    let when_int = if a.is_float.is(true) { a.is_float } else { one(terms, false) };
    terms.ite(a.is_float, when_float, when_int)
}

/// Exact order. False where a side is NaN.
pub(super) fn less(terms: &mut Terms, a: Number, b: Number) -> Term {
    by_kind(terms, a, b, |terms, a, b, floats| match floats {
        (true, true) => terms.compare(Op::FloatLess, a.float, b.float),
        (false, false) => integer::less(terms, a.int, b.int),
        (false, true) => int_less_float(terms, a.int, b.float),
        (true, false) => float_less_int(terms, a.float, b.int),
    })
}

/// Exact equality. NaN equals NaN.
pub(super) fn equal(terms: &mut Terms, a: Number, b: Number) -> Term {
    by_kind(terms, a, b, |terms, a, b, floats| match floats {
        (true, true) => same_float(terms, a.float, b.float),
        (false, false) => integer::equal(terms, a.int, b.int),
        (false, true) => int_equals_float(terms, a.int, b.float),
        (true, false) => int_equals_float(terms, b.int, a.float),
    })
}

/// NaN equals NaN, and both zeros are one.
pub(super) fn same_float(terms: &mut Terms, a: Term, b: Term) -> Term {
    let equal = terms.compare(Op::FloatEqual, a, b);
    let (nan_a, nan_b) = (is_nan(terms, a), is_nan(terms, b));
    let both = terms.and(nan_a, nan_b);
    terms.or(equal, both)
}

pub(super) fn is_nan(terms: &mut Terms, x: Term) -> Term {
    let number = terms.compare(Op::FloatEqual, x, x);
    terms.not(number)
}

/// Whether a float holds every integer of this many bits.
fn is_exact(int: Term) -> bool {
    int.sort().width() <= 54
}

fn int_equals_float(terms: &mut Terms, i: Term, x: Term) -> Term {
    if is_exact(i) {
        let i = integer::to_float(terms, i);
        return terms.compare(Op::FloatEqual, i, x);
    }
    let (int, is_whole) = whole(terms, x);
    let equal = integer::equal(terms, i, int);
    terms.and(equal, is_whole)
}

fn int_less_float(terms: &mut Terms, i: Term, x: Term) -> Term {
    if is_exact(i) {
        let i = integer::to_float(terms, i);
        return terms.compare(Op::FloatLess, i, x);
    }
    let above = terms.compare(Op::FloatLessEqual, float(ABOVE), x);
    let cut = terms.apply(Op::FloatTrunc, Sort::F64, &[x]);
    let beyond = terms.compare(Op::FloatLess, cut, x);
    let inside = beside(terms, i, x, beyond, false);
    terms.or(above, inside)
}

fn float_less_int(terms: &mut Terms, x: Term, i: Term) -> Term {
    if is_exact(i) {
        let i = integer::to_float(terms, i);
        return terms.compare(Op::FloatLess, x, i);
    }
    let below = terms.compare(Op::FloatLess, x, float(-ABOVE));
    let cut = terms.apply(Op::FloatTrunc, Sort::F64, &[x]);
    let beyond = terms.compare(Op::FloatLess, x, cut);
    let inside = beside(terms, i, x, beyond, true);
    terms.or(below, inside)
}

/// Compares an integer with a float by integers alone: with the float's integral part, and by the rest if both are equal.
fn beside(terms: &mut Terms, i: Term, x: Term, beyond: Term, above: bool) -> Term {
    let int = terms.apply(Op::ToSigned, Sort::Bits(128), &[x]);
    let strictly = if above { integer::less(terms, int, i) } else { integer::less(terms, i, int) };
    let at = integer::equal(terms, i, int);
    let at = terms.and(at, beyond);
    let either = terms.or(strictly, at);
    let inside = within_integers(terms, x);
    terms.and(inside, either)
}
