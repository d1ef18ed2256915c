//! Metamorphic groups checked a second on one core, beside proptest on the same relation in the same run.
//!
//! Each figure is the best of several runs: on a busy machine the least disturbed run says most.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use dodona_sources::Seed;
use dodona_subject::Manifest;
use dodona_target::{Column, Interruption, Outcome, Type, Value};
use dodona_wasm::execute::Strategy;
use dodona_workbench::{CheckOptions, Regressions, Workbench, check};
use proptest::test_runner::{Config, TestRunner};

const RUNS: u32 = 5;

struct Case {
    what: &'static str,
    subject: &'static str,
    relation: &'static str,
    sources: u64,
    input: Input,
    goal: f64,
}

/// Where the source inputs come from.
enum Input {
    /// Drawn at random from the domain: sampling is part of what is measured.
    Random,
    /// Programs of 1 KiB in the lexer's language, read from a file: random characters would be no real input.
    Programs,
}

const CASES: [Case; 3] = [
    Case {
        what: "scalar: sin(x + 2*pi) ~= sin(x)",
        subject: "../subjects/trig",
        relation: "period",
        sources: 4_000_000,
        input: Input::Random,
        goal: 5e6,
    },
    Case {
        what: "sequence of 16 i32: mean(reverse(xs)) ~= mean(xs)",
        subject: "subjects/speed",
        relation: "reversed",
        sources: 400_000,
        input: Input::Random,
        goal: 5e5,
    },
    Case {
        what: "WASI command, 1 KiB of standard input",
        subject: "subjects/lexer",
        relation: "end_of_line",
        sources: 20_000,
        input: Input::Programs,
        goal: 2e4,
    },
];

/// Groups a second of one relation on one thread, the best of several runs.
fn groups_per_second(case: &Case) -> f64 {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(case.subject);
    let manifest = Manifest::find(&folder).expect("the benchmark's manifest is valid");
    let workbench = dodona_wasm::open(manifest).expect("the benchmark's subject builds");
    let scratch = tempfile::tempdir().expect("a folder for the programs");
    let (sources, files) = match case.input {
        Input::Random => (case.sources, Vec::new()),
        Input::Programs => (0, vec![programs(scratch.path(), case.sources)]),
    };
    let options = CheckOptions {
        sources,
        files,
        relations: vec![case.relation.to_owned()],
        seed: Seed(1),
        jobs: NonZeroUsize::MIN,
        regressions: Regressions::Ignore,
        ..CheckOptions::default()
    };
    checked_per_second(&workbench.any(), &options, case.sources)
}

/// Groups a second of a check of one relation on one thread, the best of several runs.
fn checked_per_second(workbench: &Arc<Workbench>, options: &CheckOptions, sources: u64) -> f64 {
    best(|| {
        let start = Instant::now();
        let record =
            check(workbench.clone(), options, &Interruption::default(), &mut |_| {}).expect("the check runs");
        let tally = &record.relations[0].tally;
        // A follow-up just beyond the domain is ineligible; anything else would be measured wrongly.
        assert!(tally.violated == 0 && tally.held * 100 > sources * 99, "the relation holds: {tally:?}");
        tally.groups() as f64 / start.elapsed().as_secs_f64()
    })
}

/// The scalar relation over the native function.
fn native_groups_per_second() -> f64 {
    const SOURCES: u64 = 2_000_000;
    fn sin(x: f64) -> f64 {
        libm::sin(x)
    }
    let test = dodona_native::function!(sin(x: f64 in -1000.0..=1000.0) -> f64)
        .holds("relation period: sin(x + 2 * pi) ~= sin(x)");
    let options = CheckOptions {
        sources: SOURCES,
        seed: Seed(1),
        jobs: NonZeroUsize::MIN,
        regressions: Regressions::Ignore,
        ..CheckOptions::default()
    };
    checked_per_second(&test.workbench().expect("a valid relation"), &options, SOURCES)
}

