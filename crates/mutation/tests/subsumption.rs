//! Groups, dominators, scores and suites: worked examples, and the definitions beside the fast ways.

use std::collections::{BTreeMap, BTreeSet};

use dodona_mutation::orders::{KillSets, MOST_ORDERED, Subsumption};
use proptest::prelude::*;

fn order(tests: usize, rows: &[&[usize]]) -> Subsumption {
    let rows = rows.iter().map(|row| row.iter().copied());
    Subsumption::of(&KillSets::from_tests(tests, rows).expect("numbers of tests"))
}

fn dominators(order: &Subsumption) -> Vec<Vec<usize>> {
    order.dominators().map(|group| group.mutants.clone()).collect()
}

#[test]
fn worked_example() {
    // 0 and 4 are killed alike and subsume 1; 1 subsumes 2; 3 stands beside them; 5 is alive.
    let order = order(5, &[&[0], &[0, 1], &[0, 1, 2, 3], &[2, 4], &[0], &[]]);
    let groups: Vec<&[usize]> = order.groups().iter().map(|group| group.mutants.as_slice()).collect();
    assert_eq!(groups, [&[0, 4][..], &[1], &[3], &[2]]);
    assert_eq!(order.alive(), [5]);
    assert_eq!(order.group_of(4), Some(0));
    assert_eq!(order.group_of(5), None);
    assert_eq!(dominators(&order), [vec![0, 4], vec![3]]);
    assert_eq!(order.dominator_numbers(), [0, 2]);
    assert_eq!(order.disjoint_dominators(), [0, 2], "no test kills both");
    let drawn = order.order();
    assert_eq!(drawn.edges, [(0, 1), (1, 3)], "0 over 2 follows");
    assert_eq!(drawn.layers, [0, 1, 0, 2]);
    assert_eq!(drawn.left_out, 0);
    assert_eq!(order.sufficient_tests(), [0, 2]);
    assert_eq!(order.hardest(), [0, 4]);
    assert_eq!(order.by_difficulty(), [(0, 1), (4, 1), (1, 2), (3, 2), (2, 4)]);
    assert_eq!(order.score([1, 2]).killed, 1, "of the first group's tests there is none");
    assert_eq!(order.score([0, 4]).ratio(), Some(1.0));
    assert_eq!(order.score([99]).ratio(), Some(0.0), "a test that is not there");
}

#[test]
fn dominators_that_share_a_test_are_not_disjoint() {
    let order = order(4, &[&[0, 1], &[1, 2], &[3]]);
    assert_eq!(dominators(&order), [vec![2], vec![0], vec![1]]);
    assert_eq!(order.disjoint_dominators(), [0]);
}

#[test]
fn nothing_killed_nothing_to_score() {
    let order = order(2, &[&[], &[]]);
    assert_eq!(order.score([0, 1]).ratio(), None);
    assert_eq!((order.groups().len(), order.sufficient_tests().len(), order.hardest().len()), (0, 0, 0));
    assert_eq!(order.order().edges, []);
}

#[test]
fn a_test_that_later_ones_make_unnecessary_is_left_out() {
    // Test 0 kills most, but tests 1 and 2, which are needed for the last two, kill all four of its mutants as well.
    let order = order(3, &[&[0, 1], &[0, 1], &[0, 2], &[0, 2], &[1], &[2]]);
    assert_eq!(order.sufficient_tests(), [1, 2], "the dominators alone");
    // The dominators are pairs: test 0 kills four of six, and tests 1 and 2 three each.
    let rows: [&[usize]; 6] = [&[0, 1, 3], &[0, 1, 4], &[0, 2, 3], &[0, 2, 4], &[1, 5], &[2, 6]];
    let order = self::order(7, &rows);
    assert_eq!(order.dominators().len(), 6);
    assert_eq!(order.sufficient_tests(), [1, 2], "test 0 was chosen first");
}

#[test]
fn the_weakest_groups_are_left_out_of_a_large_order() {
    let rows = (1..=MOST_ORDERED + 5).map(|size| 0..size);
    let kills = KillSets::from_tests(MOST_ORDERED + 5, rows).expect("numbers of tests");
    let drawn = Subsumption::of(&kills).order();
    assert_eq!(drawn.left_out, 5);
    assert_eq!(drawn.edges, (1..MOST_ORDERED).map(|weaker| (weaker - 1, weaker)).collect::<Vec<_>>());
    assert_eq!(drawn.layers.last(), Some(&(MOST_ORDERED - 1)));
}

/// Few tests give many mutants that subsume each other, many give words of more than one block.
fn kill_matrices() -> impl Strategy<Value = (usize, Vec<BTreeSet<usize>>)> {
    prop_oneof![1..6_usize, 60..200_usize].prop_flat_map(|tests| {
        let few = prop::collection::btree_set(0..tests, 0..5.min(tests + 1));
        // The complements of small sets, which share nearly all.
        let most = few.clone().prop_map(move |missing| (0..tests).filter(|t| !missing.contains(t)).collect());
        (Just(tests), prop::collection::vec(prop_oneof![few, most], 0..40))
    })
}

