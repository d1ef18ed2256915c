//! Makes inputs near a given one, among which the search for a counterexample takes its next step.

use dodona_sources::{Xoshiro256PlusPlus, index, neighbour};
use dodona_target::{Column, Sequence, Signature, Value, nearest_float};

use dodona_workbench::inputs::{columns, eligibility};

use crate::tuning::{EQUAL_IN, OPPOSITE_IN, TWO_CHANGES_IN};

/// Some eligible inputs near an input: most differ in one parameter, some in two. In some of those that differ in two numbers their sum is
/// the same.
pub(super) fn neighbours(
    function: &Signature,
    values: &[Value],
    count: usize,
    rng: &mut Xoshiro256PlusPlus,
) -> Vec<Vec<Value>> {
    let drawn: Vec<Vec<Value>> = (0..count).filter_map(|_| one(function, values, rng)).collect();
    if drawn.is_empty() {
        return drawn;
    }
    let eligible = eligibility(function).rows(&columns(function, drawn.iter().map(Vec::as_slice)));
    drawn.into_iter().zip(eligible).filter(|(_, eligible)| *eligible).map(|(values, _)| values).collect()
}

fn one(function: &Signature, values: &[Value], rng: &mut Xoshiro256PlusPlus) -> Option<Vec<Value>> {
    if index(rng, OPPOSITE_IN) == 0
        && let Some(moved) = opposite(function, values, rng)
    {
        return Some(moved);
    }
    let mut near = values.to_vec();
    let changes = if index(rng, TWO_CHANGES_IN) == 0 { 2 } else { 1 };
    for _ in 0..changes {
        let at = index(rng, near.len());
        let parameter = &function.parameters[at];
        near[at] = match index(rng, EQUAL_IN) {
            // Equal arguments are a special case in much code.
            0 => values.iter().zip(&function.parameters).rfind(|(_, p)| p.ty == parameter.ty)?.0.clone(),
            _ => neighbour(parameter.ty, &parameter.domain, &near[at], rng)?,
        };
        if !parameter.domain.contains(parameter.ty, &near[at]) {
            return None;
        }
    }
    Some(near)
}

/// One number is raised and another one lowered by as much. A condition on a sum or a mean stays true then, which no change of one number
/// keeps. `None` if there are no two numbers, or one would leave its domain.
fn opposite(function: &Signature, values: &[Value], rng: &mut Xoshiro256PlusPlus) -> Option<Vec<Value>> {
    let places: Vec<(usize, usize)> =
        values.iter().enumerate().flat_map(|(at, value)| (0..numbers(value)).map(move |i| (at, i))).collect();
    let step = 1_i128 << index(rng, 31);
    let count = places.len().max(1);
    let (first, second) = (index(rng, count), index(rng, count));
    if first == second {
        return None;
    }
    let mut moved = values.to_vec();
    for (place, step) in [(first, step), (second, -step)] {
        let (at, i) = places[place];
        add(&mut moved[at], i, step);
        let parameter = &function.parameters[at];
        if !parameter.domain.contains(parameter.ty, &moved[at]) {
            return None;
        }
    }
    Some(moved)
}

/// How many numbers a value has.
fn numbers(value: &Value) -> usize {
    match value {
        Value::Int(_) | Value::Float(_) => 1,
        Value::Sequence(Sequence::Int(items)) => items.len(),
        Value::Sequence(Sequence::Float(items)) => items.len(),
        _ => 0,
    }
}

fn add(value: &mut Value, i: usize, step: i128) {
    match value {
        Value::Int(x) => *x = x.saturating_add(step),
        Value::Float(x) => *x += nearest_float(step),
        Value::Sequence(Sequence::Int(items)) => items[i] = items[i].saturating_add(step),
        Value::Sequence(Sequence::Float(items)) => items[i] += nearest_float(step),
        _ => {}
    }
}

/// The values of one row of columns.
pub(super) fn row_of(columns: &[Column], row: usize) -> Vec<Value> {
    columns.iter().map(|column| column.value(row)).collect()
}

/// At most `count` of the items, all equally likely, in their order.
pub(super) fn sample<T>(mut all: Vec<T>, count: usize, rng: &mut Xoshiro256PlusPlus) -> Vec<T> {
    while all.len() > count {
        all.remove(index(rng, all.len()));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use dodona_sources::Seed;
    use dodona_subject::Manifest;

    fn function(signature: &str) -> Signature {
        let text = format!("module = 'm.wat'\n[[function]]\nsignature = '{signature}'\n");
        let manifest = Manifest::parse(std::path::Path::new("dodona.toml"), &text).expect("valid");
        manifest.signatures().into_iter().next().expect("one function")
    }

    #[test]
    fn some_neighbours_have_the_same_sum() {
        let mut rng = Seed(1).stream("neighbours", 0);
        let of_sequence = function("mean(values: [i32]) -> f64");
        let values = [Value::Sequence(Sequence::Int(vec![-54, -54]))];
        let near = neighbours(&of_sequence, &values, 400, &mut rng);
        // Of such inputs `mean(values) < -53` is true, and the first number is greater than the square of the mean.
        let is_apart = |input: &Vec<Value>| {
            matches!(&input[0], Value::Sequence(Sequence::Int(items))
                if items.iter().sum::<i128>() == -108 && items[0] > 2916)
        };
        assert!(near.iter().any(is_apart));
        let of_two = function("f(x: f64, y: f64) -> f64");
        let near = neighbours(&of_two, &[Value::Float(1.0), Value::Float(2.0)], 400, &mut rng);
        let both = |input: &Vec<Value>| matches!(input[..], [Value::Float(x), Value::Float(y)] if x + y == 3.0 && x != 1.0);
        assert!(near.iter().any(both));
        let of_one = function("f(x: i32) -> i32");
        assert!(!neighbours(&of_one, &[Value::Int(7)], 400, &mut rng).is_empty());
    }
}
