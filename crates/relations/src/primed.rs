//! Converts relations between the two notations.
//!
//! The notation of calls names the calls: `gcd(p, q) == gcd(q, p)`. The primed notation describes a source input, a
//! follow-up input and their outputs: `given p' = q, q' = p expect out' == out`.

use dodona_target::Signature;

use crate::Diagnostic;
use crate::ast::{Assignment, Binding, Body, Expression, Name, Node, Relation, Span};
use crate::check::{Callee, constant, function as function_named, resolve};
use crate::diagnostic::{Quoted, nearest};

/// The relation in the notation of calls; a relation already in that notation is returned unchanged.
///
/// # Errors
/// A primed relation that fits no function under test, or that uses names which its function does not have.
pub fn to_calls(relation: &Relation, functions: &[Signature]) -> Result<Relation, Diagnostic> {
    let Body::Primed { given, expect } = &relation.body else { return Ok(relation.clone()) };
    let function = match &relation.function {
        Some(name) => &functions[function_named(name, functions)?],
        None => infer(relation, given, expect, functions)?,
    };
    let pair = Pair::new(relation, function, given)?;
    pair.check_primes(expect)?;
    let mut condition = None;
    if let Some(written) = &relation.condition {
        condition = Some(pair.source_only(written)?);
    }
    let body = Body::Calls(pair.expand(expect));
    Ok(Relation { function: None, condition, body, ..relation.clone() })
}

/// The relation in the primed notation. `None` unless it makes one source call of a function, with variables named like the
/// function's parameters, and at most one follow-up call of the same function.
pub fn to_primed(relation: &Relation, functions: &[Signature]) -> Option<Relation> {
    let Body::Calls(expect) = &relation.body else { return Some(relation.clone()) };
    let mut calls = Vec::new();
    relation.condition.iter().chain([expect]).for_each(|e| collect(e, functions, &mut calls));
    let &(f, _) = calls.first()?;
    let function = &functions[f];
    let constant = relation.constants.as_ref().map(|c| c.name.text.as_str());
    let declares =
        |name: &str| constant == Some(name) || relation.bindings.iter().any(|b| b.variable.text == name);
    let is_source = |call: &Expression| is_source(call, function, &declares);
    let (source, follow_up) = match calls[..] {
        [(_, only)] if is_source(only) => (only, None),
        [(_, first), (g, second)] if f == g => match (is_source(first), is_source(second)) {
            (true, false) => (first, Some(second)),
            (false, true) => (second, Some(first)),
            _ => return None,
        },
        _ => return None,
    };
    let ours = relation.function.as_ref().is_none_or(|name| name.text == function.name);
    let is_hidden = function.parameters.iter().any(|p| declares(&p.name)) || declares("out");
    if !ours || function.parameter("out").is_some() || is_hidden {
        return None;
    }
    let outputs = |e: &Expression| {
        e.rewrite(&mut |e| {
            let node = match e {
                e if e == source => Node::Name("out".to_owned()),
                e if Some(e) == follow_up => Node::Primed("out".to_owned()),
                _ => return None,
            };
            Some(Expression { node, span: e.span })
        })
    };
    let condition = relation.condition.as_ref().map(outputs);
    // A condition decides before the follow-up call is made.
    if condition.as_ref().is_some_and(|condition| condition.has(&|e| matches!(e.node, Node::Primed(_)))) {
        return None;
    }
    let arguments = follow_up.map_or(&[][..], |call| match &call.node {
        Node::Call { arguments, .. } => arguments,
        _ => &[],
    });
    let changed = function.parameters.iter().zip(arguments).filter(|(p, e)| !e.is_name(&p.name));
    let given = changed
        .map(|(p, e)| Assignment { parameter: Name::new(p.name.clone()), value: outputs(e) })
        .collect();
    Some(Relation {
        function: Some(Name::new(function.name.clone())),
        condition,
        body: Body::Primed { given, expect: outputs(expect) },
        ..relation.clone()
    })
}

