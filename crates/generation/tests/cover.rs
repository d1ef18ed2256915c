//! What inputs cover of shipped subjects and of small ones, for any number of threads.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dodona_generation::{Coverage, Detail, InputCoverage, Instrumented, Statement, StatementScope, cover};
use dodona_sources::Seed;
use dodona_subject::Manifest;
use dodona_target::{Column, Interruption, Outcome, Trap};
use dodona_wasm::Workbench;

fn open(folder: &Path) -> Workbench {
    let manifest = Manifest::find(folder).unwrap_or_else(|e| panic!("{}: {e:#?}", folder.display()));
    dodona_wasm::open(manifest).unwrap_or_else(|e| panic!("{}: {e:#?}", folder.display()))
}

fn shipped(name: &str) -> Workbench {
    open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects").join(name))
}

/// A subject of one C function.
fn written(folder: &Path, signature: &str, c: &str) -> Workbench {
    let manifest =
        format!("name = \"small\"\n[build]\nc = [\"small.c\"]\n[[function]]\nsignature = \"{signature}\"\n");
    std::fs::write(folder.join("dodona.toml"), manifest).expect("written");
    std::fs::write(folder.join("small.c"), c).expect("written");
    open(folder)
}

fn instrumented(workbench: &Workbench, function: &str) -> Arc<Instrumented> {
    let function = workbench.function(function).expect("declared");
    Arc::new(Instrumented::new(workbench, function, StatementScope::AtHand).expect("it loads"))
}

fn covered(instrumented: &Arc<Instrumented>, batches: Vec<Vec<Column>>, jobs: usize) -> Coverage {
    let jobs = NonZeroUsize::new(jobs).expect("some");
    cover(instrumented, batches, Detail::Inputs, jobs, &Interruption::default(), &mut |_| {})
        .expect("it runs")
}

fn ints<const N: usize>(values: [i128; N]) -> Column {
    Column::Int(values.to_vec())
}

/// The lines that an input runs.
fn lines(instrumented: &Instrumented, input: &InputCoverage) -> Vec<u32> {
    let line = |number: usize| match &instrumented.statements()[number] {
        Statement::Line { line, .. } => *line,
        block => panic!("{block:?}"),
    };
    input.statements.ones().map(line).collect()
}

/// Table 2 of the paper that the subject is from.
#[test]
fn the_papers_inputs_run_the_papers_lines() {
    let workbench = shipped("mymethod");
    let instrumented = instrumented(&workbench, "myMethod");
    let inputs = vec![ints([-5, 2, 3, -4]), ints([5, -2, 2, -1])];
    let coverage = covered(&instrumented, vec![inputs], 1);
    let found: Vec<Vec<u32>> = coverage.inputs.iter().map(|input| lines(&instrumented, input)).collect();
    let expected: [&[u32]; 4] = [
        &[1, 2, 3, 4, 5, 16],
        &[1, 2, 3, 4, 6, 7, 16],
        &[1, 2, 3, 9, 10, 11, 16],
        &[1, 2, 3, 9, 10, 12, 13, 16],
    ];
    assert_eq!(found, expected);
    assert_eq!(coverage.paths.len(), 4);
    assert_eq!(coverage.statements.iter().max(), Some(&4));
}

#[test]
fn threads_and_batches_change_nothing() {
    for (name, function) in [("tcas", "tcas"), ("sorting", "heap_sort"), ("tokens", "tokens")] {
        let workbench = shipped(name);
        let index = workbench.function(function).unwrap_or(0);
        let instrumented =
            Arc::new(Instrumented::new(&workbench, index, StatementScope::AtHand).expect("it loads"));
        let batches =
            dodona_workbench::inputs(&workbench, index, &[], 1500, Seed(4), &mut vec![]).expect("drawn");
        let all = covered(&instrumented, batches.clone(), 1);
        assert!(all.paths.len() > 5, "{name}: {}", all.paths.len());
        assert_eq!(covered(&instrumented, batches.clone(), 5), all, "{name}");
        let alone: Vec<Vec<Column>> =
            batches.iter().map(|b| b.iter().map(|c| c.select(&[7])).collect()).collect();
        let alone = covered(&instrumented, alone, 2);
        assert_eq!(alone.inputs[0], all.inputs[7], "{name}");
    }
}

#[test]
fn sums_are_those_of_the_inputs() {
    let workbench = shipped("triangle");
    let instrumented = instrumented(&workbench, "triangle");
    let batches = dodona_workbench::inputs(&workbench, 0, &[], 1200, Seed(1), &mut vec![]).expect("drawn");
    let all = covered(&instrumented, batches.clone(), 2);
    assert_eq!(all.inputs_run, 1200);
    // There is no loop: a line is run as often as there are inputs that run it, and one of what is inlined three times
    // up to three times as often.
    for (number, &count) in all.statements.iter().enumerate() {
        let inputs = all.inputs.iter().filter(|input| input.statements.contains(number)).count() as u64;
        match &instrumented.statements()[number] {
            Statement::Line { line: 10..=12, .. } => assert!(count > inputs && count <= 3 * inputs),
            other => assert_eq!(count, inputs, "{other:?}"),
        }
    }
    let paths: BTreeSet<_> = all.inputs.iter().map(|input| input.path).collect();
    assert_eq!(paths.len(), all.paths.len());
    let totals = cover(
        &instrumented,
        batches,
        Detail::Totals,
        NonZeroUsize::MIN,
        &Interruption::default(),
        &mut |_| {},
    );
    assert_eq!(totals.expect("it runs"), Coverage { inputs: vec![], ..all });
}

