//! The static order: what follows from facts, classes and layers.

use dodona_mutation::orders::{Because, MOST_ORDERED, Strength};
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

const MUTANTS: usize = 12;

/// From each mutant to each, itself included: the definition.
fn closed(mut reaches: Vec<Vec<bool>>) -> Vec<Vec<bool>> {
    for via in 0..reaches.len() {
        reaches[via][via] = true;
        let beyond = reaches[via].clone();
        for row in reaches.iter_mut().filter(|row| row[via]) {
            row.iter_mut().zip(&beyond).for_each(|(reached, further)| *reached |= further);
        }
    }
    reaches
}

fn table(size: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<bool>> {
    let mut table = vec![vec![false; size]; size];
    pairs.for_each(|(from, to)| table[from][to] = true);
    table
}

fn strengths() -> impl Strategy<Value = (Strength, Vec<(usize, usize, bool)>)> {
    let fact = (0..MUTANTS, 0..MUTANTS, any::<bool>());
    prop::collection::vec(fact, 0..40).prop_map(|facts| {
        let mut strength = Strength::new(MUTANTS);
        for &(a, b, is_same) in &facts {
            strength.stronger(a, b, if is_same { Because::SameEffect } else { Because::StrongerOnce });
        }
        (strength, facts)
    })
}

proptest! {
    #[test]
    fn what_follows_is_the_reflexive_transitive_closure((strength, facts) in strengths()) {
        let all = closed(table(MUTANTS, facts.iter().map(|&(a, b, _)| (a, b))));
        // By theorem 3 alone.
        let same = closed(table(MUTANTS, facts.iter().filter(|(_, _, same)| *same).map(|&(a, b, _)| (a, b))));
        for (a, b) in (0..MUTANTS).flat_map(|a| (0..MUTANTS).map(move |b| (a, b))) {
            let expected = match (same[a][b], all[a][b]) {
                (true, _) => Some(Because::SameEffect),
                (false, true) => Some(Because::StrongerOnce),
                (false, false) => None,
            };
            prop_assert_eq!(strength.why(a, b), expected);
            let weaker = strength.weaker(a).into_iter().find(|(weaker, _)| *weaker == b);
            prop_assert_eq!(weaker.map(|(_, because)| because), expected.filter(|_| a != b));
        }
    }

    #[test]
    fn classes_and_edges_reach_what_the_facts_do_and_no_edge_follows((strength, facts) in strengths()) {
        let all = closed(table(MUTANTS, facts.iter().map(|&(a, b, _)| (a, b))));
        let order = strength.order();
        let classes = order.classes().len();
        let reached = closed(table(classes, order.edges().iter().copied()));
        for (a, b) in (0..MUTANTS).flat_map(|a| (0..MUTANTS).map(move |b| (a, b))) {
            let (one, other) = (order.class_of(a), order.class_of(b));
            prop_assert_eq!(reached[one][other], all[a][b]);
            prop_assert_eq!(one == other, all[a][b] && all[b][a]);
            prop_assert!(order.classes()[one].contains(&a));
        }
        for &(a, b) in order.edges() {
            let between = |via: &usize| *via != a && *via != b && reached[a][*via] && reached[*via][b];
            prop_assert_eq!((0..classes).find(between), None, "{} to {} follows", a, b);
        }
        for (class, &layer) in order.layers().iter().enumerate() {
            let above = (0..classes).filter(|&other| other != class && reached[other][class]);
            prop_assert_eq!(layer, above.map(|other| order.layers()[other] + 1).max().unwrap_or(0));
        }
        let top = order.layers().iter().filter(|layer| **layer == 0).count();
        prop_assert_eq!(order.top().len(), top);
    }
}
