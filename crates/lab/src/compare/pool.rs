//! The inputs of all suites, each once.

use std::collections::HashMap;

use dodona_subject::{Column, Function};

/// Inputs of one function, numbered in the order in which they first came.
pub(super) struct Pool {
    /// As the relation language writes them: equal text, equal bits.
    numbers: HashMap<String, usize>,
    columns: Vec<Column>,
}

impl Pool {
    pub(super) fn new(function: &Function) -> Pool {
        let columns = function.parameters.iter().map(|parameter| Column::empty(parameter.ty)).collect();
        Pool { numbers: HashMap::new(), columns }
    }

    /// How many different inputs there are.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The inputs, a column a parameter.
    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The number of each of some inputs, a column a parameter; new ones are added.
    pub(super) fn add(&mut self, columns: &[Column], rows: usize) -> Vec<usize> {
        (0..rows).map(|row| self.add_row(columns, row)).collect()
    }

    fn add_row(&mut self, columns: &[Column], row: usize) -> usize {
        let values: Vec<_> = columns.iter().map(|column| column.value(row)).collect();
        let key = values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let next = self.numbers.len();
        *self.numbers.entry(key).or_insert_with(|| {
            self.columns.iter_mut().zip(&values).for_each(|(column, value)| column.push(value));
            next
        })
    }
}
