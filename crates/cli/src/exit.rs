//! Exit codes.

/// How the command ends, for scripts. The numbers are part of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything holds.
    Success = 0,
    /// A relation is violated, or a threshold is missed.
    Violated = 1,
    /// Bad usage or input: an argument, a manifest, a relation, a file of inputs; also where nothing was tested: a relation
    /// that no source input was ever eligible for, a score, share or rate of nothing.
    Usage = 2,
    /// A budget was spent before there was an answer.
    Budget = 3,
    /// The subject could not be built or run.
    Subject = 4,
    /// Dodona contradicts itself or failed inside: a mistake of ours. Nothing that such a command says can be relied on.
    Mistake = 5,
    /// Interrupted by ctrl-C; what was found until then is printed. 128 + SIGINT, as shells have it.
    Interrupted = 130,
}
