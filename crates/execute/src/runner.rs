//! Calls: columns of arguments in, columns of outputs out.

use std::collections::BTreeMap;

use dodona_subject::{Calls, CodePoint, Column, Malformed, Outcome};

use crate::command::{self, Commands, Done};
use crate::executable::{Prepared, Shared};
use crate::instance::{Instance, RowFuel, Stopped, Violation};
use crate::rows::{self, Ended, Notes, Run, Scratch};
use crate::{Choice, Executable, HostError};

/// How rows are run. All give the same calls; they differ in speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Many rows a crossing where a function takes and returns scalars, else one row a crossing;
    /// instances are reused where [`crate::Isolation`] allows.
    Columns,
    /// One row a crossing; instances are reused where [`crate::Isolation`] allows.
    RowByRow,
    /// A fresh instance for each row.
    Fresh,
}

/// Guard violations after which a function is run in fresh instances at once: the analysis was mistaken.
const MOST_VIOLATIONS: u32 = 32;

/// Argument arenas of different sizes that are kept, each with its instance.
const MOST_ARENAS: usize = 4;

/// Runs calls, on one thread. Instances live from one call to the next where that leaves no trace.
pub struct Runner {
    executable: Executable,
    /// Reused instances by the capacity of their arena; 0 has none.
    instances: BTreeMap<u64, Instance>,
    violations: Vec<u32>,
    scratch: Scratch,
    fuel: Vec<u64>,
    stops: Vec<(usize, CodePoint)>,
    choice: Choice,
    /// The notes of the last noting call, row after row.
    notes: Vec<u64>,
}

/// What is asked of a call beside its results.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    strategy: Strategy,
    fuel: Option<&'a [u64]>,
    notes: Notes,
}

impl Runner {
    pub(crate) fn new(executable: Executable) -> Runner {
        let functions = executable.shared.functions.len();
        Runner {
            executable,
            instances: BTreeMap::new(),
            violations: vec![0; functions],
            scratch: Scratch::default(),
            fuel: Vec::new(),
            stops: Vec::new(),
            choice: Choice::default(),
            notes: Vec::new(),
        }
    }

    /// Chooses what later calls run: the version of each function that has a copy in it, the originals of all others.
    /// A choice costs two stores an instance; instances are kept.
    pub fn choose(&mut self, choice: Choice) {
        if choice != self.choice {
            self.choice = choice;
            // One wild version must not make the next ones slow.
            self.violations.fill(0);
        }
    }

    /// Calls a function once for each row: a column for each parameter, all of the same length.
    /// A function without parameters is called once.
    ///
    /// Gives an outcome a row and a column for each of [`dodona_subject::Function::outputs`].
    ///
    /// # Errors
    /// When the columns do not fit the parameters or a value is not of its type, or the host fails.
    /// What the module does is never an error: it is an [`Outcome`].
    ///
    /// # Panics
    /// When there is no such function.
    pub fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, HostError> {
        self.call_with(Strategy::Columns, function, arguments)
    }

    /// [`Runner::call`] with a chosen strategy: the same calls at another speed.
    ///
    /// # Errors
    /// As [`Runner::call`].
    ///
    /// # Panics
    /// When there is no such function.
    pub fn call_with(
        &mut self,
        strategy: Strategy,
        function: usize,
        arguments: &[Column],
    ) -> Result<Calls, HostError> {
        self.run(Wanted { strategy, fuel: None, notes: Notes::Ignored }, function, arguments)
    }

    /// [`Runner::call`] with a fuel limit a row, each no more than the executable's: a row that needs more is
    /// [`Outcome::OutOfFuel`].
    ///
    /// # Errors
    /// As [`Runner::call`], and when there is not one limit for each row.
    ///
    /// # Panics
    /// When there is no such function.
    pub fn call_within(
        &mut self,
        function: usize,
        arguments: &[Column],
        fuel: &[u64],
    ) -> Result<Calls, HostError> {
        let wanted = Wanted { strategy: Strategy::Columns, fuel: Some(fuel), notes: Notes::Ignored };
        self.run(wanted, function, arguments)
    }

