//! How a run makes calls.

use dodona_target::{Calls, Column, Outcome};

use super::run::Run;
use super::scatter::{blank, scatter};
use super::verdict::{Ineligible, Verdict, Violation};
use crate::apply::register::{Data, Lane, Register, Valid};
use crate::check::Role;
use crate::graph::NodeId;
use crate::op::Op;
use dodona_target::{CallError, Caller};

impl<'v> Run<'v> {
    /// The rows in which every argument of a call has a value.
    pub(super) fn made(&self, call: usize) -> Valid {
        let arguments = &self.plan.group.calls[call].arguments;
        arguments.iter().fold(Valid::All, |valid, a| valid.and(&self.register(a.passed).valid))
    }

    /// Makes a call and stores its outputs and failures.
    pub(super) fn call(
        &mut self,
        call: usize,
        done: &[NodeId],
        caller: &mut dyn Caller,
    ) -> Result<(), CallError> {
        let made = self.made(call);
        let chosen: Option<Vec<u32>> = match &made {
            Valid::All => None,
            valid => Some((0..self.rows as u32).filter(|&row| valid.at(row as usize)).collect()),
        };
        if chosen.as_ref().is_some_and(Vec::is_empty) {
            self.unmade(call);
            return Ok(());
        }
        let calls = self.make(call, chosen.as_deref(), done, caller)?;
        let Calls { outcomes, outputs } = match &chosen {
            None => calls,
            Some(rows) => scatter(calls, rows, self.rows),
        };
        self.fail(call, &outcomes, &made);
        self.outputs(call, &outcomes, outputs, made);
        if !self.sites[call].observed && self.sites[call].role == Role::Source {
            self.skip(&outcomes);
        }
        Ok(())
    }

    /// Calls the function for the given rows, or for all rows.
    fn make(
        &mut self,
        call: usize,
        rows: Option<&[u32]>,
        done: &[NodeId],
        caller: &mut dyn Caller,
    ) -> Result<Calls, CallError> {
        let owned;
        let arguments = match self.untouched(call).filter(|_| rows.is_none()) {
            Some(columns) => columns,
            None => {
                owned = self.arguments(call, rows, done);
                &owned[..]
            }
        };
        let source = |row: usize| {
            let row = self.original(rows.map_or(row, |rows| rows[row] as usize));
            self.again.as_ref().map_or(row, |again| again.source(row))
        };
        let count = rows.map_or(self.rows, <[u32]>::len);
        let calls = match arguments.is_empty() {
            true => self.make_each(call, count, &source, caller)?,
            false => {
                let function = self.sites[call].function;
                let calls = match self.again {
                    None => caller.call_at(call, &source, function, arguments)?,
                    Some(_) => caller.call_moved(call, &source, function, arguments)?,
                };
                self.fitting(call, count, calls)?
            }
        };
        if let Some(record) = &mut self.record {
            record.calls.push((call, arguments.to_vec(), calls.clone()));
        }
        Ok(calls)
    }

    /// Makes the calls of a function without parameters, one for each row. Without arguments no column says how many rows there
    /// are, and callers that record calls need the row of each.
    fn make_each(
        &self,
        call: usize,
        count: usize,
        source: &dyn Fn(usize) -> usize,
        caller: &mut dyn Caller,
    ) -> Result<Calls, CallError> {
        let mut one = |row: usize| {
            let function = self.sites[call].function;
            let calls = match self.again {
                None => caller.call_at(call, &|_| source(row), function, &[])?,
                Some(_) => caller.call_moved(call, &|_| source(row), function, &[])?,
            };
            self.fitting(call, 1, calls)
        };
        let mut all = one(0)?;
        for row in 1..count {
            let Calls { outcomes, outputs } = one(row)?;
            all.outcomes.extend(outcomes);
            all.outputs.iter_mut().zip(outputs).for_each(|(column, output)| column.push(&output.value(0)));
        }
        Ok(all)
    }

    /// An answer, after checking that it has this number of rows and the columns of the call.
    ///
    /// # Errors
    /// When the number of rows or columns is another one.
    fn fitting(&self, call: usize, rows: usize, calls: Calls) -> Result<Calls, CallError> {
        let fits = calls.outcomes.len() == rows
            && calls.outputs.len() == self.sites[call].outputs.len()
            && calls.outputs.iter().all(|column| column.len() == rows);
        match fits {
            true => Ok(calls),
            false => Err(CallError::new("the answer has other rows or columns than the calls")),
        }
    }

