//! Functions in worker processes as a target.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use dodona_target::{
    CallError, Caller, Calls, Column, Ending, EqualCosts, Outcome, Session, Signature, Target, Traits, Trap,
    Until,
};

use crate::no_calls;
use crate::process::{NoAnswer, Stderr};
use crate::protocol::{Connection, Framing, Hello, Start, WorkerError, one_line};
use crate::sanitizer;
use crate::wire::{self, Question, Said};

/// Rows of at most so many are called apart from each other: that takes a tenth of a millisecond a row, and nothing is gained by less.
const FEW: usize = 8;

/// A row has ten seconds, and all rows of a column together less, after which the worker ends them; later no answer comes at all.
const LAST: Duration = Duration::from_secs(15);

/// What a worker may have besides the memory of a call: its own code, the rows that it was sent, and the stacks of threads, which count as they are
/// reserved.
const OWN_MEMORY: u64 = 1 << 30;

/// Functions that a program calls, in a process for each session.
///
/// The rows of a column are called one after the other in one process. The first time that a function of a session ends that process, does not come
/// back, or shows that it keeps something between calls, each row has a process of its own from then on, and so have all rows of that column.
/// Whether it keeps something is seen by calling some of the rows once more by themselves, of the first column, the second, the fourth, and so on.
#[derive(Clone)]
pub struct WorkerTarget {
    name: String,
    declared_in: PathBuf,
    signatures: Arc<[Signature]>,
    program: PathBuf,
    memory: u64,
}

impl WorkerTarget {
    /// Functions with a name for reports, the file that declares them, the program that calls them, and the bytes of memory that a call may have.
    pub fn new(
        name: String,
        declared_in: PathBuf,
        signatures: Vec<Signature>,
        program: PathBuf,
        memory: u64,
    ) -> WorkerTarget {
        WorkerTarget { name, declared_in, signatures: signatures.into(), program, memory }
    }

    /// A process that waits for calls. The program was built with its functions, so that its hello names none.
    fn process(&self, until: &Until) -> Result<Connection, NoAnswer> {
        let mut command = Command::new(&self.program);
        // The C library reserves 64 MiB of addresses for each thread otherwise, which count as memory.
        command.env("MALLOC_ARENA_MAX", "2");
        let start = Start {
            command,
            stderr: Stderr::Ignored,
            hello: Hello { memory: self.memory.saturating_add(OWN_MEMORY), ..Hello::default() }.line(
                &[],
                &[],
                &[],
            ),
            worker: "it",
            what: "its functions".to_owned(),
        };
        match Connection::open(start, until) {
            Ok(process) if process.framing() == Framing::Rows => Ok(process),
            Ok(_) => Err(NoAnswer::Garbled("it does not choose the framing of rows".to_owned())),
            Err(WorkerError::Stopped) => Err(NoAnswer::NotWanted),
            Err(WorkerError::NotStarted { error, .. }) => Err(NoAnswer::Garbled(error.to_string())),
            Err(error) => Err(NoAnswer::Garbled(error.to_string())),
        }
    }
}

impl Target for WorkerTarget {
    fn name(&self) -> &str {
        &self.name
    }

    fn declared_in(&self) -> &Path {
        &self.declared_in
    }

    fn functions(&self) -> &[Signature] {
        &self.signatures
    }

    fn traits(&self) -> Traits {
        Traits {
            kind: "functions built for this machine",
            isolated: true,
            deterministic: true,
            unit_of_cost: EqualCosts::UNIT,
        }
    }

    fn open(&self) -> Box<dyn Session> {
        Box::new(WorkerSession {
            target: self.clone(),
            processes: [None, None],
            apart: BTreeSet::new(),
            columns: BTreeMap::new(),
            until: Until::default(),
            costs: EqualCosts::default(),
        })
    }

