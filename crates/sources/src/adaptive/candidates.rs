//! Draws random eligible inputs in blocks.

use std::ops::Range;

use dodona_target::{Column, Parameter};

use super::{AdaptiveError, Distance, Points};
use crate::{CHUNK_ROWS, Sampler, Seed};

/// If so many blocks have been drawn for one refill without enough eligible inputs, the precondition counts as almost
/// never true.
const MOST_BLOCKS: u64 = 64;

/// Draws the candidates of adaptive random testing.
pub(super) struct Candidates<F> {
    samplers: Vec<(Sampler, String)>,
    empty: Vec<Column>,
    seed: Seed,
    is_eligible: F,
    /// The index of the next block of the random streams.
    block: u64,
    /// Eligible inputs that have been drawn; those from `next` on have not been handed out yet.
    pub(super) columns: Vec<Column>,
    pub(super) points: Points,
    next: usize,
}

impl<F: Fn(&[Column]) -> Vec<bool>> Candidates<F> {
    pub(super) fn new(
        parameters: &[Parameter],
        seed: Seed,
        name: &str,
        is_eligible: F,
    ) -> Result<Self, AdaptiveError> {
        let sampler = |p: &Parameter| match Sampler::new(p.ty, &p.domain, &p.sampling) {
            Ok(sampler) => Ok((sampler, format!("{name}/{}", p.name))),
            Err(error) => Err(AdaptiveError::EmptyDomain { parameter: p.name.clone(), error }),
        };
        let samplers = parameters.iter().map(sampler).collect::<Result<_, _>>()?;
        let empty = parameters.iter().map(|p| Column::empty(p.ty)).collect();
        let (columns, points) = (Vec::new(), Points::default());
        Ok(Candidates { samplers, empty, seed, is_eligible, block: 0, columns, points, next: 0 })
    }

    /// The rows of the next `wanted` candidates in `columns` and `points`.
    pub(super) fn next(&mut self, wanted: usize, distance: &Distance) -> Result<Range<usize>, AdaptiveError> {
        if self.points.len() - self.next < wanted {
            // The few remaining inputs are dropped: appending them to the new block would cost more than drawing
            // others.
            self.refill(wanted)?;
            (self.points, self.next) = (distance.points(&self.columns), 0);
        }
        self.next += wanted;
        Ok(self.next - wanted..self.next)
    }

    fn refill(&mut self, wanted: usize) -> Result<(), AdaptiveError> {
        self.columns.clone_from(&self.empty);
        let blocks = MOST_BLOCKS + 2 * wanted.div_ceil(CHUNK_ROWS) as u64;
        for _ in 0..blocks {
            let block = self.draw();
            let eligible = (self.is_eligible)(&block);
            let rows: Vec<u32> = (0..CHUNK_ROWS as u32).filter(|&row| eligible[row as usize]).collect();
            self.append(&block, &rows);
            if self.columns[0].len() >= wanted {
                return Ok(());
            }
        }
        let drawn = blocks * CHUNK_ROWS as u64;
        Err(AdaptiveError::Precondition { eligible: self.columns[0].len(), drawn })
    }

    fn draw(&mut self) -> Vec<Column> {
        let block = self.block;
        self.block += 1;
        let column = |(sampler, stream): &(Sampler, String)| {
            sampler.column(&mut self.seed.stream(stream, block), CHUNK_ROWS)
        };
        self.samplers.iter().map(column).collect()
    }

    fn append(&mut self, block: &[Column], rows: &[u32]) {
        for (to, from) in self.columns.iter_mut().zip(block) {
            match to.is_empty() {
                true => *to = from.select(rows),
                false => rows.iter().for_each(|&row| to.push(&from.value(row as usize))),
            }
        }
    }
}
