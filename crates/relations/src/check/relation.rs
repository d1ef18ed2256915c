//! Checked relations.

use std::collections::HashSet;

use dodona_target::{Scalar, Signature, Value};

use super::call_node::CallNode;
use super::calls::{CallSite, CallSites};
use super::typing::Typing;
use super::variables::{Variable, Variables, function};
use crate::Diagnostic;
use crate::ast::{self, Body, Bound, Expression, Node};
use crate::graph::{Graph, NodeId};
use crate::op::Op;
use crate::primed::to_calls;

/// A relation whose names and types have been checked.
#[derive(Clone, Debug)]
pub struct Relation {
    name: String,
    tree: ast::Relation,
    text: String,
    variables: Vec<Variable>,
    takers: Vec<Vec<(usize, usize)>>,
    calls: Vec<CallSite>,
    constant: Option<String>,
    values: Vec<Option<Value>>,
    groups: Vec<Group>,
}

/// The computation of one metamorphic group: the relation with one constant of `for` put in.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) graph: Graph,
    /// In the order of the relation's call sites.
    pub(crate) calls: Vec<CallNode>,
    pub(crate) condition: Option<NodeId>,
    pub(crate) expect: NodeId,
    pub(crate) sides: Option<Sides>,
}

/// The two sides of the expectation, if the expectation is a single comparison.
#[derive(Clone, Debug)]
pub(crate) struct Sides {
    pub(crate) operator: &'static str,
    pub(crate) texts: (String, String),
    pub(crate) nodes: (NodeId, NodeId),
}

impl Relation {
    /// The relation's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The relation as it is written.
    pub fn tree(&self) -> &ast::Relation {
        &self.tree
    }

    /// The whole relation as the language prints it, on one line.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The variables of the source input, in the order of their first use in the text.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The parameters that take a variable, as (function, parameter): the one that gives its type and sampling, then each
    /// other that some call passes it for as it is. No group is eligible in which the value lies outside one of their domains.
    ///
    /// # Panics
    /// When there is no such variable.
    pub fn takers(&self, variable: usize) -> &[(usize, usize)] {
        &self.takers[variable]
    }

    /// The calls made once for every metamorphic group. A call comes after the calls whose outputs it uses.
    pub fn calls(&self) -> &[CallSite] {
        &self.calls
    }

    /// The metamorphic groups of one source input: one for each constant of `for`; without `for` a single group,
    /// given as `None`.
    pub fn groups(&self) -> &[Option<Value>] {
        &self.values
    }

    /// The number of metamorphic groups of one source input, at least one.
    pub fn group_count(&self) -> usize {
        self.groups.len()
    }

    /// What distinguishes this group from the other groups: `k = 2`. `None` without `for`.
    pub fn group_label(&self, group: usize) -> Option<String> {
        Some(format!("{} = {}", self.constant.as_ref()?, self.values.get(group)?.as_ref()?))
    }

    pub(crate) fn group_list(&self) -> &[Group] {
        &self.groups
    }
}

