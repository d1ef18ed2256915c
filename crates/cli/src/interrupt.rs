//! What happens at ctrl-C, at a signal that asks the process to end, and when the time of `--time` is over. The first ctrl-C asks the
//! verb for what it has found by then; one that comes more than a second later ends the process at once.
//!
//! Some steps, like the compilation of a large module, cannot be stopped, and are not waited for: a command that does not begin to answer
//! within a moment is ended without a result. Nothing is left half written.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, OnceLock};
use std::time::{Duration, Instant};

use dodona_target::Interruption;

use crate::exit::Exit;
use crate::{ending, output};

/// How long a verb may take to say what it found when somebody interrupts, before it is ended without that.
const PATIENCE: Duration = Duration::from_millis(1600 * UNOPTIMISED);

/// The same at the end of the time that a verb was given, beside a tenth of it.
const PATIENCE_IN_TIME: Duration = Duration::from_millis(1300 * UNOPTIMISED);

/// Builds for tests are not optimised: a step takes some ten times as long in them, and tests share their cores with other tests.
const UNOPTIMISED: u64 = if cfg!(debug_assertions) { 20 } else { 1 };

/// Signals that come within this time after the first are one and the same request. `timeout` of coreutils signals its command and then the group that the
/// command is in, and a runner hands on the ctrl-C that the terminal sent to both: the second comes milliseconds after the first, on a busy machine some
/// hundred. Nobody who saw that the first changed nothing presses again within this time, which is also shorter than [`PATIENCE`], so that a second one is
/// of use.
const ONE_REQUEST: Duration = Duration::from_secs(1);

/// When the verb was first asked for what it found.
static ASKED: OnceLock<Instant> = OnceLock::new();

static INTERRUPTED: LazyLock<Interruption> = LazyLock::new(Interruption::default);

/// Whether the verb says what it found when it is interrupted.
static COLLECTS: AtomicBool = AtomicBool::new(false);

/// Whether a verb was interrupted because its time was up.
static OUT_OF_TIME: AtomicBool = AtomicBool::new(false);

/// Starts listening: until [`listen`] is called, ctrl-C ends the process.
pub(crate) fn start() {
    // Where the command is a part of another program, ctrl-C is that program's.
    if output::is_captured() {
        return;
    }
    // Where no handler can be set, ctrl-C keeps its usual meaning: the process ends.
    let _ = ctrlc::set_handler(|| {
        if !COLLECTS.load(Ordering::SeqCst) || ask() >= ONE_REQUEST {
            ending::end(Exit::Interrupted);
        }
        std::thread::spawn(|| {
            wait(PATIENCE);
            ending::give_up(Exit::Interrupted, "interrupted before there was anything to tell");
        });
    });
}

/// Asks the verb for what it found; how long ago that was first done.
fn ask() -> Duration {
    let first = *ASKED.get_or_init(Instant::now);
    INTERRUPTED.raise();
    first.elapsed()
}

/// How many times as long is waited at most where other processes take the processor.
const BUSY: u32 = 10;

/// Waits for so long, not counting what the main thread stood in line for a processor meanwhile: where a machine is busy, the verb takes longer to say
/// what it found.
fn wait(patience: Duration) {
    const STEP: Duration = Duration::from_millis(50);
    let (began, stood) = (Instant::now(), in_line());
    loop {
        let waited = began.elapsed();
        let without = in_line().saturating_sub(stood);
        if waited >= patience * BUSY || waited.saturating_sub(without) >= patience {
            return;
        }
        std::thread::sleep(STEP);
    }
}

/// How long the main thread stood in line for a processor since the process began; nothing where the system does not tell.
fn in_line() -> Duration {
    // The time that it ran, that it waited, and how often it ran.
    let told = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = told.split_whitespace().nth(1).and_then(|waited| waited.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// From now on the first ctrl-C raises what this gives.
pub(crate) fn listen() -> &'static Interruption {
    COLLECTS.store(true, Ordering::SeqCst);
    &INTERRUPTED
}

/// Asks for the partial result, as the first ctrl-C does.
pub(crate) fn raise() {
    ask();
}

/// Whether somebody interrupted, or the time was up, as far as the verb listens.
pub(crate) fn is_raised() -> bool {
    INTERRUPTED.is_raised()
}

/// [`listen`], for a verb that is to end in this time.
pub(crate) fn listen_for(time: Duration) -> &'static Interruption {
    if !output::is_captured() {
        std::thread::spawn(move || {
            std::thread::sleep(time.saturating_add(time / 10));
            wait(PATIENCE_IN_TIME);
            ending::give_up(
                Exit::Budget,
                "the time was up before there was anything to tell; give more with --time",
            );
        });
    }
    listen()
}

/// [`listen`], for a verb that knows no time but is to end in one where somebody asks for it: it is interrupted then, and says what it found by then.
pub(crate) fn listen_until(time: Option<Duration>) -> &'static Interruption {
    let Some(time) = time else { return listen() };
    if !output::is_captured() {
        std::thread::spawn(move || {
            std::thread::sleep(time);
            OUT_OF_TIME.store(true, Ordering::SeqCst);
            ask();
        });
    }
    listen_for(time)
}

/// That an interruption left out these subjects; nothing where there are none.
pub(crate) fn left_over(subjects: &[PathBuf]) -> Option<String> {
    let names: Vec<String> = subjects.iter().map(|path| path.display().to_string()).collect();
    (!names.is_empty()).then(|| format!("interrupted before these were begun: {}", names.join(", ")))
}

/// Why a verb that was interrupted ended.
pub(crate) fn exit() -> Exit {
    if is_out_of_time() { Exit::Budget } else { Exit::Interrupted }
}

/// Whether a verb was interrupted because its time was up.
pub(crate) fn is_out_of_time() -> bool {
    OUT_OF_TIME.load(Ordering::SeqCst)
}
