//! Functions that a worker of any language calls: lines of JSON over its standard input and output (`book/worker-protocol.md`).

mod line;
mod worker_error;

use std::any::Any;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use dodona_subject::{WorkerLanguage, WorkerSource};
use dodona_target::{
    CallError, Caller, Calls, Column, Ending, ImportName, Malformed, Outcome, Session, Signature, Target,
    Trace, TracedCode, Traits, Trap, Until, on_one_line,
};

use tempfile::TempDir;

use crate::no_calls;
use crate::process::{Died, NoAnswer, Process, Stderr};
use line::{Answer, Greeting};
pub use worker_error::WorkerError;

/// What an interpreter may have besides the memory of a call: its own code, libraries, and the stacks of threads, which count as they are reserved. numpy alone reserves a gigabyte.
const OWN_MEMORY: u64 = 4 << 30;

/// How long a worker may take to start and to load what it calls: a module that imports scipy takes seconds on a busy machine.
const STARTS_WITHIN: Duration = Duration::from_secs(60);

/// Rows of the first request, and the most of one. More rows than that gain nothing: the cost of a request is spread over a thousand already.
const FIRST_BATCH: usize = 16;
const LARGEST_BATCH: usize = 4096;

/// How long a request should take: long enough that a request costs little beside its rows, and short enough that little is done again when a row ends the worker.
const BATCH_TIME: Duration = Duration::from_millis(50);

/// The most statements, or edges, of one call that the worker for Python tells in their order.
const MOST_STEPS: usize = 65_536;

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
    idle: Arc<Mutex<Vec<Process>>>,
    /// Whether the worker can tell what calls run, as it said in its greeting.
    traces: Arc<AtomicBool>,
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
        let target =
            ProtocolTarget { options: Arc::new(options), code, idle: Arc::default(), traces: Arc::default() };
        let process = target.process(&Until::default())?;
        target.idle().push(process);
        Ok(target)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Process>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A process that has loaded the functions.
    fn process(&self, until: &Until) -> Result<Process, WorkerError> {
        let options = &*self.options;
        let WorkerSource { command, names, shapes, version, .. } = &options.source;
        let worker = command.first().cloned().unwrap_or_default();
        let memory = options.memory.saturating_add(OWN_MEMORY);
        let started = Process::spawn(self.command(), Stderr::Kept);
        let mut process =
            started.map_err(|error| WorkerError::NotStarted { program: worker.clone(), error })?;
        let hello = line::hello(&options.signatures, names, shapes, memory, version.as_deref());
        let greeted = match process.send(hello.as_bytes()) {
            Ok(()) => process.line(until, STARTS_WITHIN).map(<[u8]>::to_vec),
            Err(error) => Err(error),
        };
        let bytes = match greeted {
            Ok(bytes) => bytes,
            Err(NoAnswer::NotWanted) => return Err(WorkerError::Stopped),
            Err(NoAnswer::Silent) => return Err(WorkerError::Silent { worker, said: process.said() }),
            Err(NoAnswer::Garbled(why)) => {
                return Err(WorkerError::Garbled { worker, why, said: process.said() });
            }
            Err(NoAnswer::Died(how)) => {
                return Err(WorkerError::Ended { worker, how: how.words, said: settled(&process) });
            }
        };
        match line::greeting(&bytes) {
            Greeting::Ready { traces } => {
                self.traces.store(traces, Ordering::Relaxed);
                Ok(process)
            }
            Greeting::Version(found) => Err(WorkerError::Version { worker, found }),
            Greeting::Failed { kind, message, trace } => {
                Err(WorkerError::NotLoaded { worker, what: names.join(", "), kind, message, trace })
            }
            Greeting::Garbled(why) => Err(WorkerError::Garbled { worker, why, said: process.said() }),
        }
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
            id: 0,
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
    process: Option<Process>,
    /// Rows of the next request.
    batch: usize,
    /// The number of the last request.
    id: u64,
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

/// Calls of a function that are asked for.
#[derive(Clone, Copy)]
struct Question<'a> {
    function: usize,
    arguments: &'a [Column],
    /// Whether it is asked too what each of them runs.
    traced: bool,
}

impl ProtocolSession {
    /// Asks for some rows. A process that gives no answer is ended: what may still come from it belongs to no question any more.
    fn ask(&mut self, question: Question<'_>, rows: &[u32]) -> Result<Answer, NoAnswer> {
        let mut process = self.process()?;
        let options = &self.target.options;
        let signature = &options.signatures[question.function];
        let Question { function, arguments, traced } = question;
        let request = line::request(self.id, function, signature, arguments, rows, traced);
        process.send(request.as_bytes())?;
        let bytes = process.line(&self.until, options.time)?;
        let answer = line::answer(bytes, self.id, rows.len()).map_err(NoAnswer::Garbled)?;
        self.process = Some(process);
        Ok(answer)
    }

