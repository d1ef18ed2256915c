//! Checking as a whole: the same bytes for any number of threads, shrinking, provenance, regressions.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use dodona_records::{CheckRecord, Provenance, RelationVerdict, StopReason};
use dodona_sources::{Seed, regressions};
use dodona_subject::Manifest;
use dodona_target::{Column, Interruption};
use dodona_wasm::Workbench;
use dodona_workbench::{CheckOptions, LabError, MadeInputs, Regressions, check, replay};
use proptest::prelude::*;

const WAT: &str = r#"(module
  (memory (export "memory") 1)
  (global $calls (mut i32) (i32.const 0))
  ;; Off by one from 1000 on, and traps at -7.
  (func (export "twice") (param i64) (result i64)
    (if (i64.eq (local.get 0) (i64.const -7)) (then unreachable))
    (i64.add (i64.mul (local.get 0) (i64.const 2)) (i64.extend_i32_u (i64.ge_s (local.get 0) (i64.const 1000)))))
  ;; Keeps count: in one instance the second call would differ from the first.
  (func (export "count") (param i32) (result i32)
    (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
    (i32.add (local.get 0) (global.get $calls)))
  ;; The sum of the elements, but a 13 counts nothing.
  (func (export "sum") (param $p i32) (param $n i32) (result i32)
    (local $s i32) (local $x i32)
    (block $done (loop $next
      (br_if $done (i32.eqz (local.get $n)))
      (local.set $x (i32.load8_s (local.get $p)))
      (if (i32.ne (local.get $x) (i32.const 13)) (then (local.set $s (i32.add (local.get $s) (local.get $x)))))
      (local.set $p (i32.add (local.get $p) (i32.const 1)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br $next)))
    local.get $s))"#;

const MANIFEST: &str = r#"
module = "m.wat"
relations = ["m.mr"]
[[function]]
signature = "twice(n: i64) -> i64"
domain.n = { range = [-100000, 100000] }
[[function]]
signature = "count(c: i32) -> i32"
domain.c = { range = [0, 1000] }
[[function]]
signature = "sum(xs: [i8]) -> i32"
domain.xs = { length = [0, 12] }
"#;

const RELATIONS: &str = "
relation linear:   for k in {2, 3}: twice(k * n) == k * twice(n)
relation shifts:   twice(n + 1) == twice(n) + 2
relation fresh:    count(c) == count(c + 0)
relation adds:     sum(concat(xs, [13])) == sum(xs) + 13
relation reversed: sum(reverse(xs)) == sum(xs)
relation nothing:  when n > 5 and n < 5: twice(n) == 0
";

fn subject(folder: &Path) -> Arc<Workbench> {
    for (name, text) in [("m.wat", WAT), ("m.toml", MANIFEST), ("m.mr", RELATIONS)] {
        std::fs::write(folder.join(name), text).expect("writes");
    }
    let manifest = Manifest::find(&folder.join("m.toml")).unwrap_or_else(|e| panic!("{e:#?}"));
    Arc::new(dodona_wasm::open(manifest).unwrap_or_else(|e| panic!("{e:#?}")))
}

fn options(seed: u64, sources: u64, jobs: usize) -> CheckOptions {
    CheckOptions {
        sources,
        files: vec![],
        made: Vec::new(),
        relations: vec![],
        seed: Seed(seed),
        jobs: NonZeroUsize::new(jobs).expect("at least one"),
        regressions: Regressions::Ignore,
        shrink_fuel: CheckOptions::SHRINK_FUEL,
        explains: true,
    }
}

fn run(workbench: &Arc<Workbench>, options: &CheckOptions) -> CheckRecord {
    check(workbench.clone(), options, &Interruption::default(), &mut |_| {})
        .unwrap_or_else(|e| panic!("{e:#?}"))
}

fn verdict(record: &CheckRecord, name: &str) -> RelationVerdict {
    record.relations.iter().find(|r| r.name == name).expect("checked").verdict()
}

/// Inputs of `twice`, as a technique could have made them.
fn made(values: Vec<i128>) -> Vec<MadeInputs> {
    vec![MadeInputs { function: 0, technique: "path".into(), columns: vec![Column::Int(values)] }]
}

#[test]
fn inputs_that_were_made_go_into_the_relations_that_take_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let workbench = subject(folder.path());
    let options = CheckOptions { made: made(vec![1, 400, 2]), ..options(1, 0, 2) };
    let record = run(&workbench, &options);
    let sources: Vec<u64> = record.relations.iter().map(|relation| relation.sources).collect();
    assert_eq!(sources, [3, 3, 0, 0, 0, 3], "linear, shifts and nothing call twice");
    let linear = &record.relations[0];
    let counterexample = linear.counterexample.as_ref().expect("3 * 400 is beyond 1000");
    let Provenance::Made { technique, function, row: 1, .. } = &counterexample.provenance else {
        panic!("{:?}", counterexample.provenance)
    };
    assert_eq!((technique.as_str(), function.as_str()), ("path", "twice"));
    assert_eq!(counterexample.provenance.to_string(), "input 1 of twice by path, of seed 1");
    assert_eq!(verdict(&record, "shifts"), RelationVerdict::Holds);
    let left_out = record.warnings.iter().filter(|words| words.contains("takes no source that was made"));
    assert_eq!(left_out.count(), 3, "{:?}", record.warnings);
}

