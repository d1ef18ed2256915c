//! The final choice among relations whose kills are given.

use std::sync::Arc;

use dodona_evolution::discovery::{Candidate, Origin};
use dodona_relations::parse;

use super::*;
use crate::chosen::ChosenBy;

/// A relation of a transformation; `number` makes its text unique.
fn measured(
    number: usize,
    transformation: usize,
    size: usize,
    killed: impl Iterator<Item = usize>,
) -> Measured {
    let mut file = parse(&format!("relation r: f(x) == {number}")).expect("a relation");
    let candidate = Candidate {
        condition: None,
        parts: Vec::new(),
        caught: FixedBitSet::new(),
        false_negatives: 0,
        size,
        condition_size: 0,
        origin: Origin::Enumeration,
    };
    let chosen = Chosen {
        by: ChosenBy::Search(transformation),
        relation: file.relations.remove(0),
        candidate: Arc::new(candidate),
    };
    Measured { chosen, killed: killed.collect() }
}

fn best(measures: &Measures, most: usize) -> Vec<String> {
    let text =
        |chosen: &Chosen| chosen.relation.to_string().trim().rsplit(' ').next().unwrap_or("").to_owned();
    let best = measures.best(&Ledger::default(), most);
    best.iter().map(text).collect()
}

#[test]
fn what_adds_most_for_its_size_is_first_and_what_adds_little_is_not_chosen() {
    let known = vec![
        measured(0, 0, 5, 0..30),
        measured(1, 0, 5, 20..60),
        measured(2, 0, 40, 0..60),
        // Adds one of sixty mutants.
        measured(3, 0, 3, 60..61),
    ];
    let measures = Measures { known };
    assert_eq!(best(&measures, 8), ["1", "0"]);
    assert_eq!(best(&measures, 1), ["1"]);
}

#[test]
fn other_transformations_join_when_they_catch_nearly_as_much() {
    let known = vec![
        measured(0, 0, 5, 0..30),
        measured(1, 0, 5, 0..29),
        measured(2, 1, 5, 0..20),
        measured(3, 2, 5, 0..19),
        measured(4, 3, 5, 0..29),
    ];
    let measures = Measures { known };
    assert_eq!(best(&measures, 8), ["0", "4", "2"]);
    assert_eq!(best(&measures, 2), ["0", "4"]);
}

#[test]
fn what_was_dropped_is_not_chosen_again() {
    let known = vec![measured(0, 0, 5, 0..9), measured(1, 0, 5, 0..3)];
    let measures = Measures { known };
    let mut ledger = Ledger::default();
    ledger.dropped(measures.known[0].chosen.relation.to_string());
    let best = measures.best(&ledger, 8);
    assert_eq!(best.len(), 1);
    assert!(best[0].relation == measures.known[1].chosen.relation);
}

#[test]
fn without_mutants_the_first_are_the_best() {
    let known = (0..3).map(|i| measured(i, 0, 5, 0..0)).collect();
    assert_eq!(best(&Measures { known }, 2), ["0", "1"]);
}

#[test]
fn a_relation_kills_what_it_killed_in_the_executions_where_there_was_no_time_to_run_it() {
    let Measured { mut chosen, .. } = measured(0, 0, 5, 0..0);
    let candidate = Candidate { caught: (2..6).collect(), ..(*chosen.candidate).clone() };
    chosen.candidate = Arc::new(candidate);
    // Mutants 4 to 9 were not run.
    let known = Measured::new(chosen, [0, 1].into_iter().collect(), &(4..10).collect());
    assert_eq!(known.killed.ones().collect::<Vec<_>>(), [0, 1, 4, 5]);
}
