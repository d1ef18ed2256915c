//! Programs that are run for each call.

mod outputs;
mod run;

use std::any::Any;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use dodona_subject::{CommandCall, FoundIn, Template, TemplatePart};
use dodona_target::{
    CallError, Caller, Calls, Column, Ending, Malformed, Outcome, OutputName, Session, Signature, Target,
    Traits, Trap, Until, Value, on_one_line,
};

use outputs::Reader;
use run::{Ended, Ran, run};

use crate::filled::{elements, filled};
use crate::no_calls;

/// Programs, and how they are run.
#[derive(Clone, Debug)]
pub struct CommandOptions {
    /// A name for reports.
    pub name: String,
    /// The file that declares the functions.
    pub declared_in: PathBuf,
    /// The functions.
    pub signatures: Vec<Signature>,
    /// How a program is run for each of them.
    pub calls: Vec<CommandCall>,
    /// The folder that programs with a path are in.
    pub folder: PathBuf,
    /// All of the environment.
    pub environment: Vec<(OsString, OsString)>,
    /// Bytes of memory that a run may have.
    pub memory: u64,
    /// How long a run may take.
    pub time: Duration,
    /// Bytes that a run may write to each stream.
    pub output: u64,
    /// How many processes a run may be at a time.
    pub processes: u64,
}

/// Programs that are run for each call, each in a fresh working directory.
#[derive(Clone)]
pub struct CommandTarget {
    options: Arc<CommandOptions>,
    readers: Arc<[Vec<Reader>]>,
}

/// A program cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// There is none of that name.
    #[error("{program} is not there: {}", looked_for(.program, .folder))]
    Missing {
        /// As it is written.
        program: String,
        /// The folder of the manifest.
        folder: PathBuf,
    },
}

fn looked_for(program: &str, folder: &Path) -> String {
    match program.contains('/') {
        true => format!("it was looked for in {}, the folder of the manifest", folder.display()),
        false => "it was looked for along PATH; one of the manifest's folder is written ./NAME".to_owned(),
    }
}

impl CommandTarget {
    /// What a run costs. Making a violation smaller ends after some four hundred runs, which take seconds of a quick program and a minute of a slow one.
    pub const COST: u64 = 10_000_000;

    /// Looks for the programs, so that a missing one is told at once.
    ///
    /// # Errors
    /// When one is not there.
    pub fn find(options: CommandOptions) -> Result<CommandTarget, CommandError> {
        for call in &options.calls {
            let Some(program) = call.words.first().and_then(Template::fixed) else { continue };
            let is_there = match program.contains('/') {
                true => options.folder.join(program).exists(),
                false => along_path(program, &options.environment),
            };
            if !is_there {
                let (program, folder) = (program.to_owned(), options.folder.clone());
                return Err(CommandError::Missing { program, folder });
            }
        }
        let reader = |(call, signature): (&CommandCall, &Signature)| {
            let outputs = call.found.iter().zip(&signature.outputs);
            outputs.map(|(found, output)| Reader::new(found, output.ty)).collect()
        };
        let readers = options.calls.iter().zip(&options.signatures).map(reader).collect();
        Ok(CommandTarget { options: Arc::new(options), readers })
    }
}

fn along_path(program: &str, environment: &[(OsString, OsString)]) -> bool {
    let path = environment.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value);
    path.is_some_and(|path| std::env::split_paths(path).any(|folder| folder.join(program).is_file()))
}

impl Target for CommandTarget {
    fn name(&self) -> &str {
        &self.options.name
    }

    fn declared_in(&self) -> &Path {
        &self.options.declared_in
    }

    fn functions(&self) -> &[Signature] {
        &self.options.signatures
    }

    fn traits(&self) -> Traits {
        Traits {
            kind: "programs that are run for each call",
            isolated: true,
            deterministic: false,
            unit_of_cost: "ten-millionths of a run",
        }
    }

