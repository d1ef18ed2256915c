//! A worker that has greeted, and requests to it.

use std::process::Command;
use std::time::Duration;

use dodona_target::{Calls, TracedCode, Until};

use super::framing::Framing;
use super::line::{self, Greeting};
use super::traced;
use super::{STARTS_WITHIN, WorkerError};
use crate::process::{NoAnswer, Process, Stderr};
use crate::wire::{self, Question, Said};

/// How a worker is started, and how it is called in messages.
pub(crate) struct Start<'a> {
    pub(crate) command: Command,
    pub(crate) stderr: Stderr,
    /// The first line to it.
    pub(crate) hello: String,
    pub(crate) worker: &'a str,
    /// What it is to load.
    pub(crate) what: String,
}

/// A worker that waits for requests.
pub(crate) struct Connection {
    process: Process,
    framing: Framing,
    /// Whether it can tell what calls run.
    traces: bool,
    /// Whether it ends calls at their limit of time by itself.
    limits: bool,
    /// The number of the last request.
    id: u32,
    /// The last frame that was sent: the next one is written into its memory.
    frame: Vec<u8>,
}

impl Connection {
    /// Starts a worker and waits for its greeting.
    ///
    /// # Errors
    /// When it cannot be started, does not load the functions, or does not speak the protocol.
    pub(crate) fn open(start: Start<'_>, until: &Until) -> Result<Connection, WorkerError> {
        let Start { command, stderr, hello, worker, what } = start;
        let worker = worker.to_owned();
        let mut process = match Process::spawn(command, stderr) {
            Ok(process) => process,
            Err(error) => return Err(WorkerError::NotStarted { program: worker, error }),
        };
        let greeted = match process.send(hello.as_bytes()) {
            Ok(()) => process.line(until, STARTS_WITHIN).map(line::greeting),
            Err(error) => Err(error),
        };
        match greeted {
            Ok(Greeting::Ready { framing, traces, limits }) => {
                Ok(Connection { process, framing, traces, limits, id: 0, frame: Vec::new() })
            }
            Ok(Greeting::Version(found)) => Err(WorkerError::Version { worker, found }),
            Ok(Greeting::Failed { kind, message, trace }) => {
                Err(WorkerError::NotLoaded { worker, what, kind, message, trace })
            }
            Ok(Greeting::Garbled(why)) | Err(NoAnswer::Garbled(why)) => {
                Err(WorkerError::Garbled { worker, why, said: process.said() })
            }
            Err(NoAnswer::NotWanted) => Err(WorkerError::Stopped),
            Err(NoAnswer::Silent) => Err(WorkerError::Silent { worker, said: process.said() }),
            Err(NoAnswer::Died(how)) => {
                Err(WorkerError::Ended { worker, how: how.words, said: settled(&process) })
            }
        }
    }

    pub(crate) fn framing(&self) -> Framing {
        self.framing
    }

    /// Whether it can tell what calls run.
    pub(super) fn traces(&self) -> bool {
        self.traces
    }

    /// Asks for the code that calls of a function can run.
    ///
    /// # Errors
    /// As [`line`](Connection::line).
    pub(super) fn code(&mut self, function: usize, until: &Until) -> Result<TracedCode, NoAnswer> {
        let id = self.next_id().into();
        self.process.send(traced::code_request(id, function).as_bytes())?;
        let bytes = self.process.line(until, STARTS_WITHIN)?;
        traced::code(bytes, id).map_err(NoAnswer::Garbled)
    }

    /// Asks in a line, and where `traced` is true also for what the calls run. `limit` is how long the answer may take; a worker that ends calls at their limit has twice as long, and
    /// tells then which of them it was.
    ///
    /// # Errors
    /// Why there is no answer. The worker is of no use then: what may still come from it belongs to no question any more.
    pub(super) fn line(
        &mut self,
        question: Question<'_>,
        traced: bool,
        until: &Until,
        limit: Duration,
    ) -> Result<line::Answer, NoAnswer> {
        let Question { function, signature, arguments, rows } = question;
        let id = self.next_id().into();
        let request = line::request(id, function, signature, arguments, rows, traced);
        self.process.send(request.as_bytes())?;
        let limit = if self.limits { limit * 2 } else { limit };
        let bytes = self.process.line(until, limit)?;
        line::answer(bytes, id, rows.len()).map_err(NoAnswer::Garbled)
    }

    /// Asks in a frame and adds the calls to those before; what was said of the last row that did not return. `limit` is how long each part of the answer may
    /// take.
    ///
    /// # Errors
    /// Why there is no answer to all rows. The worker is of no use then; calls that were added are rows that it has answered, unless it is garbled.
    pub(crate) fn frames(
        &mut self,
        question: Question<'_>,
        flags: u8,
        until: &Until,
        limit: Duration,
        calls: &mut Calls,
    ) -> Result<Said, NoAnswer> {
        let id = self.next_id();
        let rows = question.rows.len();
        let mut reader = wire::Reader::new(question.signature, id, rows);
        if rows > 0 {
            wire::request(&mut self.frame, id, question, flags);
            self.process.send(&self.frame)?;
        }
        while reader.goes_on() {
            let frame = self.process.frame(until, limit)?;
            reader.read(frame, calls).map_err(NoAnswer::Garbled)?;
        }
        Ok(reader.said())
    }

    fn next_id(&mut self) -> u32 {
        self.id = self.id.wrapping_add(1);
        self.id
    }
}

/// What a process that has ended said: its last words may still be in the pipe.
fn settled(process: &Process) -> String {
    for _ in 0..20 {
        if !process.said().is_empty() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    process.said()
}
