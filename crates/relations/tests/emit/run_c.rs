//! C programs with the functions of subjects linked in, with and without their faults.

use std::process::{Command, Output};

use dodona_relations::emit::Language;

use crate::common::{folder, manifest, relations, run, said, subject, written};

/// Compiles the relations of a subject with a source file and runs them. Every warning is an error.
fn checked(compiler: &str, name: &str, relations_of: &str, source: &str) -> Output {
    let subject_manifest = manifest(relations_of);
    let relations = relations(&subject_manifest, &[]);
    let text = written(Language::C, &relations, &subject_manifest.functions, "");
    let (file, program) = (folder("c").join(format!("{name}.c")), folder("c").join(name));
    std::fs::write(&file, text).unwrap();
    let mut cc = Command::new(compiler);
    cc.args(["-std=c99", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o"]).arg(&program).arg(&file);
    let output = run(cc.arg(subject(source)).arg("-lm"));
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
