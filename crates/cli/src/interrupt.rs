//! Ctrl-C and the end of the time: the first asks for what was found, a second ctrl-C ends at once. Whoever waits is answered in any
//! case: a step that cannot be stopped is not waited for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use dodona_lab::Interruption;

use crate::exit::Exit;
use crate::{memory, output};

/// How long a verb may take to say what it found when somebody interrupts, before it is ended without that.
const PATIENCE: Duration = Duration::from_millis(1600 * UNOPTIMISED);

/// The same at the end of the time that a verb was given, beside a tenth of it.
const PATIENCE_IN_TIME: Duration = Duration::from_millis(1300 * UNOPTIMISED);

/// Builds for tests are not optimised and take some ten times as long for each step.
const UNOPTIMISED: u64 = if cfg!(debug_assertions) { 20 } else { 1 };

static INTERRUPTED: LazyLock<Interruption> = LazyLock::new(Interruption::default);

/// Whether the verb says what it found when it is interrupted.
static COLLECTS: AtomicBool = AtomicBool::new(false);

/// Whether the answer is being written. Whoever ends the process holds it, so that nothing is half written.
static ANSWERS: Mutex<bool> = Mutex::new(false);

/// Starts listening: until [`listen`] is called, ctrl-C ends the process.
pub(crate) fn start() {
    // Where the command is a part of another program, ctrl-C is that program's.
    if output::is_captured() {
        return;
    }
    // Where no handler can be set, ctrl-C keeps its usual meaning: the process ends.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.raise() || !COLLECTS.load(Ordering::SeqCst) {
            end(Exit::Interrupted);
        }
        let give_up = || give_up(Exit::Interrupted, "interrupted before there was anything to tell");
        std::thread::spawn(move || {
            std::thread::sleep(PATIENCE);
            give_up();
        });
    });
}

/// From now on the first ctrl-C raises what this gives.
pub(crate) fn listen() -> &'static Interruption {
    COLLECTS.store(true, Ordering::SeqCst);
    &INTERRUPTED
}

/// Asks for the partial result, as the first ctrl-C does.
pub(crate) fn raise() {
    INTERRUPTED.raise();
}

/// Ends the process at once: no file stays half-written, and no solver goes on by itself.
pub(crate) fn end(exit: Exit) -> ! {
    dodona_sources::remove_unfinished();
    memory::end_children();
    std::process::exit(exit as i32)
}

/// [`listen`], for a verb that is to end in this time.
pub(crate) fn listen_for(time: Duration) -> &'static Interruption {
    if !output::is_captured() {
        std::thread::spawn(move || {
            std::thread::sleep(time.saturating_add(time / 10).saturating_add(PATIENCE_IN_TIME));
            give_up(Exit::Budget, "the time was up before there was anything to tell; give more with --time");
        });
    }
    listen()
}

/// The answer is written from now on, and is not cut off.
pub(crate) fn answer() {
    *ANSWERS.lock().unwrap_or_else(PoisonError::into_inner) = true;
}

/// Ends the process if no answer has begun.
fn give_up(code: Exit, why: &str) {
    let answers = ANSWERS.lock().unwrap_or_else(PoisonError::into_inner);
    if !*answers {
        output::complain(&format!("error: {why}\n"));
        end(code);
    }
}
