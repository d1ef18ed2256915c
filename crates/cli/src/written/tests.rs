//! Writes the tests that `--emit` asks for: relations of a file as tests that run without Dodona.

use std::path::Path;

use dodona_emit::{EmitContext, Language, comment_above, emit};
use dodona_relations::Relation;
use dodona_subject::build::{Rebuild, build};
use dodona_subject::{Manifest, ModuleSource, Outside, OutsideKind, WorkerLanguage, WorkerSource};

use crate::args::Emit;
use crate::failure::Failure;
use crate::open;

/// Inputs that each test looks for.
const CASES: u32 = 1000;

/// The text of a test of the relations in a file of relations, which stands at `path`.
pub(super) fn write(
    wanted: &Emit,
    manifest: &Manifest,
    (relations, seed): (&str, u64),
    path: &Path,
) -> Result<String, Failure> {
    let refuse = |problems| Failure::problems(&path.with_extension("mr"), relations, problems);
    let file = dodona_relations::parse(relations).map_err(refuse)?;
    let comments: Vec<Vec<String>> =
        file.relations.iter().map(|relation| comment_above(relations, relation.span.start)).collect();
    let relations = dodona_relations::check(&file, &manifest.signatures()).map_err(refuse)?;
    standalone(wanted, manifest, (&relations, &comments), seed, path)
}

/// The text of a test, which stands at `path`, of relations with the comments above them.
pub(crate) fn standalone(
    wanted: &Emit,
    manifest: &Manifest,
    (relations, comments): (&[Relation], &[Vec<String>]),
    seed: u64,
    path: &Path,
) -> Result<String, Failure> {
    let module = match &wanted.module {
        Some(module) => module.clone(),
        None => module(wanted.language, manifest, path)?,
    };
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let context = EmitContext {
        functions: &manifest.functions,
        comments,
        module: &module,
        methods: methods(manifest),
        name: &name,
        seed,
        cases: CASES,
        allocator: manifest.allocator.as_deref(),
        fuel: manifest.limits.fuel.0,
    };
    emit(wanted.language, relations, &context).map_err(Failure::usage)
}

/// The methods of Java that the manifest names; none where it declares functions of another language.
fn methods(manifest: &Manifest) -> &[String] {
    match &manifest.source {
        ModuleSource::Outside(Outside {
            kind: OutsideKind::Worker(WorkerSource { language: WorkerLanguage::Java, names, .. }),
            ..
        }) => names,
        _ => &[],
    }
}

/// Where the functions are when nobody says it: the crate under test, or one that is called like the subject; functions that the test is
/// linked with; methods that the manifest names, or that are to be filled in; the module that is built, as seen from the test where it
/// lies near it.
fn module(language: Language, manifest: &Manifest, test: &Path) -> Result<String, Failure> {
    match language {
        Language::Rust => Ok(match &manifest.source {
            ModuleSource::Crate(source) => source.root.clone(),
            _ => manifest.name.replace('-', "_"),
        }),
        Language::C | Language::Java => Ok(String::new()),
        Language::Python => {
            let module = build(manifest, Rebuild::WhenStale).map_err(open::build_failure)?;
            let folder = test.parent().unwrap_or(Path::new(""));
            Ok(module.strip_prefix(folder).unwrap_or(&module).display().to_string())
        }
    }
}
