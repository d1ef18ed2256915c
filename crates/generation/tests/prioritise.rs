//! Orders of inputs: the paper's example, and the plain algorithm beside the fast one.

use dodona_generation::adequacy::prioritise::{
    Prioritisation, SequenceDistance, adaptive, additional, additions, by_distance, path_distance, random,
    total,
};
use fixedbitset::FixedBitSet;
use proptest::prelude::*;

fn set(members: &[usize]) -> FixedBitSet {
    members.iter().copied().collect()
}

/// Algorithm 1 of the paper as it stands there, cubic; when no input adds anything, all counts as uncovered again.
fn plain(inputs: &[FixedBitSet]) -> Vec<usize> {
    let mut rest: Vec<usize> = (0..inputs.len()).collect();
    let mut order = Vec::new();
    let mut covered = FixedBitSet::new();
    while !rest.is_empty() {
        let (mut max, mut chosen) = (0, None);
        for &t in &rest {
            let d = inputs[t].ones().filter(|&s| !covered.contains(s)).count();
            if d > max {
                (max, chosen) = (d, Some(t));
            }
        }
        match chosen {
            Some(t) => {
                covered.union_with(&inputs[t]);
                order.push(t);
                rest.retain(|&other| other != t);
            }
            None if covered.is_clear() => order.append(&mut rest),
            None => covered.clear(),
        }
    }
    order
}

/// The statements of Table 2.
fn paper() -> [FixedBitSet; 4] {
    [
        set(&[1, 2, 3, 4, 5, 16]),
        set(&[1, 2, 3, 4, 6, 7, 16]),
        set(&[1, 2, 3, 9, 10, 11, 16]),
        set(&[1, 2, 3, 9, 10, 12, 13, 16]),
    ]
}

#[test]
fn the_papers_order_and_distances() {
    let inputs = paper();
    let order = additional(&inputs);
    assert_eq!(order, [3, 1, 0, 2], "t4, t2, t1, t3");
    // The rounds of Table 3: the distance of each input that remains.
    let rounds: [&[(usize, usize)]; 4] =
        [&[(0, 6), (1, 7), (2, 7), (3, 8)], &[(0, 2), (1, 3), (2, 1)], &[(0, 1), (2, 1)], &[(2, 1)]];
    let mut covered = FixedBitSet::new();
    for (round, &chosen) in rounds.iter().zip(&order) {
        for &(input, distance) in *round {
            assert_eq!(path_distance(&inputs[input], &covered), distance, "t{} {round:?}", input + 1);
        }
        covered.union_with(&inputs[chosen]);
    }
    assert_eq!(additions(&order, &inputs), [8, 3, 1, 1]);
    assert_eq!(total(&inputs), [3, 1, 2, 0]);
}

/// The paths of Table 2, as sequences.
const PATHS: [&[u32]; 4] =
    [&[1, 2, 3, 4, 5, 16], &[1, 2, 3, 4, 6, 7, 16], &[1, 2, 3, 9, 10, 11, 16], &[1, 2, 3, 9, 10, 12, 13, 16]];

/// By hand: between 1, 2, 3 and what follows, `4 5 16`, `4 6 7 16`, `9 10 11 16` and `9 10 12 13 16` are compared. The first is the longest
/// path, t4; between equals the first input comes first.
#[test]
fn the_papers_paths_as_sequences_under_each_measure() {
    // The distances of t1-t2, t1-t3, t1-t4, t2-t3, t2-t4, t3-t4, and the order.
    let expected: [(SequenceDistance, [usize; 6], [usize; 4]); 3] = [
        // 5 -> 6, +7; 4 5 -> 9 10, +11; 4 5 -> 9 10, +12 +13; 4 6 7 -> 9 10 11; 4 6 7 -> 9 10 12, +13; 11 -> 12, +13.
        (SequenceDistance::Edit, [2, 3, 4, 3, 4, 2], [3, 0, 1, 2]),
        // 5/6, 16/7, -/16; all three and one behind; all three and two behind; three, then both end; all four and one; 11/12, 16/13 and one.
        (SequenceDistance::Hamming, [3, 4, 5, 3, 5, 3], [3, 0, 1, 2]),
        // 5 against 6 7; 4 5 against 9 10 11; against 9 10 12 13; 4 6 7 against 9 10 11; against 9 10 12 13; 11 against 12 13.
        (SequenceDistance::CommonSubsequence, [3, 5, 6, 6, 7, 3], [3, 1, 0, 2]),
    ];
    for (measure, distances, order) in expected {
        let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        let found = pairs.map(|(a, b)| measure.between(PATHS[a], PATHS[b]));
        assert_eq!(found, distances, "{measure:?}");
        assert_eq!(by_distance(measure, &PATHS, &|| true), order, "{measure:?}");
    }
}

