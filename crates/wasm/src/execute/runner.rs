//! Calls a function for many rows at once: it takes columns of arguments and gives columns of outputs.

mod pace;
mod strategies;

use std::collections::BTreeMap;
use std::sync::Arc;

use dodona_subject::CodePoint;
use dodona_target::{Calls, Column};

use crate::execute::command::{self, Commands, Done};
use crate::execute::instance::{Instance, RestoredInstance};
use crate::execute::rows::{self, Ended, Scratch};
use crate::execute::run::{Notes, Run};
use crate::execute::shared::{Prepared, Shared};
use crate::execute::{Choice, HostError};
use dodona_target::Until;
use pace::Pace;

/// How rows are run. All give the same calls; they differ in speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Many rows a crossing where a function takes and returns scalars, else one row a crossing. Instances are reused where
    /// [`crate::execute::Isolation`] allows, and restored after each row where what it changed can be undone.
    Columns,
    /// One row a crossing; instances are reused and restored likewise.
    RowByRow,
    /// A fresh instance for each row.
    Fresh,
}

/// Runs calls, on one thread. Instances live from one call to the next where that leaves no trace.
pub struct Runner {
    shared: Arc<Shared>,
    /// Reused instances by the capacity of their arena; 0 has none.
    instances: BTreeMap<u64, Instance>,
    /// Instances that are restored after each call, likewise.
    restored: BTreeMap<u64, RestoredInstance>,
    /// For each function, the rows of the chosen version that were of no use to those which follow: guards stopped them, or their
    /// instance could not be restored.
    violations: Vec<u32>,
    scratch: Scratch,
    fuel: Vec<u64>,
    stops: Vec<(usize, CodePoint)>,
    choice: Choice,
    /// The notes of the last noting call, row after row.
    notes: Vec<u64>,
    pace: Pace,
}

/// What is asked of a call beside its results.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    strategy: Strategy,
    fuel: Option<&'a [u64]>,
    notes: Notes,
}

impl Runner {
    pub(crate) fn new(shared: Arc<Shared>) -> Runner {
        let functions = shared.functions.len();
        Runner {
            shared,
            instances: BTreeMap::new(),
            restored: BTreeMap::new(),
            violations: vec![0; functions],
            scratch: Scratch::default(),
            fuel: Vec::new(),
            stops: Vec::new(),
            choice: Choice::default(),
            notes: Vec::new(),
            pace: Pace::default(),
        }
    }

    /// The same, whose calls end with [`HostError::Stopped`] when the time is up or somebody interrupts: at the latest behind the row
    /// that is being run; within it, where a row may have so much fuel that it takes seconds.
    pub fn until(mut self, until: &Until) -> Runner {
        self.end_at(until);
        self
    }

