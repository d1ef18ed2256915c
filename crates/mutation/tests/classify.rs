//! Table 4 of Kapoor 2011: which mutants are run, and what becomes of the others.

use std::collections::BTreeSet;

use dodona_mutation::orders::{Because, Class, Kill, KillSets, Member, Reason, Runs, Strength, classify};
use proptest::prelude::*;

/// Runs as a kill matrix and a matrix of conditions say.
struct Table {
    kills: Vec<BTreeSet<usize>>,
    /// By test and mutant.
    held: fn(usize, usize) -> bool,
    asked: Vec<usize>,
    open: Vec<Vec<usize>>,
}

impl Table {
    fn new(kills: Vec<BTreeSet<usize>>, held: fn(usize, usize) -> bool) -> Self {
        Table { kills, held, asked: Vec::new(), open: Vec::new() }
    }
}

impl Runs for Table {
    type Error = String;

    fn kill(&mut self, mutant: usize, open: &[usize]) -> Result<Option<Kill>, String> {
        self.asked.push(mutant);
        self.open.push(open.to_vec());
        let Some(&test) = self.kills[mutant].first() else { return Ok(None) };
        let is_killed = |other: &usize| self.kills[*other].contains(&test);
        let killed = open.iter().copied().filter(is_killed).collect();
        let held = |other: &usize| is_killed(other) || (self.held)(test, *other);
        Ok(Some(Kill { test, held: open.iter().copied().filter(held).collect(), killed }))
    }
}

fn rows(rows: &[&[usize]]) -> Vec<BTreeSet<usize>> {
    rows.iter().map(|row| row.iter().copied().collect()).collect()
}

fn member(mutant: usize, because: Reason) -> Member {
    Member { mutant, because }
}

#[test]
fn a_stronger_mutant_is_run_in_place_of_the_weaker_one() {
    let mut strength = Strength::new(4);
    strength.stronger(3, 1, Because::StrongerOnce);
    strength.same(3, 2, Because::SameEffect);
    let mut table = Table::new(rows(&[&[0], &[1], &[1], &[1]]), |_, _| false);
    let found = classify(&[0, 1, 2, 3], &strength, &mut table).expect("it runs");
    // Mutant 2 is as strong as 3, and comes first; the weaker ones are not even observed.
    assert_eq!(table.asked, [0, 2]);
    assert_eq!(table.open, [vec![1, 2, 3], vec![]]);
    let (once, same) = (Reason::Static(Because::StrongerOnce), Reason::Static(Because::SameEffect));
    let members = vec![member(1, once), member(3, same)];
    assert_eq!(found.classes[1], Class { representative: 2, test: 1, members });
    assert_eq!(found.savings(), Some(0.5));
}

#[test]
fn what_is_weaker_than_an_observed_mutant_joins_too() {
    let mut strength = Strength::new(3);
    strength.stronger(1, 2, Because::StrongerOnce);
    let mut table = Table::new(rows(&[&[0], &[0], &[]]), |_, _| false);
    let found = classify(&[0, 1, 2], &strength, &mut table).expect("it runs");
    let once = Reason::Static(Because::StrongerOnce);
    assert_eq!(found.classes[0].members, [member(1, Reason::Observed), member(2, once)]);
}

#[test]
fn a_condition_that_held_without_a_kill_leaves_the_mutant_open() {
    let mut table = Table::new(rows(&[&[0], &[1], &[0]]), |_, _| true);
    let found = classify(&[0, 1, 2], &Strength::new(3), &mut table).expect("it runs");
    assert_eq!(found.misled, [(0, 1)]);
    assert_eq!(found.classes[0].mutants().collect::<Vec<_>>(), [0, 2]);
    assert_eq!(found.classes[1].mutants().collect::<Vec<_>>(), [1]);
    assert_eq!(found.contradicted, []);
}

#[test]
fn an_observation_counts_more_than_the_static_order() {
    let mut strength = Strength::new(3);
    strength.stronger(1, 2, Because::StrongerOnce);
    let mut table = Table::new(rows(&[&[0], &[0], &[1]]), |_, _| true);
    let found = classify(&[0, 1, 2], &strength, &mut table).expect("it runs");
    assert_eq!(found.contradicted, [(0, 2)]);
    assert_eq!(found.misled, []);
    assert_eq!(found.classes[1].mutants().collect::<Vec<_>>(), [2]);
}

