//! The memory ceiling of `--memory`: a process that goes beyond it ends with a message, before the system kills it, or another process,
//! without one.
//!
//! A thread watches how much memory the process and its solvers have. At the ceiling it raises the interruption, so that partial results
//! are written. A command that has not ended two seconds later is ended, and no temporary file is left.

mod there;

use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::{ending, interrupt, output};

/// The longest and the shortest time between two looks at the memory in use. A look takes some 30 µs.
const SELDOM: Duration = Duration::from_millis(50);
const OFTEN: Duration = Duration::from_millis(1);

/// What fills memory fast fills so many bytes in a millisecond, 5 GB a second. The next look comes before the ceiling could be met at this speed.
const FILLED_A_MILLISECOND: u64 = 5_000_000;

/// After the interruption that asks for partial results, so long may memory stay above the ceiling.
const GRACE: Duration = Duration::from_secs(2);

/// The ceiling that was met, in bytes; 0 while none was.
static MET: AtomicU64 = AtomicU64::new(0);

/// What is being done, for the message.
static DOING: Mutex<String> = Mutex::new(String::new());

/// A ceiling as it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ceiling {
    /// So many bytes.
    Bytes(u64),
    /// So many percent of the memory that is there.
    Share(u64),
}

impl Default for Ceiling {
    /// Half of what is there leaves room for the system's caches and for what else runs.
    fn default() -> Self {
        Ceiling::Share(50)
    }
}

impl FromStr for Ceiling {
    type Err = String;

    fn from_str(text: &str) -> Result<Ceiling, String> {
        let wrong =
            || "is no size: give bytes (8GiB, 500MiB, 65536) or a share of what is there (50%)".to_owned();
        let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
        let number: u64 = digits.parse().map_err(|_| wrong())?;
        let unit = match text[digits.len()..].trim() {
            "%" if (1..=100).contains(&number) => return Ok(Ceiling::Share(number)),
            "" | "B" => 1,
            "KiB" => 1 << 10,
            "MiB" => 1 << 20,
            "GiB" => 1 << 30,
            "TiB" => 1 << 40,
            _ => return Err(wrong()),
        };
        let bytes = number.checked_mul(unit).filter(|bytes| *bytes > 0).ok_or_else(wrong)?;
        Ok(Ceiling::Bytes(bytes))
    }
}

impl Ceiling {
    /// In bytes; `None` where nobody knows how much is there.
    fn bytes(self) -> Option<u64> {
        match self {
            Ceiling::Bytes(bytes) => Some(bytes),
            Ceiling::Share(percent) => Some(there::memory()? / 100 * percent),
        }
    }
}

/// Watches the memory from now on, on a thread of its own. Where the system does not tell how much is in use, nothing is watched.
///
/// # Errors
/// When the ceiling is lower than what Dodona takes before it does anything.
pub(crate) fn watch(ceiling: Ceiling, verb: &str) -> Result<(), Failure> {
    doing(verb);
    // Where the command is a part of another program, memory is that program's.
    if output::is_captured() {
        return Ok(());
    }
    let (Some(ceiling), Some(used)) = (ceiling.bytes(), there::used()) else { return Ok(()) };
    if used >= asked(ceiling) {
        let (ceiling, used) = (size(ceiling), size(used));
        return Err(Failure::usage(format!(
            "--memory {ceiling} is less than Dodona takes by itself: {used}"
        )));
    }
    std::thread::spawn(move || look(ceiling));
    Ok(())
}

/// Notes what is being done: `checking gcd`.
pub(crate) fn doing(what: &str) {
    if let Ok(mut doing) = DOING.lock() {
        what.clone_into(&mut doing);
    }
}

/// Notes the subject that it is done with.
pub(crate) fn subject(name: &str) {
    if let Ok(mut doing) = DOING.lock() {
        let verb = doing.split_once(' ').map_or(doing.as_str(), |(verb, _)| verb).to_owned();
        *doing = format!("{verb} {name}");
    }
}

/// Where a command is asked to end with a partial result: at seven eighths of the ceiling, so that writing it has some memory left.
fn asked(ceiling: u64) -> u64 {
    ceiling - ceiling / 8
}

/// Watches until the command is to be asked to end, and from then on until it has to be ended: at the ceiling.
fn look(ceiling: u64) {
    let asked = asked(ceiling);
    loop {
        let used = there::used().unwrap_or(0);
        if used > asked {
            break;
        }
        std::thread::sleep(until_next(asked - used));
    }
    MET.store(ceiling, Ordering::SeqCst);
    interrupt::raise();
    let met = Instant::now();
    loop {
        let used = there::used().unwrap_or(0);
        let is_late = met.elapsed() > GRACE && used > asked;
        if is_late || used > ceiling {
            output::complain(&format!("error: {}; there is no partial result\n", message(ceiling)));
            ending::end(Exit::Budget);
        }
        std::thread::sleep(until_next(ceiling - used));
    }
}

/// How long to wait until the next look while so many bytes are left.
fn until_next(left: u64) -> Duration {
    Duration::from_millis(left / FILLED_A_MILLISECOND).clamp(OFTEN, SELDOM)
}

/// What a command that met the ceiling ends with: its partial result is printed, and the ceiling is named.
pub(crate) fn conclude(ended: Result<Exit, Failure>) -> Result<Exit, Failure> {
    let ceiling = MET.load(Ordering::SeqCst);
    if ceiling == 0 {
        return ended;
    }
    output::complain(&format!("error: {}\n", message(ceiling)));
    // A violation that was found by then is one.
    ended.map(|exit| if exit == Exit::Violated { exit } else { Exit::Budget })
}

/// Whether the ceiling was met: the interruption is not a person's.
pub(crate) fn is_met() -> bool {
    MET.load(Ordering::SeqCst) > 0
}

fn message(ceiling: u64) -> String {
    let doing = DOING.lock().map(|doing| doing.clone()).unwrap_or_default();
    format!("stopped at the memory ceiling of {} while {doing}; raise it with --memory", size(ceiling))
}

/// A size as people read it: `11.7 GiB`.
fn size(bytes: u64) -> String {
    let units = [("GiB", 1u64 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match units.iter().find(|(_, unit)| bytes >= *unit) {
        Some((name, unit)) if bytes.is_multiple_of(*unit) => format!("{} {name}", bytes / unit),
        Some((name, unit)) => format!("{:.1} {name}", bytes as f64 / *unit as f64),
        None => format!("{bytes} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_written() {
        for (text, bytes, written) in [
            ("65536", 65536, "64 KiB"),
            ("8GiB", 8 << 30, "8 GiB"),
            ("1500 MiB", 1500 << 20, "1.5 GiB"),
            ("100B", 100, "100 B"),
        ] {
            assert_eq!(text.parse(), Ok(Ceiling::Bytes(bytes)), "{text}");
            assert_eq!(size(bytes), written);
        }
        assert_eq!("50%".parse(), Ok(Ceiling::Share(50)));
        for text in ["", "0", "0%", "101%", "-1", "8GB", "many", "99999999999GiB", "1e9", "%"] {
            assert!(text.parse::<Ceiling>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_subject_is_named_in_place_of_the_one_before() {
        doing("checking");
        subject("gcd");
        subject("pow");
        assert!(message(1 << 30).contains("of 1 GiB while checking pow;"), "{}", message(1 << 30));
    }
}
