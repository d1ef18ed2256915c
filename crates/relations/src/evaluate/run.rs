//! Runs a plan on columns of source inputs.

use dodona_target::{Calls, Column, Value};

use super::again::Again;
use super::schedule::{Plan, Site, Step, Variable};
use super::verdict::{Allowance, Ineligible, Verdict, Violation};
use super::{domain, eligible};
use crate::apply::dispatch::apply;
use crate::apply::logic::bools;
use crate::apply::register::{Lane, Register, Valid};
use crate::graph::NodeId;
use crate::op::Op;
use dodona_target::{CallError, Caller};

/// A run of one plan. Ineligible rows are dropped from the run; `origin` tells which rows remain.
pub(super) struct Run<'v> {
    pub(super) plan: &'v Plan,
    pub(super) sites: &'v [Site],
    pub(super) columns: &'v [Column],
    pub(super) registers: Vec<Option<Register<'v>>>,
    /// The number of remaining rows.
    pub(super) rows: usize,
    /// For each remaining row its index at the start; `None` while no row has been dropped.
    pub(super) origin: Option<Vec<u32>>,
    pub(super) verdicts: Vec<Verdict>,
    /// Whether a follow-up call has failed, so that some remaining rows already have their verdict.
    pub(super) failed: bool,
    /// For each remaining row whether every source call has returned; `None` while all have.
    pub(super) sources: Option<Vec<bool>>,
    pub(super) record: Option<Record>,
    /// For each row at the start the allowance that `~=` needed in it; empty while none needed any.
    pub(super) allowed: Vec<Option<Allowance>>,
    /// What is done again, if this is no first evaluation.
    pub(super) again: Option<Again<'v>>,
}

/// What a run over a single row records for its explanation.
#[derive(Default)]
pub(super) struct Record {
    /// The calls made, as (site, arguments, answer).
    pub(super) calls: Vec<(usize, Vec<Column>, Calls)>,
    /// The first value found out of domain, if any.
    pub(super) outside: Option<Outside>,
    /// The difference of the sides that rounding permits, if it was asked for.
    pub(super) allowance: f64,
}

/// A value or precondition that makes a source input ineligible.
#[derive(Clone, Debug)]
pub(super) enum Outside {
    /// A variable of the source input, described in words.
    Source(String),
    /// An argument with its value: index of the call, index of the argument.
    Argument(usize, usize, Option<Value>),
    /// The precondition of a call, with the call's index and the values of its arguments.
    Requires(usize, Vec<Option<Value>>),
}

impl<'v> Run<'v> {
    pub(super) fn new(plan: &'v Plan, sites: &'v [Site], columns: &'v [Column], rows: usize) -> Self {
        let graph = &plan.group.graph;
        let variable = |op| match op {
            Op::Variable(index) => Some(Register::borrowed(&columns[index])),
            _ => None,
        };
        Run {
            plan,
            sites,
            columns,
            registers: graph.nodes.iter().map(|node| variable(node.op)).collect(),
            rows,
            origin: None,
            verdicts: vec![Verdict::Holds; rows],
            failed: false,
            sources: None,
            record: None,
            allowed: Vec::new(),
            again: None,
        }
    }

    /// Runs all steps.
    pub(super) fn verdicts(mut self, caller: &mut dyn Caller) -> Result<Vec<Verdict>, CallError> {
        self.steps(caller)?;
        Ok(self.verdicts)
    }

    /// Drops the rows whose source input lies outside the types and domains of the variables.
    pub(super) fn sources_in_domain(&mut self, variables: &[Variable]) {
        let domains = || variables.iter().map(|variable| (variable.ty, &variable.domain));
        let Some(inside) = eligible::within(self.columns, domains()) else { return };
        if let Some(record) = &mut self.record {
            let is_outside = |(i, _): &(usize, &Variable)| {
                eligible::within(&self.columns[*i..*i + 1], domains().skip(*i).take(1)).is_some()
            };
            let outside = variables.iter().enumerate().find(is_outside);
            let words = |(i, v): (usize, &Variable)| {
                format!("`{}: {}` is {}, outside its type or domain", v.name, v.ty, self.columns[i].value(0))
            };
            record.outside = outside.map(words).map(Outside::Source);
        }
        self.drop_where(|row| (!inside[row]).then_some(Verdict::Ineligible(Ineligible::OutOfDomain)));
    }

