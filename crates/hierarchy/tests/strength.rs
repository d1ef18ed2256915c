//! The static order: what follows from facts, classes and layers.

use dodona_hierarchy::{Because, MOST_ORDERED, Strength};
use proptest::prelude::*;

#[test]
fn facts_go_on_and_the_weaker_reason_is_told() {
    let mut strength = Strength::new(5);
    strength.same(0, 1, Because::SameEffect);
    strength.stronger(1, 2, Because::SameEffect);
    strength.stronger(2, 3, Because::StrongerOnce);
    assert_eq!(strength.why(0, 0), Some(Because::SameEffect));
    assert_eq!(strength.why(0, 2), Some(Because::SameEffect));
    assert_eq!(strength.why(0, 3), Some(Because::StrongerOnce));
    assert_eq!(strength.why(3, 0), None);
    assert!(!strength.is_stronger(4, 0) && !strength.is_stronger(0, 4));
    use Because::{SameEffect, StrongerOnce};
    assert_eq!(strength.weaker(1), [(0, SameEffect), (2, SameEffect), (3, StrongerOnce)]);
    let order = strength.order();
    assert_eq!(order.classes(), [vec![0, 1], vec![4], vec![2], vec![3]]);
    assert_eq!(order.top(), [vec![0, 1], vec![4]]);
    assert_eq!(order.layers(), [0, 0, 1, 2]);
    assert_eq!(order.edges(), [(0, 2), (2, 3)]);
    assert_eq!(order.class_of(3), 3);
}

#[test]
fn a_circle_of_facts_is_one_class() {
    let mut strength = Strength::new(3);
    (0..3).for_each(|mutant| strength.stronger(mutant, (mutant + 1) % 3, Because::StrongerOnce));
    assert_eq!(strength.order().classes(), [vec![0, 1, 2]]);
    assert_eq!(strength.order().edges(), []);
}

#[test]
fn a_long_chain_is_not_reduced_and_says_so() {
    // Also far deeper than a recursive search could go.
    let mutants = 200_000;
    let mut strength = Strength::new(mutants);
    (1..mutants).for_each(|weaker| strength.stronger(weaker - 1, weaker, Because::StrongerOnce));
    let order = strength.order();
    assert!(!order.is_reduced());
    assert_eq!((order.classes().len(), order.edges().len()), (mutants, mutants - 1));
    assert_eq!(order.layers()[mutants - 1], mutants - 1);
    assert!(strength.is_stronger(0, mutants - 1));
}

#[test]
fn classes_without_an_edge_do_not_count_as_ordered() {
    let mut strength = Strength::new(10 * MOST_ORDERED);
    for (stronger, weaker) in [(0, 1), (1, 2), (0, 2)] {
        strength.stronger(stronger, weaker, Because::StrongerOnce);
    }
    let order = strength.order();
    assert!(order.is_reduced());
    let named = |&(a, b): &(usize, usize)| (order.classes()[a][0], order.classes()[b][0]);
    assert_eq!(order.edges().iter().map(named).collect::<Vec<_>>(), [(0, 1), (1, 2)]);
}

#[test]
#[should_panic(expected = "mutants 0, 2 of 2")]
fn a_mutant_that_is_not_there_has_no_strength() {
    Strength::new(2).stronger(0, 2, Because::SameEffect);
}

proptest! {
    #[test]
    fn the_order_is_the_reflexive_transitive_closure(
        facts in prop::collection::vec((0..12_usize, 0..12_usize, any::<bool>()), 0..40),
    ) {
        let mut strength = Strength::new(12);
        // All facts, and those of theorem 3 alone.
        let mut reaches = [[[false; 12]; 12]; 2];
        for &(a, b, is_same) in &facts {
            strength.stronger(a, b, if is_same { Because::SameEffect } else { Because::StrongerOnce });
            reaches[0][a][b] = true;
            reaches[1][a][b] |= is_same;
        }
        for table in &mut reaches {
            for via in 0..12 {
                table[via][via] = true;
                for from in 0..12 {
                    for to in 0..12 {
                        table[from][to] |= table[from][via] && table[via][to];
                    }
                }
            }
        }
        let order = strength.order();
        // By classes: the reduction must reach what the closure does, and needs each of its edges.
        let classes = order.classes().len();
        let mut reached = vec![vec![false; classes]; classes];
        for (class, row) in reached.iter_mut().enumerate() {
            row[class] = true;
        }
        for &(a, b) in order.edges() {
            prop_assert!(order.layers()[a] < order.layers()[b]);
            reached[a][b] = true;
        }
        for via in 0..classes {
            for from in 0..classes {
                for to in 0..classes {
                    if via != from && via != to && reached[from][via] && reached[via][to] {
                        prop_assert!(!order.edges().contains(&(from, to)), "{from} to {to} follows");
                        reached[from][to] = true;
                    }
                }
            }
        }
        let [all, same] = reaches;
        for (a, b) in (0..12).flat_map(|a| (0..12).map(move |b| (a, b))) {
                let expected = match (same[a][b], all[a][b]) {
                    (true, _) => Some(Because::SameEffect),
                    (false, true) => Some(Because::StrongerOnce),
                    (false, false) => None,
                };
                prop_assert_eq!(strength.why(a, b), expected);
                let (one, other) = (order.class_of(a), order.class_of(b));
                prop_assert_eq!(reached[one][other], expected.is_some());
                prop_assert_eq!(one == other, all[a][b] && all[b][a]);
                prop_assert_eq!(strength.weaker(a).iter().any(|(w, _)| *w == b), a != b && expected.is_some());
        }
        let top = order.layers().iter().filter(|layer| **layer == 0).count();
        prop_assert_eq!(order.top().len(), top);
        for (class, &layer) in order.layers().iter().enumerate() {
            let is_below = (0..classes).any(|other| other != class && reached[other][class]);
            prop_assert_eq!(layer == 0, !is_below);
        }
    }
}
