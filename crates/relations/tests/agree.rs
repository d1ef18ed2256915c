//! The evaluator over columns and a plain walk of the tree, row by row, give the same verdicts.
#![allow(clippy::unwrap_used, reason = "what fails here has failed the test")]

mod common;
mod naive;
mod random;

use std::collections::HashSet;

use common::World;
use dodona_relations::{Program, Verdict, Violation, ast::Bound, check};
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
            if !(rounding_decides(&relation) && is_compared(verdict) && is_compared(expected)) {
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
