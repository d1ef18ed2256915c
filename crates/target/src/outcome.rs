//! How a call ended.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Column, ImportName};

/// Why a call trapped, one variant a kind that WebAssembly tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
pub enum Trap {
    /// `unreachable`: a Rust panic, a C `abort`, `__builtin_trap`, a failed assertion.
    Unreachable,
    /// Integer division or remainder by zero.
    DivisionByZero,
    /// `INT_MIN / -1`, or a float-to-integer conversion out of range.
    IntegerOverflow,
    /// Conversion of NaN to an integer.
    BadConversion,
    /// A load, store or bulk operation outside linear memory.
    MemoryOutOfBounds,
    /// A table access outside the table.
    TableOutOfBounds,
    /// An indirect call through an empty table entry.
    IndirectCallToNull,
    /// An indirect call of a function of another type.
    BadSignature,
    /// The call stack was exhausted: unbounded recursion.
    StackOverflow,
    /// Memory grew past the cap.
    MemoryLimit,
    /// An import was called that the host does not offer: only such a call is a trap, and not the import itself.
    UnknownImport(ImportName),
    /// A library function ended the process with this exit code: its caller gets nothing back.
    Exit(i32),
    /// Native code panicked.
    Panicked,
    /// A signal ended the process that native code ran in.
    Signal(i32),
    /// Code of a language with exceptions raised one of this type.
    Raised(ImportName),
    /// A web service answered with this status, where a value was wanted.
    Status(u16),
    /// Any other kind that the engine knows.
    Other,
}

impl Trap {
    /// A number for each kind; two calls of imports have the same, and so have two exceptions.
    pub fn kind(self) -> u8 {
        match self {
            Trap::Unreachable => 0,
            Trap::DivisionByZero => 1,
            Trap::IntegerOverflow => 2,
            Trap::BadConversion => 3,
            Trap::MemoryOutOfBounds => 4,
            Trap::TableOutOfBounds => 5,
            Trap::IndirectCallToNull => 6,
            Trap::BadSignature => 7,
            Trap::StackOverflow => 8,
            Trap::MemoryLimit => 9,
            Trap::UnknownImport(_) => 10,
            Trap::Exit(_) => 11,
            Trap::Other => 12,
            Trap::Panicked => 13,
            Trap::Signal(_) => 14,
            Trap::Raised(_) => 15,
            Trap::Status(_) => 16,
        }
    }
}

/// The words for people and for records.
impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Trap::Unreachable => "unreachable",
            Trap::DivisionByZero => "division by zero",
            Trap::IntegerOverflow => "integer overflow",
            Trap::BadConversion => "invalid conversion to integer",
            Trap::MemoryOutOfBounds => "out of bounds memory access",
            Trap::TableOutOfBounds => "out of bounds table access",
            Trap::IndirectCallToNull => "indirect call to null",
            Trap::BadSignature => "indirect call type mismatch",
            Trap::StackOverflow => "call stack exhausted",
            Trap::MemoryLimit => "memory limit reached",
            Trap::UnknownImport(name) => return write!(f, "call of the import {name}"),
            Trap::Exit(code) => return write!(f, "exit with code {code}"),
            Trap::Panicked => "panicked",
            Trap::Signal(number) => return write!(f, "ended by signal {number}{}", signal_name(*number)),
            Trap::Raised(name) => return write!(f, "raised {name}"),
            Trap::Status(status) => return write!(f, "status {status}"),
            Trap::Other => "trap",
        })
    }
}

/// The name of a signal that ends faulty programs, in brackets. These numbers are the same on every system.
fn signal_name(number: i32) -> &'static str {
    match number {
        4 => " (SIGILL)",
        6 => " (SIGABRT)",
        8 => " (SIGFPE)",
        9 => " (SIGKILL)",
        11 => " (SIGSEGV)",
        _ => "",
    }
}

/// Why what a function returned is not a value of its declared output type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
pub enum Malformed {
    /// A returned pointer (with its length) lies outside linear memory.
    Pointer,
    /// A returned length is larger than the buffer, or negative.
    Length,
    /// A number is outside the declared type: 300 for an `i8`, 2 for a `bool`.
    Range,
    /// A NUL-terminated result has no NUL before the end of memory.
    Unterminated,
    /// The module's allocator gave no memory for the arguments.
    Allocation,
    /// A program wrote nothing where the manifest looks for the output, or something that is no value of its type.
    Absent,
    /// A program wrote more than it may.
    Output,
    /// A program started more processes than it may.
    Processes,
    /// A web service closed the connection before its answer was complete, or its answer was no HTTP.
    Answer,
}

impl Malformed {
    /// The words for people and for records.
    pub fn name(self) -> &'static str {
        match self {
            Malformed::Pointer => "returned pointer outside memory",
            Malformed::Length => "returned length does not fit the buffer",
            Malformed::Range => "returned number outside its declared type",
            Malformed::Unterminated => "returned text without a terminating NUL",
            Malformed::Allocation => "no memory for the arguments",
            Malformed::Output => "more output than [limits] output allows",
            Malformed::Processes => "more processes than [limits] processes allows",
            Malformed::Answer => "no complete answer",
            Malformed::Absent => "no output where the manifest looks for it",
        }
    }
}