    /// [`Runner::call`] that keeps what patched code notes of each row, for [`Runner::notes`].
    ///
    /// # Errors
    /// As [`Runner::call`].
    ///
    /// # Panics
    /// When there is no such function.
    pub fn call_noting(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, HostError> {
        let wanted = Wanted { strategy: Strategy::Columns, fuel: None, notes: Notes::Kept };
        self.run(wanted, function, arguments)
    }

    /// The notes of a row of the last [`Runner::call_noting`]: bit `i` is bit `i % 64` of word `i / 64`, of as many
    /// words as [`Variants::note_bits`](crate::Variants) need. A row that stopped has the notes made until then.
    ///
    /// # Panics
    /// When that call had no such row.
    pub fn notes(&self, row: usize) -> &[u64] {
        let words = self.executable.shared.notes.words;
        &self.notes[row * words..(row + 1) * words]
    }

    fn run(&mut self, wanted: Wanted<'_>, function: usize, arguments: &[Column]) -> Result<Calls, HostError> {
        let shared = self.executable.shared.clone();
        let prepared = &shared.functions[function];
        let rows = check_columns(prepared, arguments)?;
        check_limits(prepared, rows, wanted.fuel)?;
        self.fuel.clear();
        self.stops.clear();
        if wanted.notes == Notes::Kept {
            self.notes.clear();
            self.notes.resize(rows * shared.notes.words, 0);
        }
        let outputs = prepared.function.outputs().iter().map(|o| Column::empty(o.ty)).collect();
        let calls = Calls { outcomes: Vec::with_capacity(rows), outputs };
        let Some(driver) = &prepared.driver else {
            let commands = Commands { shared: &shared, prepared, arguments, choice: self.choice };
            return self.commands(&commands, wanted, rows, calls);
        };
        let Wanted { strategy, fuel, notes } = wanted;
        let choice = self.choice;
        let mut run =
            Run { function, shared: &shared, prepared, driver, arguments, choice, fuel, notes, calls };
        self.rows(&mut run, strategy, rows)?;
        Ok(run.calls)
    }

    fn rows(&mut self, run: &mut Run<'_>, strategy: Strategy, rows: usize) -> Result<(), HostError> {
        let reused = strategy != Strategy::Fresh && run.prepared.isolation.is_reused();
        let most = match (strategy, run.notes) {
            (Strategy::Columns, Notes::Ignored) => run.driver.layout.rows,
            (Strategy::Columns, Notes::Kept) => run.driver.layout.rows.min(run.shared.notes.rows),
            _ => 1,
        };
        let mut row = 0;
        while row < rows {
            let mut end = row + 1;
            if !reused || self.violations[run.function] > MOST_VIOLATIONS {
                self.fresh_row(run, row)?;
            } else if run.driver.in_memory {
                self.reused_row(run, row)?;
            } else {
                end = rows.min(row + most);
                self.columns(run, row, end)?;
            }
            row = end;
        }
        Ok(())
    }

    fn commands(
        &mut self,
        commands: &Commands<'_>,
        wanted: Wanted<'_>,
        rows: usize,
        mut calls: Calls,
    ) -> Result<Calls, HostError> {
        let most = commands.shared.limits.fuel.0;
        for row in 0..rows {
            let limit = wanted.fuel.map_or(most, |fuel| fuel[row].min(most));
            let Done { fuel, at, instance } = command::run(commands, row, limit, &mut calls)?;
            if wanted.notes == Notes::Kept {
                keep_notes(&mut self.notes, commands.shared, &instance, row, 0..1);
            }
            self.note(row, (fuel, at));
        }
        Ok(calls)
    }

    /// Fuel that each row of the last call used. Where a row ran out, all that it was given.
    pub fn fuel_used(&self) -> &[u64] {
        &self.fuel
    }

    /// Where in the module a row of the last call trapped or ran out of fuel; `None` when it did neither, or the place is
    /// not in the module's own code.
    pub fn locate_trap(&self, row: usize) -> Option<CodePoint> {
        let found = self.stops.binary_search_by_key(&row, |(row, _)| *row).ok()?;
        Some(self.stops[found].1)
    }

    /// Calls by columns: rows `first` to `end` in one crossing, or in more where some stop.
    fn columns(&mut self, run: &mut Run<'_>, first: usize, end: usize) -> Result<(), HostError> {
        let stride = run.driver.layout.stride;
        let mut at = first;
        let fuel = run.fuel.map_or(RowFuel::Same(run.shared.limits.fuel.0), |_| RowFuel::InRecords);
        // The row in the instance's first record, while it has records.
        let mut base = None;
        while at < end {
            base = base.filter(|_| self.instances.contains_key(&0));
            let instance = reused(&mut self.instances, run.shared, 0)?;
            let base = *base.insert(match base {
                Some(base) => base,
                None => {
                    rows::encode(run, at, &mut instance.records()[..(end - at) * stride])?;
                    if run.notes == Notes::Kept {
                        instance.clear_notes(run.shared, end - at);
                    }
                    at
                }
            });
            let ended = instance.run(run, at - base, end - base, fuel)?;
            let until = ended.as_ref().map_or_else(|stopped| base + stopped.row, |()| end);
            let done = (at - base) * stride..(until - base) * stride;
            rows::returned(run, &mut self.fuel, &instance.records()[done]);
            if run.notes == Notes::Kept {
                // With the row that stopped.
                let noted = at - base..end.min(until + 1) - base;
                keep_notes(&mut self.notes, run.shared, instance, at, noted);
            }
            at = until;
            if let Err(stopped) = ended {
                self.after_stop(run, 0, at, stopped)?;
                at += 1;
            }
        }
        Ok(())
    }

    /// One row on a reused instance with an arena.
    fn reused_row(&mut self, run: &mut Run<'_>, row: usize) -> Result<(), HostError> {
        self.scratch.layout.lay_out(&run.prepared.function, run.arguments, row);
        let capacity = self.scratch.layout.capacity();
        if self.instances.len() > MOST_ARENAS && !self.instances.contains_key(&capacity) {
            self.instances.retain(|capacity, _| *capacity == 0);
        }
        let instance = reused(&mut self.instances, run.shared, capacity)?;
        let ended = rows::one(run, instance, row, &mut self.scratch)?;
        if run.notes == Notes::Kept {
            keep_notes(&mut self.notes, run.shared, instance, row, 0..1);
        }
        match ended {
            Ended::Returned { fuel } => self.fuel.push(fuel),
            Ended::Stopped(stopped) => self.after_stop(run, capacity, row, stopped)?,
            Ended::NoMemory => {
                self.instances.remove(&capacity);
                self.no_memory(run);
            }
        }
        Ok(())
    }

    /// One row on a fresh instance.
    fn fresh_row(&mut self, run: &mut Run<'_>, row: usize) -> Result<(), HostError> {
        self.scratch.layout.lay_out(&run.prepared.function, run.arguments, row);
        let mut instance = Instance::new(run.shared).map_err(|message| HostError::Instance { message })?;
        let ended = rows::one(run, &mut instance, row, &mut self.scratch)?;
        if run.notes == Notes::Kept {
            keep_notes(&mut self.notes, run.shared, &instance, row, 0..1);
        }
        match ended {
            Ended::Returned { fuel } => self.fuel.push(fuel),
            Ended::Stopped(stopped) => self.stopped(run, row, stopped),
            Ended::NoMemory => self.no_memory(run),
        }
        Ok(())
    }

    /// A row stopped on a reused instance: records it, or runs it again where a guard stopped it.
    fn after_stop(
        &mut self,
        run: &mut Run<'_>,
        capacity: u64,
        row: usize,
        stopped: Stopped,
    ) -> Result<(), HostError> {
        if let crate::Isolation::Reused(reused) = &run.prepared.isolation
            && reused.discards_after_trap
        {
            self.instances.remove(&capacity);
        }
        if let Some(violation) = stopped.violation {
            self.violations[run.function] += u32::from(violation == Violation::Stored);
            return self.fresh_row(run, row);
        }
        self.stopped(run, row, stopped);
        Ok(())
    }

    fn stopped(&mut self, run: &mut Run<'_>, row: usize, stopped: Stopped) {
        // A library function that ends the process gives no outputs: for its caller it is a trap.
        let outcome = match stopped.stop.outcome {
            Outcome::Exited(_) => Outcome::Trapped(dodona_subject::Trap::Other),
            other => other,
        };
        rows::push_without_outputs(&mut run.calls, outcome);
        self.note(row, (stopped.fuel, stopped.stop.at));
    }

    fn no_memory(&mut self, run: &mut Run<'_>) {
        rows::push_without_outputs(&mut run.calls, Outcome::Malformed(Malformed::Allocation));
        self.fuel.push(0);
    }

    fn note(&mut self, row: usize, (fuel, at): (u64, Option<CodePoint>)) {
        self.fuel.push(fuel);
        self.stops.extend(at.map(|at| (row, at)));
    }
}

impl std::fmt::Debug for Runner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runner").field("executable", &self.executable).finish_non_exhaustive()
    }
}

