//! Registers, which instructions read and write: a value for each row, or one value for all rows.

use std::borrow::Cow;

use dodona_target::{Column, Number, Ragged, Sequence, SequenceColumn, Value};

/// Scalars: one value for all rows, or one for each row.
#[derive(Clone, Debug)]
pub(crate) enum Lane<'a, T: Copy> {
    One(T),
    Many(Cow<'a, [T]>),
}

/// Sequences: one sequence for all rows, or one for each row.
#[derive(Clone, Debug)]
pub(crate) enum Runs<'a, T: Clone> {
    One(Vec<T>),
    Many(Cow<'a, Ragged<T>>),
}

/// Values of one kind, in one lane or one set of runs.
#[derive(Clone, Debug)]
pub(crate) enum Data<'a> {
    Bool(Lane<'a, bool>),
    Int(Lane<'a, i128>),
    Float(Lane<'a, f64>),
    Number(Lane<'a, Number>),
    Text(Runs<'a, u8>),
    Bools(Runs<'a, bool>),
    Ints(Runs<'a, i128>),
    Floats(Runs<'a, f64>),
}

/// The rows in which the value is defined. The data of undefined rows is meaningless.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Valid {
    All,
    Never,
    Rows(Vec<bool>),
}

/// Values, some of which may be undefined. A value that is shared by all rows is defined in all rows or in none.
#[derive(Clone, Debug)]
pub(crate) struct Register<'a> {
    pub(crate) data: Data<'a>,
    pub(crate) valid: Valid,
}

/// Evaluates the same expression for the lane or runs inside the data, whatever their kind.
macro_rules! each {
    ($data:expr, $inner:ident => $body:expr) => {
        match $data {
            Data::Bool($inner) => $body,
            Data::Int($inner) => $body,
            Data::Float($inner) => $body,
            Data::Number($inner) => $body,
            Data::Text($inner) => $body,
            Data::Bools($inner) => $body,
            Data::Ints($inner) => $body,
            Data::Floats($inner) => $body,
        }
    };
}

impl<'a, T: Copy> Lane<'a, T> {
    pub(crate) fn many(values: Vec<T>) -> Self {
        Lane::Many(Cow::Owned(values))
    }

    /// The number of rows; `None` if one value stands for all rows.
    pub(crate) fn rows(&self) -> Option<usize> {
        match self {
            Lane::One(_) => None,
            Lane::Many(values) => Some(values.len()),
        }
    }

    pub(crate) fn at(&self, row: usize) -> T {
        match self {
            Lane::One(value) => *value,
            Lane::Many(values) => values[row],
        }
    }

    pub(crate) fn borrow(&self) -> Lane<'_, T> {
        match self {
            Lane::One(value) => Lane::One(*value),
            Lane::Many(values) => Lane::Many(Cow::Borrowed(values)),
        }
    }

    pub(crate) fn map<O: Copy>(&self, f: impl Fn(T) -> O) -> Lane<'static, O> {
        match self {
            Lane::One(value) => Lane::One(f(*value)),
            Lane::Many(values) => Lane::many(values.iter().map(|v| f(*v)).collect()),
        }
    }

    fn select(&self, rows: &[u32]) -> Lane<'a, T> {
        match self {
            Lane::One(value) => Lane::One(*value),
            Lane::Many(values) => Lane::many(rows.iter().map(|&row| values[row as usize]).collect()),
        }
    }

    fn into_values(self, rows: usize) -> Vec<T> {
        match self {
            Lane::One(value) => vec![value; rows],
            Lane::Many(values) => values.into_owned(),
        }
    }
}

impl<'a, T: Clone> Runs<'a, T> {
    pub(crate) fn many(rows: Ragged<T>) -> Self {
        Runs::Many(Cow::Owned(rows))
    }

    /// The number of rows; `None` if one value stands for all rows.
    pub(crate) fn rows(&self) -> Option<usize> {
        match self {
            Runs::One(_) => None,
            Runs::Many(rows) => Some(rows.len()),
        }
    }

    /// The number of items of all rows together: the capacity that a result of similar size needs.
    pub(crate) fn item_count(&self) -> usize {
        match self {
            Runs::One(items) => items.len(),
            Runs::Many(rows) => rows.items().len(),
        }
    }

    pub(crate) fn at(&self, row: usize) -> &[T] {
        match self {
            Runs::One(items) => items,
            Runs::Many(rows) => rows.row(row),
        }
    }

    fn select(&self, rows: &[u32]) -> Runs<'a, T> {
        match self {
            Runs::One(items) => Runs::One(items.clone()),
            Runs::Many(all) => {
                let mut picked = Ragged::with_capacity(rows.len(), all.items().len());
                rows.iter().for_each(|&row| picked.push(all.row(row as usize)));
                Runs::many(picked)
            }
        }
    }

    fn into_ragged(self, rows: usize) -> Ragged<T> {
        match self {
            Runs::Many(all) => all.into_owned(),
            Runs::One(items) => {
                let mut all = Ragged::with_capacity(rows, rows * items.len());
                (0..rows).for_each(|_| all.push(&items));
                all
            }
        }
    }
}

impl Valid {
    pub(crate) fn at(&self, row: usize) -> bool {
        match self {
            Valid::All => true,
            Valid::Never => false,
            Valid::Rows(rows) => rows[row],
        }
    }

    /// The rows in which both are defined.
    pub(crate) fn and(self, other: &Valid) -> Valid {
        match (self, other) {
            (Valid::Never, _) | (_, Valid::Never) => Valid::Never,
            (valid, Valid::All) => valid,
            (Valid::All, other) => other.clone(),
            (Valid::Rows(mut a), Valid::Rows(b)) => {
                a.iter_mut().zip(b).for_each(|(a, b)| *a &= b);
                Valid::Rows(a)
            }
        }
    }

    /// All rows except the `bad` ones; `rows` is `None` if one value stands for all rows.
    pub(crate) fn except(bad: &[u32], rows: Option<usize>) -> Valid {
        match rows {
            _ if bad.is_empty() => Valid::All,
            None => Valid::Never,
            Some(rows) => {
                let mut valid = vec![true; rows];
                bad.iter().for_each(|&row| valid[row as usize] = false);
                Valid::Rows(valid)
            }
        }
    }

    fn select(&self, rows: &[u32]) -> Valid {
        match self {
            Valid::Rows(all) => Valid::Rows(rows.iter().map(|&row| all[row as usize]).collect()),
            same => same.clone(),
        }
    }
}

impl<'a> Data<'a> {
    /// The number of rows; `None` if one value stands for all rows.
    pub(crate) fn rows(&self) -> Option<usize> {
        each!(self, inner => inner.rows())
    }

    /// The value of one row.
    pub(crate) fn value(&self, row: usize) -> Value {
        match self {
            Data::Bool(l) => Value::Bool(l.at(row)),
            Data::Int(l) => Value::Int(l.at(row)),
            Data::Float(l) => Value::Float(l.at(row)),
            Data::Number(l) => match l.at(row) {
                Number::Int(i) => Value::Int(i),
                Number::Float(x) => Value::Float(x),
            },
            Data::Text(r) => Value::Text(r.at(row).into()),
            Data::Bools(r) => Value::Sequence(Sequence::Bool(r.at(row).to_vec())),
            Data::Ints(r) => Value::Sequence(Sequence::Int(r.at(row).to_vec())),
            Data::Floats(r) => Value::Sequence(Sequence::Float(r.at(row).to_vec())),
        }
    }

    /// The values as a column with this many rows, for a call.
    ///
    /// # Panics
    /// For [`Data::Number`], which mixes integers and floats: arguments must be converted to their parameter's type
    /// first.
    pub(crate) fn into_column(self, rows: usize) -> Column {
        match self {
            Data::Bool(l) => Column::Bool(l.into_values(rows)),
            Data::Int(l) => Column::Int(l.into_values(rows)),
            Data::Float(l) => Column::Float(l.into_values(rows)),
            Data::Number(_) => unreachable!("arguments have the kind of their parameter"),
            Data::Text(r) => Column::Text(r.into_ragged(rows)),
            Data::Bools(r) => Column::Sequence(SequenceColumn::Bool(r.into_ragged(rows))),
            Data::Ints(r) => Column::Sequence(SequenceColumn::Int(r.into_ragged(rows))),
            Data::Floats(r) => Column::Sequence(SequenceColumn::Float(r.into_ragged(rows))),
        }
    }
}

impl<'a> Register<'a> {
    /// A register whose values are all defined.
    pub(crate) fn new(data: Data<'a>) -> Self {
        Register { data, valid: Valid::All }
    }

    /// A register that borrows a column.
    pub(crate) fn borrowed(column: &'a Column) -> Self {
        Register::new(match column {
            Column::Bool(v) => Data::Bool(Lane::Many(Cow::Borrowed(v))),
            Column::Int(v) => Data::Int(Lane::Many(Cow::Borrowed(v))),
            Column::Float(v) => Data::Float(Lane::Many(Cow::Borrowed(v))),
            Column::Text(r) => Data::Text(Runs::Many(Cow::Borrowed(r))),
            Column::Sequence(SequenceColumn::Bool(r)) => Data::Bools(Runs::Many(Cow::Borrowed(r))),
            Column::Sequence(SequenceColumn::Int(r)) => Data::Ints(Runs::Many(Cow::Borrowed(r))),
            Column::Sequence(SequenceColumn::Float(r)) => Data::Floats(Runs::Many(Cow::Borrowed(r))),
        })
    }

    /// A register that takes over a column.
    pub(crate) fn owned(column: Column) -> Register<'static> {
        Register::new(match column {
            Column::Bool(v) => Data::Bool(Lane::many(v)),
            Column::Int(v) => Data::Int(Lane::many(v)),
            Column::Float(v) => Data::Float(Lane::many(v)),
            Column::Text(r) => Data::Text(Runs::many(r)),
            Column::Sequence(SequenceColumn::Bool(r)) => Data::Bools(Runs::many(r)),
            Column::Sequence(SequenceColumn::Int(r)) => Data::Ints(Runs::many(r)),
            Column::Sequence(SequenceColumn::Float(r)) => Data::Floats(Runs::many(r)),
        })
    }

    /// A register with one value for all rows.
    pub(crate) fn constant(value: &Value) -> Register<'static> {
        Register::new(match value {
            Value::Bool(b) => Data::Bool(Lane::One(*b)),
            Value::Int(i) => Data::Int(Lane::One(*i)),
            Value::Float(x) => Data::Float(Lane::One(*x)),
            Value::Text(t) => Data::Text(Runs::One(t.to_vec())),
            Value::Sequence(Sequence::Bool(v)) => Data::Bools(Runs::One(v.clone())),
            Value::Sequence(Sequence::Int(v)) => Data::Ints(Runs::One(v.clone())),
            Value::Sequence(Sequence::Float(v)) => Data::Floats(Runs::One(v.clone())),
        })
    }

    /// The value of one row; `None` if it is undefined.
    pub(crate) fn value(&self, row: usize) -> Option<Value> {
        self.valid.at(row).then(|| self.data.value(row))
    }

    /// The given rows, in the given order.
    pub(crate) fn select(&self, rows: &[u32]) -> Register<'a> {
        let data = match &self.data {
            Data::Bool(l) => Data::Bool(l.select(rows)),
            Data::Int(l) => Data::Int(l.select(rows)),
            Data::Float(l) => Data::Float(l.select(rows)),
            Data::Number(l) => Data::Number(l.select(rows)),
            Data::Text(r) => Data::Text(r.select(rows)),
            Data::Bools(r) => Data::Bools(r.select(rows)),
            Data::Ints(r) => Data::Ints(r.select(rows)),
            Data::Floats(r) => Data::Floats(r.select(rows)),
        };
        Register { data, valid: self.valid.select(rows) }
    }
}
