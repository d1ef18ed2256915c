//! The steps of metamorphic groups: which there are, and in what order.

use dodona_target::{Domain, Output, OutputName, Signature, Type};

use crate::check::{CallSite, Group, Role};
use crate::graph::{Graph, NodeId};
use crate::op::Op;
use crate::rounding::Places;

/// A variable with the type and domain of the parameter that it is drawn for.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) domain: Domain,
}

/// A call site with everything that a run needs to know about its function.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub(crate) function: usize,
    pub(crate) role: Role,
    pub(crate) observed: bool,
    pub(crate) text: String,
    pub(crate) parameters: Vec<(String, Type, Domain)>,
    pub(crate) outputs: Vec<Output>,
}

/// The steps of one metamorphic group.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) group: Group,
    pub(crate) steps: Vec<Step>,
    /// For each step the nodes whose registers no later step needs.
    pub(crate) done: Vec<Vec<NodeId>>,
    /// The numbers that rounding touches.
    pub(crate) places: Places,
    /// Whether the expectation is a single statement, or several connected by `and`.
    pub(crate) is_conjunction: bool,
}

/// The nodes that another one is computed from, and the calls that have to be made for them.
#[derive(Clone, Debug)]
pub struct Needed {
    /// For each node whether it is one of them.
    pub nodes: Vec<bool>,
    /// For each call whether it is one of them.
    pub calls: Vec<bool>,
}

/// One step of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Computes a node from its operands.
    Compute(NodeId),
    /// Drops the rows in which the condition is not true.
    Condition,
    /// Drops the rows in which an argument lies outside its parameter's type or domain.
    Domain {
        /// The index of the call.
        call: usize,
        /// The index of the argument.
        argument: usize,
    },
    /// Drops the rows in which a function's precondition does not hold.
    Requires {
        /// The index of the call.
        call: usize,
    },
    /// Makes a call.
    Call {
        /// The index of the call.
        call: usize,
    },
    /// Computes the verdicts from the value of the expectation.
    Expect,
}

/// The call site with everything that a run needs to know about its function.
pub(super) fn site(call: &CallSite, functions: &[Signature]) -> Site {
    let function = &functions[call.function];
    let parameters = function.parameters.iter().map(|p| (p.name.clone(), p.ty, p.domain.clone()));
    Site {
        function: call.function,
        role: call.role,
        observed: call.observed,
        text: call.text.clone(),
        parameters: parameters.collect(),
        outputs: function.outputs.clone(),
    }
}

impl Site {
    pub(super) fn returns_nothing(&self) -> bool {
        self.outputs.first().is_none_or(|output| output.name != OutputName::Return)
    }
}

impl Plan {
    /// The steps of a metamorphic group.
    pub(super) fn new(group: &Group, sites: &[Site]) -> Plan {
        let mut schedule = Schedule::new(group);
        schedule.all(sites);
        schedule.finish()
    }

    /// What a node is computed from, itself included.
    pub(crate) fn needed(&self, node: NodeId) -> Needed {
        let Group { graph, calls, .. } = &self.group;
        let mut needed = Needed { nodes: vec![false; graph.nodes.len()], calls: vec![false; calls.len()] };
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut needed.nodes[node], true) {
                continue;
            }
            open.extend(&graph.nodes[node].operands);
            let Some(call) = graph.nodes[node].op.call() else { continue };
            if !std::mem::replace(&mut needed.calls[call], true) {
                open.extend(calls[call].arguments.iter().flat_map(|a| [a.written, a.passed]));
                open.extend(calls[call].requires);
            }
        }
        needed
    }

    /// Whether a node is part of the expectation.
    pub(super) fn is_expected(&self, node: NodeId) -> bool {
        self.needed(self.group.expect).nodes[node]
    }

    /// The steps of a single expression: its calls and its value, without a verdict.
    pub(super) fn of_expression(group: &Group, sites: &[Site]) -> Plan {
        let mut schedule = Schedule::new(group);
        for call in 0..sites.len() {
            schedule.arguments(call);
            schedule.steps.push(Step::Call { call });
        }
        schedule.steps.retain(|step| !matches!(step, Step::Requires { .. }));
        schedule.compute(group.expect);
        schedule.finish()
    }
}

/// The steps of a plan while they are put in order.
struct Schedule<'a> {
    graph: &'a Graph,
    group: &'a Group,
    steps: Vec<Step>,
    /// For each node whether it has been computed.
    ready: Vec<bool>,
}

impl<'a> Schedule<'a> {
    fn new(group: &'a Group) -> Self {
        let ready = group.graph.nodes.iter().map(|node| node.op.is_leaf()).collect();
        Schedule { graph: &group.graph, group, steps: Vec::new(), ready }
    }

