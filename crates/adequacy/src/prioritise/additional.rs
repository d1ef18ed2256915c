//! Greedy additional coverage with a heap of stale gains.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};

use fixedbitset::FixedBitSet;

use super::path_distance;

/// Again and again the input that covers most of what those before it do not, the first of several: algorithm 1 of Sun et
/// al., "Path-directed source test case generation and prioritization in metamorphic testing" (2021), section 3.2.2.
///
/// When no input that is left adds anything, which the paper leaves open, all counts as uncovered again and the choice
/// goes on among the rest, as is usual for additional coverage (Rothermel et al. 2001). Inputs that cover nothing come last.
///
/// What an input adds only shrinks while others are chosen, so one whose gain is still the greatest when it is looked at
/// again is the one to choose; few gains are computed anew. The order is that of the plain algorithm.
pub fn additional(inputs: &[FixedBitSet]) -> Vec<usize> {
    let mut order = Vec::with_capacity(inputs.len());
    let mut kinds = kinds(inputs);
    while !kinds.is_empty() {
        round(&mut kinds, &mut order);
        kinds.retain(|kind| !kind.inputs.is_empty());
    }
    order.extend((0..inputs.len()).filter(|&input| inputs[input].is_clear()));
    order
}

/// The inputs that cover the same: once one is chosen, the others add nothing before all counts as uncovered again.
struct Kind<'a> {
    covers: &'a FixedBitSet,
    /// In their order; those chosen are gone.
    inputs: VecDeque<usize>,
}

fn kinds(inputs: &[FixedBitSet]) -> Vec<Kind<'_>> {
    let mut kinds: Vec<Kind<'_>> = Vec::new();
    let mut known: HashMap<Vec<usize>, usize> = HashMap::new();
    for (input, covers) in inputs.iter().enumerate().filter(|(_, covers)| !covers.is_clear()) {
        let kind = *known.entry(covers.ones().collect()).or_insert(kinds.len());
        if kind == kinds.len() {
            kinds.push(Kind { covers, inputs: VecDeque::new() });
        }
        kinds[kind].inputs.push_back(input);
    }
    kinds
}

/// Chooses from nothing covered until no kind adds anything.
fn round(kinds: &mut [Kind<'_>], order: &mut Vec<usize>) {
    let mut covered = FixedBitSet::new();
    // The gain when it was last looked at, the first input of the kind, the kind.
    let entry =
        |(number, kind): (usize, &Kind<'_>)| (kind.covers.count_ones(..), Reverse(kind.inputs[0]), number);
    let mut heap: BinaryHeap<_> = kinds.iter().enumerate().map(entry).collect();
    while let Some((gain, first, number)) = heap.pop() {
        let kind = &mut kinds[number];
        match path_distance(kind.covers, &covered) {
            0 => {}
            now if now < gain => heap.push((now, first, number)),
            _ => {
                covered.union_with(kind.covers);
                order.extend(kind.inputs.pop_front());
            }
        }
    }
}
