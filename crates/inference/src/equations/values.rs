//! The values of a term in recorded executions.

use std::hash::{Hash, Hasher};

use super::equation_tuning::ROUNDED_BITS;
use crate::discovery::Operator;
use crate::rounding::rounding;
use dodona_relations::plan::Op;
use dodona_target::{Column, SequenceColumn};
use rustc_hash::FxHasher;

/// The values of a term, some of which may be undefined.
#[derive(Clone, Debug)]
pub struct Values {
    column: Column,
    /// For each row a number that is the same for equal values. `None` where the term has no value.
    marks: Vec<Option<u64>>,
}

impl Values {
    /// Values, together with the rows in which the term has a value.
    ///
    /// # Panics
    /// When the numbers of rows differ.
    pub fn new(column: Column, defined: &[bool]) -> Values {
        assert_eq!(column.len(), defined.len());
        let almost_zero = match &column {
            Column::Float(values) => rounding(values),
            Column::Sequence(SequenceColumn::Float(values)) => rounding(values.items()),
            _ => 0.0,
        };
        let marks =
            (0..column.len()).map(|row| defined[row].then(|| mark(&column, row, almost_zero))).collect();
        Values { column, marks }
    }

    /// The column of values. In a row without a value it has an arbitrary one.
    pub fn column(&self) -> &Column {
        &self.column
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.marks.len()
    }

    /// The rows in which there is a value.
    pub fn defined(&self) -> impl Iterator<Item = bool> + '_ {
        self.marks.iter().map(Option::is_some)
    }

    /// How many rows have a value.
    pub fn defined_rows(&self) -> usize {
        self.defined().filter(|is_defined| *is_defined).count()
    }

    /// Whether all values are equal.
    pub fn is_constant(&self) -> bool {
        let mut marks = self.marks.iter().flatten();
        marks.next().is_some_and(|first| marks.all(|mark| mark == first))
    }

    /// Whether the values are equal to the others in each row in which the term has one.
    pub fn agrees_within(&self, others: &Values) -> bool {
        self.marks.iter().zip(&others.marks).all(|(a, b)| a.is_none() || a == b)
    }

    /// For each row, whether both have a value there and the two are equal.
    pub fn agreement<'a>(&'a self, others: &'a Values) -> impl Iterator<Item = bool> + 'a {
        self.marks.iter().zip(&others.marks).map(|(a, b)| a.is_some() && a == b)
    }

    /// A key that is the same for columns of equal values.
    pub fn key(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.marks.hash(&mut hasher);
        hasher.finish()
    }

    /// A key that is the same for columns whose values are equal in these rows. `None` if the term has a value in fewer than
    /// 1/`least_share` of them.
    pub(super) fn key_within(&self, rows: &[bool], least_share: usize) -> Option<u64> {
        let mut hasher = FxHasher::default();
        let mut defined = 0;
        for (mark, _) in self.marks.iter().zip(rows).filter(|(_, is_within)| **is_within) {
            defined += usize::from(mark.is_some());
            mark.hash(&mut hasher);
        }
        (defined * least_share >= rows.len()).then(|| hasher.finish())
    }

    /// The rows in which a truth value is true.
    pub(super) fn truths(&self) -> impl Iterator<Item = bool> + '_ {
        let is_true = |row: usize| matches!(&self.column, Column::Bool(values) if values[row]);
        self.marks.iter().enumerate().map(move |(row, mark)| mark.is_some() && is_true(row))
    }

    /// The rows in which there is a text or a sequence that is not empty.
    pub(super) fn has_items(&self) -> Vec<bool> {
        let lengths = Values::applied(Operator::Len.op(), &[self]);
        let Column::Int(counts) = lengths.column() else { unreachable!("lengths are integers") };
        counts.iter().zip(lengths.defined()).map(|(count, is_defined)| is_defined && *count > 0).collect()
    }

    /// Whether each number is at most the other one in its row, wherever both have a value.
    pub(super) fn is_at_most(&self, others: &Values) -> bool {
        Values::applied(Operator::LessEqual.op(), &[self, others]).are_true()
    }

    /// Whether truth values are true wherever they are defined.
    pub(super) fn are_true(&self) -> bool {
        self.defined().zip(self.truths()).all(|(is_defined, is_true)| is_true || !is_defined)
    }

    /// The values of an operation.
    pub(super) fn applied(op: Op, operands: &[&Values]) -> Values {
        let columns: Vec<&Column> = operands.iter().map(|values| &values.column).collect();
        let (column, mut defined) = dodona_relations::plan::apply(op, &columns);
        for operand in operands {
            defined.iter_mut().zip(operand.defined()).for_each(|(all, one)| *all &= one);
        }
        Values::new(column, &defined)
    }
}

fn mark(column: &Column, row: usize, almost_zero: f64) -> u64 {
    let mut hasher = FxHasher::default();
    match column {
        Column::Bool(values) => values[row].hash(&mut hasher),
        Column::Int(values) => values[row].hash(&mut hasher),
        Column::Float(values) => rounded(values[row], almost_zero).hash(&mut hasher),
        Column::Text(values) => values.row(row).hash(&mut hasher),
        Column::Sequence(SequenceColumn::Bool(values)) => values.row(row).hash(&mut hasher),
        Column::Sequence(SequenceColumn::Int(values)) => values.row(row).hash(&mut hasher),
        Column::Sequence(SequenceColumn::Float(values)) => {
            values.row(row).iter().for_each(|x| rounded(*x, almost_zero).hash(&mut hasher));
        }
    }
    hasher.finish()
}

/// The digits of a float that rounding does not change. All NaNs are one value, and so are both zeros and what is almost zero among the
/// other values.
fn rounded(x: f64, almost_zero: f64) -> u64 {
    match x {
        _ if x.is_nan() => u64::MAX,
        _ if x.abs() <= almost_zero => 0,
        _ => x.to_bits().wrapping_add(1 << (ROUNDED_BITS - 1)) >> ROUNDED_BITS,
    }
}
