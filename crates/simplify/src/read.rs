//! Converts expressions to terms.

use dodona_relations::ast::{self, BinaryOperator as B, Body, Expression, File, Node, UnaryOperator};
use dodona_relations::check;
use dodona_relations::check::{CallSites, Element, Role, Ty, Variable, Variables, resolve};
use dodona_target::Signature;
use egg::Id;

use super::facts::Facts;
use super::meaning::{Meaning, Terms};
use super::term::{Callee, Constant, Operator, Term};

/// A relation in the notation of calls, with the meaning of its names and calls.
pub(super) struct Scope<'f> {
    functions: &'f [Signature],
    variables: Variables,
    calls: CallSites,
    constant: Option<(String, Facts)>,
}

impl<'f> Scope<'f> {
    /// `None` if the relation is wrong, or its constants have no common type.
    pub(super) fn new(relation: &ast::Relation, functions: &'f [Signature]) -> Option<Self> {
        let file = File { relations: vec![relation.clone()] };
        let checked = check(&file, functions).ok()?.pop()?;
        let constant = match &relation.constants {
            None => None,
            Some(constants) => {
                let values: Vec<_> = checked.groups().iter().flatten().cloned().collect();
                Some((constants.name.text.clone(), Facts::of_values(&values)?))
            }
        };
        let expressions = expressions(relation)?;
        let variables = Variables::collect(relation, &expressions, functions).ok()?;
        // Rules move parts between the condition and the expectation, and take a call for what its arguments make it.
        if CallSites::asks_of_follow_up(relation.condition.as_ref(), functions, &variables) {
            return None;
        }
        let calls = CallSites::collect(&expressions, functions, &variables);
        Some(Scope { functions, variables, calls, constant })
    }

    /// The parameter, as (function, parameter), from whose domain a variable is drawn.
    pub(super) fn place(&self, variable: &str) -> Option<(usize, usize)> {
        let found = &self.variables.list[self.variables.find(variable)?];
        Some((found.function, found.parameter))
    }

    /// The variables of the relation.
    pub(super) fn variables(&self) -> &[Variable] {
        &self.variables.list
    }

    /// The calls that other expressions over the same variables make.
    pub(super) fn calls_of(&self, expressions: &[&Expression]) -> CallSites {
        CallSites::collect(expressions, self.functions, &self.variables)
    }

    /// The functions under test.
    pub(super) fn functions(&self) -> &'f [Signature] {
        self.functions
    }

    /// The calls of the relation as written.
    pub(super) fn calls(&self) -> &CallSites {
        &self.calls
    }

    /// The meaning of the relation's names.
    pub(super) fn meaning(&self) -> Meaning {
        let mut meaning = Meaning::new(self.functions);
        for v in &self.variables.list {
            let ty = self.functions[v.function].parameters[v.parameter].ty;
            meaning.names.insert(v.name.clone(), Facts::of_type(ty));
        }
        meaning.names.extend(self.constant.clone());
        meaning
    }
}

/// The condition, if there is one, and the expectation. `None` for a relation in the primed notation.
pub(super) fn expressions(relation: &ast::Relation) -> Option<Vec<&Expression>> {
    match &relation.body {
        Body::Calls(expect) => Some(relation.condition.iter().chain([expect]).collect()),
        Body::Primed { .. } => None,
    }
}

/// A call found among the terms, with its class.
#[derive(Clone, Debug)]
pub(super) struct CallClass {
    pub(super) callee: Callee,
    pub(super) id: Id,
    /// The classes of the calls inside its arguments.
    pub(super) inside: Vec<Id>,
}

/// Adds expressions to the terms.
pub(super) struct Reader<'r> {
    functions: &'r [Signature],
    calls: &'r CallSites,
    terms: &'r mut Terms,
    /// The calls read so far.
    pub(super) found: Vec<CallClass>,
    /// Whether the arguments of follow-up calls become opaque names ([`Operator::Written`]), so that no rule changes
    /// them.
    pub(super) keeps_arguments: bool,
}

impl<'r> Reader<'r> {
    pub(super) fn new(functions: &'r [Signature], calls: &'r CallSites, terms: &'r mut Terms) -> Self {
        Reader { functions, calls, terms, found: Vec::new(), keeps_arguments: false }
    }

