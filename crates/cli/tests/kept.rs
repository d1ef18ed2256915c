//! Kept counterexamples are not lost, and one bad subject or file does not cost the others.

mod common;

use std::path::{Path, PathBuf};
use std::process::Output;

use common::{both, dodona, files, text, unbroken};

const MID: &str = r#"(module (func (export "mid") (param i32 i32) (result i32)
    (i32.div_s (i32.add (local.get 0) (local.get 1)) (i32.const 2))))"#;

/// The sum wraps at the ends of the type, so the two sides differ there alone.
const OPPOSITE: &str = "relation opposite: mid(-a, -b) == -mid(a, b)\n";

const HOLDS: &str = "relation swapped: mid(a, b) == mid(b, a)\n";

/// Writes a subject whose manifest has this name, beside others if there are any.
fn subject(folder: &Path, manifest: &str, relations: &str) {
    std::fs::create_dir_all(folder).expect("a folder");
    let stem = manifest.trim_end_matches(".toml");
    let declared = format!(
        "module = \"mid.wat\"\nrelations = [\"{stem}.mr\"]\n[[function]]\nsignature = \"mid(a: i32, b: i32) -> i32\"\n"
    );
    for (name, text) in [("mid.wat", MID), (manifest, &declared), (&format!("{stem}.mr"), relations)] {
        std::fs::write(folder.join(name), text).expect("written");
    }
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    dodona().args(arguments).current_dir(folder).output().expect("runs")
}

/// What was printed on both streams, if the exit code is this one.
#[track_caller]
fn exits(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{}", both(output));
    both(output)
}

fn kept(folder: &Path) -> Vec<PathBuf> {
    files(folder).into_iter().filter(|file| file.starts_with("dodona-regressions")).collect()
}

#[test]
fn a_counterexample_whose_relation_is_renamed_is_told() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path();
    subject(folder, "dodona.toml", &format!("{OPPOSITE}{HOLDS}"));
    exits(&run(folder, &["check", "."]), 1);
    let file = kept(folder)[0].display().to_string();

    let renamed = OPPOSITE.replace("opposite", "negated");
    subject(folder, "dodona.toml", &format!("{renamed}{HOLDS}"));
    let out = exits(&run(folder, &["check", ".", "--sources", "2"]), 2);
    let words =
        format!("warning: {file}: no relation is called `opposite` any more (`negated` says the same)");
    assert!(unbroken(&out).contains(&words), "{out}");
    let replayed = exits(&run(folder, &["replay", "dodona-regressions"]), 2);
    assert!(replayed.contains("no relation is called `opposite` any more"), "{replayed}");
    // The relations that are not asked for are no reason to complain of theirs, not even if theirs have changed.
    subject(folder, "dodona.toml", &format!("relation opposite: mid(a, 1) == mid(1, a)\n{HOLDS}"));
    exits(&run(folder, &["check", ".", "--relation", "swapped"]), 0);
    // Nor is what other files would check.
    std::fs::write(folder.join("other.mr"), HOLDS).expect("written");
    exits(&run(folder, &["check", ".", "--relations", "other.mr"]), 0);
    exits(&run(folder, &["check", ".", "--keep", "nothing", "--relation", "swapped"]), 0);
}

#[test]
fn whatever_keeps_a_counterexample_from_being_run_ends_alike() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path();
    subject(folder, "dodona.toml", OPPOSITE);
    exits(&run(folder, &["check", "."]), 1);
    let file = folder.join(&kept(folder)[0]);
    let good = std::fs::read_to_string(&file).expect("read");
    subject(folder, "dodona.toml", &HOLDS.replace("swapped", "opposite"));
    for (from, to, why) in [
        ("\"name\": \"a\"", "\"name\": \"c\"", "its variable `a` is not in the file"),
        ("\"relation\": \"opposite\"", "\"relation\": \"gone\"", "no relation is called `gone` any more"),
        ("\"index\": 0", "\"index\": 7", "it has 1 groups, the file names group 7"),
        ("\"type\": \"i32\"", "\"type\": \"i8\"", "is i32, the file has i8"),
        ("../dodona.toml", "../moved.toml", "its manifest ../moved.toml does not exist"),
        ("{", "garbage", "not a counterexample that `dodona check` kept"),
    ] {
        let bad = good.replacen(from, to, if to.contains("i8") { 2 } else { 1 });
        let bad = if to.contains("i8") { with_small_values(&bad) } else { bad };
        std::fs::write(&file, bad).expect("written");
        let out = exits(&run(folder, &["check", ".", "--sources", "1"]), 2);
        assert!(out.contains(why), "{why}: {out}");
        let out = exits(&run(folder, &["replay", "dodona-regressions"]), 2);
        assert!(out.contains(why) || to.contains("moved"), "{why}: {out}");
    }
}

