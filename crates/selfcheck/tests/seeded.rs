//! Each check on seeded cases.

use dodona_selfcheck::verdicts::{equivalent_mutants, never_proved, ordered_mutants};
use dodona_selfcheck::{engines_agree, replay::on_seeds, verbs};

#[test]
fn every_engine_says_the_same_of_random_modules() {
    let counts = on_seeds(engines_agree, 0..20, 600);
    assert!(counts.checked() > 13, "{counts}");
}

#[test]
fn what_a_run_violates_is_never_proved() {
    let counts = on_seeds(never_proved, 0..100, 600);
    // The check is worth something only where proofs succeed, counterexamples are found, and plants are not dropped.
    assert!(counts.of("proved, and no input violates it") > 3, "{counts}");
    assert!(counts.of("refuted by an input that violates it") > 25, "{counts}");
}

#[test]
fn mutants_that_are_judged_the_same_do_the_same() {
    let counts = on_seeds(equivalent_mutants, 0..12, 500);
    assert!(counts.of("equal code does the same") > 2, "{counts}");
    assert!(counts.of("equal code, and what is proved the same, does the same") > 0, "{counts}");
}

#[test]
fn a_mutant_that_is_called_stronger_is_killed_by_nothing_that_spares_a_weaker_one() {
    let counts = on_seeds(ordered_mutants, 0..12, 500);
    assert!(counts.of("a stronger mutant is killed by nothing that spares a weaker one") > 2, "{counts}");
    assert!(counts.of("mutants that do the same in every state do the same") > 0, "{counts}");
}

#[test]
fn verbs_end_as_they_are_documented_whatever_their_files_and_options() {
    let counts = on_seeds(verbs, 0..30, 900);
    assert!(counts.of("a verb did its work") > 5, "{counts}");
    assert!(counts.of("a verb refused, and said why") > 5, "{counts}");
}
