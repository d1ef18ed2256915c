//! Comparisons on columns.

use std::cmp::Ordering;

use dodona_target::{Number, same_float};

use super::arithmetic::{floats, numbers};
use super::number::{self, Nearness};
use super::register::{Data, Lane, Runs};
use super::rows::{by_row, zip};

/// `<` of numbers. False where a side is NaN.
pub(crate) fn less(a: &Data<'_>, b: &Data<'_>) -> Lane<'static, bool> {
    order(a, b, true)
}

/// `<=` of numbers. False where a side is NaN.
pub(crate) fn less_or_equal(a: &Data<'_>, b: &Data<'_>) -> Lane<'static, bool> {
    order(a, b, false)
}

fn order(a: &Data<'_>, b: &Data<'_>, strict: bool) -> Lane<'static, bool> {
    match (a, b) {
        (Data::Int(a), Data::Int(b)) if strict => zip(a, b, |a, b| a < b),
        (Data::Int(a), Data::Int(b)) => zip(a, b, |a, b| a <= b),
        _ if both_floats(a, b) && strict => zip(&floats(a), &floats(b), |a, b| a < b),
        _ if both_floats(a, b) => zip(&floats(a), &floats(b), |a, b| a <= b),
        _ => zip(&numbers(a), &numbers(b), |a, b| match number::compare(a, b) {
            Some(order) => order == Ordering::Less || (!strict && order == Ordering::Equal),
            None => false,
        }),
    }
}

/// Whether each operand is of floats, or an integer constant that a float represents exactly (at most 2^53 in
/// magnitude).
fn both_floats(a: &Data<'_>, b: &Data<'_>) -> bool {
    let exact = |data: &Data<'_>| match data {
        Data::Float(_) => true,
        Data::Int(Lane::One(i)) => i.unsigned_abs() <= 1 << 53,
        _ => false,
    };
    exact(a) && exact(b)
}

/// `==`, exact.
pub(crate) fn equal(a: &Data<'_>, b: &Data<'_>) -> Lane<'static, bool> {
    match (a, b) {
        (Data::Bool(a), Data::Bool(b)) => zip(a, b, |a, b| a == b),
        (Data::Int(a), Data::Int(b)) => zip(a, b, |a, b| a == b),
        (Data::Text(a), Data::Text(b)) => rows_equal(a, b, |a, b| a == b),
        (Data::Bools(a), Data::Bools(b)) => rows_equal(a, b, |a, b| a == b),
        (Data::Ints(a), Data::Ints(b)) => rows_equal(a, b, |a, b| a == b),
        (Data::Floats(a), Data::Floats(b)) => rows_equal(a, b, |a, b| all(a, b, same_float)),
        (Data::Ints(a), Data::Floats(b)) => rows_equal(a, b, |a, b| all(a, b, same_mixed)),
        (Data::Floats(a), Data::Ints(b)) => rows_equal(b, a, |b, a| all(b, a, same_mixed)),
        _ if both_floats(a, b) => zip(&floats(a), &floats(b), same_float),
        _ => zip(&numbers(a), &numbers(b), number::equal),
    }
}

/// Exact equality of an integer and a float.
pub(crate) fn same_mixed(a: i128, b: f64) -> bool {
    number::equal(Number::Int(a), Number::Float(b))
}

/// Whether two slices have the same length and are equal element by element.
pub(crate) fn all<A: Copy, B: Copy>(a: &[A], b: &[B], same: impl Fn(A, B) -> bool) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(*a, *b))
}

fn rows_equal<A: Clone, B: Clone>(
    a: &Runs<'_, A>,
    b: &Runs<'_, B>,
    same: impl Fn(&[A], &[B]) -> bool,
) -> Lane<'static, bool> {
    by_row(a.rows().or(b.rows()), |row| same(a.at(row), b.at(row)))
}

/// `~=`: approximate for numbers and sequences of numbers, exact for all other values.
pub(crate) fn approximate(a: &Data<'_>, b: &Data<'_>, nearness: Nearness) -> Lane<'static, bool> {
    let near = |a: f64, b: f64| nearness.holds(a, b);
    match (a, b) {
        (Data::Bool(_), _) | (Data::Text(_), _) | (Data::Bools(_), _) => equal(a, b),
        (Data::Ints(a), Data::Ints(b)) => rows_equal(a, b, |a, b| all(a, b, |a, b| near(a as f64, b as f64))),
        (Data::Floats(a), Data::Floats(b)) => rows_equal(a, b, |a, b| all(a, b, near)),
        (Data::Ints(a), Data::Floats(b)) => rows_equal(a, b, |a, b| all(a, b, |a, b| near(a as f64, b))),
        (Data::Floats(a), Data::Ints(b)) => rows_equal(a, b, |a, b| all(a, b, |a, b| near(a, b as f64))),
        _ => match nearness {
            // The kind of tolerance is chosen before the loop, so that the loop itself has no branch.
            Nearness::Relative(relative) => zip(&floats(a), &floats(b), |a, b| number::near(a, b, relative)),
            _ => zip(&floats(a), &floats(b), near),
        },
    }
}
