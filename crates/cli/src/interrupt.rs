//! Ctrl-C: the first asks for the partial result, the second ends at once.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit::Exit;
use crate::{memory, output};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Starts listening and returns the flag that the first ctrl-C raises.
pub(crate) fn listen() -> &'static AtomicBool {
    // Where the command is a part of another program, ctrl-C is that program's.
    if output::is_captured() {
        return &INTERRUPTED;
    }
    // Where no handler can be set, ctrl-C keeps its usual meaning: the process ends.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            end(Exit::Interrupted);
        }
    });
    &INTERRUPTED
}

/// Asks for the partial result, as the first ctrl-C does.
pub(crate) fn raise() {
    INTERRUPTED.store(true, Ordering::SeqCst);
}

/// Ends the process at once: no file stays half-written, and no solver goes on by itself.
pub(crate) fn end(exit: Exit) -> ! {
    dodona_sources::remove_unfinished();
    memory::end_children();
    std::process::exit(exit as i32)
}
