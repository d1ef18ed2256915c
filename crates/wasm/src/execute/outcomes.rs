//! From the engine's errors to outcomes.

use dodona_subject::CodePoint;
use dodona_target::{Outcome, Trap};
use wasmtime::WasmBacktrace;

use crate::execute::HostError;
use crate::execute::assemblyscript::Aborted;
use crate::execute::host::MemoryLimitReached;
use crate::execute::imports::NotOffered;
use crate::execute::instrument::Locations;
use crate::execute::ticker::GivenUp;
use crate::execute::wasi::Exit;

/// How a call ended that did not return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    pub outcome: Outcome,
    /// The original instruction, where it is known.
    pub at: Option<CodePoint>,
    /// The calls that led there, from the innermost on. Only an engine that keeps whole backtraces has them.
    pub callers: Vec<CodePoint>,
    /// What AssemblyScript's `env.abort` was called with, if the call ended so.
    pub aborted: Option<Aborted>,
}

/// Reads an engine's error. `fuel` is what was left, below zero when it ran out.
pub(crate) fn stop(error: &wasmtime::Error, fuel: i64, locations: &Locations) -> Result<Stop, HostError> {
    if error.is::<GivenUp>() {
        return Err(HostError::Stopped);
    }
    let mut frames = frames(error, locations);
    let at = frames.next().flatten();
    let aborted = error.downcast_ref::<Aborted>().copied();
    let outcome = if let Some(exit) = error.downcast_ref::<Exit>() {
        Outcome::Exited(exit.0)
    } else if fuel < 0 {
        Outcome::OutOfFuel
    } else if aborted.is_some() {
        Outcome::Trapped(Trap::UnknownImport(Aborted::name()))
    } else if let Some(NotOffered(import)) = error.downcast_ref::<NotOffered>() {
        Outcome::Trapped(Trap::UnknownImport(*import))
    } else if error.is::<MemoryLimitReached>() {
        Outcome::Trapped(Trap::MemoryLimit)
    } else if let Some(trap) = error.downcast_ref::<wasmtime::Trap>() {
        Outcome::Trapped(kind(*trap))
    } else {
        return Err(HostError::Engine { function: at, message: format!("{error:#}") });
    };
    Ok(Stop { outcome, at, callers: frames.flatten().collect(), aborted })
}

/// The frames of the backtrace from the innermost on, as places in the original module; none for code that was added.
fn frames<'a>(
    error: &'a wasmtime::Error,
    locations: &'a Locations,
) -> impl Iterator<Item = Option<CodePoint>> + 'a {
    let frames = error.downcast_ref::<WasmBacktrace>().map_or(&[][..], WasmBacktrace::frames);
    frames.iter().map(|frame| locations.original(frame.func_index(), frame.func_offset()?))
}

fn kind(trap: wasmtime::Trap) -> Trap {
    use wasmtime::Trap as T;
    match trap {
        T::UnreachableCodeReached => Trap::Unreachable,
        T::IntegerDivisionByZero => Trap::DivisionByZero,
        T::IntegerOverflow => Trap::IntegerOverflow,
        T::BadConversionToInteger => Trap::BadConversion,
        T::MemoryOutOfBounds | T::HeapMisaligned => Trap::MemoryOutOfBounds,
        T::TableOutOfBounds => Trap::TableOutOfBounds,
        T::IndirectCallToNull => Trap::IndirectCallToNull,
        T::BadSignature => Trap::BadSignature,
        T::StackOverflow => Trap::StackOverflow,
        _ => Trap::Other,
    }
}
