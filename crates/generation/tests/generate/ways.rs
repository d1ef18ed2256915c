//! Inputs for the ways through all calls of relations.

use dodona_generation::{GenerateOptions, Technique};
use dodona_target::Value;
use dodona_wasm::Workbench;
use dodona_workbench::LabError;

use super::{generate, open, options, replayed, rows, shipped};

/// 1 above 10, else 0.
const STEP: &str = r#"(module (func (export "step") (param $x i32) (result i32)
    (if (i32.gt_s (local.get $x) (i32.const 10)) (then (return (i32.const 1))))
    (i32.const 0)))"#;

fn subject(relations: &str) -> Workbench {
    let folder = tempfile::tempdir().expect("a folder");
    let manifest = r#"
name = "step"
module = "step.wat"
[[function]]
signature = "step(x: i32) -> i32"
relations = ["step.mr"]
domain.x = { range = [0, 1000000] }
"#;
    for (name, text) in [("step.wat", STEP), ("dodona.toml", manifest), ("step.mr", relations)] {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    open(folder.path())
}

fn numbers(workbench: &Workbench, options: &GenerateOptions) -> Vec<i128> {
    let generated = replayed(workbench, 0, options);
    let number = |row: usize| match generated.columns[0].value(row) {
        Value::Int(x) => x,
        other => panic!("{other}"),
    };
    (0..generated.coverage.len()).map(number).collect()
}

/// Two paths of the source call, and three ways: both calls above 10, both below, and one from above to below.
#[test]
fn each_way_through_all_calls_has_an_input() {
    let workbench = subject("relation lower: when x >= 5: given x' = x - 5 expect out' <= out\n");
    assert_eq!(numbers(&workbench, &options(Technique::Path)).len(), 2);
    let mut found = numbers(&workbench, &options(Technique::Ways));
    found.sort_unstable();
    assert_eq!(found.len(), 3, "{found:?}");
    let ways = [5..=10, 11..=15, 16..=1_000_000];
    assert!(ways.iter().zip(&found).all(|(way, x)| way.contains(x)), "{found:?}");
}

/// Few inputs take the ways of several relations at once, and where a single input is wanted, it is one that takes most.
#[test]
fn inputs_that_take_most_ways_are_kept() {
    let workbench = subject(
        "relation lower: when x >= 5: given x' = x - 5 expect out' <= out\n\
         relation higher: when x >= 100: given x' = x + 1 expect out' >= out\n\
         relation twice: when x >= 50: given x' = 2 * x expect out' >= out\n",
    );
    let one = numbers(&workbench, &GenerateOptions { count: Some(1), ..options(Technique::Ways) });
    assert!(matches!(one[..], [100..]), "{one:?}");
    let few = GenerateOptions { count: Some(3), ..options(Technique::Ways) };
    let three = numbers(&workbench, &few);
    assert!(three.iter().any(|x| (11..=15).contains(x)) && three.iter().any(|x| *x <= 10), "{three:?}");
    assert_eq!(three, numbers(&workbench, &few), "the same seed gives the same inputs");
}

/// A relation whose variables are no parameters has ways that an input does not decide.
#[test]
fn relations_that_cannot_be_followed_are_named() {
    let other = "relation both(x: step.x, y: step.x): step(x) + step(y) <= 2\n";
    let refused = generate(&subject(other), 0, &options(Technique::Ways)).map(|made| rows(&made));
    assert!(matches!(&refused, Err(LabError::NoRelations(why)) if why.contains("`step`")), "{refused:?}");
    let both = format!("{other}relation lower: when x >= 5: given x' = x - 5 expect out' <= out\n");
    let generated = replayed(&subject(&both), 0, &options(Technique::Ways));
    let told = generated.record.remarks();
    assert!(told.iter().any(|remark| remark.contains("the ways of both are not followed")), "{told:?}");
}

/// The inputs of DSE, as the study of path-directed source inputs has it, are those of path.
#[test]
fn dse_has_the_inputs_of_path() {
    let fee = shipped("path-directed/baggage");
    let few = |technique| GenerateOptions { count: Some(12), ..options(technique) };
    let [path, dse] =
        [Technique::Path, Technique::Dse].map(|technique| rows(&replayed(&fee, 0, &few(technique))));
    assert_eq!(path, dse);
    assert!(!Technique::Dse.is_ordered() && Technique::Path.is_ordered());
}
