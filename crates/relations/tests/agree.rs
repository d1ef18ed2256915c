//! The evaluator over columns and a plain walk of the tree, row by row, give the same verdicts.
#![allow(clippy::unwrap_used, reason = "what fails here has failed the test")]

mod common;
mod naive;
mod random;

use std::collections::HashSet;

use common::World;
use dodona_relations::ast::{BinaryOperator, Body, Bound, Expression, Node};
use dodona_relations::{Program, Verdict, Violation, check};
use dodona_target::{Scalar, Type};
use proptest::prelude::*;
use random::{cases, file, world};

fn singles(relation: &dodona_relations::Relation, world: &World) -> HashSet<String> {
    let is_single = |v: &&dodona_relations::Variable| {
        world.functions[v.function].parameters[v.parameter].ty == Type::Scalar(Scalar::F32)
    };
    relation.variables().iter().filter(is_single).map(|v| v.name.clone()).collect()
}

/// Whether a difference of floats may be explained by rounding.
fn rounding_decides(relation: &dodona_relations::ast::Relation) -> bool {
    let is_exact = relation.tolerance.is_some_and(|t| matches!(t.bound, Bound::Ulps(_)));
    !is_exact && relation.to_string().contains("~=")
}

/// Whether `~=` stands in what a call is given, so that what rounding explains decides what is called.
fn rounding_decides_a_call(relation: &dodona_relations::ast::Relation) -> bool {
    fn has_near(e: &Expression) -> bool {
        matches!(e.node, Node::Binary(BinaryOperator::Approximate, ..))
            || e.children().into_iter().any(has_near)
    }
    fn calls_with_near(e: &Expression) -> bool {
        matches!(e.node, Node::Call { .. }) && e.children().into_iter().any(has_near)
            || e.children().into_iter().any(calls_with_near)
    }
    let body = match &relation.body {
        Body::Calls(e) => calls_with_near(e),
        Body::Primed { given, expect } => given.iter().any(|a| has_near(&a.value)) || calls_with_near(expect),
    };
    body || relation.condition.as_ref().is_some_and(calls_with_near)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, max_global_rejects: 300_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn columns_and_rows_agree((relation, rows) in cases()) {
        let mut world = world();
        let checked = &check(&file(&relation), &world.functions).unwrap()[0];
        let program = Program::compile(checked, &world.functions);
        let columns = world.columns(checked, &rows);
        let verdicts = program.evaluate(0, &columns, &mut world).unwrap();
        for (row, verdict) in rows.iter().zip(verdicts) {
            let names = checked.variables().iter().map(|v| v.name.clone()).zip(row.iter().cloned());
            let expected = naive::verdict(&relation, &world, names.collect(), singles(checked, &world));
            let explained = program.explain(0, row, &mut world).unwrap();
            prop_assert_eq!(explained.verdict, verdict, "explained: {} on {:?}", relation, row);
            // The simple evaluator does not know what rounding explains.
            let is_compared = |v: Verdict| v.holds() || v == Verdict::Violated(Violation::False);
            let is_unknown = is_compared(verdict) && is_compared(expected) || rounding_decides_a_call(&relation);
            if !(rounding_decides(&relation) && is_unknown) {
                let verdict = if verdict.holds() { Verdict::Holds } else { verdict };
                prop_assert_eq!(verdict, expected, "{} on {:?}", relation, row);
            }
        }
    }
}

#[test]
fn a_number_that_is_moved_still_has_the_precision_of_its_parameter() {
    let mut world = world();
    let text = "relation r: half(half(n) / 170141183460469231731687303715884105727) ~= single(e) within 0.01 or 2.0 absolute";
    let relation = &check(&dodona_relations::parse(text).unwrap(), &world.functions).unwrap()[0];
    let program = Program::compile(relation, &world.functions);
    // `single` fails for what is not of its precision.
    let verdicts = program.evaluate(0, &[dodona_target::Column::Int(vec![0])], &mut world).unwrap();
    assert_eq!(verdicts.len(), 1);
}
