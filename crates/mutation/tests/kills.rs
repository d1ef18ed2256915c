//! Kill sets from words and from numbers, and what is no kill set.

use dodona_mutation::orders::{KillSets, KillSetsError};
use proptest::prelude::*;

#[test]
fn rows_of_another_length_are_refused() {
    let found = KillSets::new(65, vec![vec![0, 0], vec![0]]);
    assert_eq!(found, Err(KillSetsError::Words { mutant: 1, found: 1, tests: 65 }));
    assert_eq!(
        found.expect_err("a row is too short").to_string(),
        "the row of mutant 1 has 1 words and 65 tests need 2; give a bit to each test"
    );
    assert_eq!(KillSets::new(0, vec![vec![0]]), Err(KillSetsError::Words { mutant: 0, found: 1, tests: 0 }));
}

#[test]
fn tests_that_are_not_there_are_refused() {
    assert_eq!(
        KillSets::new(3, vec![vec![0b1000]]),
        Err(KillSetsError::Test { mutant: 0, test: 3, tests: 3 })
    );
    let numbers = KillSets::from_tests(3, [vec![2], vec![0, 3]]);
    assert_eq!(numbers, Err(KillSetsError::Test { mutant: 1, test: 3, tests: 3 }));
    assert!(KillSets::new(64, vec![vec![u64::MAX]]).is_ok());
}

#[test]
fn without_tests_all_are_alive() {
    let kills = KillSets::new(0, vec![vec![], vec![]]).expect("no words for no tests");
    assert_eq!(kills.alive().collect::<Vec<_>>(), [0, 1]);
    assert_eq!((kills.mutants(), kills.tests(), kills.class_of(0).count()), (2, 0, 0));
}

proptest! {
    #[test]
    fn words_and_numbers_say_the_same(tests in 1..200_usize, numbers in prop::collection::vec(0..200_usize, 0..50)) {
        let numbers: Vec<usize> = numbers.into_iter().filter(|&test| test < tests).collect();
        let mut words = vec![0_u64; tests.div_ceil(64)];
        numbers.iter().for_each(|test| words[test / 64] |= 1 << (test % 64));
        let from_words = KillSets::new(tests, vec![words]).expect("bits of tests");
        prop_assert_eq!(&from_words, &KillSets::from_tests(tests, [numbers.clone()]).expect("tests"));
        let mut sorted = numbers;
        sorted.sort_unstable();
        sorted.dedup();
        prop_assert_eq!(from_words.times_killed(0), sorted.len());
        prop_assert_eq!(from_words.killing(0).collect::<Vec<_>>(), sorted);
    }
}
