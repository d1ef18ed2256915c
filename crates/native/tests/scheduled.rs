//! Checks with a budget of calls, on functions that count theirs.

use std::cell::{Cell, RefCell};
use std::num::NonZeroUsize;
use std::sync::Arc;

use dodona_native::{Metamorphic, function};
use dodona_records::{CheckRecord, RelationVerdict, ScheduleRecord, StopReason};
use dodona_target::{Column, Interruption, Value};
use dodona_workbench::{
    CheckOptions, LabError, Regressions, Schedule, ScheduleOptions, Seed, Until, Workbench, check_scheduled,
    samplers,
};

thread_local! {
    /// The calls of this thread. A check with a budget makes all of its own.
    static CALLS: Cell<u64> = const { Cell::new(0) };
    /// What `noted` was called with.
    static NOTED: RefCell<Vec<i128>> = const { RefCell::new(Vec::new()) };
}

fn count() {
    CALLS.set(CALLS.get() + 1);
}

fn double(x: i32) -> i64 {
    count();
    2 * i64::from(x)
}

/// Wrong for large numbers only.
fn halved(x: i32) -> i32 {
    count();
    if x > 1_000_000 { x / 2 + 1 } else { x / 2 }
}

fn root(x: f64) -> f64 {
    count();
    x.sqrt()
}

/// Rounded otherwise than its relations say.
fn third(x: f64) -> f64 {
    count();
    (x / 3.0) * (1.0 + 4e-10)
}

fn xor(a: bool, b: bool) -> bool {
    count();
    a ^ b
}

fn quotient(a: i32, b: i32) -> i32 {
    count();
    a.checked_div(b).unwrap_or_else(|| panic!("{a} divided by {b}"))
}

fn length(text: &str) -> u32 {
    count();
    text.len() as u32
}

fn options(seed: u64) -> CheckOptions {
    CheckOptions { seed: Seed(seed), regressions: Regressions::Ignore, ..CheckOptions::default() }
}

fn opened(test: Metamorphic) -> Arc<Workbench> {
    test.workbench().expect("valid relations")
}

fn checked(workbench: &Arc<Workbench>, seed: u64, runs: u64, schedule: Schedule) -> CheckRecord {
    let budget = ScheduleOptions { runs, schedule };
    check_scheduled(Arc::clone(workbench), &options(seed), budget, &Until::default(), &mut |_| {})
        .expect("it can be checked")
}

fn spent(record: &CheckRecord) -> &ScheduleRecord {
    record.schedule.as_ref().expect("there was a budget")
}

/// Runs a check, and compares what it says of its calls with those that were made.
fn counted(workbench: &Arc<Workbench>, seed: u64, runs: u64, schedule: Schedule) -> CheckRecord {
    CALLS.set(0);
    let record = checked(workbench, seed, runs, schedule);
    let said = spent(&record);
    assert_eq!(CALLS.get(), said.runs + said.beside, "{said:?}");
    assert!(said.runs <= runs && said.budget == runs, "{said:?}");
    assert_eq!(said.runs, said.relations.iter().map(|r| r.runs).sum::<u64>());
    for (relation, said) in record.relations.iter().zip(&said.relations) {
        assert_eq!(relation.name, said.name);
        assert_eq!(said.runs, said.partitions.iter().map(|p| p.runs).sum::<u64>());
        assert_eq!(relation.tally.groups(), said.partitions.iter().map(|p| p.groups).sum::<u64>());
        assert_eq!(relation.tally.violated > 0, said.own_runs_to_violation.is_some());
    }
    record
}

fn doubles() -> Arc<Workbench> {
    opened(
        function!(double(x: i32 in -1_000_000..=1_000_000) -> i64)
            .holds("relation odd: double(-x) == -double(x)")
            .holds("relation sum: double(x) + double(1) == double(x + 1)"),
    )
}

#[test]
fn budgets_are_obeyed_to_the_call() {
    let workbench = doubles();
    for schedule in Schedule::ALL {
        for runs in [0, 1, 2, 3, 4, 5, 7, 50, 101] {
            let record = counted(&workbench, runs, runs, schedule);
            let said = spent(&record);
            assert_eq!(record.stop, StopReason::RunsSpent { runs: said.runs, budget: runs });
            // The smaller group has two calls, so at most one is left over.
            assert!(said.runs + 1 >= runs && said.beside == 0, "{said:?}");
        }
    }
}

#[test]
fn what_was_not_run_does_not_hold() {
    let workbench = doubles();
    for schedule in Schedule::ALL {
        let record = checked(&workbench, 0, 1, schedule);
        assert!(record.relations.iter().all(|r| r.verdict() == RelationVerdict::NotRun), "{schedule:?}");
        let record = checked(&workbench, 0, 40, schedule);
        assert!(record.relations.iter().all(|r| r.verdict() == RelationVerdict::Holds), "{schedule:?}");
    }
}

