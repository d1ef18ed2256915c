//! Whatever bytes are read as the file of a shard.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dodona_fuzz::run(dodona_selfcheck::readers::shards, bytes));
