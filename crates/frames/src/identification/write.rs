//! Relations as text: a change of the input, the condition under which it is made, and what follows for the output.

use std::collections::BTreeSet;

use dodona_relations::ast::{
    BinaryOperator, Body, Constants, Expression, Name, Node, Relation, Span, UnaryOperator, chain, output,
    parts,
};
use dodona_target::{Kind, Signature, Type};

use crate::identification::aspect::Aspect;
use crate::identification::change::Change;
use crate::identification::condition::{either, fewer, negation, one_of};
use crate::identification::cover::{Cube, Literal};
use crate::identification::expectation::Expectation;
use crate::identification::joint::JointChange;
use crate::identification::specification::Specification;

/// A relation before it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The changes of the input. If there are several, they differ in one constant only, and the relation holds for each of them. A change
    /// may be of several parameters at once.
    pub changes: Vec<JointChange>,
    /// The output, or the part of an output, that it is about.
    pub aspect: Aspect,
    /// The expected output relation.
    pub expectation: Expectation,
    /// The conditions, of which at least one has to hold. A cube without literals always holds.
    pub cubes: Vec<Cube>,
    /// The number of samples that support it: they satisfy a condition, and the change gives another input.
    pub support: usize,
}

impl Candidate {
    /// Whether it states the same as another candidate. The numbers of samples that support them may differ.
    pub fn says_what(&self, other: &Candidate) -> bool {
        let statement = |c: &Candidate| (c.changes.clone(), c.aspect, c.expectation, c.cubes.clone());
        statement(self) == statement(other)
    }
}

/// Writes a relation of a function.
///
/// # Panics
/// When there is no change.
pub fn relation_of(
    candidate: &Candidate,
    name: &str,
    function: &Signature,
    specification: &Specification,
) -> Relation {
    let constant = constant_of(function);
    let varying = candidate.changes.get(1).and_then(|other| candidate.changes[0].differs_in_constant(other));
    let value = |(place, change): (usize, &Change)| match varying == Some(place) {
        true => change.value_with(&Expression::name(&constant)),
        false => change.value(),
    };
    let first = candidate.changes[0].changes();
    let values = first.iter().enumerate().map(|each| (each.1.parameter, value(each))).collect();
    let constants = varying.map(|place| Constants {
        name: Name::new(&constant),
        values: candidate
            .changes
            .iter()
            .filter_map(|change| change.changes()[place].constant.clone())
            .collect(),
    });
    let writer = Writer { function, specification, values };
    let aspect = candidate.aspect;
    let ty = aspect.ty(&specification.results);
    let is_float = matches!(ty, Type::Scalar(scalar) if scalar.kind() == Kind::Float);
    let selector = specification.results[aspect.output].name.selector();
    let of = |changed: &[_]| aspect.expression(output(Expression::call(function, changed), selector));
    let (source, follow_up) = (of(&[]), of(&writer.values));
    Relation {
        name: Name::new(name),
        bindings: Vec::new(),
        function: None,
        constants,
        condition: writer.condition(&candidate.cubes),
        body: Body::Calls(candidate.expectation.write(follow_up, source, is_float)),
        tolerance: None,
        span: Span::default(),
    }
}

/// A name for the constant of a relation: `k`, or `k2` and so on if a parameter or the function has that name.
fn constant_of(function: &Signature) -> String {
    let names = std::iter::once("k".to_owned()).chain((2..).map(|number| format!("k{number}")));
    let is_free = |name: &String| function.parameter(name).is_none() && function.name != *name;
    names.into_iter().find(is_free).unwrap_or_default()
}

struct Writer<'a> {
    function: &'a Signature,
    specification: &'a Specification,
    /// The parameters that change, with their new values.
    values: Vec<(usize, Expression)>,
}

impl Writer<'_> {
    /// The new value of a parameter; `None` if the expression is not a parameter that changes.
    fn new_value(&self, e: &Expression) -> Option<Expression> {
        let Node::Name(name) = &e.node else { return None };
        let is_named =
            |(parameter, _): &&(usize, Expression)| self.function.parameters[*parameter].name == *name;
        self.values.iter().find(is_named).map(|(_, value)| value.clone())
    }

    /// The condition that one of the cubes holds; `None` if one of them always holds.
    fn condition(&self, cubes: &[Cube]) -> Option<Expression> {
        let category = |literal: Literal| match literal {
            Literal::Source(c) | Literal::FollowUp(c) => self.specification.inputs[c].choices.len(),
            Literal::Output(c) => self.specification.outputs[c].choices.len(),
        };
        let cubes = fewer(cubes, &category);
        let each: Vec<Vec<Expression>> = cubes.iter().map(|cube| self.cube(cube)).collect();
        if each.iter().any(Vec::is_empty) {
            return None;
        }
        either(each, &|e| self.is_integer(e))
    }

    /// The conditions of one cube. A condition on the follow-up input is left out if the change makes it true anyway (`3 == 3`, if a
    /// parameter is set to 3), or if the source input has to satisfy the same condition.
    fn cube(&self, cube: &Cube) -> Vec<Expression> {
        let mut all: Vec<Expression> = Vec::new();
        for (literal, choices) in &cube.literals {
            let Some(condition) = self.literal(*literal, choices) else { continue };
            let needed = match literal {
                Literal::FollowUp(_) => {
                    let parts = |e: &Expression| parts(BinaryOperator::And, e);
                    let known: Vec<Expression> = all.iter().flat_map(parts).collect();
                    let is_needed = |part: &Expression| depends_on_input(part) && !known.contains(part);
                    chain(BinaryOperator::And, parts(&condition).into_iter().filter(is_needed))
                }
                Literal::Source(_) | Literal::Output(_) => Some(condition),
            };
            all.extend(needed);
        }
        all
    }

    /// Whether an expression is an integer, wherever it has a value.
    fn is_integer(&self, e: &Expression) -> bool {
        let is_int = |ty: Type| matches!(ty, Type::Scalar(scalar) if scalar.kind() == Kind::Int);
        match &e.node {
            Node::Name(name) => {
                let parameter = self.function.parameters.iter().find(|p| p.name == *name);
                parameter.is_some_and(|parameter| is_int(parameter.ty))
            }
            Node::Call { function, .. } => ["len", "count"].contains(&function.text.as_str()),
            _ => false,
        }
    }

    /// The condition of a literal; `None` if it allows all choices.
    fn literal(&self, literal: Literal, choices: &BTreeSet<u16>) -> Option<Expression> {
        match literal {
            Literal::Source(category) => one_of(&self.specification.inputs[category], choices),
            Literal::FollowUp(category) => {
                let condition = one_of(&self.specification.inputs[category], choices)?;
                Some(condition.rewrite(&mut |e| match &e.node {
                    // The negation of a negated Boolean is the Boolean.
                    Node::Unary(UnaryOperator::Not, inner) => self.new_value(inner).map(negation),
                    _ => self.new_value(e),
                }))
            }
            Literal::Output(category) => {
                let condition = one_of(&self.specification.outputs[category], choices)?;
                Some(of_call(&condition, &Expression::call(self.function, &[])))
            }
        }
    }
}

/// A condition on outputs, which speaks of `result`, as one on the outputs of a call.
pub(crate) fn of_call(condition: &Expression, call: &Expression) -> Expression {
    condition.rewrite(&mut |e| e.is_name("result").then(|| call.clone()))
}

/// Whether an expression has names in it. One that has none is a constant, and since some inputs satisfy it, it is true.
fn depends_on_input(e: &Expression) -> bool {
    e.has(&|part| matches!(part.node, Node::Name(_)))
}
