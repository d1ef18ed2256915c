//! Which inputs are kept where more paths were found than inputs are wanted.

use std::cmp::Reverse;

use crate::adequacy::prioritise::additional;
use fixedbitset::FixedBitSet;

use super::replay::Replayed;
use super::{GenerateOptions, Made};

/// Keeps as many inputs as are wanted, those that take most branch edges which no other takes; in the order in which they were found. Where it
/// is known what the groups of an input take, that counts.
pub(super) fn select(
    options: &GenerateOptions,
    made: &mut Made,
    replayed: &mut Replayed,
    groups: Option<Vec<FixedBitSet>>,
) {
    let Some(count) = options.count else { return };
    if !options.technique.chooses() || replayed.coverage.len() <= count {
        return;
    }
    let own = || replayed.coverage.iter().map(|input| input.edges.clone()).collect();
    let kept = kept(count, &groups.unwrap_or_else(own), replayed);
    let rows: Vec<u32> = kept.iter().map(|&input| input as u32).collect();
    made.columns = made.columns.iter().map(|column| column.select(&rows)).collect();
    made.paths = kept.iter().map(|&input| made.paths[input].clone()).collect();
    replayed.coverage = kept.iter().map(|&input| replayed.coverage[input].clone()).collect();
    replayed.mismatches.retain_mut(|mismatch| {
        let place = kept.binary_search(&(mismatch.input as usize));
        mismatch.input = place.unwrap_or(0) as u64;
        place.is_ok()
    });
}

/// The inputs that are kept.
fn kept(count: usize, takes: &[FixedBitSet], replayed: &Replayed) -> Vec<usize> {
    let edges = |input: usize| &takes[input];
    // Of equally many new edges the longer way, which sees more states of the function.
    let mut longest: Vec<usize> = (0..takes.len()).collect();
    longest.sort_by_cached_key(|&input| Reverse(edges(input).count_ones(..)));
    let edges: Vec<FixedBitSet> = longest.iter().map(|&input| edges(input).clone()).collect();
    let by_coverage = additional(&edges).into_iter().map(|place| longest[place]);
    // A mistake of ours is never left out.
    let wrong = replayed.mismatches.iter().map(|mismatch| mismatch.input as usize);
    let mut kept: Vec<usize> = Vec::new();
    for input in wrong.chain(by_coverage) {
        if kept.len() < count && !kept.contains(&input) {
            kept.push(input);
        }
    }
    kept.sort_unstable();
    kept
}
