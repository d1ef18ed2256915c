//! Source inputs of small functions, and functions that are refused.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use dodona_generation::{FrameMaker, InputColumns, constants};
use dodona_inference::discovery::Settings;
use dodona_mutation::{Callees, OperatorSet};
use dodona_sources::Seed;
use dodona_subject::Manifest;
use dodona_target::{Until, Value};

use super::*;
use crate::{Faults, SoFar};

/// A module with this text and a function with this signature.
fn module(text: &str, signature: &str) -> (tempfile::TempDir, Workbench) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.wat"), text).expect("written");
    let path = folder.path().join("dodona.toml");
    let manifest = format!("module = \"m.wat\"\n[[function]]\nsignature = \"{signature}\"\n");
    std::fs::write(&path, manifest).expect("written");
    let manifest = Manifest::find(&path).expect("a manifest");
    (folder, dodona_wasm::open(manifest).expect("it opens"))
}

fn of(workbench: &Workbench, inputs: u64, files: Vec<PathBuf>) -> Result<SourceInputs, LabError> {
    by(workbench, &crate::SOURCES_BY, inputs, files)
}

fn by(
    workbench: &Workbench,
    techniques: &[Technique],
    inputs: u64,
    files: Vec<PathBuf>,
) -> Result<SourceInputs, LabError> {
    let options = DiscoverOptions {
        seed: Seed(1),
        time: None,
        work: None,
        relations: 8,
        everything: false,
        inputs,
        techniques: techniques.to_vec(),
        frames: Some(FrameMaker::new(|_, _, _| {
            Ok(InputColumns { columns: vec![Column::Int(vec![3, 4, 3])], warnings: vec!["few".to_owned()] })
        })),
        files,
        only: Vec::new(),
        mutants: usize::MAX,
        faults: Faults::All,
        transformations: 64,
        executions: 9000,
        callees: Callees::Left,
        operators: OperatorSet::all(),
        hold_out: 0.0,
        forms: Default::default(),
        settings: Settings::default(),
        generations: 0,
        fresh: 0,
        prove: None,
        jobs: NonZeroUsize::MIN,
        evolution_share: 0.0,
        versions: Vec::new(),
        so_far: SoFar::default(),
    };
    sources(workbench, 0, &options, &Until::default())
}

fn refusal(text: &str, signature: &str) -> String {
    let (_folder, workbench) = module(text, signature);
    of(&workbench, 100, Vec::new()).err().map(|error| error.to_string()).expect("it is refused")
}

#[test]
fn techniques_make_inputs_in_the_order_of_the_list() {
    let text = r#"(module (func (export "f") (param i32) (result i32) (local.get 0)))"#;
    let (_folder, workbench) = module(text, "f(x: i32) -> i32");
    // The module has no relations, through which ways would lead.
    for technique in Technique::ALL.into_iter().filter(|technique| *technique != Technique::Ways) {
        let sources = by(&workbench, &[technique], 7, Vec::new()).expect("inputs");
        let counted = match technique {
            Technique::Path => sources.from.paths,
            Technique::Adaptive => sources.from.adaptive,
            Technique::Random => sources.from.random,
            _ => sources.from.others[technique.name()],
        };
        assert!(counted > 0, "{technique:?}");
        assert_eq!((counted, sources.len() as u64), (sources.from.total(), counted), "{technique:?}");
    }
    let twice = by(&workbench, &[Technique::Random, Technique::Path], 7, Vec::new()).expect("inputs");
    let alone = by(&workbench, &[Technique::Random], 7, Vec::new()).expect("inputs");
    assert_eq!(twice.from.random, alone.from.random, "what comes first is counted there");
    assert!((0..alone.len()).all(|row| twice.columns[0].same(row, &alone.columns[0], row)));
}

#[test]
fn each_input_once_with_where_it_is_from() {
    let text = r#"(module (func (export "f") (param i32) (result i32) (local.get 0)))"#;
    let (folder, workbench) = module(text, "f(x: i32) -> i32");
    let file = folder.path().join("some.csv");
    std::fs::write(&file, "x\n3\n4\n3\n").expect("written");
    let found = of(&workbench, 500, vec![file]).expect("sources");
    assert_eq!(found.from.files, 2);
    assert!(found.from.random > 100 && found.from.adaptive > 10, "{:?}", found.from);
    assert_eq!(found.from.total() as usize, found.len());
    let Column::Int(xs) = &found.columns[0] else { panic!("integers") };
    assert_eq!(xs[..2], [3, 4]);
    let mut once = xs.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), xs.len());
    assert_eq!(found.calls.outputs[0], found.columns[0]);
}

#[test]
fn one_boolean_parameter_has_two_inputs() {
    let text = r#"(module (func (export "f") (param i32) (result i32) (i32.eqz (local.get 0))))"#;
    let (_folder, workbench) = module(text, "f(b: bool) -> bool");
    assert_eq!(of(&workbench, 100, Vec::new()).expect("sources").len(), 2);
}

#[test]
fn a_function_without_output_or_parameter_is_refused() {
    let told = refusal(r#"(module (func (export "f") (param i32)))"#, "f(x: i32)");
    assert!(told.starts_with("`f` has no output"), "{told}");
    let told = refusal(r#"(module (func (export "f") (result i32) (i32.const 1)))"#, "f() -> i32");
    assert!(told.starts_with("`f` has no parameter"), "{told}");
}

#[test]
fn a_function_that_never_returns_is_refused() {
    let text = r#"(module (func (export "f") (param i32) (result i32) unreachable))"#;
    let told = refusal(text, "f(x: i32) -> i32");
    assert!(told.starts_with("none of ") && told.contains("trapped: unreachable"), "{told}");
}

#[test]
fn memory_that_no_call_wrote_is_the_same_for_all() {
    // Reads the element after the last.
    let text = r#"(module (memory (export "memory") 2) (func (export "f") (param i32 i32) (result i32)
        (i32.load (i32.add (local.get 0) (i32.shl (local.get 1) (i32.const 2))))))"#;
    let (_folder, workbench) = module(text, "f(xs: [i32]) -> i32");
    assert!(of(&workbench, 100, Vec::new()).is_ok());
}

#[test]
fn constants_are_counted_without_addresses() {
    let text = r#"(module (memory (export "memory") 1) (func (export "f") (param i32 f64) (result f64)
        (i32.store (i32.const 1024) (i32.const 7))
        (drop (i32.load (i32.add (i32.shl (local.get 0) (i32.const 2)) (i32.const 2048))))
        (drop (i32.mul (i32.add (local.get 0) (i32.const 7)) (i32.const -3)))
        (drop (i64.mul (i64.const 5) (i64.const 0)))
        (f64.mul (local.get 1) (f64.const 0.5))))"#;
    let (_folder, workbench) = module(text, "f(n: i32, x: f64) -> f64");
    let found = constants(&workbench, 0);
    let found: Vec<(String, u64)> =
        found.into_iter().map(|(value, count)| (value.to_string(), count)).collect();
    let expected = [("7", 2), ("0.5", 1), ("-3", 1), ("5", 1)];
    assert_eq!(found, expected.map(|(value, count)| (value.to_owned(), count)));
    assert!(matches!(constants(&workbench, 0)[0].0, Value::Int(7)));
}