/// How one call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
pub enum Outcome {
    /// The function returned and its outputs are valid.
    Returned,
    /// A command ended with this exit code; its outputs are valid too.
    Exited(i32),
    /// The call trapped.
    Trapped(Trap),
    /// The call used up its fuel: for a test, an endless loop.
    OutOfFuel,
    /// The call of native code, which uses no fuel, took longer than a call may.
    OutOfTime,
    /// The function returned something that is not of its declared type.
    Malformed(Malformed),
}

impl Outcome {
    /// The limit of the run that the call met, by its name in a manifest's `[limits]`.
    pub fn limit(self) -> Option<&'static str> {
        match self {
            Outcome::OutOfFuel => Some("fuel"),
            Outcome::Trapped(Trap::StackOverflow) => Some("stack"),
            Outcome::Trapped(Trap::MemoryLimit) => Some("memory"),
            _ => None,
        }
    }

    /// Whether the call met a limit of the run: of fuel, time, stack or memory. Symbolic execution does not count these, so such an outcome says
    /// nothing about what it predicted.
    pub fn meets_a_limit(self) -> bool {
        self.limit().is_some() || self == Outcome::OutOfTime
    }

    /// The outcome in words, and if the call met a limit of the manifest, which: `out of fuel: see [limits] fuel`.
    pub fn with_limit(self) -> String {
        let limit = self.limit().map(|limit| format!(": see [limits] {limit}"));
        format!("{self}{}", limit.unwrap_or_default())
    }

    /// Whether there are outputs: the function returned or the command exited.
    pub fn has_outputs(self) -> bool {
        matches!(self, Outcome::Returned | Outcome::Exited(_))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Returned => f.write_str("returned"),
            Outcome::Exited(code) => write!(f, "exited with {code}"),
            Outcome::Trapped(trap) => write!(f, "trapped: {trap}"),
            Outcome::OutOfFuel => f.write_str("out of fuel"),
            Outcome::OutOfTime => f.write_str("out of time"),
            Outcome::Malformed(why) => write!(f, "malformed output: {}", why.name()),
        }
    }
}

/// The calls of one function over many rows: how each ended, and a column for each output in the
/// order of [`Signature::outputs`](crate::Signature::outputs). A row without outputs holds the defaults of the column's kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Calls {
    /// One outcome a row.
    pub outcomes: Vec<Outcome>,
    /// One column an output.
    pub outputs: Vec<Column>,
}

impl Calls {
    /// The calls of these rows.
    ///
    /// # Panics
    /// When there is no such row.
    pub fn select(&self, rows: &[u32]) -> Calls {
        Calls {
            outcomes: rows.iter().map(|&row| self.outcomes[row as usize]).collect(),
            outputs: self.outputs.iter().map(|column| column.select(rows)).collect(),
        }
    }

    /// Whether a call has the same outcome as another one and, as `==` compares them, the same outputs.
    ///
    /// # Panics
    /// When there is no such row.
    pub fn same(&self, row: usize, others: &Calls, other: usize) -> bool {
        self.outcomes[row] == others.outcomes[other]
            && (!self.outcomes[row].has_outputs() || self.same_outputs(row, others, other))
    }

    /// Whether a call has the same outputs as another one, as `==` compares them.
    ///
    /// # Panics
    /// When there is no such row.
    pub fn same_outputs(&self, row: usize, others: &Calls, other: usize) -> bool {
        self.outputs.iter().zip(&others.outputs).all(|(a, b)| a.same(row, b, other))
    }

    /// How a call ended: its outputs, or its outcome where it has none.
    ///
    /// ```
    /// use dodona_target::{Calls, Column, Outcome, Trap};
    ///
    /// let outcomes = vec![Outcome::Returned, Outcome::Trapped(Trap::Panicked)];
    /// let calls = Calls { outcomes, outputs: vec![Column::Int(vec![7, 0])] };
    /// assert_eq!([calls.told(0), calls.told(1)], ["7", "trapped: panicked"]);
    /// ```
    ///
    /// # Panics
    /// When there is no such row.
    pub fn told(&self, row: usize) -> String {
        match self.outcomes[row].has_outputs() {
            true => values(&self.outputs, row),
            false => self.outcomes[row].to_string(),
        }
    }
}

/// The values of a row, with commas between.
pub(crate) fn values(columns: &[Column], row: usize) -> String {
    let values: Vec<String> = columns.iter().map(|column| column.value(row).to_string()).collect();
    values.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_stays_as_small_as_an_exit_code_with_its_kind() {
        // There is one for each row of a column.
        assert_eq!(size_of::<Outcome>(), 8);
    }

    #[test]
    fn outcomes_that_met_a_limit_name_it() {
        assert_eq!(Outcome::OutOfFuel.with_limit(), "out of fuel: see [limits] fuel");
        let stack = Outcome::Trapped(Trap::StackOverflow);
        assert_eq!(stack.with_limit(), "trapped: call stack exhausted: see [limits] stack");
        let memory = Outcome::Trapped(Trap::MemoryLimit);
        assert_eq!(memory.with_limit(), "trapped: memory limit reached: see [limits] memory");
        assert_eq!(Outcome::Trapped(Trap::Unreachable).with_limit(), "trapped: unreachable");
    }
}
