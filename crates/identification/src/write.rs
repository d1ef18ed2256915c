//! Relations as text: a change of the input, the condition under which it is made, and what follows for the output.

use std::collections::BTreeSet;

use dodona_relations::ast::{
    BinaryOperator, Body, Constants, Expression, Name, Node, Relation, Span, UnaryOperator,
};
use dodona_subject::{Function, Kind, Type};

use crate::aspect::Aspect;
use crate::category::Category;
use crate::change::Change;
use crate::cover::{Cube, Literal};
use crate::expectation::Expectation;
use crate::specification::Specification;

/// A relation before it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The changes of the input: several where they differ in their constant only.
    pub changes: Vec<Change>,
    /// What of which output it speaks of.
    pub aspect: Aspect,
    /// What follows for the output.
    pub expectation: Expectation,
    /// The conditions, of which one has to hold; a cube without literals is no condition.
    pub cubes: Vec<Cube>,
    /// Samples that it holds on and that are changed.
    pub support: usize,
}

/// Writes a relation of a function.
///
/// # Panics
/// When there is no change.
pub fn relation_of(
    candidate: &Candidate,
    name: &str,
    function: &Function,
    specification: &Specification,
) -> Relation {
    let change = &candidate.changes[0];
    let constant = constant_of(function);
    let value = match candidate.changes.len() {
        1 => change.value(),
        _ => change.value_with(&Expression::name(&constant)),
    };
    let constants = (candidate.changes.len() > 1).then(|| Constants {
        name: Name::new(&constant),
        values: candidate.changes.iter().filter_map(|change| change.constant.clone()).collect(),
    });
    let writer = Writer { function, specification, parameter: change.parameter, value };
    let aspect = candidate.aspect;
    let ty = aspect.ty(&specification.results);
    let is_float = matches!(ty, Type::Scalar(scalar) if scalar.kind() == Kind::Float);
    let source = aspect.expression(writer.output(writer.call(false), aspect.output));
    let follow_up = aspect.expression(writer.output(writer.call(true), aspect.output));
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

/// A name for the constant of a relation: `k` where no parameter is called so.
fn constant_of(function: &Function) -> String {
    let names = std::iter::once("k".to_owned()).chain((2..).map(|number| format!("k{number}")));
    let is_free = |name: &String| function.parameter(name).is_none() && function.name != *name;
    names.into_iter().find(is_free).unwrap_or_default()
}

struct Writer<'a> {
    function: &'a Function,
    specification: &'a Specification,
    parameter: usize,
    value: Expression,
}

impl Writer<'_> {
    fn call(&self, is_follow_up: bool) -> Expression {
        let argument = |(index, name): (usize, &str)| match is_follow_up && index == self.parameter {
            true => self.value.clone(),
            false => Expression::name(name),
        };
        let names = self.function.parameters.iter().map(|p| p.name.as_str());
        let arguments = names.enumerate().map(argument).collect();
        Expression::new(Node::Call { function: Name::new(&self.function.name), arguments })
    }

    fn output(&self, call: Expression, output: usize) -> Expression {
        match self.specification.results[output].name.selector() {
            None => call,
            Some(selector) => Expression::new(Node::Select(Box::new(call), Name::new(selector))),
        }
    }

    /// One of the cubes; `None` where one of them is no condition.
    fn condition(&self, cubes: &[Cube]) -> Option<Expression> {
        let each: Option<Vec<Expression>> = cubes.iter().map(|cube| self.cube(cube)).collect();
        joined(BinaryOperator::Or, each?)
    }

    fn cube(&self, cube: &Cube) -> Option<Expression> {
        let literals = cube.literals.iter();
        joined(BinaryOperator::And, literals.filter_map(|(l, choices)| self.literal(*l, choices)).collect())
    }

    /// A literal; `None` where it allows all choices.
    fn literal(&self, literal: Literal, choices: &BTreeSet<u16>) -> Option<Expression> {
        match literal {
            Literal::Source(category) => one_of(&self.specification.inputs[category], choices),
            Literal::FollowUp(category) => {
                let name = &self.function.parameters[self.parameter].name;
                let condition = one_of(&self.specification.inputs[category], choices)?;
                let is_changed = |e: &Expression| matches!(&e.node, Node::Name(n) if n == name);
                Some(condition.rewrite(&mut |e| match &e.node {
                    // The negation of a negated Boolean is the Boolean.
                    Node::Unary(UnaryOperator::Not, inner) if is_changed(inner) => {
                        Some(negation(self.value.clone()))
                    }
                    _ => is_changed(e).then(|| self.value.clone()),
                }))
            }
            Literal::Output(category) => {
                let condition = one_of(&self.specification.outputs[category], choices)?;
                let call = self.call(false);
                Some(condition.rewrite(&mut |e| {
                    matches!(&e.node, Node::Name(n) if n == "result").then(|| call.clone())
                }))
            }
        }
    }
}

/// That a category has one of some choices, in fewer words where only one is left out.
fn one_of(category: &Category, choices: &BTreeSet<u16>) -> Option<Expression> {
    let all = category.choices.len();
    let conditions = |chosen: bool| {
        let kept = move |(number, _): &(usize, _)| choices.contains(&(*number as u16)) == chosen;
        category.choices.iter().enumerate().filter(kept).map(|(_, choice)| choice.condition.clone())
    };
    match conditions(true).count() {
        count if count == all => None,
        count if count + 1 == all && count > 1 => conditions(false).next().map(negation),
        _ => joined(BinaryOperator::Or, conditions(true).collect()),
    }
}

fn negation(e: Expression) -> Expression {
    if let Node::Unary(UnaryOperator::Not, inner) = e.node {
        return *inner;
    }
    Expression::new(Node::Unary(UnaryOperator::Not, Box::new(e)))
}

fn joined(op: BinaryOperator, parts: Vec<Expression>) -> Option<Expression> {
    parts.into_iter().reduce(|a, b| Expression::new(Node::Binary(op, Box::new(a), Box::new(b))))
}