/// Collects the different calls of functions under test in an expression.
fn collect<'e>(e: &'e Expression, functions: &[Signature], found: &mut Vec<(usize, &'e Expression)>) {
    if let Node::Call { function, arguments } = &e.node
        && let Some(Callee::Function(f)) = resolve(&function.text, arguments.len(), functions)
        && found.iter().all(|(_, call)| *call != e)
    {
        found.push((f, e));
    }
    e.children().into_iter().for_each(|child| collect(child, functions, found));
}

fn is_source(call: &Expression, function: &Signature, declares: &dyn Fn(&str) -> bool) -> bool {
    let Node::Call { function: name, arguments } = &call.node else { return false };
    let mut pairs = function.parameters.iter().zip(arguments);
    name.text == function.name
        && !arguments.is_empty()
        && arguments.len() == function.parameters.len()
        && pairs.all(|(p, e)| e.is_name(&p.name) && !declares(&p.name))
}

/// The only function that has all parameters that the relation names.
fn infer<'f>(
    relation: &Relation,
    given: &[Assignment],
    expect: &Expression,
    functions: &'f [Signature],
) -> Result<&'f Signature, Diagnostic> {
    let mut named: Vec<String> = given.iter().map(|a| a.parameter.text.clone()).collect();
    let parts = relation.condition.iter().chain(given.iter().map(|a| &a.value)).chain([expect]);
    parts.for_each(|e| parameters_in(e, relation, &mut named));
    named.sort();
    named.dedup();
    let has_all = |f: &&Signature| named.iter().all(|name| f.parameter(name).is_some());
    let fitting: Vec<&Signature> = functions.iter().filter(has_all).collect();
    match fitting[..] {
        [only] => Ok(only),
        [] => Err(Diagnostic::new(
            relation.name.span,
            format!("no function under test has the parameters {}", Quoted(&named)),
        )
        .hint("name the function: `relation name of f: given …`")),
        [first, ..] => {
            let names: Vec<&str> = fitting.iter().map(|f| f.name.as_str()).collect();
            Err(Diagnostic::new(
                relation.name.span,
                format!("it is not clear which function is meant: {} have such parameters", Quoted(&names)),
            )
            .hint(format!("write `relation {} of {}: given …`", relation.name.text, first.name)))
        }
    }
}

/// Collects the names in an expression that must be parameters.
fn parameters_in(e: &Expression, relation: &Relation, found: &mut Vec<String>) {
    match &e.node {
        Node::Name(name) | Node::Primed(name) => {
            let is_constant = relation.constants.as_ref().is_some_and(|c| c.name.text == *name);
            let is_declared = relation.bindings.iter().any(|binding| binding.variable.text == *name);
            if name != "out" && !is_constant && !is_declared && constant(name).is_none() {
                found.push(name.clone());
            }
        }
        _ => e.children().into_iter().for_each(|child| parameters_in(child, relation, found)),
    }
}

/// The source call and the follow-up call of a primed relation.
struct Pair {
    source: Node,
    follow_up: Node,
    /// Every parameter with its value in the follow-up input.
    values: Vec<(String, Expression)>,
    /// Whether any parameter changes.
    has_follow_up: bool,
}

impl Pair {
    fn new(relation: &Relation, function: &Signature, given: &[Assignment]) -> Result<Self, Diagnostic> {
        check_names(relation, function, given)?;
        let parameters = function.parameters.iter().map(|p| Expression::name(p.name.clone()));
        let source = call(function, parameters.collect());
        let out = |e: &Expression| replace(e, &source, None, &[]);
        let value = |name: &str| {
            let assigned = given.iter().find(|a| a.parameter.text == name);
            assigned.map_or_else(|| Expression::name(name), |a| out(&a.value))
        };
        for assignment in given {
            refuse_primes(&assignment.value)?;
        }
        let values: Vec<_> = function.parameters.iter().map(|p| (p.name.clone(), value(&p.name))).collect();
        let follow_up = call(function, values.iter().map(|(_, e)| e.clone()).collect());
        Ok(Pair { source, follow_up, values, has_follow_up: !given.is_empty() })
    }