    /// The columns of the source input, if they are exactly the arguments of a call and no row has been dropped.
    fn untouched(&self, call: usize) -> Option<&'v [Column]> {
        let arguments = &self.plan.group.calls[call].arguments;
        let variable = |node: NodeId| match self.plan.group.graph.nodes[node].op {
            Op::Variable(index) => Some(index),
            _ => None,
        };
        let first = variable(arguments.first()?.passed)?;
        let adjacent = arguments.iter().enumerate().all(|(i, a)| variable(a.passed) == Some(first + i));
        (adjacent && self.origin.is_none() && self.again.is_none())
            .then(|| &self.columns[first..first + arguments.len()])
    }

    /// The columns of the arguments. A register that no later step needs is moved instead of copied.
    fn arguments(&mut self, call: usize, rows: Option<&[u32]>, done: &[NodeId]) -> Vec<Column> {
        let plan = self.plan;
        let arguments = &plan.group.calls[call].arguments;
        let mut columns = Vec::with_capacity(arguments.len());
        for (i, argument) in arguments.iter().enumerate() {
            let node = argument.passed;
            let last = done.contains(&node) && arguments[i + 1..].iter().all(|later| later.passed != node);
            let taken = if last && rows.is_none() { self.registers[node].take() } else { None };
            let register = match (taken, rows) {
                (Some(register), _) => register,
                (None, Some(rows)) => self.register(node).select(rows),
                (None, None) => self.register(node).clone(),
            };
            let count = rows.map_or(self.rows, <[u32]>::len);
            let mut column = self.moved_argument(call, i, rows, register).data.into_column(count);
            // A moved number need not be one of the parameter's precision, though the number in its place was.
            if self.again.is_some() {
                column.round_to(self.sites[call].parameters[i].1);
            }
            columns.push(column);
        }
        columns
    }

    /// Records what the failures of a call mean for the verdicts.
    fn fail(&mut self, call: usize, outcomes: &[Outcome], made: &Valid) {
        if outcomes.iter().all(|outcome| outcome.has_outputs()) {
            return;
        }
        let failed = |row: usize| made.at(row) && !outcomes[row].has_outputs();
        match (self.sites[call].role, self.sites[call].observed) {
            (Role::Source, _) => {
                let sources = self.sources.get_or_insert_with(|| vec![true; outcomes.len()]);
                (0..outcomes.len()).for_each(|row| sources[row] &= !failed(row));
            }
            (Role::FollowUp, true) => {}
            (Role::FollowUp, false) => {
                for row in 0..outcomes.len() {
                    let eligible = self.sources.as_ref().is_none_or(|sources| sources[row]);
                    let original = self.original(row);
                    // If several follow-up calls fail, the verdict reports the first one.
                    if failed(row) && eligible && self.verdicts[original] == Verdict::Holds {
                        self.verdicts[original] = Verdict::Violated(Violation::FollowUp(outcomes[row]));
                        self.failed = true;
                    }
                }
            }
        }
    }

    /// Drops the rows in which a source call did not return.
    fn skip(&mut self, outcomes: &[Outcome]) {
        if outcomes.iter().all(|outcome| outcome.has_outputs()) {
            return;
        }
        self.drop_where(|row| {
            let outcome = outcomes[row];
            (!outcome.has_outputs()).then_some(Verdict::Ineligible(Ineligible::Skipped(outcome)))
        });
    }

    /// Stores a call's outputs in the registers of the nodes that refer to the call.
    fn outputs(&mut self, call: usize, outcomes: &[Outcome], outputs: Vec<Column>, made: Valid) {
        let returned = match outcomes.iter().all(|outcome| outcome.has_outputs()) {
            true => made.clone(),
            false => made.clone().and(&Valid::Rows(outcomes.iter().map(|o| o.has_outputs()).collect())),
        };
        let mut outputs: Vec<Option<Column>> = outputs.into_iter().map(Some).collect();
        for (id, node) in self.plan.group.graph.nodes.iter().enumerate() {
            let flags =
                |flag: fn(&Outcome) -> bool| Data::Bool(Lane::many(outcomes.iter().map(flag).collect()));
            self.registers[id] = match node.op {
                Op::Output { call: c, output } if c == call => outputs[output]
                    .take()
                    .map(|column| Register { valid: returned.clone(), ..Register::owned(column) })
                    .map(|register| self.moved(id, register)),
                Op::Returned(c) if c == call => {
                    let rows = (0..outcomes.len()).map(|row| returned.at(row)).collect();
                    Some(Register::new(Data::Bool(Lane::many(rows))))
                }
                Op::Traps(c) if c == call => {
                    Some(Register { data: flags(|o| matches!(o, Outcome::Trapped(_))), valid: made.clone() })
                }
                _ => continue,
            };
        }
    }

    /// Fills the registers for a call that is not made in any row, because every row lacks an argument.
    fn unmade(&mut self, call: usize) {
        for (id, node) in self.plan.group.graph.nodes.iter().enumerate() {
            if node.op.call() == Some(call) {
                let valid = if node.op == Op::Returned(call) { Valid::All } else { Valid::Never };
                self.registers[id] = Some(Register { data: blank(node.ty, self.rows), valid });
            }
        }
    }
}
