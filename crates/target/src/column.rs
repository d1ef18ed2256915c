//! Columns of values: one value a row, stored by kind, so that a relation is evaluated
//! and a function called over many samples at a time.

use crate::{Kind, Scalar, Sequence, Type, Value};

/// Rows of differing length in one allocation.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Ragged<T> {
    ends: Vec<usize>,
    items: Vec<T>,
}

impl<T: Clone> Ragged<T> {
    /// No rows.
    pub fn new() -> Self {
        Ragged { ends: Vec::new(), items: Vec::new() }
    }

    /// No rows, with room for `rows` rows of `items` items altogether.
    pub fn with_capacity(rows: usize, items: usize) -> Self {
        Ragged { ends: Vec::with_capacity(rows), items: Vec::with_capacity(items) }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The items of one row.
    ///
    /// # Panics
    /// When there is no such row.
    #[inline]
    pub fn row(&self, row: usize) -> &[T] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.items[start..self.ends[row]]
    }

    /// Every row in order.
    pub fn rows(&self) -> impl Iterator<Item = &[T]> {
        (0..self.len()).map(|row| self.row(row))
    }

    /// Appends a row.
    pub fn push(&mut self, row: &[T]) {
        self.items.extend_from_slice(row);
        self.ends.push(self.items.len());
    }

    /// Appends a row from an iterator.
    pub fn push_from(&mut self, row: impl IntoIterator<Item = T>) {
        self.items.extend(row);
        self.ends.push(self.items.len());
    }

    /// All items of all rows, one after the other.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The place in [`Ragged::items`] where each row ends.
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }

    fn select(&self, rows: &[u32]) -> Self {
        let mut out = Ragged::with_capacity(rows.len(), rows.len() * 8);
        for &row in rows {
            out.push(self.row(row as usize));
        }
        out
    }
}

/// A column of sequences.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are the kinds")]
pub enum SequenceColumn {
    Bool(Ragged<bool>),
    Int(Ragged<i128>),
    Float(Ragged<f64>),
}

impl SequenceColumn {
    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            SequenceColumn::Bool(r) => r.len(),
            SequenceColumn::Int(r) => r.len(),
            SequenceColumn::Float(r) => r.len(),
        }
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// One value a row, all of one kind.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are the kinds")]
pub enum Column {
    Bool(Vec<bool>),
    Int(Vec<i128>),
    Float(Vec<f64>),
    Text(Ragged<u8>),
    Sequence(SequenceColumn),
}

impl Column {
    /// An empty column that holds values of `ty`.
    pub fn empty(ty: Type) -> Self {
        match ty {
            Type::Scalar(s) => match s.kind() {
                Kind::Bool => Column::Bool(Vec::new()),
                Kind::Int => Column::Int(Vec::new()),
                Kind::Float => Column::Float(Vec::new()),
            },
            Type::Text => Column::Text(Ragged::new()),
            Type::Sequence(s) => Column::Sequence(match s.kind() {
                Kind::Bool => SequenceColumn::Bool(Ragged::new()),
                Kind::Int => SequenceColumn::Int(Ragged::new()),
                Kind::Float => SequenceColumn::Float(Ragged::new()),
            }),
        }
    }

    /// A column of one row.
    ///
    /// # Panics
    /// When the value is not of this type.
    pub fn one(ty: Type, value: &Value) -> Column {
        let mut column = Column::empty(ty);
        column.push(value);
        column
    }

