//! Python files against modules for WebAssembly, with and without their faults.

use std::path::PathBuf;
use std::process::{Command, Output};

use dodona_emit::Language;
use dodona_subject::Manifest;
use dodona_subject::build::{Rebuild, build};

use crate::common::{every, folder, manifest, relations, run, said, written_to_run};

/// The Python that has hypothesis and wasmtime: of the environment that `scripts/setup.sh` makes.
pub(crate) fn python() -> PathBuf {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| std::env::home_dir().map(|home| home.join(".cache"))).unwrap();
    let python = cache.join("dodona/python/bin/python");
    assert!(python.exists(), "{} is missing; run scripts/setup.sh", python.display());
    python
}

/// Runs the relations of a subject on the module of another.
fn checked(name: &str, relations_of: &str, module_of: &str, functions: &[&str]) -> Output {
    run_on(name, &manifest(relations_of), &manifest(module_of), functions)
}

fn run_on(name: &str, subject: &Manifest, module: &Manifest, functions: &[&str]) -> Output {
    let relations = relations(subject, functions);
    let module = build(module, Rebuild::WhenStale).unwrap();
    let text =
        written_to_run(Language::Python, &relations, &subject.functions, &module.display().to_string());
    let file = folder("python").join(format!("{name}.py"));
    std::fs::write(&file, text).unwrap();
    run(Command::new(python()).arg(&file).current_dir(folder("python")).env("PYTHONDONTWRITEBYTECODE", "1"))
}

fn passes(name: &str, subject: &str, functions: &[&str]) {
    let output = checked(name, subject, subject, functions);
    assert!(output.status.success(), "{}", said(&output));
}

fn fails(name: &str, subject: &str, faulty: &str, functions: &[&str]) -> String {
    let output = checked(name, subject, faulty, functions);
    let said = said(&output);
    assert!(output.status.code() == Some(1) && said.contains("FAILED: AssertionError"), "{said}");
    said
}

#[test]
fn python_tests_pass_on_modules_of_c() {
    passes("gcd", "gcd", &[]);
    passes("sorting", "sorting", &[]);
}

#[test]
fn python_tests_fail_on_a_fault_of_c() {
    let said = fails("gcd_faulty", "gcd", "gcd/faulty", &[]);
    assert!(said.contains("test_commutative: FAILED: AssertionError: what is expected is false"), "{said}");
    fails("sorting_faulty", "sorting", "sorting/faulty", &[]);
}

#[test]
fn python_tests_pass_on_a_module_of_rust() {
    let functions = ["pow", "join", "indexOf", "meanOf", "sort", "capitalize", "sinh"];
    passes("genmorph", "genmorph", &functions);
}

#[test]
fn python_tests_fail_on_faults_of_rust() {
    fails("genmorph_faulty", "genmorph", "genmorph/faulty", &["indexOf", "abbreviate"]);
}

#[test]
fn python_tests_run_commands() {
    passes("tokens", "tokens", &[]);
    fails("tokens_faulty", "tokens", "tokens/faulty", &[]);
}

#[test]
fn python_tests_pass_values_in_every_way() {
    let subject = every("python");
    let output = run_on("every", &subject, &subject, &[]);
    assert!(output.status.success(), "{}", said(&output));
}
