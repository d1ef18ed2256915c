//! From a candidate of a search to a relation of the language that can be run.

use std::num::NonZeroUsize;

use dodona_inference::discovery::Candidate;
use dodona_relations::ast::{BinaryOperator, Body, Expression, Name, Node, Relation};
use dodona_simplify::{is_tautology, simplify};
use dodona_target::{Parameter, Signature};

use dodona_workbench::{CheckOptions, LabError, LoadedRelation, Regressions, Relations, Seed};

/// The name of a relation until it is chosen.
const UNNAMED: &str = "candidate";

/// The relation of a candidate, simplified.
pub(super) fn whole(candidate: &Candidate, functions: &[Signature]) -> Option<Relation> {
    let parts = by_equations(&candidate.parts, functions);
    let whole = parts.into_iter().reduce(|all, part| {
        let both = Node::Binary(BinaryOperator::And, Box::new(all), Box::new(part));
        Expression::new(both)
    })?;
    Some(simplify(&unnamed(candidate, whole), functions))
}

/// Parts that are joined by `and`, with each equation of two calls used in the parts after it: in
/// `gcd(q, p) == gcd(p, q) and gcd(q, p) == max(gcd(p, q), 1)` the second part becomes `gcd(p, q) == max(gcd(p, q), 1)`, of which
/// simplification makes `1 <= gcd(p, q)`. The whole says the same.
fn by_equations(parts: &[Expression], functions: &[Signature]) -> Vec<Expression> {
    let mut equations: Vec<(Expression, Expression)> = Vec::new();
    let mut known = Vec::new();
    for part in parts {
        let part = equations.iter().fold(part.clone(), |part, (call, equal)| {
            part.rewrite(&mut |e| (e == call).then(|| equal.clone()))
        });
        equations.extend(equal_calls(&part, functions));
        known.push(part);
    }
    known
}

/// The two sides of an equation between a source call and another call, the source call second.
fn equal_calls(part: &Expression, functions: &[Signature]) -> Option<(Expression, Expression)> {
    let Node::Binary(BinaryOperator::Equal, a, b) = &part.node else { return None };
    match (call_of(a, functions)?, call_of(b, functions)?) {
        (CallKind::Other, CallKind::Source) => Some(((**a).clone(), (**b).clone())),
        (CallKind::Source, CallKind::Other) => Some(((**b).clone(), (**a).clone())),
        _ => None,
    }
}

/// Whether the arguments of a call are just the parameters.
#[derive(Clone, Copy, PartialEq)]
enum CallKind {
    Source,
    Other,
}

/// What kind of call an expression is, if it is the output of a call of a function under test.
fn call_of(e: &Expression, functions: &[Signature]) -> Option<CallKind> {
    match &e.node {
        Node::Select(call, _) => call_of(call, functions),
        Node::Call { function, arguments } => {
            let declared = functions.iter().find(|declared| declared.name == function.text)?;
            let is_parameter = |(argument, parameter): (&Expression, &Parameter)| matches!(&argument.node, Node::Name(name) if *name == parameter.name);
            let is_source = arguments.iter().zip(&declared.parameters).all(is_parameter);
            Some(if is_source { CallKind::Source } else { CallKind::Other })
        }
        _ => None,
    }
}

/// The relation of one part of a candidate; `None` if it is a tautology.
pub(super) fn part(candidate: &Candidate, part: &Expression, functions: &[Signature]) -> Option<Relation> {
    let relation = simplify(&unnamed(candidate, part.clone()), functions);
    (!is_tautology(&relation, functions)).then_some(relation)
}

fn unnamed(candidate: &Candidate, expect: Expression) -> Relation {
    Relation {
        name: Name::new(UNNAMED),
        bindings: Vec::new(),
        function: None,
        constants: None,
        condition: candidate.condition.clone(),
        body: Body::Calls(expect),
        tolerance: None,
        span: Default::default(),
    }
}

/// The relation of a text; `None` where it is none.
pub(crate) fn parsed(text: &str) -> Option<Relation> {
    dodona_relations::parse(text).ok()?.relations.pop()
}

/// A check of relations that are only tried: whatever violates them is nobody's to keep.
pub(crate) fn aside(sources: u64, seed: Seed, jobs: NonZeroUsize, shrink_fuel: u64) -> CheckOptions {
    CheckOptions {
        sources,
        seed,
        jobs,
        regressions: Regressions::Ignore,
        shrink_fuel,
        ..CheckOptions::default()
    }
}

/// Checks and compiles a relation.
pub(crate) fn load(relation: &Relation, functions: &[Signature]) -> Result<LoadedRelation, LabError> {
    Ok(Relations::of_trees(std::slice::from_ref(relation), functions)?.all.remove(0))
}

/// The functions that a relation calls, by their indices, each once, in the order of the calls.
pub(crate) fn functions_of(relation: &dodona_relations::Relation) -> Vec<usize> {
    let mut functions = Vec::new();
    for function in dodona_workbench::called(relation) {
        if !functions.contains(&function) {
            functions.push(function);
        }
    }
    functions
}

/// A name, with a number added if it is taken.
pub(super) fn free(name: String, taken: &[impl AsRef<str>]) -> String {
    let is_free = |name: &String| taken.iter().all(|other| other.as_ref() != name);
    let numbered = (2..).map(|n| format!("{name}_{n}"));
    std::iter::once(name.clone()).chain(numbered).find(is_free).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gcd() -> Vec<Signature> {
        let text = "module = \"m.wasm\"\n[[function]]\nsignature = \"gcd(p: i32, q: i32) -> i32\"\n";
        dodona_subject::Manifest::parse(std::path::Path::new("dodona.toml"), text)
            .expect("a manifest")
            .signatures()
    }

    fn expectation(text: &str) -> Expression {
        let mut file = dodona_relations::parse(&format!("relation r: {text}")).expect("a relation");
        match file.relations.remove(0).body {
            Body::Calls(expect) => expect,
            Body::Primed { .. } => panic!("{text}"),
        }
    }

    #[test]
    fn an_equation_of_two_calls_is_used_in_the_other_parts() {
        let parts = ["gcd(q, p) == gcd(p, q)", "gcd(q, p) == max(gcd(p, q), min(q, 1))"].map(expectation);
        let known = by_equations(&parts, &gcd());
        assert_eq!(known[0], parts[0]);
        assert_eq!(known[1], expectation("gcd(p, q) == max(gcd(p, q), min(q, 1))"));
        // No equation of two calls: nothing is known to be equal.
        let parts = ["gcd(q, p) <= gcd(p, q)", "gcd(q, p) == 1"].map(expectation);
        assert_eq!(by_equations(&parts, &gcd()), parts);
    }
}
