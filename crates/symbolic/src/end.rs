//! How paths end, and why they are left before.

use std::fmt;

use dodona_smt::term::Term;
use dodona_subject::{CodePoint, Trap};

/// How a path ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The function returned these results.
    Returned(Vec<Term>),
    /// The call trapped.
    Trapped(Trap),
    /// The command ended with this exit code.
    Exited(Term),
    /// It did not end within a bound on instructions or frames. Its values lead that far, and nobody knows how it goes on: an
    /// endless loop looks like this, and so does a long one. Only [`crate::explore::Unfinished::Followed`] gives out such a path.
    Left(Cut),
}

/// Why a path was left before its end.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cut {
    /// A loop went round by choice more often than the bound.
    LoopBound,
    /// A function called itself by choice deeper than the bound.
    RecursionBound,
    /// More frames than a state may have.
    CallDepth,
    /// The state stepped more instructions than it may.
    Steps,
    /// Memory grew past the cap.
    Memory,
    /// An instruction or an import that is not supported, by name, with its place.
    Unsupported(String, CodePoint),
    /// The solver did not know whether the path can be taken.
    Unknown,
    /// The state was dropped, for there were too many.
    Dropped,
    /// Values that a symbolic address, size or function pointer can take beside those that were followed.
    Values,
}

/// Words for people; the place of what is not supported is for those who know the source.
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
