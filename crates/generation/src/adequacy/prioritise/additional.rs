//! Greedy additional coverage.

use std::collections::{HashMap, VecDeque};

use dodona_target::greedy_cover;
use fixedbitset::FixedBitSet;

/// Orders inputs: next comes the input that covers most elements that those before it do not, the first one between equals. This is
/// algorithm 1 of Sun et al., "Path-directed source test case generation and prioritization in metamorphic testing" (2021), section 3.2.2.
///
/// The paper does not say what to do when no remaining input adds anything. Then everything counts as uncovered again, and the choice goes
/// on among the remaining inputs, as is usual for additional coverage (Rothermel et al. 2001). Inputs that cover nothing come last.
pub fn additional(inputs: &[FixedBitSet]) -> Vec<usize> {
    let mut order = Vec::with_capacity(inputs.len());
    let mut kinds = kinds(inputs);
    while !kinds.is_empty() {
        // Between equals the cover takes the first kind, which is that of the first input.
        kinds.sort_unstable_by_key(|kind| kind[0]);
        let covers: Vec<&FixedBitSet> = kinds.iter().map(|kind| &inputs[kind[0]]).collect();
        order.extend(greedy_cover(&covers).into_iter().filter_map(|kind| kinds[kind].pop_front()));
        kinds.retain(|kind| !kind.is_empty());
    }
    order.extend((0..inputs.len()).filter(|&input| inputs[input].is_clear()));
    order
}

/// Inputs that cover the same elements, in the order in which they were given. Once one of them is chosen, the others add nothing until
/// everything counts as uncovered again.
fn kinds(inputs: &[FixedBitSet]) -> Vec<VecDeque<usize>> {
    let mut kinds: HashMap<&FixedBitSet, VecDeque<usize>> = HashMap::new();
    for (input, covers) in inputs.iter().enumerate().filter(|(_, covers)| !covers.is_clear()) {
        kinds.entry(covers).or_default().push_back(input);
    }
    kinds.into_values().collect()
}
