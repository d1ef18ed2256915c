//! Mutation analysis of every subject that ships: the pruned analysis finds what the full one finds, and the number of
//! threads does not matter.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dodona_mutants::{Callees, OperatorSet};
use dodona_mutation::{
    KeepMatrix, MutantSet, MutateOptions, MutateOutcome, Mutation, MutationBounds, mutate, mutate::mutate_set,
};
use dodona_records::{Against, Fate, Judgement, Mode, Pruning};
use dodona_sources::Seed;
use dodona_subject::Manifest;
use dodona_target::{Interruption, Until};
use dodona_wasm::Workbench;
use dodona_workbench::LabError;

fn subjects() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects")
}

fn open(name: &str) -> Arc<Workbench> {
    let manifest = Manifest::find(&subjects().join(name)).expect("a subject");
    Arc::new(dodona_wasm::open(manifest).unwrap_or_else(|e| panic!("{name}: {e}")))
}

fn options(inputs: u64) -> MutateOptions {
    MutateOptions {
        functions: vec![],
        callees: Callees::Left,
        operators: OperatorSet::all(),
        relations: vec![],
        against: Against::Both,
        inputs,
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

fn run(workbench: &Arc<Workbench>, options: &MutateOptions) -> Mutation {
    analysed(mutate(workbench, options, &Interruption::default(), &mut |_| {}))
}

fn analysed(outcome: Result<MutateOutcome, LabError>) -> Mutation {
    match outcome.expect("it runs") {
        MutateOutcome::Analysed(mutation) => *mutation,
        MutateOutcome::BaselineViolated(record) => panic!("the baseline is violated: {record:#?}"),
    }
}

/// The most mutants of a subject. More of them take their time for compiling.
const MOST_MUTANTS: usize = 300;

/// The subjects with the inputs that a full analysis of each is run on, and its operators: all, or in long programs those
/// that differ most in how they infect.
const SUBJECTS: &[(&str, u64, &[&str])] = &[
    ("triangle", 20, &["all"]),
    ("gcd", 12, &["all"]),
    ("tcas", 8, &["all"]),
    ("sorting", 2, &["all"]),
    ("mymethod", 40, &["all"]),
    ("path-directed/baggage", 6, &["AOR", "LCR", "SDL", "DER", "RSR"]),
    ("path-directed/phone", 6, &["AOR", "LCR", "SDL", "DER", "RSR"]),
    ("path-directed/parking", 2, &["ROR", "SDL"]),
    ("path-directed/charge", 2, &["LCR", "SDL", "DER"]),
    ("path-directed/tax", 2, &["AOR", "LCR", "SDL", "DER"]),
    ("path-directed/number", 1, &["LCR"]),
    ("path-directed/math", 4, &["AOR", "LCR", "SDL", "DER", "RSR"]),
    ("trig", 6, &["all"]),
    ("third-party/libm-sin", 2, &["DER", "RSR"]),
    ("third-party/qsort", 2, &["LCR", "AAR", "SDL", "DER", "ROR"]),
    ("genmorph", 2, &["AOR", "LCR", "AAR", "SDL", "DER", "RSR"]),
    ("tokens", 1, &["LCR", "DER"]),
];

#[test]
fn pruned_and_full_matrices_agree_on_every_subject() {
    for &(name, inputs, operators) in SUBJECTS {
        let began = std::time::Instant::now();
        let workbench = open(name);
        let operators = OperatorSet::parse(operators).expect("known");
        let all = options(inputs);
        let matrix = MutateOptions { operators, keep_matrix: KeepMatrix::Yes, mode: Mode::Matrix, ..all };
        // Both run the same mutants in the same modules.
        let set = MutantSet::generate(&workbench, &matrix).expect("mutants").keeping_compiled(4_000_000);
        let until = Until::default();
        // Evenly over the code: the mutants of a place are alike in how they infect.
        let asked = set.asked();
        let every = asked.len().div_ceil(MOST_MUTANTS);
        let some = asked.into_iter().step_by(every).collect();
        let compared = set.compare(&workbench, some, &matrix, &until, &mut Vec::new()).expect("compared");
        let [pruned, full] = [Pruning::Infected, Pruning::Off].map(|pruning| {
            let options = MutateOptions { pruning, ..matrix.clone() };
            let compared = |_: &mut Vec<String>| Ok(compared.clone());
            analysed(mutate_set(&workbench, &set, compared, &options, &until, &mut |_| {}))
        });
        let (a, b) = (pruned.matrix.expect("asked for"), full.matrix.expect("asked for"));
        for (row, id) in a.mutants().iter().enumerate() {
            let differs = (0..a.tests()).find(|&test| a.kills(row, test) != b.kills(row, test));
            let mutant = pruned.record.mutants.iter().find(|m| m.id == *id).expect("recorded");
            assert_eq!(differs, None, "{name}: {id} {} {:?}", mutant.operator, mutant.places[0]);
        }
        assert_eq!(pruned.record.mutants, full.record.mutants, "{name}");
        let (few, all) = (pruned.record.work, full.record.work);
        println!(
            "{name}: {:?}, {} mutants, {:.3} of {} pairs, score {:?}, suite {:?}",
            began.elapsed(),
            a.mutants().len(),
            few.executed as f64 / all.executed as f64,
            all.executed,
            pruned.record.score(),
            pruned.record.suite_score()
        );
        assert!(few.executed < all.executed, "{name}");
    }
}

#[test]
fn the_number_of_threads_and_the_mode_do_not_change_what_is_killed() {
    let workbench = open("triangle");
    let one = run(&workbench, &MutateOptions { jobs: NonZeroUsize::MIN, ..options(300) });
    let two = run(&workbench, &options(300));
    assert_eq!(one.record, two.record);
    let first = run(&workbench, &MutateOptions { mode: Mode::StopAtKill, ..options(300) });
    let judged = |m: &Mutation| -> BTreeMap<_, Judgement> {
        m.record.mutants.iter().map(|m| (m.id, m.judgement.clone())).collect()
    };
    assert_eq!(judged(&one), judged(&first));
    assert!(first.record.work.executed < one.record.work.executed);
}

#[test]
fn an_input_on_which_the_original_runs_out_of_fuel_reveals_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    // A loop of 3,000,000 turns whose number of turns the result does not show.
    let wat = r#"(module (func (export "slow") (param $x i32) (result i32) (local $i i32)
        (loop $l
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br_if $l (i32.lt_s (local.get $i) (i32.const 3000000))))
        (local.get $x)))"#;
    let manifest = "module = \"slow.wat\"\n[limits]\nfuel = 1000000\n[[function]]\nsignature = \"slow(x: i32) -> i32\"\n";
    std::fs::write(folder.path().join("slow.wat"), wat).expect("writes");
    std::fs::write(folder.path().join("dodona.toml"), manifest).expect("writes");
    let manifest = Manifest::find(folder.path()).expect("a subject");
    let workbench = Arc::new(dodona_wasm::open(manifest).expect("it opens"));
    let mutation = run(&workbench, &options(3));
    assert!(!mutation.record.mutants.is_empty());
    assert!(mutation.record.mutants.iter().all(|m| m.revealed_by.is_none()));
    assert!(mutation.record.warnings.iter().any(|w| w.contains("on 3 inputs the original runs out of fuel")));
    assert_eq!(mutation.record.work.pairs, 0);
}

#[test]
fn an_interrupted_analysis_has_no_matrix() {
    let workbench = open("triangle");
    let matrix = MutateOptions { keep_matrix: KeepMatrix::Yes, mode: Mode::Matrix, ..options(50) };
    let outcome = mutate(&workbench, &matrix, &Interruption::raised(), &mut |_| {}).expect("it ends");
    let MutateOutcome::Analysed(mutation) = outcome else { panic!("the baseline was not run") };
    assert!(mutation.matrix.is_none());
    assert!(mutation.record.mutants.iter().all(|m| m.judgement == Judgement::NotRun));
}

#[test]
fn how_far_a_fault_comes_is_seen_with_relations_alone_too() {
    let workbench = open("triangle");
    let mutation = run(&workbench, &MutateOptions { against: Against::Relations, ..options(200) });
    let of = |fate: Fate| mutation.record.mutants.iter().filter(|m| m.fate == fate).count();
    assert!(of(Fate::Reached) > 0 && of(Fate::Infected) > 0 && of(Fate::Killed) > 0);
    let alive = |m: &&dodona_records::MutantRecord| m.judgement == Judgement::Alive;
    assert!(mutation.record.mutants.iter().filter(alive).all(|m| m.fate != Fate::Killed));
}
