//! Random modules: every engine says the same of them.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dodona_fuzz::run(dodona_selfcheck::engines_agree, bytes));
