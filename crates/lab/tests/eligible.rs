//! An input outside of its domain is ineligible, whichever way it comes in.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use dodona_generation::{Bounds, GenerateOptions, SearchOptions, SearchOrder, Technique, generate, prove};
use dodona_mutation::{
    Callees, KeepMatrix, MutateOptions, MutateOutcome, MutationBounds, OperatorSet, mutate,
};
use dodona_records::{Against, CheckRecord, Mode, ProofVerdict, Pruning, RelationVerdict};
use dodona_sources::{Seed, regressions};
use dodona_subject::Manifest;
use dodona_target::{Column, Interruption, Value};
use dodona_wasm::Workbench;
use dodona_workbench::{CheckOptions, Regressions, check, eligible_rows, inputs, replay};

const WAT: &str = r#"(module
  (func (export "idi") (param i32) (result i32) (local.get 0))
  (func (export "idf") (param f32) (result f32) (local.get 0))
  (func (export "other") (param i32) (result i32) (i32.add (local.get 0) (i32.const 1))))"#;

const MANIFEST: &str = r#"
module = "m.wat"
relations = ["m.mr"]
[[function]]
signature = "idi(x: i32) -> i32"
domain.x = { range = [0, 10], except = [7] }
[[function]]
signature = "idf(g: f32) -> f32"
domain.g = { values = [0.1, 0.5] }
[[function]]
signature = "other(y: i32) -> i32"
"#;

/// All of them hold on the domains alone.
const RELATIONS: &str = "
relation bounded:           idi(x) <= 10
relation never_seven:       idi(x) != 7
relation header(v: idi.x):  other(v) <= 11
relation unused(v: idi.x):  v <= 10 and other(y) != y
relation follow_up:         idi(x) + 0 <= 10 and other(idi(x)) != 8
relation listed:            idf(g) == g and (g < 0.2 or g == 0.5)
relation listed_unused(w: idf.g): w <= 0.5 and other(y) != y
";

fn subject(folder: &Path, relations: &str) -> Arc<Workbench> {
    for (name, text) in [("m.wat", WAT), ("m.toml", MANIFEST), ("m.mr", relations)] {
        std::fs::write(folder.join(name), text).expect("writes");
    }
    let manifest = Manifest::find(&folder.join("m.toml")).unwrap_or_else(|e| panic!("{e:#?}"));
    Arc::new(dodona_wasm::open(manifest).unwrap_or_else(|e| panic!("{e:#?}")))
}

/// A file with inputs inside and outside: 3 of 6 numbers, 2 of 6 listed ones.
fn file(folder: &Path) -> PathBuf {
    let path = folder.join("inputs.csv");
    let rows = "x,v,y,g,w\n5,5,1,0.1,0.1\n50,50,1,0.3,0.6\n-1,-1,1,0.6,0.6\n0,0,1,0.5,0.5\n7,7,1,nan,nan\n10,10,1,7,7\n";
    std::fs::write(&path, rows).expect("writes");
    path
}

fn options(files: Vec<PathBuf>, regressions: Regressions) -> CheckOptions {
    CheckOptions {
        sources: 300,
        files,
        made: Vec::new(),
        relations: vec![],
        seed: Seed(1),
        jobs: NonZeroUsize::MIN,
        regressions,
        shrink_fuel: CheckOptions::SHRINK_FUEL,
        explains: true,
    }
}

fn run(workbench: &Arc<Workbench>, options: &CheckOptions) -> CheckRecord {
    check(workbench.clone(), options, &Interruption::default(), &mut |_| {})
        .unwrap_or_else(|e| panic!("{e:#?}"))
}

fn outside(record: &CheckRecord, name: &str) -> u64 {
    record.relations.iter().find(|r| r.name == name).expect("checked").tally.out_of_domain
}

fn search() -> SearchOptions {
    SearchOptions {
        longest: 2,
        order: SearchOrder::default(),
        bounds: Bounds::default(),
        time: Some(Duration::from_secs(120)),
        query_time: Some(Duration::from_secs(60)),
        solver: None,
        ..SearchOptions::default()
    }
}

#[test]
fn random_inputs_and_those_of_files_are_counted_as_out_of_domain() {
    let folder = tempfile::tempdir().expect("a folder");
    let workbench = subject(folder.path(), RELATIONS);
    for (files, expected) in [(vec![], [0; 7]), (vec![file(folder.path())], [3, 3, 3, 3, 3, 4, 4])] {
        let record = run(&workbench, &options(files, Regressions::Ignore));
        for (relation, expected) in record.relations.iter().zip(expected) {
            assert_eq!(relation.verdict(), RelationVerdict::Holds, "{}", relation.name);
            assert_eq!(relation.tally.out_of_domain, expected, "{}", relation.name);
        }
    }
}

