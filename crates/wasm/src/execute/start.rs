//! Why an instance could not be made: for a reason of the host, or because the module does not start.

use dodona_subject::Limits;
use dodona_target::{Outcome, Trap};

use crate::execute::host::MemoryLimitReached;
use crate::execute::outcomes::Stop;
use crate::execute::{HostError, LoadError, imports};

/// The function that runs first in every instance.
pub(crate) const START: &str = "the start function";

/// The function that a library of WASI runs first.
pub(crate) const INITIALIZE: &str = "`_initialize`";

/// Why an instance could not be made.
#[derive(Debug)]
pub(crate) enum Unmade {
    /// The host could not make it; what the engine says.
    Host(String),
    /// It was made, and what runs before the first call did not return.
    Start {
        /// The function in words.
        name: &'static str,
        stop: Stop,
        /// What the program said.
        said: Option<String>,
    },
}

impl Unmade {
    /// The engine did not make the instance: its memory or its segments are too large, or the pool is exhausted.
    pub(crate) fn instantiate(error: &wasmtime::Error) -> Unmade {
        if let Some(limit) = error.downcast_ref::<MemoryLimitReached>() {
            return Unmade::Host(limit.to_string());
        }
        // No code has run yet.
        Unmade::Host(match error.downcast_ref::<wasmtime::Trap>() {
            Some(wasmtime::Trap::MemoryOutOfBounds) => outside("data", "memory"),
            Some(wasmtime::Trap::TableOutOfBounds) => outside("element", "table"),
            _ => format!("{error:#}"),
        })
    }

    /// Why the module cannot be loaded.
    pub(crate) fn refusal(self, limits: &Limits) -> LoadError {
        match self {
            Unmade::Host(message) => LoadError::Instantiate { message },
            Unmade::Start { name, stop, said } => LoadError::Start {
                name,
                outcome: stop.outcome,
                said: said.map_or_else(String::new, |said| format!(": {said}")),
                advice: advice(stop.outcome, limits),
            },
        }
    }
}

fn outside(segment: &str, what: &str) -> String {
    format!("{segment} segments lie outside its {what}; build it with a larger initial {what}")
}

/// What to do about a module that does not start.
fn advice(outcome: Outcome, limits: &Limits) -> String {
    let raise = |limit, now: u64| format!("raise [limits] {limit}, which is {now}, or let it do less");
    match outcome {
        Outcome::OutOfFuel => raise("fuel", limits.fuel.0),
        Outcome::Trapped(Trap::MemoryLimit) => raise("memory", limits.memory),
        Outcome::Trapped(Trap::StackOverflow) => raise("stack", limits.stack),
        Outcome::Trapped(Trap::UnknownImport(import)) => imports::advice(import),
        _ => "nothing can be called before it returns, so mend it or build the module without it".to_owned(),
    }
}

impl From<Unmade> for HostError {
    fn from(unmade: Unmade) -> HostError {
        match unmade {
            Unmade::Host(message) => HostError::Instance { message },
            // It started when the module was loaded, and instances do not differ.
            Unmade::Start { name, stop, .. } => {
                HostError::Engine { function: stop.at, message: format!("{name} {}", stop.outcome) }
            }
        }
    }
}
