//! Simplifies relations that a machine found, so that they look as if a person had written them. Works by equality
//! saturation.
//!
//! ```text
//! Relation ─read─► Terms ─RULES─► all equal terms ─best─► cheapest ─write, orient─► Relation
//! ```
//!
//! Each rule (`rules`) states an equality that holds in the language's own arithmetic: 128-bit integers that become
//! undefined on overflow, floats that round, NaN equal to NaN, three-valued logic. What a rule needs to know about a
//! term, such as its type, its range and whether it is defined, is stored in the `facts` of each class of equal
//! terms.

mod cost;
mod defined;
mod facts;
mod fold;
mod guard;
mod meaning;
mod orient;
mod range;
mod read;
mod rules;
mod saturate;
mod term;
#[cfg(test)]
mod tests;
mod typing;
mod write;
mod written;

use std::collections::BTreeSet;

use dodona_relations::ast::{BinaryOperator as B, Body, Relation, binary};
use dodona_relations::{to_calls, to_primed};
use dodona_target::Signature;

use self::saturate::{Kept, Saturated};
use self::written::Written;

/// The shortest and most readable relation with the same meaning that the rules reach.
///
/// The result never has more nodes than the given relation, makes the same calls in the same roles, and is not
/// changed by simplifying it again. The same rows violate it, and the same rows are eligible, with one intended
/// exception: if the expectation is an implication (`c implies e`, `not c or e`) whose `c` depends only on the source
/// input and the source calls, `c` becomes part of `when`. Then groups where `c` is false, which held before, are not
/// eligible, and neither are groups in which a follow-up call failed although `c` was false.
///
/// If several follow-up calls fail, the verdict may name another one of them.
///
/// Calls are kept even if their outputs do not matter, because the relation also says that they return. A tautology
/// is simplified to a relation that still makes its calls; use [`is_tautology`] to detect it. A relation that
/// [`check`](dodona_relations::check()) refuses is returned unchanged. Sides are put in the customary order: a follow-up call
/// alone on the left.
///
/// The work is bounded by counts of steps and terms, and the result depends only on the arguments.
///
/// ```
/// use dodona_relations::parse;
/// use dodona_simplify::simplify;
/// # use dodona_target::{Parameter, Scalar, Signature, Type};
/// # let number = Type::Scalar(Scalar::I32);
/// # let parameters = vec![Parameter::new("p", number), Parameter::new("q", number)];
/// # let gcd = Signature::new("gcd", parameters, Some(number));
/// let found = "relation found: p <= 0 or not (gcd(p, q) - gcd(q, p) != 0) and (true or q < 3)";
/// let found = &parse(found).unwrap().relations[0];
/// let simple = simplify(found, &[gcd]);
/// assert_eq!(simple.to_string(), "relation found: when p > 0: gcd(q, p) == gcd(p, q)");
/// ```
pub fn simplify(relation: &Relation, functions: &[Signature]) -> Relation {
    let Ok(calls) = to_calls(relation, functions) else { return relation.clone() };
    let Some(mut simple) = Written::new(calls, functions) else { return relation.clone() };
    if let Some(oriented) = simple.oriented() {
        simple = oriented;
    }
    while let Some(simpler) =
        simple.simpler().or_else(|| simple.without_implied()).or_else(|| simple.guarded())
    {
        simple = simpler;
    }
    match &relation.body {
        Body::Calls(_) => simple.relation,
        Body::Primed { .. } => to_primed(&simple.relation, functions).unwrap_or(simple.relation),
    }
}

/// Whether the rules prove that two relations have the same meaning: equal conditions, equal expectations, and the
/// same calls.
///
/// Variables are not renamed to find a proof. `false` means only that the rules found no proof.
pub fn equivalent(a: &Relation, b: &Relation, functions: &[Signature]) -> bool {
    let (Ok(a), Ok(b)) = (to_calls(a, functions), to_calls(b, functions)) else { return false };
    let (Some(a), Some(b)) = (Written::new(a, functions), Written::new(b, functions)) else { return false };
    let tolerant = a.approximates() || b.approximates();
    if a.relation.constants != b.relation.constants
        || places(&a) != places(&b)
        || (tolerant && a.relation.tolerance != b.relation.tolerance)
    {
        return false;
    }
    let ([a_when, a_expect], [b_when, b_expect]) = (a.parts(), b.parts());
    let (of_a, of_b) = ([&a_when, &a_expect], [&b_when, &b_expect]);
    let groups = [(a.scope.calls(), &of_a[..]), (b.scope.calls(), &of_b[..])];
    let terms = Saturated::new(&a.scope, &groups, &Kept::default());
    terms.is_some_and(|terms| terms.same(0, 2) && terms.same(1, 3) && terms.same_calls(0, 1))
}

/// The variables, each with the parameter from whose domain it is drawn.
fn places(written: &Written<'_>) -> BTreeSet<(String, usize, usize)> {
    let variables = written.scope.variables();
    variables.iter().map(|v| (v.name.clone(), v.function, v.parameter)).collect()
}

/// Whether the rules prove that the expectation holds wherever the condition holds, whatever the outputs are.
///
/// Only a follow-up call that does not return can violate such a relation. `false` means only that the rules found no
/// proof.
pub fn is_tautology(relation: &Relation, functions: &[Signature]) -> bool {
    let Ok(calls) = to_calls(relation, functions) else { return false };
    let Some(written) = Written::new(calls, functions) else { return false };
    let [condition, expect] = written.parts();
    let claim = binary(B::Implies, condition, expect);
    let terms = Saturated::new(&written.scope, &[(written.scope.calls(), &[&claim])], &Kept::default());
    terms.is_some_and(|terms| terms.is_true(0))
}
