//! Greedy additional coverage, with a heap of gains that may be out of date.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};

use fixedbitset::FixedBitSet;

use super::path_distance;

/// Orders inputs: next comes the input that covers most elements that those before it do not, the first one between equals. This is
/// algorithm 1 of Sun et al., "Path-directed source test case generation and prioritization in metamorphic testing" (2021), section 3.2.2.
///
/// The paper does not say what to do when no remaining input adds anything. Then everything counts as uncovered again, and the choice goes
/// on among the remaining inputs, as is usual for additional coverage (Rothermel et al. 2001). Inputs that cover nothing come last.
///
/// The gain of an input can only shrink while others are chosen. So the gain is computed anew only for the input at the top of a heap, and
/// if it did not shrink, this input is chosen. The order is the same as if all gains were computed in each step.
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

/// Inputs that cover the same elements. Once one of them is chosen, the others add nothing until everything counts as uncovered again.
struct Kind<'a> {
    covers: &'a FixedBitSet,
    /// The inputs that are not chosen yet, in the order in which they were given.
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

/// Starts with nothing covered, and chooses inputs until none adds anything.
fn round(kinds: &mut [Kind<'_>], order: &mut Vec<usize>) {
    let mut covered = FixedBitSet::new();
    // The gain when it was last computed, the first input of the kind, and the index of the kind.
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
