//! Whether an argument lies in a parameter's type and domain.

use dodona_smt::term::{Op, Sort, Term};
use dodona_target::{Domain, Kind, Number as Bound, NumberRange, Predicate, Scalar, Type};

use super::compare::{items, same};
use super::number::float;
use super::number::{self, Number};
use super::register::{Data, Register};
use super::{Context, ascii, integer};

/// Whether an argument is a value of the type and domain; where it is undefined it counts as inside.
pub(super) fn inside(context: &mut Context<'_>, argument: &Register, ty: Type, domain: &Domain) -> Term {
    let contained = contains(context, &argument.data, ty, domain);
    let undefined = context.terms.not(argument.defined);
    context.terms.or(contained, undefined)
}

fn contains(context: &mut Context<'_>, data: &Data, ty: Type, domain: &Domain) -> Term {
    let Some(scalar) = ty.scalar() else { return contains_text(context, data, domain) };
    let Some(elements) = items(data) else { return contains_number(context, data, scalar, domain) };
    let mut all = Term::bool(has_length(domain, elements.len()));
    for element in &elements {
        let one = contains_number(context, element, scalar, domain);
        all = context.terms.and(all, one);
    }
    let elements = match scalar {
        // Two floats may stand for one `f32`.
        Scalar::F32 if !domain.predicates.is_empty() => {
            let singles = elements.iter().map(|element| {
                let x = Number::of(element).as_float(context.terms);
                Data::Float(nearest_single(context, x))
            });
            singles.collect()
        }
        _ => elements,
    };
    for predicate in &domain.predicates {
        let holds = satisfies(context, *predicate, &elements, scalar.kind());
        all = context.terms.and(all, holds);
    }
    all
}

fn has_length(domain: &Domain, length: usize) -> bool {
    domain.length.is_none_or(|(low, high)| low <= length as u64 && length as u64 <= high)
}

fn contains_number(context: &mut Context<'_>, data: &Data, scalar: Scalar, domain: &Domain) -> Term {
    match (scalar.kind(), data) {
        (_, Data::Bool(b)) => {
            let (no, yes) = (domain.numbers.contains_int(0), domain.numbers.contains_int(1));
            context.terms.ite(*b, Term::bool(yes), Term::bool(no))
        }
        (Kind::Float, _) => {
            let x = Number::of(data).as_float(context.terms);
            contains_float(context, x, scalar, domain)
        }
        _ => {
            let (int, is_whole) = Number::of(data).as_integer(context.terms);
            let inside = contains_int(context, int, scalar, domain);
            context.terms.and(is_whole, inside)
        }
    }
}

fn contains_int(context: &mut Context<'_>, x: Term, scalar: Scalar, domain: &Domain) -> Term {
    let (low, high) = scalar.integer_range().unwrap_or((0, 1));
    let mut all = between(context, x, &NumberRange { low: Bound::Int(low), high: Bound::Int(high) });
    if !domain.numbers.ranges.is_empty() {
        let mut any = Term::bool(false);
        for range in &domain.numbers.ranges {
            let one = between(context, x, range);
            any = context.terms.or(any, one);
        }
        all = context.terms.and(all, any);
    }
    for except in &domain.numbers.except {
        let x = exactly(context, x, *except);
        let is = number::equal(context.terms, x, of_bound(*except));
        let is_not = context.terms.not(is);
        all = context.terms.and(all, is_not);
    }
    all
}

fn of_bound(bound: Bound) -> Number {
    match bound {
        Bound::Int(i) => Number::int(integer::constant(i)),
        Bound::Float(x) => Number::float(float(x)),
    }
}

/// An integer beside a bound: with a float it is compared as one, rounded.
fn exactly(context: &mut Context<'_>, x: Term, bound: Bound) -> Number {
    match bound {
        Bound::Int(_) => Number::int(x),
        Bound::Float(_) => Number::float(integer::to_float(context.terms, x)),
    }
}

fn between(context: &mut Context<'_>, x: Term, range: &NumberRange) -> Term {
    let (of_low, of_high) = (exactly(context, x, range.low), exactly(context, x, range.high));
    let terms = &mut *context.terms;
    let below = number::less(terms, of_low, of_bound(range.low));
    let above = number::less(terms, of_bound(range.high), of_high);
    let outside = terms.or(below, above);
    terms.not(outside)
}

/// The `f32` that a float stands for, in 64 bits again; infinite beyond all of them.
fn nearest_single(context: &mut Context<'_>, x: Term) -> Term {
    let narrow = context.terms.apply(Op::FloatConvert, Sort::F32, &[x]);
    context.terms.apply(Op::FloatConvert, Sort::F64, &[narrow])
}

fn contains_float(context: &mut Context<'_>, x: Term, scalar: Scalar, domain: &Domain) -> Term {
    if scalar != Scalar::F32 {
        return contains_exactly(context, x, domain);
    }
    let fits = fits_single(context, x);
    if domain.numbers.is_everything() {
        return fits;
    }
    let single = nearest_single(context, x);
    let contained = contains_exactly(context, single, domain);
    context.terms.and(fits, contained)
}

