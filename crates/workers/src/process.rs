//! A worker process behind two pipes.

use std::io::{Read, Write};
use std::ops::Range;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use dodona_target::Until;

/// How often it is looked whether anybody still wants an answer. A hundred looks a second cost nothing beside a call that takes as long.
const TICK: Duration = Duration::from_millis(10);

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum NoAnswer {
    /// Nobody wants it any more.
    NotWanted,
    /// It did not come in time.
    Silent,
    /// The process has ended, and how.
    Died(String),
}

/// A running worker. Dropping it ends it.
pub(crate) struct Process {
    child: Child,
    input: ChildStdin,
    output: Receiver<Vec<u8>>,
    /// What was read, and where the first answer begins that nobody has had.
    read: Vec<u8>,
    start: usize,
}

impl Process {
    /// Starts a program that may have so many bytes of memory.
    pub(crate) fn start(program: &Path, memory: u64) -> std::io::Result<Process> {
        let mut command = Command::new(program);
        command.arg(memory.to_string());
        // The C library reserves 64 MiB of addresses for each thread otherwise, which count as memory.
        command.env("MALLOC_ARENA_MAX", "2");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // A group of its own, so that the processes which it starts end with it.
        let mut child = command.process_group(0).spawn()?;
        let piped = || std::io::Error::other("a pipe to the program is missing");
        let input = child.stdin.take().ok_or_else(piped)?;
        let output = child.stdout.take().ok_or_else(piped)?;
        let (parts, read) = sync_channel(16);
        std::thread::spawn(move || read_all(output, &parts));
        Ok(Process { child, input, output: read, read: Vec::new(), start: 0 })
    }

    /// Sends a frame. The worker reads a whole one before it answers.
    pub(crate) fn send(&mut self, frame: &[u8]) -> Result<(), NoAnswer> {
        self.input.write_all(frame).and_then(|()| self.input.flush()).map_err(|_| self.died())
    }

    /// The next answer. `limit` is how long it may take.
    pub(crate) fn answer(&mut self, until: &Until, limit: Duration) -> Result<&[u8], NoAnswer> {
        let end = Instant::now() + limit;
        let answer = loop {
            if let Some(answer) = self.whole() {
                break answer;
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
        };
        Ok(&self.read[answer])
    }

    /// Where the first answer lies, if all of it was read.
    fn whole(&mut self) -> Option<Range<usize>> {
        let rest = &self.read[self.start..];
        let length = u32::from_le_bytes(*rest.first_chunk()?) as usize;
        let begin = self.start + 4;
        rest.get(4..4 + length)?;
        self.start = begin + length;
        Some(begin..self.start)
    }

    /// How it ended: nothing comes from it any more.
    fn died(&mut self) -> NoAnswer {
        let _ = self.child.kill();
        NoAnswer::Died(match self.child.wait() {
            Ok(status) => match status.signal() {
                Some(signal) => format!("signal {signal} ended it"),
                None => format!("it ended with {status}"),
            },
            Err(error) => error.to_string(),
        })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself. Waiting for it leaves no zombie.
        let _ = rustix::process::kill_process_group(
            rustix::process::Pid::from_child(&self.child),
            rustix::process::Signal::KILL,
        );
        let _ = self.child.wait();
    }
}

/// Reads on a thread of its own, because a read cannot be given up and an answer can. It ends with the process.
fn read_all(mut output: ChildStdout, parts: &SyncSender<Vec<u8>>) {
    let mut bytes = [0; 1 << 16];
    while let Ok(count @ 1..) = output.read(&mut bytes) {
        if parts.send(bytes[..count].to_vec()).is_err() {
            return;
        }
    }
}