#[test]
fn random_sources_are_the_same_beside_those_that_were_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let workbench = subject(folder.path());
    let alone = run(&workbench, &options(1, 300, 1));
    let both = run(&workbench, &CheckOptions { made: made(vec![1; 1500]), ..options(1, 300, 1) });
    assert_eq!(both.warnings, alone.warnings);
    for (both, alone) in both.relations.iter().zip(&alone.relations) {
        let is_fed = ["linear", "shifts", "nothing"].contains(&both.name.as_str());
        assert_eq!(both.sources, if is_fed { 1800 } else { 300 }, "{}", both.name);
        assert_eq!(both.tally.violated, alone.tally.violated, "{}: made ones hold", both.name);
    }
}

#[test]
fn verdicts_are_as_the_functions_deserve() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = run(&subject(folder.path()), &options(1, 3000, 1));
    for (name, expected) in [
        ("linear", RelationVerdict::Violated),
        ("shifts", RelationVerdict::Violated),
        ("fresh", RelationVerdict::Holds),
        ("adds", RelationVerdict::Violated),
        ("reversed", RelationVerdict::Holds),
        ("nothing", RelationVerdict::NeverEligible),
    ] {
        assert_eq!(verdict(&record, name), expected, "{name}");
    }
    assert_eq!(record.stop, StopReason::SourcesRun { sources: 18_000 });
    let linear = &record.relations[0].tally;
    assert_eq!(linear.groups(), 6000, "each of 3000 sources makes a group for each constant");
    assert!(linear.out_of_domain > 0, "{linear:?}");
}

#[test]
fn counterexamples_are_shrunk_to_the_edge() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = run(&subject(folder.path()), &options(1, 3000, 1));
    let smallest = |name: &str| {
        let relation = record.relations.iter().find(|r| r.name == name).expect("checked");
        relation.counterexample.as_ref().expect("violated").source[0].value.clone()
    };
    // Nearer to zero than the 999 of the wrong sum: the follow-up of -8 is the trap at -7.
    assert_eq!(smallest("shifts"), "-8");
    let linear = smallest("linear");
    assert!(linear == "500" || linear == "334", "twice 500 or three times 334 is past the edge: {linear}");
    assert_eq!(smallest("adds"), "[]");
}

#[test]
fn a_provenance_makes_the_same_source_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let workbench = subject(folder.path());
    let found = |sources| {
        let record =
            run(&workbench, &CheckOptions { relations: vec!["shifts".into()], ..options(9, sources, 2) });
        record.relations[0].counterexample.clone().map(|c| (c.found, c.provenance))
    };
    let (inputs, provenance) = found(5000).expect("violated");
    let Provenance::Random { seed: 9, row } = provenance else { panic!("{provenance:?}") };
    assert_eq!(found(row + 1), Some((inputs, provenance)));
    assert_eq!(found(row), None, "no source before it violates");
}