    fn open(&self) -> Box<dyn Session> {
        Box::new(CommandSession { target: self.clone(), until: Until::default(), costs: Vec::new() })
    }

    fn shared(&self) -> Arc<dyn Target> {
        Arc::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

struct CommandSession {
    target: CommandTarget,
    until: Until,
    costs: Vec<u64>,
}

impl CommandSession {
    fn run(&self, function: usize, arguments: &[Column], row: usize) -> Result<Ran, CallError> {
        let options = &*self.target.options;
        let call = &options.calls[function];
        let words = call.words.iter().flat_map(|word| words(word, arguments, row)).collect();
        let files =
            call.files.iter().map(|(name, file)| (name.as_str(), filled(file, arguments, row))).collect();
        let read = call.found.iter().filter_map(|found| match &found.place {
            FoundIn::File(name) => Some(name.as_str()),
            _ => None,
        });
        let job = run::Job { words, stdin: filled(&call.stdin, arguments, row), files, read: read.collect() };
        run(&job, options, &self.until)
    }

    /// Adds the outcome and the outputs of a run to those before.
    fn add(&self, function: usize, ran: &Ran, calls: &mut Calls) {
        let signature = &self.target.options.signatures[function];
        let is_command = signature.outputs.iter().any(|output| output.name == OutputName::Exit);
        let outcome = match ran.ended {
            Ended::Exited(code) if is_command => Outcome::Exited(code),
            Ended::Exited(0) => Outcome::Returned,
            Ended::Exited(code) => Outcome::Trapped(Trap::Exit(code)),
            Ended::Signal(signal) => Outcome::Trapped(Trap::Signal(signal)),
            Ended::OutOfTime => Outcome::OutOfTime,
            Ended::TooMuchOutput => Outcome::Malformed(Malformed::Output),
            Ended::TooManyProcesses => Outcome::Malformed(Malformed::Processes),
        };
        let values: Option<Vec<Value>> = match outcome.has_outputs() {
            true => self.target.readers[function].iter().map(|reader| reader.read(ran)).collect(),
            false => None,
        };
        match values {
            Some(values) => {
                calls.outcomes.push(outcome);
                calls.outputs.iter_mut().zip(&values).for_each(|(column, value)| column.push(value));
            }
            None => {
                let absent = Outcome::Malformed(Malformed::Absent);
                calls.outcomes.push(if outcome.has_outputs() { absent } else { outcome });
                calls.outputs.iter_mut().for_each(Column::push_default);
            }
        }
    }
}

impl Caller for CommandSession {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        let rows = arguments.first().map_or(1, Column::len);
        self.costs = vec![CommandTarget::COST; rows];
        let mut calls = no_calls(&self.target.options.signatures[function], rows);
        for row in 0..rows {
            if !self.until.goes_on() {
                return Err(CallError::Stopped);
            }
            let ran = self.run(function, arguments, row)?;
            self.add(function, &ran, &mut calls);
        }
        Ok(calls)
    }
}

impl Session for CommandSession {
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
        let Ok(ran) = self.run(function, arguments, 0) else { return Ending::default() };
        if outcome == Outcome::Malformed(Malformed::Absent) {
            let missing = self.target.readers[function].iter().find_map(|reader| reader.missing(&ran));
            return Ending { location: None, message: missing };
        }
        // The last line says what went wrong, in a traceback too; where there is none, what it wrote instead of the output.
        let last = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            let line = text.lines().rev().find(|line| !line.trim().is_empty()).map(str::trim);
            line.map(|line| on_one_line(line).into_owned())
        };
        Ending { location: None, message: last(&ran.stderr).or_else(|| last(&ran.stdout)) }
    }
}

/// The words that a template becomes.
fn words(template: &Template, arguments: &[Column], row: usize) -> Vec<Vec<u8>> {
    match template.parts.as_slice() {
        [TemplatePart::Words(index)] => elements(&arguments[*index].value(row)),
        _ => vec![filled(template, arguments, row)],
    }
}
