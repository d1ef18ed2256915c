//! Words for sequences and text of known lengths.

use std::ops::Range;

use dodona_relations::plan::Op as Word;

use super::arithmetic::{Given, Result};
use super::compare::{self, items, same};
use super::number::{self, Number};
use super::register::Data;
use super::{Context, Unsupported, integer, text};
use dodona_smt::term::{Op, Term, Terms};

fn all(data: Data) -> Given {
    (data, Term::bool(true))
}

/// The terms of a sequence's elements or a text's bytes.
fn parts(data: &Data) -> &[Term] {
    match data {
        Data::Text(s) | Data::Bools(s) | Data::Ints(s) | Data::Floats(s) => s,
        other => unreachable!("checked to be a sequence: {other:?}"),
    }
}

/// Others of the same kind.
fn with_parts(data: &Data, parts: Vec<Term>) -> Data {
    match data {
        Data::Text(_) => Data::Text(parts),
        Data::Bools(_) => Data::Bools(parts),
        Data::Floats(_) => Data::Floats(parts),
        _ => Data::Ints(parts),
    }
}

/// Assumes of text that its bytes are its characters.
fn by_characters(context: &mut Context<'_>, data: &Data) {
    if let Data::Text(bytes) = data {
        text::assume_ascii(context, bytes);
    }
}

/// `len`, in elements or characters.
pub(super) fn length(context: &mut Context<'_>, s: &Data) -> Given {
    by_characters(context, s);
    all(Data::Int(integer::constant(parts(s).len() as i128)))
}

/// `reverse`.
pub(super) fn reverse(context: &mut Context<'_>, s: &Data) -> Given {
    by_characters(context, s);
    all(with_parts(s, parts(s).iter().rev().copied().collect()))
}

/// `sorted`, ascending and stable; NaN last.
pub(super) fn sorted(context: &mut Context<'_>, s: &Data) -> Given {
    by_characters(context, s);
    let mut sorted = parts(s).to_vec();
    // Neighbours change places only where the first is greater: that is stable.
    for round in 0..sorted.len() {
        for i in 0..sorted.len() - 1 - round {
            let (a, b) = (sorted[i], sorted[i + 1]);
            let swap = greater(context.terms, s, a, b);
            sorted[i] = choose(context.terms, s, swap, b, a);
            sorted[i + 1] = choose(context.terms, s, swap, a, b);
        }
    }
    all(with_parts(s, sorted))
}

fn greater(terms: &mut Terms, of: &Data, a: Term, b: Term) -> Term {
    match of {
        Data::Bools(_) => {
            let not = terms.not(b);
            terms.and(a, not)
        }
        Data::Text(_) => terms.compare(Op::UnsignedLess, b, a),
        Data::Floats(_) => {
            let greater = terms.compare(Op::FloatLess, b, a);
            let (nan_a, nan_b) = (number::is_nan(terms, a), number::is_nan(terms, b));
            let not = terms.not(nan_b);
            let nan = terms.and(nan_a, not);
            terms.or(greater, nan)
        }
        _ => integer::less(terms, b, a),
    }
}

fn choose(terms: &mut Terms, of: &Data, condition: Term, a: Term, b: Term) -> Term {
    match of {
        Data::Ints(_) => integer::choose(terms, condition, a, b),
        _ => terms.ite(condition, a, b),
    }
}

/// An integer that the translation must know, and where it is defined.
fn known(context: &mut Context<'_>, data: &Data, what: &str) -> Result<(i128, Term)> {
    let (int, defined) = Number::of(data).as_integer(context.terms);
    let known =
        integer::known(int).ok_or_else(|| Unsupported::new(format!("{what} that depends on the input")));
    Ok((known?, defined))
}

/// `remove(s, i)`: counts from the end below zero; changes nothing where there is no such place.
pub(super) fn remove(context: &mut Context<'_>, s: &Data, i: &Data) -> Result<Given> {
    by_characters(context, s);
    let (i, defined) = known(context, i, "`remove` at a place")?;
    let mut left = parts(s).to_vec();
    let from_start = if i < 0 { i + left.len() as i128 } else { i };
    if let Some(place) = usize::try_from(from_start).ok().filter(|n| *n < left.len()) {
        left.remove(place);
    }
    Ok((with_parts(s, left), defined))
}

/// `truncate(s, n)`: the first n, or all where there are fewer.
pub(super) fn truncate(context: &mut Context<'_>, s: &Data, n: &Data) -> Result<Given> {
    by_characters(context, s);
    let (n, defined) = known(context, n, "`truncate` to a length")?;
    let length = parts(s).len();
    let kept = usize::try_from(n.max(0)).unwrap_or(usize::MAX).min(length);
    Ok((with_parts(s, parts(s)[..kept].to_vec()), defined))
}

