//! Small tables of text: the first column and texts to the left, numbers to the right.
//!
//! # Decisions
//! A table fits into the columns of its styles. If it is too wide, the column that is declared flexible is shortened, down to [`LEAST`] columns; numbers
//! never are. If that is not enough, its columns stand closer together, and if they still do not fit, each row becomes lines of `name: value`.

use std::fmt;

use crate::Styles;
use crate::layout::packed;
use crate::text::{Styled, clipped, widest};

/// A flexible column is not made narrower.
const LEAST: usize = 12;

/// Before the first column.
const INDENT: usize = 2;

/// The blanks between two columns: the fewer only where the table does not fit otherwise.
const GAPS: [usize; 2] = [2, 1];

/// Rows of cells with a line of headings.
pub(crate) struct Table {
    headings: Vec<&'static str>,
    rows: Vec<Vec<String>>,
    flexible: Option<&'static str>,
}

impl Table {
    /// A table without rows.
    pub(crate) fn new(headings: &[&'static str]) -> Self {
        Table { headings: headings.to_vec(), rows: Vec::new(), flexible: None }
    }

    /// The column of texts that is shortened where the table is too wide.
    pub(crate) fn flexible(self, heading: &'static str) -> Self {
        debug_assert!(self.headings.contains(&heading));
        Table { flexible: Some(heading), ..self }
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
        let fitting = |gap| Some((self.fitting(styles.width, gap)?, gap));
        match GAPS.into_iter().find_map(fitting) {
            Some((widths, gap)) => self.lines(f, &widths, gap, styles),
            None => self.records(f, styles),
        }
    }

    /// How wide each column is, so that all fit; nothing where they do not.
    fn fitting(&self, width: usize, gap: usize) -> Option<Vec<usize>> {
        let cells = |column: usize| widest(self.rows.iter().map(|row| &row[column]));
        let headings = self.headings.iter().map(|heading| heading.chars().count());
        let mut widths: Vec<usize> =
            headings.enumerate().map(|(column, heading)| cells(column).max(heading)).collect();
        let all = INDENT + widths.iter().sum::<usize>() + gap * (widths.len() - 1);
        let too_wide = all.saturating_sub(width);
        if too_wide == 0 {
            return Some(widths);
        }
        let column = self.headings.iter().position(|heading| Some(*heading) == self.flexible)?;
        let left = widths[column].checked_sub(too_wide)?;
        widths[column] = left;
        (left >= LEAST.max(self.headings[column].chars().count())).then_some(widths)
    }

    fn lines(&self, f: &mut fmt::Formatter<'_>, widths: &[usize], gap: usize, styles: Styles) -> fmt::Result {
        let headings: Vec<String> = self.headings.iter().map(|&h| h.to_owned()).collect();
        writeln!(f, "  {}", Styled(styles.faint, line(&headings, widths, gap)))?;
        let flexible = self.headings.iter().position(|heading| Some(*heading) == self.flexible);
        for row in &self.rows {
            let cell = |(column, cell): (usize, &String)| match flexible == Some(column) {
                true => clipped(cell, widths[column]),
                false => cell.clone(),
            };
            let cells: Vec<String> = row.iter().enumerate().map(cell).collect();
            writeln!(f, "  {}", line(&cells, widths, gap))?;
        }
        Ok(())
    }

    /// The first cell of each row in a line of its own, and the others below it with their headings.
    fn records(&self, f: &mut fmt::Formatter<'_>, styles: Styles) -> fmt::Result {
        for row in &self.rows {
            let last = row.len() - 1;
            let value = |(column, cell): (usize, &String)| {
                format!("{}: {cell}{}", self.headings[column], if column < last { "," } else { "" })
            };
            let values: Vec<String> = row.iter().enumerate().skip(1).map(value).collect();
            writeln!(f, "  {}: {}", self.headings[0], Styled(styles.strong, &row[0]))?;
            writeln!(f, "    {}", packed(&values, 4, styles.width))?;
        }
        Ok(())
    }
}

fn line(cells: &[String], widths: &[usize], gap: usize) -> String {
    let mut out = String::new();
    for (column, (cell, &width)) in cells.iter().zip(widths).enumerate() {
        out += &match column {
            0 => format!("{cell:<width$}"),
            _ => format!("{:gap$}{cell:>width$}", ""),
        };
    }
    out.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Shown(Table, usize);

    impl fmt::Display for Shown {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.write(f, Styles::plain().within(self.1))
        }
    }

    fn shown(width: usize) -> String {
        let mut table = Table::new(&["relation", "kills", "evidence"]).flexible("relation");
        table.push(vec!["subtraction_then_scale".to_owned(), "1,234".to_owned(), "tested".to_owned()]);
        table.push(vec!["even".to_owned(), "5".to_owned(), "proved".to_owned()]);
        Shown(table, width).to_string()
    }

    #[test]
    fn a_table_that_fits_has_whole_cells() {
        let wide = "  relation                kills  evidence\n  \
                    subtraction_then_scale  1,234    tested\n  \
                    even                        5    proved\n";
        assert_eq!(shown(41), wide);
        assert_eq!(shown(100), wide);
    }

    #[test]
    fn the_flexible_column_is_shortened_and_numbers_are_not() {
        let narrow = "  relation      kills  evidence\n  \
                      subtraction…  1,234    tested\n  \
                      even              5    proved\n";
        assert_eq!(shown(31), narrow);
    }

    #[test]
    fn columns_that_do_not_fit_stand_closer_together() {
        let close = "  relation     kills evidence\n  \
                     subtraction… 1,234   tested\n  \
                     even             5   proved\n";
        assert_eq!(shown(29), close);
    }

    #[test]
    fn what_does_not_fit_becomes_lines_of_names_and_values() {
        let records = "  relation: subtraction_then_scale\n    kills: 1,234,\n      evidence: tested\n  \
                       relation: even\n    kills: 5,\n      evidence: proved\n";
        assert_eq!(shown(28), records);
    }
}
