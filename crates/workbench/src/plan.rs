//! The plan of a check, cut into batches that threads take one by one.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// The rows of one random batch. Each batch is drawn from a stream of its own, so that the source inputs do not depend on the
/// number of threads. A batch is small enough for a column of floats to stay in the first-level cache.
pub const BATCH_ROWS: usize = 1024;

/// Source inputs that one thread runs through one relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The relation, as an index into the relations checked.
    pub(crate) relation: usize,
    /// Where the source inputs come from.
    pub(crate) origin: Origin,
    /// How many there are.
    pub rows: usize,
}

/// Where the source inputs of a batch come from. The order of the variants is the order in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub(crate) enum Origin {
    /// Source inputs that were kept from earlier violations.
    Regressions,
    /// Source inputs that were read from files or made, beginning with this row.
    Given {
        /// The first row.
        start: usize,
    },
    /// A random chunk.
    Random {
        /// Its number.
        chunk: u64,
    },
}

/// The batches of all relations: for each relation the kept ones, then the given ones, then the random ones. Each is made when
/// it is needed, because the greatest number of sources would need billions of batches.
#[derive(Clone, Debug)]
pub struct Batches {
    /// One entry for each relation.
    relations: Vec<RelationCounts>,
    /// The number of random sources of each relation.
    random: u64,
}

/// The source inputs of one relation besides the random ones.
#[derive(Clone, Copy, Debug)]
struct RelationCounts {
    kept: usize,
    given: usize,
    /// The number of batches of this relation and the relations before it.
    end: usize,
}

impl Batches {
    /// If `random` is at most [`CheckOptions::MOST_SOURCES`](crate::CheckOptions::MOST_SOURCES), no count overflows, whatever
    /// number of relations fits into memory.
    pub fn new(kept: &[usize], given: &[usize], random: u64) -> Batches {
        let mut end = 0;
        let relation = |(&kept, &given): (&usize, &usize)| {
            end += usize::from(kept > 0) + given.div_ceil(BATCH_ROWS) + chunks(random);
            RelationCounts { kept, given, end }
        };
        Batches { relations: kept.iter().zip(given).map(relation).collect(), random }
    }

    /// How many batches there are.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.relations.last().map_or(0, |last| last.end)
    }

    /// The number of source inputs of all batches.
    pub(crate) fn sources(&self) -> u64 {
        self.relations.iter().map(|r| (r.kept + r.given) as u64 + self.random).sum()
    }

    /// The batch with this number.
    pub(crate) fn get(&self, number: usize) -> Batch {
        let relation = self.relations.partition_point(|sources| sources.end <= number);
        let RelationCounts { kept, given, end } = self.relations[relation];
        // Counted from the end, because random batches come last.
        let (left, chunks) = (end - number, chunks(self.random));
        let (origin, rows) = if left <= chunks {
            let chunk = (chunks - left) as u64;
            let rows = (self.random - chunk * BATCH_ROWS as u64).min(BATCH_ROWS as u64) as usize;
            (Origin::Random { chunk }, rows)
        } else if left - chunks <= given.div_ceil(BATCH_ROWS) {
            let start = (given.div_ceil(BATCH_ROWS) - (left - chunks)) * BATCH_ROWS;
            (Origin::Given { start }, BATCH_ROWS.min(given - start))
        } else {
            (Origin::Regressions, kept)
        };
        Batch { relation, origin, rows }
    }

    /// The batches that some source inputs are in, of all that there are, one relation after the other; and which rows of the first one come before these source inputs, and up to
    /// which row of the last one they go.
    pub(crate) fn within(&self, sources: &Range<u64>) -> Within {
        let (first, skip) = self.at(sources.start);
        let (last, end) = self.at(sources.end);
        // Nothing of the last one is wanted where it begins just behind them.
        let batches = first..last + usize::from(end > 0);
        Within { batches, skip, end: if end > 0 { end } else { usize::MAX } }
    }

    /// The batch that a source input is in, and how many come before it there. Behind the last one is the number of batches.
    fn at(&self, source: u64) -> (usize, usize) {
        let (mut begin, mut number) = (source, 0);
        for &RelationCounts { kept, given, end } in &self.relations {
            let all = (kept + given) as u64 + self.random;
            if begin >= all {
                (begin, number) = (begin - all, end);
                continue;
            }
            let mut within = begin as usize;
            if within < kept {
                return (number, within);
            }
            within -= kept;
            number += usize::from(kept > 0);
            if within < given {
                return (number + within / BATCH_ROWS, within % BATCH_ROWS);
            }
            within -= given;
            return (number + given.div_ceil(BATCH_ROWS) + within / BATCH_ROWS, within % BATCH_ROWS);
        }
        (number, 0)
    }

    /// The batch of a relation with source inputs of this origin.
    pub(crate) fn of_origin(&self, relation: usize, origin: Origin) -> Option<Batch> {
        let &RelationCounts { kept, given, .. } = self.relations.get(relation)?;
        let rows = match origin {
            Origin::Regressions => kept,
            Origin::Given { start } => given.checked_sub(start)?.min(BATCH_ROWS),
            Origin::Random { chunk } => {
                let before = chunk.checked_mul(BATCH_ROWS as u64)?;
                self.random.checked_sub(before)?.min(BATCH_ROWS as u64) as usize
            }
        };
        Some(Batch { relation, origin, rows })
    }

    /// The batches of one relation.
    pub fn of(&self, relation: usize) -> impl Iterator<Item = Batch> {
        let before = relation.checked_sub(1).map_or(0, |before| self.relations[before].end);
        (before..self.relations[relation].end).map(|number| self.get(number))
    }
}

