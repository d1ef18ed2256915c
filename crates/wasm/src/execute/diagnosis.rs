//! Why a call did not return, in more words than its outcome has. The call is made again for this, so that others pay nothing.
//!
//! It is made in a module that is compiled with whole backtraces and, if it was built from Rust, with a hook set that keeps the message
//! of a panic (`crates/subject/src/build/panics.rs`).

use dodona_subject::{CodePoint, Package};
use dodona_target::{Column, Outcome, Trap};

use crate::execute::instance::{Instance, Stopped};
use crate::execute::outcomes::Stop;
use crate::execute::rows::Ended;
use crate::execute::said::{Shown, one_line};
use crate::execute::{HostError, Runner, imports};

/// Why a call did not return.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnosis {
    /// What the program or the host said, in one line: `panicked at src/lib.rs:12:5: attempt to divide by zero`.
    pub message: Option<String>,
    /// The place where it stopped and the calls that led there, from the innermost on; only the innermost unless the module was
    /// loaded with [`TrapPlaces::WithCallers`](crate::execute::TrapPlaces).
    pub places: Vec<CodePoint>,
}

impl Runner {
    /// Why the call with the first row of these arguments does not return: the call is made once more, in a fresh instance. Nothing is
    /// said of a call that returns.
    ///
    /// # Errors
    /// As [`Runner::call`].
    ///
    /// # Panics
    /// When there is no such function, or the module was loaded for calls of others.
    pub fn diagnose(&mut self, function: usize, arguments: &[Column]) -> Result<Diagnosis, HostError> {
        let (stop, said) = match self.shared().called(function).driver {
            Some(_) => self.call_stopped(function, arguments)?,
            None => self.command_stopped(function, arguments)?,
        };
        let Some(stop) = stop else { return Ok(Diagnosis::default()) };
        Ok(Diagnosis {
            message: message(&stop, said),
            places: stop.at.into_iter().chain(stop.callers).collect(),
        })
    }

    /// How a call of a function stopped, if it did, and what the program said.
    fn call_stopped(
        &mut self,
        function: usize,
        arguments: &[Column],
    ) -> Result<(Option<Stop>, Option<String>), HostError> {
        let mut instance = Instance::new(&self.shared().compiled)?;
        let hook = instance.set_panic_hook();
        let ended = self.call_in(&mut instance, function, arguments)?;
        let Ended::Stopped(Stopped { stop, .. }) = ended else { return Ok((None, None)) };
        let panic = hook.and_then(|at| panic_message(instance.memory(), at));
        let said = panic.or_else(|| instance.said(&stop));
        Ok((Some(stop), said))
    }

    fn command_stopped(
        &mut self,
        function: usize,
        arguments: &[Column],
    ) -> Result<(Option<Stop>, Option<String>), HostError> {
        let done = self.command_once(function, arguments)?;
        let said = done.stop.as_ref().and_then(|stop| done.instance.as_ref()?.said(stop));
        Ok((done.stop, said))
    }
}

/// What is told of a call that stopped. Of one that met a limit, the outcome says which.
fn message(stop: &Stop, said: Option<String>) -> Option<String> {
    match stop.outcome {
        outcome if outcome.meets_a_limit() => None,
        Outcome::Trapped(Trap::UnknownImport(import)) if stop.aborted.is_none() => {
            let advice = imports::advice(import);
            Some(said.map_or_else(|| advice.clone(), |said| format!("{said} ({advice})")))
        }
        _ => said,
    }
}

/// Reads what the hook keeps: the address and length of the message and of the file's name, the line and the column, 32 bits each. Of what C++ throws there
/// is a message alone.
fn panic_message(memory: &[u8], at: u32) -> Option<String> {
    let word = |place: u32| {
        let start = (at as usize).checked_add(4 * place as usize)?;
        Some(u32::from_le_bytes(memory.get(start..start.checked_add(4)?)?.try_into().ok()?) as usize)
    };
    let text = |place: u32| {
        let (start, length) = (word(place)?, word(place + 1)?);
        Some(String::from_utf8_lossy(memory.get(start..start.checked_add(length)?)?))
    };
    let (message, file, line, column) = (text(0)?, text(2)?, word(4)?, word(5)?);
    // Rust counts lines from 1, and a text of no length is none: the hook did not run.
    if line == 0 {
        return if file.is_empty() && !message.is_empty() { one_line(&message, Shown::First) } else { None };
    }
    one_line(&format!("panicked at {}:{line}:{column}: {message}", Package::of(&file).1), Shown::First)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(words: [u32; 6]) -> Vec<u8> {
        let mut memory: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        memory.extend(b"no way/home/me/.cargo/registry/src/index.crates.io-1/libm-0.2.16/src/math/cbrt.rs");
        memory
    }

    #[test]
    fn a_panic_is_read_where_the_hook_keeps_it() {
        let memory = record([24, 6, 30, 75, 12, 5]);
        assert_eq!(
            panic_message(&memory, 0).as_deref(),
            Some("panicked at libm-0.2.16/src/math/cbrt.rs:12:5: no way")
        );
    }

    #[test]
    fn what_lies_outside_memory_is_no_message() {
        assert_eq!(panic_message(&record([24, 6, 30, 75, 0, 0]), 0), None, "the hook did not run");
        assert_eq!(panic_message(&record([0; 6]), 0), None, "it did not run");
        assert_eq!(panic_message(&record([24, 6, 0, 0, 0, 0]), 0).as_deref(), Some("no way"));
        assert_eq!(panic_message(&record([24, u32::MAX, 30, 75, 12, 5]), 0), None);
        assert_eq!(panic_message(&record([u32::MAX, 6, 30, 75, 12, 5]), 0), None);
        assert_eq!(panic_message(&[0; 8], 4), None);
        assert_eq!(panic_message(&[0; 8], u32::MAX), None);
    }
}