/// The algorithm as it stands in the paper, with the distance of all pairs asked again in each round.
fn plain_by_distance(measure: SequenceDistance, paths: &[&[u32]]) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    while order.len() < paths.len() {
        let from_chosen = |t: usize| {
            let each = order.iter().map(|&other| measure.between(paths[t], paths[other]));
            each.min().unwrap_or_else(|| measure.between(paths[t], &[]))
        };
        let rest = (0..paths.len()).filter(|t| !order.contains(t));
        // `max_by_key` takes the last of equals.
        order.extend(rest.rev().max_by_key(|&t| from_chosen(t)));
    }
    order
}

proptest! {
    #[test]
    fn orders_by_distance_are_those_of_the_plain_algorithm(
        paths in prop::collection::vec(prop::collection::vec(0u32..6, 0..12), 0..12),
    ) {
        let paths: Vec<&[u32]> = paths.iter().map(|path| &path[..]).collect();
        for measure in [SequenceDistance::Edit, SequenceDistance::Hamming, SequenceDistance::CommonSubsequence] {
            prop_assert_eq!(by_distance(measure, &paths, &|| true), plain_by_distance(measure, &paths));
        }
    }
}

#[test]
fn an_order_that_is_stopped_has_what_comes_first() {
    let left = std::cell::Cell::new(4);
    let go_on = || left.replace(left.get() - 1) > 0;
    // Three pairs of the first round, one of the second.
    assert_eq!(by_distance(SequenceDistance::Edit, &PATHS, &go_on), [3, 0]);
}

#[test]
fn when_nothing_new_remains_all_counts_as_uncovered_again() {
    let inputs = [set(&[0, 1]), set(&[0, 1, 2]), set(&[]), set(&[2]), set(&[0, 1, 2]), set(&[])];
    assert_eq!(additional(&inputs), [1, 4, 0, 3, 2, 5]);
    assert_eq!(additional(&[]), [0usize; 0]);
}

#[test]
fn capacities_may_differ() {
    let mut wide = FixedBitSet::with_capacity(1000);
    wide.insert(3);
    let far = set(&[900]);
    assert_eq!(path_distance(&far, &wide), 1);
    assert_eq!(path_distance(&wide, &far), 1);
    assert_eq!(additional(&[wide.clone(), far, set(&[3])]), [0, 1, 2], "the third is the first again");
    assert_eq!(path_distance(&wide, &set(&[3])), 0);
}

#[test]
fn many_inputs_of_few_kinds_are_put_in_order_quickly() {
    // The plain algorithm would take some 10^14 steps.
    let inputs: Vec<FixedBitSet> = (0..60_000).map(|i| set(&[i % 7, 7 + i % 2, 9 + i % 3])).collect();
    let order = additional(&inputs);
    let mut sorted = order.clone();
    sorted.sort_unstable();
    assert!(sorted.into_iter().eq(0..60_000));
}

fn inputs() -> impl Strategy<Value = Vec<FixedBitSet>> {
    let statements = prop::collection::vec(0..12usize, 0..7);
    prop::collection::vec(statements, 0..40).prop_map(|inputs| inputs.iter().map(|i| set(i)).collect())
}

fn is_order(order: &[usize], inputs: usize) -> bool {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    sorted.into_iter().eq(0..inputs)
}

/// Points on a line.
fn between(points: &[f64]) -> impl FnMut(usize, usize) -> f64 {
    |a, b| (points[a] - points[b]).abs()
}

