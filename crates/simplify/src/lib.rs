//! Relations that a machine found, written as a person would write them: equality saturation.
//!
//! ```text
//! Relation ─read─► Terms ─RULES─► all equal terms ─best─► cheapest ─write, orient─► Relation
//! ```
//!
//! Each [rule](rules) states an equality that holds in the language's own arithmetic: integers of 128 bits that become
//! undefined where they overflow, floats that round, NaN equal to NaN, three-valued logic. What a rule needs to know,
//! such as types, ranges of integers and where a term is defined, are [facts] of classes of equal terms.

mod cost;
mod defined;
mod facts;
mod fold;
mod guard;
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

use dodona_subject::Function;

use self::orient::joined;
use self::saturate::{Kept, Saturated};
use self::written::Written;
use dodona_relations::ast::{BinaryOperator as B, Body, Relation};
use dodona_relations::{to_calls, to_primed};

/// The shortest readable relation with the same meaning that the rules reach.
///
/// It never has more nodes than the relation given, makes the same calls in the same roles, and simplified again stays
/// as it is. The same rows violate it, and the same rows are eligible, with one exception that is meant:
/// where the expectation is an implication of what the source input and the source calls decide alone (`c implies e`,
/// `not c or e`), `c` becomes part of `when`. Groups where `c` is false, which held, are then not eligible, and
/// neither are those in which a follow-up call failed though `c` was false.
///
/// Where several follow-up calls fail, the verdict may name another of them.
///
/// Calls are kept even where their outputs do not matter: that they return is part of what the relation says. What
/// remains of a tautology is still a relation; ask [`is_tautology`]. A relation that [`check`](dodona_relations::check) refuses
/// comes back unchanged. Sides are put in the order that is customary: a follow-up call alone on the left.
///
/// The work is bounded by counts of steps and terms, and the result depends on nothing but the arguments.
///
/// ```
/// use dodona_relations::{parse, simplify};
/// # use dodona_subject::{Domain, Function, Lowering, Parameter, ResultLowering, Sampling, Scalar, Type};
/// # let parameter = |name: &str| Parameter {
/// #     name: name.into(),
/// #     ty: Type::Scalar(Scalar::I32),
/// #     lowering: Lowering::Value,
/// #     domain: Domain::default(),
/// #     sampling: Sampling::default(),
/// # };
/// # let gcd = Function {
/// #     name: "gcd".into(),
/// #     export: "gcd".into(),
/// #     parameters: vec![parameter("p"), parameter("q")],
/// #     result: ResultLowering::Value(Scalar::I32),
/// #     arguments: vec![],
/// #     requires: None,
/// #     relations: vec![],
/// # };
/// let found = "relation found: p <= 0 or not (gcd(p, q) - gcd(q, p) != 0) and (true or q < 3)";
/// let found = &parse(found).unwrap().relations[0];
/// let simple = simplify(found, &[gcd]);
/// assert_eq!(simple.to_string(), "relation found: when p > 0: gcd(q, p) == gcd(p, q)");
/// ```
pub fn simplify(relation: &Relation, functions: &[Function]) -> Relation {
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

/// Whether the rules prove that two relations say the same: equal conditions, equal expectations, and the same calls.
///
/// Names are not changed to make them equal, and `false` says only that the rules found no proof.
pub fn equivalent(a: &Relation, b: &Relation, functions: &[Function]) -> bool {
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

/// The variables, each with the parameter that it takes its values from.
fn places(written: &Written<'_>) -> BTreeSet<(String, usize, usize)> {
    let variables = written.scope.variables();
    variables.iter().map(|v| (v.name.clone(), v.function, v.parameter)).collect()
}

/// Whether the rules prove that the expectation holds wherever the condition does, whatever the outputs are.
///
/// Such a relation is violated by nothing but a follow-up call that does not return. `false` says only that the
/// rules found no proof.
pub fn is_tautology(relation: &Relation, functions: &[Function]) -> bool {
    let Ok(calls) = to_calls(relation, functions) else { return false };
    let Some(written) = Written::new(calls, functions) else { return false };
    let [condition, expect] = written.parts();
    let claim = joined(B::Implies, condition, expect);
    let terms = Saturated::new(&written.scope, &[(written.scope.calls(), &[&claim])], &Kept::default());
    terms.is_some_and(|terms| terms.is_true(0))
}
