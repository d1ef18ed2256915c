//! From the engine's errors to outcomes.

use dodona_subject::{CodePoint, Outcome, Trap};
use wasmtime::WasmBacktrace;

use crate::HostError;
use crate::host::MemoryLimitReached;
use crate::instrument::Locations;
use crate::ticker::GivenUp;
use crate::wasi::Exit;

/// How a call ended that did not return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    pub outcome: Outcome,
    /// The original instruction, where it is known.
    pub at: Option<CodePoint>,
}

/// Reads an engine's error. `fuel` is what was left, below zero when it ran out.
pub(crate) fn stop(error: &wasmtime::Error, fuel: i64, locations: &Locations) -> Result<Stop, HostError> {
    if error.is::<GivenUp>() {
        return Err(HostError::Stopped);
    }
    let at = location(error, locations);
    let outcome = if let Some(exit) = error.downcast_ref::<Exit>() {
        Outcome::Exited(exit.0)
    } else if fuel < 0 {
        Outcome::OutOfFuel
    } else if error.is::<MemoryLimitReached>() {
        Outcome::Trapped(Trap::MemoryLimit)
    } else if let Some(trap) = error.downcast_ref::<wasmtime::Trap>() {
        Outcome::Trapped(kind(*trap))
    } else {
        return Err(HostError::Engine { function: at, message: format!("{error:#}") });
    };
    Ok(Stop { outcome, at })
}

fn location(error: &wasmtime::Error, locations: &Locations) -> Option<CodePoint> {
    let frame = error.downcast_ref::<WasmBacktrace>()?.frames().first()?;
    locations.original(frame.func_index(), frame.func_offset()?)
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
