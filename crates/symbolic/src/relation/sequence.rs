//! Words for sequences and text of known lengths.

use dodona_relations::plan::Op as Word;
use dodona_smt::term::{Op, Term, Terms};

use super::arithmetic::{self, Given, Result};
use super::compare::{self, items, same};
use super::number::{self, Number};
use super::register::Data;
use super::{Context, Unsupported, ascii, integer, no_terms};

pub(super) fn all(data: Data) -> Given {
    (data, Term::bool(true))
}

/// The terms of a sequence's elements or a text's bytes.
pub(super) fn parts(data: &Data) -> &[Term] {
    match data {
        Data::Text(s) | Data::Bools(s) | Data::Ints(s) | Data::Floats(s) => s,
        other => unreachable!("checked to be a sequence: {other:?}"),
    }
}

/// Other elements of the same kind.
pub(super) fn with_parts(data: &Data, parts: Vec<Term>) -> Data {
    match data {
        Data::Text(_) => Data::Text(parts),
        Data::Bools(_) => Data::Bools(parts),
        Data::Floats(_) => Data::Floats(parts),
        _ => Data::Ints(parts),
    }
}

/// Assumes of text that its bytes are its characters.
pub(super) fn by_characters(context: &mut Context<'_>, data: &Data) {
    if let Data::Text(bytes) = data {
        ascii::assume_ascii(context, bytes);
    }
}

/// A word of one sequence or text; `unknown` if its result cannot be expressed as terms.
pub(super) fn one(context: &mut Context<'_>, op: Word, s: &Data) -> Result<Given> {
    Ok(match op {
        Word::Length => length(context, s),
        Word::Reverse => reverse(context, s),
        Word::Sorted => sorted(context, s),
        Word::Upper => all(Data::Text(ascii::change_case(context, parts(s), b'a'))),
        Word::Lower => all(Data::Text(ascii::change_case(context, parts(s), b'A'))),
        Word::Trim => trim(context, s)?,
        Word::Distinct => distinct(context, s)?,
        _ => return Err(no_terms(op)),
    })
}

/// A word of a sequence or text and another value; `unknown` if its result cannot be expressed as terms.
pub(super) fn two(context: &mut Context<'_>, op: Word, s: &Data, x: &Data) -> Result<Given> {
    match op {
        Word::Concat => Ok(concat(s, x)),
        Word::Remove => remove(context, s, x),
        Word::Truncate => truncate(context, s, x),
        Word::Count => Ok(count(context, s, x)),
        Word::SortedBy => Ok(sorted_by(context, s, x)),
        Word::BitAnd | Word::BitOr | Word::BitXor => Ok(arithmetic::bits(context, op, s, x)),
        _ => Err(no_terms(op)),
    }
}

/// `len`, in elements or characters.
fn length(context: &mut Context<'_>, s: &Data) -> Given {
    by_characters(context, s);
    all(Data::Int(integer::constant(parts(s).len() as i128)))
}

/// `reverse`.
fn reverse(context: &mut Context<'_>, s: &Data) -> Given {
    by_characters(context, s);
    all(with_parts(s, parts(s).iter().rev().copied().collect()))
}

/// `sorted`, ascending and stable; NaN last.
fn sorted(context: &mut Context<'_>, s: &Data) -> Given {
    sorted_by(context, s, s)
}

/// `sorted_by(s, keys)`: the elements in ascending order of the keys, NaN last; undefined unless there is one key for each element.
fn sorted_by(context: &mut Context<'_>, s: &Data, keys: &Data) -> Given {
    by_characters(context, s);
    by_characters(context, keys);
    let (mut sorted, mut by) = (parts(s).to_vec(), parts(keys).to_vec());
    if sorted.len() != by.len() {
        return (s.clone(), Term::bool(false));
    }
    // Neighbours are exchanged only if the key of the first is greater, so that the sort is stable.
    for round in 0..sorted.len() {
        for i in 0..sorted.len() - 1 - round {
            let swap = greater(context.terms, keys, by[i], by[i + 1]);
            exchange(context.terms, (keys, &mut by), swap, i);
            exchange(context.terms, (s, &mut sorted), swap, i);
        }
    }
    all(with_parts(s, sorted))
}

