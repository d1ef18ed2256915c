//! Simplified relations say what they said before.
#![allow(clippy::unwrap_used, reason = "what fails here has failed the test")]

mod common;
mod random;

use common::World;
use dodona_relations::ast::{Body, Expression, Relation};
use dodona_relations::{Ineligible, Program, Verdict, check, parse, simplify};
use dodona_subject::Value;
use proptest::prelude::*;
use random::{cases, file, world};

/// The verdicts of a relation on rows of named values.
fn verdicts(relation: &Relation, world: &mut World, rows: &[Vec<(String, Value)>]) -> Vec<Verdict> {
    let checked =
        &check(&file(relation), &world.functions).unwrap_or_else(|p| panic!("{relation}: {p:?}"))[0];
    let value = |row: &[(String, Value)], name: &str| row.iter().find(|(n, _)| n == name).unwrap().1.clone();
    let rows: Vec<Vec<Value>> =
        rows.iter().map(|row| checked.variables().iter().map(|v| value(row, &v.name)).collect()).collect();
    if checked.variables().is_empty() {
        let one = Program::compile(checked, &world.functions).evaluate(0, &[], world).unwrap();
        return vec![one[0]; rows.len()];
    }
    let columns = world.columns(checked, &rows);
    Program::compile(checked, &world.functions).evaluate(0, &columns, world).unwrap()
}

fn nodes(relation: &Relation) -> usize {
    fn of(e: &Expression) -> usize {
        1 + e.children().into_iter().map(of).sum::<usize>()
    }
    let Body::Calls(expect) = &relation.body else { panic!("primed: {relation}") };
    relation.condition.iter().chain([expect]).map(of).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_global_rejects: 300_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn meaning_is_kept((relation, rows) in cases()) {
        let mut world = world();
        let simple = simplify(&relation, &world.functions);
        prop_assert!(nodes(&simple) <= nodes(&relation), "{} became {}", relation, simple);
        let text = format!("{simple}\n");
        prop_assert_eq!(&parse(&text).unwrap().relations[0], &simple, "{}", text);
        prop_assert_eq!(&simplify(&simple, &world.functions), &simple, "from {}", relation);

        let checked = &check(&file(&relation), &world.functions).unwrap()[0];
        let names: Vec<String> = checked.variables().iter().map(|v| v.name.clone()).collect();
        let rows: Vec<Vec<_>> = rows.into_iter().map(|row| names.iter().cloned().zip(row).collect()).collect();
        let before = verdicts(&relation, &mut world, &rows);
        let after = verdicts(&simple, &mut world, &rows);
        for ((before, after), row) in before.iter().zip(&after).zip(&rows) {
            let guarded = relation.condition != simple.condition
                && *after == Verdict::Ineligible(Ineligible::Condition)
                && !before.is_eligible() | !before.is_violation() | matches!(before, Verdict::Violated(v) if *v != dodona_relations::Violation::False);
            let both_ineligible = !before.is_eligible() && !after.is_eligible();
            prop_assert!(
                before == after || guarded || both_ineligible,
                "{}: {:?}\n{}: {:?}\n{:?}", relation, before, simple, after, row
            );
        }
    }
}
