//! The source inputs of a batch, a few rows at a time, because a thousand rows of long sequences would take too much memory.

use dodona_sources::{Sampler, Xoshiro256PlusPlus};
use dodona_target::{Column, SequenceColumn};

/// The rows that are drawn together have about this many elements: 16 MB as integers.
const MOST_ELEMENTS: usize = 1 << 20;

/// Short rows that are drawn together have about this many elements: 64 KB as integers. Larger blocks are given back to the system each
/// time by its allocator, and a page that is got anew takes longer than a row.
const FEW_ELEMENTS: usize = 1 << 12;

/// Rows that are drawn together if they are not too long for that, however many elements they have: a slice has its price, too.
const FEW_ROWS: usize = 64;

/// The number of rows that are drawn before their length is known.
const FIRST_ROWS: usize = 16;

/// The source inputs of a batch. They do not depend on how many are asked for at a time.
pub(crate) enum Feed<'a> {
    /// All of them at once: numbers, or rows that were read.
    Whole {
        columns: Vec<Column>,
        /// The next row.
        at: usize,
    },
    /// Sequences and texts, drawn when they are asked for.
    Drawn { streams: Vec<(&'a Sampler, Xoshiro256PlusPlus)>, size: DrawnSize },
}

/// How long the values are that were drawn so far.
#[derive(Clone, Copy, Default)]
pub(crate) struct DrawnSize {
    rows: usize,
    elements: usize,
}

impl Feed<'_> {
    /// Leaves out the next rows, of which there are so many: a batch is drawn from its first row on.
    pub(crate) fn skip(&mut self, rows: usize, left: usize) {
        let mut skipped = 0;
        while skipped < rows {
            // Rows without columns are counted by nobody.
            let drawn = self.next(rows - skipped, left - skipped);
            skipped += drawn.first().map_or(rows - skipped, Column::len);
        }
    }

    /// The next rows, one column for each variable: at least one, and at most `most` of the remaining ones.
    pub(crate) fn next(&mut self, most: usize, left: usize) -> Vec<Column> {
        match self {
            Feed::Whole { columns, at } => {
                let rows = most.min(left);
                let first = *at;
                *at += rows;
                if first == 0 && rows == left {
                    return std::mem::take(columns);
                }
                let picked: Vec<u32> = (first as u32..(first + rows) as u32).collect();
                columns.iter().map(|column| column.select(&picked)).collect()
            }
            Feed::Drawn { streams, size } => {
                let fit = size.elements.checked_div(size.rows).map_or(FIRST_ROWS, |elements| {
                    let fit = |most: usize| most / elements.max(1);
                    fit(FEW_ELEMENTS).max(FEW_ROWS).min(fit(MOST_ELEMENTS))
                });
                let next = most.min(left).min(fit.max(1));
                let drawn: Vec<Column> =
                    streams.iter_mut().map(|(sampler, stream)| sampler.column(stream, next)).collect();
                size.rows += next;
                size.elements += drawn.iter().map(elements_of).sum::<usize>();
                drawn
            }
        }
    }

    /// How long the values are that were drawn.
    pub(crate) fn drawn(&self) -> DrawnSize {
        match self {
            Feed::Whole { .. } => DrawnSize::default(),
            Feed::Drawn { size, .. } => *size,
        }
    }
}

fn elements_of(column: &Column) -> usize {
    match column {
        Column::Text(rows) => rows.items().len(),
        Column::Sequence(SequenceColumn::Bool(rows)) => rows.items().len(),
        Column::Sequence(SequenceColumn::Int(rows)) => rows.items().len(),
        Column::Sequence(SequenceColumn::Float(rows)) => rows.items().len(),
        scalars => scalars.len(),
    }
}

#[cfg(test)]
mod tests {
    use dodona_sources::Seed;
    use dodona_target::{Domain, Sampling, Type};

    use super::*;

    #[test]
    fn rows_are_the_same_however_many_are_drawn_at_a_time() {
        for ty in ["[i32]", "text", "f64", "[f64]"] {
            let ty: Type = ty.parse().expect("a type");
            let sampler = Sampler::new(ty, &Domain::default(), &Sampling::default()).expect("values");
            let stream = || Seed(7).stream("relation/x", 3);
            let whole = sampler.column(&mut stream(), 300);
            let mut feeds = vec![Feed::Whole { columns: vec![whole.clone()], at: 0 }];
            if !matches!(ty, Type::Scalar(_)) {
                feeds.push(Feed::Drawn { streams: vec![(&sampler, stream())], size: DrawnSize::default() });
            }
            for mut feed in feeds {
                let mut found = Column::empty(ty);
                for most in [1, 64, 1000, 1000, 1000, 1000, 1000, 1000] {
                    let left = 300 - found.len();
                    if left > 0 {
                        let next = feed.next(most, left);
                        (0..next[0].len()).for_each(|row| found.push(&next[0].value(row)));
                    }
                }
                assert!((0..300).all(|row| found.same(row, &whole, row)) && found.len() == 300, "{ty}");
            }
        }
    }
}
