//! Functions that a worker of any language calls: lines of JSON over its standard input and output, or frames of bytes (`book/worker-protocol.md`).

mod connection;
mod framing;
mod line;
mod traced;
mod worker_error;

use std::any::Any;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use dodona_subject::{WorkerLanguage, WorkerSource};
use dodona_target::{
    CallError, Caller, Calls, Column, Ending, ImportName, Malformed, Outcome, Session, Signature, Target,
    Trace, TracedCode, Traits, Trap, Until, on_one_line,
};

use tempfile::TempDir;

use crate::no_calls;
use crate::process::{Died, NoAnswer, Stderr};
use crate::wire::{self, Question};
pub(crate) use connection::{Connection, Start};
pub(crate) use framing::Framing;
pub(crate) use line::Hello;
pub use worker_error::WorkerError;

/// What an interpreter may have besides the memory of a call: its own code, libraries, and the stacks of threads, which count as they are reserved. numpy alone reserves a gigabyte.
const OWN_MEMORY: u64 = 4 << 30;

/// How long a worker may take to start and to load what it calls: a module that imports scipy takes seconds on a busy machine.
const STARTS_WITHIN: Duration = Duration::from_secs(60);

/// Rows of the first request, and the most of one. More rows than that gain nothing: the cost of a request is spread over a thousand already.
const FIRST_BATCH: usize = 16;
const LARGEST_BATCH: usize = 4096;

/// The most rows of a request for what calls run, each of which may have some ten thousand steps.
const LARGEST_TRACED_BATCH: usize = 64;

/// How long a request should take: long enough that a request costs little beside its rows, and short enough that little is done again when a row ends the worker.
const BATCH_TIME: Duration = Duration::from_millis(50);

/// A worker, and the functions that it calls.
#[derive(Clone, Debug)]
pub struct ProtocolOptions {
    /// A name for reports.
    pub name: String,
    /// The file that declares the functions.
    pub declared_in: PathBuf,
    /// The functions.
    pub signatures: Vec<Signature>,
    /// The worker, and what it calls each of them.
    pub source: WorkerSource,
    /// All of its environment.
    pub environment: Vec<(OsString, OsString)>,
    /// Bytes of memory for a call.
    pub memory: u64,
    /// How long a call may take.
    pub time: Duration,
}

/// Functions that a worker calls. Each session has a process for itself, as long as it lasts.
#[derive(Clone)]
pub struct ProtocolTarget {
    options: Arc<ProtocolOptions>,
    /// Where the code of a worker lies that its language reads from a file.
    code: Option<Arc<TempDir>>,
    /// Processes that no session has: the one that was started to see whether one can be, and those of sessions that have ended. To start one takes up to a second.
    idle: Arc<Mutex<Vec<Connection>>>,
}

impl ProtocolTarget {
    /// What a call costs. Making a violation smaller ends after some forty thousand calls, which take a tenth of a second of a quick function and a minute of one that takes a
    /// millisecond.
    pub const COST: u64 = 100_000;

    /// Starts a worker, so that what keeps it from being used is told at once.
    ///
    /// # Errors
    /// When it cannot be started, does not load the functions, or does not speak the protocol.
    pub fn start(options: ProtocolOptions) -> Result<ProtocolTarget, WorkerError> {
        let code = match options.source.language {
            WorkerLanguage::Java => Some(Arc::new(code_of_java()?)),
            _ => None,
        };
        let target = ProtocolTarget { options: Arc::new(options), code, idle: Arc::default() };
        let process = target.process(&Until::default())?;
        target.idle().push(process);
        Ok(target)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A process that has loaded the functions.
    fn process(&self, until: &Until) -> Result<Connection, WorkerError> {
        let options = &*self.options;
        let WorkerSource { command, names, shapes, version, .. } = &options.source;
        let memory = options.memory.saturating_add(OWN_MEMORY);
        let start = Start {
            command: self.command(),
            stderr: Stderr::Kept,
            hello: Hello { memory, time: options.time, version: version.as_deref() }.line(
                &options.signatures,
                names,
                shapes,
            ),
            worker: command.first().map_or("", String::as_str),
            what: names.join(", "),
        };
        Connection::open(start, until)
    }

    fn command(&self) -> Command {
        let ProtocolOptions { source, environment, memory, .. } = &*self.options;
        let WorkerSource { command: words, language, folder, .. } = source;
        let program = words.first().cloned().unwrap_or_default();
        // A path is one from the folder of the manifest, as all paths in it are.
        let program = match program.contains('/') {
            true => folder.join(program).into_os_string(),
            false => OsString::from(program),
        };
        let mut command = Command::new(program);
        command.args(words.iter().skip(1));
        match language {
            WorkerLanguage::Python => {
                let code = concat!(include_str!("protocol/trace.py"), include_str!("protocol/worker.py"));
                command.args(["-c", code]);
            }
            WorkerLanguage::Node => {
                // The engine reserves far more addresses than it uses, so that its own limit is the one that counts.
                command.arg(format!("--max-old-space-size={}", (memory >> 20).max(64)));
                command.args(["--input-type=module", "-e", include_str!("protocol/worker.mjs")]);
            }
            WorkerLanguage::Java => {
                // A source file is compiled as it is started, which takes half a second, and needs no jar.
                let file = self.code.iter().map(|folder| folder.path().join(JAVA));
                command.args(["-XX:+UseSerialGC", "-Xshare:auto"]);
                command.arg(format!("-Xmx{}m", (memory >> 20).max(64))).args(file);
            }
            WorkerLanguage::Own => {}
        }
        command.env_clear().envs(environment.iter().map(|(name, value)| (name, value)));
        command.current_dir(folder);
        command
    }
}

/// The name of the file that the worker for Java lies in: that of its class.
const JAVA: &str = "Worker.java";

/// A folder with the code of the worker for Java.
fn code_of_java() -> Result<TempDir, WorkerError> {
    let written = tempfile::tempdir().and_then(|folder| {
        std::fs::write(folder.path().join(JAVA), include_str!("protocol/Worker.java"))?;
        Ok(folder)
    });
    written.map_err(|error| WorkerError::NotStarted { program: "the worker for Java".to_owned(), error })
}

impl Target for ProtocolTarget {
    fn name(&self) -> &str {
        &self.options.name
    }

