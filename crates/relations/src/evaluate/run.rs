//! A plan over columns of source inputs.

use dodona_subject::{Calls, Column, Outcome};

use super::logic::bools;
use super::program::{Plan, Site, Step};
use super::register::{Data, Lane, Register, Valid};
use super::scatter::{blank, scatter};
use super::verdict::{CallError, Caller, Ineligible, Verdict, Violation};
use super::{apply, domain};
use crate::check::Role;
use crate::graph::{NodeId, Op};

/// A run of one plan. Rows that are found ineligible leave it: `origin` tells which are left.
pub(super) struct Run<'v> {
    pub(super) plan: &'v Plan,
    pub(super) sites: &'v [Site],
    columns: &'v [Column],
    registers: Vec<Option<Register<'v>>>,
    /// How many rows are left.
    rows: usize,
    /// The row that each row left was at the start; `None` while all are left.
    origin: Option<Vec<u32>>,
    verdicts: Vec<Verdict>,
    /// Whether a follow-up call has failed, so that some rows left have their verdict already.
    failed: bool,
    /// For each row left whether every source call returned; `None` while all have.
    sources: Option<Vec<bool>>,
    pub(super) record: Option<Record>,
}

/// What is kept of a run over one row, to explain it.
#[derive(Default)]
pub(super) struct Record {
    /// The calls made, as (site, arguments, answer).
    pub(super) calls: Vec<(usize, Vec<Column>, Calls)>,
    /// The call, and the argument where it is one's domain, that was out of domain.
    pub(super) outside: Option<(usize, Option<usize>)>,
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
        }
    }

    /// Runs all steps.
    pub(super) fn verdicts(mut self, caller: &mut dyn Caller) -> Result<Vec<Verdict>, CallError> {
        self.steps(caller)?;
        Ok(self.verdicts)
    }

    pub(super) fn steps(&mut self, caller: &mut dyn Caller) -> Result<(), CallError> {
        let plan = self.plan;
        for (step, done) in plan.steps.iter().zip(&plan.done) {
            match *step {
                Step::Compute(node) => self.compute(node),
                Step::Condition => self.condition(),
                Step::Domain { call, argument } => self.domain(call, argument),
                Step::Requires { call } => self.requires(call),
                Step::Call { call } => self.call(call, done, caller)?,
                Step::Expect => self.expect(),
            }
            if self.rows == 0 {
                break;
            }
            done.iter().for_each(|node| self.registers[*node] = None);
        }
        Ok(())
    }

    /// The register of a node that has been computed.
    pub(super) fn register(&self, node: NodeId) -> &Register<'v> {
        let graph = &self.plan.group.graph;
        let found = graph.constant_of(node).or(self.registers[node].as_ref());
        found.unwrap_or_else(|| unreachable!("node {node} is read before it is computed"))
    }

    pub(super) fn is_computed(&self, node: NodeId) -> bool {
        self.plan.group.graph.constant_of(node).is_some() || self.registers[node].is_some()
    }

    pub(super) fn verdict(&self) -> Verdict {
        self.verdicts[0]
    }

    fn compute(&mut self, id: NodeId) {
        let graph = &self.plan.group.graph;
        let node = &graph.nodes[id];
        let result = match node.operands[..] {
            [a] => apply(node.op, &[self.register(a)], graph.bound),
            [a, b] => apply(node.op, &[self.register(a), self.register(b)], graph.bound),
            ref many => {
                let operands: Vec<_> = many.iter().map(|id| self.register(*id)).collect();
                apply(node.op, &operands, graph.bound)
            }
        };
        self.registers[id] = Some(result);
    }

    fn original(&self, row: usize) -> usize {
        self.origin.as_ref().map_or(row, |origin| origin[row] as usize)
    }

    /// Gives some rows a verdict and drops them.
    fn drop_where(&mut self, verdict: impl Fn(usize) -> Option<Verdict>) {
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

    fn domain(&mut self, call: usize, argument: usize) {
        let node = self.plan.group.calls[call].arguments[argument].written;
        let (_, ty, domain) = &self.sites[call].parameters[argument];
        let inside = domain::inside(self.register(node), *ty, domain);
        self.drop_outside(&inside, (call, Some(argument)));
    }

    fn requires(&mut self, call: usize) {
        let node = &self.plan.group.calls[call];
        let Some(requires) = node.requires else { return };
        let Register { data, valid } = self.register(requires).clone();
        let truth = bools(&data);
        if valid == Valid::All && is_all_true(truth) {
            return;
        }
        // A call without a value for every argument is not made, so it asks for nothing.
        let made = self.made(call);
        let rows = (0..self.rows).map(|row| !made.at(row) || (valid.at(row) && truth.at(row)));
        let inside = Lane::many(rows.collect());
        self.drop_outside(&inside, (call, None));
    }

    fn drop_outside(&mut self, inside: &Lane<'_, bool>, place: (usize, Option<usize>)) {
        if is_all_true(inside) {
            return;
        }
        if let Some(record) = &mut self.record {
            record.outside = Some(place);
        }
        self.drop_where(|row| (!inside.at(row)).then_some(Verdict::Ineligible(Ineligible::OutOfDomain)));
    }

    /// Where every argument of a call has a value.
    fn made(&self, call: usize) -> Valid {
        let arguments = &self.plan.group.calls[call].arguments;
        arguments.iter().fold(Valid::All, |valid, a| valid.and(&self.register(a.passed).valid))
    }

    fn call(&mut self, call: usize, done: &[NodeId], caller: &mut dyn Caller) -> Result<(), CallError> {
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

    /// Calls the function for the rows named, or for all.
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
        let calls = caller.call(self.sites[call].function, arguments)?;
        let expected = rows.map_or(self.rows, <[u32]>::len);
        let fits = calls.outcomes.len() == expected
            && calls.outputs.len() == self.sites[call].outputs.len()
            && calls.outputs.iter().all(|column| column.len() == expected);
        if !fits {
            return Err(CallError::new("the answer has other rows or columns than the calls"));
        }
        if let Some(record) = &mut self.record {
            record.calls.push((call, arguments.to_vec(), calls.clone()));
        }
        Ok(calls)
    }

    /// The columns of the source input, where they are just the arguments of a call.
    fn untouched(&self, call: usize) -> Option<&'v [Column]> {
        let arguments = &self.plan.group.calls[call].arguments;
        let variable = |node: NodeId| match self.plan.group.graph.nodes[node].op {
            Op::Variable(index) => Some(index),
            _ => None,
        };
        let first = variable(arguments.first()?.passed)?;
        let adjacent = arguments.iter().enumerate().all(|(i, a)| variable(a.passed) == Some(first + i));
        (adjacent && self.origin.is_none()).then(|| &self.columns[first..first + arguments.len()])
    }

    /// The columns of arguments; what nothing needs behind this call is moved instead of copied.
    fn arguments(&mut self, call: usize, rows: Option<&[u32]>, done: &[NodeId]) -> Vec<Column> {
        let plan = self.plan;
        let arguments = &plan.group.calls[call].arguments;
        let mut columns = Vec::with_capacity(arguments.len());
        for (i, argument) in arguments.iter().enumerate() {
            let node = argument.passed;
            let last = done.contains(&node) && arguments[i + 1..].iter().all(|later| later.passed != node);
            let moved = if last && rows.is_none() { self.registers[node].take() } else { None };
            columns.push(match (moved, rows) {
                (Some(register), _) => register.data.into_column(self.rows),
                (None, Some(rows)) => self.register(node).select(rows).data.into_column(rows.len()),
                (None, None) => self.register(node).data.clone().into_column(self.rows),
            });
        }
        columns
    }

    /// Remembers what a call that did not return means for the verdict.
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
                    // The first failure is the one to report.
                    if failed(row) && eligible && self.verdicts[original] == Verdict::Holds {
                        self.verdicts[original] = Verdict::Violated(Violation::FollowUp(outcomes[row]));
                        self.failed = true;
                    }
                }
            }
        }
    }

    /// Drops the rows where a source call did not return.
    fn skip(&mut self, outcomes: &[Outcome]) {
        if outcomes.iter().all(|outcome| outcome.has_outputs()) {
            return;
        }
        self.drop_where(|row| {
            let outcome = outcomes[row];
            (!outcome.has_outputs()).then_some(Verdict::Ineligible(Ineligible::Skipped(outcome)))
        });
    }

    /// Puts a call's outputs where the nodes that speak of it stand.
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
                    .map(|column| Register { valid: returned.clone(), ..Register::owned(column) }),
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

    /// A call that no row has the arguments for.
    fn unmade(&mut self, call: usize) {
        for (id, node) in self.plan.group.graph.nodes.iter().enumerate() {
            if node.op.call() == Some(call) {
                let valid = if node.op == Op::Returned(call) { Valid::All } else { Valid::Never };
                self.registers[id] = Some(Register { data: blank(node.ty, self.rows), valid });
            }
        }
    }

    fn expect(&mut self) {
        let Register { data, valid } = self.register(self.plan.group.expect).clone();
        let truth = bools(&data);
        if !self.failed && valid == Valid::All && is_all_true(truth) {
            return;
        }
        for row in 0..self.rows {
            let original = self.original(row);
            if self.verdicts[original] == Verdict::Holds {
                self.verdicts[original] = match (valid.at(row), truth.at(row)) {
                    (true, true) => Verdict::Holds,
                    (true, false) => Verdict::Violated(Violation::False),
                    (false, _) => Verdict::Undefined,
                };
            }
        }
    }
}

fn is_all_true(lane: &Lane<'_, bool>) -> bool {
    match lane {
        Lane::One(truth) => *truth,
        Lane::Many(rows) => rows.iter().all(|truth| *truth),
    }
}
