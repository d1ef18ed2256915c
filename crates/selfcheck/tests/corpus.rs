//! The corpus of each fuzz target, replayed: what a fuzzer once found worth keeping stays without a defect.

use dodona_selfcheck::{CHECKS, replay};

/// A test for each target, so that they run beside each other, and one that none is missing.
macro_rules! replayed {
    ($($target:ident)*) => {
        $(#[test] fn $target() { replay::replay(stringify!($target)); })*

        #[test]
        fn every_check_has_its_corpus_replayed() {
            let targets = [$(stringify!($target)),*];
            assert_eq!(targets, CHECKS.map(|(name, _)| name));
            assert_eq!(replay::corpora(), targets);
        }
    };
}

replayed! {
    engines_agree equivalent_mutants frames manifest matrix module never_proved openapi ordered_mutants pairs relations replies shards verbs
}
