//! The meaning of relations once more, told as plainly as possible: one row at a time, walking the tree.
//!
//! It shares nothing with the evaluator but the syntax tree, so that a mistake would have to be made twice.
#![allow(unreachable_pub, reason = "a module of several test programs")]

mod sequences;
mod values;

use std::collections::{HashMap, HashSet};

use dodona_relations::ast::{BinaryOperator, Body, Bound, Expression, Node, Relation, UnaryOperator};
use dodona_relations::{Ineligible, Verdict, Violation, parse_expression};
use dodona_target::{Outcome, Signature, Type, Value};

use crate::common::World;
use values::{Tolerance, truth};

/// A call and how it ended; `None` where an argument is undefined, so that it is not made.
type Ended = Option<Result<Vec<Value>, Outcome>>;

/// What is known while one row is looked at.
pub struct Naive<'w> {
    world: &'w World,
    names: HashMap<String, Value>,
    calls: HashMap<String, Ended>,
    bound: Bound,
    /// The variables of single precision.
    singles: HashSet<String>,
}

/// A call of a function under test.
struct Site<'e> {
    e: &'e Expression,
    function: usize,
    arguments: &'e [Expression],
    source: bool,
    observed: bool,
}

/// The verdict of a relation over calls, for variables with values.
pub fn verdict(
    relation: &Relation,
    world: &World,
    names: HashMap<String, Value>,
    singles: HashSet<String>,
) -> Verdict {
    let Body::Calls(expect) = &relation.body else { panic!("not over calls") };
    let bound = relation.tolerance.map_or(Bound::Relative(1e-9), |t| t.bound);
    let mut naive = Naive { world, names, calls: HashMap::new(), bound, singles };
    let mut sites = Vec::new();
    let headers: Vec<&str> = relation.bindings.iter().map(|b| b.variable.text.as_str()).collect();
    for e in relation.condition.iter().chain([expect]) {
        collect(e, false, &world.functions, &headers, &mut sites);
    }
    naive.judge(relation.condition.as_ref(), expect, &sites)
}

fn collect<'e>(
    e: &'e Expression,
    observed: bool,
    functions: &[Signature],
    headers: &[&str],
    sites: &mut Vec<Site<'e>>,
) {
    let asks = match &e.node {
        Node::Traps(_) => true,
        Node::Call { function, .. } => function.text == "defined",
        _ => false,
    };
    e.children().into_iter().for_each(|c| collect(c, observed || asks, functions, headers, sites));
    let Node::Call { function, arguments } = &e.node else { return };
    let Some(f) = functions.iter().position(|f| f.name == function.text) else { return };
    if let Some(site) = sites.iter_mut().find(|site| site.e == e) {
        site.observed |= observed;
        return;
    }
    let source = functions[f].parameters.iter().zip(arguments).all(
        |(p, a)| matches!(&a.node, Node::Name(name) if *name == p.name && !headers.contains(&name.as_str())),
    );
    sites.push(Site { e, function: f, arguments, source, observed });
}

fn ends_well(ended: &Ended) -> bool {
    matches!(ended, Some(Ok(_)))
}

