//! WASI preview 1 for commands: a process in memory, without the host's files, clock, network or environment.
//!
//! Written here because the engine's own host binds to the real machine and an asynchronous runtime, and is made for one process that
//! lives long, not for thousands a second. A test needs a directory in memory, a clock that stands still, and thousands of runs a second.

mod abi;
mod calls;
mod files;
mod paths;
mod process;

pub(crate) use abi::Exit;
pub(crate) use calls::{charge, offer, offers};
pub(crate) use process::Process;
