//! How paths end, and why they are abandoned before their end.

use std::fmt;

use dodona_smt::term::Term;
use dodona_subject::CodePoint;
use dodona_target::Trap;

/// How a path ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The function returned these results.
    Returned(Vec<Term>),
    /// The call trapped.
    Trapped(Trap),
    /// The command ended with this exit code.
    Exited(Term),
    /// It did not end within a bound on instructions or frames. Its values lead that far, but how it goes on is not known: both
    /// an endless loop and a long one look like this. Only [`crate::explore::Unfinished::Followed`] produces such a path.
    Left(Cut),
}

/// Why a path was abandoned before its end.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cut {
    /// A loop took more turns by choice than the bound allows. A turn is by choice if the path could also have left the loop.
    LoopBound,
    /// A function called itself by choice more deeply than the bound allows.
    RecursionBound,
    /// More frames than a state may have.
    CallDepth,
    /// The state executed more instructions than it may.
    Steps,
    /// Memory grew past the cap.
    Memory,
    /// An instruction or an import that is not supported, by name, with its place.
    Unsupported(String, CodePoint),
    /// The solver could not decide whether the path can be taken.
    Unknown,
    /// The state was dropped because too many states waited.
    Dropped,
    /// A symbolic address, size or function pointer has further values, besides those that were followed.
    Values,
}

/// The reason in words. The place of an unsupported instruction is for readers who know the source.
impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cut::LoopBound => "a loop went round by choice more often than --loop-bound",
            Cut::RecursionBound => "a function called itself by choice deeper than --loop-bound",
            Cut::CallDepth => "calls nested too deep",
            Cut::Steps => "a path took more instructions than --max-steps",
            Cut::Memory => "memory grew past its cap",
            Cut::Unknown => "the solver did not know",
            Cut::Dropped => "more states waited than --max-states",
            Cut::Values => "an address, size or function pointer had more values than were followed",
            Cut::Unsupported(what, _) => return write!(f, "{what} is not supported"),
        })
    }
}