proptest! {
    #[test]
    fn the_heap_gives_the_plain_algorithms_order(inputs in inputs()) {
        prop_assert_eq!(additional(&inputs), plain(&inputs));
    }

    #[test]
    fn every_order_has_each_input_once(inputs in inputs(), seed: u64) {
        let n = inputs.len();
        let points: Vec<f64> = inputs.iter().map(|i| i.count_ones(..) as f64).collect();
        prop_assert!(is_order(&total(&inputs), n));
        prop_assert!(is_order(&random(n, seed), n));
        prop_assert!(is_order(&adaptive(n, seed, &mut between(&points), &|| true), n));
        prop_assert_eq!(random(n, seed), random(n, seed));
        let again = adaptive(n, seed, &mut between(&points), &|| true);
        prop_assert_eq!(adaptive(n, seed, &mut between(&points), &|| true), again);
    }

    #[test]
    fn total_falls_and_keeps_the_order_of_equals(inputs in inputs()) {
        let key: Vec<_> = total(&inputs).into_iter().map(|i| (std::cmp::Reverse(inputs[i].count_ones(..)), i)).collect();
        prop_assert!(key.is_sorted());
    }

    #[test]
    fn additions_sum_to_what_all_cover(inputs in inputs(), seed: u64) {
        let mut all = FixedBitSet::new();
        inputs.iter().for_each(|input| all.union_with(input));
        let sum: usize = additions(&random(inputs.len(), seed), &inputs).into_iter().sum();
        prop_assert_eq!(sum, all.count_ones(..));
    }

    #[test]
    fn with_few_inputs_the_next_is_the_farthest(points in prop::collection::vec(-50..50i32, 2..11), seed: u64) {
        // Up to ten inputs remain, so all are candidates.
        let points: Vec<f64> = points.into_iter().map(f64::from).collect();
        let order = adaptive(points.len(), seed, &mut between(&points), &|| true);
        for at in 1..order.len() {
            let nearest = |i: usize| order[..at].iter().map(|&j| (points[i] - points[j]).abs()).fold(f64::INFINITY, f64::min);
            let rest = order[at..].iter().map(|&i| nearest(i)).fold(0.0, f64::max);
            prop_assert_eq!(nearest(order[at]), rest);
        }
    }
}

#[test]
fn random_orders_are_all_equally_likely() {
    let mut seen = std::collections::BTreeMap::<Vec<usize>, u32>::new();
    (0..6000).for_each(|seed| *seen.entry(random(3, seed)).or_default() += 1);
    assert_eq!(seen.len(), 6);
    assert!(seen.values().all(|&n| (850..1150).contains(&n)), "{seen:?}");
}

#[test]
fn adaptive_orders_begin_anywhere_and_ask_little() {
    let first = |seed| adaptive(5, seed, &mut |_, _| 1.0, &|| true)[0];
    assert!((0..5).all(|input| (0..100).any(|seed| first(seed) == input)));
    let mut asked = std::collections::HashSet::new();
    adaptive(
        200,
        9,
        &mut |a, b| {
            assert!(asked.insert((a.min(b), a.max(b))), "{a} and {b} twice");
            1.0
        },
        &|| true,
    );
}

#[test]
fn an_adaptive_order_that_is_ended_is_the_beginning_of_the_whole_order() {
    let points: Vec<f64> = (0..100u32).map(|i| f64::from(i * i % 101)).collect();
    let whole = adaptive(points.len(), 4, &mut between(&points), &|| true);
    let asked = std::cell::Cell::new(0);
    let begun = adaptive(points.len(), 4, &mut between(&points), &|| asked.replace(asked.get() + 1) < 200);
    assert!((10..90).contains(&begun.len()) && whole.starts_with(&begun), "{begun:?}");
}

#[test]
fn techniques_are_written_as_on_the_command_line() {
    let all = [
        (Prioritisation::Path, "path"),
        (Prioritisation::Total, "total"),
        (Prioritisation::AdditionalBranch, "additional-branch"),
        (Prioritisation::Random, "random"),
        (Prioritisation::Adaptive, "adaptive"),
    ];
    for (technique, name) in all {
        assert_eq!(technique.to_string(), name);
        assert_eq!(serde_json::to_value(technique).expect("a string"), name);
    }
}