    fn finish(self) -> Plan {
        let places = Places::new(self.graph, &self.group.calls);
        let done = last_uses(&self.steps, self.group, &places);
        let is_conjunction = is_conjunction(self.graph, self.group.expect);
        Plan { group: self.group.clone(), steps: self.steps, done, places, is_conjunction }
    }

    fn all(&mut self, sites: &[Site]) {
        let of = |role| (0..sites.len()).filter(move |call| sites[*call].role == role);
        let early = self.group.condition.filter(|node| !self.needs_call(*node));
        self.condition(early);
        // Calls of the condition may have arguments that other calls of it make.
        let (nested, plain): (Vec<usize>, Vec<usize>) = of(Role::Source)
            .partition(|call| self.group.calls[*call].arguments.iter().any(|a| self.needs_call(a.written)));
        plain.iter().for_each(|call| self.arguments(*call));
        plain.iter().for_each(|call| self.steps.push(Step::Call { call: *call }));
        for call in nested {
            self.arguments(call);
            self.steps.push(Step::Call { call });
        }
        self.condition(self.group.condition.filter(|_| early.is_none()));
        for call in of(Role::FollowUp) {
            self.arguments(call);
            self.steps.push(Step::Call { call });
        }
        self.compute(self.group.expect);
        self.steps.push(Step::Expect);
    }

    fn needs_call(&self, node: NodeId) -> bool {
        let node = &self.graph.nodes[node];
        node.op.call().is_some() || node.operands.iter().any(|operand| self.needs_call(*operand))
    }

    fn condition(&mut self, node: Option<NodeId>) {
        if let Some(node) = node {
            self.compute(node);
            self.steps.push(Step::Condition);
        }
    }

    /// Adds the steps that compute the arguments of a call and drop the rows outside the domains and the
    /// precondition.
    fn arguments(&mut self, call: usize) {
        let node = &self.group.calls[call];
        for (argument, a) in node.arguments.iter().enumerate() {
            self.compute(a.written);
            if a.doubtful {
                self.steps.push(Step::Domain { call, argument });
            }
        }
        node.arguments.iter().for_each(|a| self.compute(a.passed));
        if let Some(requires) = node.requires {
            self.compute(requires);
            self.steps.push(Step::Requires { call });
        }
    }

    fn compute(&mut self, node: NodeId) {
        if self.ready[node] {
            return;
        }
        self.ready[node] = true;
        for i in 0..self.graph.nodes[node].operands.len() {
            self.compute(self.graph.nodes[node].operands[i]);
        }
        self.steps.push(Step::Compute(node));
    }
}

/// The nodes whose registers a step reads.
fn reads(step: Step, group: &Group) -> Vec<NodeId> {
    match step {
        Step::Compute(node) => group.graph.nodes[node].operands.clone(),
        Step::Condition => group.condition.into_iter().collect(),
        Step::Domain { call, argument } => vec![group.calls[call].arguments[argument].written],
        Step::Requires { call } => group.calls[call].requires.into_iter().collect(),
        Step::Call { call } => group.calls[call].arguments.iter().map(|a| a.passed).collect(),
        Step::Expect => vec![group.expect],
    }
}

/// Whether nothing but `and` connects the statements of an expectation.
fn is_conjunction(graph: &Graph, node: NodeId) -> bool {
    match graph.nodes[node].op {
        Op::And => graph.nodes[node].operands.iter().all(|operand| is_conjunction(graph, *operand)),
        Op::Or | Op::Xor | Op::Iff | Op::Implies | Op::Not | Op::Equal | Op::NotEqual | Op::Defined => {
            !graph.has_approximation(node)
        }
        _ => true,
    }
}

/// For each step the nodes that it is the last step to read. The expectation and its two sides are kept to the end,
/// for explanations, and beside `~=` the outputs of calls that rounding does not reach, because its sides may be computed again.
fn last_uses(steps: &[Step], group: &Group, places: &Places) -> Vec<Vec<NodeId>> {
    let nodes = &group.graph.nodes;
    let asks = nodes.iter().any(|node| matches!(node.op, Op::Approximate { .. }));
    let is_kept = |op: Op| asks && op.call().is_some_and(|call| !places.changes_call(call));
    let mut seen: Vec<bool> = nodes.iter().map(|node| is_kept(node.op)).collect();
    seen[group.expect] = true;
    if let Some(sides) = &group.sides {
        seen[sides.nodes.0] = true;
        seen[sides.nodes.1] = true;
    }
    let mut done: Vec<Vec<NodeId>> = Vec::new();
    for step in steps.iter().rev() {
        let mut last = reads(*step, group);
        last.sort_unstable();
        last.dedup();
        last.retain(|node| !std::mem::replace(&mut seen[*node], true));
        last.retain(|node| !matches!(group.graph.nodes[*node].op, Op::Constant(_)));
        done.push(last);
    }
    done.reverse();
    done
}
