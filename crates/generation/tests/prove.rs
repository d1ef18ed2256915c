//! Proofs over all paths: relations of shipped subjects, and wrong relations.

use std::path::{Path, PathBuf};
use std::time::Duration;

use dodona_generation::{Bounds, SearchOptions, StepLimits, prove};
use dodona_records::ProofVerdict;
use dodona_subject::Manifest;
use dodona_target::Interruption;
use dodona_wasm::Workbench;

fn options() -> SearchOptions {
    SearchOptions {
        longest: 3,
        time: Some(Duration::from_secs(300)),
        query_time: Some(Duration::from_secs(60)),
        ..SearchOptions::default()
    }
}

fn subjects() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects")
}

/// A manifest in a folder of its own over the source of a shipped subject.
fn workbench(source: &str, function: &str, relations: &str) -> (tempfile::TempDir, Workbench) {
    let folder = tempfile::tempdir().expect("a folder");
    let source = subjects().join(source);
    let name = source.file_name().and_then(|name| name.to_str()).expect("a file");
    std::fs::copy(&source, folder.path().join(name)).expect("copied");
    std::fs::write(folder.path().join("relations.mr"), relations).expect("written");
    let path = folder.path().join("dodona.toml");
    let text = format!(
        "name = 's'\nrelations = ['relations.mr']\n[build]\nc = ['{name}']\nflags = ['-fwrapv']\n[[function]]\n{function}\n"
    );
    let manifest = Manifest::parse(&path, &text).unwrap_or_else(|problems| panic!("{problems:?}"));
    let workbench = dodona_wasm::open(manifest).unwrap_or_else(|error| panic!("{error}"));
    (folder, workbench)
}

fn verdicts(workbench: &Workbench, options: &SearchOptions) -> Vec<ProofVerdict> {
    let all = workbench.select(&[]).expect("relations");
    let record = prove(workbench, &all, options, &Interruption::default(), &mut |_| {}).expect("provable");
    record.relations.into_iter().map(|proof| proof.verdict).collect()
}

const TRIANGLE: &str = "signature = 'triangle(a: i32, b: i32, c: i32) -> i32'";

#[test]
fn the_symmetry_of_triangle_holds_for_all_of_32_bits() {
    let relations = "relation swap: triangle(b, a, c) == triangle(a, b, c)";
    let (_folder, workbench) = workbench("triangle/triangle.c", TRIANGLE, relations);
    assert_eq!(verdicts(&workbench, &options()), [ProofVerdict::Proved { longest: None }]);
}

#[test]
fn a_wrong_relation_is_refuted_by_an_input_that_was_run() {
    let relations = "relation wrong: triangle(a, b, c + 1) == triangle(a, b, c)";
    let (_folder, workbench) = workbench("triangle/triangle.c", TRIANGLE, relations);
    let verdicts = verdicts(&workbench, &options());
    let [ProofVerdict::Refuted { counterexample }] = &verdicts[..] else { panic!("{verdicts:?}") };
    assert_eq!(counterexample.calls.len(), 2);
    assert!(counterexample.why.starts_with("violated"), "{}", counterexample.why);
    assert_eq!(counterexample.source.len(), 3);
}

#[test]
fn gcd_is_commutative_where_its_loop_is_bounded() {
    let function = "signature = 'gcd(p: i32, q: i32) -> i32'\n\
                    domain.p = { range = [0, 12] }\ndomain.q = { range = [0, 12] }";
    let relations = "relation commutative: gcd(p, q) == gcd(q, p)";
    let (_folder, workbench) = workbench("gcd/gcd.c", function, relations);
    assert_eq!(verdicts(&workbench, &options()), [ProofVerdict::Proved { longest: None }]);
}

#[test]
fn a_proof_that_meets_a_bound_is_none() {
    let function = "signature = 'gcd(p: i32, q: i32) -> i32'\n\
                    domain.p = { range = [0, 33] }\ndomain.q = { range = [0, 33] }";
    let relations = "relation commutative: gcd(p, q) == gcd(q, p)";
    let (_folder, workbench) = workbench("gcd/gcd.c", function, relations);
    let step = StepLimits { loop_bound: 2, ..StepLimits::default() };
    let options = SearchOptions { bounds: Bounds { step, ..Bounds::default() }, ..options() };
    let verdicts = verdicts(&workbench, &options);
    let [ProofVerdict::Unknown { why }] = &verdicts[..] else { panic!("{verdicts:?}") };
    assert!(why.iter().any(|why| why.contains("--loop-bound")), "{why:?}");
}

#[test]
fn sequences_are_proved_up_to_a_length() {
    let function = "signature = 'insertion_sort(xs: [i32])'\nlower.xs = 'in-out'";
    let relations = "relation twice: insertion_sort(insertion_sort(xs).xs).xs == insertion_sort(xs).xs";
    let (_folder, workbench) = workbench("sorting/sorting.c", function, relations);
    assert_eq!(verdicts(&workbench, &options()), [ProofVerdict::Proved { longest: Some(3) }]);
}

