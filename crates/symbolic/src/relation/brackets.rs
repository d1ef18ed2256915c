//! What brackets write: parts of sequences and text of known lengths, and sequences of elements.

use std::ops::Range;

use dodona_smt::term::{Op, Term};

use super::Context;
use super::arithmetic::{Given, Result};
use super::integer;
use super::number::{Number, float};
use super::register::Data;
use super::sequence::{all, by_characters, choose, known, parts, with_parts};

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
        (Data::Floats(_), None) => Data::Float(float(0.0)),
        (_, element) => Data::Int(element.unwrap_or(integer::constant(0))),
    };
    (data, defined)
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
