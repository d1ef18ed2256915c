//! Operators on numbers, in whichever form their columns hold them.

use std::borrow::Cow;
use std::sync::Arc;

use dodona_relations::plan::Ty;

use super::real::{self, words};
use super::wide;
use crate::discovery::column::{Block, Column, Data, both};
use crate::discovery::{Bits, Operator};
use crate::rounding::rounding;

/// A binary operator on numbers with a number as result. `ty` is the type of the result.
pub(super) fn binary(operator: Operator, ty: Ty, a: &Column, b: &Column, rows: &Bits) -> Column {
    let defined = both(&a.defined, &b.defined);
    match operator {
        // The quotient of two integers has the type `Number`, because it may be an integer.
        Operator::Divide => divide(ty == Ty::Number, a, b, defined, rows),
        _ if ty != Ty::Int => {
            let data = real::float(operator, &floats(a), &floats(b));
            Column { data: Data::Real(data), defined }
        }
        _ => integers(operator, a, b, defined, rows),
    }
}

fn integers(
    operator: Operator,
    a: &Column,
    b: &Column,
    mut defined: Option<Arc<Bits>>,
    rows: &Bits,
) -> Column {
    if let (Data::Real(x), Data::Real(y)) = (&a.data, &b.data) {
        let data = real::integer(operator, x, y);
        if real::is_exact(&data) {
            if matches!(operator, Operator::Quotient | Operator::Remainder) {
                defined = restrict(defined, not_zero(y, rows), rows);
            }
            return Column { data: Data::Real(data), defined };
        }
    }
    let (data, own) = wide::zip(operator, &wides(a), &wides(b));
    from_wide(data, restrict(defined, spread(own, rows), rows))
}

/// A column of integers in the smallest form that holds them exactly.
pub(super) fn from_wide(data: Vec<Block<i64>>, defined: Option<Arc<Bits>>) -> Column {
    let data = wide::narrow(&data).map_or(Data::Wide(data), Data::Real);
    Column { data, defined }
}

/// A quotient of integers that is an integer is computed in 64 bits and rounded only once. Columns that hold other floats were
/// rounded before.
fn divide(is_exact: bool, a: &Column, b: &Column, defined: Option<Arc<Bits>>, rows: &Bits) -> Column {
    let divisor = floats(b);
    let defined = restrict(defined, not_zero(&divisor, rows), rows);
    let data = match (&a.data, &b.data) {
        (Data::Wide(x), Data::Wide(y)) if is_exact => wide::divide(x, y),
        (Data::Wide(x), Data::Real(y)) if is_exact && holds_integers(y) => wide::divide(x, &wide::widen(y)),
        (Data::Real(x), Data::Wide(y)) if is_exact && holds_integers(x) => wide::divide(&wide::widen(x), y),
        // An integer zero has no sign, so -0 becomes 0.
        _ if is_exact => real::zip(&floats(a), &divisor, |a, b| a / b + 0.0),
        _ => real::zip(&floats(a), &divisor, |a, b| a / b),
    };
    Column { data: Data::Real(data), defined }
}

fn holds_integers(blocks: &[Block<f64>]) -> bool {
    real::is_exact(blocks) && blocks.iter().flatten().all(|x| x.trunc() == *x)
}

/// Unary minus and `abs`. `ty` is the type of the result.
pub(super) fn unary(operator: Operator, ty: Ty, a: &Column, rows: &Bits) -> Column {
    if let Data::Wide(blocks) = &a.data {
        let (data, own) = wide::map(operator, blocks);
        return from_wide(data, restrict(a.defined.clone(), spread(own, rows), rows));
    }
    let blocks = floats(a);
    let data = match operator {
        Operator::Abs => real::map(&blocks, f64::abs),
        // An integer zero has no sign, so the result is never -0.
        _ if ty == Ty::Int => real::map(&blocks, |x| 0.0 - x),
        _ => real::map(&blocks, |x| -x),
    };
    Column { data: Data::Real(data), defined: a.defined.clone() }
}

