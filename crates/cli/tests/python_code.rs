//! What is known of the code of Python functions: what inputs run of it, and what relations catch of its faults.

mod common;

use std::path::Path;

use common::{both, exits, run, text};
use serde_json::Value as Json;
use tempfile::TempDir;

const MODULE: &str = "\
def helper(x):
    if x > 50:
        return x * 2
    return x


def fee(x: float, n: int) -> float:
    total = 0.0
    for _ in range(n):
        total += helper(x)
    try:
        if x < 0:
            raise ValueError('negative')
    except ValueError:
        return -1.0
    return total if n % 2 == 0 else total + 1


def unused(x):
    return x
";

const MANIFEST: &str = "\
relations = [\"fees.mr\"]
[target]
python = \"fees\"
[[function]]
signature = \"fee(x: f64, n: i32) -> f64\"
domain.x = { range = [0, 40] }
domain.n = { range = [0, 6] }
";

const RELATIONS: &str = "\
relation more: fee(x, n) <= fee(x + 1, n)
relation linear: when n mod 2 == 0: fee(2 * x, n) ~= 2 * fee(x, n)
relation one_more: when n mod 2 == 0: fee(x, n + 2) ~= fee(x, n) + 2 * x
";

fn subject() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("fees.py", MODULE), ("dodona.toml", MANIFEST), ("fees.mr", RELATIONS)] {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    folder
}

#[track_caller]
fn json(folder: &Path, words: &[&str], code: i32) -> Json {
    let output = run(folder, &[words, &["--format", "json"]].concat());
    assert_eq!(output.status.code(), Some(code), "{words:?}: {}", both(&output));
    serde_json::from_str(&text(&output.stdout)).expect("it is JSON")
}

/// A version of the module in a folder, with one text in the place of another.
fn version(folder: &Path, name: &str, before: &str, after: &str) {
    assert!(MODULE.contains(before), "{before}");
    std::fs::create_dir_all(folder.join(name)).expect("a folder");
    std::fs::write(folder.join(name).join("fees.py"), MODULE.replace(before, after)).expect("written");
}

#[test]
fn lines_and_branches_that_inputs_run_are_counted() {
    let subject = subject();
    let covered = json(subject.path(), &["cover", ".", "fee"], 0);
    let record = &covered["functions"][0];
    let lines = record["files"][0]["lines"].as_array().expect("lines");
    let hits = |line: u64| lines.iter().find(|one| one["line"] == line).map(|one| one["hits"].as_u64());
    assert_eq!(record["files"][0]["path"], "fees.py");
    assert_eq!(hits(3), Some(Some(0)), "x is at most 40: {record}");
    assert_eq!(hits(13), Some(Some(0)), "x is not negative");
    assert_eq!(hits(8), Some(Some(1000)), "each input runs it once");
    assert_eq!(hits(20), None, "no call comes to it");
    assert_eq!(hits(1), None, "the head of a function is no part of its calls");
    let branches = &lines.iter().find(|one| one["line"] == 16).expect("a line")["branches"];
    let taken: Vec<u64> =
        branches[0]["taken"].as_array().expect("two").iter().filter_map(Json::as_u64).collect();
    assert_eq!((taken.len(), taken.iter().sum::<u64>()), (2, 1000), "{branches}");
    let shown = exits(subject.path(), &["cover", ".", "--all"], 0);
    assert!(shown.contains("return x * 2"), "the source is shown: {shown}");
}

#[test]
fn relations_are_counted_for_each_branch_and_inputs_put_in_order() {
    let subject = subject();
    let record = json(subject.path(), &["adequacy", ".", "fee", "--criterion", "branch", "-k", "2"], 0);
    let requirements = record["requirements"].as_array().expect("a list");
    let untested = requirements.iter().filter(|one| one["relations"] == 0).count();
    assert!(requirements.len() >= 8 && untested >= 2, "{record}");
    assert!(record["paths"]["paths"].as_u64().is_some_and(|paths| paths >= 7), "one for each n: {record}");
    std::fs::write(subject.path().join("rows.csv"), "x,n\n3,0\n1,1\n2,1\n4,2\n").expect("written");
    let ordered = run(subject.path(), &["prioritise", ".", "fee", "--from", "rows.csv"]);
    assert_eq!(ordered.status.code(), Some(0), "{}", both(&ordered));
    let first = text(&ordered.stdout);
    assert!(first.starts_with("x,n\n1,1\n"), "it runs the helper too, and the third does not: {first}");
    assert_eq!(first.lines().count(), 5, "{first}");
    let run = exits(subject.path(), &["run", ".", "--time", "20"], 0);
    assert!(run.contains("never taken: fee"), "{run}");
}