#[test]
fn a_violation_is_kept_tried_first_and_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let workbench = subject(folder.path());
    let keep = CheckOptions {
        regressions: Regressions::Keep,
        relations: vec!["shifts".into()],
        ..options(1, 2000, 2)
    };
    let first = run(&workbench, &keep);
    let kept = first.relations[0].counterexample.as_ref().expect("violated").kept.clone().expect("kept");
    let again = run(&workbench, &CheckOptions { sources: 0, ..keep });
    let counterexample = again.relations[0].counterexample.as_ref().expect("violated");
    assert_eq!(counterexample.provenance, Provenance::Regression { path: kept.clone() });
    assert_eq!(counterexample.kept.as_deref(), Some(kept.as_str()), "the same violation is one file");
    let regression = regressions::load(Path::new(&kept)).expect("readable");
    let record = replay(&*workbench, &regression, &kept).expect("replays");
    assert_eq!(record.verdict(), RelationVerdict::Violated);
}

#[test]
fn files_give_sources_to_the_relations_whose_variables_they_have() {
    let folder = tempfile::tempdir().expect("a folder");
    let workbench = subject(folder.path());
    let file = folder.path().join("n.csv");
    std::fs::write(&file, "n\n5\n999\n-7\n100000\n").expect("writes");
    let options = CheckOptions {
        files: vec![file],
        relations: vec!["shifts".into(), "fresh".into()],
        ..options(1, 0, 1)
    };
    let record = run(&workbench, &options);
    let shifts = &record.relations[0];
    assert_eq!((shifts.sources, shifts.tally.violated, shifts.tally.out_of_domain), (4, 1, 1));
    assert_eq!(shifts.tally.skipped.values().sum::<u64>(), 1, "{:?}", shifts.tally);
    let provenance = &shifts.counterexample.as_ref().expect("violated").provenance;
    assert!(matches!(provenance, Provenance::File { line: 3, .. }), "{provenance:?}");
    assert_eq!(verdict(&record, "fresh"), RelationVerdict::NotRun);
    assert!(record.warnings[0].contains("`fresh` takes no source from it"), "{:?}", record.warnings);
}

#[test]
fn an_interrupted_check_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let workbench = subject(folder.path());
    let record = check(workbench.clone(), &options(1, 1000, 1), &Interruption::raised(), &mut |_| {})
        .expect("a record");
    assert_eq!(record.stop, StopReason::Interrupted { run: 0, planned: 6000 });
    assert!(record.relations.iter().all(|r| r.verdict() == RelationVerdict::NotRun));
}

#[test]
fn unknown_relations_and_empty_files_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let workbench = subject(folder.path());
    let refuse = |options: CheckOptions| -> LabError {
        check(workbench.clone(), &options, &Interruption::default(), &mut |_| {}).expect_err("refused")
    };
    let unknown = refuse(CheckOptions { relations: vec!["shift".into()], ..options(1, 10, 1) });
    assert_eq!(unknown.to_string(), "no relation is called `shift`; did you mean `shifts`?");
    let file = folder.path().join("z.csv");
    std::fs::write(&file, "z\n5\n").expect("writes");
    let useless = refuse(CheckOptions { files: vec![file], ..options(1, 0, 1) });
    assert!(useless.to_string().contains("has columns for no relation"), "{useless}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
    #[test]
    fn the_record_is_the_same_for_any_number_of_threads(seed: u64, sources in 1u64..4000, jobs in 2usize..6) {
        let folder = tempfile::tempdir().expect("a folder");
        let workbench = subject(folder.path());
        let one = run(&workbench, &options(seed, sources, 1));
        let many = run(&workbench, &options(seed, sources, jobs));
        prop_assert_eq!(one, many);
    }
}

