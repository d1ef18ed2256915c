//! Random relations, half of them false by construction: what a run violates is never proved.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dodona_fuzz::run(dodona_selfcheck::verdicts::never_proved, bytes));
