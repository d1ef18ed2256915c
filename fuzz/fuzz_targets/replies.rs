//! Whatever a solver answers: no panic, values no wider than they can be, and what is read as one thing is nothing else.
#![no_main]

use dodona_smt::solver::reply::{nothing, values, verdict};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let kinds = [verdict(text).is_ok(), values(text).is_ok(), nothing(text).is_ok()];
    assert!(kinds.into_iter().filter(|read| *read).count() <= 1, "{text:?}");
    if let Ok(read) = values(text) {
        let printed: Vec<String> =
            read.iter().map(|(name, value)| format!("(|{name}| (_ bv{value} 128))")).collect();
        let again = values(&format!("({})", printed.join(" ")));
        assert_eq!(again, Ok(read));
    }
});
