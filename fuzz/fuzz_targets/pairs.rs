//! Whatever bytes are read as a table of candidate pairs.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dodona_fuzz::run(dodona_selfcheck::readers::pairs, bytes));