    pub(super) fn steps(&mut self, caller: &mut dyn Caller) -> Result<(), CallError> {
        let plan = self.plan;
        for (step, done) in plan.steps.iter().zip(&plan.done) {
            if self.rows == 0 {
                break;
            }
            match *step {
                Step::Compute(node) => {
                    self.compute(node);
                    if self.again.is_none() {
                        self.allow(node, caller)?;
                    }
                }
                Step::Condition => self.condition(),
                Step::Domain { call, argument } => self.domain(call, argument),
                Step::Requires { call } => self.requires(call),
                Step::Call { call } => self.call(call, done, caller)?,
                Step::Expect => self.expect(caller)?,
            }
            // What is recorded is told in the end, the sides of the comparison among it.
            if self.record.is_none() {
                done.iter().for_each(|node| self.registers[*node] = None);
            }
        }
        Ok(())
    }

    /// The register of a node that has already been computed.
    pub(super) fn register(&self, node: NodeId) -> &Register<'v> {
        let graph = &self.plan.group.graph;
        let found = self.registers[node].as_ref().or(graph.constant_of(node));
        found.unwrap_or_else(|| unreachable!("node {node} is read before it is computed"))
    }

    pub(super) fn is_computed(&self, node: NodeId) -> bool {
        self.plan.group.graph.constant_of(node).is_some() || self.registers[node].is_some()
    }

    pub(super) fn verdict(&self) -> Verdict {
        self.verdicts[0]
    }

    pub(super) fn compute(&mut self, id: NodeId) {
        let (node, bound) = (&self.plan.group.graph.nodes[id], self.bound());
        let result = match node.operands[..] {
            [a] => apply(node.op, &[self.register(a)], bound),
            [a, b] => apply(node.op, &[self.register(a), self.register(b)], bound),
            ref many => {
                let operands: Vec<_> = many.iter().map(|id| self.register(*id)).collect();
                apply(node.op, &operands, bound)
            }
        };
        self.registers[id] = Some(self.moved(id, result));
    }

    pub(super) fn original(&self, row: usize) -> usize {
        self.origin.as_ref().map_or(row, |origin| origin[row] as usize)
    }

    /// Gives rows a verdict and drops them: the rows for which `verdict` returns one.
    pub(super) fn drop_where(&mut self, verdict: impl Fn(usize) -> Option<Verdict>) {
        let mut kept = Vec::new();
        for row in 0..self.rows {
            match verdict(row) {
                Some(verdict) => {
                    let original = self.original(row);
                    self.verdicts[original] = verdict;
                }
                None => kept.push(row as u32),
            }
        }
        self.keep(kept);
    }

    fn keep(&mut self, kept: Vec<u32>) {
        for register in self.registers.iter_mut().flatten() {
            *register = register.select(&kept);
        }
        if let Some(sources) = &mut self.sources {
            *sources = kept.iter().map(|&row| sources[row as usize]).collect();
        }
        self.rows = kept.len();
        self.origin = Some(match &self.origin {
            None => kept,
            Some(origin) => kept.iter().map(|&row| origin[row as usize]).collect(),
        });
    }

    fn condition(&mut self) {
        let Some(node) = self.plan.group.condition else { return };
        let Register { data, valid } = self.register(node).clone();
        let truth = bools(&data);
        if valid == Valid::All && is_all_true(truth) {
            return;
        }
        self.drop_where(|row| match (valid.at(row), truth.at(row)) {
            (true, true) => None,
            (true, false) => Some(Verdict::Ineligible(Ineligible::Condition)),
            (false, _) => Some(Verdict::Ineligible(Ineligible::ConditionUndefined)),
        });
    }

    pub(super) fn domain(&mut self, call: usize, argument: usize) {
        let node = self.plan.group.calls[call].arguments[argument].written;
        let (_, ty, domain) = &self.sites[call].parameters[argument];
        let inside = domain::inside(self.register(node), *ty, domain);
        self.drop_outside(&inside, |run| Outside::Argument(call, argument, run.register(node).value(0)));
    }

    pub(super) fn requires(&mut self, call: usize) {
        let node = &self.plan.group.calls[call];
        let Some(requires) = node.requires else { return };
        let Register { data, valid } = self.register(requires).clone();
        let truth = bools(&data);
        if valid == Valid::All && is_all_true(truth) {
            return;
        }
        // A call is not made in rows where an argument is undefined; there the precondition is not required.
        let made = self.made(call);
        let rows = (0..self.rows).map(|row| !made.at(row) || (valid.at(row) && truth.at(row)));
        let inside = Lane::many(rows.collect());
        self.drop_outside(&inside, |run| {
            let arguments = &run.plan.group.calls[call].arguments;
            Outside::Requires(call, arguments.iter().map(|a| run.register(a.passed).value(0)).collect())
        });
    }

    fn drop_outside(&mut self, inside: &Lane<'_, bool>, outside: impl Fn(&Self) -> Outside) {
        if is_all_true(inside) {
            return;
        }
        if self.record.is_some() {
            // Recorded before the row is dropped, because its values are dropped with it.
            let outside = outside(self);
            self.record.iter_mut().for_each(|record| record.outside = Some(outside.clone()));
        }
        self.drop_where(|row| (!inside.at(row)).then_some(Verdict::Ineligible(Ineligible::OutOfDomain)));
    }

    fn expect(&mut self, caller: &mut dyn Caller) -> Result<(), CallError> {
        let Register { data, valid } = self.register(self.plan.group.expect).clone();
        let truth = bools(&data);
        self.only_where_allowances_decide(truth, caller)?;
        if !self.failed && self.allowed.is_empty() && valid == Valid::All && is_all_true(truth) {
            return Ok(());
        }
        for row in 0..self.rows {
            let original = self.original(row);
            if self.verdicts[original] == Verdict::Holds {
                self.verdicts[original] = match (valid.at(row), truth.at(row)) {
                    (true, true) => {
                        self.allowed.get(original).copied().flatten().map_or(Verdict::Holds, Verdict::Allowed)
                    }
                    (true, false) => Verdict::Violated(Violation::False),
                    (false, _) => Verdict::Undefined,
                };
            }
        }
        Ok(())
    }

    /// Forgets the allowances of rows in which the expectation would be true without them. In a conjunction it never would.
    fn only_where_allowances_decide(
        &mut self,
        truth: &Lane<'_, bool>,
        caller: &mut dyn Caller,
    ) -> Result<(), CallError> {
        if self.allowed.is_empty() || self.plan.is_conjunction {
            return Ok(());
        }
        let is_doubtful =
            |row: &u32| truth.at(*row as usize) && self.allowed[self.original(*row as usize)].is_some();
        let rows: Vec<u32> = (0..self.rows as u32).filter(is_doubtful).collect();
        if rows.is_empty() {
            return Ok(());
        }
        let columns = self.columns_of(&rows);
        let mut again = Run::new(self.plan, self.sites, &columns, rows.len());
        again.again = Some(Again::strictly(self, &rows));
        let verdicts = again.verdicts(caller)?;
        for (row, _) in rows.iter().zip(verdicts).filter(|(_, verdict)| *verdict == Verdict::Holds) {
            let original = self.original(*row as usize);
            self.allowed[original] = None;
        }
        Ok(())
    }
}

pub(super) fn is_all_true(lane: &Lane<'_, bool>) -> bool {
    match lane {
        Lane::One(truth) => *truth,
        Lane::Many(rows) => rows.iter().all(|truth| *truth),
    }
}
