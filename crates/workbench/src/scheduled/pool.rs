//! The source inputs of one relation, sorted into their partitions.
//!
//! There is no second generator: given inputs come first, then the random ones that a check of the same seed would run, in the same order, and those that lie in another
//! partition than the wanted one wait there.

use std::collections::{HashSet, VecDeque};

use dodona_target::{Column, Value};

use super::partitions::Partitions;
use crate::append_bits;
use crate::plan::{BATCH_ROWS, Batch, Origin};
use crate::sources::{DrawnSize, Feed, SourceInputs};

/// Random source inputs that wait in a partition. More of them spare drawing where a rare partition is asked for often; fewer take less memory. Drawing one takes a microsecond,
/// and a slow program seconds.
const MOST_WAITING: usize = 8;

/// Random source inputs that are drawn in vain for a partition, one after the other, before it is given up. Every eighth value that is drawn is a special one of its type, such as
/// zero, so a class that occurs at all is found sooner by far.
const MOST_TRIED: usize = 4 * BATCH_ROWS;

/// Elements that are drawn in vain for a partition before it is given up: a second's work for sequences of millions of elements.
const MOST_ELEMENTS: usize = 1 << 24;

/// Rows that are drawn at a time.
const ROWS: usize = 64;

/// A source input and where it comes from.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) origin: Origin,
    /// The row in its batch.
    pub(super) row: usize,
    /// A column of one row for each variable.
    pub(super) columns: Vec<Column>,
}

impl Source {
    /// The value of each variable.
    pub(super) fn values(&self) -> Vec<Value> {
        self.columns.iter().map(|column| column.value(0)).collect()
    }
}

/// The source inputs of one relation.
pub(super) struct Pool<'a> {
    sources: &'a SourceInputs,
    relation: usize,
    partitions: Partitions,
    waiting: Vec<VecDeque<Source>>,
    /// The random batch that is being drawn: what is left of it, and its next row.
    drawn: Option<(Feed<'a>, usize)>,
    /// The next random batch; none where no random input is drawn.
    chunk: Option<u64>,
    /// The groups that were handed out, by the bits of their source inputs.
    handed_out: HashSet<Vec<u8>>,
}

impl<'a> Pool<'a> {
    /// The source inputs of a relation, by its place among those that are checked. `given` is how many were read or made.
    pub(super) fn new(
        sources: &'a SourceInputs,
        (relation, given): (usize, usize),
        partitions: Partitions,
        is_random: bool,
    ) -> Pool<'a> {
        let waiting = vec![VecDeque::new(); partitions.count()];
        let mut pool = Pool {
            sources,
            relation,
            partitions,
            waiting,
            drawn: None,
            chunk: is_random.then_some(0),
            handed_out: HashSet::new(),
        };
        pool.give(given);
        pool
    }

    fn give(&mut self, given: usize) {
        for start in (0..given).step_by(BATCH_ROWS) {
            let origin = Origin::Given { start };
            let batch = Batch { relation: self.relation, origin, rows: BATCH_ROWS.min(given - start) };
            let columns = self.sources.columns(&batch);
            (0..batch.rows).for_each(|row| self.keep(origin, row, &columns, row));
        }
    }

    /// A group that was not handed out yet, whose source input lies in a partition. `group` is the constant of the relation that it is for. None where none is found.
    pub(super) fn next(&mut self, partition: usize, group: usize) -> Option<Source> {
        let (mut tried, mut elements) = (0, 0);
        loop {
            while let Some(source) = self.waiting[partition].pop_front() {
                if self.handed_out.insert(key(group, &source.columns)) {
                    return Some(source);
                }
            }
            if tried >= MOST_TRIED || elements >= MOST_ELEMENTS {
                return None;
            }
            let (rows, more) = self.draw()?;
            tried += rows;
            elements += more;
        }
    }

    /// Draws some random source inputs; returns how many, and of how many elements. None where no more are drawn.
    fn draw(&mut self) -> Option<(usize, usize)> {
        let chunk = self.chunk?;
        let batch = Batch { relation: self.relation, origin: Origin::Random { chunk }, rows: BATCH_ROWS };
        let sources = self.sources;
        let (feed, start) = self.drawn.get_or_insert_with(|| (sources.feed(&batch, DrawnSize::default()), 0));
        let first = *start;
        let columns = feed.next(ROWS, BATCH_ROWS - first);
        // A relation without variables has one source input.
        let rows = columns.first().map_or(1, Column::len);
        *start += rows;
        if *start >= BATCH_ROWS {
            (self.drawn, self.chunk) = (None, chunk.checked_add(1));
        }
        let elements = columns.iter().map(|c| (0..rows).map(|row| c.elements(row)).sum::<usize>()).sum();
        (0..rows).for_each(|row| self.keep(batch.origin, first + row, &columns, row));
        Some((rows, elements))
    }

    /// Lets a source input wait in its partition. `at` is its row in the columns, `row` that in its batch.
    fn keep(&mut self, origin: Origin, row: usize, columns: &[Column], at: usize) {
        let values: Vec<Value> = columns.iter().map(|column| column.value(at)).collect();
        let waiting = &mut self.waiting[self.partitions.index(&values)];
        let is_random = matches!(origin, Origin::Random { .. });
        if !is_random || waiting.len() < MOST_WAITING {
            let columns = columns.iter().map(|column| column.select(&[at as u32])).collect();
            waiting.push_back(Source { origin, row, columns });
        }
    }
}

/// A group with its source input as a key.
fn key(group: usize, columns: &[Column]) -> Vec<u8> {
    let mut key = group.to_le_bytes().to_vec();
    columns.iter().for_each(|column| append_bits(column, 0, &mut key));
    key
}
