//! Tests that terms which the rules call equal are equal on every row: not only the best term of a class, but any of
//! its terms.
#![allow(clippy::unwrap_used, reason = "what fails here has failed the test")]

use std::hash::{DefaultHasher, Hash, Hasher};

use dodona_relations::ast::{Expression, Relation};
use dodona_relations::{Program, Verdict, Violation, check};
use dodona_target::Value;
use egg::{CostFunction, Id};
use proptest::prelude::*;

use self::common::World;
use self::random::{cases, dense_cases, file, world};
use super::saturate::{Kept, Saturated};
use super::term::Term;
use super::written::Written;

#[path = "../../relations/tests/common/mod.rs"]
mod common;
#[path = "../../relations/tests/random/mod.rs"]
mod random;

/// A cost that prefers arbitrary nodes, so that tests reach arbitrary terms of a class.
struct Whim(u64);

impl CostFunction<Term> for Whim {
    type Cost = u64;

    fn cost<C: FnMut(Id) -> u64>(&mut self, term: &Term, mut costs: C) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.0, term).hash(&mut hasher);
        let own = 1 + hasher.finish() % 16;
        term.operands.iter().fold(own, |sum, id| sum.saturating_add(costs(*id)))
    }
}

/// The verdicts of a relation on rows of named values.
fn verdicts(
    relation: &Relation,
    world: &mut World,
    rows: &[Vec<(String, dodona_target::Value)>],
) -> Vec<Verdict> {
    let checked =
        &check(&file(relation), &world.functions).unwrap_or_else(|p| panic!("{relation}: {p:?}"))[0];
    let program = Program::compile(checked, &world.functions);
    let value = |row: &[(String, dodona_target::Value)], name: &str| {
        row.iter().find(|(n, _)| n == name).unwrap().1.clone()
    };
    let named = |row: &Vec<_>| checked.variables().iter().map(|v| value(row, &v.name)).collect();
    let columns = world.columns(checked, &rows.iter().map(named).collect::<Vec<_>>());
    let verdicts = program.evaluate(0, &columns, world).unwrap();
    // Without variables there is a single row, whose verdict counts for all rows.
    if columns.is_empty() { vec![verdicts[0]; rows.len()] } else { verdicts }
}

/// Relations that rules may change: those that choose between values are left as they are.
fn without_choices() -> impl Strategy<Value = (Relation, Vec<Vec<Value>>)> {
    let is_read = |(relation, _): &(Relation, Vec<Vec<Value>>)| !relation.to_string().contains("if ");
    prop_oneof![cases(), dense_cases()].prop_filter("no rule changes a choice", is_read)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, max_global_rejects: 300_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_terms_of_a_class_are_equal((relation, rows) in without_choices(), hold in any::<bool>(), seed in any::<u64>()) {
        let mut world = world();
        let functions = world.functions.clone();
        let written = Written::new(relation.clone(), &functions).unwrap();
        let [condition, expect] = written.parts();
        let expressions: [&Expression; 2] = [&condition, &expect];
        let groups = [(written.scope.calls(), &expressions[..])];
        let calls = Saturated::new(&written.scope, &groups, &Kept::default()).unwrap().calls();
        let kept = if hold { Kept { calls, arguments: false } } else { Kept::default() };
        let mut terms = Saturated::new(&written.scope, &groups, &kept).unwrap();

        let names: Vec<String> = written.scope.variables().iter().map(|v| v.name.clone()).collect();
        let rows: Vec<Vec<_>> = rows.into_iter().map(|row| names.iter().cloned().zip(row).collect()).collect();
        let before = verdicts(&relation, &mut world, &rows);
        for whim in 0..5 {
            let any = terms.written(|_| Whim(seed.wrapping_add(whim))).unwrap();
            let lost = terms.lost(&written.scope, &any);
            if lost.is_none_or(|lost| !lost.is_empty()) {
                continue;
            }
            let [condition, expect] = <[Expression; 2]>::try_from(any).unwrap();
            let Some(other) = written.rewritten(condition, expect) else { continue };
            let after = verdicts(&other.relation, &mut world, &rows);
            for ((before, after), row) in before.iter().zip(&after).zip(&rows) {
                // If several calls failed, the simplified relation may report another one first.
                let failed = |verdict| matches!(verdict, Verdict::Violated(Violation::FollowUp(_)));
                let same = before == after
                    || (failed(*before) && failed(*after))
                    || (!before.is_eligible() && !after.is_eligible());
                prop_assert!(same, "{}: {:?}\n{}: {:?}\n{:?}", relation, before, other.relation, after, row);
            }
        }
    }
}
