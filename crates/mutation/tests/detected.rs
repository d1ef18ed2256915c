//! Mutants that crash or time out where the original returns are detected, whatever the relations say.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;

use dodona_mutation::{
    Callees, KeepMatrix, MutateOptions, MutateOutcome, MutationBounds, OperatorSet, mutate,
};
use dodona_records::{Against, Judgement, Mode, MutantId, MutantRecord, MutationRecord, NoScore, Pruning};
use dodona_sources::Seed;
use dodona_subject::Manifest;
use dodona_target::Interruption;
use dodona_wasm::Workbench;

/// Counts up to its argument: mutants count for ever, and trap. For arguments below 0 the original traps.
const COUNT: &str = r#"(module (func (export "count") (param $n i32) (result i32) (local $i i32)
    (if (i32.lt_s (local.get $n) (i32.const 0)) (then unreachable))
    (block $end (loop $again
        (br_if $end (i32.ge_s (local.get $i) (local.get $n)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $again)))
    (i32.div_s (local.get $i) (i32.const 2))))"#;

/// A relation that every function satisfies, as long as it returns.
const SAME: &str = "relation same: count(n) == count(n)\n";

fn workbench(relations: &str, range: &str) -> Arc<Workbench> {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("count.wat", COUNT);
    write("count.mr", relations);
    write(
        "dodona.toml",
        &format!(
            "module = 'count.wat'\n[[function]]\nsignature = 'count(n: i32) -> i32'\nrelations = ['count.mr']\n\
             sample.n = {{ range = {range} }}\n"
        ),
    );
    Arc::new(dodona_wasm::open(Manifest::find(folder.path()).expect("found")).expect("opened"))
}

fn options(against: Against, mode: Mode) -> MutateOptions {
    MutateOptions {
        functions: vec![],
        callees: Callees::Left,
        operators: OperatorSet::all(),
        relations: vec![],
        against,
        inputs: 40,
        files: vec![],
        made: vec![],
        seed: Seed(3),
        jobs: NonZeroUsize::MIN,
        mode,
        pruning: Pruning::Infected,
        keep_matrix: KeepMatrix::No,
        bounds: MutationBounds::default(),
        versions: Vec::new(),
    }
}

fn analysed(workbench: &Arc<Workbench>, options: &MutateOptions) -> MutationRecord {
    match mutate(workbench, options, &Interruption::default(), &mut |_| {}).expect("it runs") {
        MutateOutcome::Analysed(mutation) => mutation.record,
        MutateOutcome::BaselineViolated(record) => panic!("the baseline is violated: {record:#?}"),
    }
}

fn judged(record: &MutationRecord) -> BTreeMap<MutantId, bool> {
    record.mutants.iter().map(|mutant| (mutant.id, mutant.is_detected())).collect()
}

#[test]
fn whoever_fails_where_the_original_returns_is_detected() {
    let workbench = workbench(SAME, "[0, 60]");
    for against in [Against::Both, Against::Relations, Against::Inputs] {
        let record = analysed(&workbench, &options(against, Mode::EachRelation));
        let totals = record.totals();
        assert!(totals.crashed > 0 && totals.timed_out > 0, "{totals:?}");
        assert!(record.score() <= record.suite_score().or(Some(1.0)), "{totals:?}");
        let failed = |m: &&MutantRecord| matches!(m.judgement, Judgement::Crashed | Judgement::TimedOut);
        for mutant in record.mutants.iter().filter(failed) {
            let how = &mutant.failed.as_ref().expect("how").how;
            assert_eq!(how.failure().as_ref(), Some(&mutant.judgement), "{mutant:#?}");
            assert!(mutant.killed_by.is_empty(), "{mutant:#?}");
        }
        assert!(record.mutants.iter().filter(|m| m.is_alive()).all(|m| m.failed.is_none()));
        if against != Against::Inputs {
            assert_eq!(totals.killed, 0, "the relation says nothing of a call that returns");
        }
    }
}

#[test]
fn a_mutant_is_detected_in_every_mode_or_in_none() {
    // Above 50 mutants differ and return before they fail: the first input that reveals them is not one on which they fail.
    let workbench = workbench(SAME, "[-5, 60]");
    let modes = [Mode::EachRelation, Mode::StopAtKill, Mode::Classes, Mode::Matrix];
    let records = modes.map(|mode| analysed(&workbench, &options(Against::Both, mode)));
    for (record, mode) in records.iter().zip(modes) {
        assert_eq!(judged(record), judged(&records[0]), "{mode:?}");
        assert_eq!(records[0].judged_otherwise(record), [""; 0], "{mode:?}");
    }
    let off = MutateOptions { pruning: Pruning::Off, ..options(Against::Both, Mode::EachRelation) };
    assert_eq!(judged(&analysed(&workbench, &off)), judged(&records[0]));
}

#[test]
fn inputs_on_which_the_original_fails_detect_nothing() {
    // Below 0 the original traps, and mutants trap otherwise, run out of fuel or return.
    let workbench = workbench(SAME, "[-1000, -1]");
    let record = analysed(&workbench, &options(Against::Both, Mode::EachRelation));
    let detected: Vec<&MutantRecord> = record.mutants.iter().filter(|m| m.is_detected()).collect();
    assert!(detected.is_empty(), "{detected:#?}");
    assert_eq!(record.no_score(), Some(NoScore::NoneEligible));
    assert!(
        record.warnings.iter().any(|w| w.contains("relation same was never tested")),
        "{:?}",
        record.warnings
    );
    assert!(
        record.mutants.iter().any(|m| m.revealed_by.is_some() && m.is_alive()),
        "some return where it traps"
    );
}

#[test]
fn a_relation_that_kills_outweighs_a_call_that_fails() {
    let workbench = workbench("relation more: count(n + 2) == count(n) + 1\n", "[0, 60]");
    let record = analysed(&workbench, &options(Against::Both, Mode::EachRelation));
    let both =
        record.mutants.iter().filter(|m| m.is_scored() && !m.killed_by.is_empty() && m.failed.is_some());
    assert!(both.clone().count() > 0);
    assert!(both.clone().all(|m| m.judgement == Judgement::Killed));
    assert_eq!(record.relations[0].kills, record.totals().killed);
}
