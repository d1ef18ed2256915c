//! The names of workers.

use std::fmt;

/// The kind of work of a worker. Errors name it, and a test makes each of them panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Worker {
    /// Runs source inputs through relations.
    Check,
    /// Runs the original on the tests of a mutation analysis.
    Baseline,
    /// Runs the observing version on these tests.
    Observation,
    /// Runs mutants on these tests.
    Mutants,
    /// Runs faulty versions from folders on these tests.
    Folders,
    /// Runs inputs through an instrumented function.
    Coverage,
    /// Makes suites of inputs for a comparison.
    Suites,
    /// Enumerates small terms under each input transformation.
    Enumeration,
    /// Gives turns to the searches for output relations.
    Evolution,
    /// Runs relations that were found on new inputs.
    Confirmation,
    /// Makes inputs for a function, on the thread of the caller.
    Generation,
    /// Runs relations on every path, on the thread of the caller.
    Proofs,
    /// Runs mutants on every path, on the thread of the caller.
    MutantProofs,
    /// Runs a command as a whole, on the main thread.
    Command,
}

impl Worker {
    /// Every worker.
    pub const ALL: [Worker; 14] = [
        Worker::Check,
        Worker::Baseline,
        Worker::Observation,
        Worker::Mutants,
        Worker::Folders,
        Worker::Coverage,
        Worker::Suites,
        Worker::Enumeration,
        Worker::Evolution,
        Worker::Confirmation,
        Worker::Generation,
        Worker::Proofs,
        Worker::MutantProofs,
        Worker::Command,
    ];

    /// The name by which tests select the worker that panics.
    pub fn name(self) -> &'static str {
        match self {
            Worker::Check => "check",
            Worker::Baseline => "baseline",
            Worker::Observation => "observation",
            Worker::Mutants => "mutants",
            Worker::Folders => "folders",
            Worker::Coverage => "coverage",
            Worker::Suites => "suites",
            Worker::Enumeration => "enumeration",
            Worker::Evolution => "evolution",
            Worker::Confirmation => "confirmation",
            Worker::Generation => "generation",
            Worker::Proofs => "proofs",
            Worker::MutantProofs => "mutant-proofs",
            Worker::Command => "command",
        }
    }

    /// Panics where `DODONA_FAULT` names this worker.
    ///
    /// # Panics
    /// When `DODONA_FAULT` names it.
    pub fn panic_if_asked(self) {
        assert!(!is_asked_for(self.name()), "asked for by DODONA_FAULT");
    }
}

/// Whether `DODONA_FAULT` asks for this fault, in builds with debug assertions. With it tests see the effect of a bug in
/// Dodona. A release build never has such a fault.
pub fn is_asked_for(fault: &str) -> bool {
    cfg!(debug_assertions) && std::env::var("DODONA_FAULT").is_ok_and(|name| name == fault)
}

impl fmt::Display for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Worker::Check => "checking relations",
            Worker::Baseline => "running the original",
            Worker::Observation => "observing which tests infect which mutants",
            Worker::Mutants => "running mutants",
            Worker::Folders => "running faulty versions",
            Worker::Coverage => "covering a function",
            Worker::Suites => "generating suites",
            Worker::Enumeration => "enumerating relations",
            Worker::Evolution => "evolving relations",
            Worker::Confirmation => "putting relations to the test",
            Worker::Generation => "generating inputs",
            Worker::Proofs => "proving relations",
            Worker::MutantProofs => "proving mutants equivalent",
            Worker::Command => "running the command",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_worker_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<&str> = Worker::ALL.map(Worker::name).into();
        assert_eq!(names.len(), Worker::ALL.len());
        let places: std::collections::BTreeSet<Worker> = Worker::ALL.into();
        assert_eq!(places.len(), Worker::ALL.len());
    }
}
