//! Mutants of random modules: what is judged the same does the same on random inputs.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dodona_fuzz::run(dodona_selfcheck::verdicts::equivalent_mutants, bytes));
