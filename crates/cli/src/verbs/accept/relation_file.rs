//! The file of a subject that accepted relations go into. What a person wrote in it stays as it is, comments and all: relations are added behind it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use dodona_records::RunRelation;
use dodona_relations::parse;
use dodona_sources::write_atomically;
use dodona_subject::Manifest;
use dodona_target::user_file;

use crate::ending;
use crate::failure::Failure;

/// The file with the relations that are to be added.
pub(super) struct RelationFile {
    path: PathBuf,
    text: String,
    /// Names and statements of all relations of the subject.
    names: BTreeSet<String>,
    statements: BTreeSet<String>,
    /// The manifest as it has to be, where it names no file of relations yet.
    manifest: Option<(PathBuf, String)>,
}

impl RelationFile {
    /// The first file of relations that the manifest names; one beside the manifest, where it names none.
    ///
    /// # Errors
    /// When a file cannot be read, or is no file of relations.
    pub(super) fn of(manifest: &Manifest) -> Result<RelationFile, Failure> {
        let (mut names, mut statements) = (BTreeSet::new(), BTreeSet::new());
        for file in &manifest.relations {
            let text = read(file)?;
            let parsed = parse(&text).map_err(|problems| Failure::problems(file, &text, problems))?;
            for relation in parsed.relations {
                let printed = relation.to_string();
                statements.insert(statement(&printed, &relation.name.text));
                names.insert(relation.name.text);
            }
        }
        let (path, manifest) = match manifest.relations.first() {
            Some(path) => (path.clone(), None),
            None => {
                let name = format!(
                    "{}.mr",
                    manifest.path.file_stem().map_or("relations".into(), |s| s.to_string_lossy())
                );
                let name = if name == "dodona.mr" { format!("{}.mr", manifest.name) } else { name };
                let text = read(&manifest.path)?;
                (
                    manifest.path.with_file_name(&name),
                    Some((manifest.path.clone(), with_relations(&text, &name))),
                )
            }
        };
        let text = if path.exists() { read(&path)? } else { String::new() };
        Ok(RelationFile { path, text, names, statements, manifest })
    }

    /// Adds a relation, under another name if its own is taken; the name. `None` if it stands there already.
    pub(super) fn add(&mut self, relation: &RunRelation) -> Option<String> {
        let (text, name) = (relation.check.text.trim(), relation.name());
        let said = statement(text, name);
        if !self.statements.insert(said.clone()) {
            return None;
        }
        let free = |candidate: &String| !self.names.contains(candidate);
        let numbered = std::iter::once(name.to_owned()).chain((2..).map(|n| format!("{name}_{n}")));
        let name = numbered.into_iter().find(free)?;
        self.names.insert(name.clone());
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push_str(if self.text.ends_with('\n') { "\n" } else { "\n\n" });
        }
        for line in relation.words.iter().flat_map(|words| words.lines()) {
            self.text += &format!("# {line}\n");
        }
        self.text += &format!("relation {name}{said}\n");
        Some(name)
    }

    /// Writes the file, and the manifest where it has to name the file; what was written.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(super) fn write(self) -> Result<Vec<PathBuf>, Failure> {
        ending::answer();
        let failed = |path: &Path, error: std::io::Error| {
            Failure::usage(format!("cannot write {}: {error}", path.display()))
        };
        write_atomically(&self.path, self.text.as_bytes()).map_err(|error| failed(&self.path, error))?;
        let mut written = vec![self.path];
        if let Some((path, text)) = self.manifest {
            write_atomically(&path, text.as_bytes()).map_err(|error| failed(&path, error))?;
            written.push(path);
        }
        Ok(written)
    }
}

fn read(path: &Path) -> Result<String, Failure> {
    user_file::text(path).map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))
}

/// What a printed relation says behind its name: `: f(-x) == f(x)`.
fn statement(text: &str, name: &str) -> String {
    let text = text.trim();
    let rest = text.strip_prefix("relation ").and_then(|rest| rest.strip_prefix(name));
    rest.unwrap_or(text).to_owned()
}

/// A manifest that also names a file of relations: before its first table, where keys of the whole subject stand.
fn with_relations(manifest: &str, name: &str) -> String {
    let line = format!("relations = [\"{name}\"]\n");
    let (mut at, mut end) = (0, 0);
    for text in manifest.split_inclusive('\n') {
        if text.trim_start().starts_with('[') {
            break;
        }
        end += text.len();
        // A comment right before the first table is about that table.
        if !text.trim().is_empty() && !text.trim_start().starts_with('#') {
            at = end;
        }
    }
    let (before, behind) = manifest.split_at(at);
    let gap = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    format!("{before}{gap}{line}{behind}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_names_the_file_before_its_first_table_and_keeps_its_comments() {
        let manifest = "# mine\nname = \"s\" # a name\n\n# how it is built\n[build]\nc = [\"s.c\"]\n";
        let wanted = "# mine\nname = \"s\" # a name\nrelations = [\"s.mr\"]\n\n# how it is built\n[build]\nc = [\"s.c\"]\n";
        assert_eq!(with_relations(manifest, "s.mr"), wanted);
        assert_eq!(with_relations("[build]\n", "s.mr"), "relations = [\"s.mr\"]\n[build]\n");
        assert_eq!(with_relations("name = \"s\"", "s.mr"), "name = \"s\"\nrelations = [\"s.mr\"]\n");
    }
}