/// Writes so many programs of 1 KiB, no two alike, as lines of JSON.
fn programs(folder: &Path, count: u64) -> PathBuf {
    const STATEMENTS: [&str; 8] = [
        "let total = count + 12;",
        "if total >= limit { return total - limit; }",
        "# the rest is carried over",
        "while index != 0 { index = index - step; }",
        "let message = \"out of range\";",
        "fn area(width, height) { return width * height; }",
        "let ratio = 0.75 * (first + second) / 2;",
        "if done && !failed { let again = retry(3); }",
    ];
    let mut text = String::new();
    for program in 0..count {
        let mut lines = String::new();
        let mut next = program;
        while lines.len() < 1024 {
            next = next.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            lines += STATEMENTS[(next >> 61) as usize];
            lines.push('\n');
        }
        lines.truncate(1024);
        text += &serde_json::json!({ "text": lines }).to_string();
        text.push('\n');
    }
    let path = folder.join("programs.jsonl");
    std::fs::write(&path, text).expect("the programs are written");
    path
}

/// The same scalar relation over the native function, by proptest.
fn proptest_groups_per_second() -> f64 {
    const CASES: u32 = 200_000;
    let run = || {
        let mut runner =
            TestRunner::new(Config { cases: CASES, failure_persistence: None, ..Config::default() });
        let start = Instant::now();
        let result = runner.run(&(-1000.0..1000.0f64), |x| {
            let (a, b) = (libm::sin(x + 2.0 * std::f64::consts::PI), libm::sin(x));
            proptest::prop_assert!((a - b).abs() <= 1e-12 + 1e-9 * a.abs().max(b.abs()));
            Ok(())
        });
        assert!(result.is_ok(), "the relation holds: {result:?}");
        f64::from(CASES) / start.elapsed().as_secs_f64()
    };
    best(run)
}

/// Calls a second of a text function that allocates, with instances that are restored and with fresh ones.
fn text_calls_per_second() -> [f64; 2] {
    const ROWS: usize = 20_000;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../subjects/genmorph");
    let manifest = Manifest::find(&folder).expect("the benchmark's manifest is valid");
    let workbench = dodona_wasm::open(manifest).expect("the benchmark's subject builds");
    let functions = &workbench.functions();
    let pad = functions.iter().position(|function| function.name == "padStart").expect("it is there");
    let (mut strings, mut characters) = (Column::empty(Type::Text), Column::empty(Type::Text));
    for row in 0..ROWS {
        strings.push(&Value::Text("a text of twelve"[..row % 16].into()));
        characters.push(&Value::Text("-".into()));
    }
    let lengths = Column::Int((0..ROWS).map(|row| (row % 24) as i128).collect());
    let arguments = [strings, lengths, characters];
    [Strategy::Columns, Strategy::Fresh].map(|strategy| {
        let mut runner = workbench.target.executable.runner();
        best(|| {
            let start = Instant::now();
            let calls = runner.call_with(strategy, pad, &arguments).expect("the calls are made");
            assert!(calls.outcomes.iter().all(|outcome| *outcome == Outcome::Returned));
            ROWS as f64 / start.elapsed().as_secs_f64()
        })
    })
}

fn best(mut run: impl FnMut() -> f64) -> f64 {
    (0..RUNS).map(|_| run()).fold(0.0, f64::max)
}

fn main() {
    println!("metamorphic groups a second on one core, best of {RUNS} runs");
    let mut scalar = None;
    // A word after `--` selects cases: what is profiled should run alone.
    let only = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    for case in CASES.iter().filter(|case| only.as_ref().is_none_or(|only| case.what.contains(&**only))) {
        let found = groups_per_second(case);
        scalar.get_or_insert(found);
        println!(
            "  {:<52} {:>12.0}  (goal {:>9.0}: {:.2} times)",
            case.what,
            found,
            case.goal,
            found / case.goal
        );
    }
    if only.is_some() {
        return;
    }
    let beside = proptest_groups_per_second();
    println!("  {:<52} {:>12.0}", "proptest, the same relation on native libm::sin", beside);
    if let Some(scalar) = scalar {
        println!("  ratio of the first line to proptest: {:.1}", scalar / beside);
    }
    let native = native_groups_per_second();
    println!("  {:<52} {:>12.0}", "the same relation on the same native function", native);
    println!("  ratio to proptest: {:.1}", native / beside);
    let [restored, fresh] = text_calls_per_second();
    println!("calls a second of a text function that allocates, on one core, best of {RUNS} runs");
    println!("  {:<52} {:>12.0}", "padStart, its instance restored", restored);
    println!("  {:<52} {:>12.0}", "padStart, in fresh instances", fresh);
    println!("  ratio: {:.1}", restored / fresh);
}
