//! A metamorphic group that is evaluated again: with rounded numbers moved, or without allowances.

use super::run::Run;
use super::schedule::Step;
use crate::apply::register::Register;
use crate::ast::Bound;
use crate::graph::NodeId;
use crate::op::Op;
use crate::rounding::{Place, moved_register};
use dodona_target::{CallError, Caller};

/// What a run does again, for some rows of another run.
pub(super) struct Again<'v> {
    /// The rows of the source inputs of the other run.
    rows: Vec<u32>,
    /// For each of these rows, by which repetition numbers are moved; empty if nothing is moved and `~=` has no allowance.
    repetitions: Vec<u32>,
    /// The outputs of calls that moved numbers do not reach, by their nodes.
    known: Vec<(NodeId, Register<'v>)>,
}

impl<'v> Again<'v> {
    /// With numbers moved, in each row by its repetition.
    pub(super) fn moved(run: &Run<'v>, rows: &[u32], repetitions: Vec<u32>) -> Again<'v> {
        let nodes = run.plan.group.graph.nodes.iter().enumerate();
        let is_known = |op: Op| op.call().is_some_and(|call| !run.plan.places.changes_call(call));
        let known = nodes.filter(|(id, node)| is_known(node.op) && run.registers[*id].is_some());
        let known = known.map(|(id, _)| (id, run.register(id).select(rows))).collect();
        Again { known, ..Again::of(run, rows, repetitions) }
    }

    /// Without allowances.
    pub(super) fn strictly(run: &Run<'v>, rows: &[u32]) -> Again<'v> {
        Again::of(run, rows, Vec::new())
    }

    fn of(run: &Run<'v>, rows: &[u32], repetitions: Vec<u32>) -> Again<'v> {
        let rows = rows.iter().map(|row| run.original(*row as usize) as u32).collect();
        Again { rows, repetitions, known: Vec::new() }
    }

    /// The row of the other run's source inputs.
    pub(super) fn source(&self, row: usize) -> usize {
        self.rows[row] as usize
    }
}

impl<'v> Run<'v> {
    /// The tolerance of `~=` in this run.
    pub(super) fn bound(&self) -> Bound {
        match (self.plan.group.graph.bound, &self.again) {
            (Bound::Either { relative, .. }, Some(_)) => Bound::Relative(relative),
            (bound, _) => bound,
        }
    }

    /// Runs the steps that a node needs. Whether the rows meet the condition is known already.
    pub(super) fn steps_to(&mut self, target: NodeId, caller: &mut dyn Caller) -> Result<(), CallError> {
        let plan = self.plan;
        let needed = plan.needed(target);
        self.moved_constants(&needed.nodes);
        for step in &plan.steps {
            if self.rows == 0 {
                break;
            }
            match *step {
                Step::Compute(node) if node == target => break,
                Step::Compute(node) if needed.nodes[node] => self.compute(node),
                Step::Domain { call, argument } if needed.calls[call] => self.domain(call, argument),
                Step::Requires { call } if needed.calls[call] => self.requires(call),
                Step::Call { call } if needed.calls[call] && !self.known(call) => {
                    self.call(call, &[], caller)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Takes over the outputs of a call that moved numbers do not reach; false if it has to be made again.
    fn known(&mut self, call: usize) -> bool {
        let Some(again) = &self.again else { return false };
        let of_call =
            |known: &&(NodeId, Register<'v>)| self.plan.group.graph.nodes[known.0].op.call() == Some(call);
        let rows: Vec<u32> = (0..self.rows).map(|row| self.original(row) as u32).collect();
        let known = again.known.iter().filter(of_call);
        let known: Vec<_> = known.map(|(id, register)| (*id, register.select(&rows))).collect();
        let is_known = !known.is_empty();
        for (id, register) in known {
            self.registers[id] = Some(self.moved(id, register));
        }
        is_known
    }

    fn moved_constants(&mut self, needed: &[bool]) {
        let graph = &self.plan.group.graph;
        for (id, _) in needed.iter().enumerate().filter(|(_, needed)| **needed) {
            if self.plan.places.of_node(id).is_some()
                && let Some(constant) = graph.constant_of(id)
            {
                self.registers[id] = Some(self.moved(id, constant.clone()));
            }
        }
    }

    /// The value of a node, moved if this run moves it.
    pub(super) fn moved(&self, id: NodeId, register: Register<'v>) -> Register<'v> {
        self.moved_by((self.plan.places.of_node(id), self.rows), register, |row| row)
    }

    /// The value of an argument, moved if this run moves it.
    pub(super) fn moved_argument(
        &self,
        call: usize,
        argument: usize,
        rows: Option<&[u32]>,
        register: Register<'v>,
    ) -> Register<'v> {
        // The rows of the register are those that are chosen for the call.
        let of = |row: usize| rows.map_or(row, |rows| rows[row] as usize);
        let count = rows.map_or(self.rows, <[u32]>::len);
        self.moved_by((self.plan.places.of_argument(call, argument), count), register, of)
    }

    /// The rows of a register moved, each by its repetition. `of` tells which row of this run a row of the register is.
    fn moved_by(
        &self,
        (place, count): (Option<Place>, usize),
        register: Register<'v>,
        of: impl Fn(usize) -> usize,
    ) -> Register<'v> {
        let repetitions =
            self.again.as_ref().map(|again| &again.repetitions[..]).filter(|all| !all.is_empty());
        match repetitions.zip(place) {
            Some((repetitions, place)) => {
                let repetition = |row: usize| repetitions[self.original(of(row))];
                moved_register(place, count, &repetition, register)
            }
            None => register,
        }
    }
}
