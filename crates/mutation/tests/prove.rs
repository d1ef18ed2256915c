//! Mutants put to proof: equivalent on every path, or told apart by an input that was run.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use dodona_generation::SearchOptions;
use dodona_mutation::{
    Callees, KeepMatrix, MutateOptions, MutateOutcome, MutationBounds, OperatorSet, mutate, prove_mutants,
};
use dodona_records::{Against, Judgement, Mode, MutationRecord, Proof, Pruning, Symbolic};
use dodona_sources::Seed;
use dodona_subject::Manifest;
use dodona_target::Interruption;

fn options() -> SearchOptions {
    SearchOptions {
        longest: 3,
        time: Some(Duration::from_secs(300)),
        query_time: Some(Duration::from_secs(60)),
        ..SearchOptions::default()
    }
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
        made: vec![],
        seed: Seed(5),
        jobs: NonZeroUsize::new(2).expect("two"),
        mode: Mode::EachRelation,
        pruning: Pruning::Infected,
        keep_matrix: KeepMatrix::No,
        bounds: MutationBounds::default(),
        versions: Vec::new(),
    }
}

/// The mutants of a function in the text format, after those that no input reveals were put to proof.
fn proved(signature: &str, wat: &str) -> MutationRecord {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.wat"), wat).expect("written");
    let text = format!("module = 'm.wat'\n[[function]]\nsignature = '{signature}'\n");
    let manifest = Manifest::parse(&folder.path().join("dodona.toml"), &text).expect("valid");
    let workbench = Arc::new(dodona_wasm::open(manifest).expect("opened"));
    let (mutation, idle) = (mutation(Against::Inputs), Interruption::default());
    let outcome = mutate(&workbench, &mutation, &idle, &mut |_| {}).expect("analysed");
    let MutateOutcome::Analysed(mut analysed) = outcome else { panic!("there are no relations") };
    let options = SearchOptions { query_time: Some(Duration::from_secs(1)), ..options() };
    prove_mutants(&workbench, &mutation, &options, &mut analysed.record, &idle, &mut |_, _| {})
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
fn a_mutant_that_only_other_random_bytes_reveal_is_not_proved_equivalent() {
    // The seeded byte is not 17, so that no run sees the branch.
    let wat = "(module (import \"wasi_snapshot_preview1\" \"random_get\" (func $random_get (param i32 i32) (result i32)))
        (memory (export \"memory\") 1)
        (func (export \"f\") (param i32) (result i32)
            (drop (call $random_get (i32.const 0) (i32.const 1)))
            (if (i32.eq (i32.load8_u (i32.const 0)) (i32.const 17)) (then (return (i32.const 0))))
            (i32.add (local.get 0) (i32.const 1))))";
    let record = proved("f(x: i32) -> i32", wat);
    let by_paths = Judgement::Equivalent { proof: Proof::EveryPath };
    assert!(record.mutants.iter().all(|m| m.judgement != by_paths), "{record:#?}");
    let open = record.mutants.iter().filter_map(|m| match &m.symbolic {
        Some(Symbolic::Open { why }) => Some(why.join("; ")),
        _ => None,
    });
    assert!(open.filter(|why| why.contains("random bytes")).count() > 0, "{record:#?}");
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
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/triangle/dodona.toml");
    let workbench = dodona_wasm::open(Manifest::read(&manifest).expect("a manifest")).expect("opened");
    let workbench = Arc::new(workbench);
    let mutation = MutateOptions { relations: vec!["swap_first".to_owned()], ..mutation(Against::Both) };
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
    // What their states decide is told at once, the others one by one.
    let mut told = Vec::new();
    prove_mutants(&workbench, &mutation, &options(), record, &idle, &mut |done, planned| {
        assert_eq!(planned, open.len() as u64);
        told.push(done);
    })
    .expect("proved");
    let by_state = told[0];
    assert!(by_state > 10, "{by_state}");
    assert_eq!(told, (by_state..=open.len() as u64).collect::<Vec<_>>());
    let of = |id| record.mutants.iter().find(|m| m.id == id).expect("a mutant");
    let equivalent = |m: &dodona_records::MutantRecord| {
        let by = |proof| m.judgement == Judgement::Equivalent { proof };
        by(Proof::EveryState) || by(Proof::EveryPath)
    };
    let differs = |m: &dodona_records::MutantRecord| match &m.symbolic {
        Some(Symbolic::Differs { expected, found, input, .. }) => expected != found && input.len() == 3,
        _ => false,
    };
    assert!(open.iter().all(|id| equivalent(of(*id)) || differs(of(*id))), "each is decided");
    assert!(open.iter().filter(|id| equivalent(of(**id))).count() > 20);
    assert!(open.iter().filter(|id| differs(of(**id))).count() > 20);
}
