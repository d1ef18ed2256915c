//! Hierarchies of the mutants of shipped subjects: nothing that code says is contradicted by a run, and classes lose nothing.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use dodona_generation::SearchOptions;
use dodona_mutants::{Callees, OperatorSet};
use dodona_mutation::{
    HierarchyOptions, KeepMatrix, MutateOptions, MutateOutcome, Mutation, MutationBounds, hierarchy, mutate,
};
use dodona_records::{
    Against, HierarchyRecord, Judgement, Mode, MutantId, MutantRecord, MutationRecord, Proof, Pruning,
};
use dodona_sources::Seed;
use dodona_subject::Manifest;
use dodona_target::Interruption;
use dodona_wasm::Workbench;

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
        seed: Seed(7),
        jobs: NonZeroUsize::new(2).expect("two"),
        mode: Mode::EachRelation,
        pruning: Pruning::Infected,
        keep_matrix: KeepMatrix::No,
        bounds: MutationBounds::default(),
        versions: Vec::new(),
    }
}

fn shipped(name: &str) -> Arc<Workbench> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects").join(name);
    let manifest = Manifest::find(&folder).expect("a subject");
    Arc::new(dodona_wasm::open(manifest).unwrap_or_else(|e| panic!("{name}: {e}")))
}

/// A function in the text format.
fn written(signature: &str, wat: &str) -> Arc<Workbench> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.wat"), wat).expect("written");
    let text = format!("module = 'm.wat'\n[[function]]\nsignature = '{signature}'\n");
    let manifest = Manifest::parse(&folder.path().join("dodona.toml"), &text).expect("valid");
    Arc::new(dodona_wasm::open(manifest).expect("opened"))
}

fn studied(workbench: &Arc<Workbench>, inputs: u64, solver: Option<&str>) -> HierarchyRecord {
    let search = SearchOptions { solver: solver.map(str::to_owned), ..SearchOptions::default() };
    studied_in(workbench, inputs, search)
}

fn studied_in(workbench: &Arc<Workbench>, inputs: u64, search: SearchOptions) -> HierarchyRecord {
    let options = HierarchyOptions { mutate: options(inputs), search };
    hierarchy(workbench, &options, &Interruption::default(), &mut |_| {}).expect("studied")
}

fn analysed(workbench: &Arc<Workbench>, options: &MutateOptions) -> Mutation {
    match mutate(workbench, options, &Interruption::default(), &mut |_| {}).expect("it runs") {
        MutateOutcome::Analysed(mutation) => *mutation,
        MutateOutcome::BaselineViolated(record) => panic!("the baseline is violated: {record:#?}"),
    }
}

/// Every mutant that is killed is in one class, and what is in a class is killed.
fn assert_complete(record: &HierarchyRecord) {
    let mut classified: Vec<MutantId> = record
        .classes
        .iter()
        .flat_map(|class| [&[class.representative][..], &class.observed, &class.proved].concat())
        .collect();
    classified.sort_unstable();
    let of_class = |m: &&MutantRecord| m.is_detected() || matches!(m.judgement, Judgement::Duplicate { .. });
    let revealed = record.mutants.iter().filter(|m| m.revealed_by.is_some());
    let killed = revealed.filter(of_class).map(|m| m.id);
    assert_eq!(classified, killed.collect::<Vec<_>>(), "{}", record.subject);
}

#[test]
fn no_run_contradicts_what_code_says_of_shipped_subjects() {
    let (mut related, mut disjoint, mut alternatives) = (0, 0, 0);
    for (name, inputs) in [
        ("triangle", 400),
        ("gcd", 50),
        ("hierarchy/min", 400),
        ("hierarchy/prime", 100),
        ("hierarchy/compare_str", 100),
    ] {
        // Questions about remainders would take the most of the time, and most of them have no answer.
        let search =
            SearchOptions { query_time: Some(Duration::from_millis(100)), ..SearchOptions::default() };
        let record = studied_in(&shipped(name), inputs, search);
        assert_eq!(record.contradictions, [""; 0], "{name}");
        assert_complete(&record);
        related += record.statics.same.len() + record.statics.stronger.len();
        disjoint += record.statics.disjoint.len();
        alternatives += record.statics.alternatives.mutant_pairs();
    }
    assert!(related > 100, "only {related} pairs were related: nothing was tried");
    assert!(disjoint > 100 && alternatives > 100, "only {disjoint} and {alternatives} pairs are disjoint");
}

#[test]
fn dominators_and_classes_stand_for_all() {
    let record = studied(&shipped("triangle"), 300, None);
    // As many inputs as there are disjoint dominators are needed at least, and each class has one.
    let disjoint = record.dominators.iter().filter(|group| group.disjoint).count();
    assert!(disjoint as u64 <= record.enough_inputs && disjoint <= record.classes.len());
    assert!(record.savings().is_some_and(|saved| saved > 0.9));
    assert_eq!(record.graph.first_mistake(), None);
    // The order of strength is no opinion of one run: the same seed gives the same record. No clock may end a question in one run and not in the
    // other, so both count; of `triangle` some questions take minutes then.
    let counted = || {
        studied_in(
            &shipped("hierarchy/compare_str"),
            300,
            SearchOptions { time: None, slack: 1_000, ..SearchOptions::default() },
        )
    };
    assert_eq!(counted(), counted());
}