#[test]
fn a_mutant_alive_may_be_killed_by_the_test_of_a_later_one() {
    /// Finds a test for mutant 2 alone.
    struct Late(Vec<usize>);
    impl Runs for Late {
        type Error = String;
        fn kill(&mut self, mutant: usize, open: &[usize]) -> Result<Option<Kill>, String> {
            self.0.push(mutant);
            assert!(mutant != 2 || open == [0, 1, 3]);
            Ok((mutant == 2).then(|| Kill { test: 7, held: vec![0, 0, 9], killed: vec![0, 0, 2] }))
        }
    }
    let mut strength = Strength::new(4);
    strength.same(0, 1, Because::SameEffect);
    let mut late = Late(Vec::new());
    let found = classify(&[0, 1, 2, 3, 2], &strength, &mut late).expect("it runs");
    assert_eq!(late.0, [0, 2, 3], "mutant 1 is as strong as 0, which no test was found for");
    let same = Reason::Static(Because::SameEffect);
    let members = vec![member(0, Reason::Observed), member(1, same)];
    assert_eq!(found.classes, [Class { representative: 2, test: 7, members }]);
    assert_eq!(found.alive, [3]);
}

#[test]
fn an_error_of_the_runs_ends_it() {
    struct Broken;
    impl Runs for Broken {
        type Error = &'static str;
        fn kill(&mut self, _: usize, _: &[usize]) -> Result<Option<Kill>, &'static str> {
            Err("stopped")
        }
    }
    assert_eq!(classify(&[0], &Strength::new(1), &mut Broken), Err("stopped"));
    assert_eq!(classify(&[], &Strength::new(1), &mut Broken).expect("nothing to run").savings(), None);
}

proptest! {
    #[test]
    fn every_mutant_has_one_place(
        kills in prop::collection::vec(prop::collection::btree_set(0..6_usize, 0..4), 1..25),
        pairs in prop::collection::vec((0..25_usize, 0..25_usize), 0..60),
        listed in prop::collection::vec(0..25_usize, 0..50),
    ) {
        let mutants = kills.len();
        let sets = KillSets::from_tests(6, kills.clone()).expect("numbers of tests");
        // Facts that are true of the kills, or the order would be contradicted.
        let mut strength = Strength::new(mutants);
        for (a, b) in pairs.into_iter().filter(|&(a, b)| a < mutants && b < mutants && sets.is_stronger(a, b)) {
            strength.stronger(a, b, Because::StrongerOnce);
        }
        let listed: Vec<usize> = listed.into_iter().filter(|&mutant| mutant < mutants).collect();
        let mut table = Table::new(kills.clone(), |test, mutant| (test + mutant) % 3 == 0);
        let found = classify(&listed, &strength, &mut table).expect("it runs");
        let in_classes = found.classes.iter().flat_map(Class::mutants);
        let mut all: Vec<usize> = in_classes.chain(found.alive.iter().copied()).collect();
        all.sort_unstable();
        let expected: BTreeSet<usize> = listed.iter().copied().collect();
        prop_assert_eq!(all, expected.into_iter().collect::<Vec<_>>());
        prop_assert!(found.classes.iter().all(|c| c.mutants().all(|m| sets.kills(c.test, m))));
        prop_assert!(found.alive.iter().all(|&mutant| kills[mutant].is_empty()));
        prop_assert!(found.misled.iter().all(|&(class, m)| !sets.kills(found.classes[class].test, m)));
        prop_assert_eq!(&found.contradicted, &[]);
        // A stronger mutant is run before those that are weaker.
        for (at, &one) in table.asked.iter().enumerate() {
            prop_assert!(table.asked[..at].iter().all(|&before| !strength.is_stronger(one, before)));
        }
        let mut again = Table::new(kills, |test, mutant| (test + mutant) % 3 == 0);
        prop_assert_eq!(classify(&listed, &strength, &mut again), Ok(found));
    }
}
