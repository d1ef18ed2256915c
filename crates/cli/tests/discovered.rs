//! What is discovered, as a test that runs without Dodona.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(command: &mut Command) -> Output {
    command.output().expect("it runs")
}

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

fn gcd() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/gcd")
}

/// Compiles a C test with a source file of the subject, and runs it.
fn tested(folder: &Path, source: &str) -> Output {
    let program = folder.join("program");
    let test = folder.join("found.c");
    let mut cc = Command::new("cc");
    cc.args(["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-o"]).arg(&program).arg(test);
    let output = run(cc.arg(gcd().join(source)).arg("-lm"));
    assert!(output.status.success(), "{}", said(&output));
    run(&mut Command::new(program))
}

#[test]
fn discovered_relations_are_a_c_test_that_passes_and_fails_on_a_fault() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = run(Command::new(env!("CARGO_BIN_EXE_dodona"))
        .arg("discover")
        .arg(gcd())
        .args([
            "gcd",
            "--transformation",
            "PermuteParameters(p, q)",
            "--search",
            "enumerate",
            "--prove",
            "off",
        ])
        .args([
            "--time",
            "60",
            "--inputs",
            "300",
            "--executions",
            "2000",
            "--mutants",
            "100",
            "--fresh",
            "5000",
        ])
        .args(["--emit", "c", "--output", "found.mr"])
        .current_dir(folder.path()));
    assert!(output.status.success(), "{}", said(&output));
    let found = std::fs::read_to_string(folder.path().join("found.mr")).expect("it was written");
    assert!(found.contains("gcd(q, p) == gcd(p, q)") || found.contains("gcd(p, q) == gcd(q, p)"), "{found}");
    let test = std::fs::read_to_string(folder.path().join("found.c")).expect("it was written");
    for text in [&found, &test] {
        assert!(text.contains("exchanging p and q leaves the result"), "{text}");
    }
    let output = tested(folder.path(), "gcd.c");
    assert!(output.status.success(), "{}", said(&output));
    let output = tested(folder.path(), "faulty/gcd.c");
    assert!(output.status.code() == Some(1) && said(&output).contains("VIOLATED"), "{}", said(&output));
}
