//! Comparison of techniques, held against mutation analysis of the same suites.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use dodona_generation::{
    GenerateOptions, Technique,
    adequacy::prioritise::{Prioritisation as Order, SequenceDistance},
    generate,
};
use dodona_lab::{CompareOptions, Contender, Versions, compare};
use dodona_mutation::{
    Callees, KeepMatrix, MutateOptions, MutateOutcome, MutationBounds, OperatorSet, mutate,
};
use dodona_records::{Against, ComparisonRecord, FaultyVersions, Mode, Pruning, SuiteRow};
use dodona_sources::Seed;
use dodona_subject::Manifest;
use dodona_target::{Column, Interruption};
use dodona_wasm::Workbench;
use dodona_workbench::LabError;

fn open(path: &Path) -> Arc<Workbench> {
    let manifest = Manifest::find(path).expect("a subject");
    Arc::new(dodona_wasm::open(manifest).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

fn shipped(name: &str) -> Arc<Workbench> {
    open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects").join(name))
}

fn count(n: usize) -> NonZeroUsize {
    NonZeroUsize::new(n).expect("more than none")
}

/// Operators of several kinds. With all of them most of the time goes into compiling mutants.
fn operators() -> OperatorSet {
    OperatorSet::parse(&["AOR", "ROR", "LCR", "CRP", "SDL"]).expect("operators")
}

fn drawn(inputs: usize, repeats: usize) -> CompareOptions {
    CompareOptions {
        techniques: vec![Technique::Adaptive.into(), Technique::Random.into()],
        repeats: count(repeats),
        by: Order::Path,
        generate: GenerateOptions { count: Some(inputs), seed: Seed(3), ..GenerateOptions::default() },
        relations: vec![],
        versions: Versions::Mutants { operators: operators(), callees: Callees::Left },
        jobs: count(2),
    }
}

fn run(workbench: &Arc<Workbench>, function: usize, options: &CompareOptions) -> ComparisonRecord {
    compare(workbench, function, options, &Interruption::default(), &mut |_| {})
        .expect("it runs")
        .expect("nobody interrupts")
}

/// The record without what the clock says.
fn timeless(mut record: ComparisonRecord) -> ComparisonRecord {
    for suite in &mut record.suites {
        (suite.generation, suite.ordering) = (0.0, 0.0);
    }
    for technique in &mut record.techniques {
        let none = dodona_records::Spread { mean: 0.0, sd: None };
        (technique.generation, technique.ordering, technique.overhead) = (none, none, None);
    }
    record
}

/// The mutants that mutation analysis kills with the inputs of a suite, generated again from its seed.
fn killed(workbench: &Arc<Workbench>, suite: &SuiteRow) -> BTreeSet<String> {
    let technique = Technique::ALL.into_iter().find(|t| t.name() == suite.technique).expect("known");
    let inputs = Some(suite.inputs as usize);
    let how =
        GenerateOptions { technique, count: inputs, seed: Seed(suite.seed), ..GenerateOptions::default() };
    let generated = generate(workbench, 0, &how, &Interruption::default()).expect("generated again");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("suite.csv");
    std::fs::write(&file, table(workbench, &generated.columns)).expect("written");
    let options = MutateOptions {
        functions: vec![],
        callees: Callees::Left,
        operators: operators(),
        relations: vec![],
        against: Against::Relations,
        inputs: 0,
        files: vec![file],
        made: vec![],
        seed: Seed(0),
        jobs: count(1),
        mode: Mode::StopAtKill,
        pruning: Pruning::Off,
        keep_matrix: KeepMatrix::No,
        bounds: MutationBounds::default(),
        versions: Vec::new(),
    };
    match mutate(workbench, &options, &Interruption::default(), &mut |_| {}).expect("it runs") {
        MutateOutcome::Analysed(mutation) => {
            let killed = mutation.record.mutants.iter().filter(|m| m.is_scored() && !m.killed_by.is_empty());
            killed.map(|m| m.id.to_string()).collect()
        }
        MutateOutcome::BaselineViolated(record) => panic!("the baseline is violated: {record:#?}"),
    }
}

fn table(workbench: &Workbench, columns: &[Column]) -> String {
    let parameters = &workbench.functions()[0].parameters;
    let names: Vec<&str> = parameters.iter().map(|p| p.name.as_str()).collect();
    let mut text = names.join(",");
    for row in 0..columns[0].len() {
        let cells: Vec<String> = columns.iter().map(|column| column.value(row).to_string()).collect();
        write!(text, "\n{}", cells.join(",")).expect("memory");
    }
    text
}

#[test]
fn a_suite_detects_what_mutation_analysis_kills_with_it() {
    for name in ["triangle", "mymethod", "path-directed/phone"] {
        let workbench = shipped(name);
        let record = run(&workbench, 0, &drawn(4, 2));
        let all: BTreeSet<&str> = record.faults.iter().map(|fault| fault.fault.as_str()).collect();
        let mut union = BTreeSet::new();
        for suite in &record.suites {
            let killed = killed(&workbench, suite);
            assert_eq!(killed.len() as u64, suite.detected, "{name}: {suite:?}");
            assert!(killed.iter().all(|mutant| all.contains(mutant.as_str())), "{name}");
            union.extend(killed);
        }
        assert_eq!(union.len(), all.len(), "{name}: each fault is detected by some suite");
        assert!(!all.is_empty() && (all.len() as u64) < record.candidates, "{name}");
    }
}

#[test]
fn detection_rates_rise_to_what_a_suite_detects() {
    let record = run(&shipped("triangle"), 0, &drawn(10, 3));
    for suite in &record.suites {
        assert!(suite.rates.is_sorted(), "{suite:?}");
        let last = suite.detected as f64 / record.candidates as f64;
        assert_eq!(suite.rates.last(), Some(&last));
        // A fault that is detected by the first input adds 1 - 1/n + 1/(2n); one that none detects -1/(2n).
        let (least, most) = (-0.05, 1.0 - 0.05);
        assert!(suite.apfd.is_some_and(|apfd| (least..=most).contains(&apfd)), "{suite:?}");
    }
    let technique = &record.techniques[0];
    let own: Vec<f64> = record.suites.iter().take(3).filter_map(|suite| suite.apfd).collect();
    let mean = own.iter().sum::<f64>() / 3.0;
    assert!(technique.apfd.is_some_and(|apfd| (apfd.mean - mean).abs() < 1e-12));
    assert_eq!(record.differences.len(), 1);
    assert_eq!((&*record.differences[0].technique, &*record.differences[0].against), ("adaptive", "random"));
}

#[test]
fn only_the_times_differ_between_runs_and_numbers_of_threads() {
    let workbench = shipped("triangle");
    let options = drawn(6, 4);
    let first = timeless(run(&workbench, 0, &options));
    let again = timeless(run(&workbench, 0, &CompareOptions { jobs: count(1), ..options.clone() }));
    assert_eq!(first, again);
    let mut other = options;
    other.generate.seed = Seed(50);
    assert_ne!(first.suites, timeless(run(&workbench, 0, &other)).suites);
}

#[test]
fn paths_and_their_order_detect_the_same_again() {
    let workbench = shipped("mymethod");
    let mut options = drawn(4, 2);
    options.generate.count = None;
    options.techniques = vec![Technique::Path.into(), Technique::Concolic.into()];
    let record = run(&workbench, 0, &options);
    assert_eq!(record.count, 4, "as many inputs as there are paths");
    assert!(record.suites.iter().all(|suite| suite.inputs == 4), "{:?}", record.suites);
    assert_eq!(record.techniques[0].order, "path");
    assert_eq!(record.techniques[1].order, "random");
    assert_eq!(timeless(record), timeless(run(&workbench, 0, &options)));
}

/// The DSE of Sun et al. (2021) is the inputs of their technique in a random order: so the last rate is the same, and no fault is found by
/// one alone.
#[test]
fn one_technique_in_several_orders_makes_the_same_inputs() {
    let workbench = shipped("triangle");
    let mut options = drawn(12, 3);
    let orders = [Order::Random, Order::Sequence(SequenceDistance::Edit)];
    options.techniques = vec![Technique::Path.into()];
    options.techniques.extend(orders.map(|by| Contender { technique: Technique::Path, by: Some(by) }));
    let record = run(&workbench, 0, &options);
    let names: Vec<&str> = record.techniques.iter().map(|row| row.technique.as_str()).collect();
    assert_eq!(names, ["path", "path:random", "path:edit"]);
    let orders: Vec<&str> = record.techniques.iter().map(|row| row.order.as_str()).collect();
    assert_eq!(orders, ["path", "random", "edit"]);
    for repeat in 0..3 {
        let suites: Vec<&SuiteRow> = record.suites.iter().filter(|suite| suite.repeat == repeat).collect();
        assert_eq!(suites.len(), 3);
        assert!(suites.iter().all(|suite| suite.detected == suites[0].detected), "{suites:?}");
        assert_ne!(suites[0].rates, suites[1].rates, "the order is another");
    }
    assert!(record.faults.iter().all(|fault| fault.detected.iter().all(|share| *share == fault.detected[0])));
    assert_eq!(timeless(record), timeless(run(&workbench, 0, &options)));
}

#[test]
fn faulty_versions_in_folders_take_the_place_of_mutants() {
    let options = CompareOptions { versions: Versions::Folders, ..drawn(200, 2) };
    let record = run(&shipped("gcd"), 0, &options);
    assert_eq!(record.versions, FaultyVersions::Folders { folders: vec!["faulty".into()] });
    assert_eq!((record.candidates, record.faults.len()), (1, 1), "a sign is lost for one in four inputs");
    let missing = compare(&shipped("mymethod"), 0, &options, &Interruption::default(), &mut |_| {});
    assert!(matches!(missing, Err(LabError::Sources(words)) if words.contains("no faulty version")));
}

/// Two functions of which the second adds up two numbers of one parameter.
const SUM: &str = r#"(module
  (func (export "half") (param i32) (result i32) (i32.shr_s (local.get 0) (i32.const 1)))
  (func (export "odd") (param i32) (result i32) (i32.and (local.get 0) (i32.const 1))))"#;

#[test]
fn what_takes_no_input_of_the_function_is_left_out_or_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("sum.wat", SUM);
    write(
        "sum.mr",
        "relation of_two(n: odd.n, m: odd.n): odd(n + m) == (odd(n) + odd(m)) mod 2\n\
         relation of_none: odd(half(x)) <= 1\n\
         relation elsewhere: half(x) <= half(x + 2)\n",
    );
    write(
        "dodona.toml",
        "module = \"sum.wat\"\n[[function]]\nsignature = \"half(x: i32) -> i32\"\nsample.x = { range = [0, 9] }\n\
         [[function]]\nsignature = \"odd(n: i32) -> i32\"\nrelations = [\"sum.mr\"]\nsample.n = { range = [0, 9] }\n",
    );
    let workbench = open(folder.path());
    let odd = run(&workbench, 1, &drawn(5, 1));
    assert_eq!(odd.relations, ["of_two"]);
    assert_eq!(odd.warnings.len(), 1, "{:?}", odd.warnings);
    assert!(odd.warnings[0].contains("of_none"), "{:?}", odd.warnings);
    assert!(!odd.faults.is_empty());
    assert!(odd.differences[0].apfd.is_none(), "one repeat has no spread");
    let named = CompareOptions { relations: vec!["elsewhere".into()], ..drawn(5, 1) };
    let none = compare(&workbench, 1, &named, &Interruption::default(), &mut |_| {});
    assert!(matches!(none, Err(LabError::NoRelations(words)) if words.contains("`odd`")));
}

#[test]
fn an_interrupted_comparison_says_nothing() {
    let interrupted = Interruption::raised();
    let record = compare(&shipped("triangle"), 0, &drawn(4, 2), &interrupted, &mut |_| {});
    assert!(matches!(record, Ok(None)));
}
