//! A target whose calls are remembered, and of which some are made twice.
//!
//! # Decisions
//! - **A function that gives two results for one input ends the check**, with the call and both results. A verdict on it would be worth nothing, and a process of its own for each call
//!   would take up to a second to start.

use std::any::Any;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use dodona_target::{
    CallError, Caller, Calls, Column, Ending, Outcome, Session, Signature, Target, Trace, TracedCode, Traits,
    Until, Value, where_they_differ,
};

use crate::journal::KeptCall;
use crate::{Journal, append_bits};

/// The most calls that are remembered. Of calls with a few numbers they take some 100 MB.
const REMEMBERED: usize = 200_000;

/// Calls between two times at which they are written into the file of a memory. So many at most are made again after an end in between; a write takes some microseconds, and a
/// request a hundred times as long.
const WRITTEN_AT_ONCE: usize = 8;

/// Rows of at most so many of a column are called once more.
const AGAIN: usize = 4;

/// A target of which each call is made once: the result for an input is remembered, by the whole input. Some calls are made a second time all the same, of the first column of a
/// function, the second, the fourth and so on: if one of them ends otherwise than before, what is under test keeps something between calls, or draws at random, and
/// no relation could be judged.
#[derive(Clone)]
pub struct Repeated {
    target: Arc<dyn Target>,
    /// What each call costs, in the target's unit.
    cost: u64,
    memory: Memory,
    known: Arc<Mutex<HashMap<Vec<u8>, Known>>>,
    /// Why calls that were kept are not those of the target as it is now.
    stale: Option<Arc<str>>,
}

/// Whether calls are remembered.
#[derive(Clone, Debug, Default)]
pub enum Memory {
    /// Equal calls are made once.
    #[default]
    Kept,
    /// Equal calls are made once, those of work before that ended early among them.
    InFile(Arc<Journal>),
    /// Every call is made: for whoever tests what is kept between calls.
    None,
}

#[derive(Clone, Debug)]
struct Known {
    outcome: Outcome,
    outputs: Vec<Value>,
}

/// What ends otherwise the second time.
#[derive(Debug, thiserror::Error)]
#[error(
    "{call} gives {first}, and the same call once more gives {second}: the function draws at random or keeps something between calls, so that no relation can be judged; \
     fix its seed, or give each call what it needs"
)]
struct NotRepeated {
    call: String,
    first: String,
    second: String,
}

impl Repeated {
    /// A target of which some calls are made twice. Each call costs the same, in the target's unit, whether it is made or remembered: costs decide where shrinking ends, and that is not
    /// to depend on what was called before.
    pub fn new(target: Arc<dyn Target>, cost: u64, memory: Memory) -> Repeated {
        let mut known = HashMap::new();
        let mut stale = None;
        if let Memory::InFile(journal) = &memory {
            let kept: Vec<KeptCall> = journal.take().into_iter().take(REMEMBERED).collect();
            stale = otherwise(&*target, &kept).map(|why| {
                format!(
                    "{why}; what was kept is of another version: check without --resume, or remove {}",
                    journal.path().display()
                )
            });
            for call in kept {
                let arguments = columns(&*target, &call);
                known.insert(key(call.function, &arguments, 0), returned(call.outputs));
            }
        }
        Repeated { target, cost, memory, known: Arc::new(Mutex::new(known)), stale: stale.map(Arc::from) }
    }
}

impl Target for Repeated {
    fn name(&self) -> &str {
        self.target.name()
    }

    fn declared_in(&self) -> &Path {
        self.target.declared_in()
    }

    fn functions(&self) -> &[Signature] {
        self.target.functions()
    }

    fn traits(&self) -> Traits {
        self.target.traits()
    }

    fn open(&self) -> Box<dyn Session> {
        let columns = vec![0; self.functions().len()];
        Box::new(RepeatedSession {
            session: self.target.open(),
            other: None,
            until: Until::default(),
            target: self.clone(),
            columns,
            costs: Vec::new(),
        })
    }

    fn shared(&self) -> Arc<dyn Target> {
        Arc::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self.target.as_any()
    }
}