fn contains_exactly(context: &mut Context<'_>, x: Term, domain: &Domain) -> Term {
    let terms = &mut *context.terms;
    let numbers = &domain.numbers;
    let nan = number::is_nan(terms, x);
    let mut inside = Term::bool(numbers.ranges.is_empty());
    for range in numbers.ranges.iter().filter(|range| !range.is_nan()) {
        let low = terms.compare(Op::FloatLessEqual, float(range.low.as_f64()), x);
        let high = terms.compare(Op::FloatLessEqual, x, float(range.high.as_f64()));
        let both = terms.and(low, high);
        inside = terms.or(inside, both);
    }
    for except in &numbers.except {
        let is = terms.compare(Op::FloatEqual, x, float(except.as_f64()));
        let is_not = terms.not(is);
        inside = terms.and(inside, is_not);
    }
    terms.ite(nan, Term::bool(numbers.contains_nan()), inside)
}

/// Whether a float that is finite still is in single precision.
fn fits_single(context: &mut Context<'_>, x: Term) -> Term {
    let terms = &mut *context.terms;
    let narrow = terms.apply(Op::FloatConvert, Sort::F32, &[x]);
    let mut is_infinite = |x: Term, infinity: Term| {
        let magnitude = terms.apply(Op::FloatAbs, x.sort(), &[x]);
        terms.compare(Op::FloatEqual, magnitude, infinity)
    };
    let before = is_infinite(x, float(f64::INFINITY));
    let after = is_infinite(narrow, Term::Constant(Sort::F32, f32::INFINITY.to_bits().into()));
    let kept = terms.not(after);
    terms.or(before, kept)
}

fn satisfies(context: &mut Context<'_>, predicate: Predicate, elements: &[Data], kind: Kind) -> Term {
    let terms = &mut *context.terms;
    let mut all = Term::bool(true);
    match predicate {
        Predicate::Sorted => {
            for pair in elements.windows(2) {
                let ascends = match (&pair[0], &pair[1]) {
                    (Data::Bool(a), Data::Bool(b)) => {
                        let not = terms.not(*a);
                        terms.or(not, *b)
                    }
                    (a, b) => super::compare::order(terms, dodona_relations::plan::Op::LessEqual, a, b),
                };
                all = terms.and(all, ascends);
            }
        }
        Predicate::Distinct => {
            for (i, a) in elements.iter().enumerate() {
                for b in &elements[..i] {
                    let alike = same(terms, a, b);
                    let differ = terms.not(alike);
                    all = terms.and(all, differ);
                }
            }
        }
        Predicate::NoNul if kind == Kind::Int => {
            for element in elements {
                let zero = number::equal(terms, Number::of(element), Number::int(integer::constant(0)));
                let not = terms.not(zero);
                all = terms.and(all, not);
            }
        }
        Predicate::NoNul => {}
    }
    all
}

fn contains_text(context: &mut Context<'_>, data: &Data, domain: &Domain) -> Term {
    let Data::Text(bytes) = data else { unreachable!("checked to be text: {data:?}") };
    ascii::assume_ascii(context, bytes);
    let mut all = Term::bool(has_length(domain, bytes.len()));
    if let Some(alphabet) = &domain.alphabet {
        for byte in bytes {
            let letter = one_of(context, *byte, alphabet);
            all = context.terms.and(all, letter);
        }
    }
    if let Some(texts) = &domain.texts {
        let mut any = Term::bool(false);
        for text in texts.iter().filter(|text| text.len() == bytes.len()) {
            let spelt = spells(context, bytes, text);
            any = context.terms.or(any, spelt);
        }
        all = context.terms.and(all, any);
    }
    for predicate in &domain.predicates {
        // Characters without a sign, so that they are in the order of their numbers.
        let wide = bytes.iter().map(|b| Data::Int(context.terms.zero_extend(*b, 9))).collect::<Vec<_>>();
        let holds = satisfies(context, *predicate, &wide, Kind::Int);
        all = context.terms.and(all, holds);
    }
    all
}

fn spells(context: &mut Context<'_>, bytes: &[Term], text: &str) -> Term {
    let mut all = Term::bool(true);
    for (byte, wanted) in bytes.iter().zip(text.bytes()) {
        let is = context.terms.equal(*byte, Term::bits(8, wanted.into()));
        all = context.terms.and(all, is);
    }
    all
}

/// Whether an ASCII character is of an alphabet, by runs of neighbours.
fn one_of(context: &mut Context<'_>, byte: Term, alphabet: &[char]) -> Term {
    let mut letters: Vec<u8> = alphabet.iter().filter(|c| c.is_ascii()).map(|c| *c as u8).collect();
    letters.sort_unstable();
    letters.dedup();
    let mut any = Term::bool(false);
    for run in letters.chunk_by(|a, b| a + 1 == *b) {
        let place = context.terms.binary(Op::Sub, byte, Term::bits(8, run[0].into()));
        let here = context.terms.compare(Op::UnsignedLess, place, Term::bits(8, run.len() as u128));
        any = context.terms.or(any, here);
    }
    any
}
