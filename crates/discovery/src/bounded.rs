//! Relations that fail only beside the poles of a function, where outputs are very large, are restricted to the other inputs.

use std::sync::Arc;

use dodona_inference::discovery::Candidate;
use dodona_relations::ast::{BinaryOperator, Body, Expression, Name, Node, Relation};
use dodona_target::{Scalar, Signature, Type};
use dodona_workbench::LabError;

use crate::chosen::Chosen;
use crate::relation_of;
use crate::search::Searches;
use crate::tuning::LARGEST_OUTPUT;
use crate::watch::TestPace;

/// The relation under the condition that the output of the source call is not large, if it is violated without the condition and
/// no violation is found with it. `tan(x + pi) ~= tan(x)` is violated beside the poles of the tangent, where the rounding of
/// `x + pi` changes the output by more than the tolerance, and holds where the tangent is below 1000.
///
/// # Errors
/// When the host fails.
pub(super) fn bounded(searches: &mut Searches<'_>, chosen: Chosen) -> Result<Chosen, LabError> {
    let function = &searches.target.workbench.functions()[searches.target.function];
    if chosen.form().is_some() || !is_approximate(&chosen.relation) || !is_float(function) {
        return Ok(chosen);
    }
    let bounded = with_bound(&chosen, function);
    if searches.ledger.is_dropped(&bounded.relation.to_string()) || !searches.watch.may_go_on() {
        return Ok(chosen);
    }
    let helps = is_violated(searches, &chosen)? && !is_violated(searches, &bounded)?;
    Ok(if helps { bounded } else { chosen })
}

/// Whether an input where the output changes most violates the relation.
fn is_violated(searches: &mut Searches<'_>, chosen: &Chosen) -> Result<bool, LabError> {
    let loaded = relation_of::load(&chosen.relation, searches.target.workbench.functions())?;
    let pace = TestPace::of_candidate(searches.watch);
    let ran = searches.fresh("bound").run_on(&loaded, &searches.steep, &mut searches.caller, &pace)?;
    Ok(ran.refuted.is_some())
}

/// Whether an expectation compares within a tolerance.
fn is_approximate(relation: &Relation) -> bool {
    fn compares(expression: &Expression) -> bool {
        matches!(expression.node, Node::Binary(BinaryOperator::Approximate, ..))
            || expression.children().into_iter().any(compares)
    }
    matches!(&relation.body, Body::Calls(expect) if compares(expect))
}

/// Whether the function has one output, a float.
fn is_float(function: &Signature) -> bool {
    matches!(function.outputs[..], [ref output] if matches!(output.ty, Type::Scalar(Scalar::F32 | Scalar::F64)))
}

/// The relation under the condition that the output of the source call is not large.
fn with_bound(chosen: &Chosen, function: &Signature) -> Chosen {
    let call = |name: &str, arguments| Expression::new(Node::Call { function: Name::new(name), arguments });
    let arguments = function.parameters.iter().map(|p| Expression::name(&p.name)).collect();
    let magnitude = call("abs", vec![call(&function.name, arguments)]);
    let bound = Expression::new(Node::Int(LARGEST_OUTPUT));
    let is_small = Node::Binary(BinaryOperator::Less, Box::new(magnitude), Box::new(bound));
    let and = |condition: &Option<Expression>| {
        let is_small = Expression::new(is_small.clone());
        Some(match condition.clone() {
            Some(before) => {
                Expression::new(Node::Binary(BinaryOperator::And, Box::new(before), Box::new(is_small)))
            }
            None => is_small,
        })
    };
    let candidate = Candidate { condition: and(&chosen.candidate.condition), ..(*chosen.candidate).clone() };
    let relation = Relation { condition: and(&chosen.relation.condition), ..chosen.relation.clone() };
    Chosen { by: chosen.by.clone(), relation, candidate: Arc::new(candidate) }
}

#[cfg(test)]
mod tests {
    use dodona_relations::parse;

    use super::*;

    #[test]
    fn only_relations_with_a_tolerance_are_restricted() {
        let relation = |text: &str| parse(text).expect("it parses").relations.remove(0);
        assert!(is_approximate(&relation("relation r: f(x + 1) ~= f(x) and f(x) >= 0")));
        assert!(!is_approximate(&relation("relation r: f(-x) == -f(x)")));
    }
}
