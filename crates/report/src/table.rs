//! Small tables of text: the first column to the left, numbers to the right.

use std::fmt;

use crate::Styles;
use crate::text::{Styled, widest};

/// Rows of cells with a line of headings.
pub(crate) struct Table {
    headings: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub(crate) fn new(headings: &[&'static str]) -> Self {
        Table { headings: headings.to_vec(), rows: Vec::new() }
    }

    /// Adds a row of as many cells as there are headings.
    pub(crate) fn push(&mut self, row: Vec<String>) {
        debug_assert_eq!(row.len(), self.headings.len());
        self.rows.push(row);
    }

    /// Leaves out those of some columns that have a 0 in every row: nobody misses them.
    pub(crate) fn without_zeros(mut self, of: &[&str]) -> Self {
        for column in (0..self.headings.len()).rev() {
            if of.contains(&self.headings[column]) && self.rows.iter().all(|row| row[column] == "0") {
                self.headings.remove(column);
                self.rows.iter_mut().for_each(|row| drop(row.remove(column)));
            }
        }
        self
    }

    /// Writes it, two blanks in.
    pub(crate) fn write(&self, f: &mut fmt::Formatter<'_>, styles: Styles) -> fmt::Result {
        let cells = |column: usize| widest(self.rows.iter().map(|row| &row[column]));
        let widths: Vec<usize> = (self.headings.iter().enumerate())
            .map(|(column, heading)| cells(column).max(heading.len()))
            .collect();
        let headings: Vec<String> = self.headings.iter().map(|&h| h.to_owned()).collect();
        writeln!(f, "  {}", Styled(styles.faint, line(&headings, &widths)))?;
        self.rows.iter().try_for_each(|row| writeln!(f, "  {}", line(row, &widths)))
    }
}

fn line(cells: &[String], widths: &[usize]) -> String {
    let mut out = String::new();
    for (column, (cell, &width)) in cells.iter().zip(widths).enumerate() {
        out += &match column {
            0 => format!("{cell:<width$}"),
            _ => format!("  {cell:>width$}"),
        };
    }
    out.trim_end().to_owned()
}
