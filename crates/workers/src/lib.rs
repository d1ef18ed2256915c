//! Functions that are called in processes of their own: a crash, a hang and a used-up memory are outcomes of a call, and not the end of the test.
//!
//! There are four kinds: functions of a crate that is built for this machine ([`WorkerTarget`]), functions that a worker of any language calls ([`ProtocolTarget`]),
//! programs that are run for each call ([`CommandTarget`]), and web services, whose process somebody else has started ([`HttpTarget`]).
//!
//! # Decisions
//! - **Rows, and not calls, go to a process.** A row takes a tenth of a microsecond of a pipe, a call by itself ten. The price: a process that ends
//!   says nothing of the rows before, and they are called again.
//! - **What a function keeps between calls is looked for, not prevented.** A process for each row (`fork`) takes from a tenth of a millisecond to three,
//!   ten thousand times a call. So a session calls all rows in one process, and some rows of some columns by themselves too; where one of them ends
//!   otherwise, each row has a process from then on. A function whose state shows in none of them is not noticed.

mod command;
mod filled;
mod found;
mod http;
mod native_worker;
mod process;
mod protocol;
mod python_mutants;
mod sanitizer;
mod wire;

use dodona_target::{Calls, Column, Signature};

pub use command::{CommandError, CommandOptions, CommandTarget};
pub use http::{FetchError, HttpError, HttpOptions, HttpTarget, fetch, host};
pub use native_worker::WorkerTarget;
pub use protocol::{ProtocolOptions, ProtocolTarget, WorkerError};
pub use python_mutants::{PythonMutant, PythonMutantsError, PythonTool, SameAs, python_mutants};

/// No calls yet of a function, of which so many are to come.
fn no_calls(signature: &Signature, rows: usize) -> Calls {
    Calls {
        outcomes: Vec::with_capacity(rows),
        outputs: signature.outputs.iter().map(|output| Column::empty(output.ty)).collect(),
    }
}