#[test]
fn text_beyond_ascii_is_not_left_out_of_a_proof() {
    let folder = tempfile::tempdir().expect("a folder");
    // The bytes of a text: two for the "é" that is eligible.
    let wat = "(module (memory 1) (func (export \"f\") (param i32 i32) (result i32) (local.get 1)))";
    std::fs::write(folder.path().join("m.wat"), wat).expect("written");
    let relation = "relation bytes: when t == \"a\" or (t == \"é\" and len(t) == 1): f(t) == 1\n";
    std::fs::write(folder.path().join("r.mr"), relation).expect("written");
    let text = "module = 'm.wat'\nrelations = ['r.mr']\n[[function]]\nsignature = 'f(t: text) -> i32'\n";
    let manifest = Manifest::parse(&folder.path().join("dodona.toml"), text).expect("valid");
    let verdicts = verdicts(&dodona_wasm::open(manifest).expect("opened"), &options());
    let [ProofVerdict::Unknown { why }] = &verdicts[..] else { panic!("{verdicts:?}") };
    assert_eq!(*why, ["text beyond ASCII"]);
}

#[test]
fn without_time_nothing_is_proved_and_every_relation_is_told() {
    let relations = "relation swap: triangle(b, a, c) == triangle(a, b, c)\n\
                     relation turn: triangle(b, c, a) == triangle(a, b, c)\n\
                     relation wrong: triangle(a, b, c) == triangle(a, b, c) + 1";
    let (_folder, workbench) = workbench("triangle/triangle.c", TRIANGLE, relations);
    for verdict in verdicts(&workbench, &SearchOptions { time: Some(Duration::from_nanos(1)), ..options() }) {
        assert!(matches!(verdict, ProofVerdict::Unknown { .. }), "{verdict:?}");
    }
    let all = workbench.select(&[]).expect("relations");
    let record = prove(&workbench, &all, &options(), &Interruption::raised(), &mut |_| {}).expect("it ends");
    assert_eq!(record.relations.len(), 3);
    assert!(record.relations.iter().all(|proof| matches!(proof.verdict, ProofVerdict::Unknown { .. })));
}

/// A module that is written in full, with one function.
fn of_text(wat: &str, relations: &str) -> (tempfile::TempDir, Workbench) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.wat"), wat).expect("written");
    std::fs::write(folder.path().join("relations.mr"), relations).expect("written");
    let text = "name = 's'\nmodule = 'm.wat'\nrelations = ['relations.mr']\n[[function]]\nsignature = 'f(n: i32) -> i32'\n";
    let manifest =
        Manifest::parse(&folder.path().join("dodona.toml"), text).unwrap_or_else(|e| panic!("{e:?}"));
    let workbench = dodona_wasm::open(manifest).unwrap_or_else(|error| panic!("{error}"));
    (folder, workbench)
}

#[test]
fn nothing_is_proved_of_a_call_that_comes_to_an_import_that_is_not_offered() {
    // The names are those of functions that are modelled, in another module, and with other types.
    for import in
        [r#""env" "now" (func $i)"#, r#""env" "proc_exit" (func $i)"#, r#""env" "sched_yield" (func $i)"#]
    {
        let wat = format!(
            r#"(module (import {import}) (func (export "f") (param i32) (result i32)
                (if (i32.eq (local.get 0) (i32.const 12345)) (then (call $i))) (i32.const 2)))"#
        );
        let relations = "relation two: f(n) == 2\nrelation still: f(n) traps or f(n) == 2";
        let (_folder, workbench) = of_text(&wat, relations);
        for verdict in verdicts(&workbench, &options()) {
            let ProofVerdict::Unknown { why } = &verdict else { panic!("{import}: {verdict:?}") };
            assert!(why.iter().any(|why| why.contains("import")), "{why:?}");
        }
    }
}

#[test]
fn a_library_function_that_exits_has_no_result() {
    // Were the exit code taken for the result, or the texts of a command, the first relation would be proved.
    let wat = r#"(module (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
        (func (export "f") (param i32) (result i32)
            (if (i32.eq (local.get 0) (i32.const 12345)) (then (call $exit (i32.const 2)))) (i32.const 2)))"#;
    let (_folder, workbench) = of_text(wat, "relation returns: not (f(n) traps)\nrelation two: f(n) == 2");
    let verdicts = verdicts(&workbench, &options());
    assert!(matches!(verdicts[0], ProofVerdict::Refuted { .. }), "{verdicts:?}");
    assert_eq!(verdicts[1], ProofVerdict::Proved { longest: None }, "where the source call returns");
}
