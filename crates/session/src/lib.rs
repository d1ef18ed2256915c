//! What runs leave behind, in a SQLite file: finished pieces of work under a key of all that they depend on, runs, relations by what they say, verdicts, mutants and what
//! kills them.
//!
//! A run asks for each piece of its work whether it is [kept](Session::piece), and [keeps](Session::keep) what it had to do, each piece in a transaction of
//! its own. So whatever ends a run, the next one goes on from the last finished piece, and its record is the same.
//!
//! # Decisions
//! - SQLite and not files of our own: a killed process, a full disk and two readers beside a writer are what it is made for, and people ask questions of their own
//!   ([`ask`]). The price is a minute of compiling and a megabyte.
//! - Records are kept as JSON text, as the reports have them. That takes some five times the room of a compact form, and can be asked about with SQLite's own functions.
//! - One process writes at a time, and holds the lock of the operating system for its whole run: two runs that do the same work twice would be no gain.

mod bits;
mod database;
mod error;
mod holder;
mod kept_runs;
mod key;
mod piece;
mod question;
mod retention;
mod session;
mod shard;

pub use bits::{from_bits, to_bits};
pub use database::SCHEMA_VERSION;
pub use error::SessionError;
pub use kept_runs::{KeptRun, last_run, last_run_with_record, named_run, runs_with_records};
pub use key::{Key, KeyBuilder};
pub use piece::NewPiece;
pub use question::{Answer, Cell, ask};
pub use retention::{Cleaned, KEPT_RUNS};
pub use session::{EndedRun, NewRun, RunId, RunState, Session, file_in};
pub use shard::{
    ShardError, ShardFile, ShardHead, ShardNumber, ShardPiece, ShardProblem, ShardReader, ShardSet,
    ShardSubject, ShardWriter,
};
