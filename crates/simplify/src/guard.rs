//! Finds the part of an expectation that the source input alone decides.

use dodona_relations::ast::{BinaryOperator as B, Expression, Node, binary, chain, not, parts};
use dodona_relations::check::Role;

use super::orient::mentions;
use super::read::Scope;
use super::saturate::{Kept, Saturated};

/// Splits an expectation `c implies e` or `not c or e` into `c` and `e`, if `c` is surely defined and makes only
/// source calls, and `e` makes follow-up calls. `None` for any other expectation.
pub(super) fn guarded(expect: &Expression, scope: &Scope<'_>) -> Option<(Expression, Expression)> {
    let (operator, guards, rest) = match &expect.node {
        Node::Binary(B::Implies, condition, e) => (B::Implies, parts(B::And, condition), vec![(**e).clone()]),
        Node::Binary(B::Or, ..) => (B::Or, parts(B::Or, expect), Vec::new()),
        _ => return None,
    };
    let guards: Vec<(Expression, Option<Expression>)> =
        guards.into_iter().map(|part| (part.clone(), guard(operator, part, scope))).collect();
    let moved = chain(B::And, guards.iter().filter_map(|(_, guard)| guard.clone()))?;
    let left = guards.into_iter().filter(|(_, guard)| guard.is_none()).map(|(part, _)| part);
    let rest = match operator {
        B::Implies => {
            let e = rest.into_iter().next()?;
            match chain(B::And, left) {
                Some(condition) => binary(B::Implies, condition, e),
                None => e,
            }
        }
        _ => chain(B::Or, left)?,
    };
    mentions(&rest, scope.calls(), Some(Role::FollowUp)).then_some((moved, rest))
}

/// The condition that comes from `part`: from the left side of an implication the part itself, from a disjunction its
/// negation. `None` if it must stay in the expectation.
fn guard(operator: B, part: Expression, scope: &Scope<'_>) -> Option<Expression> {
    if mentions(&part, scope.calls(), Some(Role::FollowUp)) {
        return None;
    }
    let guard = match operator {
        B::Implies => part,
        _ => not(part),
    };
    // All calls of the condition are kept, so that the source calls go on being made.
    let calls = scope.calls();
    let every = Saturated::new(scope, &[(calls, &[&guard])], &Kept::default())?.calls();
    let mut terms = Saturated::new(scope, &[(calls, &[&guard])], &Kept { calls: every, arguments: false })?;
    let best = terms.best()?;
    let keeps = terms.lost(scope, &best)?.is_empty();
    (terms.is_defined(0) && keeps).then(|| best.into_iter().next())?
}