    fn shared(&self) -> Arc<dyn Target> {
        Arc::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

struct WorkerSession {
    target: WorkerTarget,
    /// The process that calls the rows of a column one after the other, and the one that calls nothing itself but starts a process for each row.
    processes: [Option<Connection>; 2],
    /// The functions of which each row has a process of its own.
    apart: BTreeSet<usize>,
    /// How many columns of each function were called in one process.
    columns: BTreeMap<usize, u64>,
    until: Until,
    costs: EqualCosts,
}

impl WorkerSession {
    /// Asks for calls, and tells what was said in the last that did not return. A process that gives no answer is ended: what may still come from it belongs to
    /// no question any more.
    fn ask(&mut self, question: Question<'_>, flags: u8) -> Result<(Calls, Said), NoAnswer> {
        let place = usize::from(flags & wire::APART);
        let mut process = match self.processes[place].take() {
            Some(process) => process,
            None => self.target.process(&self.until)?,
        };
        let mut calls = no_calls(question.signature, question.rows.len());
        let said = process.frames(question, flags, &self.until, LAST, &mut calls)?;
        self.processes[place] = Some(process);
        Ok((calls, said))
    }

    /// The calls in one process; `None` where each row needs its own.
    fn in_one_process(&mut self, question: Question<'_>) -> Result<Option<Calls>, CallError> {
        if question.rows.len() <= FEW || self.apart.contains(&question.function) {
            return Ok(None);
        }
        let calls = match self.ask(question, 0) {
            Ok((calls, _)) => calls,
            Err(NoAnswer::NotWanted) => return Err(CallError::Stopped),
            Err(NoAnswer::Silent | NoAnswer::Garbled(_) | NoAnswer::Died(_)) => return Ok(None),
        };
        let columns = self.columns.entry(question.function).or_default();
        *columns += 1;
        if !columns.is_power_of_two() {
            return Ok(Some(calls));
        }
        let again = sample(&calls);
        let repeated = self.by_themselves(Question { rows: &again, ..question })?;
        let mut rows = again.iter().enumerate();
        let is_same = rows.all(|(place, &row)| calls.same(row as usize, &repeated, place));
        Ok(is_same.then_some(calls))
    }

    fn by_themselves(&mut self, question: Question<'_>) -> Result<Calls, CallError> {
        match self.ask(question, wire::APART) {
            Ok((calls, _)) => Ok(calls),
            Err(NoAnswer::NotWanted) => Err(CallError::Stopped),
            Err(NoAnswer::Silent) => Err(self.failed(&format!("in {LAST:?}"))),
            Err(NoAnswer::Garbled(why)) => Err(self.failed(&format!("that can be used: {why}"))),
            Err(NoAnswer::Died(how)) => Err(self.failed(&format!("any more: {}", how.words))),
        }
    }

    fn failed(&self, words: &str) -> CallError {
        let program = self.target.program.display();
        CallError::new(format!("the program {program} that calls the functions gives no answer {words}"))
    }
}

/// A message without the number of the thread that it is about (`thread 'main' (3677) has …`), which is another one in each run.
fn without_number(said: &str) -> String {
    let Some((before, rest)) = said.split_once("' (") else { return said.to_owned() };
    match rest.split_once(") ") {
        Some((number, after)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{before}' {after}")
        }
        _ => said.to_owned(),
    }
}

/// Rows that are called once more: the last ones, which would see most of what calls leave behind, the one behind the first that did not return,
/// and some between.
fn sample(calls: &Calls) -> Vec<u32> {
    let rows = calls.outcomes.len();
    let failed = calls.outcomes.iter().position(|outcome| !outcome.has_outputs());
    let behind = failed.map(|row| row + 1).filter(|row| *row < rows);
    let spread = (1..FEW).map(|part| part * rows / FEW);
    let rows: BTreeSet<usize> = spread.chain(behind).chain([rows - 1]).collect();
    rows.into_iter().map(|row| row as u32).collect()
}

impl Caller for WorkerSession {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        if !self.until.goes_on() {
            return Err(CallError::Stopped);
        }
        let rows = arguments.first().map_or(1, Column::len);
        self.costs.note(rows);
        let rows: Vec<u32> = (0..rows as u32).collect();
        let signatures = Arc::clone(&self.target.signatures);
        let question = Question { function, signature: &signatures[function], arguments, rows: &rows };
        if let Some(calls) = self.in_one_process(question)? {
            return Ok(calls);
        }
        if rows.len() > FEW {
            self.apart.insert(function);
        }
        self.by_themselves(question)
    }
}

impl Session for WorkerSession {
    fn end_at(&mut self, until: &Until) {
        self.until = until.clone();
    }

    fn costs(&self) -> &[u64] {
        self.costs.of_rows()
    }

    fn why(&mut self, function: usize, arguments: &[Column], outcome: Outcome) -> Ending {
        if outcome.has_outputs() {
            return Ending::default();
        }
        let signatures = Arc::clone(&self.target.signatures);
        let question = Question { function, signature: &signatures[function], arguments, rows: &[0] };
        let Ok((_, Said { message, place })) = self.ask(question, wire::APART | wire::TELL) else {
            return Ending::default();
        };
        if let Some(ending) = sanitizer::read(&message) {
            return ending;
        }
        let said = match outcome {
            Outcome::Trapped(Trap::Panicked) => message.as_str(),
            // What the system or the language says of the end comes first.
            _ => message.lines().find(|line| !line.trim().is_empty()).unwrap_or_default(),
        };
        let message = one_line(&without_number(said.trim()));
        Ending { location: Some(place).filter(|place| !place.is_empty()), message }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_the_same_in_each_run() {
        let said = "thread 'main' (3677) has overflowed its stack";
        assert_eq!(without_number(said), "thread 'main' has overflowed its stack");
        assert_eq!(without_number("it said 'a' (b) c"), "it said 'a' (b) c");
    }

    #[test]
    fn some_rows_are_called_once_more_the_last_one_among_them() {
        let outcomes = |failed: Option<usize>| Calls {
            outcomes: (0..100)
                .map(|row| if Some(row) == failed { Outcome::OutOfTime } else { Outcome::Returned })
                .collect(),
            outputs: Vec::new(),
        };
        assert_eq!(sample(&outcomes(None)), [12, 25, 37, 50, 62, 75, 87, 99]);
        assert!(sample(&outcomes(Some(40))).contains(&41));
        assert_eq!(sample(&outcomes(Some(99))), sample(&outcomes(None)));
    }
}