    fn declared_in(&self) -> &std::path::Path {
        &self.options.declared_in
    }

    fn functions(&self) -> &[Signature] {
        &self.options.signatures
    }

    fn traits(&self) -> Traits {
        let kind = match self.options.source.language {
            WorkerLanguage::Python => "Python functions",
            WorkerLanguage::Node => "JavaScript functions",
            WorkerLanguage::Java => "Java methods",
            WorkerLanguage::Own => "functions of a worker",
        };
        let unit_of_cost = "hundred-thousandths of a call";
        Traits { kind, isolated: false, deterministic: false, unit_of_cost }
    }

    fn open(&self) -> Box<dyn Session> {
        let process = self.idle().pop();
        Box::new(ProtocolSession {
            target: self.clone(),
            process,
            batch: FIRST_BATCH,
            until: Until::default(),
            costs: Vec::new(),
        })
    }

    fn shared(&self) -> Arc<dyn Target> {
        Arc::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

struct ProtocolSession {
    target: ProtocolTarget,
    process: Option<Connection>,
    /// Rows of the next request.
    batch: usize,
    until: Until,
    costs: Vec<u64>,
}

impl Drop for ProtocolSession {
    /// Another session may have the process: it waits for its next request.
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            self.target.idle().push(process);
        }
    }
}

impl ProtocolSession {
    /// Asks for some rows, and adds their calls to those before; why the first did not return. A process that gives no answer is ended.
    fn ask(
        &mut self,
        question: Question<'_>,
        flags: u8,
        calls: &mut Calls,
        traces: &mut Option<Vec<Trace>>,
    ) -> Result<Ending, NoAnswer> {
        let mut process = self.process()?;
        let options = &self.target.options;
        let ending = match process.framing() {
            Framing::Lines => {
                let mut answer = process.line(question, traces.is_some(), &self.until, options.time)?;
                line::add(&answer, options.source.shapes[question.function].as_ref(), calls);
                if let Some(traces) = traces {
                    traces.extend(std::mem::take(&mut answer.ran).into_iter().map(traced::trace));
                }
                if flags & wire::TELL == 0 { Ending::default() } else { answer.ending() }
            }
            Framing::Rows => {
                let said = process.frames(question, flags, &self.until, options.time, calls)?;
                Ending { location: one_line(&said.place), message: one_line(&said.message) }
            }
        };
        self.process = Some(process);
        Ok(ending)
    }

    /// The process of the session, which is taken.
    fn process(&mut self) -> Result<Connection, NoAnswer> {
        match self.process.take() {
            Some(process) => Ok(process),
            None => self.target.process(&self.until).map_err(|error| match error {
                WorkerError::Stopped => NoAnswer::NotWanted,
                error => NoAnswer::Garbled(error.to_string()),
            }),
        }
    }

    /// The calls of some rows, added to those before. A row that ends the worker, or does not come back, is found by halves.
    fn call_rows(
        &mut self,
        question: Question<'_>,
        calls: &mut Calls,
        traces: &mut Option<Vec<Trace>>,
    ) -> Result<(), CallError> {
        let before = calls.outcomes.len();
        let no_answer = match self.ask(question, 0, calls, traces) {
            Ok(_) => return Ok(()),
            Err(no_answer) => no_answer,
        };
        // Rows that were answered before the end have their calls.
        let answered = calls.outcomes.len() - before;
        let rows = &question.rows[answered..];
        match no_answer {
            NoAnswer::NotWanted => Err(CallError::Stopped),
            NoAnswer::Garbled(why) => Err(self.failed(&why)),
            NoAnswer::Silent if question.rows.len() == 1 => {
                ended(Outcome::OutOfTime, calls);
                Ok(())
            }
            NoAnswer::Died(how) if question.rows.len() == 1 => {
                ended(outcome(&how), calls);
                Ok(())
            }
            NoAnswer::Silent | NoAnswer::Died(_) => {
                let halves = rows.split_at(rows.len() / 2);
                for rows in [halves.0, halves.1].into_iter().filter(|rows| !rows.is_empty()) {
                    self.call_rows(Question { rows, ..question }, calls, traces)?;
                }
                Ok(())
            }
        }
    }

