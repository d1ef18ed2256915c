//! A small set of tests that kills all mutants that can be killed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fixedbitset::FixedBitSet;

/// Numbers below `tests` such that each set contains one of them and none can be left out. They are chosen greedily and given
/// in the order of the choice.
///
/// The gain of a test only gets smaller while other tests are chosen. So if a test still has the greatest gain after its gain
/// is computed again, it is the one to choose.
pub(super) fn cover(tests: usize, sets: &[&FixedBitSet]) -> Vec<usize> {
    let columns = transposed(tests, sets);
    let mut covered = FixedBitSet::with_capacity(sets.len());
    let gain = |(test, column): (usize, &FixedBitSet)| (column.count_ones(..), Reverse(test));
    let mut heap: BinaryHeap<(usize, Reverse<usize>)> = columns.iter().enumerate().map(gain).collect();
    let mut chosen = Vec::new();
    while let Some((gain, Reverse(test))) = heap.pop() {
        match columns[test].difference_count(&covered) {
            0 => {}
            now if now < gain => heap.push((now, Reverse(test))),
            _ => {
                covered.union_with(&columns[test]);
                chosen.push(test);
            }
        }
    }
    without_unnecessary(chosen, &columns, sets.len())
}

/// The choice without tests whose sets the other tests cover too. Of two tests that could replace each other, the later one is
/// kept.
fn without_unnecessary(chosen: Vec<usize>, columns: &[FixedBitSet], sets: usize) -> Vec<usize> {
    let mut times = vec![0_u32; sets];
    for &test in &chosen {
        columns[test].ones().for_each(|set| times[set] += 1);
    }
    let is_needed = |&test: &usize| {
        let is_needed = columns[test].ones().any(|set| times[set] == 1);
        if !is_needed {
            columns[test].ones().for_each(|set| times[set] -= 1);
        }
        is_needed
    };
    chosen.into_iter().filter(is_needed).collect()
}

/// For each number the sets that contain it.
fn transposed(tests: usize, sets: &[&FixedBitSet]) -> Vec<FixedBitSet> {
    let mut columns = vec![FixedBitSet::with_capacity(sets.len()); tests];
    for (place, set) in sets.iter().enumerate() {
        set.ones().for_each(|test| columns[test].insert(place));
    }
    columns
}
