//! What the targets that check Dodona against itself have in common.

use std::sync::{Mutex, PoisonError};

use dodona_differential::{Case, Counts, Defect};

static COUNTS: Mutex<Counts> = Mutex::new(Counts::new());

/// How many cases pass between two lines about them.
const LINE: u64 = 100;

/// Runs a case, and says now and then what came of all of them: a target of which most cases are dropped finds nothing.
///
/// # Panics
/// When the case shows a defect, which is what a fuzzer looks for.
pub fn run(check: fn(&[u8]) -> Result<Case, Defect>, bytes: &[u8]) {
    match check(bytes) {
        Ok(case) => {
            let mut counts = COUNTS.lock().unwrap_or_else(PoisonError::into_inner);
            counts.add(case);
            if counts.cases().is_multiple_of(LINE) {
                eprintln!("{counts}");
            }
        }
        Err(defect) => panic!("{defect}"),
    }
}
