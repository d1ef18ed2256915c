//! Proofs over all paths: relations of shipped subjects, wrong relations, and mutants.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use dodona_evidence::{Against, Judgement, Mode, MutationRecord, Proof, ProofVerdict, Pruning, Symbolic};
use dodona_generation::{Bounds, SearchOptions, SearchOrder, StepLimits, prove};
use dodona_mutants::{Callees, OperatorSet};
use dodona_mutation::{KeepMatrix, MutateOptions, MutateOutcome, MutationBounds, mutate, prove_mutants};
use dodona_sources::Seed;
use dodona_subject::Manifest;
use dodona_workbench::{Interruption, Workbench};

fn options() -> SearchOptions {
    SearchOptions {
        longest: 3,
        order: SearchOrder::default(),
        bounds: Bounds::default(),
        time: Some(Duration::from_secs(300)),
        query_time: Some(Duration::from_secs(60)),
        solver: None,
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
    let workbench = Workbench::open(manifest).unwrap_or_else(|error| panic!("{error}"));
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
                    domain.p = { range = [0, 100] }\ndomain.q = { range = [0, 100] }";
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

/// So few inputs that many mutants are left over.
fn mutation(against: Against) -> MutateOptions {
    MutateOptions {
        functions: vec![],
        callees: Callees::Left,
        operators: OperatorSet::all(),
        relations: vec![],
        against,
        inputs: 20,
        files: vec![],
        seed: Seed(5),
        jobs: NonZeroUsize::new(2).expect("two"),
        mode: Mode::EachRelation,
        pruning: Pruning::Infected,
        keep_matrix: KeepMatrix::No,
        bounds: MutationBounds::default(),
    }
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
    let verdicts = verdicts(&Workbench::open(manifest).expect("opened"), &options());
    let [ProofVerdict::Unknown { why }] = &verdicts[..] else { panic!("{verdicts:?}") };
    assert_eq!(*why, ["text beyond ASCII"]);
}

/// The mutants of a function in the text format, after those that no input reveals were put to proof.
fn proved(signature: &str, wat: &str) -> MutationRecord {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.wat"), wat).expect("written");
    let text = format!("module = 'm.wat'\n[[function]]\nsignature = '{signature}'\n");
    let manifest = Manifest::parse(&folder.path().join("dodona.toml"), &text).expect("valid");
    let workbench = Arc::new(Workbench::open(manifest).expect("opened"));
    let (mutation, idle) = (mutation(Against::Inputs), Interruption::default());
    let outcome = mutate(&workbench, &mutation, &idle, &mut |_| {}).expect("analysed");
    let MutateOutcome::Analysed(mut analysed) = outcome else { panic!("there are no relations") };
    prove_mutants(&workbench, &mutation, &options(), &mut analysed.record, &idle, &mut |_, _| {})
        .expect("proved");
    analysed.record
}

#[test]
fn a_mutant_that_differs_in_the_sign_of_a_zero_is_not_proved_equivalent() {
    let wat = "(module (func (export \"f\") (param f64) (result f64) (f64.add (local.get 0) (f64.const 0))))";
    let record = proved("f(x: f64) -> f64", wat);
    // -0.0 - 0 is -0.0, and -0.0 + 0 is 0.0.
    let minus = record.mutants.iter().find(|m| m.after.contains("f64.sub")).expect("AOR");
    assert_eq!(minus.judgement, Judgement::Alive);
    let Some(Symbolic::Open { why }) = &minus.symbolic else { panic!("{:?}", minus.symbolic) };
    assert!(why[0].contains("sign of a zero"), "{why:?}");
}

#[test]
fn what_is_malformed_is_the_same_whatever_it_was() {
    // Each result is outside of bool, and so are most of the mutants' results: no run tells them apart.
    let wat =
        "(module (func (export \"f\") (param i32) (result i32) (i32.or (local.get 0) (i32.const 256))))";
    let record = proved("f(x: i32) -> bool", wat);
    assert_eq!(record.contradictions, [""; 0]);
    let by_paths = Judgement::Equivalent { proof: Proof::EveryPath };
    assert!(record.mutants.iter().any(|m| m.judgement == by_paths), "{record:#?}");
}

#[test]
fn mutants_are_equivalent_on_every_path_or_differ_on_an_input_that_was_run() {
    let relations = "relation swap: triangle(b, a, c) == triangle(a, b, c)";
    let (_folder, workbench) = workbench("triangle/triangle.c", TRIANGLE, relations);
    let workbench = Arc::new(workbench);
    let mutation = mutation(Against::Both);
    let idle = Interruption::default();
    let outcome = mutate(&workbench, &mutation, &idle, &mut |_| {}).expect("analysed");
    let MutateOutcome::Analysed(mut analysed) = outcome else { panic!("the relation holds") };
    let record = &mut analysed.record;
    let open: Vec<_> = record
        .mutants
        .iter()
        .filter(|m| m.judgement == Judgement::Alive && m.revealed_by.is_none())
        .map(|m| m.id)
        .collect();
    let mut told = 0;
    prove_mutants(&workbench, &mutation, &options(), record, &idle, &mut |done, planned| {
        told += 1;
        assert_eq!((done, planned), (told, open.len() as u64));
    })
    .expect("proved");
    assert_eq!(told, open.len() as u64);
    let of = |id| record.mutants.iter().find(|m| m.id == id).expect("a mutant");
    let equivalent =
        |m: &dodona_evidence::MutantRecord| m.judgement == Judgement::Equivalent { proof: Proof::EveryPath };
    let differs = |m: &dodona_evidence::MutantRecord| match &m.symbolic {
        Some(Symbolic::Differs { expected, found, input, .. }) => expected != found && input.len() == 3,
        _ => false,
    };
    assert!(open.iter().all(|id| equivalent(of(*id)) || differs(of(*id))), "each is decided");
    assert!(open.iter().filter(|id| equivalent(of(**id))).count() > 20);
    assert!(open.iter().filter(|id| differs(of(**id))).count() > 20);
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