#[test]
fn what_relations_catch_of_versions_is_told() {
    let subject = subject();
    version(subject.path(), "faults/sum", "total += helper(x)", "total += helper(x) + 1");
    version(subject.path(), "faults/loop", "return x\n\n\ndef fee", "while True: pass\n\n\ndef fee");
    version(subject.path(), "faults/quiet", "x > 50", "x >= 50");
    version(subject.path(), "faults/broken", "def unused(x):", "def unused(x)");
    version(subject.path(), "faults/same", "", "");
    let record = json(subject.path(), &["mutate", ".", "--versions", "faults"], 0);
    let versions = record["subjects"][0]["versions"].as_array().expect("a list");
    let status = |name: &str| {
        let one = versions.iter().find(|one| one["name"] == name);
        one.and_then(|one| one["judgement"]["status"].as_str()).unwrap_or_default()
    };
    assert_eq!(
        ["sum", "loop", "quiet", "broken", "same"].map(status),
        ["killed", "timed-out", "alive", "not-run", "equivalent"],
        "{record}"
    );
    let shown = exits(subject.path(), &["mutate", ".", "--versions", "faults"], 0);
    assert!(shown.contains("broken could not be run") && shown.contains("SyntaxError"), "{shown}");
    let named = exits(subject.path(), &["mutate", ".", "--versions", "faults/quiet"], 0);
    assert!(named.contains("quiet"), "{named}");
}

#[test]
fn laws_are_run_on_versions_in_the_place_of_mutants() {
    let subject = subject();
    version(subject.path(), "faults/begin", "total = 0.0", "total = 5.0");
    let words =
        ["discover", ".", "--versions", "faults", "--time", "20", "--fresh", "200", "--output", "laws.mr"];
    let record = json(subject.path(), &words, 0);
    assert_eq!(record["mutants"], serde_json::json!(["M1"]), "{record}");
    let laws = record["laws"].as_array().expect("a list");
    assert!(laws.iter().any(|law| law["kills"] == serde_json::json!(["M1"])), "{record}");
}

#[test]
fn what_is_no_version_is_refused_with_what_to_do() {
    let subject = subject();
    let folder = subject.path();
    let refused = |words: &[&str]| exits(folder, &[&["mutate", "."], words].concat(), 2);
    assert!(refused(&[]).contains("--versions cosmic-ray"), "{}", refused(&[]));
    assert!(refused(&["--versions", "nowhere"]).contains("it is no folder"));
    std::fs::create_dir(folder.join("empty")).expect("a folder");
    let empty = refused(&["--versions", "empty"]);
    assert!(empty.contains("no folder with fees, fees.py or with a dodona.toml"), "{empty}");
    version(folder, "one", "total + 1", "total + 2");
    assert!(refused(&["--versions", "one", "one"]).contains("two versions are called one"));
    assert!(
        refused(&["--versions", "one", "--matrix", "m.csv"]).contains("--matrix is of WebAssembly modules")
    );
    std::fs::create_dir_all(folder.join("other")).expect("a folder");
    let other = "[target]\npython = \"fees\"\n[[function]]\nsignature = \"fee(x: f64) -> f64\"\n";
    std::fs::write(folder.join("other/dodona.toml"), other).expect("written");
    assert!(
        refused(&["--versions", "other"]).contains("the types of `fee` are not those that the subject has")
    );
    // An interpreter that has nothing installed.
    let manifest =
        MANIFEST.replace("[[function]]", "interpreter = [\"python3\", \"-S\", \"-E\"]\n[[function]]");
    std::fs::write(folder.join("dodona.toml"), manifest).expect("written");
    let output = run(folder, &["mutate", ".", "--versions", "mutmut"]);
    let told = both(&output);
    assert!(told.contains("python3 -m pip install mutmut"), "{told}");
}

/// The interpreter that has the tools, where `scripts/setup.sh tests` could install them.
fn interpreter_with(module: &str) -> Option<std::path::PathBuf> {
    let python = common::cached("mutators/bin/python")?;
    let loads = std::process::Command::new(&python).args(["-c", &format!("import {module}")]).output();
    loads.is_ok_and(|output| output.status.success()).then_some(python)
}

#[test]
fn mutants_that_tools_make_are_scored() {
    for (tool, module) in [("cosmic-ray", "cosmic_ray"), ("mutmut", "mutmut")] {
        let Some(python) = interpreter_with(module) else {
            common::skipped(&format!("mutants of {tool}"), &format!("{tool} is not installed"));
            continue;
        };
        let subject = subject();
        let target = format!("[target]\ninterpreter = \"{}\"", python.display());
        let manifest = MANIFEST.replace("[target]", &target);
        std::fs::write(subject.path().join("dodona.toml"), manifest).expect("written");
        let record = json(subject.path(), &["mutate", ".", "--versions", tool, "--inputs", "200"], 0);
        let record = &record["subjects"][0];
        let mutants = record["mutants"].as_array().expect("a list");
        assert!(mutants.len() >= 15, "{tool}: {record}");
        let lines: Vec<u64> = mutants.iter().filter_map(|one| one["places"][0]["line"].as_u64()).collect();
        assert!(lines.iter().all(|line| (1..=16).contains(line)), "none of what is unused: {lines:?}");
        let status = |one: &Json| one["judgement"]["status"].as_str().unwrap_or_default().to_owned();
        let killed = mutants.iter().filter(|one| status(one) == "killed").count();
        let alive = mutants.iter().filter(|one| status(one) == "alive").count();
        assert!(killed > 3 && alive > 0, "{tool}: {killed} killed, {alive} alive");
        let score = record["score"].as_f64().expect("all were run");
        assert!(score > 0.2 && score < 1.0, "{score}");
        let shown = exits(subject.path(), &["mutate", ".", "--versions", tool, "--fail-under", "1"], 1);
        assert!(shown.contains("fees.py:"), "{shown}");
        assert_eq!(std::fs::read_to_string(subject.path().join("fees.py")).expect("a file"), MODULE);
    }
}
