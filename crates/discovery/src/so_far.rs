//! What a search knows by now, for whoever has to end it in the middle of a step.
//!
//! The compilation of many mutants cannot be stopped. So a record of what is known is noted after each step, and is told where the
//! process has to be ended in the middle of the next one (`crates/cli/src/ending.rs`).

use std::sync::{Arc, Mutex, PoisonError};

/// What a search knows by now. Some steps cannot be stopped, such as the compilation of many mutants on a busy machine. Whoever cannot
/// wait for the end of such a step reports the last record that is noted here.
#[derive(Debug)]
pub struct SoFar<R>(Arc<Mutex<Option<R>>>);

impl<R> SoFar<R> {
    /// Notes what is known now, in place of what was known before.
    pub fn note(&self, record: R) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(record);
    }

    /// What is known, if anything is; it is handed out once.
    pub fn take(&self) -> Option<R> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl<R> Clone for SoFar<R> {
    fn clone(&self) -> Self {
        SoFar(Arc::clone(&self.0))
    }
}

impl<R> Default for SoFar<R> {
    fn default() -> Self {
        SoFar(Arc::new(Mutex::new(None)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_record_is_handed_out_once() {
        let noted = SoFar::default();
        let other = noted.clone();
        assert_eq!(noted.take(), None);
        other.note(1);
        other.note(2);
        assert_eq!((noted.take(), other.take()), (Some(2), None));
    }
}
