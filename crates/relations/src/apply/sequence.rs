//! Operations on sequences and text.

use std::cmp::Ordering;
use std::ops::Range;

use bstr::ByteSlice;
use dodona_target::same_float;

use super::arithmetic::{Given, floats, integers};
use super::compare::{all, same_mixed};
use super::register::{Data, Lane, Runs, Valid};
use super::rows::{build, by_row, by_row_checked, map_rows};
use super::text::Characters;

/// Evaluates the same expression for sequences of each kind, and gives data of the same kind.
macro_rules! same_kind {
    ($data:expr, $runs:ident => $body:expr, $text:ident => $text_body:expr) => {
        match $data {
            Data::Bools($runs) => wrap(Data::Bools, $body),
            Data::Ints($runs) => wrap(Data::Ints, $body),
            Data::Floats($runs) => wrap(Data::Floats, $body),
            Data::Text($text) => wrap(Data::Text, $text_body),
            other => unreachable!("checked to be a sequence: {other:?}"),
        }
    };
}

pub(super) use same_kind;

pub(crate) fn wrap<T: Clone>(
    kind: fn(Runs<'static, T>) -> Data<'static>,
    built: (Runs<'static, T>, Valid),
) -> Given {
    (kind(built.0), built.1)
}

/// `len`, in elements or characters.
pub(crate) fn length(s: &Data<'_>) -> Given {
    let rows = s.rows();
    let lengths = match s {
        Data::Text(s) => by_row(rows, |row| Characters::new(s.at(row)).len() as i128),
        Data::Bools(s) => by_row(rows, |row| s.at(row).len() as i128),
        Data::Ints(s) => by_row(rows, |row| s.at(row).len() as i128),
        Data::Floats(s) => by_row(rows, |row| s.at(row).len() as i128),
        other => unreachable!("checked to be a sequence: {other:?}"),
    };
    (Data::Int(lengths), Valid::All)
}

/// `reverse`.
pub(crate) fn reverse(s: &Data<'_>) -> Given {
    let rows = s.rows();
    same_kind!(s,
        s => (map_rows(s, rows, |items, _| items.iter().rev().copied()), Valid::All),
        s => build(rows, s.item_count(), |row, out| {
            Characters::new(s.at(row)).iter().rev().for_each(|c| out.extend(c));
            true
        })
    )
}

/// `sorted`, ascending and stable; NaN last.
pub(crate) fn sorted(s: &Data<'_>) -> Given {
    let rows = s.rows();
    match s {
        Data::Bools(s) => {
            wrap(Data::Bools, build(rows, s.item_count(), |row, out| sort(s.at(row), out, bool::cmp)))
        }
        Data::Ints(s) => {
            wrap(Data::Ints, build(rows, s.item_count(), |row, out| sort(s.at(row), out, i128::cmp)))
        }
        Data::Floats(s) => {
            wrap(Data::Floats, build(rows, s.item_count(), |row, out| sort(s.at(row), out, ascending)))
        }
        Data::Text(s) => wrap(Data::Text, build(rows, s.item_count(), |row, out| sort_text(s.at(row), out))),
        other => unreachable!("checked to be a sequence: {other:?}"),
    }
}

fn sort<T: Copy>(from: &[T], to: &mut Vec<T>, order: fn(&T, &T) -> Ordering) -> bool {
    to.extend(from);
    to.sort_by(order);
    true
}

/// The order of floats in which NaN is last.
pub(super) fn ascending(a: &f64, b: &f64) -> Ordering {
    a.partial_cmp(b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

fn sort_text(from: &[u8], to: &mut Vec<u8>) -> bool {
    // Comparing UTF-8 bytes gives the same order as comparing the characters.
    let mut characters: Vec<&[u8]> = Characters::new(from).iter().collect();
    characters.sort();
    characters.into_iter().for_each(|c| to.extend(c));
    true
}

/// `remove(s, i)`: a negative `i` counts from the end. The sequence is unchanged if there is no such position.
pub(crate) fn remove(s: &Data<'_>, i: &Data<'_>) -> Given {
    let rows = s.rows().or(i.rows());
    let (at, valid) = integers(i);
    let hole = |length: usize, row| match place(at.at(row), length) {
        Some(n) => n..n + 1,
        None => length..length,
    };
    let (data, _) = same_kind!(s,
        s => build(rows, s.item_count(), |row, out| {
            let (items, hole) = (s.at(row), hole(s.at(row).len(), row));
            out.extend(&items[..hole.start]);
            out.extend(&items[hole.end..]);
            true
        }),
        s => build(rows, s.item_count(), |row, out| {
            let text = Characters::new(s.at(row));
            let hole = hole(text.len(), row);
            out.extend(text.range(0..hole.start));
            out.extend(text.range(hole.end..text.len()));
            true
        })
    );
    (data, valid)
}

fn place(i: i128, length: usize) -> Option<usize> {
    let from_start = if i < 0 { i + length as i128 } else { i };
    usize::try_from(from_start).ok().filter(|n| *n < length)
}

/// `truncate(s, n)`: the first n elements, or all if there are fewer.
pub(crate) fn truncate(s: &Data<'_>, n: &Data<'_>) -> Given {
    let rows = s.rows().or(n.rows());
    let (n, valid) = integers(n);
    let kept = |length: usize, row| usize::try_from(n.at(row).max(0)).unwrap_or(usize::MAX).min(length);
    let (data, _) = cut(rows, s, |length, row| Some(0..kept(length, row)));
    (data, valid)
}

/// `s[i..j]`; without `j` up to the end. Undefined if the range reaches beyond the sequence.
pub(crate) fn slice(s: &Data<'_>, from: &Data<'_>, to: Option<&Data<'_>>) -> Given {
    let rows = s.rows().or(from.rows()).or(to.and_then(Data::rows));
    let (from, from_valid) = integers(from);
    let (to, to_valid) = match to.map(integers) {
        Some((to, valid)) => (Some(to), valid),
        None => (None, Valid::All),
    };
    let (data, valid) = cut(rows, s, |length, row| {
        let from = usize::try_from(from.at(row)).ok()?;
        let to = to.as_ref().map_or(Some(length), |to| usize::try_from(to.at(row)).ok())?;
        (from <= to && to <= length).then_some(from..to)
    });
    (data, valid.and(&from_valid).and(&to_valid))
}

/// The range that `range` gives for each row of a sequence; undefined where it gives none.
fn cut(rows: Option<usize>, s: &Data<'_>, range: impl Fn(usize, usize) -> Option<Range<usize>>) -> Given {
    same_kind!(s,
        s => build(rows, s.item_count(), |row, out| {
            let items = s.at(row);
            range(items.len(), row).map(|range| out.extend(&items[range])).is_some()
        }),
        s => build(rows, s.item_count(), |row, out| {
            let text = Characters::new(s.at(row));
            range(text.len(), row).map(|range| out.extend(text.range(range))).is_some()
        })
    )
}

/// `s[i]`: an element, or a text of one character. Undefined if `i` is out of range.
pub(crate) fn index(s: &Data<'_>, i: &Data<'_>) -> Given {
    let rows = s.rows().or(i.rows());
    let (at, valid) = integers(i);
    let at = |row| usize::try_from(at.at(row)).ok();
    let (data, inside) = match s {
        Data::Bools(s) => lane(Data::Bool, rows, false, |row| s.at(row).get(at(row)?).copied()),
        Data::Ints(s) => lane(Data::Int, rows, 0, |row| s.at(row).get(at(row)?).copied()),
        Data::Floats(s) => lane(Data::Float, rows, 0.0, |row| s.at(row).get(at(row)?).copied()),
        _ => cut(rows, s, |length, row| at(row).filter(|i| *i < length).map(|i| i..i + 1)),
    };
    (data, inside.and(&valid))
}

fn lane<T: Copy>(
    kind: fn(Lane<'static, T>) -> Data<'static>,
    rows: Option<usize>,
    blank: T,
    f: impl Fn(usize) -> Option<T>,
) -> Given {
    let (lane, valid) = by_row_checked(rows, blank, f);
    (kind(lane), valid)
}

/// `concat(s, t)`, of sequences of the same kind.
pub(crate) fn concat(a: &Data<'_>, b: &Data<'_>) -> Given {
    fn join<T: Clone>(a: &Runs<'_, T>, b: &Runs<'_, T>) -> (Runs<'static, T>, Valid) {
        build(a.rows().or(b.rows()), a.item_count() + b.item_count(), |row, out| {
            out.extend_from_slice(a.at(row));
            out.extend_from_slice(b.at(row));
            true
        })
    }
    match (a, b) {
        (Data::Bools(a), Data::Bools(b)) => wrap(Data::Bools, join(a, b)),
        (Data::Ints(a), Data::Ints(b)) => wrap(Data::Ints, join(a, b)),
        (Data::Floats(a), Data::Floats(b)) => wrap(Data::Floats, join(a, b)),
        (Data::Text(a), Data::Text(b)) => wrap(Data::Text, join(a, b)),
        other => unreachable!("checked to be sequences of one kind: {other:?}"),
    }
}

/// A place where one sequence can occur in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Anywhere, as consecutive elements.
    Inside,
    /// At the start.
    Start,
    /// At the end.
    End,
}

/// For each row whether `part` occurs in `whole` at the given place.
pub(crate) fn stands(standing: Standing, part: &Data<'_>, whole: &Data<'_>) -> Lane<'static, bool> {
    fn rows<A: Copy, B: Copy>(
        standing: Standing,
        part: &Runs<'_, A>,
        whole: &Runs<'_, B>,
        same: impl Fn(A, B) -> bool,
    ) -> Lane<'static, bool> {
        by_row(part.rows().or(whole.rows()), |row| found(standing, part.at(row), whole.at(row), &same))
    }
    match (part, whole) {
        (Data::Text(a), Data::Text(b)) => {
            by_row(a.rows().or(b.rows()), |row| stands_in_text(standing, a.at(row), b.at(row)))
        }
        (Data::Bools(a), Data::Bools(b)) => rows(standing, a, b, |a, b| a == b),
        (Data::Ints(a), Data::Ints(b)) => rows(standing, a, b, |a, b| a == b),
        (Data::Floats(a), Data::Floats(b)) => rows(standing, a, b, same_float),
        (Data::Ints(a), Data::Floats(b)) => rows(standing, a, b, same_mixed),
        (Data::Floats(a), Data::Ints(b)) => rows(standing, a, b, |a, b| same_mixed(b, a)),
        other => unreachable!("checked to be sequences: {other:?}"),
    }
}

/// Of valid UTF-8 no character begins within another. Else the bytes of a part may be those of a piece of a character of the whole, which is
/// no part of it.
fn stands_in_text(standing: Standing, part: &[u8], whole: &[u8]) -> bool {
    let by_bytes = match standing {
        Standing::Inside => whole.contains_str(part),
        _ => found(standing, part, whole, &|a, b| a == b),
    };
    if !by_bytes || std::str::from_utf8(part).is_ok() {
        return by_bytes;
    }
    let (part, whole) = (Characters::new(part), Characters::new(whole));
    let (part, whole): (Vec<&[u8]>, Vec<&[u8]>) = (part.iter().collect(), whole.iter().collect());
    found(standing, &part, &whole, &|a, b| a == b)
}

fn found<A: Copy, B: Copy>(
    standing: Standing,
    part: &[A],
    whole: &[B],
    same: &impl Fn(A, B) -> bool,
) -> bool {
    let Some(last) = whole.len().checked_sub(part.len()) else { return false };
    let at = |start: usize| all(part, &whole[start..start + part.len()], same);
    match standing {
        Standing::Start => at(0),
        Standing::End => at(last),
        Standing::Inside => (0..=last).any(at),
    }
}

/// `[a, b, c]`; the caller handles undefined elements.
pub(crate) fn literal(items: &[&Data<'_>]) -> Data<'static> {
    let rows = items.iter().find_map(|item| item.rows());
    if items.iter().all(|item| matches!(item, Data::Bool(_))) && !items.is_empty() {
        let lanes: Vec<_> = items.iter().map(|item| super::logic::bools(item)).collect();
        return Data::Bools(gather(rows, &lanes));
    }
    if items.iter().all(|item| matches!(item, Data::Int(_))) {
        let lanes: Vec<_> = items.iter().map(|item| integers(item).0).collect();
        return Data::Ints(gather(rows, &lanes.iter().collect::<Vec<_>>()));
    }
    let lanes: Vec<_> = items.iter().map(|item| floats(item)).collect();
    Data::Floats(gather(rows, &lanes.iter().collect::<Vec<_>>()))
}

fn gather<T: Copy>(rows: Option<usize>, lanes: &[&Lane<'_, T>]) -> Runs<'static, T> {
    build(rows, rows.unwrap_or(1) * lanes.len(), |row, out| {
        out.extend(lanes.iter().map(|lane| lane.at(row)));
        true
    })
    .0
}
