//! C programs with the functions of subjects linked in, with and without their faults.

use std::collections::HashSet;
use std::path::Path;
use std::process::{Command, Output};

use dodona_emit::Language;
use dodona_subject::Manifest;

use crate::common::{every, folder, manifest, relations, run, said, subject, written_to_run};

/// Compiles the relations of a subject with a source file and runs them.
fn checked(compiler: &str, name: &str, relations_of: &str, source: &str) -> Output {
    compiled(compiler, name, &manifest(relations_of), &subject(source))
}

/// The same; every warning is an error.
fn compiled(compiler: &str, name: &str, subject: &Manifest, source: &Path) -> Output {
    let text = written_to_run(Language::C, &relations(subject, &[]), &subject.functions, "");
    let (file, program) = (folder("c").join(format!("{name}.c")), folder("c").join(name));
    std::fs::write(&file, text).unwrap();
    let mut cc = Command::new(compiler);
    cc.args(["-std=c99", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o"]).arg(&program).arg(&file);
    let output = run(cc.arg(source).arg("-lm"));
    assert!(output.status.success(), "{}", said(&output));
    run(&mut Command::new(program))
}

#[test]
fn c_tests_pass_on_functions() {
    for (name, subject, source) in [
        ("gcd", "gcd", "gcd/gcd.c"),
        ("sorting", "sorting", "sorting/sorting.c"),
        ("number", "path-directed/number", "path-directed/number/number.c"),
    ] {
        for compiler in ["cc", "clang"] {
            let output = checked(compiler, &format!("{name}_{compiler}"), subject, source);
            assert!(output.status.success(), "{compiler} {subject}: {}", said(&output));
        }
    }
}

#[test]
fn c_tests_fail_on_a_fault() {
    let output = checked("cc", "gcd_faulty", "gcd", "gcd/faulty/gcd.c");
    assert!(output.status.code() == Some(1), "{}", said(&output));
    assert!(said(&output).contains("VIOLATED\n    relation commutative of gcd"), "{}", said(&output));
    let output = checked("cc", "sorting_faulty", "sorting", "sorting/faulty/sorting.c");
    assert!(output.status.code() == Some(1), "{}", said(&output));
}

#[test]
fn c_tests_pass_values_in_every_way() {
    let subject = every("c");
    let output = compiled("cc", "every", &subject, &subject.folder().join("every.c"));
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
fn c_tests_include_what_declares_the_functions() {
    let subject = manifest("gcd");
    let source = crate::common::subject("gcd/gcd.c");
    let text = written_to_run(
        Language::C,
        &relations(&subject, &[]),
        &subject.functions,
        &source.display().to_string(),
    );
    let file = folder("c").join("included.c");
    std::fs::write(&file, text).unwrap();
    let program = folder("c").join("included");
    let output = run(Command::new("cc").args(["-std=c99", "-o"]).arg(&program).arg(&file).arg("-lm"));
    assert!(output.status.success(), "{}", said(&output));
    let output = run(&mut Command::new(program));
    assert!(output.status.success(), "{}", said(&output));
}

/// Compiles a file with every warning as an error.
fn assert_compiles(text: &str, what: &str) {
    let file = folder("c").join("alone.c");
    std::fs::write(&file, text).unwrap();
    let flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"];
    let output = run(Command::new("cc").args(flags).arg(&file));
    assert!(output.status.success(), "{what}: {}", said(&output));
}

/// The first line of each definition and inclusion of a file but those that name its relation.
fn definitions<'t>(text: &'t str, relation: &str) -> Vec<&'t str> {
    let begins = |line: &&str| line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '#');
    text.lines().filter(begins).filter(|line| !line.contains(relation)).collect()
}

// A definition that one relation does not use would be a warning. Each definition is in a file that has one relation alone; all relations are in one file besides.
#[test]
fn a_c_test_of_any_relation_alone_compiles_without_a_warning() {
    for subject in [every("alone"), manifest("genmorph")] {
        let relations = relations(&subject, &[]);
        let mut seen: HashSet<String> = HashSet::new();
        for relation in &relations {
            let text = written_to_run(Language::C, std::slice::from_ref(relation), &subject.functions, "");
            let before = seen.len();
            seen.extend(definitions(&text, relation.name()).into_iter().map(str::to_owned));
            if seen.len() > before {
                assert_compiles(&text, relation.text());
            }
        }
        assert_compiles(&written_to_run(Language::C, &relations, &subject.functions, ""), "all relations");
    }
}