struct RepeatedSession {
    target: Repeated,
    session: Box<dyn Session>,
    /// Another one, in which calls are made once more: what the first has kept by then is not there.
    other: Option<Box<dyn Session>>,
    /// When calls end.
    until: Until,
    /// How many columns of each function were called.
    columns: Vec<u64>,
    costs: Vec<u64>,
}

impl RepeatedSession {
    /// Calls some rows, and some of them once more where it is their turn.
    fn made(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        let calls = self.session.call(function, arguments)?;
        self.columns[function] += 1;
        if !self.columns[function].is_power_of_two() {
            return Ok(calls);
        }
        let rows = calls.outcomes.len();
        // The last ones, which would see most of what calls leave behind, among them.
        let again: Vec<u32> =
            (1..=AGAIN.min(rows)).map(|part| (part * rows / AGAIN.min(rows) - 1) as u32).collect();
        let columns: Vec<Column> = arguments.iter().map(|column| column.select(&again)).collect();
        let target = &self.target.target;
        let other = self.other.get_or_insert_with(|| target.open());
        other.end_at(&self.until);
        let repeated = other.call(function, &columns)?;
        for (place, &row) in again.iter().enumerate() {
            let row = row as usize;
            // What met a limit may come within it the next time.
            let is_limit = calls.outcomes[row].meets_a_limit() || repeated.outcomes[place].meets_a_limit();
            if !is_limit && !calls.same(row, &repeated, place) {
                let call = self.target.functions()[function].called_with(arguments, row);
                let (first, second) = where_they_differ(&calls.told(row), &repeated.told(place));
                return Err(CallError::new(NotRepeated { call, first, second }));
            }
        }
        Ok(calls)
    }
}

/// The arguments of a kept call.
fn columns(target: &dyn Target, call: &KeptCall) -> Vec<Column> {
    let parameters = &target.functions()[call.function].parameters;
    parameters
        .iter()
        .zip(&call.arguments)
        .map(|(parameter, value)| Column::one(parameter.ty, value))
        .collect()
}

/// Makes some kept calls of each function once more; the first that ends otherwise. A target that cannot be called now says so where it is called.
fn otherwise(target: &dyn Target, kept: &[KeptCall]) -> Option<String> {
    let mut session = target.open();
    for (index, function) in target.functions().iter().enumerate() {
        let of: Vec<&KeptCall> = kept.iter().filter(|call| call.function == index).collect();
        for call in of.iter().step_by((of.len() / AGAIN).max(1)) {
            let arguments = columns(target, call);
            let Ok(now) = session.call(index, &arguments) else { return None };
            let before = joined(function, std::iter::once(&returned(call.outputs.clone())));
            if !now.same(0, &before, 0) {
                let (before, now) = where_they_differ(&before.told(0), &now.told(0));
                let call = function.called_with(&arguments, 0);
                return Some(format!("{call} gave {before} before and gives {now} now"));
            }
        }
    }
    None
}

fn returned(outputs: Vec<Value>) -> Known {
    Known { outcome: Outcome::Returned, outputs }
}

/// A row of arguments as a key.
fn key(function: usize, arguments: &[Column], row: usize) -> Vec<u8> {
    let mut key = (function as u32).to_le_bytes().to_vec();
    arguments.iter().for_each(|column| append_bits(column, row, &mut key));
    key
}

impl Caller for RepeatedSession {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        if let Some(why) = &self.target.stale {
            return Err(CallError::new(why.to_string()));
        }
        let rows = arguments.first().map_or(1, Column::len);
        self.costs = vec![self.target.cost; rows];
        if matches!(self.target.memory, Memory::None) {
            return self.made(function, arguments);
        }
        let keys: Vec<Vec<u8>> = (0..rows).map(|row| key(function, arguments, row)).collect();
        let mut found: Vec<Option<Known>> = {
            let known = self.target.known.lock().unwrap_or_else(PoisonError::into_inner);
            keys.iter().map(|key| known.get(key).cloned()).collect()
        };
        let (first, missing) = firsts(&keys, &found);
        let at_once = match self.target.memory {
            Memory::InFile(_) => WRITTEN_AT_ONCE,
            _ => rows,
        };
        if missing.len() == rows && rows <= at_once {
            return self.kept(function, arguments, keys);
        }
        for some in missing.chunks(at_once.max(1)) {
            let columns: Vec<Column> = arguments.iter().map(|column| column.select(some)).collect();
            let keys = some.iter().map(|&row| keys[row as usize].clone()).collect();
            let calls = self.kept(function, &columns, keys)?;
            for (place, &row) in some.iter().enumerate() {
                found[row as usize] = Some(known(&calls, place));
            }
        }
        let of_row = |(row, key): (usize, &Vec<u8>)| {
            let place = if found[row].is_some() { row } else { first[key.as_slice()] as usize };
            found[place].as_ref().unwrap_or_else(|| unreachable!("each row was called or is known"))
        };
        Ok(joined(&self.target.functions()[function], keys.iter().enumerate().map(of_row)))
    }
}