/// Checks all relations of a file against the functions under test.
///
/// Signature indices in the results are indices into `functions`.
///
/// # Errors
/// Everything that is wrong with any of the relations.
pub fn check(file: &ast::File, functions: &[Signature]) -> Result<Vec<Relation>, Vec<Diagnostic>> {
    let (mut relations, mut problems) = (Vec::new(), Vec::new());
    let mut names = HashSet::new();
    for relation in &file.relations {
        if !names.insert(relation.name.text.as_str()) {
            problems.push(
                Diagnostic::new(
                    relation.name.span,
                    format!("two relations are called `{}`", relation.name.text),
                )
                .hint("verdicts and counterexamples are kept by name: give each its own"),
            );
        }
        match check_relation(relation, functions) {
            Ok(checked) => relations.push(checked),
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() { Ok(relations) } else { Err(problems) }
}

fn check_relation(written: &ast::Relation, functions: &[Signature]) -> Result<Relation, Vec<Diagnostic>> {
    let relation = to_calls(written, functions).map_err(|problem| vec![problem])?;
    let Body::Calls(expect) = &relation.body else { unreachable!("`to_calls` leaves no primes") };
    if let Some(name) = &relation.function {
        function(name, functions).map_err(|problem| vec![problem])?;
    }
    check_tolerance(&relation).map_err(|problem| vec![problem])?;
    let expressions: Vec<&Expression> = relation.condition.iter().chain([expect]).collect();
    let variables = Variables::collect(&relation, &expressions, functions)?;
    let calls = CallSites::of_relation(relation.condition.as_ref(), expect, functions, &variables);
    let values = constants(&relation, functions)?;
    let typed = Parts { relation: &relation, expect, functions, variables: &variables, calls: &calls };
    let groups = typed.groups(&values)?;
    typed.check_calls().map_err(|problem| vec![problem])?;
    Ok(Relation {
        name: relation.name.text.clone(),
        tree: written.clone(),
        text: written.to_string(),
        takers: variables.takers(&expressions, functions),
        variables: variables.list,
        calls: calls.sites,
        constant: relation.constants.map(|c| c.name.text),
        values,
        groups,
    })
}

/// Checks that the tolerance is a valid number and that the relation uses `~=`.
fn check_tolerance(relation: &ast::Relation) -> Result<(), Diagnostic> {
    let Some(tolerance) = &relation.tolerance else { return Ok(()) };
    let is_number = |x: f64| x.is_finite() && x >= 0.0;
    let is_valid = match tolerance.bound {
        Bound::Relative(relative) => is_number(relative),
        Bound::Either { relative, absolute } => is_number(relative) && is_number(absolute),
        Bound::Ulps(_) => true,
    };
    if !is_valid {
        return Err(Diagnostic::new(tolerance.span, "a tolerance is finite and not negative"));
    }
    let Body::Calls(expect) = &relation.body else { return Ok(()) };
    if relation.condition.iter().chain([expect]).any(Expression::approximates) {
        return Ok(());
    }
    Err(Diagnostic::new(tolerance.span, "`within` has no `~=` to loosen")
        .hint("`==` is exact; write `~=` to compare approximately"))
}

/// The values of the constants of `for`; a single group without a constant if there is no `for`.
fn constants(
    relation: &ast::Relation,
    functions: &[Signature],
) -> Result<Vec<Option<Value>>, Vec<Diagnostic>> {
    let Some(constants) = &relation.constants else { return Ok(vec![None]) };
    let calls = CallSites::default();
    let mut graph = Graph::new(bound(relation));
    let mut typing = Typing::new(&mut graph, functions, &calls);
    let mut values = Vec::new();
    for e in &constants.values {
        let Some(node) = typing.expression(e) else { continue };
        match typing.graph.constant_of(node).and_then(|register| register.value(0)) {
            Some(value) => values.push(Some(value)),
            None => typing.problems.push(Diagnostic::new(e.span, format!("the constant `{e}` has no value"))),
        }
    }
    if typing.problems.is_empty() { Ok(values) } else { Err(typing.problems) }
}

fn bound(relation: &ast::Relation) -> Bound {
    relation.tolerance.map_or(Bound::Relative(1e-9), |t| t.bound)
}

/// A relation in the notation of calls, with the meaning of its names.
struct Parts<'a> {
    relation: &'a ast::Relation,
    expect: &'a Expression,
    functions: &'a [Signature],
    variables: &'a Variables,
    calls: &'a CallSites,
}

impl Parts<'_> {
    fn groups(&self, values: &[Option<Value>]) -> Result<Vec<Group>, Vec<Diagnostic>> {
        let (mut groups, mut problems) = (Vec::new(), Vec::<Diagnostic>::new());
        for constant in values {
            match self.group(constant.as_ref()) {
                Ok(group) => groups.push(group),
                // Most problems occur again for every constant, so only new ones are added.
                Err(found) => found.into_iter().for_each(|problem| {
                    if !problems.contains(&problem) {
                        problems.push(problem);
                    }
                }),
            }
        }
        if problems.is_empty() { Ok(groups) } else { Err(problems) }
    }

    fn group(&self, constant: Option<&Value>) -> Result<Group, Vec<Diagnostic>> {
        let mut graph = Graph::new(bound(self.relation));
        let mut typing = Typing::new(&mut graph, self.functions, self.calls);
        self.name_all(&mut typing, constant);
        let condition = self.relation.condition.as_ref().map(|c| typing.truth(c, "a condition"));
        let expect = typing.truth(self.expect, "what is expected");
        let sides = expect.and_then(|_| sides(&mut typing, self.expect));
        let (made, problems) = (typing.made, typing.problems);
        match (expect, made.into_iter().collect::<Option<Vec<_>>>()) {
            (Some(expect), Some(calls)) if problems.is_empty() => {
                Ok(Group { graph, calls, condition: condition.flatten(), expect, sides })
            }
            _ => Err(problems),
        }
    }

    fn name_all(&self, typing: &mut Typing<'_>, constant: Option<&Value>) {
        for (i, variable) in self.variables.list.iter().enumerate() {
            let parameter = &self.functions[variable.function].parameters[variable.parameter];
            let single = parameter.ty.scalar() == Some(Scalar::F32);
            let node = typing.graph.leaf(Op::Variable(i), parameter.ty.into(), single);
            typing.names.insert(variable.name.clone(), node);
            typing.drawn.insert(variable.name.clone(), (variable.function, variable.parameter));
        }
        if let (Some(constants), Some(value)) = (&self.relation.constants, constant) {
            let node = typing.graph.value(value);
            typing.names.insert(constants.name.text.clone(), node);
        }
    }

    /// Checks that a relation makes calls.
    fn check_calls(&self) -> Result<(), Diagnostic> {
        if self.calls.sites.is_empty() {
            return Err(Diagnostic::new(
                self.relation.name.span,
                format!("`{}` calls no function under test", self.relation.name.text),
            )
            .hint("a metamorphic relation is an expression over calls: `f(x) == f(-x)`"));
        }
        Ok(())
    }
}

fn sides(typing: &mut Typing<'_>, expect: &Expression) -> Option<Sides> {
    let Node::Binary(operator, a, b) = &expect.node else { return None };
    if crate::precedence::of(*operator) != crate::precedence::COMPARISON || typing.compounds(a, b).is_some() {
        return None;
    }
    // These expressions have been typed before without a problem, so their nodes are already in the graph.
    let nodes = (typing.expression(a)?, typing.expression(b)?);
    Some(Sides { operator: operator.word(), texts: (a.to_string(), b.to_string()), nodes })
}