/// Whether the first mutant strictly subsumes the second, as the definition says it.
fn subsumes(rows: &[BTreeSet<usize>], a: usize, b: usize) -> bool {
    !rows[a].is_empty() && rows[a].is_subset(&rows[b]) && rows[a] != rows[b]
}

fn reachable(groups: usize, edges: &[(usize, usize)]) -> Vec<Vec<bool>> {
    let mut reaches = vec![vec![false; groups]; groups];
    for &(stronger, weaker) in edges {
        reaches[stronger][weaker] = true;
    }
    for via in 0..groups {
        for from in 0..groups {
            for to in 0..groups {
                reaches[from][to] |= reaches[from][via] && reaches[via][to];
            }
        }
    }
    reaches
}

proptest! {
    #[test]
    fn groups_and_dominators_are_those_of_the_definition((tests, rows) in kill_matrices()) {
        let order = Subsumption::of(&KillSets::from_tests(tests, rows.clone()).expect("numbers of tests"));
        let mut plain: BTreeMap<&BTreeSet<usize>, Vec<usize>> = BTreeMap::new();
        for (mutant, row) in rows.iter().enumerate().filter(|(_, row)| !row.is_empty()) {
            plain.entry(row).or_default().push(mutant);
        }
        let mut groups: Vec<Vec<usize>> = order.groups().iter().map(|group| group.mutants.clone()).collect();
        for (number, group) in order.groups().iter().enumerate() {
            prop_assert!(group.mutants.iter().all(|&mutant| order.group_of(mutant) == Some(number)));
            prop_assert_eq!(group.killing().collect::<BTreeSet<_>>(), rows[group.mutants[0]].clone());
        }
        groups.sort();
        let mut expected: Vec<Vec<usize>> = plain.into_values().collect();
        expected.sort();
        prop_assert_eq!(groups, expected);
        let is_minimal = |b: usize| !rows[b].is_empty() && (0..rows.len()).all(|a| !subsumes(&rows, a, b));
        let mut minimal: Vec<usize> = dominators(&order).concat();
        minimal.sort_unstable();
        prop_assert_eq!(minimal, (0..rows.len()).filter(|&b| is_minimal(b)).collect::<Vec<_>>());
    }

    #[test]
    fn whoever_kills_all_dominators_kills_all_that_can_be_killed(
        (tests, rows) in kill_matrices(),
        chosen in prop::collection::btree_set(0..200_usize, 0..60),
    ) {
        let order = Subsumption::of(&KillSets::from_tests(tests, rows.clone()).expect("numbers of tests"));
        let score = order.score(chosen.iter().copied());
        let kills_all = rows.iter().filter(|row| !row.is_empty()).all(|row| !row.is_disjoint(&chosen));
        prop_assert_eq!(score.killed == score.dominators, kills_all);
        prop_assert_eq!(order.score(0..tests).killed, score.dominators);
    }

    #[test]
    fn the_chosen_tests_suffice_and_none_can_be_left_out((tests, rows) in kill_matrices()) {
        let order = Subsumption::of(&KillSets::from_tests(tests, rows.clone()).expect("numbers of tests"));
        let chosen = order.sufficient_tests();
        let suffices = |chosen: &[usize]| {
            rows.iter().filter(|row| !row.is_empty()).all(|row| chosen.iter().any(|test| row.contains(test)))
        };
        prop_assert!(suffices(&chosen));
        for left_out in 0..chosen.len() {
            let mut fewer = chosen.clone();
            fewer.remove(left_out);
            prop_assert!(!suffices(&fewer), "without test {}", chosen[left_out]);
        }
        prop_assert!(order.disjoint_dominators().len() <= chosen.len(), "each needs a test of its own");
    }

    #[test]
    fn reduced_edges_reach_what_the_order_does_and_none_follows((tests, rows) in kill_matrices()) {
        let order = Subsumption::of(&KillSets::from_tests(tests, rows).expect("numbers of tests"));
        let groups = order.groups();
        let drawn = order.order();
        let reaches = reachable(groups.len(), &drawn.edges);
        for (a, one) in groups.iter().enumerate() {
            for (b, other) in groups.iter().enumerate() {
                prop_assert_eq!(reaches[a][b], one.subsumes(other));
            }
        }
        for &(a, b) in &drawn.edges {
            prop_assert!((0..groups.len()).all(|via| !(reaches[a][via] && reaches[via][b])));
        }
        for (group, &layer) in drawn.layers.iter().enumerate() {
            let above = (0..groups.len()).filter(|&other| reaches[other][group]).map(|other| drawn.layers[other] + 1);
            prop_assert_eq!(layer, above.max().unwrap_or(0));
            prop_assert_eq!(layer == 0, order.dominator_numbers().contains(&group));
        }
    }
}
