//! One run of everything: for each function of a subject inputs along its paths, relations that are found where nobody wrote one, the check of all relations, what they catch
//! of the mutants, and what nothing runs.
//!
//! A run consists of *pieces*: the inputs of one function, the check of one relation, the mutants of one function. A piece is kept under a key of all that its result
//! depends on ([`Depends`]), so that it is done once, and again only when something has changed that it depends on. The record of a run is put together from its
//! pieces, and says the same whether they were kept or done.
//!
//! # Decisions
//! - A piece of a function depends on the code that its calls can run, and not on the module: an edit of another function leaves it. The code is read without the numbers
//!   of functions and types, which move when a function is added.
//! - The check, the mutants and the coverage of a function also depend on its source lines, because they name them. An edit that moves lines does these again for the functions
//!   below it, and not the search.
//! - Relations are looked for only where nobody accepted one: who has relations wants to know what they are worth.
//! - Of functions that are no module nothing is kept between runs ([`run_outside`]): which files a program or a module of Python reads is known to nobody, and a result
//!   that is out of date would be worse than one that is made again.
//! - How much is done is counted, and the time only chooses how much. The clock ends what takes several times its share ([`DISCOVERY_SLACK`]).

mod against;
mod code;
mod depends;
mod division;
mod estimate;
mod faults;
mod found;
mod kept;
mod options;
mod outside;
mod steps;
mod subject;

pub use against::against;
pub use depends::{Depends, files_of};
pub use division::{Division, FunctionCost, ShardWork, Share, SubjectCost};
pub use estimate::{FunctionCounts, SubjectCounts};
pub use kept::{Kept, RunError};
pub use options::{DISCOVERY_SLACK, RunOptions, RunProgress, Step};
pub use outside::run_outside;
pub use subject::{run_share, run_subject};