/// Where some source inputs are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Within {
    /// The numbers of their batches.
    pub(crate) batches: Range<usize>,
    /// How many rows of the first batch come before them.
    pub(crate) skip: usize,
    /// The row of the last batch that comes after them.
    pub(crate) end: usize,
}

impl Within {
    /// The rows of one of the batches, which has so many.
    pub(crate) fn rows(&self, number: usize, rows: usize) -> Range<usize> {
        let start = if number == self.batches.start { self.skip } else { 0 };
        let end = if number + 1 == self.batches.end { self.end.min(rows) } else { rows };
        start..end
    }
}

fn chunks(random: u64) -> usize {
    random.div_ceil(BATCH_ROWS as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CheckOptions;

    #[test]
    fn every_source_is_in_exactly_one_batch() {
        let plan = Batches::new(&[2, 0], &[1500, 0], 2500);
        let batches: Vec<Batch> = (0..plan.len()).map(|number| plan.get(number)).collect();
        assert_eq!(batches, plan.of(0).chain(plan.of(1)).collect::<Vec<_>>());
        for batch in &batches {
            assert_eq!(plan.of_origin(batch.relation, batch.origin).as_ref(), Some(batch));
        }
        let rows =
            |relation| batches.iter().filter(|b| b.relation == relation).map(|b| b.rows).sum::<usize>();
        assert_eq!(rows(0), 2 + 1500 + 2500);
        assert_eq!(rows(1), 2500);
        assert!(
            batches.iter().all(|b| b.rows > 0 && (b.rows <= BATCH_ROWS || b.origin == Origin::Regressions))
        );
        let first: Vec<_> = batches.iter().take(3).map(|b| b.origin).collect();
        assert_eq!(first, [Origin::Regressions, Origin::Given { start: 0 }, Origin::Given { start: 1024 }]);
        let random: Vec<_> = batches[3..].iter().map(|b| (b.relation, b.origin, b.rows)).collect();
        let chunk = |relation, chunk, rows| (relation, Origin::Random { chunk }, rows);
        let one = |relation| [chunk(relation, 0, 1024), chunk(relation, 1, 1024), chunk(relation, 2, 452)];
        assert_eq!(random, [one(0), one(1)].concat());
        assert_eq!(Batches::new(&[2, 0], &[1500, 0], 2500).sources(), 2 + 1500 + 2500 + 2500);
    }

    #[test]
    fn however_source_inputs_are_divided_each_is_in_one_part() {
        let plan = Batches::new(&[2, 0, 3], &[1500, 0, 1024], 2500);
        let all: Vec<(usize, usize)> = (0..plan.len())
            .flat_map(|number| (0..plan.get(number).rows).map(move |row| (number, row)))
            .collect();
        assert_eq!(all.len() as u64, plan.sources());
        for parts in [1, 2, 3, 7, 64, 20_000] {
            let cut = |part: u64| plan.sources() * part / parts;
            let mut found = Vec::new();
            for part in 0..parts {
                let within = plan.within(&(cut(part)..cut(part + 1)));
                for number in within.batches.clone() {
                    found.extend(within.rows(number, plan.get(number).rows).map(|row| (number, row)));
                }
            }
            assert_eq!(found, all, "{parts} parts");
        }
    }

    #[test]
    fn no_sources_are_no_batches() {
        assert_eq!(Batches::new(&[0], &[0], 0).len(), 0);
        assert_eq!(Batches::new(&[0], &[0], 0).within(&(0..0)).batches, 0..0);
        assert_eq!(Batches::new(&[], &[], 7).len(), 0);
    }

    #[test]
    fn the_most_sources_of_many_relations_can_be_counted() {
        let batches = Batches::new(&[0; 100_000], &[0; 100_000], CheckOptions::MOST_SOURCES);
        assert_eq!(batches.sources(), 100_000 * CheckOptions::MOST_SOURCES);
        let last = batches.get(batches.len() - 1);
        let Origin::Random { chunk } = last.origin else { panic!("{last:?}") };
        assert_eq!((last.relation, chunk * 1024 + last.rows as u64), (99_999, CheckOptions::MOST_SOURCES));
    }
}
