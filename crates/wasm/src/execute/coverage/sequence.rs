//! The order in which a row enters blocks.
//!
//! Behind the counters of a row's notes stand a number and a list. At each step the code that counts also writes the number of its
//! counter into the list, as long as there is room. A counter is that of a block, or that of an edge with the block that only it leads to.

use std::collections::HashMap;

use super::blocks::Count;
use super::{COUNTERS, CoverageMap};

/// The blocks that a row entered, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockOrder {
    /// Their numbers in [`CoverageMap::blocks`].
    pub blocks: Vec<u32>,
    /// Whether there was no room for those that followed.
    pub is_cut: bool,
}

impl CoverageMap {
    /// The most steps of a row whose order is noted: blocks, and branches to where several lead. They take 40 kB a row, and the distance
    /// of two such orders takes some ten milliseconds, so that a hundred inputs are compared in a minute.
    pub const STEPS: u32 = 10_000;

    /// Where the order begins in a row's notes, in bytes: the number of steps in 8 bytes, then 4 bytes a step.
    pub(super) fn order_at(&self) -> u32 {
        COUNTERS + self.counters.next_multiple_of(2) * 4
    }

    /// The order of a row, from its notes.
    pub(super) fn read_order(&self, notes: &[u64]) -> Option<BlockOrder> {
        if self.steps == 0 {
            return None;
        }
        let words = &notes[self.order_at() as usize / 8..];
        let (noted, is_cut) = match words[0] {
            more if more > u64::from(self.steps) => (self.steps, true),
            all => (all as u32, false),
        };
        let step = |number: u32| (words[1 + number as usize / 2] >> (number % 2 * 32)) as u32;
        let of_counter = self.block_of_counter();
        let blocks = (0..noted).filter_map(|number| of_counter.get(&step(number)).copied()).collect();
        Some(BlockOrder { blocks, is_cut })
    }

    /// The block that is entered where a counter counts.
    fn block_of_counter(&self) -> HashMap<u32, u32> {
        let counter = |(number, block): (u32, &super::Block)| match block.count {
            Count::Counter(counter) => (counter, number),
            Count::Edge(edge) => (self.counter_of_edge(block.function, edge), number),
        };
        (0..).zip(&self.blocks).map(counter).collect()
    }
}
