//! What the code of mutants says of their strength, against inputs.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dodona_fuzz::run(dodona_selfcheck::verdicts::ordered_mutants, bytes));