/// Checks long data of a file that violates two relations, and interrupts when all sources were run.
#[test]
fn an_interruption_while_violations_are_made_small_loses_none() {
    let folder = tempfile::tempdir().expect("a folder");
    subject(folder.path());
    let manifest = std::fs::read_to_string(folder.path().join("m.toml")).expect("there");
    let relations = "relation none: sum(xs) == 7\nrelation never: sum(reverse(xs)) == 9\n";
    let row: Vec<String> = (0..3_000).map(|i| (i % 12).to_string()).collect();
    for (name, text) in [
        ("m.toml", manifest.replace("length = [0, 12]", "length = [0, 3000]")),
        ("m.mr", relations.to_owned()),
        ("long.jsonl", format!("{{\"xs\": [{}]}}\n", row.join(","))),
    ] {
        std::fs::write(folder.path().join(name), text).expect("writes");
    }
    let manifest = Manifest::find(&folder.path().join("m.toml")).unwrap_or_else(|e| panic!("{e:#?}"));
    let workbench = Arc::new(dodona_wasm::open(manifest).unwrap_or_else(|e| panic!("{e:#?}")));
    let mut options = options(0, 0, 1);
    options.files = vec![folder.path().join("long.jsonl")];
    options.regressions = Regressions::Keep;
    let interrupted = Interruption::default();
    let record = check(workbench.clone(), &options, &interrupted, &mut |progress| {
        let all = progress.run == progress.planned;
        if all {
            interrupted.raise();
        }
    });
    let record = record.expect("it runs");
    assert_eq!(record.stop, StopReason::SourcesRun { sources: 2 });
    for relation in &record.relations {
        assert_eq!(relation.verdict(), RelationVerdict::Violated, "{}", relation.name);
        let found = relation.counterexample.as_ref().expect("a counterexample");
        assert_eq!((found.shrink_steps, &found.source), (0, &found.found));
        assert!(found.source[0].value.starts_with("[0, 1, 2,"));
        assert!(Path::new(found.kept.as_ref().expect("kept")).exists());
    }
    // Without an interruption they become small, and the long ones make room for them.
    let kept = |folder: &Path| std::fs::read_dir(folder.join(regressions::FOLDER)).expect("there").count();
    assert_eq!(kept(folder.path()), 2);
    std::fs::remove_dir_all(folder.path().join(regressions::FOLDER)).expect("removed");
    let record = check(workbench.clone(), &options, &Interruption::default(), &mut |_| {}).expect("it runs");
    for relation in &record.relations {
        let found = relation.counterexample.as_ref().expect("a counterexample");
        assert_eq!(
            (found.source[0].value.as_str(), found.shrink_steps > 0),
            ("[]", true),
            "{}",
            relation.name
        );
    }
    assert_eq!(kept(folder.path()), 2);
}

const CONSTANT_WAT: &str = r#"(module
  (func (export "answer") (result i32) (i32.const 42))
  (func (export "id") (param $x i32) (result i32) (local.get $x)))"#;

const CONSTANT_MANIFEST: &str = r#"
module = "m.wat"
relations = ["m.mr"]
[[function]]
signature = "answer() -> i32"
[[function]]
signature = "id(x: i32) -> i32"
domain.x = { range = [-1000, 1000] }
"#;

const CONSTANT_RELATIONS: &str = "
relation sum:    answer() + id(x) == 42 + x
relation differ: when x > 0: answer() == 42 + id(x)
relation both:   answer() == 42
";

#[test]
fn a_function_without_parameters_stands_beside_variables() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("m.wat", CONSTANT_WAT), ("m.toml", CONSTANT_MANIFEST), ("m.mr", CONSTANT_RELATIONS)]
    {
        std::fs::write(folder.path().join(name), text).expect("writes");
    }
    let manifest = Manifest::find(&folder.path().join("m.toml")).unwrap_or_else(|e| panic!("{e:#?}"));
    let workbench = Arc::new(dodona_wasm::open(manifest).unwrap_or_else(|e| panic!("{e:#?}")));
    let record = run(&workbench, &options(1, 3000, 2));
    assert_eq!(verdict(&record, "sum"), RelationVerdict::Holds);
    assert_eq!(verdict(&record, "differ"), RelationVerdict::Violated);
    assert_eq!(verdict(&record, "both"), RelationVerdict::Holds);
    assert_eq!(record.relations[0].sources, 3000);
}

/// Functions that return their argument, with one relation for each pair of domains.
fn identities(folder: &Path, declared: &str, relations: &str) -> Arc<Workbench> {
    let wat = r#"(module
      (func (export "int") (param i32) (result i32) (local.get 0))
      (func (export "byte") (param i32) (result i32) (local.get 0))
      (func (export "float") (param f64) (result f64) (local.get 0))
      (func (export "single") (param f32) (result f32) (local.get 0))
      (func (export "two") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1))))"#;
    let manifest = format!("module = \"m.wat\"\nrelations = [\"m.mr\"]\n{declared}");
    for (name, text) in [("m.wat", wat), ("m.toml", &manifest), ("m.mr", relations)] {
        std::fs::write(folder.join(name), text).expect("writes");
    }
    let manifest = Manifest::find(&folder.join("m.toml")).unwrap_or_else(|e| panic!("{e:#?}"));
    Arc::new(dodona_wasm::open(manifest).unwrap_or_else(|e| panic!("{e:#?}")))
}

