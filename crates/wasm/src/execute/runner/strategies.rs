//! The rows of one call: in columns, one by one on instances that are reused or restored, or each on a fresh one.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;

use dodona_target::{Malformed, Outcome, Trap};

use super::{Runner, Strategy};
use crate::execute::instance::{Instance, RestoredInstance, RowFuel, Stopped, Violation};
use crate::execute::rows::{self, Ended};
use crate::execute::run::{Notes, Run};
use crate::execute::shared::Shared;
use crate::execute::{CallInstances, HostError};

/// Violations of guards, or instances that could not be restored, after which a function is run in fresh instances at once: the
/// analysis was mistaken.
const MOST_VIOLATIONS: u32 = 32;

/// Argument arenas of different sizes that are kept, each with its instance.
const MOST_ARENAS: usize = 4;

impl Runner {
    /// Runs each row as the strategy and the function's isolation allow.
    pub(super) fn rows(
        &mut self,
        run: &mut Run<'_>,
        strategy: Strategy,
        rows: usize,
    ) -> Result<(), HostError> {
        let instances =
            if strategy == Strategy::Fresh { CallInstances::Fresh } else { run.prepared.instances };
        let most = match (strategy, run.notes) {
            (Strategy::Columns, Notes::Ignored) => run.driver.layout.rows,
            (Strategy::Columns, Notes::Kept) => run.driver.layout.rows.min(run.shared.compiled.notes.rows),
            _ => 1,
        };
        let mut row = 0;
        while row < rows {
            let mut end = row + 1;
            match instances {
                _ if self.violations[run.function] > MOST_VIOLATIONS => self.fresh_row(run, row)?,
                CallInstances::Fresh => self.fresh_row(run, row)?,
                CallInstances::Restored => self.restored_row(run, row)?,
                CallInstances::Reused if run.driver.in_memory => self.reused_row(run, row)?,
                CallInstances::Reused => {
                    end = rows.min(row + most);
                    self.columns(run, row, end)?;
                }
            }
            row = end;
            let fuel = self.fuel.last().copied().unwrap_or(0);
            self.pace.ran(fuel)?;
        }
        Ok(())
    }

    /// Calls by columns: rows `first` to `end` in one crossing, or in more where some stop or take long.
    fn columns(&mut self, run: &mut Run<'_>, first: usize, end: usize) -> Result<(), HostError> {
        let stride = run.driver.layout.stride;
        let mut at = first;
        let fuel = run.fuel.map_or(RowFuel::Same(run.shared.compiled.limits.fuel.0), |_| RowFuel::InRecords);
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
            let until = base + ended.as_ref().map_or_else(|stopped| stopped.row, |done| *done);
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
            if at < end {
                self.pace.look()?;
            }
        }
        Ok(())
    }

    /// One row on a reused instance with an arena.
    fn reused_row(&mut self, run: &mut Run<'_>, row: usize) -> Result<(), HostError> {
        self.scratch.lay_out(run, row);
        let capacity = self.scratch.layout.capacity();
        make_room(&mut self.instances, capacity);
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

    /// One row on an instance that is restored afterwards.
    fn restored_row(&mut self, run: &mut Run<'_>, row: usize) -> Result<(), HostError> {
        self.scratch.lay_out(run, row);
        let capacity = self.scratch.layout.capacity();
        make_room(&mut self.restored, capacity);
        let restored = match self.restored.entry(capacity) {
            Entry::Occupied(found) => found.into_mut(),
            Entry::Vacant(free) => {
                let made = RestoredInstance::new(run.shared, &run.prepared.isolation, capacity);
                let Some(made) = made? else {
                    self.violations[run.function] += 1;
                    return self.fresh_row(run, row);
                };
                free.insert(made)
            }
        };
        let ended = rows::one(run, &mut restored.instance, row, &mut self.scratch)?;
        if run.notes == Notes::Kept {
            keep_notes(&mut self.notes, run.shared, &restored.instance, row, 0..1);
        }
        let is_outside = restored.is_outside();
        if !restored.restore(run.shared) {
            self.violations[run.function] += 1;
            self.restored.remove(&capacity);
        }
        if is_outside {
            self.violations[run.function] += 1;
            return self.fresh_row(run, row);
        }
        self.ended(run, row, ended);
        Ok(())
    }

    /// One row on a fresh instance.
    fn fresh_row(&mut self, run: &mut Run<'_>, row: usize) -> Result<(), HostError> {
        self.scratch.lay_out(run, row);
        let mut instance = Instance::new(&run.shared.compiled)?;
        let ended = rows::one(run, &mut instance, row, &mut self.scratch)?;
        if run.notes == Notes::Kept {
            keep_notes(&mut self.notes, run.shared, &instance, row, 0..1);
        }
        self.ended(run, row, ended);
        Ok(())
    }

    /// Records how a row ended that is not run again.
    fn ended(&mut self, run: &mut Run<'_>, row: usize, ended: Ended) {
        match ended {
            Ended::Returned { fuel } => self.fuel.push(fuel),
            Ended::Stopped(stopped) => self.stopped(run, row, stopped),
            Ended::NoMemory => self.no_memory(run),
        }
    }

    /// A row stopped on a reused instance: records it, or runs it again where a guard stopped it.
    fn after_stop(
        &mut self,
        run: &mut Run<'_>,
        capacity: u64,
        row: usize,
        stopped: Stopped,
    ) -> Result<(), HostError> {
        if let crate::execute::Isolation::Reused(reused) = &run.prepared.isolation
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
            Outcome::Exited(code) => Outcome::Trapped(Trap::Exit(code)),
            other => other,
        };
        rows::push_without_outputs(&mut run.calls, outcome);
        self.note(row, (stopped.fuel, stopped.stop.at));
    }

    fn no_memory(&mut self, run: &mut Run<'_>) {
        rows::push_without_outputs(&mut run.calls, Outcome::Malformed(Malformed::Allocation));
        self.fuel.push(0);
    }
}

/// Gives up the instances with arenas if there are enough of them and none has this capacity.
fn make_room<T>(instances: &mut BTreeMap<u64, T>, capacity: u64) {
    if instances.len() > MOST_ARENAS && !instances.contains_key(&capacity) {
        instances.retain(|capacity, _| *capacity == 0);
    }
}

/// The reused instance whose arena has this capacity (0 for none), made and guarded on first use.
fn reused<'a>(
    instances: &'a mut BTreeMap<u64, Instance>,
    shared: &Shared,
    capacity: u64,
) -> Result<&'a mut Instance, HostError> {
    match instances.entry(capacity) {
        Entry::Occupied(found) => Ok(found.into_mut()),
        Entry::Vacant(free) => {
            let mut instance = Instance::new(&shared.compiled)?;
            instance.enable_guards(shared);
            Ok(free.insert(instance))
        }
    }
}

/// Copies the notes at an instance's records to those of the rows from `first` on.
pub(super) fn keep_notes(
    notes: &mut [u64],
    shared: &Shared,
    instance: &Instance,
    first: usize,
    records: Range<usize>,
) {
    let bytes = instance.notes(shared, records).as_chunks::<8>().0;
    let words = &mut notes[first * shared.compiled.notes.words..];
    words.iter_mut().zip(bytes).for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
}
