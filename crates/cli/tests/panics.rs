//! A mistake of ours is never taken for a result: each worker of each verb is made to panic, as is the main thread.

// Only builds that check their assertions can be asked for a fault.
#![cfg(debug_assertions)]

mod common;

use std::path::Path;
use std::process::Output;

use common::{both, copy_of, dodona, files, text};
use dodona_workbench::Worker;

/// The commands in which a worker works.
fn commands(worker: Worker) -> &'static [&'static str] {
    const CHECK: &str = "check .";
    const JSON: &str = "check . --format json";
    const MUTATE: &str = "mutate . --operators AOR --inputs 50";
    const SUITE: &str = "mutate . --operators AOR --against inputs --inputs 50";
    const MATRIX: &str = "mutate . --operators AOR --inputs 50 --matrix kills.csv";
    const HIERARCHY: &str = "hierarchy . --operators AOR --inputs 50";
    const COMPARE: &str = "compare . price --operators AOR --techniques random,adaptive --count 3 --repeats 2 --output result.json --format json";
    const FOLDERS: &str = "compare . price --faults --techniques random,adaptive --count 3 --repeats 2";
    // Small, so that no clock ends it before the worker is reached.
    const DISCOVER: &str = "discover . price --time 1000 --mutants 20 --operators AOR --executions 50 --inputs 20 --transformations 3 --generations 2 \
                            --fresh 100 --enumerate-size 2 --emit rust --forms laws";
    // Without relations of known forms, which may leave nothing to evolve.
    const SEARCH_ALONE: &str = "discover . price --time 1000 --mutants 20 --operators AOR --executions 50 --inputs 20 --transformations 3 --generations 2 \
                            --fresh 100 --enumerate-size 2 --population 200 --emit rust --forms none";
    const EVOLVE: &str = "discover . price --time 1000 --mutants 20 --operators AOR --executions 50 --inputs 20 --transformations 3 --generations 2 \
                          --fresh 100 --search evolve --population 200 --forms none";
    const COMPOSE: &str = "compose . --fresh 100 --mutants 5 --prove paths --output made.mr";
    match worker {
        Worker::Check => &[CHECK, JSON, MUTATE, COMPOSE],
        Worker::Baseline | Worker::Observation | Worker::Mutants => {
            &[MUTATE, SUITE, MATRIX, HIERARCHY, COMPARE, SEARCH_ALONE, COMPOSE]
        }
        Worker::Folders => &[FOLDERS],
        Worker::Coverage => &[
            "cover . price",
            "cover . price --format lcov",
            "prioritise . price --from prices.csv --output ordered.csv",
        ],
        Worker::Suites => &[COMPARE, FOLDERS],
        Worker::Enumeration => &[DISCOVER, SEARCH_ALONE],
        Worker::Evolution => &[SEARCH_ALONE, EVOLVE],
        Worker::Confirmation => &[SEARCH_ALONE, COMPOSE],
        Worker::Generation => &[
            "generate . price --technique random --output prices.jsonl",
            "generate . price --technique random",
            "check . --sources-by path",
            COMPARE,
            SEARCH_ALONE,
        ],
        Worker::Proofs => &["prove .", "prove . members --format json", DISCOVER, COMPOSE],
        Worker::MutantProofs => &["mutate . --operators CRP --inputs 1 --against inputs --prove", HIERARCHY],
        Worker::Command => &["relations .", "call . price(1,true)", CHECK, MATRIX],
    }
}

fn run(folder: &Path, command: &str, fault: &str) -> Output {
    let jobs = match command.split(' ').next() {
        Some(
            "check" | "mutate" | "compare" | "compose" | "discover" | "hierarchy" | "cover" | "prioritise",
        ) => &["--jobs", "2"][..],
        _ => &[],
    };
    let arguments = command.split(' ');
    dodona().args(arguments).args(jobs).env("DODONA_FAULT", fault).current_dir(folder).output().expect("runs")
}

fn subject() -> tempfile::TempDir {
    let folder = copy_of("compare.in");
    std::fs::write(folder.path().join("prices.csv"), "days,member\n1,true\n5,false\n").expect("written");
    folder
}

#[test]
fn a_panic_in_any_worker_is_no_result_and_exits_with_5() {
    for worker in Worker::ALL {
        for command in commands(worker) {
            let folder = subject();
            let before = files(folder.path());
            let output = run(folder.path(), command, worker.name());
            let all = format!("{command}, {}:\n{}", worker.name(), both(&output));
            let errors = text(&output.stderr);
            assert_eq!(output.status.code(), Some(5), "{all}");
            assert!(
                errors.contains("error: Dodona panicked at crates/workbench/src/pool/worker.rs:"),
                "{all}"
            );
            assert!(errors.contains(&format!(", {worker}: asked for by DODONA_FAULT")), "{all}");
            assert!(errors.contains("a mistake in Dodona") && errors.contains("report it"), "{all}");
            let verb = command.split(' ').next().unwrap_or_default();
            assert!(errors.contains(&format!("\n  dodona {verb} ")), "the command line is told: {all}");
            assert_eq!(text(&output.stdout), "", "nothing is called a result: {all}");
            assert_eq!(files(folder.path()), before, "no file is left: {all}");
        }
    }
}

#[test]
fn without_a_fault_the_same_commands_have_results() {
    let folder = subject();
    for command in commands(Worker::Check) {
        let output = run(folder.path(), command, "nothing");
        assert_eq!(output.status.code(), Some(0), "{command}: {}", both(&output));
    }
}

#[test]
fn a_prediction_that_a_run_contradicts_exits_with_5() {
    let folder = subject();
    for command in [
        "generate . price --technique path --output prices.jsonl",
        "generate . price --count 3",
        "check . --sources-by path",
    ] {
        let output = run(folder.path(), command, "prediction");
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{errors}");
        assert!(errors.contains("error: Dodona contradicts itself:\n  price: input 1: "), "{errors}");
        assert!(
            errors.contains("report it") && errors.contains(&format!("\n  dodona {command}")),
            "{errors}"
        );
    }
}
