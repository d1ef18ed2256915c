//! Each check on seeded cases: the fuzz targets run the same for as long as they are let.

use dodona_differential::{
    Case, Counts, Defect, engines_agree, equivalent_mutants, never_proved, ordered_mutants, seeded, verbs,
};

/// Runs cases; fails at the first defect, with the seed that shows it again.
fn run(check: fn(&[u8]) -> Result<Case, Defect>, seeds: std::ops::Range<u64>, length: usize) -> Counts {
    let mut counts = Counts::new();
    for seed in seeds {
        match check(&seeded(seed, length)) {
            Ok(case) => counts.add(case),
            Err(defect) => panic!("seed {seed} of {length} bytes: {defect}"),
        }
    }
    println!("{counts}");
    counts
}

#[test]
fn what_a_run_violates_is_never_proved() {
    let counts = run(never_proved, 0..100, 600);
    // The check is worth something only where proofs succeed, counterexamples are found, and plants are not dropped.
    assert!(counts.of("proved, and no input violates it") > 3, "{counts}");
    assert!(counts.of("refuted by an input that violates it") > 25, "{counts}");
}

#[test]
fn every_engine_says_the_same_of_random_modules() {
    let counts = run(engines_agree, 0..20, 600);
    assert!(counts.checked() > 13, "{counts}");
}

#[test]
fn mutants_that_are_judged_the_same_do_the_same() {
    let counts = run(equivalent_mutants, 0..12, 500);
    assert!(counts.of("equal code does the same") > 2, "{counts}");
    assert!(counts.of("equal code, and what is proved the same, does the same") > 0, "{counts}");
}

#[test]
fn a_mutant_that_is_called_stronger_is_killed_by_nothing_that_spares_a_weaker_one() {
    let counts = run(ordered_mutants, 0..12, 500);
    assert!(counts.of("a stronger mutant is killed by nothing that spares a weaker one") > 2, "{counts}");
    assert!(counts.of("mutants that do the same in every state do the same") > 0, "{counts}");
}

#[test]
fn verbs_end_as_they_are_documented_whatever_their_files_and_options() {
    let counts = run(verbs, 0..30, 900);
    assert!(counts.of("a verb did its work") > 5, "{counts}");
    assert!(counts.of("a verb refused, and said why") > 5, "{counts}");
}
