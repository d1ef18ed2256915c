//! Writes the tests that `--emit` asks for: relations of a file as tests that run without Dodona.

use std::path::Path;

use dodona_emit::{EmitContext, Language, emit};
use dodona_subject::Manifest;
use dodona_subject::build::{Rebuild, build};

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
    let module = match &wanted.module {
        Some(module) => module.clone(),
        None => module(wanted.language, manifest, path)?,
    };
    let context = EmitContext {
        functions: &manifest.functions,
        comments: &comments,
        module: &module,
        seed,
        cases: CASES,
        allocator: manifest.allocator.as_deref(),
        fuel: manifest.limits.fuel.0,
    };
    emit(wanted.language, &relations, &context).map_err(Failure::usage)
}

/// Where the functions are when nobody says it: a crate called like the subject, functions that the test is linked with, the
/// module that is built, as seen from the test where it lies near it.
fn module(language: Language, manifest: &Manifest, test: &Path) -> Result<String, Failure> {
    match language {
        Language::Rust => Ok(manifest.name.replace('-', "_")),
        Language::C => Ok(String::new()),
        Language::Python => {
            let module = build(manifest, Rebuild::WhenStale).map_err(open::build_failure)?;
            let folder = test.parent().unwrap_or(Path::new(""));
            Ok(module.strip_prefix(folder).unwrap_or(&module).display().to_string())
        }
    }
}

/// The lines of the comment that stands directly above a place of a text, without the signs of a comment.
fn comment_above(text: &str, place: usize) -> Vec<String> {
    let line = |line: &str| line.trim().strip_prefix('#').map(|words| words.trim().to_owned());
    // The relation itself may be indented.
    let above = text[..place].trim_end_matches([' ', '\t']);
    let mut lines: Vec<String> = above.lines().rev().map_while(line).collect();
    lines.reverse();
    lines
}

#[cfg(test)]
mod comments {
    use super::*;

    #[test]
    fn only_the_comment_directly_above_a_relation_belongs_to_it() {
        let text =
            "# of the file\n\n# odd:\n#  negating x negates the result\nrelation odd: sin(-x) == -sin(x)\n";
        let place = text.find("relation").expect("it is there");
        assert_eq!(comment_above(text, place), ["odd:", "negating x negates the result"]);
        assert_eq!(comment_above(text, 0), Vec::<String>::new());
        assert_eq!(comment_above("# odd\n  relation", 8), ["odd"]);
    }
}
