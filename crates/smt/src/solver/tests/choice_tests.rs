use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::solver::choice::{Family, NoSolver, SolverChoice, Surroundings};

fn program(folder: &Path, name: &str, text: &str) {
    let file = folder.join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
}

fn around(folder: &Path) -> Surroundings {
    Surroundings { path: folder.join("bin").into(), python: None, cache: Some(folder.join("cache")) }
}

fn families(choice: &SolverChoice) -> Vec<Family> {
    choice.candidates().iter().map(|candidate| candidate.family()).collect()
}

#[test]
fn the_best_comes_first() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["bin/cvc5", "bin/z3", "bin/python3", "bin/bitwuzla", "cache/dodona/solver/bin/python"] {
        program(folder.path(), name, "");
    }
    let choice = SolverChoice::find(None, &around(folder.path())).unwrap();
    assert_eq!(families(&choice)[..3], [Family::Bitwuzla, Family::BitwuzlaModule, Family::BitwuzlaModule]);
    assert!(choice.candidates()[1].words().contains("cache/dodona/solver/bin/python with the module"));
    assert!(families(&choice).ends_with(&[Family::Z3, Family::Cvc5]));
}

#[test]
fn the_python_that_was_asked_for_is_first_and_no_python_is_asked_twice() {
    let folder = tempfile::tempdir().unwrap();
    program(folder.path(), "bin/python3", "");
    let python = folder.path().join("bin/python3");
    let around = Surroundings { python: Some(python.clone().into()), ..around(folder.path()) };
    let choice = SolverChoice::find(Some("bitwuzla"), &around).unwrap();
    let words: Vec<String> = choice.candidates().iter().map(|candidate| candidate.words()).collect();
    let python = python.to_str().unwrap();
    assert!(words[0].starts_with(python));
    assert_eq!(words.iter().filter(|words| words.starts_with(python)).count(), 1);
}

#[test]
fn a_name_that_is_not_installed_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("bin/z3")).unwrap(); // a folder is no program
    let z3 = SolverChoice::find(Some("z3"), &around(folder.path())).unwrap_err();
    assert_eq!(z3, NoSolver::NotFound("z3".to_owned()));
    assert!(z3.to_string().contains("install it"));
    assert!(NoSolver::NoneInstalled.to_string().contains("scripts/setup.sh"));
}

#[test]
fn a_single_word_is_completed_and_a_command_line_is_not() {
    let find = |line: &str| {
        SolverChoice::find(Some(line), &Surroundings::default()).unwrap().candidates()[0].clone()
    };
    assert_eq!(find("/opt/z3-4.13/z3").words(), "/opt/z3-4.13/z3 -in -smt2");
    let line = find("cvc5 --incremental 'a b'");
    assert_eq!((line.words().as_str(), line.family()), ("cvc5 --incremental a b", Family::Cvc5));
    assert_eq!(find("yices-smt2").family(), Family::Other);
}

#[test]
fn what_is_no_command_line_is_refused() {
    for line in ["", "  ", "solver 'unclosed"] {
        let refused = SolverChoice::find(Some(line), &Surroundings::default());
        assert!(matches!(refused, Err(NoSolver::NotACommand(_))), "{line:?}");
    }
}

#[test]
fn a_version_is_what_the_solver_says() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("bin")).unwrap();
    // Links: a file that has just been written may be too busy to be run.
    for (name, program) in [("z3", "/bin/echo"), ("bitwuzla", "/bin/echo")] {
        std::os::unix::fs::symlink(program, folder.path().join("bin").join(name)).unwrap();
    }
    let said = std::process::Command::new("/bin/echo").arg("--version").output().unwrap().stdout;
    let said = String::from_utf8(said).unwrap().lines().next().unwrap().to_owned();
    let version =
        |name| SolverChoice::find(Some(name), &around(folder.path())).unwrap().candidates()[0].version();
    assert_eq!(version("z3"), said);
    assert_eq!(version("bitwuzla"), format!("bitwuzla {said}"));
}

#[test]
fn without_a_version_the_command_stands_for_it() {
    let missing = SolverChoice::find(Some("/no/such/z3"), &Surroundings::default()).unwrap();
    assert_eq!(missing.candidates()[0].version(), "/no/such/z3 -in -smt2");
}
