//! Panics of functions under test, which are outcomes: they are caught, and what they say is kept instead of printed.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

/// What a panic said, and where.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said {
    pub(crate) message: Option<String>,
    pub(crate) location: Option<String>,
}

thread_local! {
    /// What the last panic of a function under test said; `Some` while one is called on this thread.
    static CALLED: RefCell<Option<Said>> = const { RefCell::new(None) };
}

/// What a call gives, or nothing if it panics. What the function has changed before stays changed, as it does when the test of somebody
/// else catches a panic.
pub(crate) fn caught<T>(call: impl FnOnce() -> T) -> Option<T> {
    keep_quiet();
    CALLED.with_borrow_mut(|said| *said = Some(Said::default()));
    let result = catch_unwind(AssertUnwindSafe(call)).ok();
    if result.is_some() {
        CALLED.with_borrow_mut(|said| *said = None);
    }
    result
}

/// What the panic that was caught last on this thread said.
pub(crate) fn said() -> Said {
    CALLED.with_borrow_mut(Option::take).unwrap_or_default()
}

/// Panics of functions under test are not printed: there may be a thousand. There is one hook in a process, so it hands all other panics
/// on to the one that was there before.
fn keep_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            let is_called =
                CALLED.with_borrow_mut(|said| said.as_mut().map(|said| *said = heard(info)).is_some());
            if !is_called {
                before(info);
            }
        }));
    });
}

fn heard(info: &PanicHookInfo<'_>) -> Said {
    Said {
        message: info.payload_as_str().map(str::to_owned),
        location: info
            .location()
            .map(|place| format!("{}:{}:{}", place.file(), place.line(), place.column())),
    }
}