    fn expand(&self, e: &Expression) -> Expression {
        replace(e, &self.source, Some(&self.follow_up), &self.values)
    }

    /// The condition as an expression over the source call; it may not refer to the follow-up input or output.
    fn source_only(&self, e: &Expression) -> Result<Expression, Diagnostic> {
        refuse_primes(e)?;
        Ok(self.expand(e))
    }

    /// Checks that every primed name is `out'` or a parameter.
    fn check_primes(&self, e: &Expression) -> Result<(), Diagnostic> {
        if let Node::Primed(_) = &e.node
            && !self.has_follow_up
        {
            return Err(Diagnostic::new(e.span, "there is no follow-up input")
                .hint("write `given p' = … expect …` to make one"));
        }
        if let Node::Primed(name) = &e.node
            && name != "out"
            && self.values.iter().all(|(parameter, _)| parameter != name)
        {
            let known = self.values.iter().map(|(p, _)| p.as_str()).chain(["out"]);
            return Err(Diagnostic::new(e.span, format!("`{name}'` is no part of the follow-up"))
                .hint("a prime stands behind `out` or a parameter of the function")
                .maybe_hint(nearest(name, known)));
        }
        e.children().into_iter().try_for_each(|child| self.check_primes(child))
    }
}

fn call(function: &Signature, arguments: Vec<Expression>) -> Node {
    Node::Call { function: Name::new(function.name.clone()), arguments }
}

/// Replaces `out`, `out'` and primed parameters by the calls and values that they denote.
fn replace(
    e: &Expression,
    source: &Node,
    follow_up: Option<&Node>,
    values: &[(String, Expression)],
) -> Expression {
    e.rewrite(&mut |e| {
        let node = match &e.node {
            Node::Name(name) if name == "out" => source.clone(),
            Node::Primed(name) if name == "out" => follow_up?.clone(),
            Node::Primed(name) => values.iter().find(|(p, _)| p == name)?.1.node.clone(),
            _ => return None,
        };
        Some(Expression { node, span: e.span })
    })
}

fn refuse_primes(e: &Expression) -> Result<(), Diagnostic> {
    if let Node::Primed(name) = &e.node {
        return Err(Diagnostic::new(e.span, format!("`{name}'` is not known yet here"))
            .hint("the condition and the follow-up input are made from the source input and `out`"));
    }
    e.children().into_iter().try_for_each(refuse_primes)
}

/// Checks that the assignments fit the function, and that no other name hides one of its parameters.
fn check_names(relation: &Relation, function: &Signature, given: &[Assignment]) -> Result<(), Diagnostic> {
    let names: Vec<&str> = function.parameters.iter().map(|p| p.name.as_str()).collect();
    if let Some(Binding { variable, .. }) =
        relation.bindings.iter().find(|binding| hides(&binding.variable.text, &names))
    {
        return Err(hidden(&variable.text, variable.span));
    }
    if let Some(c) = relation.constants.as_ref().filter(|c| hides(&c.name.text, &names)) {
        return Err(hidden(&c.name.text, c.name.span));
    }
    if names.contains(&"out") {
        return Err(hidden("out", relation.name.span).hint("write this relation over calls"));
    }
    for (i, assignment) in given.iter().enumerate() {
        let Name { text, span } = &assignment.parameter;
        if !names.contains(&text.as_str()) {
            return Err(Diagnostic::new(*span, format!("`{}` has no parameter `{text}`", function.name))
                .hint(format!("its parameters are {}", Quoted(&names)))
                .maybe_hint(nearest(text, names)));
        }
        if given[..i].iter().any(|other| other.parameter.text == *text) {
            return Err(Diagnostic::new(*span, format!("`{text}'` is given twice")));
        }
    }
    Ok(())
}

fn hides(name: &str, parameters: &[&str]) -> bool {
    name == "out" || parameters.contains(&name)
}

fn hidden(name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(span, format!("`{name}` means two things here"))
        .hint("a parameter, a header entry, a constant and `out` need different names in the primed notation")
}
