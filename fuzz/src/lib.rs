//! What the targets that check Dodona against itself have in common.

use std::sync::{Mutex, PoisonError};

use dodona_selfcheck::{Check, Counts};

static COUNTS: Mutex<Counts> = Mutex::new(Counts::new());

/// After how many cases there is a line about them; then after twice as many, and so on, for some targets run thousands a second.
const FIRST_LINE: u64 = 100;

/// Runs a case, and says now and then what came of all of them: a target of which most cases are dropped finds nothing.
///
/// # Panics
/// When the case shows a defect, which is what a fuzzer looks for.
pub fn run(check: Check, bytes: &[u8]) {
    match check(bytes) {
        Ok(case) => {
            let mut counts = COUNTS.lock().unwrap_or_else(PoisonError::into_inner);
            counts.add(case);
            let cases = counts.cases();
            if cases.is_multiple_of(FIRST_LINE) && (cases / FIRST_LINE).is_power_of_two() {
                eprintln!("{counts}");
            }
        }
        Err(defect) => panic!("{defect}"),
    }
}