    /// Rounds floats to single precision if the type's are.
    pub fn round_to(&mut self, ty: Type) {
        let single = |x: &mut f64| *x = f64::from(*x as f32);
        match (ty, self) {
            (Type::Scalar(Scalar::F32), Column::Float(rows)) => rows.iter_mut().for_each(single),
            (Type::Sequence(Scalar::F32), Column::Sequence(SequenceColumn::Float(rows))) => {
                rows.items.iter_mut().for_each(single);
            }
            _ => {}
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Column::Bool(v) => v.len(),
            Column::Int(v) => v.len(),
            Column::Float(v) => v.len(),
            Column::Text(r) => r.len(),
            Column::Sequence(s) => s.len(),
        }
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many elements a row has: bytes of a text, items of a sequence; a scalar is one.
    ///
    /// # Panics
    /// When there is no such row.
    #[inline]
    pub fn elements(&self, row: usize) -> usize {
        match self {
            Column::Bool(_) | Column::Int(_) | Column::Float(_) => 1,
            Column::Text(rows) => rows.row(row).len(),
            Column::Sequence(SequenceColumn::Bool(rows)) => rows.row(row).len(),
            Column::Sequence(SequenceColumn::Int(rows)) => rows.row(row).len(),
            Column::Sequence(SequenceColumn::Float(rows)) => rows.row(row).len(),
        }
    }

    /// The value of one row.
    ///
    /// # Panics
    /// When there is no such row.
    pub fn value(&self, row: usize) -> Value {
        match self {
            Column::Bool(v) => Value::Bool(v[row]),
            Column::Int(v) => Value::Int(v[row]),
            Column::Float(v) => Value::Float(v[row]),
            Column::Text(r) => Value::Text(r.row(row).into()),
            Column::Sequence(SequenceColumn::Bool(r)) => Value::Sequence(Sequence::Bool(r.row(row).to_vec())),
            Column::Sequence(SequenceColumn::Int(r)) => Value::Sequence(Sequence::Int(r.row(row).to_vec())),
            Column::Sequence(SequenceColumn::Float(r)) => {
                Value::Sequence(Sequence::Float(r.row(row).to_vec()))
            }
        }
    }

    /// Appends a value. An empty sequence fits a column of any element kind.
    ///
    /// # Panics
    /// When the value is not of the column's kind: callers check types first.
    pub fn push(&mut self, value: &Value) {
        match (self, value) {
            (Column::Bool(v), Value::Bool(x)) => v.push(*x),
            (Column::Int(v), Value::Int(x)) => v.push(*x),
            (Column::Float(v), Value::Float(x)) => v.push(*x),
            (Column::Text(r), Value::Text(x)) => r.push(x),
            (Column::Sequence(SequenceColumn::Bool(r)), Value::Sequence(Sequence::Bool(x))) => r.push(x),
            (Column::Sequence(SequenceColumn::Int(r)), Value::Sequence(Sequence::Int(x))) => r.push(x),
            (Column::Sequence(SequenceColumn::Float(r)), Value::Sequence(Sequence::Float(x))) => r.push(x),
            (Column::Sequence(s), Value::Sequence(x)) if x.is_empty() => match s {
                SequenceColumn::Bool(r) => r.push(&[]),
                SequenceColumn::Int(r) => r.push(&[]),
                SequenceColumn::Float(r) => r.push(&[]),
            },
            (column, value) => panic!("{value:?} pushed to a column of another kind: {column:?}"),
        }
    }

    /// Appends the default of the column's kind (`false`, 0, nothing): the stand-in
    /// for the output of a call that did not return.
    pub fn push_default(&mut self) {
        match self {
            Column::Bool(v) => v.push(false),
            Column::Int(v) => v.push(0),
            Column::Float(v) => v.push(0.0),
            Column::Text(r) => r.push(&[]),
            Column::Sequence(SequenceColumn::Bool(r)) => r.push(&[]),
            Column::Sequence(SequenceColumn::Int(r)) => r.push(&[]),
            Column::Sequence(SequenceColumn::Float(r)) => r.push(&[]),
        }
    }

    /// Whether a row holds the same value as a row of another column of the same kind, as `==` of the relation language
    /// has it: NaN equals NaN, and `-0.0 == 0.0`.
    ///
    /// # Panics
    /// When a row does not exist.
    pub fn same(&self, row: usize, other: &Column, other_row: usize) -> bool {
        match (self, other) {
            (Column::Bool(a), Column::Bool(b)) => a[row] == b[other_row],
            (Column::Int(a), Column::Int(b)) => a[row] == b[other_row],
            (Column::Float(a), Column::Float(b)) => crate::same_float(a[row], b[other_row]),
            (Column::Text(a), Column::Text(b)) => a.row(row) == b.row(other_row),
            _ => self.value(row) == other.value(other_row),
        }
    }

    /// The rows named, in that order.
    ///
    /// # Panics
    /// When a row does not exist.
    pub fn select(&self, rows: &[u32]) -> Column {
        fn pick<T: Copy>(v: &[T], rows: &[u32]) -> Vec<T> {
            rows.iter().map(|&row| v[row as usize]).collect()
        }
        match self {
            Column::Bool(v) => Column::Bool(pick(v, rows)),
            Column::Int(v) => Column::Int(pick(v, rows)),
            Column::Float(v) => Column::Float(pick(v, rows)),
            Column::Text(r) => Column::Text(r.select(rows)),
            Column::Sequence(s) => Column::Sequence(match s {
                SequenceColumn::Bool(r) => SequenceColumn::Bool(r.select(rows)),
                SequenceColumn::Int(r) => SequenceColumn::Int(r.select(rows)),
                SequenceColumn::Float(r) => SequenceColumn::Float(r.select(rows)),
            }),
        }
    }
}