#[test]
fn one_that_is_not_judged_is_told_whatever_the_reason() {
    let traps = MID.replace(
        "(i32.div_s",
        "(if (i32.or (i32.gt_u (i32.add (local.get 0) (i32.const 1000000)) (i32.const 2000000))
                     (i32.gt_u (i32.add (local.get 1) (i32.const 1000000)) (i32.const 2000000)))
           (then unreachable)) (i32.div_s",
    );
    let narrow = "domain.a = { range = [-9, 9] }\ndomain.b = { range = [-9, 9] }\n";
    let excluded = OPPOSITE.replace("opposite: ", "opposite: when abs(a) < 10 and abs(b) < 10: ");
    for (module, domain, relation, why) in [
        (MID, "", excluded.as_str(), "ineligible: the `when` condition is false"),
        (MID, narrow, OPPOSITE, "outside its type or domain"),
        (traps.as_str(), "", OPPOSITE, "ineligible: a source call did not return (trapped: unreachable)"),
    ] {
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path();
        subject(folder, "dodona.toml", OPPOSITE);
        exits(&run(folder, &["check", "."]), 1);
        let file = kept(folder)[0].display().to_string();
        subject(folder, "dodona.toml", relation);
        let manifest = std::fs::read_to_string(folder.join("dodona.toml")).expect("there") + domain;
        std::fs::write(folder.join("dodona.toml"), manifest).expect("written");
        std::fs::write(folder.join("mid.wat"), module).expect("written");
        let few = ["check", ".", "--sources", "2000", "--min-eligible", "0", "--format"];
        for (format, words) in [
            ("terminal", "warning: "),
            ("json", "\"unread\": 1"),
            ("junit", "1 kept counterexample could not be run or judged"),
            ("github", "1 kept counterexample could not be run or judged"),
        ] {
            let out = exits(&run(folder, &[&few[..], &[format]].concat()), 2);
            let told = unbroken(&out);
            assert!(told.contains(words) && told.contains(why) && out.contains(&file), "{format}: {out}");
            assert!(told.contains("what it shows was not checked"), "{format}: {out}");
            assert!(format != "terminal" || out.contains("1 relation: 1 hold"), "{out}");
        }
        // Where nobody asks for kept ones, nobody is told.
        exits(&run(folder, &["check", ".", "--sources", "2000", "--keep", "nothing"]), 0);
        let out = exits(&run(folder, &["replay", &file]), 2);
        assert!(out.contains(why) && !out.contains("counterexamples: "), "{out}");
        std::fs::copy(folder.join(&file), folder.join("dodona-regressions/again.json")).expect("copied");
        std::fs::write(folder.join("dodona-regressions/bad.json"), "{").expect("written");
        let out = exits(&run(folder, &["replay", "dodona-regressions"]), 2);
        assert!(out.contains("3 counterexamples: 0 hold, 3 could not be run or judged\n"), "{out}");
    }
}

#[test]
fn a_value_of_no_variable_is_told_like_a_missing_one() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path();
    subject(folder, "dodona.toml", OPPOSITE);
    exits(&run(folder, &["check", "."]), 1);
    subject(folder, "dodona.toml", "relation opposite: mid(a, 1) == mid(1, a)\n");
    for command in [&["check", ".", "--sources", "2"][..], &["replay", "dodona-regressions"]] {
        let out = exits(&run(folder, command), 2);
        let why = "relation `opposite` changed since the counterexample was kept: the file has `b`, which is none of its variables";
        assert!(unbroken(&out).contains(why), "{out}");
    }
}

