//! Choices among relations that are given by the mutants that they kill.

use std::convert::Infallible;

use dodona_inference::discovery::Origin;

use super::*;

/// A relation of a transformation.
struct GivenRelation {
    transformation: usize,
    candidate: Candidate,
}

impl GivenRelation {
    fn contender(&self) -> Contender<'_> {
        let GivenRelation { transformation, candidate } = self;
        Contender { transformation: Some(*transformation), candidate, killed: &candidate.caught }
    }
}

/// A relation with so many nodes that kills these mutants.
fn given(transformation: usize, size: usize, killed: impl IntoIterator<Item = usize>) -> GivenRelation {
    let candidate = Candidate {
        condition: None,
        parts: Vec::new(),
        caught: killed.into_iter().collect(),
        false_negatives: 0,
        size,
        condition_size: 0,
        origin: Origin::Enumeration,
    };
    GivenRelation { transformation, candidate }
}

const RULE: ChoiceRule =
    ChoiceRule { most: 8, least_gain: 0, shortfall: 3, representative: Some(Representative::MostForItsSize) };

/// Decides as it is told, and remembers what it was asked about.
struct Script<F> {
    answer: F,
    asked: Vec<usize>,
}

impl<F: Fn(usize) -> Ruling> Admission for Script<F> {
    type Error = Infallible;

    fn decide(&mut self, place: usize, _: &[usize]) -> Result<Ruling, Infallible> {
        self.asked.push(place);
        Ok((self.answer)(place))
    }
}

/// The choice among these relations, and the indices of the relations that were asked about.
fn chosen(
    all: &[GivenRelation],
    rule: ChoiceRule,
    answer: impl Fn(usize) -> Ruling,
) -> (ChosenSet, Vec<usize>) {
    let contenders: Vec<Contender<'_>> = all.iter().map(GivenRelation::contender).collect();
    let mut script = Script { answer, asked: Vec::new() };
    let Ok(set) = choose(&contenders, &rule, &FixedBitSet::new(), &mut script);
    (set, script.asked)
}

fn places(all: &[GivenRelation], rule: ChoiceRule) -> Vec<usize> {
    chosen(all, rule, |_| Ruling::Accepted).0.places
}

#[test]
fn what_adds_too_little_is_not_chosen() {
    let all = [given(0, 5, 0..30), given(0, 5, 20..60), given(0, 3, 60..61)];
    assert_eq!(places(&all, ChoiceRule { least_gain: 3, ..RULE }), [1, 0]);
    assert_eq!(places(&all, RULE), [1, 0, 2]);
    assert_eq!(places(&all, ChoiceRule { most: 1, ..RULE }), [1]);
}

#[test]
fn a_much_stronger_relation_of_the_same_transformation_makes_another_needless() {
    let sizes = |large| [given(0, 1, 0..10), given(large, 40, 0..16)];
    assert_eq!(places(&sizes(0), RULE), [1], "sixteen are more than one and a half times ten");
    assert_eq!(places(&sizes(1), RULE), [0, 1]);
}

#[test]
fn a_further_transformation_joins_if_it_kills_nearly_as_many() {
    let all = [given(0, 5, 0..30), given(1, 5, 0..20), given(2, 5, 0..19), given(3, 5, 0..29)];
    assert_eq!(places(&all, RULE), [0, 3, 1]);
    assert_eq!(places(&all, ChoiceRule { most: 2, ..RULE }), [0, 3]);
}

#[test]
fn the_representative_of_a_transformation_is_the_one_that_the_rule_asks_for() {
    let all = [given(0, 1, 0..30), given(1, 9, 0..29), given(1, 3, 0..28), given(1, 2, 0..22)];
    let with = |representative| places(&all, ChoiceRule { representative, ..RULE });
    assert_eq!(with(Some(Representative::MostForItsSize)), [0, 2]);
    assert_eq!(with(Some(Representative::MostKilled)), [0, 1]);
    assert_eq!(with(Some(Representative::Smallest)), [0, 3]);
}

#[test]
fn the_next_relation_of_a_transformation_takes_the_place_of_a_refuted_one() {
    let all = [given(0, 5, 0..30), given(1, 5, 0..29), given(1, 5, 0..28), given(1, 5, 0..27)];
    let (set, asked) = chosen(&all, RULE, |place| match place {
        1 | 2 => Ruling::Refuted,
        _ => Ruling::Accepted,
    });
    assert_eq!(set.places, [0, 3]);
    assert_eq!(asked, [0, 1, 2, 3]);
}

#[test]
fn after_some_refuted_relations_a_transformation_is_not_asked_again() {
    let all: Vec<GivenRelation> = (0..20).map(|i| given(0, 5, i..20)).collect();
    let (set, asked) = chosen(&all, RULE, |_| Ruling::Refuted);
    assert_eq!((set.places.len(), set.killed.count_ones(..)), (0, 0));
    assert_eq!(asked.len(), REFUTED_AT_ONCE);
}

#[test]
fn the_mutants_are_those_of_the_relations_chosen_for_what_they_add() {
    let all = [given(0, 5, 0..30), given(1, 5, (0..29).chain([40]))];
    let (set, _) = chosen(&all, ChoiceRule { least_gain: 1, ..RULE }, |_| Ruling::Accepted);
    assert_eq!(set.places, [0, 1]);
    assert_eq!(set.killed.ones().collect::<Vec<_>>(), (0..30).collect::<Vec<_>>());
}

#[test]
fn what_is_not_needed_counts_neither_as_chosen_nor_as_refuted() {
    let all: Vec<GivenRelation> = (0..20).map(|i| given(0, 5, i..20)).collect();
    let (set, asked) = chosen(&all, RULE, |_| Ruling::NotNeeded);
    assert_eq!(set.places, [0usize; 0]);
    assert!(asked.len() > REFUTED_AT_ONCE);
}

#[test]
fn what_other_relations_kill_is_no_gain() {
    let all = [given(0, 5, 0..30), given(1, 5, 30..34)];
    let contenders: Vec<Contender<'_>> = all.iter().map(GivenRelation::contender).collect();
    let rule = ChoiceRule { least_gain: 0, most: 8, shortfall: 3, representative: None };
    let before = (0..30).collect();
    let mut script = Script { answer: |_| Ruling::Accepted, asked: Vec::new() };
    let Ok(set) = choose(&contenders, &rule, &before, &mut script);
    assert_eq!(set.places, [1]);
    assert_eq!(set.killed.count_ones(..), 34);
}