const IDENTITIES: &str = r#"
[[function]]
signature = "int(x: i32) -> i32"
domain.x = { range = [-1000000, 1000] }
[[function]]
signature = "byte(x: u8) -> u8"
domain.x = { except = [3] }
[[function]]
signature = "float(x: f64) -> f64"
domain.x = { range = [0.5, 1e6] }
[[function]]
signature = "single(y: f32) -> f32"
domain.y = { range = [0.1, 0.7] }
[[function]]
signature = "two(a: i32, b: i32) -> i32"
domain.a = { range = [0, 1000] }
domain.b = { range = [990, 2000000] }
"#;

#[test]
fn random_inputs_lie_in_the_domains_of_all_parameters_that_take_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let relations = "
relation named:   int(x) == byte(x)
relation turned:  byte(x) == int(x)
relation whole:   float(x) == int(x)
relation bound(v: two.a): two(v, 995) - 995 == int(v)
relation swapped: two(a, b) == two(b, a)
relation rounded(v: float.x): single(v) <= float(v) + 1
";
    let workbench = identities(folder.path(), IDENTITIES, relations);
    let record = run(&workbench, &options(3, 1000, 1));
    for relation in &record.relations {
        assert_eq!(
            (relation.tally.held, relation.tally.groups()),
            (1000, 1000),
            "{}: {:?}",
            relation.name,
            relation.tally
        );
    }
}

#[test]
fn a_variable_without_a_value_names_all_parameters_that_take_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let declared = IDENTITIES.replace("[0.5, 1e6]", "[0.5, 0.75]");
    for (relation, parts) in [
        (
            "relation no: float(x) == int(x)",
            ["`x` of `float` (range = [0.5, 0.75])", "`x` of `int` (range = [-1000000, 1000])"],
        ),
        (
            "relation no: two(1, b) == byte(b)",
            ["`b` of `two` (range = [990, 2000000])", "`x` of `byte` (except = [3])"],
        ),
    ] {
        let workbench = identities(folder.path(), &declared, relation);
        let error = check(workbench.clone(), &options(1, 10, 1), &Interruption::default(), &mut |_| {})
            .expect_err("nothing to draw");
        let message = error.to_string();
        assert!(matches!(error, LabError::DisjointDomains { .. }), "{message}");
        assert!(
            parts.iter().all(|part| message.contains(part)) && message.contains("relation `no`"),
            "{message}"
        );
    }
}

#[test]
fn linked_variables_shrink_together_and_a_bound_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let declared = IDENTITIES.replace("range = [-1000000, 1000]", "range = [-1000000, 10000000]");
    let relations = "
relation equal(a: int.x, b: int.x, c: int.x): (a == b and b == c and a > 5) implies int(a) != int(b)
relation apart(p: int.x, q: int.x): (p == q + 37 and p > 100) implies int(p) < int(q)
";
    let workbench = identities(folder.path(), &declared, relations);
    let file = folder.path().join("found.csv");
    std::fs::write(&file, "a,b,c,p,q\n987654,987654,987654,1000037,1000000\n").expect("writes");
    let options = CheckOptions { files: vec![file], ..options(1, 0, 1) };
    let small = |options: &CheckOptions| {
        let record = run(&workbench, options);
        let one = |r: &dodona_records::RelationRecord| {
            let found = r.counterexample.clone().expect("violated");
            let values: Vec<String> = found.source.iter().map(|b| b.value.clone()).collect();
            (values.join(" "), found.shrink_stopped)
        };
        record.relations.iter().map(one).collect::<Vec<_>>()
    };
    assert_eq!(small(&options), [("6 6 6".to_owned(), None), ("101 64".to_owned(), None)]);
    let stopped = small(&CheckOptions { shrink_fuel: 40, ..options });
    assert_eq!(stopped[0].1.as_deref(), Some("shrinking stopped after 40 units of fuel"));
}
