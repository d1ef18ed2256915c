//! Relations as statements and expressions: the content of a test, independent of the language in which it is
//! written.

use dodona_relations::plan::{Element, Node, NodeId, Op, Place, PlanView, Step, Ty};
use dodona_relations::{Program, Relation, Role, ast::Bound};
use dodona_subject::{Function, signatures};
use dodona_target::Value;

use super::EmitContext;
use super::names::Names;

/// An expression of a test.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    /// A local variable of the test.
    Local(String),
    /// A constant; `None` is the undefined value.
    Constant(Option<Value>),
    /// An output of a call: the name of the call and the index of the output.
    Output(String, usize),
    /// Whether the call of this name returned.
    Returned(String),
    /// Whether the call of this name trapped.
    Traps(String),
    /// A word of the prelude applied to operands.
    Apply(&'static str, Vec<Expr>),
    /// `~=`; `single` if at least one side is of single precision. `again` computes the sides again, where rounding may explain their
    /// difference.
    Near { sides: Box<[Expr; 2]>, bound: Bound, single: bool, again: Option<AgainName> },
    /// A value whose floats are moved by some units in the last place when sides are computed again.
    Moved(Place, Box<Expr>),
    /// A sequence of these elements.
    Sequence(Element, Vec<Expr>),
}

/// The name of what computes the sides of a `~=` again, and the variables of its test.
#[derive(Clone, Debug)]
pub(super) struct AgainName {
    pub(super) name: String,
    pub(super) variables: Vec<String>,
    /// Whether numbers are moved that were made without rounding.
    pub(super) made: bool,
}

/// How the sides of a `~=` are computed again with moved numbers. Where a statement finds the case ineligible, they have no value.
#[derive(Clone, Debug)]
pub(super) struct Again {
    pub(super) name: AgainName,
    pub(super) statements: Vec<Statement>,
    pub(super) sides: [Expr; 2],
}

/// A statement of a test.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    /// Declares a local variable.
    Let { name: String, value: Expr },
    /// The case is eligible only if this is true.
    Condition(Expr),
    /// The case is eligible only if this is undefined or in the type and domain of a parameter.
    Domain { value: Expr, function: usize, parameter: usize },
    /// The case is eligible only if the precondition `holds` over these arguments is true, or an argument is
    /// undefined.
    Requires { arguments: Vec<Expr>, holds: Expr },
    /// A call of a function under test.
    Call { name: String, function: usize, arguments: Vec<Expr>, standing: Standing },
}

/// What the failure of a call means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// A source call: if it fails, the case is not eligible.
    Source,
    /// A source call whose failure the relation asks about: if it fails, follow-up calls may fail too.
    ObservedSource,
    /// A follow-up call: if it fails, the relation is violated.
    FollowUp,
    /// A follow-up call whose failure the relation asks about: its failure alone does not violate the relation.
    ObservedFollowUp,
}

/// A variable of a test, drawn for a parameter of a function.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pub(super) name: String,
    pub(super) function: usize,
    pub(super) parameter: usize,
}

/// The test of one metamorphic group.
#[derive(Clone, Debug)]
pub(super) struct Test<'r> {
    pub(super) name: String,
    pub(super) relation: &'r Relation,
    /// What people are told of the relation.
    pub(super) comment: &'r [String],
    /// What distinguishes the metamorphic group from the relation's other groups: `k = 2`.
    pub(super) label: Option<String>,
    pub(super) variables: Vec<Drawn>,
    pub(super) statements: Vec<Statement>,
    pub(super) expect: Expr,
    /// What the expectation and the condition may have computed again.
    pub(super) agains: Vec<Again>,
}

/// The tests of some relations; every test's name begins with the prefix.
pub(super) fn tests<'r>(
    relations: &'r [Relation],
    context: &EmitContext<'r>,
    names: &mut Names,
    prefix: &str,
) -> Vec<Test<'r>> {
    let mut tests = Vec::new();
    let functions = context.functions;
    let signatures = signatures(functions);
    let comments = context.comments.iter().map(Vec::as_slice).chain(std::iter::repeat(&[][..]));
    for (relation, comment) in relations.iter().zip(comments) {
        let program = Program::compile(relation, &signatures);
        for group in 0..relation.group_count() {
            let wish = format!("{prefix}{}", relation.name());
            let name = match relation.group_count() {
                1 => names.give(&wish),
                _ => names.numbered(&wish),
            };
            let writer = Writer::new(relation, program.plan(group), functions, names.fresh());
            tests.push(Test { comment, ..writer.test(name, relation.group_label(group), names) });
        }
    }
    tests
}