    /// The class of an expression; `None` if the expression is not in the notation of calls, or no rule may change it.
    pub(super) fn read(&mut self, e: &Expression) -> Option<Id> {
        let operator = match &e.node {
            Node::Bool(b) => Operator::Constant(Constant::Bool(*b)),
            Node::Int(i) => Operator::Constant(Constant::Int(*i)),
            Node::Float(x) => Operator::Constant(Constant::Float(x.to_bits())),
            Node::Text(text) => Operator::Constant(Constant::Text(text.clone())),
            Node::Name(name) => Operator::Name(name.clone()),
            Node::Primed(_) => return None,
            // No rule knows when these are defined.
            Node::If(..) | Node::Is(..) => return None,
            Node::Unary(UnaryOperator::Negate, _) => Operator::Negate,
            Node::Unary(UnaryOperator::Not, _) => Operator::Not,
            Node::Select(_, output) => Operator::Select(output.text.clone()),
            Node::Index(..) => Operator::Index,
            Node::Slice(s, None, None) => return self.read(s),
            Node::Slice(_, Some(_), Some(_)) => Operator::Slice,
            Node::Slice(_, Some(_), None) => Operator::SliceFrom,
            Node::Slice(_, None, Some(_)) => Operator::SliceTo,
            Node::Binary(operator, a, b) => return self.binary(*operator, a, b),
            Node::Call { function, arguments } => return self.call(e, &function.text, arguments),
            Node::Sequence(items) => return self.sequence(items),
            Node::Traps(call) => return self.traps(call),
        };
        let operands: Option<Vec<Id>> = e.children().into_iter().map(|child| self.read(child)).collect();
        Some(self.terms.add(Term::new(operator, operands?)))
    }

    fn binary(&mut self, operator: B, a: &Expression, b: &Expression) -> Option<Id> {
        let (a, b) = (self.read(a)?, self.read(b)?);
        let truths = self.terms[a].data.ty == Ty::Bool;
        let (operator, a, b) = match operator {
            B::Greater => (B::Less, b, a),
            B::GreaterEqual => (B::LessEqual, b, a),
            B::Equal | B::Approximate if truths => (B::Iff, a, b),
            B::NotEqual if truths => (B::Xor, a, b),
            other => (other, a, b),
        };
        Some(self.terms.add(Term::new(Operator::Binary(operator), vec![a, b])))
    }

    fn call(&mut self, e: &Expression, name: &str, arguments: &[Expression]) -> Option<Id> {
        let callee = resolve(name, arguments.len(), self.functions)?;
        let before = self.found.len();
        let operands: Option<Vec<Id>> = arguments.iter().map(|a| self.read(a)).collect();
        let function = match callee {
            dodona_relations::check::Callee::Word(word) => {
                return Some(self.terms.add(Term::new(Operator::Word(word), operands?)));
            }
            dodona_relations::check::Callee::Function(function) => function,
        };
        // What these calls return is not defined wherever they return, and is compared part by part.
        if self.functions[function].outputs.iter().any(|output| output.given.is_some()) {
            return None;
        }
        let site = &self.calls.sites[self.calls.find(e)?];
        let (role, observed) = (site.role, site.observed);
        let mut operands = operands?;
        if self.keeps_arguments && role == Role::FollowUp {
            operands = arguments.iter().zip(operands).map(|(e, id)| self.as_written(e, id)).collect();
        }
        let callee = Callee { function, name: name.to_owned(), role, observed };
        let id = self.terms.add(Term::new(Operator::Call(callee.clone()), operands));
        let inside = self.found[before..].iter().map(|found| found.id).collect();
        self.found.push(CallClass { callee, id, inside });
        Some(id)
    }

    /// An opaque term for an expression, which no rule changes; it has the facts of the expression's class except the
    /// constant.
    fn as_written(&mut self, e: &Expression, id: Id) -> Id {
        let text = e.to_string();
        let facts = self.terms[id].data.clone();
        self.terms.analysis.names.entry(text.clone()).or_insert(Facts { constant: None, ..facts });
        self.terms.add(Term::new(Operator::Written(text), Vec::new()))
    }

    fn sequence(&mut self, items: &[Expression]) -> Option<Id> {
        let operands: Vec<Id> = items.iter().map(|e| self.read(e)).collect::<Option<_>>()?;
        let mut element = Element::Nothing;
        for id in &operands {
            element = element.join(match self.terms[*id].data.ty {
                Ty::Bool => Element::Bool,
                Ty::Int => Element::Int,
                _ => Element::Float,
            })?;
        }
        Some(self.terms.add(Term::new(Operator::Sequence(element), operands)))
    }

    /// `f(x).output traps` means `f(x) traps`.
    fn traps(&mut self, e: &Expression) -> Option<Id> {
        let call = match &e.node {
            Node::Select(call, _) => call,
            _ => e,
        };
        let call = self.read(call)?;
        Some(self.terms.add(Term::new(Operator::Traps, vec![call])))
    }
}