    fn failed(&self, why: &str) -> CallError {
        let worker = self.target.options.source.command.first().map_or("", String::as_str);
        CallError::new(format!("{worker}: {why}"))
    }
}

/// The outcome of a row that ended its worker.
fn outcome(how: &Died) -> Outcome {
    Outcome::Trapped(match (how.signal, how.code) {
        (Some(signal), _) => Trap::Signal(signal),
        (None, code) => Trap::Exit(code.unwrap_or_default()),
    })
}

/// Adds a call without outputs.
fn ended(outcome: Outcome, calls: &mut Calls) {
    calls.outcomes.push(outcome);
    calls.outputs.iter_mut().for_each(Column::push_default);
}

impl Caller for ProtocolSession {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        self.calls(function, arguments, &mut None)
    }
}

impl ProtocolSession {
    /// All calls that are asked for, in requests that each take about [`BATCH_TIME`], and what each runs, where somebody wants to know.
    fn calls(
        &mut self,
        function: usize,
        arguments: &[Column],
        traces: &mut Option<Vec<Trace>>,
    ) -> Result<Calls, CallError> {
        let rows = arguments.first().map_or(1, Column::len);
        self.costs = vec![ProtocolTarget::COST; rows];
        let options = Arc::clone(&self.target.options);
        let mut calls = no_calls(&options.signatures[function], rows);
        let all: Vec<u32> = (0..rows as u32).collect();
        let mut left = all.as_slice();
        // What calls run is told in many numbers for each of them.
        let most = if traces.is_some() { LARGEST_TRACED_BATCH } else { LARGEST_BATCH };
        while !left.is_empty() {
            if !self.until.goes_on() {
                return Err(CallError::Stopped);
            }
            let (now, later) = left.split_at(self.batch.min(most).min(left.len()));
            let begun = Instant::now();
            let question =
                Question { function, signature: &options.signatures[function], arguments, rows: now };
            self.call_rows(question, &mut calls, traces)?;
            // A call that ended the worker told nothing of what it ran.
            if let Some(traces) = traces {
                traces.resize(calls.outcomes.len(), Trace::default());
            }
            let took = begun.elapsed();
            if took < BATCH_TIME && now.len() == self.batch {
                self.batch = (self.batch * 2).min(LARGEST_BATCH);
            } else if took > BATCH_TIME * 2 {
                self.batch = (self.batch / 2).max(1);
            }
            left = later;
        }
        Ok(calls)
    }
}

impl Session for ProtocolSession {
    fn end_at(&mut self, until: &Until) {
        self.until = until.clone();
    }

    fn costs(&self) -> &[u64] {
        &self.costs
    }

    fn why(&mut self, function: usize, arguments: &[Column], outcome: Outcome) -> Ending {
        if outcome.has_outputs() {
            return Ending::default();
        }
        let options = Arc::clone(&self.target.options);
        let signature = &options.signatures[function];
        let question = Question { function, signature, arguments, rows: &[0] };
        self.ask(question, wire::TELL, &mut no_calls(signature, 1), &mut None).unwrap_or_default()
    }

    fn traced_code(&mut self, function: usize) -> Result<Option<TracedCode>, CallError> {
        let code = self.process().and_then(|mut process| {
            let until = &self.until;
            let code = process.traces().then(|| process.code(function, until)).transpose()?;
            self.process = Some(process);
            Ok(code)
        });
        code.map_err(|no_answer| match no_answer {
            NoAnswer::NotWanted => CallError::Stopped,
            NoAnswer::Garbled(why) => self.failed(&why),
            NoAnswer::Silent => self.failed("it does not tell the code of a function in time"),
            NoAnswer::Died(how) => self.failed(&how.words),
        })
    }

    fn call_traced(
        &mut self,
        function: usize,
        arguments: &[Column],
    ) -> Result<Option<(Calls, Vec<Trace>)>, CallError> {
        // Every process of a worker says the same in its greeting.
        if self.process.as_ref().is_none_or(|process| !process.traces())
            && self.traced_code(function)?.is_none()
        {
            return Ok(None);
        }
        let mut traces = Some(Vec::new());
        let calls = self.calls(function, arguments, &mut traces)?;
        Ok(Some((calls, traces.unwrap_or_default())))
    }
}

/// A text of a worker on one line; `None` of an empty one.
pub(crate) fn one_line(text: &str) -> Option<String> {
    Some(on_one_line(text.trim()).into_owned()).filter(|text| !text.is_empty())
}

/// How a row ended that the worker says raised something, or returned no value of its type.
fn raised(raised: &line::Raised) -> Outcome {
    match raised.malformed {
        None if raised.late => Outcome::OutOfTime,
        Some(_) => Outcome::Malformed(Malformed::Range),
        None => Outcome::Trapped(Trap::Raised(ImportName::of(&raised.kind))),
    }
}