#[test]
fn the_constant_of_a_group_decides_and_not_its_number() {
    let scaled = |constants: &str| {
        format!("relation scaled: for k in {{{constants}}}: mid(k * a, k * b) == k * mid(a, b)\n")
    };
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path();
    subject(folder, "dodona.toml", &scaled("2, -1, 1"));
    let narrow = "domain.a = { range = [-9, 9] }\ndomain.b = { range = [-9, 9] }\n";
    let manifest = || std::fs::read_to_string(folder.join("dodona.toml")).expect("there") + narrow;
    std::fs::write(folder.join("dodona.toml"), manifest()).expect("written");
    let out = exits(&run(folder, &["check", "."]), 1);
    assert!(out.contains("for k = 2"), "{out}");
    for (constants, code, told) in [
        ("1, 2, -1", 1, "for k = 2"),
        ("1, -1", 2, "it has no group for k = 2"),
        ("", 2, "it has no group for k = 2"),
    ] {
        let one = scaled("").replace("for k in {}: ", "").replace("k * ", "");
        let relation = if constants.is_empty() { one } else { scaled(constants) };
        std::fs::write(folder.join("dodona.mr"), relation).expect("written");
        for command in [&["check", ".", "--sources", "0"][..], &["replay", "dodona-regressions"]] {
            let out = exits(&run(folder, command), code);
            assert!(out.contains(told), "{constants}: {out}");
        }
    }
}

/// Values that every integer type holds.
fn with_small_values(json: &str) -> String {
    let line = |line: &str| match line.trim_start().strip_prefix("\"value\": ") {
        Some(value) => line.replace(value, "1"),
        None => line.to_owned(),
    };
    json.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_relation_that_has_changed_is_told_by_replay() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path();
    subject(folder, "dodona.toml", OPPOSITE);
    exits(&run(folder, &["check", "."]), 1);
    assert!(!exits(&run(folder, &["replay", "dodona-regressions"]), 1).contains("has changed"));
    subject(folder, "dodona.toml", "relation opposite: when a < 0: mid(-a, -b) == -mid(a, b) or true\n");
    let out = both(&run(folder, &["replay", "dodona-regressions"]));
    let told =
        "the relation has changed since this was kept; it was: relation opposite: mid(-a, -b) == -mid(a, b)";
    assert!(out.contains(told), "{out}");
}

#[test]
fn manifests_of_one_folder_keep_their_own() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path();
    subject(folder, "a.toml", OPPOSITE);
    subject(folder, "b.toml", OPPOSITE);
    subject(folder, "c.toml", HOLDS);
    exits(&run(folder, &["check", "a.toml"]), 1);
    exits(&run(folder, &["check", "b.toml"]), 1);
    assert_eq!(kept(folder).len(), 2);
    // Each is run by its own manifest alone, and nobody complains of the others'.
    let out = exits(&run(folder, &["check", "c.toml", "b.toml", "--sources", "0"]), 1);
    assert!(!out.contains("warning"), "{out}");
    assert!(out.contains("VIOLATED  opposite  1 of 1 groups"), "{out}");
    exits(&run(folder, &["replay", "dodona-regressions"]), 1);
}

#[test]
fn a_counterexample_of_a_file_that_was_named_is_left_to_it() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path();
    subject(folder, "dodona.toml", HOLDS);
    std::fs::create_dir(folder.join("more")).expect("a folder");
    std::fs::write(folder.join("more/own.mr"), OPPOSITE).expect("written");
    let named = ["check", ".", "--relations", "more/own.mr"];
    exits(&run(folder, &named), 1);
    exits(&run(folder, &["check", "."]), 0);
    // Its file is known to the kept counterexample.
    exits(&run(folder, &["replay", "dodona-regressions"]), 1);
    // Once the file has it no more, nobody would run it.
    std::fs::write(folder.join("more/own.mr"), OPPOSITE.replace("opposite", "negated")).expect("written");
    for command in [&["check", ".", "--sources", "0", "--relations", "more/own.mr"][..], &["check", "."]] {
        let out = exits(&run(folder, command), 2);
        assert!(out.contains("no relation is called `opposite` any more"), "{out}");
    }
}

