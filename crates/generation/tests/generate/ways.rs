//! Inputs for the ways through the source and follow-up calls of relations.

use std::collections::BTreeSet;

use dodona_generation::{GenerateOptions, Generated, Technique};
use dodona_target::Value;
use dodona_wasm::Workbench;

use super::{generate, open, options, replayed, shipped};

/// 1 above 100, else 0.
const STEP: &str = r#"(module (func (export "f") (param i32) (result i32)
    (if (result i32) (i32.gt_s (local.get 0) (i32.const 100)) (then (i32.const 1)) (else (i32.const 0)))))"#;

/// Counts down to 100; 0 below that.
const TURNS: &str = r#"(module (func (export "f") (param i32) (result i32) (local i32)
    (if (i32.le_s (local.get 0) (i32.const 100)) (then (return (i32.const 0))))
    (loop $again
        (local.set 1 (i32.add (local.get 1) (i32.const 1)))
        (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
        (br_if $again (i32.gt_s (local.get 0) (i32.const 100))))
    (local.get 1)))"#;

/// A function of an integer from 0 to 200 with relations.
fn with_relations(wat: &str, relations: &str) -> Workbench {
    let folder = tempfile::tempdir().expect("a folder");
    let manifest = "name = \"small\"\nmodule = \"small.wat\"\n[[function]]\nsignature = \"f(x: i32) -> i32\"\n\
                    relations = [\"small.mr\"]\ndomain.x = { range = [0, 200] }\n";
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("dodona.toml", manifest);
    write("small.wat", wat);
    write("small.mr", relations);
    open(folder.path())
}

fn ways(count: Option<usize>) -> GenerateOptions {
    GenerateOptions { count, ..options(Technique::Ways) }
}

fn integers(generated: &Generated) -> Vec<i128> {
    let column = &generated.columns[0];
    (0..column.len())
        .map(|row| match column.value(row) {
            Value::Int(x) => x,
            other => panic!("{other:?}"),
        })
        .collect()
}

#[test]
fn each_way_through_a_relation_has_an_input() {
    let workbench = with_relations(STEP, "relation up: f(x + 60) >= f(x)\n");
    let path = replayed(&workbench, 0, &options(Technique::Path));
    assert_eq!(path.record.inputs, 2, "below and above");
    let generated = replayed(&workbench, 0, &ways(None));
    // By hand: both calls below, the second alone above, both above. A fourth is impossible.
    let sides: Vec<(bool, bool)> =
        integers(&generated).into_iter().map(|x| (x > 100, x + 60 > 100)).collect();
    let different: BTreeSet<_> = sides.iter().copied().collect();
    assert_eq!(different, BTreeSet::from([(false, false), (false, true), (true, true)]));
    assert_eq!(sides.len(), 3, "and none has two");
    assert!(
        integers(&generated).iter().all(|x| (0..=140).contains(x)),
        "the follow-up input is in the domain"
    );
    assert!(generated.record.warnings.is_empty(), "{:?}", generated.record.warnings);
    let again = replayed(&workbench, 0, &ways(None));
    assert_eq!(integers(&again), integers(&generated));
}

#[test]
fn the_ways_of_relations_are_pooled_and_few_inputs_take_many() {
    let relations = "relation up: f(x + 60) >= f(x)\nrelation down: f(x - 60) <= f(x)\n";
    let workbench = with_relations(STEP, relations);
    // Five ways; three inputs are enough: in 0..=40 and in 41..=100 with the follow-up input up, in 101..=140 with both.
    let both = integers(&replayed(&workbench, 0, &ways(Some(3))));
    let taken = |x: &i128| [(*x + 60 <= 200, *x > 100, *x + 60 > 100), (*x >= 60, *x > 100, *x - 60 > 100)];
    let of = |place: usize| -> BTreeSet<_> { both.iter().map(|x| taken(x)[place]).filter(|t| t.0).collect() };
    assert_eq!(both.len(), 3);
    assert!(of(0).len() + of(1).len() >= 4, "{both:?}");
    let of_up = GenerateOptions { relations: Some(vec![0]), ..ways(None) };
    assert!(integers(&replayed(&workbench, 0, &of_up)).iter().all(|x| *x <= 140), "eligible for `up`");
}

#[test]
fn as_many_inputs_as_are_wanted_take_the_same_ways_again() {
    let workbench = with_relations(STEP, "relation up: f(x + 60) >= f(x)\n");
    let mut found = integers(&replayed(&workbench, 0, &ways(Some(20))));
    assert_eq!(found.len(), 20);
    found.sort_unstable();
    found.dedup();
    assert_eq!(found.len(), 20);
}

#[test]
fn without_ways_the_inputs_are_those_of_paths_and_without_relations_there_are_none() {
    let never = with_relations(STEP, "relation never: when x < 0: f(x + 1) == f(x)\n");
    let generated = replayed(&never, 0, &ways(None));
    assert_eq!(generated.record.inputs, 2);
    let warnings = &generated.record.warnings;
    assert!(warnings.iter().any(|words| words.contains("no way through a relation")), "{warnings:?}");
    let none = with_relations(STEP, "relation of_none: f(3) == f(4)\n");
    let error = generate(&none, 0, &ways(None)).expect_err("no relation takes an input");
    assert!(error.to_string().contains("takes an input of `f`"), "{error}");
}

/// An input below 100 leaves open how often the loop of the follow-up call turns.
#[test]
fn ways_with_a_loop_end_at_its_bound_and_say_so() {
    let workbench = with_relations(TURNS, "relation further: f(x + 100) >= f(x)\n");
    let options = |count| {
        let mut options = ways(count);
        options.search.bounds.step.loop_bound = 5;
        options
    };
    let generated = replayed(&workbench, 0, &options(None));
    let warnings = &generated.record.warnings;
    assert!(
        warnings.iter().any(|words| words.contains("`further`") && words.contains("loop")),
        "{warnings:?}"
    );
    assert!(generated.record.inputs > 1);
    assert_eq!(replayed(&workbench, 0, &options(Some(4))).record.inputs, 4);
}

/// The second variable of the relation is no input of a suite; what is drawn for it decides which way is taken.
#[test]
fn other_variables_are_no_part_of_an_input() {
    let workbench = with_relations(STEP, "relation sum(x: f.x, y: f.x): f(x) + f(y) >= f(x)\n");
    let generated = replayed(&workbench, 0, &ways(None));
    assert_eq!(generated.columns.len(), 1);
    let sides: BTreeSet<bool> = integers(&generated).into_iter().map(|x| x > 100).collect();
    assert_eq!(sides.len(), 2);
}

/// Each input is run through its group, and a way that is not the predicted one is a mismatch, which `replayed` refuses.
#[test]
fn ways_through_shipped_relations_are_taken_as_predicted() {
    for name in ["triangle", "mymethod", "path-directed/baggage", "path-directed/phone", "sorting"] {
        let workbench = shipped(name);
        let generated = replayed(&workbench, 0, &ways(Some(25)));
        let predicted =
            generated.paths.iter().filter(|input| input.way.as_ref().is_some_and(|w| w.is_certain));
        assert!(predicted.count() > 0, "{name}");
        assert_eq!(generated.record.inputs, 25, "{name}: {:?}", generated.record.warnings);
    }
}
