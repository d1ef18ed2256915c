//! Bounds that a user meets: long counterexamples are made small, no verdict is lost while they are, and memory has a ceiling.

mod common;

use std::path::Path;
use std::process::Output;

use common::{both, dodona, files, text, unbroken};

/// Whether some element is 777; whether some is 778.
const WAT: &str = r#"(module (memory (export "memory") 40)
  (func $has (param i32 i32 i32) (result i32)
    (block (loop
      (br_if 1 (i32.eqz (local.get 1)))
      (if (i32.eq (i32.load (local.get 0)) (local.get 2)) (then (return (i32.const 1))))
      (local.set 0 (i32.add (local.get 0) (i32.const 4)))
      (local.set 1 (i32.sub (local.get 1) (i32.const 1)))
      (br 0)))
    (i32.const 0))
  (func (export "has") (param i32 i32) (result i32) (call $has (local.get 0) (local.get 1) (i32.const 777)))
  (func (export "had") (param i32 i32) (result i32) (call $has (local.get 0) (local.get 1) (i32.const 778))))"#;

const RELATIONS: &str = "relation none: has(xs) == 0\nrelation never: had(xs) == 0\n";

/// A subject whose relations are violated by the one row of `long.jsonl`.
fn subject(elements: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let domain = format!("domain.xs = {{ length = [0, {elements}] }}");
    let function = |name: &str| format!("[[function]]\nsignature = \"{name}(xs: [i32]) -> i32\"\n{domain}\n");
    let manifest = format!(
        "name = \"long\"\nmodule = \"long.wat\"\nrelations = [\"long.mr\"]\n{}{}",
        function("has"),
        function("had")
    );
    let row: Vec<String> = (0..elements).map(|i| (i * 7 % elements).to_string()).collect();
    let row = format!("{{\"xs\": [{}]}}\n", row.join(","));
    for (name, text) in
        [("dodona.toml", manifest.as_str()), ("long.wat", WAT), ("long.mr", RELATIONS), ("long.jsonl", &row)]
    {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    folder
}

fn check(folder: &Path, fault: &str) -> Output {
    let words = ["check", ".", "--from", "long.jsonl", "--jobs", "1"];
    dodona().args(words).env("DODONA_FAULT", fault).current_dir(folder).output().expect("runs")
}

fn kept(folder: &Path) -> Vec<std::path::PathBuf> {
    files(folder).into_iter().filter(|file| file.starts_with("dodona-regressions")).collect()
}

#[test]
fn a_long_counterexample_becomes_the_element_that_matters() {
    let folder = subject(20_000);
    let output = check(folder.path(), "nothing");
    let report = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{}", both(&output));
    assert!(report.contains("      xs = [777]\n") && report.contains("      xs = [778]\n"), "{report}");
    assert!(report.contains("long.jsonl:1, shrunk in "), "{report}");
    // What was found is cut, as people read it.
    assert!(report.len() < 4_000, "{report}");
    // The one as it was found made room for the small one.
    assert_eq!(kept(folder.path()).len(), 2, "{:?}", kept(folder.path()));
}

#[cfg(debug_assertions)]
#[test]
fn a_panic_while_a_counterexample_is_made_small_costs_no_verdict() {
    let folder = subject(1_000);
    let output = check(folder.path(), "shrinking");
    let (report, all) = (text(&output.stdout), both(&output));
    assert_eq!(output.status.code(), Some(1), "{all}");
    assert_eq!(report.matches("VIOLATED").count(), 2, "{all}");
    assert_eq!(unbroken(&report).matches("asked for by DODONA_FAULT; please report it").count(), 2, "{all}");
    assert_eq!(kept(folder.path()).len(), 2, "{:?}", kept(folder.path()));
    // What was seen to violate before is what is kept.
    let again =
        dodona().args(["check", ".", "--sources", "0"]).current_dir(folder.path()).output().expect("runs");
    assert_eq!(text(&again.stdout).matches("VIOLATED").count(), 2, "{}", both(&again));
}

#[test]
fn json_has_a_long_input_in_full() {
    let folder = subject(1_000);
    let words = ["check", ".", "--from", "long.jsonl", "--keep", "nothing", "--format", "json"];
    let output = dodona().args(words).current_dir(folder.path()).output().expect("runs");
    let row = std::fs::read_to_string(folder.path().join("long.jsonl")).expect("there");
    let last = row.trim_end().rsplit(',').next().expect("an element").to_owned();
    assert!(text(&output.stdout).contains(&last.replace([']', '}'], "")), "{}", both(&output));
    assert!(text(&output.stdout).contains("[0, 7, 14, 21, "), "{}", both(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_ceiling_ends_a_command_with_a_message() {
    let folder = subject(60_000);
    let manifest = folder.path().join("dodona.toml");
    let long = std::fs::read_to_string(&manifest).expect("there").replace("length = [0,", "length = [60000,");
    std::fs::write(&manifest, long).expect("written");
    let before = files(folder.path());
    let words = ["mutate", ".", "--against", "inputs", "--inputs", "100000", "--memory", "200MiB"];
    let output = dodona().args(words).current_dir(folder.path()).output().expect("runs");
    let (errors, all) = (text(&output.stderr), both(&output));
    assert_eq!(output.status.code(), Some(3), "{all}");
    assert!(
        errors.contains(
            "error: stopped at the memory ceiling of 200 MiB while mutating .; raise it with --memory"
        ),
        "{all}"
    );
    assert_eq!(files(folder.path()), before, "no file is left");
}

#[cfg(target_os = "linux")]
#[test]
fn a_ceiling_below_what_dodona_takes_by_itself_is_refused() {
    let folder = subject(10);
    for size in ["1KiB", "100000"] {
        let words = ["--memory", size, "check", "."];
        let output = dodona().args(words).current_dir(folder.path()).output().expect("runs");
        assert_eq!(output.status.code(), Some(2), "{}", both(&output));
        assert!(text(&output.stderr).contains("less than Dodona takes by itself"), "{}", both(&output));
    }
    let output =
        dodona().args(["check", ".", "--memory", "8GB"]).current_dir(folder.path()).output().expect("runs");
    assert_eq!(output.status.code(), Some(2), "{}", both(&output));
    assert!(text(&output.stderr).contains("8GiB, 500MiB, 65536"), "{}", both(&output));
}