#[test]
fn what_fails_does_not_cost_what_is_finished() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path();
    subject(&folder.join("good"), "dodona.toml", HOLDS);
    subject(&folder.join("bad"), "dodona.toml", OPPOSITE);
    subject(&folder.join("broken"), "dodona.toml", HOLDS);
    std::fs::write(folder.join("broken/mid.wat"), "(module (func").expect("written");
    let out = exits(&run(folder, &["check", "broken", "missing", "good"]), 4);
    assert!(out.contains("1 relation: 1 hold"), "{out}");
    assert!(out.contains("error: 2 of 3 subjects failed: broken, missing"), "{out}");
    assert!(out.contains("--> broken/mid.wat:1:14"), "{out}");
    // A violation that was found stays one.
    exits(&run(folder, &["check", "broken", "bad", "--keep", "nothing"]), 1);
    for format in ["junit", "github", "json"] {
        let output = run(folder, &["check", "good", "broken", "--format", format]);
        let report = text(&output.stdout);
        exits(&output, 4);
        assert!(report.contains("swapped") || format == "github", "{report}");
        assert!(report.contains("broken"), "{format}: {report}");
    }
    let out = exits(&run(folder, &["build", "broken", "good"]), 4);
    assert!(out.contains("mid.wat (1 functions"), "{out}");
    for (format, told) in [
        ("json", "\"no_score\": \"the subject could not be analysed\""),
        ("csv", "broken,,,,"),
        ("sarif", "false"),
    ] {
        let output = run(folder, &["mutate", "broken", "good", "--operators", "AOR", "--format", format]);
        let report = text(&output.stdout);
        exits(&output, 4);
        assert!(report.contains(told) && report.contains("mid.wat"), "{format}: {report}");
        assert!(report.contains("AOR"), "{format}: {report}");
    }
    let out = exits(&run(folder, &["mutate", "broken", "good", "--list"]), 4);
    assert!(out.contains("M1"), "{out}");
    let out = exits(&run(folder, &["mutate", "bad", "good", "--operators", "AOR", "--inputs", "1000"]), 1);
    assert!(out.contains("error: 1 of 2 subjects failed: bad") && out.contains("good"), "{out}");
}

#[test]
fn a_damaged_file_does_not_end_a_replay() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path();
    subject(folder, "dodona.toml", OPPOSITE);
    exits(&run(folder, &["check", "."]), 1);
    std::fs::write(folder.join("dodona-regressions/aaa.json"), "garbage").expect("written");
    let out = exits(&run(folder, &["replay", "missing", "dodona-regressions"]), 1);
    assert!(out.contains("relation opposite:") && out.contains("aaa.json: not a counterexample"), "{out}");
    assert!(out.contains("missing"), "{out}");
}

#[cfg(unix)]
#[test]
fn the_line_for_a_replay_can_be_pasted() {
    use std::os::unix::fs::PermissionsExt as _;

    let home = tempfile::tempdir().expect("a folder");
    let named = "my dir (v2) & 'co'\u{200b}";
    subject(&home.path().join(named), "dodona.toml", OPPOSITE);
    let out = exits(&run(home.path(), &["check", named]), 1);
    let line = out.lines().find_map(|line| line.split_once("replay: ")).expect("a line").1.to_owned();
    assert!(line.is_ascii(), "{line}");
    let bin = tempfile::tempdir().expect("a folder");
    let script = bin.path().join("dodona");
    std::fs::write(&script, format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_dodona")))
        .expect("written");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("executable");
    let path = format!("{}:{}", bin.path().display(), std::env::var("PATH").unwrap_or_default());
    let pasted = std::process::Command::new("bash")
        .args(["-c", &line])
        .env("PATH", path)
        .current_dir(home.path())
        .output();
    match pasted {
        Ok(output) => assert!(exits(&output, 1).contains("relation opposite:")),
        Err(error) => common::skipped("the_line_for_a_replay_can_be_pasted", &error.to_string()),
    }
}
