//! Inputs of one function, each once.

use std::collections::HashMap;

use dodona_target::{Column, SequenceColumn, Signature};

/// Different inputs of one function, numbered in the order in which they first occurred.
pub struct DistinctInputs {
    /// The numbers, by the bits of the inputs.
    numbers: HashMap<Vec<u8>, usize>,
    columns: Vec<Column>,
}

impl DistinctInputs {
    /// No inputs, with a column for each parameter.
    pub fn new(function: &Signature) -> DistinctInputs {
        let columns = function.parameters.iter().map(|parameter| Column::empty(parameter.ty)).collect();
        DistinctInputs { numbers: HashMap::new(), columns }
    }

    /// How many different inputs there are.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The inputs, one column for each parameter.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The same, without a copy.
    pub fn into_columns(self) -> Vec<Column> {
        self.columns
    }

    /// The number of each of these inputs, which have one column for each parameter. New inputs are added.
    pub fn add(&mut self, columns: &[Column], rows: usize) -> Vec<usize> {
        (0..rows).map(|row| self.add_row(columns, row)).collect()
    }

    fn add_row(&mut self, columns: &[Column], row: usize) -> usize {
        let mut key = Vec::new();
        columns.iter().for_each(|column| append_bits(column, row, &mut key));
        let next = self.numbers.len();
        *self.numbers.entry(key).or_insert_with(|| {
            self.columns.iter_mut().zip(columns).for_each(|(to, from)| to.push(&from.value(row)));
            next
        })
    }
}

/// The bits of a value, preceded by its length if values differ in length. All NaNs have the same bits.
pub fn append_bits(column: &Column, row: usize, key: &mut Vec<u8>) {
    let float = |x: f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }.to_le_bytes();
    let length = |items: usize, key: &mut Vec<u8>| key.extend((items as u64).to_le_bytes());
    match column {
        Column::Bool(v) => key.push(v[row].into()),
        Column::Int(v) => key.extend(v[row].to_le_bytes()),
        Column::Float(v) => key.extend(float(v[row])),
        Column::Text(rows) => {
            length(rows.row(row).len(), key);
            key.extend(rows.row(row));
        }
        Column::Sequence(SequenceColumn::Bool(rows)) => {
            length(rows.row(row).len(), key);
            key.extend(rows.row(row).iter().map(|&b| u8::from(b)));
        }
        Column::Sequence(SequenceColumn::Int(rows)) => {
            length(rows.row(row).len(), key);
            rows.row(row).iter().for_each(|i| key.extend(i.to_le_bytes()));
        }
        Column::Sequence(SequenceColumn::Float(rows)) => {
            length(rows.row(row).len(), key);
            rows.row(row).iter().for_each(|&x| key.extend(float(x)));
        }
    }
}
