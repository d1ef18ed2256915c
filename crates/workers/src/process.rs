//! A worker process behind two pipes.

use std::io::{Read, Write};
use std::ops::Range;
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use dodona_target::Until;

use crate::wire;

/// How often it is looked whether anybody still wants an answer. A hundred looks a second cost nothing beside a call that takes as long.
const TICK: Duration = Duration::from_millis(10);

/// How much of what a process says on standard error is kept: its end, which tells why it failed.
const KEPT: usize = 8 << 10;

/// How long a process that has closed its output may take to end.
const ENDS_WITHIN: Duration = Duration::from_millis(500);

/// The longest line that is an answer. A worker that writes more is not speaking the protocol, and would fill the memory.
const LONGEST_LINE: usize = wire::LONGEST;

/// Bytes that a pipe holds. Linux grants a user 64 MiB for all pipes, and further ones are then narrow: so many threads may have workers.
#[cfg(target_os = "linux")]
const PIPE: usize = 1 << 18;

/// Bytes that are read at once.
const READ: usize = 1 << 17;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum NoAnswer {
    /// Nobody wants it any more.
    NotWanted,
    /// It did not come in time.
    Silent,
    /// What came is no answer.
    Garbled(String),
    /// The process has ended, and how.
    Died(Died),
}

/// How a process ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Died {
    /// Its exit code.
    pub(crate) code: Option<i32>,
    /// The signal that ended it.
    pub(crate) signal: Option<i32>,
    /// In words.
    pub(crate) words: String,
}

impl Died {
    fn of(status: std::io::Result<ExitStatus>) -> Died {
        match status {
            Ok(status) => Died {
                code: status.code(),
                signal: status.signal(),
                words: match status.signal() {
                    Some(signal) => format!("signal {signal} ended it"),
                    None => format!("it ended with {status}"),
                },
            },
            Err(error) => Died { words: error.to_string(), ..Died::default() },
        }
    }
}

/// A running worker. Dropping it ends it.
pub(crate) struct Process {
    child: Child,
    input: ChildStdin,
    output: Receiver<Vec<u8>>,
    /// What was read, and where the first answer begins that nobody has had.
    read: Vec<u8>,
    start: usize,
    /// How much of what was read has no end of a line in it.
    searched: usize,
    said: Arc<Mutex<Vec<u8>>>,
}

/// What is done with standard error.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stderr {
    Ignored,
    /// The end of it is kept.
    Kept,
}

