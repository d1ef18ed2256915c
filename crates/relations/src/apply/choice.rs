//! `if … then … else …` on columns.

use super::arithmetic::numbers;
use super::logic::bools;
use super::register::{Data, Lane, Register, Runs, Valid};
use super::rows::{build, by_row};

/// The value of `then` in rows where the condition is true, else that of `otherwise`; undefined where the condition is, or the value that
/// is taken.
pub(crate) fn choose(
    condition: &Register<'_>,
    then: &Register<'_>,
    otherwise: Option<&Register<'_>>,
) -> Register<'static> {
    let truth = bools(&condition.data);
    let branches = [Some(then), otherwise];
    let rows = truth.rows().or(then.data.rows()).or(otherwise.and_then(|register| register.data.rows()));
    let taken = |row: usize| branches[usize::from(!truth.at(row))];
    let is_defined =
        |row: usize| condition.valid.at(row) && taken(row).is_some_and(|register| register.valid.at(row));
    let bad: Vec<u32> =
        (0..rows.unwrap_or(1)).filter(|row| !is_defined(*row)).map(|row| row as u32).collect();
    let taken = |row: usize| is_defined(row) && truth.at(row);
    let data = match (&then.data, otherwise.map(|register| &register.data)) {
        (Data::Bool(a), b) => Data::Bool(lane(rows, taken, a, b.map(bools))),
        (Data::Int(a), None) => Data::Int(lane(rows, taken, a, None)),
        (Data::Float(a), None) => Data::Float(lane(rows, taken, a, None)),
        (Data::Int(a), Some(Data::Int(b))) => Data::Int(lane(rows, taken, a, Some(b))),
        (Data::Float(a), Some(Data::Float(b))) => Data::Float(lane(rows, taken, a, Some(b))),
        (Data::Text(a), None) => Data::Text(runs(rows, taken, a, None)),
        (Data::Text(a), Some(Data::Text(b))) => Data::Text(runs(rows, taken, a, Some(b))),
        (Data::Bools(a), None) => Data::Bools(runs(rows, taken, a, None)),
        (Data::Bools(a), Some(Data::Bools(b))) => Data::Bools(runs(rows, taken, a, Some(b))),
        (Data::Ints(a), None) => Data::Ints(runs(rows, taken, a, None)),
        (Data::Ints(a), Some(Data::Ints(b))) => Data::Ints(runs(rows, taken, a, Some(b))),
        (Data::Floats(a), None) => Data::Floats(runs(rows, taken, a, None)),
        (Data::Floats(a), Some(Data::Floats(b))) => Data::Floats(runs(rows, taken, a, Some(b))),
        (a, b) => {
            let other = b.map(numbers);
            Data::Number(lane(rows, taken, &numbers(a), other.as_ref()))
        }
    };
    Register { data, valid: Valid::except(&bad, rows) }
}

fn lane<T: Copy>(
    rows: Option<usize>,
    is_first: impl Fn(usize) -> bool,
    first: &Lane<'_, T>,
    second: Option<&Lane<'_, T>>,
) -> Lane<'static, T> {
    by_row(rows, |row| match second {
        Some(second) if !is_first(row) => second.at(row),
        _ => first.at(row),
    })
}

fn runs<T: Clone>(
    rows: Option<usize>,
    is_first: impl Fn(usize) -> bool,
    first: &Runs<'_, T>,
    second: Option<&Runs<'_, T>>,
) -> Runs<'static, T> {
    let (runs, _) = build(rows, first.item_count(), |row, items| {
        let taken = match second {
            Some(second) if !is_first(row) => second.at(row),
            _ => first.at(row),
        };
        items.extend_from_slice(taken);
        true
    });
    runs
}
