//! Whatever text stands in a file of categories and choices.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dodona_fuzz::run(dodona_selfcheck::readers::frames, bytes));
