//! A solver process behind two pipes, with a time limit for each answer.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

use super::choice::SolverCommand;

/// An answer with more bytes is garbage.
const LONGEST_ANSWER: usize = 1 << 24;
/// A line with more bytes is split.
const LONGEST_LINE: u64 = 1 << 20;

/// The time after which it is noticed that nobody wants an answer any more. A hundred looks a second cost nothing beside a solver,
/// and a command that is interrupted while its solver starts ends at once.
const TICK: Duration = Duration::from_millis(10);

/// Whether anybody still wants answers.
pub(crate) struct Wanted(Box<dyn Fn() -> bool + Send>);

impl Wanted {
    pub(crate) fn new(goes_on: impl Fn() -> bool + Send + 'static) -> Wanted {
        Wanted(Box::new(goes_on))
    }

    fn goes_on(&self) -> bool {
        (self.0)()
    }
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted::new(|| true)
    }
}

impl std::fmt::Debug for Wanted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Wanted")
    }
}

/// Why a process gave no answer. The process is useless then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Failure {
    #[error("it cannot be started: {0}")]
    NotStarted(String),
    #[error("nobody wants its answer any more")]
    NotWanted,
    #[error("it ended without an answer")]
    Died,
    #[error("it did not answer in {0:?}")]
    Silent(Duration),
    #[error("its answer has no end")]
    Endless,
}

/// A running solver. Dropping it ends it.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    input: Sender<String>,
    output: Receiver<String>,
    questions: u64,
}

impl Process {
    /// Starts it, without waiting for anything.
    pub(crate) fn start(command: &SolverCommand) -> Result<Process, Failure> {
        let mut command = command.command();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // It gets a process group of its own, so that processes which the solver starts end with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| Failure::NotStarted(error.to_string()))?;
        let (input, texts) = channel();
        let (lines, output) = sync_channel(1024);
        if let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) {
            std::thread::spawn(move || write_texts(stdin, &texts));
            std::thread::spawn(move || read_lines(stdout, &lines));
        }
        Ok(Process { child, input, output, questions: 0 })
    }

    /// The number of the process.
    #[cfg(test)]
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends commands and returns all answers to them.
    pub(crate) fn ask(
        &mut self,
        commands: &str,
        limit: Duration,
        is_wanted: &Wanted,
    ) -> Result<String, Failure> {
        let deadline = Instant::now() + limit;
        self.questions += 1;
        // Commands that succeed print nothing, so an echo marks the end of the answer.
        let end = format!("dodona-{}", self.questions);
        self.input.send(format!("{commands}(echo \"{end}\")\n")).map_err(|_| Failure::Died)?;
        let mut answer = String::new();
        loop {
            let line = self.line(deadline, is_wanted)?.ok_or(Failure::Silent(limit))?;
            if line.trim().trim_matches('"') == end {
                return Ok(answer);
            }
            answer.push_str(&line);
            if answer.len() > LONGEST_ANSWER {
                return Err(Failure::Endless);
            }
        }
    }
}

impl Process {
    /// The next line of an answer; `None` where none comes in time.
    fn line(&mut self, deadline: Instant, is_wanted: &Wanted) -> Result<Option<String>, Failure> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left.min(TICK)) {
                Ok(line) => return Ok(Some(line)),
                Err(RecvTimeoutError::Disconnected) => return Err(Failure::Died),
                Err(RecvTimeoutError::Timeout) if !is_wanted.goes_on() => return Err(Failure::NotWanted),
                Err(RecvTimeoutError::Timeout) if left <= TICK => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself. Waiting for it leaves no zombie.
        #[cfg(unix)]
        if let Some(group) = rustix::process::Pid::from_raw(self.child.id() as i32) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes on a thread of its own, because a solver that hangs does not read either, and a full pipe would block the writer.
fn write_texts(mut stdin: ChildStdin, texts: &Receiver<String>) {
    while let Ok(text) = texts.recv() {
        if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, lines: &SyncSender<String>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) || lines.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
            return;
        }
    }
}
