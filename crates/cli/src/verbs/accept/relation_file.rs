//! The file of a subject that accepted relations go into. What a person wrote in it stays as it is, comments and all: relations are added behind it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use dodona_records::{RunRelation, statement};
use dodona_relations::parse;
use dodona_sources::write_atomically;
use dodona_subject::Manifest;
use dodona_target::user_file;
use toml_edit::{Array, DocumentMut, TomlError};

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
                statements.insert(statement(&printed, &relation.name.text).to_owned());
                names.insert(relation.name.text);
            }
        }
        let (path, manifest) = match own_file(manifest) {
            Some(path) => (path, None),
            None => {
                let path = free_file(manifest);
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let text = with_relations(&read(&manifest.path)?, &name)
                    .map_err(|why| Failure::usage(format!("{}: {why}", manifest.path.display())))?;
                (path, Some((manifest.path.clone(), text)))
            }
        };
        let text = if path.exists() { read(&path)? } else { String::new() };
        Ok(RelationFile { path, text, names, statements, manifest })
    }

    /// Adds a relation, under another name if its own is taken; the name. `None` if it stands there already.
    pub(super) fn add(&mut self, relation: &RunRelation) -> Option<String> {
        let (text, name) = (relation.check.text.trim(), relation.name());
        let said = statement(text, name).to_owned();
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

/// The first file of relations of the whole subject that lies beside the manifest. Files of single functions may not call others, and files elsewhere may be those of other
/// subjects too.
fn own_file(manifest: &Manifest) -> Option<PathBuf> {
    let of_functions: BTreeSet<&PathBuf> = manifest.functions.iter().flat_map(|f| &f.relations).collect();
    let is_own = |file: &&PathBuf| file.parent() == manifest.path.parent() && !of_functions.contains(file);
    manifest.relations.iter().find(is_own).cloned()
}

/// A file beside the manifest that is not there yet, called like the subject as far as that is a name of a file.
fn free_file(manifest: &Manifest) -> PathBuf {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let plain: String = manifest.name.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
    let names = std::iter::once(format!("{plain}.mr")).chain((2..).map(|n| format!("{plain}-{n}.mr")));
    let mut paths = names.map(|name| manifest.path.with_file_name(name));
    paths.find(|path| !path.exists()).unwrap_or_else(|| manifest.path.with_extension("mr"))
}

/// A manifest that also names a file of relations. Everything else in it stays as it is written.
///
/// # Errors
/// When it is no TOML, or its `relations` are no list.
fn with_relations(manifest: &str, name: &str) -> Result<String, String> {
    let mut document: DocumentMut = manifest.parse().map_err(|error: TomlError| error.to_string())?;
    match document.get_mut("relations") {
        Some(named) => named.as_array_mut().ok_or("`relations` is no list of files")?.push(name),
        None => {
            // Behind the other keys of the whole subject, and so before its first table.
            document.insert("relations", toml_edit::value(Array::from_iter([name])));
        }
    }
    Ok(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(manifest: &str) -> String {
        with_relations(manifest, "s.mr").expect("a manifest")
    }

    #[test]
    fn a_manifest_names_the_file_before_its_first_table_and_keeps_its_comments() {
        let manifest = "# mine\nname = \"s\" # a name\n\n# how it is built\n[build]\nc = [\"s.c\"]\n";
        let wanted = "# mine\nname = \"s\" # a name\nrelations = [\"s.mr\"]\n\n# how it is built\n[build]\nc = [\"s.c\"]\n";
        assert_eq!(added(manifest), wanted);
        assert_eq!(added("name = \"s\""), "name = \"s\"\nrelations = [\"s.mr\"]\n");
    }

    #[test]
    fn a_list_that_is_there_gets_one_more() {
        assert_eq!(added("relations = []\n"), "relations = [\"s.mr\"]\n");
        assert_eq!(added("relations = [\"a.mr\"] # mine\n"), "relations = [\"a.mr\", \"s.mr\"] # mine\n");
        assert!(with_relations("relations = 1\n", "s.mr").is_err());
    }

    #[test]
    fn a_bracket_in_a_text_is_no_table() {
        let manifest = "specification = \"\"\"\nA text\n[1] a footnote\n\"\"\"\nmodule = \"m.wat\"\n[[function]]\nsignature = \"f()\"\n";
        let text = added(manifest);
        assert!(text.contains("module = \"m.wat\"\nrelations = [\"s.mr\"]\n[[function]]"), "{text}");
    }
}