/// The functions that tests call and the parameters, as (function, parameter), that they draw: without duplicates, in
/// the order of the manifest.
#[derive(Clone, Debug, Default)]
pub(super) struct Used {
    pub(super) functions: Vec<usize>,
    pub(super) drawn: Vec<(usize, usize)>,
}

impl Used {
    pub(super) fn of(tests: &[Test<'_>]) -> Used {
        let mut used = Used::default();
        for test in tests {
            used.drawn.extend(test.variables.iter().map(|v| (v.function, v.parameter)));
            used.functions.extend(test.statements.iter().filter_map(|s| match s {
                Statement::Call { function, .. } => Some(*function),
                _ => None,
            }));
        }
        used.functions.sort_unstable();
        used.functions.dedup();
        used.drawn.sort_unstable();
        used.drawn.dedup();
        used
    }
}

struct Writer<'a, 'r> {
    relation: &'r Relation,
    plan: PlanView<'a>,
    functions: &'a [Function],
    names: Names,
    variables: Vec<Drawn>,
    calls: Vec<String>,
    /// The names of nodes whose values are used more than once.
    bound: Vec<Option<String>>,
    uses: Vec<usize>,
    /// For each `~=` that may be computed again, its node and the name of what does it.
    agains: Vec<(NodeId, AgainName)>,
    /// Whether numbers are moved.
    moves: bool,
}

impl<'a, 'r> Writer<'a, 'r> {
    fn new(relation: &'r Relation, plan: PlanView<'a>, functions: &'a [Function], mut names: Names) -> Self {
        let drawn = |v: &dodona_relations::Variable| Drawn {
            name: names.give(&v.name),
            function: v.function,
            parameter: v.parameter,
        };
        let variables = relation.variables().iter().map(drawn).collect();
        let mut calls = vec![String::new(); relation.calls().len()];
        for step in plan.steps() {
            if let Step::Call { call } = *step {
                calls[call] = names.numbered(&functions[relation.calls()[call].function].name);
            }
        }
        let nodes = plan.nodes().len();
        let uses = uses(plan);
        Writer {
            relation,
            plan,
            functions,
            names,
            variables,
            calls,
            bound: vec![None; nodes],
            uses,
            agains: Vec::new(),
            moves: false,
        }
    }

    fn test(mut self, name: String, label: Option<String>, file_names: &mut Names) -> Test<'r> {
        for node in self.askable() {
            let variables = self.variables.iter().map(|v| v.name.clone()).collect();
            let name = file_names.numbered(&format!("{name}_again"));
            self.agains.push((node, AgainName { name, variables, made: self.plan.places().has_made() }));
        }
        let agains = self.agains.iter().map(|(node, name)| self.again(*node, name)).collect();
        let mut statements = Vec::new();
        for step in self.plan.steps() {
            statements.extend(self.statement(*step));
        }
        let expect = self.expression(self.plan.expect());
        Test {
            name,
            relation: self.relation,
            comment: &[],
            label,
            variables: self.variables,
            statements,
            expect,
            agains,
        }
    }

    /// The `~=` whose sides are computed again where they are far apart.
    fn askable(&self) -> Vec<NodeId> {
        let is_relative = !matches!(self.plan.bound(), Bound::Ulps(_));
        let nodes = self.plan.nodes().iter().enumerate();
        let is_near = |node: &Node| is_relative && matches!(node.op, Op::Approximate { .. });
        nodes.filter(|(id, n)| is_near(n) && self.plan.places().changes_node(*id)).map(|(id, _)| id).collect()
    }

    /// The steps that lead to the sides of a `~=`, with numbers moved.
    fn again(&self, target: NodeId, name: &AgainName) -> Again {
        let mut writer = Writer {
            names: self.names.clone(),
            variables: self.variables.clone(),
            calls: vec![String::new(); self.calls.len()],
            bound: vec![None; self.bound.len()],
            uses: self.uses.clone(),
            agains: Vec::new(),
            moves: true,
            ..*self
        };
        let needed = self.plan.needed(target);
        let mut statements = Vec::new();
        for step in self.plan.steps() {
            let is_needed = match *step {
                Step::Compute(node) if node == target => break,
                Step::Compute(node) => needed.nodes[node],
                Step::Domain { call, .. } | Step::Requires { call } => needed.calls[call],
                Step::Call { call } => {
                    writer.calls[call] = writer.names.numbered("again");
                    needed.calls[call]
                }
                Step::Condition | Step::Expect => false,
            };
            let statement = is_needed.then(|| writer.statement(*step)).flatten();
            statements.extend(statement.map(|statement| match statement {
                Statement::Call { name, function, arguments, .. } => {
                    Statement::Call { name, function, arguments, standing: Standing::Source }
                }
                other => other,
            }));
        }
        let sides = &self.plan.nodes()[target].operands;
        let sides = [writer.expression(sides[0]), writer.expression(sides[1])];
        Again { name: name.clone(), statements, sides }
    }

