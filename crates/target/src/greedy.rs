//! Greedy choices: again and again what is worth most.
//!
//! What is chosen has a worth that only falls while others are chosen, such as the number of elements of a set that are not
//! covered yet. So candidates wait in a heap with the worths that they had when they were last looked at, which are upper bounds.
//! If the first candidate, looked at again, is still not worth less than the bound of the next, then no other is worth more. The
//! choice is the same as if all worths were computed in each step, but few of them are (Minoux, "Accelerated greedy algorithms for
//! maximizing submodular set functions", 1978).

use std::borrow::Borrow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fixedbitset::FixedBitSet;

/// Takes the greatest candidate. `now` gives a candidate as it is now, which is not greater than the one that waits; `None` where it
/// is worth nothing and never will be.
///
/// ```
/// use dodona_target::greatest;
///
/// let mut waiting = [(9, "a"), (7, "b")].into();
/// // Of the worth of `a`, 3 is left.
/// let now = |&(worth, name): &(u32, &'static str)| Some((if name == "a" { 3 } else { worth }, name));
/// assert_eq!(greatest(&mut waiting, now), Some((7, "b")));
/// ```
pub fn greatest<C: Ord>(waiting: &mut BinaryHeap<C>, now: impl Fn(&C) -> Option<C>) -> Option<C> {
    loop {
        let Some(now) = now(&waiting.pop()?) else { continue };
        if waiting.peek().is_none_or(|next| *next <= now) {
            return Some(now);
        }
        waiting.push(now);
    }
}

/// Numbers of sets that together contain what all of them do, in the order of the choice: next comes the set that has the most
/// elements which those before it have not, the first one between equals.
///
/// ```
/// use dodona_target::greedy_cover;
/// use fixedbitset::FixedBitSet;
///
/// let sets: [FixedBitSet; 3] = [[0, 1].as_slice(), &[1, 2, 3], &[3]].map(|set| set.iter().copied().collect());
/// assert_eq!(greedy_cover(&sets), [1, 0]);
/// ```
pub fn greedy_cover(sets: &[impl Borrow<FixedBitSet>]) -> Vec<usize> {
    let mut covered = FixedBitSet::with_capacity(elements(sets));
    let gain = |set: usize, covered: &FixedBitSet| {
        let gain = sets[set].borrow().difference_count(covered);
        (gain > 0).then_some((gain, Reverse(set)))
    };
    let mut waiting: BinaryHeap<_> = (0..sets.len()).filter_map(|set| gain(set, &covered)).collect();
    let mut chosen = Vec::new();
    while let Some((_, Reverse(next))) = greatest(&mut waiting, |(_, set)| gain(set.0, &covered)) {
        covered.union_with(sets[next].borrow());
        chosen.push(next);
    }
    chosen
}

/// The chosen sets without those of which the others have every element. They are looked at in the order in which they are given,
/// so that of two that could replace each other the later one stays.
///
/// ```
/// use dodona_target::without_superfluous;
/// use fixedbitset::FixedBitSet;
///
/// let sets: [FixedBitSet; 3] = [[0, 1].as_slice(), &[0, 2], &[1, 3]].map(|set| set.iter().copied().collect());
/// assert_eq!(without_superfluous(&sets, vec![0, 1, 2]), [1, 2]);
/// ```
///
/// # Panics
/// When there is no set with a chosen number.
pub fn without_superfluous(sets: &[impl Borrow<FixedBitSet>], mut chosen: Vec<usize>) -> Vec<usize> {
    let mut times = vec![0_u32; elements(sets)];
    let of = |set: usize| sets[set].borrow().ones();
    chosen.iter().flat_map(|&set| of(set)).for_each(|element| times[element] += 1);
    chosen.retain(|&set| {
        let is_needed = of(set).any(|element| times[element] == 1);
        if !is_needed {
            of(set).for_each(|element| times[element] -= 1);
        }
        is_needed
    });
    chosen
}

/// How many elements the longest set has room for. What is compared with all sets is as long, because the difference of two sets
/// stops at the end of the shorter set.
fn elements(sets: &[impl Borrow<FixedBitSet>]) -> usize {
    sets.iter().map(|set| set.borrow().len()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn union(sets: &[FixedBitSet], chosen: &[usize]) -> FixedBitSet {
        let mut union = FixedBitSet::new();
        chosen.iter().for_each(|&set| union.union_with(&sets[set]));
        union
    }

    /// The greedy cover with all gains computed in each step.
    fn naive_cover(sets: &[FixedBitSet]) -> Vec<usize> {
        let mut chosen = Vec::new();
        loop {
            let covered = union(sets, &chosen);
            let gain = |&set: &usize| sets[set].ones().filter(|&element| !covered.contains(element)).count();
            let best = (0..sets.len()).max_by_key(|set| (gain(set), Reverse(*set)));
            match best.filter(|best| gain(best) > 0) {
                Some(best) => chosen.push(best),
                None => return chosen,
            }
        }
    }

    fn naive_without_superfluous(sets: &[FixedBitSet], mut chosen: Vec<usize>) -> Vec<usize> {
        for set in chosen.clone() {
            let others: Vec<usize> = chosen.iter().copied().filter(|&other| other != set).collect();
            if sets[set].is_subset(&union(sets, &others)) {
                chosen = others;
            }
        }
        chosen
    }

    /// Sets of different lengths, many of them equal.
    fn sets() -> impl Strategy<Value = Vec<FixedBitSet>> {
        let set = prop::collection::vec(0_usize..12, 0..5);
        prop::collection::vec(set.prop_map(|elements| elements.into_iter().collect()), 0..12)
    }

    proptest! {
        #[test]
        fn the_cover_is_that_of_all_gains_in_each_step(sets in sets()) {
            prop_assert_eq!(greedy_cover(&sets), naive_cover(&sets));
        }

        #[test]
        fn nothing_superfluous_is_left(sets in sets(), seed in any::<u64>()) {
            let mut chosen: Vec<usize> = (0..sets.len()).collect();
            chosen.sort_by_key(|&set| crate::splitmix64(seed ^ set as u64));
            let kept = without_superfluous(&sets, chosen.clone());
            prop_assert_eq!(kept, naive_without_superfluous(&sets, chosen));
        }

        /// Each choice halves the worths of some of the others.
        #[test]
        fn the_greatest_is_that_of_all_worths(mut worths in prop::collection::vec(0_u32..30, 0..12), seed in any::<u64>()) {
            let mut waiting: BinaryHeap<_> = worths.iter().copied().enumerate().map(|(i, w)| (w, Reverse(i))).collect();
            let mut chosen = Vec::new();
            let now = |worths: &[u32], i: usize| (worths[i] > 0).then_some((worths[i], Reverse(i)));
            loop {
                let open = (0..worths.len()).filter(|i| !chosen.contains(i));
                let naive = open.filter_map(|i| now(&worths, i)).max();
                prop_assert_eq!(greatest(&mut waiting, |(_, i)| now(&worths, i.0)), naive);
                let Some((_, Reverse(next))) = naive else { break };
                chosen.push(next);
                let falls = |i: usize| crate::splitmix64(seed ^ (i + 100 * next) as u64).is_multiple_of(2);
                (0..worths.len()).filter(|&i| falls(i)).for_each(|i| worths[i] /= 2);
            }
        }
    }
}