#[test]
fn what_stands_behind_a_trap_was_not_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let c = "int f(int a, int b) {\n  volatile int x = 0;\n  x = a / b;\n  x = x + 1;\n  return x;\n}\n";
    let workbench = written(folder.path(), "f(a: i32, b: i32) -> i32", c);
    let instrumented = instrumented(&workbench, "f");
    let coverage = covered(&instrumented, vec![vec![ints([6, 6]), ints([0, 2])]], 1);
    let [trapped, returned] = &coverage.inputs[..] else { panic!("two inputs") };
    assert_eq!(trapped.outcome, Outcome::Trapped(Trap::DivisionByZero));
    assert_eq!(returned.outcome, Outcome::Returned);
    assert_eq!(lines(&instrumented, trapped), [1, 2, 3]);
    assert_eq!(lines(&instrumented, returned), [1, 2, 3, 4, 5]);
    assert_eq!(trapped.path, returned.path, "nothing is decided");
}

#[test]
fn depth_that_only_counting_cannot_reach_keeps_its_outcome() {
    let folder = tempfile::tempdir().expect("a folder");
    let c = "__attribute__((noinline)) int f(int n) {\n  volatile int x = n;\n  if (n <= 0) return 0;\n  return f(n - 1) + x;\n}\n";
    let workbench = written(folder.path(), "f(n: i32) -> i32", c);
    let instrumented = instrumented(&workbench, "f");
    let depths: Vec<i128> = (1..60).map(|n| n * 200).collect();
    let calls = workbench.target.executable.runner().call(0, &[Column::Int(depths.clone())]).expect("called");
    let coverage = covered(&instrumented, vec![vec![Column::Int(depths)]], 1);
    let outcomes: Vec<Outcome> = coverage.inputs.iter().map(|input| input.outcome).collect();
    assert_eq!(outcomes, calls.outcomes);
}

#[test]
fn without_debug_information_blocks_are_the_statements() {
    let folder = tempfile::tempdir().expect("a folder");
    let module = folder.path().join("f.wat");
    let text = "(module (func (export \"f\") (param i32) (result i32)
        (if (result i32) (local.get 0) (then (i32.const 1)) (else (i32.const 2)))))";
    std::fs::write(&module, text).expect("written");
    let manifest = "name = \"f\"\nmodule = \"f.wat\"\n[[function]]\nsignature = \"f(x: i32) -> i32\"\n";
    std::fs::write(folder.path().join("dodona.toml"), manifest).expect("written");
    let workbench = open(folder.path());
    let instrumented = instrumented(&workbench, "f");
    let coverage = covered(&instrumented, vec![vec![ints([1, 0, 5])]], 1);
    assert!(instrumented.statements().iter().all(|s| matches!(s, Statement::Block(_))));
    assert_eq!(coverage.statements, [3, 2, 1]);
    assert_eq!(coverage.edges, [1, 2]);
    let [branch] = instrumented.branches() else { panic!("one branch") };
    assert_eq!((branch.site, branch.statement, &branch.place), (0, 0, &None));
}

#[test]
fn libraries_are_no_statements_unless_asked_for() {
    let workbench = shipped("tokens");
    let at_hand = Instrumented::new(&workbench, 0, StatementScope::AtHand).expect("it loads");
    let all = Instrumented::new(&workbench, 0, StatementScope::All).expect("it loads");
    let own = |statement: &Statement| matches!(statement, Statement::Line { file, .. } if file == "tokens.c");
    assert!(at_hand.statements().iter().all(own));
    let lines = all.statements().iter().filter(|statement| own(statement)).count();
    assert_eq!(lines, at_hand.statements().len());
    assert!(all.statements().len() > 2 * lines);
    assert!(all.branches().len() > at_hand.branches().len());
}

#[test]
fn inputs_that_do_not_fit_are_refused() {
    let workbench = shipped("gcd");
    let instrumented = instrumented(&workbench, "gcd");
    let wrong = cover(
        &instrumented,
        vec![vec![ints([1])]],
        Detail::Totals,
        NonZeroUsize::MIN,
        &Interruption::default(),
        &mut |_| {},
    );
    assert!(wrong.is_err());
    let none: &[PathBuf] = &[];
    let error =
        dodona_workbench::inputs(&workbench, 0, none, 0, Seed(0), &mut vec![]).expect_err("no inputs");
    assert!(error.to_string().contains("gcd(p, q)"), "{error}");
}
