//! Words that compare the elements of a sequence, or parts of a text.

use std::collections::HashSet;
use std::hash::Hash;

use bstr::ByteSlice;
use dodona_target::Number;

use super::arithmetic::{Given, numbers};
use super::number;
use super::register::{Data, Lane, Runs, Valid};
use super::rows::{build, by_row};
use super::sequence::wrap;
use super::text::Characters;

/// `s contains x` for a single element `x`.
pub(crate) fn has_element(s: &Data<'_>, x: &Data<'_>) -> Lane<'static, bool> {
    equal_elements(s, x, 1).map(|equal| equal > 0)
}

/// `count(s, x)`: how many elements equal `x`; in a text, how often the text `x` occurs without overlap.
pub(crate) fn count(s: &Data<'_>, x: &Data<'_>) -> Given {
    let counts = match (s, x) {
        (Data::Text(t), Data::Text(part)) => {
            by_row(t.rows().or(part.rows()), |row| occurrences(t.at(row), part.at(row)) as i128)
        }
        // Only the empty literal, whose elements have no type of their own, is asked for a Boolean beside `Bools`.
        (Data::Ints(s), Data::Bool(x)) => by_row(s.rows().or(x.rows()), |_| 0),
        _ => equal_elements(s, x, usize::MAX),
    };
    (Data::Int(counts), Valid::All)
}

/// From left to right. The empty text occurs before each character and at the end.
fn occurrences(text: &[u8], part: &[u8]) -> usize {
    match part {
        [] => Characters::new(text).len() + 1,
        _ => text.find_iter(part).count(),
    }
}

/// For each row how many elements of `s` equal `x`; `most` where there are more.
fn equal_elements(s: &Data<'_>, x: &Data<'_>, most: usize) -> Lane<'static, i128> {
    fn counted<E>(elements: &[E], most: usize, equal: impl Fn(&E) -> bool) -> i128 {
        elements.iter().filter(|e| equal(e)).take(most).count() as i128
    }
    let rows = s.rows().or(x.rows());
    match (s, x) {
        (Data::Bools(s), Data::Bool(x)) => by_row(rows, |row| counted(s.at(row), most, |e| *e == x.at(row))),
        (Data::Ints(s), Data::Int(x)) => by_row(rows, |row| counted(s.at(row), most, |e| *e == x.at(row))),
        (Data::Ints(s), _) => {
            let x = numbers(x);
            by_row(rows, |row| counted(s.at(row), most, |e| number::equal(Number::Int(*e), x.at(row))))
        }
        (Data::Floats(s), _) => {
            let x = numbers(x);
            by_row(rows, |row| counted(s.at(row), most, |e| number::equal(Number::Float(*e), x.at(row))))
        }
        other => unreachable!("checked to be a sequence and an element: {other:?}"),
    }
}

/// `distinct`: of equal elements the first.
pub(crate) fn distinct(s: &Data<'_>) -> Given {
    match s {
        Data::Bools(s) => wrap(Data::Bools, firsts(s, |b| *b)),
        Data::Ints(s) => wrap(Data::Ints, firsts(s, |i| *i)),
        Data::Floats(s) => wrap(Data::Floats, firsts(s, |x| key(*x))),
        Data::Text(s) => {
            let characters = build(s.rows(), s.item_count(), |row, out| {
                let text = Characters::new(s.at(row));
                let mut seen = HashSet::new();
                text.iter().filter(|c| seen.insert(*c)).for_each(|c| out.extend(c));
                true
            });
            wrap(Data::Text, characters)
        }
        other => unreachable!("checked to be a sequence: {other:?}"),
    }
}

fn firsts<T: Copy, K: Eq + Hash>(s: &Runs<'_, T>, key: impl Fn(&T) -> K) -> (Runs<'static, T>, Valid) {
    build(s.rows(), s.item_count(), |row, out| {
        let mut seen = HashSet::new();
        out.extend(s.at(row).iter().filter(|item| seen.insert(key(item))));
        true
    })
}

/// Bits that two floats share where `==` holds: all NaNs have the same, and zero has no sign.
fn key(x: f64) -> u64 {
    if x.is_nan() { f64::NAN.to_bits() } else { (x + 0.0).to_bits() }
}
