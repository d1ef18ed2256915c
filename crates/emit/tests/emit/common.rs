//! Subjects with their relations, and programs that are run.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use dodona_emit::{EmitContext, Language, emit};
use dodona_relations::{Relation, check, parse};
use dodona_subject::{Function, Manifest};

/// A folder of `subjects/`.
pub(crate) fn subject(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects").join(folder).canonicalize().unwrap()
}

/// The manifest of a subject.
pub(crate) fn manifest(folder: &str) -> Manifest {
    Manifest::find(&subject(folder)).unwrap_or_else(|e| panic!("{folder}: {e:#?}"))
}

/// The subject with a function for each lowering, in a folder of its own: what is built lies beside its manifest.
pub(crate) fn every(for_language: &str) -> Manifest {
    let folder = folder(&format!("every_{for_language}"));
    for file in ["dodona.toml", "every.c", "every.mr"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/emit/every").join(file);
        std::fs::copy(from, folder.join(file)).unwrap();
    }
    Manifest::find(&folder).unwrap_or_else(|e| panic!("{e:#?}"))
}

/// The relations of a subject, or of some functions' own files, checked.
pub(crate) fn relations(manifest: &Manifest, of: &[&str]) -> Vec<Relation> {
    let wanted = manifest.functions.iter().filter(|f| of.contains(&f.name.as_str()));
    let own: Vec<&PathBuf> = wanted.flat_map(|f| &f.relations).collect();
    let mut found: Vec<Relation> = Vec::new();
    for path in if of.is_empty() { manifest.relations.iter().collect() } else { own } {
        let text = std::fs::read_to_string(path).unwrap();
        let file = parse(&text).unwrap();
        found.extend(check(&file, &manifest.signatures()).unwrap_or_else(|p| panic!("{path:?}: {p:?}")));
    }
    found
}

/// Relations as a file of tests with as many cases as users have.
pub(crate) fn written(
    language: Language,
    relations: &[Relation],
    functions: &[Function],
    module: &str,
) -> String {
    emit(language, relations, &context(functions, module)).unwrap_or_else(|e| panic!("{e}"))
}

/// Relations as a file of tests that is run here. It has fewer cases, because libraries of properties take a millisecond or more
/// for each, and that of Python several.
pub(crate) fn written_to_run(
    language: Language,
    relations: &[Relation],
    functions: &[Function],
    module: &str,
) -> String {
    let cases = if language == Language::Python { 6 } else { 30 };
    let context = EmitContext { cases, ..context(functions, module) };
    let text = emit(language, relations, &context).unwrap_or_else(|e| panic!("{e}"));
    // How hypothesis makes a failing case small is its own affair, and takes most of the time.
    let bounds = "        deadline=None,\n";
    assert!(language != Language::Python || text.matches(bounds).count() == 1, "{text}");
    text.replace(bounds, &format!("{bounds}        phases=[__import__('hypothesis').Phase.generate],\n"))
}

pub(crate) fn context<'a>(functions: &'a [Function], module: &'a str) -> EmitContext<'a> {
    EmitContext {
        functions,
        comments: &[],
        module,
        methods: &[],
        name: "",
        seed: 7,
        cases: 100,
        allocator: None,
        fuel: 10_000_000,
    }
}

/// A folder for what the tests of a language make, kept from run to run.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emitted").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs a program to its end.
pub(crate) fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"))
}

/// Everything that a program said.
pub(crate) fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}