    /// The process of the session, which is taken, and a new number for a request to it.
    fn process(&mut self) -> Result<Process, NoAnswer> {
        self.id += 1;
        match self.process.take() {
            Some(process) => Ok(process),
            None => self.target.process(&self.until).map_err(|error| match error {
                WorkerError::Stopped => NoAnswer::NotWanted,
                error => NoAnswer::Garbled(error.to_string()),
            }),
        }
    }

    /// The code that calls of a function can run.
    fn code(&mut self, function: usize) -> Result<TracedCode, NoAnswer> {
        let mut process = self.process()?;
        process.send(line::code_request(self.id, function).as_bytes())?;
        let bytes = process.line(&self.until, STARTS_WITHIN)?;
        let code = line::code(bytes, self.id).map_err(NoAnswer::Garbled)?;
        self.process = Some(process);
        Ok(code)
    }

    /// The calls of some rows, added to those before. A row that ends the worker, or does not come back, is found by halves.
    fn call_rows(
        &mut self,
        question: Question<'_>,
        rows: &[u32],
        calls: &mut Calls,
        traces: &mut Vec<Trace>,
    ) -> Result<(), CallError> {
        match self.ask(question, rows) {
            Ok(answer) => {
                let options = &self.target.options;
                line::add(&answer, options.source.shapes[question.function].as_ref(), calls);
                if question.traced {
                    traces.extend(answer.ran.into_iter().map(trace));
                    traces.resize(calls.outcomes.len(), Trace::default());
                }
                Ok(())
            }
            Err(NoAnswer::NotWanted) => Err(CallError::Stopped),
            Err(NoAnswer::Garbled(why)) => Err(self.failed(&why)),
            Err(NoAnswer::Silent) if rows.len() == 1 => {
                ended(Outcome::OutOfTime, calls);
                traces.push(Trace::default());
                Ok(())
            }
            Err(NoAnswer::Died(how)) if rows.len() == 1 => {
                ended(outcome(&how), calls);
                traces.push(Trace::default());
                Ok(())
            }
            Err(NoAnswer::Silent | NoAnswer::Died(_)) => {
                let (first, second) = rows.split_at(rows.len() / 2);
                self.call_rows(question, first, calls, traces)?;
                self.call_rows(question, second, calls, traces)
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

/// What a row ran, as a worker told it.
fn trace((statements, edges): (Vec<u32>, Vec<u32>)) -> Trace {
    let is_cut = statements.len() >= MOST_STEPS || edges.len() >= MOST_STEPS;
    Trace { statements, edges, is_cut }
}

impl Caller for ProtocolSession {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        Ok(self.calls(Question { function, arguments, traced: false })?.0)
    }
}

impl ProtocolSession {
    /// All calls that are asked for, in requests of a size that takes its time, and what they run, where that is asked.
    fn calls(&mut self, question: Question<'_>) -> Result<(Calls, Vec<Trace>), CallError> {
        let rows = question.arguments.first().map_or(1, Column::len);
        self.costs = vec![ProtocolTarget::COST; rows];
        let mut calls = no_calls(&self.target.options.signatures[question.function], rows);
        let mut traces = Vec::new();
        let all: Vec<u32> = (0..rows as u32).collect();
        let mut left = all.as_slice();
        while !left.is_empty() {
            if !self.until.goes_on() {
                return Err(CallError::Stopped);
            }
            let (now, later) = left.split_at(self.batch.min(left.len()));
            let begun = Instant::now();
            self.call_rows(question, now, &mut calls, &mut traces)?;
            let took = begun.elapsed();
            if took < BATCH_TIME && now.len() == self.batch {
                self.batch = (self.batch * 2).min(LARGEST_BATCH);
            } else if took > BATCH_TIME * 2 {
                self.batch = (self.batch / 2).max(1);
            }
            left = later;
        }
        Ok((calls, traces))
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
        let line = |text: &str| Some(on_one_line(text.trim()).into_owned()).filter(|text| !text.is_empty());
        let question = Question { function, arguments, traced: false };
        let Ok(answer) = self.ask(question, &[0]) else { return Ending::default() };
        match answer.raised.first() {
            Some((_, raised)) => Ending {
                location: line(&raised.place),
                message: line(raised.malformed.as_deref().unwrap_or(&raised.message)),
            },
            None => Ending { location: None, message: line(&answer.returned()) },
        }
    }

    fn traced_code(&mut self, function: usize) -> Result<Option<TracedCode>, CallError> {
        if !self.target.traces.load(Ordering::Relaxed) {
            return Ok(None);
        }
        self.code(function).map(Some).map_err(|error| match error {
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
        if !self.target.traces.load(Ordering::Relaxed) {
            return Ok(None);
        }
        self.calls(Question { function, arguments, traced: true }).map(Some)
    }
}

/// How a row ended that the worker says raised something, or returned no value of its type.
fn raised(raised: &line::Raised) -> Outcome {
    match raised.malformed {
        Some(_) => Outcome::Malformed(Malformed::Range),
        None => Outcome::Trapped(Trap::Raised(ImportName::of(&raised.kind))),
    }
}