#[test]
fn kept_regressions_and_replays_are_held_to_the_domain_too() {
    let folder = tempfile::tempdir().expect("a folder");
    // Kept when the domain was wider.
    let wider = MANIFEST.replace("range = [0, 10]", "range = [0, 100]");
    let workbench = subject(folder.path(), RELATIONS);
    std::fs::write(folder.path().join("m.toml"), wider).expect("writes");
    let manifest = Manifest::find(&folder.path().join("m.toml")).expect("a manifest");
    let wide = Arc::new(dodona_wasm::open(manifest).expect("it opens"));
    let record = run(&wide, &options(vec![], Regressions::Keep));
    assert_eq!(record.relations[0].verdict(), RelationVerdict::Violated);
    let kept = record.relations[0].counterexample.as_ref().and_then(|c| c.kept.clone()).expect("kept");
    let again = run(&workbench, &options(vec![], Regressions::Keep));
    assert_eq!(again.relations[0].verdict(), RelationVerdict::Holds);
    assert_eq!(outside(&again, "bounded"), 1);
    let violated = record.relations.iter().filter(|r| r.verdict() == RelationVerdict::Violated).count();
    assert_eq!(again.unread, violated as u64, "none of those that were kept is judged");
    assert_eq!(
        again.warnings.iter().filter(|warning| warning.contains("outside its type or domain")).count(),
        violated
    );
    let regression = regressions::load(Path::new(&kept)).expect("readable");
    let record = replay(&*workbench, &regression, &kept).expect("replays");
    assert_ne!(record.verdict(), RelationVerdict::Violated);
    assert_eq!(record.tally.out_of_domain, 1);
    let why = record.counterexample.expect("told").why;
    assert_eq!(why, "ineligible: `x: i32` is 11, outside its type or domain");
}

#[test]
fn proofs_speak_of_the_domain() {
    let folder = tempfile::tempdir().expect("a folder");
    let workbench = subject(folder.path(), RELATIONS);
    let all = workbench.select(&[]).expect("relations");
    let record = prove(&workbench, &all, &search(), &Interruption::default(), &mut |_| {}).expect("provable");
    for proof in record.relations {
        assert!(matches!(proof.verdict, ProofVerdict::Proved { .. }), "{}: {:?}", proof.name, proof.verdict);
    }
}

/// What sampling, membership and proofs are to agree on: nothing of the list is left out.
#[test]
fn a_listed_value_that_is_rounded_is_drawn_and_refutes() {
    let folder = tempfile::tempdir().expect("a folder");
    let workbench = subject(folder.path(), "relation only: idf(g) == 0.5");
    let record = run(&workbench, &options(vec![], Regressions::Ignore));
    assert_eq!(record.relations[0].verdict(), RelationVerdict::Violated);
    let proofs = prove(&workbench, &[0], &search(), &Interruption::default(), &mut |_| {}).expect("provable");
    let verdict = &proofs.relations[0].verdict;
    assert!(matches!(verdict, ProofVerdict::Refuted { .. }), "{verdict:?}");
}

#[test]
fn generated_inputs_lie_in_the_domain() {
    let folder = tempfile::tempdir().expect("a folder");
    let workbench = subject(folder.path(), RELATIONS);
    // Inputs of frames need a file of categories and choices.
    for technique in Technique::ALL.into_iter().filter(|technique| *technique != Technique::Frames) {
        let (count, seed) = (Some(6), Seed(2));
        let options =
            GenerateOptions { technique, count, seed, search: search(), ..GenerateOptions::default() };
        for function in [0, 1] {
            let generated =
                generate(&workbench, function, &options, &Interruption::default()).expect("inputs");
            let rows = generated.columns[0].len();
            assert!(rows > 0);
            let declared = &workbench.functions()[function];
            assert_eq!(eligible_rows(declared, &generated.columns).len(), rows, "{technique:?}");
        }
    }
}

#[test]
fn inputs_of_a_function_out_of_files_are_left_out_with_a_warning() {
    let folder = tempfile::tempdir().expect("a folder");
    let workbench = subject(folder.path(), RELATIONS);
    let mut warnings = Vec::new();
    let found = inputs(&*workbench, 0, &[file(folder.path())], 0, Seed(0), &mut warnings).expect("inputs");
    assert_eq!(found, [vec![Column::Int(vec![5, 0, 10])]]);
    assert!(
        warnings[0].ends_with("inputs.csv: 3 inputs are outside the domains of `idi` and left out"),
        "{warnings:?}"
    );
}

#[test]
fn mutation_analysis_starts_from_inputs_of_the_domain() {
    let folder = tempfile::tempdir().expect("a folder");
    let workbench = subject(folder.path(), RELATIONS);
    let options = MutateOptions {
        functions: vec!["other".to_owned()],
        callees: Callees::Left,
        operators: OperatorSet::all(),
        relations: vec![],
        against: Against::Both,
        inputs: 50,
        files: vec![file(folder.path())],
        made: vec![],
        seed: Seed(5),
        jobs: NonZeroUsize::MIN,
        mode: Mode::EachRelation,
        pruning: Pruning::Infected,
        keep_matrix: KeepMatrix::No,
        bounds: MutationBounds::default(),
        versions: Vec::new(),
    };
    let outcome = mutate(&workbench, &options, &Interruption::default(), &mut |_| {}).expect("analysed");
    assert!(matches!(outcome, MutateOutcome::Analysed(_)), "a relation is violated on the original");
}

#[test]
fn one_value_outside_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let workbench = subject(folder.path(), RELATIONS);
    let relation = &workbench.relations[0];
    let explained =
        relation.program.explain(0, &[Value::Int(50)], &mut workbench.caller()).expect("explained");
    assert!(!explained.verdict.is_eligible() && explained.calls.is_empty());
    assert_eq!(explained.outside.as_deref(), Some("`x: i32` is 50, outside its type or domain"));
}
