//! Comparisons.

use dodona_relations::{ast::Bound, plan::Op as Word};
use dodona_smt::term::{Op, Sort, Term, Terms};

use super::Context;
use super::number::{self, Number, float};
use super::register::Data;

/// `< <= > >=` of numbers. False where a side is NaN.
pub(super) fn order(terms: &mut Terms, op: Word, a: &Data, b: &Data) -> Term {
    let (a, b) = (Number::of(a), Number::of(b));
    match op {
        Word::Less => number::less(terms, a, b),
        Word::Greater => number::less(terms, b, a),
        _ => {
            let (a, b) = if op == Word::LessEqual { (a, b) } else { (b, a) };
            less_equal(terms, a, b)
        }
    }
}

/// Less or equal: not greater, for integers, which is shorter.
fn less_equal(terms: &mut Terms, a: Number, b: Number) -> Term {
    if a.is_float.is(false) && b.is_float.is(false) {
        let greater = number::less(terms, b, a);
        return terms.not(greater);
    }
    if a.is_float.is(true) && b.is_float.is(true) {
        return terms.compare(Op::FloatLessEqual, a.float, b.float);
    }
    let (less, equal) = (number::less(terms, a, b), number::equal(terms, a, b));
    // NaN is equal to NaN, but not less or equal.
    let nan = number::is_nan(terms, a.float);
    let nan = terms.and(a.is_float, nan);
    let number = terms.not(nan);
    let equal = terms.and(equal, number);
    terms.or(less, equal)
}

/// `==`, exact.
pub(super) fn equal(terms: &mut Terms, a: &Data, b: &Data) -> Term {
    match (a, b) {
        (Data::Bool(a), Data::Bool(b)) => terms.equal(*a, *b),
        _ => match (items(a), items(b)) {
            (Some(a), Some(b)) => all(terms, &a, &b, same),
            _ => number::equal(terms, Number::of(a), Number::of(b)),
        },
    }
}

/// The elements of a sequence or the bytes of a text, each as a value; `None` for scalars.
pub(super) fn items(data: &Data) -> Option<Vec<Data>> {
    let of = |items: &[Term], kind: fn(Term) -> Data| items.iter().map(|item| kind(*item)).collect();
    Some(match data {
        Data::Bools(s) => of(s, Data::Bool),
        Data::Ints(s) => of(s, Data::Int),
        Data::Floats(s) => of(s, Data::Float),
        // Bytes are compared as bits, whatever their sign.
        Data::Text(s) => of(s, Data::Int),
        _ => return None,
    })
}

/// Whether two elements are equal.
pub(super) fn same(terms: &mut Terms, a: &Data, b: &Data) -> Term {
    match (a, b) {
        (Data::Bool(a), Data::Bool(b)) => terms.equal(*a, *b),
        _ => number::equal(terms, Number::of(a), Number::of(b)),
    }
}

/// Whether two sequences are of one length and alike element by element.
pub(super) fn all(
    terms: &mut Terms,
    a: &[Data],
    b: &[Data],
    mut same: impl FnMut(&mut Terms, &Data, &Data) -> Term,
) -> Term {
    if a.len() != b.len() {
        return Term::bool(false);
    }
    let mut all = Term::bool(true);
    for (a, b) in a.iter().zip(b) {
        let one = same(terms, a, b);
        all = terms.and(all, one);
    }
    all
}

/// `~=`: near for numbers and their sequences, equal for the rest.
pub(super) fn approximate(context: &mut Context<'_>, single: bool, a: &Data, b: &Data) -> Term {
    let bound = context.bound;
    let terms = &mut *context.terms;
    if matches!(a, Data::Bool(_) | Data::Text(_) | Data::Bools(_)) {
        return equal(terms, a, b);
    }
    let near = |terms: &mut Terms, a: &Data, b: &Data| {
        let (a, b) = (Number::of(a).as_float(terms), Number::of(b).as_float(terms));
        nearness(terms, bound, single, a, b)
    };
    match (items(a), items(b)) {
        (Some(a), Some(b)) => all(terms, &a, &b, near),
        _ => near(terms, a, b),
    }
}

fn nearness(terms: &mut Terms, bound: Bound, single: bool, a: Term, b: Term) -> Term {
    match bound {
        Bound::Relative(relative) => near(terms, a, b, relative, None),
        Bound::Either { relative, absolute } => near(terms, a, b, relative, Some(absolute)),
        Bound::Ulps(ulps) => {
            let same = number::same_float(terms, a, b);
            let (a, b) = match single {
                true => (narrow(terms, a), narrow(terms, b)),
                false => (a, b),
            };
            let close = near_ulps(terms, a, b, ulps);
            terms.or(same, close)
        }
    }
}

fn narrow(terms: &mut Terms, x: Term) -> Term {
    terms.apply(Op::FloatConvert, Sort::F32, &[x])
}

/// Near within a relative tolerance, or within an absolute one. What `~=` allows for rounding is not part of it: a proof is of the
/// tolerances alone.
fn near(terms: &mut Terms, a: Term, b: Term, relative: f64, absolute_part: Option<f64>) -> Term {
    let difference = terms.binary(Op::FloatSub, a, b);
    let difference = absolute(terms, difference);
    let (of_a, of_b) = (absolute(terms, a), absolute(terms, b));
    let greater = terms.compare(Op::FloatLess, of_b, of_a);
    let larger = terms.ite(greater, of_a, of_b);
    let part = terms.binary(Op::FloatMul, float(relative), larger);
    let mut small = terms.compare(Op::FloatLessEqual, difference, part);
    if let Some(permitted) = absolute_part {
        let smaller = terms.compare(Op::FloatLessEqual, difference, float(permitted));
        small = terms.or(small, smaller);
    }
    let finite = terms.compare(Op::FloatLess, difference, float(f64::INFINITY));
    let within = terms.and(small, finite);
    let same = number::same_float(terms, a, b);
    terms.or(same, within)
}

fn absolute(terms: &mut Terms, x: Term) -> Term {
    terms.apply(Op::FloatAbs, x.sort(), &[x])
}

/// Both finite, and so many floats or fewer apart.
fn near_ulps(terms: &mut Terms, a: Term, b: Term, ulps: u64) -> Term {
    let (place_a, place_b) = (place(terms, a), place(terms, b));
    let (apart, _) = super::integer::sum(terms, Op::Sub, place_a, place_b);
    let (apart, _) = super::integer::absolute(terms, apart);
    let far = super::integer::less(terms, super::integer::constant(ulps.into()), apart);
    let close = terms.not(far);
    let (finite_a, finite_b) = (is_finite(terms, a), is_finite(terms, b));
    let finite = terms.and(finite_a, finite_b);
    terms.and(close, finite)
}

fn is_finite(terms: &mut Terms, x: Term) -> Term {
    let infinity = match x.sort() {
        Sort::F32 => Term::Constant(Sort::F32, f32::INFINITY.to_bits().into()),
        _ => float(f64::INFINITY),
    };
    let magnitude = absolute(terms, x);
    terms.compare(Op::FloatLess, magnitude, infinity)
}

/// The place of a float among all of its sort; -0 meets +0.
fn place(terms: &mut Terms, x: Term) -> Term {
    let width = x.sort().width();
    let magnitude = absolute(terms, x);
    let bits = terms.apply(Op::ToBits, Sort::Bits(width), &[magnitude]);
    let zero = Term::Constant(x.sort(), 0);
    let negative = terms.compare(Op::FloatLess, x, zero);
    let minus = terms.binary(Op::Sub, Term::bits(width, 0), bits);
    terms.ite(negative, minus, bits)
}