#[test]
fn calls_that_tell_how_much_rounding_explains_are_of_the_budget() {
    let roots = opened(
        function!(root(x: f64 in 0.0..=1e12) -> f64)
            .holds("relation square: root(x)^2 ~= x")
            .holds("relation shifted: root(x + 1e-3) - root(x) ~= 1e-3 / (root(x + 1e-3) + root(x))"),
    );
    for schedule in Schedule::ALL {
        let rounded = |runs| counted(&roots, runs, runs, schedule).relations[1].tally.rounded;
        assert!((0..60).map(rounded).sum::<u64>() > 0, "some group asked");
    }
}

#[test]
fn a_fault_in_one_partition_is_found() {
    let workbench = opened(
        function!(halved(x: i32) -> i32)
            .holds("relation odd: when x > -2147483648: halved(-x) == -halved(x)")
            .holds("relation monotone: when x < 2147483647: halved(x) <= halved(x + 1)"),
    );
    for schedule in Schedule::ALL {
        for seed in 0..10 {
            let record = counted(&workbench, seed, 200, schedule);
            let [odd, monotone] = &record.relations[..] else { panic!("two relations") };
            assert_eq!(odd.verdict(), RelationVerdict::Violated, "{schedule:?} {seed}");
            assert_eq!(odd.tally.violated, 1, "a violated relation is finished");
            assert_eq!(odd.counterexample.as_ref().expect("shrunk").source[0].value, "1000001");
            assert_eq!(monotone.verdict(), RelationVerdict::Holds);
            let said = spent(&record);
            assert!(said.beside > 0 && said.runs_to_first_violation() <= Some(200));
            assert!(said.relations[0].own_runs_to_violation == Some(said.relations[0].runs));
            assert!(said.relations[1].runs > 100, "what is left goes to the others: {said:?}");
        }
    }
}

#[test]
fn the_seed_decides_everything() {
    let workbench = opened(
        function!(halved(x: i32) -> i32)
            .with(function!(length(text: &str) -> u32))
            .holds("relation odd: when x > -2147483648: halved(-x) == -halved(x)")
            .holds("relation twice: length(concat(text, text)) == 2 * length(text)")
            .holds("relation more: for k in {1, 2, 3}: length(text) < length(concat(text, \"abc\")) + k"),
    );
    for schedule in Schedule::ALL {
        let one = |seed: u64, jobs: usize| {
            let jobs = NonZeroUsize::new(jobs).expect("threads");
            let options = CheckOptions { jobs, ..options(seed) };
            let budget = ScheduleOptions { runs: 77, schedule };
            check_scheduled(Arc::clone(&workbench), &options, budget, &Until::default(), &mut |_| {})
        };
        assert_eq!(one(5, 1).expect("checked"), one(5, 8).expect("checked"));
        assert_ne!(one(5, 1).expect("checked"), one(6, 1).expect("checked"));
    }
}

#[test]
fn a_relation_without_an_eligible_input_was_not_tested() {
    let workbench = opened(
        function!(double(x: i32) -> i64)
            .holds("relation never: when x > 5 and x < 5: double(x) == 0")
            .holds("relation outside: double(x + 5000000000) == 0"),
    );
    for schedule in Schedule::ALL {
        let record = counted(&workbench, 1, 50, schedule);
        assert!(record.relations.iter().all(|r| r.verdict() == RelationVerdict::NeverEligible));
        assert!(record.relations[1].outside.as_ref().is_some_and(|words| words.contains("outside")));
        assert_eq!(record.stop, StopReason::NothingLeft { runs: 0, budget: 50 });
    }
}

#[test]
fn no_group_is_run_twice() {
    let workbench = opened(
        function!(xor(a: bool, b: bool) -> bool)
            .holds("relation symmetric: xor(a, b) == xor(b, a)")
            .holds("relation known: xor(true, false)"),
    );
    for schedule in Schedule::ALL {
        let record = counted(&workbench, 3, 1000, schedule);
        assert_eq!(record.stop, StopReason::NothingLeft { runs: 9, budget: 1000 });
        assert_eq!(record.relations.iter().map(|r| r.tally.held).collect::<Vec<_>>(), [4, 1]);
        assert!(spent(&record).relations[0].partitions.iter().all(|p| p.groups == 1));
    }
}