/// The reused instance whose arena has this capacity (0 for none), made and guarded on first use.
fn reused<'a>(
    instances: &'a mut BTreeMap<u64, Instance>,
    shared: &Shared,
    capacity: u64,
) -> Result<&'a mut Instance, HostError> {
    use std::collections::btree_map::Entry;
    match instances.entry(capacity) {
        Entry::Occupied(found) => Ok(found.into_mut()),
        Entry::Vacant(free) => {
            let mut instance = Instance::new(shared).map_err(|message| HostError::Instance { message })?;
            instance.enable_guards(shared);
            Ok(free.insert(instance))
        }
    }
}

/// Copies the notes at an instance's records to those of the rows from `first` on.
fn keep_notes(
    notes: &mut [u64],
    shared: &Shared,
    instance: &Instance,
    first: usize,
    records: std::ops::Range<usize>,
) {
    let bytes = instance.notes(shared, records).as_chunks::<8>().0;
    let words = &mut notes[first * shared.notes.words..];
    words.iter_mut().zip(bytes).for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
}

fn check_limits(prepared: &Prepared, rows: usize, fuel: Option<&[u64]>) -> Result<(), HostError> {
    match fuel {
        Some(fuel) if fuel.len() != rows => {
            Err(HostError::FuelLimits { function: prepared.function.name.clone(), rows, found: fuel.len() })
        }
        _ => Ok(()),
    }
}

/// The number of rows.
fn check_columns(prepared: &Prepared, arguments: &[Column]) -> Result<usize, HostError> {
    let expected = prepared.function.parameters.len();
    let rows = arguments.first().map_or(1, Column::len);
    if arguments.len() == expected && arguments.iter().all(|c| c.len() == rows) {
        return Ok(rows);
    }
    Err(HostError::Columns {
        function: prepared.function.name.clone(),
        expected,
        found: arguments.iter().map(Column::len).collect(),
    })
}
