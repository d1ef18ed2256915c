//! Branch sites of modules in the text format and of real clang output, and the identity of paths.

use std::collections::HashSet;

use dodona_subject::{Branches, CodePoint, Module, PathId, wasmparser::Operator};
use proptest::prelude::*;

fn module(text: &str) -> Module {
    Module::parse(wat::parse_str(text).expect("valid text format")).expect("valid module")
}

/// An import, a function with each kind of branch, one with none and one with a single `br_if`.
fn every_kind() -> Module {
    module(
        r#"(module
        (import "env" "f" (func (param i32)))
        (func (param i32) (result i32)
            (if (local.get 0) (then (call 0 (i32.const 1))))
            (block $a (block $b (block $c
                (br_table $a $b $c (local.get 0)))))
            (block (br_if 0 (i32.const 0)) (br 0))
            (select (i32.const 1) (i32.const 2) (local.get 0)))
        (func)
        (func (loop (br_if 0 (i32.const 0)))))"#,
    )
}

#[test]
fn only_conditional_branches_are_sites_in_code_order() {
    let module = every_kind();
    let branches = Branches::of(&module);
    let functions: Vec<_> = (0..branches.sites()).map(|site| branches.point(site).function).collect();
    assert_eq!(functions, [1, 1, 1, 3]);
    assert_eq!((0..5).map(|f| branches.sites_of(f)).collect::<Vec<_>>(), [0..0, 0..3, 3..3, 3..4, 0..0]);
    let directions: Vec<_> = (0..branches.sites()).map(|site| branches.directions(site)).collect();
    assert_eq!(directions, [2, 3, 2, 2]);
    assert_eq!(branches.edges(), 9);
}

#[test]
fn sites_and_code_points_map_both_ways() {
    for module in [
        every_kind(),
        Module::parse(include_bytes!("../testdata/area.wasm").to_vec()).expect("clang's output is valid"),
    ] {
        let branches = Branches::of(&module);
        let mut found = 0;
        for function in 0..module.function_count() + 1 {
            for (instruction, (operator, _)) in (0..).zip(module.operators(function)) {
                let point = CodePoint { function, instruction };
                let branch = matches!(
                    operator,
                    Operator::If { .. } | Operator::BrIf { .. } | Operator::BrTable { .. }
                );
                assert_eq!(branches.site(point), branch.then_some(found), "{point:?} {operator:?}");
                if branch {
                    assert_eq!(branches.point(found), point);
                    found += 1;
                }
            }
        }
        assert!(found > 0);
        assert_eq!(branches.sites(), found);
    }
}

#[test]
fn edges_are_dense_and_map_back() {
    let branches = Branches::of(&every_kind());
    let mut next = 0;
    for site in 0..branches.sites() {
        for direction in 0..branches.directions(site) {
            assert_eq!(branches.edge(site, direction), next);
            assert_eq!(branches.site_of_edge(next), (site, direction));
            next += 1;
        }
    }
    assert_eq!(next, branches.edges());
}

#[test]
fn indices_of_a_table_that_lead_to_one_place_are_one_direction() {
    let module = module(
        "(module (func (param i32) (block $a (block $b (block $c
            (br_table $b $a $b $c $a (local.get 0)))))))",
    );
    let branches = Branches::of(&module);
    assert_eq!(branches.table(0), [0, 1, 0, 2, 1]);
    assert_eq!((branches.directions(0), branches.edges()), (3, 3));
    assert!(Branches::of(&every_kind()).table(0).is_empty(), "an `if` has no table");
}

#[test]
fn a_module_without_branches_has_no_edges() {
    let branches = Branches::of(&module("(module (func))"));
    assert_eq!((branches.sites(), branches.edges()), (0, 0));
    assert_eq!(branches.site(CodePoint { function: 0, instruction: 0 }), None);
}

fn path(edges: &[u32]) -> PathId {
    edges.iter().fold(PathId::START, |path, edge| path.extend(*edge))
}

#[test]
fn a_step_is_as_defined() {
    let product = (PathId::START.hash ^ 8).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    assert_eq!(path(&[7]), PathId { hash: product ^ (product >> 32), length: 1 });
    assert_eq!(PathId::FACTOR % 2, 1);
}

#[test]
fn all_short_paths_over_a_few_edges_differ() {
    let mut seen = HashSet::from([PathId::START.hash]);
    let mut paths = vec![PathId::START];
    for _ in 0..7 {
        paths = paths.iter().flat_map(|path| (0..6).map(|edge| path.extend(edge))).collect();
        assert!(paths.iter().all(|path| seen.insert(path.hash)), "two paths share a hash");
    }
}

proptest! {
    #[test]
    fn a_single_other_decision_is_another_path(
        mut edges in prop::collection::vec(any::<u32>(), 1..40),
        at in any::<prop::sample::Index>(),
        other in any::<u32>(),
    ) {
        let first = path(&edges);
        let at = at.index(edges.len());
        prop_assume!(edges[at] != other);
        edges[at] = other;
        prop_assert_ne!(first, path(&edges));
        prop_assert_eq!(first.length, path(&edges).length);
    }
}