/// `s[i..j]`; without `j` up to the end. Undefined where it reaches out of the sequence.
pub(super) fn slice(context: &mut Context<'_>, s: &Data, from: &Data, to: Option<&Data>) -> Result<Given> {
    by_characters(context, s);
    let length = parts(s).len();
    let bound = "a slice with a bound";
    let (from, from_defined) = known(context, from, bound)?;
    let (to, to_defined) = match to {
        Some(to) => known(context, to, bound)?,
        None => (length as i128, Term::bool(true)),
    };
    let range: Option<Range<usize>> =
        usize::try_from(from).ok().zip(usize::try_from(to).ok()).map(|(a, b)| a..b);
    let Some(range) = range.filter(|range| range.start <= range.end && range.end <= length) else {
        return Ok((with_parts(s, Vec::new()), Term::bool(false)));
    };
    let defined = context.terms.and(from_defined, to_defined);
    Ok((with_parts(s, parts(s)[range].to_vec()), defined))
}

/// `s[i]`: an element, or a text of one character. Undefined out of range.
pub(super) fn index(context: &mut Context<'_>, s: &Data, i: &Data) -> Given {
    by_characters(context, s);
    let (i, mut defined) = Number::of(i).as_integer(context.terms);
    let terms = &mut *context.terms;
    let negative = terms.compare(Op::SignedLess, i, Term::Constant(i.sort(), 0));
    let length = integer::constant(parts(s).len() as i128);
    let below = integer::less(terms, i, length);
    let inside = terms.not(negative);
    let inside = terms.and(inside, below);
    defined = terms.and(defined, inside);
    let mut element = parts(s).last().copied();
    for (at, part) in parts(s).iter().enumerate().rev().skip(1) {
        let here = integer::equal(terms, i, integer::constant(at as i128));
        element = element.map(|rest| choose(terms, s, here, *part, rest));
    }
    let data = match (s, element) {
        (Data::Text(_), element) => Data::Text(element.into_iter().collect()),
        (Data::Bools(_), Some(element)) => Data::Bool(element),
        (Data::Floats(_), Some(element)) => Data::Float(element),
        (Data::Bools(_), None) => Data::Bool(Term::bool(false)),
        (Data::Floats(_), None) => Data::Float(super::register::float(0.0)),
        (_, element) => Data::Int(element.unwrap_or(integer::constant(0))),
    };
    (data, defined)
}

/// `concat(s, t)`, of sequences of the same kind; an empty one is of any.
pub(super) fn concat(a: &Data, b: &Data) -> Given {
    let of = if parts(a).is_empty() && !matches!(a, Data::Text(_)) { b } else { a };
    all(with_parts(of, [parts(a), parts(b)].concat()))
}

/// `contains`, `is_prefix_of` and `is_suffix_of`: whether one stands in the other.
pub(super) fn stands(terms: &mut Terms, op: Word, part: &Data, whole: &Data) -> Term {
    let (part, whole) = (items(part).unwrap_or_default(), items(whole).unwrap_or_default());
    let Some(last) = whole.len().checked_sub(part.len()) else { return Term::bool(false) };
    let starts = match op {
        Word::PrefixOf => 0..=0,
        Word::SuffixOf => last..=last,
        _ => 0..=last,
    };
    let mut any = Term::bool(false);
    for start in starts {
        let here = compare::all(terms, &part, &whole[start..start + part.len()], same);
        any = terms.or(any, here);
    }
    any
}

/// `s contains x` for one element.
pub(super) fn has_element(terms: &mut Terms, s: &Data, x: &Data) -> Term {
    let mut any = Term::bool(false);
    for item in items(s).unwrap_or_default() {
        let here = same(terms, &item, x);
        any = terms.or(any, here);
    }
    any
}

/// `[a, b, c]`: floats where one is a float.
pub(super) fn literal(context: &mut Context<'_>, items: &[&Data]) -> Given {
    let bools = items.iter().map(|item| match item {
        Data::Bool(b) => Some(*b),
        _ => None,
    });
    if let Some(bools) = bools.collect::<Option<Vec<_>>>().filter(|bools| !bools.is_empty()) {
        return all(Data::Bools(bools));
    }
    let ints = items.iter().map(|item| match item {
        Data::Int(i) => Some(*i),
        _ => None,
    });
    if let Some(ints) = ints.collect() {
        return all(Data::Ints(ints));
    }
    let floats = items.iter().map(|item| Number::of(item).as_float(context.terms));
    all(Data::Floats(floats.collect()))
}