impl Process {
    /// Starts a command.
    pub(crate) fn spawn(mut command: Command, stderr: Stderr) -> std::io::Result<Process> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(if stderr == Stderr::Kept { Stdio::piped() } else { Stdio::null() });
        // A group of its own, so that the processes which it starts end with it.
        let mut child = command.process_group(0).spawn()?;
        let piped = || std::io::Error::other("a pipe to the program is missing");
        let input = child.stdin.take().ok_or_else(piped)?;
        let output = child.stdout.take().ok_or_else(piped)?;
        widen(&input);
        widen(&output);
        let (parts, receiver) = sync_channel(16);
        std::thread::spawn(move || read_all(output, &parts));
        let said = Arc::new(Mutex::new(Vec::new()));
        if let Some(stderr) = child.stderr.take() {
            let said = Arc::clone(&said);
            std::thread::spawn(move || keep_end(stderr, &said));
        }
        Ok(Process { child, input, output: receiver, read: Vec::new(), start: 0, searched: 0, said })
    }

    /// Sends a frame. The worker reads a whole one before it answers.
    pub(crate) fn send(&mut self, frame: &[u8]) -> Result<(), NoAnswer> {
        self.input.write_all(frame).and_then(|()| self.input.flush()).map_err(|_| self.died())
    }

    /// The next frame of a worker that writes frames (`wire.rs`). `limit` is how long it may take.
    pub(crate) fn frame(&mut self, until: &Until, limit: Duration) -> Result<&[u8], NoAnswer> {
        let answer = self.next(until, limit, Process::whole_frame)?;
        Ok(&self.read[answer])
    }

    /// The next answer of a worker that writes a line for each.
    pub(crate) fn line(&mut self, until: &Until, limit: Duration) -> Result<&[u8], NoAnswer> {
        let answer = self.next(until, limit, Process::whole_line)?;
        Ok(&self.read[answer])
    }

    fn next(
        &mut self,
        until: &Until,
        limit: Duration,
        whole: fn(&mut Process) -> Result<Option<Range<usize>>, String>,
    ) -> Result<Range<usize>, NoAnswer> {
        let end = Instant::now() + limit;
        loop {
            if let Some(answer) = whole(self).map_err(NoAnswer::Garbled)? {
                return Ok(answer);
            }
            match self.output.recv_timeout(TICK) {
                Ok(part) => {
                    self.read.drain(..std::mem::take(&mut self.start));
                    self.read.extend(part);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.died()),
                Err(RecvTimeoutError::Timeout) if !until.goes_on() => return Err(NoAnswer::NotWanted),
                Err(RecvTimeoutError::Timeout) if end <= Instant::now() => {
                    return Err(NoAnswer::Silent);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Where the first frame lies, if all of it was read.
    fn whole_frame(&mut self) -> Result<Option<Range<usize>>, String> {
        let rest = &self.read[self.start..];
        let Some(length) = wire::length(rest)?.filter(|length| *length <= rest.len()) else {
            return Ok(None);
        };
        let frame = self.start..self.start + length;
        self.start = frame.end;
        Ok(Some(frame))
    }

    /// Where the first line lies, without its end.
    fn whole_line(&mut self) -> Result<Option<Range<usize>>, String> {
        let from = self.start + self.searched;
        match self.read[from..].iter().position(|byte| *byte == b'\n') {
            Some(at) => {
                let line = self.start..from + at;
                (self.start, self.searched) = (from + at + 1, 0);
                Ok(Some(line))
            }
            None => {
                self.searched = self.read.len() - self.start;
                match self.searched > LONGEST_LINE {
                    true => Err(format!("a line of more than {} MiB", LONGEST_LINE >> 20)),
                    false => Ok(None),
                }
            }
        }
    }

    /// The end of what it said on standard error.
    pub(crate) fn said(&self) -> String {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&said).trim().to_owned()
    }

    /// How it ended: nothing comes from it any more.
    fn died(&mut self) -> NoAnswer {
        // It closes its output a moment before it is gone, and its own end is what is told. One that runs on without an output is of no use.
        let last = Instant::now() + ENDS_WITHIN;
        while Instant::now() < last {
            match self.child.try_wait() {
                Ok(None) => std::thread::sleep(Duration::from_millis(1)),
                Ok(Some(status)) => return NoAnswer::Died(Died::of(Ok(status))),
                Err(error) => return NoAnswer::Died(Died::of(Err(error))),
            }
        }
        let _ = self.child.kill();
        NoAnswer::Died(Died::of(self.child.wait()))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself. Waiting for it leaves no zombie.
        end_group(&self.child);
        let _ = self.child.wait();
    }
}

/// Ends a process with the processes of its group, which those are that it has started.
pub(crate) fn end_group(child: &Child) {
    let _ = rustix::process::kill_process_group(
        rustix::process::Pid::from_child(child),
        rustix::process::Signal::KILL,
    );
}

/// Makes room in a pipe for a whole request of thousands of rows, so that neither side waits for the other within one. Where the system grants less, they wait.
fn widen(pipe: impl AsFd) {
    #[cfg(target_os = "linux")]
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, PIPE);
    #[cfg(not(target_os = "linux"))]
    let _ = pipe;
}

/// Reads on a thread of its own, because a read cannot be given up and an answer can. It ends with the process.
fn read_all(mut output: impl Read, parts: &SyncSender<Vec<u8>>) {
    let mut bytes = vec![0; READ];
    while let Ok(count @ 1..) = output.read(&mut bytes) {
        if parts.send(bytes[..count].to_vec()).is_err() {
            return;
        }
    }
}

/// Keeps the end of what is said.
fn keep_end(mut from: impl Read, said: &Mutex<Vec<u8>>) {
    let mut bytes = [0; 1 << 12];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
        said.extend(&bytes[..count]);
        let more = said.len().saturating_sub(KEPT);
        said.drain(..more);
    }
}
