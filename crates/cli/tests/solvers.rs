//! Solvers that are missing, hang, die or answer garbage: a run ends with inputs, or says what to do.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// `dodona generate` of the fare, in the folder of the command-line tests.
fn generate(arguments: &[&str]) -> Command {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cli/generate.in");
    let mut command = Command::new(env!("CARGO_BIN_EXE_dodona"));
    command.args(["generate", "fare.toml", "fare"]).args(arguments).current_dir(folder);
    command
}

fn out(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// A solver of a few lines.
fn script(folder: &Path, name: &str, body: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).expect("written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("executable");
    path
}

/// Reads commands, answers to `echo` as every solver does, and to `check-sat` with something else.
fn answering(folder: &Path, name: &str, to_check: &str) -> PathBuf {
    let body = format!(
        "while read -r line; do case \"$line\" in\n\
         *check-sat*) {to_check};;\n\
         *echo*) echo \"$line\" | sed 's/.*(echo \\(\".*\"\\)).*/\\1/';;\n\
         esac; done"
    );
    script(folder, name, &body)
}

#[test]
fn without_a_solver_symbolic_techniques_say_how_to_install_one_and_the_others_work() {
    let nothing = tempfile::tempdir().expect("a folder");
    let bare = |technique: &str| {
        let mut command = generate(&["--technique", technique, "--count", "3"]);
        command.env_clear().env("PATH", nothing.path()).env("HOME", nothing.path());
        command.output().expect("runs")
    };
    for technique in ["path", "concolic"] {
        let output = bare(technique);
        let (_, errors) = out(&output);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains("apt-get install z3") && errors.contains("--solver"), "{errors}");
    }
    for technique in ["random", "adaptive"] {
        let output = bare(technique);
        let (inputs, errors) = out(&output);
        assert_eq!((output.status.code(), inputs.lines().count()), (Some(0), 3), "{errors}");
    }
}

#[test]
fn a_solver_that_hangs_is_ended_and_what_can_be_found_without_it_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let hangs = answering(folder.path(), "hangs", "sleep 1000");
    let output = generate(&["--query-time", "0.05", "--solver"]).arg(&hangs).output().expect("runs");
    let (inputs, errors) = out(&output);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(inputs.lines().count() >= 1 && errors.contains("fare:"), "{inputs}{errors}");
}

#[test]
fn garbage_is_no_answer_and_proves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, answer) in
        [("garbage", "echo '%%%'"), ("word", "echo maybe"), ("dies", "exit 3"), ("liar", "echo sat")]
    {
        let solver = answering(folder.path(), name, answer);
        let arguments = ["--query-time", "0.5", "--summary", "json", "--solver"];
        let output = generate(&arguments).arg(&solver).output().expect("runs");
        let (inputs, errors) = out(&output);
        assert_eq!(output.status.code(), Some(0), "{name}: {errors}");
        assert!(inputs.lines().count() >= 1, "{name}: {inputs}{errors}");
        assert!(
            errors.contains("\"infeasible\": 0,") && !errors.contains(": \"infeasible\""),
            "{name}: {errors}"
        );
    }
}

#[test]
fn a_solver_that_does_not_start_is_said() {
    for solver in ["/bin/false", "/no/such/solver"] {
        let output = generate(&["--solver", solver]).output().expect("runs");
        let (_, errors) = out(&output);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(solver) && errors.contains("does not start"), "{errors}");
    }
}

#[test]
fn each_solver_that_is_installed_finds_every_path() {
    let mut tried = 0;
    for solver in ["bitwuzla", "z3", "cvc5"] {
        let output = generate(&["--solver", solver]).output().expect("runs");
        let (inputs, errors) = out(&output);
        if output.status.code() == Some(2) && !errors.contains("fare:") {
            eprintln!("skipped: each_solver_that_is_installed_finds_every_path, of {solver}: {errors}");
            continue;
        }
        tried += 1;
        assert_eq!((output.status.code(), inputs.lines().count()), (Some(0), 4), "{solver}: {errors}");
    }
    assert!(tried > 0, "a solver is installed");
}