    fn statement(&mut self, step: Step) -> Option<Statement> {
        Some(match step {
            Step::Compute(node) => {
                if self.uses[node] < 2 {
                    return None;
                }
                let value = self.expression(node);
                let name = self.names.numbered(&self.wish(node));
                self.bound[node] = Some(name.clone());
                Statement::Let { name, value }
            }
            Step::Condition => Statement::Condition(self.expression(self.plan.condition()?)),
            Step::Domain { call, argument } => {
                let (node, function) =
                    (self.plan.call(call).arguments[argument].written, self.relation.calls()[call].function);
                if self.is_inside(node, function, argument) {
                    return None;
                }
                Statement::Domain { value: self.expression(node), function, parameter: argument }
            }
            Step::Requires { call } => {
                let node = self.plan.call(call);
                let arguments = node.arguments.iter().map(|a| self.expression(a.passed)).collect();
                Statement::Requires { arguments, holds: self.expression(node.requires?) }
            }
            Step::Call { call } => self.call(call),
            Step::Expect => return None,
        })
    }

    /// Whether a value lies in the type and domain of a parameter for every input.
    fn is_inside(&self, node: NodeId, function: usize, parameter: usize) -> bool {
        let wanted = &self.functions[function].parameters[parameter];
        match self.plan.nodes()[node].op {
            Op::Variable(index) => {
                let drawn = &self.variables[index];
                let owner = &self.functions[drawn.function].parameters[drawn.parameter];
                owner.ty == wanted.ty && (owner.domain == wanted.domain || wanted.domain.is_everything())
            }
            Op::Constant(index) => {
                let value = self.plan.constant(index);
                value.is_none_or(|value| wanted.domain.contains(wanted.ty, &value))
            }
            _ => false,
        }
    }

    fn call(&self, call: usize) -> Statement {
        let site = &self.relation.calls()[call];
        let standing = match (site.role, site.observed) {
            (Role::Source, false) => Standing::Source,
            (Role::Source, true) => Standing::ObservedSource,
            (Role::FollowUp, false) => Standing::FollowUp,
            (Role::FollowUp, true) => Standing::ObservedFollowUp,
        };
        let argument = |(i, a): (usize, &dodona_relations::plan::ArgumentNode)| {
            self.moved(self.plan.places().of_argument(call, i), self.expression(a.passed))
        };
        let arguments = self.plan.call(call).arguments.iter().enumerate().map(argument).collect();
        Statement::Call { name: self.calls[call].clone(), function: site.function, arguments, standing }
    }

    /// A good name for the value of a node: the name of the parameter that it is passed for, otherwise `value`.
    fn wish(&self, node: NodeId) -> String {
        let passed = |(call, argument): (usize, usize)| {
            let parameters = &self.functions[self.relation.calls()[call].function].parameters;
            parameters[argument].name.clone()
        };
        let of_call = |call: usize| {
            let mut arguments = self.plan.call(call).arguments.iter();
            arguments.position(|a| a.passed == node || a.written == node).map(|argument| (call, argument))
        };
        (0..self.calls.len()).find_map(of_call).map_or_else(|| "value".to_owned(), passed)
    }

    fn moved(&self, place: Option<Place>, value: Expr) -> Expr {
        match place.filter(|_| self.moves) {
            Some(place) => Expr::Moved(place, Box::new(value)),
            None => value,
        }
    }

    fn expression(&self, node: NodeId) -> Expr {
        match &self.bound[node] {
            Some(name) => Expr::Local(name.clone()),
            None => self.moved(self.plan.places().of_node(node), self.computed(node)),
        }
    }

