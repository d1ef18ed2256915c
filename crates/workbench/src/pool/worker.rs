//! What workers do, by name.

use std::fmt;

/// What a worker was at: errors name it, and a test makes each of them panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Worker {
    /// Source inputs through relations.
    Check,
    /// The original through the tests of a mutation analysis.
    Baseline,
    /// The observing version through them.
    Observation,
    /// Mutants through them.
    Mutants,
    /// Faulty versions in folders through them.
    Folders,
    /// Inputs through an instrumented function.
    Coverage,
    /// Suites of inputs for a comparison.
    Suites,
    /// Small terms under each input transformation.
    Enumeration,
    /// Turns of the searches for output relations.
    Evolution,
    /// Relations that were found, on new inputs.
    Confirmation,
    /// Inputs for a function. On the thread of the caller.
    Generation,
    /// Relations on every path. On the thread of the caller.
    Proofs,
    /// Mutants on every path. On the thread of the caller.
    MutantProofs,
    /// A command as a whole, on the main thread.
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

    /// The name by which tests ask for a panic.
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
    /// When it is asked to.
    pub fn panic_if_asked(self) {
        assert!(!is_asked_for(self.name()), "asked for by DODONA_FAULT");
    }
}

/// Whether `DODONA_FAULT` asks for this fault, in builds that check their assertions: so tests see what a mistake of ours would do.
/// A release never makes one.
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
