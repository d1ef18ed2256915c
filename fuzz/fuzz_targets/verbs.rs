//! Every verb as a whole, whatever its files and options: it ends as it is documented.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dodona_fuzz::run(dodona_selfcheck::verbs, bytes));
