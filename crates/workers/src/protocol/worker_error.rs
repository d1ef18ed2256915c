//! What keeps a worker from being used.

use super::STARTS_WITHIN;
use super::line;

/// A worker cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// It does not start.
    #[error("{program} cannot be started: {error}{}", hint(.program))]
    NotStarted {
        /// The program.
        program: String,
        /// Why.
        error: std::io::Error,
    },
    /// It could not load what it is to call.
    #[error("{worker} cannot load {what}: {kind}: {message}{}", indented(.trace))]
    NotLoaded {
        /// The program.
        worker: String,
        /// What it was to load.
        what: String,
        /// The type of the exception.
        kind: String,
        /// What it says.
        message: String,
        /// Where it was raised.
        trace: String,
    },
    /// It speaks another version of the protocol.
    #[error("{worker} speaks version {found} of the protocol, and this is version {known} (book/worker-protocol.md)", known = line::VERSION)]
    Version {
        /// The program.
        worker: String,
        /// What it speaks.
        found: u64,
    },
    /// It answered with something else than the protocol.
    #[error("{worker} does not speak the protocol (book/worker-protocol.md): {why}{}", indented(.said))]
    Garbled {
        /// The program.
        worker: String,
        /// What is wrong.
        why: String,
        /// What it said on standard error.
        said: String,
    },
    /// It ended before it answered.
    #[error("{worker} ended before it was ready: {how}{}", indented(.said))]
    Ended {
        /// The program.
        worker: String,
        /// How.
        how: String,
        /// What it said on standard error.
        said: String,
    },
    /// It did not answer.
    #[error("{worker} was not ready within {STARTS_WITHIN:?}{}", indented(.said))]
    Silent {
        /// The program.
        worker: String,
        /// What it said on standard error.
        said: String,
    },
    /// Nobody waits for it any more.
    #[error("the time was up, or somebody interrupted")]
    Stopped,
}

/// What a program is installed by.
fn hint(program: &str) -> &'static str {
    let name = program.rsplit('/').next().unwrap_or(program);
    match name {
        "python3" | "python" => "; install Python, or name its program with interpreter = \"…\"",
        "java" => {
            "; install a JDK (Debian: default-jdk-headless), or name its program with interpreter = \"…\""
        }
        "node" => "; install Node, or name its program with interpreter = \"…\"",
        _ => "; [target] names it",
    }
}

/// Several lines, each behind the margin of a message.
fn indented(text: &str) -> String {
    text.trim_end().lines().map(|line| format!("\n  {line}")).collect()
}