impl Naive<'_> {
    fn judge(&mut self, condition: Option<&Expression>, expect: &Expression, sites: &[Site<'_>]) -> Verdict {
        let calls_in = |e: &Expression| {
            let mut found = Vec::new();
            collect(e, false, &self.world.functions, &[], &mut found);
            !found.is_empty()
        };
        let late = condition.is_some_and(calls_in);
        if let Some(why) = condition.filter(|_| !late).and_then(|c| self.ineligible(c)) {
            return Verdict::Ineligible(why);
        }
        let sources = || sites.iter().filter(|site| site.source);
        for site in sources() {
            if !self.is_inside(site) {
                return Verdict::Ineligible(Ineligible::OutOfDomain);
            }
        }
        for site in sources() {
            let ended = self.make(site);
            if let (Some(Err(outcome)), false) = (ended, site.observed) {
                return Verdict::Ineligible(Ineligible::Skipped(outcome));
            }
        }
        if let Some(why) = condition.filter(|_| late).and_then(|c| self.ineligible(c)) {
            return Verdict::Ineligible(why);
        }
        let all_returned = sources().all(|site| ends_well(&self.calls[&site.e.to_string()]));
        let mut failure = None;
        for site in sites.iter().filter(|site| !site.source) {
            if !self.is_inside(site) {
                return Verdict::Ineligible(Ineligible::OutOfDomain);
            }
            if let (Some(Err(outcome)), false, true) = (self.make(site), site.observed, all_returned) {
                failure = failure.or(Some(Verdict::Violated(Violation::FollowUp(outcome))));
            }
        }
        failure.unwrap_or_else(|| match self.eval(expect).map(truth) {
            Some(true) => Verdict::Holds,
            Some(false) => Verdict::Violated(Violation::False),
            None => Verdict::Undefined,
        })
    }

    fn ineligible(&mut self, condition: &Expression) -> Option<Ineligible> {
        match self.eval(condition).map(truth) {
            Some(true) => None,
            Some(false) => Some(Ineligible::Condition),
            None => Some(Ineligible::ConditionUndefined),
        }
    }

    /// Whether all arguments that have a value are in their domain, and the precondition holds.
    fn is_inside(&mut self, site: &Site<'_>) -> bool {
        let function = &self.world.functions[site.function];
        let mut passed = HashMap::new();
        for (parameter, e) in function.parameters.iter().zip(site.arguments) {
            let Some(value) = self.eval(e) else { continue };
            let Some(exact) = values::as_type(&value, parameter.ty) else { return false };
            if !parameter.domain.contains(parameter.ty, &exact) {
                return false;
            }
            passed.insert(parameter.name.clone(), rounded(exact, parameter.ty));
        }
        let (Some(text), true) = (&function.requires, passed.len() == function.parameters.len()) else {
            return true;
        };
        let bound = Bound::Relative(1e-9);
        let (calls, singles) = (HashMap::new(), HashSet::new());
        let mut inner = Naive { world: self.world, names: passed, calls, bound, singles };
        inner.eval(&parse_expression(text).unwrap()) == Some(Value::Bool(true))
    }

    fn make(&mut self, site: &Site<'_>) -> Ended {
        let function = &self.world.functions[site.function];
        let pairs = function.parameters.iter().zip(site.arguments);
        let arguments: Option<Vec<Value>> =
            pairs.map(|(p, e)| Some(rounded(values::as_type(&self.eval(e)?, p.ty)?, p.ty))).collect();
        let ended = arguments.map(|arguments| self.world.one(site.function, &arguments));
        self.calls.insert(site.e.to_string(), ended.clone());
        ended
    }

    fn ended(&self, call: &Expression) -> &Ended {
        &self.calls[&call.to_string()]
    }

    fn output(&self, call: &Expression, index: usize) -> Option<Value> {
        self.ended(call).as_ref()?.as_ref().ok().map(|outputs| outputs[index].clone())
    }

    /// The value of an expression, if it has one.
    pub fn eval(&mut self, e: &Expression) -> Option<Value> {
        match &e.node {
            Node::Bool(b) => Some(Value::Bool(*b)),
            Node::Int(i) => Some(Value::Int(*i)),
            Node::Float(x) => Some(Value::Float(*x)),
            Node::Text(t) => Some(Value::Text(t.clone())),
            Node::Name(name) => Some(self.name(name)),
            Node::Primed(name) => panic!("{name}' is not over calls"),
            Node::Sequence(items) => {
                let items: Option<Vec<Value>> = items.iter().map(|e| self.eval(e)).collect();
                Some(sequences::literal(items?))
            }
            Node::Unary(UnaryOperator::Not, a) => Some(Value::Bool(!truth(self.eval(a)?))),
            Node::Unary(UnaryOperator::Negate, a) => values::negate(self.eval(a)?),
            Node::Binary(operator, a, b) => self.binary(*operator, a, b),
            Node::Call { function, arguments } => {
                match self.world.functions.iter().any(|f| f.name == function.text) {
                    true => self.output(e, 0),
                    false if function.text == "defined" => {
                        Some(Value::Bool(self.eval(&arguments[0]).is_some()))
                    }
                    false => {
                        let values: Option<Vec<Value>> = arguments.iter().map(|e| self.eval(e)).collect();
                        sequences::word(&function.text, &values?)
                    }
                }
            }
            Node::Select(call, name) => {
                let Node::Call { function, .. } = &call.node else { panic!("no call") };
                let f = self.world.functions.iter().find(|f| f.name == function.text).unwrap();
                let index = f.outputs.iter().position(|o| o.name.selector() == Some(&name.text));
                self.output(call, index.unwrap())
            }
            Node::Traps(call) => {
                let ended = self.ended(call).as_ref()?;
                Some(Value::Bool(matches!(ended, Err(Outcome::Trapped(_)))))
            }
            Node::If(condition, then, otherwise) => {
                // Both are evaluated, because both make their calls.
                let (then, otherwise) = (self.eval(then), self.eval(otherwise));
                if truth(self.eval(condition)?) { then } else { otherwise }
            }
            Node::Is(..) => panic!("no function here returns an Option"),
            Node::Index(s, i) => sequences::index(self.eval(s)?, self.eval(i)?),
            Node::Slice(s, from, to) => {
                let s = self.eval(s)?;
                let mut bound = |e: &Option<Box<Expression>>, default: i128| match e {
                    Some(e) => values::whole(&self.eval(e)?),
                    None => Some(default),
                };
                let (from, to) = (bound(from, 0)?, bound(to, sequences::length(&s) as i128)?);
                sequences::slice(s, from, to)
            }
        }
    }

    fn name(&self, name: &str) -> Value {
        self.names.get(name).cloned().unwrap_or_else(|| {
            Value::Float(match name {
                "pi" => std::f64::consts::PI,
                "e" => std::f64::consts::E,
                "inf" => f64::INFINITY,
                "nan" => f64::NAN,
                other => panic!("{other} has no value"),
            })
        })
    }

    /// Whether an expression only moves numbers of single precision.
    fn is_single(&self, e: &Expression) -> bool {
        match &e.node {
            Node::Name(name) => self.singles.contains(name),
            Node::Unary(UnaryOperator::Negate, a) => self.is_single(a),
            Node::Call { function, arguments } => match &function.text[..] {
                "single" => true,
                "abs" | "min" | "max" => arguments.iter().all(|a| self.is_single(a)),
                _ => false,
            },
            _ => false,
        }
    }

    fn binary(&mut self, operator: BinaryOperator, a: &Expression, b: &Expression) -> Option<Value> {
        let single = self.is_single(a) || self.is_single(b);
        let (a, b) = (self.eval(a), self.eval(b));
        match operator {
            BinaryOperator::And => kleene_and(a.map(truth), b.map(truth)),
            BinaryOperator::Or => negated(kleene_and(a.map(|a| !truth(a)), b.map(|b| !truth(b)))),
            BinaryOperator::Implies => negated(kleene_and(a.map(truth), b.map(|b| !truth(b)))),
            BinaryOperator::Xor => Some(Value::Bool(truth(a?) != truth(b?))),
            BinaryOperator::Iff => Some(Value::Bool(truth(a?) == truth(b?))),
            BinaryOperator::Contains => Some(Value::Bool(sequences::contains(&a?, &b?))),
            BinaryOperator::PrefixOf => Some(Value::Bool(sequences::is_prefix(&a?, &b?))),
            BinaryOperator::SubsetOf => Some(Value::Bool(sequences::is_subset(&a?, &b?))),
            BinaryOperator::DisjointFrom => Some(Value::Bool(sequences::is_disjoint(&a?, &b?))),
            BinaryOperator::PermutationOf => Some(Value::Bool(sequences::is_permutation(&a?, &b?))),
            BinaryOperator::SuffixOf => {
                Some(Value::Bool(sequences::is_prefix(&sequences::reverse(&a?), &sequences::reverse(&b?))))
            }
            _ => values::binary(operator, a?, b?, Tolerance { bound: self.bound, single }),
        }
    }
}

fn kleene_and(a: Option<bool>, b: Option<bool>) -> Option<Value> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(Value::Bool(false)),
        (Some(true), Some(true)) => Some(Value::Bool(true)),
        _ => None,
    }
}

fn negated(value: Option<Value>) -> Option<Value> {
    value.map(|value| Value::Bool(!truth(value)))
}

/// What arrives in a parameter of single precision.
fn rounded(value: Value, ty: Type) -> Value {
    match (value, ty) {
        (Value::Float(x), Type::Scalar(dodona_target::Scalar::F32)) => Value::Float(f64::from(x as f32)),
        (value, _) => value,
    }
}
