//! Source inputs near given ones.

use dodona_sources::{Xoshiro256PlusPlus, index, neighbour};
use dodona_subject::{Column, Function, Value};

use dodona_workbench::inputs::{columns, eligibility};

use crate::tuning::{EQUAL_IN, TWO_CHANGES_IN};

/// Some eligible inputs near an input: most differ in one parameter, some in two.
pub(super) fn neighbours(
    function: &Function,
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

fn one(function: &Function, values: &[Value], rng: &mut Xoshiro256PlusPlus) -> Option<Vec<Value>> {
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
