//! The final choice among relations whose kills are given.

use std::sync::Arc;

use dodona_inference::discovery::{Candidate, Origin};
use dodona_relations::parse;

use super::*;
use crate::chosen::{ChosenBy, Form, FormKind};

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
    Measured { chosen, killed: killed.collect(), is_complete: true }
}

/// A law that kills these mutants.
fn law(number: usize, killed: impl Iterator<Item = usize>) -> Measured {
    let Measured { chosen, killed, is_complete } = measured(number, 0, 5, killed);
    let (name, words) = (format!("law_{number}"), String::new());
    let form = Form { kind: FormKind::Law, name, words, held: 100, ineligible: 0 };
    Measured { chosen: Chosen { by: ChosenBy::Form(Arc::new(form)), ..chosen }, killed, is_complete }
}

fn best(measures: &Measures, most: usize) -> Vec<String> {
    let text =
        |chosen: &Chosen| chosen.relation.to_string().trim().rsplit(' ').next().unwrap_or("").to_owned();
    let best = measures.best(&Ledger::default(), most, &|_| true);
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
    let best = measures.best(&ledger, 8, &|_| true);
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

#[test]
fn laws_come_first_and_are_told_even_if_they_add_nothing() {
    let known = vec![measured(0, 0, 5, 0..30), law(1, 0..10), law(2, 0..40), law(3, 0..0)];
    let measures = Measures { known };
    // The first adds nothing to the second. The last catches nothing at all.
    assert_eq!(best(&measures, 8), ["1", "2"]);
}

#[test]
fn a_law_that_there_was_no_time_to_run_on_all_mutants_is_told_behind_those_that_are_known_to_kill() {
    let cut = |law: Measured| Measured { is_complete: false, ..law };
    let known = vec![measured(0, 0, 5, 0..30), law(1, 0..10), cut(law(2, 0..0)), law(3, 0..0)];
    assert_eq!(best(&Measures { known }, 8), ["1", "2", "0"]);
    // What a search found has the mutants that it killed in the recorded executions, or it is nothing.
    let known = vec![law(1, 0..10), cut(measured(0, 0, 5, 0..0))];
    assert_eq!(best(&Measures { known }, 8), ["1"]);
}

#[test]
fn of_more_laws_than_there_is_room_for_those_that_kill_the_most_are_told() {
    let known = vec![law(0, 0..2), law(1, 0..0), law(2, 0..40), law(3, 0..20), law(4, 40..50)];
    let measures = Measures { known };
    // 2 and 4 add to each other. In the list the laws keep their order.
    assert_eq!(best(&measures, 2), ["2", "4"]);
    assert_eq!(best(&measures, 3), ["2", "3", "4"]);
    assert_eq!(best(&measures, 4), ["0", "2", "3", "4"]);
}

#[test]
fn laws_that_add_nothing_are_told_as_long_as_a_list_is_read_at_a_glance() {
    let laws = |count| (0..count).map(|number| law(number, 0..40)).collect();
    assert_eq!(best(&Measures { known: laws(20) }, 24).len(), TEXTBOOK_ROOM);
    let adding = (0..20).map(|number| law(number, 2 * number..2 * number + 2)).collect();
    assert_eq!(best(&Measures { known: adding }, 24).len(), 20);
}

#[test]
fn what_is_left_out_is_counted_with_what_it_would_catch() {
    let known = vec![law(0, 0..40), measured(1, 0, 5, 38..45), measured(2, 0, 5, 0..10)];
    let measures = Measures { known };
    let is_listed = |chosen: &Chosen| chosen.is_textbook();
    let best = measures.best(&Ledger::default(), 8, &is_listed);
    let left_out = measures.left_out(&Ledger::default(), (&best, 8), &is_listed);
    assert_eq!(left_out, LeftOut { unreadable: 1, unreadable_catch: 5, without_room: 0 });
}

#[test]
fn a_relation_that_adds_much_takes_the_place_of_a_law_that_adds_nothing() {
    let beside_laws = |other| Measures { known: vec![law(0, 0..40), law(1, 0..30), law(2, 0..20), other] };
    // Seven of 47 mutants are much, two of 42 are some.
    let much = beside_laws(measured(3, 0, 5, 40..47));
    assert_eq!(best(&much, 3), ["0", "1", "3"]);
    let some = beside_laws(measured(3, 0, 5, 40..42));
    assert_eq!(best(&some, 3), ["0", "1", "3"]);
    assert_eq!(best(&some, 4), ["0", "1", "2", "3"]);
    // A single mutant is often killed by chance.
    let little = beside_laws(measured(3, 0, 5, 40..41));
    assert_eq!(best(&little, 4), ["0", "1", "2"]);
}