#[test]
fn skipped_groups_are_told() {
    let workbench = opened(
        function!(quotient(a: i32 in -9..=9, b: i32 in -1..=1) -> i32)
            .holds("relation sign: quotient(-a, b) == -quotient(a, b)"),
    );
    for schedule in Schedule::ALL {
        let record = checked(&workbench, 0, 60, schedule);
        let told: Vec<&str> = record.relations[0].skipped().map(|(words, _)| words).collect();
        assert!(matches!(told[..], [one] if one.contains("divided by 0")), "{told:?}");
    }
}

#[test]
fn an_interruption_ends_it() {
    let interrupted = Interruption::default();
    let budget = ScheduleOptions { runs: 100, schedule: Schedule::Bandit };
    let mut told = |progress: dodona_workbench::check::Progress| {
        assert_eq!(progress.planned, 100);
        if progress.run >= 10 {
            interrupted.raise();
        }
    };
    let until = Until::interrupted(&interrupted);
    let record = check_scheduled(doubles(), &options(0), budget, &until, &mut told).expect("a record");
    let StopReason::Interrupted { run, planned: 100 } = record.stop else { panic!("{:?}", record.stop) };
    assert!((10..100).contains(&run));
}

#[test]
fn kept_counterexamples_come_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("halved.rs");
    std::fs::write(&file, "").expect("a file");
    let workbench = opened(
        function!(halved(x: i32) -> i32)
            .holds("relation odd: when x > -2147483648: halved(-x) == -halved(x)")
            .kept_beside(&file),
    );
    let checked = |runs| {
        let options = CheckOptions { regressions: Regressions::Keep, ..options(8) };
        let budget = ScheduleOptions { runs, schedule: Schedule::Feedback };
        check_scheduled(Arc::clone(&workbench), &options, budget, &Until::default(), &mut |_| {})
    };
    let first = checked(100).expect("a record");
    assert!(first.relations[0].counterexample.as_ref().is_some_and(|c| c.kept.is_some()));
    let second = checked(100).expect("a record");
    assert_eq!((second.unread, spent(&second).runs_to_first_violation()), (0, Some(2)));
    let none = checked(1).expect("a record");
    assert_eq!((none.unread, spent(&none).runs), (1, 0), "it was not judged");
    assert!(none.warnings[0].contains("the runs were spent"), "{:?}", none.warnings);
}

#[test]
fn an_unknown_relation_is_an_error() {
    let options = CheckOptions { relations: vec!["od".into()], ..options(0) };
    let budget = ScheduleOptions { runs: 10, schedule: Schedule::RoundRobin };
    let found = check_scheduled(doubles(), &options, budget, &Until::default(), &mut |_| {});
    assert!(matches!(found, Err(LabError::UnknownRelation { .. })));
}

#[test]
fn a_near_miss_is_no_violation() {
    let workbench = opened(function!(third(x: f64 in 1.0..=9.0) -> f64).holds("third(3 * x) ~= x"));
    for schedule in Schedule::ALL {
        let record = counted(&workbench, 0, 30, schedule);
        assert_eq!(record.relations[0].tally.held, 30);
    }
}

fn noted(x: i32) -> i32 {
    NOTED.with_borrow_mut(|all| all.push(x.into()));
    x
}

#[test]
fn inputs_are_those_of_a_check_in_the_order_of_each_partition() {
    let workbench = opened(function!(noted(x: i32) -> i32).holds("relation same: noted(x) == x"));
    for schedule in Schedule::ALL {
        NOTED.take();
        let record = checked(&workbench, 11, 60, schedule);
        let run = NOTED.take();
        let sampler = &samplers(&workbench, &workbench.relations[0].relation).expect("values")[0];
        let drawn = |chunk| sampler.column(&mut Seed(11).stream("same/x", chunk), 1024);
        let value = |column: &Column, row| match column.value(row) {
            Value::Int(x) => x,
            other => panic!("{other}"),
        };
        let drawn: Vec<i128> = (0..16)
            .map(drawn)
            .flat_map(|c| (0..1024).map(move |row| value(&c, row)).collect::<Vec<_>>())
            .collect();
        type Part = (&'static str, fn(i128) -> bool);
        let parts: [Part; 4] = [
            ("x negative", |x| x < 0),
            ("x zero", |x| x == 0),
            ("x small", |x| (1..=46_340).contains(&x)),
            ("x large", |x| x > 46_340),
        ];
        assert_eq!(run.len(), 60);
        for ((name, is_in), said) in parts.into_iter().zip(&spent(&record).relations[0].partitions) {
            let own: Vec<i128> = run.iter().copied().filter(|x| is_in(*x)).collect();
            assert_eq!((name, own.len() as u64), (said.name.as_str(), said.groups));
            let mut rest = drawn.iter();
            assert!(own.iter().all(|x| rest.any(|y| y == x)), "{schedule:?} {name}");
        }
    }
}