/// The elements of one sequence, with the one at a place and the next exchanged where the condition holds.
fn exchange(terms: &mut Terms, (of, items): (&Data, &mut [Term]), swap: Term, place: usize) {
    let (a, b) = (items[place], items[place + 1]);
    items[place] = choose(terms, of, swap, b, a);
    items[place + 1] = choose(terms, of, swap, a, b);
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

/// `trim`, if for enough characters from each end it does not depend on the input whether they are white space. The length of
/// the result must not depend on the input.
fn trim(context: &mut Context<'_>, s: &Data) -> Result<Given> {
    let mut kept = parts(s);
    while let [first, rest @ ..] = kept
        && is_space(context, *first)?
    {
        kept = rest;
    }
    while let [rest @ .., last] = kept
        && is_space(context, *last)?
    {
        kept = rest;
    }
    Ok(all(Data::Text(kept.to_vec())))
}

/// Whether a byte is white space, where that does not depend on the input.
fn is_space(context: &mut Context<'_>, byte: Term) -> Result<bool> {
    let mut any = Term::bool(false);
    for space in b" \t\n\r\x0b\x0c" {
        let here = context.terms.equal(byte, Term::bits(8, (*space).into()));
        any = context.terms.or(any, here);
    }
    any.constant().map(|truth| truth == 1).ok_or_else(|| no_terms(Word::Trim))
}

/// `distinct`, if it does not depend on the input which elements are equal. The length of the result must not depend on the
/// input.
fn distinct(context: &mut Context<'_>, s: &Data) -> Result<Given> {
    by_characters(context, s);
    let all_items = items(s).unwrap_or_default();
    let mut kept: Vec<usize> = Vec::new();
    for (place, item) in all_items.iter().enumerate() {
        let mut again = Term::bool(false);
        for before in &kept {
            let here = same(context.terms, &all_items[*before], item);
            again = context.terms.or(again, here);
        }
        if again.constant().ok_or_else(|| no_terms(Word::Distinct))? == 0 {
            kept.push(place);
        }
    }
    Ok(all(with_parts(s, kept.into_iter().map(|place| parts(s)[place]).collect())))
}

/// `count`, of an element in a sequence or of a text in a text.
fn count(context: &mut Context<'_>, s: &Data, x: &Data) -> Given {
    let occur = match x {
        Data::Text(part) if part.is_empty() => {
            by_characters(context, s);
            vec![Term::bool(true); parts(s).len() + 1]
        }
        Data::Text(part) => occurrences(context.terms, s, x, part.len()),
        _ => items(s).unwrap_or_default().iter().map(|item| same(context.terms, item, x)).collect(),
    };
    let terms = &mut *context.terms;
    let width = integer::constant(occur.len() as i128).sort().width();
    let mut counted = Term::bits(width, 0);
    for here in occur {
        let one = terms.ite(here, Term::bits(width, 1), Term::bits(width, 0));
        counted = terms.binary(Op::Add, counted, one);
    }
    all(Data::Int(counted))
}

/// For each place of a text whether an occurrence of another text, which is not empty, is counted there: it occurs there, and
/// no counted occurrence overlaps it.
fn occurrences(terms: &mut Terms, s: &Data, part: &Data, length: usize) -> Vec<Term> {
    let (text, part) = (items(s).unwrap_or_default(), items(part).unwrap_or_default());
    let mut counted: Vec<Term> = Vec::new();
    for window in text.windows(length) {
        let mut here = compare::all(terms, &part, window, same);
        for before in counted.iter().rev().take(length - 1) {
            let free = terms.not(*before);
            here = terms.and(here, free);
        }
        counted.push(here);
    }
    counted
}

pub(super) fn choose(terms: &mut Terms, of: &Data, condition: Term, a: Term, b: Term) -> Term {
    match of {
        Data::Ints(_) => integer::choose(terms, condition, a, b),
        _ => terms.ite(condition, a, b),
    }
}

/// An integer that has to be constant, and where it is defined.
pub(super) fn known(context: &mut Context<'_>, data: &Data, what: &str) -> Result<(i128, Term)> {
    let (int, defined) = Number::of(data).as_integer(context.terms);
    let known =
        integer::known(int).ok_or_else(|| Unsupported::new(format!("{what} that depends on the input")));
    Ok((known?, defined))
}

/// `remove(s, i)`: counts from the end below zero; changes nothing where there is no such place.
fn remove(context: &mut Context<'_>, s: &Data, i: &Data) -> Result<Given> {
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
fn truncate(context: &mut Context<'_>, s: &Data, n: &Data) -> Result<Given> {
    by_characters(context, s);
    let (n, defined) = known(context, n, "`truncate` to a length")?;
    let length = parts(s).len();
    let kept = usize::try_from(n.max(0)).unwrap_or(usize::MAX).min(length);
    Ok((with_parts(s, parts(s)[..kept].to_vec()), defined))
}

/// `concat(s, t)`, of sequences of the same kind; an empty one is of any.
fn concat(a: &Data, b: &Data) -> Given {
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