#[test]
fn without_a_solver_the_runs_still_classify() {
    let workbench = shipped("hierarchy/min");
    let with = studied(&workbench, 200, None);
    let without = studied(&workbench, 200, Some("/nowhere/solver"));
    assert!(without.statics.no_solver.is_some());
    assert!(without.statics.stronger.len() < with.statics.stronger.len());
    assert_eq!(without.dominators, with.dominators);
    assert_complete(&without);
}

#[test]
fn what_cannot_be_killed_is_in_no_class() {
    // The result is dropped: every mutant of the sum is the same on every input.
    let nothing = written(
        "f(a: i32) -> i32",
        "(module (func (export \"f\") (param i32) (result i32) i32.const 3 (drop (i32.add (local.get 0) (i32.const 1)))))",
    );
    let record = studied(&nothing, 20, None);
    let killed = record.mutants.iter().filter(|m| m.is_detected()).count();
    assert_complete(&record);
    assert!(record.classified() >= killed);
    let one = written("f() -> i32", "(module (func (export \"f\") (result i32) (i32.const 3)))");
    let record = studied(&one, 1, None);
    assert_complete(&record);
    assert_eq!(record.dominators.len(), usize::from(!record.classes.is_empty()));
}

#[test]
fn classes_judge_each_mutant_as_all_tests_do() {
    for (name, inputs, operators) in [
        ("triangle", 60, "all"),
        ("gcd", 20, "all"),
        ("hierarchy/min", 60, "all"),
        ("fib", 20, "all"),
        ("codec", 6, "ROR"),
    ] {
        let workbench = shipped(name);
        let operators = OperatorSet::parse(&[operators]).expect("a set");
        let each = MutateOptions { operators, ..options(inputs) };
        let all = analysed(&workbench, &each).record;
        let classes = analysed(&workbench, &MutateOptions { mode: Mode::Classes, ..each }).record;
        assert_eq!(all.judged_otherwise(&classes), [""; 0], "{name}");
        assert_eq!(all.score(), classes.score(), "{name}");
        let untested = |record: &MutationRecord| -> Vec<MutantId> {
            record.mutants.iter().filter(|m| m.judgement == Judgement::Untested).map(|m| m.id).collect()
        };
        assert_eq!(untested(&all), untested(&classes), "{name}");
        assert!(classes.work.executed < all.work.executed, "{name}");
        let known: BTreeSet<MutantId> = classes.mutants.iter().map(|mutant| mutant.id).collect();
        assert!(
            classes.mutants.iter().filter_map(|m| m.killed_with).all(|with| known.contains(&with)),
            "{name}"
        );
    }
}

#[test]
fn survivors_that_inputs_reveal_are_brought_down_by_those_that_stand_for_them() {
    let workbench = shipped("triangle");
    let record = analysed(&workbench, &MutateOptions { mode: Mode::Classes, ..options(1000) }).record;
    let groups = record.survivors.as_ref().expect("they were asked for");
    let revealed =
        |m: &&dodona_records::MutantRecord| m.judgement == Judgement::Alive && m.revealed_by.is_some();
    let revealed: Vec<MutantId> = record.mutants.iter().filter(revealed).map(|m| m.id).collect();
    assert!(!revealed.is_empty() && groups.len() < revealed.len());
    assert!(groups.iter().flat_map(|group| &group.mutants).all(|id| revealed.contains(id)));
}

#[test]
fn a_loop_does_not_keep_a_state_from_proving_a_mutant_equivalent() {
    // Behind `n > 0`, abs(n) is n in every turn. Whole paths cannot show it: the loop has no bound.
    let workbench = written(
        "f(n: i32) -> i32",
        "(module (func (export \"f\") (param i32) (result i32) (local i32)
            (loop (if (i32.gt_s (local.get 0) (i32.const 0)) (then
                (local.set 1 (i32.add (local.get 1) (local.get 0)))
                (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
                (br 1))))
            local.get 1))",
    );
    let mutate_options =
        MutateOptions { operators: OperatorSet::parse(&["ABS"]).expect("a set"), ..options(50) };
    let mut record = analysed(&workbench, &mutate_options).record;
    let idle = Interruption::default();
    dodona_mutation::prove_mutants(
        &workbench,
        &mutate_options,
        &SearchOptions::default(),
        &mut record,
        &idle,
        &mut |_, _| {},
    )
    .expect("proved");
    let proved = Judgement::Equivalent { proof: Proof::EveryState };
    assert!(record.mutants.iter().any(|m| m.judgement == proved), "{record:#?}");
}
