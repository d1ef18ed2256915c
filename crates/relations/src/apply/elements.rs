//! Words that compare the elements of a sequence, or parts of a text.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::hash::Hash;

use bstr::ByteSlice;
use dodona_target::Number;

use super::arithmetic::{Given, numbers};
use super::number;
use super::register::{Data, Lane, Runs, Valid};
use super::rows::{build, by_row};
use super::sequence::{ascending, same_kind, wrap};
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

/// `sorted_by(s, keys)`: in ascending order of the keys at the same places, and as they stand where keys are equal. Undefined unless there are as many keys as elements.
pub(crate) fn sorted_by(s: &Data<'_>, keys: &Data<'_>) -> Given {
    match keys {
        Data::Bools(keys) => reordered(s, keys.rows(), |row| order(keys.at(row), bool::cmp)),
        Data::Ints(keys) => reordered(s, keys.rows(), |row| order(keys.at(row), i128::cmp)),
        Data::Floats(keys) => reordered(s, keys.rows(), |row| order(keys.at(row), ascending)),
        Data::Text(keys) => reordered(s, keys.rows(), |row| {
            let characters: Vec<&[u8]> = Characters::new(keys.at(row)).iter().collect();
            order(&characters, |a, b| a.cmp(b))
        }),
        other => unreachable!("checked to be a sequence: {other:?}"),
    }
}

/// The places of keys in ascending order. The sort is stable.
fn order<K>(keys: &[K], compare: impl Fn(&K, &K) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..keys.len()).collect();
    places.sort_by(|a, b| compare(&keys[*a], &keys[*b]));
    places
}

/// Each row of a sequence with its elements in the order of the given places; undefined where there are more or fewer places than elements.
fn reordered(s: &Data<'_>, rows: Option<usize>, places: impl Fn(usize) -> Vec<usize>) -> Given {
    fn pick<T: Copy>(all: &[T], places: &[usize], mut put: impl FnMut(T)) -> bool {
        let fits = all.len() == places.len();
        if fits {
            places.iter().for_each(|place| put(all[*place]));
        }
        fits
    }
    let rows = s.rows().or(rows);
    same_kind!(s,
        s => build(rows, s.item_count(), |row, out| pick(s.at(row), &places(row), |item| out.push(item))),
        s => build(rows, s.item_count(), |row, out| {
            let characters: Vec<&[u8]> = Characters::new(s.at(row)).iter().collect();
            pick(&characters, &places(row), |character| out.extend(character))
        })
    )
}

/// Bits that two floats share where `==` holds: all NaNs have the same, and zero has no sign.
fn key(x: f64) -> u64 {
    if x.is_nan() { f64::NAN.to_bits() } else { (x + 0.0).to_bits() }
}