/// Of rows that are not known the first of each key, by key, and in order: of several equal rows the first one is called.
fn firsts<'k>(keys: &'k [Vec<u8>], found: &[Option<Known>]) -> (HashMap<&'k [u8], u32>, Vec<u32>) {
    let mut first: HashMap<&[u8], u32> = HashMap::new();
    let mut missing: Vec<u32> = Vec::new();
    for (row, key) in (0_u32..).zip(keys) {
        if found[row as usize].is_none() && !first.contains_key(key.as_slice()) {
            first.insert(key, row);
            missing.push(row);
        }
    }
    (first, missing)
}

/// Calls that are known, one after the other, as columns.
fn joined<'k>(signature: &Signature, known: impl Iterator<Item = &'k Known>) -> Calls {
    let mut outputs: Vec<Column> = signature.outputs.iter().map(|output| Column::empty(output.ty)).collect();
    let mut outcomes = Vec::new();
    for known in known {
        outcomes.push(known.outcome);
        outputs.iter_mut().zip(&known.outputs).for_each(|(column, value)| column.push(value));
    }
    Calls { outcomes, outputs }
}

fn known(calls: &Calls, row: usize) -> Known {
    let outputs = calls.outputs.iter().map(|column| column.value(row)).collect();
    Known { outcome: calls.outcomes[row], outputs }
}

impl RepeatedSession {
    /// Makes calls with these keys, and keeps what they gave.
    fn kept(
        &mut self,
        function: usize,
        arguments: &[Column],
        keys: Vec<Vec<u8>>,
    ) -> Result<Calls, CallError> {
        let calls = self.made(function, arguments)?;
        self.write(function, arguments, &calls)?;
        self.remember(keys, &calls);
        Ok(calls)
    }

    /// Writes the calls that returned into the file of the memory, if it has one.
    fn write(&self, function: usize, arguments: &[Column], calls: &Calls) -> Result<(), CallError> {
        let Memory::InFile(journal) = &self.target.memory else { return Ok(()) };
        let returned = |row: &usize| calls.outcomes[*row] == Outcome::Returned;
        let rows = (0..calls.outcomes.len()).filter(returned);
        let signature = &self.target.functions()[function];
        journal.add(signature, (arguments, &calls.outputs), rows).map_err(CallError::new)
    }

    fn remember(&self, keys: Vec<Vec<u8>>, calls: &Calls) {
        let mut all = self.target.known.lock().unwrap_or_else(PoisonError::into_inner);
        for (row, key) in keys.into_iter().enumerate() {
            // A call that met a limit of time may come within it the next time.
            if all.len() < REMEMBERED && calls.outcomes[row] != Outcome::OutOfTime {
                all.insert(key, known(calls, row));
            }
        }
    }
}

impl Session for RepeatedSession {
    fn end_at(&mut self, until: &Until) {
        self.until = until.clone();
        self.session.end_at(until);
    }

    fn costs(&self) -> &[u64] {
        &self.costs
    }

    fn why(&mut self, function: usize, arguments: &[Column], outcome: Outcome) -> Ending {
        self.session.why(function, arguments, outcome)
    }

    fn shell(&self, function: usize, arguments: &[Column]) -> Option<String> {
        self.session.shell(function, arguments)
    }

    fn traced_code(&mut self, function: usize) -> Result<Option<TracedCode>, CallError> {
        self.session.traced_code(function)
    }

    fn call_traced(
        &mut self,
        function: usize,
        arguments: &[Column],
    ) -> Result<Option<(Calls, Vec<Trace>)>, CallError> {
        self.session.call_traced(function, arguments)
    }
}
