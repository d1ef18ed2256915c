//! Composite relations that do not apply to inputs on which an inner call fails.
//!
//! The source call of a basic relation may be a follow-up call of the composite one. Conditions may contain source calls only, so the
//! expectation becomes an implication, once an inner call is seen to fail. If all composite relations were written so, those of functions
//! that never fail would be hard to read.

use dodona_relations::ast::{BinaryOperator, Body, Expression, Relation, binary, call, chain};
use dodona_relations::check::{Callee, Role, resolve};
use dodona_target::Signature;

use super::Incomposable;
use super::basic::calls;

/// The relation with the condition that its inner calls return; `None` if it has no inner calls. `sources` are the source calls
/// of the basic relations. Those of them that are follow-up calls of the composite relation are its inner calls.
///
/// The condition also asks whether every other follow-up call returns: if an inner call fails, the basic relations say nothing
/// of the others.
///
/// # Errors
/// Where the word that asks whether a call has a value is hidden by a function under test of this name.
pub(super) fn lenient(
    relation: &Relation,
    checked: &dodona_relations::Relation,
    sources: &[Expression],
    functions: &[Signature],
) -> Result<Option<Relation>, Incomposable> {
    let Body::Calls(expect) = &relation.body else { return Ok(None) };
    let made = calls(expect, functions);
    if !made.iter().any(|call| sources.contains(call)) {
        return Ok(None);
    }
    let is_follow_up =
        |text: &str| checked.calls().iter().any(|c| c.role == Role::FollowUp && c.text == text);
    let mut follow_ups: Vec<&Expression> = Vec::new();
    for call in made {
        if !follow_ups.contains(&call) && is_follow_up(&call.to_string()) {
            follow_ups.push(call);
        }
    }
    let (inner, others): (Vec<&Expression>, Vec<&Expression>) =
        follow_ups.into_iter().partition(|call| sources.contains(call));
    let Some(have_values) = chain(BinaryOperator::And, inner.into_iter().map(defined)) else {
        return Ok(None);
    };
    if !matches!(resolve(DEFINED, 1, functions), Some(Callee::Word(_))) {
        return Err(Incomposable::Unwritable);
    }
    let expected = chain(BinaryOperator::And, others.into_iter().map(defined).chain([expect.clone()]));
    let body = expected.map(|expected| binary(BinaryOperator::Implies, have_values, expected));
    Ok(body.map(|body| Relation { body: Body::Calls(body), ..relation.clone() }))
}

/// The word that asks whether an expression has a value.
const DEFINED: &str = "defined";

fn defined(e: &Expression) -> Expression {
    call(DEFINED, vec![e.clone()])
}
