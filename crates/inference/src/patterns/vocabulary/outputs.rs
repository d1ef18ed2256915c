//! What patterns say of outputs: the most frequent ones, bounds, thresholds, a number that all of them are multiples of, and whether
//! negative ones stand for refusals.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use dodona_laws::gcd;
use dodona_target::{Column, Value};

use crate::patterns::atom::compare;
use crate::patterns::pattern_tuning::{
    COUNTED, FEWEST_MULTIPLES, FREQUENT, MOST_CAPS, MOST_OUTPUTS, MOST_REFUSALS, MOST_THRESHOLDS, REACHED_IN,
};
use crate::patterns::{Atom, Expected, Order};

/// The expectation that outputs lie between the least and the greatest output, if both are reached often; else that they are at least the
/// least output, if this is reached often. An extreme output that is rare is no bound of the function.
pub(super) fn bounds(outputs: &Column) -> Vec<Expected> {
    let all: Vec<Value> = (0..outputs.len()).map(|row| outputs.value(row)).collect();
    let is_beyond = |value: &Value, wanted: Ordering| {
        all.iter().all(|other| compare(value, other).is_some_and(|order| order == wanted || order.is_eq()))
    };
    let often = |value: &Value| {
        all.iter().filter(|other| *other == value).count() * REACHED_IN >= all.len()
            && !matches!(value, Value::Bool(_))
    };
    let least = all.iter().find(|value| is_beyond(value, Ordering::Less)).filter(|v| often(v));
    let greatest = all.iter().find(|value| is_beyond(value, Ordering::Greater)).filter(|v| often(v));
    match (least, greatest) {
        (Some(low), Some(high)) if low != high => vec![Expected::Within(low.clone(), high.clone())],
        (Some(low), _) => vec![Expected::AtLeast(low.clone())],
        _ => Vec::new(),
    }
}

/// The most frequent values of a column, the most frequent first. Each occurs more than ten times in the sample that is counted.
pub(super) fn frequent(outputs: &Column) -> Vec<Value> {
    let mut counts: Vec<(Value, usize)> = Vec::new();
    for row in 0..outputs.len().min(COUNTED) {
        let value = outputs.value(row);
        match counts.iter_mut().find(|(known, _)| *known == value) {
            Some((_, count)) => *count += 1,
            None => counts.push((value, 1)),
        }
    }
    counts.retain(|(value, count)| *count > FREQUENT && !matches!(value, Value::Float(x) if !x.is_finite()));
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.truncate(MOST_OUTPUTS);
    counts.into_iter().map(|(value, _)| value).collect()
}

/// The conditions on an output: whether it is one of the most frequent values, and how it compares with 0 and with constants of the code,
/// if these lie between outputs. Frequent outputs above 0 are also compared by `<` and `>`. Example: if a function refuses inputs by a
/// negative result, then "where the result is at least 0" means that the input is accepted.
pub(super) fn atoms(outputs: &Column, frequent: &[Value], thresholds: &[Value]) -> Vec<Atom> {
    let atom = |order, value: &Value| Atom::Output { order, value: value.clone() };
    let mut atoms: Vec<Atom> = frequent
        .iter()
        .flat_map(|value| [Order::Equal, Order::NotEqual].map(|order| atom(order, value)))
        .collect();
    if let Some(zero) = zero(outputs).filter(|zero| !frequent.contains(zero)) {
        atoms.push(atom(Order::NotEqual, &zero));
    }
    let orders = [Order::AtLeast, Order::Less, Order::More, Order::AtMost];
    let is_positive =
        |value: &&Value| zero(outputs).is_some_and(|zero| compare(value, &zero) == Some(Ordering::Greater));
    let others = frequent.iter().filter(|value| !thresholds.contains(value)).filter(is_positive);
    atoms.extend(others.flat_map(|value| [Order::More, Order::Less].map(|order| atom(order, value))));
    atoms.extend(thresholds.iter().flat_map(|constant| orders.map(|order| atom(order, constant))));
    atoms
}

/// 0 and the constants of the code, the most frequent first, that lie between outputs.
pub(super) fn thresholds(outputs: &Column, code: &[(Value, u64)]) -> Vec<Value> {
    let all: Vec<Value> = (0..outputs.len()).map(|row| outputs.value(row)).collect();
    let is_some =
        |constant: &Value, wanted| all.iter().any(|output| compare(output, constant) == Some(wanted));
    let is_between =
        |constant: &&Value| is_some(constant, Ordering::Less) && is_some(constant, Ordering::Greater);
    let mut thresholds: Vec<Value> = Vec::new();
    for constant in zero(outputs).iter().chain(code.iter().map(|(constant, _)| constant)).filter(is_between) {
        if thresholds.len() < MOST_THRESHOLDS && !thresholds.contains(constant) {
            thresholds.push(constant.clone());
        }
    }
    thresholds
}

/// The values that an output may be bounded by under a condition: the most frequent outputs, and then constants of the code that lie
/// between outputs. A function that bounds its result by a constant often returns it.
pub(super) fn caps(frequent: &[Value], thresholds: &[Value]) -> Vec<Value> {
    let mut caps: Vec<Value> = Vec::new();
    for value in frequent.iter().chain(thresholds).filter(|value| !matches!(value, Value::Bool(_))) {
        if caps.len() < MOST_CAPS && !caps.contains(value) {
            caps.push(value.clone());
        }
    }
    caps
}

/// Whether negative outputs stand for something other than a number, such as the reason why an input is refused: some outputs are
/// negative, others are not, and the negative ones have few values.
pub(super) fn refuses(outputs: &Column) -> bool {
    let Column::Int(outputs) = outputs else { return false };
    let negative: BTreeSet<i128> = outputs.iter().copied().filter(|output| *output < 0).collect();
    (1..=MOST_REFUSALS).contains(&negative.len()) && outputs.iter().any(|output| *output >= 0)
}

/// The greatest number that divides all outputs, without those that are refusals, if it is above 1: a price that is rounded to five cents is a
/// multiple of 5. If the outputs have only a few values, these say more.
pub(super) fn divisor(outputs: &Column, refuses: bool) -> Option<i128> {
    let Column::Int(outputs) = outputs else { return None };
    let counted = outputs.iter().copied().filter(|output| *output > 0 || *output < 0 && !refuses);
    let values: BTreeSet<i128> = counted.collect();
    let common = |divisor, value: &i128| gcd(divisor, value.unsigned_abs());
    let divisor = i128::try_from(values.iter().fold(0, common)).ok()?;
    (divisor > 1 && values.len() >= FEWEST_MULTIPLES).then_some(divisor)
}

fn zero(outputs: &Column) -> Option<Value> {
    match outputs {
        Column::Int(_) => Some(Value::Int(0)),
        Column::Float(_) => Some(Value::Float(0.0)),
        _ => None,
    }
}