/// `== != < <= ~=` on numbers of these types. Integers beyond 2^52 are compared with floats as floats.
pub(super) fn compare(operator: Operator, types: [Ty; 2], a: &Column, b: &Column, rows: &Bits) -> Column {
    let defined = both(&a.defined, &b.defined);
    let count = rows.words().len();
    let is_exact = types == [Ty::Int, Ty::Int] && operator != Operator::Approximate;
    let found = match (&a.data, &b.data) {
        (Data::Wide(_), _) | (_, Data::Wide(_)) if is_exact => {
            compare_wide(operator, count, &wides(a), &wides(b))
        }
        _ => compare_real(operator, count, &floats(a), &floats(b)),
    };
    Column { data: Data::Bool(within(found, &defined, rows)), defined }
}

fn compare_wide(operator: Operator, count: usize, a: &[Block<i64>], b: &[Block<i64>]) -> Vec<u64> {
    match operator {
        Operator::Equal => words(count, a, b, |a, b| a == b),
        Operator::NotEqual => words(count, a, b, |a, b| a != b),
        Operator::Less => words(count, a, b, |a, b| a < b),
        _ => words(count, a, b, |a, b| a <= b),
    }
}

fn compare_real(operator: Operator, count: usize, a: &[Block<f64>], b: &[Block<f64>]) -> Vec<u64> {
    match operator {
        Operator::Equal => words(count, a, b, real::same),
        Operator::NotEqual => words(count, a, b, |a, b| !real::same(a, b)),
        Operator::Less => words(count, a, b, |a, b| a < b),
        Operator::LessEqual => words(count, a, b, |a, b| a <= b),
        _ => {
            // The first block is of correct rows.
            let rounding = rounding(a.iter().take(1).chain(b.iter().take(1)).flatten());
            words(count, a, b, |a, b| real::near(a, b, rounding))
        }
    }
}

/// The rows found, without undefined rows and without bits that stand for no row.
pub(super) fn within(found: Vec<u64>, defined: &Option<Arc<Bits>>, rows: &Bits) -> Bits {
    let found = Bits::from_words(found).zip(rows, |a, b| a & b);
    match defined {
        Some(defined) => found.zip(defined, |a, b| a & b),
        None => found,
    }
}

/// The defined rows reduced to those in `own`.
fn restrict(defined: Option<Arc<Bits>>, own: Bits, rows: &Bits) -> Option<Arc<Bits>> {
    if own.zip(rows, |own, rows| own | !rows).words().iter().all(|w| *w == u64::MAX) {
        return defined;
    }
    both(&defined, &Some(Arc::new(own)))
}

fn not_zero(divisor: &[Block<f64>], rows: &Bits) -> Bits {
    Bits::from_words(words(rows.words().len(), divisor, divisor, |b, _| b != 0.0))
}

/// Repeats the word of a single block for all blocks, if there is only one block.
fn spread(words: Vec<u64>, rows: &Bits) -> Bits {
    let count = rows.words().len();
    Bits::from_words(if words.len() == count { words } else { vec![words[0]; count] })
}

/// The numbers of a column as floats.
pub(super) fn floats(column: &Column) -> Cow<'_, [Block<f64>]> {
    match &column.data {
        Data::Real(blocks) => Cow::Borrowed(blocks),
        Data::Wide(blocks) => Cow::Owned(wide::round(blocks)),
        other => unreachable!("typed to be numbers: {other:?}"),
    }
}

fn wides(column: &Column) -> Cow<'_, [Block<i64>]> {
    match &column.data {
        Data::Wide(blocks) => Cow::Borrowed(blocks),
        Data::Real(blocks) => Cow::Owned(wide::widen(blocks)),
        other => unreachable!("typed to be integers: {other:?}"),
    }
}