    fn computed(&self, node: NodeId) -> Expr {
        let Node { op, operands, ty, .. } = &self.plan.nodes()[node];
        let mut operands: Vec<Expr> =
            operands.iter().map(|operand| self.operand(*operand, *op, *ty)).collect();
        match *op {
            Op::Variable(index) => Expr::Local(self.variables[index].name.clone()),
            Op::Constant(index) => Expr::Constant(self.plan.constant(index)),
            Op::Output { call, output } => Expr::Output(self.calls[call].clone(), output),
            Op::Returned(call) => Expr::Returned(self.calls[call].clone()),
            Op::Traps(call) => Expr::Traps(self.calls[call].clone()),
            Op::Approximate { single } => match <[Expr; 2]>::try_from(operands) {
                Ok(sides) => {
                    let again = self.agains.iter().find(|(again, _)| *again == node);
                    let again = again.map(|(_, name)| name.clone());
                    Expr::Near { sides: sides.into(), bound: self.plan.bound(), single, again }
                }
                Err(_) => unreachable!("`~=` has two sides"),
            },
            Op::Sequence => match ty {
                Ty::Sequence(element) => Expr::Sequence(*element, operands),
                other => unreachable!("checked to be a sequence: {other:?}"),
            },
            Op::Greater | Op::GreaterEqual => {
                operands.reverse();
                Expr::Apply(if *op == Op::Greater { "less" } else { "at_most" }, operands)
            }
            // The sum of an empty sequence of floats must be a float too, hence a word of its own.
            Op::Sum if *ty == Ty::Float => Expr::Apply("sum_floats", operands),
            op => Expr::Apply(word(op, operands.len()), operands),
        }
    }

    /// An operand. In arithmetic between a sequence of floats and a number that may be an integer or a float, the
    /// number is converted to a float.
    fn operand(&self, node: NodeId, op: Op, ty: Ty) -> Expr {
        let expression = self.expression(node);
        let mixes = matches!(op, Op::Add | Op::Subtract | Op::Multiply);
        let floats = ty == Ty::Sequence(Element::Float) && mixes;
        match self.plan.nodes()[node].ty {
            Ty::Number if floats => Expr::Apply("to_float", vec![expression]),
            _ => expression,
        }
    }
}

/// How often each node is used. Leaves count as 0, because they are written out at every use.
fn uses(plan: PlanView<'_>) -> Vec<usize> {
    let mut uses = vec![0; plan.nodes().len()];
    let mut count = |node: NodeId| uses[node] += usize::from(!plan.nodes()[node].op.is_leaf());
    for step in plan.steps() {
        match *step {
            Step::Compute(node) => plan.nodes()[node].operands.iter().for_each(|o| count(*o)),
            Step::Condition => plan.condition().into_iter().for_each(&mut count),
            Step::Domain { call, argument } => count(plan.call(call).arguments[argument].written),
            Step::Requires { call } => {
                let call = plan.call(call);
                call.arguments.iter().for_each(|a| count(a.passed));
                call.requires.into_iter().for_each(&mut count);
            }
            Step::Call { call } => plan.call(call).arguments.iter().for_each(|a| count(a.passed)),
            Step::Expect => count(plan.expect()),
        }
    }
    uses
}

/// The prelude's word for an operation.
pub(super) fn word(op: Op, operands: usize) -> &'static str {
    use dodona_target::{Kind, Scalar};
    if let Some(word) = op.word() {
        return word.name;
    }
    match op {
        Op::Convert(Scalar::F32) => "to_single",
        Op::Convert(scalar) => match scalar.kind() {
            Kind::Bool => "to_bools",
            Kind::Int => "to_int",
            Kind::Float => "to_float",
        },
        Op::Negate => "negate",
        Op::Not => "not",
        Op::Add => "add",
        Op::Subtract => "subtract",
        Op::Multiply => "multiply",
        Op::Divide => "divide",
        Op::Quotient => "div",
        Op::Remainder => "modulo",
        Op::Power => "power",
        Op::Equal | Op::Iff => "equal",
        Op::NotEqual | Op::Xor => "differs",
        Op::Less => "less",
        Op::LessEqual => "at_most",
        Op::And => "and",
        Op::Or => "or",
        Op::Implies => "implies",
        Op::HasElement => "has_element",
        Op::Contains => "contains",
        Op::PrefixOf => "is_prefix_of",
        Op::SuffixOf => "is_suffix_of",
        Op::Index => "index",
        Op::Slice if operands == 2 => "drop_first",
        Op::Slice => "slice",
        Op::If if operands == 2 => "given",
        Op::If => "either",
        other => unreachable!("{other:?} is no word"),
    }
}