    /// [`Runner::until`] for the calls that follow.
    pub fn end_at(&mut self, until: &Until) {
        self.pace.until = until.clone();
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
    /// Gives an outcome a row and a column for each of [`Signature::outputs`](dodona_target::Signature::outputs).
    ///
    /// # Errors
    /// When the columns do not fit the parameters or a value is not of its type, or the host fails.
    /// What the module does is never an error: it is an [`dodona_target::Outcome`].
    ///
    /// # Panics
    /// When there is no such function, or the module was loaded for calls of others.
    pub fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, HostError> {
        self.call_with(Strategy::Columns, function, arguments)
    }

    /// [`Runner::call`] with a chosen strategy: the same calls at another speed.
    ///
    /// # Errors
    /// As [`Runner::call`].
    ///
    /// # Panics
    /// When there is no such function, or the module was loaded for calls of others.
    pub fn call_with(
        &mut self,
        strategy: Strategy,
        function: usize,
        arguments: &[Column],
    ) -> Result<Calls, HostError> {
        self.run(Wanted { strategy, fuel: None, notes: Notes::Ignored }, function, arguments)
    }

    /// [`Runner::call`] with a fuel limit a row, each no more than the executable's: a row that needs more is
    /// [`dodona_target::Outcome::OutOfFuel`]. So is a row whose outputs have more elements than its limit: they are not read,
    /// for all that is done with them would take as long as a call that does not end.
    ///
    /// # Errors
    /// As [`Runner::call`], and when there is not one limit for each row.
    ///
    /// # Panics
    /// When there is no such function, or the module was loaded for calls of others.
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
    /// When there is no such function, or the module was loaded for calls of others.
    pub fn call_noting(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, HostError> {
        let wanted = Wanted { strategy: Strategy::Columns, fuel: None, notes: Notes::Kept };
        self.run(wanted, function, arguments)
    }

    /// The notes of a row of the last [`Runner::call_noting`]: bit `i` is bit `i % 64` of word `i / 64`, of as many
    /// words as [`Variants::note_bits`](crate::execute::Variants) need. A row that stopped has the notes made until then.
    ///
    /// # Panics
    /// When that call had no such row.
    pub fn notes(&self, row: usize) -> &[u64] {
        let words = self.shared.compiled.notes.words;
        &self.notes[row * words..(row + 1) * words]
    }

    fn run(&mut self, wanted: Wanted<'_>, function: usize, arguments: &[Column]) -> Result<Calls, HostError> {
        let shared = Arc::clone(&self.shared);
        let prepared = shared.called(function);
        let rows = check_columns(prepared, arguments)?;
        check_limits(prepared, rows, wanted.fuel)?;
        self.pace.look()?;
        self.fuel.clear();
        self.stops.clear();
        if wanted.notes == Notes::Kept {
            self.notes.clear();
            self.notes.resize(rows * shared.compiled.notes.words, 0);
        }
        let calls = no_calls(prepared, rows);
        let Some(driver) = &prepared.driver else {
            let until = &self.pace.until.clone();
            let commands = Commands { shared: &shared, prepared, arguments, choice: self.choice, until };
            return self.commands(&commands, wanted, rows, calls);
        };
        let Wanted { strategy, fuel, notes } = wanted;
        let choice = self.choice;
        let until = &self.pace.until.clone();
        let mut run =
            Run { function, shared: &shared, prepared, driver, arguments, choice, fuel, notes, until, calls };
        self.rows(&mut run, strategy, rows).inspect_err(|_| {
            // Nobody knows in what state an instance was given up.
            self.instances.clear();
            self.restored.clear();
        })?;
        Ok(run.calls)
    }

    fn commands(
        &mut self,
        commands: &Commands<'_>,
        wanted: Wanted<'_>,
        rows: usize,
        mut calls: Calls,
    ) -> Result<Calls, HostError> {
        let most = commands.shared.compiled.limits.fuel.0;
        for row in 0..rows {
            let limit = wanted.fuel.map_or(most, |fuel| fuel[row].min(most));
            let Done { fuel, stop, instance } = command::run(commands, row, limit, &mut calls)?;
            if let Some(instance) = instance.filter(|_| wanted.notes == Notes::Kept) {
                strategies::keep_notes(&mut self.notes, commands.shared, &instance, row, 0..1);
            }
            self.note(row, (fuel, stop.and_then(|stop| stop.at)));
            self.pace.ran(fuel)?;
        }
        Ok(calls)
    }

    /// Runs the first row of a command.
    pub(crate) fn command_once(&mut self, function: usize, arguments: &[Column]) -> Result<Done, HostError> {
        let shared = Arc::clone(&self.shared);
        let prepared = shared.called(function);
        check_columns(prepared, arguments)?;
        let until = &self.pace.until.clone();
        let commands = Commands { shared: &shared, prepared, arguments, choice: self.choice, until };
        command::run(&commands, 0, shared.compiled.limits.fuel.0, &mut no_calls(prepared, 1))
    }

    /// Runs the first row of a function in an instance.
    pub(crate) fn call_in(
        &mut self,
        instance: &mut Instance,
        function: usize,
        arguments: &[Column],
    ) -> Result<Ended, HostError> {
        let shared = Arc::clone(&self.shared);
        let prepared = shared.called(function);
        check_columns(prepared, arguments)?;
        let Some(driver) = &prepared.driver else { return Ok(Ended::Returned { fuel: 0 }) };
        let (fuel, notes, choice, until) = (None, Notes::Ignored, self.choice, &self.pace.until.clone());
        let calls = no_calls(prepared, 1);
        let mut run =
            Run { function, shared: &shared, prepared, driver, arguments, choice, fuel, notes, until, calls };
        self.scratch.lay_out(&run, 0);
        rows::one(&mut run, instance, 0, &mut self.scratch)
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Fuel that each row of the last call used. Where a row ran out, all that it was given.
    pub fn fuel_used(&self) -> &[u64] {
        &self.fuel
    }

    /// Where in the module a row of the last call trapped or ran out of fuel; `None` when it did neither, when the place is
    /// not in the module's own code, and with [`TrapPlaces::Unknown`](crate::execute::TrapPlaces).
    pub fn locate_trap(&self, row: usize) -> Option<CodePoint> {
        let found = self.stops.binary_search_by_key(&row, |(row, _)| *row).ok()?;
        Some(self.stops[found].1)
    }

    fn note(&mut self, row: usize, (fuel, at): (u64, Option<CodePoint>)) {
        self.fuel.push(fuel);
        self.stops.extend(at.map(|at| (row, at)));
    }
}

impl std::fmt::Debug for Runner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runner").field("executable", &self.shared).finish_non_exhaustive()
    }
}

/// No calls yet, with room for so many.
fn no_calls(prepared: &Prepared, rows: usize) -> Calls {
    let outputs = prepared.function.outputs.iter().map(|o| Column::empty(o.ty)).collect();
    Calls { outcomes: Vec::with_capacity(rows), outputs }
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
