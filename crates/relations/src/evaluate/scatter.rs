//! Spreads the answers for some rows over all rows.

use dodona_target::{Calls, Column, Number, Outcome, Ragged, SequenceColumn};

use crate::apply::register::{Data, Lane, Runs};
use crate::check::{Element, Ty};

/// Puts the answers for the given rows, in ascending order, at their places among `count` rows. The other rows count
/// as returned and hold default values; a reader must first check whether their call was made.
pub(super) fn scatter(calls: Calls, rows: &[u32], count: usize) -> Calls {
    let mut outcomes = vec![Outcome::Returned; count];
    rows.iter().zip(calls.outcomes).for_each(|(&row, outcome)| outcomes[row as usize] = outcome);
    let outputs = calls.outputs.iter().map(|column| spread(column, rows, count)).collect();
    Calls { outcomes, outputs }
}

fn spread(column: &Column, rows: &[u32], count: usize) -> Column {
    fn scalars<T: Copy + Default>(values: &[T], rows: &[u32], count: usize) -> Vec<T> {
        let mut all = vec![T::default(); count];
        rows.iter().zip(values).for_each(|(&row, value)| all[row as usize] = *value);
        all
    }
    fn runs<T: Clone>(values: &Ragged<T>, rows: &[u32], count: usize) -> Ragged<T> {
        let mut all = Ragged::with_capacity(count, values.items().len());
        let mut next = 0;
        for row in 0..count {
            let here = rows.get(next).is_some_and(|&r| r as usize == row);
            all.push(if here { values.row(next) } else { &[] });
            next += usize::from(here);
        }
        all
    }
    match column {
        Column::Bool(v) => Column::Bool(scalars(v, rows, count)),
        Column::Int(v) => Column::Int(scalars(v, rows, count)),
        Column::Float(v) => Column::Float(scalars(v, rows, count)),
        Column::Text(r) => Column::Text(runs(r, rows, count)),
        Column::Sequence(SequenceColumn::Bool(r)) => {
            Column::Sequence(SequenceColumn::Bool(runs(r, rows, count)))
        }
        Column::Sequence(SequenceColumn::Int(r)) => {
            Column::Sequence(SequenceColumn::Int(runs(r, rows, count)))
        }
        Column::Sequence(SequenceColumn::Float(r)) => {
            Column::Sequence(SequenceColumn::Float(runs(r, rows, count)))
        }
    }
}

/// Meaningless data of a type, for calls that are made in no row.
pub(super) fn blank(ty: Ty, count: usize) -> Data<'static> {
    fn empty<T: Clone>(count: usize) -> Runs<'static, T> {
        let mut rows = Ragged::with_capacity(count, 0);
        (0..count).for_each(|_| rows.push(&[]));
        Runs::many(rows)
    }
    match ty {
        Ty::Bool => Data::Bool(Lane::many(vec![false; count])),
        Ty::Int => Data::Int(Lane::many(vec![0; count])),
        Ty::Float => Data::Float(Lane::many(vec![0.0; count])),
        Ty::Number => Data::Number(Lane::many(vec![Number::Int(0); count])),
        Ty::Text => Data::Text(empty(count)),
        Ty::Sequence(Element::Bool) => Data::Bools(empty(count)),
        Ty::Sequence(Element::Int | Element::Nothing) => Data::Ints(empty(count)),
        Ty::Sequence(Element::Float) => Data::Floats(empty(count)),
    }
}
