//! Turns panics into errors with the message and the place.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use super::Worker;

/// A panic, which is a bug in Dodona.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panicked {
    /// What was being done.
    pub worker: Worker,
    /// The message of the panic.
    pub message: String,
    /// Where it was raised: file, line and column of the source.
    pub place: Option<String>,
}

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place.as_deref().unwrap_or("an unknown place");
        write!(f, "Dodona panicked at {place}, {}: {}", self.worker, self.message)
    }
}

impl std::error::Error for Panicked {}

thread_local! {
    /// Whether this thread is inside of [`guarded`].
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
    /// The place of the last panic on this thread.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs a function, and turns a panic in it into an error with the message and the place.
///
/// What it changed before a panic may be half done, so the caller must not use it any more.
///
/// # Errors
/// When it panics.
pub fn guarded<T>(worker: Worker, work: impl FnOnce() -> T) -> Result<T, Panicked> {
    note_places();
    let before = IS_GUARDED.replace(true);
    let ended = catch_unwind(AssertUnwindSafe(work));
    IS_GUARDED.set(before);
    ended.map_err(|payload| Panicked { worker, message: message(&*payload), place: PLACE.take() })
}

/// Records the place of every panic on a guarded thread, in addition to the usual handling of panics.
fn note_places() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |about| {
            if IS_GUARDED.get() {
                PLACE.set(about.location().map(ToString::to_string));
            }
            before(about);
        }));
    });
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without words".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_told_with_its_place() {
        let line = line!() + 1;
        let panicked = guarded(Worker::Check, || panic!("number {}", 7)).map(|(): ()| ());
        let panicked = panicked.expect_err("it panicked");
        assert_eq!((panicked.worker, panicked.message.as_str()), (Worker::Check, "number 7"));
        let place = panicked.place.clone().expect("a place");
        assert!(place.starts_with(&format!("{}:{line}:", file!())), "{place}");
        assert_eq!(panicked.to_string(), format!("Dodona panicked at {place}, checking relations: number 7"));
    }

    #[test]
    fn a_guard_within_a_guard_leaves_the_outer_one_on() {
        let outer = guarded(Worker::Command, || {
            guarded(Worker::Proofs, || panic!("inner")).map(|(): ()| ()).expect_err("it panicked");
            std::panic::panic_any(7);
        });
        let outer = outer.map(|(): ()| ()).expect_err("it panicked");
        assert_eq!((outer.worker, outer.message.as_str()), (Worker::Command, "without words"));
        assert!(outer.place.is_some_and(|place| place.starts_with(file!())));
    }

    #[test]
    fn what_does_not_panic_is_handed_on() {
        assert_eq!(guarded(Worker::Check, || 7), Ok(7));
    }
}
